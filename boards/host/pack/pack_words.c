/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Words in a table: those that mean "no value", codes for all others with the attribute that lists them as the
 * reference writes it, and labels of the rows. */
#define _XOPEN_SOURCE 700
#include "pack_csv.h"
#include "pack_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NOTE 1024u /* bytes of an attribute (src/tet/FORMAT.md §7.4) */
#define MOST_LABELS 64u /* labels for each axis (src/tet/FORMAT.md §7.4) */
#define NOTE_KEY "tetration_categories"
#define SLOTS 512u /* The attribute has at most 168 words, because a word takes 6 bytes or more. */

int column_usual_missing(const char *cell)
{
    static const char *const words[] = {"NA",      "N/A",    "n/a",      "#N/A",    "#NA",
                                        "<NA>",    "NULL",   "null",     "None",    "#DIV/0!",
                                        "#VALUE!", "#REF!",  "#NUM!",    "#NAME?",  "#NULL!", /* of spreadsheets */
                                        "-1.#IND", "1.#IND", "-1.#QNAN", "1.#QNAN",           /* of Windows */
                                        NULL};
    size_t i;

    for (i = 0; words[i] != NULL; i++)
        if (strcmp(cell, words[i]) == 0)
            return 1;
    return 0;
}

static size_t json_length(const char *text, size_t length)
{
    size_t all = 2;
    size_t i;

    for (i = 0; i < length; i++) {
        const unsigned char one = (unsigned char)text[i];

        all += one == '"' || one == '\\' || (one >= 8 && one <= 13 && one != 11) ? 2u : one < 0x20 ? 6u : 1u;
    }
    return all;
}

/* Returns the slot of the word, or a free one. */
static uint8_t *slot_of(const column *c, const char *text, const word *w)
{
    size_t i = (size_t)((w->first * 31 + w->last + w->length) * UINT64_C(0x9E3779B185EBCA87) >> 55);

    for (; c->slots[i] != 0; i = (i + 1) % SLOTS) {
        const word *const other = &c->words[c->slots[i] - 1];

        if (other->first == w->first && other->last == w->last && other->length == w->length &&
            (w->length <= 16 || memcmp(other->text, text, w->length) == 0))
            break;
    }
    return &c->slots[i];
}

static size_t code_of(const column *c, const char *text, const word *w)
{
    const uint8_t slot = c->slots != NULL ? *slot_of(c, text, w) : 0;

    return slot != 0 ? slot - 1u : c->word_count;
}

static word word_of(const char *text, size_t length)
{
    unsigned char bytes[8] = {0};
    word w = {NULL, length, 0, 0};

    memcpy(bytes, text, length < 8 ? length : 8);
    w.first = text_eight(bytes);
    if (length > 8)
        w.last = text_eight((const unsigned char *)text + length - 8);
    return w;
}

size_t column_code(const column *c, const char *cell, size_t length)
{
    const word w = word_of(cell, length);

    return code_of(c, cell, &w);
}

static int add_word(column *c, const char *cell, size_t length)
{
    word w = word_of(cell, length);
    word *more = c->words;

    if ((c->word_count & (c->word_count - 1)) == 0) /* doubled at each power of two */
        more = realloc(more, (c->word_count == 0 ? 1 : c->word_count * 2) * sizeof *more);
    if (more == NULL)
        return fail(c->path, NULL, NO_OFFSET, "not enough memory");
    c->words = more;
    if (c->slots == NULL)
        c->slots = calloc(SLOTS, 1);
    w.text = strdup(cell);
    if (c->slots == NULL || w.text == NULL) {
        free(w.text);
        return fail(c->path, NULL, NO_OFFSET, "not enough memory");
    }
    more[c->word_count++] = w;
    *slot_of(c, cell, &w) = (uint8_t)c->word_count;
    return TOOL_OK;
}

static int not_utf8(const column *c, uint64_t line, const char *cell)
{
    const cell_at here = {line, ""};

    return column_fail(c, &here,
                       "\"%.60s\" is not UTF-8 (iconv -f cp1252 -t utf-8 IN >OUT converts western Windows text)", cell);
}

int column_look_at_word(column *c, uint64_t line, const char *cell)
{
    const size_t length = strlen(cell);
    char digits[24];

    if (c->note_length > MOST_NOTE || column_code(c, cell, length) < c->word_count)
        return TOOL_OK;
    if (!is_utf8(cell, length))
        return not_utf8(c, line, cell);
    if (c->word_count == 0)
        c->note_length = strlen("{\"codes\":{},\"missing\":-1}") - 1;
    c->note_length += json_length(cell, length) + 2 + (size_t)sprintf(digits, "%zu", c->word_count);
    return add_word(c, cell, length);
}

