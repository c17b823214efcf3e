/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The values of an axis that has no labels: those of a dataset with one axis. */
#ifndef UTET_TOOL_TICKS_H
#define UTET_TOOL_TICKS_H

#include "axes.h"

/* Replaces the indices in a->first and a->last by the values of the dataset that has the name of axis d, or of the only
 * dataset of times that is as long; times as dates, in UTC. Changes nothing if there is no such dataset. `most`: see
 * axes_label. */
int ticks_fill(axis *a, source *s, const options *opt, const metadata *m, const tree *about, const selection *chosen,
               unsigned d, size_t most);

#endif
