/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See zs_struct.c. */
#ifndef ZS_STRUCT_H
#define ZS_STRUCT_H

#include <stddef.h>
#include <stdint.h>

/* The parts that are replaced: 39 kinds. */
enum {
    ZS_WINDOW,
    ZS_CONTENT_SIZE,
    ZS_CHECKSUM,
    ZS_OF_BLOCKS,
    ZS_BLOCK_TWICE = ZS_OF_BLOCKS,
    ZS_BLOCK_AWAY,
    ZS_BLOCKS_EXCHANGED,
    ZS_RAW_NEW,
    ZS_RLE_NEW,
    ZS_RLE_128K,
    ZS_RLE_LONG,
    ZS_NOTHING_NEW,
    ZS_DRAWN_NEW,
    ZS_LONG_NEW,
    ZS_TYPE,
    ZS_LAST_MOVED,
    ZS_OF_LITERALS,
    ZS_LITERALS_RLE = ZS_OF_LITERALS,
    ZS_LITERALS_RAW,
    ZS_LITERALS_ONE_MORE,
    ZS_LITERALS_ONE_LESS,
    ZS_LITERALS_128K,
    ZS_LITERALS_NONE,
    ZS_LITERALS_DRAWN,
    ZS_LITERALS_HEADER,
    ZS_TREE_REPEATED,
    ZS_TREE_DRAWN,
    ZS_JUMP,
    ZS_LITERAL_STREAM,
    ZS_OF_SEQUENCES,
    ZS_SEQUENCES_NONE = ZS_OF_SEQUENCES,
    ZS_SEQUENCES_DRAWN,
    ZS_COUNT_LONG,
    ZS_COUNT,
    ZS_TABLE_DRAWN,
    ZS_TABLE_RLE,
    ZS_TABLE_PREDEFINED,
    ZS_TABLE_REPEATED,
    ZS_TABLES_EXCHANGED,
    ZS_STREAM_LONGER,
    ZS_STREAM_SHORTER,
    ZS_STREAM_MARKER,
    ZS_STREAM_BIT,
    ZS_MUTATIONS
};

/* Changes the frame at p, of which at most `most` bytes remain, by one mutation; *kind gets its kind. Returns the new
 * length, or 0 if the frame cannot be split or there is no room. */
size_t zs_restructure(uint8_t *p, size_t len, size_t most, uint32_t *seed, unsigned *kind);

#endif
