/* What the files of the tool share. The tool uses the public headers only: utet.h, utet_check.h, utet_show.h, ports.
 * Functions returning int give an exit status: 0 done, 1 an error whose line has been printed, 2 wrong usage. */
#ifndef UTET_TOOL_H
#define UTET_TOOL_H

#include "utet.h"
#include "utet_posix.h"
#include "utet_show.h"

#include <stdio.h>

enum { TOOL_OK = 0, TOOL_ERROR = 1, TOOL_USAGE = 2 };

/* Sizes and places of the format that the public headers have no use for (tet-v1). */
enum {
    SUPERBLOCK_BYTES = 32,   /* §2 */
    INDEX_HEADER_BYTES = 32, /* §4, and so the two below */
    ROW_BYTES = 104,
    ROW_PAYLOAD_OFFSET = 72, /* this field's place in a row */
    FOOTER_TAIL_BYTES = 16   /* §6.1 */
};

/* Nothing that the library asks for is given beyond this. */
#define TOOL_MOST_WORKSPACE ((uint64_t)256 << 20)

/* ---- options.c ---- */

enum { FORMAT_AUTO, FORMAT_RAW, FORMAT_NPY, FORMAT_CSV, FORMAT_TEXT };
enum { CODEC_UPSTREAM, CODEC_SMALL };
#ifdef TOOL_NO_UPSTREAM /* make ZSTD_UPSTREAM=no */
enum { TOOL_HAS_UPSTREAM = 0 };
#else
enum { TOOL_HAS_UPSTREAM = 1 };
#endif

typedef struct options {
    const char *file;
    const char *dataset;
    const char *slab;   /* null: everything */
    const char *output; /* null: standard output */
    int json;
    int deep;
    int all;
    int format;
    int codec;
    int codec_given;
    int strict;      /* refuse what the reference refuses */
    int own_budget;  /* the file's own memory budget is the wall */
    uint64_t budget; /* the wall, 0: whatever is needed */
    uint64_t ram;
} options;

/* argv[0] is the command; `allowed` its options, as letters of getopt; `arguments` how many it takes. */
int options_parse(options *opt, int argc, char **argv, const char *allowed, int arguments);

/* ---- say.c: words for people ---- */

#define NO_OFFSET UINT64_MAX

