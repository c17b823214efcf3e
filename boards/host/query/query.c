/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet query: answers a query document, or documents that are made from options. */
#define _XOPEN_SOURCE 700
#include "query.h"
#include "shared/kept.h"
#include "shared/label.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_RESULTS ((uint64_t)1 << 27)
#define MOST_TOLD ((uint64_t)1 << 26) /* maximum number of bytes counted, because /dev/zero has no end */
#define MOST_CHUNKS ((uint64_t)1 << 28)

/* ---- the document ---- */

static int load_file(answer *a, const char *path)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t length;

    if (in == NULL)
        return fail(path, NULL, NO_OFFSET, "cannot open: %s%s", strerror(errno),
                    errno == ENOENT ? "; QUERY is a document, and a dataset needs an option such as --mean all" : "");
    a->text = malloc(UTET_QUERY_MAX_BYTES + 1);
    if (a->text == NULL) {
        (void)fclose(in);
        return fail(path, NULL, NO_OFFSET, "not enough memory");
    }
    length = fread(a->text, 1, UTET_QUERY_MAX_BYTES + 1, in);
    if (ferror(in)) {
        (void)fclose(in);
        return fail(path, "medium", NO_OFFSET, "cannot read: %s", strerror(errno));
    }
    a->text_io.size = length;
    while (length > UTET_QUERY_MAX_BYTES && a->text_io.size < MOST_TOLD && getc(in) != EOF) /* size of the error line */
        a->text_io.size++;
    if (in != stdin)
        (void)fclose(in);
    return TOOL_OK;
}

/* Reads the document from options, the command line or a file. */
static int load(answer *a)
{
    const char *const given = a->opt->dataset;
    int result = TOOL_OK;
    size_t length = 0;
    char *text;

    if (query_is_asked(a->opt)) {
        a->name = a->s->path;
        result = answer_ask(a, &text, &length);
        a->text = (uint8_t *)text;
        a->text_io.size = length;
    } else if (given[0] == '{') {
        a->name = "QUERY";
        a->text = (uint8_t *)strdup(given);
        a->text_io.size = strlen(given);
        if (a->text == NULL)
            result = fail(a->name, NULL, NO_OFFSET, "not enough memory");
    } else {
        a->name = given;
        result = load_file(a, given);
    }
    a->text_io.map = a->text;
    a->text_io.unit = 1;
    a->text_io.align = 1;
    return result;
}

static int refused(answer *a, utet_status status)
{
    const char *const advice = ends_with(a->name, ".toml") ? " (JSON is read, TOML is not)" : "";
    char words[1400];
    char spelled[2000];
    size_t got = 0;

    if (status == UTET_E_METADATA && a->query.fault.reason != 0) {
        status = utet_query_message(&a->query, 0, words, sizeof words, &got);
        spell_zeros(spelled, sizeof spelled, words, got);
        if (status == UTET_OK)
            return fail(a->name, "query", NO_OFFSET, "%s%s", spelled, advice);
    }
    return source_fail(a->s, status);
}

/* Returns the option that requests numbers in a file; NULL: none. */
static const char *numbers_option(const options *opt)
{
    return opt->npy != NULL ? "--npy" : opt->csv ? "--csv" : opt->tet != NULL ? "-o" : NULL;
}

/* Valid parts of documents that utet does not support. */
static int judge_support(answer *a)
{
    const utet_query *q = &a->query;
    const char *const numbers = numbers_option(a->opt);

    if ((q->unsupported & UTET_QUERY_WRITE) != 0)
        return answer_cannot(a, "write");
    if ((q->unsupported & UTET_QUERY_DEVICE) != 0)
        return answer_cannot(a, "execution.device");
    if (numbers != NULL && q->has_align)
        return fail(a->name, "query", NO_OFFSET, "%s: the results of `align` are not numbers; omit %s", numbers,
                    numbers);
    if (numbers != NULL && q->spill.length != 0 &&
        (q->operation == UTET_QUERY_NONE || q->operation == UTET_QUERY_TRANSFORM))
        return fail(a->name, "query", NO_OFFSET, "%s: the document writes its elements with `spill`; omit %s", numbers,
                    numbers);
    if (a->keep && (q->operation == UTET_QUERY_HISTOGRAM || q->operation == UTET_QUERY_COVARIANCE ||
                    q->operation == UTET_QUERY_CORRELATION))
        return fail(a->name, "query", NO_OFFSET, "%s: a result of %s is more than one number; use --npy", numbers,
                    utet_query_name(q->operation));
    return TOOL_OK;
}

