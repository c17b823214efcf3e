/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration foldmerge: fold, and parts of a selection in several folds. */
#include "fold_calls.h"

int main(void)
{
    static utet_fold folds[2];
    static utet_fold_share share;

    return use_raw(NULL) | use_slab() | use_all_folds() | utet_fold_divide(folds, &share) |
           utet_fold_merge(folds, folds + 1);
}
