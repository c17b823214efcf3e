/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of tensors in Tensogram messages: decodes a payload to values, in slices of any size
 * (src/tensogram/FORMAT.md §4): compression, the filter shuffle, simple_packing, byte order and masks. Compressions are
 * codecs: only those in the list passed to utet_init are linked; a tensor that needs another one gives UTET_E_CODEC:
 *
 *     static const utet_codec *const codecs[] = {&utet_codec_zstd_small, &utet_codec_szip, &utet_codec_lz4,
 *                                                &utet_codec_rle, &utet_codec_roaring, NULL};
 *
 * (lz4: utet_lz4.h). Masks need the codec of their method; masks with the method none do not need a codec.
 *
 * Memory, after the window: the memory of the codec; in addition, with masks that are compressed by zstd or lz4, one
 * bit for each element and mask; and with shuffle and a compression, all decompressed bytes, because shuffle spreads an
 * element over all of them.
 */
#ifndef UTET_TENSOGRAM_DATA_H
#define UTET_TENSOGRAM_DATA_H

#include "utet_codec.h"
#include "utet_szip.h"
#include "utet_tensogram.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

#define UTET_CODEC_SZIP 16 /* id of the codec; rows of .tet files do not use it */

/* szip as a codec of streams. To link it, put &utet_codec_szip into the list passed to utet_init. A codec is a
 * constant, and szip needs its parameters: the stream's priv.codec points to a structure of this type, which starts
 * with a copy of the codec. */
typedef struct utet_szip_codec {
    utet_codec codec; /* copy of utet_codec_szip */
    utet_szip_params params;
} utet_szip_codec;

extern const utet_codec utet_codec_szip;

/* Codecs for masks and for tensors of bits (dtype bitmask), and their ids. To link one, put its address (for example
 * &utet_codec_rle) into the list passed to utet_init. */
#define UTET_CODEC_RLE 18
#define UTET_CODEC_ROARING 19
#define utet_codec_rle utet_codec_bits_rle.codec
#define utet_codec_roaring utet_codec_bits_roaring.codec

struct utet_bit_runs;
typedef struct utet_bits_codec {
    utet_codec codec;
    utet_status (*take)(struct utet_bit_runs *runs, const uint8_t *at); /* private: takes the next fragment of a mask */
    utet_status (*skip)(utet_stream *stream, uint64_t size);            /* private: skips `size` bytes, run by run */
} utet_bits_codec;

extern const utet_bits_codec utet_codec_bits_rle;
extern const utet_bits_codec utet_codec_bits_roaring;

/* Private: the runs of ones in a bitmask, in ascending order. */
typedef struct utet_bit_runs {
    uint64_t start; /* the run: bits [start, end); both UINT64_MAX after the last run */
    uint64_t end;
    struct {
        uint64_t bits;                /* total number of bits */
        uint64_t bit;                 /* rle: first bit of the current run */
        uint64_t offset;              /* file offset of the data */
        uint64_t length;              /* length of the data, in bytes */
        uint64_t position;            /* position of the next fragment in the data */
        uint64_t number;              /* rle: length of the current run; roaring: position of the container's values */
        const uint8_t *map;           /* the data, if it is in memory; or NULL */
        uint32_t containers;          /* roaring: number of containers still to come */
        uint32_t described;           /* roaring: position of the next container's description */
        uint32_t index;               /* roaring: index of the next container */
        uint32_t items;               /* roaring: number of items still to come in the container */
        uint32_t least;               /* roaring: smallest value that is allowed next in the container */
        uint32_t count;               /* roaring: number of bits that the container must still contain */
        uint32_t key;                 /* roaring: key of the container */
        const utet_bits_codec *codec; /* NULL: the data is the uncompressed bitmask */
        uint8_t begun;
        uint8_t step;
        uint8_t size;  /* size of the next fragment: 1 to 4 bytes */
        uint8_t value; /* rle: value of the next run; roaring: nonzero: the containers have flags */
        uint8_t shift; /* number of bits done: of the current byte; rle: of `number` */
        uint8_t found; /* nonzero: the pending call has found its run */
    } priv;
} utet_bit_runs;

