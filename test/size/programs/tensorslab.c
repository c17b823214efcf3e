/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration tensorslab: values and slabs of tensors. */
#include "tensor_calls.h"

static utet_tensor_slab slab;

int main(void)
{
    static const utet_range ranges[UTET_TENSOR_MAX_NDIM];
    size_t got;
    int sum = use_tensor(NULL);

    sum |= utet_tensor_slab_open(&slab, &tensor, ranges);
    sum |= utet_tensor_slab_read(&slab, buffer, sizeof buffer, &got);
    sum |= utet_tensor_slab_floats(&slab, floats, 16, &got);
    return sum;
}
