/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Names, labels and units around a picture. Where the file has no labels, indices are shown. */
#include "ticks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LABEL 12u     /* columns */
#define LINES_LABEL 26u    /* columns of a label below lines, which are wider than pictures */
#define LEAST_TERMINAL 40u /* with fewer columns, the picture uses all of them */

static const tree *get(const tree *map, const char *key)
{
    return map != NULL ? tree_at(map, key, strlen(key)) : NULL;
}

const tree *axes_given(const tree *about, unsigned d)
{
    const tree *const names = get(about, "dim_names");

    return names != NULL && d < names->count && names->branches[d].value.kind == UTET_VALUE_TEXT
               ? &names->branches[d].value
               : NULL;
}

const tree *axes_units(const tree *about)
{
    const tree *const units = get(get(about, "attrs"), "units");

    return units != NULL && units->kind == UTET_VALUE_TEXT ? units : NULL;
}

/* Returns a harmless copy of the text of at most `most` columns; 0: an unchanged copy. */
static char *copy_text(const char *text, size_t length, size_t most)
{
    char *copy;

    if (most != 0)
        return text_cut(text, length, most);
    copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *axes_name(const tree *about, unsigned d, size_t most)
{
    const tree *const name = axes_given(about, d);
    char number[16];

    (void)snprintf(number, sizeof number, "axis %u", d);
    return name != NULL ? copy_text(name->text, name->length, most) : copy_text(number, strlen(number), most);
}

const tree *axes_labels(const tree *about, const utet_dataset *dataset, unsigned d)
{
    const tree *const name = axes_given(about, d);
    const tree *const coords = get(about, "coords");
    const tree *const one = name != NULL && coords != NULL ? tree_at(coords, name->text, name->length) : NULL;
    const tree *const labels = get(one, "labels");

    return labels != NULL && labels->count == dataset->shape[d] ? labels : NULL;
}

char *axes_label(const tree *about, const utet_dataset *dataset, unsigned d, uint64_t place, size_t most)
{
    const tree *const labels = axes_labels(about, dataset, d);
    char number[24];

    if (labels != NULL) {
        const tree *const text = &labels->branches[place].value;

        return copy_text(text->text, text->length, most);
    }
    (void)snprintf(number, sizeof number, "%" PRIu64, place);
    return text_cut(number, strlen(number), sizeof number);
}

static int fill(axis *a, source *s, const options *opt, const metadata *m, const tree *about, const selection *chosen,
                unsigned d, size_t most)
{
    const utet_range *const range = &chosen->ranges[d];

    a->name = axes_name(about, d, most);
    a->first = axes_label(about, &chosen->dataset, d, range->start, most);
    a->last = axes_label(about, &chosen->dataset, d, range->start + (chosen->shape[d] - 1) * range->step, most);
    if (a->name == NULL || a->first == NULL || a->last == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory");
    if (opt->bare || axes_labels(about, &chosen->dataset, d) != NULL)
        return TOOL_OK;
    return ticks_fill(a, s, opt, m, about, chosen, d, most);
}

/* The metadata of the dataset, and its name, which the caller frees. */
static int look_up(source *s, const selection *chosen, metadata *m, const tree **about, char **name)
{
    if (metadata_read(m, s) != TOOL_OK)
        return TOOL_ERROR;
    *name = source_name(s, &chosen->dataset);
    if (*name == NULL) {
        metadata_end(m);
        return TOOL_ERROR;
    }
    *about = tree_at(&m->datasets, *name, chosen->dataset.name_length);
    return TOOL_OK;
}

static int name_all(axes *all, const source *s, const selection *chosen, const tree *about, const char *name)
{
    const tree *const units = axes_units(about);

    memset(all, 0, sizeof *all);
    all->name = text_cut(name, chosen->dataset.name_length, 60);
    if (units != NULL)
        all->units = text_cut(units->text, units->length, 30);
    return all->name != NULL && (units == NULL || all->units != NULL)
               ? TOOL_OK
               : fail(s->path, NULL, NO_OFFSET, "not enough memory");
}

/* Columns for the texts of the vertical axis. */
static void settle(axes *all, size_t terminal)
{
    const char *const texts[3] = {all->rows.name, all->rows.first, all->rows.last};
    size_t i;

    all->margin = 0;
    for (i = 0; i < 3 && terminal >= LEAST_TERMINAL; i++)
        if (texts[i] != NULL && all->margin < text_width(texts[i]) + 1)
            all->margin = text_width(texts[i]) + 1;
}

int axes_make(axes *all, source *s, const options *opt, const selection *chosen, size_t terminal)
{
    const tree *about;
    metadata m;
    char *name;
    unsigned found = 0;
    unsigned d;
    int result;

    memset(all, 0, sizeof *all);
    if (look_up(s, chosen, &m, &about, &name) != TOOL_OK)
        return TOOL_ERROR;
    result = name_all(all, s, chosen, about, name);
    for (d = chosen->dataset.ndim; d-- > 0;)
        if (chosen->shape[d] > 1 && found < 2 && result == TOOL_OK)
            result = fill(found++ == 0 ? &all->columns : &all->rows, s, opt, &m, about, chosen, d, MOST_LABEL);
    free(name);
    metadata_end(&m);
    settle(all, terminal);
    if (result != TOOL_OK)
        axes_end(all);
    return result;
}

int axes_of_lines(axes *all, source *s, const options *opt, const selection *chosen, unsigned across)
{
    const tree *about;
    metadata m;
    char *name;
    int result;

    memset(all, 0, sizeof *all);
    if (look_up(s, chosen, &m, &about, &name) != TOOL_OK)
        return TOOL_ERROR;
    result = name_all(all, s, chosen, about, name);
    if (result == TOOL_OK && across < chosen->dataset.ndim)
        result = fill(&all->columns, s, opt, &m, about, chosen, across, LINES_LABEL);
    free(name);
    metadata_end(&m);
    if (result != TOOL_OK)
        axes_end(all);
    return result;
}

int axes_keys(source *s, const selection *chosen, unsigned d, char **keys, size_t count)
{
    const utet_range *const range = &chosen->ranges[d];
    const tree *about;
    metadata m;
    char *name;
    size_t i;
    int good = 1;

    if (look_up(s, chosen, &m, &about, &name) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < count; i++) {
        keys[i] = axes_label(about, &chosen->dataset, d, range->start + i * range->step, LINES_LABEL);
        good &= keys[i] != NULL;
    }
    free(name);
    metadata_end(&m);
    return good ? TOOL_OK : fail(s->path, NULL, NO_OFFSET, "not enough memory");
}

const char *axes_number(double value, char text[32])
{
    if (fabs(value) >= 9007199254740992.0)
        (void)snprintf(text, 32, "about %.6g", value);
    else
        (void)snprintf(text, 32, value == floor(value) ? "%.0f" : "%.6g", value);
    return text;
}

int axes_heights(axes *all, const char *name, double low, double high, size_t terminal)
{
    char text[32];

    (void)axes_number(high, text);
    all->rows.first = text_cut(text, strlen(text), MOST_LABEL);
    (void)axes_number(low, text);
    all->rows.last = text_cut(text, strlen(text), MOST_LABEL);
    if (name != NULL)
        all->rows.name = text_cut(name, strlen(name), MOST_LABEL);
    settle(all, terminal);
    return all->rows.first != NULL && all->rows.last != NULL && (name == NULL || all->rows.name != NULL);
}

static void end_axis(axis *a)
{
    free(a->name);
    free(a->first);
    free(a->last);
}

void axes_end(axes *all)
{
    end_axis(&all->rows);
    end_axis(&all->columns);
    free(all->name);
    free(all->units);
    memset(all, 0, sizeof *all);
}

static void blanks(FILE *out, size_t count)
{
    for (; count > 0; count--)
        putc(' ', out);
}

void axes_margin(const axes *all, size_t line, size_t lines, FILE *out)
{
    const char *text = "";

    if (all == NULL || all->margin == 0)
        return;
    if (line == 0)
        text = all->rows.first;
    else if (line + 1 == lines)
        text = all->rows.last;
    else if (line == lines / 2)
        text = all->rows.name;
    if (text == NULL)
        text = "";
    blanks(out, all->margin - 1 - text_width(text));
    fprintf(out, "%s ", text);
}

char *axes_line(const axes *all, size_t width)
{
    const axis *const a = &all->columns;
    size_t ends;
    size_t name;
    size_t left;
    size_t size;
    char *line;

    if (a->name == NULL || a->first == NULL || a->last == NULL)
        return NULL;
    ends = text_width(a->first) + text_width(a->last);
    name = text_width(a->name);
    if (ends + 1 > width)
        return NULL;
    size = width + strlen(a->first) + strlen(a->name) + strlen(a->last) + 1;
    line = malloc(size);
    if (line == NULL) {
        (void)fail(NULL, NULL, NO_OFFSET, "not enough memory");
        return NULL;
    }
    if (ends + name + 4 <= width) {
        left = (width - ends - name) / 2;
        (void)snprintf(line, size, "%s%*s%s%*s%s", a->first, (int)left, "", a->name, (int)(width - ends - name - left),
                       "", a->last);
    } else {
        (void)snprintf(line, size, "%s%*s%s", a->first, (int)(width - ends), "", a->last);
    }
    return line;
}

void axes_below(const axes *all, size_t width, FILE *out)
{
    char *const line = axes_line(all, width);

    if (line != NULL) {
        blanks(out, all->margin);
        fprintf(out, "%s\n", line);
    }
    free(line);
}
