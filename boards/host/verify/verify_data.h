/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shared code of `utet verify --deep`, which compares the footer's zone maps and indexes with the data. The checks
 * zone_maps_data and indexes_data are utet's own, because incorrect entries give wrong results silently; the reference
 * does not check them. */
#ifndef UTET_TOOL_VERIFY_DATA_H
#define UTET_TOOL_VERIFY_DATA_H

#include "utet_meta.h"
#include "verify.h"

#define SLICE ((size_t)64 << 10) /* a chunk is decoded in pieces of this size; whole elements */
#define MOST_TEXT 1025u          /* longest text within the limits for metadata, and a terminator (§7.4) */

/* A dataset, to be had in any order. */
typedef struct subject {
    utet_dataset dataset;
    uint64_t first;   /* number of its first chunk, when all are counted through: the row that it is predicted in */
    uint32_t indexed; /* whose entries in the indexes have been met: a bit for each kind and axis */
    int is_fill_known;
    int has_fill;
    uint64_t fill;
} subject;

typedef struct verification {
    source *s;
    const options *opt;
    report *r;
    uint8_t buffer[SLICE];
    utet_dataset dataset; /* dataset of the last finding about one */
    utet_meta meta;
    utet_zones zones;   /* all of them, when there are some that can be used */
    utet_value indexes; /* the list of their entries, as above */
    utet_status has_zones;
    utet_status has_indexes;
    subject *subjects;    /* by number of the record */
    struct naming *names; /* entries of the metadata's datasets, by the hashes of their names */
    size_t name_count;
    uint64_t salt;  /* key of the hashes: files must not choose what collides */
    uint64_t *rows; /* 1 and the row of each chunk, by the chunk's number; 0: it has none */
} verification;

/* ---- verify_data.c ---- */

/* Decodes a chunk; sink, which may be null, gets its elements. */
typedef void (*chunk_sink)(void *ctx, const uint8_t *data, size_t length);
utet_status chunk_decode(verification *v, const utet_chunk *chunk, chunk_sink sink, void *ctx);

/* An element as stored, in the low bytes of a number. */
uint64_t element_load(const utet_dataset *dataset, const uint8_t *at);
int element_is_nan(const utet_dataset *dataset, uint64_t element);
/* Its text, at most UTET_SHOW_SIZE bytes. */
void element_text(const utet_dataset *dataset, uint64_t element, char *text);

/* Entries come in any order, and rows may: datasets and rows in memory, so that none is searched for twice.
 * TOOL_ERROR with its line. */
int subjects_begin(verification *v);
void subjects_end(verification *v);
/* The dataset of record `id`, null when there is none. */
subject *subject_at(verification *v, uint64_t id);
/* utet_meta_dataset, without reading all of the metadata for each dataset; empty when they say nothing. */
utet_status subject_meta(verification *v, const subject *of, utet_dataset_meta *meta);
/* How many chunks a dataset has. */
uint64_t chunk_count(const utet_dataset *dataset);
/* The number of a chunk within its dataset, row-major; UINT64_MAX outside the grid. */
uint64_t chunk_number(const utet_dataset *dataset, const uint64_t *coords);
/* The chunk of that number, as utet_chunk_find would find it; UTET_E_MISSING. */
utet_status chunk_at(verification *v, const subject *of, uint64_t number, utet_chunk *chunk);

/* A text of the metadata, cut at MOST_TEXT - 1 bytes, and a terminator; *length may be null. */
utet_status read_text(verification *v, utet_value text, char *buffer, size_t *length);
/* Looks for the fill value of a dataset, once. Writers of whole arrays take it for null (§8.1). */
utet_status fill_value(verification *v, subject *of);
/* "[1, 2]"; at most 200 bytes. */
char *coords_text(char *buffer, const utet_dataset *dataset, const uint64_t *coords);

/* The result of a comparison: the first fault as a message, the others counted. */
typedef struct verdict {
    uint64_t compared;
    uint64_t faults;
    uint64_t strays; /* entries that belong to nothing in the file: nobody will ask for them */
    char first[224];
} verdict;

void verdict_fault(verdict *all, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The kind of item compared: "chunk", "list"; where: the document. */
void verdict_report(verification *v, const verdict *all, const char *check, const char *what, const utet_span *where);

/* ---- verify_zones.c, verify_indexes.c: one finding each, when there is such a document; TOOL_ERROR with its line ----
 * */

int zones_data(verification *v);
int indexes_data(verification *v);

#endif
