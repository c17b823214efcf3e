/* What the comparisons of utet verify --deep share: decoding, elements as numbers, words. */
#include "verify_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

utet_status chunk_decode(verification *v, const utet_chunk *chunk, chunk_sink sink, void *ctx)
{
    utet_stream stream;
    utet_status status = utet_stream_open(&stream, &v->s->file, chunk);
    size_t got;

    while (status == UTET_OK) {
        status = utet_stream_read(&stream, v->buffer, SLICE, &got);
        if (status == UTET_OK && sink != 0)
            sink(ctx, v->buffer, got);
    }
    return status == UTET_END ? UTET_OK : status;
}

uint64_t element_load(const utet_dataset *dataset, const uint8_t *at)
{
    uint64_t element = 0;
    unsigned i;

    for (i = dataset->elem_size; i > 0; i--)
        element = element << 8 | at[i - 1];
    return element;
}

int element_is_nan(const utet_dataset *dataset, uint64_t element)
{
    switch (dataset->dtype) {
    case UTET_F16: return (element & 0x7FFF) > 0x7C00;
    case UTET_F32: return (element & 0x7FFFFFFF) > 0x7F800000;
    case UTET_F64: return (element & UINT64_C(0x7FFFFFFFFFFFFFFF)) > UINT64_C(0x7FF0000000000000);
    default: return 0;
    }
}

void element_text(const utet_dataset *dataset, uint64_t element, char *text)
{
    uint8_t bytes[8];
    unsigned i;

    for (i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(element >> (8 * i));
    (void)utet_show_text(dataset->dtype, bytes, text, UTET_SHOW_SIZE, 0);
}

/* ---- the fill value ---- */

/* A float as f16, rounded to even. */
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
    else /* a carry of the rounding goes into the exponent, as it should */
        bits = ((uint64_t)(exponent + 14) << 10) + (uint64_t)nearbyint(ldexp(size, 10 - exponent));
    return bits | (signbit(number) ? 0x8000 : 0);
}

/* Text to element, as generously as the C library reads: to take a value for null that is none hides no more than
 * faults about that value. */
static int parse_fill(const char *text, uint32_t dtype, uint64_t *element)
{
    const int is_float = dtype == UTET_F16 || dtype == UTET_F32 || dtype == UTET_F64;
    const float narrow = strtof(text, 0);
    const double wide = strtod(text, 0);
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

utet_status fill_value(verification *v, const utet_about *about, int *has_fill, uint64_t *fill)
{
    const unsigned bits = 8u * about->dataset->elem_size;
    char text[MOST_TEXT];
    utet_status status;

    *has_fill = 0;
    *fill = 0;
    if (about->fill.kind == UTET_NONE)
        return UTET_OK;
    status = read_text(v, about->fill, text, 0);
    if (status == UTET_OK)
        *has_fill = parse_fill(text, about->dataset->dtype, fill);
    if (bits < 64)
        *fill &= (UINT64_C(1) << bits) - 1;
    return status;
}

/* ---- words ---- */

utet_status read_text(verification *v, utet_value text, char *buffer, size_t *length)
{
    size_t got;
    const utet_status status = utet_text_read(&v->meta, &text, buffer, MOST_TEXT - 1, &got);

    if (status != UTET_OK && status != UTET_END)
        return status;
    buffer[got] = '\0';
    if (length != 0)
        *length = got;
    return UTET_OK;
}

char *coords_text(char *buffer, const utet_dataset *dataset, const uint64_t *coords)
{
    buffer[0] = '[';
    (void)shape_text(buffer + 1, coords, dataset->ndim, ", ");
    return strcat(buffer, "]");
}

utet_status dataset_at(verification *v, uint64_t id)
{
    utet_status status = UTET_OK;

    if (id >= v->s->file.dataset_count)
        return UTET_E_NOT_FOUND;
    if (id < v->dataset.id)
        status = utet_dataset_first(&v->s->file, &v->dataset);
    while (status == UTET_OK && v->dataset.id < id)
        status = utet_dataset_next(&v->s->file, &v->dataset);
    return status;
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
                   "%" PRIu64 " %s(s) agree with the data, %" PRIu64 " belong to nothing in the file", all->compared,
                   what, all->strays);
    else
        report_add(v->r, check, UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "%" PRIu64 " %s(s) agree with the data",
                   all->compared, what);
}
