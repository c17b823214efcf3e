/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet verify: the checks of utet_check.h, and between its findings the checks that the library leaves to the
 * application: decoding chunks, and the footer's metadata. Checks, their order and where they stop are those of the
 * reference (src/tet/FORMAT.md §16).
 */
#include "info/info.h"
#include "shared/kept.h"
#include "shared/metadata.h"
#include "shared/seen.h"
#include "tensogram/tensogram.h"
#include "verify_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SPELLED 320u     /* a name of 64 bytes in which every byte is escaped */
#define SOME_CHUNKS 128u /* number of chunks decoded without --deep */

/* ---- decoding ---- */

/* Computes a workspace that suffices for all `rows` chunks. Damaged headers of a chunk are reported when it is
 * decoded. */
static utet_status measure(source *s, uint64_t rows, uint64_t *bytes)
{
    utet_chunk chunk;
    utet_need need;
    utet_status status = rows > 0 ? utet_row_first(&s->file, &chunk) : UTET_END;
    seen payloads;
    int known;

    *bytes = UTET_OPEN_WORK(1);
    seen_begin(&payloads, 0, SEEN_MOST);
    for (; status == UTET_OK && chunk.row < rows; status = utet_row_next(&s->file, &chunk)) {
        (void)seen_again(&payloads, &chunk, 0, &known);
        if (known)
            continue;
        status = utet_chunk_need(&s->file, &chunk, 0, &need);
        if (is_medium_error(status))
            break;
        if (status == UTET_OK && *bytes < need.best)
            *bytes = need.best < TOOL_MOST_WORKSPACE ? need.best : TOOL_MOST_WORKSPACE;
    }
    seen_end(&payloads);
    return status == UTET_END || !is_medium_error(status) ? UTET_OK : status;
}

/* The result of decoding a chunk. */
typedef struct outcome {
    uint64_t error_offset;
    uint64_t needed;
    utet_status status;
    int has_checksum;
} outcome;

/* Decodes a chunk if its payload is new; otherwise returns the result for this payload. */
static outcome decode_once(verification *v, seen *payloads, const utet_chunk *chunk)
{
    const utet_file *const file = &v->s->file;
    outcome now;
    int known;
    outcome *const before = seen_again(payloads, chunk, 0, &known);

    if (known)
        return *before;
    now.status = chunk_decode(v, chunk, NULL, NULL);
    now.error_offset = file->error_offset;
    now.needed = file->needed;
    now.has_checksum = chunk->codec == UTET_CODEC_ZSTD && chunk_has_checksum(v->s, chunk) > 0;
    if (before != NULL)
        *before = now;
    return now;
}

/* Returns 1 if the decoder does not verify checksums: it is the built-in one, built with UTET_ZSTD_CHECKSUM 0. */
static int skips_checksums(const source *s)
{
    return kept_inner(s->decoded) == &utet_codec_zstd_small &&
           strstr(utet_build_info(), "zstd checksums not verified") != NULL;
}

static utet_status decode_rows(verification *v, uint64_t rows)
{
    const int skips = skips_checksums(v->s);
    utet_file *file = &v->s->file;
    utet_chunk chunk;
    utet_status status = rows > 0 ? utet_row_first(file, &chunk) : UTET_END;
    seen payloads;
    progress line;

    progress_begin(&line, "decoding", rows);
    seen_begin(&payloads, sizeof(outcome), SEEN_MOST);
    for (; status == UTET_OK && chunk.row < rows; status = utet_row_next(file, &chunk)) {
        const outcome bad = decode_once(v, &payloads, &chunk);

        progress_at(&line, chunk.row);
        if (is_medium_error(bad.status)) {
            status = bad.status;
            break;
        }
        v->r->decoded++;
        v->r->agree += bad.status == UTET_OK && bad.has_checksum && !skips;
        v->r->skipped += bad.status == UTET_OK && bad.has_checksum && skips;
        v->r->bare += !bad.has_checksum;
        if (bad.status == UTET_E_BUDGET)
            report_add(v->r, "chunk_decode", UTET_SEVERITY_ERROR, bad.status, chunk.payload_offset,
                       "chunk %" PRIu64 ": needs %" PRIu64 " bytes of workspace, utet gives at most %" PRIu64,
                       chunk.row, bad.needed, TOOL_MOST_WORKSPACE);
        else if (bad.status != UTET_OK)
            report_add(v->r, "chunk_decode", UTET_SEVERITY_ERROR, bad.status, bad.error_offset, "chunk %" PRIu64 ": %s",
                       chunk.row, utet_strerror(bad.status));
    }
    seen_end(&payloads);
    progress_end(&line);
    return status == UTET_END ? UTET_OK : status;
}

