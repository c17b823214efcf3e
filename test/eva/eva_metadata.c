/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over a message's metadata and descriptors. EVA_PART 1: items of CBOR and the calls around tokens. 2:
 * paths through the merged view. 3: index and hash frames. 4: descriptors, the tensor with a number. 5: opening. 6:
 * each step of comparing the keys of two tensors; 7: the call that makes such steps. An alarm is possible undefined
 * behaviour.
 *
 * Window, tokens and frames are replaced by their contracts (eva_cbor.h); in parts 2, 3, 5 and 6 also the search for a
 * key. Each part begins in any state that its invariant allows.
 *
 * eva.sh: 7 parts, x86_32, x86_64, ppc_32
 *   1 3 5: -eva-slevel 300 -eva-split-return full
 *   2: -eva-slevel 20 -eva-slevel-function tensogram_find_wanted:200,paths:200,cursors:200,tensogram_find_move:200
 *   4: -eva-slevel 100 -eva-split-return full -warn-special-float none
 *   6: -eva-slevel 3000
 *   7: -eva-slevel 20 -eva-use-spec tensogram_common_advance
 */
#include <string.h>

#include "eva_cbor.h"

#include "base/bytes.c"
#include "base/room.c"
#include "base/file.c"

static utet_metadata metadata;
static utet_message message;

static void any_metadata(void)
{
    any_file();
    Frama_C_make_unknown((char *)&message, sizeof message);
    Frama_C_make_unknown((char *)&metadata, sizeof metadata);
    metadata.priv.file = &file;
    metadata.priv.message = &message;
    any_reader(&metadata.reader);
    any_frame(&metadata.priv.walk);
}

#if EVA_PART == 2 || EVA_PART == 3 || EVA_PART >= 5
void utet_metadata_aim(utet_metadata *of, const utet_item *map)
{
    of->priv.search.list = *map;
    of->priv.search_step = (uint8_t)any32();
    of->reader.priv.step = 0;
}

utet_status utet_metadata_search(utet_metadata *of, const char *text, size_t length)
{
    if (length != 0)
        (void)((volatile const char *)text)[length - 1];
    any_token(&of->reader);
    Frama_C_make_unknown((char *)&of->priv.search.item, sizeof of->priv.search.item);
    of->priv.search_step = (uint8_t)any32();
    of->priv.file->error_offset = any64();
    return answer(UTET_E_NOT_FOUND, UTET_E_METADATA);
}
#endif

#if EVA_PART == 2 || EVA_PART == 3 || EVA_PART >= 6
utet_status utet_metadata_enter(utet_metadata *of, uint8_t call)
{
    const utet_status status = of->priv.open ? utet_enter(of->priv.file, call) : UTET_E_STATE;

    if (status == UTET_OK && Frama_C_interval(0, 1)) {
        of->priv.step = 0;
        of->reader.priv.step = 0;
    }
    return status;
}

utet_status utet_metadata_enter_with(utet_metadata *of, uint8_t call, const utet_segment *segments, const char *text,
                                     size_t length)
{
    const utet_status status = utet_metadata_enter(of, call);

    of->priv.find.segments = segments;
    of->priv.find.dotted = text;
    of->priv.find.length = length;
    return status;
}
#endif

#if EVA_PART == 2 || EVA_PART >= 6
/* The content of a cursor: anything. */
static void any_entry(utet_entry *entry)
{
    Frama_C_make_unknown((char *)entry, sizeof *entry);
    any_frame(&entry->priv.walk);
}
#endif

#if EVA_PART >= 2
utet_status utet_cbor_fault(utet_cbor *cbor, uint32_t at)
{
    cbor->priv.file->error_offset = cbor->base + at;
    return cbor->priv.fault;
}

void utet_cbor_begin(utet_cbor *cbor, uint64_t offset, uint32_t length)
{
    cbor->base = offset;
    cbor->end = length;
    cbor->depth = 0;
}
#endif

#if EVA_PART == 4 || EVA_PART == 5
void utet_cbor_use(utet_cbor *cbor, utet_file *of, uint32_t *levels, uint16_t most, utet_status fault)
{
    (void)levels, (void)most;
    any_reader(cbor);
    cbor->priv.file = of;
    cbor->priv.fault = fault;
}
#endif

