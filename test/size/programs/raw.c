/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration raw: open, datasets, chunk lookup, raw streams. */
#include "calls.h"

int main(void)
{
    return use_raw(NULL);
}
