/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensogram messages and CBOR case by case, on messages written here (harness/tgmgen): what each rule of
 * src/tensogram/FORMAT.md refuses, what the calls answer when they are misused. (The reference's files, damage and
 * faults: suite_tensogram.)
 */
#include "rig.h"
#include "suite.h"
#include "tgmgen.h"
#include "utet_tensogram_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tgmgen made;
static rig r;
static utet_message message;
static utet_frame frame;
static utet_object object;
static utet_metadata metadata;
static utet_cbor reader;
static utet_item value;

/* Opens what has been made; slow: a byte at a time, "not yet" before each. */
static void open_made(int slow)
{
    rig_make(&r, made.bytes, made.size, -1);
    r.port.slice = slow ? 1 : SLICE_ALL;
    r.port.blocks = slow ? 1 : 0;
    rig_start(&r, UTET_WINDOW_LEAST(1), GUARD_AFTER);
    assert_int_equal(utet_messages_open(&r.file, NULL), UTET_OK);
}

/* ---- descriptors ---- */

typedef struct row {
    const char *more; /* keys behind the others; one that begins with '-' replaces that of the same name */
    size_t size;      /* of the payload region */
    utet_status status;
} row;

static const char *const fields[] = {"\"type\":\"ntensor\"",  "\"ndim\":1",          "\"shape\":[4]",
                                     "\"strides\":[1]",       "\"dtype\":\"uint8\"", "\"byte_order\":\"little\"",
                                     "\"encoding\":\"none\"", "\"filter\":\"none\"", "\"compression\":\"none\""};

/* A descriptor of four bytes; parts of `more`, separated by ';', replace its fields by their keys or come behind. */
static void descriptor(char *to, const char *more)
{
    char part[600], parts[1000];
    size_t i;
    char *p;

    strcpy(to, "{");
    for (i = 0; i < 9; i++) {
        const size_t key = strcspn(fields[i], ":") + 1;
        int replaced = 0;

        strcpy(parts, more);
        for (p = strtok(parts, ";"); p != NULL; p = strtok(NULL, ";"))
            replaced |= strncmp(p, fields[i], key) == 0;
        if (!replaced)
            snprintf(to + strlen(to), 600, "%s,", fields[i]);
    }
    strcpy(parts, more);
    for (p = strtok(parts, ";"); p != NULL; p = strtok(NULL, ";")) {
        snprintf(part, sizeof part, "%s,", p[0] == '!' ? "" : p);
        strcat(to, p[0] == '!' ? "" : part);
    }
    if (to[strlen(to) - 1] == ',')
        to[strlen(to) - 1] = '\0';
    strcat(to, "}");
}

#define ONE_16 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"
#define ONES_16 ONE_16
#define ONES_17 ONE_16 ",1"
#define ONES(axes) "\"ndim\":" #axes ";\"shape\":[" ONES_##axes "];\"strides\":[" ONES_##axes "]"
#define F64 "\"dtype\":\"float64\""
#define PACKED "\"encoding\":\"simple_packing\";"
#define SP "\"sp_reference_value\":1.5;\"sp_binary_scale_factor\":-3;\"sp_decimal_scale_factor\":0"
#define MASK(name, method, offset, length) \
    "\"" name "\":{\"method\":\"" method "\",\"offset\":" offset ",\"length\":" length "}"
#define SZ(rsi, block, flags) "\"szip_rsi\":" rsi ";\"szip_block_size\":" block ";\"szip_flags\":" flags
#define SZIP "\"compression\":\"szip\";"

