/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Numbers of CSV columns in the dtype that --dtype names; one that does not fit is refused. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* IEEE binary16, rounded to nearest, ties to even. */
static uint16_t half_of(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    int exponent;
    double scaled;

    if (isnan(value))
        return (uint16_t)(sign | 0x7E00);
    value = fabs(value);
    if (value >= 65520.0)
        return (uint16_t)(sign | 0x7C00);
    (void)frexp(value, &exponent);
    if (exponent < -13)
        exponent = -13; /* subnormal */
    scaled = nearbyint(ldexp(value, 11 - exponent));
    return (uint16_t)(sign + (scaled < 1024.0 ? (uint16_t)scaled : (uint16_t)((exponent + 13) * 1024 + (int)scaled)));
}

/* Whether it fits: infinity is for what was infinite. */
static int store_float(uint32_t dtype, double value, uint64_t *bits)
{
    const float narrow = (float)value;
    uint32_t low;

    if (dtype == UTET_F64) {
        memcpy(bits, &value, sizeof value);
        return 1;
    }
    if (dtype == UTET_F16) {
        *bits = half_of(value);
        return isinf(value) || (*bits & 0x7FFF) != 0x7C00;
    }
    memcpy(&low, &narrow, sizeof low);
    *bits = low;
    return isinf(value) || !isinf(narrow);
}

static int store_integer(uint32_t dtype, int64_t value, uint64_t *bits)
{
    static const int64_t least[11] = {0, 0, 0, INT32_MIN, INT64_MIN, 0, 0, INT16_MIN, 0, 0, 0};
    static const int64_t most[11] = {0,          0,         0,          INT32_MAX, INT64_MAX, UINT8_MAX,
                                     UINT16_MAX, INT16_MAX, UINT32_MAX, 0,         INT64_MAX};

    *bits = (uint64_t)value;
    return value >= least[dtype] && value <= most[dtype];
}

/* Elements are 8 bytes: i64, u64 or f64. */
static int convert_one(const pack_input *in, uint32_t dtype, uint64_t *bits)
{
    const uint64_t whole = *bits;
    const int beyond = in->dtype == UTET_U64 && whole > INT64_MAX;
    double number;

    memcpy(&number, bits, sizeof number);
    if (dtype == UTET_F32 || dtype == UTET_F64 || dtype == UTET_F16)
        return store_float(dtype,
                           beyond                  ? (double)whole
                           : in->dtype != UTET_F64 ? (double)(int64_t)whole
                                                   : number,
                           bits);
    if (in->dtype != UTET_F64)
        return !beyond && store_integer(dtype, (int64_t)whole, bits);
    return number >= -9.2e18 && number <= 9.2e18 && number == floor(number) &&
           store_integer(dtype, (int64_t)number, bits);
}

static int convert_all(const pack_input *in, uint32_t dtype, int scratch, uint8_t *buffer, uint64_t most)
{
    const uint8_t size = pack_elem_size(dtype);
    uint64_t start;

    for (start = 0; start < in->shape[0]; start += most) {
        const uint64_t count = in->shape[0] - start < most ? in->shape[0] - start : most;
        uint64_t i;
        unsigned b;

        if (pack_box(in, &start, &count, buffer) != TOOL_OK)
            return TOOL_ERROR;
        for (i = 0; i < count; i++) {
            uint64_t bits = 0;

            for (b = 8; b-- > 0;)
                bits = bits << 8 | buffer[i * 8 + b];
            if (!convert_one(in, dtype, &bits))
                return fail(in->path, "dataset", NO_OFFSET, "%s: row %" PRIu64 " does not fit %s", in->name,
                            start + i + 1, utet_show_dtype(dtype));
            store_le(buffer + i * size, bits, (unsigned)size);
        }
        if (pack_write_all(in->path, scratch, buffer, (size_t)count * size) != TOOL_OK)
            return TOOL_ERROR;
    }
    return TOOL_OK;
}

int pack_convert(pack_inputs *all, pack_input *in, uint32_t dtype)
{
    const uint64_t most = 8192;
    uint8_t *buffer;
    int scratch;
    int result;

    if (in->dtype == dtype)
        return TOOL_OK;
    buffer = malloc((size_t)most * 8);
    scratch = pack_scratch(in->path);
    if (buffer == NULL || scratch < 0 || pack_inputs_keep(all, scratch) != TOOL_OK) {
        free(buffer);
        return TOOL_ERROR;
    }
    result = convert_all(in, dtype, scratch, buffer, most);
    free(buffer);
    in->dtype = dtype;
    in->elem_size = pack_elem_size(dtype);
    pack_view_dense(in, scratch, 0, 0);
    return result;
}
