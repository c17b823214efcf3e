/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the JSON reader over the documents of a file (each: its length in decimal, a newline, the bytes), and prints a
 * line for each: the tokens as json_test.py writes them, "!OFFSET" where the document is refused, and after " | " the
 * keys and texts as the lenient mode reads them. Each document is read twice: mapped, between unmapped pages; and
 * through a window, one byte at a time with "not yet" before each. Both must give the same line.
 */
#include "tet/json/json.h"
#include "rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEFORE 3u /* bytes of the file before the document, and after it */

typedef struct line {
    char *text;
    size_t length, room;
} line;

static void put(line *l, const char *text)
{
    size_t length = strlen(text);

    if (l->length + length + 1 > l->room) {
        l->room = (l->length + length + 1) * 2;
        l->text = realloc(l->text, l->room);
        if (l->text == NULL)
            abort();
    }
    memcpy(l->text + l->length, text, length + 1);
    l->length += length;
}

static void put_hex(line *l, unsigned byte)
{
    char text[3];

    (void)snprintf(text, sizeof text, "%02x", byte);
    put(l, text);
}

/* The characters of a text, decoded again one at a time. */
static void put_text(line *l, utet_file *file, const utet_json *json)
{
    utet_json at = *json;
    uint64_t made = 0;

    at.next = json->token_start + 1;
    while (at.next < json->next - 1) {
        utet_character c = {{0, 0, 0, 0}, 0, 0};
        utet_status status;
        unsigned i;

        DRIVE(status, utet_json_character(file, &at, &c));
        suite_check(status == UTET_OK, "a text that was accepted is refused");
        for (i = 0; i < c.made; i++, made++) {
            put_hex(l, c.bytes[i]);
            suite_check(made >= UTET_JSON_HEAD || (uint8_t)json->head[made] == c.bytes[i], "the head differs");
        }
        at.next += c.used;
    }
    suite_check(made == json->text_length, "a text is longer or shorter than counted");
}

static void put_number(line *l, const utet_json *json, const uint8_t *bytes)
{
    char text[64];
    uint32_t i;

    for (i = json->token_start; i < json->next; i++) {
        text[0] = (char)bytes[json->base + i];
        text[1] = '\0';
        put(l, text);
    }
    if (utet_json_is_u64(json)) {
        (void)snprintf(text, sizeof text, "u%" PRIu64, json->number);
        put(l, text);
    }
    if (utet_json_is_i64(json)) {
        (void)snprintf(text, sizeof text, "i%s%" PRIu64, json->negative ? "-" : "", json->number);
        put(l, text);
    }
}

static void read_document(line *l, rig *r, const uint8_t *bytes, uint64_t length, uint8_t mode)
{
    static const char marks[] = "n[{T#f)$"; /* by token */
    static utet_json json;

    memset(&json, 0xA5, sizeof json);
    utet_json_begin(&json, (uint32_t)length, BEFORE);
    for (;;) {
        utet_status status;
        char mark[2] = {0, 0};
        utet_json kept;

        json.checks = mode;
        DRIVE(status, utet_json_next(&r->file, &json));
        if (status != UTET_OK) {
            char text[32];

            suite_check(status == UTET_E_METADATA, "status %s", rig_status(status));
            (void)snprintf(text, sizeof text, "!%" PRIu64, r->file.error_offset - BEFORE);
            put(l, text);
            return;
        }
        suite_check(json.next <= json.end && json.token_start <= json.next, "offsets");
        if (mode != JSON_STRICT && json.token != JSON_KEY && json.token != JSON_TEXT) {
            if (json.token == JSON_END)
                return;
            continue;
        }
        mark[0] = json.token == JSON_KEY ? 'K' : marks[json.token];
        if (json.token == JSON_BOOLEAN && json.number != 0)
            mark[0] = 't';
        put(l, mark);
        kept = json;
        if (json.token == JSON_KEY || json.token == JSON_TEXT)
            put_text(l, &r->file, &kept);
        if (json.token == JSON_NUMBER)
            put_number(l, &kept, bytes);
        put(l, " ");
        if (json.token == JSON_END)
            return;
    }
}

static char *run(const uint8_t *bytes, uint64_t length, int drips)
{
    static rig r;
    line l = {NULL, 0, 0};
    utet_status status;

    rig_make(&r, bytes, length + 2 * BEFORE, -1);
    if (drips) {
        r.port.slice = 1;
        r.port.blocks = 1;
        r.work = guard_new(UTET_WINDOW_LEAST(1), 8, GUARD_AFTER);
        faultport_zone(&r.port, 0, r.work.data, r.work.size);
    } else {
        faultport_map(&r.port);
    }
    status = utet_init(&r.file, &r.port.io, r.work.data, r.work.size, NULL);
    suite_check(status == UTET_OK, "init");
    read_document(&l, &r, bytes, length, JSON_STRICT);
    put(&l, " | ");
    read_document(&l, &r, bytes, length, JSON_LENIENT);
    if (drips)
        rig_end(&r, "json");
    return l.text;
}

int main(int argc, char **argv)
{
    FILE *in = fopen(argv[argc - 1], "rb");
    unsigned long length, count = 0;

    if (in == NULL) {
        perror(argv[argc - 1]);
        return 1;
    }
    while (fscanf(in, "%lu", &length) == 1 && getc(in) == '\n') {
        guard g = guard_new(length + 2 * BEFORE, 1, (count & 1) != 0 ? GUARD_AFTER : GUARD_BEFORE);
        char *first;

        memset(g.data, '"', g.size);
        if (fread(g.data + BEFORE, 1, length, in) != length)
            return 1;
        first = run(g.data, length, 0);
        if (count % 8 == 0 || length < 64) {
            char *second = run(g.data, length, 1);

            if (strcmp(first, second) != 0)
                printf("DIFFERS when read slowly: %s\n", second);
            free(second);
        }
        puts(first);
        free(first);
        guard_free(&g);
        count++;
    }
    (void)fclose(in);
    return 0;
}
