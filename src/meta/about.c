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
        utet_value name;

        memset(about, 0, sizeof *about);
        about->dataset = dataset;
        memset(&name, 0, sizeof name);
        name.kind = UTET_RAW;
        name.size = dataset->name_length;
        name.priv_at = dataset->name_offset;
        status = utet_meta_aim_at(meta, &meta->datasets, &name);
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
    if (status == UTET_OK) {
        about->attrs = meta->priv_found[0];
        about->dim_names = meta->priv_found[1];
        about->coords = meta->priv_found[2];
    }
    return utet_leave(file, status);
}

utet_status utet_meta_fill(utet_meta *meta, utet_value *text)
{
    utet_status status = utet_meta_collect(meta);
    unsigned i;

    for (i = 0; i < 3 && meta->priv_found[i].kind == UTET_NONE; i++)
        ;
    *text = meta->priv_found[i]; /* the fourth is not there */
    return status;
}

utet_status utet_about_fill(utet_meta *meta, const utet_about *about, utet_value *text)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_ABOUT_FILL);

    if (status != UTET_OK)
        return status;
    if (meta->priv_file->priv_step == 0) {
        utet_meta_want(meta, &about->attrs, UTET_RULE_FILL);
        meta->priv_file->priv_step = 1;
    }
    status = utet_meta_fill(meta, text);
    if (status == UTET_OK && text->kind == UTET_NONE)
        status = UTET_E_NOT_FOUND;
    return utet_leave(meta->priv_file, status);
}

/* ---- axes ---- */

static int is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Digits are a number; UTET_END when the token is not made of them alone. */
static utet_status axis_number(const utet_about *about, const char *token, size_t length, unsigned *axis)
{
    unsigned number = 0;
    size_t i;

    for (i = 0; i < length; i++) {
        if (!is_digit(token[i]))
            return UTET_END;
        number = number * 10 + (unsigned)(token[i] - '0');
        if (number >= about->dataset->ndim)
            return UTET_E_RANGE;
    }
    *axis = number;
    return UTET_OK;
}

static int is_token(const char *token, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        char lower = (char)(token[i] | 0x20);
        int letter = (lower >= 'a' && lower <= 'z') || token[i] == '_';

        if (!letter && (i == 0 || (!is_digit(token[i]) && token[i] != '-')))
            return 0;
    }
    return length - 1 < 32; /* 1..32 */
}

/* A name has to stand in dim_names once: the whole list is walked. */
static utet_status axis_name(utet_meta *meta, unsigned *axis)
{
    for (;;) {
        utet_status status = utet_meta_search(meta);

        if (status == UTET_E_NOT_FOUND && meta->priv_file->priv_cursor[0] == 1)
            return UTET_OK;
        if (status != UTET_OK)
            return status;
        if (++meta->priv_file->priv_cursor[0] > 1)
            return UTET_E_NOT_FOUND;
        *axis = (unsigned)meta->priv_index++;
        meta->priv_best.kind = UTET_NONE;
    }
}

utet_status utet_about_axis(utet_meta *meta, const utet_about *about, const char *token, size_t length,
                            unsigned *axis)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_ABOUT_AXIS);

    if (status != UTET_OK)
        return status;
    if (file->priv_step == 0) {
        status = length == 0 ? UTET_END : axis_number(about, token, length, axis);
        if (status != UTET_END)
            return utet_leave(file, status);
        if (!is_token(token, length))
            return utet_leave(file, UTET_E_ARGUMENT);
        if (about->dim_names.size != about->dataset->ndim)
            return utet_leave(file, UTET_E_NOT_FOUND);
        utet_meta_aim(meta, &about->dim_names, token, length);
        file->priv_step = 1;
    }
    return utet_leave(file, axis_name(meta, axis));
}

/* ---- labels ---- */

enum { LABELS_BEGIN, NAME_OF_AXIS, AIM_AT_NAME, BY_NAME, BY_NUMBER, EACH_ENTRY, ENTRY, FOUND };

/* By the axis' name, by its number: UTET_OK with priv_best, or UTET_E_NOT_FOUND behind BY_NUMBER. */
static utet_status labels_called(utet_meta *meta, const utet_about *about, unsigned axis)
{
    utet_file *file = meta->priv_file;
    utet_status status = UTET_OK;

    if (file->priv_step == LABELS_BEGIN) {
        utet_meta_aim(meta, &about->dim_names, NULL, 0);
        file->priv_step = NAME_OF_AXIS;
    }
    if (file->priv_step == NAME_OF_AXIS) {
        do
            status = utet_meta_walk(meta, &meta->priv_list);
        while (status == UTET_OK && meta->priv_index++ < axis);
        if (status < UTET_OK || status == UTET_WOULD_BLOCK)
            return status;
        meta->priv_outer = meta->priv_item;
        file->priv_step = status == UTET_OK ? AIM_AT_NAME : BY_NUMBER;
        meta->priv_head[0] = (char)('0' + axis);
        if (status == UTET_END)
            utet_meta_aim(meta, &about->coords, meta->priv_head, 1);
    }
    if (file->priv_step == AIM_AT_NAME) {
        status = utet_meta_aim_at(meta, &about->coords, &meta->priv_outer);
        if (status != UTET_OK)
            return status;
        file->priv_step = BY_NAME;
    }
    status = utet_meta_search(meta);
    if (status == UTET_E_NOT_FOUND && file->priv_step == BY_NAME) {
        meta->priv_head[0] = (char)('0' + axis);
        utet_meta_aim(meta, &about->coords, meta->priv_head, 1);
        file->priv_step = BY_NUMBER;
        status = utet_meta_search(meta);
    }
    return status;
}

/* The only coordinates with `extent` labels, into priv_best. */
static utet_status labels_alone(utet_meta *meta, uint64_t extent)
{
    utet_file *file = meta->priv_file;

    for (;;) {
        utet_status status;

        if (file->priv_step == EACH_ENTRY) {
            status = utet_meta_walk(meta, &meta->priv_outer);
            if (status == UTET_END)
                return file->priv_cursor[0] == 1 ? UTET_OK : UTET_E_NOT_FOUND;
            if (status != UTET_OK)
                return status;
            meta->priv_other = meta->priv_item;
            utet_meta_want(meta, &meta->priv_other, UTET_RULE_COORD);
            file->priv_step = ENTRY;
        }
        status = utet_meta_collect(meta);
        if (status != UTET_OK)
            return status;
        if (meta->priv_found[0].size == extent) {
            meta->priv_best = meta->priv_other;
            file->priv_cursor[0]++;
        }
        meta->priv_words = NULL;
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
        if (status == UTET_E_NOT_FOUND) {
            meta->priv_outer = about->coords;
            file->priv_step = EACH_ENTRY;
        }
    }
    if (file->priv_step == EACH_ENTRY || file->priv_step == ENTRY)
        status = labels_alone(meta, about->dataset->shape[axis]);
    if (status == UTET_OK && file->priv_step != FOUND) {
        utet_meta_want(meta, &meta->priv_best, UTET_RULE_COORD);
        file->priv_step = FOUND;
    }
    if (status == UTET_OK)
        status = utet_meta_collect(meta);
    *labels = meta->priv_found[0];
    return utet_leave(file, status);
}
