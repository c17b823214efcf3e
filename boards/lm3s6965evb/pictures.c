/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Draws with runs of slabs (the planet: every element goes to its position on the map) and with streams in slices (the
 * frames: every tile is a rectangle of the display), or with tiles that stay decoded (both in turn). Relies on
 * pictures.h. */
#include "pictures.h"

#include "card_file.h"
#include "font.h"
#include "labels.h"
#include "oled.h"
#include "planet.h"

#include <string.h>

#define FACING 112u /* the column of the map that faces the viewer: coasts in the light, ice above */

static utet_dataset dataset;

/* Whole values, as far as they were drawn. */
struct span {
    int32_t lowest, highest;
};

static void widen(struct span *span, int32_t value)
{
    span->lowest = value < span->lowest ? value : span->lowest;
    span->highest = value > span->highest ? value : span->highest;
}

/* ---- the planet ---- */

/* The integer part of a little-endian f32 between 1 and 2^23, in kelvins, without floating point. */
static uint32_t kelvins(const uint8_t *f32)
{
    const uint32_t bits = (uint32_t)f32[0] | (uint32_t)f32[1] << 8 | (uint32_t)f32[2] << 16 | (uint32_t)f32[3] << 24;
    const uint32_t exponent = bits >> 23;
    if (exponent < 127 || exponent > 150) /* smaller, larger, negative or NaN: not a temperature of a planet */
        return 0;
    return ((bits & 0x7FFFFFu) | 0x800000u) >> (150 - exponent);
}

static int32_t put_temperature(uint8_t *texel, const uint8_t *element)
{
    const uint32_t kelvin = kelvins(element);
    planet_temperature(texel, kelvin);
    return (int32_t)kelvin;
}

static int32_t put_elevation(uint8_t *texel, const uint8_t *element)
{
    const int16_t metres = (int16_t)(element[0] | element[1] << 8);
    planet_elevation(texel, metres);
    return metres;
}

static utet_status fill_map(uint8_t *map, const char *name, uint32_t dtype, struct span *span,
                            int32_t (*put)(uint8_t *, const uint8_t *))
{
    static const utet_range all[2] = {{0, PLANET_ROWS, 1}, {0, PLANET_COLUMNS, 1}};
    static utet_slab slab;
    utet_run run;
    utet_status status = utet_dataset_find(&card_file, name, strlen(name), &dataset);

    if (status != UTET_OK)
        return status;
    if (dataset.dtype != dtype || dataset.ndim != 2)
        return UTET_E_DTYPE;
    status = utet_slab_open(&slab, &card_file, &dataset, all);
    while (status == UTET_OK) {
        status = utet_slab_next(&slab, &run);
        for (size_t i = 0; status == UTET_OK && i < run.count; i++)
            widen(span, put(map + run.first + i, run.data + i * run.stride));
    }
    return status == UTET_END ? UTET_OK : status;
}

/* Around the globe: the names of the tensors and their units in two corners, the latitudes at their heights along the
 * right edge, and which longitude is in front. */
static utet_status label_planet(const struct span *elevation, const struct span *temperature)
{
    static const uint8_t rows[] = {0, 16, 31, 47, PLANET_ROWS - 1};
    utet_status status = labels_of("elevation");

    if (status == UTET_OK)
        status = labels_values(0, OLED_HEIGHT - 2 * FONT_HEIGHT, elevation->lowest, elevation->highest);
    if (status == UTET_OK)
        status = labels_of("temperature");
    if (status == UTET_OK)
        status = labels_values(0, 0, temperature->lowest, temperature->highest);
    if (status == UTET_OK)
        status = labels_place(0, (OLED_HEIGHT - FONT_HEIGHT) / 2, 1, FACING);
    for (unsigned i = 0; status == UTET_OK && i < sizeof rows; i++)
        status = labels_label(planet_height(rows[i]) - FONT_HEIGHT / 2, 0, rows[i], i == 0);
    return status;
}

