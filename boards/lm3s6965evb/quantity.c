/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Folds give doubles of the stored integers, so the conversion to physical values takes doubles too. Relies on
 * quantity.h. */
#include "quantity.h"

#include "card_file.h"
#include "line.h"

#include <string.h>

static utet_meta meta;
static utet_fold fold;

/* ---- metadata ---- */

/* Reads a text of the footer, terminated; one that is longer than the buffer becomes empty. */
static utet_status read_text(utet_value text, char *buffer, size_t size)
{
    size_t got;
    utet_status status;

    buffer[0] = '\0';
    if (text.size >= size)
        return UTET_OK;
    status = utet_text_read(&meta, &text, buffer, size - 1, &got);
    if (status < 0)
        return status;
    buffer[status == UTET_OK ? got : 0] = '\0';
    return UTET_OK;
}

static utet_status take_attributes(quantity *of)
{
    utet_value attributes = of->about.attrs;
    utet_value key, value;
    char name[16], text[28];
    utet_status status;

    while ((status = utet_value_next(&meta, &attributes, &key, &value)) == UTET_OK) {
        status = read_text(key, name, sizeof name);
        if (status == UTET_OK)
            status = read_text(value, text, sizeof text);
        if (status == UTET_OK)
            status = utet_physical_attribute(&of->physical, name, strlen(name), text, strlen(text));
        if (status != UTET_OK)
            return status;
    }
    return status == UTET_END ? UTET_OK : status;
}

/* Returns nonzero if the text is a decimal number, which becomes a double by the conversion 0 * 1 + number. */
static int to_number(const char *text, double *number)
{
    static const double zero = 0;
    utet_physical converted;

    (void)utet_physical_begin(&converted, UTET_F64);
    if (utet_physical_attribute(&converted, "add_offset", 10, text, strlen(text)) != UTET_OK)
        return 0;
    (void)utet_physical_f64(&converted, &zero, number);
    return 1;
}

static void take_fill(quantity *of, const char *text)
{
    of->has_fill = (uint8_t)to_number(text, &of->fill);
    if (of->has_fill && of->dataset.dtype == UTET_F32)
        of->fill = (double)(float)of->fill;
}

utet_status quantity_open(quantity *of)
{
    char text[28];
    utet_status status = utet_meta_open(&meta, &card_file);

    if (status == UTET_OK)
        status = utet_meta_dataset(&meta, &of->dataset, &of->about);
    if (status == UTET_OK || status == UTET_E_NOT_FOUND)
        status = utet_physical_begin(&of->physical, UTET_F64);
    if (status == UTET_OK)
        status = take_attributes(of);
    if (status == UTET_OK)
        status = read_text(of->about.fill, text, sizeof text);
    if (status != UTET_OK)
        return status;
    take_fill(of, text);
    return UTET_OK;
}

/* ---- reductions ---- */

utet_status quantity_fold(const quantity *of, const utet_range *ranges, const utet_fold_operation *operation,
                          uint64_t bin, double *results, size_t size)
{
    static const utet_fold_filter present = {.tests = UTET_FOLD_IS_NOT_NULL};
    static utet_fold_grouping bins;
    const utet_fold_request request = {.dataset = &of->dataset,
                                       .ranges = ranges,
                                       .operation = operation,
                                       .axes = UTET_FOLD_ALL,
                                       .has_fill = of->has_fill,
                                       .fill = of->fill};
    utet_status status = utet_fold_open(&fold, &card_file, &request);

    if (status == UTET_OK)
        status = utet_fold_where(&fold, &present);
    if (status == UTET_OK && bin > 0) {
        memset(&bins, 0, sizeof bins);
        bins.window.size = bin;
        status = utet_fold_group(&fold, &bins);
    }
    return status == UTET_OK ? utet_fold_run(&fold, results, size) : status;
}

utet_status quantity_read(const quantity *of, const uint64_t *index, double *stored)
{
    static utet_slab slab;
    utet_range ranges[UTET_MAX_NDIM];
    uint8_t element[8];
    utet_status status;

    for (unsigned d = 0; d < of->dataset.ndim; d++) {
        const utet_range one = {index[d], index[d] + 1, 1};

        ranges[d] = one;
    }
    status = utet_slab_open(&slab, &card_file, &of->dataset, ranges);
    if (status == UTET_OK)
        status = utet_slab_read_all(&slab, element, sizeof element);
    return status == UTET_OK ? utet_show_double(of->dataset.dtype, element, stored) : status;
}

/* ---- text ---- */

utet_status quantity_axis(const quantity *of, unsigned axis, char *name, size_t size)
{
    utet_value text;
    utet_status status = utet_list_nth(&meta, &of->about.dim_names, axis, &text);

    name[0] = '\0';
    if (status == UTET_OK)
        status = read_text(text, name, size);
    if (name[0] == '\0') {
        name[0] = (char)('0' + axis);
        name[1] = '\0';
    }
    return status == UTET_E_RANGE ? UTET_OK : status;
}

static utet_status add_text(utet_value text)
{
    size_t got = 0;
    const utet_status status = utet_text_read(&meta, &text, line.text + line.length, line_room(), &got);

    line.length += got;
    return status == UTET_END ? UTET_OK : status;
}

utet_status quantity_add_name(const quantity *of)
{
    const size_t room = line_room();
    const size_t length = of->dataset.name_length < room ? of->dataset.name_length : room;
    const utet_status status = utet_dataset_name(&card_file, &of->dataset, 0, line.text + line.length, length);

    line.length += status == UTET_OK ? length : 0;
    return status;
}

utet_status quantity_add_units(const quantity *of)
{
    utet_value units;
    const utet_status status = utet_map_find(&meta, &of->about.attrs, "units", 5, &units);

    if (status != UTET_OK)
        return status == UTET_E_NOT_FOUND ? UTET_OK : status;
    line_add_text(" ");
    return add_text(units);
}

static void add_hundredths(double value)
{
    const char decimals[] = {'.', '0', '0', '\0'};
    char digits[sizeof decimals];

    if (!(value > -2e7 && value < 2e7)) {
        line_add_text("none");
        return;
    }
    const int32_t hundredths = (int32_t)(value * 100 + (value < 0 ? -0.5 : 0.5));
    const int32_t size = hundredths < 0 ? -hundredths : hundredths;

    memcpy(digits, decimals, sizeof digits);
    digits[1] = (char)('0' + size / 10 % 10);
    digits[2] = (char)('0' + size % 10);
    if (hundredths < 0)
        line_add_text("-");
    line_add_number(size / 100);
    line_add_text(digits);
}

void quantity_add_value(const quantity *of, double stored)
{
    double value;

    (void)utet_physical_f64(&of->physical, &stored, &value);
    add_hundredths(value);
}

utet_status quantity_add_label(const quantity *of, unsigned axis, uint64_t index)
{
    char text[28];
    double number;
    utet_value labels, label;
    utet_status status = utet_meta_labels(&meta, &of->about, axis, &labels);

    if (status == UTET_OK)
        status = utet_list_nth(&meta, &labels, index, &label);
    if (status == UTET_OK)
        status = read_text(label, text, sizeof text);
    if (status != UTET_OK)
        return status;
    if (!to_number(text, &number))
        return add_text(label);
    add_hundredths(number);
    return UTET_OK;
}
