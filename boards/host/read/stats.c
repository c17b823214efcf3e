/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet read --stats: facts about a selection instead of its values: minimum, maximum, mean, deviation, number of NaN
 * and infinities, a histogram in one line. The first pass finds the range, the second one makes the histogram. 64-bit
 * integers have exact extremes and sums: they are subtracted from each other before they become doubles. */
#include "shared/number.h"
#include "stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BINS 48u
#define PLACES 9 /* digits after the decimal point of the mean of integers */

typedef struct stats {
    uint32_t dtype;
    size_t elem_size;
    uint64_t numbers;
    uint64_t nans;
    uint64_t infinities;
    double least;
    double greatest;
    double mean; /* running, and the sum of squares about it */
    double squares;
    /* integers: the distance of each from the dtype's smallest value, in 64 bits */
    uint64_t low;
    uint64_t high;
    uint64_t sum[2]; /* 128 bits, the lower ones first */
    uint64_t middle; /* the integer part of the mean; its fraction: */
    double rest;
    int binning;
    int json;
    uint64_t bins[BINS];
} stats;

static int is_integer(const stats *s)
{
    return !UTET_IS_FLOAT(s->dtype);
}

static int has_sign(const stats *s)
{
    return UTET_IS_SIGNED(s->dtype);
}

/* Returns the distance of the element from its dtype's smallest value. */
static uint64_t load_place(const stats *s, const uint8_t *data)
{
    const uint64_t value = load_le(data, s->elem_size);

    return has_sign(s) ? value ^ (uint64_t)1 << (8 * s->elem_size - 1) : value;
}

static void into_bin(stats *s, double part)
{
    const double place = part * BINS;

    s->bins[place >= BINS ? BINS - 1 : place > 0 ? (unsigned)place : 0]++;
}

static void add_integer(stats *s, uint64_t place)
{
    double distance;

    if (!s->binning) {
        s->low = s->numbers == 0 || place < s->low ? place : s->low;
        s->high = s->numbers == 0 || place > s->high ? place : s->high;
        s->numbers++;
        s->sum[0] += place;
        s->sum[1] += s->sum[0] < place;
        return;
    }
    distance = place > s->middle ? (double)(place - s->middle) - s->rest : (double)(s->middle - place) + s->rest;
    s->squares += distance * distance;
    into_bin(s, (double)(place - s->low) / (double)(s->high - s->low));
}

static void add_float(stats *s, double value)
{
    double delta;

    if (s->binning) {
        if (isfinite(value))
            into_bin(s, (value - s->least) / (s->greatest - s->least));
    } else if (isnan(value)) {
        s->nans++;
    } else if (isinf(value)) {
        s->infinities++;
    } else {
        if (s->numbers++ == 0)
            s->least = s->greatest = value;
        s->least = value < s->least ? value : s->least;
        s->greatest = value > s->greatest ? value : s->greatest;
        delta = value - s->mean;
        s->mean += delta / (double)s->numbers;
        s->squares += delta * (value - s->mean);
    }
}

static int add(void *ctx, const uint8_t *data, size_t count)
{
    stats *const s = ctx;
    const int integers = is_integer(s);

    for (; count > 0; count--, data += s->elem_size) {
        double value;

        if (integers) {
            add_integer(s, load_place(s, data));
            continue;
        }
        if (utet_show_double(s->dtype, data, &value) != UTET_OK)
            return fail(NULL, "dataset", NO_OFFSET, "unsupported dtype");
        add_float(s, value);
    }
    return TOOL_OK;
}

/* Returns sum / numbers; *rest: the remainder. The quotient is below 2^64, because each element is. */
static uint64_t divide(const stats *s, uint64_t *rest)
{
    uint64_t quotient = 0;
    unsigned bit;

    *rest = s->sum[1];
    for (bit = 64; bit-- > 0;) {
        const uint64_t carry = *rest >> 63;

        *rest = *rest << 1 | (s->sum[0] >> bit & 1);
        quotient <<= 1;
        if (carry != 0 || *rest >= s->numbers) {
            *rest -= s->numbers;
            quotient |= 1;
        }
    }
    return quotient;
}

static void put_label(const stats *s, const char *what)
{
    printf(s->json ? ",\"%s\":" : "%-10s ", what);
}

static void put_end(const stats *s)
{
    if (!s->json)
        putchar('\n');
}

