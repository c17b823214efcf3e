/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A suspended call that is repeated with a smaller size, or with other memory, stays within the memory that it is
 * given. Each call with a destination is suspended at each of its bytes. The memory ends at an unmapped page. The
 * repetition returns UTET_E_STATE, and the call stays suspended and can continue. suite_otherwise has calls on folds,
 * queries and texts.
 */
#include "rig.h"
#include "suite.h"
#include "tetgen.h"
#include "tgmgen.h"
#include "utet_lz4.h"
#include "utet_tensogram_data.h"

#include <string.h>

enum { ELEMENTS = 24, MOST = 8 * ELEMENTS, WORK = 1 << 16 };

static rig r;
static tgmgen made;
static guard large, small, other; /* destinations */
static utet_message message;
static utet_frame frame;
static utet_object object;
static utet_metadata metadata;
static utet_cbor reader;
static utet_item value;
static utet_tensor tensor;
static utet_tensor_slab slab;
static size_t got;

/* ---- what is read ---- */

#define DESCRIPTOR(dtype, more)                                                          \
    "{\"type\":\"ntensor\",\"ndim\":1,\"shape\":[24],\"strides\":[1],\"dtype\":\"" dtype \
    "\",\"byte_order\":\"little\",\"filter\":\"none\",\"compression\":\"none\"," more "}"

static const char *const descriptors[] = {
    DESCRIPTOR("float64", "\"encoding\":\"none\""), DESCRIPTOR("int16", "\"encoding\":\"none\""),
    DESCRIPTOR("bitmask", "\"encoding\":\"none\""),
    DESCRIPTOR("float64", "\"encoding\":\"simple_packing\",\"sp_reference_value\":1.5,\"sp_binary_scale_factor\":0,"
                          "\"sp_decimal_scale_factor\":0,\"sp_bits_per_value\":12")};
static const size_t payloads[] = {192, 48, 3, 36};
enum { KINDS = 4, BITMASK = 2 };

static void open_message(void)
{
    unsigned i;

    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA,
                 "{\"_extra_\":{\"t\":\"a text of some length, which is more than what a reader keeps of a token\"}}");
    for (i = 0; i < KINDS; i++)
        tgmgen_tensor(&made, descriptors[i], payloads[i], 0);
    tgmgen_end(&made);
    rig_make(&r, made.bytes, made.size, -1);
    rig_start(&r, WORK, GUARD_AFTER);
    faultport_zone(&r.port, 1, large.data, large.size);
    faultport_zone(&r.port, 2, small.data, small.size);
    faultport_zone(&r.port, 3, other.data, other.size);
    assert_int_equal(utet_messages_open(&r.file, NULL), UTET_OK);
    DRIVE_OK(utet_message_first(&r.file, &message));
}

static void at_text(unsigned kind)
{
    (void)kind;
    open_message();
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
    DRIVE_OK(utet_metadata_find_dotted(&metadata, "t", 1, &value));
}

static void at_token(unsigned kind)
{
    at_text(kind);
    assert_int_equal(
        utet_cbor_open(&reader, &r.file, metadata.frame.content_offset, metadata.frame.content_length, NULL, 0),
        UTET_OK);
    do
        DRIVE_OK(utet_cbor_next(&reader));
    while (reader.token != UTET_CBOR_TEXT || reader.length < 40);
}

static void at_tensor(unsigned kind)
{
    open_message();
    DRIVE_OK(utet_object_find(&object, &r.file, &message, kind, &frame, &reader));
    DRIVE_OK(utet_tensor_open(&tensor, &r.file, &object));
}

static void at_slab(unsigned kind)
{
    static const utet_range range = {1, ELEMENTS, 2};

    at_tensor(kind);
    assert_int_equal(utet_tensor_slab_open(&slab, &tensor, &range), UTET_OK);
}

/* A tensor in one chunk; raw if kind is 0, otherwise compressed with that codec. */
static tetgen tet;
static utet_dataset dataset;
static utet_chunk chunk;
static utet_stream stream;
static utet_slab tiles;

enum { NUMBERS = 900 };

static void at_chunk(unsigned kind)
{
    static tetgen_dataset numbers = {"numbers", 7, UTET_U8, 1, {NUMBERS}, {NUMBERS}, TETGEN_RAW};

    tetgen_free(&tet);
    memset(&tet, 0, sizeof tet);
    numbers.codec = kind != 0 ? TETGEN_ZSTD : TETGEN_RAW;
    tet.datasets = &numbers;
    tet.count = 1;
    tet.seed = 7;
    tetgen_build(&tet);
    rig_make(&r, tet.bytes, tet.size, (int)kind - 1);
    assert_int_equal(rig_open(&r, WORK, 0), UTET_OK);
    faultport_zone(&r.port, 1, large.data, large.size);
    faultport_zone(&r.port, 2, small.data, small.size);
    faultport_zone(&r.port, 3, other.data, other.size);
    DRIVE_OK(utet_dataset_first(&r.file, &dataset));
    DRIVE_OK(utet_row_first(&r.file, &chunk));
}

