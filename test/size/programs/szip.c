/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration szip: only the szip decoder. */
#include "port.h"
#include "utet_szip.h"

static utet_szip z;

int main(void)
{
    utet_szip_params params = {16, UTET_SZIP_PREPROCESS, 32, 128};
    size_t used;
    int sum = 0;

    sum |= utet_szip_init(&z, &params);
    sum |= utet_szip_block(&z, (const uint8_t *)size_work, SIZE_WORK, &used);
    return sum | (int)utet_szip_spare(&z) | (int)z.size;
}
