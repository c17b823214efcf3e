/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "moments.h"

#include "shared/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAY 86400

int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Years begin in March here. */
int64_t moments_month(int64_t days, int *day)
{
    const int64_t from = days + 719468;
    const int64_t era = floor_divide(from, 146097);
    const int64_t of_era = from - era * 146097;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const int64_t march = (5 * of_year + 2) / 153;

    *day = (int)(of_year - (153 * march + 2) / 5) + 1;
    return (era * 400 + year) * 12 + march + 2;
}

static const tree *attribute(const moments *t, const char *key)
{
    const tree *const value = t->attributes != NULL ? tree_at(t->attributes, key, strlen(key)) : NULL;

    return value != NULL && value->kind == UTET_VALUE_TEXT ? value : NULL;
}

/* "hours since 2024-01-01 06:00 UTC": *unit and *from. Returns 0 for any other text. */
static int read_units(const char *text, int *unit, moment *from)
{
    static const char *const names[TIME_UNITS] = {
        " days day d ",
        " hours hour hrs hr h ",
        " minutes minute mins min ",
        " seconds second secs sec s ",
        " milliseconds millisecond msecs msec ms ",
        " microseconds microsecond us ",
        " nanoseconds nanosecond ns ",
    };
    const char *const since = strstr(text, " since ");
    char word[20];
    char date[64];
    size_t length;

    if (since == NULL || since - text > 14 || since == text || strlen(since + 7) >= sizeof date)
        return 0;
    (void)snprintf(word, sizeof word, " %.*s ", (int)(since - text), text);
    (void)strcpy(date, since + 7);
    length = strlen(date);
    if (length > 4 && (strcmp(date + length - 4, " UTC") == 0 || strcmp(date + length - 4, " GMT") == 0))
        date[length - 4] = '\0';
    for (*unit = 0; *unit < TIME_UNITS && strstr(names[*unit], word) == NULL; ++*unit)
        ;
    return *unit < TIME_UNITS && time_read(from, date);
}

static void find_fill(moments *t)
{
    static const char *const keys[] = {"_FillValue", "missing_value", "fill_value"};
    const tree *text = NULL;
    decimal n;
    size_t i;

    for (i = 0; text == NULL && i < sizeof keys / sizeof keys[0]; i++)
        text = attribute(t, keys[i]);
    if (text == NULL)
        return;
    number_read(&n, text->text);
    if (n.kind != NUMBER_FINITE)
        return;
    t->fill = n.value;
    t->has_fill = UTET_IS_FLOAT(t->dataset.dtype) || number_store(&n, t->dataset.dtype, &t->fill_bits) == NUMBER_KEPT;
    if (t->dataset.elem_size < 8)
        t->fill_bits &= ((uint64_t)1 << 8 * t->dataset.elem_size) - 1;
}

/* Length of a unit in microseconds. */
static double microseconds(int unit)
{
    static const double lengths[TIME_UNITS] = {86400e6, 3600e6, 60e6, 1e6, 1e3, 1, 1e-3};

    return lengths[unit];
}

/* Floats are rounded to microseconds: 0.1 of a day is not exactly 8,640 seconds. */
static int float_time(const moments *t, const uint8_t *element, int64_t *seconds)
{
    double value;
    int64_t whole;

    if (utet_show_double(t->dataset.dtype, element, &value) != UTET_OK || isnan(value) ||
        (t->has_fill && !(value < t->fill) && !(value > t->fill)))
        return IS_NULL;
    value *= microseconds(t->unit);
    if (!(fabs(value) < 1e18))
        return IS_BEYOND;
    whole = llround(value);
    *seconds = floor_divide(whole + t->from.nanoseconds / 1000, 1000000) + t->from.seconds;
    return IS_TIME;
}

static int integer_time(const moments *t, const uint8_t *element, int64_t *seconds)
{
    static const int64_t lengths[] = {DAY, 3600, 60, 1};        /* in seconds */
    static const int64_t parts[] = {1000, 1000000, 1000000000}; /* units in a second */
    const size_t size = t->dataset.elem_size;
    const uint64_t bits = load_le(element, size);
    const uint64_t sign = UTET_IS_SIGNED(t->dataset.dtype) ? (uint64_t)1 << (8 * size - 1) : 0;
    const uint64_t extended = (bits ^ sign) - sign;
    int64_t value;
    int64_t part;

    if (t->has_fill && bits == t->fill_bits)
        return IS_NULL;
    if (sign == 0 && bits > INT64_MAX)
        return IS_BEYOND;
    memcpy(&value, &extended, sizeof value);
    if (fabs((double)value) * microseconds(t->unit) > 1e18)
        return IS_BEYOND;
    if (t->unit < 4) {
        *seconds = value * lengths[t->unit] + t->from.seconds;
        return IS_TIME;
    }
    part = parts[t->unit - 4];
    *seconds = floor_divide(value, part) + t->from.seconds;
    *seconds += ((value - floor_divide(value, part) * part) * (1000000000 / part) + t->from.nanoseconds) / 1000000000;
    return IS_TIME;
}

int moments_seconds(const moments *t, const uint8_t *element, int64_t *seconds)
{
    return UTET_IS_FLOAT(t->dataset.dtype) ? float_time(t, element, seconds) : integer_time(t, element, seconds);
}

int moments_of(moments *t, source *s, const metadata *m, const utet_dataset *dataset, uint64_t length)
{
    const tree *units;
    const tree *about;

    memset(t, 0, sizeof *t);
    if (dataset->ndim != 1 || dataset->shape[0] != length)
        return 0;
    t->dataset = *dataset;
    t->name = source_name(s, dataset);
    about = t->name != NULL ? tree_at(&m->datasets, t->name, dataset->name_length) : NULL;
    t->attributes = about != NULL ? tree_at(about, "attrs", 5) : NULL;
    units = attribute(t, "units");
    if (units != NULL && read_units(units->text, &t->unit, &t->from))
        return 1;
    free(t->name);
    t->name = NULL;
    return 0;
}

int moments_prepare(moments *t, const tree **calendar)
{
    static const char *const calendars = " standard gregorian proleptic_gregorian ";
    char word[40] = " standard ";

    *calendar = attribute(t, "calendar");
    if (*calendar != NULL)
        (void)snprintf(word, sizeof word, " %.30s ", (*calendar)->text);
    if (strstr(calendars, word) == NULL)
        return MOMENTS_CALENDAR;
    if (attribute(t, "scale_factor") != NULL || attribute(t, "add_offset") != NULL)
        return MOMENTS_SCALED;
    t->common = strcmp(word, " proleptic_gregorian ") != 0;
    find_fill(t);
    return MOMENTS_GOOD;
}
