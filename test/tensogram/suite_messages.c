/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Messages and frames case by case, on messages that are written here: what the rules of src/tensogram/FORMAT.md
 * refuse, and what misused calls return. suite_tensogram has the reference's files, damage and faults. */
#include "messageworld.h"

static utet_message message;
static utet_frame frame;
static utet_object object;
static utet_metadata metadata;
static utet_cbor reader;
static utet_item value;

/* Index and hash frames with errors. */
static void index_and_hash_frames(void **state)
{
    static const struct {
        unsigned type;
        const char *text;
        utet_status status;
    } rows[] = {
        {UTET_FRAME_FOOTER_INDEX, "[]", UTET_E_INDEX},
        {UTET_FRAME_FOOTER_INDEX, "{}", UTET_E_INDEX},
        {UTET_FRAME_FOOTER_INDEX, "{\"offsets\":7}", UTET_E_INDEX},
        {UTET_FRAME_FOOTER_INDEX, "{\"offsets\":[]}", UTET_E_INDEX},
        {UTET_FRAME_FOOTER_INDEX, "{\"offsets\":[7]}", UTET_E_INDEX},
        {UTET_FRAME_FOOTER_INDEX, "{\"offsets\":[\"56\"]}", UTET_E_INDEX},
        {UTET_FRAME_FOOTER_INDEX, "{\"offsets\":[56,57]}", UTET_E_INDEX},
        {UTET_FRAME_FOOTER_INDEX, "{\"offsets\":[#1c]}", UTET_E_INDEX},
        {UTET_FRAME_FOOTER_INDEX, "{\"offsets\":[56]}", UTET_E_INDEX}, /* no lengths */
        {UTET_FRAME_FOOTER_HASHES, "{}", UTET_E_CHECKSUM},
        {UTET_FRAME_FOOTER_HASHES, "{\"algorithm\":7}", UTET_E_CHECKSUM},
        {UTET_FRAME_FOOTER_HASHES, "{\"algorithm\":\"md5\"}", UTET_OK},
        {UTET_FRAME_FOOTER_HASHES, "{\"algorithm\":\"xxh4\"}", UTET_OK},
        {UTET_FRAME_FOOTER_HASHES, "{\"algorithm\":\"xxh3\"}", UTET_E_CHECKSUM},
        {UTET_FRAME_FOOTER_HASHES, "{\"algorithm\":\"xxh3\",\"hashes\":[7]}", UTET_E_CHECKSUM},
        {UTET_FRAME_FOOTER_HASHES, "{\"algorithm\":\"xxh3\",\"hashes\":[\"0\"]}", UTET_E_CHECKSUM},
        {UTET_FRAME_FOOTER_HASHES, "{\"algorithm\":\"xxh3\",\"hashes\":[\"0000000000000001\"]}", UTET_E_CHECKSUM},
        {UTET_FRAME_FOOTER_HASHES, "{\"algorithm\":\"xxh3\",\"hashes\":[\"0000000000000000\"]}", UTET_OK},
        {UTET_FRAME_FOOTER_HASHES, "{\"algorithm\":\"xxh3\",\"hashes\":[\"0000000000000000\",7]}", UTET_E_CHECKSUM},
    };
    static utet_metadata_comparing comparing;
    char text[600];
    size_t i;
    int slow;

    (void)state;
    descriptor(text, "");
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            utet_status status;

            made.size = 0;
            tgmgen_begin(&made);
            tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, "{}");
            tgmgen_tensor(&made, text, 4, 0);
            tgmgen_frame(&made, rows[i].type, rows[i].text);
            tgmgen_end(&made);
            open_made(slow);
            DRIVE_OK(utet_message_first(&r.file, &message));
            DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
            DRIVE(status, utet_metadata_compare(&metadata, &comparing));
            suite_check(status == rows[i].status, "%s: %s", rows[i].text, rig_status(status));
            rig_end(&r, rows[i].text);
        }
}

/* A medium on which the metadata frame becomes a preceder once the metadata has been opened. */
static void metadata_that_vanish(void **state)
{
    static utet_metadata_comparing comparing;
    utet_status status;

    (void)state;
    make_message("{}", NULL);
    open_made(0);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
    assert_int_equal(made.bytes[27], UTET_FRAME_HEADER_METADATA);
    made.bytes[27] = UTET_FRAME_PRECEDER;
    DRIVE(status, utet_metadata_compare(&metadata, &comparing));
    assert_int_equal(status, UTET_E_METADATA);
    rig_end(&r, "vanish");
}

