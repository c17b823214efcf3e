/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What every bare-metal board of this folder offers to its firmware: the linker's memory map, the painted stack, and an
 * exit. Relies on start.c and on the linker script sections.ld. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* The firmware. Its result is the exit code of the emulator (0 = success). */
int main(void);

/* Called before main, after memory is initialised; a board with hardware to start overrides it. */
void board_init(void);

/* Ends the run: flushes print.h's line and leaves the emulator with `code`. */
__attribute__((noreturn)) void board_exit(int code);

/* RAM that no section uses, from the end of .bss to the end of RAM; 8-byte aligned. It is always the same block: the
 * firmware divides it. */
void *board_spare(size_t *bytes);

/* Figures in bytes. flash: vectors, code, constants and the initial values of .data.
 * static_ram: .data + .bss, stack not included. stack_size: size that the linker reserved. */
size_t board_flash_used(void);
size_t board_static_ram(void);
size_t board_stack_size(void);

/* Painted stack. The start-up paints all of it; paint again (from below the caller) to measure one step alone.
 * stack_peak: bytes between the top of the stack and the lowest word whose paint was overwritten. */
void board_stack_paint(void);
size_t board_stack_peak(void);

/* Bytes in use at the moment of the call: subtract it from the peak to get the cost of one call. */
size_t board_stack_now(void);

#endif
