/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Objects that an application owns, which are not counted: port, file, workspace. */
#include "port.h"

static utet_status read_nothing(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    (void)ctx;
    (void)offset;
    (void)buf;
    *got = len;
    return UTET_OK;
}

utet_io size_io = {NULL, read_nothing, NULL, NULL, 4096, 1, 1, 0, 0};
utet_file size_file;
uint64_t size_work[SIZE_WORK / 8];
