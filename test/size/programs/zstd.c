/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration zstd: only the built-in zstd decoder, from a source with read(), in slices. */
#include "port.h"
#include "utet_zstd.h"

int main(void)
{
    static char buffer[64];
    utet_zstd_job job = {&size_io, 0, 4096, 65536, NULL, 0};
    utet_zstd *z = NULL;
    size_t got;
    int sum = 0;

    sum |= utet_zstd_init(&z, &job, size_work, SIZE_WORK);
    sum |= utet_zstd_read(z, buffer, sizeof buffer, &got);
    return sum | (int)utet_zstd_needed(z) | (int)utet_zstd_error_offset(z);
}