/* Decodes all chunks, or the first ones. */
static int decode_chunks(verification *v)
{
    const uint64_t all = v->s->file.row_count;
    const uint64_t rows = v->opt->deep || all <= SOME_CHUNKS ? all : SOME_CHUNKS;
    const size_t before = v->r->count;
    uint64_t bytes;
    utet_status status;

    v->r->chunks = all;
    if (rows < all)
        report_add(v->r, "chunk_decode_skipped", UTET_SEVERITY_WARNING, UTET_OK, NO_OFFSET,
                   "%" PRIu64 " of %" PRIu64 " chunks are not decoded (--deep decodes all)", all - rows, all);
    status = measure(v->s, rows, &bytes);
    if (status == UTET_OK && (v->s->work_length < bytes || v->s->file.budget < bytes))
        status = source_open(v->s, bytes, bytes);
    if (status == UTET_OK)
        status = decode_rows(v, rows);
    if (status != UTET_OK)
        return source_fail(v->s, status);
    if (v->r->count == before + (rows < all))
        report_add(v->r, "chunk_decode", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "decoded %" PRIu64 " chunk(s)", rows);
    v->r->deep = rows == all;
    return TOOL_OK;
}

/* ---- findings ---- */

/* Copies the beginning of a name for a message: at most 64 bytes, complete characters. */
static utet_status short_name(verification *v, char *spelled)
{
    char name[65];
    size_t length = v->dataset.name_length < 64 ? v->dataset.name_length : 64;
    utet_status status = length == 0 ? UTET_OK : utet_dataset_name(&v->s->file, &v->dataset, 0, name, length);

    if (length < v->dataset.name_length) {
        while (length > 0 && ((unsigned char)name[length - 1] & 0xC0) == 0x80)
            length--;
        length -= length > 0; /* the lead byte, or one ASCII character */
    }
    if (status == UTET_OK)
        spell_zeros(spelled, SPELLED, name, length);
    return status;
}

static const char *tensor_fault(utet_status status)
{
    switch (status) {
    case UTET_E_DTYPE: return "unknown dtype";
    case UTET_E_DATASET: return "chunk_shape with a 0, or a size beyond 2^64 bytes";
    case UTET_E_MISSING: return "rows are missing for some of its chunks";
    default: return "there is a row too many, or raw_byte_len is not the size of the tile";
    }
}

/* Reports the finding on one dataset. Datasets come in the order of the directory. */
static utet_status tensor_finding(verification *v, const utet_finding *f)
{
    uint64_t bytes;
    char name[SPELLED];
    utet_status status = f->dataset == 0 ? utet_dataset_first(&v->s->file, &v->dataset)
                                         : utet_dataset_next(&v->s->file, &v->dataset);
    unsigned d;

    if (status == UTET_OK)
        status = short_name(v, name);
    if (status != UTET_OK)
        return status;
    bytes = v->dataset.elem_size;
    for (d = 0; d < v->dataset.ndim; d++)
        bytes *= v->dataset.shape[d];
    if (f->ok)
        report_add(v->r, utet_check_name(f->check), f->severity, UTET_OK, NO_OFFSET,
                   "dataset %" PRIu32 " (\"%s\"): %" PRIu64 " chunk(s), %" PRIu64 " B", f->dataset, name,
                   chunk_count(&v->dataset), bytes);
    else if (f->row != UTET_CHECK_NO_ROW)
        report_add(v->r, utet_check_name(f->check), f->severity, f->status, f->offset,
                   "dataset %" PRIu32 " (\"%s\") chunk %" PRIu64 ": %s", f->dataset, name, f->row,
                   tensor_fault(f->status));
    else
        report_add(v->r, utet_check_name(f->check), f->severity, f->status, f->offset != 0 ? f->offset : NO_OFFSET,
                   "dataset %" PRIu32 " (\"%s\"): %s", f->dataset, name, tensor_fault(f->status));
    return UTET_OK;
}

static const char *words_for(const utet_finding *f)
{
    switch (f->check) {
    case UTET_CHECK_CHUNK_PAYLOADS: return "index spans validated";
    case UTET_CHECK_CHUNK_DATASET_IDS: return f->ok ? "" : "belongs to no dataset";
    case UTET_CHECK_PAYLOAD_OFFSETS: return "has the payload_offset of an earlier one";
    case UTET_CHECK_CHUNK_COORDS: return f->ok ? "" : "has the coordinates of an earlier one";
    case UTET_CHECK_PAYLOAD_ORDER: return "gaps, or payloads in another order: harmless, readers go by the rows";
    case UTET_CHECK_PAYLOAD_OVERLAP: return "payloads share bytes with one another or with the index";
    case UTET_CHECK_CHUNK_COORDS_UNUSED: return "differs from an earlier one in unused coordinates only";
    default: return f->ok ? "" : utet_strerror(f->status);
    }
}

