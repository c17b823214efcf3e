/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The version of the library, for programs that were built separately. */
#include "utet.h"

uint32_t utet_version(void)
{
    return UTET_VERSION;
}

const char *utet_version_text(void)
{
    return UTET_VERSION_TEXT;
}
