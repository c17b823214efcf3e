/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensogram messages, wire version 3: finds the messages of a file and reads their frames, their metadata and the
 * descriptors of their tensors. Section numbers (§) are those of src/tensogram/FORMAT.md. The data of the tensors:
 * utet_tensogram_data.h.
 *
 * A file is a sequence of messages; foreign bytes may be between them. A message is a preamble, frames and a postamble.
 * All calls read through the window of a utet_file; objects keep offsets, never the bytes. The conventions of utet.h
 * apply: if a call returns UTET_WOULD_BLOCK, repeat it; meanwhile, other calls on the file return UTET_E_STATE.
 *
 * Ports that cannot seek backwards (a UART, a radio) are sufficient for utet_message_forward, utet_message_seek,
 * utet_frame_next, and one reading of each frame in order: utet_cbor_next over its content, or utet_frame_verify. The
 * port must be able to seek backwards for the other calls that find messages (they read the postamble first), for
 * descriptors (their offset is stored after them), for utet_metadata_open and all calls that search, and for the hash
 * of a frame in addition to its content.
 *
 * For every call, UTET_E_STATE means that the file is not open; or that another call on it is suspended, or the same
 * call with another destination, size, path or text (the suspended call stays suspended). UTET_E_SHORT means, unless
 * the comment of the call says more, that the medium ended before the size that the port states.
 */
#ifndef UTET_TENSOGRAM_H
#define UTET_TENSOGRAM_H

#include "utet_cbor.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

#define UTET_TENSOGRAM_VERSION 3 /* the supported wire version (§1) */
#define UTET_TENSOR_MAX_NDIM 16  /* maximum number of axes whose extents are kept; a tensor may have more (§4.1) */

/* ---- messages (§1) ---------------------------------------------------------------------- */

/* Flags of a preamble: hints of the writer, which the library does not use to find anything (§1). */
enum {
    UTET_MESSAGE_HEADER_METADATA = 1,
    UTET_MESSAGE_FOOTER_METADATA = 2,
    UTET_MESSAGE_HEADER_INDEX = 4,
    UTET_MESSAGE_FOOTER_INDEX = 8,
    UTET_MESSAGE_HEADER_HASHES = 16,
    UTET_MESSAGE_FOOTER_HASHES = 32,
    UTET_MESSAGE_PRECEDERS = 64,
    UTET_MESSAGE_HASHES_PRESENT = 128
};

/* Types of a frame; they determine the meaning of its content (§2). */
enum {
    UTET_FRAME_HEADER_METADATA = 1,
    UTET_FRAME_HEADER_INDEX = 2,
    UTET_FRAME_HEADER_HASHES = 3,
    UTET_FRAME_FOOTER_HASHES = 5,
    UTET_FRAME_FOOTER_INDEX = 6,
    UTET_FRAME_FOOTER_METADATA = 7,
    UTET_FRAME_PRECEDER = 8,
    UTET_FRAME_TENSOR = 9
};

/* Values of utet_frame.hashed. */
enum {
    UTET_HASH_NONE = 0, /* the hash slot has no meaning */
    UTET_HASH_FLAGGED,  /* the hash slot is the hash of the frame */
    UTET_HASH_OLD       /* written by releases before 0.21: the slot is filled, but the frame's flag is clear (§2.1) */
};

/* A frame. All offsets are file offsets, all lengths are in bytes. */
typedef struct utet_frame {
    uint16_t type;
    uint16_t version;
    uint16_t flags;
    uint8_t hashed;
    struct {              /* private; near the beginning, because small fields then cost less code */
        uint8_t phase;    /* 1 header, 2 tensors, 3 footer (§2) */
        uint8_t metadata; /* nonzero: a metadata frame has been found */
        uint8_t ended;    /* nonzero: the postamble has been reached */
        uint8_t pending;  /* nonzero: the tail of the frame has not been read */
        uint8_t old_hash; /* bit 7 of the preamble's flags */
        uint64_t next;    /* offset at which the next frame is searched for */
        uint64_t footer;  /* offset of the first footer frame, 0: none yet */
    } priv;
    uint64_t offset;            /* offset of the frame */
    uint64_t length;            /* length as stored: header to ENDF */
    uint64_t hash;              /* contents of the slot of the XXH3-64 */
    uint64_t content_offset;    /* offset of the CBOR; for a tensor, of the payload region: payload and masks */
    uint64_t content_length;    /* length of the content; UINT64_MAX if the descriptor is first and not read yet */
    uint64_t descriptor_offset; /* tensor: offset of the descriptor's CBOR */
    uint64_t descriptor_length; /* length of that CBOR; with the payload region while content_length is UINT64_MAX */
    uint32_t object;            /* index of the tensor, or of the next tensor */
    uint32_t number;            /* index of the frame */
} utet_frame;