static const row descriptors[] = {
    {"", 4, UTET_OK},
    {"", 5, UTET_E_PAYLOAD},
    {"\"type\":\"tensor\"", 4, UTET_E_DATASET},
    {"\"type\":7", 4, UTET_E_DATASET},
    {"7:7", 4, UTET_E_DATASET}, /* a key that is no text */
    {"\"ndim\":2", 4, UTET_E_DATASET},
    {"\"ndim\":-1", 4, UTET_E_DATASET},
    {"\"strides\":[1,1]", 4, UTET_E_DATASET},
    {"\"shape\":[2,2];\"strides\":[-2,1];\"ndim\":2", 4, UTET_OK},
    {"\"shape\":[-4]", 4, UTET_E_DATASET},
    {"\"shape\":[\"4\"]", 4, UTET_E_DATASET},
    {"\"shape\":{4:4}", 4, UTET_E_DATASET},
    {"\"shape\":[[4]]", 4, UTET_E_DATASET},
    {"\"shape\":4", 4, UTET_E_DATASET},
    {"\"shape\":[9223372036854775808]", 4, UTET_E_DATASET},
    {"\"shape\":[4611686018427387904,2];\"strides\":[1,1];\"ndim\":2;\"dtype\":\"uint16\"", 4, UTET_E_DATASET},
    {"\"shape\":[4611686018427387904,0,4];\"strides\":[1,1,1];\"ndim\":3", 0, UTET_E_DATASET},
    {"\"shape\":[0];\"dtype\":\"bitmask\"", 0, UTET_OK},
    {"\"shape\":[9];\"dtype\":\"bitmask\"", 2, UTET_OK},
    {"\"shape\":[4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1];\"strides\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1];\"ndim\":16", 4,
     UTET_OK},
    {"\"shape\":[4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", 4, UTET_E_DATASET},
    {"\"dtype\":\"uint7\"", 4, UTET_E_DTYPE},
    {ONES(16), 1, UTET_OK},
    {ONES(17), 1, UTET_E_LIMIT},
    {ONES(17) ";\"ndim\":16", 1, UTET_E_DATASET}, /* the first ndim counts */
    {ONES(17), 2, UTET_E_PAYLOAD},                /* the law holds for all axes */
    {"\"dtype\":7", 4, UTET_E_DATASET},
    {"\"dtype\":[]", 4, UTET_E_DATASET},
    {"\"byte_order\":\"middle\"", 4, UTET_E_DATASET},
    {"\"byte_order\":\"big\"", 4, UTET_OK},
    {"\"encoding\":\"huffman\"", 4, UTET_E_CODEC},
    {"\"filter\":\"zigzag\"", 4, UTET_E_CODEC},
    {"\"compression\":\"gzip\"", 4, UTET_E_CODEC},
    {"\"compression\":\"zfp\"", 9, UTET_OK},
    {"\"compression\":\"rle\"", 9, UTET_E_CODEC},
    {"\"compression\":\"roaring\";\"dtype\":\"bitmask\"", 9, UTET_OK},
    {"\"dtype\":\"uint8\";\"dtype\":\"uint8\"", 4, UTET_E_DATASET},
    {"\"other\":{\"deep\":[1,[2]]};\"another\":1", 4, UTET_OK},
    /* simple_packing (§4.2) */
    {PACKED F64 ";" SP ";\"sp_bits_per_value\":12", 6, UTET_OK},
    {PACKED F64 ";" SP ";\"sp_bits_per_value\":64", 32, UTET_OK},
    {PACKED F64 ";" SP ";\"sp_bits_per_value\":65", 33, UTET_E_DATASET},
    {PACKED F64 ";" SP ";\"sp_bits_per_value\":-1", 6, UTET_E_DATASET},
    {PACKED F64 ";" SP ";\"sp_bits_per_value\":[]", 6, UTET_E_DATASET},
    {PACKED F64 ";" SP ";\"sp_bits_per_value\":[12]", 6, UTET_E_DATASET},
    {PACKED F64 ";" SP, 6, UTET_E_DATASET},
    {PACKED SP ";\"sp_bits_per_value\":12", 6, UTET_E_CODEC},
    {PACKED F64 ";\"shape\":[4611686018427387904];" SP ";\"sp_bits_per_value\":12", 6, UTET_E_DATASET},
    {PACKED F64 ";\"shape\":[576460752303423488];" SP ";\"sp_bits_per_value\":64", 6, UTET_E_DATASET},
    {PACKED F64 ";\"sp_reference_value\":7;\"sp_binary_scale_factor\":2147483648;\"sp_decimal_scale_factor\":-1;"
                "\"sp_bits_per_value\":1",
     1, UTET_E_DATASET},
    {PACKED F64 ";\"sp_reference_value\":7;\"sp_binary_scale_factor\":1.5;\"sp_decimal_scale_factor\":-1;"
                "\"sp_bits_per_value\":1",
     1, UTET_E_DATASET},
    {PACKED F64 ";\"sp_reference_value\":-7;\"sp_binary_scale_factor\":2147483647;\"sp_decimal_scale_factor\":-1;"
                "\"sp_bits_per_value\":1",
     1, UTET_OK},
    {PACKED F64 ";\"sp_reference_value\":#f97c00;\"sp_binary_scale_factor\":0;\"sp_decimal_scale_factor\":0;"
                "\"sp_bits_per_value\":1",
     1, UTET_E_DATASET}, /* infinite */
    {PACKED F64 ";\"sp_reference_value\":\"7\";\"sp_binary_scale_factor\":0;\"sp_decimal_scale_factor\":0;"
                "\"sp_bits_per_value\":1",
     1, UTET_E_DATASET},
    {PACKED F64 ";\"sp_reference_value\":[];\"sp_binary_scale_factor\":0;\"sp_decimal_scale_factor\":0;"
                "\"sp_bits_per_value\":1",
     1, UTET_E_DATASET},
    {PACKED F64 ";\"sp_reference_value\":true;\"sp_binary_scale_factor\":0;\"sp_decimal_scale_factor\":0;"
                "\"sp_bits_per_value\":1",
     1, UTET_E_DATASET},
    /* shuffle (§4.3) */
    {"\"filter\":\"shuffle\";\"shuffle_element_size\":2", 4, UTET_OK},
    {"\"filter\":\"shuffle\";\"shuffle_element_size\":3", 4, UTET_E_DATASET},
    {"\"filter\":\"shuffle\";\"shuffle_element_size\":0", 4, UTET_E_DATASET},
    {"\"filter\":\"shuffle\";\"shuffle_element_size\":-2", 4, UTET_E_DATASET},
    {"\"filter\":\"shuffle\"", 4, UTET_E_DATASET},
    /* szip (§4.4) */
    {SZIP SZ("128", "16", "8") ";\"szip_block_offsets\":[0]", 9, UTET_OK},
    {SZIP SZ("4096", "64", "8") ";\"szip_block_offsets\":7", 9, UTET_OK},
    {SZIP SZ("1", "8", "4294967295"), 9, UTET_OK},
    {SZIP SZ("1", "32", "4294967296"), 9, UTET_E_DATASET},
    {SZIP SZ("0", "8", "8"), 9, UTET_E_DATASET},
    {SZIP SZ("4097", "8", "8"), 9, UTET_E_DATASET},
    {SZIP SZ("1", "24", "8"), 9, UTET_E_DATASET},
    {SZIP SZ("1", "-8", "8"), 9, UTET_E_DATASET},
    {SZIP SZ("1", "8", "\"8\""), 9, UTET_E_DATASET},
    {SZIP "\"szip_rsi\":1", 9, UTET_E_DATASET},
/* masks (§4.6) */
#define FOUR F64 ";\"masks\":{"
    {FOUR MASK("nan", "rle", "32", "3") "}", 35, UTET_OK},
    {F64 ";\"shape\":[17];\"masks\":{" MASK("nan", "none", "136", "3") "}", 139, UTET_OK},
    {F64 ";\"shape\":[17];\"masks\":{" MASK("nan", "none", "136", "2") "}", 138, UTET_E_PAYLOAD},
    {FOUR MASK("nan", "rle", "32", "3") "," MASK("inf+", "none", "35", "1") "," MASK("inf-", "zstd", "36", "9") "}", 45,
     UTET_OK},
    {FOUR "\"nan\":{\"method\":\"rle\",\"offset\":32,\"length\":3,\"seed\":[1,{2:[3]}],\"x\":1}}", 35, UTET_OK},
    {FOUR "\"nan\":{\"method\":\"rle\",\"offset\":32}}", 35, UTET_E_DATASET},
    {FOUR "\"nan\":{\"method\":\"rle\",\"offset\":32,\"offset\":32,\"length\":3}}", 35, UTET_E_DATASET},
    {FOUR "\"nan\":{\"method\":\"rle\",\"offset\":-2,\"length\":3}}", 35, UTET_E_DATASET},
    {FOUR "\"nan\":{\"method\":\"rle\",\"offset\":32,\"length\":[3]}}", 35, UTET_E_DATASET},
    {FOUR "\"nan\":{\"method\":{},\"offset\":32,\"length\":3}}", 35, UTET_E_DATASET},
    {FOUR "\"nan\":{\"method\":\"gzip\",\"offset\":32,\"length\":3}}", 35, UTET_E_CODEC},
    {FOUR "\"nan\":7}", 35, UTET_E_DATASET},
    {FOUR "\"nan\":[]}", 35, UTET_E_DATASET},
    {FOUR MASK("nan", "rle", "32", "3") "," MASK("nan", "rle", "32", "3") "}", 35, UTET_E_DATASET},
    {FOUR MASK("big", "rle", "32", "3") "}", 35, UTET_E_DATASET},
    {F64 ";\"masks\":7", 35, UTET_E_DATASET},
    {F64 ";\"masks\":[1]", 35, UTET_E_DATASET},
    {F64 ";\"masks\":{}", 32, UTET_OK},
    {FOUR MASK("nan", "zfp", "32", "3") "}", 35, UTET_E_CODEC},
    {FOUR MASK("nan", "szip", "32", "3") "}", 35, UTET_E_CODEC},
    {FOUR MASK("nan", "blosc2", "32", "3") "}", 35, UTET_OK},
    {FOUR MASK("nan", "rle", "32", "0") "}", 35, UTET_E_PAYLOAD},
    {FOUR MASK("nan", "rle", "32", "4") "}", 35, UTET_E_PAYLOAD},
    {FOUR MASK("nan", "none", "32", "2") "}", 34, UTET_E_PAYLOAD},
    {FOUR MASK("nan", "rle", "31", "4") "}", 35, UTET_E_PAYLOAD}, /* so the payload is too short */
    {FOUR MASK("nan", "rle", "18446744073709551615", "3") "}", 35, UTET_E_PAYLOAD},
    {"\"dtype\":\"int64\";\"masks\":{" MASK("nan", "rle", "32", "3") "}", 35, UTET_E_DATASET},
};

static void each_descriptor(void **state)
{
    static char text[2000];
    size_t i;
    int way; /* descriptor behind the payload or before it, at once or slowly */

    (void)state;
    for (i = 0; i < sizeof descriptors / sizeof descriptors[0]; i++)
        for (way = 0; way < 4; way++) {
            const row *d = &descriptors[i];
            utet_status status;

            descriptor(text, d->more);
            made.size = 0;
            tgmgen_begin(&made);
            tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, "{}");
            tgmgen_tensor(&made, text, d->size, way & 1);
            tgmgen_end(&made);
            open_made(way >> 1);
            DRIVE_OK(utet_message_first(&r.file, &message));
            DRIVE(status, utet_object_find(&object, &r.file, &message, 0, &frame, &reader));
            suite_check(status == d->status, "%s: %s", text, rig_status(status));
            suite_check(status == UTET_OK ||
                            (r.file.error_offset >= frame.offset && r.file.error_offset < frame.offset + frame.length),
                        "%s: error at %lu", text, (unsigned long)r.file.error_offset);
            rig_end(&r, text);
        }
    suite_figure("%u descriptors", (unsigned)(sizeof descriptors / sizeof descriptors[0]));
}

