/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Texts of the metadata, delivered in pieces. */
#include "meta.h"

utet_status utet_meta_copy_text(utet_meta *meta, utet_value *text, char *buffer, size_t size)
{
    utet_json *json = &meta->priv.json; /* free between two entries */

    while (meta->priv.copied < size && text->size != 0) {
        utet_character one;
        utet_status status;

        utet_json_begin(json, UINT32_MAX, text->value);
        json->checks = text->kind == UTET_VALUE_RAW ? JSON_RAW : JSON_LENIENT;
        status = utet_json_character(meta->priv.file, json, &one);
        if (status != UTET_OK)
            return status;
        if (text->priv.inside >= one.made) /* not the character that was begun */
            return UTET_E_METADATA;
        buffer[meta->priv.copied++] = (char)one.bytes[text->priv.inside++];
        text->size--;
        if (text->priv.inside == one.made) {
            text->value += one.used;
            text->priv.inside = 0;
        }
    }
    meta->priv.delivered = meta->priv.copied;
    meta->priv.copied = 0;
    return UTET_OK;
}

utet_status utet_text_read(utet_meta *meta, utet_value *text, char *buffer, size_t size, size_t *got)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_TEXT_READ);

    if (status == UTET_OK)
        status = utet_given(meta->priv.file, buffer, size);
    if (status != UTET_OK)
        return status;
    meta->priv.delivered = 0;
    if (text->kind == UTET_VALUE_TEXT)
        status = utet_meta_copy_text(meta, text, buffer, size);
    *got = meta->priv.delivered;
    if (status == UTET_OK && *got == 0 && size != 0)
        status = UTET_END;
    return utet_leave(meta->priv.file, status);
}
