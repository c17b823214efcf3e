/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The footer of a new file: what inputs, --meta, --dims, --labels and --attr say of its datasets, the history of .tet
 * inputs, and one event more. JSON as the reference writes it: compact, maps sorted by key. */
#define _XOPEN_SOURCE 700
#include "shared/near.h"
#include "pack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return fail(NULL, NULL, NO_OFFSET, "not enough memory for the metadata");
}

/* ---- trees ---- */

/* A new branch at an index. */
static tree *grow_at(tree *t, size_t place, const char *key, size_t length)
{
    branch *more = t->branches;
    branch *one;

    if ((t->count & (t->count - 1)) == 0) /* doubled at each power of two */
        more = realloc(more, (t->count == 0 ? 1 : t->count * 2) * sizeof *more);
    if (more == NULL)
        return NULL;
    t->branches = more;
    one = &more[place];
    memmove(one + 1, one, (t->count - place) * sizeof *more);
    memset(one, 0, sizeof *one);
    t->count++;
    if (key == NULL)
        return &one->value;
    one->key = malloc(length + 1);
    if (one->key == NULL) {
        memmove(one, one + 1, (--t->count - place) * sizeof *more);
        return NULL;
    }
    memcpy(one->key, key, length);
    one->key[length] = '\0';
    one->key_length = length;
    return &one->value;
}

/* Of a list, or of a map whose keys come in order. */
static tree *grow(tree *t, const char *key, size_t length)
{
    return grow_at(t, t->count, key, length);
}

/* The value of a key, made when it is not there. */
static tree *at_key(tree *map, const char *key, size_t length)
{
    const size_t place = tree_place(map, key, length);
    branch *const one = place < map->count ? &map->branches[place] : NULL;

    map->kind = UTET_VALUE_MAP;
    if (one != NULL && one->key_length == length && memcmp(one->key, key, length) == 0)
        return &one->value;
    return grow_at(map, place, key, length);
}

static int set_text(tree *t, const char *text, size_t length)
{
    tree_end(t);
    t->text = malloc(length + 1);
    if (t->text == NULL)
        return no_memory();
    if (length > 0)
        memcpy(t->text, text, length);
    t->text[length] = '\0';
    t->length = length;
    t->kind = UTET_VALUE_TEXT;
    return TOOL_OK;
}

static int set_key(tree *map, const char *key, const char *text)
{
    tree *const value = at_key(map, key, strlen(key));

    return value == NULL ? no_memory() : set_text(value, text, strlen(text));
}

static int copy_tree(tree *to, const tree *from)
{
    size_t i;

    if (from->kind == UTET_VALUE_TEXT)
        return set_text(to, from->text, from->length);
    tree_end(to);
    to->kind = from->kind;
    for (i = 0; i < from->count; i++) {
        tree *const next = grow(to, from->branches[i].key, from->branches[i].key_length);

        if (next == NULL || copy_tree(next, &from->branches[i].value) != TOOL_OK)
            return no_memory();
    }
    return TOOL_OK;
}

static const tree *value_at(const tree *map, const char *key)
{
    return tree_at(map, key, strlen(key));
}

/* The known keys of a dataset's metadata, those that are there. */
static int copy_dataset(tree *to, const tree *from)
{
    static const char *const known[3] = {"attrs", "coords", "dim_names"};
    size_t i;

    for (i = 0; i < 3; i++) {
        const tree *const value = value_at(from, known[i]);

        if (value == NULL)
            continue;
        if (copy_tree(at_key(to, known[i], strlen(known[i])), value) != TOOL_OK)
            return TOOL_ERROR;
    }
    return TOOL_OK;
}

int pack_meta_attribute(pack_input *in, const char *key, const char *text)
{
    tree *const map = at_key(&in->about, "attrs", 5);

    return map != NULL ? set_key(map, key, text) : no_memory();
}

int pack_meta_axis(pack_input *in, const char *axis, tree **labels)
{
    tree *const names = at_key(&in->about, "dim_names", 9);
    tree *coords;

    if (names == NULL || pack_meta_label(names, axis, strlen(axis)) != TOOL_OK)
        return no_memory();
    coords = at_key(&in->about, "coords", 6);
    coords = coords != NULL ? at_key(coords, axis, strlen(axis)) : NULL;
    *labels = coords != NULL ? at_key(coords, "labels", 6) : NULL;
    return *labels != NULL ? TOOL_OK : no_memory();
}

