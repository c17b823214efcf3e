/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that draws the readings of a logger as text: a dataset with one axis, of a file at address 0x0800C000 of
 * flash. The time is below it if the file has a dataset with the units "seconds since 1970-01-01", as `utet pack
 * --times time=s` makes it.
 *
 *   plot [DATASET]     default: the first dataset with one axis that is not the time
 *
 * The workspace is all RAM that is left. The dataset is read twice: for its extremes, and for the picture. Relies on
 * common/ and on port/partition. */
#include "board.h"
#include "print.h"
#include "report.h"
#include "utet_meta.h"
#include "utet_partition.h"
#include "utet_show.h"
#include "words.h"

#include <string.h>

#define FILE_AT 0x0800C000u /* the program is below it */
#define FILE_ROOM 0x14000u
#define COLUMNS 64u
#define ROWS 16u
#define UNITS_OF_TIME "seconds since 1970-01-01"

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static utet_io io;
static utet_file file;
static utet_dataset shown, time_axis;
static union { /* never in use at the same time */
    utet_slab slab;
    struct {
        utet_meta meta;
        utet_dataset_meta about;
    } texts;
} memory;
static char wanted[64]; /* name of the dataset; empty: any */
static char units[24];  /* units of the dataset, the first bytes */
static int has_shown, has_time;

/* ---- which datasets ---- */

/* The first bytes of the units of `dataset` into `text`, ended by 0. */
static utet_status read_units(const utet_dataset *dataset, char *text, size_t size)
{
    utet_value value;
    size_t got = 0;
    utet_status status = utet_meta_dataset(&memory.texts.meta, dataset, &memory.texts.about);

    if (status == UTET_OK)
        status = utet_map_find(&memory.texts.meta, &memory.texts.about.attrs, "units", 5, &value);
    if (status == UTET_OK)
        status = utet_text_read(&memory.texts.meta, &value, text, size - 1, &got);
    text[got] = '\0';
    return status == UTET_END || status == UTET_E_NOT_FOUND ? UTET_OK : status;
}

static utet_status consider(const utet_dataset *dataset)
{
    char text[sizeof UNITS_OF_TIME + 1];
    utet_status status;
    int is_time;

    if (dataset->ndim != 1 || dataset->shape[0] < 2)
        return UTET_OK;
    status = read_units(dataset, text, sizeof text);
    is_time = strcmp(text, UNITS_OF_TIME) == 0 && dataset->dtype == UTET_I64;
    if (is_time && !has_time) {
        time_axis = *dataset;
        has_time = 1;
    }
    if (wanted[0] == '\0' && !is_time && !has_shown) {
        shown = *dataset;
        has_shown = 1;
    }
    return status;
}

static utet_status choose(void)
{
    utet_dataset dataset;
    utet_status status = utet_meta_open(&memory.texts.meta, &file);

    if (status == UTET_OK)
        status = utet_dataset_first(&file, &dataset);
    while (status == UTET_OK) {
        status = consider(&dataset);
        if (status == UTET_OK)
            status = utet_dataset_next(&file, &dataset);
    }
    if (status == UTET_END)
        status = UTET_OK;
    if (status == UTET_OK && wanted[0] != '\0') {
        status = utet_dataset_find(&file, wanted, strlen(wanted), &shown);
        has_shown = status == UTET_OK && shown.ndim == 1 && shown.shape[0] > 0;
    }
    return status == UTET_OK && has_shown ? read_units(&shown, units, sizeof units) : status;
}

/* ---- the picture ---- */

static double low, high;
static uint8_t top[COLUMNS], bottom[COLUMNS]; /* rows of the highest and of the lowest value of a column */

static unsigned row_of(double value)
{
    return high > low ? (unsigned)((high - value) / (high - low) * (ROWS - 1) + 0.5) : ROWS / 2;
}

static void find_extremes(uint64_t index, double value)
{
    (void)index;
    low = value < low ? value : low;
    high = value > high ? value : high;
}

static void draw(uint64_t index, double value)
{
    const unsigned column = (unsigned)(index * COLUMNS / shown.shape[0]);
    const uint8_t row = (uint8_t)row_of(value);

    top[column] = row < top[column] ? row : top[column];
    bottom[column] = row > bottom[column] ? row : bottom[column];
}

/* Calls `each` for every finite value of the dataset. */
static utet_status read_values(void (*each)(uint64_t index, double value))
{
    const utet_range all = {0, shown.shape[0], 1};
    uint64_t index = 0;
    utet_run run;
    double value;
    utet_status status = utet_slab_open(&memory.slab, &file, &shown, &all);

    while (status == UTET_OK && (status = utet_slab_next(&memory.slab, &run)) == UTET_OK)
        for (size_t i = 0; i < run.count && status == UTET_OK; i++, index++) {
            status = utet_show_double(shown.dtype, (const uint8_t *)run.data + i * run.stride, &value);
            if (status == UTET_OK && value - value == 0)
                each(index, value);
        }
    return status == UTET_END ? UTET_OK : status;
}

