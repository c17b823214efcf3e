/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The module `utet` of MicroPython: README.md says how programs use it.
 *
 * Three rules keep MicroPython and the library apart.
 * 1. An exception of MicroPython is a long jump. No exception passes through a function of the library: `port_read`
 *    catches what a stream raises and keeps it; `settle` raises it when the library has returned.
 * 2. All memory is the garbage collector's. A File refers to its stream and its workspace, and a Dataset to its File.
 *    The objects of one call (slab, fold, metadata) are allocated before the library is called.
 * 3. A stream may run any Python code, also code that uses the same File. `busy` refuses such calls. A destination
 *    whose memory has moved meanwhile ends the call (`destination_moved`).
 */
#include <string.h>

#include "py/binary.h"
#include "py/builtin.h"
#include "py/objexcept.h"
#include "py/objtype.h"
#include "py/runtime.h"
#include "py/stream.h"

#include "utet.h"
#include "utet_fold.h"
#include "utet_meta.h"
#include "utet_show.h"

#define DEFAULT_RAM 8192
/* The largest request to a stream that is written in Python: each request allocates a bytearray. */
#define PYTHON_READ 512

typedef struct file_obj {
    mp_obj_base_t base;
    mp_obj_t source;             /* the stream, or the object whose memory is read; MP_OBJ_NULL: closed */
    const mp_stream_p_t *stream; /* NULL: the methods of the source are called by their names */
    mp_obj_t raised;             /* the exception of the stream in the current call, or MP_OBJ_NULL */
    mp_obj_t into;               /* the destination of the current call, or MP_OBJ_NULL */
    mp_buffer_info_t memory;     /* memory of the destination when the call began */
    bool busy;                   /* the library is working on this file */
    bool opened_here;            /* the source was opened from a path */
    utet_io io;
    utet_file file;
} file_obj;

typedef struct dataset_obj {
    mp_obj_base_t base;
    file_obj *file;
    mp_obj_t name;
    utet_dataset data;
    utet_range range[UTET_MAX_NDIM]; /* the selection; memory is allocated for ndim of them */
} dataset_obj;

/* ---- exceptions ---- */

static const mp_obj_type_t error_type;

/* The part of the file, or of the system, that a status is about. */
static const char *region_of(utet_status status)
{
    switch (status) {
    case UTET_E_MAGIC:
    case UTET_E_VERSION:
    case UTET_E_SUPERBLOCK: return "superblock";
    case UTET_E_DIRECTORY: return "directory";
    case UTET_E_DTYPE:
    case UTET_E_DATASET: return "dataset";
    case UTET_E_INDEX_VERSION:
    case UTET_E_INDEX: return "chunk index";
    case UTET_E_MISSING:
    case UTET_E_ROW: return "chunk row";
    case UTET_E_FOOTER_VERSION:
    case UTET_E_FOOTER: return "footer";
    case UTET_E_METADATA: return "metadata";
    case UTET_E_CODEC:
    case UTET_E_ZSTD_WINDOW:
    case UTET_E_ZSTD_DICT:
    case UTET_E_ZSTD_LEGACY:
    case UTET_E_PAYLOAD:
    case UTET_E_CHECKSUM: return "payload";
    case UTET_E_BUDGET:
    case UTET_E_SPACE: return "memory";
    default: return status <= UTET_E_SHORT ? "medium" : "call";
    }
}

static mp_obj_t text_obj(const char *text)
{
    return mp_obj_new_str(text, strlen(text));
}

/* The arguments of an Error, after its text: attributes of the exception. */
enum { ERROR_TEXT, ERROR_STATUS, ERROR_REGION, ERROR_OFFSET, ERROR_NEEDED, ERROR_PARTS };

static void raise_status(const file_obj *f, utet_status status, const char *text)
{
    mp_obj_t part[ERROR_PARTS];

    part[ERROR_TEXT] = text_obj(text != NULL ? text : utet_strerror(status));
    part[ERROR_STATUS] = mp_obj_new_int(status);
    part[ERROR_REGION] = text_obj(region_of(status));
    part[ERROR_OFFSET] = status <= UTET_E_SHORT ? mp_obj_new_int_from_ull(f->file.error_offset) : mp_const_none;
    part[ERROR_NEEDED] = status == UTET_E_BUDGET ? mp_obj_new_int_from_ull(f->file.needed) : mp_const_none;
    nlr_raise(mp_obj_new_exception_args(&error_type, ERROR_PARTS, part));
}

