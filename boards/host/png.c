/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A picture as PNG, each cell scale x scale pixels. Relies on libpng, whose errors come back by longjmp. */
#include "tool.h"

#ifdef TOOL_NO_PNG

int picture_png(const picture *p, output *out, unsigned scale)
{
    (void)p;
    (void)scale;
    return fail(out->name, 0, NO_OFFSET, "cannot write: this utet was built without libpng");
}

#else

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static void quiet(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void broken(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void put_row(const picture *p, size_t row, unsigned scale, png_bytep line)
{
    png_bytep to = line;
    size_t column;
    unsigned i;

    for (column = 0; column < p->width; column++) {
        uint8_t rgb[3];

        picture_colour(p, row, column, rgb);
        for (i = 0; i < scale; i++) {
            *to++ = rgb[0];
            *to++ = rgb[1];
            *to++ = rgb[2];
        }
    }
}

static void write_all(png_structp png, png_infop info, const picture *p, output *out, unsigned scale, png_bytep line)
{
    size_t row;
    unsigned i;

    png_init_io(png, out->stream);
    png_set_IHDR(png, info, (png_uint_32)(p->width * scale), (png_uint_32)(p->height * scale), 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (row = 0; row < p->height; row++) {
        put_row(p, row, scale, line);
        for (i = 0; i < scale; i++)
            png_write_row(png, line);
    }
    png_write_end(png, info);
}

/* No variable of this function changes after setjmp. */
int picture_png(const picture *p, output *out, unsigned scale)
{
    png_structp const png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, broken, quiet);
    png_infop const info = png != NULL ? png_create_info_struct(png) : NULL;
    png_bytep const line = malloc(p->width * scale * 3);
    int result = TOOL_ERROR;

    errno = 0;
    if (info != NULL && line != NULL && setjmp(png_jmpbuf(png)) == 0) {
        write_all(png, info, p, out, scale, line);
        result = TOOL_OK;
    } else {
        result = errno == EPIPE ? TOOL_ERROR /* nobody reads on: they know */
                                : fail(out->name, NULL, NO_OFFSET, "cannot write: %s",
                                       errno != 0 ? strerror(errno) : "libpng fails");
    }
    if (png != NULL) {
        png_structp gone = png;
        png_infop also = info;

        png_destroy_write_struct(&gone, &also);
    }
    free(line);
    return result;
}

#endif
