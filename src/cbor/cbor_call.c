/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The public calls of utet_cbor.h: the protocol around what is inside. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_cbor.h says so */

#include "cbor.h"

utet_status utet_cbor_open(utet_cbor *cbor, utet_file *file, uint64_t offset, uint64_t length, uint32_t *levels,
                           uint16_t most)
{
    if (cbor == NULL || file == NULL || file->priv.io == NULL)
        return UTET_E_ARGUMENT;
    if (file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    if (utet_add(offset, length) > file->priv.io->size)
        return UTET_E_RANGE;
    utet_cbor_use(cbor, file, levels, most, UTET_E_METADATA);
    file->error_offset = offset;
    if (length >= UTET_CBOR_LIMIT)
        return UTET_E_LIMIT;
    utet_cbor_begin(cbor, offset, (uint32_t)length);
    return UTET_OK;
}

utet_status utet_cbor_next(utet_cbor *cbor)
{
    utet_status status = utet_enter(cbor->priv.file, UTET_CALL_CBOR_NEXT);

    return status == UTET_OK ? utet_leave(cbor->priv.file, utet_cbor_token(cbor)) : status;
}

static utet_status cbor_copy(utet_file *file, uint8_t call, const utet_item *text, uint32_t from, char *buffer,
                             size_t size)
{
    utet_status status = utet_enter(file, call);

    if (status == UTET_OK)
        status = utet_given(file, buffer, size);
    if (status != UTET_OK)
        return status;
    file->priv.at = NULL; /* a short text comes through the window */
    status = UTET_E_RANGE;
    if ((text->kind == UTET_CBOR_TEXT || text->kind == UTET_CBOR_BYTES) && from <= text->length &&
        size <= text->length - from)
        status = utet_copy_bytes(file, (uint8_t *)buffer, text->place + from, size);
    return utet_leave(file, status);
}

utet_status utet_cbor_text(utet_cbor *cbor, uint32_t from, char *buffer, size_t size)
{
    utet_item item;

    utet_cbor_item(cbor, &item);
    return cbor_copy(cbor->priv.file, UTET_CALL_CBOR_TEXT, &item, from, buffer, size);
}

utet_status utet_item_text(utet_cbor *reader, const utet_item *text, uint32_t from, char *buffer, size_t size)
{
    return cbor_copy(reader->priv.file, UTET_CALL_ITEM_TEXT, text, from, buffer, size);
}

utet_status utet_item_next(utet_cbor *reader, utet_item *list, utet_item *key, utet_item *item)
{
    utet_file *file = reader->priv.file;
    uint8_t busy = file->priv.busy;
    utet_status status = utet_enter(file, UTET_CALL_ITEM_NEXT);

    if (status != UTET_OK)
        return status;
    if (busy == UTET_CALL_NONE)
        reader->priv.step = 0;
    return utet_leave(file, utet_item_entry(reader, list, key, item));
}

#endif
