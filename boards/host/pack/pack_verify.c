/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Before the new file gets its name: all of it is read back through the library, every tile decoded and held against
 * the checksum taken when it was packed, the footer opened. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WRONG "what was written does not read back: %s (nothing is left of it)"

static int wrong(const pack_file *f, const char *what)
{
    return fail(f->out.name, NULL, NO_OFFSET, WRONG, what);
}

typedef struct back {
    source s;
    uint8_t *tile;
    uint64_t tile_size;
} back;

static int grow_tile(back *b, uint64_t size)
{
    uint8_t *more;

    if (size <= b->tile_size)
        return 1;
    more = realloc(b->tile, (size_t)size);
    if (more == NULL)
        return 0;
    b->tile = more;
    b->tile_size = size;
    return 1;
}

static int read_rows(pack_file *f, back *b)
{
    utet_stream stream;
    utet_chunk chunk;
    utet_status status = utet_row_first(&b->s.file, &chunk);
    progress line;

    progress_begin(&line, "reading it back", f->rows);
    for (; status == UTET_OK; status = utet_row_next(&b->s.file, &chunk)) {
        if (!grow_tile(b, chunk.raw_byte_len))
            break;
        status = utet_stream_load(&stream, &b->s.file, &chunk, b->tile, (size_t)b->tile_size);
        if (status != UTET_OK)
            break;
        if (pack_sum(b->tile, (size_t)chunk.raw_byte_len) != f->sums[chunk.row]) {
            progress_end(&line);
            return wrong(f, "other elements");
        }
        progress_at(&line, chunk.row);
    }
    progress_end(&line);
    return status == UTET_END ? TOOL_OK : wrong(f, status == UTET_OK ? "not enough memory" : utet_strerror(status));
}

static int same_datasets(const pack_file *f, back *b, const pack_inputs *all, const pack_plan *plans)
{
    utet_dataset d;
    utet_status status = utet_dataset_first(&b->s.file, &d);
    size_t i;

    for (i = 0; i < all->count; i++) {
        const pack_input *const in = &all->input[i];

        if (status != UTET_OK || d.dtype != in->dtype || d.ndim != in->ndim || d.name_length != in->name_length ||
            memcmp(d.shape, in->shape, in->ndim * sizeof d.shape[0]) != 0 ||
            memcmp(d.chunk_shape, plans[i].tile, in->ndim * sizeof d.shape[0]) != 0)
            return wrong(f, status > 0 ? "datasets are missing" : utet_strerror(status));
        status = utet_dataset_next(&b->s.file, &d);
    }
    return status == UTET_END ? TOOL_OK : wrong(f, utet_strerror(status));
}

static int open_back(const pack_file *f, back *b)
{
    options opt;

    memset(&opt, 0, sizeof opt);
    opt.file = f->out.name;
    opt.codec = TOOL_HAS_UPSTREAM ? CODEC_UPSTREAM : CODEC_SMALL;
    return source_prepare_fd(&b->s, &opt, dup(f->fd)) == TOOL_OK &&
                   source_open(&b->s, (uint64_t)1 << 20, (uint64_t)1 << 20) == UTET_OK
               ? TOOL_OK
               : wrong(f, "it does not open");
}

int pack_file_verify(pack_file *f, const pack_inputs *all, const pack_plan *plans)
{
    utet_meta meta;
    utet_status status;
    back b;
    int result;

    memset(&b, 0, sizeof b);
    result = open_back(f, &b);
    if (result == TOOL_OK && b.s.file.row_count != f->rows)
        result = wrong(f, "rows are missing");
    if (result == TOOL_OK)
        result = same_datasets(f, &b, all, plans);
    if (result == TOOL_OK)
        result = read_rows(f, &b);
    if (result == TOOL_OK) {
        status = utet_meta_open(&meta, &b.s.file);
        if (status == UTET_OK)
            status = utet_meta_strict(&meta);
        if (status != UTET_OK)
            result = wrong(f, utet_strerror(status));
    }
    free(b.tile);
    source_end(&b.s);
    return result;
}
