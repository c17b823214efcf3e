/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The file that a command reads: medium, workspace, codecs, error lines. The first workspace is large enough for the
 * catalogue, and is replaced by one that is large enough for the selection. */
#define _XOPEN_SOURCE 700
#include "kept.h"
#include "metadata.h"
#include "near.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__GNUC__)
/* libzstd asks before each chunk (src/tet/codec/zstd_bmi2.h); the compiler's runtime has asked the processor once. */
int utet_zstd_bmi2(void);

int utet_zstd_bmi2(void)
{
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#endif

/* With ZSTD_UPSTREAM=no there is only the built-in decoder. */
static const utet_codec *zstd_decoder(int codec)
{
#ifndef TOOL_NO_UPSTREAM
    if (codec == CODEC_UPSTREAM)
        return &utet_codec_zstd_upstream;
#endif
    (void)codec;
    return &utet_codec_zstd_small;
}

/* the output is the input: utet … FILE >> FILE */
static int is_standard_output(int fd)
{
    struct stat in;
    struct stat out;

    return fstat(fd, &in) == 0 && fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(in.st_mode) && in.st_dev == out.st_dev &&
           in.st_ino == out.st_ino;
}

/* Returns 0 if there is not enough memory. */
static int begin_reading(source *s, const utet_codec *zstd)
{
    s->decoded = kept_begin(zstd);
    if (s->decoded == NULL)
        return 0;
    ahead_begin(&s->reading, &s->port.io);
    s->codecs[0] = kept_codec(s->decoded);
    return 1;
}

int source_prepare(source *s, const options *opt)
{
    options at = *opt;
    char *file;
    int result;

    if (package_file(opt->file, &file) != TOOL_OK) {
        memset(s, 0, sizeof *s);
        s->fd = -1;
        free(file);
        return TOOL_ERROR;
    }
    if (file != NULL)
        at.file = file;
    /* O_NONBLOCK: a pipe is refused without waiting for its other end. */
    result = source_prepare_fd(s, &at, open(at.file, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    s->packed = file;
    return result;
}

int source_prepare_fd(source *s, const options *opt, int fd)
{
    static const source nothing;

    *s = nothing;
    s->path = opt->file;
    s->fd = fd;
    if (s->fd < 0)
        return fail(opt->file, NULL, NO_OFFSET, "cannot open: %s%s", strerror(errno), cannot_stream(opt->file));
    if (utet_posix_use(&s->port, s->fd) != UTET_OK)
        return fail(opt->file, NULL, NO_OFFSET, "cannot open: %s",
                    s->port.error == ESPIPE ? "Not a file or block device"
                    : s->port.error == EISDIR
                        ? "Is a directory, but not a .tet.d package ('utet schema DIR' reads a TileDB array)"
                        : strerror(s->port.error));
    if (is_standard_output(s->fd))
        return fail(opt->file, NULL, NO_OFFSET, "standard output is this input file; redirect it to another file");
    return begin_reading(s, zstd_decoder(opt->codec)) ? TOOL_OK : fail(opt->file, NULL, NO_OFFSET, "not enough memory");
}

static uint64_t ram_of_this_machine(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

static void lend_rows(source *s)
{
    if (utet_rows_init(&s->rows, &s->file, &s->rows_of, s->row_of, s->row_count) == UTET_OK && s->lists != NULL)
        (void)utet_rows_lists(&s->rows, &s->file, s->lists, s->list_count);
}

utet_status source_open(source *s, uint64_t bytes, uint64_t budget)
{
    utet_options how;
    utet_status status;

    free(s->work);
    s->work_length = bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
    s->work = malloc(s->work_length);
    if (s->work == NULL) {
        s->file.needed = bytes;
        return UTET_E_BUDGET;
    }
    status = utet_init(&s->file, &s->reading.io, s->work, s->work_length, s->codecs);
    if (status != UTET_OK)
        return status;
    how.budget = budget < SIZE_MAX ? (size_t)budget : SIZE_MAX;
    how.ram_bytes = ram_of_this_machine();
    status = utet_open(&s->file, &how);
    if (status == UTET_OK && s->row_of != NULL)
        lend_rows(s);
    return status;
}

#define MOST_ROWS ((uint64_t)16 << 20) /* chunks of a dataset, datasets and rows of a file, 4 bytes each */

void source_rows(source *s, const utet_dataset *dataset)
{
    uint64_t chunks = 1;
    int further;
    unsigned d;

    if (s->row_of != NULL && s->rows_of.id == dataset->id) /* the results remain valid */
        return;
    for (d = 0; d < dataset->ndim && chunks <= MOST_ROWS; d++)
        chunks = dataset->grid[d] > MOST_ROWS ? MOST_ROWS + 1 : chunks * dataset->grid[d];
    if (chunks == 0 || chunks > MOST_ROWS)
        return;
    further = s->row_of != NULL;
    free(s->row_of);
    s->rows_of = *dataset;
    s->row_count = (size_t)chunks;
    s->row_of = malloc(s->row_count * sizeof *s->row_of);
    if (s->row_of == NULL)
        return;
    if (further && s->lists == NULL &&
        s->file.dataset_count + s->file.row_count <= MOST_ROWS) { /* rows of all datasets */
        s->list_count = (size_t)(s->file.dataset_count + s->file.row_count);
        s->lists = malloc(s->list_count * sizeof *s->lists);
        lend_rows(s);
    } else { /* lists passed to the library are kept */
        (void)utet_rows_init(&s->rows, &s->file, &s->rows_of, s->row_of, s->row_count);
    }
}

void source_read(source *s, const utet_dataset *dataset, unsigned count)
{
    source_rows(s, dataset);
    kept_share(s->decoded, count);
    kept_on(s->decoded);
    kept_band(s->decoded, 0);
}

int source_begin(source *s, const options *opt)
{
    const uint64_t bytes = UTET_OPEN_WORK(1);
    utet_status status;

    if (source_prepare(s, opt) != TOOL_OK)
        return TOOL_ERROR;
    status = source_open(s, bytes, bytes);
    return status == UTET_OK ? TOOL_OK : source_fail(s, status);
}

void source_other(source *s, const utet_dataset *dataset, const utet_range *ranges, uint64_t least)
{
    const utet_codec *const own = s->codecs[0];
    utet_slab slab;

    if (!TOOL_HAS_UPSTREAM)
        return;
    s->codecs[0] = zstd_decoder(kept_inner(s->decoded) == zstd_decoder(CODEC_SMALL) ? CODEC_UPSTREAM : CODEC_SMALL);
    if (utet_slab_need(&slab, &s->file, dataset, ranges) == UTET_OK && slab.need.least != least)
        s->other_least = slab.need.least;
    s->codecs[0] = own;
}

/* Appends "34341 bytes … are needed by libzstd", and the need of the other decoder, to the message. */
static int too_little(const source *s, uint64_t needed, uint64_t there, const char *what)
{
    const int small = kept_inner(s->decoded) == zstd_decoder(CODEC_SMALL);
    char other[96] = "";

    if (s->other_least != 0)
        (void)snprintf(other, sizeof other, "; %s needs %" PRIu64 " (--codec %s)",
                       small ? "libzstd" : "the built-in decoder", s->other_least, small ? "upstream" : "small");
    return fail(s->path, "budget", NO_OFFSET, "%" PRIu64 " bytes of workspace are needed%s, but %s %" PRIu64 "%s",
                needed,
                s->other_least == 0 ? ""
                : small             ? " by the built-in decoder"
                                    : " by libzstd",
                what, there, other);
}

int source_grow(source *s, const options *opt, const utet_need *need)
{
    const uint64_t open = UTET_OPEN_WORK(1);
    const uint64_t twice = s->work_length > open ? 2 * (uint64_t)s->work_length : 0;
    uint64_t bytes = need->best;
    uint64_t wall;
    utet_status status;

    if (bytes > s->work_length && bytes < twice) /* grows by half: few openings */
        bytes = twice;
    if (bytes > TOOL_MOST_WORKSPACE)
        bytes = TOOL_MOST_WORKSPACE;
    if (opt->budget != 0 && bytes > opt->budget)
        bytes = opt->budget;
    wall = opt->own_budget ? 0 : bytes;
    if (bytes < open)
        bytes = open;
    if (wall == 0 && !opt->own_budget)
        wall = bytes;
    if (!opt->own_budget && need->least > wall)
        return too_little(s, need->least, wall, opt->budget != 0 ? "the budget is" : "the limit of utet is");
    /* opening reads the whole catalogue, so it is done once for all datasets that need no more memory */
    if (!opt->own_budget && s->work_length >= bytes && s->file.budget >= wall)
        return TOOL_OK;
    status = source_open(s, bytes, wall);
    if (status != UTET_OK)
        return source_fail(s, status);
    if (opt->own_budget && need->least > s->file.budget) {
        s->file.needed = need->least;
        return source_fail(s, UTET_E_BUDGET);
    }
    return TOOL_OK;
}

int source_again(source *s, const source *first, const utet_dataset *dataset, unsigned count)
{
    static const source nothing;

    *s = nothing;
    s->path = first->path;
    s->fd = dup(first->fd);
    if (s->fd < 0 || utet_posix_use(&s->port, s->fd) != UTET_OK || s->port.io.size != first->port.io.size ||
        !begin_reading(s, kept_inner(first->decoded)) ||
        source_open(s, first->work_length, first->file.budget) != UTET_OK)
        return 0;
    source_read(s, dataset, count);
    s->found = first->found;
    s->found_before = 1;
    return 1;
}

void source_end(source *s)
{
    ahead_end(&s->reading);
    utet_posix_close(&s->port);
    if (s->fd >= 0)
        (void)close(s->fd);
    s->fd = -1;
    free(s->work);
    s->work = NULL;
    free(s->row_of);
    s->row_of = NULL;
    free(s->lists);
    s->lists = NULL;
    free(s->tile);
    s->tile = NULL;
    if (!s->found_before)
        free(s->found);
    s->found = NULL;
    kept_end(s->decoded);
    s->decoded = NULL;
    free(s->packed);
    s->packed = NULL;
}

/* Appends ", N bytes short" if the row's lengths are plausible, as after an interrupted copy. */
static const char *short_by(const source *s, uint64_t offset, char *buffer)
{
    uint8_t row[24];
    uint64_t end;
    char number[32];

    buffer[0] = '\0';
    if (pread(s->fd, row, sizeof row, (off_t)offset) != (ssize_t)sizeof row)
        return buffer;
    end = load_le(row, 8) + load_le(row + 16, 8);
    if (end > s->port.io.size && end >= load_le(row, 8) && end - s->port.io.size < (uint64_t)1 << 50)
        (void)sprintf(buffer, ", which is %s bytes short or more", grouped(number, end - s->port.io.size));
    return buffer;
}

const char *fault_words(char *buffer, const source *s, utet_status status, uint64_t offset, uint64_t limit)
{
    const uint64_t place = offset - s->file.index_offset - INDEX_HEADER_BYTES;
    char missing[64];

    if (status == UTET_E_SUPERBLOCK && s->port.io.size == 0)
        return "the file is empty";
    if (status == UTET_E_SUPERBLOCK) /* the other possible causes (§2) */
        return s->port.io.size < SUPERBLOCK_BYTES ? "too short for a .tet file"
                                                  : "the chunk index ends beyond the end of the file";
    if (status == UTET_E_FOOTER)
        return "damaged footer, or the end of the file is missing";
    if (status != UTET_E_ROW)
        return utet_strerror(status);
    if (place % ROW_BYTES != ROW_PAYLOAD_OFFSET)
        (void)snprintf(buffer, FAULT_WORDS, "chunk %" PRIu64 ": codec or lengths are wrong", place / ROW_BYTES);
    else if (limit == s->port.io.size)
        (void)snprintf(buffer, FAULT_WORDS, "chunk %" PRIu64 ": its payload ends beyond the end of the file%s",
                       place / ROW_BYTES, short_by(s, offset, missing));
    else
        (void)snprintf(buffer, FAULT_WORDS,
                       "chunk %" PRIu64 ": its payload ends beyond %" PRIu64 ", where footer and spills begin",
                       place / ROW_BYTES, limit);
    return buffer;
}

const char *source_kind(const source *s)
{
    static const struct {
        const char *magic;
        const char *words;
    } kinds[] = {
        {"TETR", ", but a .tet file ('utet info' shows it)"},
        {"TENSOGRM", ", but Tensogram messages ('utet messages' lists them)"},
        {"\x93NUMPY", ", but a .npy file ('utet pack' reads it)"},
        {"PK\003\004", ", but an archive ('utet pack' reads .npz)"},
        {"\x89PNG", ", but a PNG picture ('utet pack' reads it)"},
    };
    char head[8] = {0};
    size_t i;

    if (pread(s->fd, head, sizeof head, 0) < 4)
        return "";
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (memcmp(head, kinds[i].magic, strlen(kinds[i].magic)) == 0)
            return kinds[i].words;
    return "";
}

int source_fail(source *s, utet_status status)
{
    /* Errors of the caller have no offset in the file. */
    const uint64_t offset = status <= UTET_E_SHORT || status <= UTET_E_PORT ? s->file.error_offset : NO_OFFSET;
    char words[FAULT_WORDS];

    if (status <= UTET_E_PORT)
        return fail(s->path, "medium", offset, "cannot read: %s", strerror(s->port.error));
    if (status == UTET_E_BUDGET)
        return too_little(s, s->file.needed, s->file.budget != 0 ? s->file.budget : s->work_length, "there are");
    return fail(s->path, region_of(status), offset, "%s%s",
                fault_words(words, s, status, offset, s->file.footer_offset),
                status == UTET_E_MAGIC ? source_kind(s) : "");
}

/* Returns 12 for "#12"; UINT64_MAX if the name is not the number of a record. */
static uint64_t record_number(const char *text)
{
    uint64_t number = 0;
    size_t i;

    if (text[0] != '#' || text[1] == '\0')
        return UINT64_MAX;
    for (i = 1; text[i] != '\0'; i++) {
        if (text[i] < '0' || text[i] > '9' || i > 10)
            return UINT64_MAX;
        number = number * 10 + (unsigned)(text[i] - '0');
    }
    return number;
}

/* Finds the most similar name among the first LOOKED_AT datasets. */
#define LOOKED_AT 10000u

static int no_such_dataset(source *s, const char *name)
{
    utet_dataset d;
    near_name n;
    char words[96];
    char text[64];
    utet_status status = utet_dataset_first(&s->file, &d);

    near_begin(&n, name, strlen(name));
    for (; status == UTET_OK && d.id < LOOKED_AT; status = utet_dataset_next(&s->file, &d))
        if (d.name_length < sizeof text && d.name_length > 0 &&
            utet_dataset_name(&s->file, &d, 0, text, d.name_length) == UTET_OK)
            near_add(&n, text, d.name_length);
    return fail(s->path, "dataset", NO_OFFSET, "no dataset named \"%s\"%s; 'utet info -1 FILE' lists the names", name,
                near_words(&n, words));
}

int source_dataset(source *s, const char *name, utet_dataset *dataset)
{
    uint64_t number;
    utet_status status;

    if (name == NULL && s->file.dataset_count != 1)
        return fail(s->path, "dataset", NO_OFFSET,
                    "the file has %" PRIu32 " datasets; name one ('utet info -1 FILE' lists the names)",
                    s->file.dataset_count);
    number = name == NULL ? 0 : record_number(name);
    if (name != NULL) { /* "#1" may also be a name, which has precedence */
        status = utet_dataset_find(&s->file, name, strlen(name), dataset);
        if (status == UTET_E_NOT_FOUND && number == UINT64_MAX)
            return no_such_dataset(s, name);
        if (status != UTET_E_NOT_FOUND)
            return status == UTET_OK ? TOOL_OK : source_fail(s, status);
    }
    if (number >= s->file.dataset_count)
        return fail(s->path, "dataset", NO_OFFSET, "no record %s; the file has %" PRIu32, name, s->file.dataset_count);
    status = utet_dataset_first(&s->file, dataset);
    while (status == UTET_OK && dataset->id < number)
        status = utet_dataset_next(&s->file, dataset);
    return status == UTET_OK ? TOOL_OK : source_fail(s, status);
}

char *source_name(source *s, const utet_dataset *dataset)
{
    char *name = malloc((size_t)dataset->name_length + 1);
    utet_status status;

    if (name == NULL) {
        (void)fail(s->path, "dataset", dataset->name_offset, "not enough memory for its name");
        return NULL;
    }
    status = dataset->name_length == 0 ? UTET_OK : utet_dataset_name(&s->file, dataset, 0, name, dataset->name_length);
    if (status != UTET_OK) {
        (void)source_fail(s, status);
        free(name);
        return NULL;
    }
    name[dataset->name_length] = '\0';
    return name;
}
