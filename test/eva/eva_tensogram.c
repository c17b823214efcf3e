/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the reader of Tensogram messages. EVA_PART 1: the tokens of CBOR. 2: preamble, postamble and frames.
 * 3: simple_packing, two and three numbers from a string of bits that ends with the memory; 4: names, elements as
 * doubles and text, hashes of byte ranges; 5: the calls that begin messages and frames, and opening. An alarm is
 * possible undefined behaviour.
 *
 * The window is replaced by its contract (base.h): as many bytes as were requested or up to three more, of any values,
 * and memory ends after them; or a failure. Each part begins in any state that its invariant allows, makes one call,
 * and compares the state after it with the invariant, so what is shown for one call holds for all of them.
 *
 * eva.sh: 5 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 20000 -eva-slevel-function cbor_widen_float:0 -eva-split-return full
 *   2: -eva-slevel 20000 -eva-split-return full
 *   3: -eva-slevel 20000 -eva-slevel-function unpack_power:0,unpack_tenths:0 -warn-special-float none
 *   4: -eva-slevel 1000 -warn-special-float none
 *   5: -eva-slevel 20 -eva-use-spec tensogram_message_find,message_open_at,utet_frame_step
 */
#include <string.h>

#include "eva_any.h"

#if EVA_PART <= 2
/* The same number, and a state for each. */
static size_t one_of(size_t number)
{
    size_t each;

    for (each = 0; each != number; each++) {}
    return each;
}
#endif

#if EVA_PART == 1
#include "base/utf8.c"
#define ONE_1 1
#define ONE_most (most = one_of(most))
#define ONE_head (head->bytes = (uint8_t)one_of(head->bytes), head) /* ->bytes */
#define utet_fetch(file, length, offset) utet_fetch((file), ONE_##length, (offset))
#include "cbor/cbor.c"
#undef utet_fetch
#elif EVA_PART == 2
#include "base/file.c"
#include "base/room.c"
#define end_magic frame_end_magic /* both files have one */
#define utet_fetch(file, bytes, offset) utet_fetch((file), (bytes = one_of(bytes)), (offset))
#include "tensogram/tensogram_frame.c"
#undef utet_fetch
#undef end_magic
#include "tensogram/tensogram_message.c"
#include "tensogram/tensogram_seek.c"
#include "cbor/cbor_open.c"
#include "tensogram/tensogram_bytes.c"
#elif EVA_PART == 3
#include "tensogram/tensogram_unpack.c"
#elif EVA_PART == 5
#include "tensogram/tensogram.h"

/* Part 2 analyses the functions on which they are built. */
/*@ assigns *message, file->priv.step, file->priv.busy \from *file;
    assigns \result \from *file; */
static utet_status tensogram_message_find(utet_file *file, utet_message *message, uint8_t call);
/*@ assigns *message, file->priv.step, file->priv.busy \from *file;
    assigns \result \from *file; */
static utet_status message_open_at(utet_file *file, uint64_t offset, utet_message *message, uint8_t call);
/*@ assigns *message, *frame \from *file;
    assigns \result \from *file; */
utet_status utet_frame_step(utet_file *file, utet_message *message, utet_frame *frame);

#include "base/file.c"
#include "base/room.c"
#define end_magic frame_end_magic /* both files have one */
#include "tensogram/tensogram_frame.c"
#undef end_magic
#include "tensogram/tensogram_message.c"
#include "cbor/cbor_open.c"
#include "tensogram/tensogram_bytes.c"
#else
#include "base/bytes.c"
#include "tensogram/tensogram_double.c"
#include "tensogram/tensogram_element.c"
#include "tensogram/tensogram_hash.c"
#include "tensogram/tensogram_names.c"
#include "tensogram/tensogram_text.c"
#endif

#if EVA_PART <= 2
static uint8_t held[64];
static utet_file file;
static int grants = 4; /* how many requests may succeed: then a loop is left, to be continued in some state */