/* A tensor of 17 axes (the reference writes them): the limit costs its slabs, not its data, and not the next tensor. */
static void more_axes_than_an_object_keeps(void **state)
{
    static const utet_range ranges[UTET_TENSOR_MAX_NDIM] = {{0, 1, 1}};
    static char text[2000];
    utet_tensor_slab slab;
    utet_tensor tensor;
    uint8_t bytes[7];
    int slow;

    (void)state;
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, "{\"base\":[{\"k\":1},{\"k\":2}]}");
    descriptor(text, "\"ndim\":17;\"shape\":[3,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2];"
                     "\"strides\":[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,-1]");
    tgmgen_tensor(&made, text, 6, 0);
    descriptor(text, "");
    tgmgen_tensor(&made, text, 4, 0);
    tgmgen_end(&made);
    for (slow = 0; slow < 2; slow++) {
        utet_status status;
        size_t got = 0;

        open_made(slow);
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE(status, utet_object_find(&object, &r.file, &message, 0, &frame, &reader));
        assert_int_equal(status, UTET_E_LIMIT);
        DRIVE(status, utet_object_open(&object, &r.file, &frame, &reader));
        assert_int_equal(status, UTET_E_LIMIT);
        assert_int_equal(object.axes, 17);
        assert_int_equal(object.ndim, 16);
        assert_int_equal(object.shape[0], 3);
        assert_int_equal(object.shape[15], 1);
        assert_int_equal(object.strides[15], 2);
        assert_int_equal(object.elements, 6);
        assert_int_equal(object.descriptor.kind, UTET_CBOR_MAP);
        DRIVE_OK(utet_tensor_open(&tensor, &r.file, &object));
        assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_E_LIMIT);
        DRIVE_OK(utet_tensor_read(&tensor, bytes, sizeof bytes, &got));
        assert_int_equal(got, 6);
        assert_int_equal(bytes[5], 5);
        DRIVE_OK(utet_object_find(&object, &r.file, &message, 1, &frame, &reader));
        assert_int_equal(object.axes, 1);
        assert_int_equal(object.ndim, 1);
        DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
        assert_int_equal(metadata.objects, 2);
        rig_end(&r, "17 axes");
    }
}

/* A message of some hundred bytes that promises 2^59 elements is judged by what it holds; a mask of as many bits too.
 */
static void promises_of_many_elements(void **state)
{
    static const uint8_t all_zero[] = {0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 8};
    const utet_codec *const codecs[] = {&utet_codec_rle, NULL};
    static char text[2000];
    int how; /* without a mask, with one, with one that is a bit short */

    (void)state;
    for (how = 0; how < 3; how++) {
        double numbers[3] = {0, 0, 0};
        utet_tensor tensor;
        utet_status status;
        size_t got = 0;

        descriptor(text, how == 0 ? PACKED F64 ";" SP ";\"sp_bits_per_value\":0;\"shape\":[576460752303423488]"
                                  : PACKED F64 ";" SP ";\"sp_bits_per_value\":0;\"shape\":[576460752303423488];"
                                               "\"masks\":{" MASK("nan", "rle", "0", "10") "}");
        made.size = 0;
        tgmgen_begin(&made);
        tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, "{}");
        tgmgen_tensor(&made, text, how == 0 ? 0 : sizeof all_zero, 0);
        tgmgen_end(&made);
        open_made(0);
        r.file.priv.codecs = codecs;
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE_OK(utet_object_find(&object, &r.file, &message, 0, &frame, &reader));
        assert_int_equal(object.elements, (uint64_t)1 << 59);
        if (how != 0)
            memcpy(made.bytes + object.mask[0].offset, all_zero, sizeof all_zero);
        if (how == 2)
            made.bytes[object.mask[0].offset + 9] = 7;
        r.file.priv.held = 0;
        DRIVE(status, utet_tensor_open(&tensor, &r.file, &object)); /* looks for the mask's first one */
        assert_int_equal(status, how < 2 ? UTET_OK : UTET_E_PAYLOAD);
        if (how < 2) {
            DRIVE_OK(utet_tensor_doubles(&tensor, numbers, 3, &got));
            assert_true(got == 3 && numbers[2] == 1.5);
            DRIVE_OK(utet_tensor_skip(&tensor, UINT64_MAX));
            assert_true(tensor.position == tensor.length);
        }
        assert_true(r.port.reads < 200);
        rig_end(&r, "2^59");
    }
}

/* Fields of a descriptor that reading its data depends on. */
static void fields_of_a_descriptor(void **state)
{
    char text[2000];

    (void)state;
    descriptor(text, PACKED F64
               ";" SZIP "\"shape\":[2,3];\"strides\":[-3,1];\"ndim\":2;" SP
               ";\"sp_bits_per_value\":12;" SZ("9", "32", "13") ";\"szip_block_offsets\":[1,2];"
                                                                "\"masks\":{" MASK("inf-", "rle", "5", "2") "}");
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, "{}");
    tgmgen_tensor(&made, text, 7, 0);
    tgmgen_end(&made);
    open_made(0);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_object_find(&object, &r.file, &message, 0, &frame, &reader));
    assert_int_equal(object.ndim, 2);
    assert_int_equal(object.strides[0], -3);
    assert_int_equal(object.elements, 6);
    assert_int_equal(object.decoded_length, 48);
    assert_int_equal(object.stored_length, 9);
    assert_int_equal(object.payload_length, 5);
    assert_int_equal(object.mask[UTET_MASK_NEGATIVE].method, UTET_COMPRESSION_RLE);
    assert_int_equal(object.mask[UTET_MASK_NEGATIVE].offset, object.payload_offset + 5);
    assert_true(object.packing.reference == 1.5);
    assert_int_equal(object.packing.binary, -3);
    assert_int_equal(object.packing.decimal, 0);
    assert_int_equal(object.packing.bits, 12);
    assert_int_equal(object.szip.interval, 9);
    assert_int_equal(object.szip.block_size, 32);
    assert_int_equal(object.szip.flags, 13);
    assert_int_equal(object.szip.offsets.kind, UTET_CBOR_LIST);
    assert_int_equal(object.szip.offsets.length, 2);
    rig_end(&r, "fields");

    /* a key of the wrong kind leaves the others' fields alone */
    descriptor(text, "\"szip_flags\":[1,2]");
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, "{}");
    tgmgen_tensor(&made, text, 4, 0);
    tgmgen_end(&made);
    open_made(0);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_object_find(&object, &r.file, &message, 0, &frame, &reader));
    assert_int_equal(object.szip.offsets.kind, UTET_CBOR_NULL);
    assert_int_equal(object.szip.offsets.length, 0);
    rig_end(&r, "wrong kind");
}

/* ---- CBOR ---- */

