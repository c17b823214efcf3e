/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of softmax (fold_softmax.c), called without a file: sums and results have the bits of those computed step
 * by step from utet_fold_exp, quotients and wide integers, which suite_transform and fold_test.py compare with other
 * models. Elements are any bits, close to the maximum, or where results become subnormal or 0; maxima and sums are also
 * those of another file.
 */
#include "fold/fold_transform.h"
#include "suite.h"

#include <string.h>

enum { COUNT = 300, SUM_WORDS = 36, CELL_WORDS = 2 + SUM_WORDS / 2, KINDS = 10, ROUNDS = FOLD_ROOMY ? 4000 : 200 };

static uint8_t elements[4 * COUNT + 1];
static uint8_t results[4 * COUNT + 5];
static uint64_t cells[COUNT * CELL_WORDS];
static utet_transform transform;
static utet_dataset dataset;
static utet_transform_into into;
static uint64_t undefined;
static uint64_t state_of_random = 7;

static uint64_t any(void)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return state_of_random ^ state_of_random >> 29;
}

static uint32_t bits_of(double value)
{
    return utet_fold_narrow(utet_fold_bits(value));
}

static double value_of(uint32_t bits)
{
    const fold_layout *layout = &utet_dtype_layouts[UTET_F32];

    return utet_fold_value(utet_fold_promote(layout, utet_fold_key(layout, bits)));
}

/* From 0 to less than 1. */
static double part(void)
{
    return (double)(any() >> 11) * 0x1p-53;
}

static uint32_t any_element(unsigned kind, uint32_t greatest)
{
    const double top = value_of(greatest);

    switch (kind) {
    case 0: return (uint32_t)any();
    case 1: return bits_of(top - 30 * part());
    case 2: return greatest ^ (uint32_t)(any() & 0x1F);
    case 3: return bits_of(top - 85 - 22 * part());  /* subnormal results, and those that become 0 */
    case 4: return bits_of(top - 700 - 50 * part()); /* subnormal exponentials, and those that become 0 */
    case 5: return (uint32_t)(any() % 3) << 31;
    case 6: return (0x35800000u ^ (uint32_t)(any() % 5 - 2)) | (uint32_t)any() << 31; /* near 2^-20 */
    case 7: return (0x49800000u + (uint32_t)(any() % 5) - 2) | (uint32_t)any() << 31; /* near 2^20 */
    case 8: return bits_of(top + (part() - 0.5) * 0x1p-12);
    default: return greatest;
    }
}

/* Elements of kinds that change, below a maximum of any kind. */
static uint32_t fill(unsigned k)
{
    static const double tops[] = {0, 3, -0.25, 500, 0x1p-19, -1000, 0x1.8p19, 0x1p20, 0x1p-30, -7};
    const uint32_t greatest = k % 11 == 10 ? (uint32_t)any() : bits_of(tops[k % 11] * (k % 2 != 0 ? 1 : 1 + part()));

    for (size_t i = 0; i < COUNT; i++) {
        const uint32_t bits = any_element((k / 11 % 3 == 0 ? (unsigned)any() : k) % KINDS, greatest);

        for (unsigned b = 0; b < 4; b++)
            elements[1 + 4 * i + b] = (uint8_t)(bits >> 8 * b);
    }
    return greatest;
}

static void add_undefined(void *context, uint64_t number)
{
    (void)context;
    undefined += number + 1;
}

static void begin(void)
{
    memset(&transform, 0, sizeof transform);
    memset(cells, 0, sizeof cells);
    memset(results, 0x55, sizeof results);
    dataset.dtype = UTET_F32;
    undefined = 0;
    into = (utet_transform_into){.elements = results + 1, .size = 4 * COUNT, .undefined = add_undefined};
    transform.fold.priv.dataset = &dataset;
    transform.fold.priv.layout = &utet_dtype_layouts[UTET_F32];
    transform.fold.priv.transform = &transform;
    transform.fold.priv.operation = &utet_transform_softmax.own;
    transform.priv.method = &utet_transform_softmax;
    transform.priv.into = &into;
    transform.priv.wanted = COUNT;
}

static fold_part part_of(size_t from, size_t count, size_t step)
{
    return (fold_part){.fold = &transform.fold,
                       .layout = &utet_dtype_layouts[UTET_F32],
                       .data = elements + 1 + 4 * from,
                       .stride = 4,
                       .count = count,
                       .cell = (uint8_t *)cells + from * step,
                       .cell_step = step,
                       .place = from,
                       .place_step = 1};
}

static uint64_t element_at(size_t i, unsigned *special)
{
    fold_element element;

    utet_fold_split(&utet_dtype_layouts[UTET_F32], utet_le32(elements + 1 + 4 * i), &element);
    *special = element.special;
    return utet_transform_value(&utet_dtype_layouts[UTET_F32], &element);
}

static void add_exactly(uint32_t *words, size_t i, uint64_t greatest)
{
    unsigned special;
    const uint64_t value = element_at(i, &special);
    fold_element power;

    if (special != FOLD_FINITE)
        return;
    utet_fold_split(&utet_dtype_layouts[UTET_F64], utet_fold_exp(utet_fold_subtract(value, greatest)), &power);
    utet_fold_wide_add(words, SUM_WORDS, power.shift, power.magnitude, 0);
}

