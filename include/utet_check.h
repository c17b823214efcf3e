/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a complete file: reads all rows of the chunk index and reports the findings of the verification in the
 * Tetration reference implementation (src/tet/FORMAT.md §16: the same checks, in the same order, with the same
 * severities and stops), and those of microtet's own checks. It decodes nothing. To decode as well, run streams over
 * the rows when utet_check_next delivers UTET_CHECK_DATASET_COUNT (the reference reports chunk_decode before it).
 *
 * The file must be open. The size of the state is constant. A file in the form that all known writers produce (rows in
 * canonical order, consecutive payloads) takes one pass through directory and rows. Any other file takes more passes,
 * about the following number, where W is the size of the workspace after the window in bytes, D the number of datasets
 * and N the number of rows:
 *   32 D / W + 16 N / W + N / (4 W)     (each term at least 1)
 * If W is at least 1024 D + 8 N, no record is read twice for rows that alternate between datasets.
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

/* Values of utet_finding.check, in the order in which the findings are delivered. */
enum {
    UTET_CHECK_PARSE, /* only as an error: the reference refuses to open the file because of its footer tail or rows */
    UTET_CHECK_SUPERBLOCK,
    UTET_CHECK_DATASET_DIRECTORY,
    UTET_CHECK_CHUNK_INDEX,
    UTET_CHECK_CHUNK_PAYLOADS,
    UTET_CHECK_CHUNK_DATASET_IDS,
    UTET_CHECK_DATASET_TENSOR_BYTES, /* one for each dataset */
    UTET_CHECK_PAYLOAD_OFFSETS,      /* only as an error: two rows with the same offset */
    UTET_CHECK_CHUNK_COORDS,         /* as an error: two rows of one dataset with the same coordinates */
    UTET_CHECK_PAYLOAD_ORDER,        /* only as a warning: payloads are not consecutive */
    /* microtet's own checks, only as warnings: */
    UTET_CHECK_PAYLOAD_OVERLAP,     /* payloads share bytes with another payload or with the index */
    UTET_CHECK_CHUNK_COORDS_UNUSED, /* two rows of the same chunk that differ only in unused coordinates */
    UTET_CHECK_DATASET_COUNT,
    UTET_CHECKS
};

enum { UTET_SEVERITY_INFO, UTET_SEVERITY_WARNING, UTET_SEVERITY_ERROR };

#define UTET_CHECK_NO_DATASET UINT32_MAX
#define UTET_CHECK_NO_ROW UINT64_MAX

typedef struct utet_finding {
    uint8_t check;    /* UTET_CHECK_… */
    uint8_t severity; /* UTET_SEVERITY_… */
    uint8_t ok;       /* 0 for an error, else 1 */
    /* Errors: UTET_E_FOOTER, UTET_E_FOOTER_VERSION (parse), UTET_E_ROW (an incorrect or surplus row), UTET_E_MISSING
     * (missing rows), UTET_E_DTYPE, UTET_E_DATASET (chunk_shape 0, or more than 2^64 bytes); others: UTET_OK. */
    utet_status status;
    uint32_t dataset; /* index of the dataset, or UTET_CHECK_NO_DATASET */
    uint64_t row;     /* index of the row, or UTET_CHECK_NO_ROW */
    uint64_t offset;  /* file offset of the fault; 0 if there is no fault */
} utet_finding;

/* State of a check. After utet_cancel, the check continues with the next call. */
typedef struct utet_check {
    int ok; /* nonzero: no error so far */
    /* private */
    struct {
        uint8_t phase;
        uint8_t flags;
        uint8_t doubts;      /* number of rows whose unused coordinates had to be compared */
        uint32_t dataset_id; /* next dataset of the findings, or of the table */
        utet_file *file;
        uint64_t row;           /* current row of the pass */
        uint64_t stray;         /* first row that belongs to no dataset */
        uint64_t overlap;       /* file offset of an overlapping payload */
        uint64_t twin;          /* row that differs from another one only in unused coordinates */
        struct {                /* table of datasets, in the memory of the pass */
            uint8_t row_waits;  /* nonzero: priv.chunk belongs to a dataset of the table whose record is read next */
            uint32_t first;     /* index of the table's first dataset */
            utet_dataset *kept; /* all datasets in the order of the directory; NULL without memory for them */
            size_t words;       /* size of the table and the other data of the pass, in words */
            uint32_t count;
            uint64_t next_record; /* offset of the record of the first dataset after the table */
            uint64_t next_row;    /* first row of that dataset */
        } table;
        union {      /* state of the phase; all 0 when the phase begins */
            struct { /* payload of the previous row */
                uint64_t offset;
                uint64_t end;
            } survey;
            struct {
                uint8_t told; /* number of findings delivered */
            } opened;
            struct {
                uint8_t step;
            } tensors;
            struct {
                uint8_t step;
                uint8_t more;     /* nonzero: this pass had no room for a payload */
                uint8_t found;    /* number of rows with the duplicate offset */
                size_t used;      /* number of entries of the heap */
                uint64_t low;     /* smallest offset of this pass */
                uint64_t covered; /* number of payloads of earlier passes, at most the number of rows */
                uint64_t end;     /* end of the previous payload */
                uint64_t twice;   /* smallest duplicate offset found so far */
            } offsets;
            struct {
                uint8_t step;
                size_t bits;   /* index of the first word of the bits */
                uint64_t low;  /* first chunk of this pass; there is one bit for each chunk */
                uint64_t high; /* end of the chunks of this pass, excluded */
                uint64_t scan; /* row that the comparison with earlier rows has reached */
            } coords;
        } in;
        uint64_t own[6]; /* memory of the pass if the workspace has no room for it */
        utet_chunk chunk;
        utet_dataset dataset;
    } priv;
} utet_check;

/* Prepares the check of `file`; reads nothing. The object must not move until the check has ended. */
void utet_check_init(utet_check *check, utet_file *file);

/*
 * Delivers the next finding. May take the workspace after the window: an older stream or slab of the file then becomes
 * invalid. If you open a stream or slab before UTET_CHECK_DATASET_COUNT (or an error that stops the check) has been
 * delivered, the check may end with UTET_E_STATE. Errors of the medium are statuses, not findings.
 * UTET_E_DATASET: the medium has changed since the file was opened.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_DATASET, E_PORT
 */
utet_status utet_check_next(utet_check *check, utet_finding *finding);

/*
 * Makes only the checks of single rows (codec, lengths, offset: §4), which the reference makes when it opens a file, in
 * one pass. Call it instead of utet_check_next. After UTET_E_ROW, the file's error_offset is the offset of the
 * incorrect field in the first incorrect row.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_ROW, E_PORT
 */
utet_status utet_check_rows(utet_check *check);

/* Returns the name of a check as the reference writes it, such as "chunk_coords". Never NULL. */
const char *utet_check_name(unsigned check);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum { UTET_OBJECT_CHECK = 5, UTET_OBJECT_FINDING = 19 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
