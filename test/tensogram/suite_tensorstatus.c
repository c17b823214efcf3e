/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Which statuses the calls of utet_tensogram_data.h return: the tensors of the lists are damaged before a call, read
 * from media that fail, with budgets from nothing to ample, and while another call is suspended. Each call must return
 * each status of its row at least once, and no other.
 */
#include "statuses.h"
#include "tensor_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FILE 4096u

static tensor_world w;
static uint8_t medium[MOST_FILE];
static utet_object object;
static utet_tensor tensor, other;
static utet_tensor_slab slab;
static utet_range ranges[UTET_TENSOR_MAX_NDIM];
static uint8_t bytes[8192];
static float floats[1000];
static double doubles[1000];
static size_t got;
static int is_open;

static void nothing(void)
{
}

static void opened(void)
{
    utet_status status;

    DRIVE(status, utet_tensor_open(&tensor, &w.rig.file, &object));
    is_open = status == UTET_OK;
}

static void slab_opened(void)
{
    opened();
    if (is_open)
        is_open = utet_tensor_slab_open(&slab, &tensor, ranges) == UTET_OK;
}

static utet_status need(void)
{
    utet_need bounds;

    return utet_tensor_need(&tensor, &w.rig.file, &object, &bounds);
}

static utet_status open_tensor(void)
{
    return utet_tensor_open(&tensor, &w.rig.file, &object);
}

static utet_status open_unverified(void)
{
    return utet_tensor_open_unverified(&tensor, &w.rig.file, &object);
}

static utet_status read_bytes(void)
{
    return utet_tensor_read(&tensor, bytes, sizeof bytes, &got);
}

static utet_status skip_all(void)
{
    return utet_tensor_skip(&tensor, tensor.length);
}

static utet_status read_floats(void)
{
    return utet_tensor_floats(&tensor, floats, 1000, &got);
}

static utet_status read_doubles(void)
{
    return utet_tensor_doubles(&tensor, doubles, 1000, &got);
}

static utet_status slab_bytes(void)
{
    return utet_tensor_slab_read(&slab, bytes, sizeof bytes, &got);
}

static utet_status slab_floats(void)
{
    return utet_tensor_slab_floats(&slab, floats, 1000, &got);
}

static utet_status slab_doubles(void)
{
    return utet_tensor_slab_doubles(&slab, doubles, 1000, &got);
}

#define ZSTD UTET_E_ZSTD_WINDOW, UTET_E_ZSTD_DICT, UTET_E_ZSTD_LEGACY
#define NUMBERS UTET_E_ARGUMENT, UTET_E_DTYPE
#define ALL UTET_END, UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_SHORT, UTET_E_PAYLOAD, UTET_E_CHECKSUM, UTET_E_PORT
#define MOST 13
static const struct call {
    const char *name;
    void (*before)(void);
    utet_status (*go)(void);
    utet_status must[MOST]; /* 0 ends them */
} calls[] = {
    {"utet_tensor_need",
     nothing,
     need,
     {UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_SHORT, UTET_E_DTYPE, UTET_E_CODEC, ZSTD, UTET_E_DATASET, UTET_E_PAYLOAD,
      UTET_E_PORT}},
    {"utet_tensor_open",
     nothing,
     open_tensor,
     {UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_BUDGET, UTET_E_SHORT, UTET_E_DTYPE, UTET_E_CODEC, ZSTD, UTET_E_DATASET,
      UTET_E_PAYLOAD, UTET_E_CHECKSUM, UTET_E_PORT}},
    {"utet_tensor_open_unverified",
     nothing,
     open_unverified,
     {UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_BUDGET, UTET_E_SHORT, UTET_E_DTYPE, UTET_E_CODEC, ZSTD, UTET_E_DATASET,
      UTET_E_PAYLOAD, UTET_E_CHECKSUM, UTET_E_PORT}},
    {"utet_tensor_read", opened, read_bytes, {ALL, ZSTD}},
    {"utet_tensor_skip",
     opened,
     skip_all,
     {UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_SHORT, UTET_E_PAYLOAD, UTET_E_CHECKSUM, UTET_E_PORT, ZSTD}},
    {"utet_tensor_floats", opened, read_floats, {ALL, ZSTD, NUMBERS}},
    {"utet_tensor_doubles", opened, read_doubles, {ALL, ZSTD, NUMBERS}},
    {"utet_tensor_slab_read", slab_opened, slab_bytes, {ALL, ZSTD}},
    {"utet_tensor_slab_floats", slab_opened, slab_floats, {ALL, ZSTD, NUMBERS}},
    {"utet_tensor_slab_doubles", slab_opened, slab_doubles, {ALL, ZSTD, NUMBERS}},
};

