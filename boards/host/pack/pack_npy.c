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

#define MOST_HEADER ((size_t)1 << 20)

/* ---- the dictionary ----
 * NumPy reads it as a Python literal. This is the part of Python that writers use: strings in either quotes without
 * escapes, True and False, whole numbers, a comma after the last one or not, blanks and line ends between all. Each of
 * the three keys is there once, and no other. */

typedef struct literal {
    const char *start;
    const char *at;
    const char *path;
    uint64_t offset; /* offset of the dictionary in the file */
    int longs;       /* Python 2 wrote 3L, in versions 1 and 2 */
} literal;

enum { KEY_DESCR = 1, KEY_ORDER = 2, KEY_SHAPE = 4 };

static int wrong(const literal *l, const char *words)
{
    return fail(l->path, "header", l->offset + (uint64_t)(l->at - l->start), "%s", words);
}

static void skip_blanks(literal *l)
{
    l->at += strspn(l->at, " \t\n\r\f");
}

/* Passes over the word, if it is there. */
static int take_word(literal *l, const char *word)
{
    const size_t length = strlen(word);

    if (strncmp(l->at, word, length) != 0)
        return 0;
    l->at += length;
    return 1;
}

/* A string into `text`, which holds `size` bytes; -1 after no error line: it is none. */
static int take_string(literal *l, char *text, size_t size)
{
    const char quote = *l->at == 'u' ? l->at[1] : *l->at; /* Python 2 also wrote u'...' */
    const char *from;
    size_t length;

    if (quote != '\'' && quote != '"')
        return -1;
    from = l->at + (*l->at == 'u') + 1;
    length = strcspn(from, quote == '"' ? "\"\\\n\r" : "'\\\n\r");
    if (from[length] != quote || length >= size)
        return -1;
    memcpy(text, from, length);
    text[length] = '\0';
    l->at = from + length + 1;
    return 0;
}

static int take_extent(literal *l, uint64_t *value)
{
    const char *const from = l->at;

    *value = 0;
    for (; *l->at >= '0' && *l->at <= '9'; l->at++) {
        const unsigned digit = (unsigned)(*l->at - '0');

        if (*value > (UINT64_MAX - digit) / 10)
            return wrong(l, "an extent beyond 2^64");
        *value = *value * 10 + digit;
    }
    if (l->at == from || (*from == '0' && *value != 0)) {
        l->at = from;
        return wrong(l, "an extent is not a decimal integer from 0");
    }
    if (*l->at == 'L' && l->longs)
        l->at++;
    return TOOL_OK;
}

/* (), (3,), (3, 4), (3, 4,); (3) is a number, no tuple. */
static int take_shape(literal *l, pack_input *in)
{
    int comma = 1;

    in->ndim = 0;
    if (!take_word(l, "("))
        return wrong(l, "the shape is not a tuple such as (3, 4)");
    for (;;) {
        skip_blanks(l);
        if (*l->at == ')' && (comma || in->ndim > 1))
            break;
        if (!comma)
            return wrong(l, in->ndim == 1 && *l->at == ')'
                                ? "the shape is not a tuple: (3,) has one axis, (3) is a number"
                                : "a comma or parenthesis is missing in the shape");
        if (in->ndim == UTET_MAX_NDIM)
            return wrong(l, "a shape of more than 8 axes, which .tet cannot hold");
        if (take_extent(l, &in->shape[in->ndim]) != TOOL_OK)
            return TOOL_ERROR;
        in->ndim++;
        skip_blanks(l);
        comma = take_word(l, ",");
    }
    l->at++;
    return TOOL_OK;
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
        {"c8", "complex64", "array.real and array.imag are two arrays"},
        {"c16", "complex128", "array.real and array.imag are two arrays"},
        {"c32", "complex256", "array.real.astype('float64') and array.imag.astype('float64') are two arrays"},
        {"f12", "float96", "array.astype('float64') has fewer digits"},
        {"f16", "float128", "array.astype('float64') has fewer digits"},
        {"M8", "datetime64", "array.astype('int64') counts its units"},
        {"m8", "timedelta64", "array.astype('int64') counts its units"},
        {"[", "of records", "array['NAME'] is one field"},
        {"O", "object", "array.astype('float64') if they are numbers"},
        {"U", "U", "array.astype('float64') if they are numbers (labels of an axis: --labels)"},
        {"S", "S", "array.astype('float64') if they are numbers (labels of an axis: --labels)"},
        {"V", "V", "array.view('uint8') has its bytes"},
        {"", "", "array.astype('float64')"},
    };
    const foreign_kind *kind = kinds;

    for (; kind->code[0] != '\0'; kind++) {
        const size_t length = strlen(kind->code);

        /* after a size there is its end, or the unit of a time */
        if (strncmp(descr, kind->code, length) == 0 && (length == 1 || descr[length] < '0' || descr[length] > '9'))
            break;
    }
    return kind;
}

