/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SSI0 of the LM3S6965, for common/pl022.c. */
#define PL022_BASE 0x40008000u
