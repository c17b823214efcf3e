/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The inputs: opens each by its format and gives every array in it a name. Data that must be
 * unpacked first (compressed .npz, PNG, CSV) goes into a file without a name, so that any size does with little memory.
 */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* "folder/field.npy" -> "field" */
static int name_of_file(pack_input *in, const char *path)
{
    const char *base = strrchr(path, '/');
    const char *dot;

    base = base != NULL ? base + 1 : path;
    dot = strrchr(base, '.');
    return pack_input_name(in, base, dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base));
}

/* Returns nonzero if the name is that of a format that is not text. A file that is cut may still look like text. */
static int names_binary(const char *path)
{
    return ends_with(path, ".npy") || ends_with(path, ".npz") || ends_with(path, ".png") ||
           ends_with(path, ".safetensors");
}

static int raw_open(pack_inputs *all, const char *path, int fd, uint64_t size, const pack_options *opt)
{
    pack_input *in = pack_inputs_add(all, path);
    uint64_t bytes;

    if (in == NULL)
        return TOOL_ERROR;
    if (opt->dtype == 0 && opt->shape_ndim > 0)
        return fail(path, NULL, NO_OFFSET, "raw data (--shape) has no dtype of its own; give --dtype");
    if ((opt->dtype == 0 || opt->shape_ndim == 0) && !names_binary(path) && pack_csv_is_text(fd))
        return pack_csv_refuse(path, fd, opt);
    if (opt->dtype == 0 || opt->shape_ndim == 0)
        return fail(
            path, NULL, NO_OFFSET,
            "unknown input format (known: .tet .npy .npz .safetensors .png .csv .tsv); for raw data give --dtype and --shape");
    in->settled = 1;
    all->offset_used = 1;
    in->dtype = opt->dtype;
    in->elem_size = pack_elem_size(opt->dtype);
    in->ndim = opt->shape_ndim;
    memcpy(in->shape, opt->shape, sizeof in->shape);
    bytes = pack_elements(in);
    if (bytes == UINT64_MAX)
        return fail(path, NULL, NO_OFFSET, "--shape: too many elements");
    bytes *= in->elem_size;
    if (opt->offset > size || bytes > size - opt->offset)
        return fail(
            path, NULL, NO_OFFSET, "%" PRIu64 " bytes are missing: --shape requires %" PRIu64 ", the file has %" PRIu64,
            bytes - (opt->offset > size ? 0 : size - opt->offset), bytes, opt->offset > size ? 0 : size - opt->offset);
    if (bytes < size - opt->offset)
        return fail(path, NULL, NO_OFFSET, "%" PRIu64 " bytes more than --shape requires; skip a header with --offset",
                    size - opt->offset - bytes);
    pack_view_dense(in, fd, opt->offset, 0);
    return TOOL_OK;
}

/* By its first bytes; CSV by its name. */
static int open_by_kind(pack_inputs *all, const pack_options *opt, const char *path, int fd, uint64_t size,
                        const char *only)
{
    uint8_t head[16] = {0};
    const ssize_t got = pack_read_at(fd, head, sizeof head, 0);

    if (got < 0)
        return fail(path, NULL, NO_OFFSET, "cannot read: %s", strerror(errno));
    if (opt->series && only != NULL)
        return fail(path, "dataset", NO_OFFSET, "--series takes whole pictures; omit \":%s\"", only);
    if (opt->series)
        return pack_series_add(all, path, fd, head);
    if (opt->shape_ndim > 0)
        return raw_open(all, path, fd, size, opt);
    if (pack_foreign_check(path, head, (size_t)got) != TOOL_OK)
        return TOOL_ERROR;
    if (memcmp(head, "TETR", 4) == 0 || ends_with(path, ".tet"))
        return pack_tet_open(all, path, only, opt->slab);
    if (memcmp(head, "PK\003\004", 4) == 0 || memcmp(head, "PK\005\006", 4) == 0)
        return pack_npz_open(all, path, fd, size, only);
    if (memcmp(head, "\x93NUMPY", 6) == 0)
        return pack_npy_open(all, path, fd, 0, size, NULL);
    if (memcmp(head, "\x89PNG", 4) == 0)
        return pack_png_open(all, path, fd);
    if (pack_safetensors_is(path, head, (size_t)got, size))
        return pack_safetensors_open(all, path, fd, size, only);
    if (ends_with(path, ".csv") || ends_with(path, ".tsv") || opt->separator != '\0' ||
        (opt->table_given != NULL && pack_csv_is_text(fd))) {
        pack_options own = *opt;

        all->table_used = 1;
        own.dtype = opt->scaled ? 0 : opt->dtype; /* else that of the codes */
        return pack_csv_open(all, path, fd, only, &own);
    }
    return raw_open(all, path, fd, size, opt);
}

/* A view of the indices that --slab selects. */
static int apply_slab(pack_input *in, const char *slab)
{
    utet_range ranges[UTET_MAX_NDIM];
    unsigned d;

    if (strchr(slab, '=') != NULL)
        return fail(in->path, "slab", NO_OFFSET,
                    "the axes of this input have no names; use start:stop:step for each axis");
    if (slab_parse(in->path, slab, in->ndim, in->shape, ranges) != TOOL_OK)
        return TOOL_ERROR;
    for (d = 0; d < in->ndim; d++) {
        in->view.offset += ranges[d].start * in->view.stride[d];
        in->view.stride[d] *= ranges[d].step;
    }
    if (pack_meta_slab(in, ranges) != TOOL_OK)
        return TOOL_ERROR;
    for (d = 0; d < in->ndim; d++)
        in->shape[d] = in->shape[d] == 0 ? 0 : (ranges[d].stop - 1 - ranges[d].start) / ranges[d].step + 1;
    return TOOL_OK;
}

