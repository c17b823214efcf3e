/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Structural mutants: a frame is split into blocks, sections, tables and streams; one part is replaced, moved,
 * truncated or made anew; and all sizes around it are written again. So a mutant reaches what comes after the part,
 * where a changed byte would end at the next size that does not fit. This file does not know what a mutant decodes to:
 * the judge decides it.
 */
#include "zs_struct.h"

#include <string.h>

#include "zstd/zstd_decoder.h"
#include "zs_made.h"
#include "zs_run.h"

enum { BLOCKS = 24, CONTENT = 6000 };

typedef struct block {
    unsigned type;
    uint32_t size; /* Block_Size; for an RLE block: the number of repetitions */
    uint32_t n;    /* bytes of content */
    uint8_t at[CONTENT];
} block;

typedef struct frame {
    uint8_t head[18];
    uint32_t head_n, blocks, behind_n;
    block block[BLOCKS];
    uint8_t behind[4]; /* Content_Checksum */
    uint8_t ends;      /* 0: no block is marked as the last one; otherwise 1 + number of blocks after the marked one */
} frame;

/* The content of a compressed block: literals, then sequences. All offsets count from its beginning. */
typedef struct parts {
    uint32_t type, format, regenerated, stored; /* of the literals */
    uint32_t head, tree, end;                   /* ends of the header, of the tree and of the section */
    uint32_t count, modes;                      /* number of sequences; offset of the modes, 0 if there are none */
    uint32_t table[4];                          /* offsets of the tables and of the bit stream */
} parts;

static uint32_t word(const uint8_t *p, unsigned n)
{
    uint32_t v = 0;

    while (n-- != 0)
        v = v << 8 | p[n];
    return v;
}

static void put(uint8_t *p, uint32_t v, unsigned n)
{
    for (; n != 0; n--, v >>= 8)
        *p++ = (uint8_t)v;
}

static int take_apart(frame *f, const uint8_t *p, size_t len)
{
    zs_header h;
    size_t at;
    uint32_t last = 0;

    if (utet_zs_header(&h, p, len) != UTET_OK || h.skippable || h.bytes > sizeof f->head)
        return 0;
    memset(f, 0, offsetof(frame, block));
    f->head_n = (uint32_t)h.bytes;
    memcpy(f->head, p, f->head_n);
    f->ends = 1;
    for (at = f->head_n; !last; f->blocks++) {
        block *b = &f->block[f->blocks];
        uint32_t v;

        if (f->blocks == BLOCKS - 2u || len - at < 3u)
            return 0;
        v = word(p + at, 3);
        last = v & 1u;
        b->type = v >> 1 & 3u;
        b->size = v >> 3;
        b->n = b->type == 1u ? 1u : b->size;
        at += 3u;
        if (b->n > CONTENT || b->n > len - at)
            return 0;
        memcpy(b->at, p + at, b->n);
        at += b->n;
    }
    f->behind_n = h.checksum && len - at >= 4u ? 4u : 0;
    memcpy(f->behind, p + at, f->behind_n);
    return 1;
}

static size_t put_together(const frame *f, uint8_t *out, size_t most)
{
    size_t n = f->head_n;
    uint32_t i;

    memcpy(out, f->head, f->head_n);
    for (i = 0; i < f->blocks; i++) {
        const block *b = &f->block[i];

        if (most - n < b->n + 8u)
            return 0;
        put(out + n, (f->ends != 0 && i + f->ends == f->blocks) | b->type << 1 | (b->type == 1u ? b->size : b->n) << 3,
            3);
        memcpy(out + n + 3, b->at, b->n);
        n += 3u + b->n;
    }
    memcpy(out + n, f->behind, f->behind_n);
    return n + f->behind_n;
}

/* ---- a compressed block ---- */

