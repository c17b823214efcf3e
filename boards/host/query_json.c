/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The reference's response document, as the library writes it. */
#include "query.h"

#include <string.h>

/* The document's last bytes are held back, so that more can stand in front of them. */
#define END "}\n"
enum { HELD = sizeof END - 1 };

typedef struct held {
    char bytes[HELD];
    size_t count;
} held;

static utet_status write_text(void *context, const char *text, size_t length)
{
    held *h = context;
    const size_t keep = length < HELD ? length : HELD;
    const size_t out = h->count + keep > HELD ? h->count + keep - HELD : 0; /* of those held */

    if (fwrite(h->bytes, 1, out, stdout) != out || fwrite(text, 1, length - keep, stdout) != length - keep)
        return UTET_E_PORT;
    memmove(h->bytes, h->bytes + out, h->count - out);
    memcpy(h->bytes + h->count - out, text + length - keep, keep);
    h->count += keep - out;
    return UTET_OK;
}

int answer_json(answer *a, int reduces, const char *execution)
{
    static char buffer[4096];
    held h = {.count = 0};
    utet_query_response response = {.plan = &a->plan,
                                    .answer = reduces ? &a->answer : NULL,
                                    .results = a->results,
                                    .tet_file = a->s->path,
                                    .skips = &a->skips,
                                    .plan_only = a->opt->plan != 0,
                                    .write = write_text,
                                    .context = &h,
                                    .buffer = buffer,
                                    .size = sizeof buffer};
    utet_status status = utet_query_respond(&response);

    if (status != UTET_OK && !ferror(stdout))
        return source_fail(a->s, status);
    if (execution != NULL)
        fputs(execution, stdout);
    (void)fwrite(h.bytes, 1, h.count, stdout);
    return finish_stdout(TOOL_OK);
}