/* Stretches, and what reading all their tokens ends with. */
static const struct stretch {
    const char *text;
    utet_status status;
} stretches[] = {
    {"[1,-2,\"a\",#40,{},true,null,undefined,1.5]", UTET_OK},
    {"_[1,_{2:3}]", UTET_OK},
    {"#c1c201", UTET_OK}, /* tags */
    {"#c1", UTET_E_METADATA},
    {"#c1ff", UTET_E_METADATA},
    {"#9fc1ff", UTET_E_METADATA}, /* a break behind a tag */
    {"#dfff", UTET_E_METADATA},   /* a tag of indefinite length */
    {"#1c", UTET_E_METADATA},
    {"#1e", UTET_E_METADATA},
    {"#19", UTET_E_METADATA}, /* two bytes that are not there */
    {"#1f", UTET_E_METADATA},
    {"#3f", UTET_E_METADATA},
    {"#5f", UTET_E_METADATA},
    {"#7f", UTET_E_METADATA},
    {"#e0", UTET_E_METADATA}, /* other simple values */
    {"#f818", UTET_E_METADATA},
    {"#fc", UTET_E_METADATA},
    {"#ff", UTET_E_METADATA},
    {"#81ff", UTET_E_METADATA},   /* a break in a counted list */
    {"#bf01ff", UTET_E_METADATA}, /* behind a key */
    {"#bfff", UTET_OK},
    {"#a18001", UTET_E_METADATA}, /* a list as a key */
    {"#82", UTET_E_METADATA},
    {"#a2", UTET_E_METADATA},
    {"#8201", UTET_E_METADATA},
    {"#9f01", UTET_E_METADATA},
    {"#62c3a9", UTET_OK},
    {"#62c328", UTET_E_METADATA},
    {"#61c3", UTET_E_METADATA},
    {"#6261", UTET_E_METADATA},
    {"#4261", UTET_E_METADATA},
};

static void each_stretch(void **state)
{
    size_t i;
    int slow;

    (void)state;
    for (i = 0; i < sizeof stretches / sizeof stretches[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            utet_status status;

            made.size = tgmgen_cbor(made.bytes, stretches[i].text);
            open_made(slow);
            assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
            do
                DRIVE(status, utet_cbor_next(&reader));
            while (status == UTET_OK && reader.token != UTET_CBOR_END);
            suite_check(status == stretches[i].status, "%s: %s", stretches[i].text, rig_status(status));
            suite_check(status == UTET_OK || r.file.error_offset <= made.size, "%s: error at %lu", stretches[i].text,
                        (unsigned long)r.file.error_offset);
            rig_end(&r, stretches[i].text);
        }
}

/* Pieces of texts, and calls that are not allowed. */
static void texts_and_misuse_of_a_reader(void **state)
{
    char text[8] = "";
    utet_item list, key;

    (void)state;
    made.size = tgmgen_cbor(made.bytes, "[\"tensor\",#4401020304,7,{\"k\":\"v\"}]");
    open_made(1);
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
    DRIVE_OK(utet_cbor_next(&reader));
    DRIVE_OK(utet_cbor_next(&reader));
    DRIVE_OK(utet_cbor_text(&reader, 2, text, 3));
    assert_string_equal(text, "nso");
    DRIVE_OK(utet_cbor_text(&reader, 6, text, 0));
    assert_int_equal(utet_cbor_text(&reader, 7, text, 0), UTET_E_RANGE);
    assert_int_equal(utet_cbor_text(&reader, 5, text, 2), UTET_E_RANGE);
    DRIVE_OK(utet_cbor_next(&reader));
    DRIVE_OK(utet_cbor_text(&reader, 1, text, 2));
    assert_memory_equal(text, "\2\3", 2);
    DRIVE_OK(utet_cbor_next(&reader));
    assert_int_equal(utet_cbor_text(&reader, 0, text, 1), UTET_E_RANGE); /* a number has no text */

    assert_int_equal(utet_cbor_open(NULL, &r.file, 0, 1, NULL, 0), UTET_E_ARGUMENT);
    assert_int_equal(utet_cbor_open(&reader, NULL, 0, 1, NULL, 0), UTET_E_ARGUMENT);
    {
        static utet_file none;

        assert_int_equal(utet_cbor_open(&reader, &none, 0, 1, NULL, 0), UTET_E_ARGUMENT);
    }
    assert_int_equal(utet_cbor_open(&reader, &r.file, 1, made.size, NULL, 0), UTET_E_RANGE);
    assert_int_equal(utet_cbor_open(&reader, &r.file, UINT64_MAX, 2, NULL, 0), UTET_E_RANGE);

    /* what the object held before does not matter */
    memset(&reader, 0xff, sizeof reader);
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
    memset(&list, 0, sizeof list);
    list.kind = UTET_CBOR_LIST;
    list.length = 1;
    list.place = 1;
    list.end = made.size;
    DRIVE_OK(utet_item_next(&reader, &list, &key, &value));
    assert_int_equal(value.kind, UTET_CBOR_TEXT);
    assert_int_equal(value.length, 6);

    /* entries: of what has none, and of what is none */
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
    memset(&list, 0, sizeof list);
    list.kind = UTET_CBOR_TEXT;
    DRIVE(r.file.priv.status, utet_item_next(&reader, &list, &key, &value));
    assert_int_equal(r.file.priv.status, UTET_END);
    r.file.priv.status = UTET_OK;
    memset(&key, 0, sizeof key);
    key.kind = UTET_CBOR_LIST;
    assert_int_equal(utet_item_text(&reader, &key, 0, text, 1), UTET_E_RANGE);
    rig_end(&r, "texts");
}

/* An open list has no length, whatever came before it. */
static void lengths_of_open_lists(void **state)
{
    (void)state;
    made.size = tgmgen_cbor(made.bytes, "[\"tensor\",_[7],{1:_{}}]");
    open_made(0);
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
    while (reader.token != UTET_CBOR_END) {
        DRIVE_OK(utet_cbor_next(&reader));
        if ((reader.flags & UTET_CBOR_INDEFINITE) != 0)
            assert_int_equal(reader.length, 0);
        else if (reader.token == UTET_CBOR_LIST)
            assert_int_equal(reader.length, 3);
        else if (reader.token == UTET_CBOR_MAP)
            assert_int_equal(reader.length, 1);
    }
    rig_end(&r, "open lists");
}

/* More entries than bytes follow, and levels too many, are told at the list that has them, not where it ends. */
static void lists_that_cannot_be(void **state)
{
    static const char *const texts[] = {"[1,#9a0000000401020304]",   "[1,#ba000000020102030405]",
                                        "[1,#9b000000010000000001]", "[1,#9affffffff01]",
                                        "[1,#bacfffffff0102]",       "[1,#9a8000000001]"};
    static uint32_t level;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const int good = i < 2;
        utet_status status;

        made.size = tgmgen_cbor(made.bytes, texts[i]);
        open_made(0);
        assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
        DRIVE_OK(utet_cbor_next(&reader));
        DRIVE_OK(utet_cbor_next(&reader));
        DRIVE(status, utet_cbor_next(&reader));
        suite_check(status == (good ? UTET_OK : UTET_E_METADATA), "%s: %s", texts[i], rig_status(status));
        suite_check(good || r.file.error_offset == 2, "%s: at %lu", texts[i], (unsigned long)r.file.error_offset);
        rig_end(&r, texts[i]);
    }
    made.size = tgmgen_cbor(made.bytes, "[1,[2]]");
    open_made(0);
    assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, &level, 1), UTET_OK);
    DRIVE_OK(utet_cbor_next(&reader));
    DRIVE_OK(utet_cbor_next(&reader));
    r.file.error_offset = 77;
    assert_int_equal(utet_cbor_next(&reader), UTET_E_SPACE);
    assert_int_equal(r.file.error_offset, 2);
    rig_end(&r, "levels");
}

/* The hash of a text is FNV-1a, by published test values: of the text in one piece and in several. */
static void hashes_of_texts(void **state)
{
    static const struct {
        const char *text;
        uint32_t hash;
    } rows[] = {{"\"\"", 0x811c9dc5}, {"\"a\"", 0xe40c292c}, {"\"foobar\"", 0xbf9cf968}, {"_[\"foobar\"]", 0xbf9cf968}};
    size_t i;
    int slow;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            made.size = tgmgen_cbor(made.bytes, rows[i].text);
            open_made(slow);
            assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
            do
                DRIVE_OK(utet_cbor_next(&reader));
            while (reader.token != UTET_CBOR_TEXT);
            suite_check(reader.hash == rows[i].hash, "%s: %08lx", rows[i].text, (unsigned long)reader.hash);
            rig_end(&r, rows[i].text);
        }
}

