/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The value that means "no value": of the document, or the text of an attribute read as a number. */
#include "../fold/fold_ieee.h"
#include "query.h"

#include <string.h>

/* The position of a byte in a number's text. A number may end in the last four. */
enum { LEAD, SIGN, POINT, MARK, MARK_SIGN, BAD, WORD, QUERY_FILL_DIGITS, QUERY_FILL_FRACTION, POWER, TRAIL };

static int is_space(uint8_t byte)
{
    return byte == ' ' || (byte >= 9 && byte <= 13);
}

static unsigned next_state(unsigned state, uint8_t byte)
{
    int digit = (unsigned)byte - '0' <= 9;

    if (is_space(byte))
        return state == LEAD || state >= WORD ? (state == LEAD ? (unsigned)LEAD : (unsigned)TRAIL) : (unsigned)BAD;
    if (digit)
        return state == LEAD || state == SIGN || state == QUERY_FILL_DIGITS ? (unsigned)QUERY_FILL_DIGITS
               : state == POINT || state == QUERY_FILL_FRACTION             ? (unsigned)QUERY_FILL_FRACTION
               : state == MARK || state == MARK_SIGN || state == POWER      ? (unsigned)POWER
                                                                            : (unsigned)BAD;
    if (byte == '-' || byte == '+')
        return state == LEAD ? (unsigned)SIGN : state == MARK ? (unsigned)MARK_SIGN : (unsigned)BAD;
    if (byte == '.')
        return state == QUERY_FILL_DIGITS       ? (unsigned)QUERY_FILL_FRACTION
               : state == LEAD || state == SIGN ? (unsigned)POINT
                                                : (unsigned)BAD;
    if ((byte | 0x20) == 'e' && (state == QUERY_FILL_DIGITS || state == QUERY_FILL_FRACTION))
        return MARK;
    return state == LEAD || state == SIGN || state == WORD ? (unsigned)WORD : (unsigned)BAD;
}

/* Takes the next byte of the attribute. */
UTET_APART static void query_fill_take(utet_query_plan *plan, uint8_t byte)
{
    struct utet_query_fill_at *const at = &plan->priv.binding->of.fill;
    unsigned state = next_state(at->state, byte);

    if (byte == '-' && state == SIGN)
        at->negative = 1;
    if (state == WORD && at->length < sizeof at->word)
        at->word[at->length] = (char)(byte | 0x20);
    at->length += state == WORD;
    (void)utet_query_decimal_take(&plan->priv.query->shared.work.decimal, byte); /* skips blanks and letters */
    at->state = (uint8_t)state;
}

/* Returns the fill's bits in *bits, or 0 if the text is not a number. */
static int query_fill_parse(utet_query_plan *plan, uint64_t *bits)
{
    struct utet_query_fill_at *const at = &plan->priv.binding->of.fill;
    enum { INF, INFINITY_WORD, NAN_WORD };
    static const char words[] = "inf\0"
                                "infinity\0"
                                "nan\0";
    const uint64_t sign = at->negative ? FOLD_DOUBLE_SIGN : 0;
    unsigned word = QUERY_NO_KEY;

    if (at->state < WORD)
        return 0;
    if (at->length == 0) {
        *bits = utet_query_decimal_end(&plan->priv.query->shared.work.decimal, at->negative) | sign;
        return 1;
    }
    if (at->length <= sizeof at->word)
        word = utet_query_which(words, at->word, at->length);
    *bits = sign | (word == NAN_WORD ? FOLD_DOUBLE_NAN : FOLD_DOUBLE_INF);
    return word != QUERY_NO_KEY;
}

/* As an element of the dataset would have it. By integers, so that no floating point is linked for it. */
static double as_element(const utet_query_plan *plan, double fill)
{
    const fold_layout *layout = &utet_dtype_layouts[UTET_F32];

    if (plan->dataset.dtype != UTET_F32)
        return fill;
    return utet_fold_value(utet_fold_promote(layout, utet_fold_key(layout, utet_fold_narrow(utet_fold_bits(fill)))));
}

/* The text of the attribute, in pieces. */
static utet_status read_text(utet_query_plan *plan)
{
    struct utet_query_fill_at *const at = &plan->priv.binding->of.fill;

    if (plan->priv.step == 0) {
        at->rest = plan->about.fill;
        at->state = LEAD;
        utet_query_decimal_begin(&plan->priv.query->shared.work.decimal);
        plan->priv.step = 1;
    }
    for (;;) {
        size_t i;
        size_t got;
        utet_status status = utet_text_read(plan->priv.meta, &at->rest, plan->priv.binding->piece[0],
                                            sizeof plan->priv.binding->piece[0], &got);

        if (status != UTET_OK)
            return status == UTET_END ? UTET_OK : status;
        for (i = 0; i < got; i++)
            query_fill_take(plan, (uint8_t)plan->priv.binding->piece[0][i]);
    }
}

utet_status utet_query_bind_fill(utet_query_plan *plan)
{
    struct utet_query_fill_at *const at = &plan->priv.binding->of.fill;
    utet_query *query = plan->priv.query;
    const int counted = query->operation == UTET_QUERY_NULL_COUNT && !query->has_fill;
    uint64_t bits;
    utet_status status;

    plan->request.has_counted = query->operation == UTET_QUERY_NULL_COUNT;
    plan->request.counted = as_element(plan, query->fill);
    plan->request.counted_rest = query->fill_rest;
    if (plan->about.fill.kind != UTET_VALUE_TEXT)
        return counted ? utet_query_refuse(query, QUERY_NO_FILL) : UTET_OK;
    if (!counted && query->filter.tests == 0 && !query->has_label_filter && query->window.pad != UTET_QUERY_PAD_FILL)
        return UTET_OK;
    status = read_text(plan);
    if (status != UTET_OK)
        return status;
    if (!query_fill_parse(plan, &bits)) {
        plan->priv.named = plan->about.fill;
        return counted ? utet_query_refuse(query, QUERY_BAD_FILL) : UTET_OK;
    }
    plan->request.has_fill = 1;
    plan->request.fill = utet_fold_value(bits);
    if (at->length == 0)
        plan->request.fill_rest = utet_query_fill_rest(query);
    if (counted) {
        plan->request.counted = as_element(plan, plan->request.fill);
        plan->request.counted_rest = plan->request.fill_rest;
    }
    plan->by.grouping.window.has_fill =
        1; /* pads are elements; filters compare floats with the double that the text means */
    plan->by.grouping.window.fill = as_element(plan, plan->request.fill);
    plan->by.grouping.window.fill_rest = plan->request.fill_rest;
    return UTET_OK;
}
