/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The footers of the golden files: what utet_meta.h returns for history and metadata, against the reference's answers
 * in golden.txt. If there is a fault in the footer's JSON, or in what it refers to: the error, its offset, and that
 * only the metadata is lost. Also what strict mode refuses. Each with a port that answers at once, in slices, late, or
 * mapped.
 */
#include "golden_list.h"
#include "rig.h"
#include "hash.h"
#include "utet_meta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct behaviour {
    uint16_t unit, align;
    size_t slice;
    unsigned blocks;
    int map;
} behaviours[] = {
    {1, 1, SLICE_ALL, 0, 0}, {512, 4, SLICE_ALL, 1, 0}, {1, 1, 7, 1, 0},
    {1, 1, SLICE_ALL, 0, 1}, {1, 1, 1, 2, 0},           {64, 16, SLICE_RANDOM, 0, 0},
};
enum { BEHAVIOURS = sizeof behaviours / sizeof behaviours[0], THIN = 4 };

typedef struct subject {
    const golden_file *file;
    guard held;
    rig r;
    utet_meta meta;
} subject;

static void begin(subject *s, const golden_file *f, uint8_t *bytes, const struct behaviour *how)
{
    s->file = f;
    s->held = guard_new((size_t)f->size, 1, GUARD_AFTER);
    memcpy(s->held.data, bytes, (size_t)f->size);
    rig_make(&s->r, s->held.data, f->size, -1);
    s->r.port.io.unit = how->unit;
    s->r.port.io.align = how->align;
    s->r.port.slice = how->slice;
    s->r.port.blocks = how->blocks;
    if (how->map)
        faultport_map(&s->r.port);
    suite_check(rig_open(&s->r, how->map ? 0 : UTET_WINDOW_LEAST(how->unit), 0) == UTET_OK &&
                    (s->r.file.footer_status == UTET_OK) == (golden_line_of(f, "footer") == NULL),
                "%s: open", f->name);
}

static void end(subject *s)
{
    rig_end(&s->r, s->file->name);
    guard_free(&s->held);
}

static uint64_t number(const golden_line *l, unsigned word)
{
    return strtoull(l->word[word], NULL, 10);
}

/* Runs `ask` with all behaviours. */
static void ask_all(const golden_file *f, const char *keyword, void (*ask)(subject *s, const golden_line *l))
{
    static subject s;
    char why[300];
    uint8_t *bytes = golden_bytes(f, why);
    unsigned b;

    if (bytes == NULL)
        suite_skip(why);
    for (b = 0; b < (suite_light() ? THIN : BEHAVIOURS); b++) {
        begin(&s, f, bytes, &behaviours[b]);
        ask(&s, golden_line_of(f, keyword));
        end(&s);
    }
    free(bytes);
}

/* ---- faults ---- */

/* Everything else in the file is still readable: all rows, and the first bytes of a raw chunk. */
static void data_readable(subject *s)
{
    utet_chunk chunk;
    utet_stream stream;
    utet_status status;
    uint8_t some[4];
    size_t got;
    unsigned rows = 0;

    DRIVE(status, utet_row_first(&s->r.file, &chunk));
    for (; status == UTET_OK; rows++) {
        DRIVE_OK(utet_stream_open(&stream, &s->r.file, &chunk));
        faultport_zone(&s->r.port, 1, some, sizeof some);
        DRIVE_OK(utet_stream_read(&stream, some, sizeof some, &got));
        suite_check(got != 0 && memcmp(some, s->held.data + chunk.payload_offset, got) == 0, "%s: wrong bytes",
                    s->file->name);
        DRIVE(status, utet_row_next(&s->r.file, &chunk));
    }
    suite_check(status == UTET_END && rows == s->r.file.row_count, "%s: rows say %s", s->file->name,
                rig_status(status));
}

static void place_within(const subject *s, const golden_line *l)
{
    uint64_t at = s->r.file.error_offset;

    suite_check(at >= number(l, 1) && at <= number(l, 2), "%s: error at %llu, outside %s to %s", s->file->name,
                (unsigned long long)at, l->word[1], l->word[2]);
}

static void metadata_refused(subject *s, const golden_line *l)
{
    utet_value value = {0, 0, 0, {0, 0}}, key, item;
    utet_status status;

    DRIVE(status, utet_meta_open(&s->meta, &s->r.file));
    suite_check(status == UTET_E_METADATA, "%s: %s", s->file->name, rig_status(status));
    place_within(s, l);
    suite_check(utet_meta_check_limits(&s->meta) == UTET_E_METADATA &&
                    utet_value_next(&s->meta, &value, &key, &item) == UTET_E_METADATA,
                "%s: it does not stick", s->file->name);
    data_readable(s);
}

