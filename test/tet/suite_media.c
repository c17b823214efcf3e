/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * More memory never makes a file slower: each good golden file is read from a card of sectors in every size of
 * workspace, and requests, bytes and the card's time never grow with it. From the size on that the library states as
 * the best, they never change. The values are the same in each size.
 */
#include "golden_list.h"
#include "medium.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 * 1024 };

static uint64_t sizes_tried;

static size_t step(void)
{
    return suite_full() ? 128 : suite_light() ? 4096 : 512;
}

/* Reads the file in a larger and larger workspace, until no number can change any more. */
static void sweep(const golden_file *f, const uint8_t *bytes, uint16_t unit, const utet_codec *codec, medium_way way)
{
    static uint8_t work[MOST];
    medium card;
    uint64_t best, first = 0, last[3] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
    static const char *const names[3] = {"requests", "bytes", "microseconds"};

    medium_init(&card, bytes, f->size, unit);
    assert_int_equal(medium_best(&card.io, codec, way, work, sizeof work, &best), UTET_OK);
    for (size_t size = UTET_WINDOW_LEAST(unit); size <= MOST; size += step()) {
        uint64_t sum;
        medium_rewind(&card);
        const utet_status status = medium_read(&card.io, codec, way, work, size, &sum);
        const uint64_t now[3] = {card.requests, card.bytes_read, medium_us(&card)};
        if (status == UTET_E_BUDGET)
            continue;
        suite_check(status == UTET_OK, "%s: %s in %zu bytes: %d", f->name, medium_way_names[way], size, status);
        for (unsigned i = 0; i < 3; i++) {
            suite_check(now[i] <= last[i], "%s: %s, unit %u: %llu %s in %zu bytes, %llu in less", f->name,
                        medium_way_names[way], (unsigned)unit, (unsigned long long)now[i], names[i], size,
                        (unsigned long long)last[i]);
            suite_check(size < best + step() || now[i] == last[i], "%s: %s, unit %u: %llu %s in %zu bytes, best %llu",
                        f->name, medium_way_names[way], (unsigned)unit, (unsigned long long)now[i], names[i], size,
                        (unsigned long long)best);
            last[i] = now[i];
        }
        if (first == 0)
            first = sum;
        suite_check(sum == first, "%s: %s in %zu bytes: other values", f->name, medium_way_names[way], size);
        sizes_tried++;
    }
    medium_free(&card);
}

static void never_slower(void **state)
{
    const golden_file *f = *state;
    char why[300];
    uint8_t *bytes = golden_bytes(f, why);

    if (bytes == NULL)
        suite_skip(why);
    for (unsigned way = 0; way < MEDIUM_WAYS; way++) {
        sweep(f, bytes, MEDIUM_SECTOR, &utet_codec_zstd_small, (medium_way)way);
        if (suite_full())
            sweep(f, bytes, 4096, &utet_codec_zstd_small, (medium_way)way);
    }
    free(bytes);
}

/* The files of this folder that hold tensors; in the short tier only small ones. */
static int wanted(const golden_file *f)
{
    return f->good && golden_line_of(f, "dense") != NULL && strncmp(f->where, "golden", 6) == 0 &&
           f->size <= (suite_light() ? 8000u : 400000u);
}

int main(void)
{
    golden_list list = golden_load();
    struct CMUnitTest *cases = calloc(list.count, sizeof *cases);
    size_t n = 0;
    int result;

    if (cases == NULL)
        return 3;
    for (size_t i = 0; i < list.count; i++)
        if (wanted(&list.files[i]))
            cases[n++] = (struct CMUnitTest){list.files[i].name, never_slower, NULL, NULL, &list.files[i]};
    result = suite_run("media", cases, n);
    suite_figure("%llu sizes of workspace", (unsigned long long)sizes_tried);
    free(cases);
    golden_free(&list);
    return result;
}
