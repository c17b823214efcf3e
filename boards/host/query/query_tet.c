/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Answers as a .tet file: a dataset for each reduction, with names and labels of its axes, units and cell_methods (CF
 * conventions). `utet pack` makes it, of .npy files and a --meta document in a temporary folder. */
#define _XOPEN_SOURCE 700
#include "query_places.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_LABELS 64u /* labels for each axis (src/tet/FORMAT.md §7.4) */
#define MOST_WORDS (2 * TOOL_MOST_ASKS + 12u)

/* ---- files in the folder ---- */

/* folder/name; NULL after an error line. */
static char *path_of(const answer *a, const char *key, const char *end)
{
    const size_t size = strlen(a->folder) + strlen(key) + strlen(end) + 2;
    char *const path = malloc(size);

    if (path != NULL)
        (void)snprintf(path, size, "%s/%s%s", a->folder, key, end);
    else
        (void)fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    return path;
}

char *answer_tet_path(answer *a, const char *key)
{
    const char *const place = getenv("TMPDIR");
    const char *const root = place != NULL && place[0] != '\0' ? place : "/tmp";

    if (a->folder == NULL) {
        a->folder = malloc(strlen(root) + sizeof "/utet-query-XXXXXX");
        if (a->folder == NULL) {
            (void)fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
            return NULL;
        }
        (void)sprintf(a->folder, "%s/utet-query-XXXXXX", root);
        if (mkdtemp(a->folder) == NULL) {
            (void)fail(a->folder, NULL, NO_OFFSET, "cannot make a temporary folder: %s", strerror(errno));
            free(a->folder);
            a->folder = NULL;
            return NULL;
        }
    }
    return path_of(a, key[0] != '\0' ? key : "elements", ".npy");
}

/* The results as float64; NaN where one was made of no element. */
static int put_results(answer *of, const char *path)
{
    static const uint64_t one = 1;
    const int scalar = of->answer.ndim == 0;
    output out;
    uint64_t i;
    int result = output_open(&out, path, of->s);

    if (result != TOOL_OK)
        return result;
    result = npy_header(&out, "<f8", scalar ? &one : of->answer.shape, scalar ? 1 : of->answer.ndim);
    for (i = 0; result == TOOL_OK && i < of->answer.given; i++) {
        uint8_t bytes[8];

        answer_bytes(of->counts != NULL && of->counts[i] == 0 ? (double)NAN : of->results[i], bytes);
        result = output_write(&out, bytes, sizeof bytes);
    }
    return output_close(&out, result);
}

/* ---- the metadata ---- */

/* The metadata that are written. */
typedef struct meta_out {
    FILE *out;
    places *p;
    int lost; /* 1: there was not enough memory for a text */
} meta_out;

/* A text of the metadata as JSON, by a function of the axes. */
static void put_text(meta_out *m, char *text)
{
    if (text != NULL)
        json_text(m->out, text, strlen(text));
    else
        m->lost = 1;
    free(text);
}

/* Axis i of the answer, which is axis i of the dataset where elements are written. */
static char *name_of(const places *p, unsigned i, int elements)
{
    return elements ? axes_name(p->about, i, 0) : places_name(p, i);
}

static char *label_of(places *p, unsigned i, uint64_t k, int elements)
{
    return elements ? places_at(p, i, k) : places_label(p, i, k);
}

static uint64_t extent_of(const answer *a, unsigned i, int elements)
{
    return elements ? a->plan.extents[i] : a->answer.shape[i];
}

/* Nonzero if the axis has something better than numbers from 0 up: labels, groups, windows, a selection. */
static int is_labelled(meta_out *m, unsigned i, int elements)
{
    char number[24];
    uint64_t k;
    int differs = 0;

    for (k = 0; !differs && k < extent_of(m->p->a, i, elements); k++) {
        char *const label = label_of(m->p, i, k, elements);

        (void)snprintf(number, sizeof number, "%u", (unsigned)k);
        differs = label != NULL && strcmp(label, number) != 0;
        m->lost |= label == NULL;
        free(label);
    }
    return differs;
}

static void put_labels(meta_out *m, unsigned ndim, int elements)
{
    FILE *const out = m->out;
    places *const p = m->p;
    unsigned written = 0;
    unsigned i;
    uint64_t k;

    fputs(",\"coords\":{", out);
    for (i = 0; i < ndim; i++) {
        const uint64_t extent = extent_of(p->a, i, elements);

        if (extent > MOST_LABELS) {
            notice(p->a->opt->tet, "metadata", "axis %u has more than %u labels; they are not stored", i, MOST_LABELS);
            continue;
        }
        if (!is_labelled(m, i, elements))
            continue;
        fputs(written++ != 0 ? "," : "", out);
        put_text(m, name_of(p, i, elements));
        fputs(":{\"labels\":[", out);
        for (k = 0; k < extent; k++) {
            fputs(k != 0 ? "," : "", out);
            put_text(m, label_of(p, i, k, elements));
        }
        fputs("]}", out);
    }
    putc('}', out);
}

/* "lat, lon: mean", the axes that are reduced. */
static void put_methods(meta_out *m, const char *key)
{
    const utet_query_plan *const plan = &m->p->a->plan;
    char *text = NULL;
    size_t size;
    FILE *const words = open_memstream(&text, &size);
    unsigned d;

    for (d = 0; words != NULL && d < plan->dataset.ndim; d++)
        if ((plan->request.axes >> d & 1) != 0) {
            char *const name = axes_name(m->p->about, d, 0);

            fprintf(words, "%s: ", name != NULL ? name : "");
            m->lost |= name == NULL;
            free(name);
        }
    if (words != NULL)
        fputs(key, words);
    m->lost |= words == NULL || !words_close(words, &text);
    fputs("\"cell_methods\":", m->out);
    put_text(m, text);
}

