/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Runs a command on one file: opens the file, checks the footer if --strict is given, does the work, closes the
 * file. */
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
