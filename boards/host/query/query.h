/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet query: what its files share. */
#ifndef UTET_TOOL_QUERY_H
#define UTET_TOOL_QUERY_H

#include "shared/tool.h"
#include "utet_query.h"

/* What filter and label_filter make of elements. */
typedef struct mask {
    utet_fold fold;
    int tests;       /* not 0: the document has a filter in addition to label_filter */
    unsigned axis;   /* of label_filter */
    uint64_t inner;  /* elements at each index of that axis, in a row; 0: there is no label_filter */
    uint64_t number; /* index of the next element in the selection */
    uint8_t instead[8];
    uint8_t piece[4096];
} mask;

typedef struct query_copy query_copy;
typedef struct query_times query_times;

/* What threads read with, one source each, for all answers of the command: payloads that one answer keeps are there
 * for the next. */
typedef struct query_readers {
    unsigned count;
    int keep; /* there are several answers */
    source s[TOOL_MOST_THREADS];
} query_readers;

typedef struct answer {
    source *s;
    const options *opt;
    const char *name; /* the document's name in error lines */
    unsigned ask;     /* which reduction of the options */
    output *out;      /* takes the response document */
    char *folder;     /* holds the .npy files of a .tet file; null: not made yet */
    int keep;         /* results stay in memory: others print them */
    uint8_t *text;    /* text of the document */
    utet_io text_io;
    utet_file document;
    utet_query query;
    utet_meta meta;
    int told_rounded; /* that results are rounded */
    utet_query_plan plan;
    utet_query_answer answer;
    uint32_t *places;
    double *results;
    uint64_t *counts; /* elements of each result, for the table of reductions that have no value without any; or null */
    size_t room;      /* of results */
    utet_query_skips skips;
    uint8_t *first; /* elements that the response shows in addition to results; null: none */
    size_t shown;
    mask *mask; /* filter of a matrix that leaves elements out; NULL: none */
    utet_fold_change change;
    struct jobs *jobs; /* other threads that read for this answer; null: none */
    query_readers *readers;
    query_times *times; /* groups of --by; null: there is no such option */
    query_copy *copy;   /* the physical values that a document asks about; null: none */
    source *failed;     /* whose error it was; null: that of s */
} answer;

/* query_physical.c: the physical values of a dataset, as a source with its own options, until the end. NULL after an
 * error line. */
query_copy *query_copy_begin(source *s, const options *opt, const utet_dataset *dataset);
source *query_copy_source(query_copy *copy);
const options *query_copy_options(query_copy *copy);
void query_copy_end(query_copy *copy);
/* query_times.c: the groups of --by, for all answers about the dataset of the options. NULL after an error line. */
query_times *times_begin(source *s, const options *opt);
void times_end(query_times *t); /* may be null */
/* Puts the groups into a plan that is bound. */
int times_use(query_times *t, answer *a);
/* Nonzero if these are groups of axis d of the dataset; t may be null. */
int times_has(const query_times *t, unsigned d);
/* The label of a group, which the caller frees; NULL: not enough memory. */
char *times_label(const query_times *t, uint64_t group);
/* query_jobs.c: divides an answer that is open among threads, if it can be; each has a file object and a workspace of
 * its own. answer_threads begins, answer_join waits for all of them, also after an error. */
int answer_threads(answer *a);
void answer_join(answer *a);
void answer_readers_end(query_readers *readers); /* may be null */
/* query_json.c: the reference's response; elements may be null. */
int answer_json(answer *a, int reduces, const utet_query_elements *elements);
/* query_dense.c: documents whose answer has the shape of the selection: without a reduction, or with a transform. */
int answer_dense(answer *a);
/* The first elements of the selection as stored, if a response with results shows some; the caller frees them. */
int answer_preview(answer *a, uint8_t **first, size_t *shown);
/* query_table.c: the results as text for people; the chunks that would be read. */
int answer_table(answer *a);
int answer_plan(answer *a);
/* The error line for a document whose dataset the file does not have. */
int answer_no_dataset(answer *a);
/* query_ask.c: the document that is made of options; the caller frees it, also after an error. */
int answer_ask(answer *a, char **text, size_t *length);
/* query_rows.c: the results of `count` answers of one shape: a line for each, with its labels, as CSV or as a table. */
int answer_rows(answer *const *all, unsigned count);
/* Elements as CSV: a band_sink, whose context is a rows object between rows_begin and rows_end. */
typedef struct rows rows;
rows *rows_begin(answer *a, output *out);
int rows_elements(void *ctx, const uint8_t *data, size_t count);
void rows_end(rows *r);
/* Result i for a table; "-" where it was made of no element. */
const char *answer_value(const answer *a, uint64_t i, char text[32]);
/* query_tet.c: the same results, or the elements in a .npy file, packed into the file of -o; `count` 1 for those. */
int answer_tet(answer *const *all, unsigned count);
/* The .npy file for a reduction, or "" for elements, in a temporary folder; the caller frees it. NULL after an error
 * line. */
char *answer_tet_path(answer *a, const char *key);
/* query_words.c: the error line for a status of utet_query_answer_next. */
int answer_fail(answer *a, utet_status status);
/* A text of the document, which the caller frees; NULL after an error line. */
char *answer_text(answer *a, const utet_query_text_at *text);
/* The error line that says what of the document is not carried out; returns TOOL_ERROR. */
int answer_cannot(const answer *a, const char *what);
/* query_mask.c: filter and label_filter over elements that come in the order of the selection, and over those of a
 * matrix. */
/* Returns nonzero if the document has a filter or a label_filter. */
int mask_wanted(const answer *a);
/* mask_need says how much workspace the mask's fold needs, mask_open opens it. */
int mask_need(answer *a, mask *m, utet_need *need);
int mask_open(answer *a, mask *m);
/* Copies as many of the `count` elements as m->piece has room for, and masks the copy; returns how many. */
size_t mask_next(const answer *a, mask *m, const uint8_t *data, size_t count);
/* Covariance and correlation under a filter: drops a filter that leaves no element out. Any other is applied to
 * integers with a fill, and refused with the reference's message otherwise. */
int mask_matrix(answer *a);
/* As f64 elements are stored. */
void answer_bytes(double value, uint8_t bytes[8]);

#endif
