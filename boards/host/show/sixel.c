/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Writes a picture as sixel, the graphics format of DEC's terminals. The picture consists of bands of six rows. A band
 * has one pass for each of its colours, with a character for six pixels of a column. Colours are in percent. */
#define _POSIX_C_SOURCE 200809L
#include "medium.h"

#include <stdlib.h>
#include <string.h>

#define BAND 6u
#define MOST_COLOURS 255u /* the scale of maps has 243 in percent, a drawing in few colours has 12 */
#define PERCENTS 101u

typedef struct sixel {
    const canvas *from;
    FILE *to;
    uint8_t *number_of; /* the number of each colour; 0: it does not occur */
    uint8_t *bits;      /* the columns of the band, a byte each, for each colour */
    unsigned colours;
} sixel;

static unsigned percent(uint8_t byte)
{
    return (byte * 100u + 127u) / 255u;
}

static uint8_t *number_of(const sixel *s, size_t pixel)
{
    const uint8_t *const rgb = s->from->rgb + 3 * pixel;

    return &s->number_of[(percent(rgb[0]) * PERCENTS + percent(rgb[1])) * PERCENTS + percent(rgb[2])];
}

static void put_colours(sixel *s)
{
    size_t i;

    for (i = 0; i < s->from->width * s->from->height; i++) {
        const uint8_t *const rgb = s->from->rgb + 3 * i;
        uint8_t *const number = number_of(s, i);

        if (*number != 0 || s->colours == MOST_COLOURS)
            continue;
        fprintf(s->to, "#%u;2;%u;%u;%u", s->colours, percent(rgb[0]), percent(rgb[1]), percent(rgb[2]));
        *number = (uint8_t)++s->colours;
    }
}

/* Equal characters that follow each other are a count and one character; empty ones at the end are omitted. */
static void put_columns(const sixel *s, const uint8_t *columns)
{
    size_t end = s->from->width;
    size_t repeats;
    size_t next;
    size_t x;

    while (end > 0 && columns[end - 1] == 0)
        end--;
    for (x = 0; x < end; x = next) {
        for (next = x + 1; next < end && columns[next] == columns[x];)
            next++;
        if (next - x > 3)
            fprintf(s->to, "!%zu", next - x);
        for (repeats = next - x > 3 ? 1 : next - x; repeats > 0; repeats--)
            putc('?' + columns[x], s->to);
    }
}

static void put_band(sixel *s, size_t top)
{
    const size_t width = s->from->width;
    uint8_t used[MOST_COLOURS + 1] = {0};
    unsigned colour;
    size_t y;
    size_t x;

    for (y = top; y < top + BAND && y < s->from->height; y++)
        for (x = 0; x < width; x++) {
            const uint8_t number = *number_of(s, y * width + x);

            s->bits[number * width + x] |= (uint8_t)(1u << (y - top));
            used[number] = 1;
        }
    for (colour = 1; colour <= s->colours; colour++)
        if (used[colour] != 0) {
            fprintf(s->to, "#%u", colour - 1);
            put_columns(s, s->bits + colour * width);
            memset(s->bits + colour * width, 0, width);
            putc('$', s->to);
        }
    putc('-', s->to);
}

static void put_all(sixel *s)
{
    size_t top;

    fprintf(s->to, "\033P0;1;0q\"1;1;%zu;%zu", s->from->width, s->from->height);
    put_colours(s);
    for (top = 0; top < s->from->height; top += BAND)
        put_band(s, top);
    fputs("\033\\", s->to);
}

int sixel_write(const canvas *from, output *out)
{
    char *text = NULL;
    size_t length = 0;
    sixel s = {from, open_memstream(&text, &length), NULL, NULL, 0};
    int result;

    s.number_of = calloc((size_t)PERCENTS * PERCENTS * PERCENTS, 1);
    s.bits = calloc(MOST_COLOURS + 1, from->width);
    if (s.to != NULL && s.number_of != NULL && s.bits != NULL)
        put_all(&s);
    else
        length = 0;
    if (s.to == NULL || !words_close(s.to, &text) || length == 0)
        result = fail(out->name, NULL, NO_OFFSET, "not enough memory");
    else
        result = output_write(out, text, length);
    free(s.number_of);
    free(s.bits);
    free(text);
    return result;
}
