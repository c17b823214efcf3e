/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration fold: slab, all operations in one pass, filters. */
#include "fold_calls.h"

int main(void)
{
    return use_raw(NULL) | use_slab() | use_all_folds();
}