static void limits_exceeded(subject *s, const golden_line *l)
{
    utet_status status;

    DRIVE_OK(utet_meta_open(&s->meta, &s->r.file));
    DRIVE(status, utet_meta_check_limits(&s->meta));
    suite_check(status == UTET_E_METADATA, "%s: %s", s->file->name, rig_status(status));
    place_within(s, l);
    suite_check(s->meta.datasets.kind == UTET_VALUE_MAP, "%s: the metadata are lost", s->file->name);
    data_readable(s);
}

/* Rows that extend into bytes that the lengths of the references do not leave to payloads (§6.3). */
static void payloads_beyond(subject *s, const golden_line *l)
{
    utet_status status;
    utet_chunk chunk;
    unsigned beyond = 0;

    DRIVE(status, utet_meta_open(&s->meta, &s->r.file));
    suite_check(status == (golden_line_of(s->file, "metadata") != NULL ? UTET_E_METADATA : UTET_OK), "%s: %s",
                s->file->name, rig_status(status));
    suite_check(s->meta.payload_limit == number(l, 1), "%s: payload_limit %llu, not %s", s->file->name,
                (unsigned long long)s->meta.payload_limit, l->word[1]);
    DRIVE(status, utet_row_first(&s->r.file, &chunk));
    while (status == UTET_OK) {
        beyond += chunk.payload_offset + chunk.stored_byte_len > s->meta.payload_limit;
        DRIVE(status, utet_row_next(&s->r.file, &chunk));
    }
    suite_check(beyond != 0, "%s: no row goes beyond", s->file->name);
    data_readable(s);
}

/* What strict mode checks, in the reference's order: footer tail, rows, JSON. */
static utet_status strict_status(const golden_file *f)
{
    const golden_line *l = golden_line_of(f, "footer");

    if (l != NULL)
        return strcmp(l->word[1], "FOOTER") == 0 ? UTET_E_FOOTER : UTET_E_FOOTER_VERSION;
    if (golden_line_of(f, "check") != NULL || golden_line_of(f, "payloads") != NULL)
        return UTET_E_ROW;
    return golden_line_of(f, "metadata") != NULL ? UTET_E_METADATA : UTET_OK;
}

/* A tail that is damaged is named with its own offset, also after reads elsewhere in the file. */
static void tail_refused(subject *s, const golden_line *l)
{
    utet_status status;
    utet_chunk chunk;

    (void)l;
    DRIVE(status, utet_row_first(&s->r.file, &chunk));
    DRIVE(status, utet_meta_open(&s->meta, &s->r.file));
    suite_check(status == strict_status(s->file), "%s: %s", s->file->name, rig_status(status));
    suite_check(s->r.file.error_offset == s->file->size - 16, "%s: offset %llu", s->file->name,
                (unsigned long long)s->r.file.error_offset);
}

/* utet_meta_strict on every file that opens: it refuses the files for which the reference's verify says `parse`.
 * `verify -` and ANY: not known. */
static void strict_as_reference(subject *s, const golden_line *l)
{
    const utet_status wanted = strict_status(s->file);
    const golden_line *verify = golden_line_of(s->file, "verify");
    utet_status status;
    uint64_t at;

    (void)l;
    DRIVE(status, utet_meta_open(&s->meta, &s->r.file));
    DRIVE(status, utet_meta_strict(&s->meta));
    suite_check(status == wanted, "%s: strict: %s", s->file->name, rig_status(status));
    if (verify != NULL && verify->word[1][0] != '-' && strcmp(verify->word[1], "ANY") != 0)
        suite_check((status != UTET_OK) == (strcmp(verify->word[1], "parse") == 0) ||
                        golden_line_of(s->file, "deviates") != NULL,
                    "%s: strict: %s, the reference's verify: %s", s->file->name, rig_status(status), verify->word[1]);
    if (status == UTET_E_METADATA)
        place_within(s, golden_line_of(s->file, "metadata"));
    at = s->r.file.error_offset - s->r.file.index_offset - 32; /* from the first row on (§4) */
    if (status == UTET_E_ROW && golden_line_of(s->file, "payloads") != NULL)
        suite_check(at / 104 < s->r.file.row_count && at % 104 == 72, "%s: strict: offset %llu", s->file->name,
                    (unsigned long long)s->r.file.error_offset);
}

/* ---- the answers ---- */

/* Facts, one per line, as golden_import.py writes them. */
static struct facts {
    char **lines;
    size_t count;
    char path[3000];
} facts;

