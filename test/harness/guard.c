/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Guard pages with mmap and mprotect; canaries are a function of the address, so that a block copied or moved over
 * them is noticed as well as a fill.
 */
#define _DEFAULT_SOURCE
#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uint8_t canary_at(const uint8_t *at)
{
    uintptr_t a = (uintptr_t)at;
    return (uint8_t)(0xA5u ^ (a * 29u) ^ (a >> 8));
}

void canary_fill(void *at, size_t size)
{
    uint8_t *p = at;
    for (size_t i = 0; i < size; i++)
        p[i] = canary_at(p + i);
}

int canary_intact(const void *at, size_t size)
{
    const uint8_t *p = at;
    for (size_t i = 0; i < size; i++)
        if (p[i] != canary_at(p + i))
            return 0;
    return 1;
}

guard guard_new(size_t size, size_t align, guard_side side)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t mapped = (size + align + page - 1) / page * page;
    uint8_t *base = mmap(NULL, mapped + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED || mprotect(base + page, mapped, PROT_READ | PROT_WRITE) != 0) {
        perror("guard_new");
        exit(3);
    }
    guard g = {.size = size, .priv_pages = base + page, .priv_mapped = mapped};
    g.data = side == GUARD_BEFORE ? g.priv_pages : g.priv_pages + (mapped - size) / align * align;
    canary_fill(g.priv_pages, (size_t)(g.data - g.priv_pages));
    canary_fill(g.data + size, (size_t)(g.priv_pages + mapped - g.data) - size);
    return g;
}

int guard_intact(const guard *g)
{
    const uint8_t *end = g->data + g->size;
    return canary_intact(g->priv_pages, (size_t)(g->data - g->priv_pages)) &&
           canary_intact(end, (size_t)(g->priv_pages + g->priv_mapped - end));
}

void guard_free(guard *g)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (g->priv_pages != NULL)
        munmap(g->priv_pages - page, g->priv_mapped + 2 * page);
    *g = (guard){0};
}