utet_status pictures_planet(uint8_t *map)
{
    struct span elevation = {INT32_MAX, INT32_MIN};
    struct span temperature = {INT32_MAX, INT32_MIN};
    uint8_t row[PLANET_WIDTH];
    utet_status status = fill_map(map, "elevation", UTET_I16, &elevation, put_elevation);

    if (status == UTET_OK)
        status = fill_map(map, "temperature", UTET_F32, &temperature, put_temperature);
    if (status != UTET_OK)
        return status;
    oled_window(0, 0, OLED_WIDTH, OLED_HEIGHT);
    for (unsigned y = 0; y < PLANET_HEIGHT; y++) {
        planet_row(map, FACING, y, row);
        oled_greys(row, sizeof row);
    }
    return label_planet(&elevation, &temperature);
}

/* ---- the frames ---- */

/* One tile, in slices of one display row each at most. */
static utet_status draw_tile(const uint64_t *coords, struct span *span)
{
    static utet_stream stream;
    utet_chunk chunk;
    uint8_t slice[64];
    size_t got;
    utet_status status = utet_chunk_find(&card_file, &dataset, coords, &chunk);

    if (status == UTET_OK)
        status = utet_stream_open(&stream, &card_file, &chunk);
    if (status != UTET_OK)
        return status;
    oled_window((unsigned)(coords[2] * dataset.chunk_shape[2]), (unsigned)(coords[1] * dataset.chunk_shape[1]),
                (unsigned)dataset.chunk_shape[2], (unsigned)dataset.chunk_shape[1]);
    while ((status = utet_stream_read(&stream, slice, sizeof slice, &got)) == UTET_OK) {
        for (size_t i = 0; i < got; i++) {
            widen(span, slice[i]);
            slice[i] >>= 4;
        }
        oled_greys(slice, (unsigned)got);
    }
    return status == UTET_END ? UTET_OK : status;
}

/* Checks that each frame has the display's size, and that tiles of an even width divide it exactly. */
static int fits_display(void)
{
    return dataset.dtype == UTET_U8 && dataset.ndim == 3 && dataset.shape[1] == OLED_HEIGHT &&
           dataset.shape[2] == OLED_WIDTH && dataset.chunk_shape[0] == 1 && dataset.chunk_shape[2] % 2 == 0 &&
           dataset.grid[1] * dataset.chunk_shape[1] == OLED_HEIGHT &&
           dataset.grid[2] * dataset.chunk_shape[2] == OLED_WIDTH;
}

utet_status pictures_ripple(uint32_t *frames)
{
    uint64_t coords[UTET_MAX_NDIM] = {0};
    struct span span = {INT32_MAX, INT32_MIN};
    utet_status status = utet_dataset_find(&card_file, "ripple", 6, &dataset);

    *frames = 0;
    if (status == UTET_OK && !fits_display())
        status = UTET_E_DTYPE;
    for (; status == UTET_OK && coords[0] < dataset.grid[0]; coords[0]++) {
        for (coords[1] = 0; status == UTET_OK && coords[1] < dataset.grid[1]; coords[1]++)
            for (coords[2] = 0; status == UTET_OK && coords[2] < dataset.grid[2]; coords[2]++)
                status = draw_tile(coords, &span);
        ++*frames;
    }
    if (status == UTET_OK)
        status = labels_of("ripple");
    if (status == UTET_OK)
        status = labels_values(0, 0, span.lowest, span.highest);
    if (status == UTET_OK)
        status = labels_place(0, OLED_HEIGHT - FONT_HEIGHT, 0, *frames - 1);
    return status;
}

/* ---- both in turn ---- */

enum { ELEVATION, TEMPERATURE, RIPPLE, DATASETS };

static utet_dataset datasets[DATASETS];
static utet_tiles tiles[DATASETS];

static const struct {
    const char *name;
    uint32_t dtype;
    uint8_t ndim;
    uint8_t crossed; /* tiles that a row of the dataset crosses: as many stay decoded */
} in_turn[DATASETS] = {
    {"elevation", UTET_I16, 2, 4},
    {"temperature", UTET_F32, 2, 4},
    {"ripple", UTET_U8, 3, 2},
};

