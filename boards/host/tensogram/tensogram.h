/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the commands for Tensogram messages share. */
#ifndef UTET_TOOL_TENSOGRAM_H
#define UTET_TOOL_TENSOGRAM_H

#include "shared/tool.h"
#include "utet_tensogram.h"

/* Maximum nesting depth of metadata in the tool; on a device it is UTET_CBOR_DEPTH. */
#define TENSOGRAM_DEPTH 1024

typedef struct messages {
    source s;
    uint32_t levels[TENSOGRAM_DEPTH]; /* stack of the metadata reader */
    uint32_t more[TENSOGRAM_DEPTH];   /* of `reader` */
    utet_cbor reader;
    utet_message message;
    utet_metadata metadata;
    int silent;             /* 1: damaged messages are not reported; `damage` has the first one's status */
    utet_status damage;     /* fault of the last damaged message, until it is reported */
    uint64_t damage_offset; /* offset of the damaged structure */
    utet_status fault;      /* the first fault that affects only a part of the current message; UTET_OK: none */
    uint64_t fault_offset;
} messages;

/* ---- tensogram_source.c ---- */

/* Returns nonzero if a prepared file contains messages: it begins with a message; or it does not begin like a .tet
 * file, and a valid message follows other bytes. Everything opened with s->file becomes invalid. */
int is_tensogram(source *s);
int messages_begin(messages *m, const options *opt);
/* Calls messages_begin, does the work, and closes the file. */
int messages_run(const options *opt, int (*work)(messages *m, const options *opt));
/* Prints the error line for a status of this file; TOOL_ERROR. */
int messages_fail(messages *m, utet_status status, uint64_t offset);
const char *messages_region(utet_status status);
const char *messages_words(utet_status status);
/* Finds the next valid message, or the first. *result becomes TOOL_ERROR if damaged messages were skipped, with an
 * error line. UTET_END: no more messages. */
utet_status messages_next(messages *m, int first, int *result);
/* Makes valid message `number`, counted from 0, the current one and opens its metadata. */
int messages_find(messages *m, const options *opt, uint64_t number);
/* Stores a fault of the current message, to report it after everything else. Returns the status if it is an error of
 * the medium, which ends the work, otherwise UTET_OK. */
utet_status messages_note(messages *m, utet_status status);
/* Reports the stored fault; returns `result` if there is none. */
int messages_tell(messages *m, int result);
/* Checks the hash of a frame. UTET_END: the frame has none. UTET_E_CHECKSUM: the hash is wrong. */
utet_status messages_hash(messages *m, const utet_frame *frame);
/* Prints the hashes of frames other than tensors. */
utet_status messages_hashes(messages *m);
/* Returns the null-terminated text of an item, which the caller frees; NULL: see *status. */
char *messages_text(messages *m, const utet_item *item, utet_status *status);
/* Read the descriptor of a tensor's frame, or of tensor `number` of the current message. They return UTET_OK even if
 * the tensor has more axes than the library stores: then object->axes is larger, and all other fields can be used. */
utet_status messages_descriptor(messages *m, utet_frame *frame, utet_object *object);
utet_status messages_object(messages *m, uint32_t number, utet_object *object, utet_frame *frame);
/* Reads all extents. UTET_E_LIMIT: more than TOOL_MOST_AXES axes. */
utet_status messages_shape(messages *m, const utet_object *object, uint64_t shape[TOOL_MOST_AXES]);

/* ---- tensogram_verify.c ---- */

/* utet verify for a file of messages. */
int tensogram_verify(const options *opt);

/* ---- tensogram_json.c: items and messages as JSON ---- */

/* Writes the item at `offset`, in a range that ends at `end`. */
utet_status put_item_at(messages *m, uint64_t offset, uint64_t end);
/* Writes the entry of a map whose key begins at `offset`: "key":value. */
utet_status put_entry_at(messages *m, uint64_t offset, uint64_t end);
/* Writes the entries of a map, with a comma before the first one unless *first. Omits keys in the NULL-terminated list
 * `names`, and keys that the map `over` also has, except _reserved_. */
