/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration values: data of a tensor without any codec: simple_packing, shuffle, masks that are stored as bits. */
#include "tensor_calls.h"

int main(void)
{
    return use_tensor(NULL);
}
