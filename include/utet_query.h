/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: reads the query documents of the Tetration reference implementation ("the reference" below;
 * src/tet/FORMAT.md §13) without building a tree.
 *
 * A query document is a JSON text of up to 1 MiB that selects a dataset, a part of it and a reduction. It is in memory
 * or is read through a port, as a separate utet_file. utet_query_open reads it several times from start to end, each
 * time for one of its keys, so the port must be able to seek backwards. The only memory is that of the utet_query and
 * of the window, however long the text is. Keys are validated in the order of the reference, and refused with its
 * messages.
 *
 * The conventions of utet.h apply: repeat a call that returns UTET_WOULD_BLOCK with the same arguments.
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
#define UTET_QUERY_TOKEN 32u          /* maximum length of the text that names an axis, in bytes */

/* The reductions that are operations of folds: ROW(number in utet_query.operation, key in documents, operation). Their
 * numbers, keys and operations follow from this list (src/ADD.md). */
#define UTET_QUERY_REDUCTIONS(ROW)                                 \
    ROW(UTET_QUERY_SUM, "sum", utet_fold_sum)                      \
    ROW(UTET_QUERY_MEAN, "mean", utet_fold_mean)                   \
    ROW(UTET_QUERY_MIN, "min", utet_fold_min)                      \
    ROW(UTET_QUERY_MAX, "max", utet_fold_max)                      \
    ROW(UTET_QUERY_COUNT, "count", utet_fold_count)                \
    ROW(UTET_QUERY_VAR, "var", utet_fold_var)                      \
    ROW(UTET_QUERY_STD, "std", utet_fold_std)                      \
    ROW(UTET_QUERY_PRODUCT, "product", utet_fold_product)          \
    ROW(UTET_QUERY_NORM_L1, "norm_l1", utet_fold_norm_l1)          \
    ROW(UTET_QUERY_NORM_L2, "norm_l2", utet_fold_norm_l2)          \
    ROW(UTET_QUERY_ALL_FINITE, "all_finite", utet_fold_all_finite) \
    ROW(UTET_QUERY_ANY_NAN, "any_nan", utet_fold_any_nan)          \
    ROW(UTET_QUERY_ANY_INF, "any_inf", utet_fold_any_inf)          \
    ROW(UTET_QUERY_NAN_COUNT, "nan_count", utet_fold_nan_count)    \
    ROW(UTET_QUERY_INF_COUNT, "inf_count", utet_fold_inf_count)    \
    ROW(UTET_QUERY_NULL_COUNT, "null_count", utet_fold_null_count) \
    ROW(UTET_QUERY_NAN_MEAN, "nan_mean", utet_fold_nan_mean)       \
    ROW(UTET_QUERY_NAN_STD, "nan_std", utet_fold_nan_std)          \
    ROW(UTET_QUERY_ARG_MIN, "arg_min", utet_fold_arg_min)          \
    ROW(UTET_QUERY_ARG_MAX, "arg_max", utet_fold_arg_max)          \
    ROW(UTET_QUERY_MEDIAN, "median", utet_fold_median)             \
    ROW(UTET_QUERY_QUANTILE, "quantile", utet_fold_quantile)       \
    ROW(UTET_QUERY_HISTOGRAM, "histogram", utet_fold_histogram)

/* All reductions: values of utet_query.operation. */
#define UTET_QUERY_NUMBER_(number, key, operation) number,
enum {
    UTET_QUERY_NONE,
    UTET_QUERY_REDUCTIONS(UTET_QUERY_NUMBER_) /* UTET_QUERY_SUM … UTET_QUERY_HISTOGRAM */
    UTET_QUERY_COVARIANCE,
    UTET_QUERY_CORRELATION,
    UTET_QUERY_TRANSFORM
};

/* Methods of a transform: values of utet_query.method. */
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
    uint32_t length; /* length of the text, in bytes; 0: there is no text */
} utet_query_text_at;

/* One axis of the selection. An absent member is 0, and its bit in `has` is unset. A document gives each end either as
 * an index or as a label. */
