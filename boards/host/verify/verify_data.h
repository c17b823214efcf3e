/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shared code of `utet verify --deep`, which compares the footer's zone maps and indexes with the data. The checks
 * zone_maps_data and indexes_data are utet's own, because incorrect entries give wrong results silently; the reference
 * does not check them. */
#ifndef UTET_TOOL_VERIFY_DATA_H
#define UTET_TOOL_VERIFY_DATA_H

#include "utet_meta.h"
#include "verify.h"

#define SLICE ((size_t)64 << 10) /* a chunk is decoded in parts of this size, a multiple of every element size */
#define MOST_TEXT 1025u          /* longest text within the limits for metadata, null-terminated (§7.4) */

/* A dataset, for access in any order. */
typedef struct subject {
    utet_dataset dataset;
    uint64_t first;   /* number of the first chunk, counted over all datasets; the index of its predicted row */
    uint32_t indexed; /* a bit for each kind and axis for which an index entry was found */
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
    utet_zones zones;   /* the zone maps, if the file has usable ones */
    utet_value indexes; /* the list of index entries, if the file has usable ones */
    utet_status has_zones;
    utet_status has_indexes;
    subject *subjects;    /* by number of the record */
    struct naming *names; /* the metadata's datasets, sorted by the hashes of their names */
    size_t name_count;
    uint64_t salt;  /* random key of the hashes, so that a file cannot cause collisions */
    uint64_t *rows; /* row of each chunk plus 1, indexed by the chunk's number; 0: the chunk has no row */
} verification;

/* ---- verify_data.c ---- */

/* Decodes a chunk; `sink`, which may be NULL, receives the elements. */
typedef void (*chunk_sink)(void *ctx, const uint8_t *data, size_t length);
utet_status chunk_decode(verification *v, const utet_chunk *chunk, chunk_sink sink, void *ctx);

/* Returns a stored element in the low bytes of a number. */
uint64_t element_load(const utet_dataset *dataset, const uint8_t *at);
int element_is_nan(const utet_dataset *dataset, uint64_t element);
/* Writes the element as text of at most UTET_SHOW_SIZE bytes. */
void element_text(const utet_dataset *dataset, uint64_t element, char *text);

/* Reads datasets and rows into memory, because entries, and perhaps rows, are in any order and each would be searched.
 * TOOL_ERROR after an error line. */
int subjects_begin(verification *v);
void subjects_end(verification *v);
/* Returns the dataset of record `id`; NULL: there is none. */
subject *subject_at(verification *v, uint64_t id);
/* Does what utet_meta_dataset does, without reading all metadata for each dataset; the result is empty if the metadata
 * do not have the dataset. */
utet_status subject_meta(verification *v, const subject *of, utet_dataset_meta *meta);
/* Returns the number of chunks of a dataset. */
uint64_t chunk_count(const utet_dataset *dataset);
/* Returns the row-major number of a chunk within its dataset; UINT64_MAX: outside the grid. */
uint64_t chunk_number(const utet_dataset *dataset, const uint64_t *coords);
/* Reads the chunk that utet_chunk_find would find; UTET_E_MISSING: it has no row. */
utet_status chunk_at(verification *v, const subject *of, uint64_t number, utet_chunk *chunk);

/* Copies a text of the metadata, truncated to MOST_TEXT - 1 bytes and null-terminated; `length` may be NULL. */
utet_status read_text(verification *v, utet_value text, char *buffer, size_t *length);
/* Finds the fill value of a dataset on the first call. Writers of complete arrays treat it as null (§8.1). */
utet_status fill_value(verification *v, subject *of);
/* Writes "[1, 2]", at most 200 bytes. */
char *coords_text(char *buffer, const utet_dataset *dataset, const uint64_t *coords);

/* The result of a comparison: the first fault as a message, and the number of faults. */
typedef struct verdict {
    uint64_t compared;
    uint64_t faults;
    uint64_t strays; /* number of entries for chunks or datasets that the file does not have, which readers never use */
    char first[224];
} verdict;

void verdict_fault(verdict *all, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `item`: the kind of item that is compared, "chunk" or "list"; `where`: the document. */
void verdict_report(verification *v, const verdict *all, const char *check, const char *what, const utet_span *where);

/* ---- verify_zones.c, verify_indexes.c: one finding each, when there is such a document; TOOL_ERROR with its line ----
 * */

int zones_data(verification *v);
int indexes_data(verification *v);

#endif