/* ---- messages and frames ---- */

/* Frames that break the rules, and frames that are valid but unusual. */
static void frames_by_the_rules(void **state)
{
    char text[600];
    size_t i;

    (void)state;
    descriptor(text, "");
    for (i = 0; i < 7; i++) {
        static const unsigned types[7][3] = {{1, 4, 0}, {1, 10, 0}, {9, 1, 0}, {1, 8, 0},
                                             {1, 8, 7}, {1, 7, 9},  {1, 13, 0}};
        utet_status status;
        unsigned k;

        made.size = 0;
        tgmgen_begin(&made);
        for (k = 0; k < 3 && types[i][k] != 0; k++) {
            if (types[i][k] == UTET_FRAME_TENSOR)
                tgmgen_tensor(&made, text, 4, 0);
            else
                tgmgen_frame(&made, types[i][k], types[i][k] == 8 ? "{\"base\":[{}]}" : "{}");
        }
        tgmgen_end(&made);
        open_made(0);
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE(status, utet_frame_first(&r.file, &message, &frame));
        while (status == UTET_OK)
            DRIVE(status, utet_frame_next(&r.file, &message, &frame));
        suite_check(status == UTET_E_DIRECTORY, "frames %lu: %s", (unsigned long)i, rig_status(status));
        rig_end(&r, "frames");
    }
    /* the end, again and again; an empty frame's hash, the published test value of XXH3-64 of no bytes */
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, "{}");
    tgmgen_bytes(&made, UTET_FRAME_HEADER_INDEX, "", 0);
    tgmgen_end(&made);
    open_made(0);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_frame_first(&r.file, &message, &frame));
    DRIVE_OK(utet_frame_next(&r.file, &message, &frame));
    {
        utet_frame_hash hash;

        assert_int_equal(utet_frame_verify(&r.file, &frame, &hash), UTET_END);
        assert_true(hash.value == 0x2d06800538d394c2u);
    }
    assert_int_equal(utet_frame_next(&r.file, &message, &frame), UTET_END);
    assert_int_equal(frame.number, 2);
    assert_int_equal(utet_frame_next(&r.file, &message, &frame), UTET_END);
    rig_end(&r, "end");
}

/* If the length is unknown, what begins with an F is a frame, and what ends as a postamble does is the postamble. If it
 * is known, only the offset counts. */
static void frames_that_look_like_postambles(void **state)
{
    static const struct {
        int streamed;
        char first;        /* byte of the tensor's frame */
        const char *magic; /* of its payload */
        utet_status status;
    } rows[] = {{0, 'F', "39277777", UTET_END},         {1, 'F', "39277777", UTET_END},
                {0, 'F', "39277778", UTET_END},         {1, 'F', "39277778", UTET_END},
                {0, 'G', "39277777", UTET_E_DIRECTORY}, {1, 'G', "39277777", UTET_E_SUPERBLOCK},
                {0, 'G', "39277778", UTET_E_DIRECTORY}, {1, 'G', "39277778", UTET_E_DIRECTORY}};
    char text[600];
    size_t i;

    (void)state;
    descriptor(text, "\"shape\":[8]");
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        utet_status status;
        size_t at;

        made.size = 0;
        tgmgen_begin(&made);
        tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, "{}");
        at = (made.size + 7) & ~(size_t)7;
        tgmgen_tensor(&made, text, 8, 0);
        assert_memory_equal(made.bytes + at, "FR", 2);
        made.bytes[at] = (uint8_t)rows[i].first;
        memcpy(made.bytes + at + 16, rows[i].magic, 8);
        tgmgen_end(&made);
        if (rows[i].streamed) {
            memset(made.bytes + 16, 0, 8);
            memset(made.bytes + made.size - 16, 0, 8);
        }
        open_made(0);
        DRIVE_OK(utet_message_forward(&r.file, 0, &message));
        DRIVE(status, utet_frame_first(&r.file, &message, &frame));
        while (status == UTET_OK)
            DRIVE(status, utet_frame_next(&r.file, &message, &frame));
        suite_check(status == rows[i].status, "row %lu: %s", (unsigned long)i, rig_status(status));
        suite_check(status != UTET_END || frame.number == 2, "row %lu: %lu frames", (unsigned long)i,
                    (unsigned long)frame.number);
        rig_end(&r, "postambles");
    }
}

