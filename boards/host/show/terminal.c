/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Draws a picture in a terminal. Each character shows two cells: the upper one as the foreground of a half block, the
 * lower one as the background. Uses 24-bit colours if the terminal announces them, otherwise the 6 x 6 x 6 cube of 256
 * colours. */
#include "axes.h"

#include <stdlib.h>
#include <string.h>

static int has_all_colours(void)
{
    const char *const colours = getenv("COLORTERM");

    return colours != NULL && (strcmp(colours, "truecolor") == 0 || strcmp(colours, "24bit") == 0);
}

/* Returns the level of the cube (0, 95, 135, 175, 215, 255) that is nearest to a byte. */
static unsigned level(uint8_t byte)
{
    return byte < 48 ? 0u : byte < 115 ? 1u : (byte - 35u) / 40u;
}

void terminal_colour(FILE *out, unsigned ground, const uint8_t rgb[3])
{
    if (has_all_colours())
        fprintf(out, "\033[%u;2;%u;%u;%um", ground, rgb[0], rgb[1], rgb[2]);
    else
        fprintf(out, "\033[%u;5;%um", ground, 16 + 36 * level(rgb[0]) + 6 * level(rgb[1]) + level(rgb[2]));
}

int terminal_is_plain(void)
{
    const char *const none = getenv("NO_COLOR");
    const char *const term = getenv("TERM");

    return (none != NULL && none[0] != '\0') || (term != NULL && strcmp(term, "dumb") == 0);
}

/* Draws brightness as characters, two rows of cells on each line. */
static void picture_letters(const picture *p, FILE *out)
{
    static const char letters[] = " .:-=+*#%@";
    size_t row;
    size_t column;

    for (row = 0; row < p->height; row += 2) {
        axes_margin(p->axes, row / 2, (p->height + 1) / 2, out);
        for (column = 0; column < p->width; column++) {
            uint8_t rgb[3];

            picture_colour(p, row, column, rgb);
            putc(letters[(299u * rgb[0] + 587u * rgb[1] + 114u * rgb[2]) / 1000u * (sizeof letters - 2) / 255u], out);
        }
        putc('\n', out);
    }
}

void picture_terminal(const picture *p, FILE *out)
{
    size_t row;
    size_t column;

    if (terminal_is_plain()) {
        picture_letters(p, out);
        return;
    }
    for (row = 0; row < p->height; row += 2) {
        axes_margin(p->axes, row / 2, (p->height + 1) / 2, out);
        for (column = 0; column < p->width; column++) {
            uint8_t rgb[3];

            picture_colour(p, row, column, rgb);
            terminal_colour(out, 38, rgb);
            if (row + 1 < p->height) {
                picture_colour(p, row + 1, column, rgb);
                terminal_colour(out, 48, rgb);
            }
            fputs("\xE2\x96\x80", out); /* U+2580, upper half block */
        }
        fputs("\033[0m\n", out);
    }
}