#if EVA_PART == 1
#include "cbor/cbor_item.c"
#define utet_cbor_token token_itself
#define item item_itself
#define text text_itself
#include "base/utf8.c"
#include "cbor/cbor.c"
#undef utet_cbor_token
#undef item
#undef text
#include "cbor/cbor_call.c"
#include "cbor/cbor_float.c"

utet_status utet_copy_bytes(utet_file *of, uint8_t *buffer, uint64_t offset, size_t size)
{
    of->error_offset = offset;
    if (size != 0)
        Frama_C_make_unknown((char *)buffer, size);
    return answer(UTET_E_PORT, UTET_E_SHORT);
}

static utet_item list, key, value;

static void calls(void)
{
    static char buffer[3];
    const size_t size = (size_t)Frama_C_interval_split(0, 3);
    static uint32_t levels[3];
    static utet_cbor reader;

    any_reader(&reader);
    switch (Frama_C_interval_split(0, 5)) {
    case 0:
        (void)utet_cbor_open(Frama_C_interval(0, 1) ? &reader : NULL, Frama_C_interval(0, 1) ? &file : NULL, any64(),
                             any64(), Frama_C_interval(0, 1) ? levels : NULL, 3);
        break;
    case 1: (void)utet_cbor_next(&reader); break;
    case 2: (void)utet_cbor_text(&reader, any32(), buffer + sizeof buffer - size, size); break;
    case 3: (void)utet_item_text(&reader, &list, any32(), buffer + sizeof buffer - size, size); break;
    case 4: (void)utet_item_next(&reader, &list, &key, &value); break;
    default: (void)utet_cbor_float_is_long(&reader); break;
    }
}

void eva_main(void)
{
    any_metadata();
    Frama_C_make_unknown((char *)&list, sizeof list);
    Frama_C_make_unknown((char *)&key, sizeof key);
    calls();
}
#elif EVA_PART == 2
#include "cbor/cbor_item.c"
#include "tensogram/tensogram_find.c"
#include "tensogram/tensogram_names.c"
const char utet_metadata_sections[] = "base\0_extra_\0_reserved_\0";

/* One segment that ends with memory, in all entries or in one. */
static void paths(void)
{
    static char text[3];
    const size_t length = (size_t)Frama_C_interval_split(1, 3);
    utet_segment segment;
    utet_item value;
    utet_entry one;
    size_t i;

    for (i = 0; i != sizeof text; i++)
        text[i] = 'e';
    metadata.priv.find.segment = 0;
    segment.text = text + sizeof text - length;
    segment.length = length;
    any_entry(&one);
    switch (Frama_C_interval_split(0, 3)) {
    case 0: (void)utet_metadata_find(&metadata, &segment, (size_t)Frama_C_interval_split(0, 1), &value); break;
    case 1: (void)utet_metadata_find_dotted(&metadata, segment.text, length, &value); break;
    case 2: (void)utet_entry_find(&metadata, &one, &segment, (size_t)Frama_C_interval_split(0, 1), &value); break;
    default: (void)utet_entry_find_dotted(&metadata, &one, segment.text, length, &value); break;
    }
}

/* A tensor's entry: of three tensors, at most those before it have been skipped, and there is no path. */
static void entries(void)
{
    const uint32_t target = (uint32_t)Frama_C_interval_split(0, 2);
    utet_item item, over;

    metadata.objects = 3;
    metadata.priv.find.entry = (uint32_t)Frama_C_interval(0, (int)target);
    metadata.priv.step = (uint8_t)Frama_C_interval(TENSOGRAM_FIND_BEGIN, TENSOGRAM_FIND_FIRST);
    if (Frama_C_interval(0, 1))
        metadata.priv.step = TENSOGRAM_FIND_ENTRY;
    (void)utet_metadata_entry(&metadata, target, &item, &over);
}

/* A cursor at one of three tensors. A call that is repeated has passed the check of its tensor's number. */
static void cursors(void)
{
    const uint32_t at = (uint32_t)Frama_C_interval_split(0, 2);
    utet_entry cursor;

    any_entry(&cursor);
    cursor.object = at;
    metadata.objects = 3;
    metadata.priv.find.entry = at;
    metadata.priv.step = (uint8_t)Frama_C_interval(TENSOGRAM_FIND_BEGIN, TENSOGRAM_FIND_FIRST);
    if (Frama_C_interval(0, 1))
        metadata.priv.step = TENSOGRAM_FIND_ENTRY;
    if (metadata.priv.step == TENSOGRAM_FIND_BEGIN && Frama_C_interval_split(0, 1))
        (void)utet_entry_first(&metadata, &cursor);
    else
        (void)utet_entry_next(&metadata, &cursor);
}

