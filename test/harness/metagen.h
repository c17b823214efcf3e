/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Writes a small .tet file around any footer: one dataset "d" of four u16 in two raw chunks, zone maps, indexes,
 * metadata as texts. For suites of the footer's calls. */
#ifndef TEST_METAGEN_H
#define TEST_METAGEN_H

#include <stddef.h>
#include <stdint.h>

#define METAGEN_LONG "a text of many more than the thirty-two bytes that are kept of one"

typedef struct metagen {
    const char *history, *metadata, *more; /* of the footer: values of its keys, and further members */
    const char *zones, *indexes;           /* lists in their documents; null = no such document */
    const char *footer;                    /* instead of all of that */
    const char *spill;                     /* the metadata's */
    int version;                           /* of the tail, 0 = 2 */
    /* Results. */
    uint8_t *bytes;
    size_t size, documents, json; /* where spills and the JSON begin; the JSON goes to the tail */
} metagen;

/* A footer with something of everything; and one with nothing. */
extern const metagen metagen_usual, metagen_bare;

void metagen_build(metagen *g);
void metagen_free(metagen *g);

#endif
