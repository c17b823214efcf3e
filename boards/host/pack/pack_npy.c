/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npy: magic, version, a Python dictionary with descr, fortran_order and shape, then the data (versions 1 to
 * 3). */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_HEADER ((size_t)1 << 20)

static uint32_t dtype_of(const char *kind, uint32_t *size)
{
    static const struct {
        char text[4];
        uint32_t dtype;
    } kinds[] = {
        {"f4", UTET_F32}, {"f8", UTET_F64}, {"i4", UTET_I32}, {"i8", UTET_I64}, {"u1", UTET_U8}, {"u2", UTET_U16},
        {"i2", UTET_I16}, {"u4", UTET_U32}, {"f2", UTET_F16}, {"u8", UTET_U64}, {"b1", UTET_U8},
    };
    size_t i;

    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kind, kinds[i].text) == 0) {
            *size = pack_elem_size(kinds[i].dtype);
            return kinds[i].dtype;
        }
    return 0;
}

/* What stands behind 'key': in the dictionary; null when it is not there. */
static const char *value_of(const char *text, const char *key)
{
    char quoted[32];
    const char *at;

    (void)snprintf(quoted, sizeof quoted, "'%s'", key);
    at = strstr(text, quoted);
    if (at == NULL)
        return NULL;
    at += strlen(quoted);
    at += strspn(at, " \t");
    return *at == ':' ? at + 1 + strspn(at + 1, " \t") : NULL;
}

static int parse_shape(pack_input *in, const char *at)
{
    in->ndim = 0;
    if (at == NULL || *at++ != '(')
        return 0;
    for (;;) {
        uint64_t value = 0;
        const char *from;

        at += strspn(at, " ,");
        if (*at == ')')
            return 1;
        for (from = at; *at >= '0' && *at <= '9'; at++) {
            if (value > UINT64_MAX / 10 - 1)
                return 0;
            value = value * 10 + (unsigned)(*at - '0');
        }
        at += *at == 'L';
        if (at == from || in->ndim == UTET_MAX_NDIM || (*at != ',' && *at != ')' && *at != ' '))
            return 0;
        in->shape[in->ndim++] = value;
    }
}

/* A kind of elements that .tet does not have: how descr begins, the name that NumPy prints, and the nearest that .tet
 * has. */
typedef struct foreign_kind {
    const char *code;
    const char *name;
    const char *advice;
} foreign_kind;

static const foreign_kind *foreign_kind_of(const char *descr)
{
    static const foreign_kind kinds[] = {
        {"i1", "int8", "array.astype('int16') has the same values"},
        {"c8", "complex64", "array.real and array.imag are two arrays"},
        {"c16", "complex128", "array.real and array.imag are two arrays"},
        {"c32", "complex256", "array.real.astype('float64') and array.imag.astype('float64') are two arrays"},
        {"f12", "float96", "array.astype('float64') has fewer digits"},
        {"f16", "float128", "array.astype('float64') has fewer digits"},
        {"M8", "datetime64", "array.astype('int64') counts its units"},
        {"m8", "timedelta64", "array.astype('int64') counts its units"},
        {"[", "of records", "array['NAME'] is one field"},
        {"O", "object", "array.astype('float64') if they are numbers"},
        {"U", "U", "array.astype('float64') if they are numbers (names of places: --labels)"},
        {"S", "S", "array.astype('float64') if they are numbers (names of places: --labels)"},
        {"V", "V", "array.view('uint8') has its bytes"},
        {"", "", "array.astype('float64')"},
    };
    const foreign_kind *kind = kinds;

    for (; kind->code[0] != '\0'; kind++) {
        const size_t length = strlen(kind->code);

        /* behind a size there is its end, or the unit of a time */
        if (strncmp(descr, kind->code, length) == 0 && (length == 1 || descr[length] < '0' || descr[length] > '9'))
            break;
    }
    return kind;
}

/* Refuses an array of such elements; of an archive it is told which one. `descr`: as in the header, from its quotation
 * mark on. */
