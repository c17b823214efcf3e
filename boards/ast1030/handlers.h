/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Interrupt handlers that board.c has in its vectors, and nor.c defines. */
#ifndef HANDLERS_H
#define HANDLERS_H

void systick_handler(void);
void fmc_handler(void);

#endif
