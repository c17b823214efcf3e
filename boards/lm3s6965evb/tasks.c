/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware in which several FreeRTOS tasks read files of one SD card at the same time. Each task opens files and
 * datasets in an order of its own, reads some completely and some in part, and closes them. It prints the SHA-256 of
 * each dataset that it has read completely: lines of test/golden/demo/digests.txt. TASKS: their number. Relies on the
 * drivers of this folder, on common/, on port/fatfs and on FreeRTOS. */
#include "board.h"
#include "interrupts.h"
#include "print.h"
#include "report.h"
#include "sha256.h"
#include "utet_fatfs_words.h"

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

#define WORK 8192u
#define ROWS 4u
#define ROUNDS (16u / TASKS)
#define STACK_WORDS 600u

/* All data of a task are its own; the tasks share only the card's volume. */
struct reader {
    utet_fatfs port;
    utet_file file;
    utet_dataset dataset;
    utet_slab slab;
    uint64_t work[WORK / 8];
    uint8_t rows[ROWS * 128 * 4];
    uint32_t random;
    StackType_t stack[STACK_WORDS];
    StaticTask_t task;
};

static const struct choice {
    const char *name;
    uint32_t dataset;
} choices[] = {{"demo_planet.tet", 0}, {"demo_planet.tet", 1}, {"demo_planet.tet", 2},
               {"demo_small.tet", 0},  {"demo_small.tet", 1},  {"demo_tiny.tet", 0}};

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static FATFS volume;
static struct reader readers[TASKS];
static unsigned finished;
static utet_status worst;
static size_t least_stack = STACK_WORDS;

/* For print.c and the three variables above. */
static StaticSemaphore_t log_memory;
static SemaphoreHandle_t log_mutex;

void vApplicationStackOverflowHook(TaskHandle_t task, char *name)
{
    (void)task;
    (void)name;
    print_text("tasks: a stack is too small\n");
    board_exit(1);
}

/* ---- a task ---- */

/* Xorshift: 0 .. limit - 1. */
static uint32_t draw(struct reader *reader, uint32_t limit)
{
    reader->random ^= reader->random << 13;
    reader->random ^= reader->random >> 17;
    reader->random ^= reader->random << 5;
    return reader->random % limit;
}

static void print_digest(struct sha256 *hash, const struct choice *choice)
{
    uint8_t digest[32];

    sha256_end(hash, digest);
    (void)xSemaphoreTake(log_mutex, portMAX_DELAY);
    print_hex_bytes(digest, sizeof digest);
    print_char(' ');
    print_text(choice->name);
    print_char(' ');
    print_u64(choice->dataset);
    print_char('\n');
    (void)xSemaphoreGive(log_mutex);
}

/* The first `rows` rows, ROWS at a time. */
static utet_status read_rows(struct reader *reader, uint64_t rows, struct sha256 *hash)
{
    utet_status status = UTET_OK;

    for (uint64_t y = 0; status == UTET_OK && y < rows; y += ROWS) {
        const utet_range ranges[2] = {{y, y + ROWS, 1}, {0, reader->dataset.shape[1], 1}};

        status = utet_slab_open(&reader->slab, &reader->file, &reader->dataset, ranges);
        if (status == UTET_OK)
            status = utet_slab_read_all(&reader->slab, reader->rows, sizeof reader->rows);
        if (status == UTET_OK)
            sha256_add(hash, reader->rows, (size_t)reader->slab.count * reader->dataset.elem_size);
    }
    return status;
}

/* Opens a file, reads a dataset completely or in part, and closes it. */
static utet_status one_round(struct reader *reader)
{
    const struct choice *const choice = &choices[draw(reader, sizeof choices / sizeof choices[0])];
    const uint32_t part = draw(reader, 4); /* 0: reads only a part */
    struct sha256 hash;
    utet_status status = utet_fatfs_open(&reader->port, choice->name, NULL, 0);

    sha256_init(&hash);
    if (status == UTET_OK)
        status = utet_init(&reader->file, &reader->port.io, reader->work, sizeof reader->work, codecs);
    if (status == UTET_OK)
        status = utet_open(&reader->file, NULL);
    if (status == UTET_OK)
        status = utet_dataset_first(&reader->file, &reader->dataset);
    while (status == UTET_OK && reader->dataset.id != choice->dataset)
        status = utet_dataset_next(&reader->file, &reader->dataset);
    if (status == UTET_OK)
        status = read_rows(reader, part == 0 ? ROWS * draw(reader, 8) : reader->dataset.shape[0], &hash);
    if (status == UTET_OK && part != 0)
        print_digest(&hash, choice);
    utet_fatfs_close(&reader->port);
    return status;
}

static void run_task(void *argument)
{
    struct reader *const reader = argument;
    utet_status status = UTET_OK;
    size_t stack;

    for (unsigned i = 0; i < ROUNDS && status == UTET_OK; i++)
        status = one_round(reader);
    stack = uxTaskGetStackHighWaterMark(NULL);
    (void)xSemaphoreTake(log_mutex, portMAX_DELAY);
    if (status != UTET_OK) {
        print_text("a task ends: ");
        print_text(utet_fatfs_strerror(status));
        print_char('\n');
        worst = status;
    }
    least_stack = stack < least_stack ? stack : least_stack;
    if (++finished == TASKS) {
        print_text("waits ");
        print_u64(kernel_waits);
        print_text(", stack of a task ");
        print_u64((STACK_WORDS - least_stack) * sizeof(StackType_t));
        print_text(" of ");
        print_u64(STACK_WORDS * sizeof(StackType_t));
        print_char('\n');
        report_memory(TASKS * WORK);
        board_exit(report_end("tasks", worst, utet_fatfs_strerror(worst), 0));
    }
    (void)xSemaphoreGive(log_mutex);
    vTaskSuspend(NULL);
}

int main(void)
{
    FRESULT result;

    interrupts_init();
    log_mutex = xSemaphoreCreateMutexStatic(&log_memory);
    result = f_mount(&volume, "", 1);
    if (result != FR_OK)
        return report_end("tasks", UTET_FATFS_STATUS(result), utet_fatfs_strerror(UTET_FATFS_STATUS(result)), 0);
    for (unsigned i = 0; i < TASKS; i++) {
        readers[i].random = 0x9E3779B9u * (i + 1);
        (void)xTaskCreateStatic(run_task, "reader", STACK_WORDS, &readers[i], 1, readers[i].stack, &readers[i].task);
    }
    vTaskStartScheduler();
    return 1;
}
