/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "notice.h"

#include "line.h"
#include "screen.h"

#include <string.h>

/* Fills the line with whole words, one or more. Returns the rest of the text. */
static const char *fill_line(const char *words)
{
    while (*words != '\0') {
        const size_t length = strcspn(words, " ");

        if (line.length > 0 && line_room() < length + 1)
            break;
        if (line.length > 0)
            line_add_text(" ");
        for (size_t i = 0; i < length && line_room() > 0; i++)
            line.text[line.length++] = words[i];
        words += length + strspn(words + length, " ");
    }
    return words;
}

/* Returns the first row below the text. */
static unsigned draw(const char *title, const char *words)
{
    unsigned row = 2;

    oled_init();
    line.length = 0; /* a line that an error ended */
    line_add_text(title);
    line_draw(0, 0);
    for (; row < NOTICE_ROWS && *words != '\0'; row++) {
        words = fill_line(words);
        line_draw(0, row * FONT_HEIGHT);
    }
    return row;
}

void notice_show(const char *title, const char *words)
{
    (void)draw(title, words);
    screen_show("notice");
}

void notice_fault(const char *title, const char *words, uint64_t offset)
{
    const unsigned row = draw(title, words);

    line_add_text("offset ");
    line_add_unsigned(offset);
    line_draw(0, row * FONT_HEIGHT);
    screen_show("notice");
}
