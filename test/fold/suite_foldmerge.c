/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Several folds of one selection (utet_fold_divide, utet_fold_merge): the same bits as one fold, for every operation,
 * dtype, filter and grouping, for any parts and any order of merging. test/fold/fold_test.py compares them with a model
 * in Python, suite_foldjoins has what is refused.
 */
#include "foldparts.h"

static void every_operation(void **state)
{
    unsigned cases = 0;

    (void)state;
    for (uint32_t dtype = 1; dtype <= UTET_U64; dtype++) {
        foldworld_build(&one, dtype, (int)(dtype % 3), dtype & 1, foldworld_tiles);
        for (size_t i = 0; i < OPERATIONS; i++)
            for (unsigned way = 0; way < 6; way++) {
                const utet_fold_filter *filter = way == 0 ? NULL : &filters[(way + i) % 4];
                const tetgen g = one.g;
                const tetgen_dataset data = one.data;

                if (!can_merge(operations[i].operation) || !takes(operations[i].operation, dtype) ||
                    (in_passes(operations[i].operation) && way >= 2 && way < 5)) /* they have no windows */
                    continue;
                start_request(&g, &data, way,
                              (utet_fold_request){.operation = operations[i].operation,
                                                  .q = below(9) / 8.0,
                                                  .bins = (uint16_t)(1 + below(7)),
                                                  .has_range = (uint8_t)below(2),
                                                  .low = -1,
                                                  .high = 100},
                              100000);
                assert_int_equal(foldworld_fold(&one, filter), UTET_OK);
                compare_parts(filter, 1 + below(MOST_PARTS - 1), operations[i].name);
                rig_end(&one.r, "one");
                cases++;
            }
        tetgen_free(&one.g);
    }
    suite_figure("%u folds by parts", cases);
    assert_true(cases > 1000);
}

/* Special values in tiles of their own: only NaN, infinities, zeros with signs, no elements. */
static void special_values(void **state)
{
    static const double values[] = {NAN, -0.0, 0.0, NAN, -INFINITY, 5, 5, INFINITY, -0.0, NAN, 1e308, 1e308, -1e308, 5};
    enum { COUNT = sizeof values / sizeof values[0] };

    (void)state;
    for (size_t i = 0; i < OPERATIONS; i++)
        for (unsigned from = 0; from < COUNT; from++)
            for (unsigned to = from + 1; to <= COUNT; to += 1 + to / 6) {
                static foldworld as;
                static tetgen g;

                if (!can_merge(operations[i].operation) || !takes(operations[i].operation, UTET_F64))
                    continue;
                foldworld_axis(&one, COUNT, 1, values);
                g = one.g;
                memset(&as, 0, sizeof as);
                as.request = (utet_fold_request){
                    .operation = operations[i].operation, .axes = 1, .has_fill = 1, .fill = 5, .q = 0.4, .bins = 5};
                as.ranges[0] = (utet_range){from, to, 1};
                as.data = one.data;
                one.g = g;
                foldworld_start_as(&one, &as, 100000);
                assert_int_equal(foldworld_fold(&one, NULL), UTET_OK);
                compare_parts(NULL, 1 + below(6), operations[i].name);
                rig_end(&one.r, "one");
                tetgen_free(&one.g);
            }
}

/* Equal elements: the smallest row-major index wins, also if it is in a later tile, and another part. */
static void equal_extremes(void **state)
{
    static const uint64_t shape[] = {3, 4};
    static const uint64_t chunk[] = {3, 2};
    static const float elements[] = {5, 5, 5, -1, 5, 9, 9, 5, -1, 5, 5, 9}; /* as in suite_foldedges */

    (void)state;
    foldworld_elements(&one, UTET_F32, 2, shape, chunk, elements);
    for (int greatest = 0; greatest < 2; greatest++) {
        joining j = {.count = 2};

        for (unsigned i = 0; i < 2; i++) {
            parts[i].g = one.g;
            foldworld_start(&parts[i], 20000);
            parts[i].ranges[0] = (utet_range){0, 3, 1};
            parts[i].ranges[1] = (utet_range){0, 4, 1};
            parts[i].request = (utet_fold_request){.dataset = &parts[i].d,
                                                   .ranges = parts[i].ranges,
                                                   .operation = greatest ? &utet_fold_arg_max : &utet_fold_arg_min,
                                                   .axes = UTET_FOLD_ALL};
            parts[i].grouped = 0;
            assert_int_equal(foldworld_ready(&parts[i], NULL), UTET_OK);
            divide(i, 2, &j);
        }
        DRIVE_OK(utet_fold_run(&parts[1].fold, NULL, 0));
        DRIVE_OK(utet_fold_run(&parts[0].fold, results, 1));
        assert_true(results[0] == (greatest ? 5 : 3));
        end_parts(2);
    }
    tetgen_free(&one.g);
}

