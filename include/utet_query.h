/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: the reference's query documents (src/tet/FORMAT.md §13), read without a tree.
 *
 * A query document is a JSON text of up to 1 MiB that says which dataset, which part of it and which reduction. It is
 * in memory or comes through a port, as a utet_file of its own. utet_query_open reads it several times, front to back,
 * each time for one of its keys, so the port must be able to go back; the memory is that of the utet_query and of the
 * window, however long the text is. Keys are judged in the reference's order, and refused with its messages.
 *
 * The conventions of utet.h hold: repeat a call that returns UTET_WOULD_BLOCK with the same arguments.
 */
#ifndef UTET_QUERY_H
#define UTET_QUERY_H

#include "utet_fold.h"
#include "utet_meta.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

#define UTET_QUERY_MAX_BYTES 1048576u /* maximum size of a document, in bytes */
#define UTET_QUERY_TOKEN 32u          /* maximum size of an axis's name, in bytes */

/* reductions, in utet_query.operation */
enum {
    UTET_QUERY_NONE,
    UTET_QUERY_SUM,
    UTET_QUERY_MEAN,
    UTET_QUERY_MIN,
    UTET_QUERY_MAX,
    UTET_QUERY_COUNT,
    UTET_QUERY_VAR,
    UTET_QUERY_STD,
    UTET_QUERY_PRODUCT,
    UTET_QUERY_NORM_L1,
    UTET_QUERY_NORM_L2,
    UTET_QUERY_ALL_FINITE,
    UTET_QUERY_ANY_NAN,
    UTET_QUERY_ANY_INF,
    UTET_QUERY_NAN_COUNT,
    UTET_QUERY_INF_COUNT,
    UTET_QUERY_NULL_COUNT,
    UTET_QUERY_NAN_MEAN,
    UTET_QUERY_NAN_STD,
    UTET_QUERY_ARG_MIN,
    UTET_QUERY_ARG_MAX,
    UTET_QUERY_MEDIAN,
    UTET_QUERY_QUANTILE,
    UTET_QUERY_HISTOGRAM,
    UTET_QUERY_COVARIANCE,
    UTET_QUERY_CORRELATION,
    UTET_QUERY_TRANSFORM
};

/* methods of a transform, in utet_query.method */
enum {
    UTET_QUERY_CENTER = 1,
    UTET_QUERY_ZSCORE,
    UTET_QUERY_SCALE,
    UTET_QUERY_MINMAX,
    UTET_QUERY_L1,
    UTET_QUERY_L2,
    UTET_QUERY_LOG1P,
    UTET_QUERY_SQRT,
    UTET_QUERY_SOFTMAX
};

/* A text of the document, for utet_query_text: bytes in UTF-8, escapes resolved. */
typedef struct utet_query_text_at {
    uint32_t place;  /* position of its first byte in the document */
    uint32_t length; /* 0 = not there */
} utet_query_text_at;

/* How the document names an axis: its number in decimal digits, or a name, for utet_meta_axis. */
typedef struct utet_query_axis {
    uint8_t length;
    char text[UTET_QUERY_TOKEN];
} utet_query_axis;

/* One axis of the selection. An absent member is 0, and its bit in `has` is unset. */
enum {
    UTET_QUERY_START = 1,
    UTET_QUERY_START_LABEL = 2,
    UTET_QUERY_STEP = 4,
    UTET_QUERY_STOP = 8,
    UTET_QUERY_STOP_LABEL = 16
};
typedef struct utet_query_range {
    uint64_t start, stop, step;
    utet_query_text_at start_label, stop_label;
    uint8_t has;
} utet_query_range;

/* utet_query.window.mode, .pad; .align and group_by use 0 and 1 */
enum { UTET_QUERY_NO_WINDOW, UTET_QUERY_BINS, UTET_QUERY_ROLLING };
enum { UTET_QUERY_PAD_NONE, UTET_QUERY_PAD_ZERO, UTET_QUERY_PAD_NAN, UTET_QUERY_PAD_FILL };
enum { UTET_QUERY_NO_GROUPS, UTET_QUERY_BY_INDEX, UTET_QUERY_BY_LABEL };
/* Parts of a document that no call here carries out, in utet_query.unsupported. UTET_QUERY_DEVICE: an execution.device
 * other than "cpu" and "auto". */
