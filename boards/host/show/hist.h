/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* How often the values of a selection occur. */
#ifndef UTET_TOOL_HIST_H
#define UTET_TOOL_HIST_H

#include "plot.h"

#define MOST_BINS 60u

typedef struct hist {
    const show_what *what;
    uint64_t numbers; /* finite values */
    uint64_t nans;
    uint64_t infinities;
    double low;
    double high;
    int whole; /* all finite values are whole numbers */
    size_t bins;
    double width; /* width of a bin */
    uint64_t count[MOST_BINS];
    uint64_t most; /* the largest count */
} hist;

/* Draws the histogram of what what->values passes on, which it does twice. `around` has the name and the units. */
int hist_show(const source *s, const options *opt, const show_what *what, axes *around);

#endif
