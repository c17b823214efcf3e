/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration upstream: raw, and libzstd as a codec. */
#include "calls.h"

static const utet_codec *const codecs[] = {&utet_codec_zstd_upstream, NULL};

int main(void)
{
    return use_raw(codecs);
}
