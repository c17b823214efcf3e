/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The demonstration: reads every .tet file in the root of the SD card on a Cortex-M3 with 64 KB of RAM. Lists its
 * datasets, decodes them in bands within the memory that the file allows, prints digests for a host to compare, draws
 * the planet and the ripple on the display, and ends with a table of what all that took. A card without the pictures
 * has its files listed on the display; one that cannot be read is named there in words.
 *
 * Command line (semihosting): [screen=PREFIX]. After each picture the firmware says "screen NAME" and then waits until
 * the host file PREFIXNAME.seen exists, so that a script has the time to photograph the display.
 * Relies on the files of this folder, on common/ and on port/fatfs. */
#include "board.h"
#include "card_file.h"
#include "ff.h"
#include "line.h"
#include "notice.h"
#include "oled.h"
#include "pictures.h"
#include "planet.h"
#include "print.h"
#include "screen.h"
#include "sdcard.h"
#include "sha256.h"
#include "utet_fatfs_words.h"
#include "utet_show.h"

#include <string.h>

#define FLASH_BYTES 262144u
#define RAM_BYTES 65536u
#define MOST_NAME 18u /* maximum characters of a name on the display, which leaves as many for the text after it */
#define MOST_FILES 8u /* maximum number of files with figures and a line on the display */

/* Decoded rows on their way to the digest; later the map of the planet. */
static uint8_t band[PLANET_ROWS * PLANET_COLUMNS];

static FATFS volume;

/* What each file needed and used, for the table. */
static struct figures {
    char name[32];
    uint32_t budget; /* budget that the file states; 0: none */
    size_t allowed;  /* the budget, or the workspace if that is smaller */
    utet_need need;  /* the largest of its datasets */
    size_t high_water;
    uint32_t sectors;
    uint32_t refused; /* datasets that need more than the budget */
    uint32_t datasets;
    utet_status status;
} figures[MOST_FILES + 1]; /* all files beyond MOST_FILES share the last one */
static unsigned file_count;

static unsigned errors;

static void report_error(const char *what, utet_status status)
{
    print_text("  ERROR ");
    print_text(what);
    print_text(": ");
    print_text(utet_fatfs_strerror(status));
    print_text(" (");
    print_i64(status);
    print_text("), offset ");
    print_u64(card_file_fault(status));
    print_char('\n');
    errors++;
}

/* ---- one dataset ---- */

static void print_extents(const uint64_t *extents, unsigned ndim)
{
    for (unsigned d = 0; d < ndim; d++) {
        print_char(d == 0 ? '[' : ',');
        print_u64(extents[d]);
    }
    print_char(']');
}

static utet_status print_dataset(const utet_dataset *dataset)
{
    char name[40];
    const uint32_t length = dataset->name_length < sizeof name ? dataset->name_length : (uint32_t)sizeof name;
    const utet_status status = utet_dataset_name(&card_file, dataset, 0, name, length);

    if (status != UTET_OK)
        return status;
    print_text("  ");
    print_name(name, length);
    print_char(' ');
    print_text(utet_show_dtype(dataset->dtype));
    print_char(' ');
    print_extents(dataset->shape, dataset->ndim);
    print_text(" in chunks of ");
    print_extents(dataset->chunk_shape, dataset->ndim);
    print_char('\n');
    return UTET_OK;
}

/* The band holds some indices of one axis, and the axes after it completely. Returns that axis; *places gets the number
 * of its indices, whole chunks if possible. */
static unsigned band_axis(const utet_dataset *dataset, uint64_t *places)
{
    uint64_t slice = dataset->elem_size;
    unsigned axis = dataset->ndim - 1u;

    while (axis > 0 && dataset->shape[axis] <= sizeof band / slice)
        slice *= dataset->shape[axis--];
    *places = sizeof band / slice;
    if (*places > dataset->chunk_shape[axis])
        *places -= *places % dataset->chunk_shape[axis];
    return axis;
}

/* Moves to the next band in row-major order: further along `axis`, then along those before it. Returns 0 if there is
 * none. */
static int next_band(const utet_dataset *dataset, utet_range *ranges, unsigned axis, uint64_t places)
{
    ranges[axis].start = ranges[axis].stop;
    for (unsigned d = axis; ranges[d].start == dataset->shape[d]; d--) {
        if (d == 0)
            return 0;
        ranges[d].start = 0;
        ranges[d].stop = 1;
        ranges[d - 1].start++;
        ranges[d - 1].stop++;
    }
    ranges[axis].stop = ranges[axis].start + places;
    if (dataset->shape[axis] - ranges[axis].start < places)
        ranges[axis].stop = dataset->shape[axis];
    return 1;
}

