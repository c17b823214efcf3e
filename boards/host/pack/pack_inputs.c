/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The list of what is to be packed, and what the readers of its formats share: names, sizes, files that live as long as
 * the list, scratch files without a name. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

pack_input *pack_inputs_add(pack_inputs *all, const char *path)
{
    pack_input *more = realloc(all->input, (all->count + 1) * sizeof *more);

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
        (void)fail(name, NULL, NO_OFFSET, "cannot make a scratch file: %s (TMPDIR says where)", strerror(errno));
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
            return fail(path, NULL, NO_OFFSET, "cannot write its scratch file: %s", strerror(errno));
        at += some;
        size -= (size_t)some;
    }
    return TOOL_OK;
}

uint8_t pack_elem_size(uint32_t dtype)
{
    static const uint8_t sizes[11] = {0, 4, 8, 4, 8, 1, 2, 2, 4, 2, 8};

    return dtype <= UTET_U64 ? sizes[dtype] : 0;
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
