/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Random streams for machines without zlib. `write FILE COUNT`, on the host, writes streams, sizes, and zlib's results
 * and bytes. `check FILE`, with INF_REPLAY, compares the decoder with them. Numbers are big-endian.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inf_made.h"
#include "inf_run.h"

static uint8_t stream[2 * INF_MOST];

#ifndef INF_REPLAY
static void put32(FILE *f, uint32_t v)
{
    uint8_t b[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};

    (void)fwrite(b, 1, 4, f);
}

int main(int argc, char **argv)
{
    FILE *f = argc == 4 ? fopen(argv[2], "wb") : NULL;
    uint32_t i, count = f != NULL ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;

    for (i = 0; i < count; i++) {
        uint32_t size, len = inf_made(stream, i + 1000000u, &size);
        inf_verdict v;

        size = size > INF_MOST ? INF_MOST : size;
        v = inf_judge(stream, len, size);
        put32(f, len);
        put32(f, size);
        put32(f, (uint32_t)-v.status);
        put32(f, v.produced);
        (void)fwrite(stream, 1, len, f);
        (void)fwrite(inf_judged, 1, v.produced, f);
    }
    return f == NULL || fclose(f) != 0;
}
#else
static uint32_t get32(FILE *f)
{
    uint8_t b[4] = {255, 255, 255, 255};

    if (fread(b, 1, 4, f) != 4)
        return UINT32_MAX;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

int main(int argc, char **argv)
{
    FILE *f = argc == 3 ? fopen(argv[2], "rb") : NULL;
    unsigned passed = 0, failed = 0;

    while (f != NULL) {
        uint32_t len = get32(f), size = get32(f), status = get32(f), produced = get32(f);
        inf_verdict v;
        inf_way way;

        if (len > sizeof stream || produced > sizeof inf_judged || fread(stream, 1, len, f) != len ||
            fread(inf_judged, 1, produced, f) != produced)
            break;
        way = inf_any_way(len, size, passed + 1u);
        v = inf_run(stream, len, size, &way);
        if (v.status == -(utet_status)status)
            passed++;
        else if (failed++ < 5u)
            printf("stream %u: %d instead of %d\n", passed, v.status, -(int)status);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
#endif
