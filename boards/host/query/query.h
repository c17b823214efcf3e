/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shared by the sources of utet query. */
#ifndef UTET_TOOL_QUERY_H
#define UTET_TOOL_QUERY_H

#include "shared/tool.h"
#include "utet_query.h"
#include "utet_transform.h"

#define UNDEFINED_MOST 256u /* numbers of undefined elements, as in the reference's response */

/* The smallest numbers of undefined elements, in order. */
typedef struct undefined_list {
    size_t count;
    uint64_t number[UNDEFINED_MOST];
} undefined_list;

/* The effect of filter and label_filter on elements. */
typedef struct mask {
    utet_fold fold;
    int tests;       /* nonzero: the document has a filter in addition to label_filter */
    unsigned axis;   /* the axis of label_filter */
    uint64_t inner;  /* elements at each index of that axis, in a row; 0: there is no label_filter */
    uint64_t number; /* index of the next element in the selection */
    uint8_t instead[8];
    uint8_t piece[4096];
} mask;

typedef struct query_copy query_copy;
typedef struct query_times query_times;

/* The sources of the threads, one for each, used for all answers of the command, so that the next answer finds the
 * payloads that one has kept. */
typedef struct query_readers {
    unsigned count;
    int keep; /* 1: there are several answers */
    source s[TOOL_MOST_THREADS];
} query_readers;

/* Several reductions of the options with one reading. */
typedef struct query_list {
    const utet_fold_operation *operations[UTET_FOLD_MAX_OPERATIONS + 1];
    unsigned count;
    unsigned column[TOOL_MOST_ASKS]; /* number of each reduction in the list, from 1; 0: it is not there */
    int tried;                       /* 1: is_open is known */
    int is_open;                     /* 1: the answers use the list */
    int is_read;                     /* 1: the results are there */
    int grouped;
    utet_fold_request request;
    utet_fold_grouping grouping;
    utet_fold fold;
    double *results;  /* those of the first result of all reductions, and so on */
    uint64_t *counts; /* number of elements of each result */
} query_list;

typedef struct answer {
    source *s;
    const options *opt;
    const char *name; /* the document's name in error lines */
    unsigned ask;     /* index of the reduction among the options */
    output *out;      /* receives the response document */
    char *folder;     /* folder for the .npy files of a .tet file; NULL: not created yet */
    int keep;         /* 1: results are kept in memory for printing several answers together */
    uint8_t *text;    /* text of the document */
    utet_io text_io;
    utet_file document;
    utet_query query;
    utet_meta meta;
    int told_rounded; /* 1: a notice about rounded results has been printed */
    utet_query_plan plan;
    utet_query_answer answer;
    uint32_t *places;
    double *results;
    uint64_t *counts; /* number of elements of each result; NULL: results need none */
    size_t room;      /* of results */
    utet_query_skips skips;
    uint8_t *first; /* elements that the response shows in addition to results; NULL: none */
    size_t shown;
    mask *mask; /* filter of a matrix that leaves elements out; NULL: none */
    utet_fold_change change;
    struct jobs *jobs; /* other threads that read for this answer; NULL: none */
    query_readers *readers;
    query_list *list;   /* NULL: each answer reads by itself */
    int listed;         /* 1: the results come from the list */
    query_times *times; /* groups of --by; NULL: --by is not given */
    query_copy *copy;   /* the physical values for the document; NULL: the stored values */
    source *failed;     /* the source that had the error; NULL: `s` */
} answer;

/* query_physical.c: opens the physical values of a dataset as a source with its own options. NULL after an error
 * line. */
query_copy *query_copy_begin(source *s, const options *opt, const utet_dataset *dataset);
source *query_copy_source(query_copy *copy);
const options *query_copy_options(query_copy *copy);
void query_copy_end(query_copy *copy);
/* query_times.c: computes the groups of --by for all answers about the dataset of the options. NULL after an error
 * line. */
query_times *times_begin(source *s, const options *opt);
void times_end(query_times *t); /* may be null */
/* Adds the groups to a bound plan. */
int times_use(query_times *t, answer *a);
/* Returns nonzero if `t` has groups of axis d of the dataset; `t` may be NULL. */
int times_has(const query_times *t, unsigned d);
/* Returns the label of a group, which the caller frees; NULL: not enough memory. */
char *times_label(const query_times *t, uint64_t group);
/* query_jobs.c: divides an open answer among threads, if possible; each thread has its own file object and workspace.
 * answer_threads starts them; answer_join waits for all of them, and must be called even after an error. */
