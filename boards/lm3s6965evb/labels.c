/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Texts of the footer go into line.h's line and from there to the display. Relies on labels.h. */
#include "labels.h"

#include "card_file.h"
#include "line.h"
#include "utet_meta.h"

#include <string.h>

static utet_meta meta;
static utet_dataset_meta about;
static utet_dataset dataset;

static utet_status add_value(utet_value text)
{
    size_t got;
    const utet_status status = utet_text_read(&meta, &text, line.text + line.length, line_room(), &got);

    line.length += got;
    return status == UTET_END ? UTET_OK : status; /* END: no text there */
}

/* ---- what the file says ---- */

utet_status labels_of(const char *name)
{
    utet_status status = utet_dataset_find(&card_file, name, strlen(name), &dataset);

    if (status == UTET_OK)
        status = utet_meta_open(&meta, &card_file);
    if (status == UTET_OK)
        status = utet_meta_dataset(&meta, &dataset, &about);
    return status == UTET_E_NOT_FOUND ? UTET_OK : status;
}

static utet_status add_units(void)
{
    utet_value units;
    utet_status status = utet_map_find(&meta, &about.attrs, "units", 5, &units);

    if (status != UTET_OK)
        return status == UTET_E_NOT_FOUND ? UTET_OK : status;
    line_add_text(" ");
    return add_value(units);
}

static utet_status add_axis(unsigned axis)
{
    utet_value name;
    utet_status status = utet_list_nth(&meta, &about.dim_names, axis, &name);

    if (status != UTET_OK)
        return status == UTET_E_RANGE ? UTET_OK : status;
    status = add_value(name);
    line_add_text(" ");
    return status;
}

utet_status labels_values(unsigned left, unsigned top, int32_t lowest, int32_t highest)
{
    const size_t room = sizeof line.text;
    utet_status status;

    line.length = dataset.name_length < room ? dataset.name_length : room;
    status = utet_dataset_name(&card_file, &dataset, 0, line.text, line.length);
    if (status != UTET_OK)
        return status;
    line_draw(left, top);
    line_add_number(lowest);
    line_add_text("..");
    line_add_number(highest);
    status = add_units();
    if (status == UTET_OK)
        line_draw(left, top + FONT_HEIGHT);
    return status;
}

utet_status labels_place(unsigned left, unsigned top, unsigned axis, uint32_t place)
{
    const utet_status status = add_axis(axis);

    if (status != UTET_OK)
        return status;
    line_add_number((int32_t)place);
    line_draw(left, top);
    return UTET_OK;
}

utet_status labels_label(unsigned top, unsigned axis, uint32_t place, int named)
{
    utet_value labels;
    utet_value label;
    utet_status status = utet_meta_labels(&meta, &about, axis, &labels);

    if (status == UTET_OK)
        status = utet_list_nth(&meta, &labels, place, &label);
    if (status == UTET_OK && named)
        status = add_axis(axis);
    if (status == UTET_OK)
        status = add_value(label);
    if (status != UTET_OK)
        return status == UTET_E_NOT_FOUND ? UTET_OK : status;
    line_draw(OLED_WIDTH - line_width(), top);
    return UTET_OK;
}
