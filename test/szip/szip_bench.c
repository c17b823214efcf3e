/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet_szip under the benchmark: test/bench/bench_try.sh -k test/szip/szip_pak.py, input in one piece. */
#include "bench.h"

#include <string.h>

#include "utet_szip.h"

static utet_szip z;

void bench_setup(void)
{
}

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    const utet_szip_params params = {src[0], src[1], src[2], (uint16_t)(src[4] | src[5] << 8)};
    size_t done = 0, used;

    src += 8;
    src_len -= 8;
    (void)utet_szip_init(&z, &params);
    while (done < dst_cap) {
        size_t some;

        if (utet_szip_block(&z, src, src_len, &used) != UTET_OK)
            return -1;
        src += used;
        src_len -= used;
        some = z.size < dst_cap - done ? z.size : dst_cap - done;
        memcpy(dst + done, z.out, some);
        done += some;
    }
    return (int32_t)done;
}

size_t bench_work(void)
{
    return sizeof z;
}