utet_status put_entries(messages *m, const utet_item *map, const char *const *without, const utet_item *over,
                        int *first);
/* Writes the merged metadata of a tensor. */
utet_status put_merged(messages *m, uint32_t object);
utet_status put_descriptor(messages *m, const utet_object *object, const utet_frame *frame);
/* Writes a complete message, whose metadata is open. Reports damage at the damaged item, and records it. file: name of
 * the file if there are several, else NULL. */
utet_status put_message(messages *m, const char *file);
/* Writes the known facts about a tensor whose descriptor is not understood. */
utet_status put_unknown(messages *m, const utet_frame *frame, utet_status why);
/* "{…}": base, extra, reserved. */
utet_status put_metadata(messages *m);
/* Writes a number as the shortest decimal that reads back as the same number. */
void put_double(FILE *out, double value);

/* Writes the reader's token as an item. */
utet_item token_item(const utet_cbor *reader);

/* ---- tensogram_words.c: values as text, which the caller frees ---- */

/* Returns the value at `offset`, in a range that ends at `end`, in the form in which -w compares and -p prints it,
 * null-terminated. NULL: see *status. */
char *value_words(messages *m, uint64_t offset, uint64_t end, size_t *length, utet_status *status);
/* Returns the same text for an item; NULL for a list, a map or bytes. */
char *item_words(messages *m, const utet_item *item, utet_status *status);

/* ---- tensogram_paths.c: all paths through the metadata of a message ---- */

typedef struct paths paths;

/* Collects the paths of the current message, whose metadata are open. NULL: see *status. */
paths *paths_make(messages *m, utet_status *status);
/* Returns the offset of the value at a path; 0: there is none. A path that begins with _extra_. or extra. leads through
 * _extra_ only. */
int paths_find(const paths *p, const char *path, size_t length, uint64_t *offset, uint64_t *end);
/* May be null. */
void paths_end(paths *p);

/* ---- tensogram_where.c: -w KEY=A/B, KEY!=A/B, -p KEYS ---- */

/* Returns the operator of a clause; NULL: it has none. */
const char *where_operator(const char *clause);
/* Returns the value at a path as text, which the caller frees; NULL with UTET_OK: there is no value. */
utet_status paths_words(messages *m, const paths *p, const char *path, size_t path_length, char **text, size_t *length);
/* *passes: nonzero if the current message meets all clauses. */
utet_status where_passes(messages *m, const paths *p, const options *opt, int *passes);
/* Prints the values at the keys, separated by tabs, with N/A for a missing value; or a JSON object with the text of
 * each existing value. */
utet_status put_keys(messages *m, const paths *p, const char *keys, int as_json);
/* Returns the keys without duplicates, for a JSON object; the caller frees them. NULL: not enough memory. */
char *keys_once(const char *keys);

/* ---- tensogram_common.c: metadata that all tensors of a message share ---- */

/* Prints JSON, {"common":{…},"remaining":[{…}]}, with the remaining metadata of each tensor; or a line with the common
 * metadata and a line for each tensor. */
utet_status put_common(messages *m, int as_json);

/* ---- tensogram_data.c: values of a tensor ---- */

/* Returns the size of a tensor that stores no values, because all values are equal. */
#define TENSOGRAM_MOST_CONSTANT ((uint64_t)1 << 40)
#define TENSOGRAM_MOST_CONSTANT_WORDS "2^40"

/* Checks the hash of a tensor's frame, then writes the data in the format that the options select. */
int tensogram_write(messages *m, const options *opt, const utet_object *object, const utet_frame *frame);
/* Passes all elements to `sink`; bits of a bitmask as bytes. */
int tensogram_each(messages *m, const options *opt, const utet_object *object, const utet_frame *frame, band_sink sink,
                   void *ctx);
/* Does the same without checking the hash and without an error line. *status is the fault of the data, unless the sink
 * has ended the call. */
int tensogram_scan(messages *m, const utet_object *object, band_sink sink, void *ctx, utet_status *status);

/* ---- tensogram_show.c ---- */

/* utet show for a file of messages. */
int tensogram_show(const options *opt);

#endif
