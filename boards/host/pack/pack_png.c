/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* PNG pictures as tensors: rows x columns, or rows x columns x channels; u8, or u16 of pictures with 16 bits. One
 * colour that is transparent (tRNS), or a palette with such colours, becomes a channel of opacity. libpng decodes row
 * by row into a scratch file; a notice names its warnings and omissions. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#ifdef TOOL_NO_PNG

int pack_png_open(pack_inputs *all, const char *path, int fd)
{
    (void)all;
    (void)fd;
    return fail(path, 0, NO_OFFSET, "PNG is not supported: this utet was built without libpng");
}

int pack_png_more(pack_input *in, int fd, const pack_input *first,
                  int (*check)(const pack_input *first, const pack_input *in))
{
    (void)fd;
    (void)first;
    (void)check;
    return fail(in->path, 0, NO_OFFSET, "PNG is not supported: this utet was built without libpng");
}

#else

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct reader {
    FILE *file;
    png_structp png;
    png_infop info;
    png_bytep row;
    png_bytep whole; /* all rows of an interlaced picture */
    /* colours of the palette and channels per colour (4: with opacity); NULL without a palette */
    png_bytep colours;
    size_t parts;
    png_uint_32 colour_count;
    size_t width;
    const char *path;
    int scratch;
    const pack_input *first; /* the first picture of a series; NULL: this is it */
    int (*check)(const pack_input *first, const pack_input *in);
    char words[128];
} reader;

static void on_error(png_structp png, png_const_charp words)
{
    reader *const r = png_get_error_ptr(png);

    (void)snprintf(r->words, sizeof r->words, "%s", words);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp words)
{
    const reader *const r = png_get_error_ptr(png);

    notice(r->path, "PNG", "%s", words);
}

/* Skips a chunk that libpng does not know. */
static int on_chunk(png_structp png, png_unknown_chunkp chunk)
{
    const reader *const r = png_get_error_ptr(png);

    if (memcmp(chunk->name, "acTL", 4) == 0)
        notice(r->path, "PNG", "the file is an animation; only its first picture is read");
    return 1;
}

/* The palette, each colour with its opacity where the picture has any. */
static int take_palette(reader *r)
{
    png_colorp palette = NULL;
    png_bytep opacity = NULL;
    int count = 0;
    int opaque = 0;
    int i;

    (void)png_get_PLTE(r->png, r->info, &palette, &count);
    if (png_get_valid(r->png, r->info, PNG_INFO_tRNS) != 0)
        (void)png_get_tRNS(r->png, r->info, &opacity, &opaque, NULL);
    r->parts = opacity != NULL ? 4 : 3;
    r->colour_count = (png_uint_32)count;
    r->colours = malloc(r->parts * 256);
    if (r->colours == NULL)
        return fail(r->path, NULL, NO_OFFSET, "not enough memory");
    for (i = 0; i < count; i++) {
        png_bytep const colour = r->colours + r->parts * (size_t)i;

        colour[0] = palette[i].red;
        colour[1] = palette[i].green;
        colour[2] = palette[i].blue;
        if (opacity != NULL)
            colour[3] = i < opaque ? opacity[i] : 255;
    }
    return TOOL_OK;
}

/* Palette indices become colours in the same buffer, from the last one on. */
static int put_row(reader *r, png_bytep row, size_t length)
{
    size_t i;

    for (i = r->colours != NULL ? r->width : 0; i-- > 0;) {
        if (row[i] >= r->colour_count)
            return fail(r->path, NULL, NO_OFFSET, "damaged PNG: colour %u is out of range; the palette has %u colours",
                        row[i], (unsigned)r->colour_count);
        memcpy(row + r->parts * i, r->colours + r->parts * row[i], r->parts);
    }
    return pack_write_all(r->path, r->scratch, row, length);
}

