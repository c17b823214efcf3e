/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Links the reader and the zstd decoder, and compares the version of the library with that of the header. */
#include "utet.h"
#include <stdio.h>

int main(void)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static const uint8_t nothing[1];
    utet_io io = {.map = nothing, .size = sizeof nothing, .unit = 1, .align = 1};
    utet_file file;

    printf("microtet %s\n", utet_version_text());
    if (utet_version() != UTET_VERSION || utet_init(&file, &io, NULL, 0, codecs) != UTET_OK)
        return 1;
    return utet_open(&file, NULL) == UTET_E_SUPERBLOCK ? 0 : 1;
}
