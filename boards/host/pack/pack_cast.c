/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Elements stored in another dtype than the input's: --dtype, --scale, and int8, which .tet does not have. All elements
 * are looked at before the first is written: one that does not fit is refused, and rounding is reported. */
#define _XOPEN_SOURCE 700
#include "shared/number.h"
#include "pack.h"
#include "utet_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_BYTES ((uint64_t)1 << 20) /* read at once while looking */
#define NAN_HERE 3                     /* follows NUMBER_BEYOND */

static uint8_t size_of(uint32_t from)
{
    return from == PACK_I8 ? 1 : pack_elem_size(from);
}

/* ---- one element ---- */

static void read_integer(decimal *n, uint64_t bits, int negative)
{
    n->negative = negative;
    n->magnitude = negative ? 0 - bits : bits;
    n->whole = n->fits = n->integer = 1;
    n->value = negative ? -(double)n->magnitude : (double)n->magnitude;
    n->narrow = negative ? -(float)n->magnitude : (float)n->magnitude;
    n->exact = fabs(n->value) < 18446744073709551616.0 && (uint64_t)fabs(n->value) == n->magnitude;
}

static void read_element(decimal *n, uint32_t from, const uint8_t *at)
{
    const uint8_t size = size_of(from);
    uint64_t bits;

    memset(n, 0, sizeof *n);
    n->kind = NUMBER_FINITE;
    if (UTET_IS_FLOAT(from)) {
        (void)utet_show_double(from, at, &n->value);
        n->narrow = (float)n->value;
        n->negative = signbit(n->value) != 0;
        n->kind = isnan(n->value) ? NUMBER_NAN : isinf(n->value) ? NUMBER_INFINITE : NUMBER_FINITE;
        n->whole = n->kind == NUMBER_FINITE && floor(n->value) >= n->value;
        n->fits = n->whole && fabs(n->value) < 18446744073709551616.0;
        n->magnitude = n->fits ? (uint64_t)fabs(n->value) : 0;
        n->exact = n->whole;
        return;
    }
    bits = load_le(at, size);
    if (from == PACK_I8 || from == UTET_I16 || from == UTET_I32 || from == UTET_I64) {
        const uint64_t sign = (uint64_t)1 << (8 * size - 1);

        bits = (bits ^ sign) - sign;
        read_integer(n, bits, bits >> 63 != 0);
    } else {
        read_integer(n, bits, 0);
    }
}

/* How far a stored float is from the number. */
static double distance(const decimal *n, uint32_t to, uint64_t bits)
{
    uint8_t element[8];
    double kept;

    store_le(element, bits, 8);
    (void)utet_show_double(to, element, &kept);
    if (!n->integer)
        return fabs(kept - n->value);
    kept = fabs(kept);
    if (kept >= 18446744073709551616.0)
        return (double)(0 - n->magnitude);
    return (uint64_t)kept > n->magnitude ? (double)((uint64_t)kept - n->magnitude)
                                         : (double)(n->magnitude - (uint64_t)kept);
}

static int store_scaled(const pack_cast *c, const decimal *n, uint32_t to, uint64_t *bits, double *error)
{
    const double least = to == UTET_U8 ? 0 : -32767;
    const double most = to == UTET_U8 ? 254 : 32767;
    const double code = nearbyint((n->value - c->offset) / c->scale);

    if (n->kind != NUMBER_FINITE || !(code >= least && code <= most))
        return NUMBER_BEYOND;
    *bits = (uint64_t)(int64_t)code;
    *error = fabs(code * c->scale + c->offset - n->value);
    return NUMBER_KEPT;
}

/* NUMBER_KEPT, NUMBER_ROUNDED, NUMBER_BEYOND or NAN_HERE, whose bits are those of the fill value. */
static int cast_element(const pack_cast *c, uint32_t to, const decimal *n, uint64_t *bits, double *error)
{
    int kept;

    *error = 0;
    if (n->kind == NUMBER_NAN && !UTET_IS_FLOAT(to)) {
        *bits = c->fill;
        return NAN_HERE;
    }
    if (c->scaled)
        return store_scaled(c, n, to, bits, error);
    kept = number_store(n, to, bits);
    if (kept != NUMBER_BEYOND && n->kind == NUMBER_FINITE && UTET_IS_FLOAT(to))
        *error = distance(n, to, *bits);
    return kept == NUMBER_BEYOND ? kept : *error > 0 ? NUMBER_ROUNDED : NUMBER_KEPT;
}

