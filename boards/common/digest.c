/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads .tet files of the host through semihosting and prints the SHA-256 of every dataset's dense bytes,
 * each read with exactly the memory that the library says it needs. Runs on every board of this folder.
 *
 *   digest [codec=NAME] FILE… | @LIST…     LIST: a text file with one file name per line
 *
 * NAME: small (default) upstream none.
 *
 * Lines are tab-separated; statuses are numbers, 0 = well; sizes in bytes:
 *   file  NAME  STATUS of opening  DATASETS
 *   data  INDEX  STATUS  DENSE SIZE  NEED (window included)  SHA-256 or -  ERRORS of this program's own checks
 *   done  FILES  DATASETS READ  DATASETS REFUSED  DATASETS TOO LARGE FOR THIS BOARD  ERRORS  STACK of our calls
 * The checks: need - 1 is refused before decoding, and the reported number is need; no byte after the budget is
 * touched, neither in the workspace nor after it. Exit code 0 if no check failed, whatever the files contain.
 *
 * Relies on port/semihosting and on board_spare for all memory but the objects. */
#include "board.h"
#include "print.h"
#include "sha256.h"
#include "utet.h"
#include "utet_semihosting.h"
#include "words.h"

#include <string.h>

#define CANARY 0xA5u
#define CANARY_BYTES 64u /* before the workspace, in it after the budget, and after it */

static utet_semihosting port;
static utet_file file;
static utet_dataset dataset;
static utet_slab slab;

static const utet_codec *codecs[2];

static struct {
    uint32_t files, read, refused, too_large, errors;
    size_t stack;
} total;

/* The board's spare RAM: canary, workspace, canary … destination at the very end. */
static uint8_t *spare;
static size_t spare_len;

static void tab(void)
{
    print_char('\t');
}

/* ---- measuring the stack of the library's calls alone ---- */

static size_t stack_before;

static void begin_measure(void)
{
    board_stack_paint();
    stack_before = board_stack_now();
}

static void end_measure(void)
{
    const size_t used = board_stack_peak() - stack_before;
    if (used > total.stack)
        total.stack = used;
}

/* ---- one dataset ---- */

static utet_status open_file(uint8_t *work, size_t work_len, size_t budget)
{
    utet_status status = utet_init(&file, &port.io, work, work_len, codecs);
    return status == UTET_OK ? utet_open(&file, &(utet_options){.budget = budget}) : status;
}

static utet_status find_dataset(uint32_t index)
{
    utet_status status = utet_dataset_first(&file, &dataset);
    while (status == UTET_OK && index-- > 0)
        status = utet_dataset_next(&file, &dataset);
    return status;
}

static void whole(utet_range *ranges)
{
    for (unsigned d = 0; d < dataset.ndim; d++) {
        ranges[d].start = 0;
        ranges[d].stop = dataset.shape[d];
        ranges[d].step = 1;
    }
}

static int untouched(const uint8_t *bytes)
{
    for (size_t i = 0; i < CANARY_BYTES; i++)
        if (bytes[i] != CANARY)
            return 0;
    return 1;
}

static utet_status read_dense(uint32_t index, size_t budget, uint8_t *dense, size_t size)
{
    uint8_t *work = spare + CANARY_BYTES;
    /* Opening may use UTET_OPEN_WORK bytes with any budget; if the workspace is smaller, it is the limit itself. */
    const size_t inside = budget < UTET_OPEN_WORK(1) ? 0 : CANARY_BYTES;
    utet_range ranges[UTET_MAX_NDIM];
    utet_status status;

    memset(spare, CANARY, budget + 3 * CANARY_BYTES);
    begin_measure();
    status = open_file(work, budget + inside, budget);
    if (status == UTET_OK)
        status = find_dataset(index);
    whole(ranges);
    if (status == UTET_OK)
        status = utet_slab_open(&slab, &file, &dataset, ranges);
    if (status == UTET_OK)
        status = utet_slab_read_all(&slab, dense, size);
    end_measure();
    if (!untouched(spare) || !untouched(work + budget) || !untouched(work + budget + CANARY_BYTES))
        total.errors++;
    if (file.high_water > budget)
        total.errors++;
    return status;
}