static void error_print(const mp_print_t *print, mp_obj_t self, mp_print_kind_t kind)
{
    const mp_obj_exception_t *const e = MP_OBJ_TO_PTR(self);
    const mp_print_kind_t k = kind & ~PRINT_EXC_SUBCLASS;

    if (e->args == NULL || e->args->len != ERROR_PARTS || (k != PRINT_STR && k != PRINT_EXC)) {
        mp_obj_exception_print(print, self, kind);
        return;
    }
    if (k == PRINT_EXC)
        mp_printf(print, "%s: ", (kind & PRINT_EXC_SUBCLASS) != 0 ? "" : "utet.Error");
    mp_obj_print_helper(print, e->args->items[ERROR_TEXT], PRINT_STR);
    if (e->args->items[ERROR_OFFSET] != mp_const_none) {
        mp_print_str(print, " (");
        mp_obj_print_helper(print, e->args->items[ERROR_REGION], PRINT_STR);
        mp_print_str(print, ", byte ");
        mp_obj_print_helper(print, e->args->items[ERROR_OFFSET], PRINT_STR);
        mp_print_str(print, ")");
    }
    if (e->args->items[ERROR_NEEDED] != mp_const_none) {
        mp_print_str(print, ": ram=");
        mp_obj_print_helper(print, e->args->items[ERROR_NEEDED], PRINT_STR);
        mp_print_str(print, " is enough");
    }
}

static void error_attr(mp_obj_t self, qstr attr, mp_obj_t *dest)
{
    static const qstr_short_t names[ERROR_PARTS] = {MP_QSTRnull, MP_QSTR_status, MP_QSTR_region, MP_QSTR_offset,
                                                    MP_QSTR_needed};
    const mp_obj_exception_t *const e = MP_OBJ_TO_PTR(self);

    for (size_t i = ERROR_STATUS; dest[0] == MP_OBJ_NULL && i < ERROR_PARTS; i++)
        if (attr == names[i]) {
            dest[0] = e->args != NULL && e->args->len == ERROR_PARTS ? e->args->items[i] : mp_const_none;
            return;
        }
    mp_obj_exception_attr(self, attr, dest);
}

static MP_DEFINE_CONST_OBJ_TYPE(error_type, MP_QSTR_Error, MP_TYPE_FLAG_NONE, make_new, mp_obj_exception_make_new,
                                print, error_print, attr, error_attr, parent, &mp_type_ValueError);

static void raise_os(int code)
{
    mp_raise_OSError(code != 0 ? code : MP_EIO);
}

/* ---- the port: reads from a stream. These functions raise; port_read catches. ---- */

static uint64_t position_of(const struct mp_stream_seek_t *to)
{
    return sizeof to->offset < sizeof(uint64_t) ? (uint64_t)(uint32_t)to->offset : (uint64_t)to->offset;
}

static uint64_t seek_to(const file_obj *f, uint64_t offset, int whence)
{
    mp_obj_t call[4];

    if (f->stream != NULL) {
        struct mp_stream_seek_t to = {.offset = (mp_off_t)offset, .whence = whence};
        int code = 0;

        if (f->stream->ioctl(f->source, MP_STREAM_SEEK, (uintptr_t)&to, &code) == MP_STREAM_ERROR)
            raise_os(code);
        return position_of(&to);
    }
    mp_load_method(f->source, MP_QSTR_seek, call);
    call[2] = mp_obj_new_int_from_ull(offset);
    call[3] = MP_OBJ_NEW_SMALL_INT(whence);
    const mp_int_t position = mp_obj_get_int(mp_call_method_n_kw(2, 0, call));
    if (position < 0)
        raise_status(f, UTET_E_PORT, "the stream returns a negative position");
    return (uint64_t)position;
}

/* Reads at the position of the stream. A stream that claims more than `size` bytes is refused. */
static size_t read_some(const file_obj *f, uint8_t *buf, size_t size)
{
    size_t got;

    if (f->stream != NULL) {
        int code = 0;

        got = f->stream->read(f->source, buf, size, &code);
        if (got == MP_STREAM_ERROR)
            raise_os(code);
        if (got > size)
            raise_status(f, UTET_E_PORT, "the stream read more than it was asked for");
    } else {
        /* The stream gets memory of its own, so it may keep or change that memory later. */
        const mp_obj_t own = mp_obj_new_bytearray(MIN(size, PYTHON_READ), buf);
        mp_buffer_info_t memory;
        mp_obj_t call[3];

        mp_load_method(f->source, MP_QSTR_readinto, call);
        call[2] = own;
        const mp_obj_t answer = mp_call_method_n_kw(1, 0, call);
        if (answer == mp_const_none)
            raise_os(MP_EAGAIN);
        const mp_int_t count = mp_obj_get_int(answer);
        if (count < 0)
            raise_os((int)-count);
        mp_get_buffer_raise(own, &memory, MP_BUFFER_READ);
        got = (size_t)count;
        if (got > MIN(size, PYTHON_READ) || got > memory.len)
            raise_status(f, UTET_E_PORT, "the stream read more than it was asked for");
        memcpy(buf, memory.buf, got);
    }
    return got;
}

