/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A plan in any state, and contracts of the layers below it (metadata, datasets, texts of the document), for the
 * harnesses of src/query that bind a document and write its response. */
#include "eva_document.h"

static utet_query query;
static utet_query_plan plan;
static utet_meta meta;
static utet_file file, document;

/* How many readings may still succeed; then the result is "not yet" or an error. A call may be stopped anywhere, and
 * continues from any state, so a few iterations of a loop represent all. */
static int grants;

/* Success, or "not yet", or this status. */
static utet_status granted(utet_status failure)
{
    if (grants == 0)
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : failure;
    grants--;
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : failure;
}

/* The same, for a call that keeps an argument while it is suspended. */
static utet_status keeping(utet_status status, const void *argument)
{
    if (status == UTET_WOULD_BLOCK)
        kept_argument = argument;
    return status;
}

static unsigned below(unsigned count)
{
    return (unsigned)Frama_C_interval(0, (int)count - 1);
}

#include "eva_over.h"

/* ---- datasets ---- */

/* Any record: any extents, 1 to 8 axes. */
static void any_dataset(utet_dataset *dataset)
{
    Frama_C_make_unknown((char *)dataset, sizeof *dataset);
    dataset->ndim = (uint8_t)(1 + below(UTET_MAX_NDIM));
    dataset->elem_size = (uint8_t)below(9);
}

utet_status utet_dataset_first(utet_file *of, utet_dataset *dataset)
{
    (void)of;
    any_dataset(dataset);
    return granted(UTET_E_DATASET);
}

/* At the end the record does not change. */
utet_status utet_dataset_next(utet_file *of, utet_dataset *dataset)
{
    (void)of;
    if (Frama_C_interval(0, 1))
        return UTET_END;
    any_dataset(dataset);
    return granted(UTET_E_DATASET);
}

utet_status utet_dataset_name(utet_file *of, const utet_dataset *dataset, uint32_t from, char *buffer, size_t length)
{
    (void)of;
    (void)from;
    Frama_C_make_unknown(buffer, length);
    return keeping(granted(UTET_E_SHORT), Frama_C_interval(0, 1) ? (const void *)buffer : (const void *)dataset);
}

/* ---- metadata ---- */

static void any_value(utet_value *value)
{
    Frama_C_make_unknown((char *)value, sizeof *value);
}

utet_status utet_meta_dataset(utet_meta *of, const utet_dataset *dataset, utet_dataset_meta *about)
{
    (void)of;
    Frama_C_make_unknown((char *)about, sizeof *about);
    about->dataset = dataset;
    return Frama_C_interval(0, 1) ? UTET_E_NOT_FOUND : keeping(granted(UTET_E_METADATA), dataset);
}

/* Without success the axis is any number. */
utet_status utet_meta_axis(utet_meta *of, const utet_dataset_meta *about, const char *token, size_t length,
                           unsigned *axis)
{
    utet_status status;

    (void)length;
    of->priv.search.hits = any32();
    *axis = any32();
    status = Frama_C_interval(0, 1)   ? UTET_E_RANGE
             : Frama_C_interval(0, 1) ? UTET_E_NOT_FOUND
                                      : keeping(granted(UTET_E_METADATA), token);
    if (status == UTET_OK)
        *axis = below(about->dataset->ndim);
    return status;
}

utet_status utet_meta_labels(utet_meta *of, const utet_dataset_meta *about, unsigned axis, utet_value *labels)
{
    (void)of;
    (void)about;
    (void)axis;
    any_value(labels);
    return Frama_C_interval(0, 1) ? UTET_E_NOT_FOUND : granted(UTET_E_METADATA);
}

/* A list's size is the number of entries that are left; the list may end before that. */
utet_status utet_value_next(utet_meta *of, utet_value *list, utet_value *key, utet_value *item)
{
    const uint64_t left = list->size;
    utet_status status = left == 0 || Frama_C_interval(0, 1) ? UTET_END : granted(UTET_E_METADATA);

    (void)of;
    if (status == UTET_OK) {
        any_value(list);
        list->size = left - 1;
    }
    any_value(key);
    any_value(item);
    return status;
}

