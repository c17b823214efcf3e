/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Opens a .tet file and visits its datasets, for the modules that read .tet files. */
#include "dataset.h"

utet_dataset dataset_now;

EXPORT(open) int export_open(void)
{
    return utet_open(&module_file, &module_options);
}

EXPORT(first) int export_first(void)
{
    return utet_dataset_first(&module_file, &dataset_now);
}

EXPORT(next) int export_next(void)
{
    return utet_dataset_next(&module_file, &dataset_now);
}
