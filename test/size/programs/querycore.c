/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration querycore: a document without optional keys, with a filter, and its mean. */
#include "calls.h"
#include "utet_query.h"

int main(void)
{
    static utet_query query;
    static utet_file document;
    static uint64_t document_work[UTET_OPEN_WORK(1) / 8];
    static utet_meta meta;
    static utet_query_plan plan;
    static utet_fold fold;
    static double results[64];
    int sum = 0;

    sum |= utet_init(&document, &size_io, document_work, sizeof document_work, NULL);
    sum |= utet_init(&size_file, &size_io, size_work, SIZE_WORK, NULL);
    sum |= utet_open(&size_file, NULL);
    sum |= utet_query_open(&query, &document, NULL);
    sum |= utet_meta_open(&meta, &size_file);
    sum |= utet_query_bind(&plan, &query, &meta, NULL, 0);
    plan.request.operation = &utet_fold_mean;
    sum |= utet_fold_open(&fold, &size_file, &plan.request);
    sum |= utet_fold_where(&fold, &query.filter);
    return sum | utet_fold_run(&fold, results, 64);
}