/* Prints `utet: path: region: …` with the offset where it is known; returns TOOL_ERROR. path and region may be null. */
int fail(const char *path, const char *region, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The region of the file, or what else is concerned. */
const char *region_of(utet_status status);
/* An error that says nothing about the file. */
int is_medium_error(utet_status status);
/* Puts untrusted text on a terminal: control characters become \xNN. */
void put_safely(FILE *out, const char *text, size_t length);
/* "1,234,567" into a buffer of at least 27 bytes; returns it. */
char *grouped(char *buffer, uint64_t number);
/* "[64, 128]", at most 200 bytes; returns it. */
char *shape_text(char *buffer, const uint64_t *shape, unsigned ndim, const char *separator);
/* Flushes standard output and says what went wrong with it; returns `result` if nothing did. */
int finish_stdout(int result);

/* ---- ahead.c: the posix port with read-ahead ---- */

typedef struct ahead {
    utet_io io; /* hand its address to utet_init */
    const utet_io *inner;
    uint8_t *buffer;
    uint64_t offset; /* of the buffer in the file */
    size_t length;
    uint64_t expected; /* where the next request begins if it follows the last one */
    size_t stretch;    /* read at once */
} ahead;

/* 0: no memory. */
int ahead_begin(ahead *a, const utet_io *inner);
void ahead_end(ahead *a);

/* ---- source.c: a file that is being read ---- */

typedef struct source {
    const char *path;
    int fd;
    utet_posix port;
    ahead reading;
    utet_file file;
    const utet_codec *codecs[2];
    void *work;
    size_t work_length;
} source;

/* Opens the medium and prepares the file, which is not opened yet. */
int source_prepare(source *s, const options *opt);
/* utet_open with a workspace of `bytes`; `budget` as there. May be called again for another workspace. */
utet_status source_open(source *s, uint64_t bytes, uint64_t budget);
/* Both, with what the catalogue needs; prints what is wrong. */
int source_begin(source *s, const options *opt);
/* Opens again, with the workspace and the wall that `need` and the options ask for. */
int source_grow(source *s, const options *opt, const utet_need *need);
void source_end(source *s);
/* source_begin, --strict, the work, source_end. */
int source_run(const options *opt, int (*work)(source *s, const options *opt));
/* Prints the error line for a status of this file. */
int source_fail(source *s, utet_status status);
/* What is wrong at `offset`, in words, for somebody who may have half a file; payloads end at `limit` at most. May use
 * the buffer. */
#define FAULT_WORDS 128
const char *fault_words(char *buffer, const source *s, utet_status status, uint64_t offset, uint64_t limit);
/* The dataset called `name`, or #N. */
int source_dataset(source *s, const char *name, utet_dataset *dataset);
/* Its name, in memory to be freed; null after an error line. */
char *source_name(source *s, const utet_dataset *dataset);

/* ---- slabs.c ---- */

typedef struct selection {
    utet_dataset dataset;
    utet_range ranges[UTET_MAX_NDIM];
    uint64_t shape[UTET_MAX_NDIM];
    uint64_t count; /* elements */
    utet_need need;
} selection;

/* What DATASET and --slab name, "A:B:S,…" or "AXIS=A:B:S,…", and what reading it takes. */
int selection_find(source *s, const options *opt, selection *selected);

/* ---- bands.c: a selection in dense order, through bounded memory ---- */

/* `count` elements, the next ones of the dense row-major array. */
typedef int (*band_sink)(void *ctx, const uint8_t *data, size_t count);
int bands_each(source *s, const selection *selected, band_sink sink, void *ctx);

/* ---- output.c: standard output or a file that appears when it is complete ---- */

typedef struct output {
    FILE *stream;
    const char *name; /* for error lines */
    char *path;       /* null: not to be renamed */
    char *temporary;
} output;

/* path null or "-": standard output. `input`: refuses to overwrite it. */
int output_open(output *out, const char *path, const source *input);
int output_write(output *out, const void *data, size_t size);
/* With result TOOL_OK completes the file, else takes it away; returns result or an error. */
int output_close(output *out, int result);

/* ---- progress.c: a line on the terminal for work that takes long ---- */

typedef struct progress {
    const char *verb;
    uint64_t total;
    uint64_t next; /* when to look at the clock again */
    int64_t began; /* milliseconds */
    int64_t shown;
    int active;
} progress;

void progress_begin(progress *p, const char *verb, uint64_t total);
void progress_at(progress *p, uint64_t done);
void progress_end(progress *p);

/* ---- table.c: columns as wide as their cells ---- */

typedef struct table {
    unsigned columns;
    size_t count; /* cells */
    size_t size;
    char **cells;
    int failed; /* no memory: printed as far as it goes */
} table;

void table_begin(table *t, unsigned columns);
/* The next cell, row after row; the text is copied, control characters made harmless. */
void table_text(table *t, const char *text, size_t length);
void table_cell(table *t, const char *text);
void table_number(table *t, uint64_t number);
/* Prints and forgets all cells. alignment: l or r for each column. */
void table_end(table *t, FILE *out, const char *alignment);

/* ---- json.c ---- */

void json_text(FILE *out, const char *text, size_t length);
void json_numbers(FILE *out, const uint64_t *numbers, unsigned count);

/* ---- formats: npy.c, csv.c ---- */

int npy_header(output *out, const utet_dataset *dataset, const uint64_t *shape);

typedef struct csv {
    output *out;
    const utet_dataset *dataset;
    const uint64_t *shape;
    uint64_t at; /* elements written */
    int plain;   /* text for people: blanks, and a heading for each plane */
} csv;

int csv_write(void *ctx, const uint8_t *data, size_t count);

/* ---- pictures: picture.c, colour.c, png.c, terminal.c ---- */

typedef struct picture {
    uint64_t rows; /* of the selection, and its columns */
    uint64_t columns;
    size_t height; /* of the picture, cells */
    size_t width;
    double *sum; /* per cell; after picture_finish the mean, NaN where there is no number */
    uint32_t *count;
    double low; /* smallest and largest mean; low > high when there is none */
    double high;
    uint64_t at; /* elements seen */
    uint32_t dtype;
} picture;

int picture_begin(picture *p, const char *path, size_t most_width, size_t most_height);
int picture_add(void *ctx, const uint8_t *data, size_t count);
void picture_finish(picture *p);
void picture_end(picture *p);
/* Red, green, blue of a cell. */
void picture_colour(const picture *p, size_t row, size_t column, uint8_t rgb[3]);
int picture_png(const picture *p, output *out, unsigned scale);
void picture_terminal(const picture *p, FILE *out);
void terminal_size(size_t *width, size_t *height);

/* ---- commands ---- */

int command_info(const options *opt);
int command_read(const options *opt);
int command_verify(const options *opt);
int command_fit(const options *opt);
int command_show(const options *opt);

struct metadata;
int info_json(source *s, const struct metadata *m);

#endif
