/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shows one line on standard error during long work, if standard error is a terminal. */
#define _XOPEN_SOURCE 700
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define FIRST_MS 500
#define EACH_MS 200

/* UTET_PROGRESS_AFTER=MS in the environment shortens the delay for tests. */
static int64_t first_ms(void)
{
    const char *told = getenv("UTET_PROGRESS_AFTER");

    return told != NULL ? atoi(told) : FIRST_MS;
}

static int64_t now(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
        return 0;
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void progress_begin(progress *p, const char *verb, uint64_t total)
{
    p->verb = verb;
    p->total = total;
    p->next = 0;
    p->active = isatty(STDERR_FILENO) && (getenv("TERM") == NULL || strcmp(getenv("TERM"), "dumb") != 0);
    p->began = p->active ? now() : 0;
    p->shown = 0;
    p->bytes = 0;
}

void progress_bytes(progress *p, const char *verb, uint64_t total)
{
    progress_begin(p, verb, total);
    p->bytes = 1;
}

/* Returns the number of columns that the terminal shows in one line, because a broken line cannot be overwritten. */
static int room(void)
{
    struct winsize size;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col - 1 : 79;
}

void progress_at(progress *p, uint64_t done)
{
    int64_t t;
    unsigned percent;
    char line[160];
    size_t length;

    if (!p->active || done < p->next)
        return;
    p->next = done + p->total / 1000 + 1; /* reading the clock takes time */
    t = now();
    if (t - p->began < first_ms() || (p->shown != 0 && t - p->shown < EACH_MS))
        return;
    p->shown = t;
    percent = done >= p->total ? 100u : (unsigned)((double)done / (double)p->total * 100.0);
    (void)snprintf(line, sizeof line, "utet: %.40s %3u %%", p->verb, percent);
    length = strlen(line);
    if (p->bytes && done > 0 && t > p->began)
        (void)snprintf(line + length, sizeof line - length, ", %.1f MB/s, %.0f s left",
                       (double)done / (double)(t - p->began) / 1000,
                       (double)(p->total - done) * (double)(t - p->began) / (double)done / 1000);
    fprintf(stderr, "\r%.*s\033[K", room(), line);
    fflush(stderr);
}

void progress_end(progress *p)
{
    if (p->active && p->shown != 0)
        fprintf(stderr, "\r\033[K");
    p->active = 0;
}
