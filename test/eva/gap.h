/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* EVA does not know addresses: here each workspace begins at a multiple of 8 and of io.align. suite_anywhere tries all
 * addresses. */
#include <stddef.h>

#define UTET_GAP(address, low) ((size_t)0)
#define ZS_GAP(address) ((size_t)0)
/* Nor does it know that a chain of symbols ends: here the list wraps around. */
#define ZS_DOWN(entry, list) ((list) + (((entry) - (list)-1) & 255))
/* Nor that two values in a loop keep step: here a count is that of the symbol. */
#define ZS_COUNT(next, d, symbol) ((next)++, (d)->count[symbol])
