/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The header of a generic tile (§2.1), its list of filters, the division of the workspace; the call protocol. */
#include "tiledb.h"

#include <string.h>

/* tile->priv.step */
enum { STEP_HEADER, STEP_FILTERS, STEP_FILTER, STEP_MEMORY };

enum { HEADER = 34, FILTERS_HEAD = 8, FILTER = 10 }; /* bytes; a filter is a compressor with its options */
enum { TYPE_CHAR = UTET_TILEDB_CHAR };

utet_status utet_tiledb_enter(utet_tiledb *tile, uint8_t call)
{
    utet_file *file = tile->priv.file;

    if (!tile->priv.open || file->priv.owner != tile)
        return UTET_E_STATE;
    if (file->priv.busy == call)
        return UTET_OK;
    if (file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    file->priv.busy = call;
    tile->priv.step = 0;
    tile->priv.done = 0;
    tile->priv.wanted = NULL;
    return UTET_OK;
}

utet_status utet_tiledb_leave(utet_tiledb *tile, utet_status status)
{
    utet_file *file = tile->priv.file;

    if (status == UTET_E_METADATA || status == UTET_E_DTYPE)
        file->error_offset = tile->priv.area;
    if (status == UTET_E_BUDGET) { /* what a codec asks for: perhaps all of the tile in memory takes less */
        file->needed = utet_align8(file->needed);
        if (file->needed > tile->need.least)
            file->needed = tile->need.least;
    }
    return utet_leave(file, status);
}

static utet_status read_header(utet_tiledb *tile, uint32_t most)
{
    utet_file *file = tile->priv.file;
    const uint64_t size = file->priv.io->size;
    const uint8_t *at;
    utet_status status;

    file->error_offset = 0;
    if (size < HEADER)
        return UTET_E_SUPERBLOCK;
    status = utet_fetch(file, HEADER, 0);
    if (status != UTET_OK)
        return status;
    at = file->priv.at;
    tile->version = utet_le32(at);
    tile->persisted_size = utet_le64(at + 4);
    tile->encryption = at[29];
    tile->pipeline_size = utet_le32(at + 30);
    if (tile->version < UTET_TILEDB_OLDEST || tile->version > UTET_TILEDB_NEWEST)
        return UTET_E_VERSION;
    if (at[20] != TYPE_CHAR || utet_le64(at + 21) != 1 || tile->encryption > 1 || tile->pipeline_size > size - HEADER ||
        tile->persisted_size != size - HEADER - tile->pipeline_size)
        return UTET_E_SUPERBLOCK;
    if (tile->encryption != 0)
        return UTET_E_CODEC;
    if (utet_le64(at + 12) > most) {
        file->needed = utet_le64(at + 12);
        return UTET_E_BUDGET;
    }
    tile->size = utet_le32(at + 12);
    tile->priv.area = HEADER + (uint64_t)tile->pipeline_size;
    tile->priv.step = STEP_FILTERS;
    return UTET_OK;
}

static utet_status read_filters(utet_tiledb *tile)
{
    utet_file *file = tile->priv.file;
    uint32_t count;
    utet_status status;

    file->error_offset = HEADER;
    if (tile->pipeline_size < FILTERS_HEAD)
        return UTET_E_DIRECTORY;
    status = utet_fetch(file, FILTERS_HEAD, HEADER);
    if (status != UTET_OK)
        return status;
    tile->max_chunk_size = utet_le32(file->priv.at);
    count = utet_le32(file->priv.at + 4);
    if (count > (tile->pipeline_size - FILTERS_HEAD) / 5 || (count == 0 && tile->pipeline_size != FILTERS_HEAD))
        return UTET_E_DIRECTORY;
    tile->priv.step = count == 0 ? STEP_MEMORY : STEP_FILTER;
    return count > 1 ? UTET_E_CODEC : UTET_OK;
}

static utet_status read_filter(utet_tiledb *tile, const utet_tiledb_codec *const *codecs)
{
    utet_file *file = tile->priv.file;
    utet_status status;

    file->error_offset = HEADER + FILTERS_HEAD;
    if (tile->pipeline_size != FILTERS_HEAD + FILTER)
        return UTET_E_CODEC; /* other options than a compressor's */
    status = utet_fetch(file, FILTER, HEADER + FILTERS_HEAD);
    if (status != UTET_OK)
        return status;
    tile->filter = file->priv.at[0];
    if (utet_le32(file->priv.at + 1) != FILTER - 5 || file->priv.at[5] != tile->filter)
        return UTET_E_DIRECTORY;
    tile->level = (int32_t)utet_le32(file->priv.at + 6);
    for (; codecs != NULL && *codecs != NULL; codecs++) {
        if ((*codecs)->filter == tile->filter) {
            tile->priv.decoder = *codecs;
            tile->priv.step = STEP_MEMORY;
            return UTET_OK;
        }
    }
    return UTET_E_CODEC;
}

/* What a codec wants for this tile. */
static utet_status codec_need(const utet_tiledb *tile, uint32_t size, int whole, utet_need *need)
{
    need->least = 0;
    need->best = 0;
    return tile->priv.decoder == NULL ? UTET_OK : tile->priv.decoder->need(size, whole, need);
}

/* The workspace: window | codec | raw tile. `need` is the codec's, `raw` the tile's share, a multiple of 8. */
static void divide(utet_tiledb *tile, const utet_need *need, size_t raw)
{
    utet_file *file = tile->priv.file;
    const size_t all = file->budget & ~(size_t)7;
    const size_t window = utet_window_fit(file, 0);
    const size_t rest = all - raw; /* for window and codec */
    size_t share = rest - window;

    /* The window gets what the codec's least leaves, then the codec what the window's best leaves. */
    if (need->least < share) {
        size_t best = utet_window_fit(file, rest - (size_t)need->least);

        share = rest - best;
    }
    if (need->best < share)
        share = (size_t)need->best;
    share &= ~(size_t)7;
    utet_window_resize(file, utet_window_fit(file, rest - share));
    tile->priv.part.work = file->priv.work + (rest - share);
    tile->priv.part.work_len = share;
    tile->priv.raw = file->priv.work + rest;
    tile->priv.room = raw;
    if (file->high_water < all)
        file->high_water = all;
}

static utet_status divide_memory(utet_tiledb *tile)
{
    utet_file *file = tile->priv.file;
    const uint64_t window = utet_align8(utet_window_fit(file, 0));
    const uint64_t budget = file->budget & ~(size_t)7;
    const uint64_t whole_raw = utet_align8(tile->size);
    utet_need whole;
    utet_need slices;
    utet_need fixed;

    if (codec_need(tile, tile->size, 1, &whole) != UTET_OK || codec_need(tile, tile->size, 0, &slices) != UTET_OK ||
        codec_need(tile, 0, 0, &fixed) != UTET_OK)
        return UTET_E_BUDGET;
    tile->need.best = UTET_WINDOW_BEST(file->priv.io->unit) + whole_raw + whole.best;
    tile->need.least = window + utet_align8(slices.least) + UTET_TILEDB_RAW_LEAST;
    if (tile->need.least > window + whole_raw + utet_align8(whole.least))
        tile->need.least = window + whole_raw + utet_align8(whole.least);
    if (tile->need.best < tile->need.least)
        tile->need.best = tile->need.least;
    if (window + whole_raw + utet_align8(whole.least) <= budget) {
        divide(tile, &whole, (size_t)whole_raw);
    } else if (window + utet_align8(slices.least) + UTET_TILEDB_RAW_BEST <= budget) {
        divide(tile, &slices, UTET_TILEDB_RAW_BEST);
    } else if (window + utet_align8(fixed.least) + UTET_TILEDB_RAW_LEAST <= budget) {
        divide(tile, &slices, UTET_TILEDB_RAW_LEAST); /* perhaps too little: the data will tell */
    } else {
        file->needed = tile->need.least;
        return UTET_E_BUDGET;
    }
    return UTET_OK;
}

static utet_status open_steps(utet_tiledb *tile, const utet_tiledb_options *options)
{
    const uint32_t most = options != NULL && options->most != 0 ? options->most : UTET_TILEDB_MOST;
    utet_status status = UTET_OK;

    if (tile->priv.step == STEP_HEADER)
        status = read_header(tile, most < UINT32_MAX - 7 ? most : UINT32_MAX - 7);
    if (status == UTET_OK && tile->priv.step == STEP_FILTERS)
        status = read_filters(tile);
    if (status == UTET_OK && tile->priv.step == STEP_FILTER)
        status = read_filter(tile, options != NULL ? options->codecs : NULL);
    if (status == UTET_OK)
        status = divide_memory(tile);
    return status;
}

utet_status utet_tiledb_open(utet_tiledb *tile, utet_file *file, const utet_tiledb_options *options)
{
    utet_status status;

    if (tile == NULL || file == NULL)
        return UTET_E_ARGUMENT;
    if (file->priv.state != UTET_STATE_READY ||
        (file->priv.busy != UTET_CALL_NONE && (file->priv.busy != UTET_CALL_TILEDB_OPEN || file->priv.owner != tile)))
        return UTET_E_STATE;
    if (file->priv.io->map == NULL && file->budget < utet_window_fit(file, 0)) {
        file->needed = utet_window_fit(file, 0);
        return UTET_E_BUDGET;
    }
    if (file->priv.busy == UTET_CALL_NONE) {
        memset(tile, 0, sizeof *tile);
        tile->priv.file = file;
        file->priv.owner = tile;
        file->priv.busy = UTET_CALL_TILEDB_OPEN;
    }
    status = open_steps(tile, options);
    if (status == UTET_OK) {
        utet_tiledb_rewind(tile);
        tile->priv.open = 1;
    }
    return utet_leave(file, status);
}
