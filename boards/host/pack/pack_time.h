/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Dates and times in text, and their distance from 1970 in units of time. */
#ifndef UTET_TOOL_PACK_TIME_H
#define UTET_TOOL_PACK_TIME_H

#include <stddef.h>
#include <stdint.h>

typedef struct moment {
    int64_t seconds; /* since 1970-01-01 00:00:00, in UTC if the text has a zone */
    uint32_t nanoseconds;
    int year;
    int zoned;
} moment;

/* ISO 8601: YYYY-MM-DD or YYYYMMDD, then perhaps T or a blank and hh:mm, hh:mm:ss or hhmmss, a fraction of a second
 * and a zone (Z, +hh, +hh:mm, +hhmm). Returns 0 for any other text. */
int time_read(moment *m, const char *text);
/* Reads such a time at the beginning of a text, and returns its end; null: there is none. `end` ',': a comma ends the
 * time, and does not begin a fraction. */
const char *time_take(moment *m, const char *text, char end);
/* Reads a date and time in a format of strptime. */
int time_read_as(moment *m, const char *text, const char *format);
/* A format of strptime that reads "31.12.2024 23:59", "1/2/24 1:05 PM" and others; `days_first`: of 1/2/24, 1 is the
 * day. Returns 0 if there is none. */
int time_guess(const char *text, int days_first, char *format, size_t size);

#define TIME_UNITS 7

/* The names of the units; the longest unit comes first. */
extern const char *const time_unit_names[TIME_UNITS];
/* Returns the index of a unit; -1: no unit has this name. */
int time_unit(const char *name);
/* Writes "seconds since 1970-01-01", in the form of the CF conventions. */
const char *time_unit_text(int unit);

enum { TIME_KEPT, TIME_FRACTION, TIME_BEYOND };

/* Computes whole units since 1970. TIME_FRACTION: not a whole number; TIME_BEYOND: more than 64 bits. */
int time_count(const moment *m, int unit, int64_t *count);

#endif
