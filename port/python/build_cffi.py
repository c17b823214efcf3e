# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The extension microtet._core: the part of the C headers that the package calls. The compiler fills in each "..."."""

import os

from cffi import FFI

ffi = FFI()
ffi.cdef("""
typedef int utet_status;
#define UTET_OK 0
#define UTET_END 1
#define UTET_E_PORT ...

typedef struct { uint64_t least, best; } utet_need;
typedef struct { void *ctx; utet_status (*read)(void *, uint64_t, void *, size_t, size_t *);
                 const uint8_t *map; uint64_t size; uint16_t unit, align; ...; } utet_io;
typedef struct { utet_io io; int error; ...; } utet_posix;
utet_status utet_posix_open(utet_posix *port, const char *path);
void utet_posix_close(utet_posix *port);

typedef ... utet_codec;
typedef struct { size_t budget, high_water; uint64_t error_offset, row_count, needed;
                 uint32_t dataset_count, memory_budget_bytes; ...; } utet_file;
typedef struct { size_t budget, ram_bytes; } utet_options;
utet_status utet_init(utet_file *file, const utet_io *io, void *work, size_t length, const utet_codec *const *codecs);
utet_status utet_open(utet_file *file, const utet_options *options);

typedef struct { uint8_t elem_size, ndim; uint32_t id, dtype, name_length; uint64_t shape[8], chunk_shape[8];
                 ...; } utet_dataset;
utet_status utet_dataset_first(utet_file *file, utet_dataset *dataset);
utet_status utet_dataset_next(utet_file *file, utet_dataset *dataset);
utet_status utet_dataset_name(utet_file *file, const utet_dataset *dataset, uint32_t from, char *to, size_t size);

typedef struct { ...; } utet_rows;
utet_status utet_rows_init(utet_rows *rows, utet_file *file, const utet_dataset *dataset, uint32_t *memory, size_t count);
typedef struct { uint64_t start, stop, step; } utet_range;
typedef struct { uint64_t count; utet_need need; ...; } utet_slab;
utet_status utet_slab_need(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges);
utet_status utet_slab_open(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges);
utet_status utet_slab_read_all(utet_slab *slab, void *buffer, size_t size);

#define UTET_VALUE_LIST ...
#define UTET_VALUE_MAP ...
#define UTET_VALUE_TEXT ...
#define UTET_VALUE_NUMBER ...
#define UTET_VALUE_BOOLEAN ...
typedef struct { uint64_t value; uint32_t size; uint8_t kind; ...; } utet_value;
typedef struct { utet_value field[8]; } utet_event;
typedef struct { utet_value attrs, dim_names, coords, fill; ...; } utet_dataset_meta;
typedef struct { utet_value history, file_info, datasets; ...; } utet_meta;
utet_status utet_meta_open(utet_meta *meta, utet_file *file);
utet_status utet_meta_strict(utet_meta *meta);
utet_status utet_text_read(utet_meta *meta, utet_value *text, char *buffer, size_t size, size_t *got);
utet_status utet_value_next(utet_meta *meta, utet_value *list, utet_value *key, utet_value *item);
utet_status utet_event_next(utet_meta *meta, utet_value *history, utet_event *event);
utet_status utet_meta_dataset(utet_meta *meta, const utet_dataset *dataset, utet_dataset_meta *about);
utet_status utet_meta_labels(utet_meta *meta, const utet_dataset_meta *about, unsigned axis, utet_value *labels);

typedef ... utet_fold_operation;
typedef struct { const utet_dataset *dataset; const utet_range *ranges; const utet_fold_operation *operation;
                 const utet_fold_operation *const *operations; uint32_t axes; uint8_t has_fill; double fill; double q; uint16_t bins; uint8_t has_range;
                 double low, high; int16_t fill_rest; ...; } utet_fold_request;
typedef struct { uint32_t tests; double eq, ne, lt, le, gt, ge; int16_t rest[6]; } utet_fold_filter;
typedef struct { utet_need need; uint64_t results, folded; ...; } utet_fold;
utet_status utet_fold_need(utet_fold *fold, utet_file *file, const utet_fold_request *request);
utet_status utet_fold_open(utet_fold *fold, utet_file *file, const utet_fold_request *request);
utet_status utet_fold_where(utet_fold *fold, const utet_fold_filter *filter);
utet_status utet_fold_run(utet_fold *fold, double *results, size_t size);

typedef struct { ...; } utet_physical;
utet_status utet_physical_begin(utet_physical *physical, uint32_t dtype);
utet_status utet_physical_attribute(utet_physical *physical, const char *key, size_t key_length, const char *text,
                                    size_t length);

const char *utet_strerror(utet_status status);
const char *utet_version_text(void);

size_t microtet_least_work(unsigned unit);
const utet_codec *const *microtet_codecs(void);
const utet_fold_operation *microtet_operation(const char *name);
void microtet_physical(const utet_physical *physical, const void *elements, size_t size, size_t count, void *values);
extern "Python" utet_status microtet_read(void *ctx, uint64_t offset, void *to, size_t size, size_t *got);
utet_status (*microtet_reader(void))(void *, uint64_t, void *, size_t, size_t *);
""")

