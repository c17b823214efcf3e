/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration tensor: data of a tensor whose descriptor is there, szip its codec: as bytes and as floats. */
#include "port.h"
#include "utet_tensogram_data.h"

static utet_tensor tensor;
static utet_object object;

int main(void)
{
    static const utet_codec *const codecs[] = {&utet_codec_szip, NULL};
    static char buffer[64];
    static float floats[16];
    utet_need need;
    size_t got;
    int sum = 0;

    sum |= utet_init(&size_file, &size_io, size_work, SIZE_WORK, codecs);
    sum |= utet_messages_open(&size_file, NULL);
    sum |= utet_tensor_need(&tensor, &size_file, &object, &need);
    sum |= utet_tensor_open(&tensor, &size_file, &object);
    sum |= utet_tensor_read(&tensor, buffer, sizeof buffer, &got);
    sum |= utet_tensor_skip(&tensor, 8);
    sum |= utet_tensor_floats(&tensor, floats, 16, &got);
    return sum;
}