/* Bytes that a word without quotation marks does not have: the highest bit is 1, up to the first one. */
static uint64_t word_stops(uint64_t eight, char separator)
{
    const uint64_t mark = eight ^ TEXT_EACH * '"';
    const uint64_t end = eight ^ TEXT_EACH * (unsigned char)separator;

    return (((eight - TEXT_EACH * ' ') & ~eight) | ((mark - TEXT_EACH) & ~mark) | ((end - TEXT_EACH) & ~end)) &
           TEXT_SIGNS;
}

size_t column_word_at(const column *c, const unsigned char *text, char separator, size_t *length)
{
    const unsigned char *at = text;
    uint64_t stops = word_stops(text_eight(at), separator);
    word w = {NULL, 0, 0, 0};

    if (stops != 0) {
        w.length = text_before(stops);
        w.first = text_eight(at) & (((stops & -stops) >> 7) - 1); /* bytes below the stop */
    } else {
        do
            stops = word_stops(text_eight(at += 8), separator);
        while (stops == 0);
        w.length = (size_t)(at - text) + text_before(stops);
        w.first = text_eight(text);
        w.last = w.length > 8 ? text_eight(text + w.length - 8) : 0;
    }
    *length = w.length;
    return code_of(c, (const char *)text, &w);
}

int column_add_word(column *c, size_t code)
{
    c->texts++;
    return early_next(c, code, 0) ? TOOL_OK : early_word(c, code);
}

int column_too_many_words(const column *c)
{
    return c->note_length > MOST_NOTE;
}

int column_look_at_label(column *c, uint64_t line, const char *cell, int absent)
{
    const cell_at here = {line, ""};
    moment m;

    if (absent)
        return column_fail(c, &here, "the label of a row is empty");
    if (!is_utf8(cell, strlen(cell)))
        return not_utf8(c, line, cell);
    if (c->is_time && !(c->time_format != NULL ? time_read_as(&m, cell, c->time_format) : time_read(&m, cell)))
        return column_fail(c, &here, "\"%.60s\" is not a date or time in ISO 8601 (--time-format FORMAT reads others)",
                           cell);
    if (c->word_count == MOST_LABELS)
        return column_fail(c, &here,
                           "more than 64 rows, and an axis of .tet has at most 64 labels (--times COLUMN=UNIT stores "
                           "times as numbers, --drop \"%.60s\" leaves the column out)",
                           c->name);
    return add_word(c, cell, strlen(cell));
}

int column_put_labels(const column *c, pack_input *in)
{
    tree *labels;
    size_t i;

    if (pack_meta_axis(in, c->name, &labels) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < c->word_count; i++)
        if (pack_meta_label(labels, c->words[i].text, c->words[i].length) != TOOL_OK)
            return TOOL_ERROR;
    return TOOL_OK;
}

static int by_text(const void *x, const void *y)
{
    const word *const one = *(const word *const *)x;
    const word *const other = *(const word *const *)y;
    const int order = memcmp(one->text, other->text, one->length < other->length ? one->length : other->length);

    return order != 0 ? order : (one->length > other->length) - (one->length < other->length);
}

/* {"codes":{"a":1,"b":0},"missing":-1}, sorted by the words. */
int column_put_note(const column *c, pack_input *in)
{
    const word **const sorted = malloc((c->word_count + 1) * sizeof *sorted);
    char *text = NULL;
    size_t length = 0;
    FILE *const out = open_memstream(&text, &length);
    size_t i;
    int result;

    for (i = 0; sorted != NULL && i < c->word_count; i++)
        sorted[i] = &c->words[i];
    if (sorted == NULL || out == NULL) {
        free(sorted);
        if (out != NULL)
            (void)fclose(out);
        free(text);
        return fail(c->path, NULL, NO_OFFSET, "not enough memory");
    }
    qsort(sorted, c->word_count, sizeof *sorted, by_text);
    fputs("{\"codes\":{", out);
    for (i = 0; i < c->word_count; i++) {
        fputs(i > 0 ? "," : "", out);
        json_text(out, sorted[i]->text, sorted[i]->length);
        fprintf(out, ":%zu", (size_t)(sorted[i] - c->words));
    }
    fprintf(out, "},\"missing\":%d}", COLUMN_ABSENT);
    free(sorted);
    result = words_close(out, &text) ? pack_meta_attribute(in, NOTE_KEY, text)
                                     : fail(c->path, NULL, NO_OFFSET, "not enough memory");
    free(text);
    return result;
}
