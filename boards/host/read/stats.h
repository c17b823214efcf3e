/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A summary of a selection. */
#ifndef UTET_TOOL_STATS_H
#define UTET_TOOL_STATS_H

#include "shared/tool.h"

int stats_print(source *s, const selection *selected);

#endif
