/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The list of inputs, and code that the readers of all formats share: names, sizes, files that live as long as
 * the list, scratch files without a name. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

pack_input *pack_inputs_add(pack_inputs *all, const char *path)
{
    pack_input *more = all->input;

    if ((all->count & (all->count - 1)) == 0) /* doubled at each power of two */
        more = realloc(more, (all->count == 0 ? 1 : all->count * 2) * sizeof *more);
    if (more == NULL) {
        (void)fail(path, NULL, NO_OFFSET, "not enough memory");
        return NULL;
    }
    all->input = more;
    memset(&more[all->count], 0, sizeof *more);
    more[all->count].path = path;
    return &more[all->count++];
}

int pack_input_name(pack_input *in, const char *name, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy == NULL)
        return fail(in->path, NULL, NO_OFFSET, "not enough memory");
    if (length > 0)
        memcpy(copy, name, length);
    copy[length] = '\0';
    free(in->name);
    in->name = copy;
    in->name_length = length;
    return TOOL_OK;
}

static int order_of_names(const char *a, size_t a_length, const char *b, size_t b_length)
{
    const size_t both = a_length < b_length ? a_length : b_length;
    const int order = both > 0 ? memcmp(a, b, both) : 0;

    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int by_name(const void *a, const void *b)
{
    const pack_input *const x = *(const pack_input *const *)a;
    const pack_input *const y = *(const pack_input *const *)b;
    const int order = order_of_names(x->name, x->name_length, y->name, y->name_length);

    return order != 0 ? order : (x > y) - (x < y); /* of equal names the first one first */
}

int pack_inputs_sort(pack_inputs *all)
{
    size_t i;

    all->by_name = malloc((all->count + 1) * sizeof *all->by_name);
    if (all->by_name == NULL)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    for (i = 0; i < all->count; i++)
        all->by_name[i] = &all->input[i];
    qsort(all->by_name, all->count, sizeof *all->by_name, by_name);
    for (i = 1; i < all->count; i++) {
        const pack_input *const in = all->by_name[i];

        if (order_of_names(all->by_name[i - 1]->name, all->by_name[i - 1]->name_length, in->name, in->name_length) == 0)
            return fail(in->path, "dataset", NO_OFFSET, "two datasets are named \"%s\"; rename them with --name",
                        in->name);
    }
    return TOOL_OK;
}

size_t pack_inputs_find(const pack_inputs *all, const char *name, size_t length)
{
    size_t low = 0;
    size_t high = all->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const pack_input *const in = all->by_name[middle];
        const int order = order_of_names(in->name, in->name_length, name, length);

        if (order == 0)
            return (size_t)(in - all->input);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return all->count;
}

int pack_inputs_keep(pack_inputs *all, int fd)
{
    int *more = realloc(all->files, (all->file_count + 1) * sizeof *more);

    if (more == NULL) {
        (void)close(fd);
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    }
    all->files = more;
    all->files[all->file_count++] = fd;
    return TOOL_OK;
}

int pack_inputs_keep_text(pack_inputs *all, char *text)
{
    char **more = realloc(all->texts, (all->text_count + 1) * sizeof *more);

    if (more == NULL) {
        free(text);
        return TOOL_ERROR;
    }
    all->texts = more;
    all->texts[all->text_count++] = text;
    return TOOL_OK;
}

int pack_scratch(const char *path)
{
    static const char suffix[] = "/utet.XXXXXX";
    const char *folder = getenv("TMPDIR");
    char *name;
    int fd;

    if (folder == NULL || folder[0] == '\0')
        folder = "/tmp";
    name = malloc(strlen(folder) + sizeof suffix);
    if (name == NULL)
        return fail(path, NULL, NO_OFFSET, "not enough memory"), -1;
    strcpy(name, folder);
    strcat(name, suffix);
    fd = mkstemp(name);
    if (fd < 0)
        (void)fail(name, NULL, NO_OFFSET, "cannot create a temporary file: %s; set TMPDIR to another directory",
                   strerror(errno));
    else
        (void)unlink(name);
    free(name);
    return fd;
}

int pack_write_all(const char *path, int fd, const void *data, size_t size)
{
    const uint8_t *at = data;

    while (size > 0) {
        const ssize_t some = write(fd, at, size);

        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return fail(path, NULL, NO_OFFSET, "cannot write a temporary file: %s; set TMPDIR to another directory",
                        strerror(errno));
        at += some;
        size -= (size_t)some;
    }
    return TOOL_OK;
}

ssize_t pack_read_at(int fd, void *to, size_t size, uint64_t offset)
{
    uint8_t *const at = to;
    size_t done = 0;

    while (done < size) {
        const ssize_t some = pread(fd, at + done, size - done, (off_t)(offset + done));

        if (some < 0 && errno == EINTR)
            continue;
        if (some < 0)
            return -1;
        if (some == 0)
            break;
        done += (size_t)some;
    }
    return (ssize_t)done;
}

uint8_t pack_elem_size(uint32_t dtype)
{
#define SIZE_ROW(tag, number, name, bytes, kind, fraction) [number] = bytes,
    static const uint8_t sizes[] = {UTET_DTYPES(SIZE_ROW)};

    return dtype < UTET_DTYPE_END ? sizes[dtype] : 0;
}

uint64_t pack_elements(const pack_input *in)
{
    uint64_t count = 1;
    unsigned d;

    for (d = 0; d < in->ndim; d++)
        if (in->shape[d] == 0)
            return 0;
    for (d = 0; d < in->ndim; d++) {
        if (count > UINT64_MAX / 16 / in->shape[d])
            return UINT64_MAX;
        count *= in->shape[d];
    }
    return count;
}