enum { UTET_QUERY_SPILL = 1, UTET_QUERY_WRITE = 2, UTET_QUERY_DEVICE = 4 };

/* Why a document was refused; the words come from utet_query_message. */
typedef struct utet_query_fault {
    uint8_t reason; /* 0 = it was not */
    uint8_t is_syntax;
    const char *word;
    const utet_query_axis *axis;
    utet_query_text_at text;
    uint64_t number[3];
    double value[2];
} utet_query_fault;

typedef struct utet_query_value { /* private: a value of the document */
    uint64_t number;              /* magnitude of a whole number; 0 or 1 for a boolean */
    uint32_t place;  /* position of its first byte; after the quote or bracket for a text, list or object */
    uint32_t length; /* size of a text, in bytes */
    uint8_t kind;    /* UTET_VALUE_…, QUERY_ABSENT */
    uint8_t negative;
    uint8_t inexact; /* a number that is not whole, or does not fit */
    uint8_t word;    /* which of the words that some keys know */
} utet_query_value;

/* A key of documents that a program may do without. It is linked if the list for utet_query_open names it. */
typedef struct utet_query_option utet_query_option;

extern const utet_query_option utet_query_option_execution;
extern const utet_query_option utet_query_option_pipeline;
extern const utet_query_option utet_query_option_label_filter;
extern const utet_query_option utet_query_option_group_by;
extern const utet_query_option utet_query_option_window;
extern const utet_query_option utet_query_option_align;
extern const utet_query_option utet_query_option_spill;
extern const utet_query_option utet_query_option_write;

/* All of them. */
extern const utet_query_option *const utet_query_options[];

#define UTET_QUERY_SLOTS 8
#define UTET_QUERY_TOPS 16
/* nine digits each: 768 of a double's longest half way, and as many as rounding asks for */
#define UTET_QUERY_LIMBS 90

typedef struct utet_query {
    utet_query_text_at dataset;
    uint32_t selected; /* entries of the selection; UINT32_MAX: there is none */
    uint8_t operation;
    uint8_t method;     /* method of a transform, else 0 */
    uint8_t axes_count; /* number of axes of the reduction */
    uint8_t group;      /* UTET_QUERY_BY_INDEX … */
    uint8_t keys_count; /* axes of group_by or align */
    uint8_t has_label_filter;
    uint8_t has_align;
    uint8_t has_bounds; /* nonzero if the histogram has min or max */
    uint8_t has_fill;   /* of null_count */
    uint8_t unsupported;
    int16_t fill_rest;       /* what the fill has beyond its double, as utet_fold_filter.rest */
    utet_fold_filter filter; /* tests 0: none */
    double quantile;
    double low, high, fill;
    uint32_t bins;
    struct {
        uint8_t mode;
        uint8_t pad;
        uint8_t at_end; /* align: end */
        uint32_t size;
        uint64_t step;      /* 0 = not given */
        uint64_t min_count; /* 0 = not given */
    } window;
    utet_query_text_at label;      /* label_filter.eq */
    utet_query_text_at align_with; /* the other dataset */
    utet_query_text_at spill;
    utet_query_axis label_axis;
    utet_query_axis window_axis;
    utet_query_axis axes[UTET_MAX_NDIM];
    utet_query_axis keys[UTET_MAX_NDIM];
    utet_query_range selection[UTET_MAX_NDIM];
    utet_query_fault fault;
    struct {
        utet_file *file;
        const utet_query_option *const *options;
        uint32_t missing; /* keys of options that are not in the list, a bit each */
        uint8_t opened;
        uint8_t stage;
        uint8_t step;   /* step of the stage */
        uint8_t inside; /* nonzero during a scan */
        uint8_t in_number;
        uint8_t key; /* slot of the value to come */
        uint8_t comparing;
        uint8_t index;
        uint8_t in_pipeline; /* the step, from 1 */
        uint8_t nested;      /* nonzero if the reduction's axes are in an object of their own */
        uint8_t last_rank;
        uint8_t same_names; /* align.with is the dataset */
        uint8_t bad_range;  /* a reason that validation will give, with its numbers */
        uint64_t bad_numbers[2];
        uint32_t bad_axis;
        uint8_t write_target;
        uint8_t has_method;
        uint8_t reduction_key; /* the last one seen */
        uint16_t deepest;
        uint32_t items;
        uint32_t kept;              /* position where reading continues after a number */
        uint32_t next;              /* position after the last entry of a list */
        uint32_t reductions;        /* keys seen, a bit each */
        uint64_t seen;              /* keys of the object, a bit each */
        utet_query_text_at unknown; /* the first unknown key in sorted order */
        utet_query_text_at candidate;
        uint32_t places[2]; /* of two keys that are compared */
        struct {
            uint8_t bytes[4];
            uint8_t made;
            uint8_t at;
        } character[2];
        uint8_t head_length;
        char head[UTET_JSON_HEAD]; /* first bytes of that key */
        utet_query_value top[UTET_QUERY_TOPS];
        utet_query_value slot[UTET_QUERY_SLOTS];
        utet_query_value item;
        utet_json json;
        struct {
            uint32_t limb[UTET_QUERY_LIMBS];
            int32_t exponent; /* exponent of the digits' decimal point */
            uint32_t places;  /* digits before the point; below 0, modulo 2^32: zeros after it */
            uint32_t written;
            uint32_t digits;
            uint8_t used;
            uint8_t state;
            uint8_t more;
            uint8_t less;
            uint8_t fraction; /* 1: the last number has a fraction, see UTET_FOLD_FRACTION */
            int16_t rest;     /* utet_fold_filter.rest of the last number */
        } decimal;
        struct utet_query_plan *plan; /* being made, or refused */
        uint32_t said;                /* position in a message */
        uint32_t asked;
        uint32_t done; /* bytes of a text */
    } priv;
} utet_query;

