/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The text of the footer: history, metadata, and the position of the metadata if they are too long for the footer. To
 * fit into 4 KB, --metadata small omits the inputs' history, then the attributes except units and fill values, then the
 * labels, then everything. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return fail(NULL, NULL, NO_OFFSET, "not enough memory for the metadata");
}

static int by_key(const void *a, const void *b)
{
    const branch *const x = *(const branch *const *)a;
    const branch *const y = *(const branch *const *)b;
    const size_t both = x->key_length < y->key_length ? x->key_length : y->key_length;
    const int order = both > 0 ? memcmp(x->key, y->key, both) : 0;

    return order != 0 ? order : (x->key_length > y->key_length) - (x->key_length < y->key_length);
}

static void put_tree(FILE *out, const tree *t)
{
    const branch **sorted;
    size_t i;

    if (t->kind == UTET_VALUE_TEXT) {
        json_text(out, t->text, t->length);
        return;
    }
    sorted = malloc((t->count + 1) * sizeof *sorted);
    putc(t->kind == UTET_VALUE_MAP ? '{' : '[', out);
    for (i = 0; sorted != NULL && i < t->count; i++)
        sorted[i] = &t->branches[i];
    if (sorted != NULL && t->kind == UTET_VALUE_MAP && t->count > 1)
        qsort(sorted, t->count, sizeof *sorted, by_key);
    for (i = 0; sorted != NULL && i < t->count; i++) {
        if (i > 0)
            putc(',', out);
        if (t->kind == UTET_VALUE_MAP) {
            json_text(out, sorted[i]->key, sorted[i]->key_length);
            putc(':', out);
        }
        put_tree(out, &sorted[i]->value);
    }
    putc(t->kind == UTET_VALUE_MAP ? '}' : ']', out);
    if (sorted == NULL)
        fputs("\x01", out); /* found out when it is read back */
    free(sorted);
}

/* How much is left out, in steps; see above. */
enum { ALL, NO_OLD_HISTORY, FEW_ATTRIBUTES, NO_LABELS, NOTHING };

static int is_needed(const branch *attribute)
{
    static const char *const needed[] = {"units",         "scale_factor", "add_offset", "_FillValue",
                                         "missing_value", "fill_value",   NULL};
    size_t i;

    for (i = 0; needed[i] != NULL; i++)
        if (strcmp(attribute->key, needed[i]) == 0)
            return 1;
    return 0;
}

/* "attrs":{…} with what is kept of them. */
static void put_attributes(FILE *out, const tree *map, int step)
{
    const branch **kept = malloc((map->count + 1) * sizeof *kept);
    size_t count = 0;
    size_t i;

    for (i = 0; kept != NULL && i < map->count; i++)
        if (step < FEW_ATTRIBUTES || is_needed(&map->branches[i]))
            kept[count++] = &map->branches[i];
    if (count > 1)
        qsort(kept, count, sizeof *kept, by_key);
    fputs("\"attrs\":{", out);
    for (i = 0; i < count; i++) {
        if (i > 0)
            putc(',', out);
        json_text(out, kept[i]->key, kept[i]->key_length);
        putc(':', out);
        put_tree(out, &kept[i]->value);
    }
    putc('}', out);
    free(kept);
}

static void put_dataset(FILE *out, const pack_input *in, int step)
{
    const tree *const attributes = tree_at(&in->about, "attrs", 5);
    const tree *const coords = tree_at(&in->about, "coords", 6);
    const tree *const names = tree_at(&in->about, "dim_names", 9);
    const char *comma = "";

    json_text(out, in->name, in->name_length);
    fputs(":{", out);
    if (attributes != NULL && attributes->count > 0) {
        put_attributes(out, attributes, step);
        comma = ",";
    }
    if (coords != NULL && coords->count > 0 && step < NO_LABELS) {
        fprintf(out, "%s\"coords\":", comma);
        put_tree(out, coords);
        comma = ",";
    }
    if (names != NULL && names->count > 0) {
        fprintf(out, "%s\"dim_names\":", comma);
        put_tree(out, names);
    }
    putc('}', out);
}

