/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The header of a NumPy .npy file, version 1.0: magic, length, a Python dictionary padded to 64 bytes. The data that
 * follow are the raw little-endian values. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>

const char *npy_type(const utet_dataset *dataset)
{
#define TYPE_ROW(tag, number, name, bytes, kind, fraction) \
    [number] = {(bytes) == 1 ? '|' : '<', NPY_KIND(kind), '0' + (bytes), '\0'},
    static const char types[][4] = {"?", UTET_DTYPES(TYPE_ROW)};

    return types[dataset->dtype];
}

int npy_header(output *out, const char *type, const uint64_t *shape, unsigned ndim)
{
    static const char magic[8] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
    char header[TOOL_MOST_AXES * 24 + 192];
    char list[TOOL_MOST_AXES * 24 + 1];
    size_t length;
    size_t padded;

    (void)shape_text(list, shape, ndim, ", ");
    length = (size_t)sprintf(header + 10, "{'descr': '%s', 'fortran_order': False, 'shape': (%s%s), }", type, list,
                             ndim == 1 ? "," : "");
    padded = (10 + length + 1 + 63) / 64 * 64;
    memset(header + 10 + length, ' ', padded - 10 - length);
    header[padded - 1] = '\n';
    memcpy(header, magic, sizeof magic);
    header[8] = (char)((padded - 10) & 0xFF);
    header[9] = (char)((padded - 10) >> 8);
    return output_write(out, header, padded);
}