utet_status utet_list_nth(utet_meta *of, const utet_value *list, uint64_t n, utet_value *item)
{
    (void)of;
    (void)list;
    (void)n;
    any_value(item);
    return Frama_C_interval(0, 1) ? UTET_E_RANGE : granted(UTET_E_METADATA);
}

utet_status utet_map_find(utet_meta *of, const utet_value *map, const char *key, size_t length, utet_value *item)
{
    (void)of;
    (void)map;
    (void)length;
    any_value(item);
    return Frama_C_interval(0, 1) ? UTET_E_NOT_FOUND : keeping(granted(UTET_E_METADATA), key);
}

/* *got is valid after success, and at the end. */
utet_status utet_text_read(utet_meta *of, utet_value *text, char *buffer, size_t size, size_t *got)
{
    utet_status status = Frama_C_interval(0, 1) ? UTET_END : keeping(granted(UTET_E_METADATA), buffer);

    (void)of;
    any_value(text);
    Frama_C_make_unknown(buffer, size);
    if (status == UTET_OK || status == UTET_END)
        *got = (size_t)Frama_C_interval(0, (int)size);
    return status;
}

/* Query 7 proves it. */
utet_status utet_query_text(utet_query *of, const utet_query_text_at *text, uint32_t from, char *buffer, size_t size,
                            size_t *got)
{
    (void)of;
    (void)from;
    Frama_C_make_unknown(buffer, size);
    *got = (size_t)Frama_C_interval(0, (int)size);
    return keeping(granted(UTET_E_METADATA), Frama_C_interval(0, 1) ? (const void *)buffer : (const void *)text);
}

/* ---- the plan ---- */

/* An open document, and a plan that is being made or invalid; each axis of a token is one of the dataset. */
static void any_plan(void)
{
    unsigned i;

    Frama_C_make_unknown((char *)&query, sizeof query);
    Frama_C_make_unknown((char *)&plan, sizeof plan);
    Frama_C_make_unknown((char *)&meta, sizeof meta);
    query.priv.opened = 1;
    query.priv.plan = &plan;
    query.fault.reason = QUERY_FINE;
    query.axes_count = (uint8_t)below(UTET_MAX_NDIM + 1);
    query.keys_count = (uint8_t)below(UTET_MAX_NDIM + 1);
    query.operation = (uint8_t)below(UTET_QUERY_TRANSFORM + 1);
    query.method = (uint8_t)below(UTET_QUERY_SOFTMAX + 1);
    query.label_axis.length = (uint8_t)below(UTET_QUERY_TOKEN + 1);
    query.window_axis.length = (uint8_t)below(UTET_QUERY_TOKEN + 1);
    for (i = 0; i < UTET_MAX_NDIM; i++) {
        query.axes[i].length = (uint8_t)below(UTET_QUERY_TOKEN + 1);
        query.keys[i].length = (uint8_t)below(UTET_QUERY_TOKEN + 1);
        plan.priv.key_axis[i] = (uint8_t)below(UTET_MAX_NDIM);
        plan.priv.axis[i] = (uint8_t)below(UTET_MAX_NDIM);
        plan.by.align.axis[i] = (uint8_t)below(UTET_MAX_NDIM);
        plan.by.align.other_axis[i] = (uint8_t)below(UTET_MAX_NDIM);
        plan.by.align.reason[i] = (uint8_t)below(UTET_QUERY_LABELS + 1);
    }
    meta.priv.file = &file;
    query.priv.file = &document;
    file.priv.busy = (uint8_t)any32();
    document.priv.busy = (uint8_t)any32();
    file.dataset_count = any32();
    any_dataset(&plan.dataset);
    any_dataset(&plan.by.align.other);
    plan.about.dataset = &plan.dataset;
    plan.by.align.about.dataset = &plan.by.align.other;
    plan.by.align.count = (uint8_t)below(UTET_MAX_NDIM + 1);
    plan.priv.query = &query;
    plan.priv.binding = &query.shared.of.binding;
    plan.priv.meta = &meta;
    plan.priv.window_axis = (uint8_t)below(UTET_MAX_NDIM);
    plan.priv.label_axis = (uint8_t)below(UTET_MAX_NDIM);
    query.shared.of.binding.texts.got = below(sizeof query.shared.of.binding.piece[0] + 1);
}
