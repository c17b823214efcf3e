/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the commands for Tensogram messages share. */
#ifndef UTET_TOOL_TENSOGRAM_H
#define UTET_TOOL_TENSOGRAM_H

#include "shared/tool.h"
#include "utet_tensogram.h"

/* Nesting that the tool reads; a device has UTET_CBOR_DEPTH. */
#define TENSOGRAM_DEPTH 1024

typedef struct messages {
    source s;
    uint32_t levels[TENSOGRAM_DEPTH]; /* stack of the metadata reader */
    uint32_t more[TENSOGRAM_DEPTH];   /* of `reader` */
    utet_cbor reader;
    utet_message message;
    utet_metadata metadata;
    int silent;             /* broken messages are not told: damage is the first one */
    utet_status damage;     /* fault of the last damaged message, until it is reported */
    uint64_t damage_offset; /* offset of the damaged structure */
    utet_status fault;      /* the first one in the current message that costs only what it is in; UTET_OK: none */
    uint64_t fault_offset;
} messages;

/* ---- tensogram_source.c ---- */

/* Returns nonzero if a prepared file is one of messages: it begins with one; or it does not begin like a .tet file
 * either, and a valid message is after foreign bytes. What s->file was opened for is over. */
int is_tensogram(source *s);
int messages_begin(messages *m, const options *opt);
/* messages_begin, the work, the end of it. */
int messages_run(const options *opt, int (*work)(messages *m, const options *opt));
/* Prints the error line for a status of this file; TOOL_ERROR. */
int messages_fail(messages *m, utet_status status, uint64_t offset);
const char *messages_region(utet_status status);
const char *messages_words(utet_status status);
/* The next valid message, or the first; *result gets TOOL_ERROR if damaged ones were skipped, with an error line.
 * UTET_END: no more. */
utet_status messages_next(messages *m, int first, int *result);
/* The sound message with a number, from 0, becomes the current one; its metadata are opened. */
int messages_find(messages *m, const options *opt, uint64_t number);
/* Keeps a fault of the current message, which is reported after everything else. Returns the status if it is an error
 * of the medium, which ends the work, otherwise UTET_OK. */
utet_status messages_note(messages *m, utet_status status);
/* Reports the fault that was kept; returns `result` if there is none. */
int messages_tell(messages *m, int result);
/* The hash of a frame. UTET_END: it has none. UTET_E_CHECKSUM */
utet_status messages_hash(messages *m, const utet_frame *frame);
/* Prints the hashes of frames other than tensors. */
utet_status messages_hashes(messages *m);
/* The null-terminated text of an item, which the caller frees; NULL if there is none, see *status. */
char *messages_text(messages *m, const utet_item *item, utet_status *status);
/* The descriptor of a tensor's frame, and that of the tensor with a number of the current message. UTET_OK also when
 * the tensor has more axes than the library keeps: object->axes says so, and all else can be used. */
utet_status messages_descriptor(messages *m, utet_frame *frame, utet_object *object);
utet_status messages_object(messages *m, uint32_t number, utet_object *object, utet_frame *frame);
/* All extents. UTET_E_LIMIT: there are more than TOOL_MOST_AXES. */
utet_status messages_shape(messages *m, const utet_object *object, uint64_t shape[TOOL_MOST_AXES]);

/* ---- tensogram_verify.c ---- */

/* utet verify for a file of messages. */
int tensogram_verify(const options *opt);

/* ---- tensogram_json.c: items and messages as JSON ---- */

/* The one item at `offset`, in a range that ends at `end`. */
utet_status put_item_at(messages *m, uint64_t offset, uint64_t end);
/* The entry of a map whose key begins there: "key":value. */
utet_status put_entry_at(messages *m, uint64_t offset, uint64_t end);
/* The entries of a map: comma first unless *first; without those called as one of the names (null-ended), or that the
 * map `over` has as well, _reserved_ excepted. */
