/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of Tensogram frames with hashes (src/tensogram/FORMAT.md §2.1): no value of a frame is delivered that is not as
 * its writer wrote it, unless the program requests that. The frames are the reference's: each of its tensors that has a
 * hash is damaged bit by bit, and read from media that fail and from ports that return "not yet".
 */
#include "tgm.h"

#include "utet_lz4.h"
#include "utet_tensogram_data.h"

#include <stdlib.h>
#include <string.h>

enum { WORK = 1 << 20, MOST_TENSORS = 4 };

static const utet_codec *const codecs[] = {&utet_codec_szip,       &utet_codec_lz4,
                                           &utet_codec_rle,
#ifdef HAVE_ZSTD_SMALL
                                           &utet_codec_zstd_small,
#endif
                                           &utet_codec_roaring,    NULL};

static rig r;
static utet_message message;
static utet_frame frame;
static utet_object object;
static utet_cbor reader;
static utet_tensor tensor;
static uint8_t slice[64];

/* Opens the file, the first message and a tensor of it. slow: one byte at a time, "not yet" before each. */
static utet_status at_tensor(uint8_t *bytes, size_t size, uint32_t number, int slow)
{
    utet_status status;

    rig_make(&r, bytes, size, -1);
    r.port.slice = slow ? 1 : SLICE_ALL;
    r.port.blocks = slow ? 1 : 0;
    rig_start(&r, WORK, GUARD_AFTER);
    faultport_zone(&r.port, 1, slice, sizeof slice);
    assert_int_equal(utet_init(&r.file, &r.port.io, r.work.data, WORK, codecs), UTET_OK);
    assert_int_equal(utet_messages_open(&r.file, NULL), UTET_OK);
    DRIVE(status, utet_message_first(&r.file, &message));
    if (status == UTET_OK)
        DRIVE(status, utet_object_find(&object, &r.file, &message, number, &frame, &reader));
    return status;
}

static utet_status open_tensor(void)
{
    utet_status status;

    DRIVE(status, utet_tensor_open(&tensor, &r.file, &object));
    return status;
}

/* Calls `visit` with each tensor of the vectors that has a hash and can be decoded. */
static unsigned each_tensor(void (*visit)(uint8_t *bytes, size_t size, uint32_t number))
{
    unsigned visited = 0;
    size_t i;
    tgm_file f;

    for (i = 0; tgm_vector("good", i, &f); i++) {
        uint32_t number;

        for (number = 0; number < MOST_TENSORS; number++) {
            utet_status status = at_tensor(f.bytes, f.size, number, 0);
            int wanted = status == UTET_OK && object.hashed != UTET_HASH_NONE && open_tensor() == UTET_OK;

            rig_end(&r, f.name);
            if (wanted) {
                visit(f.bytes, f.size, number);
                visited++;
            }
            if (status != UTET_OK)
                break;
        }
        tgm_forget(&f);
    }
    return visited;
}

static unsigned flips, refused, values;

/* The bits that the hash covers, and those of its slot. */
static void flip(uint8_t *bytes, size_t size, uint32_t number)
{
    const uint64_t begin = (object.frame_offset + 16) * 8, end = (object.frame_offset + object.frame_length - 20) * 8;
    const uint64_t step = end - begin > 400 ? (end - begin) / (suite_full() ? 2000 : 80) + 1 : 3;
    uint64_t bit;

    for (bit = begin; bit < end + 64; bit += bit < end ? step : 9) {
        const uint64_t at = bit < end ? bit : bit + 64; /* cbor_offset is not covered */
        const uint64_t place = object.frame_offset;
        utet_status status;

        bytes[at / 8] ^= (uint8_t)(1u << at % 8);
        status = at_tensor(bytes, size, number, 0);
        if (status == UTET_OK) {
            size_t got = 1;

            flips++;
            status = open_tensor();
            suite_check(status == UTET_E_CHECKSUM, "bit %lu: %s", (unsigned long)at, rig_status(status));
            suite_check(r.file.error_offset == object.frame_offset && place == object.frame_offset, "bit %lu: at %lu",
                        (unsigned long)at, (unsigned long)r.file.error_offset);
            assert_int_equal(utet_tensor_read(&tensor, slice, sizeof slice, &got), UTET_E_STATE);
            assert_int_equal(got, 0);
            DRIVE(status, utet_tensor_open_unverified(&tensor, &r.file, &object));
            if (status == UTET_OK)
                DRIVE(status, utet_tensor_read(&tensor, slice, sizeof slice, &got));
            values += status == UTET_OK;
        } else {
            refused++; /* the descriptor states it */
        }
        rig_end(&r, "flip");
        bytes[at / 8] ^= (uint8_t)(1u << at % 8);
    }
}

