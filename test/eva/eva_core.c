/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the code that first reads untrusted bytes, except zstd (test/zstd) and the footer's JSON (test/tet):
 * checked arithmetic, opening, directory records, names, index rows, the lookup of a row, slab geometry,
 * and the copy of a run.
 * An alarm is possible undefined behaviour. EVA_PART chooses one part.
 *
 * The window is replaced by its contract (base.h; eva_window.c has the window itself): a request for `length` bytes
 * returns exactly that many, with any values, or an error, or "not yet". So nothing is assumed about the file, and each
 * access beyond the requested bytes is an alarm. The library's files are included for their static functions.
 *
 * eva.sh: 7 parts, x86_16, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 600
 *   2 3 4 6 7: -eva-slevel 600 -eva-slevel-function utet_div:0,utet_div_up:0,utet_mul:0,utet_add:0
 *       -eva-split-return-function utet_fetch:0,utet_fetch_ahead:0,utet_copy_bytes:0,utet_row_fetch:0,@{
 *       src/tet/container/chunk.c src/tet/container/dataset.c src/tet/container/dataset_name.c
 *       src/tet/container/need_window.c src/tet/container/open.c src/tet/container/row.c
 *       src/tet/container/workspace.c}:0
 *   5: -eva-slevel 600 -eva-slevel-function utet_div:0,utet_div_up:0,utet_mul:0,utet_add:0
 *       -eva-split-return-function utet_fetch:0,utet_fetch_ahead:0,utet_copy_bytes:0,utet_row_fetch:0,@{
 *       src/tet/container/chunk.c src/tet/container/dataset.c src/tet/container/dataset_name.c
 *       src/tet/container/need_window.c src/tet/container/open.c src/tet/container/row.c
 *       src/tet/container/workspace.c src/tet/slab/slab.c
 *       src/tet/stream/stream.c}:0
 */
#include <string.h>

#include "eva_any.h"
#include "base/bytes.c"
#include "base/room.c"

#if EVA_PART != 1
#include "base/file.c"
#include "base/native.c"
#include "base/utf8.c"
#include "tet/container/chunk.c"
#include "tet/container/dataset.c"
#include "tet/container/dataset_name.c"
#include "tet/container/open.c"
#include "tet/container/row.c"
#include "tet/container/workspace.c"
#endif

#if EVA_PART == 1 /* loads and saturating arithmetic, of any numbers */
void eva_main(void)
{
    uint8_t bytes[8];

    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    (void)utet_le32(bytes);
    (void)utet_le64(bytes);
    (void)utet_add(any64(), any64());
    (void)utet_mul(any64(), any64());
    (void)utet_div(any64(), any64());
    (void)utet_div_up(any64(), any64());
    (void)utet_align8(any64());
}
#else

/* ---- the window's contract ---- */

static uint8_t held[UTET_HEADROOM]; /* memory ends with the requested bytes */

static int grants; /* how many requests may succeed; the next ones return "not yet", and the call continues elsewhere */

/* The four bytes of a record's rank, which EVA does not relate to the number that is put together from them: part 3
 * takes each number up to 255 by itself, and all larger ones by which of the upper bytes is not 0. */
static uint8_t rank[4];

/* Any values. */
static void fill(size_t length)
{
    Frama_C_make_unknown((char *)held, sizeof held);
    if (length == UTET_RECORD_BYTES)
        memcpy(held + sizeof held - length + UTET_RECORD_NDIM, rank, sizeof rank);
}

