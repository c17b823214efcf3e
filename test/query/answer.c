/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * answer: answers query documents about files, for answer_test.py. Standard input has a line with the file's path, one
 * with the number of bytes, then the document. It prints a line: the status and the message; or 0, the number of
 * elements that passed, groups, windows, the shape, and the bits of each result; or "elements" and their bytes, for a
 * transform or a document without a reduction. A second line is the response document, which is empty if the document
 * is refused. Each is done twice, see answer_test.py; a difference is printed. With an argument, a number, each is also
 * done with budgets that are this many bytes apart, see budget_test.py.
 */
#include "utet_query.h"
#include "utet_transform.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 100000u
#define LINE (MOST * 17u)
#define RESPONSE (MOST * 30u)
#define SHOWN 5u

typedef struct medium {
    const uint8_t *bytes;
    int slow;
    int told;
} medium;

static utet_status read_bytes(void *context, uint64_t offset, void *buffer, size_t size, size_t *got)
{
    medium *m = context;

    m->told = !m->told;
    if (m->slow && m->told)
        return UTET_WOULD_BLOCK;
    *got = m->slow ? 1 : size;
    memcpy(buffer, m->bytes + offset, *got);
    return UTET_OK;
}

#define DRIVE(status, call) \
    do                      \
        (status) = (call);  \
    while ((status) == UTET_WOULD_BLOCK)

static uint8_t *file_bytes;
static size_t file_length;

static void load(const char *path)
{
    static char last[4096];
    FILE *file;

    if (strcmp(path, last) == 0)
        return;
    file = fopen(path, "rb");
    if (file == NULL)
        exit(2);
    free(file_bytes);
    fseek(file, 0, SEEK_END);
    file_length = (size_t)ftell(file);
    rewind(file);
    file_bytes = malloc(file_length);
    if (file_bytes == NULL || fread(file_bytes, 1, file_length, file) != file_length)
        exit(2);
    fclose(file);
    snprintf(last, sizeof last, "%s", path);
}

static void say_message(utet_query *query, char *line)
{
    uint32_t from = 0;
    utet_status status;
    size_t got;

    strcat(line, " error: ");
    do {
        char piece[24];

        DRIVE(status, utet_query_message(query, from, piece, sizeof piece - 1, &got));
        piece[got] = '\0';
        strcat(line, piece);
        from += (uint32_t)got;
    } while (status == UTET_OK && got != 0);
}

/* All results, in parts. */
static utet_status say_results(utet_query_plan *plan, utet_query_answer *answer, double *results, char *line)
{
    utet_status status;
    char *at = line;
    char head[200];
    char *of = head;
    unsigned d;

    do {
        DRIVE(status, utet_query_answer_next(answer, results));
        for (size_t i = 0; status == UTET_OK && i < answer->given; i++) {
            uint64_t bits;

            memcpy(&bits, &results[i], sizeof bits);
            at += sprintf(at, " %016" PRIx64, bits);
        }
    } while (status == UTET_OK);
    of += sprintf(of, "0 %" PRIu64 " %" PRIu64 " %" PRIu64 " ", answer->folded, plan->group_count,
                  plan->by.grouping.windows);
    for (d = 0; d < answer->ndim; d++)
        of += sprintf(of, "%s%" PRIu64, d != 0 ? "x" : "", answer->shape[d]);
    if (d == 0)
        of += sprintf(of, "1");
    memmove(line + (of - head), line, (size_t)(at - line) + 1);
    memcpy(line, head, (size_t)(of - head));
    return status == UTET_END ? UTET_OK : status;
}

typedef struct paper {
    char *text;
    size_t length;
    int slow;
    int told;
} paper;

static utet_status write_text(void *context, const char *text, size_t length)
{
    paper *p = context;

    p->told = !p->told;
    if (p->slow && p->told)
        return UTET_WOULD_BLOCK;
    if (p->length + length >= RESPONSE)
        return UTET_E_PORT;
    memcpy(p->text + p->length, text, length);
    p->length += length;
    p->text[p->length] = '\0';
    return UTET_OK;
}

