/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The header of a generic tile (§2.1), its list of filters, the division of the workspace; the call protocol. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

#include <string.h>

enum { HEADER = 34, FILTERS_HEAD = 8, FILTER = 10 }; /* bytes; a filter is a compressor with its options */
enum { MOST_EVER = 1 << 30 };                        /* bytes of raw tile: sums of sizes stay below 4 GiB */

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
    tile->priv.walk = 0;
    tile->priv.batch = 0;
    tile->priv.done = 0;
    file->priv.call.given.kept = 0;
    tile->priv.wanted_len = UINT32_MAX; /* no text is so long */
    return UTET_OK;
}

utet_status utet_tiledb_leave(utet_tiledb *tile, utet_status status)
{
    if (status == UTET_E_METADATA || status == UTET_E_DTYPE)
        tile->priv.file->error_offset = tile->priv.area;
    return utet_leave(tile->priv.file, status);
}

/* The low half of a number of 8 bytes at `at`; the other half goes into *high. */
static uint32_t low_half(const uint8_t *at, uint32_t *high)
{
    *high |= utet_le32(at + 4);
    return utet_le32(at);
}

static utet_status read_header(utet_tiledb *tile, utet_file *file, uint32_t most)
{
    const uint32_t size = (uint32_t)file->priv.io->size;
    const uint8_t *at = file->priv.at;
    uint32_t high = 0;

    tile->version = utet_le32(at);
    tile->persisted_size = low_half(at + 4, &high);
    tile->encryption = at[29];
    tile->pipeline_size = utet_le32(at + 30);
    if (tile->version < UTET_TILEDB_OLDEST || tile->version > UTET_TILEDB_NEWEST)
        return UTET_E_VERSION;
    if (at[20] != UTET_TILEDB_CHAR || low_half(at + 21, &high) != 1 || high != 0 || tile->encryption > 1 ||
        tile->pipeline_size > size - HEADER || tile->persisted_size != size - HEADER - tile->pipeline_size)
        return UTET_E_SUPERBLOCK;
    if (tile->encryption != 0)
        return UTET_E_CODEC;
    tile->size = low_half(at + 12, &high);
    if (high != 0 || tile->size > most) {
        file->needed = utet_le64(at + 12);
        return UTET_E_BUDGET;
    }
    tile->priv.area = HEADER + tile->pipeline_size;
    return UTET_OK;
}

/* Reads the list of filters after the header: none, or a compressor. */
static utet_status read_filters(utet_tiledb *tile, utet_file *file, const utet_tiledb_codec *const *codecs)
{
    const uint8_t *at = file->priv.at + HEADER;
    uint32_t size;
    uint32_t count;

    file->error_offset = HEADER;
    if (tile->pipeline_size < FILTERS_HEAD)
        return UTET_E_DIRECTORY;
    size = tile->pipeline_size - FILTERS_HEAD;
    tile->max_chunk_size = utet_le32(at);
    count = utet_le32(at + 4);
    if ((uint64_t)count * 5 > size || (count == 0 && size != 0))
        return UTET_E_DIRECTORY;
    if (count == 0)
        return UTET_OK;
    if (count != 1 || size != FILTER)
        return UTET_E_CODEC; /* other options than a compressor's */
    file->error_offset = HEADER + FILTERS_HEAD;
    at += FILTERS_HEAD;
    tile->filter = at[0];
    if (utet_le32(at + 1) != FILTER - 5 || at[5] != tile->filter)
        return UTET_E_DIRECTORY;
    tile->level = (int32_t)utet_le32(at + 6);
    for (; codecs != NULL && *codecs != NULL; codecs++) {
        if ((*codecs)->filter == tile->filter) {
            tile->priv.decoder = *codecs;
            return UTET_OK;
        }
    }
    return UTET_E_CODEC;
}