ffi.set_source(
    "microtet._core",
    r"""
#include "utet_fold.h"
#include "utet_meta.h"
#include "utet_posix.h"
#include "utet_show.h"
#include <string.h>

static size_t microtet_least_work(unsigned unit) { return UTET_WINDOW_BEST(unit); }

static const utet_codec *const *microtet_codecs(void)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    return codecs;
}

static const utet_fold_operation *microtet_operation(const char *name)
{
    static const struct { const char *name; const utet_fold_operation *operation; } all[] = {
        {"sum", &utet_fold_sum}, {"mean", &utet_fold_mean}, {"norm_l1", &utet_fold_norm_l1},
        {"norm_l2", &utet_fold_norm_l2}, {"var", &utet_fold_var}, {"std", &utet_fold_std},
        {"nan_mean", &utet_fold_nan_mean}, {"nan_std", &utet_fold_nan_std}, {"min", &utet_fold_min},
        {"max", &utet_fold_max}, {"arg_min", &utet_fold_arg_min}, {"arg_max", &utet_fold_arg_max},
        {"count", &utet_fold_count}, {"nan_count", &utet_fold_nan_count}, {"inf_count", &utet_fold_inf_count},
        {"null_count", &utet_fold_null_count}, {"all_finite", &utet_fold_all_finite},
        {"any_nan", &utet_fold_any_nan}, {"any_inf", &utet_fold_any_inf}, {"product", &utet_fold_product},
        {"median", &utet_fold_median}, {"quantile", &utet_fold_quantile}, {"histogram", &utet_fold_histogram},
        {"several", &utet_fold_several}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].operation;
    return NULL;
}

/* Elements of `size` bytes to f64; utet_physical_begin has accepted their dtype. */
static void microtet_physical(const utet_physical *physical, const void *elements, size_t size, size_t count, void *values)
{
    for (size_t i = 0; i < count; i++)
        (void)utet_physical_f64(physical, (const char *)elements + i * size, (char *)values + i * 8);
}

static utet_status microtet_read(void *, uint64_t, void *, size_t, size_t *);
static utet_status (*microtet_reader(void))(void *, uint64_t, void *, size_t, size_t *) { return microtet_read; }
""",
    include_dirs=["include", "port/posix"],
    sources=["port/posix/utet_posix.c"],
    define_macros=[("_FILE_OFFSET_BITS", "64")],
    extra_compile_args=["-g0"],  # no debug information: it has names of temporary folders, so no two wheels would be equal
    extra_objects=[os.path.join("build", "make", "libutet.a")],
    extra_link_args=["-Wl,--exclude-libs,ALL"] if os.uname().sysname == "Linux" else [],
    py_limited_api=True,
)
