/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* --physical: the dataset that a query asks for, as physical values of f64 with its names, labels and other
 * attributes, in a temporary .tet file without a name, which goes away with the command. */
#define _XOPEN_SOURCE 700
#include "query.h"
#include "shared/physical.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STRIP_BYTES ((uint64_t)1 << 20) /* size of a chunk, which is cut along the first axis only */
#define MOST_ELEMENTS ((uint64_t)1 << 59)

struct query_copy {
    source s;
    options opt;
    output out;
};

/* Chunks along the first axis, and what one index of it has. */
typedef struct strips {
    uint64_t inner;
    uint64_t each; /* indices of a chunk */
    uint64_t count;
} strips;

static strips strips_of(const selection *selected)
{
    const uint64_t shape = selected->shape[0];
    strips cut = {.inner = shape != 0 ? selected->count / shape : 0, .each = 1};

    if (cut.inner != 0 && cut.inner < STRIP_BYTES / 8)
        cut.each = STRIP_BYTES / 8 / cut.inner < shape ? STRIP_BYTES / 8 / cut.inner : shape;
    if (cut.inner != 0)
        cut.count = (shape - 1) / cut.each + 1;
    return cut;
}

static int put_number(output *out, uint64_t value, unsigned bytes)
{
    uint8_t stored[8];

    store_le(stored, value, bytes);
    return output_write(out, stored, bytes);
}

/* Numbers of 8 bytes each. */
static int put_numbers(output *out, const uint64_t *numbers, unsigned count)
{
    int result = TOOL_OK;
    unsigned i;

    for (i = 0; result == TOOL_OK && i < count; i++)
        result = put_number(out, numbers[i], 8);
    return result;
}

/* Superblock and directory (src/tet/FORMAT.md §2, §3). */
static int put_head(output *out, const selection *selected, const strips *cut, const char *name)
{
    const utet_dataset *const d = &selected->dataset;
    const uint64_t padded = (16 + (uint64_t)d->name_length + 7) & ~(uint64_t)7;
    const uint64_t length = padded + 16 * (uint64_t)d->ndim;
    const uint64_t first[] = {40 + length, INDEX_HEADER_BYTES + ROW_BYTES * cut->count, length,
                              (uint64_t)UTET_F64 << 32 | d->name_length, d->ndim};
    static const char zeros[8];
    uint64_t chunk[UTET_MAX_NDIM];
    unsigned i;
    int result;

    for (i = 0; i < d->ndim; i++)
        chunk[i] = selected->shape[i] != 0 ? selected->shape[i] : 1;
    chunk[0] = cut->each;
    result = output_write(out, "TETR\1\0\0\0\1\0\0\0\1\0\0", 16);
    if (result == TOOL_OK)
        result = put_numbers(out, first, 5);
    if (result == TOOL_OK)
        result = output_write(out, name, d->name_length);
    if (result == TOOL_OK)
        result = output_write(out, zeros, (size_t)(padded - 16 - d->name_length));
    if (result == TOOL_OK)
        result = put_numbers(out, selected->shape, d->ndim);
    return result == TOOL_OK ? put_numbers(out, chunk, d->ndim) : result;
}

/* The index (§4); payloads follow it. */
static int put_index(output *out, const selection *selected, const strips *cut)
{
    const uint64_t header[] = {(uint64_t)1 << 32 | 0x58444954u, cut->count, 0, 0}; /* TIDX */
    const uint64_t whole = 8 * cut->inner * cut->each;
    const long at = ftell(out->stream);
    uint64_t offset = (uint64_t)at + INDEX_HEADER_BYTES + ROW_BYTES * cut->count;
    uint64_t left = 8 * selected->count;
    uint64_t i;
    int result = at < 0 ? fail(out->name, NULL, NO_OFFSET, "cannot write: %s", strerror(errno))
                        : put_numbers(out, header, 4);

    for (i = 0; result == TOOL_OK && i < cut->count; i++) {
        const uint64_t bytes = left < whole ? left : whole;
        const uint64_t row[ROW_BYTES / 8] = {[1] = i, [9] = offset, [10] = bytes, [11] = bytes};

        result = put_numbers(out, row, ROW_BYTES / 8);
        offset += bytes;
        left -= bytes;
    }
    return result;
}

static int put_values(void *ctx, const uint8_t *data, size_t count)
{
    return output_write(ctx, data, 8 * count);
}

