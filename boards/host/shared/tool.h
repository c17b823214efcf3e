/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shared by all sources of the tool, which uses the public headers only: utet.h, utet_check.h, utet_show.h, ports.
 * Functions returning int give an exit status: 0 done, 1 an error whose line has been printed, 2 wrong usage. */
#ifndef UTET_TOOL_H
#define UTET_TOOL_H

#include "utet.h"
#include "utet_posix.h"
#include "utet_show.h"

#include <stdio.h>

enum { TOOL_OK = 0, TOOL_ERROR = 1, TOOL_USAGE = 2 };

/* Sizes and offsets of the format that the public headers have no use for (src/tet/FORMAT.md). */
enum {
    SUPERBLOCK_BYTES = 32,   /* §2 */
    INDEX_HEADER_BYTES = 32, /* §4, and so the two below */
    ROW_BYTES = 104,
    ROW_PAYLOAD_OFFSET = 72, /* offset of this field in a row */
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

#define TOOL_MOST_THREADS 256u
#define TOOL_MOST_ASKS 8u /* reductions that are options of query */

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
    int strict;         /* refuse what the reference refuses */
    int kind;           /* kind of TileDB file: SCHEMA_KIND_ in schema.h */
    uint64_t at;        /* the time of such an array; UINT64_MAX: all files */
    const char **where; /* KEY=A/B or KEY!=A/B: which messages */
    int where_count;
    const char *keys; /* of messages: whose values are printed; null: all is listed */
    int json_lines;
    int common;     /* metadata that all tensors of a message share */
    int damaged;    /* values are written though the hash of their frame differs */
    int metadata;   /* print the metadata of a message or tensor */
    int descriptor; /* print the descriptor of a tensor */
    int object_given;
    int bare;        /* a picture without axes and legend */
    uint64_t object; /* its number */
    int own_budget;  /* the file's own memory budget is the wall */
    uint64_t budget; /* the wall, 0: whatever is needed */
    struct target *machine;
    int all_codecs;
    int list;  /* --for list */
    int names; /* -1 */
    int stats;
    int physical; /* values are stored * scale_factor + add_offset */
    int as_c;     /* export */
    int image;
    int plan;        /* query */
    const char *npy; /* query */
    const char *tet; /* query: -o OUT.tet */
    int csv;         /* query */
    struct {         /* query: reductions in the order of the command line */
        const char *key;
        const char *axes;
    } asks[TOOL_MOST_ASKS];
    unsigned ask_count;
    const char *tests; /* query: --where */
    const char *group; /* query */
    const char *window;
    int rolling;      /* the window is that of --rolling */
    int trust_zones;  /* query */
    uint64_t preview; /* query; UINT64_MAX: as it is without the option */
    unsigned threads; /* query, read; 0: as many as there are processors, and as it is worth */
    const char *name;
    const char *section;
    int as_numbers; /* diff: --tolerance or --relative is given */
    double tolerance;
    uint64_t tolerance_whole; /* its whole part */
    double relative;
    uint64_t first;
    char **files; /* all arguments */
    int file_count;
    int by; /* query: number of the word of --by, from 1; 0: none */
} options;

/* Digits alone, at most 18 of them. */
int parse_number(const char *text, uint64_t *number);

/* Returns nonzero if options say what a query does; otherwise a document does. */
int query_is_asked(const options *opt);

/* Of -j; says what is wrong. */
int options_threads(const char *value, unsigned *threads);

/* ---- count.c: counts of bytes ---- */

/* "4096", "64K", "8MiB"; 0: none. */
int options_bytes(const char *text, uint64_t *bytes);

/* ---- say.c: words for people ---- */

#define NO_OFFSET UINT64_MAX

