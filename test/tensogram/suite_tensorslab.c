/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Slabs of tensors against the complete decoded tensor, whose digest is the reference library's. Every tensor of a list
 * gets random shapes and selections, and is read in parts of every size, from media of every kind, in every budget from
 * the minimum on. The expected values are selected from the complete tensor by index, one element at a time.
 */
#include "tensor_world.h"

#include "hash.h"

#include <string.h>

#define MOST (1u << 20)

static uint8_t whole[MOST], expected[MOST], buffer[MOST];
static float floats[MOST / 2], some_floats[MOST / 2];
static double doubles[MOST / 2];
static utet_range ranges[UTET_TENSOR_MAX_NDIM];
static utet_tensor tensor;
static utet_tensor_slab slab;

static int usable(const tensor_world *w)
{
    unsigned i;

    for (i = 0; i < UTET_MASKS; i++)
        if (w->object.mask[i].method >= UTET_COMPRESSION_BLOSC2)
            return 0;
    return w->object.compression < UTET_COMPRESSION_BLOSC2 && w->object.decoded_length <= MOST;
}

static void open_file(tensor_world *w, size_t work, unsigned behaviour)
{
    static const struct {
        size_t slice;
        unsigned blocks, unit;
        int mapped;
    } ways[] = {{SLICE_ALL, 0, 1, 1}, {SLICE_ALL, 0, 512, 0}, {SLICE_RANDOM, 1, 1, 0}, {7, 2, 64, 0}, {1, 1, 1, 0}};

    world_open(w, 1, work, ways[behaviour].slice, ways[behaviour].blocks, ways[behaviour].unit, ways[behaviour].mapped);
    faultport_zone(&w->rig.port, 1, whole, sizeof whole);
    faultport_zone(&w->rig.port, 2, buffer, sizeof buffer);
    faultport_zone(&w->rig.port, 3, doubles, sizeof doubles);
}
#define BEHAVIOURS 5

/* All of the tensor, which must be what the reference library has. */
static void decode(tensor_world *w)
{
    struct sha256 sum;
    char hex[65];
    size_t got;
    utet_status status;

    open_file(w, 1u << 23, 0);
    DRIVE_OK(utet_tensor_open(&tensor, &w->rig.file, &w->object));
    DRIVE(status, utet_tensor_read(&tensor, whole, sizeof whole, &got));
    suite_check(status == (got != 0 ? UTET_OK : UTET_END) && got == w->object.decoded_length, "%s: %s", w->name,
                rig_status(status));
    sha256_init(&sum);
    sha256_add(&sum, whole, got);
    hash_end(&sum, hex);
    suite_check(strcmp(hex, w->sha) == 0, "%s: other data", w->name);
    world_close(w);
}

/* A shape with the tensor's number of elements: some of its divisors, and ones. */
static void make_shape(utet_object *o)
{
    uint64_t left = o->elements;
    unsigned d;

    o->ndim = (uint8_t)world_draw(left == 1 ? 4 : 6);
    if (o->ndim == 0)
        o->ndim = left != 1;
    for (d = 0; d < o->ndim; d++) {
        uint64_t divisor = 1 + world_draw(left < 60 ? (uint32_t)left + 1 : 60);

        while (divisor > 1 && (left == 0 ? 0 : left % divisor) != 0)
            divisor--;
        o->shape[d] = left == 0 ? (d == 0 ? 0 : divisor) : divisor;
        if (left != 0)
            left /= divisor;
    }
    if (o->ndim != 0 && left != 0) /* what remains goes to one of them */
        o->shape[world_draw(o->ndim)] *= left;
}

