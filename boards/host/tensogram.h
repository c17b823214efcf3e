/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the commands for Tensogram messages share. */
#ifndef UTET_TOOL_TENSOGRAM_H
#define UTET_TOOL_TENSOGRAM_H

#include "tool.h"
#include "utet_tensogram.h"

/* Nesting that the tool reads; a device has UTET_CBOR_DEPTH. */
#define TENSOGRAM_DEPTH 1024

typedef struct messages {
    source s;
    uint32_t levels[TENSOGRAM_DEPTH]; /* of the metadata's reader */
    uint32_t more[TENSOGRAM_DEPTH];   /* of `reader` */
    utet_cbor reader;
    utet_message message;
    utet_metadata metadata;
    int silent;             /* broken messages are not told: damage is the first one */
    utet_status damage;     /* the last message that was broken, until it is told */
    uint64_t damage_offset; /* where the damaged structure lies */
} messages;

/* ---- tensogram_source.c ---- */

/* Whether a file that has been prepared is one of messages: it begins with one; or it does not begin like a .tet file
 * either, and a sound message lies behind foreign bytes. What s->file was opened for is over. */
int is_tensogram(source *s);
int messages_begin(messages *m, const options *opt);
/* messages_begin, the work, the end of it. */
int messages_run(const options *opt, int (*work)(messages *m, const options *opt));
/* Prints the error line for a status of this file; TOOL_ERROR. */
int messages_fail(messages *m, utet_status status, uint64_t offset);
const char *messages_region(utet_status status);
const char *messages_words(utet_status status);
/* The next sound message, or the first; *result gets TOOL_ERROR when broken ones were passed over, which is said.
 * UTET_END: no more. */
utet_status messages_next(messages *m, int first, int *result);
/* The sound message with a number, from 0, becomes the current one; its metadata are opened. */
int messages_find(messages *m, const options *opt, uint64_t number);
/* Hashes and descriptors of the current message, before anything of it is printed. */
utet_status messages_check(messages *m);
/* The text of an item, in memory to be freed and ended by a zero byte; null when there is none, *status says why. */
char *messages_text(messages *m, const utet_item *item, utet_status *status);
/* The tensor with a number of the current message. */
utet_status messages_object(messages *m, uint32_t number, utet_object *object, utet_frame *frame);

/* ---- tensogram_verify.c ---- */

/* utet verify for a file of messages. */
int tensogram_verify(const options *opt);

/* ---- tensogram_json.c: items and messages as JSON ---- */

/* The one item at `offset`, in a stretch that ends at `end`. */
utet_status put_item_at(messages *m, uint64_t offset, uint64_t end);
/* The entries of a map: comma first unless *first; without those called as one of the names (null-ended), or that the
 * map `over` has as well, _reserved_ excepted. */
utet_status put_entries(messages *m, const utet_item *map, const char *const *without, const utet_item *over,
                        int *first);
/* The merged view of a tensor's metadata. */
utet_status put_merged(messages *m, uint32_t object);
utet_status put_descriptor(messages *m, const utet_object *object, const utet_frame *frame);
/* A whole message that messages_check has found sound. */
utet_status put_message(messages *m);
/* "{…}": base, extra, reserved. */
utet_status put_metadata(messages *m);
/* A number as the shortest decimal that reads back as the same. */
void put_double(FILE *out, double value);

/* ---- tensogram_where.c: -w KEY=A/B, KEY!=A/B ---- */

/* Whether the current message passes all of them; its metadata are open. */
utet_status where_passes(messages *m, const options *opt, int *passes);
/* A value as text, the way -w compares it; in memory to be freed, null when it is a list or map. */
char *item_words(messages *m, const utet_item *item, utet_status *status);

/* ---- tensogram_data.c: values of a tensor ---- */

/* The data of a tensor in the format that the options ask for. */
int tensogram_write(messages *m, const options *opt, const utet_object *object);
/* All elements through `sink`; bits of a bitmask as bytes. */
int tensogram_each(messages *m, const utet_object *object, band_sink sink, void *ctx);

/* ---- tensogram_show.c ---- */

/* utet show for a file of messages. */
int tensogram_show(const options *opt);

#endif
