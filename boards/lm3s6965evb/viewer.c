/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that shows the readings of a logger: readings.tet on the SD card has a dataset `time` (i64, seconds since
 * 1970) and datasets of the same length, one for each sensor. They may be larger than the RAM. Left and right scroll,
 * up and down zoom, select shows the next dataset. An error is shown with its offset; then any button begins anew.
 * Relies on the drivers of this folder, on common/ and on port/fatfs. Command line: see screen.h. */
#include "board.h"
#include "buttons.h"
#include "card_file.h"
#include "line.h"
#include "quantity.h"
#include "report.h"
#include "retry.h"
#include "screen.h"
#include "utet_fatfs_words.h"

#include <string.h>

#define NAME "readings.tet"
#define TOP (2 * FONT_HEIGHT) /* two lines of text are above the plot, and one is below it */
#define ROWS (OLED_HEIGHT - 3 * FONT_HEIGHT)
#define LABELS 3u
#define LABEL_STEP 48u /* columns from one label of the axis to the next */
#define DAY 86400
#define YEAR_10000 253402300800
#define WHITE 15u
#define DIM 4u

static utet_dataset times;
static quantity shown;
static struct {
    uint64_t first; /* reading at the left edge */
    uint64_t step;  /* readings in a column of pixels */
} view;

/* Stored values on the display: NaN in columns without values. */
static double lows[OLED_WIDTH], highs[OLED_WIDTH], low, high, mean;
static int64_t label_times[LABELS];
static unsigned columns, labels;

/* The rows of the plot that are white in a column; none if top is greater than bottom. */
static struct extent {
    uint8_t top, bottom;
} extents[OLED_WIDTH];

/* ---- reading ---- */

static utet_status read_time(uint64_t index, int64_t *seconds)
{
    static utet_slab slab;
    const utet_range one = {index, index + 1, 1};
    utet_status status = utet_slab_open(&slab, &card_file, &times, &one);

    if (status == UTET_OK)
        status = utet_slab_read_all(&slab, seconds, sizeof *seconds);
    /* Other times are not seconds since 1970. */
    return status == UTET_OK && (*seconds < 0 || *seconds >= YEAR_10000) ? UTET_E_RANGE : status;
}

/* Reads all that a redraw shows before it draws anything, so that an error leaves no half picture. */
static utet_status read_view(void)
{
    const uint64_t last = view.first + OLED_WIDTH * view.step, count = times.shape[0];
    const utet_range range = {view.first, last < count ? last : count, 1};
    utet_status status = quantity_fold(&shown, &range, &utet_fold_min, view.step, lows, OLED_WIDTH);

    if (status == UTET_OK)
        status = quantity_fold(&shown, &range, &utet_fold_max, view.step, highs, OLED_WIDTH);
    if (status == UTET_OK)
        status = quantity_fold(&shown, &range, &utet_fold_mean, 0, &mean, 1);
    columns = (unsigned)((range.stop - range.start + view.step - 1) / view.step);
    low = lows[0];
    high = highs[0];
    for (unsigned x = 1; x < columns; x++) {
        low = low <= lows[x] || lows[x] != lows[x] ? low : lows[x];
        high = high >= highs[x] || highs[x] != highs[x] ? high : highs[x];
    }
    for (labels = 0; labels < LABELS && labels * LABEL_STEP < columns && status == UTET_OK; labels++)
        status = read_time(view.first + labels * LABEL_STEP * view.step, &label_times[labels]);
    return status;
}

/* ---- text ---- */

static void add_two(unsigned number)
{
    const char digits[] = {(char)('0' + number / 10 % 10), (char)('0' + number % 10), '\0'};

    line_add_text(digits);
}

static unsigned days_of_year(unsigned year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365;
}

/* Year, month and day, each from 1, of a time that read_time accepts. */
static void date_of(int64_t seconds, unsigned date[3])
{
    static const uint8_t lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned day = (unsigned)(seconds / DAY), year = 1970, month = 0, length = 31;

    for (; day >= days_of_year(year); year++)
        day -= days_of_year(year);
    while (day >= length) {
        day -= length;
        month++;
        length = lengths[month] + (month == 1 ? days_of_year(year) - 365 : 0);
    }
    date[0] = year;
    date[1] = month + 1;
    date[2] = day + 1;
}

/* The text of an axis label: month and day, or for views of less than eight days the day and the time. */
static void add_label(int64_t seconds)
{
    const unsigned minute = (unsigned)(seconds % DAY / 60);
    unsigned date[3];

    date_of(seconds, date);
    if (label_times[labels - 1] - label_times[0] >= 8 * DAY) {
        add_two(date[1]);
        line_add_text("-");
        add_two(date[2]);
        return;
    }
    add_two(date[2]);
    line_add_text(" ");
    add_two(minute / 60);
    line_add_text(":");
    add_two(minute % 60);
}

static utet_status draw_texts(void)
{
    unsigned date[3];
    utet_status status = quantity_add_name(&shown);

    if (status == UTET_OK)
        status = quantity_add_units(&shown);
    if (status != UTET_OK)
        return status;
    date_of(label_times[0], date);
    line_add_text(" ");
    line_add_number((int32_t)date[0]);
    line_add_text("-");
    add_two(date[1]);
    line_draw(0, 0);
    if (low == low) {
        quantity_add_value(&shown, low);
        line_add_text("..");
        quantity_add_value(&shown, high);
        line_add_text(" mean ");
        quantity_add_value(&shown, mean);
    } else
        line_add_text("no values");
    line_draw(0, FONT_HEIGHT);
    for (unsigned i = 0; i < labels; i++) {
        add_label(label_times[i]);
        line_draw(i * LABEL_STEP, TOP + ROWS);
    }
    return UTET_OK;
}

