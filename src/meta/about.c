/* What the metadata say about a dataset, by the reference's rules (§7.3, §12). */
#include "meta.h"

#include <string.h>

utet_status utet_about_dataset(utet_meta *meta, const utet_dataset *dataset, utet_about *about)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_ABOUT_DATASET);

    if (status != UTET_OK)
        return status;
    if (file->priv_step == 0) {
        utet_value *name = &meta->priv_outer;

        memset(about, 0, sizeof *about);
        about->dataset = dataset;
        name->kind = UTET_RAW;
        name->priv_inside = 0;
        name->size = dataset->name_length;
        name->value = dataset->name_offset;
        status = utet_meta_aim_at(meta, &meta->datasets);
        if (status == UTET_OK)
            file->priv_step = 1;
    }
    while (status == UTET_OK && (status = utet_meta_search(meta, UTET_RULE_DATASETS)) == UTET_OK) {
        const utet_value *fill = &meta->priv_found[4];

        while (fill->kind == UTET_NONE && fill != &meta->priv_found[6])
            fill++;
        meta->priv_found[3] = *fill; /* behind attrs, dim_names, coords, as in *about */
        memcpy(&about->attrs, meta->priv_found, 4 * sizeof about->attrs);
    }
    return utet_leave(file, status == UTET_END ? UTET_OK : status);
}

/* ---- axes ---- */

/* Digits are a number; UTET_END when the token is not made of them alone. */
static utet_status axis_number(const utet_about *about, const char *token, size_t length, unsigned *axis)
{
    unsigned number = 0;
    size_t i;

    for (i = 0; i < length; i++) {
        unsigned digit = (uint8_t)token[i] - (unsigned)'0';

        if (digit > 9)
            return UTET_END;
        if (number < about->dataset->ndim)
            number = number * 10 + digit;
    }
    *axis = number;
    return length == 0 ? UTET_END : number < about->dataset->ndim ? UTET_OK : UTET_E_RANGE;
}

utet_status utet_about_axis(utet_meta *meta, const utet_about *about, const char *token, size_t length,
                            unsigned *axis)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_ABOUT_AXIS);

    if (status != UTET_OK)
        return status;
    if (file->priv_step == 0) {
        status = axis_number(about, token, length, axis);
        if (status != UTET_END)
            return utet_leave(file, status);
        if (about->dim_names.size != about->dataset->ndim)
            return utet_leave(file, UTET_E_NOT_FOUND);
        utet_meta_aim(meta, &about->dim_names, token, utet_meta_length(length));
        file->priv_step = 1;
    }
    while ((status = utet_meta_search(meta, UTET_RULE_ENTRIES)) == UTET_OK)
        *axis = (unsigned)meta->priv_number - 1;
    if (status == UTET_END)
        status = meta->priv_hits == 1 ? UTET_OK : UTET_E_NOT_FOUND;
    return utet_leave(file, status);
}

/* ---- labels ---- */

enum { BEGIN, NAME_OF_AXIS, BEGIN_SEARCH, BY_NAME, BY_NUMBER, ALONE }; /* file->priv_step */

/* What is looked for first is the name of the axis. UTET_E_NOT_FOUND: it has none. */
static utet_status aim_at_name(utet_meta *meta, const utet_about *about, unsigned axis)
{
    utet_file *file = meta->priv_file;
    utet_status status = UTET_OK;

    if (file->priv_step == BEGIN) {
        utet_meta_aim(meta, &about->dim_names, meta->priv_head, axis);
        meta->priv_needle.kind = UTET_NUMBER;
        file->priv_step = NAME_OF_AXIS;
    }
    if (file->priv_step == NAME_OF_AXIS) {
        status = utet_meta_search(meta, UTET_RULE_ENTRIES);
        if (status != UTET_OK)
            return status;
        meta->priv_outer = UTET_ENTRY(meta);
        file->priv_step = BEGIN_SEARCH;
    }
    if (file->priv_step == BEGIN_SEARCH) {
        status = utet_meta_aim_at(meta, &about->coords);
        if (status == UTET_OK)
            file->priv_step = BY_NAME;
    }
    return status;
}

utet_status utet_about_labels(utet_meta *meta, const utet_about *about, unsigned axis, utet_value *labels)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_ABOUT_LABELS);

    if (status != UTET_OK)
        return status;
    if (axis >= about->dataset->ndim)
        return utet_leave(file, UTET_E_RANGE);
    status = aim_at_name(meta, about, axis);
    for (;;) {
        while (status == UTET_OK) {
            status = utet_meta_search(meta, UTET_RULE_COORDS);
            if (status == UTET_OK)
                *labels = meta->priv_found[0];
        }
        if (status == UTET_END)
            status = file->priv_step != ALONE || meta->priv_hits == 1 ? UTET_OK : UTET_E_NOT_FOUND;
        if (status != UTET_E_NOT_FOUND || file->priv_step == ALONE)
            return utet_leave(file, status);
        file->priv_step = file->priv_step < BY_NUMBER ? BY_NUMBER : ALONE;
        meta->priv_head[0] = (char)('0' + axis);
        utet_meta_aim(meta, &about->coords, meta->priv_head, 1);
        if (file->priv_step == ALONE) {
            meta->priv_needle.kind = UTET_LIST;
            meta->priv_needle.size = utet_meta_length(about->dataset->shape[axis]);
        }
        status = UTET_OK;
    }
}
