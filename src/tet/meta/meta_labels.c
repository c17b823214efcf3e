/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The labels of an axis, by the reference's rules (§12): the coordinates whose key is the axis's name, else its number,
 * else the only ones that have as many labels as the axis has positions. */
#include "meta.h"

enum {
    META_LABELS_BEGIN,
    NAME_OF_AXIS,
    HEAD_OF_NAME,
    BY_NAME,
    BEGIN_NUMBER,
    BY_NUMBER,
    BEGIN_COUNT,
    BY_COUNT
}; /* meta->priv.step */

/* Searches all coordinates, from where the last call stopped. priv.place.hit becomes the labels of the last match.
 * UTET_E_NOT_FOUND: there is no match, or in the step BY_COUNT more than one. */
static utet_status search_labels(utet_meta *meta)
{
    utet_status status;

    while ((status = utet_meta_search(meta, UTET_RULE_COORDS)) == UTET_OK)
        meta->priv.place.hit = meta->priv.kept.coord.labels;
    if (status == UTET_END && meta->priv.step == BY_COUNT && meta->priv.search.hits != 1)
        status = UTET_E_NOT_FOUND;
    return status;
}

/* One step of the three ways. UTET_END: found. UTET_E_NOT_FOUND: this way does not lead to labels. */
static utet_status labels_step(utet_meta *meta, const utet_dataset_meta *dataset_meta, unsigned axis)
{
    utet_status status;

    switch (meta->priv.step) {
    case META_LABELS_BEGIN:
        utet_meta_want_text(meta, &dataset_meta->dim_names, meta->priv.head, axis);
        meta->priv.search.wanted = UTET_WANT_NTH;
        return UTET_OK;
    case NAME_OF_AXIS:
        status = utet_meta_search(meta, UTET_RULE_ENTRIES);
        meta->priv.place.file_text = meta->priv.kept.entry.whole;
        return status;
    case HEAD_OF_NAME: return utet_meta_want_file_text(meta, &dataset_meta->coords);
    case BEGIN_NUMBER:
        meta->priv.head[0] = (char)('0' + axis);
        utet_meta_want_text(meta, &dataset_meta->coords, meta->priv.head, 1);
        return UTET_OK;
    case BEGIN_COUNT:
        utet_meta_want_text(meta, &dataset_meta->coords, meta->priv.head,
                            utet_meta_length(dataset_meta->dataset->shape[axis]));
        meta->priv.search.wanted = UTET_WANT_COUNT;
        return UTET_OK;
    default: /* BY_NAME, BY_NUMBER, BY_COUNT */ return search_labels(meta);
    }
}

utet_status utet_meta_labels(utet_meta *meta, const utet_dataset_meta *dataset_meta, unsigned axis, utet_value *labels)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_META_LABELS);

    if (status != UTET_OK)
        return status;
    if (axis >= dataset_meta->dataset->ndim)
        return utet_leave(meta->priv.file, UTET_E_RANGE);
    for (;;) {
        status = labels_step(meta, dataset_meta, axis);
        if (status == UTET_OK) {
            meta->priv.step++;
        } else if (status == UTET_END) {
            *labels = meta->priv.place.hit;
            status = UTET_OK;
            break;
        } else if (status == UTET_E_NOT_FOUND && meta->priv.step < BY_COUNT) {
            meta->priv.step = meta->priv.step < BEGIN_NUMBER ? BEGIN_NUMBER : BEGIN_COUNT;
        } else {
            break;
        }
    }
    return utet_leave(meta->priv.file, status);
}