enum {
    UTET_QUERY_START = 1,
    UTET_QUERY_START_LABEL = 2,
    UTET_QUERY_STEP = 4,
    UTET_QUERY_STOP = 8,
    UTET_QUERY_STOP_LABEL = 16
};
typedef struct utet_query_range {
    union {
        uint64_t index;
        utet_query_text_at label; /* if UTET_QUERY_START_LABEL or UTET_QUERY_STOP_LABEL is set */
    } start, stop;
    uint64_t step;
    uint8_t has;
} utet_query_range;

/* Values of utet_query.window.mode, utet_query.window.pad and utet_query.group. */
enum { UTET_QUERY_NO_WINDOW, UTET_QUERY_BINS, UTET_QUERY_ROLLING };
enum { UTET_QUERY_PAD_NONE, UTET_QUERY_PAD_ZERO, UTET_QUERY_PAD_NAN, UTET_QUERY_PAD_FILL };
enum { UTET_QUERY_NO_GROUPS, UTET_QUERY_BY_INDEX, UTET_QUERY_BY_LABEL };
/* Bits of utet_query.unsupported: parts of a document that no call in this header executes. UTET_QUERY_DEVICE: an
 * execution.device other than "cpu" and "auto". */
enum { UTET_QUERY_SPILL = 1, UTET_QUERY_WRITE = 2, UTET_QUERY_DEVICE = 4 };

/* The reason why a document was refused; utet_query_message makes the message. */
typedef struct utet_query_fault {
    uint8_t reason; /* 0: the document was not refused */
    uint8_t is_syntax;
    const char *word;
    const utet_query_text_at *axis;
    utet_query_text_at text;
    uint64_t number[3];
    double value[2];
} utet_query_fault;

typedef struct utet_query_value { /* private: a value of the document */
    uint64_t number;              /* magnitude of an integer; 0 or 1 for a boolean; for a text its size in bytes */
    uint32_t place; /* position of its first byte; for a text, list or object, after the quote or bracket */
    uint8_t kind;   /* UTET_VALUE_…, QUERY_ABSENT */
    uint8_t negative;
    uint8_t inexact; /* nonzero: a number that is not an integer, or is too large */
    uint8_t word;    /* number of the keyword, for keys whose values are keywords */
} utet_query_value;

/* An optional key of documents. It is linked if the list passed to utet_query_open names it. */
typedef struct utet_query_option utet_query_option;

extern const utet_query_option utet_query_option_execution;
extern const utet_query_option utet_query_option_pipeline;
extern const utet_query_option utet_query_option_label_filter;
extern const utet_query_option utet_query_option_group_by;
extern const utet_query_option utet_query_option_window;
extern const utet_query_option utet_query_option_align;
extern const utet_query_option utet_query_option_spill;
extern const utet_query_option utet_query_option_write;
extern const utet_query_option utet_query_option_covariance;
extern const utet_query_option utet_query_option_correlation;
extern const utet_query_option utet_query_option_transform;

/* The list of all optional keys, terminated by NULL. */
extern const utet_query_option *const utet_query_options[];

/* Cursor of utet_query_touched_next. Set all fields to 0 before the first call. */
typedef struct utet_query_touched {
    struct {
        uint64_t coords[UTET_FORMAT_NDIM];
        uint8_t state;
        uint8_t inner;
    } priv;
} utet_query_touched;

/* Private: the comparison of two texts, fragment by fragment. */
typedef struct utet_query_texts {
    unsigned step;
    uint32_t from;
    uint32_t length; /* length of both values, in bytes */
    size_t got;
    utet_value left;
    utet_value right;
} utet_query_texts;

