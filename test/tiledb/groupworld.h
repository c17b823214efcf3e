/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of folders and groups share. */
#ifndef GROUPWORLD_H
#define GROUPWORLD_H

#include "faultport.h"
#include "guard.h"
#include "suite.h"
#include "tilegen.h"
#include "utet_tiledb_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UUID "0123456789abcdef0123456789ABCDEF"

enum { LEAST = 192 + UTET_TILEDB_RAW_MIN, MANY = 200 };

static faultport port;

static utet_file file;

static utet_tiledb tile;

static uint64_t work[4096];

static uint64_t lent[8192];

static uint32_t seed;

static inline uint32_t next_random(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* ---- folders ---- */

typedef struct listing {
    char names[MANY][120]; /* an empty name ends the list; a name that begins with a slash is a folder */
    unsigned next;
    int open;
    utet_status end;
} listing;

static listing list;

static inline utet_status list_open(void *ctx, const char *path)
{
    if (path[0] == '\0')
        return UTET_E_NOT_FOUND;
    ((listing *)ctx)->next = 0;
    ((listing *)ctx)->open++;
    return UTET_OK;
}

static inline utet_status list_next(void *ctx, char *name, size_t size, int *is_folder)
{
    listing *l = ctx;
    const char *from = l->names[l->next];

    if (from[0] == '\0')
        return l->end;
    l->next++;
    *is_folder = from[0] == '/';
    if (strlen(from) >= size) { /* not terminated, which a port must not do */
        memcpy(name, from, size);
        return UTET_OK;
    }
    strcpy(name, from + *is_folder);
    return UTET_OK;
}

static inline void list_close(void *ctx)
{
    ((listing *)ctx)->open--;
}

static const utet_folder folder = {&list, list_open, list_next, list_close};

static inline void make_list(const char *const *names)
{
    unsigned i;

    memset(&list, 0, sizeof list);
    list.end = UTET_END;
    for (i = 0; names[i] != NULL; i++)
        strcpy(list.names[i], names[i]);
}

#endif
