/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* heatshrink's decoder without malloc: window 8, look-ahead 4, as set in its configuration. */
#include "bench.h"

#include "heatshrink_decoder.h"

static heatshrink_decoder decoder;

void bench_setup(void)
{
}

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    size_t done = 0, given = 0, some;

    heatshrink_decoder_reset(&decoder);
    while (done < dst_cap) {
        HSD_poll_res result;

        if (heatshrink_decoder_sink(&decoder, (uint8_t *)(uintptr_t)(src + given), src_len - given, &some) < 0)
            return -1;
        given += some;
        do {
            result = heatshrink_decoder_poll(&decoder, dst + done, dst_cap - done, &some);
            done += some;
        } while (result == HSDR_POLL_MORE && done < dst_cap);
        if (result < 0 || (some == 0 && given == src_len))
            return -1;
    }
    return (int32_t)done;
}

size_t bench_work(void)
{
    return sizeof decoder;
}
