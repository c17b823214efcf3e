/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration tiles: raw, and selections from tiles that stay decoded. */
#include "calls.h"

int main(void)
{
    return use_raw(NULL) | use_tiles();
}