/* ---- the answer ---- */

/* Returns nonzero if the reduction has no meaningful result without elements. */
static int wants_elements(const answer *a)
{
    switch (a->query.operation) {
    case UTET_QUERY_MEAN:
    case UTET_QUERY_MIN:
    case UTET_QUERY_MAX:
    case UTET_QUERY_VAR:
    case UTET_QUERY_STD:
    case UTET_QUERY_NAN_MEAN:
    case UTET_QUERY_NAN_STD:
    case UTET_QUERY_ARG_MIN:
    case UTET_QUERY_ARG_MAX:
    case UTET_QUERY_MEDIAN:
    case UTET_QUERY_QUANTILE: return a->query.filter.tests != 0 || a->query.has_label_filter || a->plan.grouped;
    default: return 0;
    }
}

/* Opens the answer with room for all results, or for MOST_RESULTS if they are not needed together. */
static int open_answer(answer *a)
{
    const int whole = !a->opt->json && a->opt->npy == NULL;
    uint64_t none;
    utet_status status;

    if (whole && wants_elements(a)) {
        a->plan.grouped = 1;
        a->plan.by.grouping.counts = &none; /* until their number is known */
    }
    status = utet_query_answer_need(&a->answer, &a->plan);
    if (status != UTET_OK)
        return answer_fail(a, status);
    if (source_grow(a->s, a->opt, &a->answer.need) != TOOL_OK)
        return TOOL_ERROR;
    a->room = a->answer.results < MOST_RESULTS ? (size_t)a->answer.results : (size_t)MOST_RESULTS;
    if (a->room < a->answer.together)
        a->room = a->answer.together;
    if (whole && a->room < a->answer.results)
        return fail(a->s->path, "query", NO_OFFSET, "too many results: %" PRIu64 ", and the limit is %" PRIu64,
                    a->answer.results, MOST_RESULTS);
    if (a->room == 0)
        a->room = 1;
    if (a->plan.by.grouping.counts != NULL) {
        a->counts = calloc(a->room, sizeof *a->counts);
        a->plan.by.grouping.counts = a->counts;
        if (a->counts == NULL)
            return fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    }
    status = utet_query_answer_open(&a->answer, &a->plan, a->room);
    if (status != UTET_OK)
        return answer_fail(a, status);
    a->results = calloc(a->room, sizeof *a->results);
    if (a->results == NULL)
        return fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    return TOOL_OK;
}

/* Chunks that zone maps and indexes exclude are not read. */
static int skip(answer *a)
{
    uint64_t chunks = 1;
    utet_status status;
    unsigned d;

    if (!a->opt->trust_zones)
        return TOOL_OK;
    for (d = 0; d < a->plan.dataset.ndim; d++)
        if (chunks < MOST_CHUNKS)
            chunks *= a->plan.dataset.grid[d];
    a->skips.size = (size_t)(chunks < MOST_CHUNKS ? chunks : MOST_CHUNKS) / 4 + 1;
    a->skips.bits = malloc(a->skips.size);
    if (a->skips.bits == NULL)
        return fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    status = utet_query_answer_skip(&a->answer, &a->skips);
    return status == UTET_OK ? TOOL_OK : source_fail(a->s, status);
}

/* Results are doubles, as in the reference. A double may not represent an extreme or a sum of 64-bit integers exactly;
 * a notice reports this. */