int pack_cast_box(const pack_input *in, const uint64_t *start, const uint64_t *count, uint8_t *to)
{
    const uint8_t size = size_of(in->cast.from);
    pack_input own = *in;
    uint64_t elements = 1;
    uint8_t *held;
    uint64_t i;
    int result;

    for (i = 0; i < in->ndim; i++)
        elements *= count[i];
    own.elem_size = size;
    own.cast.from = 0;
    held = malloc((size_t)elements * size + 1);
    if (held == NULL)
        return fail(in->path, NULL, NO_OFFSET, "not enough memory");
    result = pack_box(&own, start, count, held);
    for (i = 0; result == TOOL_OK && i < elements; i++, to += in->elem_size) {
        uint64_t bits;
        double error;
        decimal n;

        read_element(&n, in->cast.from, held + i * size);
        (void)cast_element(&in->cast, in->dtype, &n, &bits, &error);
        store_le(to, bits, in->elem_size);
    }
    free(held);
    return result;
}

/* ---- all elements, before the first is written ---- */

typedef struct survey {
    pack_input *in;
    pack_input source; /* the same with its own dtype */
    const pack_plan *plan;
    const pack_options *opt;
    uint8_t *box;
    size_t box_size;
    int measuring; /* only the range of finite elements is needed */
    double least;
    double most;
    uint64_t finite;
    uint64_t rounded;
    uint64_t missing;
    double worst;
    char first[96];
} survey;

/* "3,5": the indices of an element of a box. */
static void indices_of(const survey *s, const uint64_t *start, const uint64_t *count, uint64_t element, char *text)
{
    uint64_t at[UTET_MAX_NDIM];
    size_t length = 0;
    unsigned d;

    for (d = s->in->ndim; d-- > 0;) {
        at[d] = start[d] + element % count[d];
        element /= count[d];
    }
    for (d = 0; d < s->in->ndim && length < 80; d++)
        length += (size_t)snprintf(text + length, 96 - length, "%s%" PRIu64, d > 0 ? "," : "", at[d]);
}

static int refuse(const survey *s, const decimal *n, const char *indices, int why)
{
    const pack_input *const in = s->in;
    char value[40];

    if (n->integer)
        (void)snprintf(value, sizeof value, "%s%" PRIu64, n->negative ? "-" : "", n->magnitude);
    else
        (void)snprintf(value, sizeof value, "%.17g", n->value);
    if (why == NAN_HERE)
        return fail(in->path, "dataset", NO_OFFSET,
                    "%s: NaN at %s, and %s has no NaN (--fill X stores the number X there)", in->name, indices,
                    utet_show_dtype(in->dtype));
    if (why == NUMBER_KEPT)
        return fail(in->path, "dataset", NO_OFFSET,
                    "%s: %s at %s is the value of --fill; choose a number that no element has", in->name, value,
                    indices);
    return fail(in->path, "dataset", NO_OFFSET, "%s: %s at %s does not fit %s%s", in->name, value, indices,
                utet_show_dtype(in->dtype),
                in->cast.scaled ? " with this --scale and --add-offset (--scale auto chooses them)"
                : UTET_IS_FLOAT(in->cast.from) && !n->whole ? " (--scale auto stores multiples of a step)"
                                                            : "");
}

static int look_at_element(survey *s, const uint64_t *start, const uint64_t *count, uint64_t i, const decimal *n)
{
    pack_input *const in = s->in;
    char indices[96];
    uint64_t bits;
    double error;
    const int kept = cast_element(&in->cast, in->dtype, n, &bits, &error);

    if (kept == NUMBER_BEYOND || (kept == NAN_HERE && !in->cast.filled) ||
        (kept == NUMBER_KEPT && in->cast.filled && !in->cast.scaled && bits == in->cast.fill)) {
        indices_of(s, start, count, i, indices);
        return refuse(s, n, indices, kept);
    }
    s->missing += kept == NAN_HERE;
    if (s->worst < error)
        s->worst = error;
    if (kept == NUMBER_ROUNDED && s->rounded++ == 0)
        indices_of(s, start, count, i, s->first);
    return TOOL_OK;
}

