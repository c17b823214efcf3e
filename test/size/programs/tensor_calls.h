/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the configurations tensor, values, masks and tensorslab have in common: data of a tensor whose descriptor is
 * available, as bytes and as floats. */
#ifndef SIZE_TENSOR_CALLS_H
#define SIZE_TENSOR_CALLS_H

#include "port.h"
#include "utet_tensogram_data.h"

static utet_tensor tensor;
static utet_object object;
static char buffer[64];
static float floats[16];

static inline int use_tensor(const utet_codec *const *codecs)
{
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

#endif