static statuses_seen seen; /* of the call */

/* Opens the undamaged tensor in `work` bytes. */
static void begin(size_t work)
{
    unsigned d;

    memcpy(medium, w.bytes, w.size);
    object = w.object;
    object.ndim = 1;
    object.shape[0] = object.elements;
    for (d = 0; d < UTET_TENSOR_MAX_NDIM; d++)
        ranges[d].start = 0;
    ranges[0].stop = object.elements;
    ranges[0].step = 1;
    is_open = 1;
    w.rig.port.fault = FAULT_NONE;
    w.rig.port.blocks = 0;
    assert_int_equal(utet_init(&w.rig.file, &w.rig.port.io, w.rig.work.data, work, w.rig.file.priv.codecs), UTET_OK);
    w.rig.file.priv.state = 2; /* open */
}

static void go(const struct call *c)
{
    utet_status status;

    w.rig.file.priv.held = 0;
    DRIVE(status, c->go());
    statuses_note(&seen, status);
}

enum { AS_IT_IS, LEGACY, DICTIONARY, WINDOW, CHECKSUM, ONES, ZEROS, FLIPPED, DAMAGES };

/* An empty zstd frame with a window of 2 MiB: opening looks at no frame after it. */
static const uint8_t empty[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, 1, 0, 0};

/* Which frame of the payload, or the first mask. */
enum { FRAME, SECOND_FRAME, MASK, PLACES };

/* Puts the empty frame before a zstd payload, over bytes that reading does not need. */
static void add_frame(void)
{
    if (memcmp(medium + object.payload_offset, empty, 4) != 0)
        return;
    object.hashed = UTET_HASH_NONE;
    object.payload_offset -= sizeof empty;
    object.payload_length += sizeof empty;
    memcpy(medium + object.payload_offset, empty, sizeof empty);
}

static void damage(unsigned how, unsigned where)
{
    uint64_t *length = where == MASK ? &object.mask[0].length : &object.payload_length;
    uint8_t *at = medium + (where == MASK ? object.mask[0].offset : object.payload_offset);

    if (where == SECOND_FRAME && memcmp(at, empty, sizeof empty) == 0)
        at += sizeof empty;

    if (*length < 8 || (where == SECOND_FRAME && how >= ONES))
        return;
    switch (how) {
    case LEGACY: at[0] = 0x27; break;
    case DICTIONARY:
        at[4] |= 1;
        at[5] |= 1;
        at[6] |= 1;
        break;
    case WINDOW:
        at[4] &= 0xdf;
        at[5] = 0xff;
        break;
    case CHECKSUM:
        at[4] |= 4;
        *length += 4;
        break;
    case ONES: memset(at, 0xff, (size_t)*length); break;
    case ZEROS: memset(at + *length / 2, 0, (size_t)*length / 2); break;
    case FLIPPED: at[*length / 2] ^= 0xff; break;
    default: break;
    }
}

static const size_t budgets[] = {192, 1u << 20};