static void make_ranges(const utet_object *o)
{
    unsigned d;

    for (d = 0; d < o->ndim; d++) {
        const uint32_t extent = (uint32_t)o->shape[d];

        memset(&ranges[d], 0, sizeof ranges[d]);
        ranges[d].stop = extent;
        ranges[d].step = 1;
        if (extent == 0 || world_draw(3) == 0)
            continue;
        ranges[d].start = world_draw(extent);
        ranges[d].stop = ranges[d].start + 1 + world_draw(extent - (uint32_t)ranges[d].start);
        ranges[d].step = world_draw(2) ? 1 : 1 + world_draw(extent < 9 ? extent + 1 : extent / 3);
    }
}

/* The bytes of the selection, from `whole`. */
static size_t pick(const utet_object *o, size_t *elements)
{
    uint64_t index[UTET_TENSOR_MAX_NDIM];
    const size_t width = o->dtype == UTET_TENSOR_BITMASK ? 1 : o->width;
    size_t n = 0;
    unsigned d;

    for (d = 0; d < o->ndim; d++) {
        index[d] = ranges[d].start;
        if (o->shape[d] == 0)
            return *elements = 0;
    }
    if (o->elements == 0)
        return *elements = 0;
    for (;;) {
        uint64_t place = 0;

        for (d = 0; d < o->ndim; d++)
            place = place * o->shape[d] + index[d];
        if (o->dtype == UTET_TENSOR_BITMASK)
            expected[n] = whole[place / 8] >> (7 - place % 8) & 1;
        else
            memcpy(expected + n * width, whole + place * width, width);
        n++;
        for (d = o->ndim; d != 0; d--) {
            index[d - 1] += ranges[d - 1].step;
            if (index[d - 1] < ranges[d - 1].stop)
                break;
            index[d - 1] = ranges[d - 1].start;
        }
        if (d == 0)
            break;
    }
    *elements = n;
    return n * width;
}

static void open_slab(tensor_world *w)
{
    DRIVE_OK(utet_tensor_open(&tensor, &w->rig.file, &w->object));
    assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_OK);
}

/* In parts of at most `piece` bytes. */
static void check_bytes(const tensor_world *w, size_t size, uint32_t piece)
{
    size_t at = 0, got;
    utet_status status;

    suite_check(slab.length == size, "%s: %lu bytes", w->name, (unsigned long)slab.length);
    for (;;) {
        const size_t some = 1 + world_draw(piece);

        DRIVE(status, utet_tensor_slab_read(&slab, buffer, some, &got));
        if (status == UTET_END)
            break;
        suite_check(w->rig.port.violations == 0, "%s: %s", w->name, w->rig.port.violation);
        suite_check(status == UTET_OK && got <= some && got <= size - at && (got == some || at + got == size),
                    "%s: %s, %lu bytes", w->name, rig_status(status), (unsigned long)got);
        suite_check(memcmp(buffer, expected + at, got) == 0, "%s: other bytes at %lu of %lu", w->name,
                    (unsigned long)at, (unsigned long)size);
        at += got;
        suite_check(slab.position == at, "%s: position %lu", w->name, (unsigned long)slab.position);
    }
    suite_check(at == size && got == 0, "%s: ends at %lu of %lu", w->name, (unsigned long)at, (unsigned long)size);
}

/* The same as numbers. */
static void check_numbers(tensor_world *w, size_t elements)
{
    const uint8_t dtype = w->object.dtype;
    size_t at = 0, got, i;
    utet_status status;

    if (dtype == UTET_TENSOR_BITMASK || dtype == UTET_TENSOR_COMPLEX64 || dtype == UTET_TENSOR_COMPLEX128) {
        DRIVE(status, utet_tensor_slab_doubles(&slab, doubles, 1, &got));
        suite_check(status == (elements != 0 ? UTET_E_DTYPE : UTET_END), "%s: %s", w->name, rig_status(status));
        return;
    }
    for (;;) {
        const size_t some = 1 + world_draw(200);

        DRIVE(status, utet_tensor_slab_doubles(&slab, doubles, some, &got));
        if (status == UTET_END)
            break;
        suite_check(status == UTET_OK && got <= elements - at, "%s: %s", w->name, rig_status(status));
        for (i = 0; i < got; i++, at++) {
            double value;

            assert_int_equal(utet_tensor_double(dtype, expected + at * w->object.width, &value, NULL), UTET_OK);
            suite_check(memcmp(&value, &doubles[i], 8) == 0 || (value != value && doubles[i] != doubles[i]),
                        "%s: another double", w->name);
        }
    }
    suite_check(at == elements, "%s: %lu doubles", w->name, (unsigned long)at);
}

