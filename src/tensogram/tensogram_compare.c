/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Index and hash frames against the frames themselves (§2.2): each list in step with the tensor frames. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <string.h>

/* state->priv.step */
enum {
    TENSOGRAM_COMPARE_BEGIN,
    TENSOGRAM_COMPARE_FRAME,
    TENSOGRAM_COMPARE_ROOT,
    TENSOGRAM_COMPARE_LIST,
    TENSOGRAM_COMPARE_ALGORITHM,
    TENSOGRAM_COMPARE_TENSOR,
    TENSOGRAM_COMPARE_ENTRY,
    TENSOGRAM_COMPARE_TEXT,
    TENSOGRAM_COMPARE_LAST
};
enum { LIST_OFFSETS, LIST_LENGTHS, LIST_ALGORITHM, LIST_HASHES, LISTS };

static const struct {
    const char *text;
    uint8_t length;
} tensogram_compare_names[LISTS] = {{"offsets", 7}, {"lengths", 7}, {"algorithm", 9}, {"hashes", 6}};

/* A fault of the frame that is compared. */
static utet_status compare_fault(utet_metadata *metadata)
{
    metadata->priv.file->error_offset = metadata->priv.walk.offset;
    return metadata->reader.priv.fault;
}

/* On to the next index or hash frame; UTET_END: there are no more. */
static utet_status next_frame(utet_metadata *metadata, utet_metadata_comparing *state)
{
    const utet_frame *frame = &metadata->priv.walk;
    utet_status status = utet_frame_step(metadata->priv.file, metadata->priv.message, &metadata->priv.walk);
    int is_index = frame->type == UTET_FRAME_HEADER_INDEX || frame->type == UTET_FRAME_FOOTER_INDEX;
    int is_hashes = frame->type == UTET_FRAME_HEADER_HASHES || frame->type == UTET_FRAME_FOOTER_HASHES;

    if (status != UTET_OK || (!is_index && !is_hashes))
        return status;
    state->priv.list_number = is_index ? LIST_OFFSETS : LIST_ALGORITHM;
    metadata->reader.priv.fault = is_index ? UTET_E_INDEX : UTET_E_CHECKSUM;
    if (frame->content_length >= UTET_CBOR_LIMIT)
        return compare_fault(metadata);
    utet_cbor_begin(&metadata->reader, frame->content_offset, (uint32_t)frame->content_length);
    state->priv.step = TENSOGRAM_COMPARE_ROOT;
    return UTET_OK;
}

static void compare_aim(utet_metadata *metadata, utet_metadata_comparing *state)
{
    utet_metadata_aim(metadata, &state->priv.root);
    state->priv.step = TENSOGRAM_COMPARE_LIST;
}

static utet_status compare_root(utet_metadata *metadata, utet_metadata_comparing *state)
{
    utet_status status = utet_cbor_token(&metadata->reader);

    if (status != UTET_OK)
        return status;
    utet_cbor_item(&metadata->reader, &state->priv.root);
    if (state->priv.root.kind != UTET_CBOR_MAP)
        return compare_fault(metadata);
    compare_aim(metadata, state);
    return UTET_OK;
}

static utet_status find_list(utet_metadata *metadata, utet_metadata_comparing *state)
{
    unsigned list = state->priv.list_number;
    utet_status status = utet_metadata_search(metadata, tensogram_compare_names[list].text,
                                              tensogram_compare_names[list].length);
    uint8_t kind = list == LIST_ALGORITHM ? UTET_CBOR_TEXT : UTET_CBOR_LIST;

    if (status == UTET_E_NOT_FOUND || (status == UTET_OK && metadata->priv.search.item.kind != kind))
        return compare_fault(metadata);
    if (status != UTET_OK)
        return status;
    state->priv.list = metadata->priv.search.item;
    state->priv.step = list == LIST_ALGORITHM ? TENSOGRAM_COMPARE_ALGORITHM : TENSOGRAM_COMPARE_TENSOR;
    metadata->reader.priv.step = 0;
    utet_frame_start(metadata->priv.message, &state->priv.tensor);
    return UTET_OK;
}

/* Hashes of other algorithms are skipped. */
static utet_status compare_algorithm(utet_metadata *metadata, utet_metadata_comparing *state)
{
    utet_status status;

    state->priv.step = TENSOGRAM_COMPARE_FRAME;
    if (state->priv.list.length != 4)
        return UTET_OK;
    status = utet_fetch(metadata->priv.file, 4, state->priv.list.place);
    if (status != UTET_OK) {
        state->priv.step = TENSOGRAM_COMPARE_ALGORITHM;
        return status;
    }
    if (memcmp(metadata->priv.file->priv.at, "xxh3", 4) == 0) {
        state->priv.list_number = LIST_HASHES;
        compare_aim(metadata, state);
    }
    return UTET_OK;
}

