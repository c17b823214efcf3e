/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Safetensors: 8 bytes with the length of a JSON header, the header, then the data. The header has dtype, shape and
 * data_offsets for each name, and texts in __metadata__. It is read as a document inside an empty .tet file, with the
 * library's JSON parser. As in the format's own reader, tensors cover the data completely and do not overlap. */
#define _XOPEN_SOURCE 700
#include "shared/near.h"
#include "verify/document.h"
#include "pack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_HEADER ((uint64_t)16 << 20)
#define MOST_NAME 1024u                      /* bytes of a name or text (src/tet/FORMAT.md §7.4) */
#define MOST_NOTES 62u                       /* of 64 attributes; two remain for those that pack writes */
#define MOST_NOTE_BYTES ((uint64_t)16 << 20) /* texts of all datasets together */

static const char before_header[] = "{\"safetensors\":";
static const uint8_t empty_file[32] = {'T', 'E', 'T', 'R', 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 32};
#define HEADER_AT (sizeof empty_file + sizeof before_header - 1) /* offset of the header in the scratch file */

typedef struct extent {
    uint64_t start;
    uint64_t end;
    uint64_t at; /* offset of its entry in the file */
} extent;

typedef struct note {
    char key[MOST_NAME + 1];
    char text[MOST_NAME + 1];
} note;

typedef struct reader {
    pack_inputs *all;
    const char *path;
    const char *only;
    int fd;
    uint64_t data; /* offset of the data in the file */
    uint64_t size; /* bytes of data */
    document *d;
    near_name near;
    extent *extents;
    size_t count;
    size_t room;
    note *notes;
    size_t note_count;
    uint64_t note_bytes;
    int notes_seen;
} reader;

/* An error at a position in the scratch file. */
static int wrong(const reader *r, uint64_t at, const char *words)
{
    return fail(r->path, "header", at - HEADER_AT + 8, "%s", words);
}

/* Reads a text of 0 to MOST_NAME bytes, UTF-8 without zero bytes. Returns zero if the value is anything else; `text`
 * then has its beginning. `text` holds MOST_NAME + 8 bytes. */
static int take_text(const reader *r, json_value value, char *text, size_t *length)
{
    document_text(r->d, &value, text, MOST_NAME + 8, length);
    return value.kind == UTET_VALUE_TEXT && *length <= MOST_NAME && strlen(text) == *length && is_utf8(text, *length);
}

/* ---- one tensor ---- */

enum { KEY_DTYPE, KEY_SHAPE, KEY_OFFSETS, KEYS };

typedef struct tensor {
    json_value fields[KEYS];
    uint64_t at; /* position of its entry */
    char name[MOST_NAME + 8];
    size_t name_length;
    char kind[MOST_NAME + 8];
    uint64_t extents[UTET_MAX_NDIM];
    size_t ndim;
    uint64_t offsets[2];
} tensor;

/* At most `most` whole numbers. */
static int take_numbers(const reader *r, json_value list, uint64_t *numbers, size_t most, size_t *count,
                        const char *words)
{
    json_value value;

    if (list.kind != UTET_VALUE_LIST)
        return wrong(r, list.at - 1, words);
    for (*count = 0; document_next(r->d, &list, &value, &value); ++*count) {
        if (value.kind != UTET_VALUE_NUMBER || value.number == UINT64_MAX || *count == most)
            return wrong(r, value.at - 1, words);
        numbers[*count] = value.number;
    }
    return TOOL_OK;
}

/* The three keys, each once, and no other. */
static int take_fields(const reader *r, tensor *t, json_value map)
{
    static const char *const names[KEYS] = {"dtype", "shape", "data_offsets"};
    static const json_value none;
    char text[MOST_NAME + 8];
    json_value key;
    json_value value;
    size_t length;
    unsigned i;

    if (map.kind != UTET_VALUE_MAP)
        return wrong(r, t->at, "a tensor is not an object with dtype, shape and data_offsets");
    for (i = 0; i < KEYS; i++)
        t->fields[i] = none;
    while (document_next(r->d, &map, &key, &value)) {
        const int good = take_text(r, key, text, &length);

        for (i = 0; i < KEYS && (!good || strcmp(text, names[i]) != 0); i++)
            ;
        if (i == KEYS)
            return wrong(r, key.at - 1, "unknown key; a tensor has dtype, shape and data_offsets");
        if (t->fields[i].at != 0)
            return wrong(r, key.at - 1, "a key is given twice");
        t->fields[i] = value;
    }
    for (i = 0; i < KEYS; i++)
        if (t->fields[i].at == 0)
            return wrong(r, t->at, "a key is missing; a tensor has dtype, shape and data_offsets");
    return TOOL_OK;
}