static void at_stream(unsigned kind)
{
    at_chunk(kind);
    DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
}

static void at_tiles(unsigned kind)
{
    static const utet_range whole = {0, NUMBERS, 1};

    at_chunk(kind);
    DRIVE_OK(utet_slab_open(&tiles, &r.file, &dataset, &whole));
}

static void at_sparse_tiles(unsigned kind)
{
    static const utet_range some = {0, NUMBERS, 90};

    at_chunk(kind);
    DRIVE_OK(utet_slab_open(&tiles, &r.file, &dataset, &some));
}

/* ---- the calls; units: how many bytes one unit of `size` has ---- */

static utet_status name_of(void *to, size_t size)
{
    return utet_dataset_name(&r.file, &dataset, 0, to, size);
}

static utet_status read_stream(void *to, size_t size)
{
    return utet_stream_read(&stream, to, size, &got);
}

static utet_status load_chunk(void *to, size_t size)
{
    return utet_stream_load(&stream, &r.file, &chunk, to, size);
}

static utet_status gather(void *to, size_t size)
{
    return utet_slab_read_all(&tiles, to, size);
}

static utet_status token_text(void *to, size_t size)
{
    return utet_cbor_text(&reader, 1, to, size);
}

static utet_status item_text(void *to, size_t size)
{
    return utet_item_text(&metadata.reader, &value, 1, to, size);
}

static utet_status read_tensor(void *to, size_t size)
{
    return utet_tensor_read(&tensor, to, size, &got);
}

static utet_status read_floats(void *to, size_t size)
{
    return utet_tensor_floats(&tensor, to, size, &got);
}

static utet_status read_doubles(void *to, size_t size)
{
    return utet_tensor_doubles(&tensor, to, size, &got);
}

static utet_status read_slab(void *to, size_t size)
{
    return utet_tensor_slab_read(&slab, to, size, &got);
}

static utet_status slab_floats(void *to, size_t size)
{
    return utet_tensor_slab_floats(&slab, to, size, &got);
}

static utet_status slab_doubles(void *to, size_t size)
{
    return utet_tensor_slab_doubles(&slab, to, size, &got);
}

static const struct call {
    const char *name;
    void (*before)(unsigned kind);
    utet_status (*go)(void *to, size_t size);
    size_t unit, least, most; /* sizes: the smaller one, the first one */
} calls[] = {
    {"utet_cbor_text", at_token, token_text, 1, 3, 60},
    {"utet_item_text", at_text, item_text, 1, 3, 60},
    {"utet_tensor_read", at_tensor, read_tensor, 1, 2, 100},
    {"utet_tensor_floats", at_tensor, read_floats, sizeof(float), 2, 20},
    {"utet_tensor_doubles", at_tensor, read_doubles, sizeof(double), 2, 20},
    {"utet_tensor_slab_read", at_slab, read_slab, 1, 2, 90},
    {"utet_tensor_slab_floats", at_slab, slab_floats, sizeof(float), 2, 11},
    {"utet_tensor_slab_doubles", at_slab, slab_doubles, sizeof(double), 2, 11},
};

static const struct call chunk_calls[] = {
    {"utet_stream_read", at_stream, read_stream, 1, 2, 100}, /* raw: through the window */
    {"utet_stream_read", at_stream, read_stream, 1, 2, NUMBERS},
    {"utet_stream_load", at_chunk, load_chunk, 1, 2, NUMBERS},
    {"utet_slab_read_all", at_tiles, gather, 1, 2, NUMBERS},
    {"utet_slab_read_all", at_sparse_tiles, gather, 1, 2, 10},
};

/* Begins the call and repeats it `turns` times while it is suspended; returns 0 if it has ended before that. */
static int suspended(const struct call *c, unsigned kind, unsigned turns)
{
    utet_status status;

    c->before(kind);
    memset(large.data, 0, large.size);
    r.port.slice = 1;
    r.port.blocks = 1;
    r.file.priv.held = 0;
    do
        status = c->go(large.data + (large.size - c->most * c->unit), c->most);
    while (status == UTET_WOULD_BLOCK && turns-- != 0);
    return status == UTET_WOULD_BLOCK;
}

/* At each position, `step` apart: a smaller size at an unmapped page, then other memory. The call stays suspended, and
 * then continues to its end. */
static void repeated(const struct call *c, unsigned kind, unsigned step)
{
    static uint8_t right[NUMBERS];
    unsigned turns;

    c->before(kind);
    memset(large.data, 0, large.size);
    DRIVE_OK(c->go(large.data + (large.size - c->most * c->unit), c->most));
    memcpy(right, large.data + (large.size - c->most * c->unit), c->most * c->unit);
    rig_end(&r, c->name);
    for (turns = 0; suspended(c, kind, turns); turns += step) {
        uint8_t *const to = large.data + (large.size - c->most * c->unit);
        utet_status status;

        suite_check(c->go(small.data + (small.size - c->least * c->unit), c->least) == UTET_E_STATE, "%s, %u: smaller",
                    c->name, turns);
        suite_check(c->go(other.data + (other.size - c->most * c->unit), c->most) == UTET_E_STATE, "%s, %u: elsewhere",
                    c->name, turns);
        suite_check(c->go(to, c->most - 1) == UTET_E_STATE, "%s, %u: one less", c->name, turns);
        DRIVE(status, c->go(to, c->most));
        suite_check(status == UTET_OK, "%s, %u: %s", c->name, turns, rig_status(status));
        suite_check(memcmp(to, right, c->most * c->unit) == 0, "%s, %u: other bytes", c->name, turns);
        rig_end(&r, c->name);
    }
    rig_end(&r, c->name);
    suite_check(turns > 2, "%s, tensor %u: suspended %u times", c->name, kind, turns);
}

