/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the programs about faults of queries share: media that fail or return "not yet", with a document and a file on
 * them. */
#ifndef FAULTSWORLD_H
#define FAULTSWORLD_H

#include "utet_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BROKEN (UTET_E_PORT - 7)
#define BLANKS 400 /* before a document's last bracket, so that none of its keys stays in the window */

typedef struct medium {
    uint8_t bytes[65536];
    size_t size;
    unsigned long reads;
    unsigned long failing; /* 0: none */
    int empty;             /* the read fails by delivering no bytes */
    int blocks;            /* "not yet" before each read */
    int told;
    utet_io io;
} medium;

static medium text;
static medium tet;
static uint64_t text_work[24];
static uint64_t tet_work[UTET_OPEN_WORK(1) / 8];
static utet_file document;
static utet_file file;
static utet_query query;
static utet_query_plan plan;
static utet_meta meta;
static uint32_t places[2][64];
static unsigned long passed;
static unsigned long failed;

static inline void check(int good, const char *what, unsigned long n)
{
    passed += good != 0;
    failed += good == 0;
    if (!good && failed <= 8)
        printf("FAILED %s, read %lu\n", what, n);
}

static inline utet_status read_bytes(void *context, uint64_t offset, void *buffer, size_t size, size_t *got)
{
    medium *m = context;

    *got = 0;
    m->told = m->blocks && !m->told;
    if (m->told)
        return UTET_WOULD_BLOCK;
    if (++m->reads == m->failing)
        return m->empty ? UTET_OK : BROKEN;
    memcpy(buffer, m->bytes + offset, size);
    *got = size;
    return UTET_OK;
}

static inline void begin_medium(medium *m)
{
    m->reads = 0;
    m->failing = 0;
    m->io = (utet_io){.ctx = m, .read = read_bytes, .unit = 1, .align = 1, .size = m->size};
}

/* A new document, not open yet. */
static inline void begin_document(const char *words)
{
    size_t keys = strlen(words) - 1;

    memset(text.bytes, ' ', sizeof text.bytes);
    memcpy(text.bytes, words, keys);
    text.bytes[keys + BLANKS] = '}';
    text.size = keys + BLANKS + 1;
    begin_medium(&text);
    utet_init(&document, &text.io, text_work, sizeof text_work, NULL);
}

static inline void open_document(const char *words)
{
    begin_document(words);
    check(utet_query_open(&query, &document, utet_query_options) == UTET_OK, words, 0);
}

static inline void open_file(void)
{
    begin_medium(&tet);
    utet_init(&file, &tet.io, tet_work, sizeof tet_work, NULL);
    check(utet_open(&file, &(utet_options){.budget = SIZE_MAX}) == UTET_OK && utet_meta_open(&meta, &file) == UTET_OK,
          "opening the file", 0);
}

static inline utet_status bind(uint32_t *into)
{
    return utet_query_bind(&plan, &query, &meta, into, 64);
}

/* One call in which the `failing`th read from now on fails; returns 0 if it was complete before. */
static inline int one(const char *what, medium *m, utet_status call(void), unsigned long failing, utet_status again)
{
    utet_status status;
    int met;

    m->reads = 0;
    m->failing = failing;
    status = call();
    met = m->reads >= failing;
    m->failing = 0;
    check(status == (met ? m->empty ? UTET_E_SHORT : BROKEN : again), what, failing);
    if (met)
        check(call() == again, "repeated", failing);
    return met;
}

static inline int load(const char *path)
{
    FILE *in = fopen(path, "rb");

    if (in == NULL)
        return 0;
    tet.size = fread(tet.bytes, 1, sizeof tet.bytes, in);
    fclose(in);
    return 1;
}

#endif
