/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Statuses of payloads, of their codecs and of the memory that they need; suite_status.c explains the rest. */
#include "statusworld.h"

/* Replaces chunk 0 of "z" (which has room for more) with `payload`. */
static void replace_payload(world *w, const uint8_t *payload, size_t size, uint64_t raw)
{
    uint8_t *at = row(w, FIRST_Z);
    assert_true(size <= tetgen_get(at + 88, 8));
    memcpy(w->bytes + tetgen_get(at + 72, 8), payload, size);
    tetgen_put(at + 88, size, 8);
    if (raw)
        tetgen_put(at + 80, raw, 8);
}

enum { TILE = 64 * 96 * 4 };
/* A raw block of `n` bytes in a frame of its own: magic, header without checksum and size, window 128 KiB. */
static size_t raw_frame(uint8_t *to, unsigned n)
{
    tetgen_put(to, 0xFD2FB528u, 4);
    to[4] = 0;
    to[5] = 0x38;
    tetgen_put(to + 6, 1u | n << 3, 3);
    memset(to + 9, 0x55, n);
    return 9 + n;
}

/* A second frame that cannot be decoded, after a good one: it is noticed while reading, not before. */
static void second_frame(world *w, const uint8_t *head, size_t size)
{
    static uint8_t payload[4096];
    size_t n = raw_frame(payload, 1000);
    memcpy(payload + n, head, size);
    replace_payload(w, payload, n + size, 0);
}
static utet_status decode(world *w, unsigned call)
{
    utet_status status;
    open_world(w);
    if (call == SNEED || call == SLAB || call == MOVE || call == RUN || call == INTO) {
        ready_slab(w);
        if (call == RUN || call == INTO)
            DRIVE_OK(do_slab(w));
    } else {
        chunk_of_z(w);
        if (call == READ || call == SKIP)
            DRIVE_OK(do_sopen(w));
    }
    if (call == RUN)
        return do_runs(w);
    DRIVE(status, calls[call].call(w));
    return status;
}
/* In the first frame, need and open report it (for a slab, if its budget makes it read the frame). After a good first
 * frame, the calls that decode report it. */
#define FRAME(name, head)                         \
    static utet_status p_##name##_need(world *w)  \
    {                                             \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, NEED);                   \
    }                                             \
    static utet_status p_##name##_sopen(world *w) \
    {                                             \
        w->work = 1000;                           \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, SOPEN);                  \
    }                                             \
    static utet_status p_##name##_load(world *w)  \
    {                                             \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, LOAD);                   \
    }                                             \
    static utet_status p_##name##_sneed(world *w) \
    {                                             \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, SNEED);                  \
    }                                             \
    static utet_status p_##name##_slab(world *w)  \
    {                                             \
        w->work = 1000;                           \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, SLAB);                   \
    }                                             \
    static utet_status p_##name##_move(world *w)  \
    {                                             \
        w->work = 1000;                           \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, MOVE);                   \
    }                                             \
    static utet_status p_##name##_read(world *w)  \
    {                                             \
        second_frame(w, head, sizeof head);       \
        return decode(w, READ);                   \
    }                                             \
    static utet_status p_##name##_skip(world *w)  \
    {                                             \
        second_frame(w, head, sizeof head);       \
        return decode(w, SKIP);                   \
    }                                             \
    static utet_status p_##name##_run(world *w)   \
    {                                             \
        second_frame(w, head, sizeof head);       \
        return decode(w, RUN);                    \
    }                                             \
    static utet_status p_##name##_into(world *w)  \
    {                                             \
        second_frame(w, head, sizeof head);       \
        return decode(w, INTO);                   \
    }
FRAME(window, badframes_window)
FRAME(dict, badframes_dictionary)
FRAME(legacy, badframes_legacy)
FRAME(payload, badframes_garbage)

/* A frame with a wrong checksum, which is known when its last byte is delivered. */
static void bad_checksum(world *w)
{
    static uint8_t payload[32];
    static const uint8_t rle[] = {0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x38, 0x03, 0x00, 0x03, 0x11, 1, 2, 3, 4};
    memcpy(payload, rle, sizeof rle);
    tetgen_put(payload + 6, 1u | 1u << 1 | (unsigned)TILE << 3, 3); /* one RLE block of the complete tile */
    replace_payload(w, payload, sizeof rle, 0);
}
static utet_status p_checksum_read(world *w)
{
    bad_checksum(w);
    return decode(w, READ);
}
static utet_status p_checksum_skip(world *w)
{
    bad_checksum(w);
    return decode(w, SKIP);
}
static utet_status p_checksum_load(world *w)
{
    bad_checksum(w);
    return decode(w, LOAD);
}
static utet_status p_checksum_run(world *w)
{
    bad_checksum(w);
    return decode(w, RUN);
}
static utet_status p_checksum_into(world *w)
{
    bad_checksum(w);
    return decode(w, INTO);
}

static utet_status no_codec(world *w, unsigned call)
{
    w->r.codecs[0] = NULL;
    return decode(w, call);
}
static utet_status p_codec_need(world *w)
{
    return no_codec(w, NEED);
}
static utet_status p_codec_sopen(world *w)
{
    return no_codec(w, SOPEN);
}
static utet_status p_codec_load(world *w)
{
    return no_codec(w, LOAD);
}
static utet_status p_codec_sneed(world *w)
{
    return no_codec(w, SNEED);
}
static utet_status p_codec_slab(world *w)
{
    return no_codec(w, SLAB);
}
static utet_status p_codec_move(world *w)
{
    return no_codec(w, MOVE);
}