static void plain_finding(verification *v, const utet_finding *f)
{
    const char *const words = words_for(f);
    const uint64_t offset = f->offset != 0 ? f->offset : NO_OFFSET;
    char row[FAULT_WORDS];

    if (f->check == UTET_CHECK_PARSE)
        report_add(v->r, utet_check_name(f->check), f->severity, f->status, offset, "%s",
                   fault_words(row, v->s, f->status, offset, v->s->file.footer_offset));
    else if (f->row != UTET_CHECK_NO_ROW)
        report_add(v->r, utet_check_name(f->check), f->severity, f->status, offset, "chunk %" PRIu64 ": %s", f->row,
                   words);
    else
        report_add(v->r, utet_check_name(f->check), f->severity, f->status, offset, "%s", words);
}

/* ---- the footer ---- */

/* Returns the fault for which the reference refuses to open the file, or UTET_OK. */
static utet_status parse_footer(verification *v)
{
    const utet_file *const file = &v->s->file;
    utet_status status;
    char words[FAULT_WORDS];

    (void)utet_meta_open(&v->meta, &v->s->file); /* utet_meta_strict knows what it returned */
    status = utet_meta_strict(&v->meta);
    v->r->in_footer = status == UTET_E_METADATA && file->error_offset >= file->footer_offset &&
                      (v->meta.spills[UTET_SPILL_METADATA].offset == 0 ||
                       v->meta.spills[UTET_SPILL_METADATA].length != 0);
    if (status == UTET_E_ROW)
        report_add(v->r, "parse", UTET_SEVERITY_ERROR, status, file->error_offset, "%s",
                   fault_words(words, v->s, status, file->error_offset, v->meta.payload_limit));
    else if (status == UTET_E_METADATA)
        report_add(v->r, "parse", UTET_SEVERITY_ERROR, status, file->error_offset, "%s: %s", region_of(status),
                   utet_strerror(status));
    return status;
}

/* Checks zone maps and indexes. An unusable one is a warning, because readers need not use them (D9 of
 * src/tet/FORMAT.md). */
static utet_status spill_finding(verification *v, const utet_span *span, const char *check, utet_status status)
{
    if (status == UTET_E_METADATA || (span->offset != 0 && span->length == 0))
        report_add(v->r, check, UTET_SEVERITY_WARNING, UTET_OK, NO_OFFSET, "not usable: %s",
                   span->length == 0 ? "its position is not before the footer"
                                     : "it is damaged, or of a newer version");
    else if (status == UTET_OK || (status == UTET_E_NOT_FOUND && span->length != 0))
        report_add(v->r, check, UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "%" PRIu64 " bytes", span->length);
    return status == UTET_E_METADATA || status == UTET_E_NOT_FOUND ? UTET_OK : status;
}

static utet_status spill_findings(verification *v)
{
    utet_dataset_meta described;
    utet_status status;

    memset(&described, 0, sizeof described);
    described.dataset = &v->dataset;
    v->has_zones = utet_zones_open(&v->meta, &described, &v->zones);
    status = spill_finding(v, &v->meta.spills[UTET_SPILL_ZONES], "footer_zone_maps", v->has_zones);
    if (status != UTET_OK)
        return status;
    v->has_indexes = utet_index_entries(&v->meta, &v->indexes);
    return spill_finding(v, &v->meta.spills[UTET_SPILL_INDEXES], "footer_indexes", v->has_indexes);
}

static utet_status footer_findings(verification *v)
{
    const utet_file *const f = &v->s->file;
    const int there = f->history_version != 0;
    utet_status status = utet_meta_check_limits(&v->meta);

    if (there)
        report_add(v->r, "footer", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET,
                   "version %" PRIu32 ", %" PRIu64 " bytes of JSON", f->history_version, f->footer_length);
    else
        report_add(v->r, "footer", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "absent");
    if (status == UTET_E_METADATA) {
        report_add(v->r, "footer_metadata", UTET_SEVERITY_ERROR, status, f->error_offset,
                   "a text or the number of entries is beyond the limits for metadata");
        return UTET_OK;
    }
    if (status != UTET_OK)
        return status;
    v->r->history_events = v->meta.history.size;
    v->r->has_metadata = v->meta.file_info.kind != UTET_VALUE_NONE || v->meta.datasets.size != 0;
    v->r->complete = 1;
    report_add(v->r, "footer_metadata", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "%s",
               v->r->has_metadata ? "within the limits" : "no metadata");
    return there ? spill_findings(v) : UTET_OK;
}

