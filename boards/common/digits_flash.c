/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The weights are in a file that the firmware has in its flash. */
#include "digits.h"

#include "flash_file.h"

#define WORK 4704u /* what `utet fit --mapped 1` says of the file: the largest number of its column "in slices" */

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static uint64_t work[WORK / 8];
static utet_io io;

utet_status digits_open(utet_file *file, size_t *bytes)
{
    *bytes = sizeof work;
    io.map = flash_file;
    io.size = (uint64_t)(flash_file_end - flash_file);
    io.unit = 1;
    io.align = 1;
    const utet_status status = utet_init(file, &io, work, sizeof work, codecs);
    return status == UTET_OK ? utet_open(file, NULL) : status;
}

const char *digits_words(utet_status status)
{
    return utet_strerror(status);
}