static void selections(void **state)
{
    tensor_world w;
    unsigned long compared = 0;
    unsigned run;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w)) {
        const unsigned runs = suite_full() ? 40 : w.object.decoded_length > 100000 ? 2 : suite_light() ? 3 : 6;

        if (!usable(&w))
            continue;
        decode(&w);
        for (run = 0; run < runs; run++) {
            size_t elements, size;
            unsigned way;

            make_shape(&w.object);
            make_ranges(&w.object);
            size = pick(&w.object, &elements);
            for (way = 0; way < BEHAVIOURS; way++) {
                utet_need need;

                if (way > 2 && w.object.decoded_length > 20000)
                    continue;
                open_file(&w, 1u << 23, way);
                DRIVE_OK(utet_tensor_need(&tensor, &w.rig.file, &w.object, &need));
                world_close(&w);
                open_file(&w, (size_t)need.least + world_draw(3) * world_draw(100), way);
                open_slab(&w);
                check_bytes(&w, size, way == 4 ? 3 : run % 2 ? 40 : 5000);
                compared++;
                open_slab(&w);
                check_numbers(&w, elements);
                world_close(&w);
            }
        }
    }
    suite_figure("%lu selections compared", compared);
}

/* Floats are those of the complete tensor, read at once. */
static void as_floats(void **state)
{
    tensor_world w;
    unsigned long compared = 0;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w)) {
        size_t got, at = 0, i;
        utet_status status;

        if (!usable(&w) || w.object.elements == 0 || w.object.dtype == UTET_TENSOR_BITMASK ||
            w.object.dtype == UTET_TENSOR_COMPLEX64 || w.object.dtype == UTET_TENSOR_COMPLEX128)
            continue;
        open_file(&w, 1u << 23, 2);
        faultport_zone(&w.rig.port, 3, floats, sizeof floats);
        DRIVE_OK(utet_tensor_open(&tensor, &w.rig.file, &w.object));
        DRIVE_OK(utet_tensor_floats(&tensor, floats, sizeof floats / sizeof floats[0], &got));
        assert_int_equal(got, w.object.elements);
        w.object.ndim = 1;
        w.object.shape[0] = w.object.elements;
        ranges[0].start = world_draw((uint32_t)got);
        ranges[0].stop = got;
        ranges[0].step = 1 + world_draw(5);
        DRIVE_OK(utet_tensor_open(&tensor, &w.rig.file, &w.object));
        assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_OK);
        faultport_zone(&w.rig.port, 3, some_floats, sizeof some_floats);
        for (;;) {
            const size_t some = 1 + world_draw(90);

            DRIVE(status, utet_tensor_slab_floats(&slab, some_floats, some, &got));
            if (status == UTET_END)
                break;
            assert_int_equal(status, UTET_OK);
            for (i = 0; i < got; i++, at++)
                suite_check(memcmp(&some_floats[i], &floats[ranges[0].start + at * ranges[0].step], 4) == 0,
                            "%s: another float", w.name);
        }
        suite_check(at == slab.elements && slab.position == slab.length, "%s: %lu floats", w.name, (unsigned long)at);
        compared += at;
        world_close(&w);
    }
    suite_figure("%lu floats compared", compared);
}

