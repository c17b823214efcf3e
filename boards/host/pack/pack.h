/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shared by the sources of `utet pack`: inputs as blocks of elements, the plan of a dataset, workers, the file written.
 */
#ifndef UTET_TOOL_PACK_H
#define UTET_TOOL_PACK_H

#include "shared/metadata.h"
#include "fit/target.h"

#include <pthread.h>
#include <sys/types.h>

/* Bytes of an input that are read at once. Two such boxes and their results are in memory. */
#define PACK_BOX_BYTES ((uint64_t)8 << 20)
/* Most bytes read at once from an array whose elements are in reading order; this much stays in a processor's cache. */
#define PACK_ROWS_BYTES ((uint64_t)2 << 20)
/* For each thread this much is enough, if it has several tiles; it stays in the cache of a core. */
#define PACK_CORE_BYTES ((uint64_t)256 << 10)
#define PACK_MOST_TILE ((uint64_t)64 << 20) /* maximum size of a tile, which is completely in memory */
#define PACK_SMALL_FOOTER 4096u             /* --metadata small */
#define PACK_INLINE_FOOTER 65000u           /* larger metadata is written before the footer (§7.4) */

/* ---- pack_options.c ---- */

enum { PACK_AUTO, PACK_RAW, PACK_ZSTD };
/* Which tiles have a checksum: those that zstd makes smaller, or all; then tiles that zstd does not make smaller also
 * become frames. */
enum { CHECKSUM_ZSTD, CHECKSUM_ALL, CHECKSUM_NONE };
enum { META_SMALL, META_KEEP, META_NONE };
enum { VERIFY_AUTO, VERIFY_ELEMENTS, VERIFY_STORED };
enum { ACCESS_ROWS, ACCESS_COLUMNS, ACCESS_TILES, ACCESS_FRAMES, ACCESS_ALL };

/* An option that may be given several times, each time for the dataset before its colon, or for all datasets. */
typedef struct word_list {
    const char **word;
    size_t count;
} word_list;

typedef struct pack_options {
    char **inputs;
    size_t count;
    const char *output;
    target machine;
    int machine_given;
    int list; /* --for list */
    int codec;
    int level;
    int checksum;
    int index_keep; /* 1: keep zone maps and indexes of the only .tet input, and therefore its tiles */
    int verify;
    int metadata;
    int metadata_given;
    int access;
    unsigned threads;
    unsigned align;
    uint64_t tile[UTET_MAX_NDIM];
    unsigned tile_ndim; /* 0: auto */
    int tile_whole;
    int budget_auto;
    uint64_t budget;
    uint32_t dtype; /* 0: the dtype of the input */
    int scaled;     /* --scale: floats become i16 or u8 */
    double scale;   /* 0: computed from the data */
    double add_offset;
    int add_offset_given;
    uint64_t shape[UTET_MAX_NDIM];
    unsigned shape_ndim;
    uint64_t offset;         /* offset of raw data in its file */
    const char *table_given; /* name of a given option that applies only to tables, or NULL */
    uint64_t skip;           /* number of lines to skip before a table */
    uint64_t skip_after;     /* number of lines to skip after names and units */
    int no_header;
    int units;
    const char *missing; /* comma-separated words, or NULL */
    const char *fill;    /* a number, or NULL */
    const char *strip;   /* comma-separated words, or NULL */
    const char *comment; /* the beginning of comments, or NULL */
    char thousands;      /* the thousands separator, or 0: none */
    char decimal;        /* the decimal sign, or 0: detected */
    char separator;      /* the separator of cells, or 0: detected */
    const char *time_format;
    const char *labels_from;
    word_list times; /* COLUMN=UNIT */
    word_list drop;
    int dry_run;
    int series;
    int json;
    const char *slab;
    const char *meta_file;
    word_list names;
    word_list dims;
    word_list labels;
    word_list attributes;
    int ask_to; /* --elements: descriptors for requests, answers and elements; 0: not given */
    int ask_from;
    int ask_elements;
    int force_table;
    unsigned tables_left; /* number of tables that may still be printed by --dry-run */
    int sample_all;
    uint64_t sample; /* bytes to compress for each candidate; 0: the default */
} pack_options;

