/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Items: the kept fields of a token, and the entries of a list or map, one at a time. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_cbor.h says so */

#include "cbor.h"

enum { CBOR_ITEM_BEGIN, CBOR_ITEM_KEY, CBOR_ITEM_VALUE, CBOR_ITEM_INSIDE }; /* reader->priv.step */

void utet_cbor_item(const utet_cbor *cbor, utet_item *item)
{
    item->number = cbor->number;
    item->place = cbor->base +
                  (cbor->token == UTET_CBOR_TEXT || cbor->token == UTET_CBOR_BYTES ? cbor->content : cbor->next);
    item->end = cbor->base + cbor->end;
    item->length = cbor->length;
    item->kind = cbor->token;
    item->flags = cbor->flags;
}

/* A list or map that ends without a break and before its count is a fault. */
static utet_status cbor_item_token(utet_cbor *reader)
{
    utet_status status = utet_cbor_token(reader);

    if (status == UTET_OK && reader->token == UTET_CBOR_END)
        status = utet_cbor_fault(reader, reader->begin);
    return status;
}

/* A break: there are no more entries, now and later. */
static utet_status cbor_item_ended(utet_item *list)
{
    list->flags &= (uint8_t)~UTET_CBOR_INDEFINITE;
    list->length = 0;
    return UTET_END;
}

utet_status utet_item_key(utet_cbor *reader, utet_item *list, utet_item *key)
{
    utet_status status;

    if (reader->priv.step == CBOR_ITEM_BEGIN) {
        if ((list->kind != UTET_CBOR_LIST && list->kind != UTET_CBOR_MAP) ||
            (list->length == 0 && (list->flags & UTET_CBOR_INDEFINITE) == 0))
            return UTET_END;
        utet_cbor_begin(reader, list->place, (uint32_t)(list->end - list->place));
        reader->priv.in_list = (list->flags & UTET_CBOR_INDEFINITE) != 0;
        reader->priv.step = CBOR_ITEM_KEY;
    }
    if (reader->priv.step == CBOR_ITEM_KEY) {
        key->kind = UTET_CBOR_NULL;
        if (list->kind == UTET_CBOR_MAP) {
            status = cbor_item_token(reader);
            if (status == UTET_WOULD_BLOCK)
                return status;
            reader->priv.step = CBOR_ITEM_BEGIN;
            if (status != UTET_OK)
                return status;
            if (reader->token == UTET_CBOR_CLOSE)
                return cbor_item_ended(list);
            if (reader->depth != 0)
                return utet_cbor_fault(reader, reader->begin);
            utet_cbor_item(reader, key);
        }
        reader->priv.step = CBOR_ITEM_VALUE;
    }
    return UTET_OK;
}

/* The value's first token, and then all that is inside of it. */
static utet_status cbor_item_pass(utet_cbor *reader, const utet_item *list, utet_item *item)
{
    while (reader->priv.step == CBOR_ITEM_VALUE || reader->depth != 0) {
        utet_status status = cbor_item_token(reader);

        if (status != UTET_OK)
            return status;
        if (reader->priv.step == CBOR_ITEM_VALUE) {
            reader->priv.step = CBOR_ITEM_INSIDE;
            utet_cbor_item(reader, item);
            if (reader->token == UTET_CBOR_CLOSE)
                return list->kind == UTET_CBOR_LIST ? UTET_END : utet_cbor_fault(reader, reader->begin);
        }
    }
    return UTET_OK;
}

utet_status utet_item_value(utet_cbor *reader, utet_item *list, utet_item *item)
{
    utet_status status = cbor_item_pass(reader, list, item);

    if (status == UTET_WOULD_BLOCK)
        return status;
    reader->priv.step = CBOR_ITEM_BEGIN;
    if (status == UTET_END)
        return cbor_item_ended(list);
    if (status == UTET_OK) {
        list->place = reader->base + reader->next;
        if (list->length != 0)
            list->length--;
    }
    return status;
}

utet_status utet_item_entry(utet_cbor *reader, utet_item *list, utet_item *key, utet_item *item)
{
    utet_status status = utet_item_key(reader, list, key);

    return status == UTET_OK ? utet_item_value(reader, list, item) : status;
}

#endif
