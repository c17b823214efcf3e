/*
 * utet verify: the whole-file verdict of utet_check.h, and between its findings what is left to the application: decoding
 * chunks, and the footer's metadata. Same checks, order and stops as the reference (tet-v1 §16).
 */
#include "utet_meta.h"
#include "verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SOME_CHUNKS 128u /* decoded without --deep */
#define SLICE ((size_t)64 << 10)

typedef struct walk {
    source *s;
    const options *opt;
    report *r;
    utet_dataset dataset; /* of the last tensor finding */
    utet_meta meta;
} walk;

/* ---- decoding ---- */

/* UTET_OK, or what is wrong with the chunk. */
static utet_status decode(utet_file *file, const utet_chunk *chunk, uint8_t *buffer)
{
    utet_stream stream;
    utet_status status = utet_stream_open(&stream, file, chunk);
    size_t got;

    while (status == UTET_OK)
        status = utet_stream_read(&stream, buffer, SLICE, &got);
    return status == UTET_END ? UTET_OK : status;
}

/* The workspace that all `rows` chunks can do with; a chunk whose headers are damaged says so when it is decoded. */
static utet_status measure(source *s, uint64_t rows, uint64_t *bytes)
{
    utet_chunk chunk;
    utet_need need;
    utet_status status = rows > 0 ? utet_chunk_first(&s->file, &chunk) : UTET_END;

    *bytes = UTET_OPEN_WORK(1);
    for (; status == UTET_OK && chunk.row < rows; status = utet_chunk_next(&s->file, &chunk)) {
        status = utet_chunk_need(&s->file, &chunk, 0, &need);
        if (status <= UTET_E_PORT || status == UTET_E_SHORT)
            return status;
        if (status == UTET_OK && *bytes < need.best)
            *bytes = need.best < TOOL_MOST_WORKSPACE ? need.best : TOOL_MOST_WORKSPACE;
    }
    return status == UTET_END ? UTET_OK : status;
}

static utet_status decode_rows(walk *w, uint64_t rows, uint8_t *buffer)
{
    utet_file *file = &w->s->file;
    utet_chunk chunk;
    utet_status status = rows > 0 ? utet_chunk_first(file, &chunk) : UTET_END;
    progress line;

    progress_begin(&line, "decoding", rows);
    for (; status == UTET_OK && chunk.row < rows; status = utet_chunk_next(file, &chunk)) {
        const utet_status bad = decode(file, &chunk, buffer);

        progress_at(&line, chunk.row);
        if (bad <= UTET_E_PORT || bad == UTET_E_SHORT) {
            status = bad;
            break;
        }
        if (bad == UTET_E_BUDGET)
            report_add(w->r, "chunk_decode", UTET_SEVERITY_ERROR, bad, chunk.payload_offset,
                       "chunk %" PRIu64 ": takes %" PRIu64 " bytes of workspace, utet gives at most %" PRIu64, chunk.row,
                       (uint64_t)file->needed, TOOL_MOST_WORKSPACE);
        else if (bad != UTET_OK)
            report_add(w->r, "chunk_decode", UTET_SEVERITY_ERROR, bad, file->error_offset, "chunk %" PRIu64 ": %s",
                       chunk.row, utet_strerror(bad));
    }
    progress_end(&line);
    return status == UTET_END ? UTET_OK : status;
}

/* All chunks, or the first of them. */
static int decode_chunks(walk *w)
{
    const uint64_t all = w->s->file.row_count;
    const uint64_t rows = w->opt->deep || all <= SOME_CHUNKS ? all : SOME_CHUNKS;
    const size_t before = w->r->count;
    uint8_t *const buffer = malloc(SLICE);
    uint64_t bytes;
    utet_status status;

    if (buffer == 0)
        return fail(w->s->path, 0, NO_OFFSET, "not enough memory");
    if (rows < all)
        report_add(w->r, "chunk_decode_skipped", UTET_SEVERITY_WARNING, UTET_OK, NO_OFFSET,
                   "%" PRIu64 " of %" PRIu64 " chunks are not decoded (--deep decodes all)", all - rows, all);
    status = measure(w->s, rows, &bytes);
    if (status == UTET_OK)
        status = source_open(w->s, bytes, bytes);
    if (status == UTET_OK)
        status = decode_rows(w, rows, buffer);
    free(buffer);
    if (status != UTET_OK)
        return source_fail(w->s, status);
    if (w->r->count == before + (rows < all))
        report_add(w->r, "chunk_decode", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "decoded %" PRIu64 " chunk(s)", rows);
    w->r->deep = w->opt->deep;
    return TOOL_OK;
}

/* ---- findings ---- */

/* The start of a name for a sentence: at most 64 bytes, whole characters. */
static utet_status short_name(walk *w, char *name)
{
    size_t length = w->dataset.name_length < 64 ? w->dataset.name_length : 64;
    utet_status status = length == 0 ? UTET_OK : utet_dataset_name(&w->s->file, &w->dataset, 0, name, length);

    if (length < w->dataset.name_length) {
        while (length > 0 && ((unsigned char)name[length - 1] & 0xC0) == 0x80)
            length--;
        length -= length > 0; /* the lead byte, or one ASCII character */
    }
    name[length] = '\0';
    return status;
}

