/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Answers and responses of query documents (include/utet_query.h): every status that their calls list, and media and
 * writers that fail at each of their calls. test/query/answer_test.py compares the content of answers. */
#include "badframes.h"
#include "rig.h"
#include "tetgen.h"
#include "utet_query.h"

#include <string.h>

static const tetgen_dataset datasets[] = {
    {.name = "r",
     .name_length = 1,
     .dtype = UTET_U16,
     .ndim = 2,
     .shape = {40, 44},
     .chunk = {8, 8},
     .codec = TETGEN_RAW},
    {.name = "z",
     .name_length = 1,
     .dtype = UTET_F32,
     .ndim = 2,
     .shape = {64, 96},
     .chunk = {64, 96},
     .codec = TETGEN_ZSTD},
};
enum { FIRST_Z = 30 /* its row */ };
enum { TOUCHED, NEED, OPEN, NEXT, RESPOND, CALLS };

#define PIECE 100

typedef struct world {
    rig r;
    tetgen g;
    size_t work;
    char text[200];
    utet_io text_io;
    utet_file document;
    utet_query query;
    utet_meta meta;
    utet_query_plan plan;
    utet_query_touched touched;
    utet_chunk chunk;
    utet_query_answer answer;
    utet_query_response response;
    size_t size; /* requested while opening */
    double results[PIECE];
    char buffer[UTET_QUERY_RESPONSE_MIN];
    char said[100000];
    size_t length;
    unsigned writes;
    unsigned failing; /* the write that fails; 0: none */
    utet_status failure;
} world;

static utet_status write_text(void *context, const char *text, size_t length)
{
    world *w = context;

    assert_true(length != 0 && length <= w->response.size);
    if (++w->writes == w->failing)
        return w->failure;
    assert_true(w->length + length <= sizeof w->said);
    memcpy(w->said + w->length, text, length);
    w->length += length;
    return UTET_OK;
}

static void make(world *w)
{
    memset(w, 0, sizeof *w);
    w->g = (tetgen){.datasets = datasets, .count = 2, .seed = 42};
    tetgen_build(&w->g);
    w->work = 300000;
    w->size = PIECE;
    rig_make(&w->r, w->g.bytes, w->g.size, rig_codecs() > 1 ? 1 : 0);
    w->r.port.slice = 64;
}

static void end(world *w, const char *name)
{
    rig_end(&w->r, name);
    tetgen_free(&w->g);
}

static uint8_t *row(world *w, unsigned n)
{
    return w->g.bytes + w->g.index_offset + 32 + 104 * n;
}

/* The content of the window is lost. */
static void flush(world *w)
{
    utet_dataset d;

    DRIVE_OK(utet_dataset_first(&w->r.file, &d));
}

static utet_status bound(world *w, const char *document)
{
    utet_status status;

    rig_start(&w->r, w->work, GUARD_AFTER);
    DRIVE_OK(utet_open(&w->r.file, &(utet_options){.budget = (size_t)-1}));
    strcpy(w->text, document);
    w->text_io = (utet_io){.map = (const uint8_t *)w->text, .unit = 1, .align = 1, .size = strlen(document)};
    assert_int_equal(utet_init(&w->document, &w->text_io, NULL, 0, NULL), UTET_OK);
    assert_int_equal(utet_query_open(&w->query, &w->document, utet_query_options), UTET_OK);
    DRIVE_OK(utet_meta_open(&w->meta, &w->r.file));
    DRIVE(status, utet_query_bind(&w->plan, &w->query, &w->meta, NULL, 0));
    return status;
}

static void bind(world *w, const char *document)
{
    assert_int_equal(bound(w, document), UTET_OK);
    memset(&w->answer, 0, sizeof w->answer);
    memset(&w->touched, 0, sizeof w->touched);
    w->response = (utet_query_response){.plan = &w->plan,
                                        .results = w->results,
                                        .tet_file = "file",
                                        .write = write_text,
                                        .context = w,
                                        .buffer = w->buffer,
                                        .size = sizeof w->buffer};
    w->length = 0;
    w->writes = 0;
}