/* Every budget: too little is refused with the sufficient size, all others give the same bytes. */
static void every_budget(void **state)
{
    tensor_world w;
    unsigned long budgets = 0;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w)) {
        utet_need need;
        size_t size, elements, work, top;

        if (!usable(&w) || w.object.decoded_length > (suite_full() ? 100000u : 3000u))
            continue;
        decode(&w);
        make_shape(&w.object);
        make_ranges(&w.object);
        size = pick(&w.object, &elements);
        open_file(&w, 1u << 23, 3);
        DRIVE_OK(utet_tensor_need(&tensor, &w.rig.file, &w.object, &need));
        world_close(&w);
        top = (size_t)need.least + (suite_full() ? 600 : 20);
        /* utet_messages_open already refuses less than the window */
        work = suite_full() || need.least < UTET_WINDOW_LEAST(64) + 30 ? UTET_WINDOW_LEAST(64)
                                                                       : (size_t)need.least - 30;
        for (; work <= top; work++) {
            utet_status status;

            open_file(&w, work, 3);
            DRIVE(status, utet_tensor_open(&tensor, &w.rig.file, &w.object));
            if (work < need.least) {
                suite_check(status == UTET_E_BUDGET && w.rig.file.needed == need.least, "%s: %s with %lu of %lu",
                            w.name, rig_status(status), (unsigned long)work, (unsigned long)need.least);
                assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_E_STATE);
            } else {
                assert_int_equal(status, UTET_OK);
                assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_OK);
                check_bytes(&w, size, 900);
            }
            world_close(&w);
            budgets++;
        }
    }
    suite_figure("%lu budgets", budgets);
}

/* Errors of the medium are returned after what came before them, and persist; the file is as good as before. */
static void faults(void **state)
{
    tensor_world w;
    unsigned met = 0;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w)) {
        size_t size, elements;
        uint64_t at;

        if (!usable(&w) || w.object.decoded_length > 5000 || w.object.elements == 0)
            continue;
        decode(&w);
        make_shape(&w.object);
        make_ranges(&w.object);
        size = pick(&w.object, &elements);
        for (at = 0;; at++) {
            utet_status status;
            size_t got = 0, done = 0;

            open_file(&w, 1u << 20, 3);
            w.rig.port.fault = FAULT_ERROR;
            w.rig.port.fault_at = at;
            DRIVE(status, utet_tensor_open(&tensor, &w.rig.file, &w.object));
            if (status == UTET_OK)
                assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_OK);
            while (status == UTET_OK) {
                DRIVE(status, utet_tensor_slab_read(&slab, buffer, 100, &got));
                suite_check(memcmp(buffer, expected + done, got) == 0, "%s: other bytes", w.name);
                done += got;
            }
            if (w.rig.port.faults == 0) {
                suite_check(status == UTET_END && done == size, "%s: %s", w.name, rig_status(status));
                world_close(&w);
                break;
            }
            met++;
            suite_check(status == FAULTPORT_ERROR, "%s: %s", w.name, rig_status(status));
            w.rig.port.fault = FAULT_NONE;
            open_slab(&w);
            check_bytes(&w, size, 900);
            world_close(&w);
        }
    }
    suite_figure("%u faults", met);
}

