/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Before the new file gets its name, all stored bytes are read back and compared with checksums taken when it was
 * packed. libzstd decodes the elements of every tile, of some or of none (--verify), and the library those of a part.
 * The library also reads directory, rows and footer. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef TOOL_NO_ZSTD
#include <zstd.h>
#endif

#define WRONG "what was written does not read back: %s (nothing is left of it)"

static int wrong(const pack_file *f, const char *what)
{
    return fail(f->out.name, NULL, NO_OFFSET, WRONG, what);
}

#define WORKSPACE ((uint64_t)256 << 10) /* the decoder, a stored block; a tile goes straight to its destination */
#define BATCH 256                       /* consecutive rows that one thread reads */
#define AT_ONCE ((uint64_t)1 << 20)     /* bytes read at once if the payloads of a batch are adjacent */
#define SLOW_LEVEL 8                    /* from here on decoding all costs less than a fifth of compressing */
#define FAST_EVERY 16                   /* at lower levels, 1 tile in this many is decoded */
#define LIBRARY_EVERY 64                /* decoded rows with a multiple of this number also go through the library */

/* A reader of the new file: one for each thread, with a descriptor and a workspace of its own. */
typedef struct back {
    source s;
    const pack_file *file;
    const pack_inputs *inputs;
    const pack_plan *plans;
    const pack_options *opt;
    pthread_t thread;
    unsigned number;
    unsigned threads;
    int started;
    const char *wrong; /* null: nothing */
    void *zstd;
    uint8_t *tile; /* decoded */
    uint64_t tile_size;
    uint8_t *bytes; /* bytes of the file from `bytes_at` on */
    uint64_t bytes_size;
    uint64_t bytes_at;
    uint64_t bytes_held;
    utet_chunk rows[BATCH];
} back;

/* Not for hostile data: it has to notice what goes wrong on the way to the disk and back, at memory's speed. Four lanes
 * of 64-bit words, so that multiplications overlap. */
uint32_t pack_sum(const uint8_t *data, size_t size)
{
    const uint64_t prime = 0x9e3779b185ebca87u;
    uint64_t lane[4] = {prime, size, ~prime, 1};
    uint64_t word;
    unsigned i;

    for (; size >= 32; size -= 32, data += 32)
        for (i = 0; i < 4; i++) {
            memcpy(&word, data + 8 * i, 8);
            lane[i] = (lane[i] ^ word) * prime;
            lane[i] ^= lane[i] >> 29;
        }
    for (; size > 0; size--)
        lane[0] = (lane[0] ^ *data++) * prime ^ lane[0] >> 29;
    for (word = 0, i = 0; i < 4; i++)
        word = (word ^ lane[i] ^ lane[i] >> 32) * prime;
    return (uint32_t)(word >> 32);
}

int pack_decodes(const pack_options *opt, unsigned ndim, const uint64_t *coords)
{
    uint64_t sum = 0;
    unsigned d;

    if (opt->verify != VERIFY_AUTO || opt->level >= SLOW_LEVEL)
        return opt->verify != VERIFY_STORED;
    for (d = 0; d < ndim; d++)
        sum += coords[d];
    return sum % FAST_EVERY == 0;
}

#ifndef TOOL_NO_ZSTD
static int begin_zstd(back *b)
{
    b->zstd = ZSTD_createDCtx();
    return b->zstd != NULL;
}

static int decode(const back *b, const utet_chunk *chunk, const uint8_t *stored)
{
    return ZSTD_decompressDCtx(b->zstd, b->tile, (size_t)chunk->raw_byte_len, stored, (size_t)chunk->stored_byte_len) ==
           chunk->raw_byte_len;
}

static void end_zstd(back *b)
{
    (void)ZSTD_freeDCtx(b->zstd);
}
#else
static int begin_zstd(back *b)
{
    (void)b;
    return 1;
}

static int decode(const back *b, const utet_chunk *chunk, const uint8_t *stored)
{
    (void)b;
    (void)chunk;
    (void)stored;
    return 0; /* all tiles are raw */
}

static void end_zstd(back *b)
{
    (void)b;
}
#endif

static int grow(uint8_t **memory, uint64_t *size, uint64_t wanted)
{
    uint8_t *more;

    if (wanted <= *size)
        return 1;
    more = realloc(*memory, (size_t)wanted);
    if (more == NULL)
        return 0;
    *memory = more;
    *size = wanted;
    return 1;
}

/* Null, or what is wrong. */
static const char *read_bytes(back *b, uint64_t offset, uint64_t size)
{
    ssize_t got;

    b->bytes_held = 0;
    b->bytes_at = offset;
    if (!grow(&b->bytes, &b->bytes_size, size))
        return "not enough memory";
    got = pack_read_at(b->file->fd, b->bytes, (size_t)size, offset);
    if (got < 0)
        return strerror(errno);
    b->bytes_held = (uint64_t)got;
    return b->bytes_held == size ? NULL : "it ends too early";
}

