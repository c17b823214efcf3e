/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * faults FILE INDEXED: a document and test/golden/tet/R6_station_log.tet on media that fail at each of their reads, or
 * change. After a fault that is over, the repeated call must succeed and give the same. Then what else each call may
 * return. INDEXED: test/tool/indexed.tet, of which chunks are skipped by zone maps and index.
 */
#include "utet_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BROKEN (UTET_E_PORT - 7)
#define FOOTER_BLANKS 1000
#define BLANKS 400 /* in front of a document's last bracket, so that nothing of its keys stays in the window */

typedef struct medium {
    uint8_t bytes[65536];
    size_t size;
    unsigned long reads;
    unsigned long failing; /* 0: none */
    int empty;             /* it fails by giving no bytes */
    int blocks;            /* "not yet" before each read */
    int told;
    utet_io io;
} medium;

static medium text;
static medium tet;
static uint64_t text_work[24];
static uint64_t tet_work[UTET_OPEN_WORK(1) / 8];
static utet_file document;
static utet_file file;
static utet_query query;
static utet_query_plan plan;
static utet_meta meta;
static uint32_t places[2][64];
static unsigned long passed;
static unsigned long failed;

static void check(int good, const char *what, unsigned long n)
{
    passed += good != 0;
    failed += good == 0;
    if (!good && failed <= 8)
        printf("FAILED %s, read %lu\n", what, n);
}

static utet_status read_bytes(void *context, uint64_t offset, void *buffer, size_t size, size_t *got)
{
    medium *m = context;

    *got = 0;
    m->told = m->blocks && !m->told;
    if (m->told)
        return UTET_WOULD_BLOCK;
    if (++m->reads == m->failing)
        return m->empty ? UTET_OK : BROKEN;
    memcpy(buffer, m->bytes + offset, size);
    *got = size;
    return UTET_OK;
}

static void begin_medium(medium *m)
{
    m->reads = 0;
    m->failing = 0;
    m->io = (utet_io){.ctx = m, .read = read_bytes, .unit = 1, .align = 1, .size = m->size};
}

/* A new document, not open yet. */
static void begin_document(const char *words)
{
    size_t keys = strlen(words) - 1;

    memset(text.bytes, ' ', sizeof text.bytes);
    memcpy(text.bytes, words, keys);
    text.bytes[keys + BLANKS] = '}';
    text.size = keys + BLANKS + 1;
    begin_medium(&text);
    utet_init(&document, &text.io, text_work, sizeof text_work, NULL);
}

static void open_document(const char *words)
{
    begin_document(words);
    check(utet_query_open(&query, &document, utet_query_options) == UTET_OK, words, 0);
}

static void open_file(void)
{
    begin_medium(&tet);
    utet_init(&file, &tet.io, tet_work, sizeof tet_work, NULL);
    check(utet_open(&file, &(utet_options){.budget = SIZE_MAX}) == UTET_OK && utet_meta_open(&meta, &file) == UTET_OK,
          "opening the file", 0);
}

static utet_status bind(uint32_t *into)
{
    return utet_query_bind(&plan, &query, &meta, into, 64);
}

static utet_status message(void)
{
    static char piece[64];
    size_t got;

    return utet_query_message(&query, 0, piece, sizeof piece, &got);
}

static utet_status name_of_dataset(void)
{
    static char piece[24]; /* a suspended call is repeated with the same memory */
    static size_t got;

    return utet_query_text(&query, &query.dataset, 0, piece, sizeof piece, &got);
}

/* One call at the `failing`th read from now on; 0: it was through before. */
static int one(const char *what, medium *m, utet_status call(void), unsigned long failing, utet_status again)
{
    utet_status status;
    int met;

    m->reads = 0;
    m->failing = failing;
    status = call();
    met = m->reads >= failing;
    m->failing = 0;
    check(status == (met ? m->empty ? UTET_E_SHORT : BROKEN : again), what, failing);
    if (met)
        check(call() == again, "repeated", failing);
    return met;
}