utet_status utet_fetch(utet_file *file, size_t length, uint64_t offset)
{
    /*@ assert length: 1 <= length <= 128; */
    file->error_offset = offset;
    if (grants <= 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    grants--;
    fill(length);
    file->priv.at = held + (sizeof held - length);
    file->priv.have = length;
    return UTET_OK;
}

utet_status utet_fetch_ahead(utet_file *file, size_t length, uint64_t offset)
{
    return utet_fetch(file, length, offset);
}

utet_status utet_copy_bytes(utet_file *file, uint8_t *to, uint64_t offset, size_t length)
{
    (void)file;
    (void)offset;
    if (Frama_C_interval(0, 1))
        return UTET_WOULD_BLOCK;
    if (to != NULL)
        Frama_C_make_unknown((char *)to, length);
    return UTET_OK;
}

size_t utet_window_fit(const utet_file *file, size_t bytes)
{
    (void)file;
    return bytes < 640 ? 192 : 640;
}

void utet_window_resize(utet_file *file, size_t size)
{
    file->priv.window = size;
}

/* ---- a file in any state, with any numbers in it ---- */

static utet_io io;
static utet_file file;
static uint64_t work[1024 / 8];

static void any_file(void)
{
    static const utet_file blank;

    file = blank;
    grants = 100;
    Frama_C_make_unknown((char *)rank, sizeof rank);
    io.size = any64();
    io.unit = 1;
    io.align = 1;
    file.priv.io = &io;
    file.priv.work = (uint8_t *)work;
    file.priv.buffer = file.priv.work + UTET_HEADROOM;
    file.budget = sizeof work;
    file.priv.state = (uint8_t)any32();
    file.priv.busy = (uint8_t)any32();
    file.priv.displaced = (int32_t)any32();
    file.index_offset = any64();
    file.index_length = any64();
    file.row_count = any64();
    file.dataset_count = any32();
    file.flags = any32();
    file.footer_offset = any64();
    file.memory_budget_bytes = any32();
    file.memory_budget_percent_bps = (uint16_t)any32();
}

static void any_dataset(utet_dataset *d, unsigned ndim)
{
    unsigned i;

    d->ndim = (uint8_t)ndim;
    d->narrow = (uint8_t)Frama_C_interval(0, 1);
    d->elem_size = (uint8_t)Frama_C_interval(0, 8);
    d->id = any32();
    d->dtype = any32();
    d->name_length = any32();
    d->name_offset = any64();
    d->priv.first_row = any64();
    d->priv.next = any64();
    d->priv.next_row = any64();
    /*@ loop unroll 8; */
    for (i = 0; i < UTET_MAX_NDIM; i++) {
        d->shape[i] = any64();
        d->chunk_shape[i] = any64();
        d->grid[i] = any64();
    }
}

#if EVA_PART == 2   /* each step of opening: superblock, directory, record, name, index header, footer tail, budget */
static void names(void)
{
    int left = Frama_C_interval_split(0, 4);

    grants = 1; /* one character; the rest after it is another of these cases */
    file.priv.call.open.name_left = (uint32_t)left;
    if (left == 4)
        file.priv.call.open.name_left += any32() / 2;
    (void)open_name(&file);
}

void eva_main(void)
{
    utet_options options = {(size_t)any32(), (size_t)any32()};

    any_file();
    file.priv.ndim = (uint8_t)any32();
    file.priv.call.open.records_left = any32();
    file.priv.call.open.place = any64();
    file.priv.call.open.directory_end = any64();
    switch (Frama_C_interval_split(0, 6)) {
    case 0: (void)open_superblock(&file); break;
    case 1: (void)open_directory(&file); break;
    case 2: (void)open_record(&file); break;
    case 3: names(); break;
    case 4: (void)index_header(&file); break;
    case 5: (void)open_footer(&file); break;
    default: set_budget(&file, Frama_C_interval(0, 1) ? &options : NULL); break;
    }
}
#elif EVA_PART == 3 /* records of any directory, and their names (§3) */
static void compare_names(utet_dataset *d)
{
    char text[8];
    unsigned length;

    Frama_C_make_unknown(text, sizeof text);
    file.dataset_count = 0; /* no record comes after one with another name */
    /*@ loop unroll 9; */
    for (length = 0; length <= sizeof text; length++) {
        d->name_length = length;
        file.priv.call.record.compared = (uint32_t)Frama_C_interval_split(0, (int)length);
        file.priv.step = UTET_STEP_NAME;
        (void)dataset_name_find(&file, d, text + (sizeof text - length), length);
    }
    (void)utet_dataset_name(&file, d, any32(), text, (size_t)Frama_C_interval(0, sizeof text));
}

void eva_main(void)
{
    utet_dataset d;
    int large;

    any_file();
    switch (Frama_C_interval(0, 2)) {
    case 0: /* the record's head; for the extents the step starts again, as below */
        grants = 1;
        large = Frama_C_interval_split(0, 3);
        if (large != 0) {
            rank[large] = (uint8_t)Frama_C_interval(1, 255);
        } else {
            rank[0] = (uint8_t)Frama_C_interval_split(0, 255);
            rank[1] = rank[2] = rank[3] = 0;
        }
        file.priv.step = UTET_STEP_HEAD;
        any_dataset(&d, 1);
        (void)utet_dataset_step(&file, &d);
        if (file.priv.step == UTET_STEP_EXTENTS) {
            /*@ assert ndim: 1 <= d.ndim <= 8; */
        }
        break;
    case 1:
        file.priv.step = UTET_STEP_EXTENTS;
        any_dataset(&d, (unsigned)Frama_C_interval_split(1, 8));
        (void)utet_dataset_step(&file, &d);
        break;
    default:
        any_dataset(&d, 1);
        compare_names(&d);
        break;
    }
}
#elif EVA_PART == 4 /* rows: all in order, and the one of any tile of any dataset (§4) */
void eva_main(void)
{
    uint64_t coords[UTET_MAX_NDIM];
    utet_dataset d;
    utet_chunk chunk;
    unsigned i;

    any_file();
    any_dataset(&d, (unsigned)Frama_C_interval_split(1, 8));
    Frama_C_make_unknown((char *)&chunk, sizeof chunk);
    /*@ loop unroll 8; */
    for (i = 0; i < UTET_MAX_NDIM; i++)
        coords[i] = any64();
    if (Frama_C_interval_split(0, 1)) { /* suspended anywhere while it is looked for */
        file.priv.busy = UTET_CALL_CHUNK_FIND;
        file.priv.step = (uint8_t)any32();
        file.priv.call.lookup.row = any64();
        file.priv.call.lookup.tile.row = any64();
        file.priv.call.lookup.tile.bytes = any64();
    }
    switch (Frama_C_interval(0, 3)) {
    case 0: (void)utet_row_first(&file, &chunk); break;
    case 1: (void)utet_row_next(&file, &chunk); break;
    case 2: (void)utet_row_check_end(&file, &chunk, any64()); break;
    default: (void)utet_chunk_find(&file, &d, coords, &chunk); break;
    }
}
#elif EVA_PART == 5 /* slabs: ranges, tiles, needs, runs, with any numbers and any rank, raw and with a codec */
#include "tet/container/need_window.c"
#include "tet/stream/stream.c"
#include "tet/slab/slab.c"

static utet_slab slab;
static utet_dataset data;

/* ---- a codec, replaced by its contract ---- */

static utet_status any_status(utet_stream *stream)
{
    (void)stream;
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_PAYLOAD;
}

static utet_status any_need(utet_stream *stream, int exact, utet_need *need)
{
    (void)exact;
    need->least = any64();
    need->best = any64();
    return any_status(stream);
}

static utet_status any_step(utet_stream *stream, size_t want)
{
    (void)want;
    return any_status(stream);
}

static utet_status any_view(utet_stream *stream, uint64_t position, size_t length, size_t want, utet_view *to)
{
    utet_status status = utet_fetch(stream->priv.file, length, 0);

    (void)position;
    (void)want;
    to->at = stream->priv.file->priv.at;
    to->have = stream->priv.file->priv.have;
    return status;
}

static utet_status any_assign(utet_file *f, const void *owner, const utet_need *need)
{
    (void)need;
    return utet_raw_assign(f, owner);
}

static const utet_codec_driver driver = {any_status, any_status, NULL, any_assign, any_need, any_view};
static const utet_codec codec = {UTET_CODEC_ZSTD, any_need, any_status, any_step, &driver};
static const utet_codec *const codecs[] = {&codec, NULL};

/* A selection in any state. */
static void any_place(const utet_codec *of, int state)
{
    unsigned d;

    slab.priv.dataset = &data;
    slab.priv.stream.priv.file = &file;
    slab.priv.stream.priv.codec = of;
    slab.priv.state = (uint8_t)state;
    slab.priv.chunk.raw_byte_len = any64();
    /*@ loop unroll 8; */
    for (d = 0; d < UTET_MAX_NDIM; d++) {
        utet_axis *axis = &slab.axis[d];

        axis->count = any64();
        axis->priv.start = any64();
        axis->priv.step = any64();
        axis->priv.base = any64();
        axis->priv.inside = any64();
        axis->priv.first = any64();
        axis->priv.extent = any64();
        axis->priv.place = any64();
    }
}

void eva_main(void)
{
    utet_range ranges[UTET_MAX_NDIM];
    struct row_bytes row;
    utet_run run;
    unsigned i;

    any_file();
    file.priv.codecs = codecs;
    any_dataset(&data, (unsigned)Frama_C_interval_split(1, 8));
    data.elem_size = (uint8_t)Frama_C_interval(1, 8);
    /*@ loop unroll 8; */
    for (i = 0; i < UTET_MAX_NDIM; i++) {
        ranges[i].start = any64();
        ranges[i].stop = any64();
        ranges[i].step = any64();
    }
    switch (Frama_C_interval(0, 3)) {
    case 0: (void)set_ranges(&slab, &file, &data, ranges); break;
    case 1:
        any_place(NULL, SLAB_FIND);
        (void)find_tile(&slab, &file);
        break;
    case 2: /* measures a tile that has been found, continues with the next one, whose row returns "not yet" */
        any_place(Frama_C_interval_split(0, 1) ? NULL : &codec, SLAB_MEASURE);
        grants = 0;
        (void)measure_tiles(&slab, &file, Frama_C_interval(0, 1));
        break;
    default: /* a run of a tile that has been found, or "not yet" while its row is looked up */
        any_place(Frama_C_interval_split(0, 1) ? NULL : &codec, Frama_C_interval_split(SLAB_TILE, SLAB_DONE));
        grants = slab.priv.state != SLAB_TILE;
        if (slab_next_run(&slab, &run, &row, NULL) == UTET_OK)
            slab_advance(&slab, run.count);
        break;
    }
}
#elif EVA_PART == 7 /* the container's public calls, on a file in any state; one record, row or character further */
#include "tet/container/need_window.c"

static void opening(void)
{
    utet_options options = {(size_t)any32(), (size_t)any32()};

    grants = 1; /* the step after it is analysed from a state of its own */
    file.priv.step = (uint8_t)Frama_C_interval_split(SUPERBLOCK, FOOTER);
    file.priv.ndim = (uint8_t)any32();
    if (file.priv.step == NAME) {
        file.priv.call.open.name_left = (uint32_t)Frama_C_interval_split(0, 4);
        grants = file.priv.call.open.name_left != 0;
    } else if (file.priv.step == RECORD) {
        grants = Frama_C_interval_split(0, 1);
        file.priv.call.open.records_left = grants != 0 ? 1 + any32() / 2 : 0;
    }
    file.priv.call.open.place = any64();
    file.priv.call.open.directory_end = any64();
    file.priv.window = (size_t)Frama_C_interval(192, 640);
    (void)utet_open(&file, Frama_C_interval(0, 1) ? &options : NULL);
}

/* A search for a name of `length` bytes, with which memory ends; it begins, or has been suspended anywhere. */
static void finding(utet_dataset *d, int length)
{
    static char text[3];

    Frama_C_make_unknown(text, sizeof text);
    if (Frama_C_interval_split(0, 1)) {
        file.priv.busy = UTET_CALL_DATASET_FIND;
        if (Frama_C_interval_split(0, 1)) {
            file.priv.step = UTET_STEP_NAME;
            d->name_length = (uint32_t)length;
            file.priv.call.record.compared = (uint32_t)Frama_C_interval_split(0, length);
        }
    }
    (void)utet_dataset_find(&file, text + sizeof text - length, (size_t)length, d);
}

static void lending(void)
{
    utet_need need = {any64(), any64()};

    file.priv.window = (size_t)Frama_C_interval(192, 640);
    (void)utet_lend(&file, &io, &need);
    utet_need_with_window(&file, &need);
}

void eva_main(void)
{
    utet_dataset d;

    const int call = Frama_C_interval_split(0, 4);

    any_file();
    any_dataset(&d, 1);
    if (call == 0) {
        opening();
    } else if (call == 1) {
        lending();
    } else {
        rank[0] = d.ndim = Frama_C_interval_split(0, 1) ? 1 : UTET_MAX_NDIM; /* part 3 proves each */
        rank[1] = rank[2] = rank[3] = 0;
        grants = 2;
        file.priv.step = (uint8_t)Frama_C_interval_split(UTET_STEP_HEAD, UTET_STEP_EXTENTS);
        switch (call) {
        case 2: (void)utet_dataset_first(&file, &d); break;
        case 3: (void)utet_dataset_next(&file, &d); break;
        default: finding(&d, Frama_C_interval_split(0, 3)); break;
        }
    }
}
#else /* the copy of elements that end with memory, to a destination that ends with it */
#include "tet/container/need_window.c"
#include "tet/stream/stream.c"
#include "tet/slab/slab.c"

static uint8_t from[96], to[96];

void eva_main(void)
{
    static const uint8_t sizes[] = {1, 2, 4, 8};
    static const uint8_t lengths[] = {3, 32, 36};
    struct slab_plane plane;
    size_t rows;
    unsigned i;

    Frama_C_make_unknown((char *)from, sizeof from);
    plane.pitch = (size_t)any64(); /* there is one row */
    plane.width = (size_t)any64();
    for (i = 0; i < sizeof sizes; i++) {
        const size_t size = sizes[i];

        for (plane.count = 1; plane.count <= 4u; plane.count++)
            for (plane.stride = size; plane.stride <= 2 * size; plane.stride += size)
                for (plane.put = size; plane.put <= 2 * size; plane.put += size) {
                    const uint8_t *first = from + sizeof from - (plane.count - 1u) * plane.stride - size;

                    slab_copy_elements(&plane, to + sizeof to - (plane.count - 1u) * plane.put - size, first, 1, size);
                }
        plane.count = 1;
        plane.stride = (size_t)any64();
        plane.put = size;
        slab_copy_elements(&plane, to + sizeof to - size, from + sizeof from - size, 1, size);
    }
    plane.width = 36;
    for (i = 0; i < sizeof lengths; i++)
        for (rows = 1; rows <= 2u; rows++)
            for (plane.pitch = 37; plane.pitch <= 40u; plane.pitch += 3) {
                const size_t each = lengths[i];

                slab_copy_dense(&plane, to + sizeof to - (rows - 1u) * plane.width - each,
                                from + sizeof from - (rows - 1u) * plane.pitch - each, rows, each);
            }
}
#endif
#endif