/* A message. All offsets are file offsets, all lengths are in bytes. */
typedef struct utet_message {
    uint64_t offset;              /* offset of the preamble */
    uint64_t length;              /* length from preamble to postamble; 0: unknown until all frames have been read */
    uint64_t skipped;             /* number of foreign bytes before the message */
    uint64_t total_length;        /* length as stored in the preamble; 0: streamed */
    uint64_t postamble_offset;    /* this and the next two are valid when the length is known */
    uint64_t postamble_length;    /* total_length as repeated in the postamble */
    uint64_t first_footer_offset; /* as stored: relative to the start of the message */
    uint16_t version;
    uint16_t flags;
    uint32_t reserved;
    struct {
        uint64_t from;   /* offset at which the search began */
        uint64_t next;   /* offset at which the search continues */
        uint8_t forward; /* nonzero: bytes are read in ascending order only (utet_message_forward) */
        utet_frame walk; /* current frame of a message whose length is not known */
    } priv;
} utet_message;

/*
 * Finds the first message of the file / the message after *message, by searching for a start magic. If the length is
 * known, the call checks it with the postamble; otherwise it determines the length by reading the frames, never by
 * searching for the end magic. If a message is damaged, message->offset is its start, and the next call continues the
 * search one byte later. So bytes that only look like a start magic are reported, and no message after them is lost.
 * UTET_END: there are no more start magics; message->skipped is the number of foreign bytes at the end. *message keeps
 * the position of the search: if io.size grows later, utet_message_next continues there. UTET_E_SHORT: the file
 * ends inside the message, which is truncated or not complete yet. The next call continues the search after it;
 * utet_message_at reads it again when more bytes have arrived. UTET_E_VERSION: the version is not 3. UTET_E_SUPERBLOCK:
 * preamble and postamble contradict each other, or the length is impossible (§1). Only if the frames are read:
 * UTET_E_DIRECTORY: a frame violates the rules (§2). UTET_E_METADATA: there is no metadata frame.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_VERSION, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_message_first(utet_file *file, utet_message *message);
utet_status utet_message_next(utet_file *file, utet_message *message);
/*
 * Reads the message that starts exactly at `offset`.
 * UTET_E_MAGIC: no message starts there. UTET_E_RANGE: `offset` is beyond the end of the file. For other errors, see
 * utet_message_next.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_MAGIC, E_VERSION, E_SUPERBLOCK, E_DIRECTORY, E_METADATA,
 *          E_PORT
 */
utet_status utet_message_at(utet_file *file, uint64_t offset, utet_message *message);
/*
 * Reads the message at `offset` on a port that cannot seek backwards: only its preamble. utet_frame_next then
 * delivers each frame when its header has been read (hash, descriptor_offset and descriptor_length remain 0), reads the
 * frame's tail in the next call, and checks the postamble when it reaches it.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_MAGIC, E_VERSION, E_SUPERBLOCK, E_PORT
 */
utet_status utet_message_forward(utet_file *file, uint64_t offset, utet_message *message);
/*
 * Does the same as utet_message_forward for the first message that starts at or after `from`: joins a stream in the
 * middle, on ports that cannot seek backwards. A start magic counts only if the rest of a preamble follows, of version
 * 3 and with a possible length, and then the header of a frame; so payload bytes that only look like a start magic are
 * skipped. A complete message inside a payload does count, until its end contradicts the bytes that follow. If
 * utet_frame_next refuses a frame, call this again with an offset that the port can still read; the bytes before that
 * are lost. message->skipped is the number of bytes that the search has skipped.
 * UTET_END: no message starts before io.size; if that has grown, call again from message->offset. UTET_E_SHORT: a
 * message starts, and its length exceeds the file. UTET_E_RANGE: `from` is beyond the end of the file.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_PORT
 */