static void tell_rounded(answer *a, uint64_t count)
{
    const uint32_t dtype = a->plan.dataset.dtype;
    const unsigned operation = a->query.operation;
    uint64_t i;

    if (a->told_rounded || (dtype != UTET_I64 && dtype != UTET_U64) ||
        (operation != UTET_QUERY_SUM && operation != UTET_QUERY_MIN && operation != UTET_QUERY_MAX &&
         operation != UTET_QUERY_MEDIAN && operation != UTET_QUERY_QUANTILE && operation != UTET_QUERY_PRODUCT))
        return;
    for (i = 0; i < count && !(fabs(a->results[i]) > 0x1p53); i++)
        ;
    if (i == count)
        return;
    a->told_rounded = 1;
    notice(a->s->path, "query", "results are doubles, and integers beyond 2^53 are rounded to the nearest one%s",
           operation == UTET_QUERY_MIN || operation == UTET_QUERY_MAX ? " ('utet read --stats' prints them exactly)"
                                                                      : "");
}

/* Reads the next results; answer.given is 0 after the last ones. */
static int next_piece(answer *a)
{
    utet_status status = a->listed ? list_next(a) : utet_query_answer_next(&a->answer, a->results);

    if (status == UTET_OK)
        tell_rounded(a, a->answer.given);
    return status == UTET_OK || status == UTET_END ? TOOL_OK : answer_fail(a, status);
}

static int write_values(const answer *a, output *out)
{
    size_t i;
    int result = TOOL_OK;

    for (i = 0; result == TOOL_OK && i < a->answer.given; i++) {
        uint8_t bytes[8];

        answer_bytes(a->results[i], bytes);
        result = output_write(out, bytes, sizeof bytes);
    }
    return result;
}

static int write_npy(answer *a)
{
    output out;
    uint64_t shape[UTET_MAX_NDIM + 1];
    unsigned ndim = a->answer.ndim;
    int result = next_piece(a);

    if (result == TOOL_OK)
        result = output_open(&out, a->opt->npy, a->s);
    if (result != TOOL_OK)
        return result;
    memcpy(shape, a->answer.shape, sizeof a->answer.shape);
    if (!a->answer.is_matrix && a->answer.together > 1)
        shape[ndim++] = a->answer.together;
    result = npy_header(&out, "<f8", shape, ndim);
    while (result == TOOL_OK && a->answer.given != 0) {
        result = write_values(a, &out);
        if (result == TOOL_OK)
            result = next_piece(a);
    }
    return output_close(&out, result);
}

static int write_json(answer *a, int reduces)
{
    const utet_query_elements elements = {.parts = &utet_query_element_parts, .first = a->first, .shown = a->shown};

    const int result = answer_json(a, reduces, a->first != NULL ? &elements : NULL);

    if (result == TOOL_OK && reduces)
        tell_rounded(a, a->answer.results < a->room ? a->answer.results : a->room);
    return result;
}

/* ---- the command ---- */

static utet_status bind(answer *a)
{
    size_t room = 0;
    utet_status status;

    for (;;) {
        status = utet_query_bind(&a->plan, &a->query, &a->meta, a->places, room);
        if (status != UTET_E_SPACE)
            return status;
        room = 10 * a->plan.places_needed + 8; /* enough to find all groups while reading the labels once */
        free(a->places);
        a->places = malloc(room * sizeof *a->places + 1);
        if (a->places == NULL)
            return UTET_E_BUDGET;
    }
}

/* The reference uses the first of several indices with one label, and so does utet, with a notice. */
static utet_status tell_label(answer *a, unsigned axis, const char *key, uint64_t place)
{
    utet_value labels;
    uint64_t other = UINT64_MAX;
    utet_status status = utet_meta_labels(&a->meta, &a->plan.about, axis, &labels);

    if (status == UTET_OK)
        status = label_again(&a->meta, &labels, place, &other);
    if (status == UTET_OK && other != UINT64_MAX)
        notice(a->name, "query",
               "`%s` on axis %u: indices %" PRIu64 " and %" PRIu64 " have this label; the first one is used", key, axis,
               place, other);
    return status == UTET_E_NOT_FOUND ? UTET_OK : status;
}

