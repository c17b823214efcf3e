/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The file that pack writes: superblock, directory, index, payloads, footer (FORMAT §2 to §7). Rows are row-major, one
 * for each tile, whatever the order of the payloads; they are written as tiles are, so no index is held in memory. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS_HELD 4096u
#define STREAM_BYTES ((size_t)256 << 10)

static int write_at(const pack_file *f, uint64_t offset, const void *data, size_t size)
{
    const uint8_t *at = data;

    while (size > 0) {
        const ssize_t some = pwrite(f->fd, at, size, (off_t)offset);

        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return fail(f->out.name, NULL, NO_OFFSET, "cannot write: %s", some < 0 ? strerror(errno) : "error");
        at += some;
        offset += (uint64_t)some;
        size -= (size_t)some;
    }
    return TOOL_OK;
}

static size_t record_length(const pack_input *in)
{
    return ((16 + in->name_length + 7) & ~(size_t)7) + (size_t)16 * in->ndim;
}

static void store_record(uint8_t *at, const pack_input *in, const pack_plan *plan)
{
    uint8_t *shapes = at + ((16 + in->name_length + 7) & ~(size_t)7);
    unsigned d;

    store_le(at, in->name_length, 4);
    store_le(at + 4, in->dtype, 4);
    store_le(at + 8, in->ndim, 4);
    memcpy(at + 16, in->name, in->name_length);
    for (d = 0; d < in->ndim; d++) {
        store_le(shapes + 8 * d, in->shape[d], 8);
        store_le(shapes + 8 * (in->ndim + d), plan->tile[d], 8);
    }
}

static int write_head(pack_file *f, const pack_inputs *all, const pack_plan *plans, uint32_t budget, int has_footer)
{
    size_t length = 0;
    uint8_t *head;
    uint8_t *at;
    size_t i;
    int result;

    for (i = 0; i < all->count; i++)
        length += record_length(&all->input[i]);
    f->index_offset = all->count > 0 ? 40 + length : 32;
    head = calloc(1, 40 + length + 32);
    if (head == NULL)
        return fail(f->out.name, NULL, NO_OFFSET, "not enough memory");
    memcpy(head, "TETR", 4);
    store_le(head + 4, 1, 4);
    store_le(head + 8, all->count, 4);
    store_le(head + 12, has_footer != 0, 4);
    store_le(head + 16, f->index_offset, 8);
    store_le(head + 24, all->count > 0 ? 32 + 104 * f->rows : 0, 8);
    if (all->count > 0) {
        store_le(head + 32, length, 8);
        at = head + 40;
        for (i = 0; i < all->count; i++) {
            store_record(at, &all->input[i], &plans[i]);
            at += record_length(&all->input[i]);
        }
        memcpy(at, "TIDX", 4);
        store_le(at + 4, 1, 4);
        store_le(at + 8, f->rows, 8);
        store_le(at + 20, budget, 4);
    }
    result = write_at(f, 0, head, all->count > 0 ? 40 + length + 32 : 32);
    free(head);
    f->at = f->index_offset + (all->count > 0 ? 32 + 104 * f->rows : 0);
    return result;
}

int pack_file_open(pack_file *f, const char *path)
{
    int result;

    memset(f, 0, sizeof *f);
    result = output_open_beside(&f->out, path);
    if (result != TOOL_OK)
        return result;
    f->fd = fileno(f->out.stream);
    f->stream_buffer = malloc(STREAM_BYTES);
    if (f->stream_buffer == NULL || setvbuf(f->out.stream, f->stream_buffer, _IOFBF, STREAM_BYTES) != 0)
        return fail(f->out.name, NULL, NO_OFFSET, "not enough memory");
    return TOOL_OK;
}

int pack_file_begin(pack_file *f, const pack_inputs *all, const pack_plan *plans, uint32_t budget, int has_footer)
{
    size_t i;

    for (i = 0; i < all->count; i++)
        f->rows += plans[i].tiles;
    if (f->rows > SIZE_MAX / 8 || (f->sums = malloc((size_t)f->rows * sizeof *f->sums + 1)) == NULL ||
        (f->row_buffer = malloc(ROWS_HELD * ROW_BYTES)) == NULL)
        return fail(f->out.name, NULL, NO_OFFSET, "not enough memory for %llu tiles", (unsigned long long)f->rows);
    return write_head(f, all, plans, budget, has_footer);
}

static int flush_rows(pack_file *f)
{
    const uint64_t offset = f->index_offset + INDEX_HEADER_BYTES + f->row_first * ROW_BYTES;
    const size_t bytes = f->row_held * ROW_BYTES;

    f->row_held = 0;
    return write_at(f, offset, f->row_buffer, bytes);
}

/* Rows that follow one another are written together. */
static int put_row(pack_file *f, uint64_t row, const uint8_t *bytes)
{
    if (f->row_held > 0 && (row != f->row_first + f->row_held || f->row_held == ROWS_HELD) && flush_rows(f) != TOOL_OK)
        return TOOL_ERROR;
    if (f->row_held == 0)
        f->row_first = row;
    memcpy(f->row_buffer + f->row_held++ * ROW_BYTES, bytes, ROW_BYTES);
    return TOOL_OK;
}

