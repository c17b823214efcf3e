/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A Cortex-M reads two words at address 0: its first stack pointer, which newlib's start code replaces, and the address
 * at which it starts. */
void _start(void);

typedef void (*entry)(void);

extern const entry vectors[2];
__attribute__((section(".vectors"))) const entry vectors[2] = {(entry)0x200000, _start};
