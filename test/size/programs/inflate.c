/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration inflate: only the decoder of zlib streams, in slices. */
#include "port.h"
#include "utet_inflate.h"

static utet_inflate z;

static utet_status fetch(void *ctx, uint32_t position, const uint8_t **at, size_t *have)
{
    *at = (const uint8_t *)ctx + position;
    *have = 1;
    return UTET_OK;
}

int main(void)
{
    utet_inflate_job job = {fetch, size_work, SIZE_WORK, 65536, (uint8_t *)size_work, SIZE_WORK, 0};
    const uint8_t *at = (const uint8_t *)size_work;
    uint32_t need;
    size_t len;
    int sum = 0;

    sum |= utet_inflate_need(at, 65536, &need);
    sum |= utet_inflate_init(&z, &job);
    sum |= utet_inflate_step(&z, 64, &at, &len);
    return sum | (int)utet_inflate_error_offset(&z);
}
