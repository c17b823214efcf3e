/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Decodes an LZ4 block: lz4 SIZE LENGTH <in >out. The input is a .tet file, and a payload of LENGTH bytes: SIZE as
 * four bytes, and the block. Rows of .tet files have no number for LZ4, so the program gives the codec the number of
 * zstd. */
#include "utet_lz4.h"

#include "input.h"

static uint8_t output[1 << 16];

int main(int argc, char **argv)
{
    utet_codec lz4 = utet_codec_lz4;
    const utet_codec *const codecs[] = {&lz4, NULL};
    static uint64_t work[1 << 14];
    static utet_stream stream;
    static utet_chunk chunk;
    static utet_file file;
    size_t got;

    if (argc != 3)
        return 2;
    lz4.id = UTET_CODEC_ZSTD;
    read_input();
    OK(utet_init(&file, &io, work, sizeof work, codecs));
    OK(utet_open(&file, NULL));
    OK(utet_row_first(&file, &chunk));
    chunk.raw_byte_len = strtoul(argv[1], NULL, 10);
    chunk.stored_byte_len = strtoul(argv[2], NULL, 10);
    chunk.payload_offset = io.size - chunk.stored_byte_len;
    chunk.codec = UTET_CODEC_ZSTD;
    OK(utet_stream_open(&stream, &file, &chunk));
    OK(utet_stream_read(&stream, output, (size_t)chunk.raw_byte_len, &got));
    fwrite(output, 1, got, stdout);
    return 0;
}
