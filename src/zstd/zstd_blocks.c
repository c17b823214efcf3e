/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The state machine that INSIDE.md describes: frames, blocks, the headers inside compressed blocks, in the order of the
 * payload. A phase first makes its whole input addressable (which may suspend and changes nothing), then commits
 * (which cannot fail for I/O).
 */
#include "zstd_decoder.h"

/* Bytes of a header that are made addressable before its phase. */
static const uint8_t zs_peeked[ZS_P_TABLE_LL] = {18, 3, 4, 1, 6, 128, 6, 4};

/* Advances by n bytes of payload; the next phase begins after them, but no frame at the payload's end. */
void utet_zs_advance(utet_zstd *z, uint32_t n, unsigned phase)
{
    uint64_t left;

    z->rel = 0;
    z->where += n;
    left = z->length - z->where;
    z->size = left >> 32 != 0 ? 0xffffffffu : (uint32_t)left;
    if (phase == ZS_P_FRAME && left == 0)
        phase = ZS_P_END;
    z->phase = (uint8_t)phase;
}

/* The beginning of a frame, or of a skippable one. */
static utet_status frame_phase(utet_zstd *z)
{
    zs_header *const h = &z->frame;
    utet_status status = utet_zs_header(h, z->head, z->have);

    if (status != UTET_OK)
        return status;
    if (h->skippable) {
        if (h->bytes > z->length - z->where)
            return UTET_E_PAYLOAD;
        z->where += h->bytes;
        if (h->bytes > UINT32_MAX / 2u)
            z->hold_have = 0; /* its position is kept modulo 2^32 */
        utet_zs_advance(z, 0, ZS_P_FRAME);
        return UTET_OK;
    }
    utet_zs_advance(z, (uint32_t)h->bytes, ZS_P_BLOCK);
    if (z->ring && h->window > z->buf_size - ZS_OVERRUN) /* the header has changed since memory was divided */
        return UTET_E_PAYLOAD;
    z->window = h->window;
    z->produced = 0;
    z->rep[0] = 1;
    z->rep[1] = 4;
    z->rep[2] = 8;
    z->valid = 0;
    z->tree_bits = 0;
    if (UTET_ZSTD_CHECKSUM && h->checksum)
        utet_zs_xxh_begin(&z->stage.xxh);
    return UTET_OK;
}

/* After the frame's last block. */
static utet_status checksum_phase(utet_zstd *z)
{
    if (z->have < 4u)
        return UTET_E_PAYLOAD;
    if (!UTET_ZSTD_CHECKSUM)
        z->frame.unverified |= 1u;
    else if (zs_le32(z->head) != utet_zs_xxh_end(&z->stage.xxh, z->produced))
        return UTET_E_CHECKSUM;
    utet_zs_advance(z, 4, ZS_P_FRAME);
    return UTET_OK;
}

/* The block's content is complete. */
static utet_status end_block(utet_zstd *z)
{
    unsigned phase = ZS_P_BLOCK;

    utet_zs_account(z);
    if (z->last_block)
        phase = z->frame.checksum ? ZS_P_CHECKSUM : ZS_P_FRAME;
    utet_zs_advance(z, z->size, phase);
    if (z->last_block && z->frame.content != ZS_UNKNOWN && z->frame.content != z->produced)
        return UTET_E_PAYLOAD;
    return UTET_OK;
}