/* Checks dtype and axes: the last two have the size of the display. */
static int fits(const utet_dataset *one, uint32_t dtype, unsigned ndim)
{
    return one->dtype == dtype && one->ndim == ndim && one->shape[ndim - 2] == OLED_HEIGHT &&
           one->shape[ndim - 1] == OLED_WIDTH;
}

static utet_status open_in_turn(void)
{
    utet_status status = UTET_OK;

    for (unsigned i = 0; status == UTET_OK && i < DATASETS; i++) {
        utet_dataset *one = &datasets[i];

        status = utet_dataset_find(&card_file, in_turn[i].name, strlen(in_turn[i].name), one);
        if (status == UTET_OK && !fits(one, in_turn[i].dtype, in_turn[i].ndim))
            status = UTET_E_DTYPE;
        if (status == UTET_OK)
            status = utet_tiles_init(&tiles[i], &card_file, one, in_turn[i].crossed);
    }
    return status;
}

/* Reads row `row` of both datasets into the map. */
static utet_status fill_row(uint8_t *map, unsigned row, struct span spans[2])
{
    const utet_range box[2] = {{row, row + 1u, 1}, {0, PLANET_COLUMNS, 1}};
    uint8_t elements[PLANET_COLUMNS * 4];
    utet_status status = utet_tiles_read(&tiles[ELEVATION], box, elements, sizeof elements);

    for (unsigned x = 0; status == UTET_OK && x < PLANET_COLUMNS; x++)
        widen(&spans[ELEVATION], put_elevation(map + row * PLANET_COLUMNS + x, elements + 2u * x));
    if (status == UTET_OK)
        status = utet_tiles_read(&tiles[TEMPERATURE], box, elements, sizeof elements);
    for (unsigned x = 0; status == UTET_OK && x < PLANET_COLUMNS; x++)
        widen(&spans[TEMPERATURE], put_temperature(map + row * PLANET_COLUMNS + x, elements + 4u * x));
    return status;
}

/* Draws frame `frame` from row `top` of the display on. */
static utet_status draw_frame(uint64_t frame, unsigned top)
{
    utet_status status = UTET_OK;

    oled_window(0, top, OLED_WIDTH, OLED_HEIGHT - top);
    for (unsigned y = top; status == UTET_OK && y < OLED_HEIGHT; y++) {
        const utet_range box[3] = {{frame, frame + 1u, 1}, {y, y + 1u, 1}, {0, OLED_WIDTH, 1}};
        uint8_t greys[OLED_WIDTH];

        status = utet_tiles_read(&tiles[RIPPLE], box, greys, sizeof greys);
        for (unsigned x = 0; x < OLED_WIDTH; x++)
            greys[x] >>= 4;
        if (status == UTET_OK)
            oled_greys(greys, OLED_WIDTH);
    }
    return status;
}

utet_status pictures_together(uint8_t *map, uint32_t *frames, void (*row_drawn)(unsigned row))
{
    struct span spans[2] = {{INT32_MAX, INT32_MIN}, {INT32_MAX, INT32_MIN}};
    uint8_t greys[PLANET_WIDTH];
    unsigned rows = 0;
    utet_status status = open_in_turn();

    *frames = 0;
    for (unsigned y = 0; status == UTET_OK && y < PLANET_HEIGHT; y++) {
        while (status == UTET_OK && rows < PLANET_ROWS && planet_height(rows) <= y + 1)
            status = fill_row(map, rows++, spans);
        if (status != UTET_OK)
            break;
        planet_row(map, FACING, y, greys);
        oled_window(0, y, OLED_WIDTH, 1);
        oled_greys(greys, sizeof greys);
        if (y + 1 < OLED_HEIGHT && y * datasets[RIPPLE].shape[0] / (OLED_HEIGHT - 1) == *frames)
            status = draw_frame((*frames)++, y + 1);
        if (status == UTET_OK)
            row_drawn(y);
    }
    return status == UTET_OK ? label_planet(&spans[ELEVATION], &spans[TEMPERATURE]) : status;
}

size_t pictures_tiles(void)
{
    return tiles[ELEVATION].size + tiles[TEMPERATURE].size + tiles[RIPPLE].size;
}