/*
 * Reads the document in `document`, which utet_init has prepared with the io of the text, and fills in *query. The
 * file object then belongs to the query. All that can be judged without the tensor file is judged.
 * `options` lists the optional keys that documents may have, and ends with NULL; NULL: none of them. It must stay as it
 * is. Any other optional key is refused as an unknown field. utet_query_options lists all.
 * UTET_E_METADATA: the document is refused; query->fault says why, document->error_offset where its bytes are no JSON;
 * or fault.reason is 0, and the document is not as it was.
 * UTET_E_STATE: the file object is in use for something else.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_query_open(utet_query *query, utet_file *document, const utet_query_option *const *options);

/*
 * Up to `size` bytes of a text, from byte `from` of it on, into `buffer`; *got: how many. The text was given by the
 * query. No terminator is written.
 * UTET_E_METADATA: the document is not as it was.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_query_text(utet_query *query, const utet_query_text_at *text, uint32_t from, char *buffer, size_t size,
                            size_t *got);

/*
 * Writes the reference's message for query->fault, from byte `from` on, up to `size` bytes, into `buffer`. *got: the
 * number of bytes; 0 after the end. There is no terminator. A program that does not call it links no messages. A
 * refusal by utet_query_bind needs the plan and the metadata, which must still be there.
 * UTET_E_METADATA: the document is not as it was.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_query_message(utet_query *query, uint32_t from, char *buffer, size_t size, size_t *got);

/* "sum" and so on; "" for UTET_QUERY_NONE. Never null. */
const char *utet_query_name(uint8_t operation);
/* "center" and so on; "" for any other number. Never NULL. */
const char *utet_query_method_name(uint8_t method);

/* The method of utet_query.method, for utet_transform_open with plan.request (utet_transform.h); NULL: there is none. A
 * program that calls it links all of them. */
const struct utet_transform_method *utet_query_transform(uint8_t method);

/* ---- a document and a file ------------------------------------------------------------------------------ */