static int measure(survey *s, const decimal *n)
{
    if (n->kind == NUMBER_NAN)
        return TOOL_OK;
    if (n->kind == NUMBER_INFINITE)
        return fail(s->in->path, "dataset", NO_OFFSET, "%s: an element is infinite, which --scale cannot store",
                    s->in->name);
    if (s->finite == 0 || s->least > n->value)
        s->least = n->value;
    if (s->finite == 0 || s->most < n->value)
        s->most = n->value;
    s->finite++;
    return TOOL_OK;
}

static int look_at_box(void *ctx, const uint64_t *first, const uint64_t *tiles)
{
    survey *const s = ctx;
    uint64_t start[UTET_MAX_NDIM];
    uint64_t count[UTET_MAX_NDIM];
    uint64_t elements = 1;
    uint64_t i;
    unsigned d;

    for (d = 0; d < s->in->ndim; d++) {
        start[d] = first[d] * s->plan->tile[d];
        count[d] = tiles[d] * s->plan->tile[d];
        if (count[d] > s->in->shape[d] - start[d])
            count[d] = s->in->shape[d] - start[d];
        elements *= count[d];
    }
    if (elements * s->source.elem_size > s->box_size) {
        free(s->box);
        s->box_size = (size_t)elements * s->source.elem_size;
        s->box = malloc(s->box_size);
        if (s->box == NULL)
            return fail(s->in->path, NULL, NO_OFFSET, "not enough memory");
    }
    if (pack_box(&s->source, start, count, s->box) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < elements; i++) {
        decimal n;

        read_element(&n, s->in->cast.from, s->box + i * s->source.elem_size);
        if ((s->measuring ? measure(s, &n) : look_at_element(s, start, count, i, &n)) != TOOL_OK)
            return TOOL_ERROR;
    }
    return TOOL_OK;
}

static int look_at_all(survey *s)
{
    pack_options opt = *s->opt;
    uint64_t bytes = s->source.elem_size;
    pack_plan plan;
    unsigned d;
    int result;

    memset(&plan, 0, sizeof plan);
    opt.access = ACCESS_ROWS;
    for (d = s->in->ndim; d-- > 0;) {
        const uint64_t room = LOOK_BYTES / bytes > 0 ? LOOK_BYTES / bytes : 1;

        plan.tile[d] = s->in->shape[d] < room ? s->in->shape[d] : room;
        bytes *= plan.tile[d] > 0 ? plan.tile[d] : 1;
    }
    s->plan = &plan;
    result = pack_plan_make(&plan, &s->source, &opt);
    return result == TOOL_OK ? pack_plan_boxes(&plan, &s->source, look_at_box, s) : result;
}

/* ---- scale and offset ---- */

static int choose_scale(survey *s)
{
    pack_cast *const c = &s->in->cast;
    const int small = s->in->dtype == UTET_U8;
    const double steps = small ? 254 : 65534;

    c->scaled = 1;
    c->filled = 1;
    c->fill = small ? 255 : (uint64_t)-32768;
    c->scale = s->opt->scale;
    c->offset = s->opt->add_offset;
    if (c->scale > 0)
        return TOOL_OK;
    s->measuring = 1;
    if (look_at_all(s) != TOOL_OK)
        return TOOL_ERROR;
    s->measuring = 0;
    if (!s->opt->add_offset_given) {
        c->offset = small ? s->least : s->least / 2 + s->most / 2;
        c->scale = s->most / steps - s->least / steps;
    } else {
        const double above = s->most - c->offset;
        const double below = c->offset - s->least;

        c->scale = small ? above / 254 : (above > below ? above : below) / 32767;
    }
    if (!(c->scale > 0))
        c->scale = 1; /* all elements are equal */
    return c->scale - c->scale >= 0
               ? TOOL_OK
               : fail(s->in->path, "dataset", NO_OFFSET, "%s: the range is too large for --scale", s->in->name);
}

