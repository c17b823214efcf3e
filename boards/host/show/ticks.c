/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "ticks.h"

#include "moments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MINUTE_LABEL 16u /* columns of 2025-01-01 12:00 */

typedef struct ticks {
    moments is;
    int timed; /* the numbers are times */
    size_t most;
    char *text; /* the value that was read last */
} ticks;

/* 2025-01-01 12:00, with seconds if they are not 0; the date alone if there is no room. */
static char *time_text(int64_t seconds, size_t most)
{
    const int64_t days = floor_divide(seconds, 86400);
    const int clock = (int)(seconds - days * 86400);
    char text[64];
    int day;
    const int64_t month = moments_month(days, &day);
    const int length = snprintf(text, sizeof text, "%04d-%02d-%02d", (int)(month / 12), (int)(month % 12) + 1, day);

    if (most >= MINUTE_LABEL)
        (void)snprintf(text + length, sizeof text - (size_t)length, clock % 60 != 0 ? " %02d:%02d:%02d" : " %02d:%02d",
                       clock / 3600, clock / 60 % 60, clock % 60);
    return text_cut(text, strlen(text), most);
}

/* A band_sink of one element. */
static int take_value(void *ctx, const uint8_t *element, size_t count)
{
    ticks *const c = ctx;
    char text[64];
    size_t length;
    int64_t seconds = 0;

    if (count == 0)
        return TOOL_OK;
    if (c->timed && moments_seconds(&c->is, element, &seconds) == IS_TIME && seconds >= MOMENTS_FIRST &&
        seconds <= MOMENTS_LAST && (!c->is.common || seconds >= MOMENTS_FIRST_COMMON))
        c->text = time_text(seconds, c->most);
    else if (utet_show_text(c->is.dataset.dtype, element, text, sizeof text, &length) == UTET_OK)
        c->text = text_cut(text, length, c->most);
    else
        return TOOL_OK;
    return c->text != NULL ? TOOL_OK : fail(c->is.name, NULL, NO_OFFSET, "not enough memory");
}

/* Replaces *text by the value at index `at`, if it has a text. */
static int replace(char **text, source *s, const options *opt, ticks *c, uint64_t at)
{
    options one = *opt;
    char slab[24];
    selection selected;
    int result;

    (void)snprintf(slab, sizeof slab, "%" PRIu64, at);
    one.slab = slab;
    result = selection_of(s, &one, &c->is.dataset, &selected);
    if (result == TOOL_OK)
        result = source_grow(s, opt, &selected.need);
    if (result == TOOL_OK)
        result = bands_each(s, &selected, take_value, c);
    if (c->text != NULL) {
        free(*text);
        *text = c->text;
        c->text = NULL;
    }
    return result;
}

/* Finds the dataset with the name of the axis. */
static int find_named(ticks *c, source *s, const metadata *m, const tree *name, uint64_t length)
{
    utet_dataset dataset;
    const tree *calendar;
    const utet_status status = utet_dataset_find(&s->file, name->text, name->length, &dataset);

    if (status != UTET_OK || dataset.ndim != 1 || dataset.shape[0] != length)
        return 0;
    c->timed = moments_of(&c->is, s, m, &dataset, length) && moments_prepare(&c->is, &calendar) == MOMENTS_GOOD;
    c->is.dataset = dataset;
    return 1;
}

/* Finds the only dataset of times that is as long as the axis. */
static int find_times(ticks *c, source *s, const metadata *m, uint64_t length)
{
    unsigned found = 0;
    const tree *calendar;
    utet_dataset dataset;
    utet_status status;
    moments one;

    for (status = utet_dataset_first(&s->file, &dataset); status == UTET_OK;
         status = utet_dataset_next(&s->file, &dataset)) {
        if (!moments_of(&one, s, m, &dataset, length))
            continue;
        free(c->is.name);
        c->is = one;
        found++;
    }
    c->timed = found == 1 && moments_prepare(&c->is, &calendar) == MOMENTS_GOOD;
    return c->timed;
}

int ticks_fill(axis *a, source *s, const options *opt, const metadata *m, const tree *about, const selection *chosen,
               unsigned d, size_t most)
{
    const utet_range *const range = &chosen->ranges[d];
    const uint64_t length = chosen->dataset.shape[d];
    const tree *const name = axes_given(about, d);
    ticks c;
    int result = TOOL_OK;

    memset(&c, 0, sizeof c);
    c.most = most;
    if (name != NULL ? find_named(&c, s, m, name, length) : find_times(&c, s, m, length)) {
        result = replace(&a->first, s, opt, &c, range->start);
        if (result == TOOL_OK)
            result = replace(&a->last, s, opt, &c, range->start + (chosen->shape[d] - 1) * range->step);
        if (name == NULL && result == TOOL_OK) {
            free(a->name);
            a->name = text_cut(c.is.name, strlen(c.is.name), most);
            result = a->name != NULL ? TOOL_OK : fail(s->path, NULL, NO_OFFSET, "not enough memory");
        }
        source_rows(s, &chosen->dataset);
    }
    free(c.is.name);
    return result;
}