static void no_value_of_a_damaged_frame(void **state)
{
    unsigned tensors;

    (void)state;
    flips = refused = values = 0;
    tensors = each_tensor(flip);
    suite_check(tensors > 50 && flips > 700 && values > 600, "%u tensors, %u flips, %u values", tensors, flips, values);
    suite_figure("%u tensors, %u bits flipped: refused; without the hash %u of them give values", tensors, flips,
                 values);
}

/* Each read of the hash fails, is suspended, or is cancelled; then everything is as if nothing had happened. */
static void failing(uint8_t *bytes, size_t size, uint32_t number)
{
    static const fault_kind kinds[] = {FAULT_ERROR, FAULT_EOF, FAULT_SHORT, FAULT_BLOCK_THRICE};
    unsigned kind, at;

    if (size > 20000 && !suite_full())
        return;
    for (kind = 0; kind < 4; kind++)
        for (at = 0; at < 4; at++) {
            utet_status status;
            size_t got;

            assert_int_equal(at_tensor(bytes, size, number, 0), UTET_OK);
            r.file.priv.held = 0;
            r.port.fault = kinds[kind];
            r.port.fault_at = r.port.reads + at;
            status = open_tensor();
            if (kind < 2 && r.port.faults != 0)
                suite_check(status == (kind == 0 ? FAULTPORT_ERROR : UTET_E_SHORT), "%s", rig_status(status));
            else
                suite_check(status == UTET_OK, "%s", rig_status(status));
            if (status != UTET_OK)
                assert_int_equal(utet_tensor_read(&tensor, slice, sizeof slice, &got), UTET_E_STATE);
            r.port.fault = FAULT_NONE;
            assert_int_equal(open_tensor(), UTET_OK);
            rig_end(&r, "fault");
        }
    assert_int_equal(at_tensor(bytes, size, number, 1), UTET_OK);
    r.file.priv.held = 0;
    assert_int_equal(utet_tensor_open(&tensor, &r.file, &object), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tensor_open_unverified(&tensor, &r.file, &object), UTET_E_STATE);
    assert_int_equal(utet_cancel(&r.file), UTET_OK);
    if (size < 3000)
        assert_int_equal(open_tensor(), UTET_OK);
    rig_end(&r, "cancel");
}

static void hashes_from_media_that_fail(void **state)
{
    (void)state;
    assert_true(each_tensor(failing) > 50);
}

/* A flag that says "no hash" makes no promise. */
static void no_hash(uint8_t *bytes, size_t size, uint32_t number)
{
    uint8_t *flags = bytes + object.frame_offset + 7;
    const uint8_t kept = *flags, old = bytes[11];

    *flags &= (uint8_t)~2u;
    bytes[11] &= 0x7f;
    bytes[object.frame_offset + object.frame_length - 5] ^= 1;
    assert_int_equal(at_tensor(bytes, size, number, 0), UTET_OK);
    assert_int_equal(object.hashed, UTET_HASH_NONE);
    assert_int_equal(open_tensor(), UTET_OK);
    rig_end(&r, "no hash");
    bytes[object.frame_offset + object.frame_length - 5] ^= 1;
    bytes[11] = old;
    *flags = kept;
}

static void frames_without_a_hash(void **state)
{
    (void)state;
    assert_true(each_tensor(no_hash) > 50);
}

/* A budget that is too small is reported after the hash has been checked: the memory requirement of a damaged frame
 * does not count. */
static void budget(uint8_t *bytes, size_t size, uint32_t number)
{
    utet_need need;
    utet_status status;

    assert_int_equal(at_tensor(bytes, size, number, 0), UTET_OK);
    DRIVE(status, utet_tensor_need(&tensor, &r.file, &object, &need));
    assert_int_equal(status, UTET_OK);
    if (need.least > UTET_WINDOW_LEAST(1)) {
        assert_int_equal(utet_init(&r.file, &r.port.io, r.work.data, (size_t)need.least - 1, codecs), UTET_OK);
        assert_int_equal(utet_messages_open(&r.file, NULL), UTET_OK);
        assert_int_equal(open_tensor(), UTET_E_BUDGET);
        assert_int_equal(r.file.needed, need.least);
        object.hash ^= 1;
        assert_int_equal(open_tensor(), UTET_E_CHECKSUM);
    }
    rig_end(&r, "budget");
}

static void hashes_before_budgets(void **state)
{
    (void)state;
    assert_true(each_tensor(budget) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_of_a_damaged_frame),
        cmocka_unit_test(hashes_from_media_that_fail),
        cmocka_unit_test(frames_without_a_hash),
        cmocka_unit_test(hashes_before_budgets),
    };

    return SUITE("hashes", tests);
}