/* Private: the state of a utet_query_bind call. */
typedef struct utet_query_binding {
    utet_query_texts texts;
    union { /* state of the current stage; all 0 when a stage begins */
        struct utet_query_fill_at {
            uint8_t state;
            uint8_t negative;
            char word[8];
            uint32_t length; /* length of the word */
            utet_value rest;
        } fill;
        struct utet_query_align_at {
            unsigned other; /* progress in finding the other dataset */
            unsigned step;  /* step of the search for coordinates by name */
            utet_value names[2];
            utet_value labels[2]; /* the lists of labels, then their unread parts */
            utet_value label[2];
            utet_value coords; /* coordinates of the axis, after they have been found */
            utet_value entries;
            utet_value key;
            utet_value item;
        } align;
        struct utet_query_label_at { /* search for a label on an axis */
            unsigned step;
            unsigned has_list;
            unsigned axis;
            uint32_t *table;
            utet_value labels;
            utet_value key;
            utet_value label;
            uint64_t count; /* total number of labels */
            uint64_t place;
            uint64_t found; /* index of the label; UINT64_MAX: not found */
        } label;
        struct utet_query_groups_at {
            unsigned step;
            uint32_t groups;
            uint32_t before; /* number of groups before the pass */
            uint32_t hash;   /* hash of the label */
            uint32_t slot;
            uint32_t slot_count;
            uint32_t *table;
            uint32_t *slots;
            utet_value label;
            utet_value first_label; /* first label of the group in the slot */
            utet_value labels;
            utet_value rest; /* labels that the pass has not read yet */
            uint64_t place;  /* index of the label within the selection, and on the axis */
            uint64_t index;
            uint64_t left;     /* number of selected indices without a group */
            uint64_t meetings; /* number of labels that collided with another one in a slot */
            uint32_t salt;
            uint32_t next_salt;
            uint32_t own_slots[8];
        } groups;
        struct utet_query_said_at { /* texts of the file that are part of a message */
            uint8_t count;
            utet_value list;
            utet_value item;
        } said;
    } of;
    char piece[2][32]; /* fragments of two texts */
} utet_query_binding;

/* Private: a template of the response. */
typedef struct utet_query_level {
    const char *text; /* the rest, which has not been written */
    uint64_t index;   /* number of entries of its list that were written */
} utet_query_level;

/* Private: further state of a utet_query_respond call. */
typedef struct utet_query_writing {
    utet_query_level level[5]; /* templates inside each other */
    utet_query_touched touched;
    utet_chunk chunk;
    uint64_t chunks, bytes; /* number of chunks, and of their stored bytes */
    utet_value axis_name;   /* the part that has not been written; UTET_VALUE_NONE: no name is being written */
} utet_query_writing;

#define UTET_QUERY_SLOTS 8
#define UTET_QUERY_TOPS 16
/* Limbs of nine digits each: enough for the 768 digits of the longest halfway case of a double, and for rounding. */
#define UTET_QUERY_LIMBS 90

/* Private: a decimal number. */
typedef struct utet_query_decimal {
    int32_t exponent; /* exponent of the digits' decimal point */
    uint32_t places;  /* number of digits before the point; negative (modulo 2^32): number of zeros after it */
    uint32_t written;
    uint32_t digits;
    uint8_t used;
    uint8_t state;
    uint8_t more;
    uint8_t less;
    uint8_t fraction; /* 1: the number has a fraction, see UTET_FOLD_FRACTION */
    int16_t rest;     /* utet_fold_filter.rest of the number */
    uint32_t limb[UTET_QUERY_LIMBS];
} utet_query_decimal;

