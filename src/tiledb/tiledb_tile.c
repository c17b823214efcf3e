/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The raw tile as a stream (§2.2): chunk after chunk, part after part, through a codec or as it is.
 *
 *   raw                                   raw + room
 *   | … the last `held` bytes decoded |   free   |
 *                                      `made` bytes of raw tile have been decoded up to here
 *
 * When the room is full, the younger half of it stays. Earlier bytes are decoded again from the first chunk on.
 * Chunks before the wanted one are skipped by their headers, so going back costs the decoding of one chunk. Every
 * header is checked again each time, since the medium may answer differently.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

#include <string.h>

/* tile->priv.decoding: the next step */
enum {
    NEXT_COUNT, /* the number of chunks */
    NEXT_CHUNK, /* the header of a chunk, or the end */
    NEXT_TABLE, /* the head of its table of parts */
    NEXT_PART,  /* an entry of the table, or the end of the chunk */
    NEXT_BEGIN, /* the codec begins with the part */
    NEXT_DATA,
    NEXT_CLOSE, /* the codec has made all bytes of the part: is that its end? */
    NEXT_NOTHING
};

enum { COUNT_SIZE = 8, CHUNK_HEADER = 12, TILE_PART_ENTRY = 8 };

void utet_tiledb_rewind(utet_tiledb *tile)
{
    tile->priv.decoding = tile->priv.proven == 0 ? NEXT_COUNT : NEXT_CHUNK;
    tile->priv.cursor = tile->priv.area;
    tile->priv.chunks_left = tile->chunks;
    tile->priv.made = 0;
    tile->priv.held = 0;
}

/* Returns the number of bytes of the file after the cursor. */
static uint32_t left_in_file(const utet_tiledb *tile)
{
    return (uint32_t)tile->priv.file->priv.io->size - tile->priv.cursor;
}

static utet_status read_count(utet_tiledb *tile)
{
    utet_file *file = tile->priv.file;
    utet_status status;

    if (tile->persisted_size < COUNT_SIZE)
        return UTET_E_INDEX;
    status = utet_fetch(file, COUNT_SIZE, tile->priv.cursor);
    if (status != UTET_OK)
        return status;
    tile->chunks = utet_le32(file->priv.at);
    if (utet_le32(file->priv.at + 4) != 0 || (uint64_t)tile->chunks * CHUNK_HEADER > tile->persisted_size - COUNT_SIZE)
        return UTET_E_INDEX;
    tile->priv.area += COUNT_SIZE;
    tile->priv.cursor += COUNT_SIZE;
    tile->priv.chunks_left = tile->chunks;
    tile->priv.decoding = NEXT_CHUNK;
    return UTET_OK;
}

/* `wanted`: the byte of the raw tile that is looked for. */
static utet_status read_chunk(utet_tiledb *tile, uint32_t wanted)
{
    utet_file *file = tile->priv.file;
    uint32_t original;
    uint32_t filtered;
    uint32_t metadata;
    uint32_t left = left_in_file(tile);
    utet_status status;

    file->error_offset = tile->priv.cursor;
    if (tile->priv.chunks_left == 0) {
        if (left != 0 || tile->priv.made != tile->size)
            return UTET_E_INDEX;
        tile->priv.decoding = NEXT_NOTHING;
        return UTET_OK;
    }
    if (left < CHUNK_HEADER)
        return UTET_E_ROW;
    status = utet_fetch(file, CHUNK_HEADER, tile->priv.cursor);
    if (status != UTET_OK)
        return status;
    original = utet_le32(file->priv.at);
    filtered = utet_le32(file->priv.at + 4);
    metadata = utet_le32(file->priv.at + 8);
    left -= CHUNK_HEADER;
    if (original > tile->size - tile->priv.made || metadata > left || filtered > left - metadata ||
        (tile->priv.decoder == NULL ? metadata != 0 || filtered != original : metadata < TILE_PART_ENTRY))
        return UTET_E_ROW;
    tile->priv.chunks_left--;
    tile->priv.cursor += CHUNK_HEADER;
    if (wanted >= tile->priv.made && wanted - tile->priv.made >= original &&
        tile->priv.proven - tile->priv.made > original) {
        tile->priv.cursor += metadata + filtered; /* known, and not needed */
        tile->priv.made += original;
        tile->priv.held = 0;
        return UTET_OK;
    }
    tile->priv.table = tile->priv.cursor;
    tile->priv.cursor += metadata;
    tile->priv.data_left = filtered;
    tile->priv.chunk_left = original;
    tile->priv.part_left = original;
    tile->priv.parts_left = metadata;
    tile->priv.decoding = tile->priv.decoder != NULL ? NEXT_TABLE : NEXT_DATA;
    return UTET_OK;
}

static utet_status read_table(utet_tiledb *tile)
{
    utet_file *file = tile->priv.file;
    uint32_t parts = (tile->priv.parts_left - TILE_PART_ENTRY) / TILE_PART_ENTRY; /* as many as there is room for */
    utet_status status = utet_fetch(file, TILE_PART_ENTRY, tile->priv.table);

    if (status != UTET_OK)
        return status;
    if (utet_le32(file->priv.at) != 0 || utet_le32(file->priv.at + 4) != parts ||
        tile->priv.parts_left % TILE_PART_ENTRY != 0)
        return UTET_E_ROW;
    tile->priv.parts_left = parts;
    tile->priv.table += TILE_PART_ENTRY;
    tile->priv.decoding = NEXT_PART;
    return UTET_OK;
}

