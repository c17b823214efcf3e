/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A drawing in a terminal: one character holds 2 x 2 cells in one colour, as a block from U+2580 to U+259F. Where there
 * are no colours, a letter holds one cell. */
#include "plot.h"

#include <string.h>

/* By bits: 1 upper left, 2 upper right, 4 lower left, 8 lower right. */
static const char *const blocks[16] = {
    " ",
    "\xE2\x96\x98",
    "\xE2\x96\x9D",
    "\xE2\x96\x80",
    "\xE2\x96\x96",
    "\xE2\x96\x8C",
    "\xE2\x96\x9E",
    "\xE2\x96\x9B",
    "\xE2\x96\x97",
    "\xE2\x96\x9A",
    "\xE2\x96\x90",
    "\xE2\x96\x9C",
    "\xE2\x96\x84",
    "\xE2\x96\x99",
    "\xE2\x96\x9F",
    "\xE2\x96\x88",
};

int plot_letter(uint8_t ink)
{
    static const char letters[] = "*+ox#@%=";

    return ink == 0 ? ' ' : ink == PLOT_GREY ? '-' : letters[(ink - 1u) % PLOT_COLOURS];
}

static void colour(uint8_t ink, FILE *out)
{
    uint8_t rgb[3];

    plot_colour(ink, rgb);
    terminal_colour(out, 38, rgb);
}

/* The colour of four cells together: the first one that is not grey, if any. */
static uint8_t strongest(const uint8_t cells[4])
{
    uint8_t ink = 0;
    unsigned i;

    for (i = 0; i < 4; i++)
        if (cells[i] != 0 && (ink == 0 || ink == PLOT_GREY))
            ink = cells[i];
    return ink;
}

static void put_blocks(const picture *p, size_t row, FILE *out)
{
    uint8_t shown = 0;
    size_t column;

    for (column = 0; column < p->width; column += 2) {
        const uint8_t *const at = p->ink + row * p->width + column;
        const uint8_t cells[4] = {at[0], at[1], at[p->width], at[p->width + 1]};
        const uint8_t ink = strongest(cells);
        unsigned bits = 0;
        unsigned i;

        for (i = 0; i < 4; i++)
            bits |= (unsigned)(cells[i] == ink) << i;
        if (ink != 0 && ink != shown)
            colour(ink, out);
        shown = ink != 0 ? ink : shown;
        fputs(blocks[ink != 0 ? bits : 0], out);
    }
    fputs("\033[0m\n", out);
}

void plot_terminal(const picture *p, FILE *out)
{
    const int letters = terminal_is_plain();
    const size_t step = letters ? 1 : 2;
    size_t row;
    size_t column;

    for (row = 0; row < p->height; row += step) {
        axes_margin(p->axes, row / step, p->height / step, out);
        if (!letters) {
            put_blocks(p, row, out);
            continue;
        }
        for (column = 0; column < p->width; column++)
            putc(plot_letter(p->ink[row * p->width + column]), out);
        putc('\n', out);
    }
}

size_t plot_key_lines(const plot *p, size_t width)
{
    size_t all = 0;
    size_t i;

    for (i = 0; i < p->key_count; i++)
        all += text_width(p->keys[i]) + 2 + (i > 0 ? 3 : 0);
    return all <= width ? p->key_count > 0 : p->key_count;
}

void plot_keys(const plot *p, size_t width, FILE *out)
{
    const int together = plot_key_lines(p, width) <= 1;
    const int letters = terminal_is_plain();
    size_t i;

    for (i = 0; i < p->key_count; i++) {
        const uint8_t ink = (uint8_t)(i + 1);

        if (letters) {
            putc(plot_letter(ink), out);
        } else {
            colour(ink, out);
            fprintf(out, "%s\033[0m", blocks[15]);
        }
        fprintf(out, " %s%s", p->keys[i], together && i + 1 < p->key_count ? "   " : "\n");
    }
}