static int foreign(const pack_input *in, const char *descr)
{
    const int named = in->name != NULL;
    const foreign_kind *kind;
    int length;

    descr += *descr == '\'';
    descr += *descr != '\0' && strchr("<>|=", *descr) != NULL;
    kind = foreign_kind_of(descr);
    descr += strlen(kind->code);
    length = kind->code[0] == '[' ? 0 : (int)strcspn(descr, "'");
    return fail(in->path, named ? "dataset" : NULL, NO_OFFSET,
                "%s%sdtype %s%.*s: .tet has float16, 32, 64, int16, 32, 64, uint8, 16, 32, 64; in NumPy, %s%s",
                named ? in->name : "", named ? ": " : "", kind->name, length < 40 ? length : 40, descr, kind->advice,
                named ? " (IN:ARRAY takes one array alone)" : "");
}

static int parse_header(pack_input *in, char *text, int *fortran)
{
    const char *descr = value_of(text, "descr");
    const char *order = value_of(text, "fortran_order");
    char kind[4] = {0};
    uint32_t size = 0;
    char end;

    if (descr == NULL || order == NULL)
        return fail(in->path, NULL, NO_OFFSET, "not a .npy header");
    end = descr[0] == '\'' ? descr[1] : '\0';
    if (end == '\0' || strchr("<>|=", end) == NULL || strlen(descr) < 5 || descr[4] != '\'')
        return foreign(in, descr);
    memcpy(kind, descr + 2, 2);
    in->dtype = dtype_of(kind, &size);
    if (in->dtype == 0)
        return foreign(in, descr);
    in->elem_size = (uint8_t)size;
    in->view.swapped = end == '>' && size > 1;
    *fortran = strncmp(order, "True", 4) == 0;
    if (!parse_shape(in, value_of(text, "shape")))
        return fail(in->path, NULL, NO_OFFSET, "its shape is none that .tet can hold (at most 8 axes)");
    if (in->ndim == 0) { /* a single number */
        in->ndim = 1;
        in->shape[0] = 1;
    }
    return TOOL_OK;
}

int pack_npy_open(pack_inputs *all, const char *path, int fd, uint64_t offset, uint64_t size, const char *member)
{
    pack_input *in = pack_inputs_add(all, path);
    uint8_t head[12] = {0};
    uint64_t bytes;
    size_t length;
    size_t before;
    int fortran = 0;
    int result;
    char *text;

    if (in == NULL || (member != NULL && pack_input_name(in, member, strlen(member)) != TOOL_OK))
        return TOOL_ERROR;
    if (size < sizeof head || pread(fd, head, sizeof head, (off_t)offset) != (ssize_t)sizeof head ||
        memcmp(head, "\x93NUMPY", 6) != 0 || head[6] < 1 || head[6] > 3)
        return fail(path, NULL, NO_OFFSET, "not a .npy header");
    before = head[6] == 1 ? 10 : 12;
    length = (size_t)head[8] | (size_t)head[9] << 8;
    if (head[6] > 1)
        length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    if (length > MOST_HEADER || length > size - before)
        return fail(path, NULL, NO_OFFSET, "not a .npy header");
    text = calloc(length + 1, 1);
    if (text == NULL)
        return fail(path, NULL, NO_OFFSET, "not enough memory");
    result = pread(fd, text, length, (off_t)(offset + before)) == (ssize_t)length
                 ? parse_header(in, text, &fortran)
                 : fail(path, NULL, NO_OFFSET, "cannot read: %s", strerror(errno));
    free(text);
    if (result != TOOL_OK)
        return result;
    bytes = pack_elements(in);
    if (bytes == UINT64_MAX)
        return fail(path, NULL, NO_OFFSET, "the shape has too many elements");
    bytes *= in->elem_size;
    if (bytes > size - before - length)
        return fail(path, NULL, NO_OFFSET, "%" PRIu64 " bytes short: the data take %" PRIu64,
                    bytes - (size - before - length), bytes);
    if (bytes < size - before - length)
        return fail(path, NULL, offset + before + length + bytes,
                    "%" PRIu64 " bytes more: the data take %" PRIu64 ", and a file has one array",
                    size - before - length - bytes, bytes);
    pack_view_dense(in, fd, offset + before + length, fortran);
    return TOOL_OK;
}
