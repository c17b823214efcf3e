/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The golden list (golden.txt, grammar in README.md) for suites in C: files, each with its lines split into words. A
 * suite ignores keywords that it does not know, so that others can add their own.
 */
#ifndef TEST_GOLDEN_LIST_H
#define TEST_GOLDEN_LIST_H

#include <stddef.h>
#include <stdint.h>

enum { GOLDEN_WORDS = 12 };

typedef struct golden_line {
    const char *word[GOLDEN_WORDS]; /* word[0] is the keyword; NULL after the last word */
} golden_line;

typedef struct golden_file {
    const char *where, *name, *sha256;
    uint64_t size;
    int good;
    golden_line *lines;
    size_t line_count;
} golden_file;

typedef struct golden_list {
    golden_file *files;
    size_t count;
    char *priv_text;
    golden_line *priv_lines;
} golden_list;

/* Reads TEST_ROOT/golden/golden.txt; ends the program when it is not there or not as said. */
golden_list golden_load(void);
void golden_free(golden_list *list);

/* The bytes of a file, malloc'ed with its exact size; NULL if it is in the shared folder and that is absent. */
uint8_t *golden_bytes(const golden_file *f, char why[300]);

/* First line of a keyword, null = none; and the next one after it. */
const golden_line *golden_line_of(const golden_file *f, const char *keyword);
const golden_line *golden_next(const golden_file *f, const golden_line *line);
/* 1 when `name` is among the comma-separated words of `list`. */
int golden_among(const char *list, const char *name);
/* 1 if the fault is in the footer's JSON or in what it refers to: only utet_meta.h finds it. */
int golden_footer_fault(const golden_file *f);
/* Numbers separated by 'x' or ':'; returns how many (at most room). */
unsigned golden_numbers(const char *text, uint64_t *numbers, unsigned room);
/* A quoted name into bytes; returns its length. */
size_t golden_name(const char *quoted, char *name, size_t room);

#endif
