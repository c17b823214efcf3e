/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Contracts that all harnesses of src/query use: divisions, digits, and refusals of a document, unless the harness
 * includes the file that has these (EVA_REFUSES). */
#include "eva_any.h"

#include "utet.h"

/* bytes.c has it; core 1 proves it for all numbers. */
/*@ requires divisor != 0;
    assigns \result \from dividend, divisor;
    ensures \result == dividend / divisor; */
uint64_t utet_div(uint64_t dividend, uint64_t divisor);

/* At most 20 digits (base.h). */
/*@ assigns \result, to[0 .. 19] \from number, least;
    ensures 1 <= \result <= 20 && \initialized(to + (0 .. 19)); */
unsigned utet_decimals(uint64_t number, unsigned least, char *to);

#include "query/query.h"

#ifndef EVA_REFUSES
/* Contracts of the refusals of a document (query_refuse.c; query 3 analyses them). */
/*@ assigns \result, query->fault.reason \from reason;
    ensures query->fault.reason == (uint8_t)reason && \result == UTET_E_METADATA; */
utet_status utet_query_refuse(utet_query *query, unsigned reason);
/*@ assigns \result, query->fault.reason, query->fault.word \from reason, word;
    ensures query->fault.reason == (uint8_t)reason && \result == UTET_E_METADATA; */
utet_status utet_query_refuse_word(utet_query *query, unsigned reason, const char *word);
/*@ assigns \result, query->fault.reason, query->fault.text \from reason, *text;
    ensures query->fault.reason == (uint8_t)reason && \result == UTET_E_METADATA; */
utet_status utet_query_refuse_text(utet_query *query, unsigned reason, const utet_query_value *text);
/*@ assigns \result, query->fault.reason, query->fault.number[0] \from reason, number;
    ensures query->fault.reason == (uint8_t)reason && \result == UTET_E_METADATA; */
utet_status utet_query_refuse_number(utet_query *query, unsigned reason, uint64_t number);
/*@ assigns \result, query->fault.reason, query->fault.number[0 .. 1] \from reason, first, second;
    ensures query->fault.reason == (uint8_t)reason && \result == UTET_E_METADATA; */
utet_status utet_query_refuse_numbers(utet_query *query, unsigned reason, uint64_t first, uint64_t second);
/*@ assigns \result, query->fault.reason, query->fault.text \from reason, query->shared.work.scan.unknown;
    ensures query->fault.reason == (uint8_t)reason && \result == UTET_E_METADATA; */
utet_status utet_query_refuse_unknown(utet_query *query, unsigned reason);
#endif
