/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Line-buffered text output: one semihosting call per line instead of one per word. Uses semihost.h. */
#include "print.h"
#include "semihost.h"

static struct {
    char text[96];
    size_t used;
} line;

void print_flush(void)
{
    if (line.used == 0)
        return;
    line.text[line.used] = '\0';
    line.used = 0;
    semihost_write0(line.text);
}

void print_char(char c)
{
    line.text[line.used++] = c;
    if (c == '\n' || line.used == sizeof line.text - 1)
        print_flush();
}

void print_text(const char *text)
{
    while (*text)
        print_char(*text++);
}

static char digit(unsigned value)
{
    return (char)(value < 10 ? '0' + value : 'a' + (value - 10));
}

void print_hex(uint64_t value, unsigned digits)
{
    while (digits-- > 0)
        print_char(digit((unsigned)(value >> (4 * digits)) & 15u));
}

void print_hex_bytes(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        print_hex(bytes[i], 2);
}

void print_name(const void *bytes, size_t len)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < len; i++) {
        if (p[i] < 0x20 || p[i] == 0x7F || p[i] == '\\') {
            print_text("\\x");
            print_hex(p[i], 2);
        } else {
            print_char((char)p[i]);
        }
    }
}

/* value / 10 in four 16-bit limbs: a 64-bit division would link 750 bytes of libgcc. */
static unsigned divide_by_ten(uint64_t *value)
{
    uint64_t quotient = 0;
    uint32_t rest = 0;
    for (unsigned shift = 64; shift > 0;) {
        shift -= 16;
        rest = rest << 16 | ((uint32_t)(*value >> shift) & 0xFFFFu);
        quotient = quotient << 16 | rest / 10;
        rest %= 10;
    }
    *value = quotient;
    return (unsigned)rest;
}

void print_padded(uint64_t value, unsigned width)
{
    char text[20];
    unsigned n = 0;
    do
        text[n++] = digit(divide_by_ten(&value));
    while (value != 0);
    for (unsigned i = n; i < width; i++)
        print_char(' ');
    while (n > 0)
        print_char(text[--n]);
}

void print_u64(uint64_t value)
{
    print_padded(value, 0);
}

void print_i64(int64_t value)
{
    uint64_t size = (uint64_t)value;
    if (value < 0) {
        print_char('-');
        size = 0 - size;
    }
    print_u64(size);
}

void print_field(uint64_t value)
{
    print_char('\t');
    print_u64(value);
}