/* Refuses an array of such elements, and names it if it is in an archive. `descr`: as in the header, without quotation
 * marks. */
static int foreign(const pack_input *in, const char *descr)
{
    const int named = in->name != NULL;
    const foreign_kind *kind;
    int length;

    descr += *descr != '\0' && strchr("<>|=", *descr) != NULL;
    kind = foreign_kind_of(descr);
    descr += strlen(kind->code);
    length = kind->code[0] == '[' ? 0 : (int)strlen(descr);
    return fail(in->path, named ? "dataset" : NULL, NO_OFFSET,
                "%s%sunsupported dtype %s%.*s; .tet has float16/32/64, int16/32/64, uint8/16/32/64. In NumPy: %s%s",
                named ? in->name : "", named ? ": " : "", kind->name, length < 40 ? length : 40, descr, kind->advice,
                named ? " (IN:ARRAY reads only one array)" : "");
}

/* '<f4': an order of bytes or none, a letter, a size. Without one the bytes are in the order of NumPy's machine, which
 * nearly always was little-endian. */
static int take_descr(literal *l, pack_input *in)
{
#define KIND_ROW(tag, number, name, bytes, kind, fraction) {{NPY_KIND(kind), '0' + (bytes), '\0'}, tag},
    static const struct {
        char text[4];
        uint32_t dtype;
    } kinds[] = {UTET_DTYPES(KIND_ROW){"b1", UTET_U8}, {"?", UTET_U8}, {"i1", UTET_U8}};
    const char *kind;
    char text[64];
    size_t i;

    if (*l->at == '[' || *l->at == '(')
        return foreign(in, l->at);
    if (take_string(l, text, sizeof text) != 0)
        return wrong(l, "the dtype is missing, such as '<f4'");
    kind = text + (text[0] != '\0' && strchr("<>|=", text[0]) != NULL);
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kind, kinds[i].text) == 0) {
            in->dtype = kinds[i].dtype;
            in->elem_size = pack_elem_size(in->dtype);
            in->view.swapped = text[0] == '>' && in->elem_size > 1;
            in->cast.from = strcmp(kind, "i1") == 0 ? PACK_I8 : 0;
            if (in->cast.from == 0 && kinds[i].text[0] != 'b' && kinds[i].text[0] != '?')
                return TOOL_OK;
            return in->cast.from != 0 ? pack_meta_attribute(in, "original_dtype", "int8")
                                      : pack_meta_attribute(in, "dtype", "bool"); /* xarray's convention */
        }
    return foreign(in, text);
}

static int take_order(literal *l, int *fortran)
{
    *fortran = take_word(l, "True");
    return *fortran || take_word(l, "False") ? TOOL_OK : wrong(l, "fortran_order must be True or False");
}

/* One key and its value. */
static int take_pair(literal *l, pack_input *in, int *fortran, unsigned *seen)
{
    static const char *const keys[3] = {"descr", "fortran_order", "shape"};
    const char *const from = l->at;
    char key[32];
    unsigned i = 0;

    if (take_string(l, key, sizeof key) != 0)
        return wrong(l, "a key in quotes is missing");
    while (i < 3 && strcmp(key, keys[i]) != 0)
        i++;
    l->at = from;
    if (i == 3)
        return wrong(l, "unknown key; NumPy writes descr, fortran_order and shape");
    if ((*seen >> i & 1) != 0)
        return wrong(l, "a key is given twice");
    *seen |= 1u << i;
    (void)take_string(l, key, sizeof key);
    skip_blanks(l);
    if (!take_word(l, ":"))
        return wrong(l, "no colon after the key");
    skip_blanks(l);
    return i == 0 ? take_descr(l, in) : i == 1 ? take_order(l, fortran) : take_shape(l, in);
}

