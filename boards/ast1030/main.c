/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads every .tet file of a serial NOR flash by DMA, sleeps while a transfer is pending, and prints
 * the SHA-256 of each dataset's dense bytes: the lines of test/golden/demo/digests.txt. Its last lines have the
 * number of transfers and interrupts, the memory that it took, and the result. Relies on this folder, on common/ and
 * on port/dma. */
#include "board.h"
#include "nor.h"
#include "print.h"
#include "report.h"
#include "sums.h"
#include "table.h"
#include "utet.h"

#include <string.h>

#define WORK 16384u

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static utet_dma port;
static uint64_t work[WORK / 8];
static utet_file file;
static utet_dataset dataset;
static utet_slab slab;
static struct {
    utet_status status;
    uint64_t offset;
} failure; /* the last one */
static unsigned waits;
static unsigned outstanding; /* calls that returned while a transfer was pending */

static utet_status check(utet_status status)
{
    if (status == UTET_WOULD_BLOCK) {
        waits++;
        nor_wait(&port);
    } else if (utet_dma_state_of(&port) != UTET_DMA_IDLE) {
        outstanding++;
    }
    return status;
}

#define WAIT(call) \
    while ((status = check(call)) == UTET_WOULD_BLOCK) {}

static utet_status digest_dataset(const char *name)
{
    utet_range ranges[UTET_MAX_NDIM];
    size_t room;
    uint8_t *const dense = board_spare(&room);
    utet_status status;

    for (unsigned d = 0; d < dataset.ndim; d++) {
        const utet_range all = {0, dataset.shape[d], 1};
        ranges[d] = all;
    }
    WAIT(utet_slab_open(&slab, &file, &dataset, ranges));
    if (status == UTET_OK)
        WAIT(utet_slab_read_all(&slab, dense, room));
    if (status == UTET_OK)
        sums_line(dense, (size_t)slab.count * dataset.elem_size, name, dataset.id);
    return status;
}

static utet_status digest_file(const struct table_entry *entry)
{
    utet_status status = utet_dma_open(&port, &nor_driver, entry->offset, entry->size);

    memset(&file, 0, sizeof file);
    if (status == UTET_OK)
        status = utet_init(&file, &port.io, work, sizeof work, codecs);
    if (status == UTET_OK)
        WAIT(utet_open(&file, NULL));
    if (status == UTET_OK)
        WAIT(utet_dataset_first(&file, &dataset));
    while (status == UTET_OK) {
        status = digest_dataset(entry->name);
        if (status == UTET_OK)
            WAIT(utet_dataset_next(&file, &dataset));
    }
    return status == UTET_END ? UTET_OK : status;
}

/* Reads all files, and continues after one that fails. */
static void digest_flash(uint32_t files)
{
    static struct table_entry entry;
    const size_t words = sizeof entry / sizeof(uint32_t);

    for (uint32_t i = 0; i < files; i++) {
        nor_copy((uint32_t *)(void *)&entry, TABLE_AT + sizeof(struct table_head) + i * sizeof entry, words);
        const utet_status status = digest_file(&entry);
        if (status == UTET_OK)
            continue;
        failure.status = status;
        failure.offset = file.error_offset;
        (void)report_end(entry.name, status, utet_dma_strerror(status), failure.offset);
    }
}

static void count(const char *before, unsigned number)
{
    print_text(before);
    print_u64(number);
}

static int end(const char *words)
{
    print_text("nor: ");
    print_text(words);
    print_char('\n');
    return 1;
}

int main(void)
{
    const uint32_t size = nor_init();
    struct table_head table;

    if (size == 0)
        return end("no flash answers, or one of another size than 64 KB to 16 MB");
    count("flash: ", size);
    print_text(" bytes\n");
    if (size > TABLE_AT)
        nor_copy(&table.magic, TABLE_AT, sizeof table / sizeof(uint32_t));
    if (size <= TABLE_AT || table.magic != TABLE_MAGIC)
        return end("the flash has no table of files");
    digest_flash(table.count);
    count("transfers ", nor_requests);
    count(", interrupts ", nor_interrupts);
    count(", waits ", waits);
    count(", sleeps ", nor_sleeps);
    count(", calls that left a transfer ", outstanding);
    print_char('\n');
    report_memory(WORK);
    return report_end("nor", failure.status, utet_dma_strerror(failure.status), failure.offset);
}
