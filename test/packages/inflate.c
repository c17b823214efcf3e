/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Decodes a zlib stream in slices: inflate SIZE <in >out. */
#include "utet_inflate.h"

#include "input.h"

static utet_status fetch(void *ctx, uint32_t position, const uint8_t **at, size_t *have)
{
    (void)ctx;
    *at = input + position;
    *have = (size_t)io.size - position;
    return UTET_OK;
}

int main(int argc, char **argv)
{
    static uint8_t history[UTET_INFLATE_WINDOW_MAX];
    static utet_inflate z;
    utet_inflate_job job = {fetch, NULL, 0, 0, history, sizeof history, 0};
    utet_status status;
    const uint8_t *at;
    size_t length;

    read_input();
    job.length = (uint32_t)io.size;
    job.size = (uint32_t)strtoul(argv[argc - 1], NULL, 10);
    OK(utet_inflate_init(&z, &job));
    while ((status = utet_inflate_step(&z, SIZE_MAX, &at, &length)) == UTET_OK)
        fwrite(at, 1, length, stdout);
    OK(status == UTET_END ? UTET_OK : status);
    return 0;
}
