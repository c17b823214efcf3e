/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads everything in files of TileDB arrays on the host, and prints a digest of each: in 36,000 bytes of
 * workspace, and in less than 40 KB of RAM with all objects and the stack.
 *
 *   arrays [codec=gzip] FILE… | @LIST…     LIST: a text file with one file name per line
 *
 * A file's name determines its kind: *.schema a schema, *meta* metadata of an array, any other an enumeration. Files in
 * a folder `good` must be readable; a file that is not is an error, as is an answer that contradicts another.
 *
 * Lines are tab-separated; statuses are numbers, 0 = well:
 *   file  NAME  STATUS  DIGEST, or 0 where the status is not 0
 *   done  FILES  READ  REFUSED  0  ERRORS
 * The exit code is 0 if there was no error.
 *
 * Relies on port/semihosting, words.h, tiledb_walk.h. */
#include "print.h"
#include "tiledb_walk.h"
#include "utet_semihosting.h"
#include "words.h"

#include <string.h>

#define WORK 36000u /* a tile of any size, with 32 KB of history */
#define STACK 2048u /* as in the boards' linker scripts */
#define MOST 40960u

static const utet_tiledb_codec *const codecs[] = {&utet_tiledb_gzip, NULL};
static const utet_tiledb_options options = {codecs, 0};

static struct {
    uint64_t work[WORK / sizeof(uint64_t)];
    utet_semihosting port;
    utet_file file;
    tiledb_walk walk;
} all;

#if SIZE_MAX <= 0xFFFFFFFF
extern char in_40_kb[sizeof all + STACK <= MOST ? 1 : -1];
#endif

static words_sums total;

static void report(const char *name)
{
    const int kind = strstr(name, ".schema") != NULL ? TILEDB_WALK_SCHEMA
                     : strstr(name, "meta") != NULL  ? TILEDB_WALK_METADATA
                     : strstr(name, "group") != NULL ? TILEDB_WALK_GROUP
                                                     : TILEDB_WALK_ENUMERATION;
    utet_status status;

    if (strncmp(name, "codec=", 6) == 0)
        return; /* gzip, always */
    status = utet_semihosting_open(&all.port, name);
    all.walk.mistakes = 0;
    if (status == UTET_OK)
        status = utet_init(&all.file, &all.port.io, all.work, sizeof all.work, NULL);
    if (status == UTET_OK) {
        tiledb_walk_all(&all.walk, &all.file, &options, kind, 1);
        status = all.walk.status;
    }
    utet_semihosting_close(&all.port);
    total.files++;
    if (status == UTET_OK)
        total.read++;
    else
        total.refused++;
    if (all.walk.mistakes != 0 || (strstr(name, "/good/") != NULL && status != UTET_OK))
        total.errors++;
    print_text("file\t");
    print_text(name);
    print_char('\t');
    print_i64(status);
    print_field(status == UTET_OK ? all.walk.digest : 0);
    print_char('\n');
}

int main(void)
{
    return words_main(report, &total);
}