utet_status utet_message_seek(utet_file *file, uint64_t from, utet_message *message);

/* ---- frames (§2) ------------------------------------------------------------------------ */

/*
 * Reads the first frame of a message. Checks its type, length, end mark and padding (§2).
 * UTET_E_SHORT: the message is truncated. UTET_E_DIRECTORY: the frame is damaged. UTET_E_METADATA: there is no frame,
 * so there is no metadata. UTET_E_SUPERBLOCK: there is no frame, and the postamble is damaged.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_frame_first(utet_file *file, utet_message *message, utet_frame *frame);
/*
 * Reads the frame after *frame. Makes the same checks, and checks the order of the frames. After the last frame it
 * checks the postamble, and that there was a metadata frame; it then sets the length of *message.
 * UTET_END: frame->number and frame->object are the numbers of frames and tensors. UTET_E_SHORT, UTET_E_DIRECTORY: see
 * utet_frame_first. UTET_E_SUPERBLOCK: the postamble is damaged. UTET_E_METADATA: there is no metadata frame.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_frame_next(utet_file *file, utet_message *message, utet_frame *frame);

/* State of the computation of a frame's hash. */
typedef struct utet_frame_hash {
    uint64_t value; /* the result */
    struct {
        uint64_t lane[8];
        uint64_t position; /* number of blocks processed so far */
    } priv;
} utet_frame_hash;

/*
 * Computes the XXH3-64 of a frame and compares it with the slot (§2.1).
 * UTET_END: the frame has no hash; the value has been computed. UTET_E_CHECKSUM: the hash differs; file->error_offset
 * is the offset of the frame.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_CHECKSUM, E_PORT
 */
utet_status utet_frame_verify(utet_file *file, const utet_frame *frame, utet_frame_hash *state);

/* ---- descriptors of tensors (§4) --------------------------------------------------------- */

/* Values of utet_object.dtype (§4.1). */
enum {
    UTET_TENSOR_FLOAT16 = 1,
    UTET_TENSOR_BFLOAT16,
    UTET_TENSOR_FLOAT32,
    UTET_TENSOR_FLOAT64,
    UTET_TENSOR_COMPLEX64,
    UTET_TENSOR_COMPLEX128,
    UTET_TENSOR_INT8,
    UTET_TENSOR_INT16,
    UTET_TENSOR_INT32,
    UTET_TENSOR_INT64,
    UTET_TENSOR_UINT8,
    UTET_TENSOR_UINT16,
    UTET_TENSOR_UINT32,
    UTET_TENSOR_UINT64,
    UTET_TENSOR_BITMASK
};
enum { UTET_ENCODING_NONE = 1, UTET_ENCODING_SIMPLE_PACKING };
enum { UTET_FILTER_NONE = 1, UTET_FILTER_SHUFFLE };
/* Values of utet_object.compression and utet_mask.method. */
enum {
    UTET_COMPRESSION_NONE = 1,
    UTET_COMPRESSION_SZIP,
    UTET_COMPRESSION_ZSTD,
    UTET_COMPRESSION_LZ4,
    UTET_COMPRESSION_RLE,
    UTET_COMPRESSION_ROARING,
    UTET_COMPRESSION_BLOSC2,
    UTET_COMPRESSION_ZFP,
    UTET_COMPRESSION_SZ3 /* blosc2, zfp and sz3 are recognised, but never decoded */
};
enum { UTET_MASK_NAN, UTET_MASK_POSITIVE, UTET_MASK_NEGATIVE, UTET_MASKS };

/* A mask: the elements that are NaN, +Inf or -Inf, as a compressed bitmask of all elements (§4.6). */
typedef struct utet_mask {
    uint8_t method;  /* UTET_COMPRESSION_…; 0: there is no such mask */
    uint64_t offset; /* offset of the mask in the file */
    uint64_t length; /* length of the mask, in bytes */
} utet_mask;