static bool destination_moved(const file_obj *f)
{
    mp_buffer_info_t now;

    return f->into != MP_OBJ_NULL &&
           (!mp_get_buffer(f->into, &now, MP_BUFFER_WRITE) || now.buf != f->memory.buf || now.len != f->memory.len);
}

static utet_status port_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    file_obj *const f = ctx;
    nlr_buf_t nlr;

    if (nlr_push(&nlr) != 0) {
        f->raised = MP_OBJ_FROM_PTR(nlr.ret_val);
        return UTET_E_PORT;
    }
    mp_handle_pending(true); /* Ctrl-C ends a long call */
    /* A stream that has become shorter may stop before the offset: then the medium has ended. */
    if (seek_to(f, offset, MP_SEEK_SET) != offset)
        *got = 0;
    else if (!destination_moved(f))
        *got = read_some(f, buf, len);
    if (destination_moved(f))
        raise_status(f, UTET_E_PORT, "the destination was resized during the call");
    nlr_pop();
    return UTET_OK;
}

/* ---- calls of the library ---- */

static void enter(file_obj *f)
{
    if (f->source == MP_OBJ_NULL)
        raise_status(f, UTET_E_STATE, "the file is closed");
    if (f->busy)
        raise_status(f, UTET_E_STATE, "the file is in use: by another thread, or its stream calls it");
    f->busy = true;
}

static utet_status leave(file_obj *f, utet_status status)
{
    f->busy = false;
    return status;
}

/* Makes one call of the library; its value is the status. */
#define CALL(f, call) (enter(f), leave(f, (call)))

/* Raises the exception for a status; UTET_OK and UTET_END raise none. */
static void settle(file_obj *f, utet_status status)
{
    const mp_obj_t raised = f->raised;

    f->raised = MP_OBJ_NULL;
    if (status <= UTET_E_PORT && raised != MP_OBJ_NULL)
        nlr_raise(raised);
    if (UTET_IS_ERROR(status))
        raise_status(f, status, status == UTET_E_BUDGET ? "the workspace is too small" : NULL);
}

/* ---- File ---- */

static const mp_obj_type_t file_type, dataset_type;

static bool has_method(mp_obj_t source, qstr name)
{
    mp_obj_t method[2];

    mp_load_method_maybe(source, name, method);
    return method[0] != MP_OBJ_NULL;
}

