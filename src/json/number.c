/* Numbers of a JSON text (RFC 8259 §6): a state for each byte, and the value of those that are whole. A file of its own, so
 * that its 64-bit arithmetic takes no stack under a text. */
#include "json.h"

/* The state of a number behind one more byte; JSON_BETWEEN when the byte does not belong to it. */
static uint8_t number_state(unsigned state, uint8_t byte)
{
    if ((unsigned)byte - '0' <= 9) {
        if (state == JSON_START || state == JSON_MINUS)
            return byte == '0' ? JSON_ZERO : JSON_INTEGER;
        if (state == JSON_POINT)
            return JSON_FRACTION;
        if (state == JSON_E || state == JSON_E_SIGN)
            return JSON_EXPONENT;
        return (uint8_t)(state != JSON_ZERO ? state : JSON_BETWEEN);
    }
    if (byte == '.' && state <= JSON_INTEGER)
        return JSON_POINT;
    if ((byte | 0x20) == 'e' && state <= JSON_FRACTION)
        return JSON_E;
    if (byte == '-' && state == JSON_START)
        return JSON_MINUS;
    if ((byte == '-' || byte == '+') && state == JSON_E)
        return JSON_E_SIGN;
    return JSON_BETWEEN;
}

/* The magnitude of a whole number, one digit at a time. */
static void digit(utet_json *json, unsigned value)
{
    if (json->number > UINT64_MAX / 10 || (json->number == UINT64_MAX / 10 && value > UINT64_MAX % 10))
        json->inexact = 1;
    json->number = json->number * 10 + value;
}

utet_status utet_json_number(utet_file *file, utet_json *json)
{
    for (;;) {
        uint8_t state = JSON_BETWEEN;
        uint8_t byte = 0;

        if (json->at != json->end) {
            utet_status status = utet_need_bytes(file, 1, json->at);

            if (status != UTET_OK)
                return status;
            byte = file->priv_at[0];
            state = number_state(json->within, byte);
        }
        if (state == JSON_BETWEEN) {
            if (json->within > JSON_INTEGER)
                json->inexact = 1;
            if (json->within <= JSON_EXPONENT)
                return utet_json_complete(json);
            file->error_offset = json->at;
            return UTET_E_METADATA;
        }
        if (state == JSON_MINUS)
            json->negative = 1;
        if (state <= JSON_INTEGER)
            digit(json, byte - (unsigned)'0');
        json->within = state;
        json->at++;
    }
}
