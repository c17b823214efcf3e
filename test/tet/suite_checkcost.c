/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The call protocol of the whole-file check with every amount of workspace, and its cost. */
#include "checkworld.h"

/* ---- protocol and cost ---- */

/* A budget below the smallest window permits the catalogue (utet_open) and so also the check, which then uses the
 * object's own few words. */
static void a_budget_below_the_window(void **state)
{
    static report plain, p;
    tetgen g = {.datasets = sets, .count = SETS, .seed = 3, .shuffle = 1};
    record records[SETS];
    utet_status status;
    rig r;
    (void)state;
    tetgen_build(&g);
    copy_records(records);
    plain_report(g.bytes, g.size, records, SETS, &plain);
    rig_make(&r, g.bytes, g.size, -1);
    for (size_t budget = 1; budget < 2 * LEAST; budget += 61) {
        assert_int_equal(rig_open(&r, 4096, budget), UTET_OK);
        canary_fill(r.work.data + UTET_OPEN_WORK(1), r.work.size - UTET_OPEN_WORK(1));
        status = walk(&r, &p);
        suite_check(status == UTET_END && strcmp(p.text, plain.text) == 0, "budget %zu: %s\n%s", budget,
                    rig_status(status), p.text);
        assert_true(canary_intact(r.work.data + UTET_OPEN_WORK(1), r.work.size - UTET_OPEN_WORK(1)));
    }
    rig_end(&r, "budget");
    tetgen_free(&g);
}

/* Empty datasets after the last row cost the search for doubles no passes, with any number of them and any amount of
 * memory: the 40 bits of the object are enough for all the chunks. */
static void empty_datasets_at_the_end(void **state)
{
    enum { MANY = 300 };
    static tetgen_dataset many[MANY];
    tetgen g = {.datasets = many, .count = MANY, .seed = 3};
    utet_check check;
    utet_finding f;
    uint64_t before = 0;
    rig r;
    (void)state;
    for (unsigned i = 0; i < MANY; i++)
        many[i] = (tetgen_dataset){"x", 1, UTET_U8, 1, {i == 0 ? 40 : 0}, {1}, TETGEN_RAW};
    tetgen_build(&g);
    tetgen_put(g.bytes + g.index_offset + 32 + 8, 1, 8); /* the first two chunks change places */
    tetgen_put(g.bytes + g.index_offset + 32 + 104 + 8, 0, 8);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(rig_open(&r, LEAST, (size_t)-1), UTET_OK);
    utet_check_init(&check, &r.file);
    do {
        DRIVE_OK(utet_check_next(&check, &f));
        if (f.check == UTET_CHECK_DATASET_TENSOR_BYTES)
            before = r.port.bytes_read;
    } while (f.check != UTET_CHECK_CHUNK_COORDS);
    before = r.port.bytes_read - before;
    suite_check(before < 3 * 104 * 40, "%llu bytes", (unsigned long long)before);
    rig_end(&r, "empty");
    tetgen_free(&g);
}

/* A check whose medium changes at read number `when`: nothing is promised about the findings, but the check stays
 * within its memory and ends. Returns whether it reached that read. */
static int walk_on_shifting_ground(const tetgen *g, size_t work, unsigned long when, uint8_t *at, uint64_t value)
{
    uint64_t was = tetgen_get(at, 8);
    utet_check check;
    utet_finding f;
    utet_status status;
    unsigned findings = 0;
    unsigned long reads = 0;
    rig r;
    rig_make(&r, g->bytes, g->size, -1);
    assert_int_equal(rig_open(&r, work, (size_t)-1), UTET_OK);
    r.port.blocks = 1;
    utet_check_init(&check, &r.file);
    do {
        status = utet_check_next(&check, &f);
        if (status == UTET_WOULD_BLOCK && reads++ == when)
            tetgen_put(at, value, 8);
        findings += status == UTET_OK;
    } while ((status == UTET_OK || status == UTET_WOULD_BLOCK) && findings < 100);
    suite_check(status == UTET_END || status == UTET_E_DATASET, "ends with %s after %u findings", rig_status(status),
                findings);
    tetgen_put(at, was, 8);
    rig_end(&r, "shifting ground");
    return reads > when;
}