static utet_status tell_labels(answer *a)
{
    utet_status status = UTET_OK;
    unsigned d;

    for (d = 0; status == UTET_OK && a->plan.matched && a->query.selected != UINT32_MAX && d < a->plan.dataset.ndim;
         d++) {
        if ((a->query.selection[d].has & UTET_QUERY_START_LABEL) != 0)
            status = tell_label(a, d, "start_label", a->plan.ranges[d].start);
        if (status == UTET_OK && (a->query.selection[d].has & UTET_QUERY_STOP_LABEL) != 0)
            status = tell_label(a, d, "stop_label", a->plan.ranges[d].stop);
    }
    return status;
}

/* Replaces the file by its physical values, if the document names an existing dataset. */
static int use_physical(answer *a)
{
    char *const name = answer_text(a, &a->query.dataset);
    utet_dataset dataset;
    utet_status status;

    if (name == NULL)
        return TOOL_ERROR;
    status = utet_dataset_find(&a->s->file, name, a->query.dataset.length, &dataset);
    free(name);
    if (status == UTET_E_NOT_FOUND)
        return TOOL_OK;
    if (status != UTET_OK)
        return source_fail(a->s, status);
    a->copy = query_copy_begin(a->s, a->opt, &dataset);
    if (a->copy == NULL)
        return TOOL_ERROR;
    a->s = query_copy_source(a->copy);
    a->opt = query_copy_options(a->copy);
    return TOOL_OK;
}

static int answer_run(answer *a)
{
    utet_status status = utet_init(&a->document, &a->text_io, NULL, 0, NULL);
    int reduces;

    if (status == UTET_OK)
        status = utet_query_open(&a->query, &a->document, utet_query_options);
    if (status == UTET_OK && a->opt->physical && !query_is_asked(a->opt) && use_physical(a) != TOOL_OK)
        return TOOL_ERROR;
    if (status == UTET_OK)
        status = utet_meta_open(&a->meta, &a->s->file);
    if (status == UTET_OK)
        status = bind(a);
    if (status != UTET_OK)
        return refused(a, status);
    status = tell_labels(a);
    if (status != UTET_OK)
        return source_fail(a->s, status);
    if (judge_support(a) != TOOL_OK || (a->times != NULL && a->plan.matched && times_use(a->times, a) != TOOL_OK))
        return TOOL_ERROR;
    if (a->keep && !a->plan.matched)
        return answer_no_dataset(a);
    if (a->plan.matched)
        source_read(a->s, &a->plan.dataset, 1);
    if (a->plan.matched && !a->opt->plan && !a->query.has_align &&
        (a->query.operation == UTET_QUERY_NONE || a->query.operation == UTET_QUERY_TRANSFORM))
        return answer_dense(a);
    reduces = a->plan.matched && a->query.operation != UTET_QUERY_NONE && a->query.operation != UTET_QUERY_TRANSFORM;
    if (a->opt->plan && !a->opt->trust_zones)
        reduces = 0;
    if (reduces && mask_wanted(a) &&
        (a->query.operation == UTET_QUERY_COVARIANCE || a->query.operation == UTET_QUERY_CORRELATION) &&
        mask_matrix(a) != TOOL_OK)
        return TOOL_ERROR;
    if (reduces && a->opt->json && !a->opt->plan && answer_preview(a, &a->first, &a->shown) != TOOL_OK)
        return TOOL_ERROR;
    if (reduces && (open_answer(a) != TOOL_OK || skip(a) != TOOL_OK))
        return TOOL_ERROR;
    reduces = reduces && !a->opt->plan;
    if (reduces && query_reads_again(a)) {
        kept_always(a->s->decoded);
        kept_band(a->s->decoded, 0);
    }
    if (reduces)
        list_use(a);
    if (reduces && !(a->listed && a->list->is_read) && answer_threads(a) != TOOL_OK)
        return TOOL_ERROR;
    if (reduces && a->opt->npy != NULL)
        return write_npy(a);
    if (a->opt->json)
        return write_json(a, reduces);
    if (reduces && next_piece(a) != TOOL_OK)
        return TOOL_ERROR;
    if (a->keep)
        return TOOL_OK;
    return a->opt->plan ? answer_plan(a) : answer_table(a);
}

