/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the values of Tensogram's tensors. EVA_PART 1: slabs, on the contracts of the tensor's calls. 2:
 * tensors of bits, made from runs. 3: elements to numbers. 4: masks, shuffled planes, and where the bytes come from. 5:
 * elements to bytes, and skipping them. An alarm is possible undefined behaviour. Each part begins in any state that
 * its invariant allows; lower calls are replaced by the contracts of their headers.
 *
 * eva.sh: 4 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 3000
 *       -eva-slevel-function eva_main:5000,add_axis:0,utet_div:0,utet_div_up:0,tensogram_slab_next_run:20
 *       -eva-slevel-function utet_tensor_slab_open:100
 *       -eva-split-return full
 *   2 3 4: -eva-slevel 3000 -eva-slevel-function eva_main:20000 -eva-split-return full -warn-special-float none
 */
#include <string.h>

#include "eva_any.h"

#include "tensogram/tensogram_data.h"

static utet_file file;
static int grants = 1; /* how many results are success or end; then comes "not yet": the next call starts there */

static utet_status answer(utet_status other)
{
    if (grants == 0 || Frama_C_interval(0, 1))
        return UTET_WOULD_BLOCK;
    grants--;
    return Frama_C_interval(0, 1) ? UTET_OK : other;
}

#if EVA_PART != 2
static utet_tensor tensor;
static utet_object object;

static void any_tensor(void)
{
    Frama_C_make_unknown((char *)&object, sizeof object);
    Frama_C_make_unknown((char *)&tensor, sizeof tensor);
    tensor.priv.object = &object;
    tensor.priv.stream.priv.file = &file;
    tensor.priv.status = Frama_C_interval(0, 1) ? UTET_OK : UTET_E_PAYLOAD;
    file.priv.owner = &tensor;
}
#endif

#if EVA_PART != 1
uint64_t utet_div(uint64_t dividend, uint64_t divisor)
{
    /*@ assert divisor: divisor != 0; */
    return dividend / divisor;
}
#endif

#if EVA_PART == 1
#include "base/bytes.c"
#include "eva_over.h"
#include "tensogram/tensogram_slab.c"
#include "tensogram/tensogram_slab_numbers.c"

/* At most as much as was requested, written up to `size`. */
static utet_status any_read(void *to, size_t most, size_t *got)
{
    utet_status status;
    size_t size;

    for (size = 0; size != most; size++) {} /* one state for each number */
    if (size != 0)
        Frama_C_make_unknown((char *)to, size);
    tensor.position = any64();
    *got = 0;
    status = answer(Frama_C_interval(0, 1) ? UTET_END : UTET_E_PAYLOAD);
    if (status != UTET_WOULD_BLOCK)
        *got = (size_t)Frama_C_interval_split(0, (int)size);
    return status;
}

utet_status utet_tensor_read(utet_tensor *t, void *buffer, size_t size, size_t *got)
{
    (void)t;
    return any_read(buffer, size, got);
}

/* Each count in turn. */
static utet_status any_numbers(void *values, size_t count, size_t size, size_t *got)
{
    size_t some;
    utet_status status;

    for (some = 0; some != count; some++) {}
    status = any_read(values, some * size, got);
    *got /= size;
    return status;
}

utet_status utet_tensor_floats(utet_tensor *t, float *values, size_t count, size_t *got)
{
    (void)t;
    return any_numbers(values, count, sizeof *values, got);
}

utet_status utet_tensor_doubles(utet_tensor *t, double *values, size_t count, size_t *got)
{
    (void)t;
    return any_numbers(values, count, sizeof *values, got);
}

utet_status utet_tensor_skip(utet_tensor *t, uint64_t count)
{
    (void)count;
    t->position = any64();
    return answer(UTET_E_PAYLOAD);
}

