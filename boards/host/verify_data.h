/* What the comparisons of `utet verify --deep` share: the footer's zone maps and indexes held against the data. Checks
 * of our own (zone_maps_data, indexes_data), for wrong ones give wrong answers without a sign; the reference does not
 * look. */
#ifndef UTET_TOOL_VERIFY_DATA_H
#define UTET_TOOL_VERIFY_DATA_H

#include "utet_meta.h"
#include "verify.h"

#define SLICE ((size_t)64 << 10) /* a chunk is decoded in pieces of this size; whole elements */
#define MOST_TEXT 1025u          /* longest text within the limits for metadata, and a terminator (§7.4) */

typedef struct verification {
    source *s;
    const options *opt;
    report *r;
    uint8_t buffer[SLICE];
    utet_dataset dataset; /* the last one that was looked at */
    utet_meta meta;
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

/* A text of the metadata, cut at MOST_TEXT - 1 bytes, and a terminator; *length may be null. */
utet_status read_text(verification *v, utet_value text, char *buffer, size_t *length);
/* The fill value as an element, if the dataset has one. Writers of whole arrays take it for null (§8.1). */
utet_status fill_value(verification *v, const utet_about *about, int *has_fill, uint64_t *fill);
/* "[1, 2]"; at most 200 bytes. */
char *coords_text(char *buffer, const utet_dataset *dataset, const uint64_t *coords);
/* Makes record `id` the dataset; UTET_E_NOT_FOUND. */
utet_status dataset_at(verification *v, uint64_t id);

/* What a comparison comes to: the first fault in words, the others counted. */
typedef struct verdict {
    uint64_t compared;
    uint64_t faults;
    uint64_t strays; /* entries that belong to nothing in the file: nobody will ask for them */
    char first[224];
} verdict;

void verdict_fault(verdict *all, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What is compared: "chunk", "list"; where: the document. */
void verdict_report(verification *v, const verdict *all, const char *check, const char *what, const utet_span *where);

/* ---- verify_zones.c, verify_indexes.c: one finding each, when there is such a document; TOOL_ERROR with its line ----
 * */

int zones_data(verification *v);
int indexes_data(verification *v);

#endif