static void damaged(const struct call *c)
{
    unsigned how, where, b, after;

    for (how = 0; how < DAMAGES; how++)
        for (where = 0; where < PLACES; where++)
            for (after = 0; after < 2; after++)
                for (b = 0; b < 2; b++) {
                    begin(budgets[b]);
                    if (where == SECOND_FRAME)
                        add_frame();
                    if (!after)
                        damage(how, where);
                    c->before();
                    if (after)
                        damage(how, where);
                    if (is_open)
                        go(c);
                }
}

/* After the end, and within an element. */
static void places(const struct call *c)
{
    begin(1u << 20);
    c->before();
    if (!is_open || c->before == nothing)
        return;
    go(c);
    go(c);
    begin(1u << 20);
    c->before();
    if (c->before == slab_opened)
        (void)utet_tensor_slab_read(&slab, bytes, 1, &got);
    else
        (void)utet_tensor_read(&tensor, bytes, 1, &got);
    go(c);
}

/* Fields that contradict each other, codecs that are absent. */
static void objects(const struct call *c)
{
    const utet_codec *const *codecs = w.rig.file.priv.codecs;

    if (c->before != nothing)
        return;
    begin(1u << 20);
    object.width = 17;
    go(c);
    begin(1u << 20);
    object.encoding = UTET_ENCODING_SIMPLE_PACKING;
    object.packing.binary = 100000;
    go(c);
    begin(1u << 20);
    w.rig.file.priv.codecs = NULL;
    go(c);
    w.rig.file.priv.codecs = codecs;
}

static void failing(const struct call *c)
{
    unsigned at, kind, b;

    for (at = 0; at < 3; at++)
        for (kind = 0; kind < 3; kind++)
            for (b = 0; b < 2; b++) {
                utet_status status;

                begin(budgets[b]);
                c->before();
                if (!is_open)
                    continue;
                w.rig.port.fault = kind == 0 ? FAULT_ERROR : kind == 1 ? FAULT_EOF : FAULT_NONE;
                w.rig.port.fault_at = w.rig.port.reads + at;
                w.rig.port.blocks = kind == 2;
                w.rig.file.priv.held = 0;
                status = c->go();
                statuses_note(&seen, status);
                if (status == UTET_WOULD_BLOCK)
                    utet_cancel(&w.rig.file);
            }
}

/* While another call is suspended; for opening, on a file that is not open. */
static void busy(const struct call *c)
{
    begin(1u << 20);
    c->before();
    if (!is_open)
        return;
    w.rig.file.priv.held = 0;
    w.rig.port.blocks = 1;
    if (c->go == open_tensor || c->go == open_unverified)
        w.rig.file.priv.state = 0;
    else if (utet_tensor_open(&other, &w.rig.file, &object) != UTET_WOULD_BLOCK)
        return;
    statuses_note(&seen, c->go());
    utet_cancel(&w.rig.file);
}

static int usable(void)
{
    return w.object.compression < UTET_COMPRESSION_BLOSC2 && w.object.mask[0].method < UTET_COMPRESSION_BLOSC2 &&
           w.object.elements <= 1000 && w.size <= sizeof medium;
}

static unsigned call_by_call(const struct call *c)
{
    for (world_first(&w); w.bytes != NULL; world_next(&w)) {
        const uint8_t *const file = w.bytes;

        if (!usable())
            continue;
        w.bytes = medium;
        world_open(&w, 1, 1u << 20, SLICE_ALL, 0, 1, 0);
        w.bytes = file;
        faultport_zone(&w.rig.port, 1, bytes, sizeof bytes);
        faultport_zone(&w.rig.port, 2, floats, sizeof floats);
        faultport_zone(&w.rig.port, 3, doubles, sizeof doubles);
        damaged(c);
        places(c);
        objects(c);
        failing(c);
        busy(c);
        world_close(&w);
    }
    return statuses_compare(&seen, c->name, c->must, MOST);
}

static void each_status(void **state)
{
    unsigned wrong = 0;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof calls / sizeof calls[0]; i++)
        wrong += call_by_call(&calls[i]);
    suite_check(wrong == 0, "%u statuses", wrong);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(each_status),
    };

    return SUITE("tensorstatus", cases);
}
