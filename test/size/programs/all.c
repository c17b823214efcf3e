/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration all: every call of utet.h that needs no codec. */
#include "calls.h"

int main(void)
{
    return use_raw(NULL) | use_slab() | use_tiles() | use_rest();
}
