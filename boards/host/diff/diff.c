/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet diff A B: which datasets, shapes, metadata and elements differ, in bounded memory. Elements are compared as
 * numbers with --tolerance or --relative, else byte by byte. As numbers, integers are subtracted exactly, -0 is equal
 * to 0, and NaN to every NaN and to nothing else. Exit status 0: none differ; 1: they do, or an error. */
#define _POSIX_C_SOURCE 200809L
#include "shared/kept.h"
#include "shared/metadata.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PIECE ((uint64_t)8 << 20)

/* A dataset and its name. */
typedef struct named {
    utet_dataset dataset;
    char *name;
} named;

/* All datasets of a file, so that none is searched record by record. */
typedef struct catalogue {
    named *all;      /* datasets in file order */
    named **by_name; /* sorted by name; equal names in file order */
    size_t count;
} catalogue;

typedef struct compare {
    const options *opt;
    source a;
    source b;
    metadata about_a;
    metadata about_b;
    catalogue in_a;
    catalogue in_b;
    uint64_t differences; /* number of differences between the files */
    FILE *out;            /* --json: complete, or nothing */
} compare;

/* The elements of one dataset of A, and those of B with the same name. */
typedef struct pair {
    compare *c;
    const named *name;
    selection sa;
    selection sb;
    uint8_t *piece[2];
    uint64_t at; /* elements compared */
    uint64_t differing;
    double largest;
    uint64_t largest_whole;
    int opened; /* its object of --json has begun */
} pair;

/* The object of a difference, without its end. */
static void open_json(compare *c, const named *one, const char *kind)
{
    fputs(c->differences++ > 0 ? "," : "", c->out);
    fputs("{\"dataset\":", c->out);
    json_text(c->out, one->name, one->dataset.name_length);
    fprintf(c->out, ",\"kind\":\"%s\"", kind);
}

static void say_json(compare *c, const named *one, const char *kind)
{
    open_json(c, one, kind);
    putc('}', c->out);
}

/* kind: the word of --json. */
static void say(compare *c, const named *one, const char *kind, const char *what)
{
    if (c->opt->json) {
        say_json(c, one, kind);
        return;
    }
    c->differences++;
    put_safely(stdout, one->name, one->dataset.name_length);
    printf(": %s\n", what);
}

/* An integer of any dtype: magnitude and sign. */
static uint64_t load_integer(uint32_t dtype, const uint8_t *at, size_t size, int *negative)
{
    const uint64_t value = load_le(at, size);

    *negative = UTET_IS_SIGNED(dtype) && (value >> (8 * size - 1) & 1) != 0;
    if (!*negative)
        return value;
    return 0 - (size < 8 ? value | UINT64_MAX << (8 * size) : value);
}

/* Returns nonzero if by <= relative * most, exactly: a double is 53 bits and a power of two. */
static int within(uint64_t by, double relative, uint64_t most)
{
    int power;
    const uint64_t bits = (uint64_t)ldexp(frexp(relative, &power), 53);
    const uint64_t low = (bits & UINT32_MAX) * (most & UINT32_MAX);
    const uint64_t one = (bits >> 32) * (most & UINT32_MAX) + (low >> 32);
    const uint64_t two = (bits & UINT32_MAX) * (most >> 32) + (one & UINT32_MAX);
    const uint64_t high = (bits >> 32) * (most >> 32) + (one >> 32) + (two >> 32);
    const uint64_t rest = two << 32 | (low & UINT32_MAX);

    power -= 53; /* relative * most = (high * 2^64 + rest) * 2^power */
    if (power >= 0)
        return by == 0 || most > 0; /* at least 2^52 times as large */
    if (power <= -128)
        return by == 0;
    if (power <= -64)
        return by <= high >> (-64 - power);
    return high >> -power != 0 || by <= (high << (64 + power) | rest >> -power);
}

static int integers_differ(pair *p, const uint8_t *x, const uint8_t *y)
{
    const size_t size = p->sa.dataset.elem_size;
    int below[2];
    const uint64_t u = load_integer(p->sa.dataset.dtype, x, size, &below[0]);
    const uint64_t v = load_integer(p->sa.dataset.dtype, y, size, &below[1]);
    const uint64_t by = below[0] != below[1] ? u + v : u > v ? u - v : v - u; /* below 2^64, as both have 64 bits */

    if (p->c->opt->as_numbers && (by <= p->c->opt->tolerance_whole || within(by, p->c->opt->relative, u > v ? u : v)))
        return 0;
    p->largest_whole = by > p->largest_whole ? by : p->largest_whole;
    return 1;
}