/* The descriptor of a tensor. Fields that its encoding, filter or compression does not use are 0. */
typedef struct utet_object {
    uint8_t dtype;
    uint8_t width;      /* size of an element, in bytes; 0 for a bitmask */
    uint8_t ndim;       /* number of entries of shape and strides, 0..UTET_TENSOR_MAX_NDIM; 0: one element */
    uint8_t big_endian; /* byte order of the data */
    uint8_t encoding;
    uint8_t filter;
    uint8_t compression;
    uint8_t masks;              /* number of masks in mask[] */
    struct {                    /* private; near the beginning, because small fields then cost less code */
        uint32_t seen;          /* keys found so far, one bit each */
        uint32_t good;          /* keys among `seen` whose values are of the right kind */
        uint8_t begun;          /* nonzero: the descriptor is being read */
        uint8_t key;            /* key of the current value */
        uint8_t mask;           /* index of the current mask */
        uint8_t field;          /* current field of that mask */
        uint8_t mask_fields;    /* fields of that mask found so far, one bit each */
        uint32_t strides_count; /* number of entries in the list of strides */
        uint64_t ndim;          /* ndim as stored */
        uint64_t product;       /* product of the extents that are not 0 */
    } priv;
    uint64_t shape[UTET_TENSOR_MAX_NDIM];
    int64_t strides[UTET_TENSOR_MAX_NDIM]; /* as stored, in elements; irrelevant to the data (§4.1) */
    uint64_t elements;
    uint64_t decoded_length; /* size of all elements, in bytes; for a bitmask ceil(n / 8) */
    uint64_t stored_length;  /* decompressed size in bytes: for packed values ceil(n * bits / 8), else decoded_length */
    uint64_t payload_offset; /* file offset of the compressed bytes */
    uint64_t payload_length; /* length of the compressed bytes, without masks */
    utet_mask mask[UTET_MASKS];
    struct {
        double reference;  /* R */
        int32_t binary;    /* E */
        int32_t decimal;   /* D */
        uint8_t bits;      /* B, 0..64 */
    } packing;             /* simple_packing: value = R + 2^E * 10^-D * q (§4.2) */
    uint64_t shuffle_size; /* size of an element in the filter shuffle, in bytes (§4.3) */
    struct {
        uint32_t interval;   /* number of blocks per reference interval (rsi) */
        uint32_t block_size; /* number of samples in a block: 8, 16, 32, 64 */
        uint32_t flags;      /* flags as stored; §4.4 says which are forced */
        utet_item offsets;   /* list of bit offsets of the intervals, UTET_CBOR_NULL: none; may be incorrect */
    } szip;
    utet_item descriptor;  /* the descriptor's map, for keys that have no field here */
    uint64_t frame_offset; /* offset of the tensor's frame */
    uint64_t frame_length;
    uint64_t hash;   /* hash and hashed: as in the frame */
    uint32_t number; /* index of the tensor in its message, from 0 */
    uint32_t axes;   /* number of axes of the tensor: ndim, or more with UTET_E_LIMIT */
    uint8_t hashed;
} utet_object;

/*
 * Reads the descriptor of a tensor frame and makes all checks that are possible with it: names, sizes, the size rule,
 * offsets of masks, parameters of the named methods. `reader` holds the state of the call; utet_cbor_open is not
 * necessary. frame: its type is UTET_FRAME_TENSOR; if its descriptor comes first, the call sets content_offset and
 * content_length. A tensor with UTET_COMPRESSION_BLOSC2, ZFP or SZ3 is valid here; reading its data returns
 * UTET_E_CODEC.
 * UTET_E_ARGUMENT: the frame is of another type. UTET_E_SPACE: the descriptor is nested deeper than UTET_CBOR_DEPTH.
 * UTET_E_LIMIT: the tensor has more than UTET_TENSOR_MAX_NDIM axes. *object is then set as with UTET_OK, and its data
 * can be read; shape and strides have only the first axes, object->descriptor has all. Or the descriptor has 2^30 bytes
 * or more; object->descriptor is then UTET_CBOR_NULL, and nothing is known. UTET_E_DATASET: the descriptor is not CBOR;
 * a key is missing, occurs twice or has a value of the wrong kind; sizes or parameters are invalid. UTET_E_DTYPE: the
 * dtype has an unknown name. UTET_E_CODEC: encoding, filter, compression or a mask's method has an unknown name, or
 * cannot be used with the dtype. UTET_E_PAYLOAD: the length of the payload contradicts the descriptor, or a mask is
 * outside its region.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_SPACE, E_SHORT, E_DTYPE, E_CODEC, E_LIMIT, E_DATASET, E_PAYLOAD,
 *          E_PORT
 */
