/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Characters inside JSON texts: escapes, surrogate pairs, UTF-8 (RFC 8259 §7, §8.1). */
#include "json.h"

#include <string.h>

unsigned utet_json_unhex(const char *text, uint32_t length, uint8_t *bytes)
{
    unsigned i;

    if (length > 16)
        return 0;
    for (i = 0; i < length; i++) {
        unsigned digit = (uint8_t)text[i] - (unsigned)'0';

        if (digit > 9) {
            digit = ((uint8_t)text[i] | 0x20u) - (unsigned)'a'; /* wraps below 'a' */
            if (digit > 5)
                return 0;
            digit += 10;
        }
        bytes[i / 2] = (uint8_t)((unsigned)bytes[i / 2] << 4 | digit);
    }
    return (i & 1) == 0 ? i / 2 : 0;
}

uint32_t utet_json_hex4(const uint8_t *at)
{
    uint8_t bytes[2] = {0, 0};

    return utet_json_unhex((const char *)at, 4, bytes) != 0 ? (uint32_t)bytes[0] << 8 | bytes[1] : UINT32_MAX;
}

static void json_utf8(utet_character *out, uint32_t code)
{
    const unsigned more = 0u + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
    unsigned i;

    out->made = (uint8_t)(more + 1);
    for (i = more; i > 0; i--, code >>= 6)
        out->bytes[i] = (uint8_t)(0x80 | (code & 0x3F));
    out->bytes[0] = (uint8_t)(more == 0 ? code : (0xFF00u >> (more + 1)) | code);
}

/* \uXXXX, a pair of them for characters beyond the first plane */
static utet_status json_unicode(utet_file *file, const utet_json *json, utet_character *out)
{
    utet_status status = utet_json_fetch(file, json, 6);
    uint32_t code;
    uint32_t low = 0;

    if (status != UTET_OK)
        return status;
    code = utet_json_hex4(file->priv.at + 2);
    if (code == UINT32_MAX)
        return UTET_E_METADATA;
    out->used = 6;
    if (code >> 10 == 0x36) {
        status = utet_json_fetch(file, json, 12);
        if (status != UTET_OK && status != UTET_E_METADATA)
            return status; /* UTET_E_METADATA, the text is too short for a second half, is no error here */
        if (status == UTET_OK && file->priv.at[6] == '\\' && file->priv.at[7] == 'u')
            low = utet_json_hex4(file->priv.at + 8);
    }
    if (low >> 10 == 0x37) {
        code = (code << 10) + low - (((uint32_t)0xD800 << 10) + 0xDC00 - 0x10000);
        out->used = 12;
    } else if (code >> 11 == 0x1B) {
        if (json->checks == JSON_STRICT)
            return UTET_E_METADATA;
        code = 0xFFFD;
    }
    json_utf8(out, code);
    return UTET_OK;
}

static utet_status json_escape(utet_file *file, const utet_json *json, utet_character *out)
{
    static const char pairs[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    utet_status status = utet_json_fetch(file, json, 2);
    unsigned i;

    if (status != UTET_OK)
        return status;
    if (file->priv.at[1] == 'u')
        return json_unicode(file, json, out);
    out->used = 2;
    for (i = 0; i < sizeof pairs - 1; i += 2)
        if (file->priv.at[1] == (uint8_t)pairs[i]) {
            out->bytes[0] = (uint8_t)pairs[i + 1];
            return UTET_OK;
        }
    return UTET_E_METADATA;
}

utet_status utet_json_character(utet_file *file, const utet_json *json, utet_character *out)
{
    utet_status status = utet_json_fetch(file, json, 1);
    unsigned lead;

    if (status != UTET_OK)
        return status;
    lead = file->priv.at[0];
    out->bytes[0] = (uint8_t)lead;
    out->made = 1;
    out->used = 1;
    if (json->checks == JSON_RAW)
        return UTET_OK;
    if (lead == '\\')
        return json_escape(file, json, out);
    if (lead < 0x20)
        return UTET_E_METADATA;
    if (json->checks != JSON_STRICT)
        return UTET_OK;
    status = utet_json_fetch(file, json, 2u + (lead >= 0xE0) + (lead >= 0xF0));
    if (status != UTET_OK)
        return status;
    out->made = (uint8_t)utet_utf8_length(file->priv.at, 4);
    out->used = out->made;
    if (out->made == 0)
        return UTET_E_METADATA;
    memcpy(out->bytes, file->priv.at, out->made);
    return UTET_OK;
}