/* Writes the response into `text`, without its newline. */
static utet_status respond(utet_query_plan *plan, utet_query_answer *answer, double *results,
                           const utet_query_elements *elements, int least, char *text)
{
    static char buffer[4096];
    paper p = {text, 0, least, 0};
    char *small = malloc(UTET_QUERY_RESPONSE_MIN);
    utet_query_response response = {.plan = plan,
                                    .answer = answer,
                                    .results = results,
                                    .elements = elements,
                                    .tet_file = "a\"\\\t\001\v\037\r\b\f\nb.tet",
                                    .write = write_text,
                                    .context = &p,
                                    .buffer = least ? small : buffer,
                                    .size = least ? UTET_QUERY_RESPONSE_MIN : sizeof buffer};
    utet_status status;

    DRIVE(status, utet_query_respond(&response));
    if (status == UTET_OK && (p.length == 0 || text[p.length - 1] != '\n'))
        status = UTET_E_STATE;
    if (status == UTET_OK)
        text[p.length - 1] = '\0';
    free(small);
    return status;
}

/* The match of two datasets: for each axis both numbers, the reason, labels_ok. */
static void say_alignment(const utet_query_plan *plan, char *line)
{
    unsigned i;

    line += sprintf(line, "align");
    for (i = 0; i < plan->by.align.count; i++)
        line += sprintf(line, " %u:%u:%u:%u", plan->by.align.axis[i], plan->by.align.other_axis[i],
                        plan->by.align.reason[i], plan->by.align.labels_ok[i]);
}

typedef struct world {
    medium document_medium, file_medium;
    utet_io document_io, file_io;
    utet_file document, file;
    utet_query query;
    utet_query_plan plan;
    utet_meta meta;
    utet_query_answer answer;
    uint64_t *work;
} world;

static utet_status open_file(world *w, size_t size)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    utet_status status;

    free(w->work);
    w->work = malloc(size);
    utet_init(&w->file, &w->file_io, w->work, size, codecs);
    DRIVE(status, utet_open(&w->file, &(utet_options){.budget = SIZE_MAX}));
    return status;
}

static unsigned long budgets;
static size_t exact;   /* bytes of the workspace of an answer; 0: as many as it is opened with */
static utet_need need; /* of the last answer */

/* The answer, opened in the minimum workspace and with the smallest parts, or with room for everything. */
static utet_status open_answer(world *w, int least)
{
    uint64_t elements = 1;
    utet_status status;

    DRIVE(status, utet_query_answer_need(&w->answer, &w->plan));
    need = w->answer.need;
    for (unsigned d = 0; d < w->plan.dataset.ndim; d++)
        elements *= w->plan.extents[d];
    if (status == UTET_OK && w->answer.elements != elements)
        status = UTET_E_STATE;
    if (status == UTET_OK && (least || exact != 0))
        status = open_file(w, exact != 0 ? exact : (size_t)need.least);
    if (status == UTET_OK)
        DRIVE(status, utet_query_answer_open(&w->answer, &w->plan, least ? w->answer.together : MOST));
    return status;
}

/* ---- elements ---- */

static uint64_t undefined[MOST];
static size_t listed;