static void messages_at_places(void **state)
{
    utet_options options = {0};

    (void)state;
    make_message("{}", NULL);
    open_made(0);
    assert_int_equal(utet_message_at(&r.file, made.size - 3, &message), UTET_E_MAGIC);
    assert_int_equal(utet_message_at(&r.file, 1, &message), UTET_E_MAGIC);
    assert_int_equal(utet_message_at(&r.file, made.size + 1, &message), UTET_E_RANGE);
    assert_int_equal(utet_message_at(&r.file, 0, &message), UTET_OK);
    assert_int_equal(message.length, made.size);
    /* a file that has shrunk meanwhile: nothing more */
    r.port.io.size = 20;
    assert_int_equal(utet_message_next(&r.file, &message), UTET_END);
    rig_end(&r, "places");

    /* the budget of the options, and no more */
    rig_make(&r, made.bytes, made.size, -1);
    rig_start(&r, 4096, GUARD_AFTER);
    options.budget = UTET_WINDOW_LEAST(1) - 1;
    r.file.priv.busy = 1; /* utet_open is suspended */
    assert_int_equal(utet_messages_open(&r.file, NULL), UTET_E_STATE);
    r.file.priv.busy = 0;
    assert_int_equal(utet_messages_open(&r.file, &options), UTET_E_BUDGET);
    assert_int_equal(r.file.needed, UTET_WINDOW_LEAST(1));
    rig_end(&r, "budget");
    rig_make(&r, made.bytes, made.size, -1);
    rig_start(&r, 4096, GUARD_AFTER);
    options.budget = 8192;
    assert_int_equal(utet_messages_open(&r.file, &options), UTET_OK);
    assert_int_equal(r.file.budget, 4096);
    rig_end(&r, "budget");
    rig_make(&r, made.bytes, made.size, -1);
    rig_start(&r, 4096, GUARD_AFTER);
    options.budget = 0;
    assert_int_equal(utet_messages_open(&r.file, &options), UTET_OK);
    rig_end(&r, "budget");
}

/* Every call, while another one is suspended: it returns that status, and nothing changes. */
static void calls_while_another_is_suspended(void **state)
{
    static utet_metadata_checking checking;
    static utet_metadata_comparing comparing;
    utet_frame_hash hash;
    utet_item list, key;
    char text[1];
    uint8_t busy;

    (void)state;
    make_message("{\"base\":[{\"a\":1}]}", NULL);
    open_made(0);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
    DRIVE_OK(utet_object_find(&object, &r.file, &message, 0, &frame, &reader));
    list = metadata.document.base;
    busy = r.file.priv.busy;
    r.file.priv.busy = 255; /* no call of the library has this number */
    assert_int_equal(utet_message_first(&r.file, &message), UTET_E_STATE);
    assert_int_equal(utet_message_next(&r.file, &message), UTET_E_STATE);
    assert_int_equal(utet_message_at(&r.file, 0, &message), UTET_E_STATE);
    assert_int_equal(utet_message_forward(&r.file, 0, &message), UTET_E_STATE);
    assert_int_equal(utet_frame_first(&r.file, &message, &frame), UTET_E_STATE);
    assert_int_equal(utet_frame_next(&r.file, &message, &frame), UTET_E_STATE);
    assert_int_equal(utet_frame_verify(&r.file, &frame, &hash), UTET_E_STATE);
    assert_int_equal(utet_object_open(&object, &r.file, &frame, &reader), UTET_E_STATE);
    assert_int_equal(utet_object_find(&object, &r.file, &message, 0, &frame, &reader), UTET_E_STATE);
    assert_int_equal(utet_metadata_entry(&metadata, 0, &list, &key), UTET_E_STATE);
    assert_int_equal(utet_metadata_in(&metadata, &list, "a", 1, &value), UTET_E_STATE);
    assert_int_equal(utet_metadata_find_dotted(&metadata, "a", 1, &value), UTET_E_STATE);
    assert_int_equal(utet_metadata_check(&metadata, UTET_METADATA_TYPES, &checking), UTET_E_STATE);
    assert_int_equal(utet_metadata_compare(&metadata, &comparing), UTET_E_STATE);
    assert_int_equal(utet_cbor_next(&metadata.reader), UTET_E_STATE);
    assert_int_equal(utet_cbor_text(&metadata.reader, 0, text, 1), UTET_E_STATE);
    assert_int_equal(utet_item_next(&metadata.reader, &list, &key, &value), UTET_E_STATE);
    assert_int_equal(utet_item_text(&metadata.reader, &list, 0, text, 1), UTET_E_STATE);
    assert_int_equal(utet_metadata_open(&metadata, &r.file, &message, NULL, 0), UTET_E_STATE);
    r.file.priv.busy = busy;
    DRIVE_OK(utet_metadata_find_dotted(&metadata, "a", 1, &value));
    assert_int_equal(value.number, 1);
    memset(&metadata, 0, sizeof metadata); /* metadata that has never been opened */
    assert_int_equal(utet_metadata_find_dotted(&metadata, "a", 1, &value), UTET_E_STATE);
    DRIVE_OK(utet_object_find(&object, &r.file, &message, 0, &frame, &reader));
    frame.descriptor_offset = 0;
    assert_int_equal(utet_object_open(&object, &r.file, &frame, &reader), UTET_E_ARGUMENT);
    rig_end(&r, "suspended");
}