int pack_meta_next_axis(pack_input *in, const char *axis)
{
    tree *const names = at_key(&in->about, "dim_names", 9);

    return names != NULL ? pack_meta_label(names, axis, strlen(axis)) : no_memory();
}

int pack_meta_label(tree *labels, const char *text, size_t length)
{
    tree *const next = grow(labels, NULL, 0);

    labels->kind = UTET_VALUE_LIST;
    return next != NULL ? set_text(next, text, length) : no_memory();
}

int pack_meta_history(tree *to, const tree *history)
{
    size_t i;

    to->kind = UTET_VALUE_LIST;
    for (i = 0; i < history->count; i++) {
        tree *const next = grow(to, NULL, 0);

        if (next == NULL || copy_tree(next, &history->branches[i].value) != TOOL_OK)
            return no_memory();
    }
    return TOOL_OK;
}

/* The axis that a key of coords is about: by name, by number, else the only one of that length (FORMAT §12). */
static unsigned axis_of(const tree *names, const branch *coord, size_t labels, const selection *selected)
{
    const unsigned ndim = selected->dataset.ndim;
    unsigned found = ndim;
    unsigned d;

    for (d = 0; names != NULL && names->count == ndim && d < ndim; d++)
        if (names->branches[d].value.length == coord->key_length &&
            memcmp(names->branches[d].value.text, coord->key, coord->key_length) == 0)
            return d;
    if (coord->key_length == 1 && coord->key[0] >= '0' && coord->key[0] - '0' < (int)ndim)
        return (unsigned)(coord->key[0] - '0');
    for (d = 0; d < ndim; d++)
        if (selected->dataset.shape[d] == labels)
            found = found == ndim ? d : ndim + 1;
    return found < ndim ? found : ndim;
}

/* Only the labels of selected indices. */
static int cut_labels(tree *coords, const tree *names, const selection *selected)
{
    size_t i;

    for (i = 0; i < coords->count; i++) {
        tree *const labels = at_key(&coords->branches[i].value, "labels", 6);
        const unsigned axis = labels != NULL ? axis_of(names, &coords->branches[i], labels->count, selected) : 0;
        size_t kept = 0;
        size_t k;

        if (labels == NULL)
            return no_memory();
        labels->kind = UTET_VALUE_LIST;
        if (axis == selected->dataset.ndim || labels->count != selected->dataset.shape[axis])
            continue;
        for (k = 0; k < labels->count; k++) {
            const utet_range *const range = &selected->ranges[axis];

            if (k >= range->start && k < range->stop && (k - range->start) % range->step == 0) {
                const branch one = labels->branches[kept];

                labels->branches[kept++] = labels->branches[k];
                labels->branches[k] = one;
            }
        }
        while (labels->count > kept)
            tree_end(&labels->branches[--labels->count].value);
    }
    return TOOL_OK;
}

int pack_meta_adopt(pack_input *in, const tree *about, const selection *selected)
{
    tree *coords;

    if (copy_dataset(&in->about, about) != TOOL_OK)
        return TOOL_ERROR;
    coords = value_at(&in->about, "coords") != NULL ? at_key(&in->about, "coords", 6) : NULL;
    return coords != NULL ? cut_labels(coords, value_at(&in->about, "dim_names"), selected) : TOOL_OK;
}

int pack_meta_slab(pack_input *in, const utet_range *ranges)
{
    static const selection none;
    selection selected = none;

    if (value_at(&in->about, "coords") == NULL)
        return TOOL_OK;
    selected.dataset.ndim = (uint8_t)in->ndim;
    memcpy(selected.dataset.shape, in->shape, sizeof in->shape);
    memcpy(selected.ranges, ranges, in->ndim * sizeof *ranges);
    return cut_labels(at_key(&in->about, "coords", 6), value_at(&in->about, "dim_names"), &selected);
}

/* ---- options ---- */

#define LEAST_MISSPELT 4u /* shorter words are near to too many names */

/* "dataset:rest" when a dataset is called so; otherwise all datasets, and the rest is everything. The rest begins with
 * a name that ends at one of `ends`. Null after an error line: a dataset is nearly called so. */
