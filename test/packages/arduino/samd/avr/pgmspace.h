/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* As in Arduino's SAMD core: flash is in the address space. */
#ifndef UTET_TEST_SAMD_PGMSPACE_H
#define UTET_TEST_SAMD_PGMSPACE_H

#include <string.h>

#define PROGMEM
#define memcpy_P memcpy

#endif