void eva_main(void)
{
    static utet_tensor_slab slab;
    static utet_range ranges[UTET_TENSOR_MAX_NDIM];
    static uint8_t bytes[2];
    static float floats[2];
    static double doubles[2];
    static const uint8_t axes[] = {0, 1, 2, UTET_TENSOR_MAX_NDIM};
    const size_t size = (size_t)Frama_C_interval_split(0, 2);
    size_t got;

    any_tensor();
    Frama_C_make_unknown((char *)&slab, sizeof slab);
    Frama_C_make_unknown((char *)ranges, sizeof ranges);
    tensor.priv.width = (uint8_t)Frama_C_interval(1, 16);
    slab.priv.tensor = Frama_C_interval(0, 1) ? &tensor : NULL;
    slab.priv.axes = axes[Frama_C_interval_split(0, 3)];
    slab.priv.done = (size_t)Frama_C_interval_split(0, (int)size);
    switch (Frama_C_interval_split(0, 3)) {
    case 0:
        object.ndim = axes[Frama_C_interval_split(0, 3)];
        (void)utet_tensor_slab_open(&slab, &tensor, ranges);
        break;
    case 1: (void)utet_tensor_slab_read(&slab, bytes + 2 - size, size, &got); break;
    case 2: (void)utet_tensor_slab_floats(&slab, floats + 2 - size, size, &got); break;
    default: (void)utet_tensor_slab_doubles(&slab, doubles + 2 - size, size, &got); break;
    }
    /*@ assert axes: slab.priv.axes <= UTET_TENSOR_MAX_NDIM; */
}
#endif

#if EVA_PART == 3
/* ---- the layers below elements ---- */

utet_status utet_enter(utet_file *of, uint8_t call)
{
    (void)of;
    (void)call;
    return Frama_C_interval_split(0, 1) ? UTET_OK : UTET_E_STATE;
}

utet_status utet_end_call(utet_status status, utet_file *of)
{
    (void)of;
    return status;
}
#endif

#if EVA_PART == 3
#include "eva_given.h"
#include "tensogram/tensogram_floats.c"

utet_status utet_tensor_enter(utet_tensor *t, uint8_t call)
{
    return utet_enter(t->priv.stream.priv.file, call);
}

utet_status utet_tensor_leave(utet_tensor *t, utet_status status)
{
    return utet_leave(t->priv.stream.priv.file, status);
}

utet_status utet_elements_make(utet_tensor *t, uint8_t *to, size_t count, int as_float)
{
    const size_t width = as_float != 0 ? 4 : t->priv.width;

    if (count != 0)
        Frama_C_make_unknown((char *)to, width * count);
    return answer(UTET_E_PAYLOAD);
}

utet_status utet_tensor_double(uint8_t dtype, const void *element, double *value, double *imaginary)
{
    /*@ assert imaginary: imaginary == \null; */
    (void)((volatile const uint8_t *)element)[tensor.priv.width - 1];
    (void)imaginary;
    *value = Frama_C_double_interval(-1e300, 1e300);
    return dtype <= UTET_TENSOR_UINT64 ? UTET_OK : UTET_E_DTYPE;
}

void utet_to_native(void *elements, size_t count, size_t elem_size)
{
    if (count != 0)
        Frama_C_make_unknown((char *)elements, count * elem_size);
}

void eva_main(void)
{
    static const uint8_t dtypes[] = {UTET_TENSOR_FLOAT32, UTET_TENSOR_FLOAT64, UTET_TENSOR_INT16,
                                     UTET_TENSOR_COMPLEX64};
    static const uint8_t sizes[] = {4, 8, 2, 8};
    static float floats[2];
    static double doubles[2];
    const size_t count = (size_t)Frama_C_interval_split(0, 2);
    const unsigned which = (unsigned)Frama_C_interval_split(0, 3), dtype = dtypes[which];
    size_t got;

    any_tensor();
    object.dtype = (uint8_t)dtype;
    object.encoding = UTET_ENCODING_NONE;
    if (dtype == UTET_TENSOR_FLOAT64 && Frama_C_interval_split(0, 1)) {
        object.encoding = UTET_ENCODING_SIMPLE_PACKING;
        object.packing.bits = (uint8_t)Frama_C_interval(0, 64);
    }
    tensor.priv.width = sizes[which];
    tensor.priv.carried = (uint8_t)Frama_C_interval_split(0, 1);
    tensor.priv.done = (size_t)Frama_C_interval_split(0, (int)count);
    tensor.priv.unit = 0;
    tensor.priv.units = 5 * (uint64_t)Frama_C_interval_split(0, 1); /* this many are left */
    if (Frama_C_interval_split(0, 1))
        (void)utet_tensor_floats(&tensor, floats + 2 - count, count, &got);
    else
        (void)utet_tensor_doubles(&tensor, doubles + 2 - count, count, &got);
}
#endif