/* The payloads of a batch at once, if they are adjacent. */
static const char *read_batch(back *b, size_t count)
{
    uint64_t first = UINT64_MAX;
    uint64_t end = 0;
    uint64_t sum = 0;
    size_t i;

    b->bytes_held = 0;
    for (i = 0; i < count; i++) {
        const utet_chunk *const one = &b->rows[i];

        first = first < one->payload_offset ? first : one->payload_offset;
        end = end > one->payload_offset + one->stored_byte_len ? end : one->payload_offset + one->stored_byte_len;
        sum += one->stored_byte_len;
    }
    return count > 0 && end - first <= AT_ONCE && sum >= (end - first) / 2 ? read_bytes(b, first, end - first) : NULL;
}

/* Returns nonzero if the row has the number and the lengths that its position in the grid requires. */
static int in_place(const back *b, const utet_chunk *chunk)
{
    const pack_plan *plan;
    uint64_t number = 0;
    unsigned d;

    if (chunk->dataset_id >= b->inputs->count)
        return 0;
    plan = &b->plans[chunk->dataset_id];
    for (d = 0; d < b->inputs->input[chunk->dataset_id].ndim; d++)
        number = number * plan->grid[d] + chunk->coords[d];
    return plan->rows_before + number == chunk->row;
}

/* The library decodes the tile that is known to be right. */
static const char *by_library(back *b, const utet_chunk *chunk)
{
    const uint32_t right = pack_sum(b->tile, (size_t)chunk->raw_byte_len);
    utet_stream stream;
    const utet_status status = utet_stream_load(&stream, &b->s.file, chunk, b->tile, (size_t)b->tile_size);

    if (status != UTET_OK)
        return utet_strerror(status);
    return pack_sum(b->tile, (size_t)chunk->raw_byte_len) == right ? NULL : "other elements";
}

static const char *compare(back *b, const utet_chunk *chunk, const uint8_t *at)
{
    uint32_t sum = pack_sum(at, (size_t)chunk->stored_byte_len);
    const int decoded = chunk->codec == UTET_CODEC_ZSTD &&
                        pack_decodes(b->opt, b->inputs->input[chunk->dataset_id].ndim, chunk->coords);

    if (decoded) {
        if (!grow(&b->tile, &b->tile_size, chunk->raw_byte_len))
            return "not enough memory";
        if (!decode(b, chunk, at))
            return "a tile does not decode";
        sum ^= ~pack_sum(b->tile, (size_t)chunk->raw_byte_len);
    }
    if (sum != b->file->sums[chunk->row])
        return decoded ? "other bytes or elements" : "other bytes";
    return decoded && chunk->row % LIBRARY_EVERY == 0 ? by_library(b, chunk) : NULL;
}

static const char *read_tile(back *b, const utet_chunk *chunk)
{
    const uint64_t offset = chunk->payload_offset;
    const uint64_t size = chunk->stored_byte_len;

    if (!in_place(b, chunk))
        return "a row is at the position of another row";
    if (offset < b->bytes_at || offset + size > b->bytes_at + b->bytes_held) {
        const char *const what = read_bytes(b, offset, size);

        if (what != NULL)
            return what;
    }
    return compare(b, chunk, b->bytes + (offset - b->bytes_at));
}

/* Rows and payloads are adjacent, so rows are read by the batch. Of every round of batches a thread takes one. */
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
        if (batch % b->threads == b->number) {
            b->wrong = read_batch(b, count);
            for (i = 0; i < count && b->wrong == NULL; i++)
                b->wrong = read_tile(b, &b->rows[i]);
        }
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
               ? begin_zstd(b) ? TOOL_OK : wrong(f, "not enough memory")
               : wrong(f, "it does not open");
}

static int open_all(const pack_file *f, back *all, unsigned threads)
{
    unsigned i;
    int result = TOOL_OK;

    for (i = 0; i < threads; i++) {
        all[i].s.fd = -1;
        all[i].file = f;
        all[i].inputs = all[0].inputs;
        all[i].plans = all[0].plans;
        all[i].opt = all[0].opt;
        all[i].number = i;
        all[i].threads = threads;
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
            result = wrong(f, "cannot create a thread");
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
    unsigned threads = opt->threads + 1; /* as many as packed: those that compressed, and the caller */
    back *b;
    unsigned i;
    int result;

    if (threads > f->rows / BATCH + 1)
        threads = (unsigned)(f->rows / BATCH + 1);
    b = calloc(threads, sizeof *b);
    if (b == NULL)
        return wrong(f, "not enough memory");
    b->inputs = all;
    b->plans = plans;
    b->opt = opt;
    result = open_all(f, b, threads);
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
        free(b[i].bytes);
        end_zstd(&b[i]);
        source_end(&b[i].s);
    }
    free(b);
    return result;
}
