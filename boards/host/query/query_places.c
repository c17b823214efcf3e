/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Maps axes of the results to axes of the dataset, and finds the labels of indices, groups and windows. */
#include "query_places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int is_windowed(const answer *a, unsigned d)
{
    return a->plan.grouped && a->plan.by.grouping.window.size != 0 && a->plan.by.grouping.window.axis == d;
}

static int is_grouped(const answer *a, unsigned d)
{
    return a->plan.grouped && a->plan.by.grouping.axis[d].groups != 0;
}

static void places_find(places *p)
{
    const answer *const a = p->a;
    unsigned count = 0;
    unsigned d;

    for (d = 0; d < a->plan.dataset.ndim && count < a->answer.ndim; d++)
        if ((a->plan.request.axes >> d & 1) == 0 || is_windowed(a, d) || is_grouped(a, d))
            p->axis[count++] = d;
    if (a->answer.is_matrix)
        p->axis[1] = p->axis[0]; /* both axes of the matrix are the axis of variables */
}

char *places_name(const places *p, unsigned i)
{
    return axes_name(p->about, p->axis[i], p->most);
}

/* Returns the first index of group k. Groups are numbered in order of appearance, so the search continues after the
 * last group found. */
static uint64_t place_of_group(places *p, unsigned d, uint64_t k)
{
    const utet_fold_axis *const map = &p->a->plan.by.grouping.axis[d];
    uint64_t place = k < p->met[d].group ? 0 : p->met[d].place;

    while (place + 1 < p->a->plan.extents[d] && map->group_of(map->context, place) != k)
        place++;
    p->met[d].group = k;
    p->met[d].place = place;
    return place;
}

/* Returns the label of a selected index of the dataset's axis d. */
char *places_at(const places *p, unsigned d, uint64_t place)
{
    const utet_query_plan *const plan = &p->a->plan;

    return axes_label(p->about, &plan->dataset, d, plan->ranges[d].start + place * plan->ranges[d].step, p->most);
}

/* Returns "Monday to Friday": the labels of the first and the last index of window k that are on the axis (utet_fold.h,
 * windows). */
static char *window_label(const places *p, unsigned d, uint64_t k)
{
    const utet_fold_window *const w = &p->a->plan.by.grouping.window;
    const uint64_t count = p->a->plan.extents[d];
    const int at_end = w->align == UTET_FOLD_ALIGN_END;
    uint64_t step = w->size;
    uint64_t lead = at_end ? (w->size - count % w->size) % w->size : 0; /* indices before the first one */
    uint64_t begin;
    uint64_t end;
    char *first;
    char *last;
    char *both = NULL;

    if (w->mode == UTET_FOLD_ROLLING) {
        step = w->step != 0 ? w->step : 1;
        lead = !at_end && w->pad != UTET_FOLD_PAD_NONE ? w->size - 1 : 0;
    }
    begin = k * step < lead ? 0 : k * step - lead;
    end = k * step + w->size - lead < count ? k * step + w->size - lead : count;
    first = places_at(p, d, begin);
    if (end - begin == 1)
        return first;
    last = places_at(p, d, end - 1);
    if (first != NULL && last != NULL)
        both = malloc(strlen(first) + strlen(last) + 5);
    if (both != NULL)
        (void)sprintf(both, "%s to %s", first, last);
    free(first);
    free(last);
    return both;
}

char *places_label(places *p, unsigned i, uint64_t k)
{
    const unsigned d = p->axis[i];

    if (is_windowed(p->a, d))
        return window_label(p, d, k);
    if (times_has(p->a->times, d))
        return times_label(p->a->times, k);
    return places_at(p, d, is_grouped(p->a, d) ? place_of_group(p, d, k) : k);
}

int places_begin(places *p, answer *a, size_t most)
{
    memset(p, 0, sizeof *p);
    p->a = a;
    p->most = most;
    if (metadata_read(&p->m, a->s) != TOOL_OK)
        return TOOL_ERROR;
    p->name = source_name(a->s, &a->plan.dataset);
    if (p->name == NULL)
        return TOOL_ERROR;
    p->about = tree_at(&p->m.datasets, p->name, a->plan.dataset.name_length);
    places_find(p);
    return TOOL_OK;
}

void places_end(places *p)
{
    free(p->name);
    metadata_end(&p->m);
}