static utet_status call_open(void)
{
    return utet_query_open(&query, &document, utet_query_options);
}

static utet_status call_bind(void)
{
    return bind(places[1]);
}

static const char *const answered[] = {
    "{\"dataset\":\"temperature\",\"sum\":[],\"group_by\":{\"by\":\"labels\",\"axes\":[\"station\"]},"
    "\"label_filter\":{\"axis\":\"station\",\"eq\":\"ST03\"},\"filter\":{\"gt\":2.5,\"is_not_null\":true}}",
    "{\"dataset\":\"temperature\",\"null_count\":[],\"selection\":[{},{\"start_label\":\"ST01\",\"stop_label\":\"ST05\"}]}",
    "{\"dataset\":\"temperature\",\"align\":{\"with\":\"flags\",\"axes\":[\"time\",\"station\"]}}"};

/* Each read fails once while a document is refused: for its syntax, on its second line, and for what it asks. */
static void sweep_refused(void)
{
    static const char *const words[] = {
        "{\"dataset\":\n\"temperature\",\"sum\":}",
        "{\"dataset\":\"temperature\",\"align\":{\"with\":\"temperature\",\"axes\":[\"time\"]}}",
        "{\"dataset\":\"temperature\",\"sum\":[],\"unknown\":1,\"unknowm\":2}"};
    unsigned i;

    for (i = 0; i < sizeof words / sizeof *words; i++) {
        unsigned long n;
        int met = 1;

        for (n = 1; met; n++) {
            begin_document(words[i]);
            met = one(words[i], &text, call_open, n, UTET_E_METADATA);
        }
        check(n > 2 && query.fault.reason != 0, "it reads: open, refused", i);
    }
}

/* Each read of each call fails once. */
static void sweep(const char *words)
{
    static utet_query_plan clean;
    unsigned long n;
    int met = 1;

    for (n = 1; met; n++) {
        begin_document(words);
        met = one("open", &text, call_open, n, UTET_OK);
    }
    check(n > 2, "it reads: open", 0);
    open_file();
    open_document(words);
    check(bind(places[0]) == UTET_OK && plan.matched, words, 0);
    clean = plan;
    for (n = 1, met = 1; met; n++) {
        open_file();
        open_document(words);
        met = one("bind, the file", &tet, call_bind, n, UTET_OK);
        check(plan.request.axes == clean.request.axes && plan.grouped == clean.grouped &&
                  plan.request.fill == clean.request.fill && plan.align.count == clean.align.count &&
                  memcmp(plan.align.reason, clean.align.reason, sizeof plan.align.reason) == 0 &&
                  memcmp(plan.ranges, clean.ranges, sizeof plan.ranges) == 0 &&
                  memcmp(places[0], places[1], sizeof places[0]) == 0,
              "the same plan", n);
    }
    check(n > 2, "it reads: bind, the file", 0);
    for (n = 1, met = 1; met; n++) {
        open_file();
        open_document(words);
        met = one("bind, the document", &text, call_bind, n, UTET_OK);
    }
    check(n > 2, "it reads: bind, the document", 0);
    for (n = 1, met = 1; met; n++) {
        open_document(words);
        met = one("text", &text, name_of_dataset, n, UTET_OK);
    }
    check(n > 2, "it reads: text", 0);
}

/* ---- chunks that are skipped ---- */

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
    check(utet_dataset_first(&file, &first) == UTET_OK, words, 0); /* the window is elsewhere */
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

/* Elements that a label leaves out: a program that keeps the selection's shape needs the fill; a matrix is not carried
 * out. */
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

/* The answer with chunks skipped, and without. */
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
    skips.size = 1; /* bits for the first chunks only */
    check(call_answer_skip() == UTET_OK && skips.chunks > 4 && skips.by_zones + skips.by_index < i, "8 bits",
          (unsigned long)skips.chunks);
    check(utet_query_answer_divide(&the_answer, &share) == UTET_E_ARGUMENT, "divide where chunks are skipped", 0);
    open_document("{\"dataset\":\"wind\",\"covariance\":0}");
    memset(&skips, 0, sizeof skips);
    check(bind(places[0]) == UTET_OK && utet_query_answer_open(&the_answer, &plan, 4096) == UTET_OK &&
              call_answer_skip() == UTET_OK && skips.by_zones == 0,
          "a matrix", 0);
    check(utet_query_answer_divide(&the_answer, &share) == UTET_E_ARGUMENT, "divide a matrix", 0);
}

