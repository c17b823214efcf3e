/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads the metadata into trees and prints them. */
#define _POSIX_C_SOURCE 200809L
#include "metadata.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NO_MEMORY UTET_E_SPACE /* the state of reading a tree */

void tree_end(tree *t)
{
    while (t->count > 0) {
        branch *const last = &t->branches[--t->count];

        free(last->key);
        tree_end(&last->value);
    }
    free(t->branches);
    free(t->text);
    memset(t, 0, sizeof *t);
}

static utet_status read_text(utet_meta *meta, utet_value text, char **to, size_t *length)
{
    utet_status status;

    *length = 0;
    if ((*to = malloc((size_t)text.size + 1)) == NULL)
        return NO_MEMORY;
    status = utet_text_read(meta, &text, *to, (size_t)text.size, length);
    (*to)[*length] = '\0';
    return status == UTET_END ? UTET_OK : status;
}

static branch *grow(tree *t)
{
    branch *more = t->branches;

    if ((t->count & (t->count - 1)) == 0) /* doubled at each power of two */
        more = realloc(more, (t->count == 0 ? 1 : t->count * 2) * sizeof *more);
    if (more == NULL)
        return NULL;
    t->branches = more;
    memset(&more[t->count], 0, sizeof *more);
    return &more[t->count++];
}