static int put_scale(const survey *s)
{
    pack_input *const in = s->in;
    const double half = in->cast.scale / 2;
    char scale[NUMBER_TEXT];
    char offset[NUMBER_TEXT];

    if (s->worst > half * (1 + 0x1p-20))
        return fail(in->path, "dataset", NO_OFFSET,
                    "%s: a step of %.6g is too small: the sum of code x step and offset is rounded by up to %.6g",
                    in->name, in->cast.scale, s->worst);
    notice(in->path, NULL, "%s: packed into %s with a step of %s; the largest error is %.6g (half a step: %.6g)",
           in->name, utet_show_dtype(in->dtype), number_shortest(scale, in->cast.scale), s->worst, half);
    if (pack_meta_attribute(in, "scale_factor", number_shortest(scale, in->cast.scale)) != TOOL_OK ||
        pack_meta_attribute(in, "add_offset", number_shortest(offset, in->cast.offset)) != TOOL_OK)
        return TOOL_ERROR;
    return pack_meta_attribute(in, "_FillValue", in->dtype == UTET_U8 ? "255" : "-32768");
}

/* ---- one dataset ---- */

static int choose_fill(pack_input *in, const pack_options *opt)
{
    decimal n;

    if (opt->fill == NULL || UTET_IS_FLOAT(in->dtype) || !UTET_IS_FLOAT(in->cast.from))
        return TOOL_OK;
    number_read(&n, opt->fill);
    if (number_store(&n, in->dtype, &in->cast.fill) != NUMBER_KEPT)
        return fail(in->path, "dataset", NO_OFFSET, "%s: --fill %s does not fit %s", in->name, opt->fill,
                    utet_show_dtype(in->dtype));
    in->cast.filled = 1;
    return TOOL_OK;
}

static int finish(const survey *s)
{
    pack_input *const in = s->in;

    if (in->cast.scaled)
        return put_scale(s);
    if (s->rounded > 0)
        notice(in->path, NULL,
               "%s: %s to %s rounds %" PRIu64 " of %" PRIu64 " elements, by up to %.6g (the first at %s)", in->name,
               in->cast.from == PACK_I8 ? "int8" : utet_show_dtype(in->cast.from), utet_show_dtype(in->dtype),
               s->rounded, pack_elements(in), s->worst, s->first);
    return s->missing > 0 ? pack_meta_attribute(in, "_FillValue", s->opt->fill) : TOOL_OK;
}

static int cast_input(pack_input *in, const pack_options *opt, uint32_t to, int scaled)
{
    survey s;
    int result;

    memset(&s, 0, sizeof s);
    s.in = in;
    s.opt = opt;
    if (in->cast.from == 0)
        in->cast.from = in->dtype;
    s.source = *in;
    s.source.cast.from = 0;
    s.source.dtype = in->cast.from;
    s.source.elem_size = size_of(in->cast.from);
    in->dtype = to;
    in->elem_size = pack_elem_size(to);
    result = scaled ? choose_scale(&s) : choose_fill(in, opt);
    if (result == TOOL_OK)
        result = look_at_all(&s);
    if (result == TOOL_OK)
        result = finish(&s);
    free(s.box);
    return result;
}

static int is_scaled_already(const pack_input *in)
{
    const tree *const attributes = tree_at(&in->about, "attrs", 5);

    return attributes != NULL &&
           (tree_at(attributes, "scale_factor", 12) != NULL || tree_at(attributes, "add_offset", 10) != NULL);
}

int pack_cast_all(pack_inputs *all, const pack_options *opt)
{
    size_t done = 0;
    size_t i;

    for (i = 0; i < all->count; i++) {
        pack_input *const in = &all->input[i];
        const uint32_t want = !opt->scaled ? opt->dtype : opt->dtype != 0 ? opt->dtype : UTET_I16;

        if (opt->scaled ? in->cast.from != 0 || !UTET_IS_FLOAT(in->dtype)
                        : in->settled || want == 0 || want == in->dtype)
            continue;
        if (opt->scaled && is_scaled_already(in))
            return fail(in->path, "dataset", NO_OFFSET, "%s: it has a scale or an offset already; omit --scale",
                        in->name);
        if (cast_input(in, opt, want, opt->scaled) != TOOL_OK)
            return TOOL_ERROR;
        done++;
    }
    return done > 0 || !opt->scaled
               ? TOOL_OK
               : fail(opt->inputs[0], NULL, NO_OFFSET, "no dataset has floats, and --scale packs only these; omit it");
}