static utet_status call(world *w, unsigned which)
{
    switch (which) {
    case TOUCHED: return utet_query_touched_next(&w->touched, &w->plan, &w->chunk);
    case NEED: return utet_query_answer_need(&w->answer, &w->plan);
    case OPEN: return utet_query_answer_open(&w->answer, &w->plan, w->size);
    case NEXT: return utet_query_answer_next(&w->answer, w->results);
    default: return utet_query_respond(&w->response);
    }
}

static utet_status driven(world *w, unsigned which)
{
    utet_status status;

    DRIVE(status, call(w, which));
    return status;
}

/* Prepares the call on this document; for NEXT and RESPOND the answer is open. */
static void ready(world *w, unsigned which, const char *document)
{
    bind(w, document);
    if (which >= NEXT) {
        DRIVE_OK(call(w, OPEN));
        w->response.answer = &w->answer;
    }
    flush(w);
}

#define RAW_SUM "{\"dataset\":\"r\",\"sum\":[1]}"
#define ZSTD_SUM "{\"dataset\":\"z\",\"sum\":[1]}"
#define COVARIANCE "{\"dataset\":\"r\",\"covariance\":0,\"selection\":[{\"stop\":6},{\"stop\":4}]}"

static const char *const documents[] = {
    RAW_SUM, ZSTD_SUM, COVARIANCE,
    "{\"dataset\":\"r\",\"histogram\":{\"bins\":90},\"selection\":[{\"stop\":9},{\"stop\":9}]}",
    "{\"dataset\":\"r\",\"arg_max\":[],\"selection\":[{\"start\":3,\"step\":9},{}]}"};

/* ---- statuses ---- */

static void expect(world *w, unsigned which, utet_status wanted, const char *why)
{
    utet_status status = driven(w, which);

    suite_check(status == wanted, "%s, call %u: %s instead of %s", why, which, rig_status(status), rig_status(wanted));
    rig_end(&w->r, why);
    rig_make(&w->r, w->g.bytes, w->g.size, rig_codecs() > 1 ? 1 : 0);
    w->r.port.slice = 64;
}

/* Calls that succeed, suspended calls, statuses of the medium. */
static void media(void **state)
{
    static world w;

    (void)state;
    make(&w);
    for (unsigned which = 0; which < CALLS; which++) {
        utet_status status;

        ready(&w, which, ZSTD_SUM);
        w.r.port.blocks = 1;
        assert_int_equal(call(&w, which), UTET_WOULD_BLOCK);
        expect(&w, which, UTET_OK, "suspended");
        ready(&w, which, ZSTD_SUM);
        w.r.port.fault = FAULT_EOF;
        w.r.port.fault_at = w.r.port.reads;
        expect(&w, which, UTET_E_SHORT, "no bytes");
        ready(&w, which, ZSTD_SUM);
        w.r.port.fault = FAULT_ERROR;
        w.r.port.fault_at = w.r.port.reads;
        expect(&w, which, FAULTPORT_ERROR, "a fault");
        if (which == TOUCHED || which == NEXT) {
            ready(&w, which, RAW_SUM);
            do
                status = driven(&w, which);
            while (status == UTET_OK);
            assert_int_equal(status, UTET_END);
            if (which == NEXT)
                assert_int_equal(driven(&w, RESPOND), UTET_E_STATE);
            expect(&w, which, which == NEXT ? UTET_END : UTET_OK, "once more");
        }
    }
    end(&w, "media");
}

