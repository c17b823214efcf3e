/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over LZ4's codec of streams, from its calls on: the state in the work memory, the output in a ring after
 * it or in the complete destination. EVA_PART 1: outputs of up to 3 bytes, in each state; 2: a ring of 64 kB, at its
 * borders; 3, 4: whole sequences, in a complete destination and at the borders of the ring. An alarm is possible
 * undefined behaviour. What wp_lz4.c proves about copies of all sizes is not assumed here.
 *
 * eva.sh: 4 parts, x86_32, x86_64, ppc_32
 *   1 2: -eva-slevel 20000 -eva-split-return full
 *   3 4: -eva-slevel 200000 -eva-split-return full
 */
#include <string.h>

#if EVA_PART >= 3 /* a fetch of its own: the header's makes one unknown number of each length */
#define utet_payload_fetch unused_fetch
#endif
#include "eva_payload.h"
#undef utet_payload_fetch

#include "lz4/lz4_block.c"

const utet_codec_driver utet_driver;

enum { STORED = 5 }; /* bytes of payload */

static utet_stream stream;
static utet_file file;
static utet_io io;

/* A port that makes a call pause after a step, or not. */
static void any_pause(void)
{
    io.step_limit = (uint16_t)Frama_C_interval_split(0, 1);
    file.priv.io = &io;
    stream.priv.file = &file;
}

#if EVA_PART >= 3
static uint8_t payload[48];
static size_t payload_size;

utet_status utet_payload_fetch(utet_stream *s, uint64_t position, size_t length, uint64_t ahead, const uint8_t **at,
                               size_t *have)
{
    /*@ assert payload: 1 <= length <= ahead && position + ahead <= s->priv.stored; */
    if (Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    *at = payload + (sizeof payload - payload_size) + position;
    *have = payload_size - position;
    return UTET_OK;
}

/* Two sequences, or the beginning of them: the first one of many lengths and with any kind of offset. */
static void any_sequences(void)
{
    static const uint8_t literals[] = {0, 3, 11, 15};
    static const uint8_t matches[] = {0, 5, 15};
    static const uint8_t further[] = {3, 255};
    static const uint16_t offsets[] = {0, 1, 7, 8, HISTORY - 9, HISTORY - 8};
    const uint8_t literal = literals[Frama_C_interval_split(0, 3)];
    const uint8_t match = matches[Frama_C_interval_split(0, 2)];
    const uint8_t more = literal == 15 || match == 15 ? further[Frama_C_interval_split(0, 1)] : 0;
    const uint16_t offset = offsets[Frama_C_interval_split(0, 5)];
    uint8_t bytes[sizeof payload];
    size_t n = 1, i;

    bytes[0] = (uint8_t)(literal << 4 | match);
    if (literal == 15)
        bytes[n++] = more;
    for (i = 0; i < literal + (literal == 15 && more < 255 ? more : 0u); i++)
        bytes[n++] = (uint8_t)any32();
    bytes[n++] = (uint8_t)offset;
    bytes[n++] = (uint8_t)(offset >> 8);
    if (match == 15)
        bytes[n++] = more;
    bytes[n++] = 0;
    bytes[n++] = 4;
    bytes[n++] = 0;
    n -= (size_t)Frama_C_interval_split(0, 1) * 4;
    memcpy(payload + (sizeof payload - n), bytes, n);
    payload_size = n;
    stream.priv.stored = n;
}
#endif

#if EVA_PART == 1
enum { MOST = 2 };

static struct {
    lz4 z;
    uint8_t ring[MOST];
} work;
static uint8_t whole[MOST];

/* Any state of a stream of `length` bytes: a match begins within the output. */
static void any_state(int length)
{
    const int made = Frama_C_interval_split(0, length);
    lz4 *z = &work.z;

    z->made = (uint64_t)made;
    z->step = (uint8_t)Frama_C_interval_split(LZ4_AT_SIZE, LZ4_AT_END);
    z->token = (uint8_t)any32();
    z->length = any32();
    if (z->step == LZ4_AT_LITERALS || z->step == LZ4_AT_MATCH)
        z->length = (uint64_t)Frama_C_interval_split(0, MOST + 1);
    z->taken = (uint64_t)Frama_C_interval_split(0, 1) * (STORED - 1);
    if (z->step == LZ4_AT_MATCH_LENGTH || z->step == LZ4_AT_MATCH) {
        if (made == 0)
            return;
        z->offset = (uint16_t)Frama_C_interval_split(1, made);
    }
    (void)lz4_step(&stream, (size_t)Frama_C_interval_split(1, 2));
}

void eva_main(void)
{
    const int length = Frama_C_interval_split(0, MOST);
    utet_need need;

    stream.length = (uint64_t)length;
    stream.priv.stored = STORED;
    any_pause();
    stream.priv.work = (uint8_t *)&work;
    stream.priv.whole = Frama_C_interval_split(0, 1) ? whole + (MOST - length) : NULL;
    (void)lz4_need(&stream, 0, &need);
    (void)lz4_open(&stream);
    /*@ assert need: need.least <= sizeof(lz4) + MOST; */
    if (stream.priv.whole == NULL)
        work.z.ring = work.ring;
    any_state(length);
}
#elif EVA_PART == 3
static uint8_t whole[24];

/* The complete destination. */
void eva_main(void)
{
    static const uint8_t made[] = {0, 9, 20};
    static lz4 work;

    any_sequences();
    stream.length = sizeof whole;
    any_pause();
    stream.priv.work = (uint8_t *)&work;
    stream.priv.whole = whole;
    (void)lz4_open(&stream);
    work.step = LZ4_AT_TOKEN;
    work.made = made[Frama_C_interval_split(0, 2)];
    (void)lz4_step(&stream, sizeof whole);
}
#else
static struct {
    lz4 z;
    uint8_t ring[HISTORY];
} work;
#endif

#if EVA_PART == 2

void eva_main(void)
{
    static const uint32_t places[] = {HISTORY - 2, HISTORY + 1, 3 * HISTORY - 1};
    static const uint16_t offsets[] = {1, 3, HISTORY - 1};
    lz4 *z = &work.z;

    stream.length = (uint64_t)HISTORY * 4;
    stream.priv.stored = STORED;
    any_pause();
    stream.priv.work = (uint8_t *)&work;
    (void)lz4_open(&stream);
    z->ring = work.ring;
    z->made = places[Frama_C_interval_split(0, 2)];
    z->offset = offsets[Frama_C_interval_split(0, 2)];
    if (z->offset > z->made)
        return;
    z->step = Frama_C_interval_split(0, 1) ? LZ4_AT_MATCH : LZ4_AT_LITERALS;
    z->length = Frama_C_interval_split(0, 1) ? 2 : 5;
    z->taken = 0;
    (void)lz4_step(&stream, 4);
}
#elif EVA_PART == 4
void eva_main(void)
{
    static const uint32_t places[] = {HISTORY - 9, HISTORY + 5, 3 * HISTORY - 20};
    lz4 *z = &work.z;

    any_sequences();
    stream.length = (uint64_t)HISTORY * 4;
    any_pause();
    stream.priv.work = (uint8_t *)&work;
    (void)lz4_open(&stream);
    z->ring = work.ring;
    z->step = LZ4_AT_TOKEN;
    z->made = places[Frama_C_interval_split(0, 2)];
    (void)lz4_step(&stream, 24);
}
#endif
