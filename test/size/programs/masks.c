/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration masks: values and the codecs of masks, rle and roaring. */
#include "tensor_calls.h"

int main(void)
{
    static const utet_codec *const codecs[] = {&utet_codec_rle, &utet_codec_roaring, NULL};

    return use_tensor(codecs);
}
