/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of tensors in Tensogram messages: from a payload to values, in slices of any size (src/tensogram/FORMAT.md
 * §4). What is decoded on the way: compression, the filter shuffle, simple_packing, byte order, masks. Compressions are
 * codecs: only those in the list of utet_init are linked, a tensor that needs another one is UTET_E_CODEC:
 *
 *     static const utet_codec *const codecs[] = {&utet_codec_zstd_small, &utet_codec_szip, &utet_codec_lz4,
 *                                                &utet_codec_rle, &utet_codec_roaring, NULL};
 *
 * (lz4: utet_lz4.h). Masks need the codec of their method; those of method none need no codec.
 *
 * Memory, behind the window: what the codec needs; with masks that are compressed by zstd or lz4 a bit for every
 * element and mask; with shuffle behind a compression all the decompressed bytes, since an element is spread over all
 * of them.
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

/* szip as a codec of streams. Lists of utet_init have &utet_codec_szip. A codec is a constant, and szip needs
 * its parameters: the stream's priv.codec points to a structure of this kind, which begins with a copy of it. */
typedef struct utet_szip_codec {
    utet_codec codec; /* = utet_codec_szip */
    utet_szip_params params;
} utet_szip_codec;

extern const utet_codec utet_codec_szip;

/* Codecs for masks and for tensors of bits (dtype bitmask), and their ids: lists have &utet_codec_rle. */
#define UTET_CODEC_RLE 18
#define UTET_CODEC_ROARING 19
#define utet_codec_rle utet_codec_bits_rle.codec
#define utet_codec_roaring utet_codec_bits_roaring.codec

struct utet_bit_runs;
typedef struct utet_bits_codec {
    utet_codec codec;
    utet_status (*take)(struct utet_bit_runs *runs, const uint8_t *at); /* private: the next piece of a mask */
    utet_status (*skip)(utet_stream *stream, uint64_t size);            /* private: skips `size` bytes, run by run */
} utet_bits_codec;

extern const utet_bits_codec utet_codec_bits_rle;
extern const utet_bits_codec utet_codec_bits_roaring;

/* Runs of ones in a bitmask, in ascending order; private. */
typedef struct utet_bit_runs {
    uint64_t start; /* the run: bits [start, end); both UINT64_MAX behind the last */
    uint64_t end;
    struct {
        uint64_t bits;                /* total number of bits */
        uint64_t bit;                 /* rle: first bit of the current run */
        uint64_t offset;              /* offset of the data in the file */
        uint64_t length;              /* length of the data, in bytes */
        uint64_t position;            /* position of the next piece in the data */
        uint64_t number;              /* rle: length of the current run; roaring: position of the container's values */
        const uint8_t *map;           /* the data, in memory; or null */
        uint32_t containers;          /* roaring: still to come */
        uint32_t described;           /* roaring: position of the next container's description */
        uint32_t index;               /* roaring: of the next container */
        uint32_t items;               /* roaring: of the container, still to come */
        uint32_t least;               /* roaring: in the container, the least value that may come */
        uint32_t count;               /* roaring: bits that the container must have and has not shown */
        uint32_t key;                 /* roaring: of the container */
        const utet_bits_codec *codec; /* null: the data are the bits themselves */
        uint8_t begun;
        uint8_t step;
        uint8_t size;  /* size of the next piece: 1 to 4 bytes */
        uint8_t value; /* rle: of the next run; roaring: the containers have flags */
        uint8_t shift; /* bits of the byte, rle: of `number`, that are done */
        uint8_t found; /* the pending call has found its run */
    } priv;
} utet_bit_runs;