static void a_medium_that_changes(void **state)
{
    static const struct {
        size_t row, field; /* in row 1; row 0: the extents of the first record */
        uint64_t value;
    } changes[] = {{0, 0, 1}, {0, 0, 5000}, {0, 16, 0}, {1, 0, 99}, {1, 8, UINT64_MAX}, {1, 72, 3}};
    tetgen g = {.datasets = sets, .count = SETS, .seed = 8, .shuffle = 1};
    (void)state;
    tetgen_build(&g);
    uint8_t *row1 = g.bytes + g.index_offset + 32 + 104;
    for (int twice = 0; twice < 2; twice++) { /* then with an offset that was there twice at first */
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
            for (size_t work = LEAST; work < LEAST + 1000; work += 700) {
                uint8_t *at = (changes[i].row ? row1 : g.bytes + 64) + changes[i].field;
                unsigned long when = 0;
                while (walk_on_shifting_ground(&g, work, when, at, changes[i].value))
                    when += twice && i == 5 ? 1 : suite_light() ? 23 : 5;
                suite_check(when > 3, "too few reads");
            }
        memcpy(row1 + 72, row1 + 72 + 104 * 6, 8);
    }
    tetgen_free(&g);
}

/* Truncation and bit flips of rows and records: the check always gives a result, and the same one with or without
 * suspensions, with little memory or much. */