static int section_parts(parts *p, const uint8_t *at, uint32_t n)
{
    static const uint8_t last[3] = {35, 31, 52}, log[3] = {9, 8, 9};
    uint32_t here = p->end, i;

    if (here >= n)
        return 0;
    p->count = at[here++];
    if (p->count >= 128u && n - here >= 3u) {
        p->count = p->count == 255u ? 0x7f00u + word(at + here, 2) : (p->count - 128u) << 8 | at[here];
        here += at[p->end] == 255u ? 2u : 1u;
    }
    p->modes = 0;
    if (p->count == 0 || here >= n)
        return 1;
    p->modes = here++;
    for (i = 0; i < 3u; i++) {
        const unsigned mode = at[p->modes] >> (6u - 2u * i) & 3u;
        zs_counts d;

        p->table[i] = here;
        if (mode == 1u)
            here++;
        else if (mode == 2u && here < n)
            here += utet_zs_read_counts(&d, at + here, n - here, last[i], log[i]);
        if (here > n)
            return 0;
    }
    p->table[3] = here;
    return 1;
}

static int find_parts(parts *p, const block *b)
{
    static const uint8_t head[2][4] = {{1, 2, 1, 3}, {3, 3, 4, 5}}, width[2][4] = {{5, 12, 5, 20}, {10, 10, 14, 18}};
    uint32_t v[2] = {0, 0};

    if (b->type != 2u || b->n < 8u)
        return 0;
    p->type = b->at[0] & 3u;
    p->format = b->at[0] >> 2 & 3u;
    p->head = head[p->type >> 1][p->format];
    memcpy(v, b->at, 4); /* the host is little-endian, or the sizes are wrong: a mutant in either case */
    v[0] = word(b->at, 4);
    p->regenerated = v[0] >> (p->head == 1u ? 3 : 4) & ((1u << width[p->type >> 1][p->format]) - 1u);
    p->stored = p->type == 0 ? p->regenerated : 1u;
    if (p->type >= 2u) {
        const unsigned from = 4u + width[1][p->format];
        const uint64_t all = (uint64_t)v[0] | (uint64_t)b->at[4] << 32;

        p->stored = (uint32_t)(all >> from) & ((1u << width[1][p->format]) - 1u);
    }
    p->end = p->head + p->stored;
    if (p->end >= b->n)
        return 0;
    p->tree = p->head;
    if (p->type == 2u) {
        const uint32_t t = b->at[p->head];

        p->tree += 1u + (t < 128u ? t : (t - 126u) / 2u);
        if (p->tree > p->end)
            return 0;
    }
    return section_parts(p, b->at, b->n);
}

/* Replaces the bytes [from, to) of the block by the n bytes at p. */
static void replace(block *b, uint32_t from, uint32_t to, const uint8_t *p, uint32_t n)
{
    if (to < from || to > b->n || b->n - (to - from) + n > CONTENT)
        return;
    memmove(b->at + from + n, b->at + to, b->n - to);
    memcpy(b->at + from, p, n);
    b->n = b->n - (to - from) + n;
}

/* Writes the header of the literals again: their type and sizes. */
static uint32_t literals_head(uint8_t *out, unsigned type, unsigned format, uint32_t regenerated, uint32_t stored)
{
    static const uint8_t width[4] = {10, 10, 14, 18};

    if (type < 2u) {
        if (regenerated < 32u && (format & 1u) == 0) {
            put(out, type | (format & 2u) << 2 | regenerated << 3, 1);
            return 1;
        }
        if (regenerated < 4096u && format != 3u) {
            put(out, type | 1u << 2 | regenerated << 4, 2);
            return 2;
        }
        put(out, type | 3u << 2 | regenerated << 4, 3);
        return 3;
    }
    {
        uint64_t v = type | format << 2 | (uint64_t)regenerated << 4 | (uint64_t)stored << (4u + width[format]);

        put(out, (uint32_t)v, 4);
        out[4] = (uint8_t)(v >> 32);
        return format < 2u ? 3u : format + 2u;
    }
}

static void new_literals(block *b, const parts *p, unsigned type, uint32_t regenerated, uint32_t *seed)
{
    uint8_t made[CONTENT];
    uint32_t n = literals_head(made, type, zs_random(seed) % 4u, regenerated, 0), i,
             bytes = type == 0 ? regenerated : 1u;

    for (i = 0; i < bytes && n < sizeof made; i++)
        made[n++] = (uint8_t)zs_random(seed);
    replace(b, 0, p->end, made, n);
}