/* Entries of lists and maps behind whose end there is more: it is not theirs, however often they are asked. */
static void entries_that_end(void **state)
{
    static const struct {
        const char *text;
        unsigned entries;
        uint8_t flags; /* of the list, and what must stay of them */
    } rows[] = {{"_[]7", 0, 0},    {"_[1,2]7", 2, 0},       {"_{}7", 0, 0},
                {"_{1:2}7", 1, 0}, {"_{1:2,3:[4]}7", 2, 0}, {"[1,_[2]]7", 2, 0},
                {"[]7", 0, 0},     {"{1:{},2:_{}}7", 2, 0}, {"#c69f01ff7", 1, UTET_CBOR_TAGGED}};
    size_t i;
    int slow;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            utet_item list, key;
            unsigned entries = 0, again;

            made.size = tgmgen_cbor(made.bytes, rows[i].text);
            open_made(slow);
            assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
            DRIVE_OK(utet_cbor_next(&reader));
            memset(&list, 0, sizeof list);
            list.kind = reader.token;
            list.flags = reader.flags;
            list.length = reader.length;
            list.place = reader.next;
            list.end = made.size;
            for (again = 0; again < 3;) {
                utet_status status;

                DRIVE(status, utet_item_next(&reader, &list, &key, &value));
                if (status == UTET_END)
                    again++;
                else
                    entries++;
                suite_check(status == UTET_END || (status == UTET_OK && again == 0), "%s: %s", rows[i].text,
                            rig_status(status));
            }
            suite_check(entries == rows[i].entries, "%s: %u entries", rows[i].text, entries);
            suite_check(list.length == 0 && list.flags == rows[i].flags, "%s: flags %u", rows[i].text, list.flags);
            rig_end(&r, rows[i].text);
        }
}

/* Entries of lists and maps that end wrongly. */
static void entries_that_end_wrongly(void **state)
{
    static const struct {
        const char *text;
        unsigned entries; /* before the error */
    } rows[] = {{"#bf01ff", 0}, {"#bf0102", 1}, {"#9f01", 1}, {"#bf8001ff", 0}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        utet_status status;
        utet_item list, key;
        unsigned entries = 0;

        made.size = tgmgen_cbor(made.bytes, rows[i].text);
        open_made(1);
        assert_int_equal(utet_cbor_open(&reader, &r.file, 0, made.size, NULL, 0), UTET_OK);
        memset(&list, 0, sizeof list);
        list.kind = made.bytes[0] == 0xbf ? UTET_CBOR_MAP : UTET_CBOR_LIST;
        list.flags = UTET_CBOR_INDEFINITE;
        list.place = 1;
        list.end = made.size;
        for (;;) {
            DRIVE(status, utet_item_next(&reader, &list, &key, &value));
            if (status != UTET_OK)
                break;
            entries++;
        }
        suite_check(status == UTET_E_METADATA && entries == rows[i].entries, "%s: %s after %u", rows[i].text,
                    rig_status(status), entries);
        rig_end(&r, rows[i].text);
    }
}

/* ---- metadata ---- */

static const struct document {
    const char *header;   /* its frame's CBOR */
    const char *preceder; /* of the tensor, or null */
    utet_status status;   /* of opening */
    const char *path;     /* that is looked up then */
    int64_t found;        /* the number there; -1 = nothing */
} documents[] = {
    {"{}", NULL, UTET_OK, "a", -1},
    {"{\"base\":[{\"a\":1}],\"_extra_\":{\"a\":2,\"b\":3},\"c\":4}", NULL, UTET_OK, "a", 1},
    {"{\"base\":[{\"a\":1}],\"_extra_\":{\"a\":2,\"b\":3},\"c\":4}", NULL, UTET_OK, "b", 3},
    {"{\"base\":[{\"a\":1}],\"_extra_\":{\"a\":2,\"b\":3},\"c\":4}", NULL, UTET_OK, "c", 4},
    {"{\"base\":[{\"a\":1}],\"_extra_\":{\"a\":2,\"b\":3},\"c\":4}", NULL, UTET_OK, "_extra_", -1},
    {"{\"base\":[{\"a\":1}],\"_extra_\":{\"a\":2,\"b\":3},\"c\":4}", NULL, UTET_OK, "base", -1},
    {"{\"base\":[{\"a\":1,\"_reserved_\":{\"b\":1}}],\"_reserved_\":{\"b\":2},\"c\":4}", NULL, UTET_OK, "_reserved_.b",
     -1},
    {"{\"base\":[{\"a\":{\"b\":{\"c\":7}}}]}", NULL, UTET_OK, "a.b.c", 7},
    {"{\"base\":[{\"a\":{\"b\":7}}]}", NULL, UTET_OK, "a.b.c", -1},
    {"{\"base\":[{\"a\":1}]}", "{\"base\":[{\"a\":9}]}", UTET_OK, "a", 9},
    {"{\"base\":[{\"a\":{\"b\":1}}],\"b\":3}", "{\"base\":[{\"a\":{\"c\":9}}]}", UTET_OK, "a.b", -1},
    {"{\"base\":[{\"d\":1}]}", "{\"base\":[{\"a\":9}]}", UTET_OK, "d", 1},
    {"{\"a key of forty bytes, longer than a head\":5}", NULL, UTET_OK, "a key of forty bytes, longer than a head", 5},
    {"{\"a key of forty bytes, longer than a head\":5}", NULL, UTET_OK, "a key of forty bytes, longer than a tail", -1},
    {"{\"a key of forty bytes, longer than a head\":5,\"_extra_\":{\"a key of forty bytes, longer than a head\":5}}",
     NULL, UTET_E_METADATA, NULL, 0},
    {"{\"a key of forty bytes, longer than a head\":5,\"_extra_\":{\"a key of forty bytes, longer than a tail\":6}}",
     NULL, UTET_OK, "a key of forty bytes, longer than a tail", 6},
    {"{\"k\":5,\"_extra_\":{\"k\":6}}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"k\":5,\"_extra_\":{7:6}}", NULL, UTET_OK, "k", 5},
    {"[]", NULL, UTET_E_METADATA, NULL, 0},
    {"{7:7}", NULL, UTET_E_METADATA, NULL, 0},
    {"{}{}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"base\":{}}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"base\":[7]}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"base\":[{},{}]}", NULL, UTET_E_METADATA, NULL, 0}, /* more entries than tensors */
    {"{\"base\":[],\"base\":[]}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"_extra_\":[]}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"_reserved_\":7}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"_extra_\":{},\"_extra_\":{}}", NULL, UTET_E_METADATA, NULL, 0},
    {"{}", "{\"base\":[]}", UTET_E_METADATA, NULL, 0},
    {"{}", "{\"base\":[{},{}]}", UTET_E_METADATA, NULL, 0},
    {"{}", "{}", UTET_E_METADATA, NULL, 0},
    {"{}", "7", UTET_E_METADATA, NULL, 0},
};

static void make_message(const char *header, const char *preceder)
{
    char text[600];

    descriptor(text, "");
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, header);
    if (preceder != NULL)
        tgmgen_frame(&made, UTET_FRAME_PRECEDER, preceder);
    tgmgen_tensor(&made, text, 4, 0);
    tgmgen_end(&made);
}