int pack_options_parse(pack_options *opt, int argc, char **argv);
void pack_options_end(pack_options *opt);

/* ---- inputs: pack_inputs.c, pack_array.c, pack_ask.c; pack_input.c and one file per format ---- */

/* Elements in a file; `stride` is the distance to the next element along an axis, in bytes. */
typedef struct array_view {
    int fd;
    uint64_t offset;
    uint64_t stride[UTET_MAX_NDIM];
    int swapped;         /* big-endian */
    const uint8_t *held; /* the bytes from `offset` on, in memory; NULL: in the file */
    int ask_to;          /* requests for elements go here, and `fd` has what was requested; 0: `fd` has the array */
    int ask_from;        /* answers to requests */
    uint64_t array;      /* number of the array in requests */
} array_view;

#define PACK_I8 100u /* element types of inputs that .tet does not have */

/* The conversion of elements to another dtype. */
typedef struct pack_cast {
    uint32_t from; /* dtype of the input's elements; 0: that of the dataset */
    int scaled;    /* element = code x scale + offset */
    double scale;
    double offset;
    int filled; /* NaN becomes `fill` */
    uint64_t fill;
} pack_cast;

/* A dataset that will be written. */
typedef struct pack_input {
    const char *path; /* path for error lines, from the command line */
    char *name;
    size_t name_length;
    uint32_t dtype;
    uint8_t elem_size;
    unsigned ndim;
    uint64_t shape[UTET_MAX_NDIM];
    array_view view;
    pack_cast cast;
    int settled;          /* 1: --dtype has been applied */
    struct pack_tet *tet; /* the reader of a .tet input, or NULL: elements come from `view` */
    void *tet_selection;  /* private data of pack_tet.c */
    tree about;           /* attrs, dim_names, coords */
    char from[80];        /* description of the source, for --dry-run */
} pack_input;

typedef struct pack_footer pack_footer;

typedef struct pack_inputs {
    pack_input *input;
    size_t count;
    const pack_input **by_name; /* sorted by name once the list is complete */
    int *files;                 /* open ones */
    size_t file_count;
    struct pack_tet **tets;
    size_t tet_count;
    char **texts; /* paths */
    size_t text_count;
    int ask_to; /* as in pack_options */
    int ask_from;
    int ask_elements;
    tree history; /* of .tet inputs, in order */
    tree file;
    tree given;     /* --meta: dataset name -> metadata */
    int64_t newest; /* modification time of the inputs */
    int table_used; /* 1: an option for tables, or --offset, applies to an input */
    int offset_used;
} pack_inputs;

int pack_inputs_open(pack_inputs *all, const pack_options *opt);
void pack_inputs_end(pack_inputs *all);
/* Adds a dataset whose fields are zero except for the path; NULL after an error line. */
pack_input *pack_inputs_add(pack_inputs *all, const char *path);
/* Sets the name of a dataset; TOOL_ERROR after an error line. */
int pack_input_name(pack_input *in, const char *name, size_t length);
/* Sorts the datasets for pack_inputs_find, when all have names; TOOL_ERROR after an error line if two have the same
 * name. */
int pack_inputs_sort(pack_inputs *all);
/* Returns the index of the input with this name; all->count: there is none. */
size_t pack_inputs_find(const pack_inputs *all, const char *name, size_t length);
/* Stores `fd`, which the inputs close. */
int pack_inputs_keep(pack_inputs *all, int fd);
int pack_inputs_keep_text(pack_inputs *all, char *text);
/* Creates a file without a name for data that must be unpacked; -1 after an error line. */
int pack_scratch(const char *path);
/* Computes the strides of a contiguous array in C or Fortran order. */
void pack_view_dense(pack_input *in, int fd, uint64_t offset, int fortran);
/* Reads a view of at most `most` bytes into *held, which the caller frees; NULL: the view is larger, or there is not
 * enough memory. */
