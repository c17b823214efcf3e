/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Writes the footer's texts about the tensors of the open card_file on the display: names, units, axes, labels. Each
 * drawn text is also logged, as `label X,Y TEXT`. Missing texts are left out. Relies on font.h. */
#ifndef LABELS_H
#define LABELS_H

#include "utet.h"

/* Reads the metadata and selects one dataset. Statuses as utet_dataset_find and utet_meta_open. */
utet_status labels_of(const char *name);

/* The dataset's name, and below it `lowest..highest` and the units of the file. */
utet_status labels_values(unsigned left, unsigned top, int32_t lowest, int32_t highest);

/* The name of an axis and an index on it that has no label. */
utet_status labels_place(unsigned left, unsigned top, unsigned axis, uint32_t place);

/* The label of an index on an axis, ending at the right edge of the display; named: the axis in front of it. */
utet_status labels_label(unsigned top, unsigned axis, uint32_t place, int named);

#endif
