/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shared by the sources of `utet query`: texts of the document, numbers as bytes, messages without a result. */
#include "query.h"

#include <stdlib.h>
#include <string.h>

char *answer_text(answer *a, const utet_query_text_at *text)
{
    char *copy = malloc((size_t)text->length + 1);
    size_t got = 0;

    if (copy == NULL || utet_query_text(&a->query, text, 0, copy, text->length, &got) != UTET_OK) {
        free(copy);
        (void)fail(a->name, "query", NO_OFFSET, "not enough memory");
        return NULL;
    }
    copy[got] = '\0';
    return copy;
}

void answer_bytes(double value, uint8_t bytes[8])
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    store_le(bytes, bits, 8);
}

int answer_cannot(const answer *a, const char *what)
{
    return fail(a->name, "query", NO_OFFSET, "%s: not supported by utet", what);
}

/* Reductions that know no windows, whatever their pad is. */
static int needs_passes(const answer *a)
{
    const unsigned operation = a->query.operation;

    return operation == UTET_QUERY_MEDIAN || operation == UTET_QUERY_QUANTILE || operation == UTET_QUERY_HISTOGRAM ||
           operation == UTET_QUERY_COVARIANCE || operation == UTET_QUERY_CORRELATION;
}

int answer_fail(answer *a, utet_status status)
{
    status = answer_alone(a, status);
    if (status == UTET_E_ARGUMENT && a->plan.by.grouping.window.pad == UTET_FOLD_PAD_FILL && !needs_passes(a))
        return fail(
            a->name, "query", NO_OFFSET,
            "`window.pad` \"fill\": a window extends beyond the axis, and the dataset's fill, %.17g, is not a valid %s; "
            "use `pad` none or 0",
            a->plan.by.grouping.window.fill, utet_show_dtype(a->plan.dataset.dtype));
    if (status == UTET_E_ARGUMENT)
        return answer_cannot(a, "this reduction by groups or windows");
    return source_fail(a->failed != NULL ? a->failed : a->s, status);
}
