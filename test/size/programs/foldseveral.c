/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration foldseveral: fold, and several operations with one reading. */
#include "fold_calls.h"

int main(void)
{
    static const utet_fold_operation *const operations[] = {&utet_fold_several, NULL};

    return use_raw(NULL) | use_slab() | use_all_folds() | use_fold(operations);
}
