/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SPI0 of the RP2040, for common/pl022.c. */
#define PL022_BASE 0x4003C000u