static void list_undefined(void *context, uint64_t number)
{
    (void)context;
    if (listed < MOST)
        undefined[listed++] = number;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

/* The result of the transform; on request, in the minimum workspace. */
static utet_status transform(world *w, int least, utet_transform *t, utet_transform_into *into)
{
    const utet_transform_method *method = utet_query_transform(w->query.method);
    utet_status status;

    DRIVE(status, utet_transform_need(t, &w->file, &w->plan.request, method));
    if (status == UTET_OK && w->plan.grouped)
        status = utet_fold_group(&t->fold, &w->plan.by.grouping);
    if (status == UTET_OK && least)
        status = open_file(w, (size_t)t->fold.need.least);
    if (status == UTET_OK)
        DRIVE(status, utet_transform_open(t, &w->file, &w->plan.request, method));
    if (status == UTET_OK && w->plan.grouped)
        status = utet_fold_group(&t->fold, &w->plan.by.grouping);
    if (status == UTET_OK && w->query.filter.tests != 0)
        status = utet_fold_where(&t->fold, &w->query.filter);
    if (status == UTET_OK)
        DRIVE(status, utet_transform_run(t, into));
    return status;
}

/* The selection as it is stored. */
static utet_status copy(world *w, int least, uint8_t *data, size_t size, uint64_t *count)
{
    utet_slab slab;
    utet_status status;

    DRIVE(status, utet_slab_need(&slab, &w->file, &w->plan.dataset, w->plan.ranges));
    if (status == UTET_OK && least)
        status = open_file(w, (size_t)slab.need.least);
    if (status == UTET_OK)
        DRIVE(status, utet_slab_open(&slab, &w->file, &w->plan.dataset, w->plan.ranges));
    *count = slab.count;
    if (status == UTET_OK && *count * w->plan.dataset.elem_size > size)
        status = UTET_E_SPACE;
    if (status == UTET_OK)
        DRIVE(status, utet_slab_read_all(&slab, data, (size_t)*count * w->plan.dataset.elem_size));
    return status;
}

static utet_status say_elements(world *w, int least, double *results, utet_query_elements *elements, char *line)
{
    static uint8_t data[8 * MOST];
    static utet_transform t;
    utet_transform_into into = {
        .elements = data, .size = sizeof data, .statistics = results, .room = MOST, .undefined = list_undefined};
    uint64_t count;
    utet_status status;

    listed = 0;
    *elements = (utet_query_elements){.parts = &utet_query_element_parts, .first = data, .statistics = results};
    if (w->query.operation == UTET_QUERY_TRANSFORM) {
        status = transform(w, least, &t, &into);
        count = t.count;
        qsort(undefined, listed, sizeof undefined[0], ascending);
        elements->transform = &t;
        elements->undefined = undefined;
        elements->listed = listed;
    } else {
        status = copy(w, least, data, sizeof data, &count);
        if (w->query.spill.length != 0)
            elements->spill = "/spill\"ed";
    }
    if (status != UTET_OK)
        return status;
    elements->shown = count < SHOWN ? (size_t)count : SHOWN;
    line += sprintf(line, "elements ");
    for (size_t i = 0; i < count * w->plan.dataset.elem_size; i++)
        line += sprintf(line, "%02x", data[i]);
    return UTET_OK;
}

/* A document that gives elements: without elements, its response has no `execution`. */
static utet_status respond_without(world *w, int least, char *text)
{
    utet_status status = respond(&w->plan, NULL, NULL, NULL, least, text);

    if (status == UTET_OK && strstr(text, "\"execution\"") != NULL)
        printf("differ: nothing was executed: %s\n", text);
    return status;
}

/* Writes one answer into `line`, and the response into `text`. `least`: in the minimum workspace, from slow media. */
static void answer(const uint8_t *words, size_t length, int least, char *line, char *text)
{
    static uint64_t document_work[24];
    static uint32_t places[4096];
    size_t room = least ? 0 : sizeof places / sizeof places[0]; /* the minimum for labels as well */
    static double results[MOST];
    world *w = calloc(1, sizeof *w);
    utet_query_answer *computed = NULL;
    utet_query_elements elements;
    const utet_query_elements *seen = NULL;
    utet_status status;

    line[0] = '\0';
    text[0] = '\0';
    memset(&need, 0, sizeof need);
    w->document_medium = (medium){words, least, 0};
    w->file_medium = (medium){file_bytes, least, 0};
    w->document_io = (utet_io){.ctx = &w->document_medium, .read = read_bytes, .unit = 1, .align = 1, .size = length};
    w->file_io = (utet_io){.ctx = &w->file_medium, .read = read_bytes, .unit = 1, .align = 1, .size = file_length};
    utet_init(&w->document, &w->document_io, document_work, sizeof document_work, NULL);
    status = open_file(w, least ? UTET_OPEN_WORK(1) : 1u << 20);
    if (status == UTET_OK)
        DRIVE(status, utet_query_open(&w->query, &w->document, utet_query_options));
    if (status == UTET_OK)
        DRIVE(status, utet_meta_open(&w->meta, &w->file));
    if (status == UTET_OK)
        do {
            DRIVE(status, utet_query_bind(&w->plan, &w->query, &w->meta, places, room));
        } while (status == UTET_E_SPACE && room < w->plan.places_needed && (room = w->plan.places_needed) != 0);
    if (status != UTET_OK) {
        sprintf(line, "%d", status);
        if (status == UTET_E_METADATA && w->query.fault.reason != 0)
            say_message(&w->query, line);
        goto end;
    }
    if (!w->plan.matched) {
        sprintf(line, "no dataset");
    } else if (w->query.has_align) {
        say_alignment(&w->plan, line);
    } else if (w->query.operation == UTET_QUERY_NONE || w->query.operation == UTET_QUERY_TRANSFORM) {
        seen = &elements;
        status = respond_without(w, least, text);
        if (status == UTET_OK)
            status = say_elements(w, least, results, &elements, line);
    } else {
        status = open_answer(w, least);
        if (status == UTET_OK)
            status = say_results(&w->plan, &w->answer, results, line);
        if (status == UTET_OK)
            status = open_answer(w, least);
        computed = &w->answer;
    }
    if (status == UTET_OK)
        status = respond(&w->plan, computed, results, seen, least, text);
    if (status == UTET_E_BUDGET)
        sprintf(line, "%d of the answer: %" PRIu64, status, w->file.needed);
    else if (status != UTET_OK)
        sprintf(line, "%d of the answer", status);
end:
    free(w->work);
    free(w);
}

/* Every budget from the minimum to the best, `step` apart: the same line and text. One byte less is refused with the
 * required size. */
static void every_budget(const uint8_t *words, size_t length, size_t step, const char *line, const char *text)
{
    static char lines[LINE];
    static char texts[RESPONSE];
    const utet_need all = need;
    char refused[64];
    size_t size;

    if (all.least == 0)
        return;
    exact = (size_t)all.least - 1;
    answer(words, length, 0, lines, texts);
    sprintf(refused, "%d of the answer: %" PRIu64, UTET_E_BUDGET, all.least);
    if (strcmp(lines, refused) != 0)
        printf("differ: one byte less: %s\n", lines);
    for (size = (size_t)all.least; size <= (size_t)all.best + 1; size += step) {
        exact = size;
        answer(words, length, 0, lines, texts);
        if (strcmp(line, lines) != 0 || strcmp(text, texts) != 0)
            printf("differ: %zu bytes: %s | %s\n", size, line, lines);
        budgets++;
    }
    exact = 0;
}

int main(int argc, char **argv)
{
    const size_t step = argc > 1 ? (size_t)atol(argv[1]) : 0;
    static char path[4096];
    static char lines[2][LINE];
    static char texts[2][RESPONSE];
    size_t length;

    while (fgets(path, sizeof path, stdin) != NULL) {
        uint8_t *text;

        path[strcspn(path, "\n")] = '\0';
        load(path);
        if (scanf("%zu", &length) != 1 || getchar() != '\n')
            return 1;
        text = malloc(length + 1);
        if (text == NULL || fread(text, 1, length, stdin) != length)
            return 1;
        answer(text, length, 0, lines[0], texts[0]);
        answer(text, length, 1, lines[1], texts[1]);
        if (strcmp(lines[0], lines[1]) != 0)
            printf("differ: %s | %s\n", lines[0], lines[1]);
        else
            puts(lines[0]);
        if (strcmp(texts[0], texts[1]) != 0)
            printf("differ: %s | %s\n", texts[0], texts[1]);
        else
            puts(texts[0]);
        if (step != 0)
            every_budget(text, length, step, lines[1], texts[1]);
        fflush(stdout);
        free(text);
    }
    if (step != 0)
        fprintf(stderr, "figure: %lu budgets\n", budgets);
    return 0;
}