/* Selections without elements: no results, or the results of no elements. */
static void nothing(void **state)
{
    static const utet_fold_operation *const some[] = {&utet_fold_sum, &utet_fold_arg_min, &utet_fold_any_nan};

    (void)state;
    for (unsigned axis = 0; axis < 3; axis++) {
        hollow(&one, axis);
        for (size_t i = 0; i < sizeof some / sizeof *some; i++)
            for (unsigned grouped = 0; grouped < 2; grouped++) {
                static foldworld as;
                const tetgen g = one.g;
                const tetgen_dataset data = one.data;

                memset(&as, 0, sizeof as);
                as.request = (utet_fold_request){.operation = some[i], .axes = 6};
                for (unsigned d = 0; d < 3; d++)
                    as.ranges[d] = (utet_range){0, data.shape[d], 1};
                as.grouped = grouped != 0;
                as.by.counts = grouped ? as.counts : NULL;
                as.g = one.g = g;
                as.data = data;
                foldworld_start_as(&one, &as, 100000);
                one.data = data;
                assert_int_equal(foldworld_fold(&one, NULL), UTET_OK);
                assert_int_equal(one.count, axis == 0 ? 0 : 5);
                compare_parts(NULL, 3, "nothing");
                rig_end(&one.r, "nothing");
            }
        tetgen_free(&one.g);
    }
}

/* Every tile is read by one part: together they read as many bytes as one fold. */
static void each_tile_once(void **state)
{
    uint64_t bytes[2] = {0, 0};

    (void)state;
    foldworld_build(&one, UTET_F64, TETGEN_ZSTD, 0, (const uint64_t[]){1, 1, 9});
    one.request = (utet_fold_request){.operation = &utet_fold_sum, .axes = 7};
    for (unsigned way = 0; way < 2; way++) {
        const unsigned count = way == 0 ? 1 : 4;
        joining j = {.count = count};

        for (unsigned i = 0; i < count; i++) {
            parts[i].g = one.g;
            foldworld_start(&parts[i], 20000);
            parts[i].request = one.request;
            parts[i].request.dataset = &parts[i].d;
            parts[i].request.ranges = parts[i].ranges;
            parts[i].grouped = 0;
            assert_int_equal(foldworld_ready(&parts[i], NULL), UTET_OK);
            divide(i, count, &j);
        }
        for (unsigned i = count; i-- > 0;) {
            DRIVE_OK(utet_fold_run(&parts[i].fold, results, 1));
            bytes[way] += i == 0 && count > 1 ? 0 : parts[i].fold.folded;
            /* a quarter each, of 3 x 6 tiles with 3 elements: 5, 5, 4, 4 */
            if (count == 4 && i > 0)
                assert_int_equal(parts[i].fold.folded, i < 2 ? 15 : 12);
        }
        if (way == 1)
            bytes[1] = parts[0].fold.folded;
        end_parts(count);
    }
    assert_int_equal(bytes[0], 54);
    assert_int_equal(bytes[1], 54);
    tetgen_free(&one.g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(every_operation), cmocka_unit_test(special_values), cmocka_unit_test(each_tile_once),
        cmocka_unit_test(equal_extremes),  cmocka_unit_test(nothing),
    };

    return SUITE("foldmerge", cases);
}
