/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* network.h without the library's part: all arrays are constants of the firmware, made by `utet export --c`. The
 * streamed weights are compared with it. */
#include "digits.h"
#include "network.h"

#include "arrays.h"

/* The function that digits.c calls to open its file. */
utet_status digits_open(utet_file *file, size_t *work)
{
    file->error_offset = *work = 0;
    return UTET_OK;
}

const char *digits_words(utet_status status)
{
    return status == UTET_OK ? "good" : "bad";
}

const char *utet_build_info(void)
{
    return "no library";
}

enum { LAYERS = 3, WEIGHT_OF_ZERO = 128, MOST_VALUE = 127 };

static const uint8_t widths[] = {NETWORK_PIXELS, NETWORK_WIDEST, 80, NETWORK_DIGITS};

static const struct {
    const uint8_t *shift, *weights[LAYERS];
    const int32_t *bias[LAYERS];
} sets[] = {{shift8, {w8_1, w8_2, w8_3}, {b8_1, b8_2, b8_3}}, {shift4, {w4_1, w4_2, w4_3}, {b4_1, b4_2, b4_3}}};

utet_status network_run(network *net, unsigned number, unsigned *digit)
{
    const unsigned set = net->bits == '4';
    const uint8_t *values = pictures + (size_t)number * NETWORK_PIXELS;

    for (unsigned layer = 0; layer < LAYERS; layer++) {
        const uint8_t *weight = sets[set].weights[layer];
        for (unsigned row = 0; row < widths[layer + 1]; row++) {
            int32_t sum = sets[set].bias[layer][row];
            for (unsigned column = 0; column < widths[layer]; column++)
                sum += (*weight++ - WEIGHT_OF_ZERO) * values[column];
            net->sums[row] = sum;
        }
        for (unsigned i = 0; layer + 1 < LAYERS && i < widths[layer + 1]; i++) {
            const uint32_t value = net->sums[i] > 0 ? (uint32_t)net->sums[i] >> sets[set].shift[layer] : 0;
            net->values[i] = (uint8_t)(value < MOST_VALUE ? value : MOST_VALUE);
        }
        values = net->values;
    }
    *digit = 0;
    for (unsigned i = 1; i < NETWORK_DIGITS; i++)
        if (net->sums[i] > net->sums[*digit])
            *digit = i;
    return UTET_OK;
}

utet_status network_label(network *net, unsigned number, uint8_t *label)
{
    (void)net;
    *label = labels[number];
    return UTET_OK;
}
