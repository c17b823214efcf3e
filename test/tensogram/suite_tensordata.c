/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of tensors against the reference library: every tensor of a list (list.py) decodes to the SHA-256 that the list
 * has, in slices of every kind, from media of every kind, with exactly the memory that it requires. TENSOR_LISTS: pairs
 * of a list and the folder of its files, separated by blanks.
 */
#include "tensor_world.h"

#include "hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned compared, refused;

/* Reads the tensor in slices of `slice` bytes (0: random sizes, some of which are skipped after being read, and the
 * same again). */
static void digest(tensor_world *w, utet_tensor *t, size_t slice, char hex[65])
{
    static guard to;
    struct sha256 sum;
    size_t got;

    if (to.data == NULL)
        to = guard_new(1u << 20, 1, GUARD_AFTER);
    faultport_zone(&w->rig.port, 1, to.data, to.size);
    sha256_init(&sum);
    for (;;) {
        size_t size = slice != 0 ? slice : 1 + world_draw(300);
        uint8_t *at = to.data + (to.size - size);
        utet_status status;

        DRIVE(status, utet_tensor_read(t, at, size, &got));
        if (status == UTET_END)
            break;
        suite_check(status == UTET_OK, "%s: %s at %lu %s", w->name, rig_status(status), (unsigned long)t->position,
                    w->rig.port.violation);
        suite_check(got != 0 && got <= size, "%s: %lu bytes", w->name, (unsigned long)got);
        sha256_add(&sum, at, got);
    }
    suite_check(t->position == t->length, "%s: ends at %lu of %lu", w->name, (unsigned long)t->position,
                (unsigned long)t->length);
    hash_end(&sum, hex);
}

static void check_one(tensor_world *w, int codec, size_t slice, size_t port_slice, unsigned blocks, unsigned unit,
                      int mapped)
{
    char hex[65];
    utet_tensor t;
    utet_need need;
    utet_status status;
    int small;

    for (small = 0; small < 2; small++) { /* with exactly the need; with one byte less */
        world_open(w, codec, 1u << 23, port_slice, blocks, unit, mapped);
        DRIVE(status, utet_tensor_need(&t, &w->rig.file, &w->object, &need));
        suite_check(status == UTET_OK, "%s: need: %s", w->name, rig_status(status));
        world_close(w);
        if (small != 0 && need.least == 0)
            break;
        world_open(w, codec, (size_t)need.least - (size_t)small, port_slice, blocks, unit, mapped);
        DRIVE(status, utet_tensor_open(&t, &w->rig.file, &w->object));
        if (small != 0) {
            suite_check(status == UTET_E_BUDGET && w->rig.file.needed == need.least, "%s: %s with one byte less",
                        w->name, rig_status(status));
        } else {
            suite_check(status == UTET_OK, "%s: open: %s", w->name, rig_status(status));
            digest(w, &t, slice, hex);
            suite_check(strcmp(hex, w->sha) == 0, "%s (offset %lu): other data", w->name,
                        (unsigned long)w->object.payload_offset);
            compared++;
        }
        world_close(w);
    }
}

static int decodable(const tensor_world *w)
{
    unsigned i;

    for (i = 0; i < UTET_MASKS; i++)
        if (w->object.mask[i].method >= UTET_COMPRESSION_BLOSC2)
            return 0;
    return w->object.compression < UTET_COMPRESSION_BLOSC2;
}

static void every_tensor(void **state)
{
    tensor_world w;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w)) {
        if (!decodable(&w)) {
            utet_tensor t;

            world_open(&w, 0, 1u << 20, SLICE_ALL, 0, 1, 0);
            assert_int_equal(utet_tensor_open(&t, &w.rig.file, &w.object), UTET_E_CODEC);
            world_close(&w);
            refused++;
            continue;
        }
        check_one(&w, 1, 1u << 20, SLICE_ALL, 0, 1, 1);
        check_one(&w, 1, 4096, SLICE_ALL, 0, 512, 0);
        check_one(&w, 1, 0, SLICE_RANDOM, 1, 1, 0);
        if (w.object.decoded_length < 5000) {
            check_one(&w, 1, 1, 1, 0, 1, 0);
            check_one(&w, 1, 7, 3, 2, 64, 0);
        }
        if (world_uses_zstd(&w))
            check_one(&w, 0, 999, SLICE_ALL, 1, 1, 0);
    }
    suite_figure("%u decoded tensors compared, %u refused by name (blosc2, zfp, sz3)", compared, refused);
}

