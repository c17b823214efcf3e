/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of every path through the metadata of a message and the value at its end, made in one pass. Looking up a path
 * costs time in proportion to its length, whatever the number of tensors and keys. The value of a path is that of the
 * first tensor that has the path; the tensor's preceder has precedence over its entry. If no tensor has the path,
 * _extra_ is searched. Of duplicate keys of a tensor or of _extra_ the last one counts, as in the reference; of deeper
 * ones the first.
 */
#include "tensogram.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NO_NODE UINT32_MAX

/* A key below others. */
typedef struct node {
    uint32_t above;
    uint32_t next; /* next entry with the same hash */
    uint32_t hash;
    uint32_t length;
    size_t key;      /* in `keys` */
    uint64_t offset; /* offset of the value; 0: none yet */
    uint64_t end;    /* end of its range */
    uint64_t last;   /* position of the key that counts, among the keys of a tensor */
    uint32_t pass;   /* number of the map that contained the key, from 1 */
} node;

struct paths {
    node *nodes;
    uint32_t count;
    uint32_t size;
    uint32_t *places; /* number of slots, a power of two */
    uint32_t mask;
    char *keys;
    size_t key_bytes;
    size_t key_size;
    uint32_t seed;
    uint32_t pass;
};

enum { ROOT_TENSORS, ROOT_EXTRA, ROOTS };

/* ---- the table ---- */

