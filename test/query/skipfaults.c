/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * skipfaults FILE INDEXED: chunks that are skipped by zone maps and an index, from a medium that fails at each of its
 * reads; answers with and without skipped chunks. Then answers that are divided. FILE:
 * test/golden/tet/R6_station_log.tet, without zone maps; INDEXED: test/tool/indexed.tet.
 */
#include "faultsworld.h"

static utet_query_answer the_answer;
static utet_query_skips skips;
static uint8_t bits[64];

static utet_status call_skip(void)
{
    return utet_query_skip(&skips, &the_answer.priv.by.fold, &meta, &plan.about);
}

static utet_status call_answer_skip(void)
{
    return utet_query_answer_skip(&the_answer, &skips);
}

static void begin_skip(const char *words)
{
    utet_dataset first;

    open_file();
    open_document(words);
    memset(&skips, 0, sizeof skips);
    skips.bits = bits;
    skips.size = sizeof bits;
    check(bind(places[0]) == UTET_OK && plan.matched && utet_query_answer_open(&the_answer, &plan, 1) == UTET_OK, words,
          0);
    check(utet_dataset_first(&file, &first) == UTET_OK, words, 0); /* the window is at another offset */
}

static void sweep_skip(void)
{
    static const char *const words[] = {"{\"dataset\":\"count\",\"sum\":[],\"filter\":{\"eq\":60000}}",
                                        "{\"dataset\":\"wind\",\"sum\":[],\"filter\":{\"gt\":1000000}}",
                                        "{\"dataset\":\"steps\",\"sum\":[],\"filter\":{\"eq\":5}}",
                                        "{\"dataset\":\"count\",\"sum\":[],\"filter\":{\"is_null\":true}}"};
    unsigned i;

    for (i = 0; i < 2 * sizeof words / sizeof *words; i++) {
        utet_status (*const call)(void) = i & 1 ? call_skip : call_answer_skip;
        utet_query_skips clean;
        utet_status status;
        unsigned long n;
        int met = 1;

        begin_skip(words[i / 2]);
        check(call() == UTET_OK && call() == UTET_E_STATE, words[i / 2], 0);
        check(skips.by_zones + skips.by_index != 0, "something is skipped", i);
        clean = skips;
        for (n = 1; met; n++) {
            begin_skip(words[i / 2]);
            met = one("skip", &tet, call, n, UTET_OK);
            check(skips.by_zones == clean.by_zones && skips.by_index == clean.by_index, "the same chunks", n);
        }
        check(n > 2, "it reads: skip", 0);
        begin_skip(words[i / 2]);
        tet.blocks = 1;
        for (n = 0; (status = call()) == UTET_WOULD_BLOCK; n++)
            continue;
        tet.blocks = 0;
        check(n != 0 && status == UTET_OK && skips.by_zones == clean.by_zones && skips.by_index == clean.by_index,
              "skip, not yet", n);
    }
    memset(&the_answer, 0, sizeof the_answer);
    memset(&skips, 0, sizeof skips);
    check(call_skip() == UTET_E_STATE && call_answer_skip() == UTET_E_STATE, "skip, nothing open", 0);
}

/* An answer that is divided, into one part. */
static utet_status join_nothing(void *context, utet_fold *into)
{
    (void)context;
    (void)into;
    return UTET_OK;
}

