/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What harnesses assume about a frame's header. */
#ifndef TEST_ZSTD_EVA_HEADER_H
#define TEST_ZSTD_EVA_HEADER_H

#include "zstd/zstd_decoder.h"

/* As part zstd 1 has found: a frame's header has 6 to 18 bytes, all of them present. */
/*@ requires len != 0 ==> \initialized(p + (0 .. len - 1));
    assigns *h, \result \from p[0 .. len - 1];
    ensures \initialized(&h->bytes) && \initialized(&h->window) && \initialized(&h->skippable);
    ensures \initialized(&h->checksum) && \initialized(&h->content);
    ensures \result == UTET_OK && h->skippable == 0 && 6 <= h->bytes <= len ||
            \result == UTET_OK && h->skippable == 1 && 8 <= h->bytes <= 0x100000007 || \result == UTET_E_PAYLOAD; */
utet_status utet_zs_header(zs_header *h, const uint8_t *p, size_t len);

#endif