/* With one byte less: refused when opening (window) or when the slab is opened (codec), with the sufficient size. */
static void check_refusal(uint32_t index, size_t need)
{
    utet_range ranges[UTET_MAX_NDIM];
    utet_status status = open_file(spare + CANARY_BYTES, need - 1, need - 1);

    if (status == UTET_OK)
        status = find_dataset(index);
    whole(ranges);
    if (status == UTET_OK)
        status = utet_slab_open(&slab, &file, &dataset, ranges);
    if (status != UTET_E_BUDGET || file.needed != need)
        total.errors++;
}

/* The result for one dataset. */
struct result {
    utet_status status;
    uint64_t size; /* dense, bytes */
    uint64_t need;
    uint8_t digest[32];
};

/* Reads dataset `index` into the end of the spare memory. Returns 0 if it is too large for this board. */
static int digest_dataset(uint32_t index, struct result *result)
{
    const size_t fixed = 3 * CANARY_BYTES + 8;
    utet_range ranges[UTET_MAX_NDIM];
    struct sha256 hash;
    uint8_t *dense;

    result->need = 0;
    result->size = 0;
    result->status = open_file(spare, spare_len, spare_len);
    if (result->status == UTET_OK)
        result->status = find_dataset(index);
    if (result->status != UTET_OK)
        return 1;
    whole(ranges);
    result->status = utet_slab_need(&slab, &file, &dataset, ranges);
    if (result->status != UTET_OK)
        return 1;
    result->size = slab.count * dataset.elem_size;
    /* An empty selection needs as much as opening. */
    result->need = slab.need.least > UTET_WINDOW_LEAST(1) ? slab.need.least : UTET_WINDOW_LEAST(1);
    if (result->size > spare_len || result->need > spare_len - (size_t)result->size ||
        fixed > spare_len - (size_t)result->size - (size_t)result->need)
        return 0;
    dense = spare + spare_len - (size_t)result->size;
    result->status = read_dense(index, (size_t)result->need, dense, (size_t)result->size);
    if (result->status != UTET_OK)
        return 1;
    sha256_init(&hash);
    sha256_add(&hash, dense, (size_t)result->size);
    sha256_end(&hash, result->digest);
    check_refusal(index, (size_t)result->need);
    return 1;
}

static void report_dataset(uint32_t index)
{
    struct result result;
    const uint32_t errors = total.errors;
    const int fits = digest_dataset(index, &result);

    if (!fits) {
        total.too_large++;
        result.status = UTET_E_SPACE;
    } else if (result.status == UTET_OK) {
        total.read++;
    } else {
        total.refused++;
    }
    print_text("data\t");
    print_u64(index);
    tab();
    print_i64(result.status);
    tab();
    print_u64(result.size);
    tab();
    print_u64(result.need);
    tab();
    if (fits && result.status == UTET_OK)
        print_hex_bytes(result.digest, sizeof result.digest);
    else
        print_char('-');
    tab();
    print_u64(total.errors - errors);
    print_char('\n');
}

static void report_file(const char *name)
{
    utet_status status = utet_semihosting_open(&port, name);
    uint32_t count = 0;

    total.files++;
    if (status == UTET_OK) {
        status = open_file(spare, spare_len, spare_len);
        if (status == UTET_OK)
            count = file.dataset_count;
    }
    print_text("file\t");
    print_text(name);
    tab();
    print_i64(status);
    tab();
    print_u64(count);
    print_char('\n');
    for (uint32_t index = 0; index < count; index++)
        report_dataset(index);
    utet_semihosting_close(&port);
}

/* ---- the command line ---- */

static void choose_codec(const char *name)
{
    codecs[0] = NULL;
    if (strcmp(name, "upstream") == 0)
        codecs[0] = &utet_codec_zstd_upstream;
    if (strcmp(name, "small") == 0)
        codecs[0] = &utet_codec_zstd_small;
    if (codecs[0] == NULL && strcmp(name, "none") != 0) {
        print_text("no such codec\n");
        total.errors++;
    }
}

static void report_word(const char *word)
{
    if (strncmp(word, "codec=", 6) == 0)
        choose_codec(word + 6);
    else
        report_file(word);
}

int main(void)
{
    choose_codec("small");
    spare = board_spare(&spare_len);
    if (words_each(report_word) != 0) {
        print_text("no command line, or no such list\n");
        return 2;
    }
    print_text("done\t");
    print_u64(total.files);
    tab();
    print_u64(total.read);
    tab();
    print_u64(total.refused);
    tab();
    print_u64(total.too_large);
    tab();
    print_u64(total.errors);
    tab();
    print_u64(total.stack);
    print_char('\n');
    return total.errors == 0 ? 0 : 1;
}
