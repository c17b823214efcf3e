/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Many datasets on one screen: the names with slashes are a tree, whose branches are added up. The tree is as deep as
 * the screen has lines. Each depth has a bounded number of branches, so that a million datasets take no memory. */
#include "info.h"

#include <stdlib.h>
#include <string.h>

/* One dataset, or all datasets whose names begin with the path and a slash. */
struct branch_of_names {
    char *path;
    size_t length;
    size_t last; /* where the last part of the path begins */
    int single;  /* 1: one dataset */
    uint64_t datasets;
    uint32_t dtype; /* 0: several */
    utet_dataset like;
    int same_shape;
    tally sum;
};

names_tree *names_begin(void)
{
    return calloc(1, sizeof(names_tree));
}

void names_end(names_tree *n)
{
    size_t d;
    size_t i;

    for (d = 0; n != NULL && d < NAMES_DEPTH; d++)
        for (i = 0; n->branches[d] != NULL && i < n->count[d]; i++)
            free(n->branches[d][i].path);
    for (d = 0; n != NULL && d < NAMES_DEPTH; d++)
        free(n->branches[d]);
    free(n);
}

static branch_of_names *find(names_tree *n, size_t depth, const char *name, size_t length, int single)
{
    size_t i;

    for (i = 0; i < n->count[depth]; i++) {
        branch_of_names *const b = &n->branches[depth][i];

        if (b->single == single && b->length == length && memcmp(b->path, name, length) == 0)
            return b;
    }
    return NULL;
}

static branch_of_names *grow(names_tree *n, size_t depth, const char *name, size_t length, int single)
{
    branch_of_names *b;

    if (n->count[depth] == NAMES_BRANCHES) {
        n->full[depth] = 1;
        return NULL;
    }
    if (n->branches[depth] == NULL)
        n->branches[depth] = calloc(NAMES_BRANCHES, sizeof *b);
    b = n->branches[depth] != NULL ? &n->branches[depth][n->count[depth]] : NULL;
    if (b != NULL)
        b->path = malloc(length + 1);
    if (b == NULL || b->path == NULL) {
        n->failed = 1;
        return NULL;
    }
    memcpy(b->path, name, length);
    b->path[length] = '\0';
    b->length = length;
    b->single = single;
    n->count[depth]++;
    return b;
}

static void add_up(branch_of_names *b, const utet_dataset *d, const tally *one)
{
    if (b->datasets++ == 0) {
        b->like = *d;
        b->dtype = d->dtype;
        b->same_shape = 1;
    }
    b->dtype = b->dtype == d->dtype ? b->dtype : 0;
    b->same_shape &= b->like.ndim == d->ndim && memcmp(b->like.shape, d->shape, d->ndim * sizeof *d->shape) == 0;
    b->sum.rows += one->rows;
    b->sum.raw += one->raw;
    b->sum.stored += one->stored;
    b->sum.codecs |= one->codecs;
}

void names_add(void *ctx, const utet_dataset *d, const char *name, const tally *one)
{
    names_tree *const n = ctx;
    const size_t length = d->name_length;
    size_t depth;
    size_t end = 0;
    size_t last = 0;

    for (depth = 0; depth < NAMES_DEPTH && end < length; depth++) {
        const char *const slash = memchr(name + end, '/', length - end);
        branch_of_names *b;

        last = end;
        end = slash != NULL ? (size_t)(slash - name) : length;
        b = find(n, depth, name, end, end == length);
        if (b == NULL)
            b = grow(n, depth, name, end, end == length);
        if (b != NULL) {
            b->last = last;
            add_up(b, d, one);
        }
        end += end < length;
    }
}

/* A slash comes before every other character, so that a branch is followed by what is below it. */
static int by_path(const void *a, const void *b)
{
    const branch_of_names *const x = *(const branch_of_names *const *)a;
    const branch_of_names *const y = *(const branch_of_names *const *)b;
    size_t i = 0;

    while (i < x->length && i < y->length && x->path[i] == y->path[i])
        i++;
    if (i < x->length && i < y->length) {
        const int one = x->path[i] == '/' ? -1 : (unsigned char)x->path[i];
        const int other = y->path[i] == '/' ? -1 : (unsigned char)y->path[i];

        return one - other;
    }
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return y->single - x->single;
}

static void put_branch(table *t, const branch_of_names *b)
{
    char text[200];
    size_t depth = 0;
    size_t i;
    char *name;

    for (i = 0; i < b->last; i++)
        depth += b->path[i] == '/';
    name = malloc(2 * depth + b->length - b->last + 2);
    if (name != NULL) {
        memset(name, ' ', 2 * depth);
        memcpy(name + 2 * depth, b->path + b->last, b->length - b->last);
        strcpy(name + 2 * depth + b->length - b->last, b->single ? "" : "/");
    }
    table_text(t, name != NULL ? name : "", name != NULL ? strlen(name) : 0);
    free(name);
    table_number(t, b->datasets);
    table_cell(t, b->dtype != 0 ? utet_show_dtype(b->dtype) : "several");
    table_cell(t, b->same_shape ? shape_text(text, b->like.shape, b->like.ndim, " x ") : "several");
    table_number(t, b->sum.rows);
    info_codec_cells(t, &b->sum);
}

/* Returns the number of depths whose branches fit into `lines`, at least 1. */
static size_t depths_for(const names_tree *n, size_t lines)
{
    size_t all = n->count[0];
    size_t depth = 1;

    while (depth < NAMES_DEPTH && !n->full[depth] && n->count[depth] > 0 && all + n->count[depth] <= lines)
        all += n->count[depth++];
    return depth;
}

int names_print(const names_tree *n, size_t lines, uint64_t datasets)
{
    static const char *const heads[8] = {"names", "datasets", "dtype", "shape", "chunks", "codec", "bytes", "stored"};
    const branch_of_names *sorted[NAMES_DEPTH * NAMES_BRANCHES];
    const size_t depths = depths_for(n, lines);
    const int cut = n->full[0] || n->count[0] > lines;
    uint64_t shown = 0;
    char number[32];
    size_t count = 0;
    size_t d;
    size_t i;
    table t;

    if (n->failed)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    for (d = 0; d < depths && !(cut && d > 0); d++)
        for (i = 0; i < n->count[d] && !(cut && count + 1 >= lines); i++) {
            sorted[count++] = &n->branches[d][i];
            shown += d == 0 ? n->branches[d][i].datasets : 0;
        }
    qsort(sorted, count, sizeof *sorted, by_path);
    putchar('\n');
    table_begin(&t, "lrllrlrrr");
    for (i = 0; i < 8; i++)
        table_cell(&t, heads[i]);
    table_cell(&t, "%");
    for (i = 0; i < count; i++)
        put_branch(&t, sorted[i]);
    if (table_end(&t) != TOOL_OK)
        return TOOL_ERROR;
    if (shown < datasets)
        printf("and %s more datasets\n", grouped(number, datasets - shown));
    printf("%s datasets in all (--all shows each, -1 the names, DATASET one)\n", grouped(number, datasets));
    return TOOL_OK;
}
