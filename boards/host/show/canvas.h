/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Pixels of a PNG: a picture with its axes and its legend. */
#ifndef UTET_TOOL_CANVAS_H
#define UTET_TOOL_CANVAS_H

#include "shared/tool.h"

#define GLYPH_ROWS 11u
#define GLYPH_SCALE 2u
#define CELL_WIDTH (6u * GLYPH_SCALE) /* pixels from one character to the next */
#define CELL_HEIGHT (12u * GLYPH_SCALE)

typedef struct canvas {
    uint8_t *rgb; /* three bytes a pixel, row after row */
    size_t width;
    size_t height;
} canvas;

/* Each cell of the picture is scale x scale pixels. legend: below it, axes around it; null: the picture alone. Nonzero:
 * done, freed by canvas_end; otherwise not enough memory. */
int canvas_make(canvas *to, const picture *p, unsigned scale, const char *legend);
void canvas_end(canvas *to);
/* One line of UTF-8, black; the part outside of the canvas is left out. */
void canvas_text(const canvas *to, size_t left, size_t top, const char *text);

#endif
