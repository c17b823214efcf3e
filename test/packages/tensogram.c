/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Writes the values of a message's first tensor. */
#include "utet_tensogram_data.h"

#include "input.h"

static uint8_t output[1 << 16];

int main(void)
{
    static uint64_t work[1 << 14];
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, &utet_codec_szip, NULL};
    static utet_message message;
    static utet_object object;
    static utet_tensor tensor;
    static utet_frame frame;
    static utet_cbor cbor;
    static utet_file file;
    size_t got;

    read_input();
    OK(utet_init(&file, &io, work, sizeof work, codecs));
    OK(utet_messages_open(&file, NULL));
    OK(utet_message_first(&file, &message));
    OK(utet_object_find(&object, &file, &message, 0, &frame, &cbor));
    OK(utet_tensor_open(&tensor, &file, &object));
    OK(utet_tensor_read(&tensor, output, sizeof output, &got));
    fwrite(output, 1, got, stdout);
    return 0;
}
