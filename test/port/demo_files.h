/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The demonstration's files (folder FILES) as the host has them, to be compared with what a port to a file system
 * delivers. */
#ifndef DEMO_FILES_H
#define DEMO_FILES_H

#include "utet.h"

enum { DEMO_FILES = 4, DEMO_MOST = 1 << 18 /* bytes of a file */ };
extern const char *const demo_files[DEMO_FILES];
extern const utet_codec *const demo_codecs[];

/* The value of an environment variable, which must be set. */
const char *demo_folder(const char *variable);
/* The bytes of a file, until the next call. */
const uint8_t *demo_file(const char *name, size_t *size);
/* Makes requests as the library may make them, each until it is complete, and checks each answer. */
utet_status demo_read(const utet_io *io, uint64_t offset, uint8_t *to, size_t length);
/* Compares the whole port, and 300 random ranges of whole units, with `truth`. */
void demo_compare(const utet_io *io, const uint8_t *truth, size_t size, const char *what);
/* SHA-256 of dataset 0 of an open file. */
utet_status demo_digest(utet_file *file, char hex[65]);
/* The expected digest for `name`, from digests.txt next to the files. */
void demo_expected(const char *name, char hex[65]);

#endif
