/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The dataset that the modules for .tet files work on. */
#ifndef DATASET_H
#define DATASET_H

#include "module.h"

extern utet_dataset dataset_now;

#endif
