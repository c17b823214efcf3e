/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A pull reader of CBOR (RFC 8949) over a byte range of a file: no tree, no recursion, one word per level. Each call
 * yields one token. If the port has no data yet, repeat the call; it continues at the same byte.
 *
 * The file object provides the window and the workspace; utet_messages_open opens it for this purpose. The conventions
 * of utet.h apply. Section numbers (§) are those of src/tensogram/FORMAT.md.
 *
 * Supported: unsigned and negative integers down to -2^64, texts (UTF-8 is checked), byte strings, lists and maps of
 * definite or indefinite length, false, true, null, undefined, floats of 16, 32 and 64 bits. Tags are skipped and
 * flagged. Refused: texts and byte strings in fragments, other simple values, lists and maps as keys, reserved lengths,
 * counts that the rest of the byte range cannot hold.
 */
#ifndef UTET_CBOR_H
#define UTET_CBOR_H

#include "utet.h"

#if SIZE_MAX < 0xFFFFFFFF
#error "CBOR and Tensogram need 32-bit pointers, and the pointers of this processor are shorter"
#endif

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

#define UTET_CBOR_HEAD 32u  /* number of leading bytes that are kept of each text */
#define UTET_CBOR_DEPTH 32u /* number of levels of a reader without memory from the caller */

/* Values of utet_cbor.token and of utet_item.kind. */
enum {
    UTET_CBOR_NULL = 0,
    UTET_CBOR_UNDEFINED,
    UTET_CBOR_BOOLEAN,
    UTET_CBOR_UNSIGNED, /* number */
    UTET_CBOR_NEGATIVE, /* -1 - number */
    UTET_CBOR_FLOAT,    /* number: the bits of the float64 of the same value */
    UTET_CBOR_TEXT,
    UTET_CBOR_BYTES,
    UTET_CBOR_LIST,
    UTET_CBOR_MAP,
    UTET_CBOR_CLOSE, /* end of a list or map */
    UTET_CBOR_END    /* end of the byte range */
};

/* Flags of a token: forms that RFC 8949 §4.2 does not allow in deterministic encoding. */
enum {
    UTET_CBOR_LONG = 1,       /* a length or integer that fits a shorter form */
    UTET_CBOR_INDEFINITE = 2, /* a list or map whose end is marked by a break */
    UTET_CBOR_TAGGED = 4      /* an item with one or more tags */
};

/* A reader and its token. Positions are in bytes, relative to the start of the byte range, which is shorter than 2^30
 * bytes. */
typedef struct utet_cbor {
    uint8_t token;
    uint8_t flags;
    uint8_t is_key;      /* nonzero: the token is the key of a map's entry */
    uint8_t head_length; /* number of bytes in head */
    uint16_t depth;      /* number of lists and maps that are open after the token */
    struct {             /* private; near the beginning, because small fields then cost less code */
        uint8_t in_text; /* nonzero: inside a text; `left` bytes of it are not read yet */
        uint8_t in_tag;  /* nonzero: after a tag, before the tagged item */
        uint8_t in_list; /* nonzero: the byte range is inside an indefinite list or map, so a break may end it */
        uint8_t step;    /* step of utet_item_next */
        uint16_t most;   /* number of levels at `levels` */
        uint32_t left;
        uint32_t *levels; /* remaining items of each open list or map */
        utet_file *file;
        utet_status fault; /* status for incorrect bytes */
    } priv;
    uint32_t begin;            /* position of the token */
    uint32_t content;          /* position of the content of a text or byte string */
    uint32_t length;           /* text, byte string: length in bytes; list, map: number of entries (0 if indefinite);
                         float: size in bytes, as stored */
    uint32_t hash;             /* text: its hash, FNV-1a of 32 bits */
    uint64_t number;           /* value: see the tokens; boolean: 0 or 1 */
    char head[UTET_CBOR_HEAD]; /* the first bytes of a text */
    uint32_t next;             /* position of the first byte after the token */
    uint32_t end;              /* length of the byte range */
    uint64_t base;             /* file offset of the byte range */
    uint32_t own[UTET_CBOR_DEPTH]; /* private: levels, if the caller passes no memory for them */
} utet_cbor;

