/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The report of `utet verify`: collected first, then printed as a table or as JSON in the reference's form. */
#include "verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const severities[] = {"info", "warning", "error"};

void report_add(report *r, const char *check, unsigned severity, utet_status status, uint64_t offset,
                const char *format, ...)
{
    char text[256];
    va_list list;
    note *n;

    if (r->count == r->size) {
        note *const more = realloc(r->notes, (r->size * 2 + 32) * sizeof *more);

        if (more == NULL) {
            r->failed = 1;
            return;
        }
        r->notes = more;
        r->size = r->size * 2 + 32;
    }
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    n = &r->notes[r->count];
    n->check = check;
    n->severity = (uint8_t)severity;
    n->status = status;
    n->offset = offset;
    n->detail = NULL;
    if (text[0] != '\0') {
        n->detail = malloc(strlen(text) + 1);
        if (n->detail == NULL) {
            r->failed = 1;
            return;
        }
        strcpy(n->detail, text);
    }
    r->count++;
}

const note *report_error(const report *r)
{
    size_t i;

    for (i = 0; i < r->count; i++) {
        if (r->notes[i].severity == UTET_SEVERITY_ERROR)
            return &r->notes[i];
    }
    return NULL;
}

void report_end(report *r)
{
    while (r->count > 0)
        free(r->notes[--r->count].detail);
    free(r->notes);
    r->notes = NULL;
}

typedef struct advice {
    const char *code;
    const char *message;
    const char *fix;
} advice;

/* Advice on a fault, with the reference's codes. Checks for which the reference has no advice have none here. */
static const advice *advice_for(const report *r, const note *n)
{
    static const advice footer = {"footer_invalid", "The footer (history, metadata) is damaged or missing.",
                                  "If the file is truncated, get it again. Otherwise remove the footer: truncate the "
                                  "file after the last payload and clear the footer flag."};
    static const advice layout = {"invalid_layout", "The file is damaged or truncated and cannot be read reliably.",
                                  "Write it again from its source."};
    static const advice other = {"invalid_layout", "The file is not a .tet file, or its first bytes are damaged.",
                                 "`utet pack` makes a .tet file from .npy, .npz, .csv, PNG or raw data."};
    static const advice id = {"bad_dataset_id", "A chunk belongs to a dataset that does not exist.",
                              "Write the file again from its source."};
    static const advice payload = {"chunk_decode_failed", "A chunk cannot be decoded.",
                                   "Write the file again from its source."};
    static const advice coords = {"duplicate_chunk_coords", "Two chunks of a dataset have the same coordinates.",
                                  "Write the file again without overlapping parts."};

    if (n->severity != UTET_SEVERITY_ERROR)
        return NULL;
    if (strcmp(n->check, "parse") == 0) {
        if (n->status == UTET_E_MAGIC)
            return &other;
        return n->status == UTET_E_FOOTER || n->status == UTET_E_FOOTER_VERSION || r->in_footer ? &footer : &layout;
    }
    if (strcmp(n->check, "footer") == 0)
        return &footer;
    if (strcmp(n->check, "chunk_dataset_ids") == 0)
        return &id;
    if (strcmp(n->check, "chunk_decode") == 0)
        return &payload;
    return strcmp(n->check, "chunk_coords") == 0 ? &coords : NULL;
}

#define ADVICE 8u /* more than the number of checks */

/* Prints each piece of advice once. `given`: the pieces printed before, NULL-terminated. */
static const advice *new_advice(const report *r, size_t i, const advice *given[ADVICE])
{
    const advice *const a = advice_for(r, &r->notes[i]);
    unsigned before = 0;

    if (a == NULL)
        return NULL;
    while (before < ADVICE - 1 && given[before] != NULL && given[before] != a)
        before++;
    if (given[before] == a)
        return NULL;
    given[before] = a;
    return a;
}

/* Prints which values were compared with a checksum. The result does not cover the others. */
static void put_checksums(const report *r)
{
    char agree[32], all[32], bare[32], skipped[32];

    if (r->decoded == 0)
        return;
    if (r->agree == r->chunks)
        printf("checksums: all %s chunks agree with their checksums\n", grouped(all, r->chunks));
    else
        printf("checksums: %s of %s chunks agree with theirs", grouped(agree, r->agree), grouped(all, r->chunks));
    if (r->agree != r->chunks && r->bare > 0)
        printf("; %s ha%s none, so that damage of their values may go unnoticed", grouped(bare, r->bare),
               r->bare == 1 ? "s" : "ve");
    if (r->skipped > 0)
        printf("; those of %s were not verified: utet was built with UTET_ZSTD_CHECKSUM 0",
               grouped(skipped, r->skipped));
    if (r->agree != r->chunks)
        putchar('\n');
}