utet_status utet_object_open(utet_object *object, utet_file *file, utet_frame *frame, utet_cbor *reader);

/*
 * Finds the tensor with index `number`, from 0, in a message by reading the frames. frame, reader: hold the state of
 * the call.
 * UTET_E_NOT_FOUND: the message has fewer tensors. For other errors, see utet_frame_next and utet_object_open.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_DTYPE, E_CODEC, E_LIMIT, E_SUPERBLOCK,
 *          E_DIRECTORY, E_DATASET, E_METADATA, E_PAYLOAD, E_PORT
 */
utet_status utet_object_find(utet_object *object, utet_file *file, utet_message *message, uint32_t number,
                             utet_frame *frame, utet_cbor *reader);

/* Return the English name of a dtype or a compression as written in descriptors; "?" for an unknown number. */
const char *utet_tensor_dtype_name(uint8_t dtype);
const char *utet_compression_name(uint8_t compression);

/* ---- metadata (§3) ----------------------------------------------------------------------- */

/* A segment of a path: a text in memory. */
typedef struct utet_segment {
    const char *text;
    size_t length;
} utet_segment;

/* The content of a metadata frame. */
typedef struct utet_metadata_document {
    utet_item root;     /* the complete map as stored */
    utet_item base;     /* the list of maps `base`; UTET_CBOR_NULL: none */
    utet_item reserved; /* the map _reserved_; UTET_CBOR_NULL: none */
    utet_item extra;    /* the map _extra_; UTET_CBOR_NULL: none */
    uint32_t entries;   /* number of entries of base */
    uint32_t others;    /* number of other keys of the root; they count as keys of _extra_ */
} utet_metadata_document;

typedef struct utet_metadata {
    struct { /* private; near the beginning, because small fields then cost less code */
        utet_file *file;
        utet_message *message;
        uint8_t open;
        uint8_t step;        /* step of the suspended call */
        uint8_t shadowed;    /* find: nonzero: the tensor's preceder has the first key, so its entry does not count */
        uint8_t miss;        /* find: the next step if nothing is found at the path */
        uint8_t section;     /* key of the root whose value is being read; find: this is the path's first key */
        uint8_t seen;        /* while opening: known keys found so far, one bit each */
        uint8_t search_step; /* search: step within one entry */
        uint8_t match;       /* search: nonzero: the key may be the wanted one */
        uint8_t held;        /* search: number of bytes in piece */
        struct {             /* search for a path in entries, preceders and _extra_ */
            const utet_segment *segments; /* the path, or NULL: the path is in dotted */
            const char *dotted;
            size_t length;      /* number of segments, or of bytes */
            size_t segment;     /* index or position of the current segment */
            uint32_t entry;     /* index of the tensor that is searched */
            utet_item entries;  /* the entries of base after the one that is searched */
            utet_item preceder; /* preceder of the tensor that is searched */
        } find;
        struct {               /* search for a key in the entries of a map */
            uint32_t compared; /* number of equal bytes of the key */
            utet_item list;    /* the entries that have not been searched */
            utet_item key;
            utet_item item;
            uint8_t piece[16]; /* fragment of a wanted key that is in the file */
        } search;
        utet_item other;                /* while opening: an unknown key that is compared with _extra_ */
        utet_metadata_document reading; /* while opening: a metadata document, or that of a preceder */
        utet_frame walk;                /* the current frame: while opening, and for the current entry of base */
    } priv;
    uint32_t objects;                /* number of tensors of the message */
    uint32_t preceders;              /* number of tensors with a preceder */
    uint32_t frames;                 /* number of frames of the message */
    utet_frame frame;                /* the metadata frame in force: the last one */
    utet_metadata_document document; /* content of that frame; it has at most `objects` entries */
    utet_cbor reader;                /* may be used for utet_item_next and utet_item_text between calls */
} utet_metadata;

