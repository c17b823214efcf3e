/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole-file verdict: against the reference's own reports, against a check written here with everything in memory
 * and all pairs compared, over files whose rows have been damaged at random; with every amount of workspace; its cost.
 */
#include "golden_list.h"
#include "rig.h"
#include "tetgen.h"
#include "utet_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST ((size_t)UTET_WINDOW_LEAST(1))

/* Findings of a walk as text, one line each: "name severity ok dataset row status". */
typedef struct report {
    char text[60000];
    size_t length;
    uint64_t coords_row; /* of chunk_coords, when bad: which of several is the library's business */
    uint64_t unused_row; /* of chunk_coords_unused */
    int ok;
} report;

static void report_line(report *p, const char *name, unsigned severity, int ok, uint32_t dataset, uint64_t row,
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

/* The place of a finding: the field of the row that it is about, else the record of its dataset (utet_check.h). */
static void check_place(const rig *r, const utet_finding *f)
{
    uint64_t row = r->file.index_offset + 32 + 104 * f->row;
    uint64_t field = f->check == UTET_CHECK_DATASET_TENSOR_BYTES ? 80 : f->check == UTET_CHECK_PAYLOAD_OFFSETS ? 72 : 0;
    if (f->check == UTET_CHECK_PAYLOAD_OVERLAP) { /* a payload's: that which lies over something */
        uint64_t found = 0;
        for (uint64_t i = 0; i < r->file.row_count; i++)
            found |= tetgen_get(r->port.bytes + r->file.index_offset + 32 + 104 * i + 72, 8) == f->offset;
        suite_check(found, "overlap: no payload begins at %llu", (unsigned long long)f->offset);
    }
    if (f->row == UTET_CHECK_NO_ROW)
        suite_check(f->check != UTET_CHECK_DATASET_TENSOR_BYTES || f->ok ||
                        (f->offset >= 40 && f->offset < r->file.index_offset),
                    "dataset %u: offset %llu", (unsigned)f->dataset, (unsigned long long)f->offset);
    else if (f->check == UTET_CHECK_PARSE) /* whichever field is bad */
        suite_check(f->offset >= row && f->offset < row + 104, "parse: row %llu, offset %llu",
                    (unsigned long long)f->row, (unsigned long long)f->offset);
    else
        suite_check(f->offset == row + field, "%s: row %llu, offset %llu", utet_check_name(f->check),
                    (unsigned long long)f->row, (unsigned long long)f->offset);
}

/* Walks an open file to the end; returns what ended it. */
static utet_status walk(rig *r, report *p)
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

/* Opens with `work` bytes and walks. */
static utet_status check_file(rig *r, size_t work, report *p)
{
    utet_status status;
    faultport_rewind(&r->port);
    status = rig_open(r, work, (size_t)-1);
    if (status == UTET_OK)
        status = walk(r, p);
    rig_check(r, "check");
    return status;
}

/* ---- the reference's verdicts ---- */

/* What the reference reports in place of ours: "parse" for whatever keeps its file from opening. */
static int ours(const char *name)
{
    for (unsigned id = 0; id < UTET_CHECKS; id++)
        if (strcmp(name, utet_check_name(id)) == 0)
            return 1;
    return 0;
}

/* The first failing check of each golden file, as far as it is about rows and records. */
static void golden_verdicts(void **state)
{
    static report p;
    golden_list list = golden_load();
    unsigned asked = 0, bad = 0, decode = 0, waiting = 0, unopened = 0;
    (void)state;
    for (size_t i = 0; i < list.count; i++) {
        const golden_file *f = &list.files[i];
        const golden_line *verify = golden_line_of(f, "verify");
        char why[300], first[64] = "ok";
        uint8_t *bytes = golden_bytes(f, why);
        rig r;
        if (bytes == NULL || verify == NULL || strcmp(verify->word[1], "-") == 0) {
            free(bytes);
            continue;
        }
        rig_make(&r, bytes, f->size, -1);
        utet_status status = check_file(&r, 1 << 16, &p);
        if (status != UTET_END) {
            suite_check(strcmp(verify->word[1], "parse") == 0 || strcmp(verify->word[1], "ANY") == 0,
                        "%s: %s, the reference says %s", f->name, rig_status(status), verify->word[1]);
            unopened++;
        } else {
            const char *line = strstr(p.text, " error 0");
            if (line != NULL) {
                const char *begin = line;
                while (begin > p.text && begin[-1] != '\n')
                    begin--;
                snprintf(first, sizeof first, "%.*s", (int)(line - begin), begin);
            }
            suite_check((line == NULL) == (p.ok != 0), "%s: ok %d with\n%s", f->name, p.ok, p.text);
            if (strcmp(verify->word[1], "ANY") == 0) {
                suite_check(line != NULL, "%s: any failure was expected", f->name);
            } else if (golden_footer_fault(f) || golden_line_of(f, "deviates") != NULL) {
                waiting++;
            } else if (!ours(verify->word[1])) { /* chunk_decode, footer_metadata, ok */
                suite_check(line == NULL, "%s: %s, the reference says %s", f->name, first, verify->word[1]);
                decode += strcmp(verify->word[1], "ok") != 0;
            } else {
                suite_check(strcmp(first, verify->word[1]) == 0, "%s: %s, the reference says %s", f->name, first,
                            verify->word[1]);
                bad++;
            }
        }
        asked++;
        rig_end(&r, f->name);
        free(bytes);
    }
    suite_figure(
        "verdicts equal to the reference's: %u files; %u fail here, %u fail to open, %u in decoding or metadata "
        "(not asked here), %u in what only utet_meta.h reads, or they deviate on purpose",
        asked, bad, unopened, decode, waiting);
    assert_true(asked > 200 && bad > 20 && unopened > 20);
    golden_free(&list);
}

/* The value of a key in one finding of a report: copies it, without quotes. */
static void json_value(const char *from, const char *key, char *to, size_t room)
{
    const char *at = strstr(from, key);
    size_t n = 0;
    suite_check(at != NULL, "no %s in a report", key);
    for (at += strlen(key); *at == ':' || *at == '"'; at++)
        ;
    while (strchr("\",}", at[n]) == NULL && n + 1 < room) {
        to[n] = at[n];
        n++;
    }
    to[n] = 0;
}

/* The whole list of findings of the reference's reports (shared vectors), the checks that are not made here left out.
 */
static void reference_reports(void **state)
{
    static report p;
    static char expected[60000];
    const char *shared = getenv("TEST_SHARED");
    char path[1000];
    golden_list list = golden_load();
    unsigned compared = 0;
    (void)state;
    for (size_t i = 0; i < list.count; i++) {
        const golden_file *f = &list.files[i];
        char why[300], *json = NULL;
        long size = 0;
        size_t length = 0;
        rig r;
        if (golden_footer_fault(f) || golden_line_of(f, "deviates") != NULL)
            continue;
        snprintf(path, sizeof path, "%s/vectors/tet/%.*s.verify.json", shared ? shared : "", (int)strlen(f->name) - 4,
                 f->name);
        FILE *in = shared ? fopen(path, "rb") : NULL;
        if (in == NULL)
            continue;
        fseek(in, 0, SEEK_END);
        size = ftell(in);
        rewind(in);
        json = calloc(1, (size_t)size + 1);
        suite_check(json != NULL && fread(json, 1, (size_t)size, in) == (size_t)size, "%s", path);
        fclose(in);
        uint8_t *bytes = golden_bytes(f, why);
        if (bytes == NULL) {
            free(json);
            continue;
        }
        expected[0] = 0;
        for (const char *at = strstr(json, "\"findings\""); (at = strstr(at + 1, "{\"check\"")) != NULL;) {
            char name[64], severity[16], ok[8];
            json_value(at, "\"check\"", name, sizeof name);
            json_value(at, "\"severity\"", severity, sizeof severity);
            json_value(at, "\"ok\"", ok, sizeof ok);
            if (ours(name))
                length += (size_t)snprintf(expected + length, sizeof expected - length, "%s %s %d\n", name, severity,
                                           strcmp(ok, "true") == 0);
        }
        rig_make(&r, bytes, f->size, -1);
        utet_status status = check_file(&r, 4096, &p);
        if (status == UTET_END) {
            char *to = p.text; /* cut each line after its third word; ours alone go */
            for (char *line = p.text; *line != 0;) {
                char *end = strchr(line, '\n'), *cut = line;
                for (int words = 0; cut < end && words < 3; cut++)
                    words += *cut == ' ' && words < 3;
                if (cut < end)
                    cut--;
                if (strncmp(line, "payload_overlap", 15) != 0 && strncmp(line, "chunk_coords_unused", 19) != 0) {
                    memmove(to, line, (size_t)(cut - line));
                    to += cut - line;
                    *to++ = '\n';
                }
                line = end + 1;
            }
            *to = 0;
            suite_check(strcmp(p.text, expected) == 0, "%s: ours\n%sthe reference's\n%s", f->name, p.text, expected);
        } else {
            suite_check(strcmp(expected, "parse error 0\n") == 0, "%s: %s, the reference's\n%s", f->name,
                        rig_status(status), expected);
        }
        compared++;
        rig_end(&r, f->name);
        free(bytes);
        free(json);
    }
    golden_free(&list);
    suite_figure("reports of the reference compared finding by finding: %u", compared);
    if (compared == 0)
        suite_skip("suite_check reference_reports: the shared vectors are not there");
}

/* ---- the check of the test's own: everything in memory, all pairs ---- */

typedef struct row {
    uint64_t dataset, coords[8], offset, raw, stored;
    uint32_t codec;
} row;

typedef struct record {
    uint32_t dtype, ndim;
    uint64_t shape[8], chunk[8];
} record;

static row get_row(const uint8_t *index, size_t number)
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
static uint64_t tile_bytes(const record *d, const uint64_t *coords)
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

static utet_status tensor_status(const record *d, uint32_t id, const uint8_t *index, size_t rows, uint64_t *bad)
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

/* 1: the meaningful coordinates are equal; 2: all eight are. */
static int same_chunk(const row *a, const row *b, const record *records)
{
    if (a->dataset != b->dataset || memcmp(a->coords, b->coords, 8 * records[a->dataset].ndim) != 0)
        return 0;
    return memcmp(a->coords, b->coords, sizeof a->coords) == 0 ? 2 : 1;
}

/* Extents of small files only, so nothing overflows here. */
static void plain_report(const uint8_t *bytes, uint64_t size, const record *records, unsigned count, report *p)
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

/* Removes a line that begins with `name`. */
static void drop(report *p, const char *name)
{
    char *at = strstr(p->text, name);
    if (at != NULL) {
        char *end = strchr(at, '\n') + 1;
        memmove(at, end, strlen(end) + 1);
    }
}

/* What an error makes a matter of taste: overlaps beside equal offsets, twins beside true doubles. */
static void drop_taste(report *p)
{
    if (strstr(p->text, "payload_offsets") != NULL)
        drop(p, "payload_overlap");
    if (strstr(p->text, "chunk_coords error") != NULL)
        drop(p, "chunk_coords_unused");
}

/* The walk with several amounts of memory and port behaviours gives the plain report. */
static void expect_plain(uint8_t *bytes, size_t size, const record *records, unsigned count, unsigned long number)
{
    static const size_t extra[] = {0, 8, 48, 56, 104, 400, 3000, 100000};
    static report plain, p;
    rig r;
    plain_report(bytes, size, records, count, &plain);
    drop_taste(&plain);
    rig_make(&r, bytes, size, -1);
    for (size_t e = 0; e < sizeof extra / sizeof extra[0]; e++) {
        /* up to the best window the window takes it all */
        size_t work = extra[e] == 0 ? LEAST : UTET_WINDOW_BEST(1) + extra[e];
        r.port.slice = e == 1 ? 1 : e == 3 ? 61 : SLICE_ALL;
        r.port.blocks = e == 1 || e == 4;
        utet_status status = check_file(&r, work, &p);
        drop_taste(&p);
        suite_check(status == UTET_END && strcmp(p.text, plain.text) == 0,
                    "file %lu, %zu bytes beyond: %s\n%sexpected\n%s", number, extra[e], rig_status(status), p.text,
                    plain.text);
        if (p.coords_row != UTET_CHECK_NO_ROW) {
            const uint8_t *index = bytes + tetgen_get(bytes + 16, 8);
            row x = get_row(index, (size_t)p.coords_row);
            int found = 0;
            for (size_t j = 0; j < p.coords_row; j++) {
                row y = get_row(index, j);
                found |= same_chunk(&x, &y, records) == 2;
            }
            suite_check(found, "file %lu: row %llu repeats none", number, (unsigned long long)p.coords_row);
        }
    }
    faultport_map(&r.port);
    suite_check(check_file(&r, 0, &p) == UTET_END, "mapped");
    drop_taste(&p);
    suite_check(strcmp(p.text, plain.text) == 0, "file %lu, mapped:\n%sexpected\n%s", number, p.text, plain.text);
    rig_end(&r, "plain");
}

/* ---- files to check ---- */

static const tetgen_dataset sets[] = {
    {"a", 1, UTET_U8, 2, {5, 7}, {2, 3}, TETGEN_RAW},      {"bb", 2, UTET_F32, 1, {9}, {2}, TETGEN_RAW},
    {"empty", 5, UTET_I16, 2, {0, 4}, {2, 2}, TETGEN_RAW}, {"c", 1, UTET_U16, 3, {3, 4, 2}, {2, 2, 2}, TETGEN_RAW},
    {"one", 3, UTET_F64, 1, {1}, {1}, TETGEN_RAW},
};
enum { SETS = sizeof sets / sizeof sets[0] };

static void copy_records(record *to)
{
    for (unsigned d = 0; d < SETS; d++) {
        to[d].dtype = sets[d].dtype;
        to[d].ndim = sets[d].ndim;
        memcpy(to[d].shape, sets[d].shape, sizeof to[d].shape);
        memcpy(to[d].chunk, sets[d].chunk, sizeof to[d].chunk);
    }
}

/* One change to the rows; most leave the file readable and its numbers plausible. */
static void damage(uint8_t *index, size_t rows, uint64_t size, uint64_t *random)
{
    uint8_t copy[104];
    uint8_t *a = index + 32 + 104 * (size_t)(tetgen_random(random) % rows);
    uint8_t *b = index + 32 + 104 * (size_t)(tetgen_random(random) % rows);
    uint64_t dice = tetgen_random(random);
    switch (dice % 15) {
    case 0:
    case 1: /* rows change places */
        memcpy(copy, a, 104);
        memcpy(a, b, 104);
        memcpy(b, copy, 104);
        break;
    case 2: /* the same chunk twice, each with a payload of its own */
        if (tetgen_get(a + 80, 8) == tetgen_get(b + 80, 8))
            memcpy(a, b, 72);
        break;
    case 3: memcpy(a, b, 104); break;
    case 4: memcpy(a + 72, b + 72, 8); break; /* the same offset */
    case 5: tetgen_put(a + 72, tetgen_get(a + 72, 8) - (dice >> 8) % 4, 8); break;
    case 6: tetgen_put(a + 72, tetgen_get(a + 72, 8) + (dice >> 8) % 3, 8); break;
    case 7: tetgen_put(a + 64, (dice >> 8) % 3, 8); break; /* the eighth coordinate: unused everywhere */
    case 8:                                                /* twice, told apart by an unused coordinate */
        if (tetgen_get(a + 80, 8) == tetgen_get(b + 80, 8)) {
            memcpy(a, b, 72);
            tetgen_put(a + 64, 1 + (dice >> 8) % 5, 8);
        }
        break;
    case 9: tetgen_put(a + 8 + 8 * ((dice >> 8) % 3), (dice >> 16) % 4, 8); break;
    case 10: tetgen_put(a, (dice >> 8) % (SETS + 1), 8); break;
    case 11: tetgen_put(a + 80, tetgen_get(a + 80, 8) + (dice >> 8) % 2, 8); break;
    case 12: /* payloads change places */
        memcpy(copy, a + 72, 8);
        memcpy(a + 72, b + 72, 8);
        memcpy(b + 72, copy, 8);
        break;
    case 13: /* no payload at all, wherever */
        tetgen_put(a + 96, UTET_CODEC_ZSTD, 4);
        tetgen_put(a + 88, 0, 8);
        tetgen_put(a + 72, (dice >> 8) % 2 ? 0 : tetgen_get(b + 72, 8) + 1, 8);
        break;
    default:
        if ((dice >> 8) % 16 == 0)
            tetgen_put(a + 72, size - (dice >> 16) % 300, 8);
        break;
    }
}

static void random_damage(void **state)
{
    unsigned long files = suite_full() ? 20000 : suite_light() ? 150 : 700;
    record records[SETS];
    uint64_t random = 4711;
    (void)state;
    copy_records(records);
    for (unsigned long n = 0; n < files; n++) {
        tetgen g = {.datasets = sets, .count = SETS, .seed = n + 1, .shuffle = n % 3 == 1, .gaps = n % 5 == 2};
        tetgen_build(&g);
        for (uint64_t changes = tetgen_random(&random) % 4; changes > 0; changes--)
            damage(g.bytes + g.index_offset, g.row_count, g.size, &random);
        expect_plain(g.bytes, g.size, records, SETS, n);
        tetgen_free(&g);
    }
    suite_figure("files with damaged rows held against a plain check: %lu, each in 9 ways", files);
}

/* More chunks and datasets than little memory covers in a pass: one chunk twice, one offset twice or several, anywhere.
 */
static void doubles_anywhere(void **state)
{
    static const tetgen_dataset many[] = {
        {"a", 1, UTET_U8, 1, {150}, {1}, TETGEN_RAW},     {"b", 1, UTET_U8, 1, {7}, {1}, TETGEN_RAW},
        {"c", 1, UTET_U8, 2, {0, 3}, {1, 1}, TETGEN_RAW}, {"d", 1, UTET_U8, 2, {20, 10}, {1, 1}, TETGEN_RAW},
        {"e", 1, UTET_U8, 1, {1}, {1}, TETGEN_RAW},       {"f", 1, UTET_U8, 3, {4, 4, 4}, {1, 1, 1}, TETGEN_RAW},
    };
    record records[6];
    uint64_t random = 99;
    (void)state;
    for (unsigned d = 0; d < 6; d++) {
        records[d] = (record){many[d].dtype, many[d].ndim, {0}, {0}};
        memcpy(records[d].shape, many[d].shape, sizeof many[d].shape);
        memcpy(records[d].chunk, many[d].chunk, sizeof many[d].chunk);
    }
    for (unsigned long n = 0; n < (suite_full() ? 300ul : suite_light() ? 3ul : 12ul); n++) {
        tetgen g = {.datasets = many, .count = 6, .seed = n + 1, .shuffle = 1, .gaps = n % 2 == 0};
        tetgen_build(&g);
        uint8_t *rows = g.bytes + g.index_offset + 32;
        size_t a = (size_t)(tetgen_random(&random) % g.row_count), b = a;
        if (n % 3 == 0) { /* the same chunk, in one dataset */
            while (b == a || tetgen_get(rows + 104 * b, 8) != tetgen_get(rows + 104 * a, 8) ||
                   tetgen_get(rows + 104 * b, 8) == 4)
                b = (b + 1) % g.row_count, a = b == a ? (a + 1) % g.row_count : a;
            memcpy(rows + 104 * b, rows + 104 * a, 72);
        } else {
            for (uint64_t i = n % 3 == 1 ? 1 : 40; i > 0; i--) {
                a = (size_t)(tetgen_random(&random) % g.row_count);
                b = (size_t)(tetgen_random(&random) % g.row_count);
                memcpy(rows + 104 * b + 72, rows + 104 * a + 72, 8);
            }
        }
        expect_plain(g.bytes, g.size, records, 6, 800000 + n);
        tetgen_free(&g);
    }
}

/* A dataset that the bits of a pass do not cover, with another one behind it for which the table has room. */
static void bits_end_within_a_dataset(void **state)
{
    static const tetgen_dataset two[] = {{"a", 1, UTET_U8, 1, {2000}, {1}, TETGEN_RAW},
                                         {"b", 1, UTET_U8, 1, {3}, {1}, TETGEN_RAW}};
    static report p;
    uint64_t random = 5;
    (void)state;
    for (unsigned n = 0; n < 20; n++) {
        tetgen g = {.datasets = two, .count = 2, .seed = n + 1, .shuffle = 1};
        rig r;
        tetgen_build(&g);
        uint8_t *rows = g.bytes + g.index_offset + 32;
        size_t a = (size_t)(tetgen_random(&random) % g.row_count), b = (a + 1) % g.row_count;
        while (tetgen_get(rows + 104 * b, 8) != tetgen_get(rows + 104 * a, 8) || a == b)
            b = (b + 1) % g.row_count;
        memcpy(rows + 104 * b, rows + 104 * a, 72);
        rig_make(&r, g.bytes, g.size, -1);
        assert_int_equal(check_file(&r, UTET_WINDOW_BEST(1) + 160, &p), UTET_END);
        suite_check(p.coords_row == (a > b ? a : b), "rows %zu and %zu are equal, the walk says %llu", a, b,
                    (unsigned long long)p.coords_row);
        rig_end(&r, "bits");
        tetgen_free(&g);
    }
}

/* Records that make a dataset unusable; the rows stay. */
static void bad_records(void **state)
{
    static const struct {
        unsigned dataset, at; /* of the record's extents: dimension, + 8 for chunk_shape; 99 = dtype */
        uint64_t value;
    } changes[] = {{0, 99, 0}, {3, 99, 11}, {1, 8, 0},   {0, 9, 0}, {0, 1, 0},
                   {0, 1, 8},  {3, 0, 5},   {2, 99, 77}, {2, 9, 0}, {2, 0, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        tetgen g = {.datasets = sets, .count = SETS, .seed = 3};
        record records[SETS];
        size_t at = 40;
        tetgen_build(&g);
        copy_records(records);
        for (unsigned d = 0; d < changes[i].dataset; d++)
            at += ((16 + sets[d].name_length + 7) & ~(size_t)7) + 16 * sets[d].ndim;
        record *x = &records[changes[i].dataset];
        size_t extents = at + ((16 + sets[changes[i].dataset].name_length + 7) & ~(size_t)7);
        if (changes[i].at == 99) {
            tetgen_put(g.bytes + at + 4, changes[i].value, 4);
            x->dtype = (uint32_t)changes[i].value;
        } else if (changes[i].at < 8) {
            tetgen_put(g.bytes + extents + 8 * changes[i].at, changes[i].value, 8);
            x->shape[changes[i].at] = changes[i].value;
        } else {
            tetgen_put(g.bytes + extents + 8 * x->ndim + 8 * (changes[i].at - 8), changes[i].value, 8);
            x->chunk[changes[i].at - 8] = changes[i].value;
        }
        expect_plain(g.bytes, g.size, records, SETS, 900000 + i);
        tetgen_free(&g);
    }
}

/* More bytes than 2^64, with a row that says just what saturated arithmetic would give. */
static void overflowing_tensor(void **state)
{
    static const tetgen_dataset one[] = {{"a", 1, UTET_F64, 2, {1, 1}, {1, 1}, TETGEN_RAW}};
    static report p;
    tetgen g = {.datasets = one, .count = 1, .seed = 1};
    rig r;
    (void)state;
    tetgen_build(&g);
    for (unsigned i = 0; i < 4; i++)
        tetgen_put(g.bytes + 64 + 8 * i, UINT64_C(1) << 40, 8);
    tetgen_put(g.bytes + g.index_offset + 32 + 80, UINT64_MAX, 8);
    tetgen_put(g.bytes + g.index_offset + 32 + 96, UTET_CODEC_ZSTD, 4);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(check_file(&r, 4096, &p), UTET_END);
    suite_check(strstr(p.text, "dataset_tensor_bytes error 0 dataset 0 E_DATASET") != NULL, "%s", p.text);
    rig_end(&r, "overflow");
    tetgen_free(&g);
}

/* Extents are multiplied in their order, as the reference does (../shared/field/tet/cmp-3101235): a 0 behind a product
 * that has no room in 64 bits comes too late, one before it does not. Sizes of elements come last. */
static void zero_beside_an_overflow(void **state)
{
    static const tetgen_dataset one[] = {{"a", 1, UTET_F64, 3, {0, 1, 1}, {1, 1, 1}, TETGEN_RAW}};
    static const struct {
        uint64_t shape[3];
        int good;
    } cases[] = {{{UINT64_C(1) << 40, UINT64_C(1) << 40, 0}, 0},
                 {{0, UINT64_C(1) << 40, UINT64_C(1) << 40}, 1},
                 {{UINT64_C(1) << 40, 0, UINT64_C(1) << 40}, 1},
                 {{UINT64_C(1) << 62, 1, 0}, 1},
                 {{256, 0xFFFFFFFFFFFFFFF8, 0}, 0},
                 {{0, 1, 1}, 1}};
    static report p;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tetgen g = {.datasets = one, .count = 1, .seed = 1};
        rig r;

        tetgen_build(&g);
        for (unsigned d = 0; d < 3; d++)
            tetgen_put(g.bytes + 64 + 8 * d, cases[i].shape[d], 8);
        rig_make(&r, g.bytes, g.size, -1);
        assert_int_equal(check_file(&r, 4096, &p), UTET_END);
        suite_check((strstr(p.text, "dataset_tensor_bytes error 0 dataset 0 E_DATASET") == NULL) == cases[i].good,
                    "case %u: %s", (unsigned)i, p.text);
        rig_end(&r, "zero");
        tetgen_free(&g);
    }
}

/* The same chunk many times, always with other unused coordinates: the search for an exact double gives up, and the
 * verdict is that there is one. */
static void many_twins(void **state)
{
    static const tetgen_dataset line[] = {{"a", 1, UTET_U8, 1, {100}, {1}, TETGEN_RAW}};
    static report p;
    (void)state;
    for (unsigned twins = 1; twins < 20; twins++) {
        tetgen g = {.datasets = line, .count = 1, .seed = 1};
        rig r;
        tetgen_build(&g);
        for (unsigned i = 1; i <= twins; i++) {
            tetgen_put(g.bytes + g.index_offset + 32 + 104 * i + 8, 0, 8);
            tetgen_put(g.bytes + g.index_offset + 32 + 104 * i + 16, i, 8);
        }
        rig_make(&r, g.bytes, g.size, -1);
        for (size_t work = LEAST; work < 10000; work += 4500) {
            assert_int_equal(check_file(&r, work, &p), UTET_END);
            assert_int_equal(p.ok, twins < 16);
            suite_check(strstr(p.text, twins < 16 ? "chunk_coords info" : "chunk_coords error") != NULL, "%s", p.text);
            assert_non_null(strstr(p.text, "chunk_coords_unused warning 1"));
            assert_in_range(p.unused_row, 1, twins);
        }
        rig_end(&r, "twins");
        tetgen_free(&g);
    }
}

/* One dataset of 3 x 3 in tiles of 2 x 2, of 4, 2, 2 and 1 bytes, whose rows are as given: all have a length that fits
 * and in all they have the 9 bytes of the dataset. */
static void rows_of_the_right_size_in_all(void **state)
{
    static const tetgen_dataset square[] = {{"a", 1, UTET_U8, 2, {3, 3}, {2, 2}, TETGEN_RAW}};
    static const struct {
        uint64_t at[4][3], length[4]; /* three coordinates of each row */
    } files[] = {
        {{{0, 0}, {0, 0}, {1, 1}, {9, 0}}, {4, 4, 1, 0}},    /* one twice, one outside the grid */
        {{{9, 0}, {0, 0, 1}, {1, 1}, {0, 0}}, {0, 4, 1, 4}}, /* told apart by a coordinate that is not used */
        {{{9, 0}, {0, 0}, {1, 1}, {9, 0}}, {0, 4, 1, 0}},    /* too few bytes */
        {{{1, 1}, {1, 0}, {0, 1}, {0, 0}}, {1, 2, 2, 4}},    /* a permutation */
    };
    record records[1] = {{UTET_U8, 2, {3, 3}, {2, 2}}};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        tetgen g = {.datasets = square, .count = 1, .seed = 1};
        tetgen_build(&g);
        uint8_t *at = g.bytes + g.index_offset + 32;
        uint64_t payload = tetgen_get(at + 72, 8);
        for (unsigned n = 0; n < 4; n++, at += 104) {
            for (unsigned d = 0; d < 3; d++)
                tetgen_put(at + 8 + 8 * d, files[i].at[n][d], 8);
            tetgen_put(at + 72, payload, 8);
            tetgen_put(at + 80, files[i].length[n], 8);
            tetgen_put(at + 88, files[i].length[n], 8);
            payload += files[i].length[n];
        }
        expect_plain(g.bytes, g.size, records, 1, 950000 + i);
        tetgen_free(&g);
    }
}