static utet_status block_phase(utet_zstd *z)
{
    static const uint8_t phase[3] = {ZS_P_RAW, ZS_P_RLE, ZS_P_LITERALS};
    uint32_t header, type, size;

    if (z->have < 3u)
        return UTET_E_PAYLOAD;
    header = zs_block_header(z->head);
    type = header >> 1 & 3u;
    size = header >> 3;
    z->last_block = header & 1u;
    z->block_left = z->window < ZS_BLOCK_SIZE_MAX ? z->window : ZS_BLOCK_SIZE_MAX; /* Block_Maximum_Size */
    /* A compressed block of a frame without content is legal (errata: 0 literals, 0
     * sequences). So only the absolute maximum limits its stored size. */
    if (type == 3u || size > (type == 2u ? ZS_BLOCK_SIZE_MAX : z->block_left))
        return UTET_E_PAYLOAD;
    utet_zs_advance(z, 3, phase[type]);
    z->left.rle = size;
    if (type == 1u)
        size = 1;
    if (size > z->size)
        return UTET_E_PAYLOAD;
    z->size = size;
    z->at_hand = zs_mapped(z) || size <= zs_caches(z->cache_size);
    utet_zs_set_stop(z);
    return UTET_OK;
}

static utet_status raw_phase(utet_zstd *z)
{
    if (UTET_ZSTD_READ && z->at_hand && !zs_mapped(z)) { /* into the header buffer */
        utet_status status = utet_zs_peek(z, z->size);

        if (status != UTET_OK)
            return status;
    }
    while (z->rel != z->size) {
        uint32_t n = zs_room(z);
        utet_status status;

        if (n == 0)
            return utet_zs_no_room(z);
        if (n > z->size - z->rel)
            n = z->size - z->rel;
        status = utet_zs_direct(z, z->rel, n);
        if (status != UTET_OK)
            return status;
        z->rel += (uint32_t)z->got;
    }
    return end_block(z);
}

static utet_status rle_phase(utet_zstd *z)
{
    uint32_t n = zs_room(z) < z->left.rle ? zs_room(z) : z->left.rle;

    memset(z->out, *z->head, (size_t)n);
    z->out += n;
    z->left.rle -= n;
    return z->left.rle != 0 ? utet_zs_no_room(z) : end_block(z);
}

/* Format, "Literals_Section_Header". */
static utet_status literals_phase(utet_zstd *z)
{
    /* bits of Regenerated_Size and Compressed_Size by type and Size_Format */
    static const uint8_t widths[2][4] = {{5, 12, 5, 20}, {10, 10, 14, 18}};
    const uint8_t *p = z->head;
    unsigned type, format, width, at = 4;
    uint32_t bits, regenerated, stored = 1, n;

    if (z->size == 0)
        return UTET_E_PAYLOAD;
    type = *p & 3u;
    format = *p >> 2 & 3u;
    width = widths[type >> 1][format];
    if (width == 5u)
        at = 3;
    bits = utet_zs_forward_bits(p, z->size, at);
    regenerated = ZS_LOW(bits, width);
    at += width;
    z->lit_type = (uint8_t)type;
    z->phase = ZS_P_SECTION;
    z->streams_left = 0;
    z->stream_open = 0;
    if (type == ZS_RAW)
        stored = regenerated;
    if (type >= ZS_HUFFMAN) {
        stored = ZS_LOW(width == 10u ? bits >> 10 : utet_zs_forward_bits(p, z->size, at), width);
        at += width;
        z->phase = type == ZS_HUFFMAN ? ZS_P_TREE : ZS_P_JUMP;
        if (type == ZS_TREELESS && z->tree_bits == 0)
            return UTET_E_PAYLOAD;
        z->streams_left = 1;
        if (format != 0) {
            z->streams_left = 4;
            if (regenerated < 6u)
                return UTET_E_PAYLOAD;
        }
        z->quarter = (regenerated + 3u) / 4u;
    }
    n = at >> 3;
    if (regenerated > z->block_left || n + stored >= z->size)
        return UTET_E_PAYLOAD;
    z->lit_at = n;
    z->lit_end = n + stored;
    z->rel = type >= ZS_HUFFMAN ? n : z->lit_end;
    z->left.literals = regenerated;
    z->stream_left = 0;
    z->lit.top = p + n;
    if (type == ZS_RLE || (type == ZS_RAW && zs_at_hand(z))) { /* fetched from the beginning */
        z->rle = p[n];
        z->stream_left = regenerated;
        z->left.literals = 0;
    }
    return UTET_OK;
}

