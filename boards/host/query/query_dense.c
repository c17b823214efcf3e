/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers that have the shape of the selection: documents without a reduction, `spill`, and transforms. They become
 * text, a .npy file, the file that `spill` names, or a preview in the response document.
 */
#define _XOPEN_SOURCE 700
#include "query.h"
#include "shared/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PREVIEW 64u /* elements that a response without results shows, as in the reference's tool */

typedef struct dense {
    answer *a;
    output out;
    csv lines;
    int writes;     /* 1: write bytes, not text, to `out` */
    rows *labelled; /* CSV with labels; NULL: another format */
    char *npy;      /* the .npy file that becomes a .tet file; NULL: none */
    uint8_t *head;  /* the first elements */
    size_t most;    /* capacity of `head`, in elements */
    size_t kept;    /* number of elements in `head` */
    utet_transform transform;
    utet_transform_into into;
    undefined_list undefined;
    char *spill;
    int masks; /* 1: a filter leaves elements out */
    mask mask;
} dense;

/* ---- destinations of elements ---- */

static int put(void *context, const uint8_t *data, size_t count)
{
    dense *d = context;
    const size_t size = d->a->plan.dataset.elem_size;
    size_t some = count < d->most - d->kept ? count : d->most - d->kept;

    memcpy(d->head + d->kept * size, data, some * size);
    d->kept += some;
    if (d->writes)
        return output_write(&d->out, data, count * size);
    if (d->labelled != NULL)
        return rows_elements(d->labelled, data, count);
    return d->a->opt->json ? TOOL_OK : csv_write(&d->lines, data, count);
}

/* Does the same for elements that a filter may leave out. */
static int put_masked(void *context, const uint8_t *data, size_t count)
{
    dense *d = context;
    const size_t size = d->a->plan.dataset.elem_size;
    int result = TOOL_OK;

    while (result == TOOL_OK && count != 0) {
        const size_t some = mask_next(d->a, &d->mask, data, count);

        result = put(d, d->mask.piece, some);
        data += some * size;
        count -= some;
    }
    return result;
}

static int begin(dense *d)
{
    const answer *a = d->a;
    const utet_dataset *dataset = &a->plan.dataset;
    const char *path = d->spill != NULL ? d->spill : d->npy != NULL ? d->npy : a->opt->npy;
    int result = output_open(&d->out, a->opt->csv ? a->opt->output : path, a->s);

    d->writes = path != NULL;
    if (result == TOOL_OK && a->opt->csv) {
        d->labelled = rows_begin(d->a, &d->out);
        return d->labelled != NULL ? TOOL_OK : TOOL_ERROR;
    }
    d->lines = (csv){.out = &d->out,
                     .shape = a->plan.extents,
                     .ndim = dataset->ndim,
                     .dtype = dataset->dtype,
                     .size = dataset->elem_size,
                     .text = number_text,
                     .plain = 1};
    if (result == TOOL_OK && d->writes && (d->spill == NULL || ends_with(path, ".npy")))
        result = npy_header(&d->out, npy_type(dataset), a->plan.extents, dataset->ndim);
    return result;
}

/* Returns nonzero if a folder is `root` or below it; both are results of realpath. */
static int is_below(const char *folder, const char *root)
{
    const size_t length = strlen(root);

    return strcmp(root, "/") == 0 ||
           (strncmp(folder, root, length) == 0 && (folder[length] == '/' || folder[length] == '\0'));
}

/* The folder of the path, with its slash, or "."; the caller frees it. *name: the last name. */
static char *folder_of(const char *path, const char **name)
{
    const char *const slash = strrchr(path, '/');

    *name = slash != NULL ? slash + 1 : path;
    return slash != NULL ? strndup(path, (size_t)(*name - path)) : strdup(".");
}

/* realpath of a path that is freed. */
static char *resolved(char *path)
{
    char *const real = path != NULL ? realpath(path, NULL) : NULL;

    free(path);
    return real;
}

/* Checks that `path`, the resolved form of `asked`, is in the folder of the .tet file or below it, because a document
 * may come from an untrusted source. */
