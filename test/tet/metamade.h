/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of metadata share: footers that they write. */
#ifndef METAMADE_H
#define METAMADE_H

#include "metaworld.h"
#include "tetgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG METAGEN_LONG

static inline void make(metaworld *w, const metagen *g, int slow)
{
    metaworld_make(w, g, slow ? 1 : SLICE_ALL, slow ? 1 : 0);
    metaworld_open(w);
}

#endif