static utet_status read_part(utet_tiledb *tile)
{
    utet_file *file = tile->priv.file;
    utet_tiledb_part *part = &tile->priv.part;
    utet_status status;

    if (tile->priv.parts_left == 0) {
        file->error_offset = tile->priv.table;
        if (tile->priv.chunk_left != 0 || tile->priv.data_left != 0)
            return UTET_E_ROW;
        tile->priv.decoding = NEXT_CHUNK;
        return UTET_OK;
    }
    status = utet_fetch(file, TILE_PART_ENTRY, tile->priv.table);
    if (status != UTET_OK)
        return status;
    part->size = utet_le32(file->priv.at);
    part->length = utet_le32(file->priv.at + 4);
    if (part->size > tile->priv.chunk_left || part->length > tile->priv.data_left)
        return UTET_E_ROW;
    part->file = file;
    part->offset = tile->priv.cursor;
    part->dst = tile->priv.room >= tile->size ? tile->priv.raw + tile->priv.made : NULL;
    tile->priv.part_left = part->size;
    tile->priv.chunk_left -= part->size;
    tile->priv.data_left -= part->length;
    tile->priv.cursor += part->length;
    tile->priv.table += TILE_PART_ENTRY;
    tile->priv.parts_left--;
    tile->priv.decoding = NEXT_BEGIN;
    return UTET_OK;
}

/* Decoded bytes of the part, or those of an uncompressed chunk; *at NULL: there are no more. */
static utet_status tile_step(utet_tiledb *tile, size_t want, const uint8_t **at, size_t *have)
{
    utet_file *file = tile->priv.file;
    utet_status status;

    if (tile->priv.decoder != NULL)
        return tile->priv.decoder->step(&tile->priv.part, want, at, have);
    status = utet_fetch(file, 1, tile->priv.cursor);
    *at = file->priv.at;
    *have = file->priv.have < want ? file->priv.have : want;
    return status;
}

static utet_status read_data(utet_tiledb *tile)
{
    const uint8_t *at;
    size_t have;
    size_t want;
    utet_status status;

    if (tile->priv.part_left == 0) {
        tile->priv.decoding = tile->priv.decoder != NULL ? NEXT_CLOSE : NEXT_CHUNK;
        return UTET_OK;
    }
    if (tile->priv.held == tile->priv.room) {
        tile->priv.held = tile->priv.room / 2;
        memmove(tile->priv.raw, tile->priv.raw + (tile->priv.room - tile->priv.held), tile->priv.held);
    }
    want = tile->priv.room - tile->priv.held;
    if (want > tile->priv.part_left)
        want = tile->priv.part_left;
    status = tile_step(tile, want, &at, &have);
    if (status == UTET_END)
        return UTET_E_PAYLOAD; /* a codec that knows less than its part does not come here */
    if (status != UTET_OK)
        return status;
    if (at != tile->priv.raw + tile->priv.held)
        memcpy(tile->priv.raw + tile->priv.held, at, have);
    tile->priv.held += have;
    tile->priv.made += (uint32_t)have;
    tile->priv.part_left -= (uint32_t)have;
    if (tile->priv.decoder == NULL)
        tile->priv.cursor += (uint32_t)have;
    if (tile->priv.proven < tile->priv.made)
        tile->priv.proven = tile->priv.made;
    return UTET_OK;
}

static utet_status close_part(utet_tiledb *tile)
{
    const uint8_t *at;
    size_t have;
    utet_status status = tile->priv.decoder->step(&tile->priv.part, 1, &at, &have);

    if (status == UTET_OK)
        return UTET_E_PAYLOAD;
    if (status != UTET_END)
        return status;
    tile->priv.decoding = NEXT_PART;
    return UTET_OK;
}

/* Makes one step towards the byte that is wanted. */
static utet_status tile_advance(utet_tiledb *tile, uint32_t wanted)
{
    utet_status status;

    switch (tile->priv.decoding) {
    case NEXT_COUNT: return read_count(tile);
    case NEXT_CHUNK: return read_chunk(tile, wanted);
    case NEXT_TABLE: return read_table(tile);
    case NEXT_PART: return read_part(tile);
    case NEXT_BEGIN:
        status = tile->priv.decoder->open(&tile->priv.part);
        if (status == UTET_OK)
            tile->priv.decoding = NEXT_DATA;
        return status;
    case NEXT_DATA: return read_data(tile);
    default: return close_part(tile);
    }
}

utet_status utet_tiledb_fetch(utet_tiledb *tile, size_t length, uint32_t offset)
{
    const uint32_t end = offset + (uint32_t)length;

    tile->error_at = offset;
    if (end < offset || end > tile->size)
        return UTET_E_METADATA;
    if (offset < tile->priv.made - (uint32_t)tile->priv.held)
        utet_tiledb_rewind(tile);
    while (tile->priv.made < end) {
        utet_status status = tile_advance(tile, offset);

        if (status != UTET_OK)
            return status;
    }
    tile->priv.have = tile->priv.made - offset;
    tile->priv.at = tile->priv.raw + (tile->priv.held - tile->priv.have);
    return UTET_OK;
}

utet_status utet_tiledb_finish(utet_tiledb *tile)
{
    tile->error_at = tile->size;
    while (tile->priv.decoding != NEXT_NOTHING) {
        utet_status status = tile_advance(tile, tile->size);

        if (status != UTET_OK)
            return status;
    }
    return UTET_OK;
}

#endif