/*
 * Opens a file of CBOR items or of Tensogram messages (utet_tensogram.h). Reads nothing. options may be NULL
 * (defaults); only options->budget is used. The workspace needs UTET_WINDOW_LEAST(unit) bytes; more than
 * UTET_WINDOW_BEST(unit) is useful only for tensor data.
 * UTET_E_STATE: the file is not initialised, or is already open. UTET_E_BUDGET: file->needed is the sufficient size.
 * Returns: OK, E_STATE, E_BUDGET
 */
utet_status utet_messages_open(utet_file *file, const utet_options *options);

/*
 * Begins reading `length` bytes at file offset `offset`. They contain any number of items, one after another. Reads
 * nothing. levels: memory for `most` open lists and maps, which must outlive the reader; NULL: the reader uses
 * UTET_CBOR_DEPTH levels inside itself, and must not be copied while it is in use.
 * UTET_E_ARGUMENT: a pointer is NULL. UTET_E_STATE: a call on the file is suspended. UTET_E_RANGE: the byte range
 * exceeds the file. UTET_E_LIMIT: the byte range has 2^30 bytes or more.
 * Returns: OK, E_ARGUMENT, E_STATE, E_RANGE, E_LIMIT
 */
utet_status utet_cbor_open(utet_cbor *cbor, utet_file *file, uint64_t offset, uint64_t length, uint32_t *levels,
                           uint16_t most);

/*
 * Reads the next token. When the call returns a text, it has read and checked the complete text.
 * UTET_E_METADATA: file->error_offset is the offset of the incorrect item. UTET_E_SPACE: the data is nested deeper than
 * there are levels.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_cbor_next(utet_cbor *cbor);

/*
 * Copies bytes [from, from + size) of the token, a text or byte string; from + size must not exceed its length. The
 * bytes of a text after the first UTET_CBOR_HEAD are read a second time: a port that cannot seek backwards can deliver
 * them only while they are in the window.
 * UTET_E_RANGE: the bytes are beyond the end of the text.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_PORT
 */
utet_status utet_cbor_text(utet_cbor *cbor, uint32_t from, char *buffer, size_t size);

/*
 * An item in the file. It can be kept and copied. For lists and maps, it is a cursor over their entries. It contains no
 * pointers.
 */
typedef struct utet_item {
    uint64_t number; /* value, as in a token */
    uint64_t place;  /* text: file offset of its content; others: private */
    uint64_t end;    /* private: end of the byte range that contains it */
    uint32_t
        length; /* text: length in bytes; list, map: number of remaining entries (indefinite: 0; use utet_item_next) */
    uint8_t kind; /* UTET_CBOR_NULL … UTET_CBOR_MAP */
    uint8_t flags;
} utet_item;

/*
 * Reads the next entry of *list, a list or map, and advances *list. In a list, *key is UTET_CBOR_NULL. `reader` holds
 * the state of the call. It must have levels from utet_cbor_open; its byte range does not matter.
 * UTET_END: there are no more entries, or *list is neither list nor map. For errors, see utet_cbor_next.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_item_next(utet_cbor *reader, utet_item *list, utet_item *key, utet_item *item);

/*
 * Copies bytes [from, from + size) of a text, key or byte string.
 * UTET_E_RANGE: the bytes are beyond the end of the text.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_PORT
 */
utet_status utet_item_text(utet_cbor *reader, const utet_item *text, uint32_t from, char *buffer, size_t size);

/* Returns the value of an integer, boolean or float as a double; 0 for every other item. */
double utet_item_double(const utet_item *item);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum { UTET_OBJECT_CBOR = 53, UTET_OBJECT_ITEM = 54 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