/* Why two axes do not match, in utet_query_plan.align.reason */
enum {
    UTET_QUERY_ALIGNED,
    UTET_QUERY_EXTENTS,    /* they have different extents */
    UTET_QUERY_ONE_NAMED,  /* only one of the datasets has dim_names */
    UTET_QUERY_NAMES,      /* the names differ */
    UTET_QUERY_ONE_LABELS, /* only one of the axes has labels */
    UTET_QUERY_LABELS      /* the labels differ */
};

/* The request of a fold that a document makes of a file. The document, the file and the memory must stay as they are.
 */
typedef struct utet_query_plan {
    uint8_t matched; /* 0: the file does not have the dataset; this is not an error, and nothing else is filled in */
    uint8_t grouped; /* the fold wants utet_fold_group with `grouping` */
    utet_dataset dataset;
    utet_dataset_meta about;
    utet_range ranges[UTET_MAX_NDIM];
    uint64_t extents[UTET_MAX_NDIM]; /* number of selected indices on each axis */
    uint64_t group_count;            /* 0 without group_by */
    utet_fold_request request;       /* of utet_fold_open. Its operation is NULL: utet_query_answer_need sets it, or the
                                        program does, with utet_query_operation or an operation of its own choice */
    utet_fold_grouping grouping;
    struct {
        uint8_t count; /* axes compared; 0 without align */
        utet_dataset other;
        utet_dataset_meta about;
        uint8_t axis[UTET_MAX_NDIM];
        uint8_t other_axis[UTET_MAX_NDIM];
        uint8_t reason[UTET_MAX_NDIM]; /* reason of the last test that failed */
        uint8_t labels_ok[UTET_MAX_NDIM];
    } align;
    size_t places_needed;           /* after UTET_E_SPACE */
    const utet_fold_change *change; /* set by the program, for a matrix: what its filter does to elements. Else NULL */
    struct {
        utet_query *query;
        utet_meta *meta;
        uint8_t stage;
        uint8_t step;     /* step of the stage, whose other state is in `of` */
        uint8_t inner[2]; /* calls that are suspended in a call on the plan, of the file and of the document */
        uint8_t finding;  /* step of the search for a dataset */
        uint8_t key_axis[UTET_MAX_NDIM];
        uint8_t axis[UTET_MAX_NDIM];
        uint8_t window_axis;
        uint8_t label_axis;
        unsigned number; /* number of the axis that a token names */
        uint32_t keys;   /* axes of groups, a bit each */
        uint32_t *places;
        size_t room; /* size of the memory at `places`, and the part that tables take, in numbers */
        size_t used;
        utet_value named; /* text or list of the file that a refusal names */
        struct {          /* two texts that are compared, piece by piece */
            uint8_t step;
            uint32_t from;
            size_t got;
            utet_value left;
            utet_value right;
            char piece[2][32];
        } texts;
        union { /* state of the current stage; all is 0 when a stage begins */
            struct utet_query_fill_at {
                uint8_t state;
                uint8_t negative;
                char word[8];
                uint32_t length; /* length of the word */
                utet_value rest;
            } fill;
            struct utet_query_align_at {
                uint8_t other; /* how much of the other dataset is known */
                uint8_t step;  /* step of the search for coordinates by name */
                utet_value names[2];
                utet_value labels[2]; /* lists, then what is left of them */
                utet_value label[2];
                utet_value coords; /* coordinates of the axis, once they are found */
                utet_value entries;
                utet_value key;
                utet_value item;
            } align;
            struct utet_query_label_at { /* the search for a label on an axis */
                uint8_t step;
                uint8_t has_list;
                uint8_t axis;
                utet_value labels;
                utet_value key;
                utet_value label;
                uint64_t count; /* number of all labels */
                uint64_t place;
                uint64_t found; /* index of the label; UINT64_MAX: not found */
                uint32_t *table;
            } label;
            struct utet_query_groups_at {
                uint8_t step;
                utet_value labels;
                utet_value rest; /* labels that the pass has not read */
                utet_value label;
                utet_value first_label; /* first label of the group in the slot */
                uint64_t index;         /* index of the label on the axis, and within the selection */
                uint64_t place;
                uint64_t left;     /* number of selected indices without a group */
                uint64_t meetings; /* number of labels that met another one in a slot */
                uint32_t groups;
                uint32_t before; /* groups before the pass */
                uint32_t hash;   /* hash of the label */
                uint32_t salt;
                uint32_t next_salt;
                uint32_t slot;
                uint32_t slot_count;
                uint32_t *table;
                uint32_t *slots;
                uint32_t own_slots[8];
            } groups;
            struct utet_query_said_at { /* texts of the file in a message */
                uint8_t count;
                utet_value list;
                utet_value item;
            } said;
        } of;
    } priv;
} utet_query_plan;