static int floats_differ(pair *p, const uint8_t *x, const uint8_t *y)
{
    const options *const opt = p->c->opt;
    double u;
    double v;
    double by;

    if (utet_show_double(p->sa.dataset.dtype, x, &u) != UTET_OK ||
        utet_show_double(p->sa.dataset.dtype, y, &v) != UTET_OK)
        return 1;
    by = fabs(u - v);
    if (opt->as_numbers) {
        if (isnan(u) || isnan(v)) {
            if (isnan(u) && isnan(v))
                return 0;
        } else if ((isinf(u) || isinf(v)) ? isinf(u) && isinf(v) && (u > 0) == (v > 0)
                                          : by <= opt->tolerance || by <= opt->relative * fmax(fabs(u), fabs(v))) {
            return 0;
        }
    }
    if (p->largest < by)
        p->largest = by;
    return 1;
}

static int differ_in(pair *p, const uint8_t *x, const uint8_t *y)
{
    if (memcmp(x, y, p->sa.dataset.elem_size) == 0)
        return 0;
    return UTET_IS_FLOAT(p->sa.dataset.dtype) ? floats_differ(p, x, y) : integers_differ(p, x, y);
}

/* A number of JSON; null: NaN or an infinity. */
static void put_value(FILE *out, const char *key, const char *text)
{
    const int none = strstr(text, "inf") != NULL || strstr(text, "nan") != NULL;

    fprintf(out, ",\"%s\":%s", key, none ? "null" : text);
}

static void element_json(pair *p, const uint64_t *place, char texts[2][UTET_SHOW_SIZE])
{
    FILE *const out = p->c->out;

    if (!p->opened)
        open_json(p->c, p->name, "elements");
    fputs(p->opened ? ",{\"index\":" : ",\"examples\":[{\"index\":", out);
    p->opened = 1;
    json_numbers(out, place, p->sa.dataset.ndim);
    put_value(out, "first", texts[0]);
    put_value(out, "second", texts[1]);
    putc('}', out);
}

/* The rest of the object, after its examples. */
static void elements_json(pair *p)
{
    FILE *const out = p->c->out;

    if (p->opened)
        putc(']', out);
    else
        open_json(p->c, p->name, "elements");
    fprintf(out, ",\"differing\":%" PRIu64 ",\"elements\":%" PRIu64, p->differing, p->sa.count);
    if (p->largest_whole > 0)
        fprintf(out, ",\"largest\":%" PRIu64, p->largest_whole);
    else if (p->largest > 0 && isfinite(p->largest))
        fprintf(out, ",\"largest\":%.17g", p->largest);
    putc('}', out);
}

static void show_element(pair *p, uint64_t number, const uint8_t *x, const uint8_t *y)
{
    char texts[2][UTET_SHOW_SIZE];
    uint64_t place[UTET_MAX_NDIM];
    char coords[200];
    unsigned d;

    for (d = p->sa.dataset.ndim; d-- > 0;) {
        place[d] = number % p->sa.shape[d];
        number /= p->sa.shape[d];
    }
    if (utet_show_text(p->sa.dataset.dtype, x, texts[0], UTET_SHOW_SIZE, NULL) != UTET_OK ||
        utet_show_text(p->sa.dataset.dtype, y, texts[1], UTET_SHOW_SIZE, NULL) != UTET_OK)
        return;
    if (p->c->opt->json) {
        element_json(p, place, texts);
        return;
    }
    put_safely(stdout, p->name->name, p->name->dataset.name_length);
    printf("[%s]: %s, %s\n", shape_text(coords, place, p->sa.dataset.ndim, ", "), texts[0], texts[1]);
}

static void compare_piece(pair *p, uint64_t count)
{
    const size_t size = p->sa.dataset.elem_size;
    uint64_t i;

    if (memcmp(p->piece[0], p->piece[1], (size_t)(count * size)) != 0)
        for (i = 0; i < count; i++) {
            const uint8_t *const x = p->piece[0] + i * size;
            const uint8_t *const y = p->piece[1] + i * size;

            if (differ_in(p, x, y) && p->differing++ < p->c->opt->first)
                show_element(p, p->at + i, x, y);
        }
    p->at += count;
}

