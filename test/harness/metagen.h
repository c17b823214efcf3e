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
    const char *history, *metadata, *more; /* values of the footer's keys, and further members */
    const char *zones, *indexes;           /* lists in these two documents; null: no such document */
    const char *footer;                    /* the complete footer, in place of the members above; or null */
    const char *spill;                     /* the document of metadata_ref; null: no such document */
    int version;                           /* version in the tail; 0: version 2 */
    /* Results. */
    uint8_t *bytes;
    size_t size, documents, json; /* where spills and the JSON begin; the JSON goes to the tail */
} metagen;

/* A footer with an example of everything; an empty footer. */
extern const metagen metagen_usual, metagen_bare;

void metagen_build(metagen *g);
void metagen_free(metagen *g);

#endif
