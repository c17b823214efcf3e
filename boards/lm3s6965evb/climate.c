/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that shows a field in physical units, such as degrees: the first dataset of 64 x 128 integers (i16) in
 * climate.tet on the SD card, with the attributes scale_factor and add_offset. The latitude and longitude of the cursor
 * come from the field's axes. The buttons move the cursor over the map; select makes it slow or fast. An error is shown
 * with its offset; then any button begins anew.
 * Relies on the drivers of this folder, on common/ and on port/fatfs. Command line: see screen.h. */
#include "buttons.h"
#include "card_file.h"
#include "line.h"
#include "quantity.h"
#include "report.h"
#include "retry.h"
#include "screen.h"
#include "utet_fatfs_words.h"

#include <string.h>

#define NAME "climate.tet"
#define FAST 8u /* pixels that a button moves the cursor by at first, and after `select` */
#define SLOW 1u
#define ARM 5u /* pixels from the centre of the cursor to the end of each line */
#define WHITE 15u

/* The coordinate of each index of an axis: an element of the dataset that has the name of the axis, else a label of the
 * field. */
typedef struct axis {
    quantity values;
    uint8_t has_values;
} axis;

static quantity field;
static axis axes[2];
static double low, high, mean; /* stored values */
static int16_t values[OLED_HEIGHT][OLED_WIDTH];
static unsigned cursor_x, cursor_y, move;

/* ---- reading ---- */

static int is_field(const utet_dataset *dataset)
{
    return dataset->ndim == 2 && dataset->dtype == UTET_I16 && dataset->shape[0] == OLED_HEIGHT &&
           dataset->shape[1] == OLED_WIDTH;
}

/* UTET_END: the file has no field. */
static utet_status find_field(void)
{
    utet_status status = utet_dataset_first(&card_file, &field.dataset);

    while (status == UTET_OK && !is_field(&field.dataset))
        status = utet_dataset_next(&card_file, &field.dataset);
    return status;
}

static utet_status open_axis(axis *of, unsigned number)
{
    char name[QUANTITY_NAME];
    utet_status status = quantity_axis(&field, number, name, sizeof name);

    of->has_values = 0;
    if (status == UTET_OK)
        status = utet_dataset_find(&card_file, name, strlen(name), &of->values.dataset);
    if (status == UTET_E_NOT_FOUND)
        return UTET_OK;
    if (status != UTET_OK || of->values.dataset.ndim != 1 || of->values.dataset.shape[0] != field.dataset.shape[number])
        return status;
    of->has_values = 1;
    return quantity_open(&of->values);
}

static utet_status open_field(void)
{
    utet_status status = card_file_open(NAME);

    if (status == UTET_OK)
        status = find_field();
    if (status == UTET_OK)
        status = quantity_open(&field);
    if (status == UTET_OK)
        status = open_axis(&axes[0], 0);
    return status == UTET_OK ? open_axis(&axes[1], 1) : status;
}

static utet_status read_field(void)
{
    static utet_slab slab;
    const utet_range all[2] = {{0, OLED_HEIGHT, 1}, {0, OLED_WIDTH, 1}};
    utet_status status = quantity_fold(&field, all, &utet_fold_min, 0, &low, 1);

    if (status == UTET_OK)
        status = quantity_fold(&field, all, &utet_fold_max, 0, &high, 1);
    if (status == UTET_OK)
        status = quantity_fold(&field, all, &utet_fold_mean, 0, &mean, 1);
    if (status == UTET_OK)
        status = utet_slab_open(&slab, &card_file, &field.dataset, all);
    return status == UTET_OK ? utet_slab_read_all(&slab, values, sizeof values) : status;
}

/* ---- drawing ---- */

static int is_missing(unsigned x, unsigned y)
{
    return field.has_fill && values[y][x] == field.fill;
}

