/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shared by all sources of the tool. The tool uses only public headers of the library and ports. Functions returning
 * int give an exit status: 0 done, 1 an error whose line has been printed, 2 wrong usage. */
#ifndef UTET_TOOL_H
#define UTET_TOOL_H

#include "utet.h"
#include "utet_posix.h"
#include "utet_show.h"

#include <stdio.h>

enum { TOOL_OK = 0, TOOL_ERROR = 1, TOOL_USAGE = 2 };

/* Sizes and offsets of the format that the public headers do not define (src/tet/FORMAT.md). */
enum {
    SUPERBLOCK_BYTES = 32,   /* §2 */
    INDEX_HEADER_BYTES = 32, /* §4, like the next two */
    ROW_BYTES = 104,
    ROW_PAYLOAD_OFFSET = 72, /* offset of the field in a row */
    FOOTER_TAIL_BYTES = 16   /* §6.1 */
};

/* Maximum size of a workspace. */
#define TOOL_MOST_WORKSPACE ((uint64_t)256 << 20)
/* Size of a workspace that is allocated before the need of a selection is known. */
#define TOOL_GOOD_WORKSPACE ((uint64_t)512 << 10)

/* ---- options.c ---- */

enum { FORMAT_AUTO, FORMAT_RAW, FORMAT_NPY, FORMAT_CSV, FORMAT_TEXT };
enum { CODEC_UPSTREAM, CODEC_SMALL };
#ifdef TOOL_NO_UPSTREAM /* make ZSTD_UPSTREAM=no */
enum { TOOL_HAS_UPSTREAM = 0 };
#else
enum { TOOL_HAS_UPSTREAM = 1 };
#endif

#define TOOL_MOST_THREADS 256u
#define TOOL_MOST_ASKS 8u /* number of reductions that are options of query */

typedef struct options {
    const char *file;
    const char *dataset;
    const char *slab;   /* NULL: the complete dataset */
    const char *output; /* NULL: standard output */
    int json;
    int deep;
    int all;
    int format;
    int codec;
    int codec_given;
    int strict;         /* --strict: refuse every file that the reference refuses */
    int kind;           /* kind of a TileDB file: SCHEMA_KIND_… in schema.h */
    uint64_t at;        /* schema --at: the time in milliseconds; UINT64_MAX: now */
    const char **where; /* messages -w: KEY=A/B or KEY!=A/B */
    int where_count;
    const char *keys; /* messages -p: the keys whose values are printed; NULL: a listing */
    int json_lines;
    int common;     /* messages --common: print the metadata that all tensors share */
    int damaged;    /* write values even if the hash of their frame differs */
    int metadata;   /* print the metadata of a message or tensor */
    int descriptor; /* print the descriptor of a tensor */
    int object_given;
    int bare;        /* a picture without axes and legend */
    uint64_t object; /* number of the tensor */
    int own_budget;  /* 1: obey the memory budget that the file states */
    uint64_t budget; /* maximum workspace in bytes; 0: as much as is needed */
    struct target *machine;
    int all_codecs;
    int list;  /* --for list */
    int names; /* -1 */
    int stats;
    int lines;    /* show */
    int hist;     /* show */
    int physical; /* --physical: values are stored * scale_factor + add_offset */
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
    int rolling;      /* 1: the window was given by --rolling */
    int trust_zones;  /* query */
    uint64_t preview; /* query; UINT64_MAX: the option is not given */
    unsigned threads; /* query, read: number of threads; 0: as many as processors, fewer for small work */
    const char *name;
    const char *section;
    int as_numbers; /* diff: --tolerance or --relative is given */
    double tolerance;
    uint64_t tolerance_whole; /* integer part of the tolerance */
    double relative;
    uint64_t first;
    unsigned long speed; /* serve: the system's number of it */
    int speed_given;
    char **files; /* all arguments */
    int file_count;
    int by; /* query: number of the word after --by, from 1; 0: not given */
} options;

/* Reads a number of at most 18 digits, and nothing else. */
int parse_number(const char *text, uint64_t *number);

/* Returns nonzero if --budget gives a number or names the file's own budget. */
int budget_given(const options *opt);

/* Returns nonzero if options describe the query; otherwise a document does. */
int query_is_asked(const options *opt);

/* Reads the value of -j; prints an error line if it is wrong. */
int options_threads(const char *value, unsigned *threads);