static int before(const char *a, size_t a_length, const char *b, size_t b_length)
{
    const size_t both = a_length < b_length ? a_length : b_length;
    const int order = both > 0 ? memcmp(a, b, both) : 0;

    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int by_key(const void *a, const void *b)
{
    const branch *const x = a;
    const branch *const y = b;
    const int order = before(x->key, x->key_length, y->key, y->key_length);

    if (order != 0)
        return order;
    return x->value.length < y->value.length ? -1 : 1; /* positions of the entries while they are sorted */
}

/* Sorts entries by key, and keeps only the last of equal keys. */
static int sort(tree *map)
{
    size_t *lengths = malloc((map->count + 1) * sizeof *lengths);
    size_t i;
    size_t kept = 0;

    if (lengths == NULL)
        return 0;
    for (i = 0; i < map->count; i++) { /* qsort is not stable, so lengths hold the positions during the sort */
        lengths[i] = map->branches[i].value.length;
        map->branches[i].value.length = i;
    }
    if (map->count > 1)
        qsort(map->branches, map->count, sizeof *map->branches, by_key);
    for (i = 0; i < map->count; i++)
        map->branches[i].value.length = lengths[map->branches[i].value.length];
    free(lengths);
    for (i = 0; i < map->count; i++) {
        branch *const one = &map->branches[i];

        if (i + 1 < map->count && before(one->key, one->key_length, one[1].key, one[1].key_length) == 0) {
            free(one->key);
            tree_end(&one->value);
        } else {
            map->branches[kept++] = *one;
        }
    }
    map->count = kept;
    return 1;
}

static utet_status read_tree(utet_meta *meta, utet_value value, tree *t)
{
    utet_status status = UTET_OK;
    utet_value key;
    utet_value item;

    t->kind = value.kind;
    if (value.kind == UTET_VALUE_TEXT)
        return read_text(meta, value, &t->text, &t->length);
    if (value.kind != UTET_VALUE_LIST && value.kind != UTET_VALUE_MAP) {
        t->kind = UTET_VALUE_NONE;
        return UTET_OK;
    }
    while (status == UTET_OK && (status = utet_value_next(meta, &value, &key, &item)) == UTET_OK) {
        branch *const next = grow(t);

        if (next == NULL)
            return NO_MEMORY;
        if (t->kind == UTET_VALUE_MAP)
            status = read_text(meta, key, &next->key, &next->key_length);
        if (status == UTET_OK)
            status = read_tree(meta, item, &next->value);
    }
    if (status == UTET_END)
        status = t->kind != UTET_VALUE_MAP || sort(t) ? UTET_OK : NO_MEMORY;
    return status;
}

/* ---- history ---- */

static const char *const fields[UTET_EVENT_FIELDS] = {"op",     "source", "at",       "parents",
                                                      "params", "agent",  "activity", "entity"};

/* Reads an event as a map, so that events of older versions look the same. */
static utet_status read_event(utet_meta *meta, const utet_event *event, tree *t)
{
    utet_status status = UTET_OK;
    unsigned i;

    t->kind = UTET_VALUE_MAP;
    for (i = 0; i < UTET_EVENT_FIELDS && status == UTET_OK; i++) {
        branch *next;

        if (event->field[i].kind == UTET_VALUE_NONE)
            continue;
        next = grow(t);
        if (next == NULL)
            return NO_MEMORY;
        next->key_length = strlen(fields[i]);
        next->key = malloc(next->key_length + 1);
        if (next->key == NULL)
            return NO_MEMORY;
        strcpy(next->key, fields[i]);
        status = read_tree(meta, event->field[i], &next->value);
    }
    return status == UTET_OK && !sort(t) ? NO_MEMORY : status;
}

static utet_status read_history(utet_meta *meta, tree *t)
{
    utet_value history = meta->history;
    utet_event event;
    utet_status status;

    t->kind = UTET_VALUE_LIST;
    while ((status = utet_event_next(meta, &history, &event)) == UTET_OK) {
        branch *const next = grow(t);

        status = next == NULL ? NO_MEMORY : read_event(meta, &event, &next->value);
        if (status != UTET_OK)
            return status;
    }
    return status == UTET_END ? UTET_OK : status;
}

/* Finds the fault for which the reference refuses the file. */
static int is_refusal(utet_status status)
{
    return status == UTET_E_FOOTER || status == UTET_E_FOOTER_VERSION || status == UTET_E_METADATA ||
           status == UTET_E_ROW;
}

void metadata_judge(metadata *m, source *s)
{
    m->status = utet_meta_strict(&m->meta);
    m->offset = s->file.error_offset;
}

int metadata_strict(source *s)
{
    metadata m;

    (void)utet_meta_open(&m.meta, &s->file); /* utet_meta_strict knows what it returned */
    metadata_judge(&m, s);
    return m.status == UTET_OK ? TOOL_OK : metadata_fail(&m, s);
}

int metadata_read(metadata *m, source *s)
{
    utet_status status;

    memset(m, 0, sizeof *m);
    status = utet_meta_open(&m->meta, &s->file);
    m->status = status;
    m->offset = s->file.error_offset;
    if (is_refusal(status))
        return TOOL_OK;
    if (status == UTET_OK)
        status = read_history(&m->meta, &m->history);
    if (status == UTET_OK)
        status = read_tree(&m->meta, m->meta.file_info, &m->file);
    if (status == UTET_OK)
        status = read_tree(&m->meta, m->meta.datasets, &m->datasets);
    if (status == UTET_OK)
        return TOOL_OK;
    metadata_end(m);
    return status == NO_MEMORY ? fail(s->path, "metadata", NO_OFFSET, "not enough memory") : source_fail(s, status);
}

void metadata_end(metadata *m)
{
    tree_end(&m->history);
    tree_end(&m->file);
    tree_end(&m->datasets);
}

int metadata_fail(const metadata *m, source *s)
{
    uint64_t offset = m->offset;
    char words[FAULT_WORDS];

    if (!is_refusal(m->status))
        return source_fail(s, m->status);
    if (m->status == UTET_E_FOOTER || m->status == UTET_E_FOOTER_VERSION)
        offset = s->port.io.size - FOOTER_TAIL_BYTES;
    return fail(s->path, region_of(m->status), offset, "%s",
                fault_words(words, s, m->status, offset, m->meta.payload_limit));
}

size_t tree_place(const tree *map, const char *key, size_t length)
{
    size_t low = 0;
    size_t high = map->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (before(map->branches[middle].key, map->branches[middle].key_length, key, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const tree *tree_at(const tree *map, const char *key, size_t length)
{
    const size_t place = map->kind == UTET_VALUE_MAP ? tree_place(map, key, length) : map->count;
    const branch *const one = place < map->count ? &map->branches[place] : NULL;

    if (one == NULL || before(one->key, one->key_length, key, length) != 0 || one->value.kind == UTET_VALUE_NONE)
        return NULL;
    return &one->value;
}

static const tree *at(const tree *map, const char *key)
{
    return tree_at(map, key, strlen(key));
}

/* ---- JSON ---- */

void tree_json(FILE *out, const tree *t, int (*without)(const char *key))
{
    const char *comma = "";
    size_t i;

    if (t->kind == UTET_VALUE_TEXT) {
        json_text(out, t->text, t->length);
        return;
    }
    putc(t->kind == UTET_VALUE_MAP ? '{' : '[', out);
    for (i = 0; i < t->count; i++) {
        if (t->kind == UTET_VALUE_MAP && without != NULL && without(t->branches[i].key))
            continue;
        fputs(comma, out);
        comma = ",";
        if (t->kind == UTET_VALUE_MAP) {
            json_text(out, t->branches[i].key, t->branches[i].key_length);
            putc(':', out);
        }
        tree_json(out, &t->branches[i].value, NULL);
    }
    putc(t->kind == UTET_VALUE_MAP ? '}' : ']', out);
}

/* Writes the known keys of an object, in the given order. `rarely`: the keys that are omitted if they are empty. */
static void put_known(const tree *map, const char *const *keys, size_t count, const char *rarely)
{
    const char *comma = "";
    size_t i;

    putchar('{');
    for (i = 0; i < count; i++) {
        const tree *const value = at(map, keys[i]);

        if (value == NULL || (value->kind != UTET_VALUE_TEXT && value->count == 0 && strstr(rarely, keys[i]) != NULL))
            continue;
        printf("%s\"%s\":", comma, keys[i]);
        comma = ",";
        if (strcmp(keys[i], "coords") == 0) { /* only the labels of each axis */
            static const char *const labels[1] = {"labels"};
            size_t k;

            putchar('{');
            for (k = 0; k < value->count; k++) {
                if (k > 0)
                    putchar(',');
                json_text(stdout, value->branches[k].key, value->branches[k].key_length);
                putchar(':');
                put_known(&value->branches[k].value, labels, 1, "");
            }
            putchar('}');
        } else {
            tree_json(stdout, value, NULL);
        }
    }
    putchar('}');
}

void metadata_json(const metadata *m)
{
    static const char *const event[UTET_EVENT_FIELDS] = {"activity", "agent",  "at",      "entity",
                                                         "op",       "params", "parents", "source"};
    static const char *const file[3] = {"created_at", "library_version", "tool"};
    static const char *const dataset[3] = {"attrs", "coords", "dim_names"};
    size_t i;

    fputs(",\"history\":[", stdout);
    for (i = 0; i < m->history.count; i++) {
        if (i > 0)
            putchar(',');
        put_known(&m->history.branches[i].value, event, UTET_EVENT_FIELDS, "parents params");
    }
    fputs("],\"metadata\":{", stdout);
    if (m->datasets.count > 0) {
        fputs("\"datasets\":{", stdout);
        for (i = 0; i < m->datasets.count; i++) {
            if (i > 0)
                putchar(',');
            json_text(stdout, m->datasets.branches[i].key, m->datasets.branches[i].key_length);
            putchar(':');
            put_known(&m->datasets.branches[i].value, dataset, 3, "attrs");
        }
        putchar('}');
    }
    if (m->file.kind == UTET_VALUE_MAP) {
        fputs(m->datasets.count > 0 ? ",\"file\":" : "\"file\":", stdout);
        put_known(&m->file, file, 3, "");
    }
    putchar('}');
}

/* ---- as text ---- */

#define SHOWN 60 /* maximum length of a text in a table, in bytes */

/* Writes a text, truncated if it is long. */
static void cell(table *t, const char *text, size_t length)
{
    char cut[SHOWN + 4];
    size_t keep = SHOWN;

    if (length <= SHOWN) {
        table_text(t, text, length);
        return;
    }
    while (keep > 0 && ((unsigned char)text[keep] & 0xC0) == 0x80)
        keep--; /* complete characters */
    memcpy(cut, text, keep);
    memcpy(cut + keep, "...", 3);
    table_text(t, cut, keep + 3);
}

/* Writes the first texts of a list, separated by commas. */
static void cell_list(table *t, const tree *list)
{
    char text[SHOWN + 2];
    size_t length = 0;
    size_t i;

    for (i = 0; list != NULL && i < list->count && length <= SHOWN; i++) {
        const tree *const one = &list->branches[i].value;
        size_t size = one->length;

        if (i > 0 && length + 2 <= SHOWN) {
            memcpy(text + length, ", ", 2);
            length += 2;
        }
        if (size > sizeof text - length)
            size = sizeof text - length;
        memcpy(text + length, one->text, size);
        length += size;
    }
    cell(t, text, length);
}

/* Writes seconds since 1970 as a date, and any other text unchanged. */
static const char *as_date(const char *key, const char *text, char date[64])
{
    char *end;
    const long long seconds = strtoll(text, &end, 10);
    const time_t t = (time_t)seconds;
    struct tm broken;

    if ((strcmp(key, "created_at") != 0 && strcmp(key, "at") != 0) || end == text || *end != '\0' || seconds < 0 ||
        seconds > 253402300799LL || gmtime_r(&t, &broken) == NULL)
        return text;
    (void)strftime(date, 64, "%Y-%m-%d %H:%M:%S UTC", &broken);
    return date;
}

static void text_history(const metadata *m)
{
    table t;
    size_t i;

    printf("\nhistory, %zu event%s\n", m->history.count, m->history.count == 1 ? "" : "s");
    table_begin(&t, "lllll");
    for (i = 0; i < m->history.count; i++) {
        const tree *const event = &m->history.branches[i].value;
        const tree *const agent = at(event, "agent");
        unsigned f;

        table_cell(&t, "");
        for (f = UTET_EVENT_OP; f <= UTET_EVENT_AT; f++) {
            const tree *const value = at(event, fields[f]);
            char date[64];
            const char *const text = as_date(fields[f], value->text, date);

            cell(&t, text, text == date ? strlen(date) : value->length);
        }
        cell(&t, agent != NULL ? agent->text : "", agent != NULL ? agent->length : 0);
    }
    (void)table_end(&t);
}

static void row(table *t, const char *first, size_t first_length, const char *second, size_t second_length)
{
    table_cell(t, "");
    cell(t, first, first_length);
    cell(t, second, second_length);
}

static void text_map(table *t, const tree *map, const char *prefix)
{
    size_t i;

    for (i = 0; map != NULL && i < map->count; i++) {
        const branch *const one = &map->branches[i];
        const tree *const labels = at(&one->value, "labels");
        char count[40];

        table_cell(t, prefix);
        cell(t, one->key, one->key_length);
        if (one->value.kind == UTET_VALUE_TEXT) {
            cell(t, one->value.text, one->value.length);
            table_cell(t, "");
        } else {
            cell_list(t, labels);
            (void)snprintf(count, sizeof count, "%zu label%s", labels != NULL ? labels->count : 0,
                           labels != NULL && labels->count == 1 ? "" : "s");
            table_cell(t, count);
        }
    }
}

void metadata_text(const metadata *m)
{
    table t;
    size_t i;

    if (m->history.count > 0)
        text_history(m);
    if (m->file.count > 0) {
        puts("\nfile");
        table_begin(&t, "lll");
        for (i = 0; i < m->file.count; i++)
            if (m->file.branches[i].value.kind == UTET_VALUE_TEXT) {
                char date[64];
                const char *const value = as_date(m->file.branches[i].key, m->file.branches[i].value.text, date);

                row(&t, m->file.branches[i].key, m->file.branches[i].key_length, value,
                    value == date ? strlen(date) : m->file.branches[i].value.length);
            }
        (void)table_end(&t);
    }
    for (i = 0; i < m->datasets.count; i++) {
        const branch *const one = &m->datasets.branches[i];
        const tree *const names = at(&one->value, "dim_names");

        fputs("\nmetadata of ", stdout);
        put_safely(stdout, one->key, one->key_length);
        putchar('\n');
        table_begin(&t, "llll");
        if (names != NULL) {
            table_cell(&t, "axes");
            cell_list(&t, names);
            table_cell(&t, "");
            table_cell(&t, "");
        }
        text_map(&t, at(&one->value, "attrs"), "attribute");
        text_map(&t, at(&one->value, "coords"), "labels");
        (void)table_end(&t);
    }
}
