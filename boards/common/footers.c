/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads everything in the footers of .tet files of the host, in a workspace of 1 KB, and prints a digest
 * of it.
 *
 *   footers FILE… | @LIST…     LIST: a text file with one file name per line
 *
 * Lines are tab-separated; statuses are numbers, 0 = well; sizes in bytes:
 *   meta  NAME  STATUS  HIGH-WATER  VALUES  BYTES OF TEXTS  SHA-256
 *   done  FILES  OBJECTS, their size  STACK of the library's calls, and of the walk
 *
 * Relies on port/semihosting, words.h, meta_walk.h. */
#include "board.h"
#include "meta_walk.h"
#include "print.h"
#include "utet_semihosting.h"
#include "words.h"

#include <string.h>

#define WORK 1024u

static uint64_t work[WORK / sizeof(uint64_t)];
static utet_semihosting port;
static utet_file file;
static struct meta_walk walk;

static uint32_t files;
static size_t stack;

static utet_status read_footer(const char *name)
{
    utet_status status = utet_semihosting_open(&port, name);

    memset(&walk, 0, sizeof walk);
    if (status == UTET_OK)
        status = utet_init(&file, &port.io, work, sizeof work, NULL);
    if (status == UTET_OK)
        status = utet_open(&file, &(utet_options){.budget = sizeof work});
    if (status == UTET_OK)
        status = meta_walk(&walk, &file);
    utet_semihosting_close(&port);
    return status;
}

static void report(const char *name)
{
    size_t before;
    utet_status status;

    board_stack_paint();
    before = board_stack_now();
    status = read_footer(name);
    if (board_stack_peak() - before > stack)
        stack = board_stack_peak() - before;
    files++;
    print_text("meta\t");
    print_text(name);
    print_char('\t');
    print_i64(status);
    print_field(file.high_water);
    print_field(walk.values);
    print_field(walk.bytes);
    print_char('\t');
    print_hex_bytes(walk.digest, sizeof walk.digest);
    print_char('\n');
}

int main(void)
{
    if (words_each(report) != 0)
        return 2;
    print_text("done");
    print_field(files);
    print_field(sizeof file + sizeof walk);
    print_field(stack);
    print_char('\n');
    return 0;
}
