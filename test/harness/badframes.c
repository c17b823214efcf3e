/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "badframes.h"

#include <string.h>

const uint8_t badframes_window[9] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x90, 0x01, 0x00, 0x00};
const uint8_t badframes_dictionary[10] = {0x28, 0xB5, 0x2F, 0xFD, 0x01, 0x38, 0x05, 0x01, 0x00, 0x00};
const uint8_t badframes_legacy[9] = {0x27, 0xB5, 0x2F, 0xFD, 0x00, 0x38, 0x01, 0x00, 0x00};
const uint8_t badframes_garbage[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

void badframes_checksum(const tetgen *g, uint8_t *row, uint32_t size)
{
    uint8_t frame[15] = {0x28, 0xB5, 0x2F, 0xFD, 0x64, 0, 0, 0, 0, 0, 7, 7, 1, 2, 3};

    tetgen_put(frame + 5, size - 256, 2);
    tetgen_put(frame + 7, 1u | 1u << 1 | size << 3, 3);
    tetgen_put(row + 88, sizeof frame, 8);
    memcpy(g->bytes + tetgen_get(row + 72, 8), frame, sizeof frame);
}
