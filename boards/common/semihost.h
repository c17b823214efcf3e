/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Semihosting: the debugger's (here the emulator's) files, console, command line and exit, reached with one
 * breakpoint instruction. Blocking; without a debugger attached the breakpoint faults. */
#ifndef SEMIHOST_H
#define SEMIHOST_H

#include <stddef.h>
#include <stdint.h>

/* Modes of semihost_open, the C library's "rb" and "wb". ":tt" with WRITE is the console. */
enum semihost_mode { SEMIHOST_READ = 1, SEMIHOST_WRITE = 5 };

/* Writes a zero-terminated text to the console. */
void semihost_write0(const char *text);

/* Opens a file of the host; returns its handle, or -1. */
int32_t semihost_open(const char *name, enum semihost_mode mode);
/* Returns 0, or -1 for a failure. */
int32_t semihost_close(int32_t handle);
/* Sets the position of the next read, at most the length of the file. Returns 0, or a negative number for a failure. */
int32_t semihost_seek(int32_t handle, uint32_t offset);
/* Returns the number of bytes read, less than `len` only at the end of the file. `len` is at most INT32_MAX. */
size_t semihost_read(int32_t handle, void *buf, size_t len);
/* Returns the number of bytes written. */
size_t semihost_write(int32_t handle, const void *buf, size_t len);
/* Returns the length of the file in bytes, or -1. */
int32_t semihost_flen(int32_t handle);

/* Copies the words given to the emulator as arg=…, joined by blanks and zero-terminated. Returns 0, or -1 if they do
 * not fit. */
int semihost_command_line(char *buf, size_t len);

/* Returns the hundredths of a second since the start. */
uint32_t semihost_clock(void);

__attribute__((noreturn)) void semihost_exit(uint32_t code);

#endif
