/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What library this is, for programs that were built apart from it. */
#include "utet.h"

uint32_t utet_version(void)
{
    return UTET_VERSION;
}

const char *utet_version_text(void)
{
    return UTET_VERSION_TEXT;
}