int pack_view_hold(const pack_input *in, uint64_t most, uint8_t **held);
/* Returns the number of elements of a shape; UINT64_MAX: too many. */
uint64_t pack_elements(const pack_input *in);
uint8_t pack_elem_size(uint32_t dtype);
/* Reads the block of `count` indices from `start` into `to`, dense and little-endian. */
int pack_box(const pack_input *in, const uint64_t *start, const uint64_t *count, uint8_t *to);
/* Does the same for an array that another process has; the block has `size` bytes. */
int pack_ask(const pack_input *in, const uint64_t *start, const uint64_t *count, size_t size, uint8_t *to);
/* Does the same, and converts the elements of an input with another dtype. */
int pack_cast_box(const pack_input *in, const uint64_t *start, const uint64_t *count, uint8_t *to);
/* Applies --dtype and --scale to all inputs; TOOL_ERROR after an error line. */
int pack_cast_all(pack_inputs *all, const pack_options *opt);
int pack_write_all(const char *path, int fd, const void *data, size_t size);
/* Reads `size` bytes at `offset`, fewer only at the end of the file. Returns their number; -1 with errno: it failed. */
ssize_t pack_read_at(int fd, void *to, size_t size, uint64_t offset);

/* Returns TOOL_ERROR after an error line if only the Python package supports the format; a file is recognised by its
 * first bytes, a folder by its members. */
int pack_foreign_check(const char *path, const uint8_t *head, size_t length);
int pack_foreign_folder(const char *path);
int pack_npy_open(pack_inputs *all, const char *path, int fd, uint64_t offset, uint64_t size, const char *member);
int pack_npz_open(pack_inputs *all, const char *path, int fd, uint64_t size, const char *only);
/* Returns nonzero if a file of `size` bytes is treated as safetensors; `head` has its first bytes. */
int pack_safetensors_is(const char *path, const uint8_t *head, size_t got, uint64_t size);
int pack_safetensors_open(pack_inputs *all, const char *path, int fd, uint64_t size, const char *only);
int pack_png_open(pack_inputs *all, const char *path, int fd);
/* Appends a picture to the scratch file of `first`, if `check` returns TOOL_OK for it. The path of *in is set; its
 * dtype and shape are found out. */
int pack_png_more(pack_input *in, int fd, const pack_input *first,
                  int (*check)(const pack_input *first, const pack_input *in));
/* --series: the picture in `fd`, whose first bytes are `head`; after the last one, all of them as one dataset. */
int pack_series_add(pack_inputs *all, const char *path, int fd, const uint8_t *head);
int pack_series_end(pack_inputs *all, const pack_options *opt);
/* Returns nonzero if the beginning of the file is text. */
int pack_csv_is_text(int fd);
/* An error line for a text that is not called .csv, with the options that read a table from it. */
int pack_csv_refuse(const char *path, int fd, const pack_options *opt);
int pack_csv_open(pack_inputs *all, const char *path, int fd, const char *only, const pack_options *opt);
/* only: the name of one dataset; NULL: all datasets. */
int pack_tet_open(pack_inputs *all, const char *path, const char *only, const char *slab);
/* Finds the zone maps and indexes for --index keep; TOOL_ERROR after an error line if the inputs are not one complete
 * file. */
int pack_tet_index(const pack_inputs *all, pack_footer *f);
/* Reads bytes of a .tet input at `offset`. */
int pack_tet_copy(const struct pack_tet *tet, uint64_t offset, void *to, size_t size);
/* Returns the tile of a dataset of a .tet input. */
void pack_tet_tile(const pack_input *in, uint64_t *tile);
int pack_tet_box(const pack_input *in, const uint64_t *start, const uint64_t *count, uint8_t *to);
void pack_tet_end(struct pack_tet *tet);

/* ---- pack_tile.c: tiles of a box, compressed by several threads ---- */

