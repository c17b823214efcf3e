/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The layout of picture, labels and legend on a PNG, with the same texts in the same order as in a terminal. */
#include "canvas.h"

#include "plot.h"

#include <stdlib.h>
#include <string.h>

#define MARGIN 8u        /* margin around everything, in pixels */
#define LEAST_COLUMNS 48 /* minimum width of the legend, in columns */

/* Finds the part of the legend at *text that fits on a line, and advances *text. */
static char *next_line(const char **text, size_t columns)
{
    char *const line = malloc(strlen(*text) + 1);
    size_t fits = 0;
    size_t length = 0;

    if (line == NULL)
        return NULL;
    *text += strspn(*text, " \n");
    while ((*text)[length] != '\0' && (*text)[length] != '\n') {
        const size_t blanks = strspn(*text + length, " ");
        const size_t next = length + blanks + strcspn(*text + length + blanks, " \n");

        memcpy(line, *text, next);
        line[next] = '\0';
        if (fits > 0 && text_width(line) > columns)
            break;
        if (next > length + blanks)
            fits = next;
        length = next;
    }
    line[fits] = '\0';
    *text += fits;
    *text += strspn(*text, " \n");
    return line;
}

/* Computes the size of the legend in pixels; draws it if to->rgb is not NULL. */
static int legend(const canvas *to, size_t top, size_t columns, const char *text, size_t *width, size_t *height)
{
    *width = 0;
    *height = 0;
    while (*text != '\0') {
        char *const line = next_line(&text, columns);

        if (line == NULL)
            return 0;
        if (*width < text_width(line) * CELL_WIDTH)
            *width = text_width(line) * CELL_WIDTH;
        if (to->rgb != NULL)
            canvas_text(to, MARGIN, top + *height, line);
        *height += CELL_HEIGHT;
        free(line);
    }
    return 1;
}

static void cells(const canvas *to, const picture *p, unsigned scale, size_t left, size_t top)
{
    size_t row;
    size_t column;
    size_t y;
    size_t x;

    for (row = 0; row < p->height; row++)
        for (column = 0; column < p->width; column++) {
            uint8_t rgb[3];

            picture_colour(p, row, column, rgb);
            for (y = top + row * scale; y < top + (row + 1) * scale; y++)
                for (x = left + column * scale; x < left + (column + 1) * scale; x++)
                    memcpy(to->rgb + 3 * (y * to->width + x), rgb, 3);
        }
}

static void beside(const canvas *to, const axes *around, const char *text, size_t top)
{
    if (text != NULL)
        canvas_text(to, MARGIN + (around->margin - 1 - text_width(text)) * CELL_WIDTH, top, text);
}

/* Draws the first label at the top, the last one at the bottom, and the name between them if there is room. */
static void rows_axis(const canvas *to, const axes *around, size_t height)
{
    if (around->margin == 0)
        return;
    beside(to, around, around->rows.first, MARGIN);
    if (height >= (size_t)2 * CELL_HEIGHT)
        beside(to, around, around->rows.last, MARGIN + height - GLYPH_ROWS * GLYPH_SCALE);
    if (height >= (size_t)3 * CELL_HEIGHT)
        beside(to, around, around->rows.name, MARGIN + (height - CELL_HEIGHT) / 2);
}

/* A patch in the colour of each text, and the text. */
static void keys(const canvas *to, const picture *p, size_t top)
{
    size_t i;
    size_t y;
    size_t x;

    for (i = 0; i < p->key_count; i++, top += CELL_HEIGHT) {
        uint8_t rgb[3];

        plot_colour((uint8_t)(i + 1), rgb);
        for (y = top + CELL_HEIGHT / 4; y < top + CELL_HEIGHT / 2 + CELL_HEIGHT / 4; y++)
            for (x = MARGIN; x < MARGIN + 2 * CELL_WIDTH; x++)
                memcpy(to->rgb + 3 * (y * to->width + x), rgb, 3);
        canvas_text(to, MARGIN + 3 * CELL_WIDTH, top, p->keys[i]);
    }
}

static int bare(canvas *to, const picture *p, unsigned scale)
{
    to->width = p->width * scale;
    to->height = p->height * scale;
    to->rgb = malloc(3 * to->width * to->height);
    if (to->rgb == NULL)
        return 0;
    cells(to, p, scale, 0, 0);
    return 1;
}

int canvas_make(canvas *to, const picture *p, unsigned scale, const char *text)
{
    const size_t margin = p->axes != NULL ? p->axes->margin * CELL_WIDTH : 0;
    const size_t across = p->width * scale;
    const size_t down = p->height * scale;
    const size_t columns = (margin + across) / CELL_WIDTH > LEAST_COLUMNS ? (margin + across) / CELL_WIDTH
                                                                          : LEAST_COLUMNS;
    char *const line = p->axes != NULL && text != NULL ? axes_line(p->axes, across / CELL_WIDTH) : NULL;
    size_t below = margin > 0 && down < CELL_HEIGHT ? MARGIN + CELL_HEIGHT : MARGIN + down;
    size_t after;
    size_t width;
    size_t height;
    int good;

    to->rgb = NULL;
    if (text == NULL)
        return bare(to, p, scale);
    below += MARGIN / 2;
    after = below + (line != NULL ? CELL_HEIGHT : 0) + p->key_count * CELL_HEIGHT;
    good = legend(to, 0, columns, text, &width, &height);
    to->width = 2 * MARGIN + (width > margin + across ? width : margin + across);
    to->height = after + height + MARGIN;
    if (good)
        to->rgb = malloc(3 * to->width * to->height);
    if (to->rgb != NULL) {
        memset(to->rgb, 255, 3 * to->width * to->height);
        cells(to, p, scale, MARGIN + margin, MARGIN);
        if (p->axes != NULL)
            rows_axis(to, p->axes, down);
        if (line != NULL)
            canvas_text(to, MARGIN + margin, below, line);
        keys(to, p, after - p->key_count * CELL_HEIGHT);
        good = legend(to, after, columns, text, &width, &height);
    }
    free(line);
    return good && to->rgb != NULL;
}

void canvas_around(const picture *p, size_t *width, size_t *height)
{
    *width = 2 * MARGIN + (p->axes != NULL ? p->axes->margin * CELL_WIDTH : 0);
    *height = 2 * MARGIN + MARGIN / 2 + (3 + p->key_count) * CELL_HEIGHT;
}

void canvas_end(canvas *to)
{
    free(to->rgb);
    to->rgb = NULL;
}
