/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Physical values, rounded once. Attributes are decimal numbers, and a stored element is a multiple of a power of two,
 * so the value is a finite decimal number. If all its integers are below 2^53, one division or multiplication of
 * doubles rounds it; otherwise all its digits are computed and read as a double.
 */
#include "physical.h"
#include "number.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 100u /* maximum number of an attribute's significant digits */
#define MOST_POWER 400   /* so that an attribute's digits are within 10^-400 to 10^400 */
#define BEYOND 1000000L  /* an exponent above this one is out of range, whatever the digits */
#define EXACT ((uint64_t)1 << DBL_MANT_DIG)
#define EXACT_POWER 22 /* the largest power of ten that is a double is 10^22 */
#define FILLS 3u
#define BLOCK 512u /* number of elements that are converted at a time */

/* ---- integers of any size ---- */

#define LIMB 1000000000u
#define LIMB_DIGITS 9u
#define LIMBS 320u /* a double has at most 767 digits, which powers of ten move by at most 1,900 */

typedef struct big {
    unsigned count;
    uint32_t limb[LIMBS]; /* the lowest nine digits first */
} big;

static void big_multiply_add(big *b, uint32_t by, uint32_t add)
{
    uint64_t carry = add;
    unsigned i;

    for (i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * by;
        b->limb[i] = (uint32_t)(carry % LIMB);
        carry /= LIMB;
    }
    for (; carry != 0; carry /= LIMB)
        b->limb[b->count++] = (uint32_t)(carry % LIMB);
}

static void big_powers(big *b, uint32_t base, int times)
{
    for (; times > 0; times--)
        big_multiply_add(b, base, 0);
}

static void big_set(big *b, uint64_t value)
{
    for (b->count = 0; value != 0; value /= LIMB)
        b->limb[b->count++] = (uint32_t)(value % LIMB);
}

static big big_product(const big *a, const big *b)
{
    big product;
    unsigned i;
    unsigned k;

    product.count = a->count + b->count;
    memset(product.limb, 0, product.count * sizeof product.limb[0]);
    for (i = 0; i < a->count; i++) {
        uint64_t carry = 0;

        for (k = 0; k < b->count || carry != 0; k++) {
            carry += product.limb[i + k] + (uint64_t)a->limb[i] * (k < b->count ? b->limb[k] : 0);
            product.limb[i + k] = (uint32_t)(carry % LIMB);
            carry /= LIMB;
        }
    }
    while (product.count > 0 && product.limb[product.count - 1] == 0)
        product.count--;
    return product;
}

static int big_less(const big *a, const big *b)
{
    unsigned i = a->count;

    if (a->count != b->count)
        return a->count < b->count;
    while (i > 0 && a->limb[i - 1] == b->limb[i - 1])
        i--;
    return i > 0 && a->limb[i - 1] < b->limb[i - 1];
}

/* Computes a + b, or a - b if `sign` is -1; then b is at most a. */
static void big_add(big *a, const big *b, int sign)
{
    int64_t carry = 0;
    unsigned i;

    for (i = 0; i < b->count || (carry != 0 && i < a->count); i++) {
        if (i == a->count)
            a->limb[a->count++] = 0;
        carry += (int64_t)a->limb[i] + sign * (int64_t)(i < b->count ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)((carry + LIMB) % LIMB);
        carry = carry < 0 ? -1 : carry / LIMB;
    }
    if (carry > 0)
        a->limb[a->count++] = (uint32_t)carry;
    while (a->count > 0 && a->limb[a->count - 1] == 0)
        a->count--;
}

/* ---- decimal numbers ---- */

/* digits * 10^power */
typedef struct exact {
    int negative;
    int power;
    big digits;
} exact;

/* Returns the double nearest to the number. */
static double exact_round(const exact *e)
{
    char text[LIMBS * LIMB_DIGITS + 16];
    char *at = text;
    unsigned i = e->digits.count;

    if (i == 0)
        return 0;
    at += sprintf(at, "%s%u", e->negative ? "-" : "", e->digits.limb[i - 1]);
    for (i--; i > 0; i--)
        at += sprintf(at, "%09u", e->digits.limb[i - 1]);
    (void)sprintf(at, "e%d", e->power);
    return strtod(text, NULL);
}

