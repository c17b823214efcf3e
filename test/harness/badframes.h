/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Payloads that zstd decoders refuse, one for each status, for the suites that provoke these statuses. */
#ifndef TEST_BADFRAMES_H
#define TEST_BADFRAMES_H

#include "tetgen.h"

extern const uint8_t badframes_window[9];      /* a window of 2^28 bytes: UTET_E_ZSTD_WINDOW */
extern const uint8_t badframes_dictionary[10]; /* needs dictionary 5: UTET_E_ZSTD_DICT */
extern const uint8_t badframes_legacy[9];      /* a frame of zstd 0.7: UTET_E_ZSTD_LEGACY */
extern const uint8_t badframes_garbage[9];     /* no zstd frame: UTET_E_PAYLOAD */

/* Replaces the payload of the row at `row`, in the file's bytes, by one run of `size` bytes whose checksum is wrong. */
void badframes_checksum(const tetgen *g, uint8_t *row, uint32_t size);

#endif