/* length and position may be read. */
typedef struct utet_tensor {
    uint64_t length;   /* bytes of all elements: the object's decoded_length */
    uint64_t position; /* bytes delivered or skipped so far */
    struct {
        const utet_object *object;
        utet_stream stream;    /* over the payload; while opening, over a mask */
        utet_szip_codec codec; /* szip: a copy of the codec, and its parameters */
        union {
            utet_bit_runs mask[UTET_MASKS];
            utet_frame_hash hash; /* while it is computed */
        } shared;
        struct {
            double scale;
            double reference;
            uint8_t bits;
            uint8_t odd;         /* bits of the last byte that are not used yet, at the bottom */
            uint8_t odd_bits;    /* their number */
            uint8_t odd_missing; /* that byte must be read again: bits to skip in it */
        } packing;
        uint64_t fixed;        /* bytes of memory for `bitmap` and `planes` */
        utet_need need;        /* of codecs: the largest */
        uint64_t unit;         /* elements (of a bitmask: bytes) made so far */
        uint64_t units;        /* total number of units */
        uint64_t source;       /* bytes taken of what decompression makes */
        uint8_t *memory;       /* where `fixed` begins */
        const uint8_t *planes; /* decompressed bytes, shuffled; null: read from the payload */
        uint64_t plane_length; /* bytes of a plane */
        size_t plane;          /* being gathered: the one in which byte `plane` of this call stands */
        size_t plane_done;     /* bytes of it */
        size_t done;           /* bytes, or values, that the pending call has delivered */
        utet_status status;    /* an error that stuck */
        uint8_t width;         /* bytes of a unit */
        uint8_t source_kind;
        uint8_t stage;     /* of opening: which stream is being measured or decoded */
        uint8_t phase;     /* of opening; of making elements */
        uint8_t carried;   /* bytes of `carry` that have not been delivered */
        uint8_t carry[16]; /* the last element made, if it was wanted in part */
    } priv;
} utet_tensor;

/*
 * What reading `object` in slices needs; `tensor` holds the state of the call. May read headers of the payload and
 * of masks.
 * UTET_E_CODEC: its compression or a mask's has no codec in the list, is never decoded, or is combined with a filter or
 * encoding that does not go with it. UTET_E_DTYPE: it has masks, but its dtype has no NaN. UTET_E_DATASET: the scale
 * factors are out of range.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET,
 *          E_PAYLOAD, E_PORT
 */
utet_status utet_tensor_need(utet_tensor *tensor, utet_file *file, const utet_object *object, utet_need *need);

/*
 * Begins reading `object`, which must not change, and takes the workspace after the window: an older stream,
 * slab or tensor of this file becomes invalid. First computes the hash of the frame, if it has one: all of the frame
 * is read, then read again for the values. So the values of a damaged frame are not delivered, and its numbers are
 * not used. Masks, and shuffled bytes behind a compression, are decoded by this call: it may take long, and can be
 * suspended anywhere. A tensor without elements is checked at once.
 * The errors are those of utet_tensor_need, and: UTET_E_BUDGET, with the sufficient size in file->needed;
 * UTET_E_CHECKSUM: the frame differs from its hash, and file->error_offset is its place; or of a mask or of data that
 * are decoded by this call.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_DATASET, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tensor_open(utet_tensor *tensor, utet_file *file, const utet_object *object);

/*
 * The same without the frame's hash: for a frame that has been verified already (by utet_frame_verify, or by an earlier
 * utet_tensor_open), for a selection that should not cost a reading of the whole frame, or to save what can be saved.
 * Of a damaged frame anything may come, also a wish for any amount of memory.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_DATASET, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tensor_open_unverified(utet_tensor *tensor, utet_file *file, const utet_object *object);

/*
 * The next bytes of the elements, little-endian, row-major, NaN and infinities restored: `size` of them, fewer only at
 * the end. simple_packing gives float64. *got: bytes delivered, valid with every status except UTET_WOULD_BLOCK (then
 * keep `buffer` and repeat). `buffer` may be changed as far as `size` whatever is delivered. The slice with the last
 * byte is delivered only after the end of payload and masks has been checked. Medium and data errors stick to the
 * tensor; the file stays usable.
 * UTET_END: position is length, and *got is 0.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_CHECKSUM,
 *          E_PORT
 */
utet_status utet_tensor_read(utet_tensor *tensor, void *buffer, size_t size, size_t *got);

/*
 * Moves on by `count` bytes, at most to the end. Of a payload that is not compressed, only the element in which this
 * ends is read. UTET_OK: done, also when the tensor ended before `count`. Moving to the end checks the
 * end of payload and masks, as reading does: UINT64_MAX validates a tensor, without room for its values, and in time
 * for what the file holds, not for what the descriptor promises (2^59 elements of 0 bits take no longer than one).
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tensor_skip(utet_tensor *tensor, uint64_t count);

/*
 * The next `count` elements of a real dtype as numbers in the machine's order, fewer only at the end; *got: how many.
 * position must lie between two elements. Integers that the type does not hold are rounded. As float, simple_packing is
 * computed in float: within two units in the last place of the larger of |R| and the value's distance from it; as
 * double it is the reference library's value.
 * UTET_END: position is length, and *got is 0. UTET_E_ARGUMENT: position lies inside an element. UTET_E_DTYPE: the
 * tensor is complex or a bitmask. The last two do not stick.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tensor_floats(utet_tensor *tensor, float *values, size_t count, size_t *got);
utet_status utet_tensor_doubles(utet_tensor *tensor, double *values, size_t count, size_t *got);

/* ---- slabs: hyperslab selections ---------------------------------------------------- */