/* The need, blocks and other public members of an answer are those of its fold or matrix, with any memory. */
static void figures(void **state)
{
    static const char *const asked[] = {RAW_SUM, ZSTD_SUM, "{\"dataset\":\"r\",\"median\":[1]}", COVARIANCE};
    static world w;

    (void)state;
    make(&w);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        for (unsigned much = 0; much < 2; much++) {
            utet_need need;
            uint64_t boxes;
            uint64_t results;
            uint32_t passes = 1;

            w.work = 300000;
            ready(&w, NEED, asked[i]);
            DRIVE_OK(call(&w, NEED));
            w.work = (size_t)(much ? w.answer.need.best : w.answer.need.least);
            rig_end(&w.r, "need");
            rig_make(&w.r, w.g.bytes, w.g.size, rig_codecs() > 1 ? 1 : 0);
            ready(&w, NEED, asked[i]);
            DRIVE_OK(call(&w, NEED));
            if (w.answer.is_matrix) {
                const utet_fold_variables of = {.dataset = &w.plan.dataset, .ranges = w.plan.ranges};
                utet_fold_matrix matrix;

                DRIVE_OK(utet_fold_matrix_need(&matrix, &w.r.file, &of));
                need = matrix.need;
                boxes = matrix.boxes;
                results = (uint64_t)matrix.order * matrix.order;
            } else {
                utet_fold fold;

                DRIVE_OK(utet_fold_need(&fold, &w.r.file, &w.plan.request));
                need = fold.need;
                boxes = fold.boxes;
                results = fold.results;
                passes = fold.passes;
            }
            suite_check(w.answer.need.least == need.least && w.answer.need.best == need.best &&
                            w.answer.boxes == boxes && w.answer.passes == passes && w.answer.results == results,
                        "%s: %u boxes, %u passes", asked[i], (unsigned)w.answer.boxes, (unsigned)w.answer.passes);
            suite_check(much || w.answer.boxes > 1, "%s: in one box", asked[i]);
            rig_end(&w.r, "figures");
            rig_make(&w.r, w.g.bytes, w.g.size, rig_codecs() > 1 ? 1 : 0);
        }
    end(&w, "figures");
}

/* A part of the response that is not requested is omitted. */
static void parts_of_response(void **state)
{
    static const char path[] = ",\"tet_file\":\"file\"";
    static const char rest[] = ",\"execution\":{";
    static char whole[sizeof((world *)0)->said];
    static world w;
    size_t length;
    const char *at;

    (void)state;
    make(&w);
    ready(&w, RESPOND, RAW_SUM);
    DRIVE_OK(call(&w, RESPOND));
    length = w.length;
    memcpy(whole, w.said, length);
    rig_end(&w.r, "whole");
    whole[length] = '\0';
    at = strstr(whole, rest);
    assert_non_null(at);

    rig_make(&w.r, w.g.bytes, w.g.size, rig_codecs() > 1 ? 1 : 0);
    ready(&w, RESPOND, RAW_SUM);
    w.response.plan_only = 1;
    DRIVE_OK(call(&w, RESPOND));
    assert_int_equal(w.length, (size_t)(at - whole) + 2);
    assert_memory_equal(w.said, whole, w.length - 2);
    assert_memory_equal(w.said + w.length - 2, "}\n", 2);
    rig_end(&w.r, "plan");

    at = strstr(whole, path);
    assert_non_null(at);
    rig_make(&w.r, w.g.bytes, w.g.size, rig_codecs() > 1 ? 1 : 0);
    ready(&w, RESPOND, RAW_SUM);
    w.response.tet_file = NULL;
    DRIVE_OK(call(&w, RESPOND));
    assert_int_equal(w.length, length - (sizeof path - 1));
    assert_memory_equal(w.said, whole, (size_t)(at - whole));
    assert_memory_equal(w.said + (at - whole), at + sizeof path - 1, length - (size_t)(at - whole) - (sizeof path - 1));
    end(&w, "no path");
}

static uint64_t as_it_is(void *context, uint64_t bits, uint64_t observation, uint32_t variable)
{
    unsigned *calls = context;

    assert_true(observation < 6 && variable < 4);
    ++*calls;
    return bits;
}