#if EVA_PART == 2 || EVA_PART == 4
utet_status utet_runs_next(utet_file *of, utet_bit_runs *runs)
{
    of->error_offset = any64();
    runs->start = any64();
    runs->end = any64();
    return UTET_WOULD_BLOCK; /* the next iteration also begins in such a state */
}

/* Within the requested bytes. */
size_t utet_runs_within(const utet_bit_runs *runs, uint64_t first, size_t count, size_t *from)
{
    (void)runs;
    (void)first;
    *from = (size_t)Frama_C_interval_split(0, (int)count);
    return (size_t)Frama_C_interval_split(0, (int)(count - *from));
}
#endif

#if EVA_PART == 4
/* Also of no bytes, where memory ends. */
static void set_bytes(void *to, size_t size)
{
    if (size != 0)
        Frama_C_make_unknown((char *)to, size);
}
#define memset(to, value, size) set_bytes(to, size)
#include "tensogram/tensogram_masks.c"
#undef memset
#include "tensogram/tensogram_planes.c"
#include "tensogram/tensogram_source.c"

utet_status utet_payload_fetch(utet_stream *s, uint64_t position, size_t length, uint64_t ahead, const uint8_t **at,
                               size_t *have)
{
    static uint8_t bytes[4];

    (void)s;
    (void)position;
    /*@ assert length: length <= ahead <= 4; */
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    *have = Frama_C_interval_split(0, 1) ? length : 4;
    *at = bytes + sizeof bytes - *have;
    return answer(UTET_E_SHORT);
}

utet_status utet_payload_copy(utet_stream *s, uint64_t position, void *buffer, size_t length)
{
    (void)s;
    (void)position;
    Frama_C_make_unknown((char *)buffer, length);
    return answer(UTET_E_SHORT);
}

static utet_status any_read(utet_stream *s, uint8_t *to, uint64_t size)
{
    if (to != NULL)
        Frama_C_make_unknown((char *)to, (size_t)size);
    s->priv.done = any64();
    return answer(UTET_E_PAYLOAD);
}

static utet_status any_skip(utet_stream *s, uint64_t size)
{
    return any_read(s, NULL, size);
}

static void masks(void)
{
    static const uint8_t sizes[] = {2, 2, 4, 8, 8, 16}; /* of the dtypes that have NaN */
    static uint8_t bytes[2 * 16];
    const unsigned dtype = (unsigned)Frama_C_interval_split(0, 5),
                   which = (unsigned)Frama_C_interval_split(0, UTET_MASKS);
    unsigned mask;
    const size_t count = (size_t)Frama_C_interval_split(0, 2);
    const int as_float = dtype == 3 && Frama_C_interval_split(0, 1);

    object.dtype = (uint8_t)(dtype + UTET_TENSOR_FLOAT16);
    tensor.priv.width = sizes[dtype];
    tensor.priv.phase = 1;
    for (mask = 0; mask != UTET_MASKS; mask++)
        object.mask[mask].method = (uint8_t)(mask == which);
    (void)utet_masks_apply(&tensor, bytes + sizeof bytes - count * (as_float ? 4u : sizes[dtype]), count, as_float);
}

/* Planes of up to 2 bytes, in memory or in the payload; each range of them, each state in between. */
static void planes(void)
{
    static uint8_t decoded[4], bytes[3];
    const int step = Frama_C_interval_split(1, 2), length = Frama_C_interval_split(1, 2);
    const int source = Frama_C_interval_split(0, step * length - 1);
    const int most = step * length - source, size = Frama_C_interval_split(1, most < 3 ? most : 3);
    const int stride = step < size ? step : size, plane = Frama_C_interval_split(0, stride);

    object.shuffle_size = (uint64_t)step;
    tensor.priv.plane_length = (uint64_t)length;
    tensor.priv.source = (uint64_t)source;
    tensor.priv.plane = (size_t)plane;
    tensor.priv.plane_done = plane == stride ? 0 : (size_t)Frama_C_interval_split(0, (size - plane - 1) / stride + 1);
    tensor.priv.planes = Frama_C_interval_split(0, 1) ? decoded + (sizeof decoded - (size_t)(step * length)) : NULL;
    (void)utet_planes_read(&tensor, bytes + sizeof bytes - size, (size_t)size);
}