static const char *tensor_fault(utet_status status)
{
    switch (status) {
    case UTET_E_DTYPE: return "unknown dtype";
    case UTET_E_DATASET: return "chunk_shape with a 0, or a size beyond 2^64 bytes";
    case UTET_E_MISSING: return "rows are missing for some of its chunks";
    default: return "a row too many, or its raw_byte_len is not the size of its tile";
    }
}

/* The finding on one dataset; they come in the order of the directory. */
static utet_status tensor_finding(walk *w, const utet_finding *f)
{
    uint64_t chunks = 1;
    uint64_t bytes;
    char name[65];
    utet_status status = f->dataset == 0 ? utet_dataset_first(&w->s->file, &w->dataset)
                                         : utet_dataset_next(&w->s->file, &w->dataset);
    unsigned d;

    if (status == UTET_OK)
        status = short_name(w, name);
    if (status != UTET_OK)
        return status;
    bytes = w->dataset.elem_size;
    for (d = 0; d < w->dataset.ndim; d++) {
        chunks *= w->dataset.grid[d];
        bytes *= w->dataset.shape[d];
    }
    if (f->ok)
        report_add(w->r, utet_check_name(f->check), f->severity, UTET_OK, NO_OFFSET,
                   "dataset %" PRIu32 " (\"%s\"): %" PRIu64 " chunk(s), %" PRIu64 " B", f->dataset, name, chunks, bytes);
    else if (f->row != UTET_CHECK_NO_ROW)
        report_add(w->r, utet_check_name(f->check), f->severity, f->status, f->offset,
                   "dataset %" PRIu32 " (\"%s\") chunk %" PRIu64 ": %s", f->dataset, name, f->row, tensor_fault(f->status));
    else
        report_add(w->r, utet_check_name(f->check), f->severity, f->status, f->offset != 0 ? f->offset : NO_OFFSET,
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
    case UTET_CHECK_PAYLOAD_ORDER: return "payloads are not one behind the other in the order of the rows";
    case UTET_CHECK_PAYLOAD_OVERLAP: return "payloads share bytes with one another or with the index";
    case UTET_CHECK_CHUNK_COORDS_UNUSED: return "differs from an earlier one in unused coordinates only";
    default: return f->ok ? "" : utet_strerror(f->status);
    }
}

static void plain_finding(walk *w, const utet_finding *f)
{
    const char *const words = words_for(f);
    const uint64_t offset = f->offset != 0 ? f->offset : NO_OFFSET;

    if (f->row != UTET_CHECK_NO_ROW)
        report_add(w->r, utet_check_name(f->check), f->severity, f->status, offset, "chunk %" PRIu64 ": %s", f->row, words);
    else
        report_add(w->r, utet_check_name(f->check), f->severity, f->status, offset, "%s", words);
}

/* ---- the footer ---- */

/* The first row whose payload reaches into a spill (tet-v1 §6.3): UTET_E_ROW. */
static utet_status rows_fit(walk *w)
{
    utet_chunk chunk;
    utet_status status = UTET_END;

    if (w->meta.payload_limit < w->s->file.footer_offset)
        status = utet_chunk_first(&w->s->file, &chunk);
    for (; status == UTET_OK; status = utet_chunk_next(&w->s->file, &chunk)) {
        if (chunk.payload_offset + chunk.stored_byte_len > w->meta.payload_limit) {
            report_add(w->r, "parse", UTET_SEVERITY_ERROR, UTET_E_ROW, NO_OFFSET,
                       "chunk %" PRIu64 ": its payload ends beyond %" PRIu64 ", where footer and spills begin", chunk.row,
                       w->meta.payload_limit);
            return UTET_E_ROW;
        }
    }
    return status == UTET_END ? UTET_OK : status;
}

/* What the reference refuses to open for; UTET_OK when that is nothing. */
static utet_status parse_footer(walk *w)
{
    const utet_status metadata = utet_meta_open(&w->meta, &w->s->file);
    const uint64_t offset = w->s->file.error_offset;
    utet_status status;

    if (metadata != UTET_OK && metadata != UTET_E_METADATA)
        return metadata;
    w->r->footer_offset = w->s->file.footer_offset;
    status = rows_fit(w);
    if (status == UTET_OK && metadata != UTET_OK) {
        report_add(w->r, "parse", UTET_SEVERITY_ERROR, metadata, offset, "%s: %s", region_of(metadata),
                   utet_strerror(metadata));
        return metadata;
    }
    return status;
}

/* Zone maps and indexes: what cannot be used is a warning, for nobody has to use them (ours; deviation T3). */
static utet_status spill_finding(walk *w, const utet_span *span, const char *check, utet_status status)
{
    if (status == UTET_E_METADATA || (span->offset != 0 && span->length == 0))
        report_add(w->r, check, UTET_SEVERITY_WARNING, UTET_OK, NO_OFFSET, "not usable: %s",
                   span->length == 0 ? "it does not lie in front of the footer" : "it is damaged, or newer");
    else if (status == UTET_OK || (status == UTET_E_NOT_FOUND && span->length != 0))
        report_add(w->r, check, UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "%" PRIu64 " bytes", span->length);
    return status == UTET_E_METADATA || status == UTET_E_NOT_FOUND ? UTET_OK : status;
}

