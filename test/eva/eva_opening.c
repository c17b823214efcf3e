/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the opening of a tensor's data: its need, the memory that is assigned, masks and planes that are
 * decoded into it. EVA_PART 1: tensors without masks, of each compression; 2: with masks of each kind. An alarm is
 * possible undefined behaviour.
 *
 * Each call starts at its beginning and may be suspended once, at each step. The codecs write everything that they may:
 * their work memory up to their need, and the stage's output at its address; memory has as many bytes as the tensor
 * requested. Codecs, runs of ones and the workspace are replaced by the contracts of their headers.
 *
 * eva.sh: 2 parts, x86_32
 *   1 2: -eva-slevel 500 -eva-slevel-function eva_main:5000,utet_div:100,find_codec:100 -eva-split-return full
 */
#include <string.h>

#include "eva_any.h"

#include "base/bytes.c"
#include "base/room.c"
#include "tensogram/tensogram_data.c"
#include "tensogram/tensogram_verified.c"

enum { ELEMENTS = 9, STORED = 6, WINDOW = 8, NEED = 16 };

static utet_file file;
static utet_tensor tensor;
static utet_object object;
static utet_io io;
static uint64_t memory[16];
static int blocks = 1; /* how many results may be "not yet" */

static utet_status answer(utet_status failure)
{
    if (blocks != 0 && Frama_C_interval(0, 1)) {
        blocks--;
        return UTET_WOULD_BLOCK;
    }
    return Frama_C_interval(0, 1) ? UTET_OK : failure;
}

utet_status utet_enter(utet_file *of, uint8_t call)
{
    if (of->priv.busy != call) {
        of->priv.busy = call;
        of->priv.step = 0;
    }
    return UTET_OK;
}

utet_status utet_end_call(utet_status status, utet_file *of)
{
    (void)of;
    return status;
}

size_t utet_window_fit(const utet_file *of, size_t bytes)
{
    (void)of;
    (void)bytes;
    return WINDOW;
}

void utet_need_with_window(const utet_file *of, utet_need *need)
{
    need->least += utet_window_fit(of, 0);
    need->best += utet_window_fit(of, 0);
}

/* Memory ends after the need. */
utet_status utet_lend(utet_file *of, const void *owner, const utet_need *need)
{
    /*@ assert least: need->least <= 128 - 8; */
    of->priv.owner = owner;
    of->priv.window = WINDOW;
    of->priv.lent = (size_t)need->least;
    of->priv.work = (uint8_t *)memory + (sizeof memory - WINDOW - of->priv.lent);
    of->priv.buffer = of->priv.work + UTET_HEADROOM;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_BUDGET;
}

void utet_hash_begin(utet_frame_hash *state)
{
    Frama_C_make_unknown((char *)state, sizeof *state);
}

utet_status utet_hash_frame(utet_file *of, utet_frame_hash *state, uint64_t offset, uint64_t length, unsigned type)
{
    (void)offset, (void)length, (void)type;
    of->error_offset = any64();
    Frama_C_make_unknown((char *)state, sizeof *state);
    return answer(UTET_E_SHORT);
}

utet_status utet_packing_begin(utet_tensor *t)
{
    t->priv.packing.scale = 1;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_DATASET;
}

void utet_runs_begin(utet_bit_runs *runs, const utet_bits_codec *codec, uint64_t bits, uint64_t offset, uint64_t length,
                     const uint8_t *map)
{
    (void)codec;
    (void)bits;
    (void)offset;
    if (map != NULL)
        (void)((volatile const uint8_t *)map)[length - 1];
    runs->priv.begun = 1;
}

utet_status utet_runs_next(utet_file *of, utet_bit_runs *runs)
{
    of->error_offset = any64();
    runs->start = any64();
    runs->end = any64();
    return answer(UTET_E_PAYLOAD);
}

/* ---- codecs ---- */

static utet_status any_need(utet_stream *s, int exact, utet_need *need)
{
    need->least = NEED;
    need->best = 2 * NEED;
    if (exact != 0)
        s->priv.scratch[0] = 1;
    return exact != 0 ? answer(UTET_E_PAYLOAD) : UTET_OK;
}

static utet_status any_start(utet_stream *s)
{
    /*@ assert work: s->priv.work_len >= 16; */
    Frama_C_make_unknown((char *)s->priv.work, NEED);
    return answer(UTET_E_PAYLOAD);
}

static utet_status any_read(utet_stream *s, uint8_t *to, uint64_t size)
{
    /*@ assert whole: to == \null && size == s->length; */
    (void)to;
    Frama_C_make_unknown((char *)s->priv.whole, (size_t)size);
    return answer(UTET_E_CHECKSUM);
}