/* Which of the chunks that the document touches are skipped with so many bytes of bits. Returns how many chunks. */
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

/* The words for why the document is refused. */
static const char *refusal(void)
{
    static char words[128];
    size_t got = 0;

    (void)utet_query_message(&query, 0, words, sizeof words - 1, &got);
    words[got] = '\0';
    return words;
}

/* Each optional key in a list of its own is read; without it in the list, on top or in a step of a pipeline, it is an
 * unknown field. */
static void optional_keys(void)
{
    static const struct {
        const char *key;
        const char *words;
        const utet_query_option *option;
        const char *step; /* of a pipeline */
    } keys[] = {
        {"execution", "{\"dataset\":\"temperature\",\"execution\":{\"device\":\"cpu\"}}", &utet_query_option_execution,
         NULL},
        {"pipeline", "{\"dataset\":\"temperature\",\"pipeline\":[{\"sum\":[]}]}", &utet_query_option_pipeline, NULL},
        {"label_filter", "{\"dataset\":\"temperature\",\"label_filter\":{\"axis\":1,\"eq\":\"ST03\"}}",
         &utet_query_option_label_filter, NULL},
        {"group_by", "{\"dataset\":\"temperature\",\"sum\":[],\"group_by\":[1]}", &utet_query_option_group_by,
         "{\"dataset\":\"temperature\",\"pipeline\":[{\"sum\":[],\"group_by\":[1]}]}"},
        {"window", "{\"dataset\":\"temperature\",\"sum\":[],\"window\":{\"axis\":0,\"size\":2,\"mode\":\"bins\"}}",
         &utet_query_option_window,
         "{\"dataset\":\"temperature\",\"pipeline\":[{\"sum\":[],\"window\":{\"axis\":0,\"size\":2,\"mode\":"
         "\"bins\"}}]}"},
        {"align", "{\"dataset\":\"temperature\",\"align\":{\"with\":\"flags\",\"axes\":[0]}}", &utet_query_option_align,
         NULL},
        {"spill", "{\"dataset\":\"temperature\",\"spill\":\"x\"}", &utet_query_option_spill,
         "{\"dataset\":\"temperature\",\"pipeline\":[{\"spill\":\"x\"}]}"},
        {"write", "{\"dataset\":\"temperature\",\"transform\":{\"method\":\"l1\"},\"write\":\"ram\"}",
         &utet_query_option_write, "{\"dataset\":\"temperature\",\"pipeline\":[{\"write\":\"ram\"}]}"},
    };
    const utet_query_option *list[9];
    char expected[64];
    unsigned i;
    unsigned k;

    for (i = 0; i < sizeof keys / sizeof *keys; i++) {
        list[0] = keys[i].option;
        list[1] = NULL;
        begin_document(keys[i].words);
        check(utet_query_open(&query, &document, list) == UTET_OK, keys[i].words, 1);
        for (k = 0; k < 8 && utet_query_options[i + k < 8 ? i + k : i + k - 8] != NULL; k++)
            list[k] = utet_query_options[i + k < 8 ? i + k : i + k - 8]; /* of all eight the first is keys[i].option */
        check(k == 8 && list[0] == keys[i].option, "the list of all", i);
        list[8] = NULL;
        snprintf(expected, sizeof expected, "validation: unknown field `%s`", keys[i].key);
        begin_document(keys[i].words);
        check(utet_query_open(&query, &document, list + 1) == UTET_E_METADATA && strcmp(refusal(), expected) == 0,
              keys[i].words, 2);
        begin_document(keys[i].words);
        check(utet_query_open(&query, &document, NULL) == UTET_E_METADATA && strcmp(refusal(), expected) == 0,
              keys[i].words, 3);
        if (keys[i].step == NULL)
            continue;
        begin_document(keys[i].step);
        check(utet_query_open(&query, &document, list + 1) == UTET_E_METADATA &&
                  strstr(refusal(), "unknown ") != NULL && strstr(refusal(), keys[i].key) != NULL,
              keys[i].step, 4);
    }
    begin_document("{\"dataset\":\"temperature\",\"selection\":[{},{}],\"filter\":{\"gt\":1},\"mean\":[]}");
    check(utet_query_open(&query, &document, NULL) == UTET_OK, "keys that are always read", 0);
}

