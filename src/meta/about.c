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
        status = utet_meta_aim_at(meta, &meta->datasets, name);
        if (status == UTET_OK)
            file->priv_step = 1;
    }
    if (file->priv_step == 1) {
        status = utet_meta_search(meta);
        if (status == UTET_OK) {
            utet_meta_want(meta, &meta->priv_best, UTET_RULE_DATASET);
            file->priv_step = 2;
        }
    }
    if (status == UTET_OK)
        status = utet_meta_collect(meta);
    if (status == UTET_OK)
        memcpy(&about->attrs, meta->priv_found, 3 * sizeof about->attrs);
    return utet_leave(file, status);
}

void utet_meta_want_fill(utet_meta *meta, const utet_about *about)
{
    meta->priv_rules = utet_meta_rules;
    utet_meta_want(meta, &about->attrs, UTET_RULE_FILL);
}

utet_status utet_meta_fill(utet_meta *meta, utet_value *text)
{
    utet_status status = utet_meta_collect(meta);
    unsigned i;

    meta->priv_found[3].kind = UTET_NONE; /* what other keys left behind */
    for (i = 0; i < 3 && meta->priv_found[i].kind == UTET_NONE; i++)
        ;
    *text = meta->priv_found[i];
    return status;
}

utet_status utet_about_fill(utet_meta *meta, const utet_about *about, utet_value *text)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_ABOUT_FILL);

    if (status != UTET_OK)
        return status;
    if (meta->priv_file->priv_step == 0) {
        utet_meta_want_fill(meta, about);
        meta->priv_file->priv_step = 1;
    }
    status = utet_meta_fill(meta, text);
    if (status == UTET_OK && text->kind == UTET_NONE)
        status = UTET_E_NOT_FOUND;
    return utet_leave(meta->priv_file, status);
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
        utet_meta_aim(meta, &about->dim_names, token, length);
        file->priv_step = 1;
    }
    status = utet_meta_search(meta);
    if (status == UTET_OK && file->priv_step == 1) {
        *axis = (unsigned)meta->priv_index;
        file->priv_step = 2;
        status = utet_meta_search(meta);
    }
    if (file->priv_step == 2 && (status == UTET_OK || status == UTET_E_NOT_FOUND)) /* it has to stand there once */
        status = status == UTET_OK ? UTET_E_NOT_FOUND : UTET_OK;
    return utet_leave(file, status);
}

/* ---- labels ---- */

enum { LABELS_BEGIN, NAME_OF_AXIS, AIM_AT_NAME, BY_NAME, BY_NUMBER, EACH_ENTRY, ENTRY, FOUND }; /* file->priv_step */

/* The coordinates called like the axis, else like its number, into priv_best. */
static utet_status labels_called(utet_meta *meta, const utet_about *about, unsigned axis)
{
    utet_file *file = meta->priv_file;
    utet_status status = UTET_OK;

    if (file->priv_step <= NAME_OF_AXIS) {
        status = utet_meta_nth(meta, &about->dim_names, axis);
        if (status == UTET_OK) {
            meta->priv_outer = UTET_ITEM(meta);
            file->priv_step = AIM_AT_NAME;
        }
    }
    if (file->priv_step == AIM_AT_NAME) {
        status = utet_meta_aim_at(meta, &about->coords, &meta->priv_outer);
        if (status == UTET_OK)
            file->priv_step = BY_NAME;
    }
    for (;;) {
        if (file->priv_step >= BY_NAME)
            status = utet_meta_search(meta);
        if (file->priv_step == BY_NUMBER || (status != UTET_E_RANGE && status != UTET_E_NOT_FOUND))
            return status;
        meta->priv_head[0] = (char)('0' + axis);
        utet_meta_aim(meta, &about->coords, meta->priv_head, 1);
        file->priv_step = BY_NUMBER;
    }
}

/* The labels of the only coordinates that have `extent` of them, into priv_best. */
static utet_status labels_alone(utet_meta *meta, uint64_t extent)
{
    utet_file *file = meta->priv_file;

    for (;;) {
        utet_status status;

        if (file->priv_step == EACH_ENTRY) {
            status = utet_meta_walk(meta, &meta->priv_list);
            if (status == UTET_END)
                return file->priv_left == 1 ? UTET_OK : UTET_E_NOT_FOUND;
            if (status != UTET_OK)
                return status;
            utet_meta_want(meta, &UTET_ITEM(meta), UTET_RULE_COORD);
            file->priv_step = ENTRY;
        }
        status = utet_meta_collect(meta);
        if (status != UTET_OK)
            return status;
        if (meta->priv_found[0].size == extent) {
            meta->priv_best = meta->priv_found[0];
            file->priv_left++;
        }
        file->priv_step = EACH_ENTRY;
    }
}

utet_status utet_about_labels(utet_meta *meta, const utet_about *about, unsigned axis, utet_value *labels)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_ABOUT_LABELS);

    if (status != UTET_OK)
        return status;
    if (axis >= about->dataset->ndim)
        return utet_leave(file, UTET_E_RANGE);
    if (file->priv_step < EACH_ENTRY) {
        status = labels_called(meta, about, axis);
        if (status == UTET_OK) {
            utet_meta_want(meta, &meta->priv_best, UTET_RULE_COORD);
            file->priv_step = FOUND;
        } else if (status == UTET_E_NOT_FOUND) {
            meta->priv_list = about->coords;
            file->priv_left = 0;
            file->priv_step = EACH_ENTRY;
        }
    }
    if (file->priv_step == FOUND) {
        status = utet_meta_collect(meta);
        meta->priv_best = meta->priv_found[0];
    } else if (file->priv_step >= EACH_ENTRY) {
        status = labels_alone(meta, about->dataset->shape[axis]);
    }
    *labels = meta->priv_best;
    return utet_leave(file, status);
}
