/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "network.h"

#include <string.h>

/* From layer to layer: pixels, hidden, hidden, digits. */
static const uint8_t widths[] = {NETWORK_PIXELS, NETWORK_WIDEST, 80, NETWORK_DIGITS};
enum { LAYERS = 3, WEIGHT_OF_ZERO = 128, MOST_VALUE = 127, TILE = 8 }; /* TILE: pictures in a tile */

/* Finds a dataset, and opens all columns of `rows` rows in it. */
static utet_status open_rows(network *net, const char *name, uint32_t dtype, const uint64_t shape[2], uint64_t row,
                             uint64_t rows)
{
    const utet_range part[2] = {{row, row + rows, 1}, {0, shape[1], 1}};
    const utet_dataset *const found = &net->dataset;
    utet_status status = utet_dataset_find(net->file, name, strlen(name), &net->dataset);

    if (status == UTET_OK &&
        (found->ndim != 2 || found->dtype != dtype || found->shape[0] != shape[0] || found->shape[1] != shape[1]))
        status = UTET_E_DATASET;
    return status == UTET_OK ? utet_slab_open(&net->slab, net->file, &net->dataset, part) : status;
}

/* Reads rows of a dataset into the sums. The caller requests complete tiles, because the checksum of a tile is compared
 * when its last byte has been read. */
static utet_status read_rows(network *net, const char *name, uint32_t dtype, const uint64_t shape[2], uint64_t row,
                             uint64_t rows)
{
    utet_status status = open_rows(net, name, dtype, shape, row, rows);
    return status == UTET_OK ? utet_slab_read_all(&net->slab, net->sums, sizeof net->sums) : status;
}

/* Adds weight x value to the sums. A run is a part of the matrix, up to a tile: it may begin and end within a row. */
static utet_status add_weights(network *net, const char *name, size_t rows, size_t columns)
{
    const uint64_t shape[2] = {rows, columns};
    utet_run run;
    utet_status status = open_rows(net, name, UTET_U8, shape, 0, rows);

    while (status == UTET_OK && (status = utet_slab_next(&net->slab, &run)) == UTET_OK) {
        size_t row = (size_t)run.first / columns, column = (size_t)run.first % columns;
        for (size_t i = 0; i < run.count;) {
            int32_t sum = 0;
            for (; i < run.count && column < columns; i++, column++)
                sum += (run.data[i] - WEIGHT_OF_ZERO) * net->values[column];
            net->sums[row++] += sum;
            column = 0;
        }
    }
    return status == UTET_END ? UTET_OK : status;
}

/* A layer: the sums begin as the bias; then come all weights. */
static utet_status run_layer(network *net, unsigned layer)
{
    const char bias[] = {'b', net->bits, '.', (char)('1' + layer), '\0'};
    const char weights[] = {'w', net->bits, '.', (char)('1' + layer), '\0'};
    const size_t columns = widths[layer], rows = widths[layer + 1];
    const uint64_t shape[2] = {1, rows};
    utet_status status = read_rows(net, bias, UTET_I32, shape, 0, 1);

    return status == UTET_OK ? add_weights(net, weights, rows, columns) : status;
}

/* Sums become the values of the next layer. */
static void activate(network *net, size_t count, unsigned shift)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t value = net->sums[i] > 0 ? (uint32_t)net->sums[i] >> shift : 0;
        net->values[i] = (uint8_t)(value < MOST_VALUE ? value : MOST_VALUE);
    }
}

utet_status network_run(network *net, unsigned number, unsigned *digit)
{
    static const uint64_t pictures[2] = {NETWORK_PICTURES, NETWORK_PIXELS}, two[2] = {1, LAYERS - 1};
    const char name[] = {'s', 'h', 'i', 'f', 't', net->bits, '\0'};
    const uint8_t *const bytes = (const uint8_t *)net->sums;
    uint8_t shifts[LAYERS - 1];
    utet_status status = read_rows(net, name, UTET_U8, two, 0, 1);

    if (status == UTET_OK) {
        memcpy(shifts, bytes, sizeof shifts);
        status = read_rows(net, "pictures", UTET_U8, pictures, number / TILE * TILE, TILE);
    }
    if (status == UTET_OK)
        memcpy(net->values, bytes + number % TILE * NETWORK_PIXELS, NETWORK_PIXELS);
    for (unsigned layer = 0; status == UTET_OK && layer < LAYERS; layer++) {
        status = run_layer(net, layer);
        if (status == UTET_OK && layer + 1 < LAYERS)
            activate(net, widths[layer + 1], shifts[layer] & 31u);
    }
    if (status != UTET_OK)
        return status;
    *digit = 0;
    for (unsigned i = 1; i < NETWORK_DIGITS; i++)
        if (net->sums[i] > net->sums[*digit])
            *digit = i;
    return UTET_OK;
}

utet_status network_label(network *net, unsigned number, uint8_t *label)
{
    static const uint64_t labels[2] = {1, NETWORK_PICTURES};
    const utet_status status = read_rows(net, "labels", UTET_U8, labels, 0, 1);

    if (status == UTET_OK)
        *label = ((const uint8_t *)net->sums)[number];
    return status;
}