static int place_spill(dense *d, const char *asked, const char *path)
{
    const char *name;
    const char *tet_name;
    char *const folder = resolved(folder_of(path, &name));
    char *const root = resolved(folder_of(d->a->s->path, &tet_name));
    struct stat there;
    int result = TOOL_OK;

    if (folder == NULL || root == NULL)
        result = fail(asked, "spill", NO_OFFSET, "cannot open: %s", strerror(errno));
    else if (!is_below(folder, root) || strcmp(name, "") == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        result = fail(asked, "spill", NO_OFFSET, "the file is not in the folder of the .tet file; choose a name in it");
    else if ((d->spill = malloc(strlen(folder) + strlen(name) + 2)) == NULL)
        result = fail(asked, NULL, NO_OFFSET, "not enough memory");
    if (result == TOOL_OK) {
        (void)sprintf(d->spill, "%s/%s", folder, name);
        if (lstat(d->spill, &there) == 0 && !S_ISREG(there.st_mode))
            result = fail(asked, "spill", NO_OFFSET, "cannot write: not a regular file");
    }
    free(folder);
    free(root);
    return result;
}

/* The path of `spill`: relative to the .tet file. */
static int find_spill(dense *d)
{
    const char *const tet = d->a->s->path;
    const char *const slash = strrchr(tet, '/');
    char *const asked = answer_text(d->a, &d->a->query.spill);
    const int folder = slash != NULL && asked != NULL && asked[0] != '/' ? (int)(slash - tet) + 1 : 0;
    char *path;
    int result;

    if (asked == NULL)
        return TOOL_ERROR;
    if (strlen(asked) != d->a->query.spill.length) {
        result = fail(asked, "query", NO_OFFSET, "`spill`: the file name contains a zero byte after these letters");
        free(asked);
        return result;
    }
    path = malloc((size_t)folder + strlen(asked) + 1);
    if (path != NULL) {
        (void)sprintf(path, "%.*s%s", folder, tet, asked);
        result = place_spill(d, asked, path);
    } else {
        result = fail(asked, NULL, NO_OFFSET, "not enough memory");
    }
    free(path);
    free(asked);
    return result;
}

/* ---- the selection, and what a transform makes of it ---- */

static int copy_selection(dense *d)
{
    answer *a = d->a;
    selection selected = {.dataset = a->plan.dataset};
    utet_slab slab;
    utet_status status = utet_slab_need(&slab, &a->s->file, &a->plan.dataset, a->plan.ranges);
    int result;

    if (status != UTET_OK)
        return source_fail(a->s, status);
    if (d->masks && mask_need(a, &d->mask, &slab.need) != TOOL_OK)
        return TOOL_ERROR;
    memcpy(selected.ranges, a->plan.ranges, sizeof selected.ranges);
    memcpy(selected.shape, a->plan.extents, sizeof selected.shape);
    selected.count = slab.count;
    selected.need = slab.need;
    d->transform.count = slab.count;
    if (source_grow(a->s, a->opt, &selected.need) != TOOL_OK || (d->masks && mask_open(a, &d->mask) != TOOL_OK))
        return TOOL_ERROR;
    result = begin(d);
    if (result == TOOL_OK)
        result = bands_each(a->s, &selected, d->masks ? put_masked : put, d);
    return output_close(&d->out, result);
}

void undefined_add(void *context, uint64_t number)
{
    undefined_list *list = context;
    size_t i = list->count;

    if (list->count == UNDEFINED_MOST && number > list->number[UNDEFINED_MOST - 1])
        return;
    if (list->count == UNDEFINED_MOST)
        i--;
    else
        list->count++;
    for (; i > 0 && list->number[i - 1] > number; i--)
        list->number[i] = list->number[i - 1];
    list->number[i] = number;
}

/* UTET_END: the error line has been printed. */
static utet_status prepare(dense *d)
{
    answer *a = d->a;
    const utet_transform_method *method = utet_query_transform(a->query.method);
    utet_transform *t = &d->transform;
    utet_status status = utet_transform_need(t, &a->s->file, &a->plan.request, method);

    if (status == UTET_OK && a->plan.grouped)
        status = utet_fold_group(&t->fold, &a->plan.by.grouping);
    if (status != UTET_OK && status != UTET_E_BUDGET)
        return status;
    if (source_grow(a->s, a->opt, &t->fold.need) != TOOL_OK)
        return UTET_END; /* the error has been printed */
    status = utet_transform_open(t, &a->s->file, &a->plan.request, method);
    if (status == UTET_OK && a->plan.grouped)
        status = utet_fold_group(&t->fold, &a->plan.by.grouping);
    if (status == UTET_OK && a->query.filter.tests != 0)
        status = utet_fold_where(&t->fold, &a->query.filter);
    return status;
}

static utet_status run_transform(dense *d)
{
    const int done = transform_threads(d->a, &d->transform, &d->into, &d->undefined);
    const utet_status status = done < 0 ? prepare(d) : UTET_OK;

    return done > 0 || status != UTET_OK ? status : utet_transform_run(&d->transform, &d->into);
}

static int transform(dense *d)
{
    answer *a = d->a;
    utet_transform *t = &d->transform;
    utet_status status;
    uint8_t *elements = NULL;
    int result;

    if (a->plan.dataset.dtype > UTET_F64)
        return fail(a->name, "query", NO_OFFSET, "validation: transform requires f32 or f64 datasets");
    status = prepare(d);
    if (status != UTET_OK)
        return status == UTET_END ? TOOL_ERROR : source_fail(a->s, status);
    if (t->count < SIZE_MAX / 16)
        elements = malloc((size_t)t->count * a->plan.dataset.elem_size + 1);
    if (t->fold.results < SIZE_MAX / 16)
        a->results = calloc((size_t)t->fold.results + 1, sizeof *a->results);
    if (elements == NULL || a->results == NULL) {
        free(elements);
        return fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    }
    d->into = (utet_transform_into){.elements = elements,
                                    .size = (size_t)t->count * a->plan.dataset.elem_size,
                                    .statistics = a->results,
                                    .room = (size_t)t->fold.results,
                                    .undefined = undefined_add,
                                    .context = &d->undefined};
    status = run_transform(d);
    result = status == UTET_OK ? begin(d) : status == UTET_END ? TOOL_ERROR : source_fail(a->s, status);
    if (status == UTET_OK) {
        if (result == TOOL_OK)
            result = put(d, elements, (size_t)t->count);
        result = output_close(&d->out, result);
    }
    free(elements);
    return result;
}

int answer_dense(answer *a)
{
    dense *d = calloc(1, sizeof *d);
    int result = TOOL_OK;

    if (d == NULL)
        return fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    d->a = a;
    d->masks = mask_wanted(a);
    d->most = a->opt->preview != UINT64_MAX ? (size_t)a->opt->preview : PREVIEW;
    d->head = malloc(d->most * 8 + 1);
    if (d->head == NULL)
        result = fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    if (result == TOOL_OK && a->query.spill.length != 0)
        result = find_spill(d);
    if (result == TOOL_OK && a->opt->tet != NULL && (d->npy = answer_tet_path(a, "")) == NULL)
        result = TOOL_ERROR;
    if (result == TOOL_OK)
        result = a->query.operation == UTET_QUERY_TRANSFORM ? transform(d) : copy_selection(d);
    if (result == TOOL_OK && d->npy != NULL)
        result = answer_tet(&a, 1);
    if (result == TOOL_OK && a->opt->json && a->opt->npy == NULL) {
        const utet_query_elements elements = {.parts = &utet_query_element_parts,
                                              .first = d->head,
                                              .shown = d->kept,
                                              .transform = d->into.elements != NULL ? &d->transform : NULL,
                                              .statistics = a->results,
                                              .undefined = d->undefined.number,
                                              .listed = d->undefined.count,
                                              .spill = d->spill};

        result = answer_json(a, 0, &elements);
    } else if (result == TOOL_OK && d->spill != NULL) {
        printf("%" PRIu64 " elements written to ", d->transform.count);
        put_safely(stdout, d->spill, strlen(d->spill));
        putchar('\n');
        result = finish_stdout(TOOL_OK);
    }
    rows_end(d->labelled);
    free(d->npy);
    free(d->spill);
    free(d->head);
    free(d);
    return result;
}

/* ---- elements in addition to results ---- */

/* A block with at least the first `wanted` elements: all indices of the last axes, the first ones of one axis, and one
 * index of the axes before it. */
static void choose_head(const answer *a, selection *head, uint64_t wanted)
{
    unsigned d = a->plan.dataset.ndim;

    head->dataset = a->plan.dataset;
    head->count = 1;
    while (d-- != 0) {
        const uint64_t places = (wanted + head->count - 1) / head->count;
        utet_range *range = &head->ranges[d];

        *range = a->plan.ranges[d];
        head->shape[d] = places < a->plan.extents[d] ? places : a->plan.extents[d];
        if (head->shape[d] != 0)
            range->stop = range->start + (head->shape[d] - 1) * range->step + 1;
        head->count *= head->shape[d];
    }
}

int answer_preview(answer *a, uint8_t **first, size_t *shown)
{
    const uint64_t wanted = a->opt->preview != UINT64_MAX ? a->opt->preview : 0;
    const size_t size = a->plan.dataset.elem_size;
    selection head = {.count = 0};
    utet_slab slab;
    utet_status status;

    *shown = 0;
    *first = NULL;
    if (wanted == 0)
        return TOOL_OK;
    choose_head(a, &head, wanted);
    status = utet_slab_need(&slab, &a->s->file, &head.dataset, head.ranges);
    if (status != UTET_OK)
        return source_fail(a->s, status);
    if (source_grow(a->s, a->opt, &slab.need) != TOOL_OK)
        return TOOL_ERROR;
    *first = malloc((size_t)head.count * size + 1);
    if (*first == NULL)
        return fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    status = utet_slab_open(&slab, &a->s->file, &head.dataset, head.ranges);
    if (status == UTET_OK)
        status = utet_slab_read_all(&slab, *first, (size_t)head.count * size);
    *shown = (size_t)(head.count < wanted ? head.count : wanted);
    return status == UTET_OK ? TOOL_OK : source_fail(a->s, status);
}
