/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* simple_packing of 16 bits to floats (utet_tensogram_data.h), the packed values in memory: tensor_pak.py. For cores
 * with floating point in single precision. */
#include "bench.h"

#include <string.h>

#include "utet_tensogram_data.h"

static utet_file file;
static utet_object object;
static utet_tensor tensor;

/* The floating-point unit is off after a reset. */
void bench_setup(void)
{
    *(volatile uint32_t *)0xE000ED88u |= (uint32_t)0xF << 20;
    __asm volatile("dsb\n\tisb" ::: "memory");
}

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    utet_io io = {0};
    size_t got = 0;

    io.map = src;
    io.size = src_len;
    io.unit = 1;
    io.align = 1;
    memset(&object, 0, sizeof object);
    object.dtype = UTET_TENSOR_FLOAT64;
    object.width = 8;
    object.encoding = UTET_ENCODING_SIMPLE_PACKING;
    object.filter = UTET_FILTER_NONE;
    object.compression = UTET_COMPRESSION_NONE;
    object.elements = src_len / 2;
    object.decoded_length = object.elements * 8;
    object.stored_length = src_len;
    object.payload_length = src_len;
    object.packing.reference = -100;
    object.packing.binary = -2;
    object.packing.bits = 16;
    if (utet_init(&file, &io, NULL, 0, NULL) != UTET_OK || utet_messages_open(&file, NULL) != UTET_OK ||
        utet_tensor_open(&tensor, &file, &object) != UTET_OK ||
        utet_tensor_floats(&tensor, (float *)(void *)dst, dst_cap / 4, &got) != UTET_OK)
        return -1;
    return (int32_t)(got * 4);
}

size_t bench_work(void)
{
    return sizeof file + sizeof object + sizeof tensor;
}
