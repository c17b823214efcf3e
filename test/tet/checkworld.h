/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of the whole-file check share: a second check, which keeps everything in memory. */
#ifndef CHECKWORLD_H
#define CHECKWORLD_H

#include "golden_list.h"
#include "rig.h"
#include "tetgen.h"
#include "utet_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST ((size_t)UTET_WINDOW_LEAST(1))

/* The findings of a check as text, one line each: "name severity ok dataset row status". */
typedef struct report {
    char text[60000];
    size_t length;
    uint64_t coords_row; /* of a failing chunk_coords; the library may choose one of several */
    uint64_t unused_row; /* of chunk_coords_unused */
    int ok;
} report;

static inline void report_line(report *p, const char *name, unsigned severity, int ok, uint32_t dataset, uint64_t row,
                               utet_status status)
{
    static const char *const severities[] = {"info", "warning", "error"};
    int n = snprintf(p->text + p->length, sizeof p->text - p->length, "%s %s %d", name, severities[severity], ok);
    p->length += (size_t)n;
    if (dataset != UTET_CHECK_NO_DATASET)
        p->length += (size_t)snprintf(p->text + p->length, sizeof p->text - p->length, " dataset %u",
                                      (unsigned)dataset);
    if (row != UTET_CHECK_NO_ROW)
        p->length += (size_t)snprintf(p->text + p->length, sizeof p->text - p->length, " row %llu",
                                      (unsigned long long)row);
    p->length += (size_t)snprintf(p->text + p->length, sizeof p->text - p->length, " %s\n", rig_status(status));
    suite_check(p->length + 200 < sizeof p->text, "report too long");
}

/* The location of a finding: the field of the row that it is about, otherwise the record of its dataset
 * (utet_check.h). */
static inline void check_place(const rig *r, const utet_finding *f)
{
    uint64_t row = r->file.index_offset + 32 + 104 * f->row;
    uint64_t field = f->check == UTET_CHECK_DATASET_TENSOR_BYTES ? 80 : f->check == UTET_CHECK_PAYLOAD_OFFSETS ? 72 : 0;
    if (f->check == UTET_CHECK_PAYLOAD_OVERLAP) { /* a payload's: the one that overlaps another */
        uint64_t found = 0;
        for (uint64_t i = 0; i < r->file.row_count; i++)
            found |= tetgen_get(r->port.bytes + r->file.index_offset + 32 + 104 * i + 72, 8) == f->offset;
        suite_check(found, "overlap: no payload begins at %llu", (unsigned long long)f->offset);
    }
    if (f->row == UTET_CHECK_NO_ROW)
        suite_check(f->check != UTET_CHECK_DATASET_TENSOR_BYTES || f->ok ||
                        (f->offset >= 40 && f->offset < r->file.index_offset),
                    "dataset %u: offset %llu", (unsigned)f->dataset, (unsigned long long)f->offset);
    else if (f->check == UTET_CHECK_PARSE) /* any of the bad fields */
        suite_check(f->offset >= row && f->offset < row + 104, "parse: row %llu, offset %llu",
                    (unsigned long long)f->row, (unsigned long long)f->offset);
    else
        suite_check(f->offset == row + field, "%s: row %llu, offset %llu", utet_check_name(f->check),
                    (unsigned long long)f->row, (unsigned long long)f->offset);
}

/* Checks an open file to the end, and returns the status that ends it. */
static inline utet_status walk(rig *r, report *p)
{
    utet_check check;
    utet_finding f;
    utet_status status;
    p->length = 0;
    p->text[0] = 0;
    p->coords_row = UTET_CHECK_NO_ROW;
    utet_check_init(&check, &r->file);
    for (;;) {
        DRIVE(status, utet_check_next(&check, &f));
        if (status != UTET_OK)
            break;
        suite_check(f.ok == (f.severity != UTET_SEVERITY_ERROR) && (f.status == UTET_OK) == f.ok,
                    "%s: ok %d, severity %d", utet_check_name(f.check), f.ok, f.severity);
        suite_check(f.offset <= r->port.io.size, "%s: offset beyond the file", utet_check_name(f.check));
        check_place(r, &f);
        if (f.check == UTET_CHECK_CHUNK_COORDS) {
            p->coords_row = f.row;
            f.row = UTET_CHECK_NO_ROW;
        }
        if (f.check == UTET_CHECK_CHUNK_COORDS_UNUSED) {
            p->unused_row = f.row;
            f.row = UTET_CHECK_NO_ROW;
        }
        report_line(p, utet_check_name(f.check), f.severity, f.ok, f.dataset, f.row, f.status);
    }
    p->ok = check.ok;
    return status;
}