static void divided(void)
{
    static const char along[] = "{\"dataset\":\"flags\",\"sum\":0}";
    static utet_fold_share share;
    static double results[2][4096];
    uint64_t count;

    share.parts = 1;
    share.join = join_nothing;
    memset(&the_answer, 0, sizeof the_answer);
    check(utet_query_answer_divide(&the_answer, &share) == UTET_E_STATE, "divide, nothing open", 0);
    begin_skip("{\"dataset\":\"flags\",\"sum\":[]}");
    check(utet_query_answer_next(&the_answer, results[0]) == UTET_OK, "one fold", 0);
    begin_skip("{\"dataset\":\"flags\",\"sum\":[]}");
    check(utet_query_answer_divide(&the_answer, &share) == UTET_OK, "divide", 0);
    check(utet_query_answer_divide(&the_answer, &share) == UTET_E_STATE, "divide, twice", 0);
    check(utet_query_answer_next(&the_answer, results[1]) == UTET_OK && the_answer.given == 1, "divided", 0);
    check(memcmp(results[0], results[1], sizeof results[0][0]) == 0, "the same bits", 0);
    check(utet_query_answer_next(&the_answer, results[1]) == UTET_END, "divided, the end", 0);
    begin_skip("{\"dataset\":\"flags\",\"product\":[]}");
    check(utet_query_answer_divide(&the_answer, &share) == UTET_E_ARGUMENT, "divide a product", 0);
    begin_skip(along);
    check(utet_query_answer_divide(&the_answer, &share) == UTET_E_SPACE, "divide pieces", 0);
    open_file();
    open_document(along);
    check(bind(places[0]) == UTET_OK && utet_query_answer_need(&the_answer, &plan) == UTET_OK, along, 1);
    count = the_answer.results;
    file.budget = (size_t)the_answer.need.least;
    check(count > 1 && count <= 4096 && utet_query_answer_open(&the_answer, &plan, (size_t)count) == UTET_OK, along, 2);
    check(utet_query_answer_divide(&the_answer, &share) == (the_answer.boxes > 1 ? UTET_E_BUDGET : UTET_OK) &&
              the_answer.boxes > 1,
          "divide in little memory", 0);
}

static utet_status join_no_matrix(void *context, utet_fold_matrix *into)
{
    (void)context;
    (void)into;
    return UTET_OK;
}

static void divided_matrix(void)
{
    static const char words[] = "{\"dataset\":\"wind\",\"covariance\":0}";
    static utet_fold_matrix_share share = {.parts = 1, .join = join_no_matrix};
    static uint64_t work[800];
    static double results[2][4096];
    size_t count;

    memset(&the_answer, 0, sizeof the_answer);
    check(utet_query_answer_divide_matrix(&the_answer, &share) == UTET_E_STATE, "divide, no matrix open", 0);
    begin_skip("{\"dataset\":\"wind\",\"sum\":[]}");
    check(utet_query_answer_divide_matrix(&the_answer, &share) == UTET_E_ARGUMENT, "divide a sum as a matrix", 0);
    open_file();
    open_document(words);
    check(bind(places[0]) == UTET_OK && utet_query_answer_open(&the_answer, &plan, 4096) == UTET_OK, words, 0);
    check(utet_query_answer_divide_matrix(&the_answer, &share) == UTET_E_BUDGET, "divide in little memory", 1);
    utet_init(&file, &tet.io, work, sizeof work, NULL);
    check(utet_open(&file, NULL) == UTET_OK && utet_meta_open(&meta, &file) == UTET_OK, words, 0);
    check(bind(places[0]) == UTET_OK && utet_query_answer_open(&the_answer, &plan, 4096) == UTET_OK, words, 0);
    count = (size_t)the_answer.results;
    check(utet_query_answer_next(&the_answer, results[0]) == UTET_OK && the_answer.given == count, words, 1);
    check(utet_query_answer_open(&the_answer, &plan, count - 1) == UTET_OK, words, 2);
    check(utet_query_answer_divide_matrix(&the_answer, &share) == UTET_E_SPACE, "divide a matrix in batches", 0);
    check(utet_query_answer_open(&the_answer, &plan, 4096) == UTET_OK, words, 3);
    check(utet_query_answer_divide_matrix(&the_answer, &share) == UTET_OK, "divide a matrix", 0);
    check(utet_query_answer_divide_matrix(&the_answer, &share) == UTET_E_STATE, "divide a matrix, twice", 0);
    check(utet_query_answer_next(&the_answer, results[1]) == UTET_OK && the_answer.given == count, "divided", 1);
    check(memcmp(results[0], results[1], count * sizeof results[0][0]) == 0, "the same bits", 1);
    check(utet_query_answer_next(&the_answer, results[1]) == UTET_END, "divided, the end", 1);
}

/* Elements that a label excludes: a program that keeps the selection's shape needs the fill; a matrix is not
 * computed. */
static void unanswered(void)
{
    open_file();
    open_document("{\"dataset\":\"temperature\",\"label_filter\":{\"axis\":\"station\",\"eq\":\"ST03\"}}");
    check(bind(places[0]) == UTET_OK && plan.request.has_fill && plan.request.fill == -999,
          "the fill that stands where a label leaves an element out", 0);
    open_document(
        "{\"dataset\":\"temperature\",\"covariance\":0,\"label_filter\":{\"axis\":\"station\",\"eq\":\"ST03\"}}");
    check(bind(places[0]) == UTET_OK && utet_query_answer_need(&the_answer, &plan) == UTET_E_ARGUMENT,
          "a matrix with label_filter", 0);
}

