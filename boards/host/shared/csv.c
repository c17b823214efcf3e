/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Writes values as text. CSV has a line for each row of the last axis, whatever the number of axes; commas separate the
 * values, and numbers read back exactly. Plain text has blanks between values, and a heading for each 2-D plane if
 * there are more than two axes. With one axis, each line has one value. */
#include "tool.h"

#include <inttypes.h>

#define PIECE 4096u /* characters that are written at once */

/* Writes the heading at the beginning of a plane: "# [3, 0, :, :]". */
static void heading(const csv *c)
{
    const unsigned ndim = c->ndim;
    uint64_t rest = c->at / c->shape[ndim - 1] / c->shape[ndim - 2];
    uint64_t place[TOOL_MOST_AXES] = {0};
    unsigned d;

    for (d = ndim - 2; d-- > 0;) {
        place[d] = rest % c->shape[d];
        rest /= c->shape[d];
    }
    fprintf(c->out->stream, "%s# [", c->at > 0 ? "\n" : "");
    for (d = 0; d < ndim - 2; d++)
        fprintf(c->out->stream, "%" PRIu64 ", ", place[d]);
    fputs(":, :]\n", c->out->stream);
}

int csv_write(void *ctx, const uint8_t *data, size_t count)
{
    csv *c = ctx;
    const unsigned ndim = c->ndim;
    const uint64_t row = ndim > 1 ? c->shape[ndim - 1] : 1;
    const uint64_t plane = ndim > 2 ? row * c->shape[ndim - 2] : UINT64_MAX;
    const char between = c->plain ? ' ' : ',';
    uint64_t left = row - c->at % row; /* elements of the line */
    char text[PIECE + CSV_MOST + 1];
    size_t used = 0;
    size_t length;

    for (; count > 0; count--, data += c->size) {
        if (c->plain && ndim > 2 && c->at % plane == 0) {
            if (output_write(c->out, text, used) != TOOL_OK)
                return TOOL_ERROR;
            used = 0;
            heading(c);
        }
        if (c->text(c->dtype, data, text + used, CSV_MOST, &length) != UTET_OK)
            return fail(c->out->name, NULL, NO_OFFSET, "unsupported dtype");
        c->at++;
        used += length;
        text[used++] = --left == 0 ? '\n' : between;
        left = left == 0 ? row : left;
        if (used >= PIECE) {
            if (output_write(c->out, text, used) != TOOL_OK)
                return TOOL_ERROR;
            used = 0;
        }
    }
    return output_write(c->out, text, used);
}
