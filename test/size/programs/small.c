/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration small: raw, and the built-in zstd decoder as a codec. */
#include "calls.h"

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

int main(void)
{
    return use_raw(codecs);
}