#define UTET_QUERY_LABEL_PASSES 64u /* over the labels of an axis of group_by, at most */

/*
 * Binds an open document to a file: finds the dataset, axes, labels; judges what can only be judged with them, in the
 * reference's order. No data are read. `meta` is open, on the file. `places`: memory for `count` numbers, one for each
 * selected index of an axis whose labels are asked for by group_by or label_filter; may be null when count is 0. An
 * axis of group_by has its labels read once for each group, at most UTET_QUERY_LABEL_PASSES times; to keep to
 * that, longer axes need an eighth of a number for each further index, and 8. Each 8 numbers beyond are a group
 * that shares a pass: with 10 numbers per index, and 8, one pass finds all groups.
 * UTET_E_METADATA: refused, query->fault says why; or fault.reason is 0, and document or metadata are not as they were.
 * UTET_E_SPACE: count is too small; plan->places_needed is the count that is sufficient so far.
 * UTET_E_STATE: the document is not open, or was refused; or one of the two files waits for something else.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_DATASET, E_METADATA, E_PORT
 */
utet_status utet_query_bind(utet_query_plan *plan, utet_query *query, utet_meta *meta, uint32_t *places, size_t count);

/* The fold's operation for a reduction; NULL: there is none. A program that calls it links all of them. */
const utet_fold_operation *utet_query_operation(uint8_t operation);

/* ---- the chunks that a document asks for ---------------------------------------------------------------- */

/* Set to 0 before the first call. */
typedef struct utet_query_touched {
    struct {
        uint64_t coords[UTET_MAX_NDIM];
        uint8_t state;
        uint8_t inner;
    } priv;
} utet_query_touched;

/*
 * The next chunk that the selection touches, row-major, as the reference's read_plan lists them. `plan` was bound, and
 * matched. UTET_END: there are no more.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_MISSING, E_SHORT, E_DTYPE, E_DATASET, E_ROW, E_PORT
 */
utet_status utet_query_touched_next(utet_query_touched *touched, utet_query_plan *plan, utet_chunk *chunk);

/* ---- chunks that need not be read ----------------------------------------------------------------------- */

/*
 * Chunks in which nothing passes the fold's filter, as the file's zone maps and index of values say. NOTHING CHECKS
 * THOSE: incorrect zone maps change the answer, without a sign. So chunks are skipped only when a program asks for
 * it, for files whose writer it trusts. With true maps the answer has the same bits. Set to 0 all but bits and size.
 */
typedef struct utet_query_skips {
    uint8_t *bits;     /* memory of the caller, two bits for each chunk; chunks that have none are read */
    size_t size;       /* bytes */
    uint64_t chunks;   /* number of chunks from the first to the last one of the selection, on all axes */
    uint64_t by_zones; /* chunks of the selection that are skipped by their zone map, */
    uint64_t by_index; /* and others by the index */
    struct {
        uint8_t stage;
        uint8_t ndim;
        uint8_t indexed;
        uint8_t inner;
        uint64_t number;
        uint64_t first[UTET_MAX_NDIM];
        uint64_t span[UTET_MAX_NDIM];
        uint64_t coords[UTET_MAX_NDIM];
        utet_zones zones;
        utet_zone zone;
        utet_value list;
    } priv;
} utet_query_skips;

/*
 * Finds out what the fold can skip, and makes it skip that. Call it when the fold is open, after utet_fold_where
 * and before utet_fold_run, which needs `skips` and its memory. `about` is the dataset's. If the request has a fill, it
 * is that of the dataset's attributes. Zone maps and indexes that are missing or not usable skip nothing.
 * UTET_E_STATE: the fold is not open, or runs already; or `skips` was used before.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_PORT
 */