static utet_status tree_phase(utet_zstd *z)
{
    uint32_t n = *z->head;

    n = 1u + (n < 128u ? n : (n - 126u) / 2u);
    if (n > z->have || n > z->lit_end - z->rel || !utet_zs_huffman_tree(z, z->head, n))
        return UTET_E_PAYLOAD;
    z->rel += n;
    z->phase = ZS_P_JUMP;
    return UTET_OK;
}

static utet_status jump_phase(utet_zstd *z)
{
    uint32_t left = z->lit_end - z->rel, i;

    if (z->streams_left == 4u) {
        const uint8_t *p = z->head;

        if (left < 6u)
            return UTET_E_PAYLOAD;
        left -= 6u;
        z->rel += 6u;
        for (i = 0; i < 3u; i++, p += 2) {
            z->jump[i] = (uint16_t)(p[0] | (unsigned)p[1] << 8);
            if (z->jump[i] > left)
                return UTET_E_PAYLOAD;
            left -= z->jump[i];
        }
    }
    z->lit_at = z->rel;
    z->rel = z->lit_end;
    z->phase = ZS_P_SECTION;
    return UTET_OK;
}

/* Format, "Sequences_Section_Header". */
static utet_status section_phase(utet_zstd *z)
{
    const uint32_t bits = utet_zs_forward_bits(z->head, z->have, 0); /* zeros after the block's end */
    uint32_t count = bits & 255u, n = 1;

    if (count == 255u) {
        count = 0x7f00u + (bits >> 8 & 0xffffu);
        n = 3;
    } else if (count >= 128u) {
        count = (count - 128u) << 8 | (bits >> 8 & 255u);
        n = 2;
    }
    z->sequences = count;
    z->phase = ZS_P_REST;
    if (count != 0) {
        z->phase = ZS_P_TABLE_LL;
        if (n >= z->have)
            return UTET_E_PAYLOAD;
        z->modes = z->head[n++];
        if ((z->modes & 3u) != 0)
            return UTET_E_PAYLOAD;
    }
    z->rel += n;
    if (count == 0 && z->rel != z->size)
        return UTET_E_PAYLOAD;
    return UTET_OK;
}

/* The table of phase ZS_P_TABLE_LL … ML, of the mode that the header gives. */
static utet_status table_phase(utet_zstd *z)
{
    unsigned i = z->phase - (unsigned)ZS_P_TABLE_LL, bit = 1u << i;
    unsigned mode = (unsigned)z->modes >> (6u - 2u * i) & 3u; /* Predefined, RLE, FSE_Compressed, Repeat */

    if (mode == 3u) {
        if ((z->valid & bit) == 0)
            return UTET_E_PAYLOAD;
    } else if (mode != 0 || (z->predefined & bit) == 0) {
        utet_status status = mode != 0 ? utet_zs_peek(z, 80) : UTET_OK;
        int bytes;

        if (status != UTET_OK)
            return status;
        z->predefined = (uint8_t)(mode == 0 ? z->predefined | bit : z->predefined & ~bit);
        bytes = utet_zs_sequence_table(z, i, mode, z->head, z->have);
        if (bytes < 0)
            return UTET_E_PAYLOAD;
        z->rel += (uint32_t)bytes;
    }
    z->valid = (uint8_t)(z->valid | bit);
    z->phase++;
    return UTET_OK;
}

/* Opens the sequences' bit stream. */
static utet_status stream_phase(utet_zstd *z)
{
    utet_zs_cursor_open(z, &z->seq, z->rel, z->size);
    z->phase = ZS_P_STATES;
    return UTET_OK;
}

/* Format, "Starting states". */
static utet_status states_phase(utet_zstd *z)
{
    utet_status status = utet_zs_cursor_start(z, &z->seq, 8u + 26u);
    unsigned i;

    if (status != UTET_OK)
        return status;
    for (i = 0; i < 3u; i++)
        /* packed: with the table's size added (zstd_layout_packed.h) */
        z->state[i] = (uint16_t)utet_zs_long_field(z->packed, &z->seq, z->log[i]);
    z->phase = ZS_P_SEQUENCES;
    return z->seq.used <= z->seq.limit ? UTET_OK : UTET_E_PAYLOAD;
}