static utet_status spill_findings(walk *w)
{
    utet_about about;
    utet_zones zones;
    utet_value chunks;
    utet_status status;

    memset(&about, 0, sizeof about);
    about.dataset = &w->dataset;
    status = utet_zones_open(&w->meta, &about, &zones);
    status = spill_finding(w, &w->meta.zones, "footer_zone_maps", status);
    if (status != UTET_OK)
        return status;
    status = utet_index_label(&w->meta, &about, 0, "", 0, &chunks); /* reads all of it */
    return spill_finding(w, &w->meta.indexes, "footer_indexes", status);
}

static utet_status footer_findings(walk *w)
{
    const utet_file *const f = &w->s->file;
    const int there = f->history_version != 0;
    utet_status status = utet_meta_check_limits(&w->meta);

    if (there)
        report_add(w->r, "footer", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "version %" PRIu32 ", %" PRIu64 " bytes of JSON",
                   f->history_version, f->footer_length);
    else
        report_add(w->r, "footer", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "absent");
    if (status == UTET_E_METADATA) {
        report_add(w->r, "footer_metadata", UTET_SEVERITY_ERROR, status, f->error_offset,
                   "a text or the number of entries is beyond the limits for metadata");
        return UTET_OK;
    }
    if (status != UTET_OK)
        return status;
    w->r->history_events = w->meta.history.size;
    w->r->has_metadata = w->meta.facts.kind != UTET_NONE || w->meta.datasets.size != 0;
    w->r->complete = 1;
    report_add(w->r, "footer_metadata", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "%s",
               w->r->has_metadata ? "within the limits" : "no metadata");
    return there ? spill_findings(w) : UTET_OK;
}

/* TOOL_OK also when there are bad findings; an error line when the medium fails. */
static int walk_checks(walk *w)
{
    utet_check check;
    utet_finding f;
    utet_status status;

    utet_check_begin(&check, &w->s->file);
    while ((status = utet_check_next(&check, &f)) == UTET_OK) {
        if (f.check == UTET_CHECK_SUPERBLOCK) { /* rows and footer tail are right: the rest of what opening means */
            status = parse_footer(w);
            if (status == UTET_E_ROW || status == UTET_E_METADATA)
                return TOOL_OK;
            if (status != UTET_OK)
                return source_fail(w->s, status);
        }
        if (f.check == UTET_CHECK_DATASET_TENSOR_BYTES) {
            status = tensor_finding(w, &f);
            if (status != UTET_OK)
                return source_fail(w->s, status);
        } else if (f.check == UTET_CHECK_DATASET_COUNT) { /* the last one */
            if (decode_chunks(w) != TOOL_OK)
                return TOOL_ERROR;
            plain_finding(w, &f);
            status = footer_findings(w);
            return status == UTET_OK ? TOOL_OK : source_fail(w->s, status);
        } else {
            plain_finding(w, &f);
        }
    }
    return status == UTET_END ? TOOL_OK : source_fail(w->s, status);
}

/* Opens with memory that lets disordered files be checked in few passes. */
static utet_status open_for_checks(source *s)
{
    uint64_t bytes = UTET_OPEN_WORK(1);
    utet_status status = source_open(s, bytes, bytes);

    if (status != UTET_OK)
        return status;
    bytes += (uint64_t)s->file.dataset_count * 32 + s->file.row_count * 16;
    if (bytes > TOOL_MOST_WORKSPACE / 4)
        bytes = TOOL_MOST_WORKSPACE / 4;
    return source_open(s, bytes, bytes);
}

static int run(source *s, const options *opt, report *r)
{
    const utet_status status = open_for_checks(s);
    walk w;

    memset(&w, 0, sizeof w);
    w.s = s;
    w.opt = opt;
    w.r = r;
    if (status == UTET_OK)
        return walk_checks(&w);
    if (status <= UTET_E_PORT || status > UTET_E_SHORT)
        return source_fail(s, status);
    report_add(r, "parse", UTET_SEVERITY_ERROR, status, s->file.error_offset, "%s: %s", region_of(status),
               utet_strerror(status));
    return TOOL_OK;
}

int command_verify(const options *opt)
{
    report r;
    source s;
    int result;

    memset(&r, 0, sizeof r);
    result = source_prepare(&s, opt);
    if (result == TOOL_OK)
        result = run(&s, opt, &r);
    if (result == TOOL_OK && r.failed)
        result = fail(opt->file, 0, NO_OFFSET, "not enough memory for the report");
    if (result == TOOL_OK) {
        const note *const error = report_error(&r);

        (opt->json ? report_json : report_text)(&r, &s);
        result = finish_stdout(TOOL_OK);
        if (result == TOOL_OK && error != 0)
            result = fail(opt->file, error->check, error->offset, "%s", error->detail != 0 ? error->detail : "failed");
    }
    report_end(&r);
    source_end(&s);
    return result;
}
