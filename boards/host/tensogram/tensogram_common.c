/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* messages --common: metadata that all tensors of a message share (utet_entry_common), and the rest of each. */
#include "tensogram.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The names of the common keys, in order. */
typedef struct names {
    char **list;
    size_t count;
} names;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_end(names *n)
{
    while (n->count > 0)
        free(n->list[--n->count]);
    free(n->list);
    n->list = NULL;
}

/* Returns the bits of all tensors, which the caller frees; *keys: number of keys of the first tensor. */
static utet_status bits_of(messages *m, const utet_entry *first, uint8_t **bits, uint32_t *keys)
{
    utet_common common;
    utet_entry other = *first;
    utet_status status = UTET_E_SPACE;
    size_t size = 64;

    while (status == UTET_E_SPACE && size < (size_t)1 << 28) { /* a document is shorter than 2^30 bytes */
        free(*bits);
        *bits = calloc(size, 1);
        if (*bits == NULL)
            return UTET_E_BUDGET;
        status = utet_entry_common(&m->metadata, first, first, &common, *bits, size);
        size *= 2;
    }
    *keys = common.keys;
    while (status == UTET_OK) {
        status = utet_entry_next(&m->metadata, &other);
        if (status == UTET_OK)
            status = utet_entry_common(&m->metadata, first, &other, &common, *bits, size / 2);
    }
    return status == UTET_END ? UTET_OK : status;
}

/* The names of keys in two maps; the bits of the second map follow those of the first. */
static utet_status take_names(messages *m, names *n, const utet_entry *first, const uint8_t *bits)
{
    utet_item maps[2];
    utet_item key;
    utet_item value;
    utet_status status = UTET_OK;
    uint32_t number = 0;
    unsigned i;

    maps[0] = first->preceder;
    maps[1] = first->entry;
    for (i = 0; i < 2; i++) {
        while ((status = utet_item_next(&m->metadata.reader, &maps[i], &key, &value)) == UTET_OK) {
            const int is_common = bits[number / 8] >> number % 8 & 1;

            number++;
            if (!is_common)
                continue;
            n->list[n->count] = messages_text(m, &key, &status);
            if (n->list[n->count] == NULL)
                return status;
            n->count++;
        }
        if (status != UTET_END)
            return status;
    }
    qsort(n->list, n->count, sizeof *n->list, by_name);
    return UTET_OK;
}

static utet_status find_names(messages *m, names *n)
{
    utet_entry first;
    uint8_t *bits = NULL;
    uint32_t keys = 0;
    utet_status status = utet_entry_first(&m->metadata, &first);

    memset(n, 0, sizeof *n);
    if (status == UTET_OK)
        status = bits_of(m, &first, &bits, &keys);
    if (status == UTET_OK) {
        n->list = malloc((keys + (size_t)1) * sizeof *n->list);
        status = n->list != NULL ? take_names(m, n, &first, bits) : UTET_E_BUDGET;
    }
    free(bits);
    return status == UTET_END ? UTET_OK : status;
}

/* Writes the keys of a map that are common, or those that are not; without keys that `over` also has. */
static utet_status put_some(messages *m, const names *n, const utet_item *map, const utet_item *over, int are_common,
                            int *first)
{
    utet_item list = *map;
    utet_item key;
    utet_item item;

    for (;;) {
        const uint64_t place = list.place;
        utet_status status = utet_item_next(&m->metadata.reader, &list, &key, &item);
        char *name;
        int is_common;

        if (status != UTET_OK)
            return status == UTET_END ? UTET_OK : status;
        name = messages_text(m, &key, &status);
        if (name == NULL)
            return status;
        is_common = n->count != 0 && bsearch(&name, n->list, n->count, sizeof *n->list, by_name) != NULL;
        if (is_common == are_common && strcmp(name, "_reserved_") != 0 &&
            (over == NULL || utet_metadata_in(&m->metadata, over, name, key.length, &item) != UTET_OK)) {
            if (!*first)
                putchar(',');
            *first = 0;
            status = put_entry_at(m, place, list.end);
        }
        free(name);
        if (status != UTET_OK)
            return status;
    }
}

static utet_status put_tensor(messages *m, const names *n, const utet_entry *tensor, int are_common)
{
    int first = 1;
    utet_status status;

    putchar('{');
    status = put_some(m, n, &tensor->preceder, NULL, are_common, &first);
    if (status == UTET_OK)
        status = put_some(m, n, &tensor->entry, &tensor->preceder, are_common, &first);
    putchar('}');
    return status;
}

utet_status put_common(messages *m, int as_json)
{
    names n;
    utet_entry tensor;
    utet_status status = find_names(m, &n);

    fputs(as_json ? "{\"common\":" : "  all  ", stdout);
    if (status == UTET_OK)
        status = utet_entry_first(&m->metadata, &tensor);
    if (status == UTET_END)
        fputs("{}", stdout);
    else if (status == UTET_OK)
        status = put_tensor(m, &n, &tensor, 1);
    fputs(as_json ? ",\"remaining\":[" : "\n", stdout);
    for (; status == UTET_OK; status = utet_entry_next(&m->metadata, &tensor)) {
        if (as_json)
            fputs(tensor.object != 0 ? "," : "", stdout);
        else
            printf("  %" PRIu32 "  ", tensor.object);
        status = put_tensor(m, &n, &tensor, 0);
        fputs(as_json ? "" : "\n", stdout);
        if (status != UTET_OK)
            break;
    }
    fputs(as_json ? "]}" : "", stdout);
    names_end(&n);
    return status == UTET_END ? UTET_OK : status;
}
