/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration foldi16: slab, and the sum of i16. */
#include "fold_calls.h"

int main(void)
{
    static const utet_fold_operation *const operations[] = {&utet_fold_sum_i16, NULL};

    return use_raw(NULL) | use_slab() | use_fold(operations);
}
