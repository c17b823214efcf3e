/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The limits that writers of .tet files keep (FORMAT §7.4), each with the name of what is beyond it; and --meta's
 * document read as the metadata of a file. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <string.h>
#include <unistd.h>

#define MOST_TEXT 1024u
#define MOST_ATTRIBUTES 64u
#define MOST_LABELS 64u

static int beyond(const pack_input *in, const char *what)
{
    return fail(in->path, "metadata", NO_OFFSET, "%s: %s", in->name, what);
}

static int good_text(const char *text, size_t length)
{
    return length > 0 && length <= MOST_TEXT && is_utf8(text, length);
}

static int check_list(const pack_input *in, const tree *list, size_t most, const char *what)
{
    size_t i;

    if (list->kind != UTET_VALUE_LIST || list->count > most)
        return beyond(in, what);
    for (i = 0; i < list->count; i++)
        if (list->branches[i].value.kind != UTET_VALUE_TEXT ||
            !good_text(list->branches[i].value.text, list->branches[i].value.length))
            return beyond(in, "a text has 1 to 1,024 bytes of UTF-8");
    return TOOL_OK;
}

static int check_attributes(const pack_input *in, const tree *map)
{
    size_t i;

    if (map->count > MOST_ATTRIBUTES)
        return beyond(in, "more than 64 attributes");
    for (i = 0; i < map->count; i++)
        if (!good_text(map->branches[i].key, map->branches[i].key_length) ||
            map->branches[i].value.kind != UTET_VALUE_TEXT ||
            !good_text(map->branches[i].value.text, map->branches[i].value.length))
            return beyond(in, "an attribute has 1 to 1,024 bytes of UTF-8, and so has its name");
    return TOOL_OK;
}

int pack_meta_check(const pack_input *in)
{
    const tree *const attributes = tree_at(&in->about, "attrs", 5);
    const tree *const coords = tree_at(&in->about, "coords", 6);
    const tree *const names = tree_at(&in->about, "dim_names", 9);
    size_t i;
    int result = attributes != NULL ? check_attributes(in, attributes) : TOOL_OK;

    if (result == TOOL_OK && names != NULL)
        result = check_list(in, names, UTET_MAX_NDIM, "more than 8 names of axes");
    if (result == TOOL_OK && coords != NULL && coords->count > UTET_MAX_NDIM)
        result = beyond(in, "labels for more than 8 axes");
    for (i = 0; result == TOOL_OK && coords != NULL && i < coords->count; i++) {
        const tree *const labels = tree_at(&coords->branches[i].value, "labels", 6);

        if (labels == NULL || !good_text(coords->branches[i].key, coords->branches[i].key_length))
            return beyond(in, "labels of an axis without a name");
        result = check_list(in, labels, MOST_LABELS, "more than 64 labels on an axis");
    }
    return result;
}

int pack_meta_read(tree *given, const char *path, int fd)
{
    options opt;
    metadata m;
    source s;
    int result;

    memset(&opt, 0, sizeof opt);
    opt.file = path;
    result = source_prepare_fd(&s, &opt, dup(fd));
    if (result == TOOL_OK && source_open(&s, UTET_OPEN_WORK(1), UTET_OPEN_WORK(1)) != UTET_OK)
        result = fail(path, "metadata", NO_OFFSET, "not a JSON object");
    if (result == TOOL_OK && metadata_read(&m, &s) == TOOL_OK) {
        if (m.status != UTET_OK) {
            /* 44: the head that was put before it */
            result = fail(
                path, "metadata", m.offset > 44 ? m.offset - 44 : NO_OFFSET,
                "expected JSON such as {\"datasets\":{\"NAME\":{\"attrs\":{…},\"dim_names\":[…],\"coords\":{…}}}}");
        } else {
            *given = m.datasets;
            memset(&m.datasets, 0, sizeof m.datasets);
        }
        metadata_end(&m);
    } else {
        result = TOOL_ERROR;
    }
    source_end(&s);
    return result;
}
