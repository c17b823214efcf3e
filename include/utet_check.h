/*
 * The whole-file verdict: walks all rows of the chunk index and says, finding by finding,
 * what the reference's verification says (layout notes §16: the same checks, in the same
 * order, with the same severities and stops), and a little more under names of its own.
 * Nothing is decoded; whoever wants that runs streams over the rows when
 * UTET_CHECK_DATASET_COUNT comes (chunk_decode stands before it in the reference).
 *
 * Needs an open file. Keeps O(1) state, whatever the file. A file as all known writers make
 * it (rows in canonical order, payloads one behind the other) takes one pass over directory
 * and rows. Any other takes passes more; their number falls as the workspace behind the
 * window grows: with W bytes of it and D datasets, N rows about
 *   32 D / W + 16 N / W + N / (4 W)     (each at least 1)
 */
#ifndef UTET_CHECK_H
#define UTET_CHECK_H

#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { /* utet_finding.check, in the order in which they come */
    UTET_CHECK_PARSE, /* only when bad; what the reference refuses to open: footer tail, rows */
    UTET_CHECK_SUPERBLOCK,
    UTET_CHECK_DATASET_DIRECTORY,
    UTET_CHECK_CHUNK_INDEX,
    UTET_CHECK_CHUNK_PAYLOADS,
    UTET_CHECK_CHUNK_DATASET_IDS,
    UTET_CHECK_DATASET_TENSOR_BYTES, /* one for each dataset */
    UTET_CHECK_PAYLOAD_OFFSETS,      /* only when bad: two rows with the same offset */
    UTET_CHECK_CHUNK_COORDS,         /* bad: two rows of one dataset with the same coordinates */
    UTET_CHECK_PAYLOAD_ORDER,        /* only as a warning: payloads not one behind the other */
    /* ours, only as warnings: */
    UTET_CHECK_PAYLOAD_OVERLAP,      /* payloads share bytes with one another or the index */
    UTET_CHECK_CHUNK_COORDS_UNUSED,  /* the same chunk twice, told apart by unused coordinates */
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
    uint64_t offset;  /* in the file, of what the finding is about; 0 when there is no such place */
} utet_finding;

/* The walk. One that was cancelled (utet_cancel) goes on at the next call. */
typedef struct utet_check {
    int ok; /* no error so far */
    /* private */
    uint8_t priv_phase;
    uint8_t priv_step;   /* of the phase */
    uint8_t priv_flags;
    uint8_t priv_doubts; /* rows whose unused coordinates had to be compared */
    uint32_t priv_dataset_id;
    uint32_t priv_first; /* datasets of the table: first number and count */
    uint32_t priv_count;
    size_t priv_used; /* entries of the heap */
    utet_file *priv_file;
    uint64_t priv_row;  /* the pass has come to this row */
    uint64_t priv_scan; /* the comparison with earlier rows to this one */
    uint64_t priv_low;  /* what the pass covers begins here */
    uint64_t priv_high;
    uint64_t priv_end; /* of the payload before */
    uint64_t priv_last;
    uint64_t priv_stray;   /* first row of no dataset */
    uint64_t priv_overlap; /* file offset of an overlapping payload */
    uint64_t priv_twin;    /* row that differs in unused coordinates only */
    uint64_t priv_next[2]; /* record and first row of the dataset after the table */
    uint64_t priv_own[6];  /* table, when the workspace has no room for one */
    utet_chunk priv_chunk;
    utet_dataset priv_dataset;
} utet_check;

/* Prepares a walk over `file`; no I/O. The object must not move until the walk is over. */
void utet_check_begin(utet_check *check, utet_file *file);

/*
 * The next finding. May take the workspace behind the window: an older stream or slab of
 * the file is over then; a stream or slab that is opened before UTET_CHECK_DATASET_COUNT
 * (or an error that stops the walk) has come may end the walk with UTET_E_STATE.
 * Faults of the medium are no findings.
 * Returns UTET_OK, UTET_END, UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_SHORT, UTET_E_PORT…,
 * UTET_E_DATASET (the medium changed since opening).
 */
utet_status utet_check_next(utet_check *check, utet_finding *finding);

/*
 * Instead of utet_check_next, the rows' own checks alone (codec, lengths, place: §4), which
 * the reference makes on opening: one pass. check->priv_row is private, but the file's
 * error_offset says which row was bad.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_ROW, UTET_E_STATE, UTET_E_SHORT, UTET_E_PORT….
 */
utet_status utet_check_rows(utet_check *check);

/* The name of a check, as the reference writes it: "chunk_coords". Never null. */
const char *utet_check_name(unsigned check);

#ifdef __cplusplus
}
#endif

#endif
