/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Dates and times in text: ISO 8601, or a format of strptime. Years are those of the Gregorian calendar, also before
 * it was in use. */
#define _GNU_SOURCE
#include "pack_time.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define SECOND 1000000000 /* nanoseconds */
#define DAY 86400         /* seconds */

typedef struct time_span {
    const char *text;
    int64_t seconds;     /* length; 0: shorter than a second */
    int64_t nanoseconds; /* length, if shorter than a second */
} time_span;

const char *const time_unit_names[TIME_UNITS] = {"d", "h", "min", "s", "ms", "us", "ns"};

static const time_span units[TIME_UNITS] = {
    {"days since 1970-01-01", DAY, 0},
    {"hours since 1970-01-01", 3600, 0},
    {"minutes since 1970-01-01", 60, 0},
    {"seconds since 1970-01-01", 1, 0},
    {"milliseconds since 1970-01-01", 0, 1000000},
    {"microseconds since 1970-01-01", 0, 1000},
    {"nanoseconds since 1970-01-01", 0, 1},
};

int time_unit(const char *name)
{
    int i;

    for (i = 0; i < TIME_UNITS; i++)
        if (strcmp(name, time_unit_names[i]) == 0)
            return i;
    return -1;
}

const char *time_unit_text(int unit)
{
    return units[unit].text;
}

/* ---- text ---- */

/* Two digits, their number from `least` to `most`. */
static int take_two(const char **at, int least, int most, int *value)
{
    const unsigned tens = (unsigned)(*at)[0] - '0';
    const unsigned ones = tens <= 9 ? (unsigned)(*at)[1] - '0' : 10;

    if (ones > 9)
        return 0;
    *at += 2;
    *value = (int)(tens * 10 + ones);
    return *value >= least && *value <= most;
}

static int take(const char **at, char sign)
{
    *at += **at == sign;
    return (*at)[-1] == sign;
}

static int days_of_month(int year, int month)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : days[month - 1];
}

/* Days since 1970-01-01. Years begin in March here, so that the leap day is the last one. */
static int64_t days_since(int year, int month, int day)
{
    const int64_t y = (int64_t)year - (month < 3) + 4000; /* positive, counted from March of a year that 400 divides */
    const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

    return y * 365 + y / 4 - y / 100 + y / 400 + of_year - 10 * 146097 - 719468;
}

/* ",5" or ".123456789": at most nine digits that are not 0. */
static int take_fraction(const char **at, uint32_t *nanoseconds)
{
    uint32_t place = SECOND / 10;
    const char *const from = ++*at;

    for (; **at >= '0' && **at <= '9'; ++*at, place /= 10) {
        if (place == 0 && **at != '0')
            return 0;
        *nanoseconds += place * (uint32_t)(**at - '0');
    }
    return *at > from;
}

/* "hh:mm", "hh:mm:ss" or the same without colons, in seconds. */
static int take_clock(const char **at, moment *m, char end)
{
    int hour;
    int minute;
    int second = 0;
    int colons;

    if (!take_two(at, 0, 23, &hour))
        return 0;
    colons = **at == ':';
    *at += colons;
    if (!take_two(at, 0, 59, &minute))
        return 0;
    if (colons ? **at == ':' : **at >= '0' && **at <= '9') {
        *at += colons;
        if (!take_two(at, 0, 59, &second))
            return 0;
        if ((**at == '.' || **at == ',') && **at != end && !take_fraction(at, &m->nanoseconds))
            return 0;
    }
    m->seconds += hour * 3600 + minute * 60 + second;
    return 1;
}

static int take_zone(const char **at, moment *m)
{
    const int sign = **at == '-' ? -1 : 1;
    int hours;
    int minutes = 0;

    m->zoned = **at == 'Z' || **at == 'z' || **at == '+' || **at == '-';
    if (**at == 'Z' || **at == 'z') {
        ++*at;
        return 1;
    }
    if (!m->zoned)
        return 1;
    ++*at;
    if (!take_two(at, 0, 23, &hours))
        return 0;
    *at += **at == ':';
    if (((*at)[-1] == ':' || (**at >= '0' && **at <= '9')) && !take_two(at, 0, 59, &minutes))
        return 0;
    m->seconds -= sign * (hours * 3600 + minutes * 60);
    return 1;
}