/* Skipping leads to the same position as reading. */
static void skips(void **state)
{
    tensor_world w;
    unsigned done = 0;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w)) {
        static uint8_t whole[1u << 20], part[600];
        utet_tensor t;
        size_t got = 0;
        unsigned i;

        if (!decodable(&w) || w.object.decoded_length > sizeof whole || w.object.decoded_length == 0)
            continue;
        world_open(&w, 1, 1u << 23, SLICE_ALL, 0, 1, 0);
        faultport_zone(&w.rig.port, 1, whole, sizeof whole);
        DRIVE_OK(utet_tensor_open(&t, &w.rig.file, &w.object));
        DRIVE_OK(utet_tensor_read(&t, whole, sizeof whole, &got));
        world_close(&w);
        world_open(&w, 1, 1u << 23, SLICE_RANDOM, 1, 1, 0);
        faultport_zone(&w.rig.port, 1, part, sizeof part);
        for (i = 0; i < 4; i++) {
            utet_status status;

            DRIVE_OK(utet_tensor_open(&t, &w.rig.file, &w.object));
            do {
                size_t size;
                uint64_t at;

                size = world_draw(i < 2 ? 12 : 500);
                DRIVE_OK(utet_tensor_skip(&t, size));
                at = t.position;
                size = 1 + world_draw(i < 2 ? 12 : sizeof part);
                DRIVE(status, utet_tensor_read(&t, part, size, &got));
                suite_check(status == UTET_OK || status == UTET_END, "%s: %s", w.name, rig_status(status));
                suite_check(memcmp(part, whole + at, got) == 0, "%s: other bytes at %lu", w.name, (unsigned long)at);
            } while (status != UTET_END);
            done++;
        }
        world_close(&w);
    }
    suite_figure("%u tensors read in skips", done);
}

/* Numbers are those of the bytes; floats of packed values are as close as promised. */
static void numbers(void **state)
{
    tensor_world w;
    unsigned long values = 0;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w)) {
        static uint8_t whole[1u << 20];
        static double doubles[1000];
        static float floats[1000];
        utet_tensor t, u;
        size_t got = 0, n = 0, m = 0, i, width = w.object.width;
        uint64_t at = 0;
        int complex = w.object.dtype == UTET_TENSOR_COMPLEX64 || w.object.dtype == UTET_TENSOR_COMPLEX128;

        if (!decodable(&w) || w.object.decoded_length > sizeof whole || w.object.decoded_length == 0)
            continue;
        world_open(&w, 1, 1u << 23, SLICE_ALL, 1, 1, 0);
        faultport_zone(&w.rig.port, 1, whole, sizeof whole);
        faultport_zone(&w.rig.port, 2, doubles, sizeof doubles);
        faultport_zone(&w.rig.port, 3, floats, sizeof floats);
        DRIVE_OK(utet_tensor_open(&t, &w.rig.file, &w.object));
        if (complex || w.object.dtype == UTET_TENSOR_BITMASK) {
            assert_int_equal(utet_tensor_doubles(&t, doubles, 1, &n), UTET_E_DTYPE);
            assert_int_equal(utet_tensor_floats(&t, floats, 1, &n), UTET_E_DTYPE);
            world_close(&w);
            continue;
        }
        DRIVE_OK(utet_tensor_read(&t, whole, sizeof whole, &got));
        assert_int_equal(got, w.object.decoded_length);
        while (at < w.object.elements) {
            utet_status status;

            DRIVE_OK(utet_tensor_open(&t, &w.rig.file, &w.object));
            DRIVE_OK(utet_tensor_skip(&t, at * width));
            i = 1 + world_draw(1000);
            DRIVE_OK(utet_tensor_doubles(&t, doubles, i, &n));
            DRIVE_OK(utet_tensor_open(&u, &w.rig.file, &w.object));
            DRIVE_OK(utet_tensor_skip(&u, at * width));
            DRIVE(status, utet_tensor_floats(&u, floats, n, &m));
            suite_check(status == UTET_OK && m == n && n != 0, "%s: %s", w.name, rig_status(status));
            for (i = 0; i < n; i++) {
                double value, near = fabs(doubles[i] - w.object.packing.reference);
                float narrow;

                assert_int_equal(utet_tensor_double(w.object.dtype, whole + (at + i) * width, &value, NULL), UTET_OK);
                suite_check(memcmp(&value, &doubles[i], 8) == 0 || (isnan(value) && isnan(doubles[i])),
                            "%s: other double at %lu", w.name, (unsigned long)(at + i));
                narrow = (float)value;
                if (fabs(w.object.packing.reference) > near)
                    near = fabs(w.object.packing.reference);
                if (w.object.encoding == UTET_ENCODING_SIMPLE_PACKING)
                    suite_check(fabs((double)floats[i] - value) <= near * ldexp(1.0, -22) + 1e-44,
                                "%s: float %g for %g", w.name, (double)floats[i], value);
                else
                    suite_check(memcmp(&narrow, &floats[i], 4) == 0 || (isnan(narrow) && isnan(floats[i])),
                                "%s: other float at %lu", w.name, (unsigned long)(at + i));
            }
            at += n;
            values += n;
        }
        world_close(&w);
    }
    suite_figure("%lu numbers compared", values);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {cmocka_unit_test(every_tensor), cmocka_unit_test(skips),
                                              cmocka_unit_test(numbers)};

    return SUITE("tensordata", cases);
}
