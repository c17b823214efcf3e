/* Texts of the metadata, delivered and compared in pieces. */
#include "meta.h"

#include <string.h>

utet_status utet_meta_fetch(utet_meta *meta, utet_value *text, char *buffer, size_t size)
{
    utet_file *file = meta->priv_file;
    utet_json *json = &meta->priv_json; /* free between two walks */

    while (file->priv_done < size && text->size != 0) {
        utet_character one;
        utet_status status;

        json->base = text->value;
        json->at = 0;
        json->end = UINT32_MAX;
        json->mode = text->kind;
        status = utet_json_character(file, json, &one);
        if (status != UTET_OK)
            return status;
        if (text->priv_inside >= one.made) /* not the character that was begun */
            return UTET_E_METADATA;
        buffer[file->priv_done++] = (char)one.bytes[text->priv_inside++];
        text->size--;
        if (text->priv_inside == one.made) {
            text->value += one.used;
            text->priv_inside = 0;
        }
    }
    meta->priv_got = file->priv_done;
    file->priv_done = 0;
    return UTET_OK;
}

utet_status utet_text_read(utet_meta *meta, utet_value *text, char *buffer, size_t size, size_t *got)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_TEXT_READ);

    if (status != UTET_OK)
        return status;
    meta->priv_got = 0;
    if (text->kind == UTET_TEXT)
        status = utet_meta_fetch(meta, text, buffer, size);
    *got = meta->priv_got;
    if (status == UTET_OK && *got == 0 && size != 0)
        status = UTET_END;
    return utet_leave(meta->priv_file, status);
}

/* priv_comparing */
enum { COMPARE_BEGIN, COMPARE_WANTED, COMPARE_KEY };

utet_status utet_meta_same(utet_meta *meta)
{
    utet_status status = UTET_OK;

    if (meta->priv_comparing == COMPARE_BEGIN) {
        meta->priv_other = meta->priv_needle;
        meta->priv_comparing = COMPARE_WANTED;
    }
    while (meta->priv_key.size != 0) {
        uint32_t left = meta->priv_key.size;
        size_t size = sizeof meta->priv_piece[0];

        if (meta->priv_comparing == COMPARE_WANTED) {
            if (meta->priv_needle.kind == UTET_NONE)
                memcpy(meta->priv_piece[0], meta->priv_wanted + (size_t)(meta->priv_needle.size - left),
                       left < size ? (size_t)left : size);
            else
                status = utet_meta_fetch(meta, &meta->priv_other, meta->priv_piece[0], size);
            if (status != UTET_OK)
                return status;
            meta->priv_comparing = COMPARE_KEY;
        }
        status = utet_meta_fetch(meta, &meta->priv_key, meta->priv_piece[1], size);
        if (status != UTET_OK)
            return status;
        meta->priv_comparing = COMPARE_WANTED;
        if (memcmp(meta->priv_piece[0], meta->priv_piece[1], meta->priv_got) != 0) {
            status = UTET_END;
            break;
        }
    }
    meta->priv_comparing = COMPARE_BEGIN;
    return status;
}
