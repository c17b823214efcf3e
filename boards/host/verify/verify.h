/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The report of `utet verify`: verify.c and its parts collect it, verify_report.c prints it. */
#ifndef UTET_TOOL_VERIFY_H
#define UTET_TOOL_VERIFY_H

#include "shared/tool.h"
#include "utet_check.h"

typedef struct note {
    const char *check; /* a text constant */
    uint8_t severity;  /* UTET_SEVERITY_… */
    utet_status status;
    uint64_t offset; /* NO_OFFSET: none */
    char *detail;    /* may be null */
} note;

typedef struct report {
    note *notes;
    size_t count;
    size_t size;
    int failed;      /* 1: not enough memory for a finding, so the report is incomplete */
    int complete;    /* 1: no finding has stopped the checks, so there is a summary */
    int deep;        /* 1: all chunks were decoded */
    int in_footer;   /* for advice: 1: the metadata are damaged in the footer itself, not in a spill */
    uint64_t chunks; /* number of all chunks, if chunks were decoded */
    uint64_t decoded;
    uint64_t agree;   /* number of chunks decoded with a correct checksum */
    uint64_t bare;    /* number of chunks decoded without a checksum */
    uint64_t skipped; /* number of chunks decoded without verifying their checksum */
    uint64_t history_events;
    int has_metadata;
} report;

/* Adds a finding. `check` must remain valid; the detail is formatted like printf, and omitted if it is empty. */
void report_add(report *r, const char *check, unsigned severity, utet_status status, uint64_t offset,
                const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Returns the first error; NULL if the file is good. */
const note *report_error(const report *r);
void report_text(const report *r, const source *s);
void report_json(const report *r, const source *s);
void report_end(report *r);

#endif