/* Reads one part of a selection. `again`: another part needs the same chunks. */
static int load(source *s, const selection *selected, const utet_range *ranges, int again, uint8_t *to, uint64_t bytes)
{
    utet_slab slab;
    utet_status status;

    kept_band(s->decoded, again);
    status = utet_slab_open(&slab, &s->file, &selected->dataset, ranges);
    if (status == UTET_OK)
        status = utet_slab_read_all(&slab, to, (size_t)bytes);
    return status == UTET_OK ? TOOL_OK : source_fail(s, status);
}

/* Chooses the axis along which parts are cut, and the number of its indices in a part. A part has one index of each
 * axis before it, and all indices of each axis after it. */
static unsigned cut_axis(const pair *p, uint64_t *each, uint64_t *most)
{
    unsigned axis = p->sa.dataset.ndim;
    uint64_t bytes = p->sa.dataset.elem_size;

    do {
        *each = bytes;
        axis--;
        bytes = bytes > PIECE ? bytes : bytes * (p->sa.shape[axis] < PIECE ? p->sa.shape[axis] : PIECE);
    } while (axis > 0 && bytes <= PIECE);
    *most = PIECE / *each > 0 ? PIECE / *each : 1;
    /* complete rows of tiles if they fit, so that each chunk is decoded once */
    if (*most > p->sa.dataset.chunk_shape[axis])
        *most -= *most % p->sa.dataset.chunk_shape[axis];
    return axis;
}

/* Returns nonzero if parts of `most` indices of the axis cut the dataset's chunks. */
static int cuts_chunks(const utet_dataset *dataset, unsigned axis, uint64_t most)
{
    int cuts = most < dataset->shape[axis] && most % dataset->chunk_shape[axis] != 0;

    while (axis-- > 0)
        cuts |= dataset->chunk_shape[axis] > 1 && dataset->shape[axis] > 1;
    return cuts;
}

static int walk(pair *p)
{
    uint64_t place[UTET_MAX_NDIM] = {0};
    uint64_t each;
    uint64_t most;
    const unsigned axis = cut_axis(p, &each, &most);
    const int again_a = cuts_chunks(&p->sa.dataset, axis, most);
    const int again_b = cuts_chunks(&p->sb.dataset, axis, most);
    progress line;

    progress_bytes(&line, "comparing", p->sa.count * p->sa.dataset.elem_size);
    for (;;) {
        utet_range ranges[UTET_MAX_NDIM];
        uint64_t places = p->sa.shape[axis] - place[axis];
        unsigned d;

        places = places < most ? places : most;
        for (d = 0; d < p->sa.dataset.ndim; d++) {
            ranges[d].start = d <= axis ? place[d] : 0;
            ranges[d].stop = d < axis ? place[d] + 1 : d == axis ? place[d] + places : p->sa.shape[d];
            ranges[d].step = 1;
        }
        if (load(&p->c->a, &p->sa, ranges, again_a, p->piece[0], places * each) != TOOL_OK ||
            load(&p->c->b, &p->sb, ranges, again_b, p->piece[1], places * each) != TOOL_OK) {
            progress_end(&line);
            return TOOL_ERROR;
        }
        compare_piece(p, places * each / p->sa.dataset.elem_size);
        progress_at(&line, p->at * p->sa.dataset.elem_size);
        place[axis] += places;
        for (d = axis; d > 0 && place[d] == p->sa.shape[d]; d--) {
            place[d] = 0;
            place[d - 1]++;
        }
        if (place[0] == p->sa.shape[0])
            break;
    }
    progress_end(&line);
    return TOOL_OK;
}

static int compare_elements(pair *p)
{
    char words[160];
    int result;

    if (p->sa.count == 0)
        return TOOL_OK;
    p->piece[0] = malloc((size_t)PIECE);
    p->piece[1] = malloc((size_t)PIECE);
    if (p->piece[0] == NULL || p->piece[1] == NULL)
        result = fail(p->c->a.path, NULL, NO_OFFSET, "not enough memory");
    else if (source_grow(&p->c->a, p->c->opt, &p->sa.need) != TOOL_OK ||
             source_grow(&p->c->b, p->c->opt, &p->sb.need) != TOOL_OK)
        result = TOOL_ERROR;
    else
        result = walk(p);
    free(p->piece[0]);
    free(p->piece[1]);
    if (p->differing > 0 && p->c->opt->json) {
        elements_json(p);
    } else if (p->differing > 0) {
        (void)snprintf(words, sizeof words, "%" PRIu64 " of %" PRIu64 " elements differ", p->differing, p->sa.count);
        if (p->largest_whole > 0)
            (void)snprintf(words + strlen(words), sizeof words - strlen(words), ", by %" PRIu64 " at most",
                           p->largest_whole);
        else if (p->largest > 0) /* else none has a number on both sides */
            (void)snprintf(words + strlen(words), sizeof words - strlen(words), ", by %.6g at most", p->largest);
        say(p->c, p->name, "elements", words);
    }
    return result;
}