static void exact_add(exact *a, exact *b)
{
    const int power = a->power < b->power ? a->power : b->power;

    big_powers(&a->digits, 10, a->power - power);
    big_powers(&b->digits, 10, b->power - power);
    a->power = power;
    if (a->negative == b->negative) {
        big_add(&a->digits, &b->digits, 1);
    } else if (big_less(&a->digits, &b->digits)) {
        big_add(&b->digits, &a->digits, -1);
        b->power = power;
        *a = *b;
    } else {
        big_add(&a->digits, &b->digits, -1);
    }
}

/* Reads a text that number_read accepts as finite; returns 0 if it exceeds the limits of digits or powers. */
static int exact_read(exact *e, const char *text)
{
    unsigned digits = 0;
    int zeros = 0; /* not yet multiplied */
    int point = 0;
    long power = 0;

    e->negative = *text == '-';
    e->digits.count = 0;
    for (text += *text == '-' || *text == '+'; *text != '\0' && *text != 'e' && *text != 'E'; text++) {
        if (*text == '.') {
            point = 1;
            continue;
        }
        power -= point;
        if (*text == '0' && digits == 0)
            continue;
        digits++;
        zeros++;
        if (*text == '0')
            continue;
        if (digits > MOST_DIGITS)
            return 0;
        big_powers(&e->digits, 10, zeros - 1);
        big_multiply_add(&e->digits, 10, (uint32_t)(*text - '0'));
        zeros = 0;
    }
    if (*text != '\0') {
        const long written = strtol(text + 1, NULL, 10);

        power += written > BEYOND ? BEYOND : written < -BEYOND ? -BEYOND : written;
    }
    power += zeros;
    if (e->digits.count == 0)
        power = 0;
    e->power = (int)power;
    return power >= -MOST_POWER && power + (long)digits - zeros <= MOST_POWER;
}

/* ---- the conversion of a dataset ---- */

struct physical {
    uint32_t dtype;
    size_t size;
    int stays; /* 1: the dataset has neither attribute */
    exact scale;
    exact offset;
    double near_scale; /* sign of the factor, or 0, for infinities */
    /* integers for the quick conversion (element * factor + addend) * 10^power, for elements of at most this distance
     * from 0 */
    int integers;
    uint64_t suffices;
    int64_t factor;
    int64_t addend;
    double ten;
    int divides;
    unsigned fills;
    uint64_t fill[FILLS]; /* the element of this value */
    double fill_value[FILLS];
    double *known; /* values of all elements of at most two bytes, filled when they occur; NULL: not used */
    uint8_t *is_known;
};

static const char *const keys[] = {"scale_factor", "add_offset", "_FillValue", "missing_value", "fill_value"};
#define FIRST_FILL 2u

int physical_uses(const char *key)
{
    size_t i;

    for (i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i]) == 0)
            return 1;
    return 0;
}

static const tree *attribute(const tree *about, const char *key)
{
    const tree *const attributes = about != NULL ? tree_at(about, "attrs", 5) : NULL;
    const tree *const text = attributes != NULL ? tree_at(attributes, key, strlen(key)) : NULL;

    return text != NULL && text->kind == UTET_VALUE_TEXT ? text : NULL;
}

/* Reads scale_factor or add_offset; `otherwise` is the default. */
static int take_number(const source *s, const tree *about, const char *key, const char *otherwise, exact *number)
{
    const tree *const text = attribute(about, key);
    char *shown;
    decimal n;

    if (text == NULL)
        return exact_read(number, otherwise) ? TOOL_OK : TOOL_ERROR;
    number_read(&n, text->text);
    if (n.kind == NUMBER_FINITE && strlen(text->text) == text->length && exact_read(number, text->text))
        return TOOL_OK;
    shown = text_cut(text->text, text->length, 60);
    (void)fail(s->path, "metadata", NO_OFFSET, "the attribute %s is \"%s\", %s", key, shown != NULL ? shown : "",
               n.kind == NUMBER_FINITE ? "which is out of range" : "which is not a number");
    free(shown);
    return TOOL_ERROR;
}

