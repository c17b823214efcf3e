/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Numbers of a JSON text (RFC 8259 §6): a state after each byte, and the value of whole numbers. They have a file of
 * their own, so that the stack of their 64-bit arithmetic is not that of a text. */
#include "json.h"

/* The state of a number after one more byte; JSON_BETWEEN when the byte does not belong to it. */
static unsigned number_state(unsigned state, uint8_t byte)
{
    unsigned part = state & 3;

    if ((unsigned)byte - '0' <= 9 && state != JSON_ZERO)
        return state >= JSON_START && part == JSON_WHOLE && byte == '0' ? (unsigned)JSON_ZERO : part;
    if (byte == '.' && (state == JSON_WHOLE || state == JSON_ZERO))
        return JSON_FRACTION | JSON_START;
    if ((byte | 0x20) == 'e' && state < JSON_START && state != JSON_EXPONENT)
        return JSON_EXPONENT | JSON_START;
    if ((state & JSON_START) != 0 && part != JSON_FRACTION && (byte == '-' || byte == '+')) /* no + begins a number */
        return part | JSON_SIGNED;
    return JSON_BETWEEN;
}

/* The magnitude of a whole number, one digit at a time. */
static void json_number_digit(utet_json *json, unsigned value)
{
    uint64_t low = (json->number & UINT32_MAX) * 10 + value;
    uint64_t high = (json->number >> 32) * 10 + (low >> 32);

    if (high >> 32 != 0)
        json->inexact = 1;
    json->number = (high & UINT32_MAX) << 32 | (uint32_t)low;
}

utet_status utet_json_number(utet_file *file, utet_json *json)
{
    for (;;) {
        utet_status status = utet_json_fetch(file, json, 1);
        unsigned state = JSON_BETWEEN;

        if (status == UTET_OK)
            state = number_state(json->state, file->priv.at[0]);
        else if (status != UTET_E_METADATA)
            return status; /* a number may be the last that the text holds */
        if (state == JSON_BETWEEN)
            return json->state < JSON_START ? utet_json_complete(json) : UTET_E_METADATA;
        if (state == JSON_SIGNED)
            json->negative = 1;
        else if (state == JSON_WHOLE || state == JSON_ZERO)
            json_number_digit(json, file->priv.at[0] - (unsigned)'0');
        else
            json->inexact = 1;
        json->state = (uint8_t)state;
        json->next++;
    }
}