static int same_tree(const tree *x, const tree *y)
{
    size_t i;

    if (x == NULL || y == NULL)
        return (x == NULL || x->kind == UTET_VALUE_NONE || (x->kind != UTET_VALUE_TEXT && x->count == 0)) &&
               (y == NULL || y->kind == UTET_VALUE_NONE || (y->kind != UTET_VALUE_TEXT && y->count == 0));
    if (x->kind != y->kind || x->count != y->count || x->length != y->length ||
        (x->length > 0 && x->text != NULL && memcmp(x->text, y->text, x->length) != 0))
        return 0;
    for (i = 0; i < x->count; i++)
        if (x->branches[i].key_length != y->branches[i].key_length ||
            (x->branches[i].key_length > 0 &&
             memcmp(x->branches[i].key, y->branches[i].key, x->branches[i].key_length) != 0) ||
            !same_tree(&x->branches[i].value, &y->branches[i].value))
            return 0;
    return 1;
}

static void compare_metadata(compare *c, const named *one)
{
    static const char *const keys[3] = {"attrs", "dim_names", "coords"};
    static const char *const kinds[3] = {"attributes", "axes", "labels"};
    static const char *const words[3] = {"other attributes", "other names of axes", "other labels"};
    const tree *const x = tree_at(&c->about_a.datasets, one->name, one->dataset.name_length);
    const tree *const y = tree_at(&c->about_b.datasets, one->name, one->dataset.name_length);
    size_t i;

    for (i = 0; i < 3; i++)
        if (!same_tree(x != NULL ? tree_at(x, keys[i], strlen(keys[i])) : NULL,
                       y != NULL ? tree_at(y, keys[i], strlen(keys[i])) : NULL))
            say(c, one, kinds[i], words[i]);
}

static int order_of_names(const named *one, const named *other)
{
    const uint32_t length = one->dataset.name_length;
    const uint32_t least = length < other->dataset.name_length ? length : other->dataset.name_length;
    const int order = memcmp(one->name, other->name, least);

    return order != 0 ? order : (length > other->dataset.name_length) - (length < other->dataset.name_length);
}

static int by_name(const void *x, const void *y)
{
    const named *const one = *(named *const *)x;
    const named *const other = *(named *const *)y;
    const int order = order_of_names(one, other);

    if (order != 0)
        return order;
    return one->dataset.id < other->dataset.id ? -1 : one->dataset.id > other->dataset.id;
}

