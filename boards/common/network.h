/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A network of three dense layers that reads digits of 8 x 8 pixels, in integers. Its weights stay in a .tet file, and
 * pass through the workspace for each picture. Relies on utet.h alone, so it also runs on the host. */
#ifndef NETWORK_H
#define NETWORK_H

#include "utet.h"

enum { NETWORK_PICTURES = 360, NETWORK_PIXELS = 64, NETWORK_WIDEST = 160, NETWORK_DIGITS = 10 };

/* The caller sets `file`, which is open, and `bits`: '8' for weights of 255 values, '4' for 15. */
typedef struct network {
    utet_file *file;
    char bits;
    uint8_t values[NETWORK_WIDEST]; /* what enters the layer: pixels, 0 to 16, or activations, 0 to 127 */
    int32_t sums[NETWORK_WIDEST];   /* what leaves it; after network_run, a sum for each digit */
    utet_dataset dataset;
    utet_slab slab;
} network;

/* Reads picture `number` (0 to 359), and sets *digit to what the network takes it for. After any error, *digit is
 * unchanged: checksums in the file reveal damage before a digit is returned. UTET_E_DATASET: the file has another type
 * or shape than this program. */
utet_status network_run(network *net, unsigned number, unsigned *digit);

/* Returns the digit that people read in the picture. Overwrites the sums. */
utet_status network_label(network *net, unsigned number, uint8_t *label);

#endif