static uint32_t hash_of(const paths *p, uint32_t above, const char *key, size_t length)
{
    uint32_t hash = (p->seed ^ above) * 2654435761u;
    size_t i;

    for (i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)key[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static uint32_t find(const paths *p, uint32_t above, const char *key, size_t length)
{
    const uint32_t hash = hash_of(p, above, key, length);
    uint32_t at = p->places[hash & p->mask];

    while (at != NO_NODE && (p->nodes[at].hash != hash || p->nodes[at].above != above ||
                             p->nodes[at].length != length || memcmp(p->keys + p->nodes[at].key, key, length) != 0))
        at = p->nodes[at].next;
    return at;
}

static int grow(paths *p)
{
    const uint32_t size = p->size * 2;
    node *const nodes = size > p->size ? realloc(p->nodes, size * sizeof *nodes) : NULL;
    uint32_t *places;
    uint32_t i;

    if (nodes == NULL)
        return 0;
    p->nodes = nodes;
    places = realloc(p->places, size * sizeof *places);
    if (places == NULL)
        return 0;
    p->places = places;
    p->size = size;
    p->mask = size - 1;
    memset(places, 0xFF, size * sizeof *places);
    for (i = ROOTS; i < p->count; i++) {
        nodes[i].next = places[nodes[i].hash & p->mask];
        places[nodes[i].hash & p->mask] = i;
    }
    return 1;
}

static int keep_key(paths *p, const char *key, size_t length)
{
    if (p->key_size - p->key_bytes < length) {
        const size_t size = p->key_size * 2 + length;
        char *const keys = realloc(p->keys, size);

        if (keys == NULL)
            return 0;
        p->keys = keys;
        p->key_size = size;
    }
    memcpy(p->keys + p->key_bytes, key, length);
    p->key_bytes += length;
    return 1;
}

/* Returns the node of a key, which is created if necessary; NO_NODE: not enough memory. */
static uint32_t enter(paths *p, uint32_t above, const char *key, size_t length)
{
    uint32_t at = find(p, above, key, length);
    node *n;

    if (at != NO_NODE)
        return at;
    if ((p->count == p->size && !grow(p)) || !keep_key(p, key, length))
        return NO_NODE;
    at = p->count++;
    n = &p->nodes[at];
    memset(n, 0, sizeof *n);
    n->above = above;
    n->key = p->key_bytes - length;
    n->length = (uint32_t)length;
    n->hash = hash_of(p, above, key, length);
    n->next = p->places[n->hash & p->mask];
    p->places[n->hash & p->mask] = at;
    return at;
}

/* ---- filling it ---- */

/* Returns the node of the key in m->reader's token. */
static utet_status enter_key(paths *p, messages *m, uint32_t above, uint32_t *at)
{
    utet_status status;
    const utet_item key = token_item(&m->reader);
    char *const text = messages_text(m, &key, &status);

    if (text == NULL)
        return status;
    *at = enter(p, above, text, key.length);
    free(text);
    return *at != NO_NODE ? UTET_OK : UTET_E_BUDGET;
}

/* Stores the item at the reader as the value of `at`, and the items inside it below `at`. */
static utet_status take_value(paths *p, messages *m, uint32_t at)
{
    static uint32_t map[TENSOGRAM_DEPTH + 1]; /* the node of each open list or map; NO_NODE: no path leads into it */
    utet_cbor *reader = &m->reader;

    do {
        utet_status status = utet_cbor_next(reader);

        if (status != UTET_OK)
            return status;
        if (reader->token == UTET_CBOR_CLOSE)
            continue;
        if (reader->is_key) {
            at = NO_NODE;
            if (map[reader->depth] == NO_NODE || reader->token != UTET_CBOR_TEXT ||
                (reader->flags & UTET_CBOR_TAGGED) != 0)
                continue;
            status = enter_key(p, m, map[reader->depth], &at);
            if (status != UTET_OK)
                return status;
            if (p->nodes[at].pass == p->pass) /* the first key of several in a map counts */
                at = NO_NODE;
            else
                p->nodes[at].pass = p->pass;
            continue;
        }
        if (at != NO_NODE && p->nodes[at].offset == 0) {
            p->nodes[at].offset = reader->base + reader->begin;
            p->nodes[at].end = reader->base + reader->end;
        }
        if (reader->token == UTET_CBOR_LIST || reader->token == UTET_CBOR_MAP) {
            const int leads = reader->token == UTET_CBOR_MAP && (reader->flags & UTET_CBOR_TAGGED) == 0;

            map[reader->depth] = leads ? at : NO_NODE;
        }
        at = NO_NODE;
    } while (reader->depth != 0);
    return UTET_OK;
}

/* Returns nonzero if the key is one of `names`, the keys that do not belong to a tensor or to _extra_. */
static int is_named(const char *key, size_t length, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strlen(*names) == length && memcmp(*names, key, length) == 0)
            return 1;
    return 0;
}

/* Reads the keys of a map in two passes: the first finds the last of each name (`mark`), the second stores the
 * values. */
static utet_status take_map(paths *p, messages *m, const utet_item *from, uint32_t root, const char *const *without,
                            int mark)
{
    utet_item list = *from;
    utet_item key;
    utet_item item;

    for (;;) {
        const uint64_t place = list.place;
        utet_status status = utet_item_next(&m->metadata.reader, &list, &key, &item);
        uint32_t at = NO_NODE;
        char *text;

        if (status != UTET_OK)
            return status == UTET_END ? UTET_OK : status;
        if (key.kind != UTET_CBOR_TEXT)
            continue;
        text = messages_text(m, &key, &status);
        if (text == NULL)
            return status;
        if (!is_named(text, key.length, without)) {
            at = enter(p, root, text, key.length);
            status = at != NO_NODE ? UTET_OK : UTET_E_BUDGET;
        }
        free(text);
        if (status == UTET_OK && at != NO_NODE && mark) {
            p->nodes[at].last = place;
        } else if (status == UTET_OK && at != NO_NODE && p->nodes[at].last == place) {
            status = utet_cbor_open(&m->reader, &m->s.file, place, list.end - place, m->more, TENSOGRAM_DEPTH);
            if (status == UTET_OK)
                status = utet_cbor_next(&m->reader); /* the key */
            if (status == UTET_OK)
                status = take_value(p, m, at);
        }
        if (status != UTET_OK)
            return status;
    }
}

/* Stores the keys of two maps; the first map has precedence. */
static utet_status take_maps(paths *p, messages *m, const utet_item *maps[2], uint32_t root, const char *const *without)
{
    utet_status status = UTET_OK;
    unsigned i;

    p->pass++;
    for (i = 0; i < 4 && status == UTET_OK; i++)
        if (maps[i % 2]->kind == UTET_CBOR_MAP)
            status = take_map(p, m, maps[i % 2], root, without, i < 2);
    return status;
}

static utet_status fill(paths *p, messages *m)
{
    static const char *const own[] = {"_reserved_", NULL};
    static const char *const known[] = {"base", "_extra_", "_reserved_", NULL};
    static const char *const none[] = {NULL};
    const utet_item *maps[2];
    utet_item nothing;
    utet_entry tensor;
    utet_status status = utet_entry_first(&m->metadata, &tensor);

    memset(&nothing, 0, sizeof nothing);
    maps[0] = &tensor.entry;
    maps[1] = &tensor.preceder;
    for (; status == UTET_OK; status = utet_entry_next(&m->metadata, &tensor)) {
        status = take_maps(p, m, maps, ROOT_TENSORS, own);
        if (status != UTET_OK)
            return status;
    }
    maps[0] = &nothing;
    maps[1] = &m->metadata.document.extra;
    if (status == UTET_END)
        status = take_maps(p, m, maps, ROOT_EXTRA, none);
    maps[1] = &m->metadata.document.root;
    return status == UTET_OK ? take_maps(p, m, maps, ROOT_EXTRA, known) : status;
}

/* ---- using it ---- */

paths *paths_make(messages *m, utet_status *status)
{
    paths *const p = calloc(1, sizeof *p);

    *status = UTET_E_BUDGET;
    if (p == NULL)
        return NULL;
    p->seed = (uint32_t)time(NULL); /* a random key, so that a file cannot cause collisions */
    p->count = ROOTS;
    p->size = 64;
    p->mask = p->size - 1;
    p->nodes = calloc(p->size, sizeof *p->nodes);
    p->places = malloc(p->size * sizeof *p->places);
    if (p->nodes != NULL && p->places != NULL) {
        memset(p->places, 0xFF, p->size * sizeof *p->places);
        *status = fill(p, m);
    }
    if (*status == UTET_OK)
        return p;
    paths_end(p);
    return NULL;
}

/* Returns the value below a root at a path, whose keys are separated by dots. */
static uint32_t descend(const paths *p, uint32_t root, const char *path, size_t length)
{
    for (;;) {
        const char *const dot = memchr(path, '.', length);
        const size_t some = dot != NULL ? (size_t)(dot - path) : length;

        root = find(p, root, path, some);
        if (root == NO_NODE || dot == NULL)
            return root;
        path += some + 1;
        length -= some + 1;
    }
}

int paths_find(const paths *p, const char *path, size_t length, uint64_t *offset, uint64_t *end)
{
    const char *const dot = memchr(path, '.', length);
    const size_t first = dot != NULL ? (size_t)(dot - path) : length;
    uint32_t at = NO_NODE;

    if (first == 0)
        return 0;
    if ((first == 7 && memcmp(path, "_extra_", 7) == 0) || (first == 5 && memcmp(path, "extra", 5) == 0)) {
        if (dot != NULL)
            at = descend(p, ROOT_EXTRA, dot + 1, length - first - 1);
    } else {
        at = descend(p, ROOT_TENSORS, path, length);
        if (at == NO_NODE || p->nodes[at].offset == 0)
            at = descend(p, ROOT_EXTRA, path, length);
    }
    if (at == NO_NODE || p->nodes[at].offset == 0)
        return 0;
    *offset = p->nodes[at].offset;
    *end = p->nodes[at].end;
    return 1;
}

void paths_end(paths *p)
{
    if (p == NULL)
        return;
    free(p->nodes);
    free(p->places);
    free(p->keys);
    free(p);
}