typedef struct utet_query {
    /* public; these and the private members used most often come first, within reach of short instructions */
    uint8_t operation;
    uint8_t method;     /* method of a transform, else 0 */
    uint8_t axes_count; /* number of axes of the reduction */
    uint8_t group;      /* UTET_QUERY_BY_INDEX … */
    uint8_t keys_count; /* number of axes of group_by or align */
    uint8_t has_label_filter;
    uint8_t has_align;
    uint8_t has_bounds; /* nonzero if the histogram has min or max */
    uint8_t has_fill;   /* nonzero if null_count has a fill */
    uint8_t unsupported;
    int16_t fill_rest; /* rest of the fill: the integer minus its double, as in utet_fold_filter.rest */
    uint32_t selected; /* number of entries of the selection; UINT32_MAX: there is no selection */
    utet_query_text_at dataset;
    struct {
        uint8_t stage;
        uint8_t step; /* step of the stage */
        uint8_t in_number;
        uint8_t inside; /* nonzero during a scan */
        uint8_t comparing;
        uint8_t index;
        uint8_t in_pipeline;   /* number of the pipeline step, from 1 */
        uint8_t reduction_key; /* the last reduction key found */
        uint8_t opened;
        uint8_t key;    /* slot of the next value */
        uint8_t nested; /* nonzero if the reduction's axes are in an object of their own */
        uint8_t last_rank;
        uint8_t same_names; /* nonzero: align.with is the dataset itself */
        uint8_t bad_range;  /* reason that validation will report, with fault.number */
        uint8_t write_target;
        uint8_t has_method;
        uint8_t deepest; /* deepest nesting of lists and objects so far */
        utet_file *file;
        uint32_t items;
        uint32_t asked;
        uint32_t done;       /* number of bytes of a text copied so far */
        uint32_t kept;       /* position where reading continues after a number */
        uint32_t next;       /* position after the last entry of a list */
        uint32_t reductions; /* reduction keys found so far, one bit each */
        const utet_query_option *const *options;
        const struct utet_query_matrix *matrix; /* calls that compute the matrix; NULL: no matrix requested */
        struct utet_query_plan *plan;           /* the plan that is being made, or was refused */
        uint32_t said;                          /* position in a message */
        utet_json json;
        uint64_t layout_version; /* UINT64_MAX: the document has none */
    } priv;
    double quantile;
    double low, high, fill;
    uint32_t bins;
    struct {
        uint8_t mode;
        uint8_t pad;
        uint8_t at_end; /* nonzero: align is "end" */
        uint32_t size;
        uint64_t step;      /* 0: not given */
        uint64_t min_count; /* 0: not given */
    } window;
    utet_query_fault fault;
    struct {    /* private: memory that the stages share; large, so members after it have large offsets */
        union { /* an object is read, or a number */
            struct {
                uint64_t seen;              /* keys of the object found so far, one bit each */
                utet_query_text_at unknown; /* the first unknown key in sorted order */
                utet_query_text_at candidate;
                uint32_t places[2]; /* positions of two keys that are being compared */
                struct {
                    uint8_t bytes[4];
                    uint8_t made;
                    uint8_t at;
                } character[2];
                uint8_t head_length;
                char head[UTET_JSON_HEAD]; /* first bytes of the key, or a short text */
            } scan;
            utet_query_decimal decimal;
        } work;
        utet_query_value item;
        union {      /* one call at a time uses the document */
            struct { /* utet_query_open */
                utet_query_value slot[UTET_QUERY_SLOTS];
                utet_query_value top[UTET_QUERY_TOPS];
            } reading;
            utet_query_binding binding; /* utet_query_bind, and the message of its refusal */
            utet_query_writing writing; /* utet_query_respond */
        } of;
    } shared;
    utet_fold_filter filter;       /* tests 0: none */
    utet_query_text_at label;      /* label_filter.eq */
    utet_query_text_at align_with; /* the other dataset */
    utet_query_text_at spill;
    /* How the document names axes: each text is a number in decimal digits, or a name for utet_meta_axis. */
    utet_query_text_at label_axis;
    utet_query_text_at window_axis;
    utet_query_text_at axes[UTET_FORMAT_NDIM];
    utet_query_text_at keys[UTET_FORMAT_NDIM];
    utet_query_range selection[UTET_FORMAT_NDIM];
} utet_query;