/* Of rows that belong to no dataset the first is named. */
static void the_first_stray_row_is_named(void **state)
{
    static report p;
    tetgen g = {.datasets = sets, .count = SETS, .seed = 3};
    rig r;
    (void)state;
    tetgen_build(&g);
    for (unsigned n = 5; n < 9; n++)
        tetgen_put(g.bytes + g.index_offset + 32 + 104 * n, SETS + n % 3, 8);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(check_file(&r, 4096, &p), UTET_END);
    suite_check(strstr(p.text, "chunk_dataset_ids error 0 row 5 E_ROW") != NULL, "%s", p.text);
    rig_end(&r, "strays");
    tetgen_free(&g);
}

/* ---- protocol and cost ---- */

/* A budget below the least window keeps the catalogue (utet_open), and so the check, in the object's own few words. */
static void a_budget_below_the_window(void **state)
{
    static report plain, p;
    tetgen g = {.datasets = sets, .count = SETS, .seed = 3, .shuffle = 1};
    record records[SETS];
    utet_status status;
    rig r;
    (void)state;
    tetgen_build(&g);
    copy_records(records);
    plain_report(g.bytes, g.size, records, SETS, &plain);
    rig_make(&r, g.bytes, g.size, -1);
    for (size_t budget = 1; budget < 2 * LEAST; budget += 61) {
        assert_int_equal(rig_open(&r, 4096, budget), UTET_OK);
        canary_fill(r.work.data + UTET_OPEN_WORK(1), r.work.size - UTET_OPEN_WORK(1));
        status = walk(&r, &p);
        suite_check(status == UTET_END && strcmp(p.text, plain.text) == 0, "budget %zu: %s\n%s", budget,
                    rig_status(status), p.text);
        assert_true(canary_intact(r.work.data + UTET_OPEN_WORK(1), r.work.size - UTET_OPEN_WORK(1)));
    }
    rig_end(&r, "budget");
    tetgen_free(&g);
}

