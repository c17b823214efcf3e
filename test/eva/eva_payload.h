/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The payload's contract (utet_codec.h), for harnesses of codecs: as many bytes as were requested, or all up to
 * `ahead`, of any values, and memory ends after them; or a failure. After `grants` successes comes "not yet": then a
 * loop is left, to be continued in some state. */
#include "eva_any.h"

#include "utet_codec.h"

enum { PAYLOAD = 8 };

static int grants = 1;

utet_status utet_payload_error(utet_stream *s, uint64_t position, utet_status status)
{
    (void)s;
    (void)position;
    return status;
}

utet_status utet_payload_fetch(utet_stream *s, uint64_t position, size_t length, uint64_t ahead, const uint8_t **at,
                               size_t *have)
{
    static uint8_t bytes[PAYLOAD];

    /*@ assert payload: 1 <= length <= ahead && position + ahead <= s->priv.stored; */
    if (grants == 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    grants--;
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    *have = Frama_C_interval_split(0, 1) || ahead > PAYLOAD ? length : (size_t)ahead;
    *at = bytes + sizeof bytes - *have;
    return UTET_OK;
}