static void check_result(size_t i, uint64_t greatest, uint64_t sum, uint64_t *undefined_sum)
{
    unsigned special;
    const uint64_t value = element_at(i, &special);
    const uint32_t got = utet_le32(results + 1 + 4 * i);
    uint32_t want = utet_le32(elements + 1 + 4 * i);

    if (special == FOLD_FINITE) {
        const uint64_t quotient = utet_transform_divide(utet_fold_exp(utet_fold_subtract(value, greatest)), sum);

        *undefined_sum += quotient == TRANSFORM_UNDEFINED ? i + 1 : 0;
        want = quotient == TRANSFORM_UNDEFINED ? 0x7FC00000u : utet_fold_narrow(quotient);
    }
    suite_check(got == want, "%a - %a, divided by %a: %a, expected %a", utet_fold_value(value),
                utet_fold_value(greatest), utet_fold_value(sum), value_of(got), value_of(want));
}

/* Both passes, over two runs of one cell. */
static void one_cell(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ROUNDS; k++) {
        const uint64_t greatest = utet_fold_bits(value_of(fill(k)));
        const size_t half = (size_t)(any() % COUNT);
        uint32_t words[SUM_WORDS] = {0};
        uint64_t numbers = 0;
        fold_part run;

        begin();
        cells[0] = greatest;
        transform.fold.priv.turn = 1;
        for (size_t i = 0; i < COUNT; i++)
            add_exactly(words, i, greatest);
        run = part_of(0, half, 0);
        transform.priv.method->second(&run);
        run = part_of(half, COUNT - half, 0);
        transform.priv.method->second(&run);
        suite_check(memcmp(cells + 2, words, sizeof words) == 0, "round %u: the sums differ", k);

        if (k % 7 == 6) { /* a sum that these elements do not have */
            const uint64_t other = any();

            memset(cells + 2, 0, sizeof words);
            utet_fold_wide_add((void *)(cells + 2), SUM_WORDS, (unsigned)(any() % 1080), other, 0);
        }
        utet_transform_softmax.settle(&transform, (void *)cells);
        transform.fold.priv.turn = 2;
        run = part_of(0, half, 0);
        transform.priv.method->own.take(&run);
        run = part_of(half, COUNT - half, 0);
        transform.priv.method->own.take(&run);
        assert_true(cells[0] == greatest);
        for (size_t i = 0; i < COUNT; i++)
            check_result(i, greatest, cells[1], &numbers);
        assert_true(undefined == numbers);
        assert_true(results[0] == 0x55 && results[4 * COUNT + 1] == 0x55);
    }
}

/* A cell each, with three elements; only some of the results are written. */
static void many_cells(void **state)
{
    const size_t some = COUNT / 3;
    const size_t step = CELL_WORDS * sizeof *cells;

    (void)state;
    for (unsigned k = 0; k < ROUNDS / 4; k++) {
        const uint64_t greatest = utet_fold_bits(value_of(fill(k)));
        uint64_t numbers = 0;

        begin();
        into.from = 10;
        transform.priv.wanted = COUNT - 50;
        transform.fold.priv.turn = 1;
        for (size_t i = 0; i < some; i++)
            cells[i * CELL_WORDS] = greatest;
        for (size_t i = 0; i < COUNT; i += some) {
            fold_part run = part_of(i, some, step);

            run.cell = (uint8_t *)cells;
            transform.priv.method->second(&run);
        }
        for (size_t i = 0; i < some; i++) {
            uint32_t words[SUM_WORDS] = {0};

            for (size_t j = i; j < COUNT; j += some)
                add_exactly(words, j, greatest);
            suite_check(memcmp(cells + i * CELL_WORDS + 2, words, sizeof words) == 0, "round %u: sum %u differs", k,
                        (unsigned)i);
            utet_transform_softmax.settle(&transform, (void *)(cells + i * CELL_WORDS));
        }
        transform.fold.priv.turn = 2;
        for (size_t i = 0; i < COUNT; i += some) {
            fold_part run = part_of(i, some, step);

            run.cell = (uint8_t *)cells;
            transform.priv.method->own.take(&run);
        }
        memmove(results + 1 + 4 * 10, results + 1, sizeof results - 1 - 4 * 10); /* where they would be all together */
        for (size_t i = 10; i < COUNT - 40; i++)
            check_result(i, greatest, cells[i % some * CELL_WORDS + 1], &numbers);
        assert_true(undefined == numbers);
        assert_true(utet_le32(results + 1 + 4 * (COUNT - 40)) == 0x55555555u);
    }
}

/* A long run of one element, without a stride. */
static void long_run(void **state)
{
    fold_part run;
    uint64_t sum;

    (void)state;
    (void)fill(1);
    begin();
    cells[0] = element_at(0, &(unsigned){0});
    transform.fold.priv.turn = 1;
    run = part_of(0, 100000, 0);
    run.stride = 0;
    transform.priv.method->second(&run);
    utet_transform_softmax.settle(&transform, (void *)cells);
    sum = utet_fold_bits(100000);
    assert_true(cells[1] == sum);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(one_cell),
        cmocka_unit_test(many_cells),
        cmocka_unit_test(long_run),
    };

    return SUITE("softmax", cases);
}