void eva_main(void)
{
    any_metadata();
    metadata.priv.miss = (uint8_t)(Frama_C_interval(0, 1)   ? TENSOGRAM_FIND_WALK
                                   : Frama_C_interval(0, 1) ? TENSOGRAM_FIND_OTHERS
                                                            : TENSOGRAM_FIND_NOWHERE);
    switch (Frama_C_interval_split(0, 2)) {
    case 0: paths(); break;
    case 1: entries(); break;
    default: cursors(); break;
    }
}
#elif EVA_PART >= 6
utet_status utet_metadata_search_key(utet_metadata *of, const utet_item *wanted)
{
    (void)*(volatile const uint8_t *)&wanted->kind;
    Frama_C_make_unknown((char *)&of->priv.search.key, sizeof of->priv.search.key);
    Frama_C_make_unknown((char *)&of->priv.search.list, sizeof of->priv.search.list);
    return utet_metadata_search(of, NULL, 0);
}

static utet_status any_item(utet_item *list, utet_item *item)
{
    Frama_C_make_unknown((char *)list, sizeof *list);
    Frama_C_make_unknown((char *)item, sizeof *item);
    return answer(UTET_END, UTET_E_METADATA);
}

utet_status utet_item_key(utet_cbor *cbor, utet_item *list, utet_item *key)
{
    any_token(cbor);
    return any_item(list, key);
}

utet_status utet_item_value(utet_cbor *cbor, utet_item *list, utet_item *value)
{
    any_token(cbor);
    return any_item(list, value);
}

int utet_cbor_is(const utet_cbor *cbor, const char *wanted, size_t length)
{
    (void)cbor->token;
    (void)((volatile const char *)wanted)[length - 1];
    return Frama_C_interval(0, 1);
}

#if EVA_PART == 7
/* A step: what part 6 proves about it. */
/*@ requires common->keys <= size * 8;
    assigns *common \from *common;
    assigns bits[0 .. size - 1] \from *common;
    assigns \result \from *common;
    ensures common->keys <= size * 8; */
static utet_status tensogram_common_advance(utet_metadata *metadata, utet_common *common, const utet_entry *first,
                                            const utet_entry *other, uint8_t *bits, size_t size);
#endif

/* A part of two values has any length that it may have, each in turn. */
static size_t piece;

static void piece_of(size_t some)
{
    (void)some;
    /*@ assert some: 1 <= some <= 16; */
}

#define utet_fetch(of, some, offset) (piece_of(some), some = piece, utet_fetch((of), (some), (offset)))
#include "tensogram/tensogram_common.c"
#undef utet_fetch

/* Bits of up to 16 keys that end with memory. A step other than to the next key has found room for the bit of its key,
 * and so has its result. */
void eva_main(void)
{
    static uint8_t bits[2];
    const size_t size = (size_t)Frama_C_interval_split(0, 2);
    utet_entry first, other;
    utet_common common;

    any_metadata();
    any_entry(&first);
    any_entry(&other);
    Frama_C_make_unknown((char *)bits, sizeof bits);
    Frama_C_make_unknown((char *)&common, sizeof common);
    if (EVA_PART == 7) {
        common.keys = (uint32_t)Frama_C_interval(0, (int)(8 * size));
        (void)utet_entry_common(&metadata, &first, &other, &common, bits + sizeof bits - size, size);
        return;
    }
    common.priv.step = (uint8_t)Frama_C_interval_split(TENSOGRAM_COMMON_KEY, TENSOGRAM_COMMON_MARK);
    common.keys = (uint32_t)Frama_C_interval_split(0, 8 * (int)size);
    if (common.keys == 8 * size && common.priv.step != TENSOGRAM_COMMON_KEY)
        return;
    piece = common.priv.step == TENSOGRAM_COMMON_COMPARE ? (size_t)Frama_C_interval_split(1, 16) : 1;
    (void)tensogram_common_advance(&metadata, &common, &first, &other, bits + sizeof bits - size, size);
    /*@ assert room: common.keys < size * 8 || (common.keys == size * 8 && common.priv.step == 0); */
}
#elif EVA_PART == 3
#include "cbor/cbor_item.c"