typedef struct element_kind {
    const char *name;
    uint8_t size; /* bytes; 0: a fraction of one */
    uint32_t dtype;
    const char *advice;
} element_kind;

#define TO_FLOAT "tensor.to(torch.float32) has the same values"

static const element_kind kinds[] = {
    {"F64", 8, UTET_F64, NULL},
    {"F32", 4, UTET_F32, NULL},
    {"F16", 2, UTET_F16, NULL},
    {"I64", 8, UTET_I64, NULL},
    {"I32", 4, UTET_I32, NULL},
    {"I16", 2, UTET_I16, NULL},
    {"I8", 1, UTET_U8, NULL}, /* see place_tensor */
    {"U64", 8, UTET_U64, NULL},
    {"U32", 4, UTET_U32, NULL},
    {"U16", 2, UTET_U16, NULL},
    {"U8", 1, UTET_U8, NULL},
    {"BOOL", 1, UTET_U8, NULL},
    {"BF16", 2, 0, TO_FLOAT},
    {"F8_E4M3", 1, 0, TO_FLOAT},
    {"F8_E5M2", 1, 0, TO_FLOAT},
    {"F8_E8M0", 1, 0, TO_FLOAT},
    {"C64", 8, 0, "tensor.real and tensor.imag are two tensors"},
    {NULL, 0, 0, "tensor.to(torch.float32), if they are numbers"},
};

/* The entry of a known dtype is complete: its offsets are in the data, and as far apart as its shape requires. */
static int check_size(reader *r, const tensor *t, const element_kind *kind, const pack_input *shape)
{
    const uint64_t elements = pack_elements(shape);
    const uint64_t bytes = t->offsets[1] - t->offsets[0];

    if (elements == UINT64_MAX)
        return wrong(r, t->fields[KEY_SHAPE].at - 1, "the shape has too many elements");
    if (kind->size != 0 && elements * kind->size != bytes)
        return fail(r->path, "header", t->fields[KEY_OFFSETS].at - 1 - HEADER_AT + 8,
                    "%s: data_offsets have %" PRIu64 " bytes, dtype and shape require %" PRIu64, t->name, bytes,
                    elements * kind->size);
    return TOOL_OK;
}

static int keep_extent(reader *r, const tensor *t)
{
    extent *more = r->extents;

    if (r->count == r->room) {
        more = realloc(more, (r->room * 2 + 64) * sizeof *more);
        if (more == NULL)
            return fail(r->path, NULL, NO_OFFSET, "not enough memory");
        r->extents = more;
        r->room = r->room * 2 + 64;
    }
    more[r->count].start = t->offsets[0];
    more[r->count].end = t->offsets[1];
    more[r->count++].at = t->at;
    return TOOL_OK;
}

/* A dataset of the tensor. */
static int place_tensor(const reader *r, const tensor *t, const element_kind *kind, const pack_input *shape)
{
    pack_input *in;

    if (kind->advice != NULL)
        return fail(r->path, "dataset", NO_OFFSET,
                    "%s: unsupported dtype %.40s; .tet has F16 F32 F64, I16 I32 I64, U8 U16 U32 U64. In PyTorch: %s "
                    "(IN:ARRAY reads only one array)",
                    t->name, t->kind, kind->advice);
    in = pack_inputs_add(r->all, r->path);
    if (in == NULL || pack_input_name(in, t->name, t->name_length) != TOOL_OK)
        return TOOL_ERROR;
    in->ndim = shape->ndim;
    memcpy(in->shape, shape->shape, sizeof in->shape);
    in->dtype = kind->dtype;
    in->elem_size = pack_elem_size(kind->dtype);
    pack_view_dense(in, r->fd, r->data + t->offsets[0], 0);
    if (strcmp(kind->name, "I8") == 0) { /* its values, in the narrowest dtype that .tet has for them */
        in->cast.from = PACK_I8;
        in->dtype = UTET_I16;
        in->elem_size = 2;
        return pack_meta_attribute(in, "original_dtype", "int8");
    }
    return strcmp(kind->name, "BOOL") == 0 ? pack_meta_attribute(in, "dtype", "bool") : TOOL_OK;
}