/* Empty datasets behind the last row cost the search for doubles no passes, however many there are and however little
 * memory: 40 bits of the object's own are enough for all the chunks. */
static void empty_datasets_at_the_end(void **state)
{
    enum { MANY = 300 };
    static tetgen_dataset many[MANY];
    tetgen g = {.datasets = many, .count = MANY, .seed = 3};
    utet_check check;
    utet_finding f;
    uint64_t before = 0;
    rig r;
    (void)state;
    for (unsigned i = 0; i < MANY; i++)
        many[i] = (tetgen_dataset){"x", 1, UTET_U8, 1, {i == 0 ? 40 : 0}, {1}, TETGEN_RAW};
    tetgen_build(&g);
    tetgen_put(g.bytes + g.index_offset + 32 + 8, 1, 8); /* the first two chunks change places */
    tetgen_put(g.bytes + g.index_offset + 32 + 104 + 8, 0, 8);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(rig_open(&r, LEAST, (size_t)-1), UTET_OK);
    utet_check_init(&check, &r.file);
    do {
        DRIVE_OK(utet_check_next(&check, &f));
        if (f.check == UTET_CHECK_DATASET_TENSOR_BYTES)
            before = r.port.bytes_read;
    } while (f.check != UTET_CHECK_CHUNK_COORDS);
    before = r.port.bytes_read - before;
    suite_check(before < 3 * 104 * 40, "%llu bytes", (unsigned long long)before);
    rig_end(&r, "empty");
    tetgen_free(&g);
}