/* The footer (§6, §7): the dataset's metadata without the attributes that the values have used up. */
static int put_footer(output *out, const tree *about, const char *name, size_t length)
{
    char *text = NULL;
    size_t size = 0;
    size_t i;
    FILE *const words = open_memstream(&text, &size);
    int result;

    if (words == NULL)
        return fail(out->name, NULL, NO_OFFSET, "not enough memory");
    fputs("{\"history\":[],\"metadata\":{\"datasets\":{", words);
    json_text(words, name, length);
    fputs(":{", words);
    for (i = 0; about != NULL && i < about->count; i++) {
        const branch *const one = &about->branches[i];

        fputs(i > 0 ? "," : "", words);
        json_text(words, one->key, one->key_length);
        putc(':', words);
        tree_json(words, &one->value, strcmp(one->key, "attrs") == 0 ? physical_uses : NULL);
    }
    fputs("}}}}", words);
    result = words_close(words, &text) ? output_write(out, text, size)
                                       : fail(out->name, NULL, NO_OFFSET, "not enough memory");
    free(text);
    if (result == TOOL_OK)
        result = put_number(out, size, 8);
    return result == TOOL_OK ? output_write(out, "\2\0\0\0THST", FOOTER_TAIL_BYTES - 8) : result;
}

static int put_file(source *s, const options *opt, const utet_dataset *dataset, output *out)
{
    options whole = *opt;
    selection selected;
    physical *p = NULL;
    char *const name = source_name(s, dataset);
    strips cut;
    metadata m;
    const tree *about;
    int result = name != NULL ? metadata_read(&m, s) : TOOL_ERROR;

    if (result != TOOL_OK) {
        free(name);
        return result;
    }
    about = tree_at(&m.datasets, name, dataset->name_length);
    whole.slab = NULL;
    result = m.status != UTET_OK ? metadata_fail(&m, s) : selection_of(s, &whole, dataset, &selected);
    if (result == TOOL_OK && selected.count > MOST_ELEMENTS)
        result = fail(s->path, "dataset", NO_OFFSET, "too many elements for --physical");
    if (result == TOOL_OK)
        result = source_grow(s, opt, &selected.need);
    if (result == TOOL_OK && (p = physical_begin(s, about, dataset)) == NULL)
        result = TOOL_ERROR;
    if (result == TOOL_OK) {
        cut = strips_of(&selected);
        result = put_head(out, &selected, &cut, name);
    }
    if (result == TOOL_OK)
        result = put_index(out, &selected, &cut);
    if (result == TOOL_OK && selected.count != 0)
        result = physical_each(s, &selected, p, put_values, out);
    if (result == TOOL_OK)
        result = put_footer(out, about, name, dataset->name_length);
    if (result == TOOL_OK && fflush(out->stream) != 0)
        result = fail(out->name, NULL, NO_OFFSET, "cannot write: %s", strerror(errno));
    physical_end(p);
    metadata_end(&m);
    free(name);
    return result;
}

/* A temporary file that is open, and has no name any more. */
static FILE *open_nameless(char *path, size_t size)
{
    const char *const folder = getenv("TMPDIR");
    const int length = snprintf(path, size, "%s/utet-query-XXXXXX",
                                folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    const int fd = length > 0 && (size_t)length < size ? mkstemp(path) : -1;
    FILE *const stream = fd >= 0 ? fdopen(fd, "w+b") : NULL;

    if (fd >= 0)
        (void)unlink(path);
    if (stream == NULL) {
        (void)fail(path, NULL, NO_OFFSET, "cannot make a temporary file: %s", strerror(errno));
        if (fd >= 0)
            (void)close(fd);
    }
    return stream;
}

query_copy *query_copy_begin(source *s, const options *opt, const utet_dataset *dataset)
{
    static const output nothing;
    const uint64_t bytes = UTET_OPEN_WORK(1);
    query_copy *const copy = calloc(1, sizeof *copy);
    utet_status status = UTET_OK;
    char path[4096];
    int result;

    if (copy == NULL) {
        (void)fail(s->path, NULL, NO_OFFSET, "not enough memory");
        return NULL;
    }
    copy->s.fd = -1;
    copy->opt = *opt;
    copy->opt.file = s->path;
    copy->out = nothing;
    copy->out.name = path;
    copy->out.stream = open_nameless(path, sizeof path);
    result = copy->out.stream != NULL ? put_file(s, opt, dataset, &copy->out) : TOOL_ERROR;
    if (result == TOOL_OK)
        result = source_prepare_fd(&copy->s, &copy->opt, dup(fileno(copy->out.stream)));
    if (result == TOOL_OK)
        status = source_open(&copy->s, bytes, bytes);
    if (status != UTET_OK)
        result = source_fail(&copy->s, status);
    if (copy->out.stream != NULL)
        (void)fclose(copy->out.stream);
    if (result == TOOL_OK)
        return copy;
    query_copy_end(copy);
    return NULL;
}

source *query_copy_source(query_copy *copy)
{
    return &copy->s;
}

const options *query_copy_options(query_copy *copy)
{
    if (query_is_asked(&copy->opt))
        copy->opt.dataset = NULL; /* the only one */
    return &copy->opt;
}

void query_copy_end(query_copy *copy)
{
    if (copy == NULL)
        return;
    source_end(&copy->s);
    free(copy);
}
