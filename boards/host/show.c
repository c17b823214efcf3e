/* utet show: a picture of a selection that has at most two axes longer than 1. In the terminal when standard output is
 * one and no -o is given, else PNG. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define MOST_PIXELS 2048u /* along an axis of a PNG */
#define GOOD_PIXELS 768u  /* small selections are scaled up to about this */

/* Rows and columns: the two axes longer than 1, or fewer. */
static int find_plane(const source *s, const options *opt, const utet_dataset *dataset, const utet_slab *slab,
                      picture *p)
{
    char shape[200];
    uint64_t extents[UTET_MAX_NDIM];
    unsigned found = 0;
    unsigned d;

    p->rows = 1;
    p->columns = 1;
    p->dtype = dataset->dtype;
    if (slab->count == 0)
        return fail(s->path, "dataset", NO_OFFSET, "is empty, there is nothing to show");
    for (d = 0; d < dataset->ndim; d++) {
        extents[d] = slab->axis[d].count;
        if (extents[d] == 1)
            continue;
        p->rows = p->columns;
        p->columns = slab->axis[d].count;
        found++;
    }
    if (found <= 2)
        return TOOL_OK;
    return fail(s->path, "slab", NO_OFFSET, "a picture has two axes, this is [%s]: choose with --slab%s",
                shape_text(shape, extents, dataset->ndim, ", "),
                opt->slab == 0 && dataset->ndim == 3 ? ", such as 0,:,:" : "");
}

static void legend(const picture *p, const utet_dataset *dataset, const options *opt)
{
    put_safely(stdout, opt->dataset, strlen(opt->dataset));
    printf("  %s  %" PRIu64 " x %" PRIu64, utet_show_dtype(dataset->dtype), p->rows, p->columns);
    if (p->width < p->columns || p->height < p->rows)
        printf(", shown as means of %zu x %zu", p->height, p->width);
    if (p->low <= p->high)
        printf("  dark %.6g, bright %.6g\n", p->low, p->high);
    else
        puts("  no finite values");
}

static unsigned scale_for(const picture *p)
{
    const size_t longer = p->width > p->height ? p->width : p->height;

    return longer * 2 > GOOD_PIXELS ? 1u : (unsigned)(GOOD_PIXELS / longer);
}

static int draw(source *s, const options *opt, const utet_dataset *dataset, const utet_range *ranges, picture *p)
{
    const int in_terminal = opt->output == 0 && isatty(STDOUT_FILENO);
    size_t width = MOST_PIXELS;
    size_t height = MOST_PIXELS;
    output out;
    int result;

    if (in_terminal) {
        terminal_size(&width, &height);
        height = height > 3 ? (height - 2) * 2 : 2; /* two cells a line; legend and prompt below */
    }
    if (picture_begin(p, s->path, width, height) != TOOL_OK)
        return TOOL_ERROR;
    result = bands_each(s, dataset, ranges, "reading", picture_add, p);
    if (result != TOOL_OK)
        return result;
    picture_finish(p);
    if (in_terminal) {
        picture_terminal(p, stdout);
        legend(p, dataset, opt);
        return TOOL_OK;
    }
    result = output_open(&out, opt->output, s);
    if (result == TOOL_OK)
        result = picture_png(p, &out, scale_for(p));
    return output_close(&out, result);
}

static int run(source *s, const options *opt)
{
    utet_dataset dataset;
    utet_range ranges[UTET_MAX_NDIM];
    utet_slab slab;
    utet_status status;
    picture p;
    int result;

    memset(&p, 0, sizeof p);
    if (source_dataset(s, opt->dataset, &dataset) != TOOL_OK ||
        slab_parse(s, opt->slab, &dataset, ranges) != TOOL_OK)
        return TOOL_ERROR;
    status = utet_slab_need(&slab, &s->file, &dataset, ranges);
    if (status != UTET_OK)
        return source_fail(s, status);
    if (find_plane(s, opt, &dataset, &slab, &p) != TOOL_OK || source_grow(s, opt, &slab.need) != TOOL_OK)
        return TOOL_ERROR;
    result = draw(s, opt, &dataset, ranges, &p);
    picture_end(&p);
    return result;
}

int command_show(const options *opt)
{
    source s;
    int result = source_begin(&s, opt);

    if (result == TOOL_OK)
        result = run(&s, opt);
    source_end(&s);
    return result;
}
