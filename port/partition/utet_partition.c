/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finds the end of a file in a partition. A .tet file with a footer ends with letters, and so does a file of Tensogram
 * messages: the erased bytes after it begin after the last byte that is not 0xFF. A .tet file without a footer may end
 * with data of 0xFF, but nothing in it is found from its end: the whole partition serves as well. */
#include "utet_partition.h"

#include <string.h>

#define FLAGS 12u /* offset in the superblock (src/tet/FORMAT.md, section 2) */
#define FOOTER 1u /* flag: the file has a footer */
#define ERASED 0xFFu

static int has_no_footer(const uint8_t *file, size_t length)
{
    return length > FLAGS && memcmp(file, "TETR", 4) == 0 && (file[FLAGS] & FOOTER) == 0;
}

utet_status utet_partition_open(utet_io *io, const void *partition, size_t length)
{
    const uint8_t *const bytes = partition;
    size_t size = length;

    while (size > 0 && bytes[size - 1] == ERASED)
        size--;
    memset(io, 0, sizeof *io);
    io->unit = io->align = 1;
    if (size == 0)
        return UTET_PARTITION_E_ERASED;
    io->map = bytes;
    io->size = has_no_footer(bytes, length) ? length : size;
    return UTET_OK;
}
