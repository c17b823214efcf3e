/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration foldby: slab, and the sum of i16 by windows, groups and masks. */
#include "fold_calls.h"

int main(void)
{
    static const utet_fold_operation *const operations[] = {&utet_fold_sum_i16, NULL};
    static utet_fold fold;
    static utet_fold_grouping by;

    return use_raw(NULL) | use_slab() | use_fold(operations) | utet_fold_group(&fold, &by);
}
