/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions of the options that read the data once together (utet_fold_several). The first answer computes the
 * results of all, and the others take theirs. Without enough memory, and with --budget or --trust-zones, each answer
 * computes its own.
 */
#include "query.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TOGETHER ((uint64_t)1 << 24) /* maximum number of results of all reductions */

/* ---- which reductions ---- */

/* Returns the operation of a reduction; NULL: it has numbers of its own, an order, or several passes. */
static const utet_fold_operation *operation_of(const char *key)
{
#define LIST_OPERATION(number, name, operation) {number, name, &(operation)},
    static const struct {
        unsigned number;
        const char *key;
        const utet_fold_operation *operation;
    } known[] = {UTET_QUERY_REDUCTIONS(LIST_OPERATION)};
#undef LIST_OPERATION
    size_t i;

    for (i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].key, key) == 0)
            switch (known[i].number) {
            case UTET_QUERY_PRODUCT:
            case UTET_QUERY_NULL_COUNT:
            case UTET_QUERY_MEDIAN:
            case UTET_QUERY_QUANTILE:
            case UTET_QUERY_HISTOGRAM: return NULL;
            default: return known[i].operation;
            }
    return NULL;
}

query_list *list_begin(const options *opt)
{
    query_list *const list = calloc(1, sizeof *list);
    unsigned i;

    for (i = 0; list != NULL && i < opt->ask_count; i++) {
        const utet_fold_operation *const operation = operation_of(opt->asks[i].key);

        if (operation == NULL || list->count == UTET_FOLD_MAX_OPERATIONS)
            continue;
        list->operations[list->count++] = operation;
        list->column[i] = list->count;
    }
    if (list != NULL && list->count > 1 && !budget_given(opt) && !opt->trust_zones && !opt->json)
        return list;
    free(list);
    return NULL;
}

int list_is_complete(const query_list *list, const options *opt)
{
    return list != NULL && list->count == opt->ask_count;
}

void list_end(query_list *list)
{
    if (list == NULL)
        return;
    free(list->results);
    free(list->counts);
    free(list);
}

/* ---- the answers ---- */

static utet_status open_fold(query_list *list, const answer *a)
{
    utet_status status = utet_fold_open(&list->fold, &a->s->file, &list->request);

    if (status == UTET_OK && a->query.filter.tests != 0)
        status = utet_fold_where(&list->fold, &a->query.filter);
    if (status == UTET_OK && list->grouped)
        status = utet_fold_group(&list->fold, &list->grouping);
    return status;
}

/* Opens the fold of all reductions; 0: each answer must compute its own. */
static int open_list(query_list *list, const answer *a)
{
    uint64_t all;

    list->request = a->plan.request;
    list->request.operation = &utet_fold_several;
    list->request.operations = list->operations;
    list->grouped = a->plan.grouped || a->query.filter.tests != 0 || a->query.has_label_filter;
    list->grouping = a->plan.by.grouping;
    all = a->answer.results < MOST_TOGETHER ? a->answer.results * list->count : MOST_TOGETHER + 1;
    if (all > MOST_TOGETHER)
        return 0;
    list->results = calloc((size_t)all + 1, sizeof *list->results);
    list->counts = calloc((size_t)a->answer.results + 1, sizeof *list->counts);
    list->grouping.counts = list->counts;
    if (list->results == NULL || list->counts == NULL || open_fold(list, a) != UTET_OK ||
        list->fold.need.best > TOOL_MOST_WORKSPACE || source_grow(a->s, a->opt, &list->fold.need) != TOOL_OK)
        return 0;
    return open_fold(list, a) == UTET_OK && list->fold.results == all;
}

void list_use(answer *a)
{
    query_list *const list = a->list;

    if (list == NULL || !a->keep || list->column[a->ask] == 0)
        return;
    if (!list->tried)
        list->is_open = open_list(list, a);
    list->tried = 1;
    a->listed = list->is_open && list->fold.results == a->answer.results * list->count;
}

utet_status list_next(answer *a)
{
    query_list *const list = a->list;
    const double *from;
    uint64_t i;

    if (!list->is_read) {
        const utet_status status = utet_fold_run(&list->fold, list->results, (size_t)list->fold.results);

        if (status != UTET_OK)
            return status;
        list->is_read = 1;
    }
    from = list->results + (list->column[a->ask] - 1);
    for (i = 0; i < a->answer.results; i++, from += list->count) {
        a->results[i] = *from;
        if (a->counts != NULL)
            a->counts[i] = list->counts[i];
    }
    a->answer.given = a->answer.results;
    a->answer.folded = list->fold.folded;
    return UTET_OK;
}