/* The dense bytes, band after band, into the digest. */
static utet_status digest_dataset(const utet_dataset *dataset, struct sha256 *hash, utet_need *need)
{
    static utet_slab slab;
    utet_range ranges[UTET_MAX_NDIM];
    uint64_t places = 0;
    unsigned axis = 0;
    utet_status status = UTET_OK;

    need->least = 0;
    for (unsigned d = 0; d < dataset->ndim; d++) {
        if (dataset->shape[d] == 0)
            return UTET_OK; /* no bytes */
        ranges[d].start = 0;
        ranges[d].step = 1;
    }
    axis = band_axis(dataset, &places);
    for (unsigned d = 0; d < dataset->ndim; d++)
        ranges[d].stop = d < axis ? 1 : d > axis || places > dataset->shape[d] ? dataset->shape[d] : places;
    do {
        status = utet_slab_open(&slab, &card_file, dataset, ranges);
        if (slab.need.least > need->least)
            *need = slab.need;
        if (status == UTET_OK)
            status = utet_slab_read_all(&slab, band, sizeof band);
        if (status == UTET_OK)
            sha256_add(hash, band, (size_t)slab.count * dataset->elem_size);
    } while (status == UTET_OK && next_band(dataset, ranges, axis, places));
    return status;
}

static utet_status check_dataset(const utet_dataset *dataset, utet_need *need)
{
    struct sha256 hash;
    uint8_t digest[32];
    utet_status status;

    sha256_init(&hash);
    status = digest_dataset(dataset, &hash, need);
    if (status != UTET_OK)
        return status;
    sha256_end(&hash, digest);
    print_text("    sha256 ");
    print_hex_bytes(digest, sizeof digest);
    print_text("\n    needs ");
    print_u64(need->least);
    print_text(" to ");
    print_u64(need->best);
    print_text(", may take ");
    print_u64(card_file.budget);
    print_text(" bytes\n");
    return UTET_OK;
}

/* ---- one file ---- */

/* The budget is a hard limit: what needs more is refused before anything is decoded. This only happens with libzstd. */
static void report_refusal(void)
{
    print_text("    refused: needs ");
    print_u64(card_file.needed);
    print_text(", may take ");
    print_u64(card_file.budget);
    print_text(" bytes\n");
}

static utet_status check_datasets(struct figures *figure)
{
    utet_dataset dataset;
    utet_status status = utet_dataset_first(&card_file, &dataset);

    while (status == UTET_OK) {
        utet_need need = {0, 0};

        status = print_dataset(&dataset);
        if (status == UTET_OK)
            status = check_dataset(&dataset, &need);
        if (status == UTET_E_BUDGET) {
            report_refusal();
            figure->refused++;
            figure->need.least = figure->need.best = card_file.needed;
            status = UTET_OK;
        } else if (need.least > figure->need.least) {
            figure->need = need;
        }
        if (figure->high_water < card_file.high_water)
            figure->high_water = card_file.high_water;
        if (status == UTET_OK)
            status = utet_dataset_next(&card_file, &dataset);
    }
    return status == UTET_END ? UTET_OK : status;
}

static void check_file(const char *name)
{
    struct figures *figure = &figures[file_count < MOST_FILES ? file_count : MOST_FILES];
    const uint32_t sectors = sdcard.sectors_read;
    utet_status status = card_file_open(name);

    file_count++;
    memset(figure, 0, sizeof *figure);
    strncpy(figure->name, name, sizeof figure->name - 1);
    if (status == UTET_OK) {
        figure->budget = card_file.memory_budget_bytes;
        figure->allowed = card_file.budget;
        figure->datasets = card_file.dataset_count;
        print_text(name);
        print_text(": ");
        print_u64(card_file.dataset_count);
        print_text(" datasets, ");
        print_u64(card_file.row_count);
        print_text(" chunks, states a budget of ");
        print_u64(card_file.memory_budget_bytes);
        print_text(", cluster table ");
        print_u64(card_file_table());
        print_text(" words\n");
        status = check_datasets(figure);
    }
    card_file_close();
    figure->sectors = sdcard.sectors_read - sectors;
    figure->status = status;
    if (status != UTET_OK)
        report_error(name, status);
}

/* ---- the card ---- */

/* Short names are in capitals. */
static int ends_with_tet(const char *name)
{
    const size_t length = strlen(name);
    const char *const end = name + length - 4;

    return length > 4 && end[0] == '.' && (end[1] | 32) == 't' && (end[2] | 32) == 'e' && (end[3] | 32) == 't';
}

/* "SDHC, FAT32" */
static const char *card_kind(void)
{
    static const char *const kinds[2][5] = {
        {"SDSC, no file system", "SDSC, FAT12", "SDSC, FAT16", "SDSC, FAT32", "SDSC, exFAT"},
        {"SDHC, no file system", "SDHC, FAT12", "SDHC, FAT16", "SDHC, FAT32", "SDHC, exFAT"}};

    return kinds[sdcard.block_addressed != 0][volume.fs_type];
}

static FRESULT check_files(void)
{
    static DIR folder;
    static FILINFO entry;
    FRESULT result = f_opendir(&folder, "/");

    while (result == FR_OK) {
        result = f_readdir(&folder, &entry);
        if (result != FR_OK || entry.fname[0] == '\0')
            break;
        if (!(entry.fattrib & AM_DIR) && ends_with_tet(entry.fname))
            check_file(entry.fname);
    }
    return result;
}