/* Prints `utet: path: region: …` with the offset where it is known; returns TOOL_ERROR. path and region may be null. */
int fail(const char *path, const char *region, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Prints the same line about something that is not an error: data skipped, rounded or ambiguous. */
void notice(const char *path, const char *region, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* An error without a line: the reader of standard output has gone away. Returns TOOL_ERROR. */
int fail_silently(void);
/* Prints what is wrong with the command line, and which help says how it is written; returns TOOL_USAGE. */
int usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* From now on usage() names the help of this command. */
void usage_of(const char *command);
int is_utf8(const char *text, size_t length);
/* The region of the file, or what else is concerned. */
const char *region_of(utet_status status);
/* An error that says nothing about the file. */
int is_medium_error(utet_status status);
/* Puts untrusted text on a terminal: control characters become \xNN. */
void put_safely(FILE *out, const char *text, size_t length);
/* The text as one word of a shell's command line, in quotation marks where it has to be. */
void put_shell_word(FILE *out, const char *text);
/* The text with \x00 for each zero byte, which would end it in a message; cut where `size` bytes are full. */
void spell_zeros(char *to, size_t size, const char *text, size_t length);
/* "1,234,567" into a buffer of at least 27 bytes; returns it. */
char *grouped(char *buffer, uint64_t number);
/* "[64, 128]", at most 200 bytes; returns it. */
char *shape_text(char *buffer, const uint64_t *shape, unsigned ndim, const char *separator);
/* Flushes standard output and says what went wrong with it; returns `result` if nothing did. */
int finish_stdout(int result);

/* ---- ahead.c: the posix port with read-ahead ---- */

/* Requests that follow each other, and the bytes that were read ahead of them. */
typedef struct stretch {
    uint8_t *buffer; /* null until something is read ahead */
    uint64_t offset; /* file offset of the buffer */
    size_t length;
    uint64_t first; /* start of the last request */
    uint64_t end;
    size_t size;   /* read at once */
    uint64_t used; /* when that was */
} stretch;

/* Parts of a file that are read alternately: names, records, rows, payloads, and two documents. */
#define STRETCHES 6u

typedef struct ahead {
    utet_io io; /* hand its address to utet_init */
    const utet_io *inner;
    stretch stretches[STRETCHES];
    unsigned last; /* where the last request was */
    uint64_t clock;
} ahead;

void ahead_begin(ahead *a, const utet_io *inner);
/* For who goes over all of the file several times: a file of at most 24 MiB is read into memory, before utet_init. One
 * that is larger, or cannot be read, is read as without this call. */
void ahead_whole(ahead *a);
void ahead_end(ahead *a);

/* ---- source.c: a file that is being read ---- */

/* *file: the file in the package folder `path`, which the caller frees; NULL: not a package. (package.c) */
int package_file(const char *path, char **file);

typedef struct source {
    const char *path;
    char *packed; /* the path, of a package's file; else null */
    int fd;
    utet_posix port;
    ahead reading;
    utet_file file;
    struct keeper *decoded; /* kept.c: the zstd decoder that was asked for */
    const utet_codec *codecs[2];
    void *work;
    size_t work_length;
    uint64_t other_least; /* memory that the other zstd decoder needs for a selection; 0: the same, or not known */
    utet_rows rows;       /* where those of one dataset are; source_rows */
    utet_dataset rows_of;
    uint32_t *row_of; /* null: of none */
    size_t row_count;
    uint32_t *lists; /* null, or those of the rows of all datasets, once a second dataset is asked for */
    size_t list_count;
    unsigned threads; /* that read its bands; 0: one */
} source;

/* Opens the medium and prepares the file, which is not opened yet. */
int source_prepare(source *s, const options *opt);
/* The same with a descriptor, which becomes the source's; opt->file is its name for error lines. */
int source_prepare_fd(source *s, const options *opt, int fd);
/* Of a selection, for error lines: the other decoder's least need. */
void source_other(source *s, const utet_dataset *dataset, const utet_range *ranges, uint64_t least);
/* utet_open with a workspace of `bytes`; `budget` as there. May be called again for another workspace. */
utet_status source_open(source *s, uint64_t bytes, uint64_t budget);
/* Rows of this dataset may be in any order from now on: none is searched twice, if there is memory for that. */
void source_rows(source *s, const utet_dataset *dataset);
/* That, and payloads that several rows of it name are not decoded for each of them. `count` sources do so at a time,
 * and share the memory. */
void source_read(source *s, const utet_dataset *dataset, unsigned count);
/* Opens the file of `first` again, for a further thread: with the same decoder, workspace and budget, then source_read.
 * Returns 0, and prints nothing, if that is not possible. source_end is necessary in either case. */
int source_again(source *s, const source *first, const utet_dataset *dataset, unsigned count);
/* source_prepare and source_open, with what the catalogue needs; prints what is wrong. */
int source_begin(source *s, const options *opt);
/* Opens again, with the workspace and the wall that `need` and the options ask for, unless both are that large. */
int source_grow(source *s, const options *opt, const utet_need *need);
void source_end(source *s);
/* ", but …": the kind of file by its first bytes, and the command that reads it. Or nothing. */
const char *source_kind(const source *s);
/* Prints the error line for a status of this file. */
int source_fail(source *s, utet_status status);
/* A message about the fault at `offset`; the file may be cut off. Payloads end at `limit` at most. May use
 * the buffer. */
#define FAULT_WORDS 160
const char *fault_words(char *buffer, const source *s, utet_status status, uint64_t offset, uint64_t limit);
/* The dataset called `name`, or #N. */
int source_dataset(source *s, const char *name, utet_dataset *dataset);
/* The name of the dataset, which the caller frees; NULL after an error line. */
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
/* The same of a dataset that is known. */
int selection_of(source *s, const options *opt, const utet_dataset *dataset, selection *selected);

/* The ranges of a dataset that the text of --slab selects; null: everything. */
int slab_ranges(source *s, const char *text, const utet_dataset *dataset, utet_range *ranges);

/* start:stop:step for each of `ndim` axes of `shape`. */
int slab_parse(const char *path, const char *text, unsigned ndim, const uint64_t *shape, utet_range *ranges);

/* ---- bands.c: a selection in dense order, through bounded memory ---- */

/* `count` elements, the next ones of the dense row-major array. */
typedef int (*band_sink)(void *ctx, const uint8_t *data, size_t count);
int bands_each(source *s, const selection *selected, band_sink sink, void *ctx);
/* From now on as many threads as -j says read the bands of this source, or as there are processors and as it is worth
 * for this selection. The sink is called by one of them at a time, with the bands in order. */
void bands_threads(source *s, const options *opt, const selection *selected);

/* ---- output.c: standard output or a file that appears when it is complete ---- */

typedef struct output {
    FILE *stream;
    const char *name; /* for error lines */
    char *path;       /* null: not to be renamed */
    char *temporary;
    int copied; /* written elsewhere, and copied over path at the end */
} output;

/* path null or "-": standard output. `input`: refuses to overwrite it. */
int output_open(output *out, const char *path, const source *input);
/* A file that is written in any order: path must be a regular file, or not exist. */
int output_open_beside(output *out, const char *path);
/* Refuses a path that is one of `count` open files. */
int output_check(const char *path, const int *files, size_t count);
int output_write(output *out, const void *data, size_t size);
/* With result TOOL_OK completes the file, else takes it away; returns result or an error. */
int output_close(output *out, int result);
/* The lower `bytes` bytes of the value, little-endian. */
void store_le(uint8_t *at, uint64_t value, unsigned bytes);
/* The number in `bytes` bytes, at most 8, little-endian. */
uint64_t load_le(const uint8_t *at, size_t bytes);

/* ---- progress.c: a line on the terminal for work that takes long ---- */

typedef struct progress {
    const char *verb;
    uint64_t total;
    uint64_t next; /* when to look at the clock again */
    int64_t began; /* milliseconds */
    int64_t shown;
    int active;
    int bytes; /* the count is in bytes: rate and time left are shown */
} progress;

void progress_begin(progress *p, const char *verb, uint64_t total);
void progress_bytes(progress *p, const char *verb, uint64_t total);
void progress_at(progress *p, uint64_t done);
void progress_end(progress *p);

/* ---- table.c: columns as wide as their cells ---- */

typedef struct table {
    const char *alignment; /* l or r for each column */
    unsigned columns;
    size_t count; /* cells held */
    size_t size;
    char **cells;
    size_t widths[24]; /* once some of it has been printed */
    size_t most;       /* width of a cell; longer texts are cut */
    int whole;         /* no text is cut, */
    size_t terminal;   /* except where the terminal, this wide, ends; 0: there is none */
    size_t spare;      /* columns at its right border */
    int printing;
    int failed; /* no memory */
} table;

void table_begin(table *t, const char *alignment);
/* No text of this table is cut, except on a terminal that is narrower than the table: headings, and columns with the
 * alignment l. Call before the first cell. */
void table_whole(table *t);
/* The next cell, row after row; the text is copied, control characters made harmless. table_text: out of a file, cut
 * where it is long; table_cell: the tool's own. After 1,000 rows the table is printed as it comes. */
void table_text(table *t, const char *text, size_t length);
void table_cell(table *t, const char *text);
void table_number(table *t, uint64_t number);
/* Prints the rest to standard output and forgets all cells; TOOL_ERROR after an error line: no memory. */
int table_end(table *t);

/* ---- text.c: text on terminals ---- */

/* Columns and lines of the terminal at standard output; 80 and 24 when there is none. */
void terminal_size(size_t *width, size_t *height);

/* Columns that it takes there. */
size_t text_width(const char *text);
/* The character at `text`, its bytes into *bytes; 0 bytes: none. */
uint32_t text_next(const char *text, size_t length, size_t *bytes);
/* Columns of a character; one if the system does not know it. */
size_t text_columns(uint32_t c);
/* The text, harmless and at most `most` columns wide, with an ellipsis where it is cut. The caller frees it.
 */
char *text_cut(const char *text, size_t length, size_t most);
/* For the line about a file that could not be opened: "-" is no standard input. Or nothing. */
const char *cannot_stream(const char *path);
/* Letters of either case are the same: cards and old systems write .CSV. */
int ends_with(const char *text, const char *end);
/* Returns nonzero if the name promises another kind of file than `own`, such as x.jpg where ".png" is; the last of
 * these endings is null. */
int promises_another(const char *path, const char *const *own);

/* ---- json.c ---- */

void json_text(FILE *out, const char *text, size_t length);
/* As UTF-8, U+FFFD for each byte that is none, into `to` with room for 3 times the length; gives the bytes written. */
size_t json_valid(char *to, const char *text, size_t length);
/* A path converted in this way, with a notice; the caller frees it. NULL: not enough memory. */
char *json_path(const char *path);
void json_numbers(FILE *out, const uint64_t *numbers, unsigned count);

/* ---- formats: npy.c, csv.c, read.c ---- */

/* Axes of what is written with its shape: as many as NumPy takes. A dataset has fewer. */
#define TOOL_MOST_AXES 64

/* What --format and -o ask for. */
int format_for(const options *opt);

/* type: as NumPy says it, "<f4". */
int npy_header(output *out, const char *type, const uint64_t *shape, unsigned ndim);
/* The letter that a dtype of this kind has in NumPy. */
#define NPY_KIND(kind) ((kind) == UTET_FLOAT ? 'f' : (kind) == UTET_SIGNED ? 'i' : 'u')
const char *npy_type(const utet_dataset *dataset);

typedef struct csv {
    output *out;
    const uint64_t *shape;
    unsigned ndim;
    uint32_t dtype;
    size_t size; /* bytes of an element */
    /* as utet_show_text, of at most CSV_MOST bytes */
    utet_status (*text)(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length);
    uint64_t at; /* elements written */
    int plain;   /* text for people: blanks, and a heading for each plane */
} csv;
#define CSV_MOST 64

int csv_write(void *ctx, const uint8_t *data, size_t count);

/* ---- pictures: picture.c, colour.c, canvas.c, png.c, terminal.c ---- */

struct axes;

typedef struct picture {
    const struct axes *axes; /* around it; may be null */
    uint64_t rows;           /* rows and columns of the selection */
    uint64_t columns;
    size_t height; /* size of the picture, in cells */
    size_t width;
    double *sum; /* per cell; after picture_finish the mean, NaN where there is no number */
    uint32_t *count;
    double low; /* smallest and largest mean; low > high when there is none */
    double high;
    uint64_t at; /* elements seen */
    uint32_t dtype;
    size_t size;                                                              /* bytes of an element */
    utet_status (*value)(uint32_t dtype, const void *element, double *value); /* as utet_show_double */
} picture;

int picture_begin(picture *p, const char *path, size_t most_width, size_t most_height);
int picture_add(void *ctx, const uint8_t *data, size_t count);
void picture_finish(picture *p);
void picture_end(picture *p);
/* Red, green, blue of a cell. */
void picture_colour(const picture *p, size_t row, size_t column, uint8_t rgb[3]);
/* Each cell scale x scale pixels; with axes and legend, null: the picture alone. */
int picture_png(const picture *p, output *out, unsigned scale, const char *legend);
void picture_terminal(const picture *p, FILE *out);

/* ---- draw.c: pictures in the terminal or as PNG ---- */

#define MOST_PIXELS 2048u /* along an axis of a PNG */

/* The picture: the text before its size, and the function that passes its values to picture_add. */
typedef struct show_what {
    const char *name;
    const char *dtype;
    int (*values)(void *ctx, picture *p);
    void *ctx;
} show_what;

/* Rows and columns of a picture with these extents: the two axes longer than 1, or fewer. */
int show_plane(const source *s, const options *opt, const uint64_t *shape, unsigned ndim, picture *p);
/* Draws in the terminal or as PNG, as the options and standard output say. */
int show_picture(const source *s, const options *opt, const show_what *what, picture *p);

/* ---- commands ---- */

/* run.c: source_begin, --strict, the work, source_end. */
int source_run(const options *opt, int (*work)(source *s, const options *opt));

int command_info(const options *opt);
int command_read(const options *opt);
int command_verify(const options *opt);
int command_fit(const options *opt);
int command_show(const options *opt);
int command_export(const options *opt);
int command_messages(const options *opt);
int command_message(const options *opt);
int command_diff(const options *opt);
int command_schema(const options *opt);
int command_query(const options *opt);
int command_stats(const options *opt);
int command_pack(int argc, char **argv);

struct metadata;
int info_json(source *s, const struct metadata *m);

#endif
