/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Physical values by the attributes of the CF conventions: stored * scale_factor + add_offset, NaN for a fill value. */
#ifndef UTET_TOOL_PHYSICAL_H
#define UTET_TOOL_PHYSICAL_H

#include "metadata.h"

typedef struct physical physical;

/* The conversion that the metadata of the dataset describe; `about` may be null. NULL after an error line. */
physical *physical_begin(source *s, const tree *about, const utet_dataset *dataset);
/* The same, by the footer of the file. */
physical *physical_read(source *s, const utet_dataset *dataset);
void physical_end(physical *p);
/* The double nearest to the physical value of a stored element. */
double physical_value(physical *p, const uint8_t *element);
/* The selection as its values are: elements of f64. Reading needs the selection itself. */
selection physical_selection(const selection *stored);
/* bands_each, with physical values as elements of f64; `p` null: as they are stored. */
int physical_each(source *s, const selection *stored, physical *p, band_sink sink, void *ctx);
/* Nonzero if the attribute has its part in the conversion, so that physical values have it no more. */
int physical_uses(const char *key);

#endif
