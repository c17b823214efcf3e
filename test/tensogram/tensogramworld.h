/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites over the vectors share. */
#ifndef TENSOGRAMWORLD_H
#define TENSOGRAMWORLD_H

#include "tgm.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_WORK = 192, BEST_WORK = 640, SMALL = 1400 };

#endif