utet_status utet_query_skip(utet_query_skips *skips, utet_fold *fold, utet_meta *meta, const utet_dataset_meta *about);

/* 1: the chunk is skipped. */
int utet_query_skipped(const utet_query_skips *skips, const utet_chunk *chunk);

/* ---- the answer ----------------------------------------------------------------------------------------- */

/* The results that a document asks for. A program that uses it links all operations. */
typedef struct utet_query_answer {
    utet_need need;    /* bytes of workspace, as those of utet_fold */
    uint64_t elements; /* selected; UINT64_MAX: that or more */
    uint64_t folded;   /* elements that passed the filter so far */
    uint64_t results;  /* doubles that the whole answer has */
    uint64_t given;    /* number of doubles that the last utet_query_answer_next returned */
    uint64_t boxes;    /* as utet_fold.boxes */
    uint32_t passes;   /* as utet_fold.passes */
    uint32_t together; /* doubles that come together: bins + 2 of a histogram, a row of a matrix; else 1 */
    uint8_t is_matrix; /* covariance or correlation: results has its square */
    uint8_t ndim;      /* axes of the results, without the doubles of a histogram; 0: one result */
    uint64_t shape[UTET_MAX_NDIM];
    struct {
        utet_query_plan *plan;
        uint8_t opened;
        uint8_t inner;
        union {
            utet_fold fold;
            utet_fold_matrix matrix;
        } by;
    } priv;
} utet_query_answer;

/*
 * What the answer needs: fills all but folded and given. `plan` was bound, and matched; its request gets the operation.
 * UTET_E_ARGUMENT: the document has no reduction, or one that is not carried out: transform, groups or windows of an
 * operation that knows none, a matrix with a filter or label_filter unless plan.change is set, and what
 * utet_query.unsupported names.
 * Others as utet_fold_need, utet_fold_group and utet_fold_matrix_need.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_query_answer_need(utet_query_answer *answer, utet_query_plan *plan);

/*
 * Does what utet_query_answer_need does, and makes the answer ready: it will come in pieces of at most `size` doubles.
 * UTET_E_SPACE: size is less than answer->together. UTET_E_BUDGET: the budget is less than what the answer needs.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SPACE, E_SHORT, E_DTYPE, E_CODEC,
 *          E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_query_answer_open(utet_query_answer *answer, utet_query_plan *plan, size_t size);

/*
 * utet_query_skip for an answer that is open, and not begun. Nothing is skipped for a matrix.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_PORT
 */
utet_status utet_query_answer_skip(utet_query_answer *answer, utet_query_skips *skips);

/*
 * utet_fold_divide for an answer that is open, and not begun: utet_query_answer_next reads a part, and `share->join`
 * merges the others. Those are folds of plan.request, each with a copy of plan.grouping if the plan is grouped, and
 * with the query's filter if that names tests. A matrix cannot be divided: UTET_E_ARGUMENT.
 * Returns: OK, E_ARGUMENT, E_STATE, E_BUDGET, E_SPACE
 */
utet_status utet_query_answer_divide(utet_query_answer *answer, utet_fold_share *share);

/*
 * The next piece into `results`, which has room for as many doubles as the answer was opened with; answer->given: how
 * many came, row-major. UTET_END: there are no more. Others as utet_fold_run.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_MISSING, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_query_answer_next(utet_query_answer *answer, double *results);

/* ---- the response --------------------------------------------------------------------------------------- */

#define UTET_QUERY_RESPONSE_MIN 64u /* bytes of utet_query_response.buffer */

/*
 * What the response's `execution` says about the selection's elements: the first ones, the statistics of a transform,
 * the file that all were written to. The program has read the elements itself. Set to 0 what is not used.
 */
