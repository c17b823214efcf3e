/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A picture as PNG, by libpng, whose errors come back by longjmp. Without libpng, the PNG is not compressed. */
#include "medium.h"

#ifdef TOOL_NO_PNG

int png_write(const canvas *from, output *out)
{
    return png_stored(from, out);
}

#else

#include <errno.h>
#include <png.h>
#include <setjmp.h>
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

static void write_all(png_structp png, png_infop info, const canvas *c, output *out)
{
    size_t row;

    png_init_io(png, out->stream);
    png_set_IHDR(png, info, (png_uint_32)c->width, (png_uint_32)c->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (row = 0; row < c->height; row++)
        png_write_row(png, c->rgb + 3 * row * c->width);
    png_write_end(png, info);
}

/* No variable of this function changes after setjmp. */
int png_write(const canvas *from, output *out)
{
    png_structp const png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, broken, quiet);
    png_infop const info = png != NULL ? png_create_info_struct(png) : NULL;
    int result = TOOL_ERROR;

    errno = 0;
    if (info != NULL && setjmp(png_jmpbuf(png)) == 0) {
        write_all(png, info, from, out);
        result = TOOL_OK;
    } else {
        result = errno == EPIPE ? fail_silently()
                                : fail(out->name, NULL, NO_OFFSET, "cannot write: %s",
                                       errno != 0 ? strerror(errno) : "libpng reports an error");
    }
    if (png != NULL) {
        png_structp gone = png;
        png_infop also = info;

        png_destroy_write_struct(&gone, &also);
    }
    return result;
}

#endif
