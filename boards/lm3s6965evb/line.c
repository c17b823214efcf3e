/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "line.h"

#include "print.h"

struct line line;

size_t line_room(void)
{
    return sizeof line.text - line.length;
}

void line_add_text(const char *text)
{
    while (*text != '\0' && line_room() > 0)
        line.text[line.length++] = *text++;
}

void line_add_unsigned(uint64_t value)
{
    char digits[21];
    size_t at = sizeof digits - 1;

    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    line_add_text(digits + at);
}

void line_add_number(int32_t value)
{
    if (value < 0)
        line_add_text("-");
    line_add_unsigned(value < 0 ? 0 - (uint32_t)value : (uint32_t)value);
}

unsigned line_width(void)
{
    return font_width(line.text, line.length);
}

void line_draw(unsigned left, unsigned top)
{
    font_draw(left, top, line.text, line.length);
    print_text("label ");
    print_u64(left);
    print_char(',');
    print_u64(top);
    print_char(' ');
    print_name(line.text, line.length);
    print_char('\n');
    line.length = 0;
}
