/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening a tensor's data after checking the hash of its frame (FORMAT.md §2.1): nothing is decoded, and no memory is
 * requested, before the hash has been verified. The state of the hash uses the memory in which masks have theirs
 * later.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include <string.h>

enum { VERIFIED_BEGIN, VERIFIED_OPEN, VERIFIED_HASH }; /* file->priv.step; the first two are those of opening itself */

static utet_status verified_open(utet_tensor *t, utet_file *file, const utet_object *o)
{
    utet_frame_hash *state = &t->priv.shared.hash;
    utet_status status;

    if (file->priv.step == VERIFIED_BEGIN) {
        memset(t, 0, sizeof *t); /* nothing is open meanwhile */
        utet_hash_begin(state);
        file->priv.step = VERIFIED_HASH;
    }
    status = utet_hash_frame(file, state, o->frame_offset, o->frame_length, UTET_FRAME_TENSOR);
    if (status != UTET_OK)
        return status;
    if (state->value != o->hash) {
        file->error_offset = o->frame_offset;
        return UTET_E_CHECKSUM;
    }
    file->priv.step = VERIFIED_BEGIN;
    return UTET_OK;
}

utet_status utet_tensor_open(utet_tensor *tensor, utet_file *file, const utet_object *object)
{
    utet_status status = utet_enter(file, UTET_CALL_TENSOR_OPEN);

    if (status != UTET_OK)
        return status;
    if (file->priv.step != VERIFIED_OPEN && object->hashed != UTET_HASH_NONE)
        status = verified_open(tensor, file, object);
    return utet_leave(file, status == UTET_OK ? utet_tensor_begin(tensor, file, object) : status);
}

#endif