static int data_findings(verification *v)
{
    int result;

    if (v->meta.spills[UTET_SPILL_ZONES].length == 0 && v->meta.spills[UTET_SPILL_INDEXES].length == 0)
        return TOOL_OK;
    result = subjects_begin(v);
    if (result == TOOL_OK)
        result = zones_data(v);
    if (result == TOOL_OK)
        result = indexes_data(v);
    subjects_end(v);
    return result;
}

/* Returns TOOL_OK even if there are bad findings; prints an error line if the medium fails. */
static int walk_checks(verification *v)
{
    utet_check check;
    utet_finding f;
    utet_status status;

    utet_check_init(&check, &v->s->file);
    while ((status = utet_check_next(&check, &f)) == UTET_OK) {
        if (f.check == UTET_CHECK_SUPERBLOCK) { /* the rest of what opening checks */
            status = parse_footer(v);
            if (status == UTET_E_ROW || status == UTET_E_METADATA)
                return TOOL_OK;
            if (status != UTET_OK)
                return source_fail(v->s, status);
        }
        if (f.check == UTET_CHECK_DATASET_TENSOR_BYTES) {
            status = tensor_finding(v, &f);
            if (status != UTET_OK)
                return source_fail(v->s, status);
        } else if (f.check == UTET_CHECK_DATASET_COUNT) { /* the last one */
            if (decode_chunks(v) != TOOL_OK)
                return TOOL_ERROR;
            plain_finding(v, &f);
            status = footer_findings(v);
            if (status != UTET_OK)
                return source_fail(v->s, status);
            return v->opt->deep && v->r->complete ? data_findings(v) : TOOL_OK;
        } else {
            plain_finding(v, &f);
        }
    }
    return status == UTET_END ? TOOL_OK : source_fail(v->s, status);
}

/* Opens the file with enough memory to check rows in any order in few passes. */
static utet_status open_for_checks(source *s)
{
    uint64_t bytes = UTET_OPEN_WORK(1);
    utet_status status = source_open(s, bytes, bytes);

    if (status != UTET_OK)
        return status;
    bytes += (uint64_t)s->file.dataset_count * 1024 + s->file.row_count * 16;
    if (bytes > TOOL_MOST_WORKSPACE / 4)
        bytes = TOOL_MOST_WORKSPACE / 4;
    return source_open(s, bytes, bytes);
}

static int run(source *s, const options *opt, report *r)
{
    const utet_status status = open_for_checks(s);
    char words[FAULT_WORDS];

    if (status == UTET_OK) {
        verification *const v = calloc(1, sizeof *v); /* too large for small stacks */
        int result;

        if (v == NULL)
            return fail(s->path, NULL, NO_OFFSET, "not enough memory");
        v->s = s;
        v->opt = opt;
        v->r = r;
        result = walk_checks(v);
        free(v);
        return result;
    }
    if (is_medium_error(status) || status > UTET_E_SHORT)
        return source_fail(s, status);
    report_add(r, "parse", UTET_SEVERITY_ERROR, status, s->file.error_offset, "%s: %s", region_of(status),
               fault_words(words, s, status, s->file.error_offset, s->file.footer_offset));
    return TOOL_OK;
}

static int verify_one(const options *opt)
{
    report r;
    source s;
    int result;

    memset(&r, 0, sizeof r);
    result = source_prepare(&s, opt);
    if (result == TOOL_OK && is_tensogram(&s)) {
        source_end(&s);
        return tensogram_verify(opt);
    }
    if (result == TOOL_OK && opt->deep)
        ahead_whole(&s.reading);
    if (result == TOOL_OK)
        result = run(&s, opt, &r);
    if (result == TOOL_OK && r.failed)
        result = fail(opt->file, NULL, NO_OFFSET, "not enough memory for the report");
    if (result == TOOL_OK) {
        const note *const error = report_error(&r);

        (opt->json ? report_json : report_text)(&r, &s);
        if (s.packed != NULL && !opt->json)
            printf("%s: the hashes in the package's MANIFEST.json are not checked\n", opt->file);
        result = finish_stdout(TOOL_OK);
        if (result == TOOL_OK && error != NULL)
            result = fail(opt->file, error->check, error->offset, "%s",
                          error->detail != NULL ? error->detail : "failed");
    }
    report_end(&r);
    source_end(&s);
    return result;
}

/* Verifies all files. The exit status is the worst one. */
int command_verify(const options *opt)
{
    options one = *opt;
    int result = TOOL_OK;
    int i;

    for (i = 0; i < opt->file_count; i++) {
        one.file = opt->files[i];
        if (verify_one(&one) != TOOL_OK)
            result = TOOL_ERROR;
        if (i + 1 < opt->file_count && !opt->json)
            putchar('\n');
    }
    return result;
}
