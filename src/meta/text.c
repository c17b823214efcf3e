/* Texts of the metadata, delivered and compared in pieces. */
#include "meta.h"

#include <string.h>

/* The next character of `text`, or byte of a name, and how far it reaches. */
static utet_status character(utet_meta *meta, const utet_value *text, utet_character *out)
{
    utet_file *file = meta->priv_file;
    utet_json *json = &meta->priv_json; /* between two walks: its end and mode are free */
    utet_status status;

    json->end = file->priv_io->size;
    json->mode = JSON_KNOWN;
    if (text->kind != UTET_RAW)
        return utet_json_character(file, json, text->priv_at, out);
    status = utet_json_need(file, json, text->priv_at, 1);
    if (status == UTET_OK) {
        out->bytes[0] = file->priv_at[0];
        out->made = 1;
        out->used = 1;
    }
    return status;
}

utet_status utet_meta_fetch(utet_meta *meta, utet_value *text, char *buffer, size_t size, size_t *got)
{
    utet_file *file = meta->priv_file;

    while (file->priv_done < size && text->size != 0) {
        utet_character one;
        utet_status status = character(meta, text, &one);

        if (status != UTET_OK)
            return status;
        while (file->priv_done < size && text->priv_inside < one.made && text->size != 0) {
            buffer[file->priv_done++] = (char)one.bytes[text->priv_inside++];
            text->size--;
        }
        if (text->priv_inside == one.made) {
            text->priv_at += one.used;
            text->priv_inside = 0;
        }
    }
    if (got != NULL)
        *got = file->priv_done;
    file->priv_done = 0;
    return UTET_OK;
}

utet_status utet_text_read(utet_meta *meta, utet_value *text, char *buffer, size_t size, size_t *got)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_TEXT_READ);

    if (status != UTET_OK)
        return status;
    if (text->kind == UTET_TEXT) {
        status = utet_meta_fetch(meta, text, buffer, size, got);
        if (status == UTET_OK && *got == 0 && size != 0)
            status = UTET_END;
    } else {
        *got = 0;
        status = UTET_END;
    }
    return utet_leave(meta->priv_file, status);
}

/* priv_comparing */
enum { COMPARE_BEGIN, COMPARE_WANTED, COMPARE_KEY };

utet_status utet_meta_same(utet_meta *meta)
{
    for (;;) {
        uint64_t left = meta->priv_key.size;
        size_t size = sizeof meta->priv_piece[0];
        utet_status status = UTET_OK;

        if (meta->priv_comparing == COMPARE_BEGIN) {
            meta->priv_other = meta->priv_needle;
            meta->priv_comparing = COMPARE_WANTED;
        }
        if (meta->priv_comparing == COMPARE_WANTED) {
            if (left == 0)
                break;
            if (meta->priv_needle.kind == UTET_NONE)
                memcpy(meta->priv_piece[0], meta->priv_wanted + (size_t)(meta->priv_needle.size - left),
                       left < size ? (size_t)left : size);
            else
                status = utet_meta_fetch(meta, &meta->priv_other, meta->priv_piece[0], size, NULL);
            if (status != UTET_OK)
                return status;
            meta->priv_comparing = COMPARE_KEY;
        }
        status = utet_meta_fetch(meta, &meta->priv_key, meta->priv_piece[1], size, &size);
        if (status != UTET_OK)
            return status;
        if (memcmp(meta->priv_piece[0], meta->priv_piece[1], size) != 0) {
            meta->priv_comparing = COMPARE_BEGIN;
            return UTET_END;
        }
        meta->priv_comparing = COMPARE_WANTED;
    }
    meta->priv_comparing = COMPARE_BEGIN;
    return UTET_OK;
}

utet_status utet_text_equals(utet_meta *meta, const utet_value *text, const char *wanted, size_t length, int *equal)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_TEXT_EQUALS);

    if (status != UTET_OK)
        return status;
    *equal = 0;
    if (text->kind == UTET_TEXT && text->size == length) {
        if (meta->priv_comparing == COMPARE_BEGIN) {
            utet_meta_aim(meta, text, wanted, length);
            meta->priv_key = *text;
        }
        status = utet_meta_same(meta);
        *equal = status == UTET_OK;
        if (status == UTET_END)
            status = UTET_OK;
    }
    return utet_leave(meta->priv_file, status);
}