/* IN, or IN:DATASET if there is no file with the complete name. */
static int open_one(pack_inputs *all, const pack_options *opt, const char *word)
{
    const size_t first = all->count;
    const char *only = NULL;
    char *path = strdup(word);
    char *packed;
    struct stat there;
    int result;
    int fd;
    size_t i;

    if (path == NULL || pack_inputs_keep_text(all, path) != TOOL_OK)
        return fail(word, NULL, NO_OFFSET, "not enough memory");
    if (stat(path, &there) != 0 && strrchr(path, ':') != NULL) {
        char *colon = strchr(path, ':');

        for (; colon != NULL; colon = strchr(colon + 1, ':')) {
            *colon = '\0';
            if (stat(path, &there) == 0) {
                only = colon + 1;
                break;
            }
            *colon = ':';
        }
    }
    if (package_file(path, &packed) != TOOL_OK || (packed != NULL && pack_inputs_keep_text(all, packed) != TOOL_OK))
        return TOOL_ERROR;
    if (packed != NULL)
        path = packed;
    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return fail(path, NULL, NO_OFFSET, "cannot open: %s%s", strerror(errno), cannot_stream(path));
    if (pack_inputs_keep(all, fd) != TOOL_OK)
        return TOOL_ERROR;
    if (fstat(fd, &there) == 0 && S_ISDIR(there.st_mode) && pack_foreign_folder(path) != TOOL_OK)
        return TOOL_ERROR;
    if (fstat(fd, &there) != 0 || !S_ISREG(there.st_mode))
        return fail(path, NULL, NO_OFFSET, "cannot open: not a regular file");
    if (all->newest < (int64_t)there.st_mtime)
        all->newest = (int64_t)there.st_mtime;
    result = open_by_kind(all, opt, path, fd, (uint64_t)there.st_size, only);
    for (i = first; result == TOOL_OK && i < all->count; i++) {
        pack_input *in = &all->input[i];

        if (in->name == NULL)
            result = name_of_file(in, path);
        if (result == TOOL_OK && only != NULL && in->tet == NULL && all->count == first + 1 &&
            strcmp(in->name, only) != 0)
            result = fail(path, "dataset", NO_OFFSET, "no dataset named \"%s\"; the only one is \"%s\"", only,
                          in->name);
        if (result == TOOL_OK && opt->slab != NULL && in->tet == NULL && !opt->series)
            result = apply_slab(in, opt->slab);
    }
    return result;
}

static int check_names(pack_inputs *all)
{
    size_t i;

    for (i = 0; i < all->count; i++) {
        const pack_input *in = &all->input[i];

        if (in->name_length == 0 || in->name_length > 1024)
            return fail(in->path, "dataset", NO_OFFSET,
                        "the dataset name must have 1 to 1,024 bytes; set one with --name");
        if (!is_utf8(in->name, in->name_length))
            return fail(in->path, "dataset", NO_OFFSET, "the dataset name is not valid UTF-8; set one with --name");
    }
    return pack_inputs_sort(all);
}

/* A column, and a compressed member of an archive, is a scratch file: more of them than a process may open at first. */
static void allow_many_files(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files); /* on failure, creating the temporary file fails with an error line */
}

int pack_inputs_open(pack_inputs *all, const pack_options *opt)
{
    size_t i;

    allow_many_files();
    memset(all, 0, sizeof *all);
    all->ask_to = opt->ask_to;
    all->ask_from = opt->ask_from;
    all->ask_elements = opt->ask_elements;
    for (i = 0; i < opt->count; i++)
        if (open_one(all, opt, opt->inputs[i]) != TOOL_OK)
            return TOOL_ERROR;
    if (opt->series && (pack_series_end(all, opt) != TOOL_OK ||
                        (opt->slab != NULL && apply_slab(&all->input[0], opt->slab) != TOOL_OK)))
        return TOOL_ERROR;
    if (opt->table_given != NULL && !all->table_used)
        return fail(opt->inputs[0], NULL, NO_OFFSET, "--%s applies only to .csv and .tsv; omit it", opt->table_given);
    if (opt->fill != NULL && !all->table_used && opt->dtype == 0)
        return fail(opt->inputs[0], NULL, NO_OFFSET, "--fill applies only to .csv, .tsv and --dtype; omit it");
    if (opt->offset != 0 && !all->offset_used)
        return fail(opt->inputs[0], NULL, NO_OFFSET,
                    "--offset applies only to raw data (--dtype and --shape); omit it");
    if (opt->names.count > all->count)
        return fail(NULL, NULL, NO_OFFSET, "--name given %zu times for %zu %s; give one for each", opt->names.count,
                    all->count, all->count == 1 ? "dataset" : "datasets");
    for (i = 0; i < opt->names.count; i++)
        if (pack_input_name(&all->input[i], opt->names.word[i], strlen(opt->names.word[i])) != TOOL_OK)
            return TOOL_ERROR;
    return check_names(all) == TOOL_OK ? pack_cast_all(all, opt) : TOOL_ERROR;
}

void pack_inputs_end(pack_inputs *all)
{
    size_t i;

    for (i = 0; i < all->count; i++) {
        free(all->input[i].name);
        free(all->input[i].tet_selection);
        tree_end(&all->input[i].about);
    }
    for (i = 0; i < all->tet_count; i++)
        pack_tet_end(all->tets[i]);
    for (i = 0; i < all->file_count; i++)
        (void)close(all->files[i]);
    for (i = 0; i < all->text_count; i++)
        free(all->texts[i]);
    tree_end(&all->history);
    tree_end(&all->given);
    free(all->input);
    free(all->by_name);
    free(all->tets);
    free(all->files);
    free(all->texts);
    memset(all, 0, sizeof *all);
}