utet_status put_entries(messages *m, const utet_item *map, const char *const *without, const utet_item *over,
                        int *first);
/* The merged view of a tensor's metadata. */
utet_status put_merged(messages *m, uint32_t object);
utet_status put_descriptor(messages *m, const utet_object *object, const utet_frame *frame);
/* Writes a complete message, whose metadata is open. Reports damage at the damaged item, and records it. file: name of
 * the file if there are several, else NULL. */
utet_status put_message(messages *m, const char *file);
/* The known facts about a tensor whose descriptor is not understood. */
utet_status put_unknown(messages *m, const utet_frame *frame, utet_status why);
/* "{…}": base, extra, reserved. */
utet_status put_metadata(messages *m);
/* A number as the shortest decimal that reads back as the same. */
void put_double(FILE *out, double value);

/* The token of the reader, as an item. */
utet_item token_item(const utet_cbor *reader);

/* ---- tensogram_words.c: values as text, which the caller frees ---- */

/* The value at `offset`, in a range that ends at `end`, as -w compares it and -p prints it; a zero byte
 * follows. Null: *status says why. */
char *value_words(messages *m, uint64_t offset, uint64_t end, size_t *length, utet_status *status);
/* The same of an item; null when it is a list, a map or bytes. */
char *item_words(messages *m, const utet_item *item, utet_status *status);

/* ---- tensogram_paths.c: all paths through the metadata of a message ---- */

typedef struct paths paths;

/* Of the current message, whose metadata are open; null: *status says why. */
paths *paths_make(messages *m, utet_status *status);
/* The offset of the value at a path; 0: there is none. A path through _extra_ alone begins with _extra_. or extra. */
int paths_find(const paths *p, const char *path, size_t length, uint64_t *offset, uint64_t *end);
/* May be null. */
void paths_end(paths *p);

/* ---- tensogram_where.c: -w KEY=A/B, KEY!=A/B, -p KEYS ---- */

/* The operator of a clause; null: it has none. */
const char *where_operator(const char *clause);
/* The value at a path as text, which the caller frees; NULL with UTET_OK: there is none. */
utet_status paths_words(messages *m, const paths *p, const char *path, size_t path_length, char **text, size_t *length);
/* *passes: nonzero if the current message meets all clauses. */
utet_status where_passes(messages *m, const paths *p, const options *opt, int *passes);
/* The values at the keys: separated by tabs, N/A where there is none; or the text of each that there is, as a JSON
 * object. */
utet_status put_keys(messages *m, const paths *p, const char *keys, int as_json);
/* Each key once, as an object has it; the caller frees them. NULL: not enough memory. */
char *keys_once(const char *keys);

/* ---- tensogram_common.c: metadata that all tensors of a message share ---- */

/* As JSON, with what is left of each: {"common":{…},"remaining":[{…}]}; else a line for all and one for each. */
utet_status put_common(messages *m, int as_json);

/* ---- tensogram_data.c: values of a tensor ---- */

/* Bytes of a tensor that stores no values, because all are the same one. */
#define TENSOGRAM_MOST_CONSTANT ((uint64_t)1 << 40)
#define TENSOGRAM_MOST_CONSTANT_WORDS "2^40"

/* The data of a tensor in the format that the options ask for, once the hash of its frame is found right. */
int tensogram_write(messages *m, const options *opt, const utet_object *object, const utet_frame *frame);
/* All elements through `sink`; bits of a bitmask as bytes. */
int tensogram_each(messages *m, const options *opt, const utet_object *object, const utet_frame *frame, band_sink sink,
                   void *ctx);
/* The same without checking the hash and without an error line: *status is the fault of the data, unless the sink
 * ended the call. */
int tensogram_scan(messages *m, const utet_object *object, band_sink sink, void *ctx, utet_status *status);

/* ---- tensogram_show.c ---- */

/* utet show for a file of messages. */
int tensogram_show(const options *opt);

#endif
