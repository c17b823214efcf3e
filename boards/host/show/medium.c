/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The medium of a drawing. A terminal that draws sixel has attribute 4 in its answer to DA1, the question ESC [ c. */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "medium.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 500     /* milliseconds for the answer */
#define MOST_ANSWER 64u  /* bytes of the answer */
#define MOST_SIXEL 1000u /* pixels: xterm cuts larger pictures off */
#define LEAST_ROOM 64u   /* pixels */
#define MOST_ROOM 65536u /* pixels, for files */
#define USUAL_WIDTH 8u   /* pixels of a character, if the terminal does not tell */
#define USUAL_HEIGHT 16u

static long milliseconds(void)
{
    struct timespec now;

    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? (long)now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
}

/* Waits for a byte from the terminal. */
static int has_byte(long patience)
{
    struct timeval left;
    fd_set set;

    left.tv_sec = patience / 1000;
    left.tv_usec = (int)(patience % 1000) * 1000;
    FD_ZERO(&set);
    FD_SET(STDIN_FILENO, &set);
    return patience >= 0 && select(STDIN_FILENO + 1, &set, NULL, NULL, &left) > 0;
}

/* Returns nonzero if the answer, such as ESC [ ? 62 ; 4 ; 22 c, has attribute 4. The first number is the class. */
static int draws_sixel(const char *answer)
{
    const char *at = strstr(answer, "\033[?");

    while (at != NULL && (at = strchr(at, ';')) != NULL)
        if (strtol(++at, NULL, 10) == 4)
            return 1;
    return 0;
}

/* Reads the answer, byte by byte, because bytes after it are for the next program. */
static int ask(void)
{
    static const char question[] = "\033[c";
    const long end = milliseconds() + PATIENCE;
    char answer[MOST_ANSWER + 1] = "";
    size_t length = 0;

    if (has_byte(0)) /* a key was pressed before the question, for the next program */
        return 0;
    if (write(STDOUT_FILENO, question, sizeof question - 1) != (ssize_t)(sizeof question - 1))
        return 0;
    while (length < MOST_ANSWER && has_byte(end - milliseconds()) && read(STDIN_FILENO, answer + length, 1) == 1)
        if (answer[length++] == 'c')
            return draws_sixel(answer);
    return 0;
}

/* Asks without echo. A process in the background does not ask: the terminal would stop it. */
static int terminal_draws_sixel(void)
{
    struct termios before;
    struct termios silent;
    int result;

    if (terminal_is_plain() || !isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) != getpgrp() ||
        tcgetattr(STDIN_FILENO, &before) != 0)
        return 0;
    silent = before;
    silent.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    silent.c_cc[VMIN] = 1;
    silent.c_cc[VTIME] = 0;
    if (fflush(stdout) != 0 || tcsetattr(STDIN_FILENO, TCSANOW, &silent) != 0)
        return 0;
    result = ask();
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return result;
}

static int in_terminal(const options *opt)
{
    return opt->output == NULL && isatty(STDOUT_FILENO);
}

int medium_is_sixel(const options *opt)
{
    static int answer = -1; /* not asked yet */

    if (!in_terminal(opt))
        return opt->output != NULL && ends_with(opt->output, ".sixel");
    if (answer < 0)
        answer = terminal_draws_sixel();
    return answer;
}

int medium_is_text(const options *opt)
{
    return in_terminal(opt) && !medium_is_sixel(opt);
}

static size_t less(size_t size, size_t by)
{
    return size > by + LEAST_ROOM ? size - by : LEAST_ROOM;
}

void medium_room(const options *opt, const picture *p, size_t *width, size_t *height)
{
    struct winsize size;
    size_t across;
    size_t down;
    size_t line;

    *width = MOST_ROOM;
    *height = MOST_ROOM;
    if (!in_terminal(opt))
        return;
    terminal_size(&across, &down);
    *width = across * USUAL_WIDTH;
    *height = down * USUAL_HEIGHT;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_xpixel > 0 && size.ws_ypixel > 0) {
        *width = size.ws_xpixel;
        *height = size.ws_ypixel;
    }
    line = *height / down;
    *width = *width < MOST_SIXEL ? *width : MOST_SIXEL;
    *height = less(*height, 2 * line); /* the command and the prompt */
    *height = *height < MOST_SIXEL ? *height : MOST_SIXEL;
    if (!opt->bare) {
        canvas_around(p, &across, &down);
        *width = less(*width, across);
        *height = less(*height, down);
    }
}

int medium_write(const options *opt, const picture *p, output *out, unsigned scale, const char *legend)
{
    canvas c;
    int result;

    if (!canvas_make(&c, p, scale, legend))
        result = fail(out->name, NULL, NO_OFFSET, "not enough memory");
    else
        result = medium_is_sixel(opt) ? sixel_write(&c, out) : png_write(&c, out);
    if (result == TOOL_OK && in_terminal(opt))
        result = output_write(out, "\n", 1);
    canvas_end(&c);
    return result;
}
