/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* EVA knows no addresses: here each workspace begins at a multiple of 8 and of io.align. suite_anywhere tries all. */
#include <stddef.h>

#define UTET_GAP(address, low) ((size_t)0)
#define ZS_GAP(address) ((size_t)0)
