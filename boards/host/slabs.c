/* Selections as people write them: start:stop:step for each axis, parts may be left out, one number is one index.
 * Rules of tet-v1 §12: nothing is clamped, no negative numbers, no empty selections. */
#include "tool.h"

#include <inttypes.h>

/* A number at *at, which moves on; 0 = there is none, -1 = too large. */
static int number(const char **at, uint64_t *value)
{
    const char *from = *at;

    *value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        const unsigned digit = (unsigned)(**at - '0');

        if (*value > (UINT64_MAX - digit) / 10)
            return -1;
        *value = *value * 10 + digit;
    }
    return *at != from;
}

static int complain(const char *path, unsigned axis, const char *what, uint64_t value, uint64_t extent)
{
    return fail(path, "slab", NO_OFFSET, "axis %u: %s %" PRIu64 ", and the axis has %" PRIu64 " places", axis, what,
                value, extent);
}

/* One axis at *at. */
static int parse_axis(const char *path, const char **at, unsigned axis, uint64_t extent, utet_range *range)
{
    uint64_t parts[3];
    int given[3] = { 0, 0, 0 };
    int count = 0;

    for (;; ++*at) {
        given[count] = number(at, &parts[count]);
        if (given[count] < 0)
            return fail(path, "slab", NO_OFFSET, "axis %u: a number beyond 2^64", axis);
        count++;
        if (**at != ':' || count == 3)
            break;
    }
    if (**at != ',' && **at != '\0')
        return fail(path, "slab", NO_OFFSET, "axis %u: not start:stop:step, at \"%s\"", axis, *at);
    if (count == 1 && !given[0])
        return fail(path, "slab", NO_OFFSET, "axis %u: nothing given (\":\" is everything)", axis);

    range->start = given[0] ? parts[0] : 0;
    range->stop = count > 1 ? (given[1] ? parts[1] : extent) : range->start + 1;
    range->step = given[2] ? parts[2] : 1;
    if (range->step == 0)
        return fail(path, "slab", NO_OFFSET, "axis %u: step 0", axis);
    if (extent == 0) /* an empty dataset: everything, which is nothing */
        return range->start == 0 && range->stop == 0 ? TOOL_OK : complain(path, axis, "start", range->start, extent);
    if (range->start >= extent)
        return complain(path, axis, count > 1 ? "start" : "index", range->start, extent);
    if (range->stop > extent)
        return complain(path, axis, "stop", range->stop, extent);
    if (range->stop <= range->start)
        return fail(path, "slab", NO_OFFSET, "axis %u: empty, stop %" PRIu64 " is not beyond start %" PRIu64, axis,
                    range->stop, range->start);
    return TOOL_OK;
}

int slab_parse(const char *path, const char *text, const utet_dataset *dataset, utet_range *ranges)
{
    unsigned axis;

    for (axis = 0; axis < dataset->ndim; axis++) {
        ranges[axis].start = 0;
        ranges[axis].stop = dataset->shape[axis];
        ranges[axis].step = 1;
    }
    if (text == 0)
        return TOOL_OK;
    for (axis = 0;; axis++, text++) {
        if (axis == dataset->ndim)
            return fail(path, "slab", NO_OFFSET, "the dataset has %u axes, not more", (unsigned)dataset->ndim);
        if (parse_axis(path, &text, axis, dataset->shape[axis], &ranges[axis]) != TOOL_OK)
            return TOOL_ERROR;
        if (*text == '\0')
            break;
    }
    if (axis + 1 != dataset->ndim)
        return fail(path, "slab", NO_OFFSET, "the dataset has %u axes, not %u", (unsigned)dataset->ndim, axis + 1);
    return TOOL_OK;
}
