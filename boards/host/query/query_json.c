/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The reference's response document, as the library writes it. */
#include "query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static utet_status write_text(void *context, const char *text, size_t length)
{
    return fwrite(text, 1, length, context) == length ? UTET_OK : UTET_E_PORT;
}

int answer_json(answer *a, int reduces, const utet_query_elements *elements)
{
    static char buffer[4096];
    FILE *const to = a->out->stream;
    char *const path = json_path(a->s->path);
    utet_query_response response = {.plan = &a->plan,
                                    .answer = reduces ? &a->answer : NULL,
                                    .results = a->results,
                                    .tet_file = path,
                                    .skips = &a->skips,
                                    .elements = elements,
                                    .plan_only = a->opt->plan != 0,
                                    .write = write_text,
                                    .context = to,
                                    .buffer = buffer,
                                    .size = sizeof buffer};
    utet_status status = path != NULL ? utet_query_respond(&response) : UTET_E_PORT;

    free(path);
    if (path == NULL)
        return fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    if (status != UTET_OK && !ferror(to))
        return answer_fail(a, status);
    if (to == stdout)
        return finish_stdout(TOOL_OK);
    return ferror(to) ? fail(a->out->name, NULL, NO_OFFSET, "cannot write: %s", strerror(errno)) : TOOL_OK;
}