/*
 * Reads all frames of `message` and checks every metadata frame and preceder: syntax, kinds of the known keys, one base
 * entry in a preceder, at most one entry per tensor, no key that is both in _extra_ and next to it. The last metadata
 * frame is in force. `message` must stay valid. levels, most: see utet_cbor_open.
 * UTET_E_METADATA: file->error_offset is the offset of the incorrect item or frame. UTET_E_SPACE: the metadata is
 * nested deeper than there are levels; call again with more levels. UTET_E_LIMIT: a document has 2^30 bytes or more, or
 * more than 256 keys next to _extra_. For other errors, see utet_frame_next.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_LIMIT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_metadata_open(utet_metadata *metadata, utet_file *file, utet_message *message, uint32_t *levels,
                               uint16_t most);

/*
 * Finds the metadata of tensor `object`: *entry is base[object] as stored, *preceder is the entry of the tensor's
 * preceder; each is UTET_CBOR_NULL if there is none. A key of the preceder replaces the same key of the entry
 * completely; _reserved_ of the preceder is ignored.
 * UTET_E_RANGE: there is no such tensor. Other errors of the data: the medium has changed since opening.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SPACE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_metadata_entry(utet_metadata *metadata, uint32_t object, utet_item *entry, utet_item *preceder);

/* The metadata of one tensor, and a cursor: utet_entry_next continues from it. It may be copied. */
typedef struct utet_entry {
    uint32_t object;    /* index of the tensor */
    utet_item entry;    /* entry and preceder: as in utet_metadata_entry */
    utet_item preceder; /* UTET_CBOR_NULL: none */
    struct {
        utet_item entries; /* the entries of base after this one */
        utet_frame walk;   /* the tensor's frame, if the message has preceders */
    } priv;
} utet_entry;

/*
 * Finds the metadata of tensor 0 / of the tensor after that of *entry. All tensors together take one pass through the
 * frames, whereas utet_metadata_entry starts from tensor 0 in each call. Other calls may be made in between. *entry
 * changes only with UTET_OK.
 * UTET_END: there are no more tensors. Other errors of the data: the medium has changed since opening.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_entry_first(utet_metadata *metadata, utet_entry *entry);
utet_status utet_entry_next(utet_metadata *metadata, utet_entry *entry);

/*
 * Finds the value at a path in the metadata of one tensor: the keys of its entry, replaced by those of its preceder;
 * _reserved_ is that of the entry. _extra_ is not searched. *entry, the path and its texts must stay valid until a
 * suspended call has ended.
 * UTET_E_ARGUMENT: the path has no segment.
 * Other errors of the data: the medium has changed since opening.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_entry_find(utet_metadata *metadata, const utet_entry *entry, const utet_segment *path, size_t segments,
                            utet_item *value);
/*
 * Does the same as utet_entry_find for a path whose segments are separated by dots. Keys that contain dots cannot be
 * found.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_entry_find_dotted(utet_metadata *metadata, const utet_entry *entry, const char *path, size_t length,
                                   utet_item *value);

/* The keys of the first tensor, one bit each: those of its preceder, then those of its entry, in their order. */
typedef struct utet_common {
    uint32_t keys; /* number of keys of the first tensor; valid after UTET_OK */
    struct {       /* private; near the beginning, because small fields then cost less code */
        uint8_t step;
        uint8_t part;
        uint8_t own;       /* nonzero: `other` is the first tensor itself; keys are counted */
        uint8_t same;      /* the key's bit, as far as it is known */
        uint8_t held;      /* nonzero: `piece` has a fragment of the value */
        utet_item list;    /* first tensor: the remaining keys */
        utet_item key;     /* the key to find */
        utet_item next;    /* other tensor: the keys after the last one found */
        uint64_t mine;     /* offset of the value in the first tensor */
        uint64_t theirs;   /* offset of the value in the other tensor */
        uint64_t length;   /* length of both values, in bytes */
        uint64_t compared; /* number of bytes that have been compared and are equal */
        uint8_t piece[16];
    } priv;
} utet_common;