static void add_quoted(char *to, const char *bytes, size_t length)
{
    char *at = to + strlen(to);
    size_t i;

    if (length == 0)
        at += sprintf(at, "%%");
    for (i = 0; i < length; i++) {
        unsigned byte = (uint8_t)bytes[i];

        at += sprintf(at, byte > 0x20 && byte < 0x7F && byte != '%' ? "%c" : "%%%02X", byte);
    }
}

static char *text_of(subject *s, utet_value text, size_t *length)
{
    size_t size = (size_t)text.size;
    char *bytes = malloc(size + 1);
    utet_status status;

    suite_check(bytes != NULL && text.kind == UTET_VALUE_TEXT, "%s: no text", s->file->name);
    DRIVE(status, utet_text_read(&s->meta, &text, bytes, size, length));
    suite_check(status == UTET_OK || (status == UTET_END && *length == 0), "%s: %s", s->file->name, rig_status(status));
    return bytes;
}

/* facts.path, and the text as its last word. */
static void add_fact(subject *s, utet_value text)
{
    size_t length;
    char *bytes = text_of(s, text, &length), *line;

    if ((facts.count & (facts.count + 1)) == 0)
        facts.lines = realloc(facts.lines, (2 * facts.count + 2) * sizeof *facts.lines);
    line = malloc(strlen(facts.path) + 3 * length + 3);
    suite_check(line != NULL && facts.lines != NULL, "memory");
    strcpy(line, facts.path);
    add_quoted(line, bytes, length);
    strcat(line, "\n");
    facts.lines[facts.count++] = line;
    free(bytes);
}

/* All texts of a list, or of a map; in a map, the last entry of each key counts. */
static void add_all(subject *s, const utet_value *list)
{
    utet_value rest = *list, key, item;
    size_t end_of_path = strlen(facts.path);
    unsigned n = 0;

    for (;;) {
        utet_status status;

        DRIVE(status, utet_value_next(&s->meta, &rest, &key, &item));
        if (status == UTET_END)
            break;
        suite_check(status == UTET_OK, "%s: %s", s->file->name, rig_status(status));
        if (list->kind == UTET_VALUE_MAP) {
            size_t length;
            char *name = text_of(s, key, &length);

            DRIVE_OK(utet_map_find(&s->meta, list, name, length, &item));
            add_quoted(facts.path, name, length);
            strcat(facts.path, " ");
            free(name);
        } else {
            sprintf(facts.path + end_of_path, "%u ", n++);
        }
        add_fact(s, item);
        facts.path[end_of_path] = '\0';
    }
}

static void add_history(subject *s)
{
    static const char *const names[UTET_EVENT_FIELDS] = {"op",     "source", "at",       "parents",
                                                         "params", "agent",  "activity", "entity"};
    utet_value history = s->meta.history;
    utet_event event;
    utet_status status;
    unsigned n, i;

    for (n = 0;; n++) {
        DRIVE(status, utet_event_next(&s->meta, &history, &event));
        if (status == UTET_END)
            return;
        suite_check(status == UTET_OK, "%s: %s", s->file->name, rig_status(status));
        for (i = 0; i < UTET_EVENT_FIELDS; i++) {
            sprintf(facts.path, "event %u %s ", n, names[i]);
            if (event.field[i].kind == UTET_VALUE_TEXT)
                add_fact(s, event.field[i]);
            else
                add_all(s, &event.field[i]);
        }
    }
}

/* One dataset of the metadata, by its name; the file may lack a dataset of that name. */
static void add_dataset(subject *s, const char *name, size_t length)
{
    static const struct {
        const char *word, *key;
    } parts[] = {{"attr", "attrs"}, {"dim", "dim_names"}};
    utet_value about, part, key, labels;
    utet_status status;
    unsigned i;

    DRIVE_OK(utet_map_find(&s->meta, &s->meta.datasets, name, length, &about));
    for (i = 0; i < 2; i++) {
        DRIVE(status, utet_map_find(&s->meta, &about, parts[i].key, strlen(parts[i].key), &part));
        sprintf(facts.path, "%s ", parts[i].word);
        add_quoted(facts.path, name, length);
        strcat(facts.path, " ");
        if (status == UTET_OK)
            add_all(s, &part);
    }
    DRIVE(status, utet_map_find(&s->meta, &about, "coords", 6, &part));
    about = part;
    while (status == UTET_OK) {
        DRIVE(status, utet_value_next(&s->meta, &part, &key, &labels));
        if (status == UTET_OK) {
            size_t axis_length;
            char *axis = text_of(s, key, &axis_length);

            DRIVE_OK(utet_map_find(&s->meta, &about, axis, axis_length, &labels));
            DRIVE_OK(utet_map_find(&s->meta, &labels, "labels", 6, &labels));
            strcpy(facts.path, "label ");
            add_quoted(facts.path, name, length);
            strcat(facts.path, " ");
            add_quoted(facts.path, axis, axis_length);
            strcat(facts.path, " ");
            add_all(s, &labels);
            free(axis);
        }
    }
}