static void sources(void)
{
    static uint8_t bytes[4];
    static utet_codec_driver driver;
    static utet_bits_codec codec;
    const size_t size = (size_t)Frama_C_interval_split(0, 4);

    driver.read = any_read;
    codec.codec.driver = &driver;
    codec.skip = any_skip;
    tensor.priv.stream.priv.codec = &codec.codec;
    object.compression = (uint8_t)Frama_C_interval_split(UTET_COMPRESSION_LZ4, UTET_COMPRESSION_ROARING);
    tensor.priv.source_kind = (uint8_t)Frama_C_interval_split(UTET_SOURCE_RAW, UTET_SOURCE_CODEC);
    if (Frama_C_interval_split(0, 1))
        (void)utet_source_read(&tensor, bytes + sizeof bytes - size, size);
    else
        (void)utet_source_read(&tensor, NULL, any64());
}

void eva_main(void)
{
    any_tensor();
    switch (Frama_C_interval_split(0, 2)) {
    case 0: masks(); break;
    case 1: planes(); break;
    default: sources(); break;
    }
}
#endif

#if EVA_PART == 2
#include "tensogram/tensogram_bitmask.c"

void utet_runs_begin(utet_bit_runs *runs, const utet_bits_codec *codec, uint64_t bits, uint64_t offset, uint64_t length,
                     const uint8_t *map)
{
    Frama_C_make_unknown((char *)runs, sizeof *runs);
    (void)codec;
    (void)bits;
    (void)offset;
    (void)length;
    (void)map;
}

utet_status utet_payload_error(utet_stream *s, uint64_t position, utet_status status)
{
    (void)s;
    (void)position;
    return status;
}

utet_status utet_payload_fetch(utet_stream *s, uint64_t position, size_t length, uint64_t ahead, const uint8_t **at,
                               size_t *have)
{
    static uint8_t bytes[4];

    /*@ assert length: length == 4 && position + ahead <= s->priv.stored; */
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    *have = length;
    *at = bytes;
    return answer(UTET_E_SHORT);
}

void eva_main(void)
{
    static const utet_bits_codec codec;
    static bitmask work;
    static uint8_t whole[2];
    const int length = Frama_C_interval_split(0, 2), left = length != 0;
    utet_stream stream;
    utet_need need;

    Frama_C_make_unknown((char *)&stream, sizeof stream);
    Frama_C_make_unknown((char *)&work, sizeof work);
    stream.priv.file = &file;
    stream.priv.work = (uint8_t *)&work;
    stream.priv.whole = Frama_C_interval_split(0, 1) ? whole + (length == 1) : NULL;
    stream.priv.out = Frama_C_interval_split(0, 1) ? work.bits : NULL;
    stream.priv.stored = Frama_C_interval_split(0, 1) ? 3 : 20;
    stream.length = (uint64_t)length;
    if (Frama_C_interval_split(0, 1)) {
        (void)utet_bitmask_need(&stream, 0, &need);
        (void)utet_bitmask_open(&stream);
        /*@ assert need: need.least <= sizeof(bitmask); */
        return;
    }
    work.made = (uint64_t)(length - left);
    if (Frama_C_interval_split(0, 1)) {
        stream.priv.avail = (size_t)Frama_C_interval_split(0, 2); /* of the delivered bytes */
        stream.priv.out = work.bits;
        stream.priv.done = (uint64_t)Frama_C_interval_split(0, 2);
        (void)utet_bitmask_skip(&stream, stream.priv.done + any32(), &codec);
        return;
    }
    (void)utet_bitmask_step(&stream, &codec);
}
#endif