/* A missing value is black; the cursor is a white cross without a centre. */
static uint8_t grey_at(unsigned x, unsigned y)
{
    const unsigned right = x > cursor_x ? x - cursor_x : cursor_x - x,
                   down = y > cursor_y ? y - cursor_y : cursor_y - y;
    const double value = values[y][x];

    if ((down == 0 && right > 1 && right <= ARM) || (right == 0 && down > 1 && down <= ARM))
        return WHITE;
    if (is_missing(x, y) || !(high > low))
        return 0;
    return (uint8_t)(1 + (int)((value - low) * 13 / (high - low)));
}

static void draw_map(void)
{
    uint8_t greys[OLED_WIDTH];

    oled_window(0, 0, OLED_WIDTH, OLED_HEIGHT);
    for (unsigned y = 0; y < OLED_HEIGHT; y++) {
        for (unsigned x = 0; x < OLED_WIDTH; x++)
            greys[x] = grey_at(x, y);
        oled_greys(greys, OLED_WIDTH);
    }
}

/* Appends the name of the axis and the coordinate of this index to the line; the index itself if it has none. */
static utet_status add_place(unsigned number, uint64_t index)
{
    const axis *of = &axes[number];
    char name[QUANTITY_NAME];
    double stored;
    utet_status status = quantity_axis(&field, number, name, sizeof name);

    line_add_text(name);
    line_add_text(" ");
    if (status == UTET_OK && of->has_values) {
        status = quantity_read(&of->values, &index, &stored);
        if (status == UTET_OK)
            quantity_add_value(&of->values, stored);
        return status;
    }
    if (status == UTET_OK)
        status = quantity_add_label(&field, number, index);
    if (status != UTET_E_NOT_FOUND)
        return status;
    line_add_unsigned(index);
    return UTET_OK;
}

static utet_status draw_texts(void)
{
    utet_status status;

    quantity_add_value(&field, low);
    line_add_text("..");
    quantity_add_value(&field, high);
    line_add_text(" mean ");
    quantity_add_value(&field, mean);
    line_draw(0, 0);
    status = add_place(0, cursor_y);
    line_add_text(" ");
    if (status == UTET_OK)
        status = add_place(1, cursor_x);
    line_draw(0, OLED_HEIGHT - 2 * FONT_HEIGHT);
    quantity_add_value(&field, values[cursor_y][cursor_x]);
    if (status == UTET_OK && !is_missing(cursor_x, cursor_y))
        status = quantity_add_units(&field);
    line_draw(0, OLED_HEIGHT - FONT_HEIGHT);
    return status;
}

/* ---- the cursor ---- */

static void obey(unsigned buttons)
{
    if (buttons & BUTTON_SELECT)
        move = move == FAST ? SLOW : FAST;
    if (buttons & BUTTON_LEFT)
        cursor_x = (cursor_x + OLED_WIDTH - move) % OLED_WIDTH;
    if (buttons & BUTTON_RIGHT)
        cursor_x = (cursor_x + move) % OLED_WIDTH;
    if (buttons & BUTTON_UP)
        cursor_y -= cursor_y >= move ? move : cursor_y;
    if (buttons & BUTTON_DOWN)
        cursor_y = cursor_y + move < OLED_HEIGHT ? cursor_y + move : OLED_HEIGHT - 1;
}

/* Returns only with an error. */
static utet_status show_field(void)
{
    utet_status status;

    oled_init();
    cursor_x = OLED_WIDTH / 2;
    cursor_y = OLED_HEIGHT / 2;
    move = FAST;
    status = open_field();
    if (status == UTET_OK)
        status = read_field();
    while (status == UTET_OK) {
        draw_map();
        status = draw_texts();
        if (status != UTET_OK)
            break;
        report_memory(CARD_FILE_WORK);
        screen_show("view");
        obey(buttons_wait());
    }
    return status;
}

/* ---- the program ---- */

/* What these statuses mean here; the library's texts are more general. */
static const char *words_for(utet_status status)
{
    switch (status) {
    case UTET_END: return "no dataset of 64 x 128 integers (i16)";
    default: return utet_fatfs_strerror(status);
    }
}

int main(void)
{
    static const retry_program climate = {"climate", "The field cannot be shown", show_field, words_for};

    retry_forever(&climate);
}
