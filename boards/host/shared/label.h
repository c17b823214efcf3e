/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Labels that occur at more than one index. */
#ifndef UTET_TOOL_LABEL_H
#define UTET_TOOL_LABEL_H

#include "tool.h"
#include "utet_meta.h"

/* Finds the first later index that has the same label as index `place`: *other, UINT64_MAX if there is none. */
utet_status label_again(utet_meta *meta, const utet_value *labels, uint64_t place, uint64_t *other);

#endif
