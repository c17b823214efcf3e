/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A summary of a selection, of its physical values unless `p` is null; as text or JSON. */
#ifndef UTET_TOOL_STATS_H
#define UTET_TOOL_STATS_H

#include "shared/physical.h"

int stats_print(source *s, const selection *selected, physical *p, int json);

#endif
