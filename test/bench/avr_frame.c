/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Standard input, at most 4,096 bytes, as one zstd frame of level 3 on standard output, by zstd 1.5.7. */
#include <stdio.h>

#include "zstd.h"

int main(void)
{
    static char raw[4096], frame[8192];
    const size_t size = fread(raw, 1, sizeof raw, stdin);
    const size_t n = ZSTD_compress(frame, sizeof frame, raw, size, 3);

    return ZSTD_isError(n) || fwrite(frame, 1, n, stdout) != n;
}