/* Everything that may jump. */
static int decode(reader *r, pack_input *in)
{
    png_uint_32 rows;
    png_uint_32 i;
    size_t length;
    int interlaced;

    png_init_io(r->png, r->file);
    png_set_read_user_chunk_fn(r->png, NULL, on_chunk);
    png_read_info(r->png, r->info);
    if (png_get_color_type(r->png, r->info) == PNG_COLOR_TYPE_PALETTE) {
        if (take_palette(r) != TOOL_OK)
            return TOOL_ERROR;
        png_set_packing(r->png);
    } else {
        if (png_get_bit_depth(r->png, r->info) < 8)
            png_set_expand_gray_1_2_4_to_8(r->png);
        if (png_get_valid(r->png, r->info, PNG_INFO_tRNS) != 0)
            png_set_tRNS_to_alpha(r->png);
    }
    if (png_get_bit_depth(r->png, r->info) == 16)
        png_set_swap(r->png);
    interlaced = png_set_interlace_handling(r->png) > 1;
    png_read_update_info(r->png, r->info);
    rows = png_get_image_height(r->png, r->info);
    r->width = png_get_image_width(r->png, r->info);
    in->dtype = png_get_bit_depth(r->png, r->info) == 16 ? UTET_U16 : UTET_U8;
    in->elem_size = pack_elem_size(in->dtype);
    in->shape[0] = rows;
    in->shape[1] = r->width;
    in->shape[2] = r->colours != NULL ? r->parts : png_get_channels(r->png, r->info);
    in->ndim = in->shape[2] == 1 ? 2 : 3;
    if (r->first != NULL && r->check(r->first, in) != TOOL_OK)
        return TOOL_ERROR;
    length = r->colours != NULL ? r->width * r->parts : png_get_rowbytes(r->png, r->info);
    if (length > PACK_MOST_TILE || (interlaced && length * rows > 4 * PACK_MOST_TILE))
        return fail(in->path, NULL, NO_OFFSET, "the picture is too large");
    r->row = malloc(length);
    r->whole = interlaced ? calloc(rows, length) : NULL;
    if (r->row == NULL || (interlaced && r->whole == NULL))
        return fail(in->path, NULL, NO_OFFSET, "not enough memory");
    if (interlaced) {
        int pass;

        for (pass = 0; pass < 7; pass++)
            for (i = 0; i < rows; i++)
                png_read_row(r->png, r->whole + i * length, NULL);
    }
    for (i = 0; i < rows; i++) {
        if (!interlaced)
            png_read_row(r->png, r->row, NULL);
        if (put_row(r, interlaced ? r->whole + i * length : r->row, length) != TOOL_OK)
            return TOOL_ERROR;
    }
    png_read_end(r->png, NULL);
    return TOOL_OK;
}

static int guarded(reader *r, pack_input *in)
{
    if (setjmp(png_jmpbuf(r->png)) != 0)
        return fail(in->path, NULL, NO_OFFSET, "damaged PNG: %s", r->words);
    return decode(r, in);
}

static int read_all(reader *r, int fd, pack_input *in)
{
    int result;

    r->path = in->path;
    r->file = fdopen(dup(fd), "rb");
    r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, on_error, on_warning);
    r->info = r->png != NULL ? png_create_info_struct(r->png) : NULL;
    if (r->file == NULL || r->info == NULL)
        result = fail(in->path, NULL, NO_OFFSET, "not enough memory");
    else
        result = guarded(r, in);
    png_destroy_read_struct(r->png != NULL ? &r->png : NULL, r->info != NULL ? &r->info : NULL, NULL);
    if (r->file != NULL)
        (void)fclose(r->file);
    free(r->row);
    free(r->whole);
    free(r->colours);
    return result;
}

int pack_png_open(pack_inputs *all, const char *path, int fd)
{
    static const reader none;
    pack_input *in = pack_inputs_add(all, path);
    reader r = none;

    r.scratch = in != NULL ? pack_scratch(path) : -1;
    if (r.scratch < 0 || pack_inputs_keep(all, r.scratch) != TOOL_OK || read_all(&r, fd, in) != TOOL_OK)
        return TOOL_ERROR;
    pack_view_dense(in, r.scratch, 0, 0);
    return TOOL_OK;
}

int pack_png_more(pack_input *in, int fd, const pack_input *first,
                  int (*check)(const pack_input *first, const pack_input *in))
{
    static const reader none;
    reader r = none;

    r.scratch = first->view.fd;
    r.first = first;
    r.check = check;
    return read_all(&r, fd, in);
}

#endif