void report_text(const report *r, const source *s)
{
    char number[32];
    static const char *const words[] = {"ok", "warning", "ERROR"};
    const advice *given[ADVICE] = {NULL};
    size_t errors = 0;
    size_t i;
    table t;

    table_begin(&t, "lll");
    for (i = 0; i < r->count; i++) {
        const note *n = &r->notes[i];
        char text[300];

        if (n->detail != NULL && n->offset != NO_OFFSET)
            (void)snprintf(text, sizeof text, "%s (offset %" PRIu64 ")", n->detail, n->offset);
        errors += n->severity == UTET_SEVERITY_ERROR;
        table_cell(&t, words[n->severity]);
        table_cell(&t, n->check);
        table_cell(&t, n->detail == NULL ? "" : n->offset != NO_OFFSET ? text : n->detail);
    }
    (void)table_end(&t);
    putchar('\n');
    put_checksums(r);
    put_safely(stdout, s->path, strlen(s->path));
    if (errors == 0 && r->decoded < r->chunks)
        printf(": good, but for %s chunks that were not decoded\n", grouped(number, r->chunks - r->decoded));
    else if (errors == 0)
        puts(": good");
    else
        printf(": bad, %zu error%s\n", errors, errors == 1 ? "" : "s");
    for (i = 0; i < r->count; i++) {
        const advice *const a = new_advice(r, i, given);

        if (a != NULL)
            printf("%s %s\n", a->message, a->fix);
    }
}

static void json_word(const char *key, const char *value)
{
    printf("\"%s\":", key);
    json_text(stdout, value, strlen(value));
}

static void put_findings(const report *r)
{
    size_t i;

    fputs(",\"findings\":[", stdout);
    for (i = 0; i < r->count; i++) {
        const note *n = &r->notes[i];

        fputs(i > 0 ? ",{" : "{", stdout);
        json_word("check", n->check);
        putchar(',');
        json_word("severity", severities[n->severity]);
        printf(",\"ok\":%s", n->severity == UTET_SEVERITY_ERROR ? "false" : "true");
        if (n->detail != NULL) {
            putchar(',');
            json_word("detail", n->detail);
        }
        putchar('}');
    }
    putchar(']');
}

static void put_recommendations(const report *r)
{
    const advice *given[ADVICE] = {NULL};
    const char *comma = "";
    size_t i;

    fputs(",\"recommendations\":[", stdout);
    for (i = 0; i < r->count; i++) {
        const advice *const a = new_advice(r, i, given);

        if (a == NULL)
            continue;
        printf("%s{", comma);
        json_word("code", a->code);
        putchar(',');
        json_word("message", a->message);
        fputs(",\"fix\":{", stdout);
        json_word("summary", a->fix);
        fputs("}}", stdout);
        comma = ",";
    }
    putchar(']');
}

void report_json(const report *r, const source *s)
{
    const utet_file *f = &s->file;

    printf("{\"ok\":%s,\"file_len\":%" PRIu64, report_error(r) == NULL ? "true" : "false", s->port.io.size);
    put_findings(r);
    put_recommendations(r);
    if (r->complete) {
        printf(",\"summary\":{\"layout_version\":1,\"dataset_count\":%" PRIu32 ",\"chunk_count\":%" PRIu64,
               f->dataset_count, f->row_count);
        printf(",\"history_events\":%" PRIu64 ",\"has_metadata\":%s", r->history_events,
               r->has_metadata ? "true" : "false");
        printf(",\"history_footer\":%s,\"deep_chunk_decode\":%s}", (f->flags & 1u) != 0 ? "true" : "false",
               r->deep ? "true" : "false");
    }
    if (r->decoded > 0) {
        printf(",\"checksums\":{\"agree\":%" PRIu64 ",\"none\":%" PRIu64 ",\"not_decoded\":%" PRIu64, r->agree, r->bare,
               r->chunks - r->decoded);
        if (r->skipped > 0)
            printf(",\"not_verified\":%" PRIu64, r->skipped);
        putchar('}');
    }
    puts("}");
}
