/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A column of dates and times, stored as i64: whole units since 1970. */
#define _XOPEN_SOURCE 700
#include "pack_csv.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#define GREGORIAN 1583 /* the first year that is the same in the calendar of the CF conventions */

static int read_moment(const column *c, moment *m, const char *cell)
{
    return c->time_format != NULL ? time_read_as(m, cell, c->time_format) : time_read(m, cell);
}

/* "NaT" and "NaN" too: pandas writes them. */
static int says_nothing(const char *cell)
{
    if (*cell >= '0' && *cell <= '9')
        return 0;
    return column_usual_missing(cell) || strcasecmp(cell, "nat") == 0 || strcasecmp(cell, "nan") == 0;
}

static int is_partial(const column *c, const cell_at *here, const char *cell, const moment *m)
{
    int64_t count;
    int unit = c->unit;

    while (unit < TIME_UNITS - 1 && time_count(m, unit, &count) == TIME_FRACTION)
        unit++;
    return column_fail(c, here, "\"%.60s\" is not a whole number of the unit %s (--times \"%.60s=%s\" stores it)", cell,
                       time_unit_names[c->unit], c->name, time_unit_names[unit]);
}

int column_look_at_time(column *c, uint64_t line, const char *cell, int absent)
{
    cell_at here = {line, ""};
    int64_t count;
    moment m;
    int kept;

    if (absent || says_nothing(cell)) {
        column_remember(&c->first_absent, line, cell);
        c->absent++;
        c->early.state = EARLY_LOST;
        return TOOL_OK;
    }
    if (!read_moment(c, &m, cell))
        return column_fail(c, &here,
                           c->time_format != NULL ? "\"%.60s\" does not match --time-format %.60s"
                                                  : "\"%.60s\" is not a date or time in ISO 8601 (--time-format FORMAT "
                                                    "reads others%.0s)",
                           cell, c->time_format != NULL ? c->time_format : "");
    kept = time_count(&m, c->unit, &count);
    if (kept == TIME_FRACTION)
        return is_partial(c, &here, cell, &m);
    if (kept == TIME_BEYOND)
        return column_fail(c, &here, "\"%.60s\" does not fit i64 in the unit %s; use a longer one", cell,
                           time_unit_names[c->unit]);
    column_remember(m.zoned ? &c->zoned : &c->unzoned, line, cell);
    if (c->zoned.line != 0 && c->unzoned.line != 0)
        return column_fail(c, &here, "\"%.60s\" and \"%.60s\": one time has a zone and the other has none",
                           c->zoned.text, c->unzoned.text);
    c->before_gregorian |= m.year < GREGORIAN;
    c->numbers = 1;
    return early_integer(c, count < 0 ? 0 - (uint64_t)count : (uint64_t)count, count < 0);
}

size_t column_time_at(const column *c, const char *text, char end, int64_t *count)
{
    moment m;
    const char *const after = c->numbers && c->time_format == NULL ? time_take(&m, text, end) : NULL;

    if (after == NULL || (m.zoned ? c->zoned.line : c->unzoned.line) == 0 || m.year < GREGORIAN ||
        time_count(&m, c->unit, count) != TIME_KEPT)
        return 0;
    return (size_t)(after - text);
}

int column_keep_time(const column *c, const char *cell, uint64_t *bits)
{
    int64_t count = 0;
    moment m;

    if (says_nothing(cell))
        return 0;
    (void)read_moment(c, &m, cell);
    (void)time_count(&m, c->unit, &count);
    *bits = (uint64_t)count;
    return 1;
}

int column_finish_time(const column *c, pack_input *in)
{
    if (c->before_gregorian && pack_meta_attribute(in, "calendar", "proleptic_gregorian") != TOOL_OK)
        return TOOL_ERROR;
    return pack_meta_attribute(in, "units", time_unit_text(c->unit));
}
