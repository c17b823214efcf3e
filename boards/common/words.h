/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The words with which a firmware was started. Uses print.h and semihost.h. */
#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>

/* Calls `each` for every word of the command line except the program's name; instead of a word @LIST for every line of
 * that file of the host, up to 159 bytes long. Returns 0, or -1 when there is no command line or such a file. */
int words_each(void (*each)(const char *word));

/* Sums over the files that the words name. */
typedef struct words_sums {
    uint32_t files, read, refused, errors;
} words_sums;

/* The main of a program that reads a file for each word: calls words_each, then prints a line `done` with the sums, in
 * which 0 represents files that are too large. Returns main's exit code. */
int words_main(void (*each)(const char *word), const words_sums *sums);

#endif