/*
 * Reads the document in `document`, a file object that utet_init has prepared with the io of the text, and fills in
 * *query. The file object then belongs to the query. The call makes all checks that are possible without the tensor
 * file.
 * options: the NULL-terminated list of the optional keys that documents may have; NULL: none. The list must stay valid.
 * Any other optional key is refused as an unknown field. utet_query_options lists all optional keys.
 * UTET_E_METADATA: the document is refused; query->fault has the reason, and document->error_offset the position if the
 * text is not JSON. If fault.reason is 0, the document has changed.
 * UTET_E_STATE: the file object is in use for something else.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_query_open(utet_query *query, utet_file *document, const utet_query_option *const *options);

/*
 * Copies up to `size` bytes of a text to `buffer`, starting at byte `from` of the text, without a terminator; *got:
 * number of copied bytes. `text` must come from the query.
 * UTET_E_METADATA: the document has changed.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_query_text(utet_query *query, const utet_query_text_at *text, uint32_t from, char *buffer, size_t size,
                            size_t *got);

/*
 * Copies up to `size` bytes of the reference's message for query->fault to `buffer`, starting at byte `from`, without a
 * terminator. *got: number of copied bytes; 0 at the end of the message. The messages are linked only if a program
 * calls this. After a refusal by utet_query_bind, the plan and the metadata must still exist.
 * UTET_E_METADATA: the document has changed.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_query_message(utet_query *query, uint32_t from, char *buffer, size_t size, size_t *got);

/* Returns the name of a reduction, such as "sum"; "" for UTET_QUERY_NONE. Never NULL. */
const char *utet_query_name(uint8_t operation);
/* Returns the name of a method, such as "center"; "" for an unknown number. Never NULL. */
const char *utet_query_method_name(uint8_t method);

/* Returns the method for utet_query.method, for utet_transform_open with plan.request (utet_transform.h); NULL if there
 * is none. A program that calls this links all methods. */
const struct utet_transform_method *utet_query_transform(uint8_t method);

/* ---- a document and a file ------------------------------------------------------------------------------ */

/* Values of utet_query_plan.by.align.reason: why two axes do not match. */
enum {
    UTET_QUERY_ALIGNED,
    UTET_QUERY_EXTENTS,    /* the extents differ */
    UTET_QUERY_ONE_NAMED,  /* only one of the datasets has dim_names */
    UTET_QUERY_NAMES,      /* the names differ */
    UTET_QUERY_ONE_LABELS, /* only one of the axes has labels */
    UTET_QUERY_LABELS      /* the labels differ */
};

/* A plan: the fold request that results from a document and a file. The document, the file and the memory must stay
 * unchanged while the plan is in use. */
typedef struct utet_query_plan {
    uint8_t matched; /* 0: the file does not have the dataset; this is not an error, but all other fields are
                        undefined */
    uint8_t grouped; /* nonzero: call utet_fold_group with by.grouping */
    struct {
        utet_query *query;
        utet_query_binding *binding; /* state of the call, in the query: only one call at a time uses it */
        utet_meta *meta;
        uint8_t stage;
        uint8_t step;     /* step of the stage; its other state is in the query */
        uint8_t inner[2]; /* suspended calls on the file and on the document, inside a call on the plan */
        uint8_t finding;  /* step of the search for a dataset */
        uint8_t has_text; /* nonzero: the text that names an axis has been read */
        uint8_t keys;     /* axes of groups, one bit each */
        uint8_t digits;   /* entries of utet_query.axes that are numbers, one bit each */
        uint8_t window_axis;
        uint8_t label_axis;
        uint8_t axis[UTET_FORMAT_NDIM];
        uint8_t key_axis[UTET_FORMAT_NDIM];
        unsigned number; /* number of the axis that a token names */
        uint32_t *places;
        size_t room;      /* capacity of `places`, in numbers */
        size_t used;      /* number of these that tables occupy */
        utet_value named; /* text or list of the file that the refusal names */
    } priv;
    utet_dataset dataset;
    utet_dataset_meta about;
    utet_range ranges[UTET_FORMAT_NDIM];
    uint64_t extents[UTET_FORMAT_NDIM]; /* number of selected indices on each axis */
    uint64_t group_count;               /* number of groups; 0 without group_by */
    utet_fold_request request; /* request for utet_fold_open. Its operation is NULL until utet_query_answer_need sets
                                        it, or the program does: to that of utet_query_operation, or to another one */
    union {                    /* a document with align has no groups and no windows */
        utet_fold_grouping grouping;
        struct {
            uint8_t count; /* number of compared axes */
            utet_dataset other;
            utet_dataset_meta about;
            uint8_t axis[UTET_FORMAT_NDIM];
            uint8_t other_axis[UTET_FORMAT_NDIM];
            uint8_t reason[UTET_FORMAT_NDIM]; /* reason of the last test that failed */
            uint8_t labels_ok[UTET_FORMAT_NDIM];
        } align; /* if utet_query.has_align is nonzero */
    } by;
    size_t places_needed;           /* after UTET_E_SPACE: sufficient count of `places` */
    const utet_fold_change *change; /* set by the program for a matrix with a filter, to replace elements; else NULL */
} utet_query_plan;