static void each_document(void **state)
{
    size_t i;
    int slow;

    (void)state;
    for (i = 0; i < sizeof documents / sizeof documents[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            const struct document *d = &documents[i];
            utet_status status;

            make_message(d->header, d->preceder);
            open_made(slow);
            DRIVE_OK(utet_message_first(&r.file, &message));
            DRIVE(status, utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
            suite_check(status == d->status, "%s: %s", d->header, rig_status(status));
            if (status == UTET_OK) {
                DRIVE(status, utet_metadata_find_dotted(&metadata, d->path, strlen(d->path), &value));
                suite_check(d->found < 0 ? status == UTET_E_NOT_FOUND
                                         : status == UTET_OK && value.number == (uint64_t)d->found,
                            "%s: %s: %s", d->header, d->path, rig_status(status));
            }
            rig_end(&r, d->header);
        }
}

/* Maps one by one; paths of segments. */
static void keys_of_maps(void **state)
{
    static const utet_segment path[] = {{"a.b", 3}, {"", 0}};
    static const char longest[] = "a key of forty bytes, longer than a head";
    utet_item entry, over;
    utet_status status;
    int slow;

    (void)state;
    for (slow = 0; slow < 2; slow++) {
        make_message(
            "{\"base\":[{\"a.b\":{\"\":8},\"a key of forty bytes, longer than a head\":6}],\"_extra_\":{\"x\":1}}",
            "{\"base\":[{\"p\":2}]}");
        open_made(slow);
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
        DRIVE_OK(utet_metadata_find(&metadata, path, 2, &value));
        assert_int_equal(value.number, 8);
        assert_int_equal(utet_metadata_find(&metadata, path, 0, &value), UTET_E_ARGUMENT);
        DRIVE(status, utet_metadata_find_dotted(&metadata, "", 0, &value));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        DRIVE_OK(utet_metadata_entry(&metadata, 0, &entry, &over));
        DRIVE_OK(utet_metadata_in(&metadata, &over, "p", 1, &value));
        assert_int_equal(value.number, 2);
        DRIVE_OK(utet_metadata_in(&metadata, &entry, longest, strlen(longest), &value));
        assert_int_equal(value.number, 6);
        DRIVE(status, utet_metadata_in(&metadata, &entry, "p", 1, &value));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        DRIVE(status, utet_metadata_in(&metadata, &value, "p", 1, &value));
        assert_int_equal(status, UTET_E_NOT_FOUND); /* a number has no keys */
        DRIVE(status, utet_metadata_entry(&metadata, 1, &entry, &over));
        assert_int_equal(status, UTET_E_RANGE);
        rig_end(&r, "keys");
    }
}

/* Where the path ends inside of one tensor's preceder, the next one's hides its entry all the same. */
static void preceders_of_two_tensors(void **state)
{
    static const struct {
        const char *path;
        int64_t found;
    } paths[] = {{"m.s", -1}, {"m.p", 7}, {"m.p.s", -1}, {"n.s", 6}, {"k", 1}};
    char text[600];
    size_t i;
    int slow;

    (void)state;
    descriptor(text, "");
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA,
                 "{\"base\":[{\"k\":1},{\"m\":{\"s\":5},\"n\":{\"s\":6}}],\"_extra_\":{\"m\":43}}");
    tgmgen_frame(&made, UTET_FRAME_PRECEDER, "{\"base\":[{\"m\":{\"p\":7}}]}");
    tgmgen_tensor(&made, text, 4, 0);
    tgmgen_frame(&made, UTET_FRAME_PRECEDER, "{\"base\":[{\"m\":{\"p\":8}}]}");
    tgmgen_tensor(&made, text, 4, 0);
    tgmgen_end(&made);
    for (i = 0; i < sizeof paths / sizeof paths[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            utet_status status;

            open_made(slow);
            DRIVE_OK(utet_message_first(&r.file, &message));
            DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
            DRIVE(status, utet_metadata_find_dotted(&metadata, paths[i].path, strlen(paths[i].path), &value));
            suite_check(paths[i].found < 0 ? status == UTET_E_NOT_FOUND
                                           : status == UTET_OK && value.number == (uint64_t)paths[i].found,
                        "%s: %s, %d", paths[i].path, rig_status(status), (int)value.number);
            rig_end(&r, paths[i].path);
        }
}

/* ---- cursors ---- */

/* Four tensors, three entries, preceders of the second and the fourth. */
static void make_four(void)
{
    static const char *const preceders[4] = {NULL, "{\"base\":[{\"k\":{\"p\":8},\"_reserved_\":{\"r\":9}}]}", NULL,
                                             "{\"base\":[{\"q\":4}]}"};
    char text[600];
    size_t i;

    descriptor(text, "");
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(
        &made, UTET_FRAME_HEADER_METADATA,
        "{\"base\":[{\"k\":{\"s\":1}},{\"k\":{\"s\":2},\"m\":{\"s\":3},\"_reserved_\":{\"r\":5}},{\"k\":{\"s.t\":6}}],"
        "\"_extra_\":{\"x\":7}}");
    for (i = 0; i < 4; i++) {
        if (preceders[i] != NULL)
            tgmgen_frame(&made, UTET_FRAME_PRECEDER, preceders[i]);
        tgmgen_tensor(&made, text, 4, 0);
    }
    tgmgen_end(&made);
}

/* A number found at a path in one entry, as src/tensogram/FORMAT.md §3.2 merges it; 0: a map; -1: nothing. */
static void entry_has(const utet_entry *entry, const char *path, int64_t number)
{
    utet_status status;

    DRIVE(status, utet_entry_find_dotted(&metadata, entry, path, strlen(path), &value));
    suite_check(number < 0    ? status == UTET_E_NOT_FOUND
                : number == 0 ? status == UTET_OK && value.kind == UTET_CBOR_MAP
                              : status == UTET_OK && value.number == (uint64_t)number,
                "tensor %u: %s: %s, %d", (unsigned)entry->object, path, rig_status(status), (int)value.number);
}

/* All tensors' entries in one walk, other calls between; what each of them has at a path. */
static void entries_in_one_walk(void **state)
{
    static const struct {
        uint32_t object;
        const char *path;
        int64_t number;
    } paths[] = {{0, "k.s", 1},    {0, "m.s", -1},         {0, "x", -1}, {0, "", -1},    {1, "k.p", 8},
                 {1, "k.s", -1},   {1, "m.s", 3},          {1, "m", 0},  {1, "m.t", -1}, {2, "k", 0},
                 {2, "k.s.t", -1}, {1, "_reserved_.r", 5}, {3, "q", 4},  {3, "q.s", -1}, {3, "k", -1},
                 {2, "q", -1},     {3, "_reserved_", -1}};
    static const utet_segment dotted_key[] = {{"k", 1}, {"s.t", 3}};
    utet_entry cursor, kept, last;
    utet_item item, over;
    utet_status status;
    size_t i;
    int slow;

    (void)state;
    make_four();
    for (slow = 0; slow < 2; slow++) {
        uint32_t number;

        open_made(slow);
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
        DRIVE_OK(utet_entry_first(&metadata, &cursor));
        kept = cursor;
        for (number = 0; number < 4; number++) {
            assert_int_equal(cursor.object, number);
            assert_int_equal(cursor.entry.kind, number < 3 ? UTET_CBOR_MAP : UTET_CBOR_NULL);
            assert_int_equal(cursor.preceder.kind, number % 2 == 1 ? UTET_CBOR_MAP : UTET_CBOR_NULL);
            for (i = 0; i < sizeof paths / sizeof paths[0]; i++)
                if (paths[i].object == number)
                    entry_has(&cursor, paths[i].path, paths[i].number);
            DRIVE_OK(utet_metadata_find_dotted(&metadata, "x", 1, &value));
            DRIVE_OK(utet_metadata_entry(&metadata, number, &item, &over));
            assert_true(item.place == cursor.entry.place || item.kind == UTET_CBOR_NULL);
            assert_true(over.place == cursor.preceder.place || over.kind == UTET_CBOR_NULL);
            if (number == 2) {
                DRIVE_OK(utet_entry_find(&metadata, &cursor, dotted_key, 2, &value));
                assert_int_equal(value.number, 6);
                assert_int_equal(utet_entry_find(&metadata, &cursor, dotted_key, 0, &value), UTET_E_ARGUMENT);
            }
            last = cursor;
            DRIVE(status, utet_entry_next(&metadata, &cursor));
            assert_int_equal(status, number < 3 ? UTET_OK : UTET_END);
        }
        /* The end leaves the cursor as it was. Its objects have gaps, so members are compared. */
        assert_int_equal(cursor.object, last.object);
        assert_true(cursor.entry.place == last.entry.place && cursor.preceder.place == last.preceder.place);
        assert_true(cursor.entry.kind == last.entry.kind && cursor.preceder.kind == last.preceder.kind);
        DRIVE(status, utet_entry_next(&metadata, &cursor)); /* and it is still at the end */
        assert_int_equal(status, UTET_END);
        DRIVE_OK(utet_entry_next(&metadata, &kept)); /* a copy goes on from where it was made */
        assert_int_equal(kept.object, 1);
        rig_end(&r, "cursor");
    }
}

/* Bytes that the port gives for a walk over the entries of `tensors` tensors, with a preceder each or without. */
static uint64_t walk_costs(unsigned tensors, int preceders)
{
    static char base[8192];
    char text[600];
    utet_entry cursor;
    utet_status status;
    uint64_t before;
    unsigned i;

    descriptor(text, "");
    strcpy(base, "{\"base\":[");
    for (i = 0; i < tensors; i++)
        strcat(base, i == 0 ? "{\"k\":1}" : ",{\"k\":1}");
    strcat(base, "]}");
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, base);
    for (i = 0; i < tensors; i++) {
        if (preceders)
            tgmgen_frame(&made, UTET_FRAME_PRECEDER, "{\"base\":[{\"q\":4}]}");
        tgmgen_tensor(&made, text, 4, 0);
    }
    tgmgen_end(&made);
    open_made(0);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
    before = r.port.bytes_read;
    DRIVE(status, utet_entry_first(&metadata, &cursor));
    while (status == UTET_OK) {
        entry_has(&cursor, "k", 1);
        DRIVE(status, utet_entry_next(&metadata, &cursor));
    }
    assert_int_equal(status, UTET_END);
    assert_int_equal(tensors != 0 ? cursor.object + 1 : 0, tensors);
    before = r.port.bytes_read - before;
    rig_end(&r, "walk");
    return before;
}

/* Twice the tensors cost twice the bytes. */
static void walks_are_linear(void **state)
{
    int preceders;

    (void)state;
    for (preceders = 0; preceders < 2; preceders++) {
        const uint64_t half = walk_costs(60, preceders);
        const uint64_t whole = walk_costs(120, preceders);

        assert_int_equal(walk_costs(0, preceders), 0);
        suite_check(whole <= half * 21 / 10, "%d: %lu bytes for 60 tensors, %lu for 120", preceders,
                    (unsigned long)half, (unsigned long)whole);
    }
}

/* A search that is repeated with another path or text is refused, and goes on with the right one. */
static void other_paths_while_suspended(void **state)
{
    static const utet_segment path[] = {{"k", 1}, {"p", 1}};
    utet_entry cursor;

    (void)state;
    make_four();
    open_made(1);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
    DRIVE_OK(utet_entry_first(&metadata, &cursor));
    DRIVE_OK(utet_entry_next(&metadata, &cursor));
    r.file.priv.held = 0;
    assert_int_equal(utet_entry_find(&metadata, &cursor, path, 2, &value), UTET_WOULD_BLOCK);
    assert_int_equal(utet_entry_find(&metadata, &cursor, path, 1, &value), UTET_E_STATE);
    assert_int_equal(utet_entry_find(&metadata, &cursor, path + 1, 2, &value), UTET_E_STATE);
    assert_int_equal(utet_entry_find_dotted(&metadata, &cursor, "k", 2, &value), UTET_E_STATE);
    DRIVE_OK(utet_entry_find(&metadata, &cursor, path, 2, &value));
    assert_int_equal(value.number, 8);
    r.file.priv.held = 0;
    assert_int_equal(utet_metadata_find(&metadata, path, 2, &value), UTET_WOULD_BLOCK);
    assert_int_equal(utet_metadata_find(&metadata, path, 1, &value), UTET_E_STATE);
    DRIVE_OK(utet_metadata_find(&metadata, path, 2, &value));
    assert_int_equal(value.number, 8);
    r.file.priv.held = 0;
    assert_int_equal(utet_metadata_in(&metadata, &cursor.preceder, path[0].text, 1, &value), UTET_WOULD_BLOCK);
    assert_int_equal(utet_metadata_in(&metadata, &cursor.preceder, path[0].text, 0, &value), UTET_E_STATE);
    assert_int_equal(utet_metadata_in(&metadata, &cursor.preceder, path[1].text, 1, &value), UTET_E_STATE);
    DRIVE_OK(utet_metadata_in(&metadata, &cursor.preceder, path[0].text, 1, &value));
    assert_int_equal(value.kind, UTET_CBOR_MAP);
    rig_end(&r, "other paths");
}

/* At most 256 keys beside _extra_. */
static void many_keys_beside_extra(void **state)
{
    static char text[8000];
    unsigned most, i;

    (void)state;
    for (most = 256; most <= 257; most++) {
        utet_status status;

        strcpy(text, "{");
        for (i = 0; i < most; i++)
            snprintf(text + strlen(text), 40, "\"k%u\":%u,", i, i);
        strcat(text, "\"_extra_\":{}}");
        make_message(text, NULL);
        open_made(0);
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE(status, utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
        assert_int_equal(status, most == 256 ? UTET_OK : UTET_E_LIMIT);
        rig_end(&r, "many");
    }
}

/* Strict mode. */
static void each_rule(void **state)
{
    static const struct {
        const char *text;
        unsigned rules;
        utet_status status;
    } rows[] = {
        {"{\"a\":{\"b\":1,\"c\":#f93e00}}", UTET_METADATA_TYPES | UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":{\"c\":1,\"b\":2}}", UTET_METADATA_TYPES, UTET_OK},
        {"{\"a\":{\"c\":1,\"b\":2}}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":{\"b\":1,\"b\":2}}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":{1:1,-1:2}}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":{1:1,-1:2}}", UTET_METADATA_TYPES, UTET_E_METADATA},
        {"{\"a\":{\"bb\":1,\"c\":2}}", UTET_METADATA_CANONICAL, UTET_E_METADATA}, /* the shorter one comes first */
        {"{\"a key of forty bytes, longer than a head\":1,\"a key of forty bytes, longer than a tail\":2}",
         UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a key of forty bytes, longer than a tail\":1,\"a key of forty bytes, longer than a head\":2}",
         UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#40}", UTET_METADATA_TYPES, UTET_E_METADATA},
        {"{\"a\":#c100}", UTET_METADATA_TYPES, UTET_E_METADATA},
        {"{\"a\":undefined}", UTET_METADATA_TYPES, UTET_E_METADATA},
        {"{\"a\":#1817}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#1818}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#1900ff}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#190100}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#1a0000ffff}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#1a00010000}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#1b00000000ffffffff}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#1b0000000100000000}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#3b0000000100000000}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#fb3ff0000000000001}", UTET_METADATA_CANONICAL, UTET_OK}, /* the last bit counts */
        {"{\"a\":_[1]}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":1.5}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":0.0}", UTET_METADATA_CANONICAL, UTET_E_METADATA},
        {"{\"a\":#f90000}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":1.1}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#fa7f800000}", UTET_METADATA_CANONICAL, UTET_E_METADATA}, /* infinity */
        {"{\"a\":#f97c00}", UTET_METADATA_CANONICAL, UTET_OK},
        {"{\"a\":#fa47800000}", UTET_METADATA_CANONICAL, UTET_OK},         /* 65536 */
        {"{\"a\":#fa33000000}", UTET_METADATA_CANONICAL, UTET_OK},         /* 2^-25: below the halves */
        {"{\"a\":#fa33800000}", UTET_METADATA_CANONICAL, UTET_E_METADATA}, /* 2^-24: the least half */
    };
    static utet_metadata_checking checking;
    size_t i;
    int slow;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            utet_status status;

            make_message(rows[i].text, NULL);
            open_made(slow);
            DRIVE_OK(utet_message_first(&r.file, &message));
            DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
            DRIVE(status, utet_metadata_check(&metadata, rows[i].rules, &checking));
            suite_check(status == rows[i].status, "%s: %s", rows[i].text, rig_status(status));
            rig_end(&r, rows[i].text);
        }
}

static utet_status check_canonical(const char *text, utet_metadata_checking *checking)
{
    utet_status status;

    make_message(text, NULL);
    open_made(0);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
    DRIVE(status, utet_metadata_check(&metadata, UTET_METADATA_CANONICAL, checking));
    rig_end(&r, text);
    return status;
}

/* Which floats have a shorter form: held against the machine's own conversion to float32 and, by a scale, float16. */
static void floats_with_a_shorter_form(void **state)
{
    static const uint64_t mantissas[] = {0,
                                         1,
                                         (uint64_t)1 << 28,
                                         (uint64_t)1 << 29,
                                         (uint64_t)3 << 28,
                                         (uint64_t)1 << 30,
                                         (uint64_t)1 << 41,
                                         (uint64_t)1 << 42,
                                         (uint64_t)3 << 41,
                                         (uint64_t)1 << 43,
                                         (uint64_t)1 << 51,
                                         ((uint64_t)1 << 52) - 1};
    static const int exponents[] = {-1023, -1022, -151, -150, -149, -148, -147, -128, -127, -126, -125, -27,
                                    -26,   -25,   -24,  -23,  -22,  -16,  -15,  -14,  -13,  -1,   0,    1,
                                    14,    15,    16,   17,   126,  127,  128,  129,  1023, 1024};
    static utet_metadata_checking checking;
    size_t i, k;

    (void)state;
    for (i = 0; i < sizeof exponents / sizeof exponents[0]; i++)
        for (k = 0; k < sizeof mantissas / sizeof mantissas[0]; k++) {
            uint64_t bits = (uint64_t)(exponents[i] + 1023) << 52 | mantissas[k];
            const int special = exponents[i] == 1024;
            double wide;
            float narrow;
            uint32_t word;
            utet_status status, wanted;
            char text[40];

            memcpy(&wide, &bits, 8);
            narrow = (float)wide;
            memcpy(&word, &narrow, 4);
            if (special ? (mantissas[k] & (((uint64_t)1 << 29) - 1)) == 0 : (double)narrow == wide) {
                if (special)
                    word = 0x7f800000u | (uint32_t)(mantissas[k] >> 29);
                snprintf(text, sizeof text, "{\"a\":#fb%016llx}", (unsigned long long)bits);
                assert_int_equal(check_canonical(text, &checking), UTET_E_METADATA);
                /* a half: 11 bits, the last one at least 2^-24, the first one at most 2^15 */
                wanted = special ? ((word & 0x1fffu) == 0 ? UTET_E_METADATA : UTET_OK)
                         : (wide < 65536 && wide * 16777216 == (double)(uint64_t)(wide * 16777216) &&
                            (word & 0x1fffu) == 0)
                             ? UTET_E_METADATA
                             : UTET_OK;
                snprintf(text, sizeof text, "{\"a\":#fa%08lx}", (unsigned long)word);
                status = check_canonical(text, &checking);
                suite_check(status == wanted, "%s: %s", text, rig_status(status));
            } else {
                snprintf(text, sizeof text, "{\"a\":#fb%016llx}", (unsigned long long)bits);
                assert_int_equal(check_canonical(text, &checking), UTET_OK);
            }
        }
}

/* Maps deeper than a check remembers keys of: more levels of the caller's read them. */
static void deeper_than_a_check(void **state)
{
    static utet_metadata_checking checking;
    static uint32_t levels[64];
    char text[400];
    unsigned depth;

    (void)state;
    for (depth = UTET_CBOR_DEPTH; depth <= UTET_CBOR_DEPTH + 1; depth++) {
        utet_status status;
        unsigned i;

        text[0] = '\0';
        for (i = 0; i < depth; i++)
            strcat(text, i + 1 < depth ? "{\"a\":" : "{}");
        for (i = 1; i < depth; i++)
            strcat(text, "}");
        make_message(text, NULL);
        open_made(1);
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, levels, 64));
        DRIVE(status, utet_metadata_check(&metadata, UTET_METADATA_CANONICAL, &checking));
        assert_int_equal(status, depth == UTET_CBOR_DEPTH ? UTET_OK : UTET_E_SPACE);
        DRIVE_OK(utet_metadata_check(&metadata, UTET_METADATA_TYPES, &checking));
        rig_end(&r, "deep");
    }
}