/* ---- names, numbers and texts of elements ---- */

static void names(void **state)
{
    (void)state;
    assert_string_equal(utet_tensor_dtype_name(UTET_TENSOR_FLOAT16), "float16");
    assert_string_equal(utet_tensor_dtype_name(UTET_TENSOR_BITMASK), "bitmask");
    assert_string_equal(utet_tensor_dtype_name(0), "?");
    assert_string_equal(utet_tensor_dtype_name(UTET_TENSOR_BITMASK + 1), "?");
    assert_string_equal(utet_compression_name(UTET_COMPRESSION_NONE), "none");
    assert_string_equal(utet_compression_name(UTET_COMPRESSION_SZ3), "sz3");
    assert_string_equal(utet_compression_name(0), "?");
    assert_string_equal(utet_compression_name(255), "?");
}

static void elements_as_texts(void **state)
{
    static const struct {
        uint8_t dtype;
        uint8_t bytes[16];
        const char *text;
        double value, imaginary;
    } rows[] = {
        {UTET_TENSOR_UINT8, {200}, "200", 200, 0},
        {UTET_TENSOR_INT8, {200}, "-56", -56, 0},
        {UTET_TENSOR_INT8, {100}, "100", 100, 0},
        {UTET_TENSOR_INT16, {0xff, 0xff}, "-1", -1, 0},
        {UTET_TENSOR_UINT32, {0, 0, 0, 0x80}, "2147483648", 2147483648.0, 0},
        {UTET_TENSOR_FLOAT16, {0, 0x3e}, "1.5", 1.5, 0},
        {UTET_TENSOR_BFLOAT16, {0xc0, 0x3f}, "1.5", 1.5, 0},
        {UTET_TENSOR_FLOAT32, {0, 0, 0xc0, 0xbf}, "-1.5", -1.5, 0},
        {UTET_TENSOR_FLOAT64, {0, 0, 0, 0, 0, 0, 0xf8, 0x3f}, "1.5", 1.5, 0},
        {UTET_TENSOR_COMPLEX64, {0, 0, 0xc0, 0x3f, 0, 0, 0, 0x40}, "1.5+2j", 1.5, 2},
        {UTET_TENSOR_COMPLEX64, {0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0}, "1.5-2j", 1.5, -2},
        {UTET_TENSOR_COMPLEX128, {0, 0, 0, 0, 0, 0, 0xf8, 0xbf, 0, 0, 0, 0, 0, 0, 0, 0xc0}, "-1.5-2j", -1.5, -2},
    };
    size_t i, size, length;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[UTET_TENSOR_TEXT];
        double real, imaginary = 7;

        assert_int_equal(utet_tensor_text(rows[i].dtype, rows[i].bytes, text, sizeof text, &length), UTET_OK);
        assert_string_equal(text, rows[i].text);
        assert_int_equal(length, strlen(text));
        for (size = 0; size <= length; size++)
            assert_int_equal(utet_tensor_text(rows[i].dtype, rows[i].bytes, text, size, NULL), UTET_E_SPACE);
        assert_int_equal(utet_tensor_text(rows[i].dtype, rows[i].bytes, text, length + 1, NULL), UTET_OK);
        assert_int_equal(utet_tensor_double(rows[i].dtype, rows[i].bytes, &real, &imaginary), UTET_OK);
        assert_true(real == rows[i].value && imaginary == rows[i].imaginary);
        assert_int_equal(utet_tensor_double(rows[i].dtype, rows[i].bytes, &real, NULL), UTET_OK);
    }
    {
        char text[UTET_TENSOR_TEXT];
        double real;

        assert_int_equal(utet_tensor_text(UTET_TENSOR_BITMASK, rows[0].bytes, text, sizeof text, NULL), UTET_E_DTYPE);
        assert_int_equal(utet_tensor_text(200, rows[0].bytes, text, sizeof text, &length), UTET_E_DTYPE);
        assert_int_equal(utet_tensor_double(0, rows[0].bytes, &real, NULL), UTET_E_DTYPE);
    }
}

