/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The words that a firmware was started with. Relies on semihost.h. */
#ifndef WORDS_H
#define WORDS_H

/* Calls `each` for every word of the command line but the program's name; instead of a word @LIST for every line of
 * that file of the host, up to 159 bytes long. Returns 0, or -1 when there is no command line or such a file. */
int words_each(void (*each)(const char *word));

#endif