static void mutate_literals(block *b, const parts *p, unsigned kind, uint32_t *seed)
{
    uint8_t made[ZS_MADE];
    uint32_t r = zs_random(seed), n;

    switch (kind) {
    case ZS_LITERALS_RLE: new_literals(b, p, 1, p->regenerated, seed); break;
    case ZS_LITERALS_RAW: new_literals(b, p, 0, p->regenerated, seed); break;
    case ZS_LITERALS_ONE_MORE: new_literals(b, p, r % 2u, p->regenerated + 1u, seed); break;
    case ZS_LITERALS_ONE_LESS: new_literals(b, p, r % 2u, p->regenerated - (p->regenerated != 0), seed); break;
    case ZS_LITERALS_128K: new_literals(b, p, 1, 131071u + r % 3u, seed); break;
    case ZS_LITERALS_NONE: new_literals(b, p, r % 2u, 0, seed); break;
    case ZS_LITERALS_DRAWN:
        n = p->regenerated != 0 && p->regenerated < 1000u ? p->regenerated : 1u + r % 199u;
        replace(b, 0, p->end, made, (uint32_t)zs_made_literals(made, r, n));
        break;
    case ZS_LITERALS_HEADER: /* the same sizes in another format */
        if (p->type >= 2u && p->stored < 1024u && p->regenerated < 1024u)
            replace(b, 0, p->head, made,
                    literals_head(made, p->type, p->format == 0 ? 0 : 1u + r % 3u, p->regenerated, p->stored));
        else if (p->type < 2u)
            replace(b, 0, p->head, made, literals_head(made, p->type, r % 4u, p->regenerated, 0));
        break;
    case ZS_TREE_REPEATED: /* Treeless_Literals_Block of the same streams */
        if (p->type == 2u) {
            n = literals_head(made, 3, p->format, p->regenerated, p->end - p->tree);
            replace(b, 0, p->tree, made, n);
        }
        break;
    case ZS_TREE_DRAWN: /* another tree before the same streams */
        if (p->type == 2u) {
            uint8_t tree[ZS_MADE];
            uint32_t bytes = (uint32_t)zs_made_tree(tree, r);

            n = literals_head(made, 2, p->format, p->regenerated, p->stored - (p->tree - p->head) + bytes);
            if (bytes > 128u)
                break;
            memcpy(made + n, tree, bytes);
            replace(b, 0, p->tree, made, n + bytes);
        }
        break;
    case ZS_JUMP: /* the streams' borders: one moves, or all four get what one had */
        if (p->type >= 2u && p->format != 0 && p->end - p->tree >= 6u) {
            uint8_t *at = b->at + p->tree + 2u * (r % 3u);

            put(at, word(at, 2) + (r >> 4) % 3u - 1u, 2);
        }
        break;
    default: /* ZS_LITERAL_STREAM: one bit of it */
        if (p->end > p->tree)
            b->at[p->tree + r % (p->end - p->tree)] ^= (uint8_t)(1u << (r >> 16) % 8u);
        break;
    }
}

/* Gives table i another mode: removes its description, and inserts `n` bytes. */
static void new_table(block *b, const parts *p, unsigned i, unsigned mode, const uint8_t *made, uint32_t n)
{
    const unsigned shift = 6u - 2u * i;

    b->at[p->modes] = (uint8_t)((b->at[p->modes] & ~(3u << shift)) | mode << shift);
    replace(b, p->table[i], p->table[i + 1u], made, n);
}