/*
 * Finds the keys and values that all tensors have in common (§3.5). Call it first with the cursor of one tensor as both
 * `first` and `other`: it counts the keys of that tensor and sets their bits, bit i % 8 of bits[i / 8] for key i,
 * except for _reserved_ and for keys of the entry that the preceder replaces. Then call it with each other tensor as
 * `other`: it clears the bits of keys that this tensor lacks or that have another value. Values are equal if their
 * encodings are equal. The work is linear in the entries if their keys have the same order, as writers store them;
 * otherwise a key may cost a search of the complete other entry. Keys whose bit is clear are skipped. All pointers must
 * stay valid until a suspended call has ended.
 * UTET_E_SPACE: `first` has more keys than `size` bytes have bits, or the metadata is nested too deep. Other errors of
 * the data: the medium has changed since opening.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_entry_common(utet_metadata *metadata, const utet_entry *first, const utet_entry *other,
                              utet_common *common, uint8_t *bits, size_t size);

/*
 * Finds the value of the key `text` in a map.
 * UTET_E_NOT_FOUND: the map has no such key, or *map is not a map. Other errors of the data: the medium has changed
 * since opening.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_metadata_in(utet_metadata *metadata, const utet_item *map, const char *text, size_t length,
                             utet_item *value);

/*
 * Finds the value at a path, which has one key for each level. The value comes from the first tensor whose entry
 * contains the path (not through _reserved_; preceders are taken into account), else from _extra_ and the keys of the
 * root that count as its keys.
 * UTET_E_ARGUMENT: the path has no segment.
 * Other errors of the data: the medium has changed since opening.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA,
 *          E_PORT
 */
utet_status utet_metadata_find(utet_metadata *metadata, const utet_segment *path, size_t segments, utet_item *value);
/*
 * Does the same as utet_metadata_find for a path whose segments are separated by dots. Keys that contain dots cannot be
 * found.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA,
 *          E_PORT
 */
utet_status utet_metadata_find_dotted(utet_metadata *metadata, const char *path, size_t length, utet_item *value);

/* Rules for utet_metadata_check. */
enum {
    UTET_METADATA_TYPES = 1,    /* keys are texts; no byte strings, tags, undefined (§3.3) */
    UTET_METADATA_CANONICAL = 2 /* deterministic: shortest forms, definite lengths, sorted keys, no duplicates (§3.4) */
};

/* State of a check: the position of the last key of each open map. */
typedef struct utet_metadata_checking {
    struct {
        uint32_t begin[UTET_CBOR_DEPTH];  /* position relative to the start of the frame's content */
        uint32_t length[UTET_CBOR_DEPTH]; /* length as encoded; 0: no key yet */
        uint32_t compared;                /* number of equal bytes of the two keys */
        uint8_t step;
        uint8_t held;      /* number of bytes in piece */
        uint8_t piece[16]; /* fragment of the earlier key */
    } priv;
} utet_metadata_checking;

/*
 * Strict mode: checks rules that reading does not enforce, for the metadata frame in force. Changes nothing.
 * UTET_E_METADATA: file->error_offset is the offset of the first item that violates a rule. UTET_E_SPACE: with
 * UTET_METADATA_CANONICAL, the metadata is nested deeper than UTET_CBOR_DEPTH.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_metadata_check(utet_metadata *metadata, unsigned rules, utet_metadata_checking *state);

/* State of a comparison. */
typedef struct utet_metadata_comparing {
    struct {
        utet_frame tensor; /* frame of the current list entry */
        utet_item root;    /* root of the frame that is being compared */
        utet_item list;
        utet_item entry;
        uint8_t step;
        uint8_t list_number; /* index of the current list in the frame */
    } priv;
} utet_metadata_comparing;

/*
 * Compares index and hash frames with the frames themselves (§2.2). Nothing else relies on them: a difference affects
 * only these frames. A hash frame with an algorithm other than "xxh3" is skipped. UTET_E_INDEX, UTET_E_CHECKSUM: an
 * index frame or a hash frame differs; file->error_offset is the offset of that frame. UTET_E_SPACE: such a frame is
 * nested deeper than there are levels. Other errors of the data: the medium has changed since opening.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_INDEX, E_METADATA, E_CHECKSUM,
 *          E_PORT
 */
utet_status utet_metadata_compare(utet_metadata *metadata, utet_metadata_comparing *state);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum {
    UTET_OBJECT_FRAME = 55,
    UTET_OBJECT_MESSAGE = 56,
    UTET_OBJECT_FRAME_HASH = 57,
    UTET_OBJECT_MASK = 58,
    UTET_OBJECT_OBJECT = 59,
    UTET_OBJECT_SEGMENT = 60,
    UTET_OBJECT_METADATA_DOCUMENT = 61,
    UTET_OBJECT_METADATA = 62,
    UTET_OBJECT_ENTRY = 63,
    UTET_OBJECT_COMMON = 64,
    UTET_OBJECT_METADATA_CHECKING = 65,
    UTET_OBJECT_METADATA_COMPARING = 66
};

#ifdef __ELF__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