/* A matrix under a filter is answered if the program states what becomes of excluded elements: here they stay. */
static void filtered_matrix(void **state)
{
    static const char filtered[] =
        "{\"dataset\":\"r\",\"covariance\":0,\"selection\":[{\"stop\":6},{\"stop\":4}],\"filter\":{\"gt\":1}}";
    static world w;
    unsigned calls = 0;
    const utet_fold_change change = {as_it_is, &calls};
    double without[16];

    (void)state;
    make(&w);
    ready(&w, NEXT, COVARIANCE);
    assert_int_equal(driven(&w, NEXT), UTET_OK);
    assert_int_equal(w.answer.given, 16);
    memcpy(without, w.results, sizeof without);
    memset(w.results, 0, sizeof w.results);
    bind(&w, filtered);
    w.plan.change = &change;
    assert_int_equal(driven(&w, OPEN), UTET_OK);
    assert_int_equal(driven(&w, NEXT), UTET_OK);
    assert_int_equal(calls, 24);
    assert_memory_equal(w.results, without, sizeof without);
    end(&w, "filtered matrix");
}

/* Mistakes of the caller, and documents that cannot be answered. */
static void callers(void **state)
{
    static const char *const unanswered[] = {"{\"dataset\":\"r\"}",
                                             "{\"dataset\":\"r\",\"sum\":[],\"execution\":{\"device\":\"cuda\"}}",
                                             "{\"dataset\":\"r\",\"covariance\":0,\"filter\":{\"gt\":1}}"};
    static world w;

    (void)state;
    make(&w);
    for (unsigned which = NEED; which <= OPEN; which++) {
        for (size_t i = 0; i < sizeof unanswered / sizeof *unanswered; i++) {
            ready(&w, which, unanswered[i]);
            expect(&w, which, UTET_E_ARGUMENT, unanswered[i]);
        }
        ready(&w, which, "{\"dataset\":\"none\",\"sum\":[]}");
        expect(&w, which, UTET_E_STATE, "no such dataset");
        ready(&w, which, RAW_SUM);
        w.plan.ranges[1].stop++;
        expect(&w, which, UTET_E_RANGE, "a range");
        ready(&w, which, RAW_SUM);
        w.plan.dataset.dtype = 11;
        expect(&w, which, UTET_E_DTYPE, "a dtype");
        ready(&w, which, RAW_SUM);
        w.plan.dataset.chunk_shape[1] = 0;
        w.plan.dataset.narrow = 0;
        expect(&w, which, UTET_E_DATASET, "no chunk_shape");
    }
    for (w.size = 0; w.size < 92; w.size += 91) { /* 90 bins, and two edges are equal */
        ready(&w, OPEN, documents[3]);
        expect(&w, OPEN, UTET_E_SPACE, "room");
    }
    w.size = 91;
    ready(&w, OPEN, documents[3]);
    assert_int_equal(driven(&w, OPEN), UTET_E_SPACE);
    expect(&w, NEXT, UTET_E_STATE, "not open for want of room");
    w.size = 92;
    ready(&w, OPEN, documents[3]);
    expect(&w, OPEN, UTET_OK, "just enough room");
    w.size = PIECE;
    w.work = 600;
    ready(&w, OPEN, ZSTD_SUM);
    expect(&w, OPEN, UTET_E_BUDGET, "too little memory");
    w.work = 300000;
    ready(&w, NEED, RAW_SUM);
    expect(&w, NEXT, UTET_E_STATE, "not open");
    ready(&w, RESPOND, RAW_SUM);
    w.response.size--;
    expect(&w, RESPOND, UTET_E_ARGUMENT, "a buffer");
    ready(&w, RESPOND, RAW_SUM);
    DRIVE_OK(call(&w, RESPOND));
    expect(&w, RESPOND, UTET_E_STATE, "twice");
    ready(&w, RESPOND, RAW_SUM);
    memset(w.text + 10, 0xFF, 12);
    expect(&w, RESPOND, UTET_E_METADATA, "another document");
    for (unsigned which = TOUCHED; which < CALLS; which += RESPOND) { /* only the rows */
        ready(&w, NEED, RAW_SUM);
        w.plan.dataset.dtype = 11;
        w.plan.dataset.elem_size = 0;
        w.plan.dataset.narrow = 0;
        expect(&w, which, UTET_E_DTYPE, "a dtype");
        ready(&w, NEED, "{\"dataset\":\"r\",\"sum\":[1],\"selection\":[{},{\"start\":1}]}");
        w.plan.dataset.chunk_shape[1] = 0;
        w.plan.dataset.narrow = 0;
        expect(&w, which, UTET_E_DATASET, "no chunk_shape");
    }
    ready(&w, TOUCHED, RAW_SUM);
    utet_init(&w.r.file, &w.r.port.io, w.r.work.data, w.work, w.r.codecs);
    expect(&w, TOUCHED, UTET_E_STATE, "the file is not open");
    end(&w, "callers");
}

