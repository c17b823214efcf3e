/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shared by the comparisons of utet verify --deep: decoding, elements as numbers, texts. */
#include "verify_data.h"
#include "document.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

utet_status chunk_decode(verification *v, const utet_chunk *chunk, chunk_sink sink, void *ctx)
{
    utet_stream stream;
    utet_status status = utet_stream_open(&stream, &v->s->file, chunk);
    size_t got;

    while (status == UTET_OK) {
        status = utet_stream_read(&stream, v->buffer, SLICE, &got);
        if (status == UTET_OK && sink != NULL)
            sink(ctx, v->buffer, got);
        if (status == UTET_OK && chunk->codec == UTET_CODEC_RAW && !v->opt->deep)
            return UTET_OK; /* a raw payload that exists cannot be wrong */
    }
    return status == UTET_END ? UTET_OK : status;
}

uint64_t element_load(const utet_dataset *dataset, const uint8_t *at)
{
    return load_le(at, dataset->elem_size);
}

int element_is_nan(const utet_dataset *dataset, uint64_t element)
{
#define FRACTION_ROW(tag, number, name, bytes, kind, fraction) [number] = fraction,
    static const uint8_t fractions[] = {UTET_DTYPES(FRACTION_ROW)};
    const uint64_t most = (UINT64_C(1) << (8 * dataset->elem_size - 1)) - 1; /* all bits but the sign */

    if (!UTET_IS_FLOAT(dataset->dtype))
        return 0;
    return (element & most) > most >> fractions[dataset->dtype] << fractions[dataset->dtype];
}

