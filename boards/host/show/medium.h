/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A drawing consists of characters in a terminal, or of pixels in a sixel or PNG picture. */
#ifndef UTET_TOOL_MEDIUM_H
#define UTET_TOOL_MEDIUM_H

#include "canvas.h"

/* Returns nonzero if the drawing consists of characters. Asks the terminal for sixel the first time. */
int medium_is_text(const options *opt);
/* Returns nonzero if the pixels are written as sixel: to OUT.sixel, or to a terminal that draws it. */
int medium_is_sixel(const options *opt);
/* Returns the pixels that a picture may have without the texts around it. */
void medium_room(const options *opt, const picture *p, size_t *width, size_t *height);

/* Writes the picture as PNG or sixel; each cell has scale x scale pixels. Axes and legend are drawn unless `legend` is
 * NULL. */
int medium_write(const options *opt, const picture *p, output *out, unsigned scale, const char *legend);

/* sixel.c: writes the pixels as sixel, in at most 255 colours. */
int sixel_write(const canvas *from, output *out);
/* png.c: writes the pixels as PNG. */
int png_write(const canvas *from, output *out);

#endif
