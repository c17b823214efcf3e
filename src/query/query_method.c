/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The key transform: its method. */
#include "query.h"

static const char transform_methods[] = "center\0"
                                        "zscore\0"
                                        "scale\0"
                                        "minmax\0"
                                        "l1\0"
                                        "l2\0"
                                        "log1p\0"
                                        "sqrt\0"
                                        "softmax\0";

/* transform.method, whose type has been judged. */
static utet_status read_method(utet_query *query)
{
    const utet_query_value *method = &query->shared.of.reading.slot[REDUCE_METHOD];
    const uint32_t length = query_text_length(method);
    utet_status status;
    unsigned which;

    if (length > sizeof query->shared.work.scan.head)
        return utet_query_refuse_text(query, QUERY_TRANSFORM_WORD, method);
    status = utet_query_copy(query, method->place, length, query->shared.work.scan.head);
    if (status != UTET_OK)
        return status;
    which = utet_query_which(transform_methods, query->shared.work.scan.head, length);
    if (which == QUERY_NO_KEY)
        return utet_query_refuse_text(query, QUERY_TRANSFORM_WORD, method);
    query->method = (uint8_t)(which + 1);
    return UTET_OK;
}

const char *utet_query_method_name(uint8_t method)
{
    return method == 0 || method > UTET_QUERY_SOFTMAX ? "" : utet_query_key_name(transform_methods, method - 1u);
}

const utet_query_option utet_query_option_transform = {(unsigned)TOP_REDUCTION + UTET_QUERY_TRANSFORM, read_method,
                                                       NULL};