void element_text(const utet_dataset *dataset, uint64_t element, char *text)
{
    uint8_t bytes[8];
    unsigned i;

    for (i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(element >> (8 * i));
    (void)utet_show_text(dataset->dtype, bytes, text, UTET_SHOW_SIZE, NULL);
}

/* ---- what the metadata say about a dataset ---- */

typedef struct naming {
    uint64_t hash;    /* hash of the name */
    uint64_t order;   /* of equal names the last one counts, as for utet_meta_dataset */
    utet_value entry; /* position in the metadata's datasets, from this one on */
} naming;

#define PIECE 1024u

static uint64_t hashed(uint64_t hash, const char *text, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    return hash;
}

static int by_hash(const void *a, const void *b)
{
    const naming *const x = a;
    const naming *const y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Reads the names of the metadata's datasets in one pass. */
static utet_status go_over_names(verification *v, document *d)
{
    const utet_span file = {0, v->s->port.io.size};
    json_value list = {UTET_VALUE_MAP, 0, v->meta.datasets.value, 0};
    json_value name;
    json_value value;
    char piece[PIECE];
    size_t got;

    document_begin(d, v->s, &file);
    while (v->name_count < v->meta.datasets.size) {
        naming *const one = &v->names[v->name_count];

        one->entry = v->meta.datasets;
        one->entry.value = document_end(d, &list);
        one->entry.priv.begun = v->name_count > 0;
        one->entry.size = 1;
        one->order = v->name_count;
        one->hash = v->salt;
        if (!document_next(d, &list, &name, &value))
            break;
        do {
            document_text(d, &name, piece, sizeof piece, &got);
            one->hash = hashed(one->hash, piece, got);
        } while (got > 0);
        v->name_count++;
    }
    return d->status;
}

/* Lists the metadata's datasets, sorted by the hashes of their names. */
static utet_status read_names(verification *v)
{
    document *d;
    utet_status status = UTET_OK;

    v->salt = (uint64_t)time(NULL) * UINT64_C(0x9E3779B97F4A7C15) ^ (uintptr_t)v;
    if (v->meta.datasets.kind != UTET_VALUE_MAP)
        return UTET_OK;
    d = malloc(sizeof *d); /* too large for small stacks */
    v->names = calloc((size_t)v->meta.datasets.size + 1, sizeof *v->names);
    if (d != NULL && v->names != NULL) {
        status = go_over_names(v, d);
        qsort(v->names, v->name_count, sizeof *v->names, by_hash);
    } else { /* each dataset reads all of the metadata */
        free(v->names);
        v->names = NULL;
    }
    free(d);
    return status;
}

/* Returns the last entry with the hash; NULL: no entry has it, so the name does not exist. */
static const naming *naming_at(const verification *v, uint64_t hash)
{
    size_t low = 0;
    size_t high = v->name_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (v->names[middle].hash <= hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && v->names[low - 1].hash == hash ? &v->names[low - 1] : NULL;
}

static utet_status find_meta(verification *v, const subject *of, utet_dataset_meta *meta)
{
    const utet_value all = v->meta.datasets;
    const naming *found;
    utet_status status = UTET_OK;
    char piece[PIECE];
    uint64_t hash = v->salt;
    uint32_t at;

    if (v->names == NULL)
        return utet_meta_dataset(&v->meta, &of->dataset, meta);
    for (at = 0; at < of->dataset.name_length && status == UTET_OK; at += PIECE) {
        const uint32_t rest = of->dataset.name_length - at;
        const size_t length = rest < PIECE ? rest : PIECE;

        status = utet_dataset_name(&v->s->file, &of->dataset, at, piece, length);
        hash = hashed(hash, piece, length);
    }
    found = naming_at(v, hash);
    if (status == UTET_OK && found != NULL) { /* equal hashes, perhaps of different names */
        v->meta.datasets = found->entry;
        status = utet_meta_dataset(&v->meta, &of->dataset, meta);
        v->meta.datasets = all;
        if (status != UTET_E_NOT_FOUND)
            return status;
        return utet_meta_dataset(&v->meta, &of->dataset, meta);
    }
    memset(meta, 0, sizeof *meta);
    meta->dataset = &of->dataset;
    return status == UTET_OK ? UTET_E_NOT_FOUND : status;
}

utet_status subject_meta(verification *v, const subject *of, utet_dataset_meta *meta)
{
    const utet_status status = find_meta(v, of, meta);

    return status == UTET_E_NOT_FOUND ? UTET_OK : status; /* empty then */
}

/* ---- the fill value ---- */

/* Converts a float to f16, rounded to nearest, ties to even. */
static uint64_t to_f16(float number)
{
    const double size = fabs((double)number);
    int exponent;
    uint64_t bits;

    (void)frexp(size, &exponent);
    exponent = exponent - 1 < -14 || size == 0 ? -14 : exponent - 1;
    if (isnan(number))
        bits = 0x7E00;
    else if (size >= 65520)
        bits = 0x7C00;
    else /* a carry of the rounding correctly increases the exponent */
        bits = ((uint64_t)(exponent + 14) << 10) + (uint64_t)nearbyint(ldexp(size, 10 - exponent));
    return bits | (signbit(number) ? 0x8000 : 0);
}

/* Converts text to an element, as leniently as the C library. A value that is wrongly treated as null can only hide
 * faults about this value. */
static int parse_fill(const char *text, uint32_t dtype, uint64_t *element)
{
    const int is_float = UTET_IS_FLOAT(dtype);
    const float narrow = strtof(text, NULL);
    const double wide = strtod(text, NULL);
    uint32_t bits;
    char *end;

    if (is_float)
        (void)strtod(text, &end);
    else if (text[strspn(text, " \t")] == '-')
        *element = (uint64_t)strtoll(text, &end, 10);
    else
        *element = strtoull(text, &end, 10);
    if (dtype == UTET_F16)
        *element = to_f16(narrow);
    if (dtype == UTET_F32) {
        memcpy(&bits, &narrow, sizeof bits);
        *element = bits;
    }
    if (dtype == UTET_F64)
        memcpy(element, &wide, sizeof *element);
    return end != text;
}

utet_status fill_value(verification *v, subject *of)
{
    const unsigned bits = 8u * of->dataset.elem_size;
    char text[MOST_TEXT];
    utet_dataset_meta described;
    utet_status status;

    if (of->is_fill_known)
        return UTET_OK;
    status = subject_meta(v, of, &described);
    if (status != UTET_OK)
        return status;
    of->is_fill_known = 1;
    if (described.fill.kind == UTET_VALUE_NONE)
        return UTET_OK;
    status = read_text(v, described.fill, text, NULL);
    if (status == UTET_OK)
        of->has_fill = parse_fill(text, of->dataset.dtype, &of->fill);
    if (bits < 64)
        of->fill &= (UINT64_C(1) << bits) - 1;
    return status;
}

/* ---- datasets and chunks, in any order ---- */

subject *subject_at(verification *v, uint64_t id)
{
    return id < v->s->file.dataset_count ? &v->subjects[id] : NULL;
}

uint64_t chunk_count(const utet_dataset *dataset)
{
    uint64_t count = 1;
    unsigned d;

    for (d = 0; d < dataset->ndim; d++)
        count *= dataset->grid[d];
    return count;
}

uint64_t chunk_number(const utet_dataset *dataset, const uint64_t *coords)
{
    uint64_t number = 0;
    unsigned d;

    for (d = 0; d < dataset->ndim; d++) {
        if (coords[d] >= dataset->grid[d])
            return UINT64_MAX;
        number = number * dataset->grid[d] + coords[d];
    }
    return number;
}

utet_status chunk_at(verification *v, const subject *of, uint64_t number, utet_chunk *chunk)
{
    const uint64_t rows = v->s->file.row_count;
    const uint64_t row = number < rows && of->first + number < rows ? v->rows[of->first + number] : 0;

    if (row == 0)
        return UTET_E_MISSING;
    chunk->row = row - 2; /* the one before */
    return row == 1 ? utet_row_first(&v->s->file, chunk) : utet_row_next(&v->s->file, chunk);
}

/* Reads all records and numbers their chunks. Earlier checks have found the rows of each dataset complete. */
static utet_status read_subjects(verification *v)
{
    utet_dataset dataset;
    utet_status status = utet_dataset_first(&v->s->file, &dataset);
    uint64_t first = 0;

    for (; status == UTET_OK; status = utet_dataset_next(&v->s->file, &dataset)) {
        v->subjects[dataset.id].dataset = dataset;
        v->subjects[dataset.id].first = first;
        first += chunk_count(&dataset);
    }
    return status == UTET_END ? UTET_OK : status;
}

/* Of several rows for a chunk, stores the one at the predicted position, or else the first. */
static utet_status read_rows(verification *v)
{
    const uint64_t rows = v->s->file.row_count;
    utet_chunk chunk;
    utet_status status = utet_row_first(&v->s->file, &chunk);

    for (; status == UTET_OK; status = utet_row_next(&v->s->file, &chunk)) {
        const subject *const of = subject_at(v, chunk.dataset_id);
        const uint64_t number = of != NULL ? chunk_number(&of->dataset, chunk.coords) : UINT64_MAX;

        if (number < rows && of->first + number < rows) {
            uint64_t *const known = &v->rows[of->first + number];

            if (*known == 0 || of->first + number == chunk.row)
                *known = chunk.row + 1;
        }
    }
    return status == UTET_END ? UTET_OK : status;
}

int subjects_begin(verification *v)
{
    const uint64_t rows = v->s->file.row_count;
    utet_status status;

    v->subjects = calloc((size_t)v->s->file.dataset_count + 1, sizeof *v->subjects);
    if (rows < SIZE_MAX / sizeof *v->rows)
        v->rows = calloc((size_t)rows + 1, sizeof *v->rows);
    if (v->subjects == NULL || v->rows == NULL)
        return fail(v->s->path, NULL, NO_OFFSET, "not enough memory");
    status = read_subjects(v);
    if (status == UTET_OK)
        status = read_rows(v);
    if (status == UTET_OK)
        status = read_names(v);
    return status == UTET_OK ? TOOL_OK : source_fail(v->s, status);
}

void subjects_end(verification *v)
{
    free(v->subjects);
    free(v->names);
    free(v->rows);
}

/* ---- words ---- */

utet_status read_text(verification *v, utet_value text, char *buffer, size_t *length)
{
    size_t got;
    const utet_status status = utet_text_read(&v->meta, &text, buffer, MOST_TEXT - 1, &got);

    if (status != UTET_OK && status != UTET_END)
        return status;
    buffer[got] = '\0';
    if (length != NULL)
        *length = got;
    return UTET_OK;
}

char *coords_text(char *buffer, const utet_dataset *dataset, const uint64_t *coords)
{
    buffer[0] = '[';
    (void)shape_text(buffer + 1, coords, dataset->ndim, ", ");
    return strcat(buffer, "]");
}

void verdict_fault(verdict *all, const char *format, ...)
{
    va_list list;

    if (all->faults++ > 0)
        return;
    va_start(list, format);
    (void)vsnprintf(all->first, sizeof all->first, format, list);
    va_end(list);
}

void verdict_report(verification *v, const verdict *all, const char *check, const char *what, const utet_span *where)
{
    if (all->faults > 0)
        report_add(v->r, check, UTET_SEVERITY_ERROR, UTET_E_METADATA, where->offset,
                   "%s; %" PRIu64 " fault%s in %" PRIu64 " %s(s)", all->first, all->faults, all->faults == 1 ? "" : "s",
                   all->compared, what);
    else if (all->strays > 0)
        report_add(v->r, check, UTET_SEVERITY_WARNING, UTET_OK, NO_OFFSET,
                   "%" PRIu64 " %s(s) agree with the data, %" PRIu64
                   " are for chunks or datasets that the file does not have",
                   all->compared, what, all->strays);
    else
        report_add(v->r, check, UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "%" PRIu64 " %s(s) agree with the data",
                   all->compared, what);
}