static const char *for_dataset(const pack_inputs *all, const char *word, const char *ends, size_t *first, size_t *end)
{
    const size_t length = strcspn(word, ":");
    const char *colon;
    const char *rest = NULL;
    near_name near;
    char words[96];
    size_t i;

    *first = 0;
    *end = all->count;
    for (colon = strchr(word, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        i = pack_inputs_find(all, word, (size_t)(colon - word));
        if (i < *end) { /* of several the first dataset */
            *first = i;
            *end = i;
            rest = colon + 1;
        }
    }
    if (rest != NULL) {
        ++*end;
        return rest;
    }
    if (length < LEAST_MISSPELT || word[length] == '\0' || length > strcspn(word, ends))
        return word;
    near_begin(&near, word, length);
    for (i = 0; i < all->count; i++)
        near_add(&near, all->input[i].name, all->input[i].name_length);
    if (near.best[0] == '\0')
        return word;
    (void)fail(all->input[0].path, "dataset", NO_OFFSET, "no dataset named \"%.*s\"%s", (int)length, word,
               near_words(&near, words));
    return NULL;
}

/* A list of texts with commas between. */
static int set_list(tree *list, const char *text)
{
    tree_end(list);
    list->kind = UTET_VALUE_LIST;
    for (;; text++) {
        const size_t length = strcspn(text, ",");
        tree *const next = grow(list, NULL, 0);

        if (next == NULL || set_text(next, text, length) != TOOL_OK)
            return no_memory();
        text += length;
        if (*text == '\0')
            return TOOL_OK;
    }
}

/* Refuses two axes with the same name, which could not be distinguished. Axes without a name are allowed. */
static int differ(const pack_input *in, const tree *names)
{
    size_t a;
    size_t b;

    for (a = 1; a < names->count; a++) {
        const tree *const name = &names->branches[a].value;

        for (b = 0; b < a; b++) {
            const tree *const other = &names->branches[b].value;

            if (name->length != 0 && name->length == other->length &&
                memcmp(name->text, other->text, name->length) == 0)
                return fail(in->path, "dataset", NO_OFFSET,
                            "%s: --dims gives the name \"%.*s\" to two axes; name them differently", in->name,
                            (int)name->length, name->text);
        }
    }
    return TOOL_OK;
}

/* Labels that the input brought along go with the new names of their axes. */
static int move_labels(pack_input *in, const tree *before, const tree *names)
{
    static const tree none;
    tree *const coords = value_at(&in->about, "coords") != NULL ? at_key(&in->about, "coords", 6) : NULL;
    tree moved = none;
    size_t i;

    for (i = 0; coords != NULL && i < coords->count; i++) {
        const branch *const one = &coords->branches[i];
        const char *key = one->key;
        size_t length = one->key_length;
        tree *to;
        size_t d;

        for (d = 0; d < before->count && d < names->count; d++) {
            const tree *const old = &before->branches[d].value;

            if (old->length == one->key_length && memcmp(old->text, one->key, old->length) == 0) {
                key = names->branches[d].value.text;
                length = names->branches[d].value.length;
            }
        }
        to = at_key(&moved, key, length);
        if (to == NULL || copy_tree(to, &one->value) != TOOL_OK) {
            tree_end(&moved);
            return no_memory();
        }
    }
    if (coords != NULL) {
        tree_end(coords);
        *coords = moved;
    }
    return TOOL_OK;
}

static int set_names(pack_input *in, const char *list)
{
    static const tree none;
    tree *const names = at_key(&in->about, "dim_names", 9);
    tree before = none;
    int result;

    if (names == NULL)
        return no_memory();
    before = *names;
    *names = none;
    result = set_list(names, list);
    if (result == TOOL_OK && names->count != in->ndim)
        result = fail(in->path, "dataset", NO_OFFSET, "%s has %u axes, but --dims gives %zu names", in->name, in->ndim,
                      names->count);
    if (result == TOOL_OK)
        result = differ(in, names);
    if (result == TOOL_OK)
        result = move_labels(in, &before, names);
    tree_end(&before);
    return result;
}

static int set_dims(pack_inputs *all, const char *word)
{
    size_t i;
    size_t end;
    const char *const list = for_dataset(all, word, ",", &i, &end);

    if (list == NULL)
        return TOOL_ERROR;
    for (; i < end; i++)
        if (set_names(&all->input[i], list) != TOOL_OK)
            return TOOL_ERROR;
    return TOOL_OK;
}

/* The axis called so, or ndim; the nearest name into *n. */
static unsigned axis_called(const pack_input *in, const char *axis, size_t length, near_name *n)
{
    const tree *const names = value_at(&in->about, "dim_names");
    unsigned d;

    near_begin(n, axis, length);
    for (d = 0; names != NULL && d < names->count && d < in->ndim; d++) {
        const tree *const name = &names->branches[d].value;

        if (name->kind != UTET_VALUE_TEXT)
            continue;
        if (name->length == length && memcmp(name->text, axis, length) == 0)
            return d;
        near_add(n, name->text, name->length);
    }
    return in->ndim;
}

/* Labels that nobody could use are a mistake: the axis has a name, and there is one for each of its indices. */
static int set_labels(pack_inputs *all, const char *word)
{
    size_t i;
    size_t end;
    const char *const pair = for_dataset(all, word, "=", &i, &end);
    const size_t length = pair != NULL ? strcspn(pair, "=") : 0;
    const pack_input *const first = &all->input[i];
    char words[96];
    near_name n;
    int found = 0;

    if (pair == NULL)
        return TOOL_ERROR;
    if (pair[length] == '\0' || length == 0)
        return usage("--labels: invalid value \"%s\"; use AXIS=A,B,C", word);
    for (; i < end; i++) {
        pack_input *const in = &all->input[i];
        const unsigned axis = axis_called(in, pair, length, &n);
        tree *coords;
        tree *list;

        if (axis == in->ndim)
            continue;
        coords = at_key(&in->about, "coords", 6);
        list = coords != NULL ? at_key(coords, pair, length) : NULL;
        list = list != NULL ? at_key(list, "labels", 6) : NULL;
        if (list == NULL || set_list(list, pair + length + 1) != TOOL_OK)
            return no_memory();
        if (list->count != in->shape[axis])
            return fail(in->path, "dataset", NO_OFFSET,
                        "axis %.*s of %s has %" PRIu64 " elements, but --labels gives %zu labels", (int)length, pair,
                        in->name, in->shape[axis], list->count);
        found = 1;
    }
    return found ? TOOL_OK
                 : fail(first->path, "dataset", NO_OFFSET, "no axis named \"%.*s\"%s; set names with --dims",
                        (int)length, pair, near_words(&n, words));
}

static int set_attribute(pack_inputs *all, const char *word)
{
    size_t i;
    size_t end;
    const char *const pair = for_dataset(all, word, "=", &i, &end);
    const size_t length = pair != NULL ? strcspn(pair, "=") : 0;

    if (pair == NULL)
        return TOOL_ERROR;
    if (pair[length] == '\0' || length == 0)
        return usage("--attr: invalid value \"%s\"; use KEY=VALUE", word);
    for (; i < end; i++) {
        tree *const map = at_key(&all->input[i].about, "attrs", 5);
        tree *const value = map != NULL ? at_key(map, pair, length) : NULL;

        if (value == NULL || set_text(value, pair + length + 1, strlen(pair + length + 1)) != TOOL_OK)
            return no_memory();
    }
    return TOOL_OK;
}

#define MOST_GIVEN ((size_t)16 << 20) /* bytes (src/tet/FORMAT.md §7.4) */

/* All of a file; null after an error line. */
static char *read_given(const char *path, size_t *length)
{
    FILE *const file = fopen(path, "rb");
    char *text = file != NULL ? malloc(MOST_GIVEN + 1) : NULL;

    if (file == NULL) {
        (void)fail(path, NULL, NO_OFFSET, "cannot open: %s", strerror(errno));
        return NULL;
    }
    if (text == NULL) {
        (void)no_memory();
    } else {
        *length = fread(text, 1, MOST_GIVEN + 1, file);
        if (ferror(file) || *length > MOST_GIVEN) {
            (void)(ferror(file) ? fail(path, NULL, NO_OFFSET, "cannot read: %s", strerror(errno))
                                : fail(path, "metadata", NO_OFFSET, "larger than 16 MiB"));
            free(text);
            text = NULL;
        }
    }
    (void)fclose(file);
    return text;
}

/* A JSON of the reference's metadata shape is read as what it would be in a file: an empty one is made around it. */
static int read_json(pack_inputs *all, const char *path)
{
    static const uint8_t head[32] = {'T', 'E', 'T', 'R', 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 32};
    static const char before[] = "{\"metadata\":";
    uint8_t tail[17] = {'}', 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'T', 'H', 'S', 'T'};
    size_t length = 0;
    char *const text = read_given(path, &length);
    int fd = -1;
    int result = text != NULL ? pack_given_check(path, text, length) : TOOL_ERROR;

    if (result == TOOL_OK) {
        fd = pack_scratch(path);
        result = fd >= 0 ? pack_inputs_keep(all, fd) : TOOL_ERROR;
    }
    store_le(tail + 1, length + sizeof before, 8);
    if (result == TOOL_OK &&
        (pack_write_all(path, fd, head, sizeof head) != TOOL_OK ||
         pack_write_all(path, fd, before, sizeof before - 1) != TOOL_OK ||
         pack_write_all(path, fd, text, length) != TOOL_OK || pack_write_all(path, fd, tail, sizeof tail) != TOOL_OK))
        result = TOOL_ERROR;
    free(text);
    return result == TOOL_OK ? pack_meta_read(&all->given, path, fd) : result;
}

static int merge_given(pack_inputs *all, const char *path)
{
    near_name near;
    char words[96];
    size_t i;
    size_t k;

    if (all->given.count == 0)
        return fail(path, "metadata", NO_OFFSET, "no \"datasets\" object; expected {\"datasets\":{\"NAME\":{…}}}");
    for (k = 0; k < all->given.count; k++) {
        const branch *const one = &all->given.branches[k];
        const size_t found = pack_inputs_find(all, one->key, one->key_length);

        if (found == all->count) {
            near_begin(&near, one->key, one->key_length);
            for (i = 0; i < all->count; i++)
                near_add(&near, all->input[i].name, all->input[i].name_length);
            return fail(path, "metadata", NO_OFFSET, "no dataset named \"%s\"%s", one->key, near_words(&near, words));
        }
        if (copy_dataset(&all->input[found].about, &one->value) != TOOL_OK)
            return TOOL_ERROR;
    }
    return TOOL_OK;
}

int pack_meta_given(pack_inputs *all, const pack_options *opt)
{
    size_t i;
    int result = TOOL_OK;

    if (opt->meta_file != NULL) {
        result = read_json(all, opt->meta_file);
        if (result == TOOL_OK)
            result = merge_given(all, opt->meta_file);
    }
    for (i = 0; result == TOOL_OK && i < opt->dims.count; i++)
        result = set_dims(all, opt->dims.word[i]);
    for (i = 0; result == TOOL_OK && i < opt->labels.count; i++)
        result = set_labels(all, opt->labels.word[i]);
    for (i = 0; result == TOOL_OK && i < opt->attributes.count; i++)
        result = set_attribute(all, opt->attributes.word[i]);
    for (i = 0; result == TOOL_OK && i < all->count; i++)
        result = pack_meta_check(&all->input[i]);
    return result;
}

/* A new event of the history. */
int pack_meta_event(tree *event, const pack_inputs *all, const pack_options *opt, const pack_plan *plans, int64_t at)
{
    char text[1024];
    char shape[200];
    size_t length = 0;
    size_t i;
    tree *params;

    event->kind = UTET_VALUE_MAP;
    (void)snprintf(text, sizeof text, "%" PRId64, at);
    if (set_key(event, "op", "pack") != TOOL_OK || set_key(event, "at", text) != TOOL_OK)
        return TOOL_ERROR;
    (void)snprintf(text, sizeof text, "utet %d.%d.%d", UTET_VERSION / 10000, UTET_VERSION / 100 % 100,
                   UTET_VERSION % 100);
    if (set_key(event, "agent", text) != TOOL_OK)
        return TOOL_ERROR;
    text[0] = '\0';
    for (i = 0; i < opt->count && length < 200; i++) {
        const char *const slash = strrchr(opt->inputs[i], '/');

        length += (size_t)snprintf(text + length, 200, "%s%.150s", i > 0 ? " " : "",
                                   slash != NULL ? slash + 1 : opt->inputs[i]);
    }
    if (set_key(event, "source", is_utf8(text, strlen(text)) ? text : "input") != TOOL_OK ||
        (params = at_key(event, "params", 6)) == NULL)
        return no_memory();
    params->kind = UTET_VALUE_MAP;
    (void)snprintf(text, sizeof text, "%d", opt->level);
    for (i = 0; i < all->count && !plans[i].uses_zstd; i++)
        ;
    if (i < all->count && set_key(params, "zstd_level", text) != TOOL_OK)
        return TOOL_ERROR;
    if (all->count == 1 &&
        set_key(params, "tile", shape_text(shape, plans[0].tile, all->input[0].ndim, "x")) != TOOL_OK)
        return TOOL_ERROR;
    return opt->machine.given[0] != NULL ? set_key(params, "for", opt->machine.name) : TOOL_OK;
}
