/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What every command on one file does around its own work: opens the file, with --strict judges the footer, ends it. */
#include "metadata.h"

int source_run(const options *opt, int (*work)(source *s, const options *opt))
{
    source s;
    int result = source_begin(&s, opt);

    if (result == TOOL_OK && opt->strict)
        result = metadata_strict(&s);
    if (result == TOOL_OK)
        result = work(&s, opt);
    source_end(&s);
    return result;
}