/* count, elements, length and position may be read. */
typedef struct utet_tensor_slab {
    uint64_t count[UTET_TENSOR_MAX_NDIM]; /* selected places of each axis */
    uint64_t elements;                    /* elements of the selection */
    uint64_t length;                      /* bytes of them; of a bitmask one for each */
    uint64_t position;                    /* bytes delivered so far */
    struct {
        utet_tensor *tensor;
        uint64_t ahead[UTET_TENSOR_MAX_NDIM]; /* elements of the tensor from one selected place to the next */
        uint64_t index[UTET_TENSOR_MAX_NDIM]; /* index of the current run along each axis */
        uint64_t first;                       /* element of the tensor where that run begins */
        uint64_t run;                         /* elements of a run: they lie side by side */
        uint64_t inside;                      /* elements of the current run that are delivered */
        uint64_t left;                        /* elements not delivered */
        uint64_t expected;                    /* the tensor's position */
        size_t done;                          /* bytes, or values, that the pending call has delivered */
        const void *to;                       /* its destination, and its size */
        size_t size;
        uint8_t axes;  /* that runs are repeated along: the outer ones */
        uint8_t part;  /* bytes of the current element that are delivered */
        uint8_t inner; /* the tensor's call that is suspended in the slab's */
        uint8_t byte;  /* bitmask: the byte that was read last */
    } priv;
} utet_tensor_slab;

/*
 * A selection of a tensor that has just been opened (utet_tensor_open): of each axis the indices start, start + step, …
 * below stop, as utet.h says; `ranges` are as many as the tensor has axes, null for none. Reads nothing and needs no
 * memory but the tensor's (utet_tensor_need). `tensor` must stay, and belongs to the slab: its own calls end the slab.
 * UTET_E_STATE: `tensor` is not open, or has been read from. UTET_E_RANGE: a range is not as said. UTET_E_LIMIT: the
 * tensor has more than UTET_TENSOR_MAX_NDIM axes.
 * Returns: OK, E_STATE, E_RANGE, E_LIMIT
 */
utet_status utet_tensor_slab_open(utet_tensor_slab *slab, utet_tensor *tensor, const utet_range *ranges);

/*
 * The next bytes of the selected elements, row-major, as utet_tensor_read would deliver them; of a bitmask a byte of 0
 * or 1 for each. Bytes between them are skipped: they are not read unless the payload is compressed. `size`
 * may be anything; *got, `buffer` and errors: see utet_tensor_read. What lies behind the last selected element is
 * neither read nor checked.
 * UTET_END: position is length, and *got is 0. UTET_E_STATE: the tensor is over, or its own calls have moved it.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_CHECKSUM,
 *          E_PORT
 */
utet_status utet_tensor_slab_read(utet_tensor_slab *slab, void *buffer, size_t size, size_t *got);

/*
 * The next `count` selected elements as numbers, fewer only at the end: see utet_tensor_floats. Errors mean what they
 * mean there and at utet_tensor_slab_read.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tensor_slab_floats(utet_tensor_slab *slab, float *values, size_t count, size_t *got);
utet_status utet_tensor_slab_doubles(utet_tensor_slab *slab, double *values, size_t count, size_t *got);

/* ---- one element ---------------------------------------------------------------------- */

/*
 * One element, as the calls above deliver it (little-endian), as a double. *imaginary is 0 unless the dtype is complex;
 * it may be null.
 * UTET_E_DTYPE: a bitmask, or no dtype.
 * Returns: OK, E_DTYPE
 */
utet_status utet_tensor_double(uint8_t dtype, const void *element, double *value, double *imaginary);

#define UTET_TENSOR_TEXT 54 /* bytes that suffice for the text of any element, terminator included */
/*
 * One such element as text, terminated, into `buffer` of `size` bytes; complex ones as "1+2j". *length: bytes without
 * the terminator; may be null.
 * UTET_E_SPACE: `buffer` is too small. UTET_E_DTYPE: a bitmask, or no dtype.
 * Returns: OK, E_SPACE, E_DTYPE
 */
utet_status utet_tensor_text(uint8_t dtype, const void *element, char *buffer, size_t size, size_t *length);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
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
