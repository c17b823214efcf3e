/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Physical values by the attributes of the CF conventions: stored * scale_factor + add_offset, NaN for a fill value. */
#ifndef UTET_TOOL_PHYSICAL_H
#define UTET_TOOL_PHYSICAL_H

#include "metadata.h"

typedef struct physical physical;

/* Returns the conversion that the metadata of the dataset describe; `about` may be NULL. NULL after an error line. */
physical *physical_begin(source *s, const tree *about, const utet_dataset *dataset);
/* Returns the conversion of a dataset, which it reads from the footer of the file. NULL after an error line. */
physical *physical_read(source *s, const utet_dataset *dataset);
void physical_end(physical *p);
/* Returns the double nearest to the physical value of a stored element. */
double physical_value(physical *p, const uint8_t *element);
/* Returns the selection with the dtype of physical values, f64. Use the original selection for reading. */
selection physical_selection(const selection *stored);
/* Calls bands_each with physical values as f64 elements, or with stored elements if `p` is NULL. */
int physical_each(source *s, const selection *stored, physical *p, band_sink sink, void *ctx);
/* Returns nonzero if the conversion uses the attribute, so that it does not apply to physical values. */
int physical_uses(const char *key);

#endif