/* Calls that are not permitted return that status, and change nothing. */
static void refused(void **state)
{
    static const utet_range bad[] = {{0, 3, 0}, {0, 4, 1}, {2, 1, 1}, {1, 1, 1}, {3, 3, 1}};
    static const uint8_t bytes[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    tensor_world w;
    size_t got = 7, i;
    uint8_t two[2];

    (void)state;
    memset(&w, 0, sizeof w);
    w.bytes = bytes;
    w.size = sizeof bytes;
    w.name = "made";
    w.object.dtype = UTET_TENSOR_UINT16;
    w.object.width = 2;
    w.object.ndim = 2;
    w.object.shape[0] = 2;
    w.object.shape[1] = 3;
    w.object.encoding = UTET_ENCODING_NONE;
    w.object.filter = UTET_FILTER_NONE;
    w.object.compression = UTET_COMPRESSION_NONE;
    w.object.elements = 6;
    w.object.decoded_length = w.object.stored_length = w.object.payload_length = sizeof bytes;
    world_open(&w, 1, 1u << 12, SLICE_ALL, 1, 1, 0);
    faultport_zone(&w.rig.port, 1, buffer, sizeof buffer);
    memset(&tensor, 0, sizeof tensor);
    assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_E_STATE);
    assert_int_equal(utet_tensor_slab_read(&slab, buffer, 1, &got), UTET_E_STATE);
    assert_int_equal(got, 0);
    assert_int_equal(utet_tensor_slab_doubles(&slab, doubles, 1, &got), UTET_E_STATE);

    DRIVE_OK(utet_tensor_open(&tensor, &w.rig.file, &w.object));
    ranges[0].start = 0;
    ranges[0].stop = 2;
    ranges[0].step = 1;
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ranges[1] = bad[i];
        assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_E_RANGE);
    }
    ranges[1].start = 1;
    ranges[1].stop = 3;
    ranges[1].step = 9;
    assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_OK);
    assert_int_equal(slab.count[0], 2);
    assert_int_equal(slab.count[1], 1);
    assert_int_equal(slab.elements, 2);
    assert_int_equal(slab.length, 4);

    /* another call than the suspended one; a number in the middle of an element; the tensor's own calls */
    assert_int_equal(utet_tensor_slab_read(&slab, buffer, 1, &got), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tensor_slab_doubles(&slab, doubles, 1, &got), UTET_E_STATE);
    DRIVE_OK(utet_tensor_slab_read(&slab, buffer, 1, &got));
    assert_int_equal(buffer[0], 2);
    assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_E_STATE);
    DRIVE_OK(utet_tensor_open(&tensor, &w.rig.file, &w.object));
    assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_OK);
    DRIVE_OK(utet_tensor_slab_read(&slab, two, 1, &got));
    assert_int_equal(two[0], 2);
    assert_int_equal(utet_tensor_slab_doubles(&slab, doubles, 1, &got), UTET_E_ARGUMENT);
    assert_int_equal(got, 0);
    DRIVE_OK(utet_tensor_slab_read(&slab, two, 1, &got));
    assert_int_equal(two[0], 3);
    DRIVE_OK(utet_tensor_slab_doubles(&slab, doubles, 5, &got));
    assert_int_equal(got, 1);
    assert_true(doubles[0] == 0x908);
    assert_int_equal(slab.position, 4);
    assert_int_equal(utet_tensor_slab_floats(&slab, floats, 1, &got), UTET_END);
    DRIVE_OK(utet_tensor_skip(&tensor, 1));
    assert_int_equal(utet_tensor_slab_read(&slab, two, 1, &got), UTET_E_STATE);
    assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_E_STATE);

    /* cancelled while suspended */
    DRIVE_OK(utet_tensor_open(&tensor, &w.rig.file, &w.object));
    assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_OK);
    assert_int_equal(utet_cancel(&w.rig.file), UTET_OK);
    DRIVE_OK(utet_tensor_slab_read(&slab, two, 2, &got));
    assert_int_equal(got, 2);
    world_close(&w);
    world_open(&w, 1, 1u << 12, 1, 1, 1, 0);
    DRIVE_OK(utet_tensor_open(&tensor, &w.rig.file, &w.object));
    assert_int_equal(utet_tensor_slab_open(&slab, &tensor, ranges), UTET_OK);
    assert_int_equal(utet_tensor_slab_read(&slab, two, 2, &got), UTET_WOULD_BLOCK);
    assert_int_equal(utet_cancel(&w.rig.file), UTET_OK);
    assert_int_equal(utet_tensor_slab_read(&slab, two, 2, &got), UTET_E_STATE);
    world_close(&w);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {cmocka_unit_test(selections), cmocka_unit_test(as_floats),
                                              cmocka_unit_test(every_budget), cmocka_unit_test(faults),
                                              cmocka_unit_test(refused)};

    return SUITE("tensorslab", cases);
}