static void flipped_bits(void **state)
{
    static report p, q;
    tetgen g = {.datasets = sets, .count = SETS, .seed = 8, .shuffle = 1};
    rig r;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    size_t end = g.index_offset + 32 + 104 * g.row_count;
    for (size_t bit = 32 * 8; bit < 8 * end; bit += suite_full() ? 1 : suite_light() ? 13 : 3) {
        g.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        r.port.slice = SLICE_ALL;
        r.port.blocks = 0;
        utet_status a = check_file(&r, 8192, &p);
        r.port.slice = 31;
        r.port.blocks = 1;
        utet_status b = check_file(&r, LEAST + bit % 100, &q);
        drop_taste(&p);
        drop_taste(&q);
        suite_check(a == b && (a != UTET_END || strcmp(p.text, q.text) == 0), "bit %zu: %s, %s\n%s, then\n%s", bit,
                    rig_status(a), rig_status(b), p.text, q.text);
        g.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    rig_end(&r, "flips");
    tetgen_free(&g);
}

static void faults_everywhere(void **state)
{
    static report clean, p;
    unsigned long injected = 0;
    (void)state;
    for (int shuffle = 0; shuffle < 2; shuffle++) {
        tetgen g = {.datasets = sets, .count = SETS, .seed = 8, .shuffle = shuffle, .gaps = shuffle};
        rig r;
        tetgen_build(&g);
        rig_make(&r, g.bytes, g.size, -1);
        for (size_t work = LEAST; work < 2000; work += 900) {
            r.port.fault = FAULT_NONE;
            assert_int_equal(check_file(&r, work, &clean), UTET_END);
            uint64_t reads = r.port.reads;
            for (uint64_t at = 0; at < reads; at += 1 + reads / 300)
                for (int kind = FAULT_ERROR; kind < FAULT_KINDS; kind++) {
                    faultport_rewind(&r.port);
                    r.port.fault = (fault_kind)kind;
                    r.port.fault_at = at;
                    utet_status status = check_file(&r, work, &p);
                    utet_status expected = kind == FAULT_ERROR ? FAULTPORT_ERROR
                                           : kind == FAULT_EOF ? UTET_E_SHORT
                                                               : UTET_END;
                    suite_check(status == expected, "%s at read %llu: %s", fault_names[kind], (unsigned long long)at,
                                rig_status(status));
                    suite_check(status != UTET_END || strcmp(p.text, clean.text) == 0,
                                "%s at read %llu: another report", fault_names[kind], (unsigned long long)at);
                    suite_check(kind < FAULT_BLOCK_ONCE || r.port.reads == reads, "%s: %llu reads, clean %llu",
                                fault_names[kind], (unsigned long long)r.port.reads, (unsigned long long)reads);
                    injected++;
                }
        }
        rig_end(&r, "faults");
        tetgen_free(&g);
    }
    suite_figure("faults injected into checks: %lu", injected);
}

/* A stream that is opened between two findings takes the memory; the check reports it instead of using the memory.
 * After the last finding that needs it, streams are possible. A fault of the medium does not end a check. */
static void protocol(void **state)
{
    tetgen g = {.datasets = sets, .count = SETS, .seed = 8, .shuffle = 1};
    rig r;
    utet_check check;
    utet_finding f;
    utet_chunk chunk;
    utet_stream stream;
    utet_status status;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    rig_start(&r, 4096, GUARD_AFTER);
    utet_check_init(&check, &r.file);
    assert_int_equal(utet_check_next(&check, &f), UTET_E_STATE); /* not open */
    DRIVE_OK(utet_open(&r.file, &(utet_options){.budget = (size_t)-1}));
    utet_check_init(&check, &r.file);
    r.port.fault = FAULT_ERROR;
    r.port.fault_at = r.port.reads + 1;
    DRIVE(status, utet_check_next(&check, &f));
    assert_int_equal(status, FAULTPORT_ERROR);
    for (;;) {
        DRIVE_OK(utet_check_next(&check, &f));
        if (f.check == UTET_CHECK_DATASET_TENSOR_BYTES)
            break;
    }
    assert_int_equal(f.dataset, 0);
    DRIVE_OK(utet_row_first(&r.file, &chunk));
    DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
    DRIVE(status, utet_check_next(&check, &f));
    assert_int_equal(status, UTET_E_STATE);

    utet_check_init(&check, &r.file);
    do
        DRIVE_OK(utet_check_next(&check, &f));
    while (f.check != UTET_CHECK_CHUNK_COORDS);
    DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
    do
        DRIVE_OK(utet_check_next(&check, &f));
    while (f.check != UTET_CHECK_DATASET_COUNT);
    DRIVE(status, utet_check_next(&check, &f));
    assert_int_equal(status, UTET_END);

    r.port.blocks = 1; /* cancelled in the middle, then continued */
    utet_check_init(&check, &r.file);
    do
        status = utet_check_next(&check, &f);
    while (status == UTET_OK);
    assert_int_equal(status, UTET_WOULD_BLOCK);
    assert_int_equal(utet_dataset_first(&r.file, &(utet_dataset){0}), UTET_E_STATE);
    assert_int_equal(utet_cancel(&r.file), UTET_OK);
    r.port.blocks = 0;
    do
        DRIVE(status, utet_check_next(&check, &f));
    while (status == UTET_OK);
    assert_int_equal(status, UTET_END);
    assert_string_equal(utet_check_name(UTET_CHECKS), "unknown");
    rig_end(&r, "protocol");
    tetgen_free(&g);
}

/* Cancelled anywhere between the first finding that needs memory and the last one, while a stream takes that memory. */
static void memory_taken_anywhere(void **state)
{
    tetgen g = {.datasets = sets, .count = SETS, .seed = 8, .shuffle = 1, .gaps = 1};
    unsigned long taken = 0, at = 0;
    int over = 0;
    rig r;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    while (!over) {
        utet_check check;
        utet_finding f;
        utet_chunk chunk;
        utet_stream stream;
        utet_status status;
        int lent = 0;
        unsigned long calls = 0;
        r.port.blocks = 0;
        /* too little to keep the records, so that they are read between rows */
        assert_int_equal(rig_open(&r, UTET_WINDOW_BEST(1) + 400, (size_t)-1), UTET_OK);
        DRIVE_OK(utet_row_first(&r.file, &chunk));
        r.port.blocks = 1;
        utet_check_init(&check, &r.file);
        do {
            f.check = UTET_CHECKS;
            status = utet_check_next(&check, &f);
            lent |= status == UTET_OK && f.check == UTET_CHECK_DATASET_TENSOR_BYTES;
            over = status == UTET_OK && f.check == UTET_CHECK_CHUNK_COORDS;
        } while (!over && (!lent || status == UTET_OK || calls++ < at));
        if (!over) {
            assert_int_equal(status, UTET_WOULD_BLOCK);
            assert_int_equal(utet_cancel(&r.file), UTET_OK);
            r.port.blocks = 0;
            DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
            DRIVE(status, utet_check_next(&check, &f));
            suite_check(status == UTET_E_STATE, "suspension %lu: %s", at, rig_status(status));
            taken++;
        }
        at++;
    }
    suite_check(taken > 20, "cancelled %lu times only", taken);
    rig_end(&r, "memory taken");
    tetgen_free(&g);
}

/* The check of rows alone, as the reference makes it on opening: the first bad row, with its offset. */
static void rows_alone(void **state)
{
    static const struct {
        unsigned field, bytes;
        uint64_t value;
    } bad[] = {{96, 4, 2}, {80, 8, 1000}, {88, 8, 3}, {72, 8, 1u << 20}, {72, 8, UINT64_MAX}};
    tetgen g = {.datasets = sets, .count = SETS, .seed = 8};
    rig r;
    utet_check check;
    utet_status status;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    for (size_t i = 0; i <= 5; i++)
        for (unsigned blocks = 0; blocks < 2; blocks++) {
            uint8_t *at = g.bytes + g.index_offset + 32 + 104 * 4, saved[104];
            memcpy(saved, at, 104);
            if (i < 5)
                tetgen_put(at + bad[i].field, bad[i].value, bad[i].bytes);
            r.port.blocks = blocks;
            r.port.slice = blocks ? 7 : SLICE_ALL;
            assert_int_equal(rig_open(&r, LEAST, (size_t)-1), UTET_OK);
            utet_check_init(&check, &r.file);
            DRIVE(status, utet_check_rows(&check));
            assert_int_equal(status, i < 5 ? UTET_E_ROW : UTET_OK);
            if (i < 5)
                assert_in_range(r.file.error_offset, (uint64_t)(at - g.bytes), (uint64_t)(at - g.bytes) + 103);
            memcpy(at, saved, 104);
        }
    rig_end(&r, "rows");
    tetgen_free(&g);
}

/* A canonical file of a million rows (50,000 in the short tier): one pass with any window, and no other memory. */
static void one_pass(void **state)
{
    static report p;
    tetsparse s;
    rig r;
    (void)state;
    uint64_t rows = suite_light() ? 50000 : 1000000;
    tetsparse_make(&s, rows, 4, 1);
    rig_make(&r, NULL, s.size, -1);
    r.port.fetch = tetsparse_fetch;
    r.port.medium = &s;
    assert_int_equal(check_file(&r, UTET_WINDOW_BEST(1), &p), UTET_END);
    assert_int_equal(p.ok, 1);
    suite_figure("%llu canonical rows: %llu reads, %.3f times the index, window %u", (unsigned long long)rows,
                 (unsigned long long)r.port.reads, (double)r.port.bytes_read / (104.0 * (double)rows),
                 UTET_WINDOW_BEST(1));
    assert_true(r.port.bytes_read < 104 * rows + 100000);
    assert_true(r.file.high_water <= UTET_WINDOW_BEST(1));
    rig_end(&r, "million");
}

/* Rows that belong to several datasets in turn: if there is memory for the records, none is read again, so the work is
 * the same as for the rows of one dataset. */
static void rows_by_turns(void **state)
{
    static const tetgen_dataset three[] = {{"a", 1, UTET_U8, 1, {500}, {1}, TETGEN_RAW},
                                           {"b", 1, UTET_U8, 1, {500}, {1}, TETGEN_RAW},
                                           {"c", 1, UTET_U8, 1, {500}, {1}, TETGEN_RAW}};
    static report p;
    tetgen g = {.datasets = three, .count = 3, .seed = 5, .shuffle = 1, .gaps = 1};
    rig r;
    double passes;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(check_file(&r, UTET_WINDOW_BEST(1) + 32000, &p), UTET_END);
    assert_true(p.ok);
    passes = (double)r.port.bytes_read / (104.0 * 1500);
    suite_figure("1500 shuffled rows of 3 datasets, 32000 bytes behind the window: %.1f passes", passes);
    suite_check(passes <= 5, "%.1f passes", passes);
    rig_end(&r, "by turns");
    tetgen_free(&g);
}

/* Shuffled rows and payloads: as many passes as the header states, fewer with more workspace. */
static void several_passes(void **state)
{
    static const tetgen_dataset line[] = {{"a", 1, UTET_U8, 1, {4000}, {1}, TETGEN_RAW}};
    static report p;
    tetgen g = {.datasets = line, .count = 1, .seed = 5, .shuffle = 1, .gaps = 1};
    rig r;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    for (size_t spare = 1000; spare <= 64000; spare *= 8) {
        assert_int_equal(check_file(&r, UTET_WINDOW_BEST(1) + spare, &p), UTET_END);
        assert_int_equal(p.ok, 1);
        double passes = (double)r.port.bytes_read / (104.0 * 4000);
        double stated = 1 + 1 + (double)(4000 * 16 / spare + 1) + (double)(4000 / (4 * spare) + 1) + 0.1;
        suite_figure("4000 shuffled rows, %zu bytes behind the window: %.1f passes", spare, passes);
        suite_check(passes <= stated, "%.1f passes, stated %.1f", passes, stated);
    }
    rig_end(&r, "passes");
    tetgen_free(&g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(flipped_bits),
        cmocka_unit_test(faults_everywhere),
        cmocka_unit_test(protocol),
        cmocka_unit_test(rows_alone),
        cmocka_unit_test(one_pass),
        cmocka_unit_test(rows_by_turns),
        cmocka_unit_test(several_passes),
        cmocka_unit_test(a_budget_below_the_window),
        cmocka_unit_test(empty_datasets_at_the_end),
        cmocka_unit_test(a_medium_that_changes),
        cmocka_unit_test(memory_taken_anywhere),
    };
    return SUITE("checkcost", cases);
}
