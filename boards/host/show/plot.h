/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Drawings in a few colours, for lines and histograms: in the terminal or as PNG, with axes around them. */
#ifndef UTET_TOOL_PLOT_H
#define UTET_TOOL_PLOT_H

#include "axes.h"

#define PLOT_COLOURS 8u
#define PLOT_GREY 255u /* the border, and the line of zero */

typedef struct plot {
    axes *around;      /* null: nothing around it */
    char *const *keys; /* text of colours 1, 2, …; null: none */
    size_t key_count;
    const char *legend; /* the text below */
    /* Puts colours into the cells of the picture; 0 is the background. */
    void (*draw)(const void *ctx, picture *to);
    const void *ctx;
} plot;

/* Draws it as the options and standard output say. */
int plot_show(const source *s, const options *opt, const plot *p);

/* Red, green, blue of a colour. */
void plot_colour(uint8_t ink, uint8_t rgb[3]);
/* Its letter where there are no colours. */
int plot_letter(uint8_t ink);
/* To a terminal: each character holds four cells, or one cell where there are no colours. */
void plot_terminal(const picture *p, FILE *out);
/* One line with the text of each colour, or a line for each. */
void plot_keys(const plot *p, size_t width, FILE *out);
/* Lines that plot_keys prints. */
size_t plot_key_lines(const plot *p, size_t width);

/* A straight line from one cell to another. */
void plot_stroke(picture *to, size_t x, size_t y, size_t to_x, size_t to_y, uint8_t ink);

#endif
