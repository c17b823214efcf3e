/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* For harnesses without base/file.c: a call is repeated as it began, or with another destination. */
#ifndef EVA_GIVEN_H
#define EVA_GIVEN_H

#include "base/base.h"

utet_status utet_given(utet_file *file, const void *at, size_t size)
{
    (void)file;
    (void)at;
    (void)size;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_STATE;
}

#endif