static int parse_header(literal *l, pack_input *in, size_t length, int *fortran)
{
    unsigned seen = 0;
    int comma = 1;

    l->at += strspn(l->at, " \t");
    if (!take_word(l, "{"))
        return wrong(l, "no dictionary such as {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }");
    for (;;) {
        skip_blanks(l);
        if (take_word(l, "}"))
            break;
        if (!comma)
            return wrong(l, "a comma or brace is missing in the dictionary");
        if (take_pair(l, in, fortran, &seen) != TOOL_OK)
            return TOOL_ERROR;
        skip_blanks(l);
        comma = take_word(l, ",");
    }
    if (seen != (KEY_DESCR | KEY_ORDER | KEY_SHAPE))
        return wrong(l, "a key is missing; descr, fortran_order and shape are required");
    skip_blanks(l);
    if (l->at != l->start + length)
        return wrong(l, "text after the dictionary");
    if (in->ndim == 0) { /* a single number */
        in->ndim = 1;
        in->shape[0] = 1;
    }
    return TOOL_OK;
}

/* The header at `offset`; *head_size: its bytes. */
static int read_header(pack_input *in, int fd, uint64_t offset, uint64_t size, uint64_t *head_size, int *fortran)
{
    uint8_t head[12] = {0};
    size_t length;
    size_t before;
    literal l;
    int result;
    char *text;

    if (size < sizeof head || pack_read_at(fd, head, sizeof head, offset) != (ssize_t)sizeof head ||
        memcmp(head, "\x93NUMPY", 6) != 0)
        return fail(in->path, NULL, NO_OFFSET, "damaged or unknown .npy header");
    if (head[6] < 1 || head[6] > 3 || head[7] != 0)
        return fail(in->path, "header", offset + 6, "unsupported .npy version %u.%u; NumPy has 1.0, 2.0 and 3.0",
                    head[6], head[7]);
    before = head[6] == 1 ? 10 : 12;
    length = (size_t)head[8] | (size_t)head[9] << 8;
    if (head[6] > 1)
        length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    if (length > MOST_HEADER || length > size - before)
        return fail(in->path, "header", offset + 8, "the file ends in the header");
    text = calloc(length + 1, 1);
    if (text == NULL)
        return fail(in->path, NULL, NO_OFFSET, "not enough memory");
    l.path = in->path;
    l.start = l.at = text;
    l.offset = offset + before;
    l.longs = head[6] < 3;
    result = pack_read_at(fd, text, length, offset + before) == (ssize_t)length
                 ? parse_header(&l, in, length, fortran)
                 : fail(in->path, NULL, NO_OFFSET, "cannot read: %s", strerror(errno));
    free(text);
    *head_size = before + length;
    return result;
}

int pack_npy_open(pack_inputs *all, const char *path, int fd, uint64_t offset, uint64_t size, const char *member)
{
    pack_input *in = pack_inputs_add(all, path);
    uint64_t head = 0;
    uint64_t bytes;
    int fortran = 0;

    if (in == NULL || (member != NULL && pack_input_name(in, member, strlen(member)) != TOOL_OK) ||
        read_header(in, fd, offset, size, &head, &fortran) != TOOL_OK)
        return TOOL_ERROR;
    bytes = pack_elements(in);
    if (bytes == UINT64_MAX)
        return fail(path, NULL, NO_OFFSET, "the shape has too many elements");
    bytes *= in->elem_size;
    if (all->ask_to != 0 && size == head) {
        in->view.ask_to = all->ask_to;
        in->view.ask_from = all->ask_from;
        in->view.array = all->count - 1;
        pack_view_dense(in, all->ask_elements, 0, fortran);
    } else if (bytes > size - head)
        return fail(path, NULL, NO_OFFSET, "%" PRIu64 " bytes are missing: the data requires %" PRIu64,
                    bytes - (size - head), bytes);
    else if (bytes < size - head)
        return fail(path, NULL, offset + head + bytes,
                    "%" PRIu64 " extra bytes: the data requires %" PRIu64 ", and a file has one array",
                    size - head - bytes, bytes);
    else
        pack_view_dense(in, fd, offset + head, fortran);
    if (in->cast.from == PACK_I8) { /* its values, in the narrowest dtype that .tet has for them */
        in->dtype = UTET_I16;
        in->elem_size = 2;
    }
    return TOOL_OK;
}
