/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over tiles that stay decoded (slab/tiles.c). EVA_PART 1: taking their memory from workspaces of any size
 * in a list; 2: selections of a list, in one call and in calls that were suspended at any tile, also of another
 * selection; which tiles are in memory is any. The workspace ends with the last tile, the destination with its last
 * element.
 *
 * The window, rows and a codec are replaced by their contracts: any bytes and numbers, or an error, or "not yet".
 *
 * eva.sh: 2 parts, x86_16, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 500
 *   2: -eva-slevel 3000
 *       -eva-split-return-function utet_enter:0,utet_row_find:0,utet_fetch_ahead:0,any_start:0,any_read:0,any_status:0
 *       -eva-split-return-function any_tiles:0,any_suspension:0,tiles_choose:0,tiles_next:0
 *       -eva-split-return-function @{src/tet/slab/tiles.c src/tet/stream/stream.c}:0
 */
#include <string.h>

#define EVA_ROWS_OF_ITS_OWN
#include "eva_container.h"
#include "eva_fit.h"

#include "base/bytes.c"
#include "base/room.c"
#include "base/file.c"
#include "tet/stream/stream.c"
#include "tet/slab/tiles.c"

enum { SIZE = 2, TILES = 2, EACH = 8 + 16 }; /* bytes of an element; tiles in memory, each with its head */

static utet_io io;
static utet_file file;
static utet_dataset data;
static utet_tiles tiles;
static uint64_t work[64];
static uint8_t destination[3 * 3 * SIZE];

/* ---- contracts ---- */

utet_status utet_fetch_ahead(utet_file *f, size_t length, uint64_t offset)
{
    /*@ assert length: 1 <= length <= 128; */
    f->error_offset = offset;
    return any_status(UTET_E_SHORT);
}

utet_status utet_copy_bytes(utet_file *f, uint8_t *to, uint64_t offset, size_t length)
{
    (void)offset;
    f->priv.done = 0;
    if (length != 0)
        Frama_C_make_unknown((char *)to, length);
    return any_status(UTET_E_SHORT);
}

utet_status utet_record_fail(utet_file *f, const utet_dataset *dataset, utet_status status)
{
    (void)f;
    (void)dataset;
    return status;
}

uint64_t utet_row_offset(const utet_file *f, uint64_t row)
{
    (void)f;
    return row;
}

/* The row is known or is not. */
static uint64_t tile_bytes;

utet_status utet_tile_locate(utet_file *f, const utet_dataset *dataset, const uint64_t *coords, struct utet_tile *tile)
{
    uint64_t bytes = dataset->elem_size;
    unsigned d;

    (void)f;
    for (d = 0; d < dataset->ndim; d++) {
        const uint64_t left = dataset->shape[d] - coords[d] * dataset->chunk_shape[d];

        /*@ assert grid: coords[d] < dataset->grid[d]; */
        bytes *= left < dataset->chunk_shape[d] ? left : dataset->chunk_shape[d];
    }
    tile->bytes = tile_bytes = bytes;
    tile->row = Frama_C_interval(0, 1) ? (uint64_t)Frama_C_interval(0, 9) : UINT64_MAX;
    return UTET_OK;
}

static uint32_t codec_id;

utet_status utet_row_find(utet_file *f, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk)
{
    (void)f;
    (void)dataset;
    (void)coords; /* the row has the same ones */
    chunk->payload_offset = any64();
    chunk->raw_byte_len = tile_bytes;
    chunk->stored_byte_len = any64();
    chunk->row = any64();
    chunk->codec = codec_id;
    return any_status(UTET_E_MISSING);
}

static utet_status any_start(utet_stream *s)
{
    s->priv.avail = any32();
    return any_status(UTET_E_BUDGET);
}

/* A codec writes to the destination of the complete chunk. */
static utet_status any_read(utet_stream *s, uint8_t *to, uint64_t size)
{
    /*@ assert whole: to == \null && size == s->length; */
    Frama_C_make_unknown((char *)s->priv.whole, (size_t)size);
    return any_status(UTET_E_PAYLOAD);
}

static const utet_codec_driver driver = {any_start, NULL, any_read, NULL, NULL, NULL};
static utet_status no_step(utet_stream *s, size_t want)
{
    (void)s;
    (void)want;
    return UTET_E_STATE;
}
static const utet_codec codec = {UTET_CODEC_ZSTD, NULL, NULL, no_step, &driver};
static const utet_codec *const codecs[] = {&codec, NULL};

/* ---- the harness ---- */

