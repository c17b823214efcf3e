/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of this package share: the bytes of the raw tile, walking through its fields by rules. All of it
 * continues where it was when a call is repeated. Section numbers (§) are those of FORMAT.md. Internal to the library.
 */
#ifndef UTET_TILEDB_INTERNAL_H
#define UTET_TILEDB_INTERNAL_H

#include "../base/base.h"
#include "utet_tiledb.h"

/* file->priv.busy: 0x68 to 0x7F */
enum {
    UTET_CALL_TILEDB_OPEN = 0x68,
    UTET_CALL_TILEDB_READ,
    UTET_CALL_TILEDB_FILTER,
    UTET_CALL_TILEDB_SCHEMA,
    UTET_CALL_TILEDB_CHECK,
    UTET_CALL_TILEDB_FIRST,
    UTET_CALL_TILEDB_NEXT,
    UTET_CALL_TILEDB_FIND,
    UTET_CALL_TILEDB_ENUMERATION,
    UTET_CALL_TILEDB_OFFSETS,
    UTET_CALL_TILEDB_VALUE,
    UTET_CALL_TILEDB_VALUE_FIND,
    UTET_CALL_TILEDB_ENTRY_FIRST,
    UTET_CALL_TILEDB_ENTRY_NEXT,
    UTET_CALL_TILEDB_ENTRY_FIND,
    UTET_CALL_TILEDB_GROUP,
    UTET_CALL_TILEDB_MEMBER_FIRST,
    UTET_CALL_TILEDB_MEMBER_NEXT,
    UTET_CALL_TILEDB_KEY,
    UTET_CALL_TILEDB_VACUUM
};

/* Begins or repeats a call. UTET_OK: the call may continue. When it begins, step, walk and done are 0,
 * and no text is wanted. */
utet_status utet_tiledb_enter(utet_tiledb *tile, uint8_t call);
/* Ends the call unless `status` suspends it; a fault in a field is one in the chunks as a whole. */
utet_status utet_tiledb_leave(utet_tiledb *tile, utet_status status);

/* ---- tiledb_tile.c: the raw tile as a stream ---- */

enum { UTET_TILEDB_FIELD = 48 }; /* maximum of bytes fetched at once; less than half of the minimum that is held */

/* Before the first chunk again, whose number is kept. */
void utet_tiledb_rewind(utet_tiledb *tile);
/* Makes bytes [offset, offset + length) of the raw tile addressable at priv.at; priv.have (≥ length) are there. length
 * 1..UTET_TILEDB_FIELD. UTET_E_METADATA beyond the tile. */
utet_status utet_tiledb_fetch(utet_tiledb *tile, size_t length, uint32_t offset);
/* Decodes up to the end of the tile, and checks the end of the chunks. */
utet_status utet_tiledb_finish(utet_tiledb *tile);

/* ---- tiledb_wanting.c ---- */

/* Returns UTET_E_BUDGET; file->needed becomes the workspace in which a codec has `more` additional bytes. */
utet_status utet_tiledb_wanting(const utet_tiledb_part *part, uint64_t more);

/* ---- tiledb_fields.c: walking through fields ---- */

/* utet_tiledb_rule.op: 16 times the number of bytes in the file, and a number */
enum {
    UTET_OP_END,
    UTET_OP_SINCE,              /* skips `field` rules in versions before `of` */
    UTET_OP_BEFORE,             /* skips `field` rules in versions from `of` on */
    UTET_OP_UNLESS,             /* ends the walk when the byte of the object is not 0 */
    UTET_OP_EACH,               /* the filters of a list */
    UTET_OP_NAME,               /* a text that was passed, again: compared with what is wanted, and hashed */
    UTET_OP_HASH,               /* a text that was passed, again: hashed */
    UTET_OP_VALUE,              /* 1 << `of` values of the item's datatype, unless null_extent is set */
    UTET_OP_RANGE,              /* minimum and maximum of an item */
    UTET_OP_U8 = 16,            /* within `of` */
    UTET_OP_TYPE,               /* a datatype */
    UTET_OP_U32 = 4 * 16,       /* within `of` */
    UTET_OP_BELOW,              /* less than priv.below */
    UTET_OP_TEXT,               /* length of a text, within `of`, and the text, which is skipped */
    UTET_OP_LONG_TEXT = 8 * 16, /* the same with a length of 64 bits */
    UTET_OP_U64,
    UTET_OP_FILTERS /* max_chunk_size, number of filters */
};

typedef struct utet_tiledb_rule {
    uint8_t op;
    uint8_t of;    /* one of the next two, or a format version */
    uint8_t field; /* offset in the object */
} utet_tiledb_rule;

/* utet_tiledb_rule.of: bounds of a number; a maximum of 15 means no limit */
#define UTET_FROM_TO(least, most) ((least) << 4 | (most))
#define UTET_ANY UTET_FROM_TO(0, 15)
#define UTET_RULES_END           \
    {                            \
        UTET_OP_END, UTET_ANY, 0 \
    }

/* Begins an iteration before its first rule, whose field is at offset `place`. */
void utet_tiledb_begin(utet_tiledb *tile, uint32_t place);
/* Takes one field after another into `object`, to the end of the rules. */
utet_status utet_tiledb_walk(utet_tiledb *tile, const utet_tiledb_rule *rules, void *object);
/* Takes `size` bytes at the current position, and advances it. */
utet_status utet_tiledb_stretch(utet_tiledb *tile, uint32_t size, utet_tiledb_text *text);

/* Reads the filter at *place of the raw tile (§3), and advances *place. */
utet_status utet_tiledb_filter_at(utet_tiledb *tile, uint32_t *place, utet_tiledb_filter *filter);

/* ---- tiledb_schema.c ---- */

/* utet_tiledb_enter for a schema that is open. */
utet_status utet_tiledb_schema_enter(utet_tiledb_schema *schema, uint8_t call);
/* Positions the schema before item `number` of a list, at offset `place`. */
void utet_tiledb_item_begin(utet_tiledb_schema *schema, uint32_t place, uint32_t number);
/* Takes the next item, of the kind `kind`, into schema->priv.item. */
utet_status utet_tiledb_item_take(utet_tiledb_schema *schema, unsigned kind);
/* Takes the next item of the list whose beginning was found last. UTET_END: there are no more items, and the
 * beginning of the next list is known. */
utet_status utet_tiledb_onward(utet_tiledb_schema *schema);
/* Continues until the beginning of list `kind` is known, stops before its first item and sets tile->priv.step to 1.
 * Does nothing when it is 1 already.
 */
utet_status utet_tiledb_list(utet_tiledb_schema *schema, unsigned kind);

/* ---- tiledb_text.c ---- */

/* The first `size` bytes of a text; tile->priv.done of them have arrived. */
utet_status utet_tiledb_copy(utet_tiledb *tile, const utet_tiledb_text *text, uint8_t *buffer, size_t size);

/* ---- tiledb_enumeration.c ---- */

/* Value `index`, which is there. */
utet_status utet_tiledb_value_at(utet_tiledb_enumeration *enumeration, uint32_t index, utet_tiledb_text *value);

#endif