/* ---- the plot ---- */

static unsigned row_of(double value)
{
    return high > low ? (unsigned)((high - value) * (ROWS - 1) / (high - low) + 0.5) : ROWS / 2;
}

/* A column goes from its lowest to its highest value, and to the nearest value of the column before. */
static void place_columns(void)
{
    struct extent before = {1, 0};

    for (unsigned x = 0; x < columns; x++) {
        const int empty = lows[x] != lows[x];
        const struct extent own = {empty ? 1 : (uint8_t)row_of(highs[x]), empty ? 0 : (uint8_t)row_of(lows[x])};

        extents[x] = own;
        if (!empty && before.top <= before.bottom) {
            extents[x].top = before.bottom < own.top ? before.bottom : own.top;
            extents[x].bottom = before.top > own.bottom ? before.top : own.bottom;
        }
        before = own;
    }
}

static uint8_t grey_at(unsigned x, unsigned row)
{
    if (x < columns && extents[x].top <= row && row <= extents[x].bottom)
        return WHITE;
    return x % LABEL_STEP == 0 ? DIM : 0;
}

static utet_status draw_view(void)
{
    uint8_t greys[OLED_WIDTH] = {0};

    place_columns();
    oled_window(0, 0, OLED_WIDTH, OLED_HEIGHT);
    for (unsigned y = 0; y < OLED_HEIGHT; y++) {
        const int plot = y >= TOP && y < TOP + ROWS;

        for (unsigned x = 0; x < OLED_WIDTH; x++)
            greys[x] = plot ? grey_at(x, y - TOP) : 0;
        oled_greys(greys, OLED_WIDTH);
    }
    return draw_texts();
}

/* ---- the buttons ---- */

static uint64_t widest_step(void)
{
    return (times.shape[0] + OLED_WIDTH - 1) / OLED_WIDTH;
}

/* Shows readings around `middle`, `step` in a column, but none beyond the ends. */
static void move_to(uint64_t middle, uint64_t step)
{
    const uint64_t half = OLED_WIDTH / 2 * step, count = times.shape[0];

    view.step = step;
    view.first = middle > half ? middle - half : 0;
    if (view.first + 2 * half > count)
        view.first = count > 2 * half ? count - 2 * half : 0;
}

/* The next dataset with as many readings as there are times, which is the same one if it is alone. */
static utet_status next_dataset(utet_status (*advance)(utet_file *, utet_dataset *))
{
    utet_status status = advance(&card_file, &shown.dataset);

    for (unsigned rounds = 0; rounds < 2; rounds++) {
        for (; status == UTET_OK; status = utet_dataset_next(&card_file, &shown.dataset))
            if (shown.dataset.id != times.id && shown.dataset.ndim == 1 && shown.dataset.shape[0] == times.shape[0])
                return quantity_open(&shown);
        if (status != UTET_END)
            return status;
        status = utet_dataset_first(&card_file, &shown.dataset);
    }
    return UTET_E_NOT_FOUND;
}

static utet_status obey(unsigned buttons)
{
    const uint64_t half = OLED_WIDTH / 2 * view.step, middle = view.first + half;
    const uint64_t wider = 2 * view.step;

    if (buttons & BUTTON_SELECT)
        return next_dataset(utet_dataset_next);
    if (buttons & BUTTON_LEFT)
        move_to(middle > half ? middle - half : 0, view.step);
    if (buttons & BUTTON_RIGHT)
        move_to(middle + half, view.step);
    if (buttons & BUTTON_UP)
        move_to(middle, (view.step + 1) / 2);
    if (buttons & BUTTON_DOWN)
        move_to(middle, wider < widest_step() ? wider : widest_step());
    return UTET_OK;
}

/* ---- the program ---- */

static utet_status open_readings(void)
{
    utet_status status = card_file_open(NAME);

    if (status == UTET_OK)
        status = utet_dataset_find(&card_file, "time", 4, &times);
    if (status == UTET_OK && (times.dtype != UTET_I64 || times.ndim != 1 || times.shape[0] == 0))
        status = UTET_E_DTYPE;
    if (status == UTET_OK)
        status = next_dataset(utet_dataset_first);
    if (status == UTET_OK)
        move_to(0, widest_step());
    return status;
}

/* Returns only with an error. */
static utet_status show_readings(void)
{
    utet_status status;

    oled_init();
    status = open_readings();
    while (status == UTET_OK) {
        status = read_view();
        if (status == UTET_OK)
            status = draw_view();
        if (status != UTET_OK)
            break;
        report_memory(CARD_FILE_WORK);
        screen_show("view");
        status = obey(buttons_wait());
    }
    return status;
}

/* What these statuses mean here; the library's texts are more general. */
static const char *words_for(utet_status status)
{
    switch (status) {
    case UTET_E_NOT_FOUND: return "no dataset 'time', or no other one of that length";
    case UTET_E_DTYPE: return "the dataset 'time' is not i64 with one axis";
    case UTET_E_RANGE: return "the times are not seconds since 1970";
    default: return utet_fatfs_strerror(status);
    }
}

int main(void)
{
    static const retry_program viewer = {"viewer", "The readings cannot be shown", show_readings, words_for};

    retry_forever(&viewer);
}