/* Datasets sorted by name, those that have something to say. */
static void put_metadata(FILE *out, const pack_inputs *all, int step, int64_t at)
{
    const char *comma = "";
    size_t i;

    fputs("{\"datasets\":{", out);
    for (i = 0; i < all->count; i++) {
        if (all->by_name[i]->about.count == 0)
            continue;
        fputs(comma, out);
        put_dataset(out, all->by_name[i], step);
        comma = ",";
    }
    fprintf(out, "},\"file\":{\"created_at\":\"%" PRId64 "\",\"library_version\":\"%d.%d.%d\",\"tool\":\"utet\"}}", at,
            UTET_VERSION / 10000, UTET_VERSION / 100 % 100, UTET_VERSION % 100);
}

static int make_history(pack_footer *f, const pack_inputs *all, const tree *event, int step)
{
    size_t length;
    FILE *out;
    size_t i;

    free(f->history);
    f->history = NULL;
    out = open_memstream(&f->history, &length);
    if (out == NULL)
        return no_memory();
    putc('[', out);
    for (i = 0; step < NO_OLD_HISTORY && i < all->history.count; i++) {
        put_tree(out, &all->history.branches[i].value);
        putc(',', out);
    }
    put_tree(out, event);
    putc(']', out);
    return words_close(out, &f->history) ? TOOL_OK : no_memory();
}

static int make_metadata(pack_footer *f, const pack_inputs *all, int step, int64_t at)
{
    size_t length;
    FILE *out;

    free(f->metadata);
    f->metadata = NULL;
    if (step == NOTHING)
        return TOOL_OK;
    out = open_memstream(&f->metadata, &length);
    if (out == NULL)
        return no_memory();
    put_metadata(out, all, step, at);
    return words_close(out, &f->metadata) ? TOOL_OK : no_memory();
}

static size_t length_of(const pack_footer *f)
{
    return strlen(f->history) + (f->metadata != NULL ? strlen(f->metadata) : 0) + 64;
}

int pack_footer_make(pack_footer *f, const pack_inputs *all, const pack_plan *plans, const pack_options *opt,
                     int64_t event_time)
{
    static const char *const lost[] = {"", "older history", "older history, attributes",
                                       "older history, attributes, labels", "all metadata"};
    tree event;
    int step = opt->metadata == META_NONE ? NOTHING : ALL;
    int result;

    memset(f, 0, sizeof *f);
    memset(&event, 0, sizeof event);
    if (opt->index_keep && pack_tet_index(all, f) != TOOL_OK)
        return TOOL_ERROR;
    result = pack_meta_event(&event, all, opt, plans, event_time);
    for (; result == TOOL_OK; step++) {
        result = make_history(f, all, &event, step);
        if (result == TOOL_OK)
            result = make_metadata(f, all, step, event_time);
        if (result != TOOL_OK || step == NOTHING || opt->metadata == META_KEEP || length_of(f) <= PACK_SMALL_FOOTER)
            break;
    }
    tree_end(&event);
    if (step > ALL && opt->metadata == META_SMALL)
        (void)snprintf(f->dropped, sizeof f->dropped, "%s", lost[step]);
    if (result != TOOL_OK)
        return result;
    if (length_of(f) > PACK_INLINE_FOOTER && f->metadata != NULL) {
        f->spill = f->metadata;
        f->spill_length = strlen(f->spill);
        f->metadata = NULL;
    }
    if (f->spill_length > (size_t)16 << 20 || strlen(f->history) > PACK_INLINE_FOOTER)
        return fail(NULL, "metadata", NO_OFFSET, "too large for a .tet file; use --metadata small or --metadata none");
    return TOOL_OK;
}

int pack_footer_text(pack_footer *f, uint64_t offset)
{
    FILE *const out = open_memstream(&f->text, &f->length);
    unsigned i;

    if (out == NULL)
        return no_memory();
    fprintf(out, "{\"history\":%s", f->history);
    if (f->metadata != NULL)
        fprintf(out, ",\"metadata\":%s", f->metadata);
    if (f->spill_length > 0)
        fprintf(out, ",\"metadata_ref\":{\"offset\":%" PRIu64 ",\"len\":%zu}", offset, f->spill_length);
    for (i = 0; i < 2; i++)
        if (f->index[i].length > 0)
            fprintf(out, ",\"%s\":{\"offset\":%" PRIu64 ",\"len\":%" PRIu64 "}",
                    i == 0 ? "zone_maps_ref" : "secondary_index_ref", f->index_at[i], f->index[i].length);
    putc('}', out);
    return words_close(out, &f->text) ? TOOL_OK : no_memory();
}

void pack_footer_end(pack_footer *f)
{
    free(f->spill);
    free(f->text);
    free(f->history);
    free(f->metadata);
    memset(f, 0, sizeof *f);
}
