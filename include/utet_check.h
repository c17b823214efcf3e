/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole-file verdict: walks all rows of the chunk index and says, finding by finding,
 * what the reference's verification says (src/tet/FORMAT.md §16: the same checks, in the same
 * order, with the same severities and stops), and a little more under names of its own.
 * Nothing is decoded. To decode as well, run streams over the rows when
 * UTET_CHECK_DATASET_COUNT comes (the reference reports chunk_decode before it).
 *
 * Needs an open file. Keeps O(1) state, whatever the file. A file as all known writers make
 * it (rows in canonical order, consecutive payloads) takes one pass through directory
 * and rows. Any other takes passes more; their number falls as the workspace behind the
 * window grows: with W bytes of it and D datasets, N rows about
 *   32 D / W + 16 N / W + N / (4 W)     (each at least 1)
 * Where W is at least 1024 D + 8 N, no record is read twice for rows that alternate between datasets.
 */
#ifndef UTET_CHECK_H
#define UTET_CHECK_H

#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* utet_finding.check, in the order in which they come */
enum {
    UTET_CHECK_PARSE, /* only when bad; what the reference refuses to open: footer tail, rows */
    UTET_CHECK_SUPERBLOCK,
    UTET_CHECK_DATASET_DIRECTORY,
    UTET_CHECK_CHUNK_INDEX,
    UTET_CHECK_CHUNK_PAYLOADS,
    UTET_CHECK_CHUNK_DATASET_IDS,
    UTET_CHECK_DATASET_TENSOR_BYTES, /* one for each dataset */
    UTET_CHECK_PAYLOAD_OFFSETS,      /* only when bad: two rows with the same offset */
    UTET_CHECK_CHUNK_COORDS,         /* bad: two rows of one dataset with the same coordinates */
    UTET_CHECK_PAYLOAD_ORDER,        /* only as a warning: payloads are not consecutive */
    /* ours, only as warnings: */
    UTET_CHECK_PAYLOAD_OVERLAP,     /* payloads share bytes with one another or the index */
    UTET_CHECK_CHUNK_COORDS_UNUSED, /* the same chunk twice, told apart by unused coordinates */
    UTET_CHECK_DATASET_COUNT,
    UTET_CHECKS
};

enum { UTET_SEVERITY_INFO, UTET_SEVERITY_WARNING, UTET_SEVERITY_ERROR };

#define UTET_CHECK_NO_DATASET UINT32_MAX
#define UTET_CHECK_NO_ROW UINT64_MAX

typedef struct utet_finding {
    uint8_t check;    /* UTET_CHECK_… */
    uint8_t severity; /* UTET_SEVERITY_… */
    uint8_t ok;       /* 0 with an error, else 1 */
    /* Of an error: UTET_E_FOOTER, UTET_E_FOOTER_VERSION (parse), UTET_E_ROW (a row that is
     * wrong or one too many), UTET_E_MISSING (rows missing), UTET_E_DTYPE, UTET_E_DATASET
     * (chunk_shape 0, or more bytes than 2^64); else UTET_OK. */
    utet_status status;
    uint32_t dataset; /* or UTET_CHECK_NO_DATASET */
    uint64_t row;     /* or UTET_CHECK_NO_ROW */
    uint64_t offset;  /* offset of the fault in the file; 0 when there is none */
} utet_finding;

/* The state of a check. A check that was cancelled (utet_cancel) continues at the next call. */
typedef struct utet_check {
    int ok; /* no error so far */
    /* private */
    struct {
        uint8_t phase;
        uint8_t flags;
        uint8_t doubts;      /* rows whose unused coordinates had to be compared */
        uint32_t dataset_id; /* the finding, or the table, is about this one next */
        utet_file *file;
        uint64_t row;           /* current row of the pass */
        uint64_t stray;         /* first row of no dataset */
        uint64_t overlap;       /* file offset of an overlapping payload */
        uint64_t twin;          /* row that differs in unused coordinates only */
        struct {                /* of datasets, in the memory of the pass */
            uint8_t row_waits;  /* priv.chunk is of a dataset in it, whose record is read next */
            uint32_t first;     /* datasets of the table: first number and count */
            utet_dataset *kept; /* all datasets by their numbers; null without memory for them */
            size_t words;       /* size of the table and the other data of the pass, in words */
            uint32_t count;
            uint64_t next_record; /* the dataset behind them: its record and its first row */
            uint64_t next_row;
        } table;
        union {      /* state of the phase; all 0 when it begins */
            struct { /* the payload of the row before */
                uint64_t offset;
                uint64_t end;
            } survey;
            struct {
                uint8_t told; /* findings */
            } opened;
            struct {
                uint8_t step;
            } tensors;
            struct {
                uint8_t step;
                uint8_t more;     /* a payload had no room in this pass */
                uint8_t found;    /* rows with the offset that is there twice */
                size_t used;      /* entries of the heap */
                uint64_t low;     /* the pass covers offsets from here on */
                uint64_t covered; /* payloads of the passes before: no more than there are rows */
                uint64_t end;     /* end of the previous payload */
                uint64_t twice;   /* the least offset known to be there twice */
            } offsets;
            struct {
                uint8_t step;
                size_t bits;   /* they begin at this word */
                uint64_t low;  /* there is a bit for each chunk from here … */
                uint64_t high; /* … to here */
                uint64_t scan; /* the comparison with earlier rows has come to this one */
            } coords;
        } in;
        uint64_t own[6]; /* memory of the pass, when the workspace has no room for it */
        utet_chunk chunk;
        utet_dataset dataset;
    } priv;
} utet_check;

/* Prepares a walk over `file`; no I/O. The object must not move until the walk is over. */
void utet_check_init(utet_check *check, utet_file *file);

/*
 * The next finding. May take the workspace behind the window: an older stream or slab of
 * the file is over then; a stream or slab that is opened before UTET_CHECK_DATASET_COUNT
 * (or an error that stops the walk) has come may end the walk with UTET_E_STATE.
 * Faults of the medium are no findings.
 * UTET_E_DATASET: the medium changed since opening.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_DATASET, E_PORT
 */
utet_status utet_check_next(utet_check *check, utet_finding *finding);

/*
 * Instead of utet_check_next, the rows' own checks alone (codec, lengths, place: §4), which
 * the reference makes on opening: one pass. The file's error_offset says
 * which row was bad, and what is wrong in it.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_ROW, E_PORT
 */
utet_status utet_check_rows(utet_check *check);

/* The name of a check, as the reference writes it: "chunk_coords". Never null. */
const char *utet_check_name(unsigned check);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
enum { UTET_OBJECT_CHECK = 5, UTET_OBJECT_FINDING = 19 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