static utet_status small_budget(world *w, unsigned call)
{
    w->work = 1000;
    utet_status status = decode(w, call);
    assert_true(w->r.file.needed > 1000);
    return status;
}
static utet_status p_budget_sopen(world *w)
{
    return small_budget(w, SOPEN);
}
static utet_status p_budget_load(world *w)
{
    return small_budget(w, LOAD);
}
static utet_status p_budget_slab(world *w)
{
    return small_budget(w, SLAB);
}
static utet_status p_budget_move(world *w)
{
    return small_budget(w, MOVE);
}

static utet_status p_space_load(world *w)
{
    open_world(w);
    chunk_of_z(w);
    return utet_stream_load(&w->s, &w->r.file, &w->c, w->out, TILE - 1);
}
static utet_status p_space_into(world *w)
{
    open_world(w);
    ready_run(w);
    assert_int_equal(utet_slab_read_all(&w->slab, w->out, TILE - 1), UTET_E_SPACE);
    DRIVE_OK(do_into(w)); /* does not stick */
    DRIVE_OK(do_slab(w));
    return utet_slab_read_all(&w->slab, w->out, 0);
}

/* Rows that change between opening a slab and reading it. */
static utet_status changed_row(world *w, unsigned call, unsigned field, uint64_t value)
{
    open_world(w);
    ready_run(w);
    tetgen_put(row(w, FIRST_Z) + field, value, 8);
    utet_status status;
    DRIVE(status, calls[call].call(w));
    return status;
}
static utet_status p_row_run(world *w)
{
    return changed_row(w, RUN, 80, 5);
}
static utet_status p_row_into(world *w)
{
    return changed_row(w, INTO, 80, 5);
}
static utet_status p_missing_run(world *w)
{
    return changed_row(w, RUN, 8, 5);
}
static utet_status p_missing_into(world *w)
{
    return changed_row(w, INTO, 8, 5);
}

/* chunk_load of a chunk whose row the caller has made up. */
static utet_status made_up(world *w, unsigned call)
{
    utet_status status;
    open_world(w);
    chunk_of_z(w);
    w->c.payload_offset = w->g.size - 3;
    DRIVE(status, calls[call].call(w));
    return status;
}
static utet_status p_row_need(world *w)
{
    return made_up(w, NEED);
}
static utet_status p_row_sopen(world *w)
{
    return made_up(w, SOPEN);
}
static utet_status p_row_load(world *w)
{
    return made_up(w, LOAD);
}

/* A chunk of no bytes is checked when it is opened. */
static utet_status p_checksum_sopen(world *w)
{
    static const uint8_t empty[] = {0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x38, 0x01, 0x00, 0x00, 1, 2, 3, 4};
    utet_status status;
    replace_payload(w, empty, sizeof empty, 0);
    open_world(w);
    DRIVE_OK(utet_row_first(&w->r.file, &w->c));
    while (w->c.codec == UTET_CODEC_RAW)
        DRIVE_OK(utet_row_next(&w->r.file, &w->c));
    w->c.raw_byte_len = 0;
    w->c.stored_byte_len = sizeof empty;
    DRIVE(status, do_sopen(w));
    return status;
}

static const cause causes[] = {
#define F(name, status)                                                                                      \
    {NEED, status, p_##name##_need}, {SOPEN, status, p_##name##_sopen}, {LOAD, status, p_##name##_load},     \
        {SNEED, status, p_##name##_sneed}, {SLAB, status, p_##name##_slab}, {MOVE, status, p_##name##_move}, \
        {READ, status, p_##name##_read}, {SKIP, status, p_##name##_skip}, {RUN, status, p_##name##_run},     \
    {                                                                                                        \
        INTO, status, p_##name##_into                                                                        \
    }
    F(window, UTET_E_ZSTD_WINDOW),
    F(dict, UTET_E_ZSTD_DICT),
    F(legacy, UTET_E_ZSTD_LEGACY),
    F(payload, UTET_E_PAYLOAD),
#undef F
    {RUN, UTET_E_ROW, p_row_run},
    {INTO, UTET_E_ROW, p_row_into},
    {RUN, UTET_E_MISSING, p_missing_run},
    {INTO, UTET_E_MISSING, p_missing_into},
    {NEED, UTET_E_ROW, p_row_need},
    {SOPEN, UTET_E_ROW, p_row_sopen},
    {LOAD, UTET_E_ROW, p_row_load},
    {SOPEN, UTET_E_CHECKSUM, p_checksum_sopen},
    {READ, UTET_E_CHECKSUM, p_checksum_read},
    {SKIP, UTET_E_CHECKSUM, p_checksum_skip},
    {LOAD, UTET_E_CHECKSUM, p_checksum_load},
    {RUN, UTET_E_CHECKSUM, p_checksum_run},
    {INTO, UTET_E_CHECKSUM, p_checksum_into},
    {NEED, UTET_E_CODEC, p_codec_need},
    {SOPEN, UTET_E_CODEC, p_codec_sopen},
    {LOAD, UTET_E_CODEC, p_codec_load},
    {SNEED, UTET_E_CODEC, p_codec_sneed},
    {SLAB, UTET_E_CODEC, p_codec_slab},
    {MOVE, UTET_E_CODEC, p_codec_move},
    {SOPEN, UTET_E_BUDGET, p_budget_sopen},
    {LOAD, UTET_E_BUDGET, p_budget_load},
    {SLAB, UTET_E_BUDGET, p_budget_slab},
    {MOVE, UTET_E_BUDGET, p_budget_move},
    {LOAD, UTET_E_SPACE, p_space_load},
    {INTO, UTET_E_SPACE, p_space_into},
};

int main(int argc, char **argv)
{
    return run_causes("payloadstatus", causes, sizeof causes / sizeof causes[0], argc, argv);
}
