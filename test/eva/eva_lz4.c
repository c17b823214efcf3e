/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over LZ4's codec of streams, from its calls on: the state in the work memory, the output in a ring after
 * it or in the complete destination. EVA_PART 1: outputs of up to 3 bytes, in each state; 2: a ring of 64 kB, at its
 * borders. An alarm is possible undefined behaviour. What wp_lz4.c proves about copies of all sizes is not assumed
 * here.
 *
 * eva.sh: 2 parts, x86_32, x86_64, ppc_32
 *   1 2: -eva-slevel 20000 -eva-split-return full
 */
#include <string.h>

#include "eva_payload.h"

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
#else
static struct {
    lz4 z;
    uint8_t ring[HISTORY];
} work;

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
#endif