static size_t tiledb_open_align8(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* The need of the codec for such tiles, rounded up to a multiple of 8. */
static size_t codec_need(const utet_tiledb *tile, uint32_t size, int whole, utet_need *need)
{
    need->least = 0;
    need->best = 0;
    if (tile->priv.decoder != NULL)
        tile->priv.decoder->need(size, whole, need);
    return tiledb_open_align8((size_t)need->least);
}

/* The workspace: window | codec | raw tile. The window gets what the codec's `least` leaves, the raw tile `raw`, a
 * multiple of 8, the codec the rest. `budget` ends at an address that is a multiple of 8. */
static void tiledb_open_divide(utet_tiledb *tile, utet_file *file, size_t budget, size_t least, size_t raw)
{
    const size_t rest = budget - raw; /* for window and codec */

    least += utet_lost(file);
    utet_window_resize(file, utet_window_fit(file, least < rest ? rest - least : 0));
    tile->priv.part.work = utet_behind(file);
    tile->priv.part.work_len = rest - file->priv.window - utet_lost(file);
    tile->priv.raw = file->priv.work + rest;
    tile->priv.room = raw;
    if (file->high_water < budget)
        file->high_water = budget;
}

static utet_status divide_memory(utet_tiledb *tile, utet_file *file)
{
    const size_t window = utet_window_fit(file, 0) + utet_lost(file);
    const size_t budget = utet_down8(file, file->budget);
    size_t raw = tiledb_open_align8(tile->size);
    utet_need need;
    size_t least = codec_need(tile, tile->size, 1, &need);
    const size_t whole = window + raw + least;
    size_t slices;

    tile->need.best = utet_window_fit(file, SIZE_MAX) + utet_lost(file) + raw + need.best;
    slices = codec_need(tile, tile->size, 0, &need);
    tile->need.least = window + slices + UTET_TILEDB_RAW_MIN;
    if (tile->need.least > whole)
        tile->need.least = whole;
    if (whole > budget) {
        least = slices; /* may be more than there is: decoding finds out */
        raw = window + slices + UTET_TILEDB_RAW_BEST > budget ? UTET_TILEDB_RAW_MIN : UTET_TILEDB_RAW_BEST;
        if (window + codec_need(tile, 0, 0, &need) + raw > budget) {
            file->needed = tile->need.least;
            return UTET_E_BUDGET;
        }
    }
    tiledb_open_divide(tile, file, budget, least, raw);
    return UTET_OK;
}

static utet_status open_tile(utet_tiledb *tile, utet_file *file, const utet_tiledb_options *options)
{
    const uint64_t size = file->priv.io->size;
    const uint32_t most = options != NULL && options->most != 0 ? options->most : UTET_TILEDB_MAX_BYTES;
    size_t head = HEADER + FILTERS_HEAD + FILTER;
    utet_status status;

    file->error_offset = 0;
    if (size < HEADER || size > UINT32_MAX)
        return UTET_E_SUPERBLOCK;
    if (head > size)
        head = (size_t)size;
    status = utet_fetch(file, head, 0);
    if (status == UTET_OK)
        status = read_header(tile, file, most < MOST_EVER ? most : MOST_EVER);
    if (status == UTET_OK)
        status = read_filters(tile, file, options != NULL ? options->codecs : NULL);
    if (status == UTET_OK)
        status = divide_memory(tile, file);
    return status;
}

utet_status utet_tiledb_open(utet_tiledb *tile, utet_file *file, const utet_tiledb_options *options)
{
    size_t window;
    utet_status status;

    if (tile == NULL || file == NULL)
        return UTET_E_ARGUMENT;
    if ((file->priv.state != UTET_STATE_READY && file->priv.state != UTET_STATE_FOREIGN) ||
        (file->priv.busy != UTET_CALL_NONE && (file->priv.busy != UTET_CALL_TILEDB_OPEN || file->priv.owner != tile)))
        return UTET_E_STATE;
    window = utet_window_fit(file, 0);
    if (file->budget < window) {
        file->needed = window;
        return UTET_E_BUDGET;
    }
    if (file->priv.busy == UTET_CALL_NONE) {
        memset(tile, 0, sizeof *tile);
        tile->priv.file = file;
        file->priv.owner = tile;
        file->priv.state = UTET_STATE_FOREIGN; /* nothing else can be opened with this file */
        file->priv.busy = UTET_CALL_TILEDB_OPEN;
    }
    status = open_tile(tile, file, options);
    if (status == UTET_OK) {
        utet_tiledb_rewind(tile);
        tile->priv.open = 1;
    }
    return utet_leave(file, status);
}

#endif