/* The axis of the observations, 0 or 1, in a plan of covariance or correlation. */
#define UTET_QUERY_OBSERVATIONS(plan) (((plan)->request.axes & 1u) == 0)

#define UTET_QUERY_LABEL_PASSES 64u /* maximum number of reads of the labels of a group_by axis */

/*
 * Binds an open document to a file: finds the dataset, axes and labels, and makes the remaining checks in the order of
 * the reference. Reads no data. `meta` must be open, on the file. `places`: memory for `count` numbers, one for each
 * selected index of an axis whose labels group_by or label_filter uses; may be NULL if count is 0. This is enough for
 * an axis of group_by with at most UTET_QUERY_LABEL_PASSES selected indices, whose labels are then read once for each
 * group. For more indices, add one number for every 8 of them, plus 8. With 8 more numbers for each group, one pass
 * finds all groups.
 * UTET_E_METADATA: the document is refused; query->fault has the reason. If fault.reason is 0, the document or the
 * metadata has changed.
 * UTET_E_SPACE: count is too small; plan->places_needed is a count that is sufficient as far as the call can tell.
 * UTET_E_STATE: the document is not open, or was refused; or another call on one of the two files is suspended.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_DATASET, E_METADATA, E_PORT
 */
utet_status utet_query_bind(utet_query_plan *plan, utet_query *query, utet_meta *meta, uint32_t *places, size_t count);

/* Returns the fold operation for a reduction; NULL if there is none. A program that calls this links all operations. */
const utet_fold_operation *utet_query_operation(uint8_t operation);

/* ---- the chunks that a document reads ------------------------------------------------------------------- */

/*
 * Finds the next chunk of the selection, in row-major order, as in the reference's read_plan. `plan` must be bound and
 * matched. UTET_END: there are no more chunks.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_MISSING, E_SHORT, E_DTYPE, E_DATASET, E_ROW, E_PORT
 */
utet_status utet_query_touched_next(utet_query_touched *touched, utet_query_plan *plan, utet_chunk *chunk);

/* ---- skipping chunks ------------------------------------------------------------------------------------ */

/*
 * The chunks in which no element passes the fold's filter, according to the zone maps and the value index of the file.
 * NOTHING CHECKS THESE: incorrect zone maps silently change the result. So chunks are skipped only if a program
 * requests it, for files whose writer it trusts. With correct zone maps, the result has the same bits as without
 * skipping. Set all fields except bits and size to 0.
 */
typedef struct utet_query_skips {
    uint8_t *bits;     /* the caller's memory: two bits for each of `chunks`; chunks without bits are read */
    size_t size;       /* size of `bits`, in bytes */
    uint64_t chunks;   /* number of chunks from the first to the last selected one, multiplied over all axes */
    uint64_t by_zones; /* number of chunks of the selection that are skipped by their zone map */
    uint64_t by_index; /* number of other chunks that are skipped by the index */
    struct {
        uint8_t stage;
        uint8_t ndim;
        uint8_t indexed;
        uint8_t inner;
        uint64_t number;
        uint64_t first[UTET_FORMAT_NDIM];
        uint64_t span[UTET_FORMAT_NDIM];
        uint64_t coords[UTET_FORMAT_NDIM];
        utet_zones zones;
        utet_zone zone;
        utet_value list;
    } priv;
} utet_query_skips;

/*
 * Finds the chunks that the fold can skip, and makes the fold skip them. Call after utet_fold_open and utet_fold_where,
 * and before utet_fold_run, which uses `skips` and its memory. `about` must be the metadata of the dataset. If the
 * request has a fill, it must be that of the dataset's attributes. Without usable zone maps or indexes, nothing is
 * skipped.
 * UTET_E_STATE: the fold is not open, or is already running; or `skips` was used before.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_PORT
 */