static int catalogue_read(catalogue *in, source *s)
{
    const size_t count = s->file.dataset_count;
    utet_dataset dataset;
    utet_status status;

    in->all = calloc(count + 1, sizeof *in->all);
    in->by_name = calloc(count + 1, sizeof *in->by_name);
    if (in->all == NULL || in->by_name == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory for %zu datasets", count);
    for (status = utet_dataset_first(&s->file, &dataset); status == UTET_OK && in->count < count;
         status = utet_dataset_next(&s->file, &dataset)) {
        named *const one = &in->all[in->count];

        one->dataset = dataset;
        one->name = source_name(s, &dataset);
        if (one->name == NULL)
            return TOOL_ERROR;
        in->by_name[in->count++] = one;
    }
    if (status != UTET_OK && status != UTET_END)
        return source_fail(s, status);
    qsort(in->by_name, in->count, sizeof(named *), by_name);
    return TOOL_OK;
}

static void catalogue_end(catalogue *in)
{
    size_t i;

    for (i = 0; i < in->count; i++)
        free(in->all[i].name);
    free(in->all);
    free(in->by_name);
}

/* Returns the first dataset with this name; NULL: none. */
static const named *catalogue_find(const catalogue *in, const named *wanted)
{
    size_t low = 0;
    size_t high = in->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (order_of_names(in->by_name[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < in->count && order_of_names(in->by_name[low], wanted) == 0 ? in->by_name[low] : NULL;
}

static void shape_json(FILE *out, const char *key, const utet_dataset *dataset)
{
    fprintf(out, ",\"%s\":{\"dtype\":\"%s\",\"shape\":", key, utet_show_dtype(dataset->dtype));
    json_numbers(out, dataset->shape, dataset->ndim);
    putc('}', out);
}

static void say_shapes(compare *c, const named *one, const utet_dataset *in_b, const char *words)
{
    if (!c->opt->json) {
        say(c, one, "shape", words);
        return;
    }
    open_json(c, one, "shape");
    shape_json(c->out, "first", &one->dataset);
    shape_json(c->out, "second", in_b);
    putc('}', c->out);
}

static int compare_dataset(compare *c, const named *one)
{
    const utet_dataset *const in_a = &one->dataset;
    const named *const other = catalogue_find(&c->in_b, one);
    const utet_dataset *in_b;
    char shapes[2][200];
    char words[480];
    pair p;

    if (other == NULL) {
        say(c, one, "only_in_first", "only in the first file");
        return TOOL_OK;
    }
    in_b = &other->dataset;
    compare_metadata(c, one);
    if (in_b->dtype != in_a->dtype || in_b->ndim != in_a->ndim ||
        memcmp(in_b->shape, in_a->shape, in_a->ndim * sizeof in_a->shape[0]) != 0) {
        (void)snprintf(words, sizeof words, "%s [%s], %s [%s]", utet_show_dtype(in_a->dtype),
                       shape_text(shapes[0], in_a->shape, in_a->ndim, ", "), utet_show_dtype(in_b->dtype),
                       shape_text(shapes[1], in_b->shape, in_b->ndim, ", "));
        say_shapes(c, one, in_b, words);
        return TOOL_OK;
    }
    memset(&p, 0, sizeof p);
    p.c = c;
    p.name = one;
    if (selection_of(&c->a, c->opt, in_a, &p.sa) != TOOL_OK || selection_of(&c->b, c->opt, in_b, &p.sb) != TOOL_OK)
        return TOOL_ERROR;
    return compare_elements(&p);
}

static int compare_datasets(compare *c)
{
    size_t i;

    if (catalogue_read(&c->in_a, &c->a) != TOOL_OK || catalogue_read(&c->in_b, &c->b) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < c->in_a.count; i++)
        if (compare_dataset(c, &c->in_a.all[i]) != TOOL_OK)
            return TOOL_ERROR;
    for (i = 0; i < c->in_b.count; i++)
        if (catalogue_find(&c->in_a, &c->in_b.all[i]) == NULL)
            say(c, &c->in_b.all[i], "only_in_second", "only in the second file");
    return TOOL_OK;
}

/* --json: the whole object, or nothing after an error. */
static int compare_json(compare *c)
{
    char *text = NULL;
    size_t length = 0;
    int result = TOOL_ERROR;

    c->out = open_memstream(&text, &length);
    if (c->out == NULL)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    fputs("{\"differences\":[", c->out);
    result = compare_datasets(c);
    fprintf(c->out, "],\"equal\":%s}", c->differences == 0 ? "true" : "false");
    if (!words_close(c->out, &text))
        result = fail(NULL, NULL, NO_OFFSET, "not enough memory");
    if (result == TOOL_OK) {
        puts(text);
        result = finish_stdout(TOOL_OK);
    }
    free(text);
    return result;
}

int command_diff(const options *opt)
{
    options second = *opt;
    compare c;
    int result;

    memset(&c, 0, sizeof c);
    c.opt = opt;
    c.a.fd = c.b.fd = -1;
    second.file = opt->files[1];
    result = source_begin(&c.a, opt);
    if (result == TOOL_OK)
        result = source_begin(&c.b, &second);
    else
        c.b.fd = -1;
    if (result == TOOL_OK)
        result = metadata_read(&c.about_a, &c.a);
    if (result == TOOL_OK)
        result = metadata_read(&c.about_b, &c.b);
    if (result == TOOL_OK)
        result = opt->json ? compare_json(&c) : compare_datasets(&c);
    catalogue_end(&c.in_a);
    catalogue_end(&c.in_b);
    metadata_end(&c.about_a);
    metadata_end(&c.about_b);
    source_end(&c.a);
    source_end(&c.b);
    return result == TOOL_OK && c.differences > 0 ? TOOL_ERROR : result;
}
