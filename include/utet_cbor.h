/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A pull reader of CBOR (RFC 8949) over a byte range of a file: no tree, no recursion, one word per level. One call
 * yields one token; when the port has nothing yet, the call is repeated and continues at the same byte.
 *
 * The file object gives the window and the workspace; utet_messages_open opens it for this. The conventions
 * of utet.h hold. Section numbers (§) are those of src/tensogram/FORMAT.md.
 *
 * What is read: unsigned and negative integers down to -2^64, texts (UTF-8 is checked), byte strings, lists and maps of
 * definite or indefinite length, false, true, null, undefined, floats of 16, 32 and 64 bits. Tags are skipped and
 * noted. Refused: texts and byte strings in pieces, other simple values, lists and maps as keys, reserved lengths,
 * counts that the rest of the byte range cannot hold.
 */
#ifndef UTET_CBOR_H
#define UTET_CBOR_H

#include "utet.h"

#if SIZE_MAX < 0xFFFFFFFF
#error "CBOR and Tensogram need pointers of 32 bits: this processor has shorter ones, and src/ has nothing for it"
#endif

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

#define UTET_CBOR_HEAD 32u  /* leading bytes of a text that are kept while it passes */
#define UTET_CBOR_DEPTH 32u /* levels that a reader has without more memory of the caller's */

/* token, and kind of an item */
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

/* flags of a token: what RFC 8949 §4.2 does not allow in deterministic encoding */
enum {
    UTET_CBOR_LONG = 1,       /* a length or integer that fits a shorter form */
    UTET_CBOR_INDEFINITE = 2, /* a list or map whose end is marked by a break */
    UTET_CBOR_TAGGED = 4      /* behind one or more tags */
};

/* A reader and its token. Positions are counted in bytes from the beginning of the byte range, which is shorter than
 * 2^30. */
typedef struct utet_cbor {
    uint8_t token;
    uint8_t flags;
    uint8_t is_key;      /* the token is the key of a map's entry */
    uint8_t head_length; /* bytes in head */
    uint16_t depth;      /* lists and maps that are open behind the token */
    struct {             /* here, because small fields cost less code near the beginning */
        uint8_t in_text; /* inside a text: `left` bytes of it are not read yet */
        uint8_t in_tag;  /* behind a tag, before what it is for */
        uint8_t in_list; /* the byte range is inside an indefinite list or map, so a break may end it */
        uint8_t step;    /* step of utet_item_next */
        uint16_t most;   /* levels that fit at `levels` */
        uint32_t left;
        uint32_t *levels; /* what is left of each open list or map */
        utet_file *file;
        utet_status fault; /* what is returned for bytes that are wrong */
    } priv;
    uint32_t begin;   /* position of the token */
    uint32_t content; /* position of the content of a text or byte string */
    uint32_t length;  /* length of a text or byte string in bytes; of a list or map in entries (0 when indefinite);
                                      of a float in bytes, as stored */
    uint32_t hash;    /* hash of a text: FNV-1a, 32 bits */
    uint64_t number;  /* see the tokens; of a boolean, 0 or 1 */
    char head[UTET_CBOR_HEAD];     /* the first bytes of a text */
    uint32_t next;                 /* position after the token: the next byte */
    uint32_t end;                  /* length of the byte range */
    uint64_t base;                 /* where in the file it begins */
    uint32_t own[UTET_CBOR_DEPTH]; /* private: levels, when the caller gives no memory for them */
} utet_cbor;

/*
 * Opens a file that holds CBOR, or Tensogram messages (utet_tensogram.h). Reads nothing. options: null = all defaults;
 * only the budget in them counts. The workspace needs UTET_WINDOW_LEAST(unit) bytes; more than UTET_WINDOW_BEST(unit)
 * is useful for data only.
 * UTET_E_STATE: the file is not initialised, or it is open already. UTET_E_BUDGET: file->needed is the sufficient size.
 * Returns: OK, E_STATE, E_BUDGET
 */
utet_status utet_messages_open(utet_file *file, const utet_options *options);

/*
 * Begins to read `length` bytes at `offset` of the file. It holds any number of items, one after another.
 * Reads nothing. levels: memory for `most` open lists and maps, which must outlive the reader; null: the reader uses
 * UTET_CBOR_DEPTH levels inside itself, and must not be copied while it is in use.
 * UTET_E_ARGUMENT: a pointer is null. UTET_E_STATE: a call on the file is suspended. UTET_E_RANGE: the bytes leave
 * the file. UTET_E_LIMIT: it has 2^30 bytes or more.
 * Returns: OK, E_ARGUMENT, E_STATE, E_RANGE, E_LIMIT
 */
utet_status utet_cbor_open(utet_cbor *cbor, utet_file *file, uint64_t offset, uint64_t length, uint32_t *levels,
                           uint16_t most);

/*
 * The next token. A text has been read and checked to its end when it is returned.
 * UTET_E_METADATA: file->error_offset is the place of the item that is wrong. UTET_E_SPACE: the data are nested deeper
 * than there are levels.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_cbor_next(utet_cbor *cbor);

/*
 * Copies bytes [from, from + size) of the text or byte string that is the token; the caller keeps from + size within
 * its length. Bytes behind the first UTET_CBOR_HEAD of a text are read a second time: a port that cannot go back has
 * them only while they are in the window.
 * UTET_E_RANGE: the bytes lie beyond the text.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_PORT
 */
utet_status utet_cbor_text(utet_cbor *cbor, uint32_t from, char *buffer, size_t size);

/*
 * An item in the file: kept, copied, and for lists and maps a cursor over their entries. Nothing of it points into
 * memory.
 */
typedef struct utet_item {
    uint64_t number; /* as of a token */
    uint64_t place;  /* text: offset of its content in the file; private otherwise */
    uint64_t end;    /* private: end of the byte range that contains it */
    uint32_t length; /* text: bytes; list, map: entries left (indefinite: 0, ask utet_item_next) */
    uint8_t kind;    /* UTET_CBOR_NULL … UTET_CBOR_MAP */
    uint8_t flags;
} utet_item;

/*
 * The next entry of *list, a list or map; *list moves on behind it. In a list the key is UTET_CBOR_NULL. `reader` holds
 * the state of the call. utet_cbor_open must have given it levels; its byte range does not matter.
 * UTET_END: there are no more entries, or *list is neither list nor map. The errors are those of utet_cbor_next.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_item_next(utet_cbor *reader, utet_item *list, utet_item *key, utet_item *item);

/*
 * Copies bytes [from, from + size) of a text, key or byte string.
 * UTET_E_RANGE: the bytes lie beyond the text.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_PORT
 */
utet_status utet_item_text(utet_cbor *reader, const utet_item *text, uint32_t from, char *buffer, size_t size);

/* The value of an integer, boolean or float as a double; 0 for anything else. */
double utet_item_double(const utet_item *item);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
enum { UTET_OBJECT_CBOR = 53, UTET_OBJECT_ITEM = 54 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
