/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that prints the memory that each dataset of .tet files needs on this board, for comparison with `utet fit`.
 *
 *   needs [codec=NAME] FILE… | @LIST…     NAME: small (default) upstream
 *
 * Lines are tab-separated, sizes in bytes:
 *   sizes  FILE  DATASET  CHUNK  STREAM  SLAB  PORT          sizes of the objects
 *   need  NAME  INDEX  STATUS  LEAST  BEST  WHOLE  LARGEST   maxima over the chunks of the dataset, by utet_chunk_need
 *   wall  NAME  LEAST  NEEDED                                a failed check
 *   done  ERRORS                                             number of failed checks
 * The check: a stream opens with exactly LEAST bytes, and is refused with one byte less.
 * Relies on port/semihosting and on board_spare for the workspace. */
#include "board.h"
#include "print.h"
#include "utet.h"
#include "utet_semihosting.h"
#include "words.h"

#include <string.h>

static utet_semihosting port;
static utet_file file;
static utet_chunk chunk, largest;
static utet_stream stream;
static const utet_codec *codecs[2];
static uint8_t *spare;
static size_t spare_len;
static uint32_t errors;

static void number(uint64_t value)
{
    print_char('\t');
    print_u64(value);
}

static utet_status open_file(size_t work_len)
{
    const utet_options all = {.budget = work_len}; /* overrides the budget that the file states */
    utet_status status = utet_init(&file, &port.io, spare, work_len, codecs);

    return status == UTET_OK ? utet_open(&file, &all) : status;
}

static void raise_to(uint64_t *most, uint64_t value)
{
    if (*most < value)
        *most = value;
}

/* Checks that the chunk with the largest need opens with `least` bytes, and not with one byte less. */
static void check_wall(const char *name, uint64_t least)
{
    const uint32_t before = errors;

    if (least > spare_len || largest.raw_byte_len == 0)
        return;
    chunk = largest;
    if (open_file((size_t)least) != UTET_OK || utet_stream_open(&stream, &file, &chunk) != UTET_OK)
        errors++;
    if (least > UTET_WINDOW_LEAST(1) &&
        (open_file((size_t)least - 1) != UTET_OK || utet_stream_open(&stream, &file, &chunk) != UTET_E_BUDGET))
        errors++;
    if (errors > before) {
        print_text("wall\t");
        print_text(name);
        number(least);
        number(file.needed);
        print_char('\n');
    }
}

static void report_dataset(const char *name, uint32_t index)
{
    utet_need slices, whole;
    uint64_t least = 0, best = 0, all = 0, bytes = 0;
    utet_status bad = UTET_OK, status = open_file(spare_len);

    if (status == UTET_OK)
        status = utet_row_first(&file, &chunk);
    for (; status == UTET_OK; status = utet_row_next(&file, &chunk)) {
        if (chunk.dataset_id != index || bad != UTET_OK)
            continue;
        bad = utet_chunk_need(&file, &chunk, 0, &slices);
        if (bad == UTET_OK)
            bad = utet_chunk_need(&file, &chunk, 1, &whole);
        if (bad != UTET_OK)
            continue;
        if (slices.least > least)
            largest = chunk;
        raise_to(&least, slices.least);
        raise_to(&best, slices.best);
        raise_to(&all, whole.least);
        raise_to(&bytes, chunk.raw_byte_len);
    }
    print_text("need\t");
    print_text(name);
    number(index);
    print_char('\t');
    print_i64(bad != UTET_OK ? bad : status == UTET_END ? UTET_OK : status);
    number(least);
    number(best);
    number(all);
    number(bytes);
    print_char('\n');
    if (bad == UTET_OK && status == UTET_END && least > 0)
        check_wall(name, least);
}

static void report_file(const char *name)
{
    utet_status status = utet_semihosting_open(&port, name);
    uint32_t count = 0;

    if (status == UTET_OK && open_file(spare_len) == UTET_OK)
        count = file.dataset_count;
    for (uint32_t index = 0; index < count; index++)
        report_dataset(name, index);
    utet_semihosting_close(&port);
}

static void report_word(const char *word)
{
    if (strncmp(word, "codec=", 6) == 0)
        codecs[0] = strcmp(word + 6, "upstream") == 0 ? &utet_codec_zstd_upstream : &utet_codec_zstd_small;
    else
        report_file(word);
}

int main(void)
{
    codecs[0] = &utet_codec_zstd_small;
    spare = board_spare(&spare_len);
    print_text("sizes");
    number(sizeof(utet_file));
    number(sizeof(utet_dataset));
    number(sizeof(utet_chunk));
    number(sizeof(utet_stream));
    number(sizeof(utet_slab));
    number(sizeof(utet_semihosting));
    print_char('\n');
    if (words_each(report_word) != 0) {
        print_text("no command line, or no such list\n");
        return 2;
    }
    print_text("done");
    number(errors);
    print_char('\n');
    return errors == 0 ? 0 : 1;
}