static void print_value(double value)
{
    char text[40];
    size_t length;

    if (utet_show_text(UTET_F64, &value, text, sizeof text, &length) == UTET_OK)
        print_name(text, length);
}

static void print_rows(void)
{
    for (unsigned row = 0; row < ROWS; row++) {
        print_char('|');
        for (unsigned column = 0; column < COLUMNS; column++)
            print_char(top[column] <= row && row <= bottom[column] ? '*' : ' ');
        if (row == 0 || row == ROWS - 1) {
            print_char(' ');
            print_value(row == 0 ? high : low);
        }
        print_char('\n');
    }
}

/* ---- the time ---- */

static void print_two(unsigned number)
{
    print_char((char)('0' + number / 10));
    print_char((char)('0' + number % 10));
}

/* Year, month, day, hour and minute of the Gregorian calendar. */
static void print_time(int64_t seconds)
{
    static const uint8_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    uint32_t minutes = (uint32_t)(seconds / 60), days = minutes / 1440;
    unsigned year = 1970, month = 0, leap = 0;

    for (; days >= 365 + leap; year++, leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
        days -= 365 + leap;
    for (; days >= lengths[month] + (month == 1 ? leap : 0); month++)
        days -= lengths[month] + (month == 1 ? leap : 0);
    print_u64(year);
    print_char('-');
    print_two(month + 1);
    print_char('-');
    print_two((unsigned)days + 1);
    print_char(' ');
    print_two(minutes / 60 % 24);
    print_char(':');
    print_two(minutes % 60);
}

static utet_status print_time_at(uint64_t index)
{
    const utet_range one = {index, index + 1, 1};
    int64_t seconds;
    utet_status status = utet_slab_open(&memory.slab, &file, &time_axis, &one);

    if (status == UTET_OK)
        status = utet_slab_read_all(&memory.slab, &seconds, sizeof seconds);
    if (status == UTET_OK && seconds >= 0 && seconds < (int64_t)60 * UINT32_MAX)
        print_time(seconds);
    return status;
}

/* First and last index of the dataset, as times if the file has them. */
static utet_status print_ends(void)
{
    const uint64_t last = shown.shape[0] - 1;
    utet_status status = UTET_OK;

    print_char(' ');
    if (has_time && time_axis.shape[0] == shown.shape[0]) {
        status = print_time_at(0);
        for (unsigned i = 0; i < COLUMNS - 32; i++)
            print_char(' ');
        if (status == UTET_OK)
            status = print_time_at(last);
    } else {
        print_text("0 .. ");
        print_u64(last);
    }
    print_char('\n');
    return status;
}

/* ---- all of it ---- */

static utet_status plot(void)
{
    char name[40];
    const uint32_t length = shown.name_length < sizeof name ? shown.name_length : sizeof name;
    utet_status status = utet_dataset_name(&file, &shown, 0, name, length);

    low = __builtin_inf();
    high = -low;
    memset(top, ROWS, sizeof top);
    if (status == UTET_OK)
        status = read_values(find_extremes);
    if (status == UTET_OK)
        status = read_values(draw);
    if (status != UTET_OK)
        return status;
    print_name(name, length);
    if (units[0] != '\0') {
        print_text(", ");
        print_name(units, strlen(units));
    }
    print_text(", ");
    print_u64(shown.shape[0]);
    print_text(" values\n");
    print_rows();
    return print_ends();
}

static void take_word(const char *word)
{
    const size_t length = strlen(word);

    memcpy(wanted, word, length < sizeof wanted ? length + 1 : 1);
}

int main(void)
{
    size_t room;
    void *const work = board_spare(&room);
    utet_status status = utet_partition_open(&io, (const void *)(uintptr_t)FILE_AT, FILE_ROOM);

    if (status == UTET_PARTITION_E_ERASED) {
        print_text("plot: no file at address 0x0800C000\n");
        return 1;
    }
    (void)words_each(take_word);
    status = utet_init(&file, &io, work, room, codecs);
    if (status == UTET_OK)
        status = utet_open(&file, NULL);
    if (status == UTET_OK)
        status = choose();
    if (status == UTET_OK && !has_shown) {
        print_text("plot: the file has no dataset with one axis\n");
        return 1;
    }
    if (status == UTET_OK)
        status = plot();
    report_memory(room);
    return report_end("plot", status, utet_strerror(status), file.error_offset);
}
