/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the footer of the open card_file says about its tensors, written on the display: names, units, axes, labels.
 * Whatever is drawn is also logged, as `label X,Y TEXT`. What the file does not say stays out. Relies on font.h. */
#ifndef LABELS_H
#define LABELS_H

#include "utet.h"

/* Reads the metadata and turns to one dataset. Statuses as utet_dataset_find and utet_meta_open. */
utet_status labels_of(const char *name);

/* The dataset's name, and below it `lowest..highest` and the units of the file. */
utet_status labels_values(unsigned left, unsigned top, int32_t lowest, int32_t highest);

/* The name of an axis and a place on it, which has no label. */
utet_status labels_place(unsigned left, unsigned top, unsigned axis, uint32_t place);

/* The label of a place on an axis, ending at the right edge of the display; named: the axis in front of it. */
utet_status labels_label(unsigned top, unsigned axis, uint32_t place, int named);

#endif
