/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The response's words and numbers, into its buffer. */
#include "response.h"

void utet_response_put(utet_query_response *r, char c)
{
    r->buffer[r->priv.used++] = c;
}

void utet_response_word(utet_query_response *r, const char *word)
{
    while (*word != '\0')
        utet_response_put(r, *word++);
}

void utet_response_number(utet_query_response *r, uint64_t number)
{
    r->priv.used += utet_decimals(number, 1, r->buffer + r->priv.used);
}

void utet_response_truth(utet_query_response *r, int truth)
{
    utet_response_word(r, truth ? "true" : "false");
}

/* Writes a text as JSON has it between quotes. */
void utet_response_escaped(utet_query_response *r, const char *text, size_t length)
{
    static const char letters[] = "btn?fr"; /* of 8, 9, 10, 12, 13 */
    static const char hex[] = "0123456789abcdef";

    for (; length != 0; length--, text++) {
        const uint8_t c = (uint8_t)*text;

        if (c >= 0x20) {
            if (c == '"' || c == '\\')
                utet_response_put(r, '\\');
            utet_response_put(r, *text);
        } else if (c >= 8 && c <= 13 && c != 11) {
            utet_response_put(r, '\\');
            utet_response_put(r, letters[c - 8]);
        } else {
            utet_response_word(r, "\\u00");
            utet_response_put(r, hex[c >> 4]);
            utet_response_put(r, hex[c & 15]);
        }
    }
}

void utet_response_double(utet_query_response *r, double value)
{
    const uint64_t bits = utet_fold_bits(value);

    if (response_is_finite(bits))
        r->priv.used += utet_query_shortest(bits, r->buffer + r->priv.used);
    else
        utet_response_word(r, "null");
}

/* A result that is a whole number below 2^53: an index, a count. */
void utet_response_whole(utet_query_response *r, double value)
{
    const uint64_t bits = utet_fold_bits(value);
    const unsigned exponent = (unsigned)(bits >> 52) & 0x7FFu;
    const uint64_t digits = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t)1 << 52;

    if (!response_is_finite(bits))
        utet_response_word(r, "null");
    else if (exponent < 0x3FF)
        utet_response_put(r, '0');
    else
        utet_response_number(r, digits >> ((0x3FFu + 52 - exponent) & 63));
}