/* The answer with skipped chunks, and without. */
static void compare_skip(const char *words, int may_skip)
{
    double results[2] = {0, 1};
    unsigned i;

    for (i = 0; i < 2; i++) {
        begin_skip(words);
        if (i != 0)
            check(call_answer_skip() == UTET_OK, words, 1);
        check(utet_query_answer_next(&the_answer, &results[i]) == UTET_OK, words, i);
    }
    check(memcmp(&results[0], &results[1], sizeof results[0]) == 0, words, 2);
    check((skips.by_zones + skips.by_index != 0) == may_skip, words, 3);
}

static void compare_skips(void)
{
    static const struct {
        const char *words;
        int may_skip;
    } rows[] = {
        {"{\"dataset\":\"count\",\"sum\":[],\"filter\":{\"eq\":1}}", 1},
        {"{\"dataset\":\"count\",\"sum\":[],\"filter\":{\"eq\":2}}", 0},
        {"{\"dataset\":\"count\",\"sum\":[],\"filter\":{\"eq\":1000}}", 1},
        {"{\"dataset\":\"count\",\"sum\":[],\"filter\":{\"ne\":2}}", 0},
        {"{\"dataset\":\"count\",\"sum\":[],\"selection\":[{\"start\":1}],\"filter\":{\"eq\":2}}", 0},
        {"{\"dataset\":\"steps\",\"sum\":[],\"filter\":{\"eq\":5}}", 1},
        {"{\"dataset\":\"steps\",\"sum\":[],\"filter\":{\"eq\":0}}", 0},
        {"{\"dataset\":\"wind\",\"sum\":[],\"filter\":{\"gt\":6}}", 1},
        {"{\"dataset\":\"wind\",\"sum\":[],\"selection\":[{\"stop\":5,\"step\":4},{}],\"filter\":{\"gt\":6}}", 1},
        {"{\"dataset\":\"wind\",\"count\":[],\"filter\":{\"is_null\":true}}", 0},
        {"{\"dataset\":\"wind\",\"sum\":[],\"filter\":{\"eq\":3}}", 1},
        {"{\"dataset\":\"wind\",\"count\":[]}", 0},
        {"{\"dataset\":\"wind\",\"null_count\":{\"fill\":2},\"filter\":{\"gt\":100}}", 1},
    };
    utet_fold_share share = {.parts = 2};
    unsigned i;

    for (i = 0; i < sizeof rows / sizeof *rows; i++)
        compare_skip(rows[i].words, rows[i].may_skip);
    begin_skip(rows[0].words);
    skips.size = 0;
    check(call_skip() == UTET_OK && skips.by_zones == 0, "no bits", 0);
    begin_skip(rows[7].words);
    plan.dataset.shape[0] = 0;
    plan.dataset.chunk_shape[0] = 0;
    plan.dataset.narrow = 0;
    plan.ranges[0].stop = 0;
    check(utet_query_answer_open(&the_answer, &plan, 1) == UTET_OK && call_skip() == UTET_OK && skips.chunks == 0 &&
              skips.by_zones == 0,
          "a dataset without elements", 0);
    begin_skip(rows[7].words);
    check(call_skip() == UTET_OK && skips.by_zones != 0, "all bits", 0);
    i = (unsigned)(skips.by_zones + skips.by_index);
    begin_skip("{\"dataset\":\"wind\",\"sum\":[],\"selection\":[{\"start\":3},{\"start\":4}],\"filter\":{\"gt\":6}}");
    check(call_skip() == UTET_OK && skips.chunks == 2, "chunks are counted from the first one of the selection",
          (unsigned long)skips.chunks);
    begin_skip(rows[7].words);
    skips.size = 1; /* bits only for the first chunks */
    check(call_answer_skip() == UTET_OK && skips.chunks > 4 && skips.by_zones + skips.by_index < i, "8 bits",
          (unsigned long)skips.chunks);
    check(utet_query_answer_divide(&the_answer, &share) == UTET_E_ARGUMENT, "divide where chunks are skipped", 0);
    open_document("{\"dataset\":\"wind\",\"covariance\":0}");
    memset(&skips, 0, sizeof skips);
    check(bind(places[0]) == UTET_OK && utet_query_answer_open(&the_answer, &plan, 4096) == UTET_OK &&
              call_answer_skip() == UTET_OK && skips.by_zones == 0,
          "a matrix", 0);
    check(utet_query_answer_divide(&the_answer, &share) == UTET_E_ARGUMENT, "divide a matrix as a fold", 0);
}