/* A tensor that is being read. Public fields: length and position. */
typedef struct utet_tensor {
    uint64_t length;   /* size of all elements, in bytes: the object's decoded_length */
    uint64_t position; /* number of bytes delivered or skipped so far */
    struct {
        const utet_object *object;
        utet_stream stream;    /* stream over the payload; while opening, over a mask */
        utet_szip_codec codec; /* szip: a copy of the codec, and its parameters */
        union {
            utet_bit_runs mask[UTET_MASKS];
            utet_frame_hash hash; /* while the hash is computed */
        } shared;
        struct {
            double scale;
            double reference;
            uint8_t bits;
            uint8_t odd;         /* unused bits of the last byte, at the bottom */
            uint8_t odd_bits;    /* number of these bits */
            uint8_t odd_missing; /* number of bits to skip in that byte when it must be read again */
        } packing;
        uint64_t fixed;        /* size of the memory for decoded masks and `planes`, in bytes */
        utet_need need;        /* maximum of the codecs' needs */
        uint64_t unit;         /* number of units produced so far; a unit is an element, of a bitmask a byte */
        uint64_t units;        /* total number of units */
        uint64_t source;       /* number of decompressed bytes used so far */
        uint8_t *memory;       /* start of the `fixed` bytes */
        const uint8_t *planes; /* decompressed bytes, shuffled; NULL: they are read from the payload */
        uint64_t plane_length; /* size of a plane, in bytes */
        size_t plane;          /* while gathering: first requested byte that is in the current plane */
        size_t plane_done;     /* number of bytes gathered from that plane */
        size_t done;           /* number of bytes, or values, that the pending call has delivered */
        utet_status status;    /* the error that sticks to the tensor, 0: none */
        uint8_t width;         /* size of a unit, in bytes */
        uint8_t source_kind;
        uint8_t stage;     /* while opening: the stream that is being measured or decoded */
        uint8_t phase;     /* progress of opening, or of producing elements */
        uint8_t carried;   /* number of bytes of `carry` that have not been delivered */
        uint8_t carry[16]; /* the last element, if the caller requested only a part of it */
    } priv;
} utet_tensor;

/*
 * Computes the memory that reading `object` in slices needs; `tensor` holds the state of the call. May read headers of
 * the payload and of masks.
 * UTET_E_CODEC: the compression of the tensor or of a mask has no codec in the list, is one that the library never
 * decodes, or is combined with an unsuitable filter or encoding. UTET_E_DTYPE: the tensor has masks, but its dtype has
 * no NaN. UTET_E_DATASET: the scale factors are out of range.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET,
 *          E_PAYLOAD, E_PORT
 */
utet_status utet_tensor_need(utet_tensor *tensor, utet_file *file, const utet_object *object, utet_need *need);

/*
 * Begins reading `object`, which must not change, and takes the workspace after the window: an older stream, slab or
 * tensor of this file becomes invalid. If the frame has a hash, the call first computes it: it reads the complete
 * frame, which is read again for the values. So the values of a damaged frame are not delivered, and its numbers are
 * not used. The call also decodes masks, and shuffled bytes with a compression: it may take a long time, and can be
 * suspended anywhere. A tensor without elements is checked at once. For other errors, see utet_tensor_need.
 * UTET_E_BUDGET: the workspace is too small; file->needed is the sufficient size.
 * UTET_E_CHECKSUM: the frame differs from its hash, and file->error_offset is the frame's offset; or the checksum of a
 * mask or of data that this call decodes differs.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_DATASET, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tensor_open(utet_tensor *tensor, utet_file *file, const utet_object *object);

/*
 * Does the same as utet_tensor_open, but ignores the frame's hash: for a frame that has already been verified (by
 * utet_frame_verify or an earlier utet_tensor_open), for a selection that should not read the complete frame, or to
 * recover as much of a damaged frame as possible. A damaged frame may give any values, and may require any amount of
 * memory.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_DATASET, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tensor_open_unverified(utet_tensor *tensor, utet_file *file, const utet_object *object);

/*
 * Copies the next `size` bytes of the elements to `buffer`, or fewer at the end: little-endian, row-major, NaN and
 * infinities restored. simple_packing gives float64. *got: number of delivered bytes, valid with every status except
 * UTET_WOULD_BLOCK (then keep `buffer` and repeat the call). All `size` bytes of `buffer` may change, however many are
 * delivered. The slice with the last byte is delivered only after the end of payload and masks has been checked. Errors
 * of the medium and of the data stick to the tensor; the file remains usable.
 * UTET_END: position is length, and *got is 0.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_CHECKSUM,
 *          E_PORT
 */
utet_status utet_tensor_read(utet_tensor *tensor, void *buffer, size_t size, size_t *got);

/*
 * Skips `count` bytes, or fewer at the end. If the payload is not compressed, the call reads only the element in which
 * it stops. Skipping to the end checks the end of payload and masks, as reading does: a count of UINT64_MAX validates a
 * tensor without memory for its values. The time depends on the size of the stored data, not on the size that the
 * descriptor states (2^59 elements of 0 bits take no longer than one element).
 * UTET_OK: the bytes are skipped, or the tensor ended before `count` bytes.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tensor_skip(utet_tensor *tensor, uint64_t count);

/*
 * Copies the next `count` elements of a real dtype to `values` as numbers in the native byte order, or fewer at the
 * end; *got: number of delivered elements. position must be between two elements. Integers that the type cannot
 * represent are rounded. As float, simple_packing is computed in float: the error is at most two units in the last
 * place of the larger of |R| and the value's distance from R. As double, the value is that of the reference library.
 * UTET_END: position is length, and *got is 0. UTET_E_ARGUMENT: position is inside an element. UTET_E_DTYPE: the tensor
 * is complex or a bitmask. The last two do not stick.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tensor_floats(utet_tensor *tensor, float *values, size_t count, size_t *got);
utet_status utet_tensor_doubles(utet_tensor *tensor, double *values, size_t count, size_t *got);

/* ---- slabs: hyperslab selections ---------------------------------------------------- */

