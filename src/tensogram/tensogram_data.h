/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files for tensor data share. Internal to the library. */
#ifndef UTET_TENSOGRAM_DATA_INSIDE_H
#define UTET_TENSOGRAM_DATA_INSIDE_H

#include "utet_tensogram_data.h"

#include "../tet/container/container.h"
#include "tensogram.h"

/* utet_tensor_open without the protocol, and without the hash. file->priv.step is 0 when it begins, then 1. */
utet_status utet_tensor_begin(utet_tensor *tensor, utet_file *file, const utet_object *object);

/* file->priv.busy */
enum {
    UTET_CALL_TENSOR_NEED = 0x67,
    UTET_CALL_TENSOR_OPEN = 0x50 | UTET_CALL_WORKSPACE,
    UTET_CALL_TENSOR_OPEN_UNVERIFIED,
    UTET_CALL_TENSOR_READ,
    UTET_CALL_TENSOR_SKIP,
    UTET_CALL_TENSOR_FLOATS,
    UTET_CALL_TENSOR_DOUBLES,
    UTET_CALL_TENSOR_SLAB_READ,
    UTET_CALL_TENSOR_SLAB_FLOATS,
    UTET_CALL_TENSOR_SLAB_DOUBLES
};

/* ---- runs of ones (tensogram_runs.c, FORMAT.md §4.6) ---- */

/* Before the first run: `bits` bits in `length` bytes of the file. Without a codec they are there uncompressed, or at
 * `map`, if that is not NULL. */
void utet_runs_begin(utet_bit_runs *runs, const utet_bits_codec *codec, uint64_t bits, uint64_t offset, uint64_t length,
                     const uint8_t *map);
/* The next run into start and end; at the end that the data end there too. UTET_E_PAYLOAD, with error_offset. */
utet_status utet_runs_next(utet_file *file, utet_bit_runs *runs);
#define UTET_RUNS_OVER UINT64_MAX
/* The bits of a run that are in [first, first + count): their number, and *from, counted from `first`. */
size_t utet_runs_within(const utet_bit_runs *runs, uint64_t first, size_t count, size_t *from);

/*
 * A codec takes a mask in pieces: priv.position and priv.size say which is next (at the beginning the first byte), `at`
 * is where it has been made addressable. `take` sets both anew, and start, end and priv.found when the piece has
 * completed a run. at = null: the data end at priv.position. UTET_END: so they should. UTET_E_PAYLOAD.
 */
/* For pieces that are bits: takes the next run of ones in `byte` from bit priv.shift on, counted from the lowest bit,
 * or from the most significant one (flip = 7, else 0). `base` is the number of the byte's first bit.
 */
void utet_runs_ones(utet_bit_runs *runs, unsigned byte, unsigned flip, uint64_t base);
/* Their functions as codecs of tensors of bits (tensogram_bitmask.c). */
utet_status utet_bitmask_need(utet_stream *s, int exact, utet_need *need);
utet_status utet_bitmask_open(utet_stream *s);
utet_status utet_bitmask_step(utet_stream *s, const utet_bits_codec *codec);
utet_status utet_bitmask_skip(utet_stream *s, uint64_t size, const utet_bits_codec *codec);

/* ---- simple_packing (tensogram_unpack.c, §4.2) ---- */

/* UTET_E_DATASET when the scale is no number to calculate with. */
utet_status utet_packing_begin(utet_tensor *tensor);
/* Bytes of the packed string that the next `count` values want; count * 8 does not overflow. */
size_t utet_packing_bytes(const utet_tensor *tensor, size_t count);
/* `count` values from the bytes at `from`, to `to` as little-endian floats of 8 or 4 bytes. `from` may be later in
 * the same memory, if its end is the end of the values. */
void utet_unpack_doubles(utet_tensor *tensor, const uint8_t *from, uint8_t *to, size_t count);
void utet_unpack_floats(utet_tensor *tensor, const uint8_t *from, uint8_t *to, size_t count);

/* ---- the bytes that decompression makes (tensogram_source.c, §4.3) ---- */

enum { UTET_SOURCE_RAW, UTET_SOURCE_CODEC, UTET_SOURCE_PLANES };
/* The next `size` of them, unshuffled, to `to`; or past them, when that is null. Resumable; counts them in `source` at
 * the end. */
utet_status utet_source_read(utet_tensor *tensor, uint8_t *to, uint64_t size);

/* The same from shuffled planes (tensogram_planes.c); `source` stays. */
utet_status utet_planes_read(utet_tensor *tensor, uint8_t *to, size_t size);

/* ---- masks (tensogram_masks.c, §4.6) ---- */

/* Units [unit, unit + count) are at `to`: puts NaN and infinities among them. Resumable through priv.phase, which is 1
 * + the current mask. */
utet_status utet_masks_apply(utet_tensor *tensor, uint8_t *to, size_t count, int as_float);

/* ---- elements (tensogram_elements.c) ---- */

/* The next `count` units to `to`; as_float: as floats of 4 bytes (simple_packing of up to 32 bits only), all
 * little-endian. Resumable through priv.phase, which is 0 at the first call and at the end. */
utet_status utet_elements_make(utet_tensor *tensor, uint8_t *to, size_t count, int as_float);
/* The tag of utet_show.h under which the (real part of an) element at *at can be shown; *at may become `wide`, which
 * has the same number as a wider type. 0: no such dtype. */
uint32_t utet_element_tag(uint8_t dtype, const uint8_t **at, uint8_t wide[4]);
/* Beginning a call on a tensor, and ending one: delivered units become bytes of position. */
utet_status utet_tensor_enter(utet_tensor *tensor, uint8_t call);
utet_status utet_tensor_leave(utet_tensor *tensor, utet_status status);

/* ---- slabs (tensogram_slab.c) ---- */

/* Begins or repeats a call on a slab, and ends it, unless `status` suspends it. call: that of the tensor's which it
 * makes. UTET_END: nothing is left. */
utet_status utet_tensor_slab_enter(utet_tensor_slab *slab, uint8_t call, const void *to, size_t size);
utet_status utet_tensor_slab_leave(utet_tensor_slab *slab, utet_status status, uint8_t call, size_t *got);
/* Advances the tensor to byte `place`, if it is not there yet. */
utet_status utet_tensor_slab_aim(utet_tensor_slab *slab, uint64_t place);
/* Advances by `elements` delivered elements of the current run. */
void utet_tensor_slab_advance(utet_tensor_slab *slab, size_t elements);

#endif
