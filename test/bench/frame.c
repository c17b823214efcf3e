/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Standard input, at most 64 KiB, as one zstd frame of level 3 on standard output, by zstd 1.5.7. The encoder is not
 * told the size, as with a pipe: the frames of the payloads were made so. */
#include <stdio.h>

#include "zstd.h"

int main(void)
{
    static char raw[65536], frame[131072];
    ZSTD_CStream *const stream = ZSTD_createCStream();
    ZSTD_inBuffer in = {raw, fread(raw, 1, sizeof raw, stdin), 0};
    ZSTD_outBuffer out = {frame, sizeof frame, 0};

    return stream == NULL || ZSTD_isError(ZSTD_initCStream(stream, 3)) ||
           ZSTD_isError(ZSTD_compressStream2(stream, &out, &in, ZSTD_e_continue)) || in.pos != in.size ||
           ZSTD_compressStream2(stream, &out, &in, ZSTD_e_end) != 0 || fwrite(frame, 1, out.pos, stdout) != out.pos;
}