static void each_call(void **state)
{
    size_t i;
    unsigned kind;

    (void)state;
    for (i = 0; i < sizeof calls / sizeof calls[0]; i++)
        for (kind = 0; kind < KINDS; kind++) {
            if (kind != 0 && (calls[i].before == at_token || calls[i].before == at_text))
                continue;
            if (kind == BITMASK && (calls[i].unit != 1 || calls[i].before == at_tensor))
                continue; /* three bytes, and no numbers */
            repeated(&calls[i], kind, 1);
        }
    for (i = 0; i < sizeof chunk_calls / sizeof chunk_calls[0]; i++)
        for (kind = 0; kind <= rig_codecs(); kind++)
            repeated(&chunk_calls[i], kind, 29);
}

/* A name may be requested at another address, or with a smaller size: it stays within the memory of the last call. */
static void names(void **state)
{
    static const struct call call = {"utet_dataset_name", at_chunk, name_of, 1, 2, 7};
    unsigned turns, smaller;

    (void)state;
    for (smaller = 0; smaller < 2; smaller++) {
        for (turns = 0; suspended(&call, 0, turns); turns++) {
            const size_t size = smaller ? call.least : call.most;
            utet_status status;

            do {
                faultport_misused();
                status = name_of(small.data + (small.size - size), size);
            } while (status == UTET_WOULD_BLOCK);
            suite_check(status == UTET_OK, "%u: %s", turns, rig_status(status));
            r.port.violations = 0; /* another request, as required */
            rig_end(&r, "name");
        }
        rig_end(&r, "name");
        assert_true(turns > 5);
    }
}

/* Advances by another count. */
static void another_count(void **state)
{
    (void)state;
    at_tensor(3);
    r.port.blocks = 1;
    r.file.priv.held = 0;
    assert_int_equal(utet_tensor_skip(&tensor, 33), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tensor_skip(&tensor, 32), UTET_E_STATE);
    DRIVE_OK(utet_tensor_skip(&tensor, 33));
    assert_int_equal(tensor.position, 33);
    rig_end(&r, "count");
}

/* Two frames of five bytes: in the second one, a repeated call with room for two bytes is refused, and the first call
 * continues. */
static void slices_of_several_frames(void **state)
{
    enum { FRAME = 14 };
    static uint8_t file[TETGEN_HEAD + 2 * FRAME];
    unsigned refused = 0;
    int codec;

    (void)state;
    tetgen_head(file, 2 * FRAME, 10);
    for (codec = 0; codec < 2; codec++) {
        const uint8_t frame_bytes[FRAME] = {0x28, 0xB5, 0x2F, 0xFD, 0x20, 5, 1 | 5 << 3, 0, 0, 'a', 'b', 'c', 'd', 'e'};

        memcpy(file + TETGEN_HEAD + codec * FRAME, frame_bytes, FRAME);
    }
    for (codec = 0; codec < (int)rig_codecs(); codec++) {
        utet_status status;

        rig_make(&r, file, sizeof file, codec);
        assert_int_equal(rig_open(&r, WORK, (size_t)-1), UTET_OK);
        DRIVE_OK(utet_row_first(&r.file, &chunk));
        DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
        r.port.slice = 1;
        r.port.blocks = 1;
        r.file.priv.held = 0;
        do
            status = utet_stream_read(&stream, large.data, 10, &got);
        while (status == UTET_WOULD_BLOCK && stream.priv.done == 0);
        if (status == UTET_WOULD_BLOCK) { /* not for a codec that delivers everything at once */
            assert_int_equal(utet_stream_read(&stream, small.data + (small.size - 2), 2, &got), UTET_E_STATE);
            DRIVE_OK(utet_stream_read(&stream, large.data, 10, &got));
            assert_memory_equal(large.data, "abcdeabcde", 10);
            refused++;
        }
        rig_end(&r, "frames");
    }
    assert_true(refused != 0);
}

static int begin(void **state)
{
    (void)state;
    large = guard_new(1000, 1, GUARD_AFTER);
    small = guard_new(1000, 1, GUARD_AFTER);
    other = guard_new(1000, 1, GUARD_AFTER);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call),
        cmocka_unit_test(another_count),
        cmocka_unit_test(names),
        cmocka_unit_test(slices_of_several_frames),
    };

    (void)begin(NULL);
    return SUITE("repeats", tests);
}
