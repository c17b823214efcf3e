/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration tensor: data of a tensor whose descriptor is available, with szip as its codec: as bytes and as
 * floats. */
#include "tensor_calls.h"

int main(void)
{
    static const utet_codec *const codecs[] = {&utet_codec_szip, NULL};

    return use_tensor(codecs);
}