typedef struct utet_query_elements {
    const struct utet_query_parts *parts;   /* &utet_query_element_parts; programs that do not name it do not link it */
    const void *first;                      /* the first elements of the selection, as stored */
    size_t shown;                           /* number of elements in `first` */
    const struct utet_transform *transform; /* NULL, or a transform that has run */
    const double *statistics;               /* with `transform`: all statistics that it gave */
    const uint64_t *undefined;              /* with `transform`: numbers of undefined elements, ascending */
    size_t listed;                          /* count of `undefined`; transform->undefined also counts those left out */
    const char *spill;                      /* path of the file with all elements, ended by a 0; NULL: none */
} utet_query_elements;

extern const struct utet_query_parts utet_query_element_parts;

/*
 * The reference's response document (src/tet/FORMAT.md), written piece by piece. Set to 0 what is not used; everything
 * that is pointed to stays the caller's until the response has been written.
 */
typedef struct utet_query_response {
    utet_query_plan *plan;         /* bound */
    utet_query_answer *answer;     /* opened, not begun; NULL: the response has no results, but `elements` may have
                                      those of a transform */
    double *results;               /* room for as many doubles as the answer was opened with */
    const char *tet_file;          /* the path that the response gives, ended by a 0; NULL: none */
    const utet_query_skips *skips; /* NULL, or the chunks that the response leaves out and counts */
    const utet_query_elements *elements; /* NULL: the response has no elements */
    uint8_t plan_only;                   /* not 0: the response ends after the chunks, also for align */
    /* Takes all `length` bytes of `text`, or returns UTET_WOULD_BLOCK, or an error, and has taken none; after
       UTET_WOULD_BLOCK the same ones come again. */
    utet_status (*write)(void *context, const char *text, size_t length);
    void *context;
    char *buffer; /* the text is gathered there, `size` bytes at a time */
    size_t size;  /* UTET_QUERY_RESPONSE_MIN or more */
    struct {
        uint8_t state;
        uint8_t depth;
        uint8_t over;      /* there are no more results */
        uint8_t inner[2];  /* calls that are suspended in this one, of the file and of the document */
        uint32_t read;     /* number of bytes of a text that were written */
        uint64_t have, at; /* doubles in `results`, and those that were written */
        uint64_t chunks, bytes;
        size_t used; /* number of bytes in the buffer */
        size_t got;
        struct {
            const char *text;
            uint64_t index;
        } level[5];
        utet_query_touched touched;
        utet_chunk chunk;
        utet_dataset dataset;
        utet_value axis_name; /* the part that is not written yet; no value: none is being written */
        char piece[8];
    } priv;
} utet_query_response;

/*
 * Writes the response. Its total_bytes_read_from_disk is what the reference says: the stored bytes of all chunks, for
 * transforms two or three times that; it is not what the port was asked for. The first piece of the answer is asked for
 * before anything is written, so an answer of one piece that fails leaves no text. UTET_OK: all has been written.
 * UTET_E_ARGUMENT: size is less than UTET_QUERY_RESPONSE_MIN. UTET_E_STATE: it was written before, or has failed; the
 * answer has no more pieces. An error of `write` is given back; others as utet_query_answer_next, utet_query_text,
 * utet_dataset_next and utet_query_touched_next.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_query_respond(utet_query_response *response);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
enum {
    UTET_OBJECT_QUERY_TEXT_AT = 36,
    UTET_OBJECT_QUERY_AXIS = 37,
    UTET_OBJECT_QUERY_RANGE = 38,
    UTET_OBJECT_QUERY_FAULT = 39,
    UTET_OBJECT_QUERY = 40,
    UTET_OBJECT_QUERY_PLAN = 41,
    UTET_OBJECT_QUERY_TOUCHED = 42,
    UTET_OBJECT_QUERY_SKIPS = 43,
    UTET_OBJECT_QUERY_ANSWER = 44,
    UTET_OBJECT_QUERY_ELEMENTS = 45,
    UTET_OBJECT_QUERY_RESPONSE = 46
};

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, which version 1.0 removes (src/MIGRATING.md). */
#define UTET_QUERY_MOST UTET_QUERY_MAX_BYTES
#define UTET_QUERY_RESPONSE_LEAST UTET_QUERY_RESPONSE_MIN

#ifdef __cplusplus
}
#endif

#endif