/* A walk whose medium changes under it, at the read number `when`: nothing is promised about the findings, but it stays
 * within its memory and comes to an end. Returns whether the walk came so far. */
static int walk_on_shifting_ground(const tetgen *g, size_t work, unsigned long when, uint8_t *at, uint64_t value)
{
    uint64_t was = tetgen_get(at, 8);
    utet_check check;
    utet_finding f;
    utet_status status;
    unsigned findings = 0;
    unsigned long reads = 0;
    rig r;
    rig_make(&r, g->bytes, g->size, -1);
    assert_int_equal(rig_open(&r, work, (size_t)-1), UTET_OK);
    r.port.blocks = 1;
    utet_check_init(&check, &r.file);
    do {
        status = utet_check_next(&check, &f);
        if (status == UTET_WOULD_BLOCK && reads++ == when)
            tetgen_put(at, value, 8);
        findings += status == UTET_OK;
    } while ((status == UTET_OK || status == UTET_WOULD_BLOCK) && findings < 100);
    suite_check(status == UTET_END || status == UTET_E_DATASET, "ends with %s after %u findings", rig_status(status),
                findings);
    tetgen_put(at, was, 8);
    rig_end(&r, "shifting ground");
    return reads > when;
}

static void a_medium_that_changes(void **state)
{
    static const struct {
        size_t row, field; /* of row 1; row 0: of the first record's extents */
        uint64_t value;
    } changes[] = {{0, 0, 1}, {0, 0, 5000}, {0, 16, 0}, {1, 0, 99}, {1, 8, UINT64_MAX}, {1, 72, 3}};
    tetgen g = {.datasets = sets, .count = SETS, .seed = 8, .shuffle = 1};
    (void)state;
    tetgen_build(&g);
    uint8_t *row1 = g.bytes + g.index_offset + 32 + 104;
    for (int twice = 0; twice < 2; twice++) { /* then with an offset that is there twice at first */
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
            for (size_t work = LEAST; work < LEAST + 1000; work += 700) {
                uint8_t *at = (changes[i].row ? row1 : g.bytes + 64) + changes[i].field;
                unsigned long when = 0;
                while (walk_on_shifting_ground(&g, work, when, at, changes[i].value))
                    when += twice && i == 5 ? 1 : suite_light() ? 23 : 5;
                suite_check(when > 3, "too few reads");
            }
        memcpy(row1 + 72, row1 + 72 + 104 * 6, 8);
    }
    tetgen_free(&g);
}