/* The same number, and a state for each. */
static size_t one_of(size_t number)
{
    size_t each;

    for (each = 0; each != number; each++) {}
    return each;
}

#define utet_metadata_search(of, text, length) (list = (unsigned)one_of(list), utet_metadata_search((of), text, length))
#include "tensogram/tensogram_compare.c"
#undef utet_metadata_search

void eva_main(void)
{
    static utet_metadata_comparing state;

    any_metadata();
    Frama_C_make_unknown((char *)&state, sizeof state);
    any_frame(&state.priv.tensor);
    state.priv.list_number = (uint8_t)Frama_C_interval(0, LISTS - 1);
    (void)utet_metadata_compare(&metadata, &state);
    /*@ assert list: state.priv.list_number < LISTS; */
}
#elif EVA_PART == 4
#include "tensogram/tensogram_double.c"
#include "tensogram/tensogram_names.c"
#include "tensogram/tensogram_object.c"
#include "tensogram/tensogram_object_find.c"
#include "tensogram/tensogram_object_law.c"

int utet_cbor_is(const utet_cbor *cbor, const char *text, size_t length)
{
    (void)cbor;
    (void)((volatile const char *)text)[length - 1];
    return Frama_C_interval(0, 1);
}

void utet_cbor_item(const utet_cbor *cbor, utet_item *item)
{
    Frama_C_make_unknown((char *)item, sizeof *item);
    item->kind = cbor->token;
}

static utet_object object;

void eva_main(void)
{
    static utet_frame frame;
    static utet_cbor reader;

    any_file();
    any_frame(&frame);
    any_reader(&reader);
    Frama_C_make_unknown((char *)&message, sizeof message);
    Frama_C_make_unknown((char *)&object, sizeof object);
    object.ndim = (uint8_t)Frama_C_interval(0, UTET_TENSOR_MAX_NDIM);
    object.priv.mask = (uint8_t)Frama_C_interval(0, UTET_MASKS - 1);
    object.priv.field = (uint8_t)Frama_C_interval(0, FIELD_LENGTH);
    object.dtype = (uint8_t)Frama_C_interval(0, UTET_TENSOR_BITMASK);
    if (Frama_C_interval(0, 1))
        (void)utet_object_open(&object, &file, &frame, &reader);
    else
        (void)utet_object_find(&object, &file, &message, any32(), &frame, &reader);
    /*@ assert ndim: object.ndim <= UTET_TENSOR_MAX_NDIM; */
    /*@ assert mask: object.priv.mask < UTET_MASKS; */
    /*@ assert field: object.priv.field <= FIELD_LENGTH; */
    /*@ assert dtype: object.dtype <= UTET_TENSOR_BITMASK; */
}

#else
#include "cbor/cbor_item.c"
#include "tensogram/tensogram_metadata.c"
#include "tensogram/tensogram_names.c"

utet_status utet_metadata_search_key(utet_metadata *of, const utet_item *key)
{
    (void)key;
    return utet_metadata_search(of, NULL, 0);
}

/* A call begins, or is repeated with the same path or another one. */
static void with_a_path(void)
{
    static const char texts[2];
    static const utet_segment segments[1];

    metadata.priv.find.segments = Frama_C_interval(0, 1) ? segments : NULL;
    metadata.priv.find.dotted = texts + Frama_C_interval(0, 1);
    (void)utet_metadata_enter_with(&metadata, (uint8_t)any32(), Frama_C_interval(0, 1) ? segments : NULL,
                                   texts + Frama_C_interval(0, 1), any32());
}

void eva_main(void)
{
    static uint32_t levels[3];

    any_metadata();
    if (Frama_C_interval(0, 1))
        (void)utet_metadata_open(&metadata, &file, &message, Frama_C_interval(0, 1) ? levels : NULL, 3);
    else if (Frama_C_interval(0, 1))
        (void)utet_metadata_enter(&metadata, (uint8_t)any32());
    else
        with_a_path();
}
#endif
