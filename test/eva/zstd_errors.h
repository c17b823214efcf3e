/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The errors of libzstd that src/tet/codec/zstd_upstream.c distinguishes, for EVA. */
#ifndef EVA_ZSTD_ERRORS_H
#define EVA_ZSTD_ERRORS_H

#include <stddef.h>

typedef enum {
    ZSTD_error_no_error = 0,
    ZSTD_error_frameParameter_windowTooLarge = 16,
    ZSTD_error_corruption_detected = 20,
    ZSTD_error_checksum_wrong = 22
} ZSTD_ErrorCode;

ZSTD_ErrorCode ZSTD_getErrorCode(size_t code);

#endif