typedef struct pack_tile {
    uint64_t coords[UTET_MAX_NDIM]; /* in tiles */
    uint64_t start[UTET_MAX_NDIM];  /* in elements, from the box's corner */
    uint64_t extent[UTET_MAX_NDIM];
    size_t raw; /* bytes */
    size_t stored;
    size_t place; /* offset in the arena */
    uint32_t codec;
    uint32_t sum; /* pack_sum of the stored bytes; for a zstd tile with pack_decodes, XOR ~pack_sum of the elements */
} pack_tile;

typedef struct pack_box_job {
    const uint8_t *box; /* dense */
    uint64_t count[UTET_MAX_NDIM];
    unsigned ndim;
    uint8_t elem_size;
    uint8_t *arena;
    pack_tile *tiles;
    size_t tile_count;
    size_t next; /* the next three belong to pack_tile.c: next tile to compress */
    size_t left; /* tiles that are not compressed yet */
    struct pack_box_job *following;
} pack_box_job;

typedef struct pack_workers pack_workers;
/* Starts that many threads; 0: the caller compresses. `largest`: bytes of a tile. NULL after an error line. */
pack_workers *pack_workers_begin(const pack_options *opt, unsigned threads, uint64_t largest, int codec);
/* Lets the threads compress the tiles of the job, after those of the job before it. The caller may do other work, then
 * calls pack_workers_wait; then it may start a third job. Without threads, compresses them. */
void pack_workers_start(pack_workers *w, pack_box_job *job);
void pack_workers_wait(pack_workers *w, const pack_box_job *job);
void pack_workers_end(pack_workers *w);
int pack_has_zstd(void);
/* Returns the maximum stored size of a tile of `raw` bytes. */
size_t pack_stored_most(const pack_options *opt, size_t raw);
/* Returns UTET_CODEC_RAW or UTET_CODEC_ZSTD: the codec that a reader needs if `codec` was chosen for a dataset. */
uint32_t pack_reader_codec(const pack_options *opt, int codec);

/* ---- pack_plan.c: tiles and boxes in reading order ---- */

typedef struct pack_plan {
    uint64_t tile[UTET_MAX_NDIM];
    uint64_t grid[UTET_MAX_NDIM];
    unsigned order[UTET_MAX_NDIM]; /* order of the payloads: axes, slowest first */
    uint64_t tiles;
    int codec;
    unsigned threads;     /* that work on a box */
    uint64_t rows_before; /* number of rows of earlier datasets */
    uint64_t stored;      /* bytes of payloads, once written */
    uint64_t largest_stored;
    int uses_zstd;
} pack_plan;

/* Computes grid, order and number of tiles from plan->tile. */
int pack_plan_make(pack_plan *plan, const pack_input *in, const pack_options *opt);
typedef int (*pack_box_sink)(void *ctx, const uint64_t *first, const uint64_t *tiles);
/* Advances to the next box of tiles in reading order: its `first` tile and number of tiles along each axis, together at
 * most PACK_BOX_BYTES. */
int pack_plan_boxes(const pack_plan *plan, const pack_input *in, pack_box_sink sink, void *ctx);
/* Lists the tiles of a box in reading order: sets coords, start, extent, raw and place of each. Returns their
 * number. */
size_t pack_plan_tiles(const pack_plan *plan, const pack_input *in, const pack_options *opt, const uint64_t *first,
                       const uint64_t *tiles, pack_tile *to);
uint64_t pack_tile_bytes(const pack_input *in, const uint64_t *tile);

/* ---- pack_auto.c: the choice of tile and codec ---- */

int pack_choose(const pack_options *opt, const pack_input *in, pack_plan *plan);

/* ---- pack_meta.c: the footer ---- */

struct pack_footer {
    char *spill; /* metadata that do not fit into the footer; may be NULL */
    size_t spill_length;
    char *text; /* JSON of the footer; pack_footer_text inserts the offset of the spill */
    size_t length;
    char *history;
    char *metadata;
    const struct pack_tet *index_from; /* or null */
    utet_span index[2];                /* zone maps and indexes of the input; length 0: none */
    uint64_t index_at[2];              /* zone maps and indexes of the new file */
    char dropped[128];                 /* what --metadata small has omitted */
};

