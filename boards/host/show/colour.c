/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Colours from dark blue through green to yellow. Their lightness rises steadily, so that they also work in grey print
 * and for colour-blind people. Cells without a number are grey. */
#include "plot.h"

#include <math.h>

#define STOPS 6

void picture_colour(const picture *p, size_t row, size_t column, uint8_t rgb[3])
{
    static const uint8_t stops[STOPS][3] = {
        {40, 10, 84}, {50, 72, 140}, {32, 126, 142}, {48, 174, 116}, {140, 212, 64}, {252, 232, 48},
    };
    double value;
    double place;
    size_t stop;
    size_t i;

    if (p->ink != NULL) {
        plot_colour(p->ink[row * p->width + column], rgb);
        return;
    }
    value = p->sum[row * p->width + column];
    if (isnan(value)) {
        rgb[0] = rgb[1] = rgb[2] = 128;
        return;
    }
    /* computed with halves, because high - low may overflow */
    place = p->high > p->low ? (value / 2 - p->low / 2) / (p->high / 2 - p->low / 2) * (STOPS - 1) : (STOPS - 1) / 2.0;
    stop = place >= STOPS - 1 ? STOPS - 2 : (size_t)place;
    place -= (double)stop;
    for (i = 0; i < 3; i++)
        rgb[i] = (uint8_t)(stops[stop][i] + (stops[stop + 1][i] - stops[stop][i]) * place + 0.5);
}
