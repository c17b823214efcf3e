/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The size of a drawing, its cells, and where it goes. */
#define _POSIX_C_SOURCE 200809L
#include "plot.h"

#include "medium.h"

#include <stdlib.h>
#include <string.h>

#define MOST_WIDTH 480u /* cells */
#define MOST_HEIGHT 200u
#define SCALE 2u

void plot_colour(uint8_t ink, uint8_t rgb[3])
{
    /* distinct for colour-blind eyes, on white and on black */
    static const uint8_t colours[PLOT_COLOURS][3] = {
        {0, 114, 178}, {213, 94, 0},   {0, 158, 115}, {204, 121, 167},
        {230, 159, 0}, {86, 180, 233}, {140, 86, 75}, {127, 127, 127},
    };

    if (ink == 0)
        memset(rgb, 255, 3);
    else if (ink == PLOT_GREY)
        memset(rgb, 200, 3);
    else
        memcpy(rgb, colours[(ink - 1u) % PLOT_COLOURS], 3);
}

void plot_stroke(picture *to, size_t x, size_t y, size_t to_x, size_t to_y, uint8_t ink)
{
    const size_t across = to_x > x ? to_x - x : x - to_x;
    const size_t down = to_y > y ? to_y - y : y - to_y;
    const size_t steps = across > down ? across : down;
    size_t i;

    for (i = 0; i <= steps; i++) {
        const size_t part = steps > 0 ? (2 * i * across + steps) / (2 * steps) : 0;
        const size_t fall = steps > 0 ? (2 * i * down + steps) / (2 * steps) : 0;

        to->ink[(to_y > y ? y + fall : y - fall) * to->width + (to_x > x ? x + part : x - part)] = ink;
    }
}

/* The cells of a drawing, which the caller frees; bordered: with a line at the left and below. */
static int draw(const source *s, const plot *p, size_t width, size_t height, int bordered, picture *to)
{
    memset(to, 0, sizeof *to);
    to->axes = p->around;
    to->keys = p->keys;
    to->key_count = p->key_count;
    to->width = width;
    to->height = height;
    to->ink = calloc(width, height);
    if (to->ink == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory for the picture");
    if (bordered) {
        plot_stroke(to, 0, 0, 0, height - 1, PLOT_GREY);
        plot_stroke(to, 0, height - 1, width - 1, height - 1, PLOT_GREY);
    }
    p->draw(p->ctx, to);
    return TOOL_OK;
}

static int to_terminal(const source *s, const plot *p)
{
    const int letters = terminal_is_plain();
    size_t width;
    size_t height;
    size_t below;
    picture to;

    terminal_size(&width, &height);
    below = plot_key_lines(p, width) + 3; /* the axis, the legend, the prompt */
    height = height > below + 4 ? height - below : 4;
    width -= p->around != NULL ? p->around->margin : 0;
    if (draw(s, p, letters ? width : 2 * width, letters ? height : 2 * height, 0, &to) != TOOL_OK)
        return TOOL_ERROR;
    plot_terminal(&to, stdout);
    free(to.ink);
    if (p->around != NULL)
        axes_below(p->around, width, stdout);
    plot_keys(p, width + (p->around != NULL ? p->around->margin : 0), stdout);
    puts(p->legend);
    return TOOL_OK;
}

static int to_pixels(const source *s, const options *opt, const plot *p)
{
    output out;
    picture to;
    size_t width;
    size_t height;
    int result;

    memset(&to, 0, sizeof to);
    to.axes = p->around;
    to.key_count = p->key_count;
    medium_room(opt, &to, &width, &height);
    width = width / SCALE < MOST_WIDTH ? width / SCALE : MOST_WIDTH;
    height = height / SCALE < MOST_HEIGHT ? height / SCALE : MOST_HEIGHT;
    result = draw(s, p, width, height, !opt->bare, &to);
    if (result != TOOL_OK)
        return result;
    result = output_open(&out, opt->output, s);
    if (result == TOOL_OK)
        result = medium_write(opt, &to, &out, SCALE, opt->bare ? NULL : p->legend);
    result = output_close(&out, result);
    free(to.ink);
    return result;
}

int plot_show(const source *s, const options *opt, const plot *p)
{
    return medium_is_text(opt) ? to_terminal(s, p) : to_pixels(s, opt, p);
}
