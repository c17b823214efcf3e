/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The axis that a token means, by the reference's rules (§12). */
#include "meta.h"

/* The number that the token's digits make. UTET_END: not all of its characters are digits. */
static utet_status meta_axis_number(unsigned ndim, const char *token, size_t length, unsigned *axis)
{
    unsigned number = 0;
    size_t i = 0;

    do {
        unsigned digit = i < length ? (uint8_t)token[i] - (unsigned)'0' : 10; /* an empty token is not a number */

        if (digit > 9)
            return UTET_END;
        if (number < ndim)
            number = number * 10 + digit;
    } while (++i < length);
    if (number >= ndim)
        return UTET_E_RANGE;
    *axis = number;
    return UTET_OK;
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
        status = meta_axis_number(ndim, token, length, axis);
        if (status != UTET_END)
            return utet_leave(meta->priv.file, status);
        if (dataset_meta->dim_names.size != ndim)
            return utet_leave(meta->priv.file, UTET_E_NOT_FOUND);
        utet_meta_want_text(meta, &dataset_meta->dim_names, token, utet_meta_length(length));
        meta->priv.step = SEARCH;
    }
    while ((status = utet_meta_search(meta, UTET_RULE_ENTRIES)) == UTET_OK)
        meta->priv.place.hit.size = meta->priv.search.passed - 1; /* the search may suspend after it */
    if (status == UTET_END) {
        status = UTET_E_NOT_FOUND;
        if (meta->priv.search.hits == 1) {
            *axis = (unsigned)meta->priv.place.hit.size; /* < ndim: the list has no more entries than it announces */
            status = UTET_OK;
        }
    }
    return utet_leave(meta->priv.file, status);
}
