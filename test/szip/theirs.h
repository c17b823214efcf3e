/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* libaec, the second opinion on szip, for the suite and the fuzz target. */
#ifndef TEST_SZIP_THEIRS_H
#define TEST_SZIP_THEIRS_H

#include "utet_szip.h"

#include <libaec.h>
#include <string.h>

static inline void their_fill(struct aec_stream *s, const utet_szip_params *p)
{
    memset(s, 0, sizeof *s);
    s->bits_per_sample = p->bits;
    s->block_size = p->block;
    s->rsi = p->rsi;
    s->flags = p->flags;
}

/* Bytes that libaec writes; -1 if it refuses. */
static inline long their_decode(const utet_szip_params *p, const uint8_t *from, size_t size, uint8_t *to, size_t room)
{
    struct aec_stream s;
    int status;

    their_fill(&s, p);
    s.next_in = from;
    s.avail_in = size;
    s.next_out = to;
    s.avail_out = room;
    if (aec_decode_init(&s) != AEC_OK)
        return -1;
    status = aec_decode(&s, AEC_FLUSH);
    aec_decode_end(&s);
    return status == AEC_OK ? (long)s.total_out : -1;
}

#endif