int answer_threads(answer *a);
/* After an error of a matrix that was divided: computes it again with one thread. Returns the error that this thread
 * has found, otherwise `status`. */
utet_status answer_alone(answer *a, utet_status status);
/* Returns 1 if the answer reads chunks several times, and memory may keep them decoded. */
int query_reads_again(const answer *a);
void answer_join(answer *a);
void answer_readers_end(query_readers *readers); /* may be null */
/* query_list.c: the reductions of the options that read together; NULL if there are none. */
query_list *list_begin(const options *opt);
void list_end(query_list *list); /* may be null */
/* Returns nonzero if the list, which may be NULL, has all reductions. */
int list_is_complete(const query_list *list, const options *opt);
/* Sets a->listed of an open answer, and opens the list for the first one. */
void list_use(answer *a);
/* Does for an answer with `listed` what utet_query_answer_next does for others. */
utet_status list_next(answer *a);
/* query_json.c: prints the response document in the reference's form; `elements` may be NULL. */
int answer_json(answer *a, int reduces, const utet_query_elements *elements);
/* query_dense.c: answers documents without a reduction, or with a transform: the answer has the shape of the
 * selection. */
int answer_dense(answer *a);
/* Adds a number to an undefined_list: utet_transform_into.undefined. */
void undefined_add(void *context, uint64_t number);
/* query_dense_jobs.c: runs a transform with several threads, if possible. `whole` is open for the complete result, and
 * `into` has all memory for it. Returns 1 if the result is there, with its undefined elements. 0: one thread must
 * compute it. -1: the same, but `whole` must be opened again. */
int transform_threads(const answer *a, utet_transform *whole, const utet_transform_into *into,
                      undefined_list *undefined);
/* Reads the first stored elements of the selection, if the response shows them in addition to results; the caller frees
 * them. */
int answer_preview(answer *a, uint8_t **first, size_t *shown);
/* query_table.c: prints the results as a table, or the chunks that would be read. */
int answer_table(answer *a);
int answer_plan(answer *a);
/* Prints the error line for a document whose dataset the file does not have. */
int answer_no_dataset(answer *a);
/* query_ask.c: makes a document from the options; the caller frees it, even after an error. */
int answer_ask(answer *a, char **text, size_t *length);
/* query_rows.c: prints `count` answers of the same shape as CSV or as a table: a line for each result, with its
 * labels. */
int answer_rows(answer *const *all, unsigned count);
/* Prints elements as CSV: a band_sink whose context is a rows object, used between rows_begin and rows_end. */
typedef struct rows rows;
rows *rows_begin(answer *a, output *out);
int rows_elements(void *ctx, const uint8_t *data, size_t count);
void rows_end(rows *r);
/* Writes result i for a table; "-" if the result has no elements. */
const char *answer_value(const answer *a, uint64_t i, char text[32]);
/* query_tet.c: packs the results, or the elements in a .npy file (then `count` is 1), into the file of -o. */
int answer_tet(answer *const *all, unsigned count);
/* Returns the path of the .npy file for a reduction, or for elements (""), in a temporary folder; the caller frees it.
 * NULL after an error line. */
char *answer_tet_path(answer *a, const char *key);
/* query_words.c: prints the error line for a status of utet_query_answer_next. */
int answer_fail(answer *a, utet_status status);
/* Returns a text of the document, which the caller frees; NULL after an error line. */
char *answer_text(answer *a, const utet_query_text_at *text);
/* Prints an error line about a part of the document that is not supported; returns TOOL_ERROR. */
int answer_cannot(const answer *a, const char *what);
/* query_mask.c: applies filter and label_filter to elements in the order of the selection, and to the elements of a
 * matrix. */
/* Returns nonzero if the document has a filter or a label_filter. */
int mask_wanted(const answer *a);
/* mask_need computes the workspace that the mask's fold needs; mask_open opens the fold. */
int mask_need(answer *a, mask *m, utet_need *need);
int mask_open(answer *a, mask *m);
/* Copies and masks as many of the `count` elements as fit into m->piece; returns their number. */
size_t mask_next(const answer *a, mask *m, const uint8_t *data, size_t count);
/* Covariance and correlation under a filter: drops a filter that leaves no element out. Any other is applied to
 * integers with a fill, and refused with the reference's message otherwise. */
int mask_matrix(answer *a);
/* Converts numbers to the stored form of f64 elements. */
void answer_bytes(double value, uint8_t bytes[8]);

#endif
