/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over streams. EVA_PART 1: the public calls, and what codecs get of the payload, on any chunk, raw and
 * with a codec, for streams in any state; 2: what all codecs share (codec/driver.c): needs, memory, delivering,
 * elements that come in two pieces; 3: the public calls of slabs, all runs of some selections. An alarm is possible
 * undefined behaviour.
 *
 * The window (base.h) and a codec (utet_codec.h) are replaced by their contracts: any bytes and numbers, or an error,
 * or "not yet". A destination ends with memory, and so does the output of a codec. EVA does not relate two unknown
 * numbers: sizes of slices, and how many bytes come at once, are tried one by one; skipping takes any number.
 *
 * eva.sh: 3 parts, x86_16, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 5000 -eva-split-return-function utet_fetch_ahead:0,utet_enter:0,utet_stream_enter:0,any_need:0
 *       -eva-split-return-function utet_row_check:0,any_start:0,any_status:0,@{src/tet/stream/need.c
 *       src/tet/stream/payload.c src/tet/stream/seek.c src/tet/stream/stream.c}:0
 *   2: -eva-slevel 5000 -eva-slevel-function driver_deliver:60
 *       -eva-split-return-function any_need:0,any_step:0,utet_lend:0,@{src/tet/codec/driver.c}:0
 *   3: -eva-slevel 300
 *       -eva-split-return-function utet_fetch_ahead:0,utet_copy_bytes:0,utet_enter:0,utet_row_check:0,utet_row_find:0
 *       -eva-split-return-function any_lend:0,any_start:0,any_status:0,any_need:0,any_view:0
 *       -eva-split-return-function @{src/tet/slab/slab.c src/tet/slab/slab_move.c src/tet/stream/stream.c}:0
 */
#include <string.h>

#include "eva_container.h"
#include "eva_fit.h"

#include "base/bytes.c"
#include "base/room.c"
#include "base/file.c"
#include "tet/stream/payload.c"
#include "tet/stream/stream.c"
#if EVA_PART == 1
#include "tet/container/need_window.c"
#include "tet/stream/need.c"
#include "tet/stream/seek.c"
#elif EVA_PART == 2
#include "tet/codec/driver.c"
#else
#include "tet/container/need_window.c"
#include "tet/slab/slab.c"
#include "tet/slab/slab_move.c"
#endif

enum { MOST = 4 }; /* bytes of a slice */

static utet_io io;
static utet_file file;
static utet_stream stream;
static uint64_t work[2048 / 8];
static uint8_t destination[MOST];
static uint8_t held[UTET_HEADROOM];
static int grants;
static size_t more; /* how many bytes are there in addition to the requested ones */

/* ---- contracts ---- */