static const utet_codec_driver driver = {NULL, any_start, any_read, NULL, NULL, NULL};
static const utet_codec zstd = {UTET_CODEC_ZSTD, any_need, NULL, NULL, &driver};
static const utet_codec lz4 = {UTET_CODEC_LZ4, any_need, NULL, NULL, &driver};
static const utet_codec szip = {UTET_CODEC_SZIP, any_need, NULL, NULL, &driver};
static const utet_bits_codec rle = {{UTET_CODEC_RLE, any_need, NULL, NULL, &driver}, NULL};
static const utet_bits_codec roaring = {{UTET_CODEC_ROARING, any_need, NULL, NULL, &driver}, NULL};
static const utet_codec *const codecs[] = {&zstd, &lz4, &szip, &rle.codec, &roaring.codec, NULL};

static void any_object(void)
{
    Frama_C_make_unknown((char *)&object, sizeof object);
    object.masks = 0;
    memset(object.mask, 0, sizeof object.mask);
    object.elements = ELEMENTS;
    object.stored_length = STORED;
    object.filter = (uint8_t)Frama_C_interval_split(UTET_FILTER_NONE, UTET_FILTER_SHUFFLE);
    object.shuffle_size = 2 * (uint64_t)Frama_C_interval_split(0, 2); /* 0 and 4 are not combined with it */
}

#if EVA_PART == 1
static void choose(void)
{
    static const uint8_t dtypes[] = {UTET_TENSOR_INT16, UTET_TENSOR_FLOAT64, UTET_TENSOR_COMPLEX64,
                                     UTET_TENSOR_BITMASK};
    static const uint8_t widths[] = {2, 8, 8, 0};
    const int which = Frama_C_interval_split(0, 3);

    any_object();
    object.dtype = dtypes[which];
    object.width = widths[which];
    object.encoding = UTET_ENCODING_NONE;
    if (which == 1)
        object.encoding = (uint8_t)Frama_C_interval_split(UTET_ENCODING_NONE, UTET_ENCODING_SIMPLE_PACKING);
    object.compression = (uint8_t)Frama_C_interval_split(UTET_COMPRESSION_NONE, UTET_COMPRESSION_BLOSC2);
}
#else
static void choose(void)
{
    static const uint8_t methods[][UTET_MASKS] = {
        {UTET_COMPRESSION_NONE, 0, 0},
        {0, UTET_COMPRESSION_ZSTD, 0},
        {UTET_COMPRESSION_LZ4, UTET_COMPRESSION_RLE, UTET_COMPRESSION_ROARING},
        {UTET_COMPRESSION_ZSTD, UTET_COMPRESSION_ZSTD, UTET_COMPRESSION_LZ4}};
    const int which = Frama_C_interval_split(0, 3);
    unsigned i;

    any_object();
    object.masks = 1;
    object.dtype = Frama_C_interval_split(0, 1) ? UTET_TENSOR_FLOAT32 : UTET_TENSOR_INT8;
    object.width = 4;
    object.encoding = UTET_ENCODING_NONE;
    object.compression = Frama_C_interval_split(0, 1) ? UTET_COMPRESSION_NONE : UTET_COMPRESSION_ZSTD;
    for (i = 0; i != UTET_MASKS; i++) {
        object.mask[i].method = methods[which][i];
        object.mask[i].length = 2;
        object.mask[i].offset = any32();
    }
}
#endif

void eva_main(void)
{
    utet_need need;
    int turn;

    choose();
    object.number = (uint32_t)Frama_C_interval_split(0, 1); /* chooses the call */
    object.hashed = (uint8_t)(object.number * UTET_HASH_FLAGGED);
    file.priv.io = &io;
    file.priv.codecs = Frama_C_interval_split(0, 1) ? codecs : NULL;
    file.budget = Frama_C_interval_split(0, 1) ? 0 : sizeof memory;
    Frama_C_make_unknown((char *)&tensor, sizeof tensor);
    if (file.budget == 0) /* headers are read for the need */
        for (turn = 0; turn != 2; turn++)
            (void)utet_tensor_need(&tensor, &file, &object, &need);
    else if (object.number == 0)
        for (turn = 0; turn != 2 && utet_tensor_open_unverified(&tensor, &file, &object) == UTET_WOULD_BLOCK; turn++) {}
    else
        for (turn = 0; turn != 2 && utet_tensor_open(&tensor, &file, &object) == UTET_WOULD_BLOCK; turn++) {}
}