/* Writes an integer part and the fraction rest / numbers, rounded to PLACES digits. */
static void put_integer(const stats *s, const char *what, uint64_t place, uint64_t rest)
{
    const uint64_t zero = has_sign(s) ? (uint64_t)1 << (8 * s->elem_size - 1) : 0;
    const int negative = place < zero;
    uint64_t whole = negative ? zero - place : place - zero;
    uint64_t fraction = 0;
    uint64_t one = 1;
    int places = PLACES;
    int i;

    if (negative && rest > 0) {
        whole--;
        rest = s->numbers - rest;
    }
    for (i = 0; i < PLACES && s->numbers <= UINT64_MAX / 10; i++) {
        fraction = fraction * 10 + rest * 10 / s->numbers;
        rest = rest * 10 % s->numbers;
        one *= 10;
    }
    fraction += rest >= s->numbers - rest;
    whole += fraction / one;
    fraction %= one;
    put_label(s, what);
    printf("%s%" PRIu64, negative && (whole | fraction) != 0 ? "-" : "", whole);
    for (; fraction != 0 && fraction % 10 == 0; places--)
        fraction /= 10;
    if (fraction != 0)
        printf(".%0*" PRIu64, places, fraction);
    put_end(s);
}

static void put_float(const stats *s, const char *what, double value)
{
    const float narrow = (float)value;
    char text[NUMBER_TEXT]; /* at least UTET_SHOW_SIZE */
    uint32_t bits;
    uint8_t element[4];

    if (s->dtype == UTET_F64) { /* the shortest text that reads back as this double */
        (void)number_shortest(text, value);
    } else { /* every f16 is an f32 with few digits */
        memcpy(&bits, &narrow, sizeof bits);
        store_le(element, bits, sizeof element);
        (void)utet_show_text(UTET_F32, element, text, sizeof text, NULL);
    }
    put_label(s, what);
    fputs(text, stdout);
    put_end(s);
}

/* JSON has no infinity. */
static void put_double(const stats *s, const char *what, double value)
{
    put_label(s, what);
    if (s->json && !isfinite(value))
        fputs("null", stdout);
    else
        printf("%.9g", value);
    put_end(s);
}

static void put_histogram(const stats *s)
{
    static const char *const bars[2][9] = {{" ", ".", ".", ":", ":", "|", "|", "#", "#"},
                                           {" ", "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
                                            "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"}};
    uint64_t most = 1;
    unsigned i;

    for (i = 0; i < BINS; i++)
        most = s->bins[i] > most ? s->bins[i] : most;
    fputs("histogram  |", stdout);
    for (i = 0; i < BINS; i++) {
        const unsigned height = s->bins[i] == 0 ? 0 : 1 + (unsigned)((double)s->bins[i] / (double)most * 7.0);

        fputs(bars[MB_CUR_MAX > 1][height > 8 ? 8 : height], stdout);
    }
    puts("|");
}

static void put_numbers(const stats *s, uint64_t rest)
{
    if (is_integer(s)) {
        put_integer(s, "least", s->low, 0);
        put_integer(s, "greatest", s->high, 0);
        put_integer(s, "mean", s->middle, rest);
    } else {
        put_float(s, "least", s->least);
        put_float(s, "greatest", s->greatest);
        put_double(s, "mean", s->mean);
    }
    put_double(s, "deviation", sqrt(s->squares / (double)s->numbers));
}

static void put_count(const stats *s, const char *what, uint64_t count)
{
    char number[32];

    put_label(s, what);
    if (s->json)
        printf("%" PRIu64, count);
    else
        fputs(grouped(number, count), stdout);
    put_end(s);
}

static void put_bins(const stats *s)
{
    fputs(",\"histogram\":", stdout);
    json_numbers(stdout, s->bins, BINS);
}

/* Writes the number of elements; it begins the object of JSON. */
static void put_elements(const stats *s, uint64_t count)
{
    if (s->json)
        printf("{\"dtype\":\"%s\"", utet_show_dtype(s->dtype));
    put_count(s, "elements", count);
}

int stats_print(source *s, const selection *selected, physical *p, int json)
{
    const selection shown = p != NULL ? physical_selection(selected) : *selected;
    uint64_t rest = 0;
    stats all;
    int spread;

    memset(&all, 0, sizeof all);
    all.dtype = shown.dataset.dtype;
    all.elem_size = shown.dataset.elem_size;
    all.json = json;
    if (physical_each(s, selected, p, add, &all) != TOOL_OK)
        return TOOL_ERROR;
    if (all.numbers > 0)
        all.middle = divide(&all, &rest);
    all.rest = all.numbers > 0 ? (double)rest / (double)all.numbers : 0;
    spread = all.numbers > 0 && (is_integer(&all) ? all.high > all.low : all.greatest > all.least);
    all.binning = 1;
    if (spread && physical_each(s, selected, p, add, &all) != TOOL_OK)
        return TOOL_ERROR;
    put_elements(&all, selected->count);
    if (all.numbers > 0)
        put_numbers(&all, rest);
    put_count(&all, "nan", all.nans);
    put_count(&all, "infinite", all.infinities);
    if (spread && json)
        put_bins(&all);
    else if (spread)
        put_histogram(&all);
    if (json)
        puts("}");
    return json ? finish_stdout(TOOL_OK) : TOOL_OK;
}