static void sweep_message(void)
{
    unsigned long n;
    int met = 1;

    for (n = 1; met; n++) {
        begin_document("{\"dataset\":\"temperature\",\"unknown\":1}");
        check(utet_query_open(&query, &document, utet_query_options) == UTET_E_METADATA, "refused", 0);
        met = one("message", &text, message, n, UTET_OK);
    }
    check(n > 2, "it reads: message", 0);
}

/* Binds the document with 8 places. Is the number behind them as it was? */
static int groups_leave(uint32_t behind)
{
    utet_status status;

    places[0][8] = behind;
    open_document("{\"dataset\":\"temperature\",\"sum\":[],\"group_by\":{\"by\":\"labels\",\"axes\":[\"station\"]}}");
    status = utet_query_bind(&plan, &query, &meta, places[0], 8);
    return status == UTET_OK && places[0][8] == behind;
}

/* What each call says of a wrong moment, too little memory, and media that are not as they were. */
static void others(void)
{
    static utet_query other;
    char piece[24];
    size_t got;

    check(bind(places[0]) == UTET_E_STATE && message() == UTET_OK, "bind, refused", 0);
    memset(&query, 0, sizeof query);
    got = 1;
    check(utet_query_message(&query, 0, piece, sizeof piece, &got) == UTET_E_STATE && got == 0, "no words of it", 0);
    got = 1;
    check(utet_query_text(&query, &query.dataset, 0, piece, sizeof piece, &got) == UTET_E_STATE && got == 0, "no text",
          0);
    check(bind(places[0]) == UTET_E_STATE && name_of_dataset() == UTET_E_STATE && message() == UTET_E_STATE,
          "a query that is not open", 0);
    open_document("{\"dataset\":\"temperature\",\"sum\":\"altitude\"}");
    check(bind(places[0]) == UTET_E_METADATA && query.fault.reason != 0 && message() == UTET_OK, "no such axis", 0);
    utet_init(&file, &tet.io, tet_work, sizeof tet_work, NULL);
    check(message() == UTET_E_STATE, "the words of a file that is no longer open", 0);
    check(utet_open(&file, &(utet_options){.budget = SIZE_MAX}) == UTET_OK && utet_meta_open(&meta, &file) == UTET_OK &&
              message() == UTET_OK,
          "opened again", 0);
    open_document(answered[0]);
    check(utet_query_bind(&plan, &query, &(utet_meta){0}, places[0], 64) == UTET_E_STATE && bind(places[0]) == UTET_OK,
          "metadata that are not open", 0);
    begin_document(answered[0]);
    text.failing = 1;
    text.empty = 0;
    check(utet_query_open(&query, &document, utet_query_options) == BROKEN && name_of_dataset() == UTET_E_STATE,
          "not opened", 0);
    open_document(answered[0]);
    check(utet_query_open(&other, &document, utet_query_options) == UTET_E_STATE, "another query's document", 0);
    open_file();
    check(utet_query_bind(&plan, &query, &meta, NULL, 0) == UTET_E_SPACE && plan.places_needed == 8, "no places", 0);
    check(utet_query_bind(&plan, &query, &meta, places[0], plan.places_needed) == UTET_OK, "8 places", 0);
    open_document("{\"dataset\":\"temperature\",\"sum\":[],\"group_by\":{\"by\":\"labels\",\"axes\":[\"station\"]}}");
    check(utet_query_bind(&plan, &query, &meta, places[0], 7) == UTET_E_SPACE && plan.places_needed == 8,
          "7 places of 8", 0);
    check(groups_leave(0) && groups_leave(0x80000000u), "8 places for groups, and nothing behind them", 0);
    open_document(answered[0]);
    memset(tet.bytes + 40, 0xFF, 100); /* the records */
    check(bind(places[0]) == UTET_E_DATASET, "records that have changed", 0);
    memset(text.bytes, 0xFF, text.size);
    check(name_of_dataset() == UTET_E_METADATA, "a text that has changed", 0);
    begin_document("{\"dataset\":\"temperature\",\"unknown\":1}");
    check(utet_query_open(&query, &document, utet_query_options) == UTET_E_METADATA, "refused", 0);
    memset(text.bytes, 0xFF, text.size);
    check(message() == UTET_E_METADATA, "a key that has changed", 0);
}