static int take_tensor(reader *r, tensor *t, json_value map)
{
    const element_kind *kind = kinds;
    pack_input shape;
    size_t length;
    size_t two = 0;

    memset(&shape, 0, sizeof shape);
    if (take_fields(r, t, map) != TOOL_OK)
        return TOOL_ERROR;
    if (!take_text(r, t->fields[KEY_DTYPE], t->kind, &length))
        return wrong(r, t->fields[KEY_DTYPE].at - 1, "the dtype is not a text such as \"F32\"");
    while (kind->name != NULL && strcmp(kind->name, t->kind) != 0)
        kind++;
    if (take_numbers(r, t->fields[KEY_SHAPE], shape.shape, UTET_MAX_NDIM, &t->ndim,
                     "the shape is not a list of at most 8 whole numbers") != TOOL_OK ||
        take_numbers(r, t->fields[KEY_OFFSETS], t->offsets, 2, &two, "data_offsets are not two whole numbers") !=
            TOOL_OK)
        return TOOL_ERROR;
    shape.ndim = (unsigned)t->ndim;
    if (shape.ndim == 0) { /* a single number */
        shape.ndim = 1;
        shape.shape[0] = 1;
    }
    if (two != 2 || t->offsets[0] > t->offsets[1])
        return wrong(r, t->fields[KEY_OFFSETS].at - 1, "data_offsets are not two whole numbers in ascending order");
    if (t->offsets[1] > r->size)
        return fail(r->path, "header", t->fields[KEY_OFFSETS].at - 1 - HEADER_AT + 8,
                    "%s: %" PRIu64 " bytes are missing: data_offsets end at %" PRIu64 ", the data have %" PRIu64
                    " bytes",
                    t->name, t->offsets[1] - r->size, t->offsets[1], r->size);
    if (check_size(r, t, kind, &shape) != TOOL_OK || keep_extent(r, t) != TOOL_OK)
        return TOOL_ERROR;
    if (r->only != NULL && strcmp(r->only, t->name) != 0) {
        near_add(&r->near, t->name, t->name_length);
        return TOOL_OK;
    }
    return place_tensor(r, t, kind, &shape);
}

/* ---- __metadata__ ---- */

/* Texts that attributes can hold; others are named and left out. */
static int take_notes(reader *r, uint64_t at, json_value map)
{
    char key_text[MOST_NAME + 8];
    char text[MOST_NAME + 8];
    size_t key_length;
    size_t length;
    json_value key;
    json_value value;

    if (map.kind != UTET_VALUE_MAP || r->notes_seen)
        return wrong(r, at, r->notes_seen ? "a key is given twice" : "__metadata__ is not an object of texts");
    r->notes_seen = 1;
    r->notes = calloc(MOST_NOTES, sizeof *r->notes);
    if (r->notes == NULL)
        return fail(r->path, NULL, NO_OFFSET, "not enough memory");
    while (document_next(r->d, &map, &key, &value)) {
        note *const one = &r->notes[r->note_count];
        int good;

        if (value.kind != UTET_VALUE_TEXT)
            return wrong(r, key.at - 1, "__metadata__ has a value that is not a text");
        good = take_text(r, key, key_text, &key_length) && key_length > 0;
        good = take_text(r, value, text, &length) && good && length > 0;
        if (!good || r->note_count == MOST_NOTES) {
            notice(r->path, "header", "\"%.40s\" of __metadata__ is left out: %s",
                   is_utf8(key_text, key_length) ? key_text : "a key",
                   good ? "there is room for 62 attributes"
                        : "an attribute has 1 to 1,024 bytes of UTF-8, and so has its name");
            continue;
        }
        strcpy(one->key, key_text);
        strcpy(one->text, text);
        r->note_bytes += key_length + length;
        r->note_count++;
    }
    return TOOL_OK;
}

