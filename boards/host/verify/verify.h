/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the two halves of `utet verify` share: the report that one collects and the other prints. */
#ifndef UTET_TOOL_VERIFY_H
#define UTET_TOOL_VERIFY_H

#include "shared/tool.h"
#include "utet_check.h"

typedef struct note {
    const char *check; /* text of the tool or the library, valid for ever */
    uint8_t severity;  /* UTET_SEVERITY_… */
    utet_status status;
    uint64_t offset; /* NO_OFFSET: none */
    char *detail;    /* may be null */
} note;

typedef struct report {
    note *notes;
    size_t count;
    size_t size;
    int failed;      /* no memory for a note: the report cannot be trusted */
    int complete;    /* no finding stopped the checks: there is a summary */
    int deep;        /* all chunks were decoded */
    int in_footer;   /* for advice: the metadata are damaged in the footer itself, not in a spill that it names */
    uint64_t chunks; /* all of them, when it came to decoding */
    uint64_t decoded;
    uint64_t agree; /* number of chunks decoded with a correct checksum */
    uint64_t bare;  /* and such as have none */
    uint64_t history_events;
    int has_metadata;
} report;

/* Adds a finding; `check` stays, the detail is made as by printf, an empty one is none. */
void report_add(report *r, const char *check, unsigned severity, utet_status status, uint64_t offset,
                const char *format, ...) __attribute__((format(printf, 6, 7)));
/* The first error, null when the file is good. */
const note *report_error(const report *r);
void report_text(const report *r, const source *s);
void report_json(const report *r, const source *s);
void report_end(report *r);

#endif
