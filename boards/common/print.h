/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Text without printf: strings, decimal and hexadecimal numbers up to 64 bits, collected into lines that go out
 * through semihosting. Relies on semihost.h. */
#ifndef PRINT_H
#define PRINT_H

#include <stddef.h>
#include <stdint.h>

void print_char(char c);
void print_text(const char *text);
/* `len` bytes of a name: control characters and backslashes come out as \xNN. */
void print_name(const void *bytes, size_t len);
void print_u64(uint64_t value);
void print_i64(int64_t value);
/* A tab, then the value: the next column of a line. */
void print_field(uint64_t value);
/* Right-aligned in `width` columns (at most 20). */
void print_padded(uint64_t value, unsigned width);
/* The `digits` (1..16) lowest hexadecimal digits, lower case. */
void print_hex(uint64_t value, unsigned digits);
void print_hex_bytes(const uint8_t *bytes, size_t len);
/* Sends the text collected in the line so far; a newline does that by itself. */
void print_flush(void);

#endif