/* Windows pad with NaN only if a dataset has floats. A file may have any number as the dtype of a dataset: 33 and 65
 * are not dtypes, but their lowest five bits are those of f32. */
static void padded_with_nan(void **state)
{
    static world w;
    unsigned floats = 0;

    (void)state;
    make(&w);
    for (uint32_t dtype = 0; dtype < 100; dtype++) {
        const int is_float = dtype == UTET_F16 || dtype == UTET_F32 || dtype == UTET_F64;
        utet_status status;

        tetgen_put(w.g.bytes + 40 + 4, dtype, 4); /* the record of "r" */
        status = bound(&w, "{\"dataset\":\"r\",\"sum\":[0],"
                           "\"window\":{\"axis\":0,\"size\":4,\"mode\":\"rolling\",\"pad\":\"nan\"}}");
        floats += status == UTET_OK;
        suite_check(is_float ? status == UTET_OK : status == UTET_E_METADATA && w.query.fault.reason != 0,
                    "dtype %u: %s", (unsigned)dtype, rig_status(status));
        rig_end(&w.r, "padded with NaN");
        rig_make(&w.r, w.g.bytes, w.g.size, rig_codecs() > 1 ? 1 : 0);
    }
    assert_int_equal(floats, 3);
    end(&w, "padded with NaN");
}

/* Wrong bytes of the file, for the calls that read them. */
static void damage(void **state)
{
    static const struct {
        utet_status status;
        unsigned calls; /* one bit each */
        size_t work;    /* for need and opening, if headers are read */
        const uint8_t *bytes;
        size_t size;
    } frames[] = {
        {UTET_E_ZSTD_WINDOW, 30, 5000, badframes_window, sizeof badframes_window},
        {UTET_E_ZSTD_DICT, 30, 5000, badframes_dictionary, sizeof badframes_dictionary},
        {UTET_E_ZSTD_LEGACY, 30, 5000, badframes_legacy, sizeof badframes_legacy},
        {UTET_E_PAYLOAD, 30, 5000, badframes_garbage, sizeof badframes_garbage},
    };
    static const struct {
        utet_status status;
        unsigned at, value, calls;
    } fields[] = {{UTET_E_MISSING, 8, 99, 31}, {UTET_E_ROW, 80, 5, 31}};
    static world w;

    (void)state;
    make(&w);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        for (unsigned which = 0; which < CALLS; which++)
            if ((frames[i].calls >> which & 1) != 0) {
                uint8_t *at = w.g.bytes + tetgen_get(row(&w, FIRST_Z) + 72, 8);
                uint8_t before[10];

                w.work = which >= NEXT ? 300000 : frames[i].work;
                ready(&w, which, ZSTD_SUM);
                memcpy(before, at, sizeof before);
                memcpy(at, frames[i].bytes, frames[i].size);
                expect(&w, which, frames[i].status, "a frame");
                memcpy(at, before, sizeof before);
            }
    w.work = 300000;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        for (unsigned which = 0; which < CALLS; which++) {
            uint64_t before = tetgen_get(row(&w, FIRST_Z) + fields[i].at, 8);

            ready(&w, which, ZSTD_SUM);
            tetgen_put(row(&w, FIRST_Z) + fields[i].at, fields[i].value, 8);
            expect(&w, which, fields[i].status, "a row");
            tetgen_put(row(&w, FIRST_Z) + fields[i].at, before, 8);
        }
    end(&w, "damage");
}

