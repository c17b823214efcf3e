/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A dataset of the card's file whose elements are numbers of a unit: its metadata, reductions of its elements, and
 * their physical values on the display. Relies on card_file.h and line.h. */
#ifndef QUANTITY_H
#define QUANTITY_H

#include "utet_fold.h"
#include "utet_meta.h"
#include "utet_show.h"

/* Must not move after quantity_open. */
typedef struct quantity {
    utet_dataset dataset;
    utet_dataset_meta about;
    utet_physical physical; /* for stored values that have become a double */
    double fill;            /* the stored value that means "no value" */
    uint8_t has_fill;
} quantity;

/* Reads the metadata of of->dataset, which the caller has found. */
utet_status quantity_open(quantity *of);

/* Reduces the stored values of a selection, without missing ones, to one result, or with bin > 0 to one result for each
 * `bin` indices along axis 0. A bin without values gives NaN. */
utet_status quantity_fold(const quantity *of, const utet_range *ranges, const utet_fold_operation *operation,
                          uint64_t bin, double *results, size_t size);

/* Reads one stored value, as a double. index: its index along each axis. */
utet_status quantity_read(const quantity *of, const uint64_t *index, double *stored);

enum { QUANTITY_NAME = 20 }; /* bytes of the name of an axis, with its terminator */

/* Copies the name of an axis, terminated; without a name, or with a longer one, its number. */
utet_status quantity_axis(const quantity *of, unsigned axis, char *name, size_t size);

/* Each appends to the line: the name of the dataset; the units, if there are any; the label of an index of an axis,
 * with two decimals if it is a number, or nothing and UTET_E_NOT_FOUND; the physical value of a stored value, with two
 * decimals. */
utet_status quantity_add_name(const quantity *of);
utet_status quantity_add_units(const quantity *of);
utet_status quantity_add_label(const quantity *of, unsigned axis, uint64_t index);
void quantity_add_value(const quantity *of, double stored);

#endif
