/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finds entries of lists and maps by a text (a label, a key, the name of a dataset or of an axis), by their number, or
 * by the number of their labels. A text's length and first 32 bytes are compared when it is read first; if they are
 * equal, the rest is compared piece by piece. */
#include "meta.h"

#include <string.h>

void utet_meta_want_text(utet_meta *meta, const utet_value *list, const char *text, uint32_t length)
{
    utet_search *search = &meta->priv.search;

    meta->priv.place.list = *list;
    search->text = text;
    search->wanted = UTET_WANT_TEXT;
    search->number = length;
    search->passed = 0;
    search->hits = 0;
}

utet_status utet_meta_want_file_text(utet_meta *meta, const utet_value *list)
{
    utet_status status;

    if (meta->priv.copied == 0)
        meta->priv.place.file_rest = meta->priv.place.file_text;
    status = utet_meta_copy_text(meta, &meta->priv.place.file_rest, meta->priv.head, sizeof meta->priv.head);
    if (status != UTET_OK)
        return status;
    utet_meta_want_text(meta, list, meta->priv.head, meta->priv.place.file_text.size);
    meta->priv.search.wanted = UTET_WANT_FILE_TEXT;
    return UTET_OK;
}

/* search->comparing */
enum { COMPARE_BEGIN, COMPARE_WANTED, COMPARE_ENTRY };

/* The next piece of the wanted text, as long as the entry's. */
static utet_status wanted_piece(utet_meta *meta, uint32_t left)
{
    const utet_search *search = &meta->priv.search;
    const size_t size = sizeof meta->priv.wanted_piece;

    if (search->wanted == UTET_WANT_FILE_TEXT)
        return utet_meta_copy_text(meta, &meta->priv.place.file_rest, meta->priv.wanted_piece, size);
    memcpy(meta->priv.wanted_piece, search->text + (size_t)(search->number - left), left < size ? (size_t)left : size);
    return UTET_OK;
}

/* Compares the entry's text, which is read to its end, with the wanted one of the same length. UTET_END: they differ.
 */
static utet_status meta_search_compare(utet_meta *meta)
{
    uint8_t *step = &meta->priv.search.comparing;
    utet_value *entry = &meta->priv.place.entry_text;
    utet_status status;

    do {
        switch (*step) {
        case COMPARE_BEGIN:
            meta->priv.place.file_rest = meta->priv.place.file_text;
            *step = COMPARE_WANTED;
            /* fall through */
        case COMPARE_WANTED:
            status = wanted_piece(meta, entry->size);
            if (status != UTET_OK)
                return status;
            *step = COMPARE_ENTRY;
            /* fall through */
        default:
            status = utet_meta_copy_text(meta, entry, meta->priv.entry_piece, sizeof meta->priv.entry_piece);
            if (status != UTET_OK)
                return status;
            *step = COMPARE_WANTED;
        }
        if (memcmp(meta->priv.wanted_piece, meta->priv.entry_piece, meta->priv.delivered) != 0)
            status = UTET_END;
    } while (status == UTET_OK && entry->size != 0);
    *step = COMPARE_BEGIN;
    return status;
}

/* Decides whether the entry that has been read is a wanted one. UTET_END: it is not. */
static utet_status is_wanted(utet_meta *meta)
{
    const utet_search *search = &meta->priv.search;
    uint32_t difference = search->match ? 0 : 1;

    switch (search->wanted) {
    case UTET_WANT_NTH: difference = search->passed - 1 - search->number; break;
    case UTET_WANT_COUNT: difference = meta->priv.kept.coord.labels.size - search->number; break;
    default:
        if (difference == 0 && search->number > UTET_JSON_HEAD)
            return meta_search_compare(meta);
    }
    return difference == 0 ? UTET_OK : UTET_END;
}

utet_status utet_meta_search(utet_meta *meta, unsigned rule)
{
    utet_search *search = &meta->priv.search;
    utet_status status;

    do {
        if (search->comparing == COMPARE_BEGIN) {
            status = utet_meta_next(meta, &meta->priv.place.list, rule);
            if (status != UTET_OK)
                return status == UTET_END && search->hits == 0 ? UTET_E_NOT_FOUND : status;
            search->passed++;
        }
        status = is_wanted(meta);
    } while (status == UTET_END);
    search->hits += status == UTET_OK;
    return status;
}