/* Codec, budget and checksum: the medium changes after opening. */
static void changes(void **state)
{
    static const uint8_t large[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38, 0x01, 0x00, 0x00};

    (void)state;
    for (unsigned which = NEED; which < CALLS; which++)
        for (int budget = 0; budget < 2; budget++) {
            static world w;

            make(&w);
            if (!budget)
                w.r.codecs[0] = NULL;
            if (budget)
                w.work = 600;
            if (!budget || which >= NEXT) {
                ready(&w, which, which >= NEXT ? RAW_SUM : ZSTD_SUM);
                if (which >= NEXT) {
                    tetgen_put(row(&w, 0) + 96, 1, 4);
                    memcpy(w.g.bytes + tetgen_get(row(&w, 0) + 72, 8), large, sizeof large);
                }
                expect(&w, which, budget ? UTET_E_BUDGET : UTET_E_CODEC, "changed");
            }
            end(&w, "changes");
        }
    for (unsigned which = NEXT; which < CALLS; which++) {
        static world w;

        make(&w);
        bind(&w, ZSTD_SUM);
        badframes_checksum(&w.g, row(&w, FIRST_Z), 64 * 96 * 4);
        DRIVE_OK(call(&w, OPEN));
        w.response.answer = &w.answer;
        expect(&w, which, UTET_E_CHECKSUM, "a checksum");
        end(&w, "checksum");
    }
}

/* ---- sweeps of the response ---- */

/* Each read fails once, and each write; or each write is suspended once. What has been written is the beginning of the
 * response. */
static void sweep(void **state)
{
    static world a, b;
    unsigned faults = 0;

    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        make(&a);
        a.work = 9000;
        if (strstr(documents[i], "\"z\"") != NULL)
            a.work = 300000;
        ready(&a, RESPOND, documents[i]);
        DRIVE_OK(call(&a, RESPOND));
        assert_true(a.length > 500 && a.said[a.length - 1] == '\n');
        rig_end(&a.r, "whole");
        for (int kind = 0; kind < 3; kind++)
            for (unsigned n = 1;; n += n < 60 ? 1 : 19) { /* the first ones, then some of the others */
                utet_status status;

                memset(&b, 0, sizeof b);
                b.g = a.g;
                b.work = a.work;
                b.size = PIECE;
                rig_make(&b.r, a.g.bytes, a.g.size, rig_codecs() > 1 ? 1 : 0);
                b.r.port.slice = 64;
                ready(&b, RESPOND, documents[i]);
                if (kind == 0) {
                    b.r.port.fault = FAULT_ERROR;
                    b.r.port.fault_at = b.r.port.reads + n - 1;
                } else {
                    b.failing = n;
                    b.failure = kind == 1 ? UTET_E_PORT - 9 : UTET_WOULD_BLOCK;
                }
                status = driven(&b, RESPOND);
                suite_check(b.length <= a.length && memcmp(a.said, b.said, b.length) == 0, "fault %u: other text", n);
                if (status == UTET_OK)
                    suite_check(b.length == a.length, "fault %u: %u bytes of %u", n, (unsigned)b.length,
                                (unsigned)a.length);
                else
                    suite_check(status == (kind == 0 ? FAULTPORT_ERROR : UTET_E_PORT - 9) && kind < 2 &&
                                    driven(&b, RESPOND) == UTET_E_STATE,
                                "fault %u: %s", n, rig_status(status));
                rig_end(&b.r, "fault");
                faults++;
                if (kind == 0 ? status == UTET_OK : b.writes < n)
                    break;
            }
        tetgen_free(&a.g);
    }
    suite_figure("faults at %u reads and writes", faults);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(figures),         cmocka_unit_test(parts_of_response),
        cmocka_unit_test(media),           cmocka_unit_test(callers),
        cmocka_unit_test(damage),          cmocka_unit_test(changes),
        cmocka_unit_test(sweep),           cmocka_unit_test(filtered_matrix),
        cmocka_unit_test(padded_with_nan),
    };

    return SUITE("queryanswer", cases);
}
