/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* -w KEY=A/B chooses messages whose value at KEY is A or B; -w KEY!=A/B chooses those with another value or no value.
 * -p KEYS prints the values at KEYS. Values and paths have the form of the reference's command line (tensogram_words.c,
 * tensogram_paths.c). */
#define _POSIX_C_SOURCE 200809L
#include "tensogram.h"

#include <stdlib.h>
#include <string.h>

utet_status paths_words(messages *m, const paths *p, const char *path, size_t path_length, char **text, size_t *length)
{
    utet_status status = UTET_OK;
    uint64_t offset;
    uint64_t end;

    *text = NULL;
    if (path_length == 7 && memcmp(path, "version", 7) == 0) {
        *text = strdup("3"); /* version of the wire format; the path of a key with this name is extra.version */
        *length = 1;
        return *text != NULL ? UTET_OK : UTET_E_BUDGET;
    }
    if (paths_find(p, path, path_length, &offset, &end))
        *text = value_words(m, offset, end, length, &status);
    return status;
}

const char *where_operator(const char *clause)
{
    const char *const differs = strstr(clause, "!=");

    return differs != NULL ? differs : strchr(clause, '=');
}

/* Returns nonzero if `text` is one of the values, which are separated by slashes. */
static int is_among(const char *text, size_t length, const char *values)
{
    for (;;) {
        const size_t some = strcspn(values, "/");

        if (some == length && memcmp(values, text, length) == 0)
            return 1;
        if (values[some] == '\0')
            return 0;
        values += some + 1;
    }
}

static utet_status passes_one(messages *m, const paths *p, const char *clause, int *passes)
{
    const char *const at = where_operator(clause);
    const int negated = *at == '!';
    char *text;
    size_t length = 0;
    const utet_status status = paths_words(m, p, clause, (size_t)(at - clause), &text, &length);

    *passes = (text != NULL && is_among(text, length, at + 1 + negated)) != negated;
    free(text);
    return status;
}

utet_status where_passes(messages *m, const paths *p, const options *opt, int *passes)
{
    utet_status status = UTET_OK;
    int i;

    *passes = 1;
    for (i = 0; i < opt->where_count && *passes && status == UTET_OK; i++)
        status = passes_one(m, p, opt->where[i], passes);
    return status;
}

/* Returns the next key of a comma-separated list without the blanks around it, and advances *keys, to NULL after the
 * last key. */
static const char *next_key(const char **keys, size_t *length)
{
    static const char blanks[] = " \t\n\v\f\r";
    const char *key = *keys;
    const size_t some = strcspn(key, ",");

    *keys = key[some] != '\0' ? key + some + 1 : NULL;
    *length = some;
    while (*length != 0 && strchr(blanks, *key) != NULL) {
        key++;
        --*length;
    }
    while (*length != 0 && strchr(blanks, key[*length - 1]) != NULL)
        --*length;
    return key;
}

char *keys_once(const char *keys)
{
    char *const once = malloc(strlen(keys) + 2);
    size_t written = 0;

    while (once != NULL && keys != NULL) {
        size_t length;
        const char *const key = next_key(&keys, &length);
        size_t at = 0;

        once[written] = '\0';
        while (at < written && (strcspn(once + at, ",") != length || memcmp(once + at, key, length) != 0))
            at += strcspn(once + at, ",") + 1;
        if (at < written)
            continue;
        memcpy(once + written, key, length);
        written += length;
        once[written++] = ',';
    }
    if (once != NULL)
        once[written - 1] = '\0'; /* the list has one or more keys, which may be empty */
    return once;
}

utet_status put_keys(messages *m, const paths *p, const char *keys, int as_json)
{
    const char *separator = "";
    utet_status status = UTET_OK;

    if (as_json)
        putchar('{');
    while (keys != NULL && status == UTET_OK) {
        size_t key_length;
        size_t length = 0;
        const char *const key = next_key(&keys, &key_length);
        char *text;

        status = paths_words(m, p, key, key_length, &text, &length);
        if (status == UTET_OK && as_json && text != NULL) {
            fputs(separator, stdout);
            json_text(stdout, key, key_length);
            putchar(':');
            json_text(stdout, text, length);
            separator = ",";
        } else if (status == UTET_OK && !as_json) {
            fputs(separator, stdout);
            put_safely(stdout, text != NULL ? text : "N/A", text != NULL ? length : 3);
            separator = "\t";
        }
        free(text);
    }
    if (as_json)
        putchar('}');
    return status;
}