/* On to the next tensor. */
static utet_status compare_tensor(utet_metadata *metadata, utet_metadata_comparing *state)
{
    utet_status status = utet_frame_step(metadata->priv.file, metadata->priv.message, &state->priv.tensor);

    if (status == UTET_END) {
        state->priv.step = TENSOGRAM_COMPARE_LAST;
        return UTET_OK;
    }
    if (status == UTET_OK && state->priv.tensor.type == UTET_FRAME_TENSOR)
        state->priv.step = TENSOGRAM_COMPARE_ENTRY;
    return status;
}

/* Its entry in the list. */
static utet_status compare_entry(utet_metadata *metadata, utet_metadata_comparing *state)
{
    const utet_frame *frame = &state->priv.tensor;
    utet_item key;
    utet_status status = utet_item_entry(&metadata->reader, &state->priv.list, &key, &state->priv.entry);
    uint64_t wanted = frame->length;

    if (status != UTET_OK)
        return status == UTET_END ? compare_fault(metadata) : status;
    if (state->priv.list_number == LIST_HASHES) {
        state->priv.step = TENSOGRAM_COMPARE_TEXT;
        return state->priv.entry.kind == UTET_CBOR_TEXT && state->priv.entry.length == 16 ? UTET_OK
                                                                                          : compare_fault(metadata);
    }
    if (state->priv.list_number == LIST_OFFSETS)
        wanted = frame->offset - metadata->priv.message->offset;
    state->priv.step = TENSOGRAM_COMPARE_TENSOR;
    return state->priv.entry.kind == UTET_CBOR_UNSIGNED && state->priv.entry.number == wanted ? UTET_OK
                                                                                              : compare_fault(metadata);
}

/* A hash as 16 hexadecimal digits. */
static utet_status compare_text(utet_metadata *metadata, utet_metadata_comparing *state)
{
    static const char digits[] = "0123456789abcdef";
    utet_status status = utet_fetch(metadata->priv.file, 16, state->priv.entry.place);
    unsigned i;

    if (status != UTET_OK)
        return status;
    for (i = 0; i < 16; i++)
        if (metadata->priv.file->priv.at[i] != (uint8_t)digits[state->priv.tensor.hash >> (60 - 4 * i) & 15])
            return compare_fault(metadata);
    state->priv.step = TENSOGRAM_COMPARE_TENSOR;
    return UTET_OK;
}

/* After the last tensor, the list must also have ended. */
static utet_status compare_last(utet_metadata *metadata, utet_metadata_comparing *state)
{
    utet_item key;
    utet_item item;
    utet_status status = utet_item_entry(&metadata->reader, &state->priv.list, &key, &item);

    if (status != UTET_END)
        return status == UTET_OK ? compare_fault(metadata) : status;
    state->priv.step = TENSOGRAM_COMPARE_FRAME;
    if (state->priv.list_number == LIST_OFFSETS) {
        state->priv.list_number = LIST_LENGTHS;
        compare_aim(metadata, state);
    }
    return UTET_OK;
}

static utet_status compare_step(utet_metadata *metadata, utet_metadata_comparing *state)
{
    switch (state->priv.step) {
    case TENSOGRAM_COMPARE_FRAME: return next_frame(metadata, state);
    case TENSOGRAM_COMPARE_ROOT: return compare_root(metadata, state);
    case TENSOGRAM_COMPARE_LIST: return find_list(metadata, state);
    case TENSOGRAM_COMPARE_ALGORITHM: return compare_algorithm(metadata, state);
    case TENSOGRAM_COMPARE_TENSOR: return compare_tensor(metadata, state);
    case TENSOGRAM_COMPARE_ENTRY: return compare_entry(metadata, state);
    case TENSOGRAM_COMPARE_TEXT: return compare_text(metadata, state);
    default: return compare_last(metadata, state);
    }
}

utet_status utet_metadata_compare(utet_metadata *metadata, utet_metadata_comparing *state)
{
    utet_status status = utet_metadata_enter(metadata, UTET_CALL_METADATA_COMPARE);

    if (status != UTET_OK)
        return status;
    if (metadata->priv.step == TENSOGRAM_COMPARE_BEGIN) {
        utet_frame_start(metadata->priv.message, &metadata->priv.walk);
        metadata->priv.step = TENSOGRAM_COMPARE_FRAME;
        state->priv.step = TENSOGRAM_COMPARE_FRAME;
    }
    do
        status = compare_step(metadata, state);
    while (status == UTET_OK);
    if (status != UTET_WOULD_BLOCK)
        metadata->reader.priv.fault = UTET_E_METADATA;
    return utet_leave(metadata->priv.file, status == UTET_END ? UTET_OK : status);
}

#endif
