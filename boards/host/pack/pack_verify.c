/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Before the new file gets its name: all of it is read back through the library, every tile decoded and held against
 * the checksum taken when it was packed, the footer opened. --verify stored: without decoding. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WRONG "what was written does not read back: %s (nothing is left of it)"

static int wrong(const pack_file *f, const char *what)
{
    return fail(f->out.name, NULL, NO_OFFSET, WRONG, what);
}

#define WORKSPACE ((uint64_t)256 << 10) /* the decoder, a stored block; a tile goes straight to its place */
#define BATCH 256                       /* rows that a thread reads one after the other */

/* A reader of the new file: one for each thread, with a descriptor and a workspace of its own. */
typedef struct back {
    source s;
    const pack_file *file;
    pthread_t thread;
    unsigned number;
    unsigned threads;
    int started;
    int stored;        /* not decoded */
    const char *wrong; /* null: nothing */
    uint8_t *tile;
    uint64_t tile_size;
    utet_chunk rows[BATCH];
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

/* Null, or what is wrong. Through the medium that the library reads from. */
static const char *read_stored(back *b, const utet_chunk *chunk)
{
    const utet_io *const io = &b->s.reading.io;
    uint64_t done = 0;

    while (done < chunk->stored_byte_len) {
        size_t got = 0;
        const utet_status status = io->read(io->ctx, chunk->payload_offset + done, b->tile + done,
                                            (size_t)(chunk->stored_byte_len - done), &got);

        if (status != UTET_OK || got == 0)
            return status != UTET_OK ? utet_strerror(status) : "it ends too early";
        done += got;
    }
    return pack_sum(b->tile, (size_t)done) == b->file->sums[chunk->row] ? NULL : "other bytes";
}

static const char *read_tile(back *b, const utet_chunk *chunk)
{
    utet_stream stream;
    utet_status status;

    if (!grow_tile(b, chunk->raw_byte_len))
        return "not enough memory";
    if (b->stored)
        return read_stored(b, chunk);
    status = utet_stream_load(&stream, &b->s.file, chunk, b->tile, (size_t)b->tile_size);
    if (status != UTET_OK)
        return utet_strerror(status);
    return pack_sum(b->tile, (size_t)chunk->raw_byte_len) == b->file->sums[chunk->row] ? NULL : "other elements";
}

/* Rows lie together and payloads do, so rows are read by the batch. Of every round of batches a thread takes one. */
static void *read_rows(void *ctx)
{
    back *const b = ctx;
    utet_chunk chunk;
    utet_status status = utet_row_first(&b->s.file, &chunk);
    uint64_t batch;
    size_t count;
    size_t i;
    progress line;

    if (b->number == 0)
        progress_begin(&line, "reading it back", b->file->rows);
    for (batch = 0; status == UTET_OK && b->wrong == NULL; batch++) {
        for (count = 0; count < BATCH && status == UTET_OK; status = utet_row_next(&b->s.file, &chunk))
            b->rows[count++] = chunk;
        for (i = 0; batch % b->threads == b->number && i < count && b->wrong == NULL; i++)
            b->wrong = read_tile(b, &b->rows[i]);
        if (b->number == 0)
            progress_at(&line, batch * BATCH + count);
    }
    if (b->number == 0)
        progress_end(&line);
    if (b->wrong == NULL && status < 0)
        b->wrong = utet_strerror(status);
    return NULL;
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
    return source_prepare_fd(&b->s, &opt, dup(f->fd)) == TOOL_OK && source_open(&b->s, WORKSPACE, WORKSPACE) == UTET_OK
               ? TOOL_OK
               : wrong(f, "it does not open");
}

static int open_all(const pack_file *f, back *all, unsigned threads, int stored)
{
    unsigned i;
    int result = TOOL_OK;

    for (i = 0; i < threads; i++) {
        all[i].s.fd = -1;
        all[i].file = f;
        all[i].number = i;
        all[i].threads = threads;
        all[i].stored = stored;
    }
    for (i = 0; result == TOOL_OK && i < threads; i++)
        result = open_back(f, &all[i]);
    return result;
}

static int read_all(const pack_file *f, back *all, unsigned threads)
{
    unsigned i;
    int result = TOOL_OK;

    for (i = 1; i < threads && result == TOOL_OK; i++) {
        all[i].started = pthread_create(&all[i].thread, NULL, read_rows, &all[i]) == 0;
        if (!all[i].started)
            result = wrong(f, "no more threads");
    }
    if (result == TOOL_OK)
        (void)read_rows(&all[0]);
    for (i = 1; i < threads; i++)
        if (all[i].started)
            (void)pthread_join(all[i].thread, NULL);
    for (i = 0; i < threads && result == TOOL_OK; i++)
        if (all[i].wrong != NULL)
            result = wrong(f, all[i].wrong);
    return result;
}

static int check_footer(const pack_file *f, back *b)
{
    utet_meta meta;
    utet_status status = utet_meta_open(&meta, &b->s.file);

    if (status == UTET_OK)
        status = utet_meta_strict(&meta);
    return status == UTET_OK ? TOOL_OK : wrong(f, utet_strerror(status));
}

int pack_file_verify(pack_file *f, const pack_inputs *all, const pack_plan *plans, const pack_options *opt)
{
    unsigned threads = opt->threads;
    back *b;
    unsigned i;
    int result;

    if (threads > f->rows / BATCH + 1)
        threads = (unsigned)(f->rows / BATCH + 1);
    b = calloc(threads, sizeof *b);
    if (b == NULL)
        return wrong(f, "not enough memory");
    result = open_all(f, b, threads, opt->verify_stored);
    if (result == TOOL_OK && b->s.file.row_count != f->rows)
        result = wrong(f, "rows are missing");
    if (result == TOOL_OK)
        result = same_datasets(f, b, all, plans);
    if (result == TOOL_OK)
        result = read_all(f, b, threads);
    if (result == TOOL_OK)
        result = check_footer(f, b);
    for (i = 0; i < threads; i++) {
        free(b[i].tile);
        source_end(&b[i].s);
    }
    free(b);
    return result;
}