/* Reports a card that does not mount, or whose folder cannot be read. */
static void report_card(FRESULT result)
{
    const char *words = result == FR_NO_FILESYSTEM ? utet_fatfs_look(0, band)
                                                   : utet_fatfs_strerror(UTET_FATFS_STATUS(result));

    print_text("card: ");
    print_text(words);
    print_text(" (FatFs error ");
    print_u64(result);
    print_text(")\n");
    notice_show("card:", words);
}

static FRESULT check_card(void)
{
    const FRESULT result = f_mount(&volume, "", 1);

    if (result != FR_OK)
        return result;
    print_text("card: ");
    print_text(card_kind());
    print_text(" from sector ");
    print_u64(volume.volbase);
    print_char('\n');
    return check_files();
}

/* ---- the pictures ---- */

/* A card may lack the file, which is not an error. Returns 1 if the picture is complete. */
static int report_picture(const char *file, const char *what, utet_status status)
{
    if (status == UTET_OK) {
        screen_show(what);
    } else if (status == UTET_FATFS_STATUS(FR_NO_FILE)) {
        print_text("no ");
        print_text(file);
        print_text(" on this card: no picture of it\n");
    } else {
        report_error(what, status);
    }
    return status == UTET_OK;
}

static void add_outcome(const struct figures *f)
{
    if (f->status != UTET_OK) {
        line_add_text(": ");
        line_add_text(utet_fatfs_strerror(f->status));
        return;
    }
    line_add_text(": datasets ");
    line_add_number((int32_t)f->datasets);
    if (f->refused > 0) {
        line_add_text(", too big: ");
        line_add_number((int32_t)f->refused);
    }
}

/* One line for each file: its name, and its datasets or its fault. */
static void draw_list(void)
{
    oled_init();
    line_add_text(card_kind());
    line_add_text(file_count == 0 ? ": no .tet file" : "");
    line_draw(0, 0);
    for (unsigned i = 0; i < file_count && i < MOST_FILES; i++) {
        const struct figures *f = &figures[i];

        line_add_text(f->name);
        if (line.length > MOST_NAME)
            line.length = MOST_NAME;
        add_outcome(f);
        line_draw(0, (i + 1) * FONT_HEIGHT);
    }
    if (file_count > MOST_FILES) {
        line_add_text("and files more: ");
        line_add_number((int32_t)(file_count - MOST_FILES));
        line_draw(0, (MOST_FILES + 1) * FONT_HEIGHT);
    }
    screen_show("list");
}

static void draw(void)
{
    uint32_t frames = 0;
    utet_status status;
    int drawn;

    oled_init();
    status = card_file_open("demo_planet.tet");
    if (status == UTET_OK)
        status = pictures_planet(band);
    drawn = report_picture("demo_planet.tet", "planet", status);
    card_file_close();

    status = card_file_open("demo_cine.tet");
    if (status == UTET_OK)
        status = pictures_ripple(&frames);
    drawn |= report_picture("demo_cine.tet", "ripple", status);
    card_file_close();
    print_text("frames drawn: ");
    print_u64(frames);
    print_char('\n');
    if (!drawn)
        draw_list();
}

/* ---- the table ---- */

static void print_figure(const char *what, size_t value, size_t of)
{
    print_text(what);
    print_padded(value, 8);
    if (of > 0) {
        print_text(" of ");
        print_u64(of);
    }
    print_char('\n');
}

static void print_left(const char *text, size_t width)
{
    print_text(text);
    for (size_t n = strlen(text); n < width; n++)
        print_char(' ');
}

static void print_table(void)
{
    print_text("\nbytes\n");
    print_figure("  flash              ", board_flash_used(), FLASH_BYTES);
    print_figure("  static RAM         ", board_static_ram(), RAM_BYTES);
    print_figure("    workspace        ", CARD_FILE_WORK, 0);
    print_figure("  stack, painted     ", board_stack_peak(), board_stack_size());
    print_text("\nfile                 budget  may take  need, least    best  high-water  sectors read\n");
    for (unsigned i = 0; i < file_count && i < MOST_FILES; i++) {
        const struct figures *f = &figures[i];
        print_left(f->name, 20);
        print_padded(f->budget, 7);
        print_padded(f->allowed, 10);
        print_padded(f->need.least, 13);
        print_padded(f->need.best, 8);
        print_padded(f->high_water, 12);
        print_padded(f->sectors, 14);
        print_text(f->refused ? "  refused in part\n" : "\n");
    }
    if (file_count > MOST_FILES) {
        print_text("and ");
        print_u64(file_count - MOST_FILES);
        print_text(" more\n");
    }
    print_text("all sectors read ");
    print_u64(sdcard.sectors_read);
    print_text(", read again after a wrong CRC ");
    print_u64(sdcard.retries);
    print_char('\n');
}

int main(void)
{
    FRESULT result;

    print_text(utet_build_info());
    print_char('\n');
    result = check_card();
    if (result != FR_OK) {
        report_card(result);
        return 1;
    }
    draw();
    print_table();
    if (file_count == 0)
        print_text("no .tet file in the card's root\n");
    print_text(errors == 0 ? "demo: good\n" : "demo: ERRORS\n");
    return errors == 0 ? 0 : 1;
}
