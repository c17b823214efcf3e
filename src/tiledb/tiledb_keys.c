/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of texts in the caller's memory, for metadata and members whose last entry counts (§1.1): a tree whose
 * branches test one bit each. A bit is tested at most once on the way down, so looking for a text costs work in
 * proportion to its length, whatever texts there are.
 *
 * A text is treated as symbols of 9 bits, 0x100 and a byte, with 0 after its end; so no text is the beginning of
 * another one. Record i has text i, and branch i except for the first; a reference is twice a record's number, and 1
 * more for its text. Records grow from the front of the memory, texts from its end.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"
#include "utet_tiledb_folder.h"

#include <string.h>

typedef struct keys_record {
    uint32_t child[2];
    uint32_t byte; /* that the branch asks for, */
    uint32_t mask; /* and which bit of its symbol */
    uint32_t text; /* offset in the memory, and size */
    uint32_t size;
} keys_record;

static unsigned keys_symbol(const uint8_t *text, uint32_t size, uint32_t i)
{
    return i < size ? 0x100u | text[i] : 0;
}

/* Returns the side of a branch on which the text is. */
static unsigned keys_side(const keys_record *branch, const uint8_t *text, uint32_t size)
{
    return (keys_symbol(text, size, branch->byte) & branch->mask) != 0;
}

/* The first symbol in which the texts differ, and its highest bit that does; 0: they are equal. */
static uint32_t keys_difference(const uint8_t *a, uint32_t a_size, const uint8_t *b, uint32_t b_size, uint32_t *byte)
{
    const uint32_t most = a_size > b_size ? a_size : b_size;
    uint32_t mask = 0x100;
    uint32_t i = 0;
    unsigned differ;

    while (i < most && keys_symbol(a, a_size, i) == keys_symbol(b, b_size, i))
        i++;
    if (i == most)
        return 0;
    *byte = i;
    differ = keys_symbol(a, a_size, i) ^ keys_symbol(b, b_size, i);
    while ((differ & mask) == 0)
        mask >>= 1;
    return mask;
}

/* Puts the text at `text` into the tree, as a new record. UTET_END: it is there. */
static utet_status keys_insert(utet_tiledb_keys *keys, uint32_t text, uint32_t size)
{
    keys_record *records = (keys_record *)(void *)keys->priv.memory;
    keys_record *added = &records[keys->count];
    const uint8_t *bytes = keys->priv.memory + text;
    uint32_t *slot = &keys->priv.root;
    uint32_t reference = keys->priv.root;

    added->text = text;
    added->size = size;
    if (keys->count == 0) {
        keys->priv.root = 1;
    } else {
        while ((reference & 1) == 0)
            reference = records[reference / 2].child[keys_side(&records[reference / 2], bytes, size)];
        added->mask = keys_difference(bytes, size, keys->priv.memory + records[reference / 2].text,
                                      records[reference / 2].size, &added->byte);
        if (added->mask == 0)
            return UTET_END;
        while ((*slot & 1) == 0) {
            keys_record *branch = &records[*slot / 2];

            if (branch->byte > added->byte || (branch->byte == added->byte && branch->mask < added->mask))
                break;
            slot = &branch->child[keys_side(branch, bytes, size)];
        }
        added->child[keys_side(added, bytes, size)] = 2 * keys->count + 1;
        added->child[!keys_side(added, bytes, size)] = *slot;
        *slot = 2 * keys->count;
    }
    keys->priv.text = text;
    keys->count++;
    return UTET_OK;
}

utet_status utet_tiledb_keys_init(utet_tiledb_keys *keys, void *memory, size_t size)
{
    memset(keys, 0, sizeof *keys);
    if (memory == NULL || ((uintptr_t)memory & 3) != 0)
        return UTET_E_ARGUMENT;
    keys->priv.memory = memory;
    keys->priv.text = (uint32_t)(size < INT32_MAX ? size : INT32_MAX);
    return UTET_OK;
}

utet_status utet_tiledb_keys_add(utet_tiledb_keys *keys, utet_tiledb *tile, const utet_tiledb_text *text)
{
    const uint32_t room = keys->priv.text - keys->count * (uint32_t)sizeof(keys_record);
    const uint64_t wanted = (uint64_t)text->size + sizeof(keys_record);
    utet_status status = utet_tiledb_enter(tile, UTET_CALL_TILEDB_KEY);

    if (status != UTET_OK)
        return status;
    if (wanted > room) {
        keys->needed = (size_t)(wanted - room);
        return utet_tiledb_leave(tile, UTET_E_SPACE);
    }
    status = utet_tiledb_copy(tile, text, keys->priv.memory + (keys->priv.text - text->size), text->size);
    if (status == UTET_OK)
        status = keys_insert(keys, keys->priv.text - text->size, text->size);
    return utet_tiledb_leave(tile, status);
}

#endif