/* Calls with numbers that name nothing, and with documents that are not in the state that the call wants. */
static void misused(void)
{
    static const utet_fold_operation *operations[2];
    utet_file closed;
    utet_query other;
    unsigned i;
    char piece[64];
    size_t got;

    for (i = 0; i < 256; i++) {
        const int reduces = i != UTET_QUERY_NONE && i < UTET_QUERY_COVARIANCE;

        check((utet_query_name((uint8_t)i)[0] != '\0') == (i != UTET_QUERY_NONE && i <= UTET_QUERY_TRANSFORM), "name",
              i);
        check((utet_query_operation((uint8_t)i) != NULL) == reduces, "operation", i);
        operations[1] = utet_query_operation((uint8_t)i);
        check(!reduces || operations[1] != operations[0], "an operation of its own", i);
        operations[0] = operations[1];
        check((utet_query_method_name((uint8_t)i)[0] != '\0') == (i != 0 && i <= UTET_QUERY_SOFTMAX) &&
                  (utet_query_transform((uint8_t)i) != NULL) == (i != 0 && i <= UTET_QUERY_SOFTMAX),
              "method", i);
    }
    memset(&closed, 0, sizeof closed);
    check(utet_query_open(&other, &closed, utet_query_options) == UTET_E_STATE, "a file object that was not prepared",
          0);
    open_document("{\"dataset\":\"temperature\"}");
    got = 1;
    check(utet_query_message(&query, 0, piece, sizeof piece, &got) == UTET_OK && got == 0, "nothing to say", 0);
    text.blocks = 1;
    check(name_of_dataset() == UTET_WOULD_BLOCK &&
              utet_query_open(&query, &document, utet_query_options) == UTET_E_STATE && message() == UTET_E_STATE,
          "while a text is read", 0);
    text.blocks = 0;
    check(name_of_dataset() == UTET_OK, "the text goes on", 0);
    check(utet_query_open(&query, &document, utet_query_options) == UTET_OK, "the same query once more", 0);
    utet_init(&document, &text.io, text_work, sizeof text_work, NULL);
    check(utet_query_open(&other, &document, utet_query_options) == UTET_OK && name_of_dataset() == UTET_E_STATE,
          "a text of a document that is another query's now", 0);
}

/* The medium is written while it is read: a text of known length now ends inside a character. */
static void rewritten(void)
{
    static const char words[] = "{\"dataset\":\"temperature\",\"sum\":\"station\"}";
    size_t at;

    open_document(words);
    for (at = 0; memcmp(text.bytes + at, "temperature", 11) != 0; at++)
        continue;
    memcpy(text.bytes + at + 10, "\xE2\x98\x83", 3);
    check(name_of_dataset() == UTET_E_METADATA, "a text that ends in a character", 0);
    begin_document(words);
    for (at = 0; memcmp(text.bytes + at, "station", 7) != 0; at++)
        continue;
    /* "not yet" until the value has been found and is read again */
    text.blocks = 1;
    for (;;) {
        utet_status status = utet_query_open(&query, &document, utet_query_options);

        if (status != UTET_WOULD_BLOCK) {
            check(status == UTET_E_METADATA && query.fault.reason == 0, "an axis that has become longer", 0);
            break;
        }
        if (query.operation != UTET_QUERY_NONE)
            memcpy(text.bytes + at + 6, "\xE2\x98\x83", 3);
    }
    text.blocks = 0;
}

