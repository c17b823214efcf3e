/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Declarations for the components above this one: the calls of utet_cbor.h without the protocol, for use
 * inside of another call. Internal to the library. */
#ifndef UTET_CBOR_INTERNAL_H
#define UTET_CBOR_INTERNAL_H

#include "../base/base.h"
#include "utet_cbor.h"

/* file->priv.busy */
enum { UTET_CALL_CBOR_NEXT = 0x28, UTET_CALL_CBOR_TEXT, UTET_CALL_ITEM_NEXT, UTET_CALL_ITEM_TEXT };

#define UTET_CBOR_LIMIT ((uint32_t)1 << 30) /* a byte range is shorter, so a level's word has two bits to spare */

/* Levels, file and what faults are called. Null: the reader's own levels. */
void utet_cbor_use(utet_cbor *cbor, utet_file *file, uint32_t *levels, uint16_t most, utet_status fault);
/* Begins to read the byte range at `offset`; `length` is below UTET_CBOR_LIMIT, the range is within the file. */
void utet_cbor_begin(utet_cbor *cbor, uint64_t offset, uint32_t length);
/* utet_cbor_next. */
utet_status utet_cbor_token(utet_cbor *cbor);
/* Reports the fault at position `at` of the byte range. */
utet_status utet_cbor_fault(utet_cbor *cbor, uint32_t at);
/* Returns nonzero if the text or key that is the token equals a text of at most UTET_CBOR_HEAD bytes. */
int utet_cbor_is(const utet_cbor *cbor, const char *text, size_t length);
/* Returns nonzero if a shorter float has the value of the float that is the token. */
int utet_cbor_float_is_long(const utet_cbor *cbor);
/* The token as an item. */
void utet_cbor_item(const utet_cbor *cbor, utet_item *item);

/* utet_item_next in two halves: the key of the next entry (NULL in a list), then its value, which advances the list.
 * Between them the reader's head and length are those of the key. Both continue where they were when they are
 * repeated; a search that is given up sets reader->priv.step to 0. */
utet_status utet_item_key(utet_cbor *reader, utet_item *list, utet_item *key);
utet_status utet_item_value(utet_cbor *reader, utet_item *list, utet_item *item);
/* Both halves. */
utet_status utet_item_entry(utet_cbor *reader, utet_item *list, utet_item *key, utet_item *item);

#endif