/* Reads the metadata of a dataset in a .tet file, reduced to the selection. */
int pack_meta_adopt(pack_input *in, const tree *about, const selection *selected);
/* Reduces the labels of any other input to a selection; the shape is still that of the complete array. */
int pack_meta_slab(pack_input *in, const utet_range *ranges);
int pack_meta_history(tree *to, const tree *history);
/* Adds an attribute of the dataset. */
int pack_meta_attribute(pack_input *in, const char *key, const char *text);
/* Names the first axis of the dataset; *labels: the list of its labels, which is empty. */
int pack_meta_axis(pack_input *in, const char *axis, tree **labels);
/* Names the next axis of the dataset, which has no labels. */
int pack_meta_next_axis(pack_input *in, const char *axis);
int pack_meta_label(tree *labels, const char *text, size_t length);
int pack_meta_given(pack_inputs *all, const pack_options *opt);
/* pack_given.c: the text of --meta is one object with known keys, each once; else TOOL_ERROR after an error line. */
int pack_given_check(const char *path, const char *text, size_t length);
/* Checks the limits of FORMAT §7.4. */
int pack_meta_check(const pack_input *in);
/* Reads the metadata of the file `fd`; `path` is its name in error lines. */
int pack_meta_read(tree *given, const char *path, int fd);
int pack_meta_event(tree *event, const pack_inputs *all, const pack_options *opt, const pack_plan *plans, int64_t at);
/* `event_time`: seconds. */
int pack_footer_make(pack_footer *f, const pack_inputs *all, const pack_plan *plans, const pack_options *opt,
                     int64_t event_time);
/* Writes the JSON, with its spill at `offset`. */
int pack_footer_text(pack_footer *f, uint64_t offset);
void pack_footer_end(pack_footer *f);

/* ---- pack_json.c: what --json prints ---- */

/* About the new file of `bytes` bytes. ram: for each dataset the RAM that the target lacks for it, or 0; dropped: the
 * metadata left out. */
int pack_json(const pack_options *opt, const pack_inputs *all, const pack_plan *plans, uint64_t bytes,
              const uint64_t *ram, const char *dropped);
/* --dry-run */
int pack_json_plan(const pack_inputs *all);

/* ---- pack_file.c: the file itself ---- */

typedef struct pack_file {
    output out;
    int fd;
    uint64_t at;      /* offset of the next payload */
    uint64_t written; /* position of the stream; 0: no payload yet */
    uint64_t rows;
    uint64_t index_offset;
    uint32_t *sums; /* checksum of every row */
    uint8_t *row_buffer;
    char *stream_buffer;
    uint64_t row_first;
    size_t row_held;
    pthread_t writing; /* waits until the complete file is on the disk, while it is read back */
    int writing_begun;
    int writing_error; /* errno, or 0 */
} pack_file;

/* Creates a file next to `path`, which replaces `path` when pack_file_end is called with TOOL_OK. */
int pack_file_open(pack_file *f, const char *path);
int pack_file_begin(pack_file *f, const pack_inputs *all, const pack_plan *plans, uint32_t budget, int has_footer);
int pack_file_put(pack_file *f, const pack_options *opt, size_t dataset, const pack_plan *plan, unsigned ndim,
                  const pack_tile *tile, const uint8_t *data);
int pack_file_finish(pack_file *f, pack_footer *footer);
/* Returns a checksum that detects accidental changes. */
uint32_t pack_sum(const uint8_t *data, size_t size);
/* Returns nonzero if the elements of the tile are also compared when the file is read back. */
int pack_decodes(const pack_options *opt, unsigned ndim, const uint64_t *coords);
/* Reads the complete file back and compares checksums. */
int pack_file_verify(pack_file *f, const pack_inputs *all, const pack_plan *plans, const pack_options *opt);
/* Gives the file its name if `result` is TOOL_OK, otherwise removes it. */
int pack_file_end(pack_file *f, int result);

#endif