static void mutate_sequences(block *b, const parts *p, unsigned kind, uint32_t *seed)
{
    static const uint8_t last[3] = {35, 31, 52}, log[3] = {9, 8, 9};
    uint8_t made[ZS_MADE];
    uint32_t r = zs_random(seed), i = r % 3u, n;

    if (kind == ZS_SEQUENCES_NONE) {
        replace(b, p->end, b->n, (const uint8_t *)"", 1);
        return;
    }
    if (kind == ZS_SEQUENCES_DRAWN || p->modes == 0) {
        n = (uint32_t)zs_made_sequences(made, r, 1u + r % 40u);
        replace(b, p->end, b->n, made, n);
        return;
    }
    switch (kind) {
    case ZS_COUNT_LONG: /* the same number in more bytes */
        put(made, 128u | p->count >> 8, 1);
        put(made + 1, p->count, 1);
        replace(b, p->end, p->modes, made, 2);
        break;
    case ZS_COUNT: /* one more or less */
        n = p->count + (r >> 8) % 3u - 1u;
        put(made, n < 128u ? n : 128u | n >> 8, 1);
        put(made + 1, n, 1);
        replace(b, p->end, p->modes, made, n < 128u ? 1u : 2u);
        break;
    case ZS_TABLE_DRAWN:
        new_table(b, p, i, 2, made, (uint32_t)zs_made_table(made, r, 2u + r % (last[i] - 1u), log[i]));
        break;
    case ZS_TABLE_RLE:
        made[0] = (uint8_t)((r >> 8) % (last[i] + 2u));
        new_table(b, p, i, 1, made, 1);
        break;
    case ZS_TABLE_PREDEFINED: new_table(b, p, i, 0, made, 0); break;
    case ZS_TABLE_REPEATED: new_table(b, p, i, 3, made, 0); break;
    case ZS_TABLES_EXCHANGED: /* the descriptions of two tables change places */
        if (p->table[3] - p->table[0] <= sizeof made) {
            const uint32_t a = p->table[1] - p->table[0], c = p->table[2] - p->table[1];
            const unsigned modes = b->at[p->modes];

            memcpy(made, b->at + p->table[1], c);
            memcpy(made + c, b->at + p->table[0], a);
            replace(b, p->table[0], p->table[2], made, a + c);
            b->at[p->modes] = (uint8_t)((modes & 0x0fu) | (modes >> 2 & 0x30u) | (modes << 2 & 0xc0u));
        }
        break;
    case ZS_STREAM_LONGER: /* bits that nobody reads: below, where the last ones are */
        made[0] = (uint8_t)r;
        replace(b, p->table[3], p->table[3], made, 1);
        break;
    case ZS_STREAM_SHORTER: replace(b, p->table[3], p->table[3] + 1u, made, 0); break;
    case ZS_STREAM_MARKER: /* the first bit moves */
        made[0] = (uint8_t)(1u << r % 8u);
        replace(b, b->n - 1u, b->n, made, 1);
        break;
    default: /* ZS_STREAM_BIT */
        if (b->n > p->table[3])
            b->at[p->table[3] + r % (b->n - p->table[3])] ^= (uint8_t)(1u << (r >> 16) % 8u);
        break;
    }
}

/* ---- blocks and frames ---- */

static block *insert(frame *f, unsigned type, uint32_t size, uint32_t n, uint32_t *seed)
{
    const uint32_t at = zs_random(seed) % (f->blocks + 1u);
    block *b = &f->block[at];
    uint32_t i;

    memmove(b + 1, b, (f->blocks - at) * sizeof *b);
    f->blocks++;
    b->type = type;
    b->size = size;
    b->n = n;
    for (i = 0; i < n; i++)
        b->at[i] = (uint8_t)zs_random(seed);
    return b;
}