static void end_answer(answer *a)
{
    free(a->text);
    free(a->places);
    free(a->results);
    free(a->counts);
    free(a->skips.bits);
    free(a->first);
    free(a->mask);
    query_copy_end(a->copy);
    if (a->folder != NULL)
        (void)rmdir(a->folder);
    free(a->folder);
    free(a);
}

/* Prints answer number `ask` of the options, or the answer of a document. */
static int run_one(answer *a, output *out)
{
    int result = load(a);

    a->out = out;
    if (result == TOOL_OK)
        result = answer_run(a);
    answer_join(a);
    return result;
}

/* Prints all answers, which start from the state `begun`. Those that are not in the list read the data again, but use
 * tiles that the first one has decoded. Several response documents form a list. */
static int run_all(const answer *begun, answer **all, unsigned count, output *out)
{
    source *const s = begun->s;
    const options *const opt = begun->opt;
    const int list = opt->json && count > 1;
    int result = TOOL_OK;
    unsigned i;

    if (count > 1 && !list_is_complete(begun->list, opt))
        kept_always(s->decoded);
    for (i = 0; result == TOOL_OK && i < count; i++) {
        all[i] = malloc(sizeof *all[i]);
        if (all[i] == NULL)
            return fail(s->path, NULL, NO_OFFSET, "not enough memory");
        *all[i] = *begun;
        all[i]->ask = i;
        all[i]->keep = opt->csv || opt->tet != NULL || (count > 1 && !opt->json);
        if (list)
            putc(i == 0 ? '[' : ',', out->stream);
        result = run_one(all[i], out);
    }
    if (list)
        fputs("]\n", out->stream);
    if (result == TOOL_OK && all[0]->keep && all[0]->results != NULL)
        result = opt->tet != NULL ? answer_tet(all, count) : answer_rows(all, count);
    return result;
}

static int query_source(source *s, const options *opt, query_times *times)
{
    answer *all[TOOL_MOST_ASKS] = {NULL};
    const unsigned count = opt->ask_count > 1 ? opt->ask_count : 1;
    answer *const begun = calloc(1, sizeof *begun);
    query_readers *const readers = calloc(1, sizeof *readers);
    output out;
    unsigned i;
    int result = begun != NULL && readers != NULL ? output_open(&out, opt->json ? opt->output : NULL, s)
                                                  : fail(s->path, NULL, NO_OFFSET, "not enough memory");

    if (result == TOOL_OK) {
        begun->s = s;
        begun->opt = opt;
        begun->times = times;
        begun->readers = readers;
        begun->list = list_begin(opt);
        readers->keep = count > 1 && !list_is_complete(begun->list, opt);
        result = output_close(&out, run_all(begun, all, count, &out));
    }
    answer_readers_end(readers);
    for (i = 0; i < count && all[i] != NULL; i++)
        end_answer(all[i]);
    list_end(begun != NULL ? begun->list : NULL);
    free(begun);
    return result;
}

/* The physical values are copied once for all reductions that are options. */
static int query_values(source *s, const options *opt, query_times *times)
{
    utet_dataset dataset;
    query_copy *copy;
    int result = source_dataset(s, opt->dataset, &dataset);

    if (result != TOOL_OK)
        return result;
    copy = query_copy_begin(s, opt, &dataset);
    if (copy == NULL)
        return TOOL_ERROR;
    result = query_source(query_copy_source(copy), query_copy_options(copy), times);
    query_copy_end(copy);
    return result;
}

static int query(source *s, const options *opt)
{
    const char *const written = opt->output != NULL ? opt->output : opt->npy;
    query_times *times = NULL;
    int result;

    if (opt->physical && written != NULL && output_check(written, &s->fd, 1) != TOOL_OK)
        return TOOL_ERROR;
    if (opt->by != 0 && (times = times_begin(s, opt)) == NULL)
        return TOOL_ERROR;
    result = opt->physical && query_is_asked(opt) ? query_values(s, opt, times) : query_source(s, opt, times);
    times_end(times);
    return result;
}

int command_query(const options *opt)
{
    return source_run(opt, query);
}