utet_status utet_query_skip(utet_query_skips *skips, utet_fold *fold, utet_meta *meta, const utet_dataset_meta *about);

/* Returns 1 if the chunk is skipped, else 0. */
int utet_query_skipped(const utet_query_skips *skips, const utet_chunk *chunk);

/* ---- the results ---------------------------------------------------------------------------------------- */

/* The results that a document requests (the answer). A program that uses it links all operations, and matrices if the
 * list of options has covariance or correlation. */
typedef struct utet_query_answer {
    uint8_t is_matrix; /* nonzero: covariance or correlation; `results` is the square of the number of variables */
    uint8_t ndim;      /* number of axes of the results, without the doubles of a histogram; 0: one result */
    uint32_t passes;   /* as in utet_fold */
    uint32_t together; /* doubles that are never split between batches: bins + 2 for a histogram, a row for a matrix,
                          otherwise 1 */
    utet_need need;    /* required workspace in bytes, as in utet_fold */
    uint64_t elements; /* number of selected elements; UINT64_MAX: that number or more */
    uint64_t folded;   /* number of elements that have passed the filter so far */
    uint64_t results;  /* number of doubles of the complete answer */
    uint64_t given;    /* number of doubles that the last utet_query_answer_next returned */
    uint64_t boxes;    /* as in utet_fold */
    uint64_t shape[UTET_FORMAT_NDIM];
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
 * Computes the requirements of the answer: sets all fields except folded and given. `plan` must be bound and matched;
 * the call sets the operation of its request.
 * UTET_E_ARGUMENT: the document has no reduction, or one that is not supported: a transform; groups or windows of an
 * operation that does not support them; a matrix with a filter or label_filter unless plan.change is set; and
 * everything in utet_query.unsupported.
 * For other errors, see utet_fold_need, utet_fold_group and utet_fold_matrix_need.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_query_answer_need(utet_query_answer *answer, utet_query_plan *plan);

/*
 * Does the same as utet_query_answer_need, and prepares the answer, which is delivered in batches of at most `size`
 * doubles.
 * UTET_E_SPACE: size is less than answer->together. UTET_E_BUDGET: the budget is smaller than the answer's need.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SPACE, E_SHORT, E_DTYPE, E_CODEC,
 *          E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_query_answer_open(utet_query_answer *answer, utet_query_plan *plan, size_t size);

/*
 * Does the same as utet_query_skip, for an answer that is open but has not begun. For a matrix it skips nothing.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_PORT
 */
utet_status utet_query_answer_skip(utet_query_answer *answer, utet_query_skips *skips);

/*
 * Does the same as utet_fold_divide, for an answer that is open but has not begun: utet_query_answer_next reads one
 * part, and `share->join` merges the others. The other parts are folds of plan.request, each with a copy of
 * plan.by.grouping if the plan is grouped, and with the query's filter if that has tests.
 * UTET_E_ARGUMENT: the answer is a matrix, or see utet_fold_divide.
 * Returns: OK, E_ARGUMENT, E_STATE, E_BUDGET, E_SPACE
 */
utet_status utet_query_answer_divide(utet_query_answer *answer, utet_fold_share *share);

/*
 * Does the same as utet_fold_matrix_divide, for an answer that is a matrix, is open and has not begun. The other parts
 * are matrices of plan.dataset, plan.ranges and plan.change, with the observations along
 * UTET_QUERY_OBSERVATIONS(&plan).
 * UTET_E_ARGUMENT: the answer is not a matrix, or see utet_fold_matrix_divide.
 * Returns: OK, E_ARGUMENT, E_STATE, E_BUDGET, E_SPACE
 */
utet_status utet_query_answer_divide_matrix(utet_query_answer *answer, utet_fold_matrix_share *share);

/*
 * Computes the next batch and writes it to `results`, in row-major order. The capacity of `results` is the `size`
 * passed to utet_query_answer_open; answer->given is the number of doubles written. UTET_END: there are no more
 * batches. For errors, see utet_fold_run.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_MISSING, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_query_answer_next(utet_query_answer *answer, double *results);

/* ---- the response --------------------------------------------------------------------------------------- */

#define UTET_QUERY_RESPONSE_MIN 64u /* minimum size of utet_query_response.buffer, in bytes */

/*
 * Elements of the selection for the response's `execution`: the first elements, the statistics of a transform, and the
 * file to which all elements were written. The program has read the elements itself. Set unused fields to 0.
 */
typedef struct utet_query_elements {
    const struct utet_query_parts *parts;   /* &utet_query_element_parts; linked only in programs that name it */
    const void *first;                      /* the first elements of the selection, as stored */
    size_t shown;                           /* number of elements in `first` */
    const struct utet_transform *transform; /* NULL, or a transform that has run */
    const double *statistics;               /* with `transform`: all statistics that it has computed */
    const uint64_t *undefined;              /* with `transform`: indices of undefined elements, ascending */
    size_t listed;                          /* number of indices in `undefined`; transform->undefined counts all */
    const char *spill;                      /* path of the file with all elements, terminated by 0; NULL: none */
} utet_query_elements;

extern const struct utet_query_parts utet_query_element_parts;

/*
 * The reference's response document (src/query/INSIDE.md), written in fragments. Set unused fields to 0. All pointers
 * must stay valid until the response has been written.
 */
typedef struct utet_query_response {
    utet_query_plan *plan;         /* the plan, which must be bound */
    utet_query_answer *answer;     /* must be open, but not begun; NULL: the response has no results, but `elements` may
                                      have those of a transform */
    double *results;               /* array for a batch: the number of doubles passed to utet_query_answer_open */
    const char *tet_file;          /* path of the .tet file in the response, terminated by 0; NULL: none */
    const utet_query_skips *skips; /* NULL, or the chunks that the response omits and counts */
    const utet_query_elements *elements; /* NULL: the response has no elements */
    uint8_t plan_only;                   /* nonzero: the response ends after the chunks, even with align */
    /* Callback that takes all `length` bytes of `text` and returns UTET_OK; or takes none, and returns UTET_WOULD_BLOCK
       or an error. After UTET_WOULD_BLOCK it is called again with the same bytes. */
    utet_status (*write)(void *context, const char *text, size_t length);
    void *context;
    char *buffer; /* buffer in which the text is collected, `size` bytes at a time */
    size_t size;  /* size of the buffer in bytes, UTET_QUERY_RESPONSE_MIN or more */
    struct {
        uint8_t state;
        uint8_t over;     /* nonzero: there are no more results */
        uint8_t inner[2]; /* suspended calls on the file and on the document, inside this call */
        uint32_t read;    /* number of written bytes of a text */
        utet_query_level *level;
        size_t used; /* number of bytes in the buffer */
        size_t got;
        uint64_t have, at; /* number of doubles in `results`, and of those that were written */
        char piece[8];
    } priv;
} utet_query_response;

/*
 * Writes the response. Its total_bytes_read_from_disk is the number that the reference reports: the stored size of all
 * chunks, or for transforms two or three times that size; it is not the number of bytes read from the port. The first
 * batch of the answer is computed before anything is written, so if an answer of one batch fails, no text has been
 * written.
 * UTET_OK: the complete response has been written.
 * UTET_E_ARGUMENT: size is less than UTET_QUERY_RESPONSE_MIN. UTET_E_STATE: the response was written before, or has
 * failed; or the answer has no more batches. An error of `write` is returned unchanged. For other errors, see
 * utet_query_answer_next, utet_query_text, utet_dataset_next and utet_query_touched_next.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_query_respond(utet_query_response *response);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum {
    UTET_OBJECT_QUERY_TEXT_AT = 36,
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
/* Deprecated: names of version 0.9, removed in version 1.0 (src/MIGRATING.md). */
#define UTET_QUERY_MOST UTET_QUERY_MAX_BYTES
#define UTET_QUERY_RESPONSE_LEAST UTET_QUERY_RESPONSE_MIN

#ifdef __cplusplus
}
#endif

#endif