/* Opens with `work` bytes, and checks. */
static inline utet_status check_file(rig *r, size_t work, report *p)
{
    utet_status status;
    faultport_rewind(&r->port);
    status = rig_open(r, work, (size_t)-1);
    if (status == UTET_OK)
        status = walk(r, p);
    rig_check(r, "check");
    return status;
}

/* ---- the test's own check: everything in memory, all pairs ---- */

typedef struct row {
    uint64_t dataset, coords[8], offset, raw, stored;
    uint32_t codec;
} row;

typedef struct record {
    uint32_t dtype, ndim;
    uint64_t shape[8], chunk[8];
} record;

static inline row get_row(const uint8_t *index, size_t number)
{
    const uint8_t *at = index + 32 + 104 * number;
    row x = {tetgen_get(at, 8),      {0},
             tetgen_get(at + 72, 8), tetgen_get(at + 80, 8),
             tetgen_get(at + 88, 8), (uint32_t)tetgen_get(at + 96, 4)};
    for (unsigned d = 0; d < 8; d++)
        x.coords[d] = tetgen_get(at + 8 + 8 * d, 8);
    return x;
}

/* Bytes of the tile at `coords`; 0 outside the grid. */
static inline uint64_t tile_bytes(const record *d, const uint64_t *coords)
{
    uint64_t n = tetgen_elem_size(d->dtype);
    for (unsigned a = 0; a < d->ndim; a++) {
        uint64_t tiles = d->chunk[a] == 0 ? 0 : (d->shape[a] + d->chunk[a] - 1) / d->chunk[a];
        if (coords[a] >= tiles)
            return 0;
        uint64_t left = d->shape[a] - coords[a] * d->chunk[a];
        n *= left < d->chunk[a] ? left : d->chunk[a];
    }
    return n;
}

static inline utet_status tensor_status(const record *d, uint32_t id, const uint8_t *index, size_t rows, uint64_t *bad)
{
    uint64_t total = tetgen_elem_size(d->dtype), tiles = 1, sum = 0, count = 0;
    *bad = UTET_CHECK_NO_ROW;
    if (total == 0)
        return UTET_E_DTYPE;
    for (unsigned a = 0; a < d->ndim; a++) {
        if (d->chunk[a] == 0)
            return UTET_E_DATASET;
        total *= d->shape[a];
        tiles *= (d->shape[a] + d->chunk[a] - 1) / d->chunk[a];
    }
    for (size_t i = 0; i < rows; i++) {
        row x = get_row(index, i);
        if (x.dataset != id)
            continue;
        count++;
        sum += tile_bytes(d, x.coords);
        if (x.raw != tile_bytes(d, x.coords) && *bad == UTET_CHECK_NO_ROW)
            *bad = i;
    }
    if (count != tiles)
        *bad = UTET_CHECK_NO_ROW;
    return count < tiles                                                ? UTET_E_MISSING
           : count > tiles || *bad != UTET_CHECK_NO_ROW || sum != total ? UTET_E_ROW
                                                                        : UTET_OK;
}

/* 1: the coordinates that have a meaning are equal; 2: all eight are equal. */
static inline int same_chunk(const row *a, const row *b, const record *records)
{
    if (a->dataset != b->dataset || memcmp(a->coords, b->coords, 8 * records[a->dataset].ndim) != 0)
        return 0;
    return memcmp(a->coords, b->coords, sizeof a->coords) == 0 ? 2 : 1;
}