static void any_file(size_t budget)
{
    static const utet_file blank;

    file = blank;
    file.priv.io = &io;
    file.priv.state = UTET_STATE_OPEN;
    file.priv.codecs = codecs;
    file.priv.work = (uint8_t *)work + (sizeof work - budget);
    file.priv.buffer = file.priv.work + UTET_HEADROOM;
    file.priv.window = 192;
    file.row_count = any64();
    file.budget = budget;
    Frama_C_make_unknown((char *)work, sizeof work);
}

/* Tiles of two elements along each axis of three. */
static void any_data(unsigned ndim)
{
    unsigned d;

    data.ndim = (uint8_t)ndim;
    data.elem_size = SIZE;
    for (d = 0; d < ndim; d++) {
        data.shape[d] = 3;
        data.chunk_shape[d] = 2;
        data.grid[d] = 2;
    }
}

#if EVA_PART == 1
void eva_main(void)
{
    static const size_t counts[] = {0, 1, 2, 3, 100, SIZE_MAX};
    size_t budget;
    unsigned i;

    any_data(2);
    for (budget = 184; budget <= sizeof work; budget += 8)
        for (i = 0; i < sizeof counts / sizeof *counts; i++) {
            any_file(budget);
            file.priv.busy = (uint8_t)Frama_C_interval(0, 1);
            (void)utet_tiles_init(&tiles, &file, &data, counts[i]);
        }
}
#else
/* All cases begin with the same values, so that EVA joins what the last one left. */
static void forget(void)
{
    static const utet_tiles none;

    any_file(192 + TILES * EACH);
    tiles = none;
    tile_bytes = 0;
    Frama_C_make_unknown((char *)destination, sizeof destination);
}

/* Tiles that were taken earlier; what they have is any bytes. */
static int any_tiles(unsigned ndim)
{
    any_data(ndim);
    if (utet_tiles_init(&tiles, &file, &data, TILES) != UTET_OK)
        return 0;
    Frama_C_make_unknown((char *)work, sizeof work);
    tiles.priv.uses = any64();
    return 1;
}

/* A call that was suspended at this tile. Its own selection does not matter. */
static int any_suspension(unsigned state, unsigned tile, const uint8_t *to, size_t count)
{
    utet_chunk *chunk = &tiles.priv.chunk;
    struct utet_tile located;

    file.priv.busy = UTET_CALL_TILES_READ;
    file.priv.owner = &tiles.priv.stream;
    tiles.priv.into = to;
    tiles.priv.room = count;
    tiles.priv.state = (uint8_t)state;
    tiles.priv.key = any64();
    tiles.priv.slot = (uint8_t *)work + sizeof work - EACH * (1 + tile % 2);
    chunk->coords[0] = tile % 2;
    chunk->coords[1] = tile / 2;
    (void)utet_tile_locate(&file, &data, chunk->coords, &located);
    if (state == TILES_FIND)
        return 1;
    if (utet_row_find(&file, &data, chunk->coords, chunk) != UTET_OK)
        return 0;
    file.priv.step = 1;
    if (utet_stream_prepare(&tiles.priv.stream, &file, chunk, tiles.priv.slot + sizeof(tiles_head)) != UTET_OK)
        return 0;
    return 1;
}

static void take(const utet_range *ranges, unsigned ndim)
{
    size_t count = SIZE;
    unsigned state, tile;
    uint8_t *to;
    unsigned d;

    for (d = 0; d < ndim; d++)
        count *= (size_t)((ranges[d].stop - ranges[d].start - 1) / ranges[d].step + 1);
    if (count > sizeof destination)
        return;
    to = destination + (sizeof destination - count);
    forget();
    if (any_tiles(ndim))
        (void)utet_tiles_read(&tiles, ranges, to, count);
    for (state = TILES_FIND; state <= TILES_DECODE; state++)
        for (tile = 0; tile < 1u << ndim; tile++) {
            forget();
            if (any_tiles(ndim) && any_suspension(state, tile, to, count))
                (void)utet_tiles_read(&tiles, ranges, to, count);
        }
    forget();
}

void eva_main(void)
{
    static const utet_range all[6] = {{0, 3, 1}, {1, 3, 1}, {0, 3, 2}, {2, 3, 7}, {1, 2, UINT64_MAX}, {0, 4, 1}};
    utet_range both[2];
    unsigned i, j;

    for (codec_id = UTET_CODEC_RAW; codec_id <= UTET_CODEC_ZSTD; codec_id++)
        for (i = 0; i < 6u; i++) {
            take(all + i, 1);
            for (j = 0; j < 5u; j++) {
                both[0] = all[i];
                both[1] = all[j];
                take(both, 2);
            }
        }
}
#endif