static utet_status sequences_phase(utet_zstd *z)
{
    if ((z->ll | z->ml) != 0)
        return utet_zs_finish(z);
    if (z->sequences != 0) {
        zs_cursor *dry = ZS_CALL(z, sequences)(z);

        return dry == NULL ? UTET_OK : utet_zs_cursor_refill(z, dry);
    }
    z->phase = ZS_P_REST;
    return zs_cursor_done(&z->seq) ? UTET_OK : UTET_E_PAYLOAD;
}

/* The literals after the last sequence, then the ends of all literal streams. */
static utet_status rest_phase(utet_zstd *z)
{
    utet_status status;

    if (!z->at_hand)
        z->hold_have = 0; /* the streams have used the caches, which are the header buffer */
    z->ll = z->stream_left + z->left.literals;
    status = utet_zs_take_literals(z);
    while (status == UTET_OK && z->streams_left != 0)
        status = utet_zs_next_stream(z);
    if (status != UTET_OK)
        return status;
    if (z->lit_type >= ZS_HUFFMAN && !zs_cursor_done(&z->lit))
        return UTET_E_PAYLOAD;
    return end_block(z);
}

/* The payload fits into memory: it is read once, from its start, and is then treated as mapped. */
static utet_status load_phase(utet_zstd *z)
{
    while (z->hold_have < z->length) {
        utet_status status = utet_zs_fetch(z, (uint32_t)z->hold_have, z->lit.cache + z->hold_have,
                                           (size_t)z->length - z->hold_have);

        if (status != UTET_OK)
            return status;
        z->hold_have += z->got;
    }
    z->map = z->lit.cache;
    z->phase = ZS_P_FRAME;
    return UTET_OK;
}

/* Runs phases until the payload has ended (UTET_END), the slice is full and there is more to
 * put out (ZS_FULL), a phase returns another status, or there were as many as z->step_limit says (UTET_OK). */
utet_status utet_zs_run(utet_zstd *z)
{
    uint32_t turns = z->step_limit; /* 0: more than any call makes */
    utet_status status;

    do {
        const unsigned phase = z->phase;

        if (phase < ZS_P_TABLE_LL) {
            /* the content of a block that is at hand: all of it */
            int all = UTET_ZSTD_READ && phase == ZS_P_LITERALS && z->at_hand;

            status = utet_zs_peek(z, all ? z->size : zs_peeked[phase]);
            if (status != UTET_OK)
                return status;
        }
        switch (phase) {
        case ZS_P_FRAME: status = frame_phase(z); break;
        case ZS_P_BLOCK: status = block_phase(z); break;
        case ZS_P_CHECKSUM: status = checksum_phase(z); break;
        case ZS_P_RLE: status = rle_phase(z); break;
        case ZS_P_LITERALS: status = literals_phase(z); break;
        case ZS_P_TREE: status = tree_phase(z); break;
        case ZS_P_JUMP: status = jump_phase(z); break;
        case ZS_P_SECTION: status = section_phase(z); break;
        case ZS_P_TABLE_LL:
        case ZS_P_TABLE_OF:
        case ZS_P_TABLE_ML: status = table_phase(z); break;
        case ZS_P_STREAM: status = stream_phase(z); break;
        case ZS_P_STATES: status = states_phase(z); break;
        case ZS_P_SEQUENCES: status = sequences_phase(z); break;
        case ZS_P_REST: status = rest_phase(z); break;
        case ZS_P_RAW: status = raw_phase(z); break;
        case ZS_P_LOAD: status = UTET_ZSTD_READ ? load_phase(z) : UTET_END; break;
        default: return UTET_END;
        }
    } while (status == UTET_OK && (--turns != 0 || z->phase == ZS_P_END));
    return status;
}
