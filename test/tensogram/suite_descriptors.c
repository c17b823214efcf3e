/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of tensors: what each rule of src/tensogram/FORMAT.md refuses, on messages that are written here. */
#include "messageworld.h"

static utet_message message;
static utet_frame frame;
static utet_object object;
static utet_metadata metadata;
static utet_cbor reader;

#define ONE_16 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"
#define ONES_16 ONE_16
#define ONES_17 ONE_16 ",1"

/* ---- descriptors ---- */

typedef struct row {
    const char *more; /* keys after the others; a key that begins with '-' replaces that of the same name */
    size_t size;      /* of the payload region */
    utet_status status;
} row;

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
    {"7:7", 4, UTET_E_DATASET}, /* a key that is not text */
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
    {ONES(17), 2, UTET_E_PAYLOAD},                /* the rule applies to all axes */
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
    int way; /* descriptor after the payload or before it, at once or slowly */

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

/* A tensor of 17 axes (the reference writes them): the limit prevents its slabs, but not its data, and not the next
 * tensor. */
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

/* A message of a few hundred bytes that promises 2^59 elements is checked by what it holds; also a mask of that many
 * bits. */
static void promises_of_many_elements(void **state)
{
    static const uint8_t all_zero[] = {0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 8};
    const utet_codec *const codecs[] = {&utet_codec_rle, NULL};
    static char text[2000];
    int how; /* without a mask, with a mask, with a mask that is one bit short */

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
        DRIVE(status, utet_tensor_open(&tensor, &r.file, &object)); /* searches for the first one of the mask */
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

    /* a key of the wrong kind does not change the fields of the others */
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

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(each_descriptor),
        cmocka_unit_test(more_axes_than_an_object_keeps),
        cmocka_unit_test(promises_of_many_elements),
        cmocka_unit_test(fields_of_a_descriptor),
    };
    return SUITE("descriptors", cases);
}