/* A list of the dataset, which goes on with `mark`, the first or last one in the file, ends there while it is read: the
 * plan of before or of afterwards, or the metadata are refused. */
static void shortened(const char *words, const char *mark, int last)
{
    unsigned long refused = 0;
    unsigned long at;
    unsigned long n;
    size_t place = last ? tet.size - strlen(mark) : 0;

    while (memcmp(tet.bytes + place, mark, strlen(mark)) != 0)
        place = last ? place - 1 : place + 1;
    for (at = 1;; at++) {
        utet_status status;

        open_file();
        open_document(words);
        tet.blocks = 1;
        for (n = 0; (status = bind(places[0])) == UTET_WOULD_BLOCK;)
            if (++n == at)
                tet.bytes[place] = ']';
        tet.blocks = 0;
        tet.bytes[place] = ',';
        check(status == UTET_OK || status == UTET_E_METADATA, words, at);
        refused += status != UTET_OK;
        if (n < at)
            break;
    }
    check(refused != 0, "a list that has become shorter", 0);
}

/* Their list, the last one of the file, gets shorter while labels are looked for: some places are never looked at. */
static void never_seen(void)
{
    static const char words[] = "{\"dataset\":\"temperature\",\"sum\":[],"
                                "\"label_filter\":{\"axis\":\"station\",\"eq\":\"ST02\"}}";
    utet_status status;
    size_t at = tet.size - 7;

    open_file();
    open_document(words);
    while (memcmp(tet.bytes + at, ",\"ST04\"", 7) != 0)
        at--;
    text.blocks = 1;
    while ((status = bind(places[0])) == UTET_WOULD_BLOCK) {
        if (plan.priv.of.label.labels.size == 0)
            continue;
        tet.bytes[at] = ']';
        file.priv.held = 0; /* what the window had is read again; while the document is, the file refuses all calls */
    }
    text.blocks = 0;
    check(tet.bytes[at] == ']' && status == UTET_E_METADATA && query.fault.reason == 0, "a shorter list", 0);
    tet.bytes[at] = ',';
}

/* ---- the response of an align ---- */

static char written[2][4096];
static size_t written_length;
static utet_query_response response;

static utet_status gather(void *context, const char *piece, size_t length)
{
    memcpy((char *)context + written_length, piece, length);
    written_length += length;
    return UTET_OK;
}

/* The response of the last document of `answered` into written[turn], when the plan is bound. */
static void begin_response(int turn)
{
    static char buffer[UTET_QUERY_RESPONSE_MIN];

    open_file();
    open_document(answered[2]);
    check(bind(places[0]) == UTET_OK && plan.matched, answered[2], 0);
    memset(&response, 0, sizeof response);
    memset(written[turn], 0, sizeof written[turn]);
    written_length = 0;
    response.plan = &plan;
    response.write = gather;
    response.context = written[turn];
    response.buffer = buffer;
    response.size = sizeof buffer;
}