/* Every float16, and float32 of all magnitudes, as the float64 of the same value. */
static void floats_are_widened(void **state)
{
    uint64_t random = 99;
    unsigned half, i;

    (void)state;
    for (half = 0; half < 65536; half += 16384) {
        made.size = 0;
        for (i = half; i < half + 16384; i++) {
            made.bytes[made.size++] = 0xf9;
            made.bytes[made.size++] = (uint8_t)(i >> 8);
            made.bytes[made.size++] = (uint8_t)i;
        }
        open_made(0);
        assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
        for (i = half; i < half + 16384; i++) {
            const unsigned exponent = i >> 10 & 31, mantissa = i & 1023;
            double wanted = exponent == 0 ? mantissa / 16777216.0 : (1024 + mantissa) / 33554432.0;
            uint64_t bits;
            unsigned k;

            for (k = 0; k < exponent; k++)
                wanted *= 2;
            if ((i >> 15) != 0)
                wanted = -wanted;
            memcpy(&bits, &wanted, 8);
            if (exponent == 31)
                bits = (uint64_t)(i >> 15) << 63 | (uint64_t)0x7ff << 52 | (uint64_t)mantissa << 42;
            DRIVE_OK(utet_cbor_next(&reader));
            suite_check(reader.token == UTET_CBOR_FLOAT && reader.number == bits, "half %04x", i);
        }
        rig_end(&r, "halves");
    }
    made.size = 0;
    for (i = 0; i < 10000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        made.bytes[made.size++] = 0xfa;
        for (half = 0; half < 4; half++)
            made.bytes[made.size++] = (uint8_t)((random >> 32 & (i % 4 == 0 ? 0x807fffffu : 0xffffffffu)) >>
                                                (24 - 8 * half));
    }
    memset(made.bytes + 1, 0, 4); /* the smallest one, and zero */
    made.bytes[4] = 1;
    memset(made.bytes + 6, 0, 4);
    open_made(0);
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
    for (i = 0; i < 10000; i++) {
        const uint8_t *at = made.bytes + 5 * i + 1;
        const uint32_t single = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
        uint64_t bits;
        double wanted;
        float narrow;

        memcpy(&narrow, &single, 4);
        wanted = (double)narrow;
        memcpy(&bits, &wanted, 8);
        if ((single >> 23 & 255) == 255) /* what machines make of a NaN differs */
            bits = (uint64_t)(single >> 31) << 63 | (uint64_t)0x7ff << 52 | (uint64_t)(single & 0x7fffff) << 29;
        DRIVE_OK(utet_cbor_next(&reader));
        suite_check(reader.number == bits && reader.length == 4, "single %08x", (unsigned)single);
    }
    rig_end(&r, "singles");
}

/* Values of items that are numbers, and of items that are not. */
static void items_as_doubles(void **state)
{
    utet_item item = {0};

    (void)state;
    item.kind = UTET_CBOR_BOOLEAN;
    item.number = 1;
    assert_true(utet_item_double(&item) == 1);
    item.kind = UTET_CBOR_FLOAT;
    item.number = 0x3ff8000000000000u;
    assert_true(utet_item_double(&item) == 1.5);
    item.kind = UTET_CBOR_TEXT;
    assert_true(utet_item_double(&item) == 0);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(index_and_hash_frames),
        cmocka_unit_test(metadata_that_vanish),
        cmocka_unit_test(frames_by_the_rules),
        cmocka_unit_test(frames_that_look_like_postambles),
        cmocka_unit_test(messages_at_places),
        cmocka_unit_test(calls_while_another_is_suspended),
        cmocka_unit_test(names),
        cmocka_unit_test(elements_as_texts),
        cmocka_unit_test(floats_are_widened),
        cmocka_unit_test(items_as_doubles),
    };
    return SUITE("messages", cases);
}
