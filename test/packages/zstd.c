/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Decodes zstd frames: zstd SIZE <in >out. */
#include "utet_zstd.h"

#include "input.h"

static uint8_t output[1 << 16];

int main(int argc, char **argv)
{
    static uint64_t work[UTET_ZSTD_WORK_TABLES / 8];
    utet_zstd_job job = {&io, 0, 0, 0, output, 0};
    utet_zstd *z;

    read_input();
    job.length = io.size;
    job.size = strtoul(argv[argc - 1], NULL, 10);
    OK(utet_zstd_init(&z, &job, work, sizeof work));
    OK(utet_zstd_decode(z));
    fwrite(output, 1, (size_t)job.size, stdout);
    return 0;
}
