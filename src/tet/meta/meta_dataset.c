/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The metadata of a dataset (§7.3). */
#include "meta.h"

#include <string.h>

utet_status utet_meta_dataset(utet_meta *meta, const utet_dataset *dataset, utet_dataset_meta *dataset_meta)
{
    enum { BEGIN, SEARCH };
    utet_status status = utet_meta_enter(meta, UTET_CALL_META_DATASET);

    if (status != UTET_OK)
        return status;
    if (meta->priv.step == BEGIN) {
        utet_value *name = &meta->priv.place.file_text;

        memset(dataset_meta, 0, sizeof *dataset_meta);
        dataset_meta->dataset = dataset;
        name->kind = UTET_VALUE_RAW;
        name->priv.inside = 0;
        name->size = dataset->name_length;
        name->value = dataset->name_offset;
        status = utet_meta_want_file_text(meta, &meta->datasets);
        if (status == UTET_OK)
            meta->priv.step = SEARCH;
    }
    while (status == UTET_OK && (status = utet_meta_search(meta, UTET_RULE_DATASETS)) == UTET_OK) {
        const utet_value *fill = meta->priv.kept.attrs.fill;

        while (fill->kind == UTET_VALUE_NONE && fill != &meta->priv.kept.attrs.fill[2])
            fill++;
        *dataset_meta = meta->priv.kept.dataset;
        dataset_meta->fill = *fill;
        dataset_meta->dataset = dataset;
    }
    return utet_leave(meta->priv.file, status == UTET_END ? UTET_OK : status);
}