static mp_obj_t file_close(mp_obj_t self)
{
    file_obj *const f = MP_OBJ_TO_PTR(self);
    const mp_obj_t source = f->source;

    if (f->busy)
        enter(f); /* raises */
    f->source = MP_OBJ_NULL;
    memset(&f->file, 0, sizeof f->file); /* the workspace is free for the garbage collector */
    memset(&f->io, 0, sizeof f->io);
    if (source != MP_OBJ_NULL && f->opened_here)
        mp_stream_close(source);
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(file_close_obj, file_close);

static mp_obj_t file_exit(size_t count, const mp_obj_t *args)
{
    (void)count;
    return file_close(args[0]);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(file_exit_obj, 4, 4, file_exit);

/* utet.open(source, ram=8192): source is a path, a stream, or an object with read-only memory. */
static mp_obj_t utet_open_file(size_t count, const mp_obj_t *positional, mp_map_t *named)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    enum { SOURCE, RAM };
    static const mp_arg_t allowed[] = {
        {MP_QSTR_source, MP_ARG_REQUIRED | MP_ARG_OBJ, {.u_rom_obj = MP_ROM_NONE}},
        {MP_QSTR_ram, MP_ARG_INT, {.u_int = DEFAULT_RAM}},
    };
    mp_arg_val_t arg[MP_ARRAY_SIZE(allowed)];
    mp_buffer_info_t memory, written;
    file_obj *f;
    uint8_t *work;
    utet_status status;

    mp_arg_parse_all(count, positional, named, MP_ARRAY_SIZE(allowed), allowed, arg);
    if (arg[RAM].u_int < 0)
        mp_raise_ValueError(MP_ERROR_TEXT("ram is negative"));
    f = mp_obj_malloc(file_obj, &file_type);
    memset((uint8_t *)f + sizeof f->base, 0, sizeof *f - sizeof f->base);
    f->source = arg[SOURCE].u_obj;
    f->raised = f->into = MP_OBJ_NULL;
    f->io.ctx = f;
    f->io.unit = f->io.align = 1;
    if (mp_obj_is_str(f->source)) {
        const mp_obj_t open = mp_load_attr(MP_OBJ_FROM_PTR(&mp_module_builtins), MP_QSTR_open);

        f->source = mp_call_function_2(open, f->source, MP_OBJ_NEW_QSTR(MP_QSTR_rb));
        f->opened_here = true;
    }
    if (mp_get_buffer(f->source, &memory, MP_BUFFER_READ)) {
        if (mp_get_buffer(f->source, &written, MP_BUFFER_WRITE))
            mp_raise_TypeError(MP_ERROR_TEXT("memory that may change: use bytes or io.BytesIO"));
        f->io.map = memory.buf;
        f->io.size = memory.len;
    } else {
        if (!has_method(f->source, MP_QSTR_seek) || !has_method(f->source, MP_QSTR_readinto))
            mp_raise_TypeError(MP_ERROR_TEXT("source needs the methods seek and readinto"));
        if (!mp_obj_is_instance_type(mp_obj_get_type(f->source))) {
            uint8_t none;

            f->stream = mp_get_stream_raise(f->source, MP_STREAM_OP_READ | MP_STREAM_OP_IOCTL);
            read_some(f, &none, 0); /* a closed io.BytesIO refuses to read, but would crash when asked for its end */
        }
        f->io.size = seek_to(f, 0, MP_SEEK_END);
        f->io.read = port_read;
    }
    work = m_new(uint8_t, (size_t)arg[RAM].u_int);
    status = utet_init(&f->file, &f->io, work, (size_t)arg[RAM].u_int, codecs);
    if (status == UTET_OK)
        status = CALL(f, utet_open(&f->file, NULL));
    if (status != UTET_OK && f->opened_here)
        mp_stream_close(f->source);
    settle(f, status);
    return MP_OBJ_FROM_PTR(f);
}
static MP_DEFINE_CONST_FUN_OBJ_KW(utet_open_obj, 1, utet_open_file);

static mp_obj_t name_of(file_obj *f, const utet_dataset *data)
{
    vstr_t name;

    vstr_init_len(&name, data->name_length);
    settle(f, CALL(f, utet_dataset_name(&f->file, data, 0, name.buf, name.len)));
    return mp_obj_new_str_from_vstr(&name);
}

/* f.datasets(): the names, in the order of the file. */
static mp_obj_t file_datasets(mp_obj_t self)
{
    file_obj *const f = MP_OBJ_TO_PTR(self);
    const mp_obj_t list = mp_obj_new_list(0, NULL);
    utet_dataset data;
    utet_status status = CALL(f, utet_dataset_first(&f->file, &data));

    while (status == UTET_OK) {
        mp_obj_list_append(list, name_of(f, &data));
        status = CALL(f, utet_dataset_next(&f->file, &data));
    }
    settle(f, status);
    return list;
}
static MP_DEFINE_CONST_FUN_OBJ_1(file_datasets_obj, file_datasets);

static dataset_obj *new_dataset(file_obj *f, const utet_dataset *data, mp_obj_t name)
{
    dataset_obj *const d = m_malloc(offsetof(dataset_obj, range) + data->ndim * sizeof(utet_range));

    d->base.type = &dataset_type;
    d->file = f;
    d->name = name;
    d->data = *data;
    return d;
}

/* f["name"]: the whole dataset as a selection. */
static mp_obj_t file_subscr(mp_obj_t self, mp_obj_t index, mp_obj_t value)
{
    file_obj *const f = MP_OBJ_TO_PTR(self);
    utet_dataset data;
    dataset_obj *d;
    size_t length;

    if (value != MP_OBJ_SENTINEL)
        return MP_OBJ_NULL; /* not supported */
    const char *const name = mp_obj_str_get_data(index, &length);
    const utet_status status = CALL(f, utet_dataset_find(&f->file, name, length, &data));
    if (status == UTET_E_NOT_FOUND)
        mp_raise_type_arg(&mp_type_KeyError, index);
    settle(f, status);
    d = new_dataset(f, &data, index);
    for (size_t i = 0; i < data.ndim; i++)
        d->range[i] = (utet_range){0, data.shape[i], 1};
    return MP_OBJ_FROM_PTR(d);
}

static const mp_rom_map_elem_t file_locals_table[] = {
    {MP_ROM_QSTR(MP_QSTR_datasets), MP_ROM_PTR(&file_datasets_obj)},
    {MP_ROM_QSTR(MP_QSTR_close), MP_ROM_PTR(&file_close_obj)},
    {MP_ROM_QSTR(MP_QSTR___enter__), MP_ROM_PTR(&mp_identity_obj)},
    {MP_ROM_QSTR(MP_QSTR___exit__), MP_ROM_PTR(&file_exit_obj)},
};
static MP_DEFINE_CONST_DICT(file_locals, file_locals_table);

static MP_DEFINE_CONST_OBJ_TYPE(file_type, MP_QSTR_File, MP_TYPE_FLAG_NONE, subscr, file_subscr, locals_dict,
                                &file_locals);

/* ---- Dataset: a selection of a dataset ---- */

static uint64_t count_of(const utet_range *range)
{
    return range->stop == range->start ? 0 : (range->stop - range->start - 1) / range->step + 1;
}

/* Narrows one axis of a selection by an index or a slice. An index keeps its axis, with one element. */
static void narrow(const file_obj *f, utet_range *range, mp_obj_t index)
{
    const uint64_t count = count_of(range);
    mp_bound_slice_t slice;

    if (count > MP_SSIZE_MAX)
        raise_status(f, UTET_E_LIMIT, "the axis is too long for an index of this machine");
    if (mp_obj_is_type(index, &mp_type_slice)) {
        mp_obj_slice_indices(index, (mp_int_t)count, &slice);
        if (slice.step < 0)
            mp_raise_ValueError(MP_ERROR_TEXT("slice step is negative"));
        if (count == 0)
            return;
        if ((mp_int_t)slice.start >= (mp_int_t)slice.stop)
            mp_raise_ValueError(MP_ERROR_TEXT("slice is empty"));
    } else {
        slice.start = mp_get_index(&dataset_type, (size_t)count, index, false);
        slice.stop = slice.start + 1;
        slice.step = 1;
    }
    if ((uint64_t)slice.step >= count) { /* one element: the product of the steps might not fit */
        slice.stop = slice.start + 1;
        slice.step = 1;
    }
    range->stop = range->start + (uint64_t)(slice.stop - 1) * range->step + 1;
    range->start += (uint64_t)slice.start * range->step;
    range->step *= (uint64_t)slice.step;
}

/* d[i, a:b:c]: the axes that are not named remain as they are. */
static mp_obj_t dataset_subscr(mp_obj_t self, mp_obj_t index, mp_obj_t value)
{
    const dataset_obj *const from = MP_OBJ_TO_PTR(self);
    dataset_obj *d;
    size_t count = 1;
    mp_obj_t *each = &index;

    if (value != MP_OBJ_SENTINEL)
        return MP_OBJ_NULL; /* not supported */
    if (mp_obj_is_type(index, &mp_type_tuple))
        mp_obj_tuple_get(index, &count, &each);
    if (count > from->data.ndim)
        mp_raise_type_arg(&mp_type_IndexError, text_obj("more indices than axes"));
    d = new_dataset(from->file, &from->data, from->name);
    memcpy(d->range, from->range, from->data.ndim * sizeof d->range[0]);
    for (size_t i = 0; i < count; i++)
        narrow(d->file, &d->range[i], each[i]);
    return MP_OBJ_FROM_PTR(d);
}

/* The code of an array with elements of this dtype; 0: the dtype is unknown. */
static char typecode_of(uint32_t dtype)
{
    static const char codes[UTET_DTYPE_END] = {
        [UTET_F32] = 'f', [UTET_F64] = 'd', [UTET_I32] = 'i', [UTET_I64] = 'q', [UTET_U8] = 'B',
        [UTET_U16] = 'H', [UTET_I16] = 'h', [UTET_U32] = 'I', [UTET_F16] = 'e', [UTET_U64] = 'Q'};

    return dtype < UTET_DTYPE_END ? codes[dtype] : 0;
}

static mp_obj_t typecode_obj(uint32_t dtype)
{
    const char code = typecode_of(dtype);

    return code != 0 ? mp_obj_new_str(&code, 1) : mp_const_none;
}

/* Returns true if an array with elements of `code` holds elements of this dtype. */
static bool code_fits(char code, const utet_dataset *data)
{
    const bool is_float = strchr("efd", code) != NULL, is_unsigned = code >= 'A' && code <= 'Z';

    return strchr("bBhHiIlLqQefd", code) != NULL && mp_binary_get_size('@', code, NULL) == data->elem_size &&
           (is_float      ? UTET_IS_FLOAT(data->dtype)
            : is_unsigned ? UTET_IS_UNSIGNED(data->dtype)
                          : UTET_IS_SIGNED(data->dtype)) != 0;
}

static mp_obj_t tuple_of(const dataset_obj *d, bool chunks)
{
    mp_obj_tuple_t *const tuple = MP_OBJ_TO_PTR(mp_obj_new_tuple(d->data.ndim, NULL));

    for (size_t i = 0; i < d->data.ndim; i++)
        tuple->items[i] = mp_obj_new_int_from_ull(chunks ? d->data.chunk_shape[i] : count_of(&d->range[i]));
    return MP_OBJ_FROM_PTR(tuple);
}

static void dataset_attr(mp_obj_t self, qstr attr, mp_obj_t *dest)
{
    const dataset_obj *const d = MP_OBJ_TO_PTR(self);

    if (dest[0] != MP_OBJ_NULL)
        return;
    if (attr == MP_QSTR_name)
        dest[0] = d->name;
    else if (attr == MP_QSTR_dtype)
        dest[0] = text_obj(utet_show_dtype(d->data.dtype));
    else if (attr == MP_QSTR_typecode)
        dest[0] = typecode_obj(d->data.dtype);
    else if (attr == MP_QSTR_shape)
        dest[0] = tuple_of(d, false);
    else if (attr == MP_QSTR_chunks)
        dest[0] = tuple_of(d, true);
    else
        dest[1] = MP_OBJ_SENTINEL; /* look in the methods */
}

/* d.readinto(buffer): reads the selection in row-major order and returns the number of elements. */
static mp_obj_t dataset_readinto(mp_obj_t self, mp_obj_t buffer)
{
    const dataset_obj *const d = MP_OBJ_TO_PTR(self);
    file_obj *const f = d->file;
    mp_buffer_info_t memory;
    utet_status status;

    mp_get_buffer_raise(buffer, &memory, MP_BUFFER_WRITE);
    const bool as_bytes = memory.typecode == BYTEARRAY_TYPECODE || memory.typecode == 'B';
    if (!as_bytes && !code_fits((char)memory.typecode, &d->data))
        mp_raise_msg_varg(&mp_type_TypeError, MP_ERROR_TEXT("array '%c' for %s: use a bytearray or array('%c')"),
                          memory.typecode, utet_show_dtype(d->data.dtype), typecode_of(d->data.dtype));
    utet_slab *const slab = m_new_obj(utet_slab);
    status = CALL(f, (f->into = buffer, f->memory = memory, utet_slab_open(slab, &f->file, &d->data, d->range)));
    if (status == UTET_OK)
        status = CALL(f, utet_slab_read_all(slab, memory.buf, memory.len));
    f->into = MP_OBJ_NULL;
    const uint64_t count = slab->count;
    m_del_obj(utet_slab, slab);
    settle(f, status);
    if (!as_bytes)
        utet_to_native(memory.buf, (size_t)count, d->data.elem_size);
    return mp_obj_new_int_from_ull(count);
}
static MP_DEFINE_CONST_FUN_OBJ_2(dataset_readinto_obj, dataset_readinto);

/* ---- folds ---- */

typedef struct operation {
    qstr_short_t name;
    bool whole; /* the result is an integer */
    const utet_fold_operation *fold;
} operation;

static const operation operations[] = {
    {MP_QSTR_sum, false, &utet_fold_sum},
    {MP_QSTR_mean, false, &utet_fold_mean},
    {MP_QSTR_var, false, &utet_fold_var},
    {MP_QSTR_std, false, &utet_fold_std},
    {MP_QSTR_nan_mean, false, &utet_fold_nan_mean},
    {MP_QSTR_nan_std, false, &utet_fold_nan_std},
    {MP_QSTR_norm_l1, false, &utet_fold_norm_l1},
    {MP_QSTR_norm_l2, false, &utet_fold_norm_l2},
    {MP_QSTR_min, false, &utet_fold_min},
    {MP_QSTR_max, false, &utet_fold_max},
    {MP_QSTR_median, false, &utet_fold_median},
    {MP_QSTR_product, false, &utet_fold_product},
    {MP_QSTR_arg_min, true, &utet_fold_arg_min},
    {MP_QSTR_arg_max, true, &utet_fold_arg_max},
    {MP_QSTR_count, true, &utet_fold_count},
    {MP_QSTR_nan_count, true, &utet_fold_nan_count},
    {MP_QSTR_inf_count, true, &utet_fold_inf_count},
};

static const operation *operation_of(mp_obj_t name)
{
    const qstr wanted = mp_obj_str_get_qstr(name);

    for (size_t i = 0; i < MP_ARRAY_SIZE(operations); i++)
        if (operations[i].name == wanted)
            return &operations[i];
    mp_raise_msg_varg(&mp_type_ValueError, MP_ERROR_TEXT("no reduction '%q'"), wanted);
}

static uint32_t axes_of(const dataset_obj *d, mp_obj_t axes)
{
    size_t count = 1;
    mp_obj_t *each = &axes;
    uint32_t bits = 0;

    if (mp_obj_is_type(axes, &mp_type_tuple) || mp_obj_is_type(axes, &mp_type_list))
        mp_obj_get_array(axes, &count, &each);
    for (size_t i = 0; i < count; i++)
        bits |= 1u << mp_get_index(&dataset_type, d->data.ndim, each[i], false);
    return bits;
}

static mp_obj_t result_obj(const operation *op, double value)
{
    return op->whole ? mp_obj_new_int_from_ll((long long)value) : mp_obj_new_float((mp_float_t)value);
}

/* d.fold("mean", axes=None): one number, or a list of them, row-major over the axes that remain. */
static mp_obj_t dataset_fold(size_t count, const mp_obj_t *args)
{
    const dataset_obj *const d = MP_OBJ_TO_PTR(args[0]);
    file_obj *const f = d->file;
    const bool all = count < 3 || args[2] == mp_const_none;
    const operation *const op = operation_of(args[1]);
    utet_fold_request *const request = m_new0(utet_fold_request, 1);
    utet_fold *const fold = m_new_obj(utet_fold);
    utet_status status;

    request->dataset = &d->data;
    request->ranges = d->range;
    request->operation = op->fold;
    request->axes = all ? UTET_FOLD_ALL : axes_of(d, args[2]);
    status = CALL(f, utet_fold_open(fold, &f->file, request));
    settle(f, status);
    const uint64_t results = fold->results;
    if (results > SIZE_MAX / sizeof(double))
        raise_status(f, UTET_E_SPACE, NULL);
    double *const result = m_new(double, (size_t)results);
    settle(f, CALL(f, utet_fold_run(fold, result, (size_t)results)));
    m_del_obj(utet_fold, fold);
    m_del_obj(utet_fold_request, request);
    if (all && results == 1)
        return result_obj(op, result[0]);
    const mp_obj_t list = mp_obj_new_list((size_t)results, NULL);
    for (size_t i = 0; i < (size_t)results; i++)
        mp_obj_list_store(list, MP_OBJ_NEW_SMALL_INT(i), result_obj(op, result[i]));
    return list;
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(dataset_fold_obj, 2, 3, dataset_fold);

/* ---- metadata: it is read from the file anew by each call, so that it takes no memory between calls ---- */

typedef struct metadata {
    utet_meta all;
    utet_dataset_meta own;
    utet_value key, item;
} metadata;

static metadata *metadata_of(const dataset_obj *d)
{
    metadata *const m = m_new_obj(metadata);
    utet_status status;

    settle(d->file, CALL(d->file, utet_meta_open(&m->all, &d->file->file)));
    status = CALL(d->file, utet_meta_dataset(&m->all, &d->data, &m->own));
    settle(d->file, status == UTET_E_NOT_FOUND ? UTET_OK : status);
    return m;
}

static mp_obj_t value_text(const dataset_obj *d, metadata *m, utet_value *value)
{
    size_t got = 0;
    vstr_t text;

    vstr_init_len(&text, value->kind == UTET_VALUE_TEXT ? value->size : 0);
    settle(d->file, CALL(d->file, utet_text_read(&m->all, value, text.buf, text.len, &got)));
    text.len = got;
    return mp_obj_new_str_from_vstr(&text);
}

/* The texts of a list, or of a map with their keys. */
static mp_obj_t texts_of(const dataset_obj *d, metadata *m, utet_value *list, bool is_map)
{
    const mp_obj_t texts = is_map ? mp_obj_new_dict(0) : mp_obj_new_list(0, NULL);
    utet_status status;

    while ((status = CALL(d->file, utet_value_next(&m->all, list, &m->key, &m->item))) == UTET_OK) {
        /* Reading a key moves the window, not the values: they are positions in the file. */
        if (is_map) {
            const mp_obj_t key = value_text(d, m, &m->key);

            mp_obj_dict_store(texts, key, value_text(d, m, &m->item));
        } else {
            mp_obj_list_append(texts, value_text(d, m, &m->item));
        }
    }
    settle(d->file, status);
    return texts;
}

/* d.info(): all that the file says of the dataset, but for labels, as a dict. */
static mp_obj_t dataset_info(mp_obj_t self)
{
    const dataset_obj *const d = MP_OBJ_TO_PTR(self);
    const mp_obj_t info = mp_obj_new_dict(7);
    metadata *const m = metadata_of(d);

    mp_obj_dict_store(info, MP_OBJ_NEW_QSTR(MP_QSTR_name), d->name);
    mp_obj_dict_store(info, MP_OBJ_NEW_QSTR(MP_QSTR_dtype), text_obj(utet_show_dtype(d->data.dtype)));
    mp_obj_dict_store(info, MP_OBJ_NEW_QSTR(MP_QSTR_typecode), typecode_obj(d->data.dtype));
    mp_obj_dict_store(info, MP_OBJ_NEW_QSTR(MP_QSTR_shape), tuple_of(d, false));
    mp_obj_dict_store(info, MP_OBJ_NEW_QSTR(MP_QSTR_chunks), tuple_of(d, true));
    mp_obj_dict_store(info, MP_OBJ_NEW_QSTR(MP_QSTR_dims), texts_of(d, m, &m->own.dim_names, false));
    mp_obj_dict_store(info, MP_OBJ_NEW_QSTR(MP_QSTR_attrs), texts_of(d, m, &m->own.attrs, true));
    m_del_obj(metadata, m);
    return info;
}
static MP_DEFINE_CONST_FUN_OBJ_1(dataset_info_obj, dataset_info);

/* The labels of an axis, which is a number or a name; a KeyError without them. */
static metadata *labels_of(const dataset_obj *d, mp_obj_t axis, utet_value *labels)
{
    metadata *const m = metadata_of(d);
    utet_status status = UTET_OK;
    unsigned number;
    size_t length;

    if (mp_obj_is_str(axis)) {
        const char *const name = mp_obj_str_get_data(axis, &length);

        status = CALL(d->file, utet_meta_axis(&m->all, &m->own, name, length, &number));
    } else {
        number = (unsigned)mp_get_index(&dataset_type, d->data.ndim, axis, false);
    }
    if (status == UTET_OK)
        status = CALL(d->file, utet_meta_labels(&m->all, &m->own, number, labels));
    if (status == UTET_E_NOT_FOUND || status == UTET_E_RANGE)
        mp_raise_type_arg(&mp_type_KeyError, axis);
    settle(d->file, status);
    return m;
}

/* d.labels(axis): the labels of the whole axis, as texts. */
static mp_obj_t dataset_labels(mp_obj_t self, mp_obj_t axis)
{
    const dataset_obj *const d = MP_OBJ_TO_PTR(self);
    utet_value labels;
    metadata *const m = labels_of(d, axis, &labels);
    const mp_obj_t list = texts_of(d, m, &labels, false);

    m_del_obj(metadata, m);
    return list;
}
static MP_DEFINE_CONST_FUN_OBJ_2(dataset_labels_obj, dataset_labels);

/* d.index(axis, label): the first index of the whole axis with this label, without memory for the labels. */
static mp_obj_t dataset_index(mp_obj_t self, mp_obj_t axis, mp_obj_t label)
{
    const dataset_obj *const d = MP_OBJ_TO_PTR(self);
    uint64_t index;
    utet_value labels;
    size_t length;
    const char *const text = mp_obj_str_get_data(label, &length);
    metadata *const m = labels_of(d, axis, &labels);
    const utet_status status = CALL(d->file, utet_list_find(&m->all, &labels, text, length, &index));

    m_del_obj(metadata, m);
    if (status == UTET_E_NOT_FOUND)
        mp_raise_type_arg(&mp_type_KeyError, label);
    settle(d->file, status);
    return mp_obj_new_int_from_ull(index);
}
static MP_DEFINE_CONST_FUN_OBJ_3(dataset_index_obj, dataset_index);

static const mp_rom_map_elem_t dataset_locals_table[] = {
    {MP_ROM_QSTR(MP_QSTR_info), MP_ROM_PTR(&dataset_info_obj)},
    {MP_ROM_QSTR(MP_QSTR_labels), MP_ROM_PTR(&dataset_labels_obj)},
    {MP_ROM_QSTR(MP_QSTR_index), MP_ROM_PTR(&dataset_index_obj)},
    {MP_ROM_QSTR(MP_QSTR_readinto), MP_ROM_PTR(&dataset_readinto_obj)},
    {MP_ROM_QSTR(MP_QSTR_fold), MP_ROM_PTR(&dataset_fold_obj)},
};
static MP_DEFINE_CONST_DICT(dataset_locals, dataset_locals_table);

static MP_DEFINE_CONST_OBJ_TYPE(dataset_type, MP_QSTR_Dataset, MP_TYPE_FLAG_NONE, attr, dataset_attr, subscr,
                                dataset_subscr, locals_dict, &dataset_locals);

/* ---- the module ---- */

static const mp_rom_map_elem_t module_table[] = {
    {MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_utet)},
    {MP_ROM_QSTR(MP_QSTR_open), MP_ROM_PTR(&utet_open_obj)},
    {MP_ROM_QSTR(MP_QSTR_File), MP_ROM_PTR(&file_type)},
    {MP_ROM_QSTR(MP_QSTR_Dataset), MP_ROM_PTR(&dataset_type)},
    {MP_ROM_QSTR(MP_QSTR_Error), MP_ROM_PTR(&error_type)},
};
static MP_DEFINE_CONST_DICT(module_dict, module_table);

const mp_obj_module_t utet_module = {
    .base = {&mp_type_module},
    .globals = (mp_obj_dict_t *)&module_dict,
};
MP_REGISTER_MODULE(MP_QSTR_utet, utet_module);
