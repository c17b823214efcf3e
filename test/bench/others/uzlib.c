/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* uzlib's decoder of zlib streams, from MicroPython; it checks the checksum. */
#include "bench.h"

#include "uzlib.h"

static uzlib_uncomp_t decoder;

/* A request beyond the source: there are no more bytes. */
static int no_more(void *ctx)
{
    (void)ctx;
    return -1;
}

void bench_setup(void)
{
}

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    int window_bits, result;

    uzlib_uncompress_init(&decoder, NULL, 0);
    decoder.source = src;
    decoder.source_limit = src + src_len;
    decoder.source_read_cb = no_more;
    decoder.dest_start = decoder.dest = dst;
    decoder.dest_limit = dst + dst_cap;
    if (uzlib_parse_zlib_gzip_header(&decoder, &window_bits) != UZLIB_HEADER_ZLIB)
        return -1;
    result = uzlib_uncompress_chksum(&decoder);
    if (result == UZLIB_OK) /* the output is full: only the end of the stream is left */
        result = uzlib_uncompress_chksum(&decoder);
    return result == UZLIB_DONE ? (int32_t)(decoder.dest - dst) : -1;
}

size_t bench_work(void)
{
    return sizeof decoder;
}
