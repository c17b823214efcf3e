/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Datasets of times: numbers with units of the CF conventions, such as "seconds since 1970-01-01". */
#ifndef UTET_TOOL_MOMENTS_H
#define UTET_TOOL_MOMENTS_H

#include "pack/pack_time.h"
#include "shared/metadata.h"

typedef struct moments {
    utet_dataset dataset;
    char *name;             /* name of the dataset */
    const tree *attributes; /* NULL: none */
    int unit;
    moment from;
    int common; /* the calendar has other days before MOMENTS_FIRST_COMMON */
    int has_fill;
    uint64_t fill_bits;
    double fill;
} moments;

#define MOMENTS_FIRST (-62167219200)        /* 0000-01-01, in seconds since 1970 */
#define MOMENTS_LAST 253402300799           /* 9999-12-31T23:59:59 */
#define MOMENTS_FIRST_COMMON (-12219292800) /* 1582-10-15, before which calendars differ */

/* Returns nonzero if the dataset has one axis, of `length`, and units of time; then free t->name. */
int moments_of(moments *t, source *s, const metadata *m, const utet_dataset *dataset, uint64_t length);

enum { MOMENTS_GOOD, MOMENTS_CALENDAR, MOMENTS_SCALED };

/* Prepares moments_seconds. MOMENTS_CALENDAR: the calendar, text *calendar, has other days. MOMENTS_SCALED: the numbers
 * have a scale_factor or an add_offset. */
int moments_prepare(moments *t, const tree **calendar);

enum { IS_TIME, IS_NULL, IS_BEYOND };

/* Computes the seconds since 1970 of an element. IS_BEYOND: a number too large for that. */
int moments_seconds(const moments *t, const uint8_t *element, int64_t *seconds);

/* Returns floor(a / b), for b > 0. */
int64_t floor_divide(int64_t a, int64_t b);

/* Returns 12 * year + month (from 0) of a day since 1970, and the day of the month. */
int64_t moments_month(int64_t days, int *day);

#endif
