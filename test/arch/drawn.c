/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames from the file NAME through the small zstd decoder on a board, in the largest layout that fits. For each there
 * are its length, the judge's result (decoded bytes, or 0xFFFF: damaged) and the checksum, two bytes each, then the
 * frame; a length of 0 ends them (zs_diff pack). Only the destination may be written.
 */
#include "board.h"
#include "print.h"
#include "semihost.h"
#include "utet_zstd.h"

#include <string.h>

enum { MOST = 2048, GUARD = 64 };

static uint8_t dst[GUARD + MOST + GUARD];

static utet_status read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    const int32_t handle = *(int32_t *)ctx;

    (void)semihost_seek(handle, (uint32_t)offset);
    *got = semihost_read(handle, buf, len);
    return UTET_OK;
}

static uint16_t sum_of(const uint8_t *p, size_t n)
{
    uint16_t sum = 0;

    while (n-- != 0)
        sum = (uint16_t)(sum * 31u + *p++);
    return sum;
}

/* In slices within the destination: their lengths are limited by at_most. */
static int as_judged(const utet_zstd_job *job, uint16_t judged, uint16_t sum)
{
    const uint8_t *from;
    uint16_t n = 0;
    size_t some, i;
    void *const work = board_spare(&some); /* aligned to 8; AVR's compiler does not align anything to that */
    utet_zstd *z;
    utet_status status = utet_zstd_init(&z, job, work, some < UTET_ZSTD_WORK_TABLES ? some : UTET_ZSTD_WORK_TABLES);

    memset(dst, 0x5A, sizeof dst);
    while (status == UTET_OK) {
        status = utet_zstd_step(z, MOST, &from, &some);
        n = (uint16_t)(n + some);
    }
    for (i = 0; i < GUARD; i++)
        if (dst[i] != 0x5A || dst[GUARD + MOST + i] != 0x5A)
            return 0;
    if (judged == 0xFFFFu)
        return status == UTET_E_PAYLOAD || status == UTET_E_SPACE;
    return status == UTET_END && n == judged && sum_of(job->dst, n) == sum;
}

int main(void)
{
    int32_t handle = semihost_open(NAME, SEMIHOST_READ);
    uint16_t head[3], passed = 0, failed = 0;
    utet_io io = {.ctx = &handle, .read = read, .size = (uint64_t)semihost_flen(handle)};
    utet_zstd_job job = {.io = &io, .size = MOST, .dst = dst + GUARD, .at_most = 1};

    while (semihost_seek(handle, (uint32_t)job.offset) == 0 &&
           semihost_read(handle, head, sizeof head) == sizeof head && head[0] != 0) {
        job.offset += sizeof head;
        job.length = head[0];
        if (as_judged(&job, head[1], head[2])) {
            passed++;
        } else {
            failed++;
            print_text("differs\t");
            print_u64(job.offset);
            print_text("\n");
        }
        job.offset += job.length;
    }
    print_u64(passed);
    print_text(" passed, ");
    print_u64(failed);
    print_text(" failed\n");
    return failed != 0;
}