/* Reads the values of both CF attributes for missing elements, or, without these, of the third attribute. */
static void take_fills(physical *p, const tree *about)
{
    unsigned i;

    for (i = 0; i < FILLS; i++) {
        const tree *const text = attribute(about, keys[FIRST_FILL + i]);
        uint64_t bits = 0;
        uint8_t element[8];
        decimal n;

        if (text == NULL || (i == FILLS - 1 && p->fills != 0))
            continue;
        number_read(&n, text->text);
        if (n.kind == NUMBER_NONE || n.kind == NUMBER_NAN || number_store(&n, p->dtype, &bits) == NUMBER_BEYOND)
            continue;
        store_le(element, bits, 8);
        (void)utet_show_double(p->dtype, element, &p->fill_value[p->fills]);
        p->fill[p->fills++] = p->size < 8 ? bits & (((uint64_t)1 << 8 * p->size) - 1) : bits;
    }
}

/* Expresses the number as an integer times 10^power; returns 0 if the integer is too large. */
static int as_integer(const exact *e, int power, int64_t *integer)
{
    exact copy = *e;
    uint64_t value = 0;
    unsigned i;

    *integer = 0;
    if (e->power - power > EXACT_POWER)
        return e->digits.count == 0;
    big_powers(&copy.digits, 10, e->power - power);
    if (copy.digits.count > 2)
        return 0;
    for (i = copy.digits.count; i-- > 0;)
        value = value * LIMB + copy.digits.limb[i];
    *integer = e->negative ? -(int64_t)value : (int64_t)value;
    return value < EXACT;
}

/* Finds the elements for which 53-bit integers suffice. */
static void find_integers(physical *p)
{
    const int none = p->offset.digits.count == 0;
    const int power = none || p->scale.power < p->offset.power ? p->scale.power : p->offset.power;
    int i;

    if (UTET_IS_FLOAT(p->dtype) || power < -EXACT_POWER || power > EXACT_POWER ||
        !as_integer(&p->scale, power, &p->factor) || !as_integer(&p->offset, power, &p->addend) || p->factor == 0)
        return;
    p->suffices = (EXACT - (uint64_t)llabs(p->addend)) / (uint64_t)llabs(p->factor);
    p->integers = 1;
    p->divides = power < 0;
    p->ten = 1;
    for (i = power < 0 ? -power : power; i > 0; i--)
        p->ten *= 10;
}

physical *physical_begin(source *s, const tree *about, const utet_dataset *dataset)
{
    physical *const p = calloc(1, sizeof *p);

    if (p == NULL) {
        (void)fail(s->path, NULL, NO_OFFSET, "not enough memory");
        return NULL;
    }
    p->dtype = dataset->dtype;
    p->size = dataset->elem_size;
    p->stays = attribute(about, keys[0]) == NULL && attribute(about, keys[1]) == NULL;
    if (take_number(s, about, keys[0], "1", &p->scale) != TOOL_OK ||
        take_number(s, about, keys[1], "0", &p->offset) != TOOL_OK) {
        physical_end(p);
        return NULL;
    }
    p->near_scale = p->scale.digits.count == 0 ? 0 : p->scale.negative ? -1 : 1;
    take_fills(p, about);
    find_integers(p);
    if (p->size <= 2 && !p->stays && !(p->integers && p->suffices >= UINT16_MAX)) {
        p->known = malloc(sizeof *p->known << 16);
        p->is_known = calloc(1, 1u << 16);
        if (p->known == NULL || p->is_known == NULL) {
            (void)fail(s->path, NULL, NO_OFFSET, "not enough memory");
            physical_end(p);
            return NULL;
        }
    }
    return p;
}

physical *physical_read(source *s, const utet_dataset *dataset)
{
    physical *p = NULL;
    char *name;
    metadata m;

    if (metadata_read(&m, s) != TOOL_OK)
        return NULL;
    if (m.status != UTET_OK) {
        (void)metadata_fail(&m, s);
    } else if ((name = source_name(s, dataset)) != NULL) {
        p = physical_begin(s, tree_at(&m.datasets, name, dataset->name_length), dataset);
        free(name);
    }
    metadata_end(&m);
    return p;
}