/* Index and hash frames that are not as they should be. */
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

/* A medium on which the metadata frame becomes a preceder once the metadata have been opened. */
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

/* Frames against the rules, and frames that are sound but odd. */
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
    /* the end, again and again; an empty frame's hash, by the published test value of XXH3-64 of nothing */
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

/* What begins with an F is a frame, what ends as a postamble does and does not is the postamble, where the length is
 * not known; where it is, only the place counts. */
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
    /* a file that has shrunk since: nothing more */
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

/* Every call, while another one is suspended: it says so, and nothing happens. */
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
    memset(&metadata, 0, sizeof metadata); /* metadata that have never been opened */
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
    memset(made.bytes + 1, 0, 4); /* the least one, and zero */
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
        if ((single >> 23 & 255) == 255) /* what a machine makes of a NaN differs */
            bits = (uint64_t)(single >> 31) << 63 | (uint64_t)0x7ff << 52 | (uint64_t)(single & 0x7fffff) << 29;
        DRIVE_OK(utet_cbor_next(&reader));
        suite_check(reader.number == bits && reader.length == 4, "single %08x", (unsigned)single);
    }
    rig_end(&r, "singles");
}

/* Values of items that are numbers, and of those that are none. */
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
        cmocka_unit_test(each_descriptor),
        cmocka_unit_test(more_axes_than_an_object_keeps),
        cmocka_unit_test(promises_of_many_elements),
        cmocka_unit_test(fields_of_a_descriptor),
        cmocka_unit_test(each_stretch),
        cmocka_unit_test(texts_and_misuse_of_a_reader),
        cmocka_unit_test(lengths_of_open_lists),
        cmocka_unit_test(lists_that_cannot_be),
        cmocka_unit_test(hashes_of_texts),
        cmocka_unit_test(entries_that_end),
        cmocka_unit_test(entries_that_end_wrongly),
        cmocka_unit_test(each_document),
        cmocka_unit_test(keys_of_maps),
        cmocka_unit_test(preceders_of_two_tensors),
        cmocka_unit_test(entries_in_one_walk),
        cmocka_unit_test(walks_are_linear),
        cmocka_unit_test(other_paths_while_suspended),
        cmocka_unit_test(many_keys_beside_extra),
        cmocka_unit_test(each_rule),
        cmocka_unit_test(floats_with_a_shorter_form),
        cmocka_unit_test(deeper_than_a_check),
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
