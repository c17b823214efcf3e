/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * answer: query documents against files, for answer_test.py. Standard input: a line with the file's path, one with the
 * number of bytes, then the document. Prints a line: the status and the message; or 0, elements that passed, groups,
 * windows, the shape, and the bits of each result. Each is done twice, see answer_test.py; a difference is printed.
 */
#include "utet_query.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 100000u
#define LINE (MOST * 17u)

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

static void say_results(utet_query_plan *plan, const utet_fold *fold, const double *results, char *line)
{
    const utet_fold_grouping *g = &plan->grouping;
    const char *cross = "";
    char *at = line;
    size_t i;
    unsigned d;

    at += sprintf(at, "0 %" PRIu64 " %" PRIu64 " %" PRIu64 " ", fold->folded, plan->group_count, g->windows);
    for (d = 0; d < plan->dataset.ndim; d++) {
        uint64_t n = plan->extents[d];

        if (g->window.size != 0 && g->window.axis == d)
            n = g->windows;
        else if (g->axis[d].groups != 0)
            n = g->axis[d].groups;
        else if ((plan->request.axes >> d & 1) != 0)
            continue;
        at += sprintf(at, "%s%" PRIu64, cross, n);
        cross = "x";
    }
    if (*cross == '\0')
        at += sprintf(at, "1");
    for (i = 0; i < fold->results; i++) {
        uint64_t bits;

        memcpy(&bits, &results[i], sizeof bits);
        at += sprintf(at, " %016" PRIx64, bits);
    }
}

/* The match of two datasets: for each axis both numbers, the reason, labels_ok. */
static void say_alignment(const utet_query_plan *plan, char *line)
{
    unsigned i;

    line += sprintf(line, "align");
    for (i = 0; i < plan->align.count; i++)
        line += sprintf(line, " %u:%u:%u:%u", plan->align.axis[i], plan->align.other_axis[i], plan->align.reason[i],
                        plan->align.labels_ok[i]);
}

/* One answer into `line`. `least`: in the least workspace, from slow media. */
static void answer(const uint8_t *text, size_t length, int least, char *line)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static uint64_t document_work[24];
    static uint32_t places[64];
    static double results[MOST];
    medium document_medium = {text, least, 0};
    medium file_medium = {file_bytes, least, 0};
    utet_io document_io = {.ctx = &document_medium, .read = read_bytes, .unit = 1, .align = 1, .size = length};
    utet_io file_io = {.ctx = &file_medium, .read = read_bytes, .unit = 1, .align = 1, .size = file_length};
    utet_file *document = malloc(sizeof *document);
    utet_file *file = malloc(sizeof *file);
    utet_query *query = malloc(sizeof *query);
    utet_query_plan *plan = malloc(sizeof *plan);
    utet_meta *meta = malloc(sizeof *meta);
    utet_fold *fold = malloc(sizeof *fold);
    size_t work_size = least ? UTET_OPEN_WORK(1) : 1u << 20;
    uint64_t *work = malloc(work_size);
    utet_status status;

    line[0] = '\0';
    utet_init(document, &document_io, document_work, sizeof document_work, NULL);
    utet_init(file, &file_io, work, work_size, codecs);
    DRIVE(status, utet_open(file, &(utet_options){.budget = SIZE_MAX}));
    if (status == UTET_OK)
        DRIVE(status, utet_query_open(query, document));
    if (status == UTET_OK)
        DRIVE(status, utet_meta_open(meta, file));
    if (status == UTET_OK)
        DRIVE(status, utet_query_bind(plan, query, meta, places, 64));
    if (status != UTET_OK) {
        sprintf(line, "%d", status);
        if (status == UTET_E_METADATA && query->fault.reason != 0)
            say_message(query, line);
        goto end;
    }
    if (!plan->matched) {
        sprintf(line, "no dataset");
        goto end;
    }
    if (query->has_align) {
        say_alignment(plan, line);
        goto end;
    }
    plan->request.operation = utet_query_operation(query->operation);
    DRIVE(status, utet_fold_need(fold, file, &plan->request));
    if (status == UTET_OK && plan->grouped)
        status = utet_fold_by(fold, &plan->grouping);
    if (least && (status == UTET_OK || status == UTET_E_BUDGET)) {
        free(work);
        work_size = (size_t)fold->need.least;
        work = malloc(work_size);
        utet_init(file, &file_io, work, work_size, codecs);
        DRIVE(status, utet_open(file, &(utet_options){.budget = SIZE_MAX}));
    }
    if (status == UTET_OK)
        DRIVE(status, utet_fold_open(fold, file, &plan->request));
    if (status == UTET_OK && query->filter.tests != 0)
        status = utet_fold_where(fold, &query->filter);
    if (status == UTET_OK && plan->grouped)
        status = utet_fold_by(fold, &plan->grouping);
    if (status == UTET_OK)
        DRIVE(status, utet_fold_run(fold, results, MOST));
    if (status == UTET_OK)
        say_results(plan, fold, results, line);
    else
        sprintf(line, "%d of the fold", status);
end:
    free(document);
    free(file);
    free(query);
    free(plan);
    free(meta);
    free(fold);
    free(work);
}

int main(void)
{
    static char path[4096];
    static char lines[2][LINE];
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
        answer(text, length, 0, lines[0]);
        answer(text, length, 1, lines[1]);
        if (strcmp(lines[0], lines[1]) != 0)
            printf("differ: %s | %s\n", lines[0], lines[1]);
        else
            puts(lines[0]);
        fflush(stdout);
        free(text);
    }
    return 0;
}