static void add_metadata(subject *s)
{
    static const char *const names[] = {"tool", "library_version", "created_at"};
    utet_value datasets = s->meta.datasets, key, item;
    utet_status status;
    unsigned i;

    for (i = 0; i < 3; i++) {
        DRIVE(status, utet_map_find(&s->meta, &s->meta.file_info, names[i], strlen(names[i]), &item));
        sprintf(facts.path, "file %s ", names[i]);
        if (status == UTET_OK)
            add_fact(s, item);
    }
    for (;;) {
        size_t length;
        char *name;

        DRIVE(status, utet_value_next(&s->meta, &datasets, &key, &item));
        if (status == UTET_END)
            return;
        suite_check(status == UTET_OK, "%s: %s", s->file->name, rig_status(status));
        name = text_of(s, key, &length);
        add_dataset(s, name, length);
        free(name);
    }
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void said_as_reference(subject *s, const golden_line *l)
{
    char hex[65];
    struct sha256 sum;
    uint64_t different = 0;
    size_t i;

    DRIVE_OK(utet_meta_open(&s->meta, &s->r.file));
    facts.count = 0;
    add_history(s);
    add_metadata(s);
    qsort(facts.lines, facts.count, sizeof *facts.lines, by_bytes);
    sha256_init(&sum);
    for (i = 0; i < facts.count; i++)
        if (i == 0 || strcmp(facts.lines[i], facts.lines[i - 1]) != 0) { /* keys that occur twice */
            sha256_add(&sum, facts.lines[i], strlen(facts.lines[i]));
            different++;
        }
    hash_end(&sum, hex);
    for (i = 0; i < facts.count; i++)
        free(facts.lines[i]);
    suite_check(different == number(l, 1) && strcmp(hex, l->word[2]) == 0, "%s: other facts (%llu, not %s)",
                s->file->name, (unsigned long long)different, l->word[1]);
}

/* ---- one case for each file and question ---- */

static void ask_metadata(void **state)
{
    ask_all(*state, "metadata", metadata_refused);
}

static void ask_limits(void **state)
{
    ask_all(*state, "limits", limits_exceeded);
}

static void ask_payloads(void **state)
{
    ask_all(*state, "payloads", payloads_beyond);
}

static void ask_tail(void **state)
{
    ask_all(*state, "footer", tail_refused);
}

static void ask_strict(void **state)
{
    ask_all(*state, "open", strict_as_reference);
}

static void ask_said(void **state)
{
    ask_all(*state, "said", said_as_reference);
}

static const struct question {
    const char *keyword;
    void (*ask)(void **state);
} questions[] = {
    {"metadata", ask_metadata}, {"limits", ask_limits}, {"payloads", ask_payloads},
    {"said", ask_said},         {"footer", ask_tail},   {"open", ask_strict},
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* `open`: only if opening succeeds and the writer of golden.txt knew it. */
static int asked(const golden_file *f, const char *keyword)
{
    const golden_line *l = golden_line_of(f, keyword);

    return l != NULL && (strcmp(keyword, "open") != 0 || strcmp(l->word[1], "OK") == 0);
}

int main(void)
{
    golden_list list = golden_load();
    struct CMUnitTest *cases = calloc(list.count * QUESTIONS, sizeof *cases);
    size_t n = 0, i;
    unsigned q;
    int result;

    if (cases == NULL)
        return 3;
    for (i = 0; i < list.count; i++)
        for (q = 0; q < QUESTIONS; q++)
            if (asked(&list.files[i], questions[q].keyword)) {
                char *name = malloc(strlen(list.files[i].name) + 20);

                if (name == NULL)
                    return 3;
                sprintf(name, "%s %s", questions[q].keyword, list.files[i].name);
                cases[n++] = (struct CMUnitTest){name, questions[q].ask, NULL, NULL, &list.files[i]};
            }
    result = suite_run("footer", cases, n);
    for (i = 0; i < n; i++)
        free((void *)(uintptr_t)cases[i].name);
    free(cases);
    free(facts.lines);
    golden_free(&list);
    return result;
}