static int has_units(unsigned operation)
{
    return operation != UTET_QUERY_COUNT && operation != UTET_QUERY_VAR && operation != UTET_QUERY_PRODUCT &&
           operation != UTET_QUERY_ARG_MIN && operation != UTET_QUERY_ARG_MAX &&
           (operation < UTET_QUERY_ALL_FINITE || operation > UTET_QUERY_NULL_COUNT);
}

static void put_dataset(meta_out *m, const answer *of, const char *key)
{
    FILE *const out = m->out;
    const int elements = of->results == NULL || of->query.operation == UTET_QUERY_TRANSFORM;
    const unsigned ndim = elements ? of->plan.dataset.ndim : of->answer.ndim;
    const tree *const units = axes_units(m->p->about);
    unsigned i;

    json_text(out, key, strlen(key));
    fputs(":{\"attrs\":{", out);
    if (!elements)
        put_methods(m, key);
    if (units != NULL && (elements || has_units(of->query.operation))) {
        fputs(elements ? "\"units\":" : ",\"units\":", out);
        json_text(out, units->text, units->length);
    }
    putc('}', out);
    if (ndim != 0) {
        fputs(",\"dim_names\":[", out);
        for (i = 0; i < ndim; i++) {
            fputs(i != 0 ? "," : "", out);
            put_text(m, name_of(m->p, i, elements));
        }
        putc(']', out);
        put_labels(m, ndim, elements);
    }
    putc('}', out);
}

/* ---- packing ---- */

/* A dataset of elements has the name that it had. */
static const char *key_of(const places *p, const answer *of)
{
    return of->results == NULL || of->query.operation == UTET_QUERY_TRANSFORM ? p->name
                                                                              : utet_query_name(of->query.operation);
}

static int put_meta(places *p, answer *const *all, unsigned count, const char *path)
{
    FILE *const out = fopen(path, "wb");
    meta_out m = {out, p, 0};
    unsigned i;
    int bad;

    if (out == NULL)
        return fail(path, NULL, NO_OFFSET, "cannot open: %s", strerror(errno));
    fputs("{\"datasets\":{", out);
    for (i = 0; i < count; i++) {
        fputs(i != 0 ? "," : "", out);
        put_dataset(&m, all[i], key_of(p, all[i]));
    }
    fputs("}}", out);
    bad = ferror(out);
    bad |= fclose(out) != 0;
    if (m.lost)
        return fail(path, NULL, NO_OFFSET, "not enough memory");
    return bad == 0 ? TOOL_OK : fail(path, NULL, NO_OFFSET, "cannot write: %s", strerror(errno));
}

static int pack_all(places *p, answer *const *all, unsigned count, char **files, char *meta)
{
    static char word[][12] = {"pack", "-o", "--name", "--meta", "--metadata", "keep"};
    char *words[MOST_WORDS + TOOL_MOST_ASKS] = {word[0]};
    char *names[TOOL_MOST_ASKS] = {NULL};
    char *const out = strdup(p->a->opt->tet);
    int used = 1;
    unsigned i;
    int result = out != NULL ? TOOL_OK : TOOL_ERROR;

    for (i = 0; i < count; i++) {
        names[i] = strdup(key_of(p, all[i]));
        if (names[i] == NULL)
            result = TOOL_ERROR;
        words[used++] = files[i];
    }
    words[used++] = word[1];
    words[used++] = out;
    for (i = 0; i < count; i++) {
        words[used++] = word[2];
        words[used++] = names[i];
    }
    words[used++] = word[3];
    words[used++] = meta;
    words[used++] = word[4];
    words[used++] = word[5];
    result = result == TOOL_OK ? command_pack(used, words) : fail(NULL, NULL, NO_OFFSET, "not enough memory");
    for (i = 0; i < count; i++)
        free(names[i]);
    free(out);
    return result;
}

int answer_tet(answer *const *all, unsigned count)
{
    answer *const a = all[0];
    char *files[TOOL_MOST_ASKS] = {NULL};
    char *meta = NULL;
    unsigned i;
    places p;
    int result = places_begin(&p, a, 0);

    if (result == TOOL_OK)
        result = output_check(a->opt->tet, &a->s->fd, 1);
    for (i = 0; result == TOOL_OK && i < count; i++) {
        const int made = all[i]->results == NULL || all[i]->query.operation == UTET_QUERY_TRANSFORM;

        files[i] = answer_tet_path(a, made ? "" : utet_query_name(all[i]->query.operation));
        result = files[i] == NULL ? TOOL_ERROR : made ? TOOL_OK : put_results(all[i], files[i]);
    }
    if (result == TOOL_OK)
        meta = path_of(a, "meta", ".json");
    result = meta != NULL ? put_meta(&p, all, count, meta) : TOOL_ERROR;
    if (result == TOOL_OK)
        result = pack_all(&p, all, count, files, meta);
    for (i = 0; i < count; i++) {
        if (files[i] != NULL)
            (void)unlink(files[i]);
        free(files[i]);
    }
    if (meta != NULL)
        (void)unlink(meta);
    free(meta);
    if (a->folder != NULL)
        (void)rmdir(a->folder);
    free(a->folder);
    a->folder = NULL;
    places_end(&p);
    return result;
}