/* A selection of a tensor. Public fields: count, elements, length and position. */
typedef struct utet_tensor_slab {
    uint64_t count[UTET_TENSOR_MAX_NDIM]; /* number of selected indices of each axis */
    uint64_t elements;                    /* number of selected elements */
    uint64_t length;                      /* size of the selected elements, in bytes; for a bitmask one byte each */
    uint64_t position;                    /* number of bytes delivered so far */
    struct {
        utet_tensor *tensor;
        uint64_t ahead[UTET_TENSOR_MAX_NDIM]; /* tensor elements from one selected index to the next */
        uint64_t index[UTET_TENSOR_MAX_NDIM]; /* index of the current run along each axis */
        uint64_t first;                       /* index of the run's first element in the tensor */
        uint64_t run;                         /* number of elements of a run, which are adjacent */
        uint64_t inside;                      /* number of delivered elements of the current run */
        uint64_t left;                        /* number of elements not delivered */
        uint64_t expected;                    /* expected position of the tensor */
        size_t done;                          /* number of bytes, or values, that the pending call has delivered */
        const void *to;                       /* destination of the pending call */
        size_t size;
        uint8_t axes;  /* number of outer axes, along which runs are repeated */
        uint8_t part;  /* number of delivered bytes of the current element */
        uint8_t inner; /* the tensor's call that is suspended inside the slab's call */
        uint8_t byte;  /* bitmask: the last byte that was read */
    } priv;
} utet_tensor_slab;

/*
 * Begins a selection of a tensor that has just been opened (utet_tensor_open): for each axis, the indices start,
 * start + step, … below stop, as in utet_range (utet.h). `ranges`: one range for each axis of the tensor; NULL if it
 * has no axes. Reads nothing, and needs no memory in addition to the tensor's (utet_tensor_need). `tensor` must stay
 * valid, and belongs to the slab: a call on the tensor itself makes the slab invalid.
 * UTET_E_STATE: `tensor` is not open, or has been read from. UTET_E_RANGE: a range violates the conditions of
 * utet_range.
 * UTET_E_LIMIT: the tensor has more than UTET_TENSOR_MAX_NDIM axes.
 * Returns: OK, E_STATE, E_RANGE, E_LIMIT
 */
utet_status utet_tensor_slab_open(utet_tensor_slab *slab, utet_tensor *tensor, const utet_range *ranges);

/*
 * Copies the next `size` bytes of the selected elements to `buffer`, row-major, as utet_tensor_read delivers them; for
 * a bitmask, one byte of 0 or 1 for each element. Bytes between the selected elements are skipped: they are not read
 * unless the payload is compressed. `size` may be any value; *got, `buffer` and errors: see utet_tensor_read. Bytes
 * after the last selected element are neither read nor checked.
 * UTET_END: position is length, and *got is 0. UTET_E_STATE: the tensor is invalid, or a call on it has changed its
 * position.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_CHECKSUM,
 *          E_PORT
 */
utet_status utet_tensor_slab_read(utet_tensor_slab *slab, void *buffer, size_t size, size_t *got);

/*
 * Copies the next `count` selected elements to `values` as numbers, or fewer at the end: see utet_tensor_floats. For
 * errors, see utet_tensor_floats and utet_tensor_slab_read.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tensor_slab_floats(utet_tensor_slab *slab, float *values, size_t count, size_t *got);
utet_status utet_tensor_slab_doubles(utet_tensor_slab *slab, double *values, size_t count, size_t *got);

/* ---- one element ---------------------------------------------------------------------- */

/*
 * Converts one element, as utet_tensor_read delivers it (little-endian), to a double. *imaginary is 0 unless the dtype
 * is complex; `imaginary` may be NULL.
 * UTET_E_DTYPE: the dtype is a bitmask or unknown.
 * Returns: OK, E_DTYPE
 */
utet_status utet_tensor_double(uint8_t dtype, const void *element, double *value, double *imaginary);

#define UTET_TENSOR_TEXT 54 /* size in bytes that suffices for the text of any element, terminator included */
/*
 * Writes one element, as utet_tensor_read delivers it, to `buffer` of `size` bytes as a text with a terminating 0;
 * complex numbers as "1+2j". *length: length without the terminator; `length` may be NULL.
 * UTET_E_SPACE: `buffer` is too small. UTET_E_DTYPE: the dtype is a bitmask or unknown.
 * Returns: OK, E_SPACE, E_DTYPE
 */
utet_status utet_tensor_text(uint8_t dtype, const void *element, char *buffer, size_t size, size_t *length);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum {
    UTET_OBJECT_SZIP_CODEC = 52,
    UTET_OBJECT_BITS_CODEC = 67,
    UTET_OBJECT_BIT_RUNS = 68,
    UTET_OBJECT_TENSOR = 69,
    UTET_OBJECT_TENSOR_SLAB = 70
};

#ifdef __ELF__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