utet_status utet_fetch(utet_file *of, size_t length, uint64_t offset)
{
    size_t have;
    size_t each;

    /*@ assert length: 1 <= length <= 61; */
    of->error_offset = offset;
    if (grants == 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    grants--;
    have = length + (size_t)Frama_C_interval_split(0, 1) * 3;
    for (each = 1; each != have; each++) {} /* one state for each number */
    Frama_C_make_unknown((char *)held, sizeof held);
    of->priv.at = held + (sizeof held - each);
    of->priv.have = each;
    return UTET_OK;
}
#endif

#if EVA_PART == 1
void eva_main(void)
{
    static utet_cbor cbor;
    utet_status status;

    Frama_C_make_unknown((char *)&cbor, sizeof cbor);
    file.priv.at = held;
    cbor.priv.file = &file;
    cbor.priv.levels = cbor.own;
    cbor.priv.most = UTET_CBOR_DEPTH;
    cbor.depth = (uint16_t)Frama_C_interval(0, UTET_CBOR_DEPTH);
    cbor.head_length = (uint8_t)Frama_C_interval(0, UTET_CBOR_HEAD);
    cbor.priv.fault = UTET_E_METADATA;
    status = utet_cbor_token(&cbor);
    /*@ assert depth: cbor.depth <= 32; */
    /*@ assert head: cbor.head_length <= 32; */
    if (status == UTET_OK)
        (void)utet_cbor_is(&cbor, "a key", 5);
}
#elif EVA_PART == 2
/* Not reached: the workspace has been opened. */
void utet_window_resize(utet_file *of, size_t window)
{
    (void)of;
    (void)window;
}

size_t utet_window_fit(const utet_file *of, size_t bytes)
{
    (void)of;
    (void)bytes;
    return any32();
}

void eva_main(void)
{
    static utet_io io;
    static utet_message message;
    static utet_frame frame;

    io.size = any64();
    file.priv.io = &io;
    file.priv.at = held;
    file.priv.state = UTET_STATE_OPEN;
    Frama_C_make_unknown((char *)&message, sizeof message);
    Frama_C_make_unknown((char *)&frame, sizeof frame);
    if (Frama_C_interval(0, 1))
        (void)utet_frame_step(&file, &message, &frame);
    else if (Frama_C_interval(0, 1))
        (void)utet_message_next(&file, &message);
    else if (Frama_C_interval(0, 1))
        (void)utet_message_seek(&file, any64(), &message);
    else
        (void)utet_message_at(&file, any64(), &message);
}
#elif EVA_PART == 5
utet_status utet_fetch(utet_file *of, size_t length, uint64_t offset)
{
    (void)length;
    of->error_offset = offset;
    return UTET_E_SHORT; /* not reached */
}

void utet_window_resize(utet_file *of, size_t window)
{
    of->priv.window = window;
}

size_t utet_window_fit(const utet_file *of, size_t bytes)
{
    (void)of;
    (void)bytes;
    return any32();
}

void eva_main(void)
{
    static utet_file file;
    static utet_io io;
    static utet_message message;
    static utet_frame frame;
    utet_options options;

    io.size = any64();
    file.priv.io = &io;
    file.budget = any32();
    file.priv.state = (uint8_t)any32();
    file.priv.busy = (uint8_t)any32();
    file.priv.step = (uint8_t)any32();
    Frama_C_make_unknown((char *)&message, sizeof message);
    Frama_C_make_unknown((char *)&frame, sizeof frame);
    options.budget = any32();
    (void)utet_messages_open(&file, Frama_C_interval(0, 1) ? &options : NULL);
    (void)utet_message_first(&file, &message);
    (void)utet_message_forward(&file, any64(), &message);
    (void)utet_frame_first(&file, &message, &frame);
    (void)utet_frame_next(&file, &message, &frame);
}
#elif EVA_PART == 3
void eva_main(void)
{
    static uint8_t string_of_bits[64];
    static uint8_t out[3 * 8];
    static utet_tensor tensor;
    static utet_object object;
    size_t count = (size_t)Frama_C_interval_split(2, 3);
    size_t bytes;

    Frama_C_make_unknown((char *)string_of_bits, sizeof string_of_bits);
    Frama_C_make_unknown((char *)&object, sizeof object);
    object.packing.reference = Frama_C_double_interval(-1e300, 1e300);
    tensor.priv.object = &object;
    if (utet_packing_begin(&tensor) != UTET_OK)
        return;
    if (tensor.priv.packing.bits > 64)
        return;
    tensor.priv.packing.bits = (uint8_t)Frama_C_interval_split(0, 64);
    tensor.priv.packing.odd_bits = (uint8_t)Frama_C_interval_split(0, 7);
    tensor.priv.packing.odd = (uint8_t)Frama_C_interval(0, 127);
    bytes = utet_packing_bytes(&tensor, count);
    /*@ assert bytes: bytes <= 64; */
    if (tensor.priv.packing.bits <= 32)
        utet_unpack_floats(&tensor, string_of_bits + (sizeof string_of_bits - bytes), out + (sizeof out - 4 * count),
                           count);
    else
        utet_unpack_doubles(&tensor, string_of_bits + (sizeof string_of_bits - bytes), out + (sizeof out - 8 * count),
                            count);
    /*@ assert odd: tensor.priv.packing.odd_bits <= 7; */
}
#else
/* ---- contracts of show and of the loads ---- */

utet_status utet_show_double(uint32_t dtype, const void *element, double *value)
{
    static const uint8_t sizes[] = {0, 4, 8, 4, 8, 1, 2, 2, 4, 2, 8};
    const uint8_t *at = element;

    /*@ assert dtype: dtype <= 10; */
    if (sizes[dtype] != 0)
        (void)*(volatile const uint8_t *)(at + sizes[dtype] - 1);
    *value = 0;
    return dtype != 0 ? UTET_OK : UTET_E_DTYPE;
}

utet_status utet_show_text(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length)
{
    double value;

    if (utet_show_double(dtype, element, &value) != UTET_OK)
        return UTET_E_DTYPE;
    if (size < UTET_SHOW_SIZE)
        return UTET_E_SPACE;
    Frama_C_make_unknown(buffer, UTET_SHOW_SIZE);
    *length = (size_t)Frama_C_interval(1, UTET_SHOW_SIZE - 1);
    return UTET_OK;
}

uint64_t utet_be64(const uint8_t *at)
{
    (void)at[7];
    return any64();
}

/* Elements of each dtype where memory ends, and of a number that is no dtype. */
static void elements(unsigned dtype)
{
    static const uint8_t sizes[] = {16, 2, 2, 4, 8, 8, 16, 1, 2, 4, 8, 1, 2, 4, 8, 1};
    static uint8_t bytes[16];
    static char text[3 * UTET_SHOW_SIZE];
    const uint8_t *at = bytes + sizeof bytes - sizes[dtype];
    double value, imaginary;
    size_t length;

    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    (void)utet_tensor_double((uint8_t)dtype, at, &value, Frama_C_interval(0, 1) ? &imaginary : NULL);
    (void)utet_tensor_text((uint8_t)dtype, at, text, sizeof text, &length);
}

static void names(size_t length)
{
    static char text[12];
    static utet_cbor reader;

    Frama_C_make_unknown(text, sizeof text);
    (void)utet_name_number(utet_dtype_names, text + sizeof text - length, length);
    Frama_C_make_unknown((char *)reader.head, sizeof reader.head);
    reader.token = UTET_CBOR_TEXT;
    reader.length = length;
    (void)utet_name_of(&reader, utet_compression_names);
}

/* Byte ranges that end with memory. */
static void hashes(unsigned length)
{
    static uint8_t bytes[SHORT_MOST];
    static utet_frame_hash state;

    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    Frama_C_make_unknown((char *)&state, sizeof state);
    if (length <= 16)
        (void)hash_tiny(bytes + sizeof bytes - length, length);
    else
        (void)from_both_ends(bytes + sizeof bytes - length, length);
    if (length == STRIPE) {
        hash_accumulate(&state, bytes + sizeof bytes - STRIPE, SECRET_LAST);
        hash_scramble(&state);
        (void)hash_merge(&state, any64());
    }
}

void eva_main(void)
{
    utet_item item;
    unsigned i;

    Frama_C_make_unknown((char *)&item, sizeof item);
    (void)utet_item_double(&item);
    for (i = 0; i <= 15u; i++) {
        elements(i);
        use_text(utet_tensor_dtype_name((uint8_t)i));
        use_text(utet_compression_name((uint8_t)i));
    }
    for (i = 0; i <= 12u; i++)
        names(i);
    for (i = 0; i <= SHORT_MOST; i++)
        hashes(i);
}
#endif
