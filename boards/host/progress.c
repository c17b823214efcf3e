/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One line on standard error for work that takes longer than a moment; only when that is a terminal. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_MS 500
#define EACH_MS 200

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

void progress_at(progress *p, uint64_t done)
{
    int64_t t;
    unsigned percent;

    if (!p->active || done < p->next)
        return;
    p->next = done + p->total / 1000 + 1; /* the clock is not free either */
    t = now();
    if (t - p->began < FIRST_MS || (p->shown != 0 && t - p->shown < EACH_MS))
        return;
    p->shown = t;
    percent = done >= p->total ? 100u : (unsigned)((double)done / (double)p->total * 100.0);
    fprintf(stderr, "\rutet: %s %3u %%", p->verb, percent);
    if (p->bytes && done > 0 && t > p->began)
        fprintf(stderr, ", %.1f MB/s, %.0f s left ", (double)done / (double)(t - p->began) / 1000,
                (double)(p->total - done) * (double)(t - p->began) / (double)done / 1000);
    fflush(stderr);
}

void progress_end(progress *p)
{
    if (p->active && p->shown != 0)
        fprintf(stderr, "\r\033[K");
    p->active = 0;
}