/* The attributes of one dataset. pack's own, which tell its dtype, stay. */
static int put_notes(const reader *r, pack_input *in)
{
    size_t i;

    for (i = 0; i < r->note_count; i++) {
        const note *const one = &r->notes[i];
        const tree *const attributes = tree_at(&in->about, "attrs", 5);

        if (attributes != NULL && tree_at(attributes, one->key, strlen(one->key)) != NULL)
            notice(r->path, "header", "%s: \"%s\" of __metadata__ is left out: pack writes this attribute", in->name,
                   one->key);
        else if (pack_meta_attribute(in, one->key, one->text) != TOOL_OK)
            return TOOL_ERROR;
    }
    return TOOL_OK;
}

/* ---- the file ---- */

static int by_start(const void *a, const void *b)
{
    const extent *const x = a;
    const extent *const y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Each byte of the data belongs to one tensor. */
static int check_cover(const reader *r)
{
    uint64_t end = 0;
    size_t i;

    if (r->count > 1)
        qsort(r->extents, r->count, sizeof *r->extents, by_start);
    for (i = 0; i < r->count; i++) {
        if (r->extents[i].start != end)
            return wrong(r, r->extents[i].at,
                         r->extents[i].start < end ? "data_offsets overlap those of another tensor"
                                                   : "data_offsets leave a gap after those of another tensor");
        end = r->extents[i].end;
    }
    return end == r->size
               ? TOOL_OK
               : fail(r->path, NULL, r->data + end, "%" PRIu64 " extra bytes: no tensor has them", r->size - end);
}

/* All entries of the header, `length` bytes without the blanks at its end. */
static int read_entries(reader *r, const utet_span *footer, uint64_t length)
{
    json_value outer = {UTET_VALUE_MAP, 0, footer->offset + 1, 0};
    tensor t;
    json_value header;
    json_value key;
    json_value value;
    int result = TOOL_OK;

    document_begin(r->d, r->d->s, footer);
    if (!document_next(r->d, &outer, &key, &header) || header.kind != UTET_VALUE_MAP ||
        document_end(r->d, &outer) != HEADER_AT + length)
        return wrong(r, HEADER_AT, "not one JSON object");
    while (result == TOOL_OK && document_next(r->d, &header, &key, &value)) {
        const int good = take_text(r, key, t.name, &t.name_length);

        t.at = key.at - 1;
        if (good && strcmp(t.name, "__metadata__") == 0)
            result = take_notes(r, t.at, value);
        else
            result = good ? take_tensor(r, &t, value) : wrong(r, t.at, "a name is not 1 to 1,024 bytes of UTF-8");
    }
    return result;
}

/* The header in a file of its own, as the footer of an empty .tet file. Returns its descriptor, -1 after an error line;
 * *length: without the blanks at its end. */
static int copy_header(const reader *r, uint64_t *length)
{
    uint8_t tail[17] = {'}', 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'T', 'H', 'S', 'T'};
    char *const text = malloc((size_t)*length + 1);
    const int fd = text != NULL ? pack_scratch(r->path) : -1;
    int result = TOOL_ERROR;

    store_le(tail + 1, *length + sizeof before_header, 8);
    if (text == NULL)
        (void)fail(r->path, NULL, NO_OFFSET, "not enough memory");
    else if (fd >= 0 && pack_read_at(r->fd, text, (size_t)*length, 8) != (ssize_t)*length)
        (void)fail(r->path, "header", 8, "cannot read: %s", errno != 0 ? strerror(errno) : "the file ends");
    else if (fd >= 0 && !is_utf8(text, (size_t)*length))
        (void)fail(r->path, "header", 8, "the header is not valid UTF-8");
    else if (fd >= 0 && pack_write_all(r->path, fd, empty_file, sizeof empty_file) == TOOL_OK &&
             pack_write_all(r->path, fd, before_header, sizeof before_header - 1) == TOOL_OK &&
             pack_write_all(r->path, fd, text, (size_t)*length) == TOOL_OK)
        result = pack_write_all(r->path, fd, tail, sizeof tail);
    while (result == TOOL_OK && *length > 0 && strchr(" \t\r\n", text[*length - 1]) != NULL &&
           text[*length - 1] != '\0')
        --*length;
    free(text);
    if (result == TOOL_OK)
        return fd;
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

static int read_header(reader *r, uint64_t length)
{
    utet_span footer = {sizeof empty_file, length + sizeof before_header};
    utet_meta meta;
    utet_status status;
    document d;
    options opt;
    source s;
    const int fd = copy_header(r, &length);
    int result;

    memset(&opt, 0, sizeof opt);
    opt.file = r->path;
    if (fd < 0)
        return TOOL_ERROR;
    result = source_prepare_fd(&s, &opt, fd);
    r->d = &d;
    d.s = &s;
    if (result == TOOL_OK) {
        status = source_open(&s, UTET_OPEN_WORK(1), UTET_OPEN_WORK(1));
        if (status == UTET_OK)
            status = utet_meta_open(&meta, &s.file);
        if (status == UTET_E_METADATA)
            result = wrong(r, s.file.error_offset < HEADER_AT ? HEADER_AT : s.file.error_offset, "not a JSON object");
        else
            result = status == UTET_OK ? read_entries(r, &footer, length) : source_fail(&s, status);
        if (result == TOOL_OK && d.status != UTET_OK)
            result = source_fail(&s, d.status);
    }
    source_end(&s);
    return result;
}

/* The length of a header that fits into the file and looks like JSON; 0: none. */
static uint64_t header_length(const uint8_t *head, size_t got, uint64_t size)
{
    const uint64_t length = load_le(head, 8);

    return got >= 9 && length >= 2 && size >= 8 && length <= size - 8 && head[8] == '{' ? length : 0;
}

int pack_safetensors_is(const char *path, const uint8_t *head, size_t got, uint64_t size)
{
    return ends_with(path, ".safetensors") || header_length(head, got, size) != 0;
}

int pack_safetensors_open(pack_inputs *all, const char *path, int fd, uint64_t size, const char *only)
{
    const size_t before = all->count;
    uint8_t head[9] = {0};
    const ssize_t got = pack_read_at(fd, head, sizeof head, 0);
    const uint64_t length = got > 0 ? header_length(head, (size_t)got, size) : 0;
    char words[96];
    reader r;
    size_t i;
    int result;

    if (length == 0)
        return got < 0 ? fail(path, NULL, NO_OFFSET, "cannot read: %s", strerror(errno))
                       : fail(path, "header", 0, "no safetensors header: the length of a JSON object, then the object");
    if (length > MOST_HEADER)
        return fail(path, "header", 0, "the header is larger than 16 MiB");
    memset(&r, 0, sizeof r);
    r.all = all;
    r.path = path;
    r.only = only;
    r.fd = fd;
    r.data = 8 + length;
    r.size = size - r.data;
    near_begin(&r.near, only != NULL ? only : "", only != NULL ? strlen(only) : 0);
    result = read_header(&r, length);
    if (result == TOOL_OK)
        result = check_cover(&r);
    if (result == TOOL_OK && r.note_bytes * (all->count - before) > MOST_NOTE_BYTES) {
        notice(path, "header", "__metadata__ is left out: as attributes of all datasets it is larger than 16 MiB");
        r.note_count = 0;
    }
    for (i = before; result == TOOL_OK && i < all->count; i++)
        result = put_notes(&r, &all->input[i]);
    free(r.extents);
    free(r.notes);
    if (result == TOOL_OK && all->count == before)
        return only != NULL
                   ? fail(path, "dataset", NO_OFFSET, "no array named \"%s\"%s", only, near_words(&r.near, words))
                   : fail(path, NULL, NO_OFFSET, "the file contains no tensors");
    return result;
}