const char *time_take(moment *m, const char *text, char end)
{
    const char *at = text;
    int century;
    int month;
    int day;
    int dashes;

    memset(m, 0, sizeof *m);
    if (!take_two(&at, 0, 99, &century) || !take_two(&at, 0, 99, &m->year))
        return NULL;
    m->year += 100 * century;
    dashes = take(&at, '-');
    if (!take_two(&at, 1, 12, &month) || take(&at, '-') != dashes || !take_two(&at, 1, 31, &day) ||
        day > days_of_month(m->year, month))
        return NULL;
    m->seconds = days_since(m->year, month, day) * DAY;
    if (*at != 'T' && *at != 't' && *at != ' ')
        return at;
    at++;
    if (!take_clock(&at, m, end))
        return NULL;
    if (*at == ' ' && at[1] != '\0')
        at++; /* pandas and databases write "12:00:00 +01:00" */
    return take_zone(&at, m) ? at : NULL;
}

int time_read(moment *m, const char *text)
{
    const char *const end = time_take(m, text, '\0');

    return end != NULL && *end == '\0';
}

int time_read_as(moment *m, const char *text, const char *format)
{
    struct tm tm;
    const char *end;

    memset(m, 0, sizeof *m);
    memset(&tm, 0, sizeof tm);
    tm.tm_year = 70;
    tm.tm_mday = 1;
    end = strptime(text, format, &tm);
    if (end == NULL || *end != '\0' || tm.tm_year < -1900 || tm.tm_year > 8099 || tm.tm_sec > 59 || tm.tm_mday < 1 ||
        tm.tm_mon < 0 || tm.tm_mon > 11 || tm.tm_mday > days_of_month(tm.tm_year + 1900, tm.tm_mon + 1))
        return 0;
    m->year = tm.tm_year + 1900;
    m->zoned = strstr(format, "%z") != NULL;
    m->seconds = days_since(m->year, tm.tm_mon + 1, tm.tm_mday) * DAY + tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec -
                 (m->zoned ? (int64_t)tm.tm_gmtoff : 0);
    return 1;
}

/* Up to `most` digits of a format: their number, or -1. */
static int count_digits(const char *text, int most)
{
    int count = 0;

    while (count <= most && text[count] >= '0' && text[count] <= '9')
        count++;
    return count > most ? -1 : count;
}

/* " 1:05", " 13:05:07", " 01:05:07 PM" */
static int guess_clock(const char *text, char *format, size_t size)
{
    const char *const letter = strpbrk(text, "AaPp");
    const char *const colon = strchr(text, ':');

    if (*text == '\0')
        return 1;
    if ((*text != ' ' && *text != 'T') || colon == NULL)
        return 0;
    (void)snprintf(format, size, "%c%s%s%s", *text, letter != NULL ? "%I:%M" : "%H:%M",
                   strchr(colon + 1, ':') != NULL ? ":%S" : "",
                   letter == NULL      ? ""
                   : letter[-1] == ' ' ? " %p"
                                       : "%p");
    return 1;
}

int time_guess(const char *text, int days_first, char *format, size_t size)
{
    const int first = count_digits(text, 4);
    const char sign = first > 0 ? text[first] : '\0';
    const char *const second = text + first + 1;
    const char *order;
    moment m;
    int last;
    int used;

    if ((sign != '/' && sign != '.' && sign != '-') || count_digits(second, 2) < 1 ||
        second[count_digits(second, 2)] != sign)
        return 0;
    last = count_digits(second + count_digits(second, 2) + 1, 4);
    if ((first > 2) == (last > 2) && (first > 2 || last != 2))
        return 0;
    order = first > 2 ? "Ymd" : days_first || sign == '.' ? (last > 2 ? "dmY" : "dmy") : last > 2 ? "mdY" : "mdy";
    used = snprintf(format, size, "%%%c%c%%%c%c%%%c", order[0], sign, order[1], sign, order[2]);
    return guess_clock(second + count_digits(second, 2) + 1 + last, format + used, size - (size_t)used) &&
           time_read_as(&m, text, format);
}

/* ---- numbers ---- */

int time_count(const moment *m, int number, int64_t *count)
{
    const time_span *const u = &units[number];
    const int64_t per = u->seconds > 0 ? 0 : SECOND / u->nanoseconds; /* units of a second */
    int64_t part;

    if (u->seconds > 0) {
        *count = m->seconds / u->seconds;
        return m->nanoseconds == 0 && m->seconds % u->seconds == 0 ? TIME_KEPT : TIME_FRACTION;
    }
    if (m->nanoseconds % u->nanoseconds != 0)
        return TIME_FRACTION;
    part = (int64_t)m->nanoseconds / u->nanoseconds;
    if (m->seconds > (INT64_MAX - part) / per || m->seconds < INT64_MIN / per)
        return TIME_BEYOND;
    *count = m->seconds * per + part;
    return TIME_KEPT;
}
