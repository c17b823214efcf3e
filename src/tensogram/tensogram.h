/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of this component share. Internal to the library. Section numbers (§): FORMAT.md. */
#ifndef UTET_TENSOGRAM_INTERNAL_H
#define UTET_TENSOGRAM_INTERNAL_H

#include "../cbor/cbor.h"
#include "utet_tensogram.h"

/* file->priv.busy: 0x50 to 0x67 are those of messages and of their data (tensogram_data.h) */
enum {
    UTET_CALL_MESSAGE_FIRST = 0x50,
    UTET_CALL_MESSAGE_NEXT,
    UTET_CALL_MESSAGE_AT,
    UTET_CALL_MESSAGE_FORWARD,
    UTET_CALL_MESSAGE_SEEK,
    UTET_CALL_FRAME_FIRST,
    UTET_CALL_FRAME_NEXT,
    UTET_CALL_FRAME_VERIFY,
    UTET_CALL_OBJECT_OPEN,
    UTET_CALL_OBJECT_FIND,
    UTET_CALL_METADATA_OPEN,
    UTET_CALL_METADATA_ENTRY,
    UTET_CALL_ENTRY_FIRST,
    UTET_CALL_ENTRY_NEXT,
    UTET_CALL_ENTRY_FIND,
    UTET_CALL_ENTRY_COMMON,
    UTET_CALL_ENTRY_FIND_DOTTED,
    UTET_CALL_METADATA_IN,
    UTET_CALL_METADATA_FIND,
    UTET_CALL_METADATA_FIND_DOTTED,
    UTET_CALL_METADATA_CHECK,
    UTET_CALL_METADATA_COMPARE
};

#define UTET_PREAMBLE_BYTES 24u /* §1 */
#define UTET_POSTAMBLE_BYTES 24u
#define UTET_FRAME_HEADER_BYTES 16u /* §2 */
#define UTET_FRAME_TAIL_BYTES 12u
#define UTET_TENSOR_TAIL_BYTES 20u

/* Big-endian loads, any alignment. */
uint32_t utet_be32(const uint8_t *at);
uint64_t utet_be64(const uint8_t *at);

static inline uint32_t utet_frame_tail(unsigned type)
{
    return type == UTET_FRAME_TENSOR ? UTET_TENSOR_TAIL_BYTES : UTET_FRAME_TAIL_BYTES;
}

/* utet_frame_first and utet_frame_next without the protocol; file->priv.step is not touched. */
void utet_frame_start(const utet_message *message, utet_frame *frame);
utet_status utet_frame_step(utet_file *file, utet_message *message, utet_frame *frame);
/* Returns nonzero if the bytes at `at` are the header of a frame that is allowed somewhere. */
int utet_frame_begins(const uint8_t *at);
/* Three steps: sets up an unknown message at `offset`; reads its preamble; finds the next start magic from priv.next.
 * */
void utet_message_begin(utet_message *message, uint64_t offset, uint8_t forward);
utet_status utet_preamble(utet_file *file, utet_message *message);
utet_status utet_message_search(utet_file *file, utet_message *message);
/* Returns nonzero if the bytes at `at` end like a postamble. */
int utet_ends_message(const uint8_t *at);
/* The postamble's fields at `offset`. */
utet_status utet_postamble(utet_file *file, utet_message *message, uint64_t offset);

/* The hash of a frame (§2.1), resumable. */
void utet_hash_begin(utet_frame_hash *state);
utet_status utet_hash_frame(utet_file *file, utet_frame_hash *state, uint64_t offset, uint64_t length, unsigned type);

/* Lists of names: each text ends with a zero byte, an empty one ends the list (tensogram_names.c). */
unsigned utet_name_length(const char *names); /* length of the first name */
/* Returns the number of a text among the names, from 1; 0 = it is none of them. The second: for the text that is the
 * token; the names have at most UTET_CBOR_HEAD bytes each. */
unsigned utet_name_number(const char *names, const char *text, size_t length);
unsigned utet_name_of(const utet_cbor *reader, const char *names);
extern const char utet_dtype_names[];
extern const char utet_compression_names[];

/* utet_object_open without the protocol. Set priv.begun to 0 to begin. */
utet_status utet_object_step(utet_object *object, utet_file *file, utet_frame *frame, utet_cbor *reader);
/* Checks the fields of a descriptor together (tensogram_object_law.c). */
utet_status utet_object_law(utet_object *object, utet_frame *frame);

/* ---- metadata ---- */

/* Known keys of a document's root: a list of names and their numbers. */
extern const char utet_metadata_sections[];
enum { UTET_SECTION_NONE, UTET_SECTION_BASE, UTET_SECTION_EXTRA, UTET_SECTION_RESERVED };

/* utet_enter for metadata that are open; a call that begins finds all inner steps at 0. */
utet_status utet_metadata_enter(utet_metadata *metadata, uint8_t call);
/* The same for a call that looks for a path or a text: UTET_E_STATE when it is repeated with another one. */
utet_status utet_metadata_enter_with(utet_metadata *metadata, uint8_t call, const utet_segment *segments,
                                     const char *text, size_t length);
/* Begins a search in a map (or none), and moves to the entry with the key `text`, whose value is in search.item then.
 * UTET_E_NOT_FOUND. */
void utet_metadata_aim(utet_metadata *metadata, const utet_item *map);
utet_status utet_metadata_search(utet_metadata *metadata, const char *text, size_t length);
/* The same for a key that is in the file. */
utet_status utet_metadata_search_key(utet_metadata *metadata, const utet_item *key);

#endif
