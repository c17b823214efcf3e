/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Refuses a document: the reason, and the values that its message names. */
#include "query.h"

UTET_APART utet_status utet_query_refuse(utet_query *query, unsigned reason)
{
    query->fault.reason = (uint8_t)reason;
    return UTET_E_METADATA;
}

utet_status utet_query_refuse_word(utet_query *query, unsigned reason, const char *word)
{
    query->fault.word = word;
    return utet_query_refuse(query, reason);
}

utet_status utet_query_refuse_text(utet_query *query, unsigned reason, const utet_query_value *text)
{
    query->fault.text.place = text->place;
    query->fault.text.length = query_text_length(text);
    return utet_query_refuse(query, reason);
}

UTET_APART utet_status utet_query_refuse_number(utet_query *query, unsigned reason, uint64_t number)
{
    query->fault.number[0] = number;
    return utet_query_refuse(query, reason);
}

utet_status utet_query_refuse_numbers(utet_query *query, unsigned reason, uint64_t first, uint64_t second)
{
    query->fault.number[1] = second;
    return utet_query_refuse_number(query, reason, first);
}

utet_status utet_query_refuse_unknown(utet_query *query, unsigned reason)
{
    query->fault.text = query->shared.work.scan.unknown;
    return utet_query_refuse(query, reason);
}