/* Determines which of the chunks that the document touches are skipped with that many bytes of bits. Returns the number
 * of chunks. */
static unsigned skipped_with(const char *words, size_t size, uint8_t skipped[64])
{
    utet_query_touched touched;
    utet_chunk chunk;
    unsigned count = 0;

    begin_skip(words);
    memset(bits, 0xFF, sizeof bits);
    skips.size = size;
    check(call_skip() == UTET_OK, words, (unsigned long)size);
    check(size == sizeof bits || bits[size] == 0xFF, "bits behind the last byte", (unsigned long)size);
    memset(&touched, 0, sizeof touched);
    while (count < 64 && utet_query_touched_next(&touched, &plan, &chunk) == UTET_OK)
        skipped[count++] = (uint8_t)utet_query_skipped(&skips, &chunk);
    return count;
}

/* A byte has bits for four chunks. Those that have bits are skipped as if all had some; the others are read. */
static void fewer_bits(void)
{
    static const char *const words[] = {"{\"dataset\":\"count\",\"sum\":[],\"filter\":{\"eq\":60000}}",
                                        "{\"dataset\":\"wind\",\"sum\":[],\"filter\":{\"gt\":6}}",
                                        "{\"dataset\":\"wind\",\"sum\":[],\"filter\":{\"eq\":3}}",
                                        "{\"dataset\":\"steps\",\"sum\":[],\"filter\":{\"eq\":5}}"};
    uint8_t all[64];
    uint8_t some[64];
    unsigned most = 0;
    unsigned i;

    for (i = 0; i < sizeof words / sizeof *words; i++) {
        const unsigned count = skipped_with(words[i], sizeof bits, all);
        size_t size;

        most = most < count ? count : most;
        for (size = 1; size < count / 4 + 2; size++) {
            unsigned k;

            check(skipped_with(words[i], size, some) == count, words[i], (unsigned long)size);
            for (k = 0; k < count; k++)
                check(some[k] == (k < size * 4 ? all[k] : 0), "a chunk with few bits", k);
        }
    }
    check(most > 4, "more chunks than a byte has bits for", most);
}

/* A document of zone maps, or an index, that cannot be read skips nothing. */
static void damaged_zones(void)
{
    static const char *const marks[] = {"min_le", "value_le"};
    static const char *const words[] = {"{\"dataset\":\"wind\",\"sum\":[],\"filter\":{\"gt\":6}}",
                                        "{\"dataset\":\"steps\",\"sum\":[],\"filter\":{\"eq\":5}}"};
    unsigned i;

    for (i = 0; i < 2; i++) {
        const size_t length = strlen(marks[i]);
        double clean = 0;
        double damaged = 1;
        uint8_t was;
        size_t at = 0;

        begin_skip(words[i]);
        check(utet_query_answer_next(&the_answer, &clean) == UTET_OK, "without", i);
        while (memcmp(tet.bytes + at, marks[i], length) != 0)
            at++;
        was = tet.bytes[at + length];
        begin_skip(words[i]);
        tet.bytes[at + length] = 1; /* instead of the quote */
        check(call_answer_skip() == UTET_OK && utet_query_answer_next(&the_answer, &damaged) == UTET_OK &&
                  memcmp(&clean, &damaged, sizeof clean) == 0,
              "damaged", i);
        tet.bytes[at + length] = was;
    }
}

int main(int argc, char **argv)
{
    if (argc != 3 || !load(argv[2]))
        return 1;
    for (tet.empty = 0; tet.empty < 2; tet.empty++)
        sweep_skip();
    tet.empty = 0;
    compare_skips();
    fewer_bits();
    damaged_zones();
    divided_matrix();
    if (!load(argv[1]))
        return 1;
    divided();
    unanswered();
    /* no zone maps */
    compare_skip("{\"dataset\":\"flags\",\"sum\":[],\"filter\":{\"gt\":1}}", 0);
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