utet_status utet_fetch_ahead(utet_file *f, size_t length, uint64_t offset)
{
    /*@ assert length: 1 <= length <= 128; */
    f->error_offset = offset;
    if (grants <= 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    grants--;
    Frama_C_make_unknown((char *)held, sizeof held);
    f->priv.have = length + (length <= MOST ? more : 0);
    f->priv.at = held + (sizeof held - f->priv.have);
    return UTET_OK;
}

utet_status utet_fetch(utet_file *f, size_t length, uint64_t offset)
{
    return utet_fetch_ahead(f, length, offset);
}

utet_status utet_copy_bytes(utet_file *f, uint8_t *to, uint64_t offset, size_t length)
{
    (void)offset;
    f->priv.done = Frama_C_interval_split(0, 1) ? length : 0;
    if (length != 0)
        Frama_C_make_unknown((char *)to, length);
    return any_status(UTET_E_SHORT);
}

static utet_status any_need(utet_stream *s, int exact, utet_need *need)
{
    utet_status status = any_status(UTET_E_PAYLOAD);

    (void)exact;
    s->priv.scratch[0] = any64();
    if (status == UTET_OK) {
        need->least = any64();
        need->best = any64();
    }
    return status;
}

#if EVA_PART != 2
/* ---- a codec, replaced by its contract; each part has a driver of its own ---- */

static const utet_codec_driver driver;

static utet_status any_start(utet_stream *s)
{
    s->priv.avail = any32();
    return any_status(UTET_E_BUDGET);
}

static utet_status any_step(utet_stream *s, size_t want)
{
    (void)s;
    (void)want;
    return UTET_E_PAYLOAD;
}

static const utet_codec codec = {UTET_CODEC_ZSTD, any_need, any_start, any_step, &driver};
static const utet_codec *const codecs[] = {&codec, NULL};
#endif

#if EVA_PART == 1
/* ---- a driver, replaced by its contract: it writes the requested bytes and counts them ---- */

static utet_status any_read(utet_stream *s, uint8_t *to, uint64_t size)
{
    if (to != NULL && size != 0)
        Frama_C_make_unknown((char *)to, (size_t)size);
    s->priv.done = size;
    return any_status(UTET_E_PAYLOAD);
}

static const utet_codec_driver driver = {any_start, any_start, any_read, NULL, NULL, NULL};

static void any_file(void)
{
    static const utet_file blank;

    file = blank;
    file.priv.io = &io;
    file.priv.busy = (uint8_t)any32();
    file.priv.state = (uint8_t)any32();
    file.priv.codecs = Frama_C_interval(0, 1) ? codecs : NULL;
    file.priv.work = (uint8_t *)work;
    file.priv.buffer = file.priv.work + UTET_HEADROOM;
    file.priv.window = 192;
    file.priv.owner = Frama_C_interval(0, 1) ? &stream : NULL;
    file.budget = sizeof work;
    grants = 3;
}

/* A stream in any state. */
static void any_stream(void)
{
    static const utet_stream blank;

    stream = blank;
    stream.length = any64();
    stream.position = any64();
    stream.priv.file = &file;
    stream.priv.offset = any64();
    stream.priv.stored = any64();
    stream.priv.done = any64();
    stream.priv.status = (utet_status)any32();
    stream.priv.codec = Frama_C_interval_split(0, 1) ? NULL : &codec;
}

static void payload(void)
{
    const uint8_t *at;
    size_t have;
    const size_t length = (size_t)Frama_C_interval_split(0, MOST);

    more = 2 * (size_t)Frama_C_interval_split(0, 1);
    file.priv.window = (size_t)Frama_C_interval_split(0, 1) * 192;
    file.priv.done = (size_t)Frama_C_interval_split(0, (int)length);
    if (length != 0 && utet_payload_fetch(&stream, any64(), length, any64(), &at, &have) == UTET_OK)
        (void)*(volatile const uint8_t *)(at + (length - 1));
    (void)utet_payload_copy(&stream, any64(), destination + sizeof destination - length, length);
    (void)utet_payload_error(&stream, any64(), UTET_E_PAYLOAD);
}

void eva_main(void)
{
    utet_chunk chunk;
    utet_need need;
    size_t size = (size_t)Frama_C_interval_split(0, MOST);
    size_t got;

    Frama_C_make_unknown((char *)&chunk, sizeof chunk);
    any_file();
    switch (Frama_C_interval_split(0, 6)) {
    case 0:
        if (utet_chunk_need(&file, &chunk, Frama_C_interval(0, 1), &need) == UTET_OK) {
            /*@ assert need: \initialized(&need.least) && \initialized(&need.best); */
        }
        break;
    case 1:
        any_stream();
        file.priv.step = (uint8_t)Frama_C_interval(0, 1);
        (void)utet_stream_open(&stream, &file, &chunk);
        break;
    case 2:
        any_stream();
        if (utet_stream_read(&stream, destination + sizeof destination - size, size, &got) == UTET_OK) {
            /*@ assert got: \initialized(&got); */
        }
        break;
    case 3:
        any_stream();
        (void)utet_stream_skip(&stream, any64());
        break;
    case 4: /* begun, */
        file.priv.busy = UTET_CALL_NONE;
        chunk.raw_byte_len = (uint64_t)Frama_C_interval_split(0, MOST);
        (void)utet_stream_load(&stream, &file, &chunk, destination + sizeof destination - size, size);
        break;
    case 5: /* continued with */
        any_stream();
        file.priv.busy = UTET_CALL_STREAM_LOAD;
        file.priv.step = 1;
        chunk.raw_byte_len = stream.length = (uint64_t)size;
        (void)utet_stream_load(&stream, &file, &chunk, destination + sizeof destination - size, size);
        break;
    default:
        any_stream();
        payload();
        break;
    }
}
#elif EVA_PART == 2
/* ---- a codec, replaced by its contract ---- */

static uint8_t made[9]; /* memory ends with what it has made */
static size_t gives;    /* how many bytes it makes at once */

/* Memory was assigned for its need. */
static utet_status any_open(utet_stream *s)
{
    /*@ assert room: s->priv.work_len == 0 || \valid(&s->priv.work[0 .. s->priv.work_len - 1]); */
    (void)s;
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_E_BUDGET : UTET_WOULD_BLOCK;
}

static utet_status any_step(utet_stream *s, size_t want)
{
    /*@ assert done: s->priv.avail == 0; */
    (void)want;
    if (grants <= 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_PAYLOAD;
    grants--;
    Frama_C_make_unknown((char *)made, sizeof made);
    s->priv.avail = gives;
    s->priv.out = made + (sizeof made - s->priv.avail);
    return UTET_OK;
}

static const utet_codec codec = {UTET_CODEC_ZSTD, any_need, any_open, any_step, &utet_driver};

/* Assigns 0 or more bytes after the window. */
utet_status utet_lend(utet_file *f, const void *owner, const utet_need *need)
{
    if (Frama_C_interval(0, 1))
        return UTET_E_BUDGET;
    (void)need;
    f->priv.window = Frama_C_interval_split(0, 1) ? 192 : 640;
    f->priv.lent = (size_t)Frama_C_interval(0, (int)(sizeof work - 640));
    f->priv.owner = owner;
    return UTET_OK;
}

static void any_stream(void)
{
    static const utet_file no_file;
    static const utet_stream blank;

    file = no_file;
    stream = blank;
    grants = 4;
    file.priv.io = &io;
    file.priv.work = (uint8_t *)work;
    file.priv.buffer = file.priv.work + UTET_HEADROOM;
    file.budget = any32();
    file.priv.window = 192;
    file.priv.lent = (size_t)Frama_C_interval(0, (int)(sizeof work - 640));
    stream.length = any64();
    stream.position = any64();
    stream.priv.file = &file;
    stream.priv.codec = &codec;
}

static void starting(void)
{
    utet_need largest = {any64(), any64()};

    stream.priv.stage = (uint8_t)Frama_C_interval_split(PREPARED, OPEN);
    if (Frama_C_interval_split(0, 1)) {
        stream.priv.work = file.priv.work + file.priv.window;
        stream.priv.work_len = file.priv.lent;
    }
    switch (Frama_C_interval_split(0, 2)) {
    case 0: (void)utet_driver.start(&stream); break;
    case 1: (void)utet_driver.start_lent(&stream); break;
    default: (void)utet_driver.measure(&stream, Frama_C_interval(0, 1), &largest); break;
    }
}

/* `bytes` bytes have been made and not yet delivered. */
static void available(size_t bytes)
{
    stream.priv.avail = bytes;
    stream.priv.out = made + (sizeof made - bytes);
}

static void deliver_slice(size_t size, size_t done, size_t bytes)
{
    any_stream();
    available(bytes);
    stream.priv.done = done;
    (void)utet_driver.read(&stream, destination + sizeof destination - size, size);
}

static void fetch_element(size_t length, size_t carried, size_t bytes)
{
    utet_view view;

    any_stream();
    available(bytes);
    stream.priv.carried = (uint8_t)carried;
    stream.position = 100; /* continues directly there; skipping() covers what comes before it */
    if (utet_driver.fetch(&stream, 100, length, any32(), &view) == UTET_OK) {
        (void)*(volatile const uint8_t *)view.at;
        (void)*(volatile const uint8_t *)(view.at + (length - 1));
    }
    /*@ assert carried: stream.priv.carried < length; */
}

static void delivering(void)
{
    size_t size, done, bytes;

    for (size = 0; size <= MOST; size++)
        for (done = 0; done <= size; done++)
            for (bytes = 0; bytes <= MOST + 1u; bytes++)
                deliver_slice(size, done, bytes);
    for (size = 1; size <= 8u; size *= 2u)
        for (done = 0; done < size; done++) /* the available bytes have been collected */
            for (bytes = 0; bytes <= (done == 0 ? sizeof made : 0); bytes++)
                fetch_element(size, done, bytes);
}

static void skipping(void)
{
    any_stream();
    stream.priv.avail = (size_t)Frama_C_interval(0, sizeof made);
    stream.priv.out = made;
    stream.priv.done = any64();
    (void)utet_driver.read(&stream, NULL, any64());
}

void eva_main(void)
{
    static const uint8_t each[4] = {1, 2, 3, sizeof made};
    unsigned i;

    for (i = 0; i < 4u; i++) {
        gives = each[i];
        delivering();
        skipping();
    }
    any_stream();
    starting();
}
#else
/* ---- rows and a codec, replaced by their contracts ---- */

static utet_slab slab;
static utet_dataset data;
static uint32_t codec_id; /* of all chunks */

utet_status utet_row_find(utet_file *f, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk)
{
    uint64_t at[UTET_MAX_NDIM];

    (void)f;
    (void)dataset;
    memcpy(at, coords, sizeof at); /* they are within the chunk */
    chunk->payload_offset = any64();
    chunk->raw_byte_len = any64();
    chunk->stored_byte_len = any64();
    chunk->row = any64();
    chunk->codec = codec_id;
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_MISSING;
}

utet_status utet_record_fail(utet_file *f, const utet_dataset *dataset, utet_status status)
{
    (void)f;
    (void)dataset;
    return status;
}

static utet_status any_lend(utet_file *f, const void *owner, const utet_need *need)
{
    (void)need;
    f->priv.owner = owner;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_BUDGET;
}

static utet_status any_view(utet_stream *s, uint64_t position, size_t length, size_t want, utet_view *view)
{
    utet_status status = utet_fetch(s->priv.file, length, position);

    (void)want;
    view->at = s->priv.file->priv.at;
    view->have = s->priv.file->priv.have;
    return status;
}

static const utet_codec_driver driver = {any_start, any_start, NULL, any_lend, any_need, any_view};

static void any_file(void)
{
    static const utet_file blank;

    file = blank;
    file.priv.io = &io;
    file.priv.state = UTET_STATE_OPEN;
    file.priv.codecs = codecs;
    file.priv.work = (uint8_t *)work;
    file.priv.buffer = file.priv.work + UTET_HEADROOM;
    file.priv.at = held;
    file.priv.window = 2; /* so that long runs, which go directly to the result, are short ones here */
    file.budget = sizeof work;
    grants = 100;
}

/* Chunks of two elements along each axis of three. */
static void any_data(unsigned ndim, unsigned size)
{
    unsigned d;

    data.ndim = (uint8_t)ndim;
    data.elem_size = (uint8_t)size;
    for (d = 0; d < ndim; d++) {
        data.shape[d] = 3;
        data.chunk_shape[d] = 2;
        data.grid[d] = 2;
    }
}

static void take_runs(void)
{
    utet_run run;

    while (utet_slab_next(&slab, &run) == UTET_OK)
        (void)*(volatile const uint8_t *)run.data;
}

/* then: the selection that the slab moves to. */
static void take(const utet_range *ranges, const utet_range *then, unsigned ndim, unsigned size)
{
    any_file();
    any_data(ndim, size);
    if (utet_slab_open(&slab, &file, &data, ranges) == UTET_OK) {
        if (utet_slab_between(&slab) && Frama_C_interval_split(0, 1))
            utet_slab_pass(&slab);
        take_runs();
        if (utet_slab_move(&slab, then) == UTET_OK)
            take_runs();
    }
    any_file();
    (void)utet_slab_need(&slab, &file, &data, ranges);
}

void eva_main(void)
{
    static const utet_range all[5] = {{0, 3, 1}, {1, 3, 1}, {0, 3, 2}, {2, 3, 7}, {0, 4, 1}};
    utet_range ranges[2];
    unsigned i;

    for (codec_id = UTET_CODEC_RAW; codec_id <= UTET_CODEC_ZSTD; codec_id++) {
        for (i = 0; i < 5u; i++) {
            more = i % 2u;
            take(all + i, all + (i + 1u) % 5u, 1, 1);
        }
        take(all + 3, all + 3, 1, 1); /* within one tile */
        ranges[0] = all[1];
        ranges[1] = all[2];
        take(ranges, ranges, 2, 2);
    }
}
#endif
