/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The text of --meta: one JSON object whose keys are all known where the format names them, and there once. The library
 * skips unknown keys, as the format requires of a reader; in a file for --meta they are mistakes, and would be lost.
 * The library then checks that it is JSON of the right kinds. */
#define _XOPEN_SOURCE 700
#include "shared/near.h"
#include "pack.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST 128u

typedef struct key {
    size_t at;
    size_t length;
} key;

typedef struct scan {
    const char *path;
    const char *text;
    size_t length;
    size_t at;
    key *keys; /* keys of all open objects, outermost first */
    size_t count;
    size_t room;
    size_t first[DEEPEST + 1]; /* key of the object at this depth */
    char list[DEEPEST + 1];    /* it is a list */
    unsigned depth;
} scan;

static int wrong(const scan *s, size_t at, const char *words)
{
    return fail(s->path, "metadata", at, "%s", words);
}

static void skip_blanks(scan *s)
{
    while (s->at < s->length && strchr(" \t\n\r", s->text[s->at]) != NULL && s->text[s->at] != '\0')
        s->at++;
}

/* Behind the closing quotation mark of the string at s->at; 0: there is none. */
static int skip_string(scan *s)
{
    for (s->at++; s->at < s->length && s->text[s->at] != '"'; s->at++)
        s->at += s->text[s->at] == '\\';
    return s->at++ < s->length;
}

static int is_key(const scan *s, const key *k, const char *word)
{
    return k->length == strlen(word) && memcmp(s->text + k->at, word, k->length) == 0;
}

/* The key of the object at this depth. */
static const key *owner(const scan *s, unsigned depth)
{
    return &s->keys[s->first[depth] - 1];
}

/* Returns nonzero if the newest key is one that its object may have. */
static int judge_key(const scan *s)
{
    static const char *const top[] = {"datasets", "file", NULL};
    static const char *const dataset[] = {"attrs", "coords", "dim_names", NULL};
    static const char *const coords[] = {"labels", NULL};
    const key *const newest = &s->keys[s->count - 1];
    const char *const *known = NULL;
    near_name near;
    char words[96];
    size_t i;

    for (i = s->first[s->depth]; i + 1 < s->count; i++)
        if (s->keys[i].length == newest->length &&
            memcmp(s->text + s->keys[i].at, s->text + newest->at, newest->length) == 0)
            return fail(s->path, "metadata", newest->at, "the key \"%.*s\" is given twice",
                        (int)(newest->length < 60 ? newest->length : 60), s->text + newest->at);
    if (s->depth == 1)
        known = top;
    else if (s->depth == 3 && is_key(s, owner(s, 2), "datasets"))
        known = dataset;
    else if (s->depth == 5 && is_key(s, owner(s, 2), "datasets") && is_key(s, owner(s, 4), "coords"))
        known = coords;
    if (known == NULL)
        return TOOL_OK;
    near_begin(&near, s->text + newest->at, newest->length);
    for (i = 0; known[i] != NULL; i++) {
        if (is_key(s, newest, known[i]))
            return TOOL_OK;
        near_add(&near, known[i], strlen(known[i]));
    }
    return fail(s->path, "metadata", newest->at, "unknown key \"%.*s\"%s%s",
                (int)(newest->length < 60 ? newest->length : 60), s->text + newest->at, near_words(&near, words),
                s->depth == 1 ? "; expected {\"datasets\":{\"NAME\":{…}}}" : "");
}

static int take_key(scan *s)
{
    const size_t at = s->at + 1;

    if (s->at >= s->length || s->text[s->at] != '"' || !skip_string(s))
        return wrong(s, s->at, "not JSON: a key in quotation marks is missing");
    if (s->count == s->room) {
        key *const more = realloc(s->keys, (s->room * 2 + 64) * sizeof *more);

        if (more == NULL)
            return fail(s->path, NULL, NO_OFFSET, "not enough memory");
        s->keys = more;
        s->room = s->room * 2 + 64;
    }
    s->keys[s->count].at = at;
    s->keys[s->count++].length = s->at - 1 - at;
    if (judge_key(s) != TOOL_OK)
        return TOOL_ERROR;
    skip_blanks(s);
    if (s->at >= s->length || s->text[s->at++] != ':')
        return wrong(s, s->at, "not JSON: a colon is missing after a key");
    return TOOL_OK;
}

static int open_value(scan *s, int list)
{
    if (s->depth == DEEPEST)
        return wrong(s, s->at, "nested deeper than 128 lists and objects");
    s->depth++;
    s->list[s->depth] = (char)list;
    s->first[s->depth] = s->count;
    s->at++;
    skip_blanks(s);
    return list || (s->at < s->length && s->text[s->at] == '}') ? TOOL_OK : take_key(s);
}

/* One value up to what follows it: brackets, commas, texts, and the signs of all others. */
static int step(scan *s)
{
    const char c = s->text[s->at];

    if (c == '{' || c == '[')
        return open_value(s, c == '[');
    if (c == '}' || c == ']') {
        s->count = s->first[s->depth--];
        s->at++;
        return TOOL_OK;
    }
    if (c == '"')
        return skip_string(s) ? TOOL_OK : wrong(s, s->at, "not JSON: unterminated text");
    s->at++;
    if (c != ',' || s->list[s->depth])
        return TOOL_OK;
    skip_blanks(s);
    return take_key(s);
}

int pack_given_check(const char *path, const char *text, size_t length)
{
    scan s;
    int result;

    memset(&s, 0, sizeof s);
    s.path = path;
    s.text = text;
    s.length = length;
    skip_blanks(&s);
    if (s.at >= length || text[s.at] != '{')
        return wrong(&s, s.at, "not a JSON object such as {\"datasets\":{\"NAME\":{\"attrs\":{…}}}}");
    do {
        result = step(&s);
        skip_blanks(&s);
    } while (result == TOOL_OK && s.depth > 0 && s.at < length);
    free(s.keys);
    if (result == TOOL_OK && (s.depth > 0 || s.at < length))
        return wrong(&s, s.at, s.depth > 0 ? "not JSON: its end is missing" : "text after the JSON object");
    return result;
}