/* Extents of small files only, so nothing overflows here. */
static inline void plain_report(const uint8_t *bytes, uint64_t size, const record *records, unsigned count, report *p)
{
    const uint8_t *index = bytes + tetgen_get(bytes + 16, 8);
    uint64_t index_end = tetgen_get(bytes + 16, 8) + tetgen_get(bytes + 24, 8);
    size_t rows = (size_t)tetgen_get(index + 8, 8);
    uint64_t none = UTET_CHECK_NO_ROW, bad, equal_offset = UINT64_MAX, second = none, stray = none;
    int all_good = 1, twins = 0, unused = 0, gaps = 0, overlap = 0;
    const char *opened[] = {"superblock", "dataset_directory", "chunk_index", "chunk_payloads"};
    p->length = 0;
    p->text[0] = 0;
    for (size_t i = 0; i < rows; i++) {
        row x = get_row(index, i);
        if (x.codec > 1 || (x.codec == 0 && x.raw != x.stored) || x.offset > size || x.stored > size - x.offset) {
            report_line(p, "parse", 2, 0, UTET_CHECK_NO_DATASET, i, UTET_E_ROW);
            return;
        }
        if (x.dataset >= count && stray == none)
            stray = i;
    }
    for (unsigned i = 0; i < 4; i++)
        report_line(p, opened[i], 0, 1, UTET_CHECK_NO_DATASET, none, UTET_OK);
    report_line(p, "chunk_dataset_ids", stray == none ? 0 : 2, stray == none, UTET_CHECK_NO_DATASET, stray,
                stray == none ? UTET_OK : UTET_E_ROW);
    if (stray != none)
        return;
    for (unsigned d = 0; d < count; d++) {
        utet_status status = tensor_status(&records[d], d, index, rows, &bad);
        report_line(p, "dataset_tensor_bytes", status == UTET_OK ? 0 : 2, status == UTET_OK, d, bad, status);
        all_good &= status == UTET_OK;
    }
    if (!all_good)
        return;
    for (size_t i = 0; i < rows; i++) {
        row x = get_row(index, i);
        overlap |= x.stored != 0 && x.offset < index_end;
        for (size_t j = 0; j < i; j++) {
            row y = get_row(index, j);
            if (x.offset == y.offset && x.offset < equal_offset) {
                equal_offset = x.offset;
                second = i;
            }
            overlap |= x.offset != y.offset && x.offset < y.offset + y.stored && y.offset < x.offset + x.stored;
            twins |= same_chunk(&x, &y, records) == 2;
            unused |= same_chunk(&x, &y, records) == 1;
        }
        if (i > 0) {
            row y = get_row(index, i - 1);
            gaps |= x.offset != y.offset + y.stored;
        }
    }
    if (second != none)
        report_line(p, "payload_offsets", 2, 0, UTET_CHECK_NO_DATASET, second, UTET_E_ROW);
    report_line(p, "chunk_coords", twins ? 2 : 0, !twins, UTET_CHECK_NO_DATASET, none, twins ? UTET_E_ROW : UTET_OK);
    if (gaps)
        report_line(p, "payload_order", 1, 1, UTET_CHECK_NO_DATASET, none, UTET_OK);
    if (overlap && second == none)
        report_line(p, "payload_overlap", 1, 1, UTET_CHECK_NO_DATASET, none, UTET_OK);
    if (unused && !twins)
        report_line(p, "chunk_coords_unused", 1, 1, UTET_CHECK_NO_DATASET, none, UTET_OK);
    report_line(p, "dataset_count", 0, 1, UTET_CHECK_NO_DATASET, none, UTET_OK);
}

/* Removes each line that begins with `name`. */
static inline void drop(report *p, const char *name)
{
    char *at = strstr(p->text, name);
    if (at != NULL) {
        char *end = strchr(at, '\n') + 1;
        memmove(at, end, strlen(end) + 1);
    }
}

/* Findings that may differ after an error: overlaps next to equal offsets, doubles that differ in unused coordinates
 * next to exact doubles. */
static inline void drop_taste(report *p)
{
    if (strstr(p->text, "payload_offsets") != NULL)
        drop(p, "payload_overlap");
    if (strstr(p->text, "chunk_coords error") != NULL)
        drop(p, "chunk_coords_unused");
}

/* ---- files to check ---- */

static const tetgen_dataset sets[] = {
    {"a", 1, UTET_U8, 2, {5, 7}, {2, 3}, TETGEN_RAW},      {"bb", 2, UTET_F32, 1, {9}, {2}, TETGEN_RAW},
    {"empty", 5, UTET_I16, 2, {0, 4}, {2, 2}, TETGEN_RAW}, {"c", 1, UTET_U16, 3, {3, 4, 2}, {2, 2, 2}, TETGEN_RAW},
    {"one", 3, UTET_F64, 1, {1}, {1}, TETGEN_RAW},
};

enum { SETS = sizeof sets / sizeof sets[0] };

static inline void copy_records(record *to)
{
    for (unsigned d = 0; d < SETS; d++) {
        to[d].dtype = sets[d].dtype;
        to[d].ndim = sets[d].ndim;
        memcpy(to[d].shape, sets[d].shape, sizeof to[d].shape);
        memcpy(to[d].chunk, sets[d].chunk, sizeof to[d].chunk);
    }
}

#endif