/* Zeros up to where the payload goes. Through the stream, which joins small payloads; pack_file_finish flushes it. */
static int put_gap(pack_file *f)
{
    static const uint8_t zeros[4096];

    if (f->written == 0) {
        if (fseeko(f->out.stream, (off_t)f->at, SEEK_SET) != 0)
            return fail(f->out.name, NULL, NO_OFFSET, "cannot write: %s", strerror(errno));
        return TOOL_OK;
    }
    return output_write(&f->out, zeros, (size_t)(f->at - f->written));
}

int pack_file_put(pack_file *f, const pack_options *opt, size_t dataset, const pack_plan *plan, unsigned ndim,
                  const pack_tile *tile, const uint8_t *data)
{
    uint8_t row[ROW_BYTES] = {0};
    uint64_t number = 0;
    unsigned d;

    f->at = (f->at + opt->align - 1) & ~((uint64_t)opt->align - 1);
    store_le(row, dataset, 8);
    for (d = 0; d < ndim; d++) {
        number = number * plan->grid[d] + tile->coords[d];
        store_le(row + 8 + 8 * d, tile->coords[d], 8);
    }
    number += plan->rows_before;
    store_le(row + 72, f->at, 8);
    store_le(row + 80, tile->raw, 8);
    store_le(row + 88, tile->stored, 8);
    store_le(row + 96, tile->codec, 4);
    f->sums[number] = tile->sum;
    if (put_row(f, number, row) != TOOL_OK)
        return TOOL_ERROR;
    if (put_gap(f) != TOOL_OK)
        return TOOL_ERROR;
    f->at += tile->stored;
    f->written = f->at;
    return output_write(&f->out, data, tile->stored);
}

/* Zone maps and indexes of the input, as they are there. */
static int put_index(pack_file *f, pack_footer *footer)
{
    uint8_t piece[4096];
    uint64_t done;
    unsigned i;

    for (i = 0; i < 2; i++) {
        footer->index_at[i] = f->at;
        for (done = 0; done < footer->index[i].length; done += sizeof piece) {
            const uint64_t left = footer->index[i].length - done;
            const size_t some = left < sizeof piece ? (size_t)left : sizeof piece;

            if (pack_tet_copy(footer->index_from, footer->index[i].offset + done, piece, some) != TOOL_OK ||
                write_at(f, f->at, piece, some) != TOOL_OK)
                return TOOL_ERROR;
            f->at += some;
        }
    }
    return TOOL_OK;
}

static int put_rest(pack_file *f, pack_footer *footer)
{
    uint8_t tail[FOOTER_TAIL_BYTES];

    errno = 0;
    if (fflush(f->out.stream) != 0)
        return fail(f->out.name, NULL, NO_OFFSET, "cannot write: %s", strerror(errno));
    if (f->row_held > 0 && flush_rows(f) != TOOL_OK)
        return TOOL_ERROR;
    if (footer == NULL)
        return TOOL_OK;
    if (put_index(f, footer) != TOOL_OK || pack_footer_text(footer, f->at) != TOOL_OK)
        return TOOL_ERROR;
    if (footer->spill_length > 0 && write_at(f, f->at, footer->spill, footer->spill_length) != TOOL_OK)
        return TOOL_ERROR;
    f->at += footer->spill_length;
    if (write_at(f, f->at, footer->text, footer->length) != TOOL_OK)
        return TOOL_ERROR;
    f->at += footer->length;
    store_le(tail, footer->length, 8);
    store_le(tail + 8, footer->index[0].length + footer->index[1].length > 0 ? 2 : 1, 4); /* §6.1 */
    memcpy(tail + 12, "THST", 4);
    if (write_at(f, f->at, tail, sizeof tail) != TOOL_OK)
        return TOOL_ERROR;
    f->at += sizeof tail;
    return TOOL_OK;
}

static void *write_through(void *ctx)
{
    pack_file *const f = ctx;

    f->writing_error = fsync(f->fd) != 0 && errno != EINVAL ? errno : 0; /* EINVAL: a device */
    return NULL;
}

int pack_file_finish(pack_file *f, pack_footer *footer)
{
    if (put_rest(f, footer) != TOOL_OK)
        return TOOL_ERROR;
    f->writing_begun = pthread_create(&f->writing, NULL, write_through, f) == 0;
    if (!f->writing_begun)
        (void)write_through(f);
    return TOOL_OK;
}

int pack_file_end(pack_file *f, int result)
{
    if (f->writing_begun)
        (void)pthread_join(f->writing, NULL);
    if (result == TOOL_OK && f->writing_error != 0)
        result = fail(f->out.name, NULL, NO_OFFSET, "cannot write: %s", strerror(f->writing_error));
    free(f->sums);
    free(f->row_buffer);
    result = output_close(&f->out, result);
    free(f->stream_buffer);
    return result;
}
