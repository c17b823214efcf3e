/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet read --stats: what a selection holds, without its values: least, greatest, mean, deviation, NaN and infinities,
 * a histogram in one line. One pass for the range, a second one for the histogram. */
#include "stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BINS 48u

typedef struct stats {
    uint32_t dtype;
    size_t elem_size;
    uint64_t numbers;
    uint64_t nans;
    uint64_t infinities;
    double least;
    double greatest;
    double mean; /* running, and the sum of squares about it */
    double squares;
    int binning;
    uint64_t bins[BINS];
} stats;

static int add(void *ctx, const uint8_t *data, size_t count)
{
    stats *const s = ctx;

    for (; count > 0; count--, data += s->elem_size) {
        double value;
        double delta;

        if (utet_show_double(s->dtype, data, &value) != UTET_OK)
            return fail(NULL, "dataset", NO_OFFSET, "unknown dtype");
        if (s->binning) {
            if (isfinite(value)) {
                const double place = (value - s->least) / (s->greatest - s->least) * BINS;

                s->bins[place >= BINS ? BINS - 1 : place > 0 ? (unsigned)place : 0]++;
            }
            continue;
        }
        if (isnan(value)) {
            s->nans++;
        } else if (isinf(value)) {
            s->infinities++;
        } else {
            if (s->numbers++ == 0)
                s->least = s->greatest = value;
            s->least = value < s->least ? value : s->least;
            s->greatest = value > s->greatest ? value : s->greatest;
            delta = value - s->mean;
            s->mean += delta / (double)s->numbers;
            s->squares += delta * (value - s->mean);
        }
    }
    return TOOL_OK;
}

static void put_histogram(const stats *s)
{
    static const char *const bars[2][9] = {{" ", ".", ".", ":", ":", "|", "|", "#", "#"},
                                           {" ", "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
                                            "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"}};
    uint64_t most = 1;
    unsigned i;

    for (i = 0; i < BINS; i++)
        most = s->bins[i] > most ? s->bins[i] : most;
    fputs("histogram  |", stdout);
    for (i = 0; i < BINS; i++) {
        const unsigned height = s->bins[i] == 0 ? 0 : 1 + (unsigned)((double)s->bins[i] / (double)most * 7.0);

        fputs(bars[MB_CUR_MAX > 1][height > 8 ? 8 : height], stdout);
    }
    puts("|");
}

int stats_print(source *s, const selection *selected)
{
    char number[32];
    stats all;

    memset(&all, 0, sizeof all);
    all.dtype = selected->dataset.dtype;
    all.elem_size = selected->dataset.elem_size;
    if (bands_each(s, selected, add, &all) != TOOL_OK)
        return TOOL_ERROR;
    printf("elements   %s\n", grouped(number, selected->count));
    if (all.numbers > 0) {
        printf("least      %.9g\ngreatest   %.9g\nmean       %.9g\ndeviation  %.9g\n", all.least, all.greatest,
               all.mean, sqrt(all.squares / (double)all.numbers));
    }
    printf("nan        %s\n", grouped(number, all.nans));
    printf("infinite   %s\n", grouped(number, all.infinities));
    if (all.numbers == 0 || !(all.greatest > all.least))
        return TOOL_OK;
    all.binning = 1;
    if (bands_each(s, selected, add, &all) != TOOL_OK)
        return TOOL_ERROR;
    put_histogram(&all);
    return TOOL_OK;
}