/* ---- count.c: byte counts ---- */

/* Reads "4096", "64K" or "8MiB"; returns 0 if the text is not a byte count. */
int options_bytes(const char *text, uint64_t *bytes);

/* ---- say.c: messages ---- */

#define NO_OFFSET UINT64_MAX

/* Prints `utet: path: region: …`, with the offset if it is known; returns TOOL_ERROR. path and region may be NULL. */
int fail(const char *path, const char *region, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Prints a line of the same form about data that are skipped, rounded or ambiguous, which is not an error. */
void notice(const char *path, const char *region, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Notes an error without printing a line, because the reader of standard output has ended. Returns TOOL_ERROR. */
int fail_silently(void);
/* Prints what is wrong with the command line, and the help command to read; returns TOOL_USAGE. */
int usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Sets the command whose help usage() names. */
void usage_of(const char *command);
int is_utf8(const char *text, size_t length);
/* Returns the region of the file, or the other object, that a status concerns. */
const char *region_of(utet_status status);
/* Returns nonzero if the status does not concern the file. */
int is_medium_error(utet_status status);
/* Prints untrusted text on a terminal: control characters become \xNN. */
void put_safely(FILE *out, const char *text, size_t length);
/* Prints the text as one word of a shell command, in quotation marks if necessary. */
void put_shell_word(FILE *out, const char *text);
/* Copies the text with \x00 for each zero byte, which would end it in a message. Truncates it to `size` bytes. */
void spell_zeros(char *to, size_t size, const char *text, size_t length);
/* Writes "1,234,567" into a buffer of at least 27 bytes; returns the buffer. */
char *grouped(char *buffer, uint64_t number);
/* Writes "[64, 128]", at most 200 bytes; returns the buffer. */
char *shape_text(char *buffer, const uint64_t *shape, unsigned ndim, const char *separator);
/* Flushes standard output. Returns `result`, or TOOL_ERROR after an error line, such as that of a failed write. */
int finish_stdout(int result);

/* ---- ahead.c: the posix port with read-ahead ---- */

/* A series of requests that follow each other, and the bytes that were read ahead. */
typedef struct stretch {
    uint8_t *buffer; /* NULL until bytes are read ahead */
    uint64_t offset; /* file offset of the buffer */
    size_t length;
    uint64_t first; /* start of the last request */
    uint64_t end;
    size_t size; /* read at once */
} stretch;

/* Number of parts of a file that are read alternately: names, records, rows, payloads, two documents; or the tiles that
 * the rows of a product cross, which halves its time. */
#define STRETCHES 24u

typedef struct ahead {
    utet_io io; /* the port for utet_init */
    const utet_io *inner;
    stretch stretches[STRETCHES];
    stretch *latest[STRETCHES]; /* those with the latest requests first */
} ahead;

void ahead_begin(ahead *a, const utet_io *inner);
/* Reads a file of at most 24 MiB into memory, for commands that read it several times. Call before utet_init. Without
 * effect if the file is larger or cannot be read. */
void ahead_whole(ahead *a);
/* Returns the bytes at `offset`, which are valid until the next request, and their number, 1 to `most`. NULL: nothing
 * could be read. */
const uint8_t *ahead_view(ahead *a, uint64_t offset, uint64_t most, size_t *have);
void ahead_end(ahead *a);

/* ---- source.c: a file that is being read ---- */

/* package.c: *file becomes the path of the file in the package folder `path`, which the caller frees; NULL: `path` is
 * not a package. */
int package_file(const char *path, char **file);

typedef struct tile_rows tile_rows; /* direct.c */

typedef struct source {
    const char *path;
    char *packed; /* path of the file in a package, otherwise NULL */
    int fd;
    utet_posix port;
    ahead reading;
    utet_file file;
    struct keeper *decoded; /* the requested zstd decoder, wrapped by kept.c */
    const utet_codec *codecs[2];
    void *work;
    size_t work_length;
    uint64_t other_least; /* memory that the other zstd decoder needs for a selection; 0: the same, or unknown */
    utet_rows rows;       /* positions of the rows of one dataset; see source_rows */
    utet_dataset rows_of;
    uint32_t *row_of; /* null: of none */
    size_t row_count;
    uint32_t *lists; /* positions of the rows of all datasets, once a second dataset is used; else NULL */
    size_t list_count;
    uint8_t *tile;    /* memory of direct.c, or null */
    int in_bands;     /* 1: selections are read by bands_each, which uses the rows that direct_find keeps */
    tile_rows *found; /* rows that direct_find has looked up, or null */
    int found_before; /* 1: they belong to the source of another thread */
    unsigned threads; /* number of threads that read bands; 0: one */
} source;

/* Opens the medium and calls utet_init, but not utet_open. */
int source_prepare(source *s, const options *opt);
/* Does the same as source_prepare for a descriptor, which the source closes; opt->file is its name in error lines. */
int source_prepare_fd(source *s, const options *opt, int fd);
/* Computes the minimum need of a selection with the other decoder, for error lines. */
void source_other(source *s, const utet_dataset *dataset, const utet_range *ranges, uint64_t least);
/* Calls utet_open with a workspace of `bytes` and with `budget`. May be called again for another workspace. */
utet_status source_open(source *s, uint64_t bytes, uint64_t budget);
/* Prepares for rows of the dataset in any order: none is searched twice, if there is enough memory. */
void source_rows(source *s, const utet_dataset *dataset);
/* Does the same, and keeps decoded payloads that several rows share. `count` sources do so at the same time, and share
 * the memory. */
void source_read(source *s, const utet_dataset *dataset, unsigned count);
/* Opens the file of `first` again, for a further thread: with the same decoder, workspace and budget, then source_read.
 * Returns 0, and prints nothing, if that is not possible, or if the size of the file has changed. source_end is
 * necessary in either case. */
int source_again(source *s, const source *first, const utet_dataset *dataset, unsigned count);
/* source_prepare and source_open, with what the catalogue needs; prints what is wrong. */
int source_begin(source *s, const options *opt);
/* Opens the file again with the workspace and budget for `need` and the options, unless the present ones suffice. */
int source_grow(source *s, const options *opt, const utet_need *need);
void source_end(source *s);
/* Returns ", but …" with the kind of the file, known by its first bytes, and the command that reads it; or an empty
 * text. */
const char *source_kind(const source *s);
/* Prints the error line for a status of this file. */
int source_fail(source *s, utet_status status);
/* Returns a message about the fault at `offset`, which names a truncated file. Payloads end at or before `limit`. May
 * use the buffer. */
#define FAULT_WORDS 160
const char *fault_words(char *buffer, const source *s, utet_status status, uint64_t offset, uint64_t limit);
/* Finds the dataset with the name `name`, or with the number in #N. */
int source_dataset(source *s, const char *name, utet_dataset *dataset);
/* Returns the name of the dataset, which the caller frees; NULL after an error line. */
char *source_name(source *s, const utet_dataset *dataset);

/* ---- slabs.c ---- */

typedef struct selection {
    utet_dataset dataset;
    utet_range ranges[UTET_MAX_NDIM];
    uint64_t shape[UTET_MAX_NDIM];
    uint64_t count; /* elements */
    utet_need need;
} selection;

/* Computes the selection of DATASET and --slab, "A:B:S,…" or "AXIS=A:B:S,…", and its need. */
int selection_find(source *s, const options *opt, selection *selected);
/* Does the same for a dataset that is already found. */
int selection_of(source *s, const options *opt, const utet_dataset *dataset, selection *selected);

/* Converts the text of --slab to ranges of a dataset; NULL selects everything. */
int slab_ranges(source *s, const char *text, const utet_dataset *dataset, utet_range *ranges);

/* Converts start:stop:step for each of the `ndim` axes of `shape` to ranges. */
int slab_parse(const char *path, const char *text, unsigned ndim, const uint64_t *shape, utet_range *ranges);

/* ---- bands.c: a selection in dense order, through bounded memory ---- */

/* Receives the next `count` elements of the dense row-major array. */
typedef int (*band_sink)(void *ctx, const uint8_t *data, size_t count);
int bands_each(source *s, const selection *selected, band_sink sink, void *ctx);
/* Lets several threads read the bands of the source: as many as -j states, or as there are processors, fewer for a
 * small selection. One thread at a time calls the sink, with the bands in order. */
void bands_threads(source *s, const options *opt, const selection *selected);

/* ---- direct.c: a band of raw or small tiles ---- */

/* Finds the rows of a selection of small tiles, and keeps them for direct_band. Returns 0 if it has other tiles, an
 * error or too many tiles. Otherwise no tile needs more than TOOL_GOOD_WORKSPACE. */
int direct_find(source *s, const utet_dataset *dataset, const utet_range *ranges);
/* Reads the ranges of a dataset into a dense array. Returns 0 if that is not possible in this way; the array then has
 * any bytes. */
int direct_band(source *s, const utet_dataset *dataset, const utet_range *ranges, uint8_t *band);

/* ---- output.c: standard output or a file that appears when it is complete ---- */

typedef struct output {
    FILE *stream;
    const char *name; /* for error lines */
    char *path;       /* NULL: the file is not renamed */
    char *temporary;
    int copied; /* 1: written to another file, which is copied over path at the end */
} output;

/* Opens the output; path NULL or "-": standard output. Refuses to overwrite `input`. */
int output_open(output *out, const char *path, const source *input);
/* Opens a file that is written in any order: path must be a regular file, or not exist. */
int output_open_beside(output *out, const char *path);
/* Refuses a path that is one of `count` open files. */
int output_check(const char *path, const int *files, size_t count);
int output_write(output *out, const void *data, size_t size);
/* Completes the file if result is TOOL_OK, otherwise removes it; returns result or an error. */
int output_close(output *out, int result);
/* Writes the lower `bytes` bytes of the value, little-endian. */
void store_le(uint8_t *at, uint64_t value, unsigned bytes);
/* Reads a little-endian number of `bytes` bytes, at most 8. */
uint64_t load_le(const uint8_t *at, size_t bytes);

/* ---- progress.c: a line on the terminal for work that takes long ---- */

typedef struct progress {
    const char *verb;
    uint64_t total;
    uint64_t next; /* count at which the clock is read again */
    int64_t began; /* milliseconds */
    int64_t shown;
    int active;
    int bytes; /* 1: the count is in bytes, so rate and remaining time are shown */
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
    size_t widths[24]; /* fixed when the first rows have been printed */
    size_t most;       /* maximum width of a cell */
    int whole;         /* 1: no text is truncated unless the terminal is too narrow */
    size_t terminal;   /* columns of the terminal; 0: no terminal */
    size_t spare;      /* columns that stay free at the right border */
    int printing;
    int failed; /* no memory */
} table;

void table_begin(table *t, const char *alignment);
/* Truncates texts only if the terminal is narrower than the table: headings, and columns with the alignment l. Call
 * before the first cell. */
void table_whole(table *t);
/* Adds the next cell, row by row. The text is copied, and control characters are made harmless. table_text: text from a
 * file, truncated if it is long; table_cell: the tool's own text. After 1,000 rows, further rows are printed
 * immediately. */
void table_text(table *t, const char *text, size_t length);
void table_cell(table *t, const char *text);
void table_number(table *t, uint64_t number);
/* Prints the rest to standard output and frees all cells; TOOL_ERROR after an error line if memory was not enough. */
int table_end(table *t);

/* ---- text.c: text on terminals ---- */

/* Returns the columns and lines of the terminal at standard output; 80 and 24 if it is not a terminal. */
void terminal_size(size_t *width, size_t *height);

/* Returns the width of the text on a terminal, in columns. */
size_t text_width(const char *text);
/* Returns the character at `text`; *bytes: its length in bytes, 0 if the text does not begin with a valid character. */
uint32_t text_next(const char *text, size_t length, size_t *bytes);
/* Returns the width of a character in columns; 1 if the system does not know the character. */
size_t text_columns(uint32_t c);
/* Returns a harmless copy of the text that is at most `most` columns wide, with an ellipsis if it is truncated. The
 * caller frees it. */
char *text_cut(const char *text, size_t length, size_t most);
/* Closes a stream of open_memstream. Returns 0 if there was not enough memory for the text: the C library then may
 * report an error, or leave no text. */
int words_close(FILE *stream, char *const *text);
/* For the error line about a file that cannot be opened: returns a hint if the name is "-", otherwise an empty text. */
const char *cannot_stream(const char *path);
/* Ignores case, because cards and old systems write .CSV. */
int ends_with(const char *text, const char *end);
/* Returns nonzero if the name promises another kind of file than the endings in `own`, a NULL-terminated list: x.jpg
 * for ".png". */
int promises_another(const char *path, const char *const *own);

/* ---- json.c ---- */

void json_text(FILE *out, const char *text, size_t length);
/* Copies the text to `to` as UTF-8, with U+FFFD for each invalid byte. `to` has room for 3 times the length. Returns
 * the number of bytes written. */
size_t json_valid(char *to, const char *text, size_t length);
/* Returns a path as valid UTF-8, with a notice if it was invalid; the caller frees it. NULL: not enough memory. */
char *json_path(const char *path);
void json_numbers(FILE *out, const uint64_t *numbers, unsigned count);

/* ---- formats: npy.c, csv.c, read.c ---- */

/* Maximum number of axes in formats that store the shape: NumPy's maximum. A dataset has fewer. */
#define TOOL_MOST_AXES 64

/* Returns the format that --format or the name of -o selects. */
int format_for(const options *opt);

/* type: the dtype in NumPy's form, "<f4". */
int npy_header(output *out, const char *type, const uint64_t *shape, unsigned ndim);
/* Returns NumPy's letter for a kind of dtypes. */
#define NPY_KIND(kind) ((kind) == UTET_FLOAT ? 'f' : (kind) == UTET_SIGNED ? 'i' : 'u')
const char *npy_type(const utet_dataset *dataset);

typedef struct csv {
    output *out;
    const uint64_t *shape;
    unsigned ndim;
    uint32_t dtype;
    size_t size; /* bytes of an element */
    /* like utet_show_text; writes at most CSV_MOST bytes */
    utet_status (*text)(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length);
    uint64_t at; /* number of elements written */
    int plain;   /* 1: plain text, with blanks and a heading for each plane */
} csv;
#define CSV_MOST 64

int csv_write(void *ctx, const uint8_t *data, size_t count);

/* ---- pictures: picture.c, colour.c, canvas.c, png.c, terminal.c ---- */

struct axes;

typedef struct picture {
    const struct axes *axes; /* texts around the picture; may be NULL */
    uint64_t rows;           /* rows and columns of the selection */
    uint64_t columns;
    size_t height; /* size of the picture, in cells */
    size_t width;
    double *sum; /* sum of each cell; after picture_finish its mean, NaN if the cell has no number */
    uint32_t *count;
    double low; /* smallest and largest mean; low > high if no cell has one */
    double high;
    uint64_t at; /* elements seen */
    const struct show_what *what;
    uint8_t *ink;      /* the colour of each cell of a drawing in a few colours (plot.h); null: a picture of means */
    char *const *keys; /* the texts of colours 1, 2, …, below the drawing */
    size_t key_count;
} picture;

int picture_begin(picture *p, const char *path, size_t most_width, size_t most_height);
int picture_add(void *ctx, const uint8_t *data, size_t count);
/* The cell of index `k` of an axis with this extent, without overflow. */
size_t picture_cell(uint64_t k, uint64_t extent, size_t cells);
void picture_finish(picture *p);
void picture_end(picture *p);
/* Computes red, green and blue of a cell. */
void picture_colour(const picture *p, size_t row, size_t column, uint8_t rgb[3]);
void picture_terminal(const picture *p, FILE *out);
/* Returns nonzero if no escape sequences are allowed: NO_COLOR is set, or the terminal does not support them. */
int terminal_is_plain(void);
/* Sets the colour of the foreground (38) or of the background (48). */
void terminal_colour(FILE *out, unsigned ground, const uint8_t rgb[3]);

/* ---- draw.c: pictures in the terminal or as PNG ---- */

#define MOST_PIXELS 2048u /* maximum number of cells along an axis of a PNG */

/* The elements shown: their name and type as texts, and the function that passes them to a sink. */
typedef struct show_what {
    const char *name;
    const char *dtype;
    int (*values)(void *ctx, band_sink sink, void *to);
    void *ctx;
    uint32_t element;                                                         /* dtype */
    size_t size;                                                              /* bytes of an element */
    utet_status (*value)(uint32_t dtype, const void *element, double *value); /* like utet_show_double */
} show_what;

/* Chooses the rows and columns of a picture: the two axes that are longer than 1, or fewer. */
int show_plane(const source *s, const options *opt, const uint64_t *shape, unsigned ndim, picture *p);
/* Draws in the terminal or as PNG, as the options and standard output say. */
int show_picture(const source *s, const options *opt, const show_what *what, picture *p);

/* ---- commands ---- */

/* run.c: calls source_begin, checks --strict, does the work, calls source_end. */
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
int command_serve(const options *opt);
int command_pack(int argc, char **argv);

struct metadata;
int info_json(source *s, const struct metadata *m);

#endif
