/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finds labels that occur more than once: the library, like the reference, takes the first one. */
#define _POSIX_C_SOURCE 200809L
#include "label.h"

#include <stdlib.h>
#include <string.h>

static utet_status read_all(utet_meta *meta, utet_value *item, char *text)
{
    size_t at = 0;
    size_t got;
    utet_status status = UTET_OK;

    while (status == UTET_OK && at < item->size) {
        status = utet_text_read(meta, item, text + at, (size_t)(item->size - at), &got);
        at += got;
        if (got == 0)
            break;
    }
    return status < 0 ? status : UTET_OK;
}

utet_status label_again(utet_meta *meta, const utet_value *labels, uint64_t place, uint64_t *other)
{
    utet_value list = *labels;
    utet_value wanted;
    utet_value key;
    utet_value item;
    char *texts;
    uint64_t at;
    size_t size;
    utet_status status = utet_list_nth(meta, labels, place, &wanted);

    *other = UINT64_MAX;
    if (status != UTET_OK || wanted.kind != UTET_VALUE_TEXT)
        return status;
    size = (size_t)wanted.size;
    texts = malloc(2 * size + 1);
    if (texts == NULL)
        return UTET_E_BUDGET;
    status = read_all(meta, &wanted, texts);
    for (at = 0; status == UTET_OK && *other == UINT64_MAX; at++) {
        status = utet_value_next(meta, &list, &key, &item);
        if (status != UTET_OK || at <= place || item.kind != UTET_VALUE_TEXT || item.size != size)
            continue;
        status = read_all(meta, &item, texts + size);
        if (status == UTET_OK && memcmp(texts, texts + size, size) == 0)
            *other = at;
    }
    free(texts);
    return status == UTET_END ? UTET_OK : status;
}
