/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Pixels of a PNG: a picture with its axes and its legend. */
#ifndef UTET_TOOL_CANVAS_H
#define UTET_TOOL_CANVAS_H

#include "shared/tool.h"

#define GLYPH_ROWS 11u
#define GLYPH_SCALE 2u
#define CELL_WIDTH (6u * GLYPH_SCALE) /* distance from one character to the next, in pixels */
#define CELL_HEIGHT (12u * GLYPH_SCALE)

typedef struct canvas {
    uint8_t *rgb; /* three bytes for each pixel, row by row */
    size_t width;
    size_t height;
} canvas;

/* Draws the picture; each cell has scale x scale pixels. The legend is below it and the axes are around it, unless
 * `legend` is NULL. Returns nonzero on success; then call canvas_end. Returns 0 if there is not enough memory. */
int canvas_make(canvas *to, const picture *p, unsigned scale, const char *legend);
void canvas_end(canvas *to);
/* Returns the pixels that the texts around the picture take, at most two lines of legend among them. */
void canvas_around(const picture *p, size_t *width, size_t *height);
/* Writes a PNG without compression. */
int png_stored(const canvas *from, output *out);
/* Draws one line of UTF-8 text in black. The part outside of the canvas is not drawn. */
void canvas_text(const canvas *to, size_t left, size_t top, const char *text);

#endif
