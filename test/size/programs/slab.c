/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration slab: raw, and hyperslab selections. */
#include "calls.h"

int main(void)
{
    return use_raw(NULL) | use_slab();
}