/* Truncation and bit flips of rows and records: an answer, always; the same suspended or not, with little memory or
 * much. */
static void flipped_bits(void **state)
{
    static report p, q;
    tetgen g = {.datasets = sets, .count = SETS, .seed = 8, .shuffle = 1};
    rig r;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    size_t end = g.index_offset + 32 + 104 * g.row_count;
    for (size_t bit = 32 * 8; bit < 8 * end; bit += suite_full() ? 1 : suite_light() ? 13 : 3) {
        g.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        r.port.slice = SLICE_ALL;
        r.port.blocks = 0;
        utet_status a = check_file(&r, 8192, &p);
        r.port.slice = 31;
        r.port.blocks = 1;
        utet_status b = check_file(&r, LEAST + bit % 100, &q);
        drop_taste(&p);
        drop_taste(&q);
        suite_check(a == b && (a != UTET_END || strcmp(p.text, q.text) == 0), "bit %zu: %s, %s\n%s, then\n%s", bit,
                    rig_status(a), rig_status(b), p.text, q.text);
        g.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    rig_end(&r, "flips");
    tetgen_free(&g);
}

static void faults_everywhere(void **state)
{
    static report clean, p;
    unsigned long injected = 0;
    (void)state;
    for (int shuffle = 0; shuffle < 2; shuffle++) {
        tetgen g = {.datasets = sets, .count = SETS, .seed = 8, .shuffle = shuffle, .gaps = shuffle};
        rig r;
        tetgen_build(&g);
        rig_make(&r, g.bytes, g.size, -1);
        for (size_t work = LEAST; work < 2000; work += 900) {
            r.port.fault = FAULT_NONE;
            assert_int_equal(check_file(&r, work, &clean), UTET_END);
            uint64_t reads = r.port.reads;
            for (uint64_t at = 0; at < reads; at += 1 + reads / 300)
                for (int kind = FAULT_ERROR; kind < FAULT_KINDS; kind++) {
                    faultport_rewind(&r.port);
                    r.port.fault = (fault_kind)kind;
                    r.port.fault_at = at;
                    utet_status status = check_file(&r, work, &p);
                    utet_status expected = kind == FAULT_ERROR ? FAULTPORT_ERROR
                                           : kind == FAULT_EOF ? UTET_E_SHORT
                                                               : UTET_END;
                    suite_check(status == expected, "%s at read %llu: %s", fault_names[kind], (unsigned long long)at,
                                rig_status(status));
                    suite_check(status != UTET_END || strcmp(p.text, clean.text) == 0,
                                "%s at read %llu: another report", fault_names[kind], (unsigned long long)at);
                    suite_check(kind < FAULT_BLOCK_ONCE || r.port.reads == reads, "%s: %llu reads, clean %llu",
                                fault_names[kind], (unsigned long long)r.port.reads, (unsigned long long)reads);
                    injected++;
                }
        }
        rig_end(&r, "faults");
        tetgen_free(&g);
    }
    suite_figure("faults injected into checks: %lu", injected);
}

/* A stream opened between two findings takes the memory away; the walk says so instead of using it. After the last
 * finding that needs it, streams are free. A fault of the medium does not end a walk. */
static void protocol(void **state)
{
    tetgen g = {.datasets = sets, .count = SETS, .seed = 8, .shuffle = 1};
    rig r;
    utet_check check;
    utet_finding f;
    utet_chunk chunk;
    utet_stream stream;
    utet_status status;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    rig_start(&r, 4096, GUARD_AFTER);
    utet_check_init(&check, &r.file);
    assert_int_equal(utet_check_next(&check, &f), UTET_E_STATE); /* not open */
    DRIVE_OK(utet_open(&r.file, &(utet_options){.budget = (size_t)-1}));
    utet_check_init(&check, &r.file);
    r.port.fault = FAULT_ERROR;
    r.port.fault_at = r.port.reads + 1;
    DRIVE(status, utet_check_next(&check, &f));
    assert_int_equal(status, FAULTPORT_ERROR);
    for (;;) {
        DRIVE_OK(utet_check_next(&check, &f));
        if (f.check == UTET_CHECK_DATASET_TENSOR_BYTES)
            break;
    }
    assert_int_equal(f.dataset, 0);
    DRIVE_OK(utet_row_first(&r.file, &chunk));
    DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
    DRIVE(status, utet_check_next(&check, &f));
    assert_int_equal(status, UTET_E_STATE);

    utet_check_init(&check, &r.file);
    do
        DRIVE_OK(utet_check_next(&check, &f));
    while (f.check != UTET_CHECK_CHUNK_COORDS);
    DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
    do
        DRIVE_OK(utet_check_next(&check, &f));
    while (f.check != UTET_CHECK_DATASET_COUNT);
    DRIVE(status, utet_check_next(&check, &f));
    assert_int_equal(status, UTET_END);

    r.port.blocks = 1; /* cancelled in the middle, then on */
    utet_check_init(&check, &r.file);
    do
        status = utet_check_next(&check, &f);
    while (status == UTET_OK);
    assert_int_equal(status, UTET_WOULD_BLOCK);
    assert_int_equal(utet_dataset_first(&r.file, &(utet_dataset){0}), UTET_E_STATE);
    assert_int_equal(utet_cancel(&r.file), UTET_OK);
    r.port.blocks = 0;
    do
        DRIVE(status, utet_check_next(&check, &f));
    while (status == UTET_OK);
    assert_int_equal(status, UTET_END);
    assert_string_equal(utet_check_name(UTET_CHECKS), "unknown");
    rig_end(&r, "protocol");
    tetgen_free(&g);
}

/* Cancelled anywhere between the first finding that needs memory and the last, while a stream takes that away. */
static void memory_taken_anywhere(void **state)
{
    tetgen g = {.datasets = sets, .count = SETS, .seed = 8, .shuffle = 1, .gaps = 1};
    unsigned long taken = 0, at = 0;
    int over = 0;
    rig r;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    while (!over) {
        utet_check check;
        utet_finding f;
        utet_chunk chunk;
        utet_stream stream;
        utet_status status;
        int lent = 0;
        unsigned long calls = 0;
        r.port.blocks = 0;
        /* too little for the records to be kept, so that they are read between rows */
        assert_int_equal(rig_open(&r, UTET_WINDOW_BEST(1) + 400, (size_t)-1), UTET_OK);
        DRIVE_OK(utet_row_first(&r.file, &chunk));
        r.port.blocks = 1;
        utet_check_init(&check, &r.file);
        do {
            f.check = UTET_CHECKS;
            status = utet_check_next(&check, &f);
            lent |= status == UTET_OK && f.check == UTET_CHECK_DATASET_TENSOR_BYTES;
            over = status == UTET_OK && f.check == UTET_CHECK_CHUNK_COORDS;
        } while (!over && (!lent || status == UTET_OK || calls++ < at));
        if (!over) {
            assert_int_equal(status, UTET_WOULD_BLOCK);
            assert_int_equal(utet_cancel(&r.file), UTET_OK);
            r.port.blocks = 0;
            DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
            DRIVE(status, utet_check_next(&check, &f));
            suite_check(status == UTET_E_STATE, "suspension %lu: %s", at, rig_status(status));
            taken++;
        }
        at++;
    }
    suite_check(taken > 20, "cancelled %lu times only", taken);
    rig_end(&r, "memory taken");
    tetgen_free(&g);
}

/* Rows alone, as the reference on opening: the first bad one, with its place. */
static void rows_alone(void **state)
{
    static const struct {
        unsigned field, bytes;
        uint64_t value;
    } bad[] = {{96, 4, 2}, {80, 8, 1000}, {88, 8, 3}, {72, 8, 1u << 20}, {72, 8, UINT64_MAX}};
    tetgen g = {.datasets = sets, .count = SETS, .seed = 8};
    rig r;
    utet_check check;
    utet_status status;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    for (size_t i = 0; i <= 5; i++)
        for (unsigned blocks = 0; blocks < 2; blocks++) {
            uint8_t *at = g.bytes + g.index_offset + 32 + 104 * 4, saved[104];
            memcpy(saved, at, 104);
            if (i < 5)
                tetgen_put(at + bad[i].field, bad[i].value, bad[i].bytes);
            r.port.blocks = blocks;
            r.port.slice = blocks ? 7 : SLICE_ALL;
            assert_int_equal(rig_open(&r, LEAST, (size_t)-1), UTET_OK);
            utet_check_init(&check, &r.file);
            DRIVE(status, utet_check_rows(&check));
            assert_int_equal(status, i < 5 ? UTET_E_ROW : UTET_OK);
            if (i < 5)
                assert_in_range(r.file.error_offset, (uint64_t)(at - g.bytes), (uint64_t)(at - g.bytes) + 103);
            memcpy(at, saved, 104);
        }
    rig_end(&r, "rows");
    tetgen_free(&g);
}

/* A canonical file of a million rows (50,000 in the short tier): one pass, whatever the window; no memory beyond it. */
static void one_pass(void **state)
{
    static report p;
    tetsparse s;
    rig r;
    (void)state;
    uint64_t rows = suite_light() ? 50000 : 1000000;
    tetsparse_make(&s, rows, 4, 1);
    rig_make(&r, NULL, s.size, -1);
    r.port.fetch = tetsparse_fetch;
    r.port.medium = &s;
    assert_int_equal(check_file(&r, UTET_WINDOW_BEST(1), &p), UTET_END);
    assert_int_equal(p.ok, 1);
    suite_figure("%llu canonical rows: %llu reads, %.3f times the index, window %u", (unsigned long long)rows,
                 (unsigned long long)r.port.reads, (double)r.port.bytes_read / (104.0 * (double)rows),
                 UTET_WINDOW_BEST(1));
    assert_true(r.port.bytes_read < 104 * rows + 100000);
    assert_true(r.file.high_water <= UTET_WINDOW_BEST(1));
    rig_end(&r, "million");
}

/* Rows that belong to several datasets by turns: with memory for the records none is read again, so the work is that of
 * the rows of one dataset. */
static void rows_by_turns(void **state)
{
    static const tetgen_dataset three[] = {{"a", 1, UTET_U8, 1, {500}, {1}, TETGEN_RAW},
                                           {"b", 1, UTET_U8, 1, {500}, {1}, TETGEN_RAW},
                                           {"c", 1, UTET_U8, 1, {500}, {1}, TETGEN_RAW}};
    static report p;
    tetgen g = {.datasets = three, .count = 3, .seed = 5, .shuffle = 1, .gaps = 1};
    rig r;
    double passes;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(check_file(&r, UTET_WINDOW_BEST(1) + 32000, &p), UTET_END);
    assert_true(p.ok);
    passes = (double)r.port.bytes_read / (104.0 * 1500);
    suite_figure("1500 shuffled rows of 3 datasets, 32000 bytes behind the window: %.1f passes", passes);
    suite_check(passes <= 5, "%.1f passes", passes);
    rig_end(&r, "by turns");
    tetgen_free(&g);
}

/* Shuffled rows and payloads: passes as the header says, fewer with more workspace. */
static void several_passes(void **state)
{
    static const tetgen_dataset line[] = {{"a", 1, UTET_U8, 1, {4000}, {1}, TETGEN_RAW}};
    static report p;
    tetgen g = {.datasets = line, .count = 1, .seed = 5, .shuffle = 1, .gaps = 1};
    rig r;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    for (size_t spare = 1000; spare <= 64000; spare *= 8) {
        assert_int_equal(check_file(&r, UTET_WINDOW_BEST(1) + spare, &p), UTET_END);
        assert_int_equal(p.ok, 1);
        double passes = (double)r.port.bytes_read / (104.0 * 4000);
        double stated = 1 + 1 + (double)(4000 * 16 / spare + 1) + (double)(4000 / (4 * spare) + 1) + 0.1;
        suite_figure("4000 shuffled rows, %zu bytes behind the window: %.1f passes", spare, passes);
        suite_check(passes <= stated, "%.1f passes, stated %.1f", passes, stated);
    }
    rig_end(&r, "passes");
    tetgen_free(&g);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(golden_verdicts),
        cmocka_unit_test(reference_reports),
        cmocka_unit_test(random_damage),
        cmocka_unit_test(bad_records),
        cmocka_unit_test(overflowing_tensor),
        cmocka_unit_test(zero_beside_an_overflow),
        cmocka_unit_test(many_twins),
        cmocka_unit_test(doubles_anywhere),
        cmocka_unit_test(bits_end_within_a_dataset),
        cmocka_unit_test(flipped_bits),
        cmocka_unit_test(faults_everywhere),
        cmocka_unit_test(protocol),
        cmocka_unit_test(rows_alone),
        cmocka_unit_test(one_pass),
        cmocka_unit_test(rows_by_turns),
        cmocka_unit_test(several_passes),
        cmocka_unit_test(rows_of_the_right_size_in_all),
        cmocka_unit_test(the_first_stray_row_is_named),
        cmocka_unit_test(a_budget_below_the_window),
        cmocka_unit_test(empty_datasets_at_the_end),
        cmocka_unit_test(a_medium_that_changes),
        cmocka_unit_test(memory_taken_anywhere),
    };
    return SUITE("check", cases);
}
