/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A file that is linked into the firmware and read directly from flash. */
#ifndef FLASH_FILE_H
#define FLASH_FILE_H

#include <stdint.h>

extern const uint8_t flash_file[], flash_file_end[];

#endif