static void mutate_blocks(frame *f, unsigned kind, uint32_t *seed)
{
    static block one;
    uint32_t r = zs_random(seed), i = r % f->blocks, k = (r >> 8) % f->blocks;
    block *b;

    switch (kind) {
    case ZS_BLOCK_TWICE:
        one = f->block[i];
        *insert(f, 0, 0, 0, seed) = one;
        break;
    case ZS_BLOCK_AWAY:
        if (f->blocks > 1u) {
            memmove(&f->block[i], &f->block[i + 1u], (f->blocks - i - 1u) * sizeof one);
            f->blocks--;
        }
        break;
    case ZS_BLOCKS_EXCHANGED:
        one = f->block[i];
        f->block[i] = f->block[k];
        f->block[k] = one;
        break;
    case ZS_RAW_NEW: (void)insert(f, 0, 0, r % 3u == 0 ? 0 : r % 1100u, seed); break;
    case ZS_RLE_NEW: (void)insert(f, 1, r % 3u == 0 ? 0 : r % 2000u, 1, seed); break;
    case ZS_RLE_128K: (void)insert(f, 1, 131071u + r % 3u, 1, seed); break;
    case ZS_RLE_LONG: f->block[i].type = 1, f->block[i].size = f->block[i].n, f->block[i].n = 1; break;
    case ZS_NOTHING_NEW:
        b = insert(f, 2, 0, 2, seed);
        memset(b->at, 0, 2);
        break;
    case ZS_DRAWN_NEW: /* complete sequences after literals */
        b = insert(f, 2, 0, 0, seed);
        b->n = (uint32_t)zs_made_literals(b->at, r, 1u + r % 300u);
        b->n += (uint32_t)zs_made_sequences(b->at + b->n, r >> 3, 1u + r % 30u);
        break;
    case ZS_LONG_NEW: /* a sequence of 64 KB and more, with and beyond 128 KiB */
    {
        uint8_t made[ZS_MADE];
        size_t n = zs_long(made, r % 300u);

        b = insert(f, 2, 0, 0, seed);
        memcpy(b->at, made + 9, n - 9u);
        b->n = (uint32_t)n - 9u;
        break;
    }
    case ZS_TYPE: f->block[i].type = (r >> 16) % 4u; break;
    default: /* ZS_LAST_MOVED */ f->ends = (uint8_t)(r % 3u); break;
    }
}

static void mutate_frame(frame *f, unsigned kind, uint32_t *seed)
{
    const uint32_t r = zs_random(seed);

    switch (kind) {
    case ZS_WINDOW: /* no content size, any window */
        f->head[4] &= 4u;
        f->head[5] = (uint8_t)(r % 0x60u);
        f->head_n = 6;
        break;
    case ZS_CONTENT_SIZE: /* one segment of a random size that fits */
        f->head[4] = (uint8_t)((f->head[4] & 4u) | 0x60u);
        put(f->head + 5, r % 5000u, 2);
        f->head_n = 7;
        break;
    default: /* ZS_CHECKSUM */
        f->head[4] ^= 4u;
        f->behind_n = 4u - f->behind_n;
        break;
    }
}

size_t zs_restructure(uint8_t *p, size_t len, size_t most, uint32_t *seed, unsigned *kind)
{
    static frame f;
    unsigned tries = 12;
    size_t n;

    if (!take_apart(&f, p, len))
        return 0;
    for (;;) {
        block *b = &f.block[zs_random(seed) % f.blocks];
        parts s;

        *kind = zs_random(seed) % ZS_MUTATIONS;
        if (*kind < ZS_OF_BLOCKS)
            mutate_frame(&f, *kind, seed);
        else if (*kind < ZS_OF_LITERALS)
            mutate_blocks(&f, *kind, seed);
        else if (!find_parts(&s, b) && tries-- != 0)
            continue; /* a block without such parts: another one is taken */
        else if (tries > 12u)
            return 0;
        else if (*kind < ZS_OF_SEQUENCES)
            mutate_literals(b, &s, *kind, seed);
        else
            mutate_sequences(b, &s, *kind, seed);
        break;
    }
    n = put_together(&f, p, most);
    if (n != 0 && n < most - 20u && zs_random(seed) % 16u == 0) { /* another frame, or a skippable one, after it */
        static const uint8_t more[2][12] = {{0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4},
                                            {0x28, 0xB5, 0x2F, 0xFD, 0x20, 2, 0x11, 0, 0, 'a', 'b', 0}};
        const unsigned which = zs_random(seed) % 2u;

        memcpy(p + n, more[which], 12);
        n += 12u - which;
    }
    return n;
}