void physical_end(physical *p)
{
    if (p == NULL)
        return;
    free(p->known);
    free(p->is_known);
    free(p);
}

/* ---- one element ---- */

static int is_fill(const physical *p, uint64_t bits, double value)
{
    unsigned i;

    for (i = 0; i < p->fills; i++)
        if (UTET_IS_FLOAT(p->dtype) ? !(value < p->fill_value[i]) && !(value > p->fill_value[i]) : bits == p->fill[i])
            return 1;
    return 0;
}

/* Computes size * 2^power * scale + offset. */
static double by_digits(const physical *p, int negative, uint64_t size, int power)
{
    exact value = {.negative = negative != p->scale.negative, .power = p->scale.power};
    exact offset = p->offset;
    big digits;

    while (size != 0 && power < 0 && (size & 1) == 0) {
        size >>= 1;
        power++;
    }
    big_set(&digits, size);
    value.digits = big_product(&digits, &p->scale.digits);
    big_powers(&value.digits, power < 0 ? 5 : 2, abs(power)); /* 2^-n = 5^n * 10^-n */
    value.power += power < 0 ? power : 0;
    if (value.digits.count == 0)
        value.power = 0;
    if (offset.digits.count == 0)
        offset.power = value.power;
    exact_add(&value, &offset);
    return exact_round(&value);
}

static double of_integer(const physical *p, uint64_t bits)
{
    const uint64_t sign = UTET_IS_SIGNED(p->dtype) ? (uint64_t)1 << (8 * p->size - 1) : 0;
    const int negative = (bits & sign) != 0;
    const uint64_t size = negative ? sign - (bits - sign) : bits;
    int64_t whole;

    if (!p->integers || size > p->suffices)
        return by_digits(p, negative, size, 0);
    whole = (negative ? -(int64_t)size : (int64_t)size) * p->factor + p->addend;
    return p->divides ? (double)whole / p->ten : (double)whole * p->ten;
}

static double of_float(const physical *p, double value)
{
    int power;
    double size;

    if (isnan(value) || isinf(value))
        return value * p->near_scale;
    size = frexp(fabs(value), &power);
    return by_digits(p, signbit(value) != 0, (uint64_t)ldexp(size, DBL_MANT_DIG), power - DBL_MANT_DIG);
}

static double convert(const physical *p, const uint8_t *element, uint64_t bits)
{
    double value = (double)NAN;

    if (utet_show_double(p->dtype, element, &value) != UTET_OK || is_fill(p, bits, value))
        return (double)NAN;
    if (p->stays)
        return value;
    return UTET_IS_FLOAT(p->dtype) ? of_float(p, value) : of_integer(p, bits);
}

double physical_value(physical *p, const uint8_t *element)
{
    const uint64_t bits = load_le(element, p->size);

    if (p->known == NULL)
        return convert(p, element, bits);
    if (!p->is_known[bits]) {
        p->is_known[bits] = 1;
        p->known[bits] = convert(p, element, bits);
    }
    return p->known[bits];
}

/* ---- selections ---- */

selection physical_selection(const selection *stored)
{
    selection values = *stored;

    values.dataset.dtype = UTET_F64;
    values.dataset.elem_size = 8;
    return values;
}

typedef struct adapter {
    physical *p;
    band_sink sink;
    void *ctx;
} adapter;

static int pass_on(void *ctx, const uint8_t *data, size_t count)
{
    const adapter *const a = ctx;
    uint8_t values[BLOCK * 8];
    size_t i;

    for (; count > 0; count -= i) {
        int result;

        for (i = 0; i < BLOCK && i < count; i++, data += a->p->size) {
            const double value = physical_value(a->p, data);
            uint64_t bits;

            memcpy(&bits, &value, sizeof bits);
            store_le(values + 8 * i, bits, 8);
        }
        result = a->sink(a->ctx, values, i);
        if (result != TOOL_OK)
            return result;
    }
    return TOOL_OK;
}

int physical_each(source *s, const selection *stored, physical *p, band_sink sink, void *ctx)
{
    adapter a = {p, sink, ctx};

    return p != NULL ? bands_each(s, stored, pass_on, &a) : bands_each(s, stored, sink, ctx);
}
