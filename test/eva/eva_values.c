/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the parts around the values of Tensogram's tensors. EVA_PART 1: runs of ones in masks, by all
 * methods. 2: the hash of a frame. An alarm is possible undefined behaviour. Each part begins in any state that its
 * invariant allows.
 *
 * eva.sh: 2 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 20000 -eva-slevel-function utet_runs_ones:0 -eva-split-return full
 *   2: -eva-slevel 100000 -eva-split-return-function utet_fetch:0,utet_enter:0
 */
#include <string.h>

#include "eva_any.h"

#if EVA_PART == 2
#include "base/bytes.c"
#include "base/room.c"
#include "base/file.c"
#include "tensogram/tensogram_hash.c"
#include "tensogram/tensogram_bytes.c"
#else
#include "base/bytes.c"
#include "base/room.c"
#include "tensogram/tensogram_rle.c"
#include "tensogram/tensogram_roaring.c"
#include "tensogram/tensogram_runs.c"
#endif

static uint8_t held[128];
static utet_file file;
static int grants = 1;

/* As many bytes as were requested, where memory ends; or a failure. */
utet_status utet_fetch(utet_file *of, size_t length, uint64_t offset)
{
    /*@ assert length: 1 <= length <= 128; */
    of->error_offset = offset;
    if (grants == 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    grants--;
    Frama_C_make_unknown((char *)held, sizeof held);
    of->priv.at = held + (sizeof held - length);
    of->priv.have = length;
    return UTET_OK;
}

#if EVA_PART == 1
utet_status utet_fetch_ahead(utet_file *of, size_t length, uint64_t offset)
{
    return utet_fetch(of, length, offset);
}

/* Not reached: these runs are those of masks. */
static utet_status not_here(utet_stream *s)
{
    (void)s;
    return UTET_E_CODEC;
}

utet_status utet_bitmask_need(utet_stream *s, int exact, utet_need *need)
{
    (void)exact;
    (void)need;
    return not_here(s);
}

utet_status utet_bitmask_open(utet_stream *s)
{
    return not_here(s);
}

utet_status utet_bitmask_step(utet_stream *s, const utet_bits_codec *codec)
{
    (void)codec;
    return not_here(s);
}

utet_status utet_bitmask_skip(utet_stream *s, uint64_t size, const utet_bits_codec *codec)
{
    (void)codec;
    (void)size;
    return not_here(s);
}

const utet_codec_driver utet_driver;

void eva_main(void)
{
    static utet_bit_runs runs;
    static utet_stream stream;
    static utet_io io;
    const int method = Frama_C_interval_split(0, 2);
    size_t from;

    io.step_limit = (uint16_t)any32();
    file.priv.io = &io;

    if (Frama_C_interval(0, 1)) {
        utet_runs_begin(&runs, NULL, any64(), any64(), any64(), NULL);
    } else {
        Frama_C_make_unknown((char *)&runs, sizeof runs);
        runs.priv.map = NULL;
        runs.priv.shift = (uint8_t)Frama_C_interval(0, 7);
        runs.priv.size = 1;
    }
    runs.priv.codec = method == 0 ? NULL : method == 1 ? &utet_codec_bits_rle : &utet_codec_bits_roaring;
    if (method == 1)
        runs.priv.shift = (uint8_t)any32();
    /* the size of a part depends on the step: a byte, except in roaring */
    if (method == 2) {
        static const uint8_t sizes[] = {1, 4, 4, 1, 4, 4, 2};

        runs.priv.step = (uint8_t)Frama_C_interval_split(ROARING_AT_START, ROARING_AT_END);
        if (runs.priv.step <= ROARING_AT_RUN_COUNT)
            runs.priv.size = sizes[runs.priv.step];
        else if (runs.priv.step == ROARING_AT_LIST)
            runs.priv.size = Frama_C_interval_split(0, 1) ? 2 : 4;
    }
    (void)utet_runs_next(&file, &runs);
    (void)utet_runs_within(&runs, any64(), any32(), &from);
    (void)rle_step(&stream, 1);
    (void)roaring_step(&stream, 1);
    (void)rle_skip(&stream, any64());
    (void)roaring_skip(&stream, any64());
}
#else
/* Not reached: the workspace has been opened. */
void utet_window_resize(utet_file *of, size_t window)
{
    (void)of;
    (void)window;
}

size_t utet_window_fit(const utet_file *of, size_t bytes)
{
    (void)of;
    (void)bytes;
    return any32();
}

void eva_main(void)
{
    static const uint16_t lengths[] = {0, 1, 16, 17, 128, 129, 144, 239, 240, 241, 256, 257, 1024, 1025, 1088, 1089};
    static utet_frame frame;
    static utet_frame_hash state;
    static utet_io io;

    io.size = any64();
    file.priv.io = &io;
    file.priv.at = held;
    file.priv.state = UTET_STATE_OPEN;
    file.priv.busy = (uint8_t)any32();
    Frama_C_make_unknown((char *)&frame, sizeof frame);
    Frama_C_make_unknown((char *)&state, sizeof state);
    frame.type = Frama_C_interval_split(0, 1) ? UTET_FRAME_TENSOR : UTET_FRAME_PRECEDER;
    frame.length = UTET_FRAME_HEADER_BYTES + utet_frame_tail(frame.type) + lengths[Frama_C_interval_split(0, 15)];
    state.priv.position = (uint64_t)Frama_C_interval_split(0, 17);
    (void)utet_frame_verify(&file, &frame, &state);
}
#endif