/* Each read of the file fails once while the names of axes are written; then the list of names is shorter. */
static void sweep_response(void)
{
    static const char mark[] = ",\"station\"]";
    utet_status status;
    unsigned long n;
    utet_dataset first;
    size_t at = 0;

    begin_response(0);
    check(utet_query_respond(&response) == UTET_OK && strstr(written[0], "\"dim_name_right\":\"station\"") != NULL,
          "a response", 0);
    for (n = 1;; n++) {
        begin_response(1);
        tet.reads = 0;
        tet.failing = n;
        status = utet_query_respond(&response);
        if (tet.reads < n)
            break;
        check(status == (tet.empty ? UTET_E_SHORT : BROKEN), "a response, the file", n);
        check(utet_query_respond(&response) == UTET_E_STATE, "a response that has failed", n);
    }
    check(n > 2 && status == UTET_OK && strcmp(written[0], written[1]) == 0, "it reads: a response", n);
    begin_response(1);
    tet.blocks = 1;
    while ((status = utet_query_respond(&response)) == UTET_WOULD_BLOCK)
        ;
    tet.blocks = 0;
    check(status == UTET_OK && strcmp(written[0], written[1]) == 0, "a response, not yet at each read", 0);
    begin_response(1);
    document.priv.held = 0; /* nothing is in its window */
    text.blocks = 1;
    check(name_of_dataset() == UTET_WOULD_BLOCK && utet_query_respond(&response) == UTET_E_STATE && written_length == 0,
          "a response while a text of the document is read", 0);
    text.blocks = 0;
    check(name_of_dataset() == UTET_OK && utet_query_respond(&response) == UTET_OK &&
              strcmp(written[0], written[1]) == 0,
          "a response afterwards", 0);
    begin_response(1);
    while (memcmp(tet.bytes + at, mark, sizeof mark - 1) != 0)
        at++;
    tet.bytes[at] = ']';
    check(utet_dataset_first(&file, &first) == UTET_OK, "the window is elsewhere", 0);
    check(utet_query_respond(&response) == UTET_E_METADATA, "a response, fewer names", 0);
    tet.bytes[at] = ',';
}

static int load(const char *path)
{
    FILE *in = fopen(path, "rb");

    if (in == NULL)
        return 0;
    tet.size = fread(tet.bytes, 1, sizeof tet.bytes, in);
    fclose(in);
    return 1;
}

/* Blanks in the lists of labels: more than the window holds, so that two of them are never in it together. */
static void spread(void)
{
    static const char mark[] = ",\"ST04\"";
    size_t at;
    unsigned i;

    for (at = 0; at + sizeof mark < tet.size; at++)
        if (memcmp(tet.bytes + at, mark, sizeof mark - 1) == 0) {
            uint64_t length = FOOTER_BLANKS;

            memmove(tet.bytes + at + FOOTER_BLANKS, tet.bytes + at, tet.size - at);
            memset(tet.bytes + at, ' ', FOOTER_BLANKS);
            tet.size += FOOTER_BLANKS;
            at += FOOTER_BLANKS;
            for (i = 0; i < 8; i++)
                length += (uint64_t)tet.bytes[tet.size - 16 + i] << 8 * i;
            for (i = 0; i < 8; i++)
                tet.bytes[tet.size - 16 + i] = (uint8_t)(length >> 8 * i);
        }
}

int main(int argc, char **argv)
{
    unsigned i;
    int last;

    if (argc != 3 || !load(argv[2]))
        return 1;
    for (tet.empty = 0; tet.empty < 2; tet.empty++)
        sweep_skip();
    tet.empty = 0;
    compare_skips();
    fewer_bits();
    damaged_zones();
    if (!load(argv[1]))
        return 1;
    divided();
    unanswered();
    spread();
    /* no zone maps */
    compare_skip("{\"dataset\":\"flags\",\"sum\":[],\"filter\":{\"gt\":1}}", 0);
    for (i = 0; i < 2 * sizeof answered / sizeof *answered; i++) {
        text.empty = tet.empty = i & 1;
        sweep(answered[i / 2]);
    }
    for (tet.empty = 0; tet.empty < 2; tet.empty++)
        sweep_response();
    tet.empty = 0;
    for (i = 0; i < sizeof answered / sizeof *answered; i++)
        for (last = 0; last < 2; last++)
            shortened(answered[i], ",\"ST01\"", last);
    shortened(answered[2], ",\"station\"]", 0);
    for (text.empty = 0; text.empty < 2; text.empty++)
        sweep_refused();
    text.empty = tet.empty = 0;
    never_seen();
    optional_keys();
    for (text.empty = 0; text.empty < 2; text.empty++)
        sweep_message();
    others();
    misused();
    rewritten();
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
