/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The globe: an orthographic view, lit from the upper left, with relief, coasts, ice and an atmosphere. Lengths are in
 * 1/16 pixel, sines in 1/1024. Relies on planet.h. */
#include "planet.h"

#define CENTRE_X 64
#define CENTRE_Y 32
#define RADIUS 29
#define ONE 1024 /* of sines, normals and brightness */

/* Sine in steps of 360/128 degrees, the width of a column. */
static const int16_t sine_table[33] = {0,   50,  100, 150, 200, 249, 297,  345,  392,  438,  483,
                                       526, 569, 610, 650, 688, 724, 759,  792,  822,  851,  878,
                                       903, 926, 946, 964, 980, 993, 1004, 1013, 1019, 1023, 1024};

/* angle: 1/64 of such a step, -32 * 64 .. 32 * 64. */
static int32_t sine(int32_t angle)
{
    const int32_t size = angle < 0 ? -angle : angle;
    const int32_t low = sine_table[size / 64];
    const int32_t high = size / 64 < 32 ? sine_table[size / 64 + 1] : low;
    const int32_t value = low + (high - low) * (size % 64) / 64;
    return angle < 0 ? -value : value;
}

static int32_t square_root(int32_t value)
{
    int32_t root = 0;
    for (int32_t bit = 1 << 14; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= value)
            root += bit;
    return root;
}

void planet_elevation(uint8_t *texel, int32_t metres)
{
    int32_t level = (metres + 4096) / 256;
    level = level < 0 ? 0 : level > 31 ? 31 : level;
    *texel = (uint8_t)((unsigned)level << 3 | (*texel & 7u));
}

void planet_temperature(uint8_t *texel, uint32_t kelvin)
{
    const uint32_t level = kelvin < 240 ? 0 : kelvin >= 296 ? 7 : (kelvin - 240) / 8;
    *texel = (uint8_t)((*texel & 0xF8u) | level);
}

/* Brightness of the ground where the light falls straight, 0..ONE. Elevation level 16 is the sea's. */
static int32_t ground(const uint8_t *map, unsigned row, unsigned column)
{
    const uint8_t texel = map[row * PLANET_COLUMNS + column];
    const uint8_t west = map[row * PLANET_COLUMNS + (column + PLANET_COLUMNS - 1) % PLANET_COLUMNS];
    const uint8_t north = map[(row > 0 ? row - 1 : row) * PLANET_COLUMNS + column];
    const int32_t level = texel >> 3, warm = texel & 7;
    const int32_t slope = 2 * level - (west >> 3) - (north >> 3);
    int32_t value;

    if (warm < 2) /* ice, on land and sea */
        value = 980 + 24 * slope;
    else if (level < 16)
        value = 190 + 14 * level;
    else
        value = 640 + 20 * (level - 16) + 48 * slope - 12 * warm;
    return value < 120 ? 120 : value > ONE ? ONE : value;
}

/* The column of the map under a point `across` (1/16 pixel, from the axis) on a circle of `radius`. */
static unsigned column_under(int32_t across, int32_t radius, unsigned turn)
{
    int32_t step = -32;
    while (step < 32 && radius * sine(step * 64 + 32) / ONE < across)
        step++;
    return (unsigned)((int32_t)(turn + PLANET_COLUMNS) + step) % PLANET_COLUMNS;
}

/* How far (1/16 pixel) the middle between rows is north of the equator; `twice`: twice the row, so that odd ones are
 * the middles. 78 degrees = 27.73 steps; 63 rows from north to south. */
static int32_t northing(unsigned twice)
{
    return RADIUS * 16 * sine(1775 - (int32_t)twice * 1775 / 63) / ONE;
}

/* The row under a point `up` from the equator; the maps end at 78 degrees, where row 0 and row 63 are stretched. */
static unsigned row_under(int32_t up)
{
    unsigned row = 0;
    while (row < PLANET_ROWS - 1 && northing(2 * row + 1) > up)
        row++;
    return row;
}

unsigned planet_height(unsigned row)
{
    return (unsigned)(CENTRE_Y - northing(2 * row) / 16);
}

/* A few stars, always the same ones. */
static int32_t star(int32_t x, int32_t y)
{
    const uint32_t hash = (uint32_t)(x * 7919 + y * 104729 + 12345) * 2654435761u;
    if (hash >> 24 == 1)
        return (int32_t)(200 + (hash >> 8 & 511));
    return 0;
}

/* Brightness 0..ONE of the surface at (across, down) from the centre, inside the disc. */
static int32_t surface(const uint8_t *map, unsigned turn, int32_t across, int32_t down)
{
    const int32_t full = RADIUS * 16;
    const int32_t circle = square_root(full * full - down * down);
    const int32_t depth = square_root(full * full - down * down - across * across);
    /* Light from (-4, -3, 5) / 7.07, a little over-exposed. */
    const int32_t light = (-4 * across - 3 * down + 5 * depth) * (ONE * 100 / 560) / full;
    const int32_t rim = ONE - depth * ONE / full; /* 0 in the middle, ONE at the edge */
    const int32_t day = light < 0 ? 0 : light > ONE ? ONE : light;
    const int32_t value = ground(map, row_under(-down), column_under(across, circle, turn));
    /* A little light on the night side, haze towards the lit edge. */
    return value * (48 + day) / (ONE + 48) + day * (rim * rim / ONE) / ONE / 3;
}

/* Ordered dither: a value between two greys becomes a pattern, which avoids visible bands. */
static uint8_t grey(int32_t value, unsigned x, unsigned y)
{
    static const uint8_t pattern[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    const int32_t scaled = value * 15 / 64 + pattern[y & 3][x & 3]; /* 16 steps to a grey */
    const int32_t level = scaled / 16;
    return (uint8_t)(level < 0 ? 0 : level > 15 ? 15 : level);
}

void planet_row(const uint8_t *map, unsigned turn, unsigned y, uint8_t row[PLANET_WIDTH])
{
    const int32_t down = ((int32_t)y - CENTRE_Y) * 16 + 8;

    for (unsigned x = 0; x < PLANET_WIDTH; x++) {
        const int32_t across = ((int32_t)x - CENTRE_X) * 16 + 8;
        const int32_t distance = square_root(across * across + down * down);
        const int32_t beyond = distance - RADIUS * 16;
        int32_t value;

        if (beyond < 0)
            value = surface(map, turn, across, down);
        else if (beyond < 24) /* the atmosphere's glow on the lit side fades over a pixel and a half */
            value = (24 - beyond) * (-4 * across - 3 * down > 0 ? -4 * across - 3 * down : 0) / 110;
        else
            value = star((int32_t)x, (int32_t)y);
        row[x] = grey(value, x, y);
    }
}
