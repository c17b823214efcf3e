/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The axis that a token means, by the reference's rules (§12). */
#include "meta.h"

/* The number that the token's digits make. UTET_END: not all of its characters are digits. */
static utet_status axis_number(unsigned ndim, const char *token, size_t length, unsigned *axis)
{
    unsigned number = 0;
    size_t i;

    for (i = 0; i < length; i++) {
        unsigned digit = (uint8_t)token[i] - (unsigned)'0';

        if (digit > 9)
            return UTET_END;
        if (number < ndim)
            number = number * 10 + digit;
    }
    *axis = number;
    return length == 0 ? UTET_END : number < ndim ? UTET_OK : UTET_E_RANGE;
}

utet_status utet_meta_axis(utet_meta *meta, const utet_dataset_meta *dataset_meta, const char *token, size_t length,
                           unsigned *axis)
{
    enum { BEGIN, SEARCH };
    const unsigned ndim = dataset_meta->dataset->ndim;
    utet_status status = utet_meta_enter(meta, UTET_CALL_META_AXIS);

    if (status != UTET_OK)
        return status;
    if (meta->priv.step == BEGIN) {
        status = axis_number(ndim, token, length, axis);
        if (status != UTET_END)
            return utet_leave(meta->priv.file, status);
        if (dataset_meta->dim_names.size != ndim)
            return utet_leave(meta->priv.file, UTET_E_NOT_FOUND);
        utet_meta_want_text(meta, &dataset_meta->dim_names, token, utet_meta_length(length));
        meta->priv.step = SEARCH;
    }
    while ((status = utet_meta_search(meta, UTET_RULE_ENTRIES)) == UTET_OK)
        *axis = (unsigned)meta->priv.search.passed - 1; /* < ndim: the list has no more entries than it announces */
    if (status == UTET_END)
        status = meta->priv.search.hits == 1 ? UTET_OK : UTET_E_NOT_FOUND;
    return utet_leave(meta->priv.file, status);
}
