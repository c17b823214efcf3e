/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensogram messages, wire version 3: which there are in a file, the frames of each, metadata, descriptors of the
 * tensors. Section numbers (§) are those of src/tensogram/FORMAT.md. The tensors' data: utet_tensogram_data.h.
 *
 * A file is messages one after another, foreign bytes between them. A message is a preamble, frames, a postamble. All
 * calls go through the window of a utet_file; objects keep offsets, never the bytes. The conventions of utet.h hold:
 * UTET_WOULD_BLOCK means to repeat the call, and other calls on the file return UTET_E_STATE meanwhile.
 *
 * Ports that cannot go back (a UART, a radio) are enough for utet_message_forward, utet_message_seek, utet_frame_next,
 * and one reading of each frame in order: utet_cbor_next over its content, or utet_frame_verify. Going back is needed
 * for the other calls that find messages (they look at the postamble first), for descriptors (where one begins is said
 * behind it), for utet_metadata_open and all that looks something up, and for a frame's hash beside its content.
 *
 * At every call UTET_E_STATE means that the file is not open, or that another call on it is suspended, or the same with
 * another destination, size, path or text (it stays suspended); UTET_E_SHORT, unless the call says more, that the
 * medium ended before the size that the port states.
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

#define UTET_TENSOGRAM_VERSION 3 /* the wire version that is read (§1) */
#define UTET_TENSOR_MAX_NDIM 16  /* axes of which an object keeps extents; a tensor may have more (§4.1) */

/* ---- messages (§1) ---------------------------------------------------------------------- */

/* flags of a preamble: hints of the writer, nothing is found by them (§1) */
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

/* A frame; what the type makes of its content: §2. Offsets are those of the file, lengths bytes. */
/* type of a frame */
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

/* utet_frame.hashed */
enum {
    UTET_HASH_NONE = 0, /* the slot says nothing */
    UTET_HASH_FLAGGED,  /* it is the frame's hash */
    UTET_HASH_OLD       /* by writers before 0.21: filled, though the frame's flag is clear (§2.1) */
};

typedef struct utet_frame {
    uint16_t type;
    uint16_t version;
    uint16_t flags;
    uint8_t hashed;
    struct {              /* here, because small fields cost less code near the beginning */
        uint8_t phase;    /* 1 header, 2 tensors, 3 footer (§2) */
        uint8_t metadata; /* a metadata frame has been seen */
        uint8_t ended;    /* the postamble has been reached */
        uint8_t pending;  /* its tail has not been read */
        uint8_t old_hash; /* bit 7 of the preamble's flags */
        uint64_t next;    /* where the next one is looked for */
        uint64_t footer;  /* where the first footer frame begins, 0 = none yet */
    } priv;
    uint64_t offset;            /* offset of the frame in the file */
    uint64_t length;            /* as stored: header to ENDF */
    uint64_t hash;              /* slot of the XXH3-64 */
    uint64_t content_offset;    /* CBOR; of a tensor, the payload region: payload and masks */
    uint64_t content_length;    /* its length; UINT64_MAX if the descriptor is first and not read yet */
    uint64_t descriptor_offset; /* tensor: offset of its CBOR */
    uint64_t descriptor_length; /* length of that CBOR; if it comes first, the rest is the payload region (§4) */
    uint32_t object;            /* number of the tensor, or of the next one */
    uint32_t number;            /* number of the frame */
} utet_frame;

/* Offsets are those of the file, lengths bytes. */
typedef struct utet_message {
    uint64_t offset;              /* offset of the preamble */
    uint64_t length;              /* preamble to postamble; 0 = not known before the frames have been walked */
    uint64_t skipped;             /* foreign bytes in front of it */
    uint64_t total_length;        /* as the preamble says; 0 = streamed */
    uint64_t postamble_offset;    /* this and the next two: once the length is known */
    uint64_t postamble_length;    /* total_length again, as the postamble says */
    uint64_t first_footer_offset; /* as stored: from the message's beginning */
    uint16_t version;
    uint16_t flags;
    uint32_t reserved;
    struct {
        uint64_t from;   /* where the search began */
        uint64_t next;   /* position where the search continues */
        uint8_t forward; /* nothing behind a place may be read before it (utet_message_forward) */
        utet_frame walk; /* frames of a message whose length is not known */
    } priv;
} utet_message;

/*
 * The first message of the file / the one after *message. Searches for a start magic from there on. A known length is
 * checked at the postamble; an unknown one is found out by walking the frames, never by searching for the end magic.
 * When a message is broken, message->offset is its beginning, and the next call continues the search one byte later. So
 * bytes that only look like a start magic are reported, and no message behind them is lost.
 * UTET_END: there is no start magic any more, and message->skipped foreign bytes. *message keeps where the search
 * ended: when io.size has grown meanwhile, utet_message_next continues there. UTET_E_SHORT: the file ends inside the
 * message, which is truncated or not complete yet. The next call continues the search after it; utet_message_at reads
 * it again when more has come. UTET_E_VERSION: the version is not 3. UTET_E_SUPERBLOCK: preamble and postamble
 * contradict each other, or the length is impossible (§1). Only when frames are walked: UTET_E_DIRECTORY, a frame is
 * against the rules (§2); UTET_E_METADATA, there is no metadata frame.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_VERSION, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_message_first(utet_file *file, utet_message *message);
utet_status utet_message_next(utet_file *file, utet_message *message);
/*
 * The message that begins exactly at `offset`.
 * UTET_E_MAGIC: none begins there. UTET_E_RANGE: `offset` is behind the end of the file. The other errors are those of
 * utet_message_next.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_MAGIC, E_VERSION, E_SUPERBLOCK, E_DIRECTORY, E_METADATA,
 *          E_PORT
 */
utet_status utet_message_at(utet_file *file, uint64_t offset, utet_message *message);
/*
 * The same for ports that cannot seek backwards: reads the preamble only. utet_frame_next then
 * gives each frame when its header has been read (hash, descriptor_offset and descriptor_length stay 0), reads its tail
 * at the next call, and checks the postamble when it comes there.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_MAGIC, E_VERSION, E_SUPERBLOCK, E_PORT
 */
utet_status utet_message_forward(utet_file *file, uint64_t offset, utet_message *message);
/*
 * The same for the first message that begins at `from` or behind it: joins a stream in the middle, on ports that cannot
 * go back. A start magic counts when a preamble of version 3 with a possible length follows it, and then the header of
 * a frame; so bytes of a payload that only look like a start magic are skipped. A whole message inside a payload
 * does count, until its end contradicts what follows. When utet_frame_next refuses a frame, call this again with a
 * place that the port still has; what has been passed meanwhile is lost. *message: the search has passed `skipped`
 * bytes.
 * UTET_END: none has begun up to io.size; when that has grown, call again from message->offset. UTET_E_SHORT: a message
 * begins, and its length leaves the file. UTET_E_RANGE: `from` is behind the end of the file.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_PORT
 */
utet_status utet_message_seek(utet_file *file, uint64_t from, utet_message *message);

/* ---- frames (§2) ------------------------------------------------------------------------ */

/*
 * The first frame of a message. Checks its type, length, end mark and padding (§2).
 * UTET_E_SHORT: the message is truncated. UTET_E_DIRECTORY: the frame is wrong. UTET_E_METADATA: there is no frame, so
 * no metadata either. UTET_E_SUPERBLOCK: the same, and the postamble is wrong.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_frame_first(utet_file *file, utet_message *message, utet_frame *frame);
/*
 * The frame after *frame. Checks the same, and the frames' order. Behind the last frame it checks the postamble, and
 * that there was a metadata frame; then *message gets its length.
 * UTET_END: frame->number and frame->object are the numbers of frames and tensors. UTET_E_SHORT, UTET_E_DIRECTORY: as
 * above. UTET_E_SUPERBLOCK: the postamble is wrong. UTET_E_METADATA: there is no metadata frame.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_frame_next(utet_file *file, utet_message *message, utet_frame *frame);

/* The hash of a frame being computed. */
typedef struct utet_frame_hash {
    uint64_t value; /* the result */
    struct {
        uint64_t lane[8];
        uint64_t position; /* pieces that have been mixed in */
    } priv;
} utet_frame_hash;

/*
 * Computes the XXH3-64 of a frame and compares it with the slot (§2.1).
 * UTET_END: the frame has no hash; the value has been computed. UTET_E_CHECKSUM: it differs; file->error_offset is the
 * frame's place.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_CHECKSUM, E_PORT
 */
utet_status utet_frame_verify(utet_file *file, const utet_frame *frame, utet_frame_hash *state);

/* ---- descriptors of tensors (§4) --------------------------------------------------------- */

/* dtype (§4.1) */
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
/* compression, and method of a mask */
enum {
    UTET_COMPRESSION_NONE = 1,
    UTET_COMPRESSION_SZIP,
    UTET_COMPRESSION_ZSTD,
    UTET_COMPRESSION_LZ4,
    UTET_COMPRESSION_RLE,
    UTET_COMPRESSION_ROARING,
    UTET_COMPRESSION_BLOSC2,
    UTET_COMPRESSION_ZFP,
    UTET_COMPRESSION_SZ3 /* from here on: named, never decoded */
};
enum { UTET_MASK_NAN, UTET_MASK_POSITIVE, UTET_MASK_NEGATIVE, UTET_MASKS };

/* Which elements are NaN, +Inf, -Inf: a bitmask of all elements, compressed (§4.6). */
typedef struct utet_mask {
    uint8_t method;  /* UTET_COMPRESSION_…; 0 = there is no such mask */
    uint64_t offset; /* offset in the file */
    uint64_t length; /* length, in bytes */
} utet_mask;

/* A tensor: its descriptor. What does not belong to its encoding, filter or compression is 0. */
typedef struct utet_object {
    uint8_t dtype;
    uint8_t width;      /* bytes of an element; 0 of a bitmask */
    uint8_t ndim;       /* entries of shape and strides, 0..UTET_TENSOR_MAX_NDIM; 0 = one element */
    uint8_t big_endian; /* byte order of the data */
    uint8_t encoding;
    uint8_t filter;
    uint8_t compression;
    uint8_t masks;              /* how many of mask[] there are */
    struct {                    /* here, because small fields cost less code near the beginning */
        uint32_t seen;          /* keys that have come, one bit each */
        uint32_t good;          /* keys among `seen` whose values are of the right kind */
        uint8_t begun;          /* the descriptor is being read */
        uint8_t key;            /* whose value is being read */
        uint8_t mask;           /* the mask that is being read */
        uint8_t field;          /* current field of that mask */
        uint8_t mask_fields;    /* fields of the mask that have come, one bit each */
        uint32_t strides_count; /* entries of the list */
        uint64_t ndim;          /* as stored */
        uint64_t product;       /* product of the extents that are not 0 */
    } priv;
    uint64_t shape[UTET_TENSOR_MAX_NDIM];
    int64_t strides[UTET_TENSOR_MAX_NDIM]; /* as stored, in elements: says nothing about the data (§4.1) */
    uint64_t elements;
    uint64_t decoded_length; /* bytes of all elements; of a bitmask ceil(n / 8) */
    uint64_t stored_length;  /* bytes that decompression makes: of packed values ceil(n * bits / 8), else the same */
    uint64_t payload_offset; /* offset of the compressed bytes in the file */
    uint64_t payload_length; /* length of the compressed bytes, without masks */
    utet_mask mask[UTET_MASKS];
    struct {
        double reference;  /* R */
        int32_t binary;    /* E */
        int32_t decimal;   /* D */
        uint8_t bits;      /* B, 0..64 */
    } packing;             /* simple_packing: value = R + 2^E * 10^-D * q (§4.2) */
    uint64_t shuffle_size; /* bytes of an element of the filter shuffle (§4.3) */
    struct {
        uint32_t interval;   /* blocks per reference interval (rsi) */
        uint32_t block_size; /* samples of a block: 8, 16, 32, 64 */
        uint32_t flags;      /* as stored; which are forced: §4.4 */
        utet_item offsets;   /* list of bit offsets of the intervals, UTET_CBOR_NULL = none; not to be trusted */
    } szip;
    utet_item descriptor;  /* the map itself, for the keys that have no field here */
    uint64_t frame_offset; /* offset of its frame */
    uint64_t frame_length;
    uint64_t hash;   /* as of its frame, and so is hashed */
    uint32_t number; /* number of the tensor in its message, from 0 */
    uint32_t axes;   /* axes of the tensor: ndim, or more with UTET_E_LIMIT */
    uint8_t hashed;
} utet_object;

/*
 * Reads the descriptor of a tensor frame and checks all that follows from it: names, sizes, the size law, places of
 * masks, parameters of what it names. `reader` holds the state of the call; utet_cbor_open is not necessary.
 * frame: of type UTET_FRAME_TENSOR; one whose descriptor comes first gets content_offset and content_length.
 * UTET_COMPRESSION_BLOSC2, ZFP and SZ3 are sound here; reading their data is UTET_E_CODEC.
 * UTET_E_ARGUMENT: the frame is of another type. UTET_E_SPACE: the descriptor is nested deeper than UTET_CBOR_DEPTH.
 * UTET_E_LIMIT: the tensor has more than UTET_TENSOR_MAX_NDIM axes. All of *object is as with UTET_OK, and its data can
 * be read; shape and strides have the first axes only, object->descriptor leads to all. Or the descriptor has 2^30
 * bytes or more; then object->descriptor is UTET_CBOR_NULL, and nothing is known. UTET_E_DATASET: the descriptor is no
 * CBOR; a key is missing, comes twice or has a value of the wrong kind; sizes or parameters are wrong. UTET_E_DTYPE:
 * the dtype has an unknown name. UTET_E_CODEC: encoding, filter, compression or a mask's method has an unknown name, or
 * does not go with the dtype. UTET_E_PAYLOAD: the payload's length contradicts the descriptor, or a mask leaves its
 * region.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_SPACE, E_SHORT, E_DTYPE, E_CODEC, E_LIMIT, E_DATASET, E_PAYLOAD,
 *          E_PORT
 */
utet_status utet_object_open(utet_object *object, utet_file *file, utet_frame *frame, utet_cbor *reader);

/*
 * Tensor `number`, from 0, of a message: walks the frames. frame, reader: hold the state of the call.
 * UTET_E_NOT_FOUND: the message has fewer tensors. The other errors are those of utet_frame_next and
 * utet_object_open.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_DTYPE, E_CODEC, E_LIMIT, E_SUPERBLOCK,
 *          E_DIRECTORY, E_DATASET, E_METADATA, E_PAYLOAD, E_PORT
 */
utet_status utet_object_find(utet_object *object, utet_file *file, utet_message *message, uint32_t number,
                             utet_frame *frame, utet_cbor *reader);

/* English names as the descriptor has them, "?" for another number: of a dtype, and of a compression. */
const char *utet_tensor_dtype_name(uint8_t dtype);
const char *utet_compression_name(uint8_t compression);

/* ---- metadata (§3) ----------------------------------------------------------------------- */

/* A text in memory: a segment of a path. */
typedef struct utet_segment {
    const char *text;
    size_t length;
} utet_segment;

/* The content of a metadata frame. */
typedef struct utet_metadata_document {
    utet_item root;     /* the whole map as stored */
    utet_item base;     /* a list of maps; UTET_CBOR_NULL = none, as for the next two */
    utet_item reserved; /* the map _reserved_ */
    utet_item extra;    /* the map _extra_; other keys of the root count as if they stood there */
    uint32_t entries;   /* of base */
    uint32_t others;    /* those other keys of the root */
} utet_metadata_document;

typedef struct utet_metadata {
    struct { /* here, because small fields cost less code near the beginning */
        utet_file *file;
        utet_message *message;
        uint8_t open;
        uint8_t step;        /* step of the suspended call */
        uint8_t shadowed;    /* find: the tensor's preceder has the first key, so its entry does not count */
        uint8_t miss;        /* find: the step that follows when the path ends nowhere */
        uint8_t section;     /* the key of the root whose value is being read; find: that is the path's first key */
        uint8_t seen;        /* in opening: known keys that have come, one bit each */
        uint8_t search_step; /* search: of one entry */
        uint8_t match;       /* search: the key may be the wanted one */
        uint8_t held;        /* search: bytes in piece */
        struct {             /* a path through entries, preceders and _extra_ */
            const utet_segment *segments; /* or null, and */
            const char *dotted;
            size_t length;      /* number of segments, or bytes */
            size_t segment;     /* being looked for */
            uint32_t entry;     /* number of the tensor that is searched */
            utet_item entries;  /* of base, behind the one that is searched */
            utet_item preceder; /* preceder of the tensor that is searched */
        } find;
        struct {               /* entries of a map by a key */
            uint32_t compared; /* bytes of the key that are equal */
            utet_item list;    /* not searched yet */
            utet_item key;
            utet_item item;
            uint8_t piece[16]; /* part of a wanted key that is in the file */
        } search;
        utet_item other;                /* while opening: an unknown key that is compared with _extra_ */
        utet_metadata_document reading; /* while opening: a metadata document, also of a preceder */
        utet_frame walk;                /* the frames, in opening and in step with the entries of base */
    } priv;
    uint32_t objects;                /* tensors of the message */
    uint32_t preceders;              /* tensors with a preceder */
    uint32_t frames;                 /* frames of the message */
    utet_frame frame;                /* the metadata frame that counts: the last one */
    utet_metadata_document document; /* its content; it has at most `objects` entries */
    utet_cbor reader;                /* may be used for utet_item_next and utet_item_text between calls */
} utet_metadata;

/*
 * Walks the frames of `message` and reads every metadata frame and preceder: syntax, kinds of the known keys, one base
 * entry in a preceder, at most as many entries as tensors, no key both beside and in _extra_. The last metadata frame
 * counts. `message` must stay. levels, most: see utet_cbor_open.
 * UTET_E_METADATA: file->error_offset is the place of the item or frame that is wrong. UTET_E_SPACE: the metadata are
 * nested deeper than there are levels; call again with more of them. UTET_E_LIMIT: a document has 2^30 bytes or more,
 * or more than 256 keys beside _extra_. The other errors are those of utet_frame_next.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_LIMIT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_metadata_open(utet_metadata *metadata, utet_file *file, utet_message *message, uint32_t *levels,
                               uint16_t most);

/*
 * What is said about tensor `object`: *entry is base[object] as stored, *preceder the entry of its preceder;
 * UTET_CBOR_NULL where there is none. A key of the preceder replaces the same key of the entry, whole; its _reserved_
 * does not count.
 * UTET_E_RANGE: there is no such tensor. Other errors of the data: the medium changed since opening.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SPACE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_metadata_entry(utet_metadata *metadata, uint32_t object, utet_item *entry, utet_item *preceder);

/* The metadata of one tensor, and a cursor: utet_entry_next continues from it. It may be copied. */
typedef struct utet_entry {
    uint32_t object;    /* number of the tensor */
    utet_item entry;    /* as of utet_metadata_entry, and so is the next */
    utet_item preceder; /* UTET_CBOR_NULL = there is none */
    struct {
        utet_item entries; /* of base, behind this one */
        utet_frame walk;   /* at the tensor's frame, if the message has preceders */
    } priv;
} utet_entry;

/*
 * What is said about tensor 0 / about the tensor after the one of *entry: all tensors in one walk, while
 * utet_metadata_entry walks from tensor 0 each time. Other calls may come between. *entry changes with UTET_OK only.
 * UTET_END: there are no more tensors. Other errors of the data: the medium changed since opening.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA, E_PORT
 */
utet_status utet_entry_first(utet_metadata *metadata, utet_entry *entry);
utet_status utet_entry_next(utet_metadata *metadata, utet_entry *entry);

/*
 * The value at a path in what is said about one tensor, whose keys are those of its entry, replaced by those of its
 * preceder; _reserved_ is that of the entry. _extra_ is not looked through. *entry, the path and its texts must stay
 * until a suspended call is through.
 * UTET_E_ARGUMENT: the path has no segment.
 * Other errors of the data: the medium changed since opening.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_entry_find(utet_metadata *metadata, const utet_entry *entry, const utet_segment *path, size_t segments,
                            utet_item *value);
/*
 * The same. The path's segments are separated by dots, so keys that contain dots are not found.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_entry_find_dotted(utet_metadata *metadata, const utet_entry *entry, const char *path, size_t length,
                                   utet_item *value);

/* Keys of the first tensor, a bit each: those of its preceder, then those of its entry, in their order. */
typedef struct utet_common {
    uint32_t keys; /* that the first tensor has; after UTET_OK */
    struct {       /* here, because small fields cost less code near the beginning */
        uint8_t step;
        uint8_t part;
        uint8_t own;       /* the tensor itself: which keys count */
        uint8_t same;      /* the key's bit, as far as it is known */
        uint8_t held;      /* a piece of its value is in `piece` */
        utet_item list;    /* first tensor: keys that follow */
        utet_item key;     /* the one that is looked for */
        utet_item next;    /* other tensor: keys after the one that was found last */
        uint64_t mine;     /* place of the key's value */
        uint64_t theirs;   /* and of the other tensor's */
        uint64_t length;   /* bytes of both */
        uint64_t compared; /* bytes that have been compared and are equal */
        uint8_t piece[16];
    } priv;
} utet_common;

/*
 * What all tensors have in common (§3.5). With the cursor of one tensor as `first` and as `other`, bits are set for its
 * keys, which are counted: bit i % 8 of bits[i / 8] for key i, not for _reserved_, nor for a key of its entry that its
 * preceder has. Then with each other tensor as `other`: bits of keys that it has not, or with another value, are
 * cleared. Values are equal if their encodings are. The work is linear in the entries when their keys stand in one
 * order, as writers put them; else a key may cost a search of the whole other entry. Bits of other keys are not
 * looked at. All pointers must stay until a suspended call is through.
 * UTET_E_SPACE: `first` has more keys than `size` bytes have bits, or metadata are nested too deep. Other errors of the
 * data: the medium changed since opening.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_entry_common(utet_metadata *metadata, const utet_entry *first, const utet_entry *other,
                              utet_common *common, uint8_t *bits, size_t size);

/*
 * The value of the key `text` in a map.
 * UTET_E_NOT_FOUND: the map has no such key, or *map is no map. Other errors of the data: the medium changed since
 * opening.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_metadata_in(utet_metadata *metadata, const utet_item *map, const char *text, size_t length,
                             utet_item *value);

/*
 * The value at a path, which has one key for each level. It is taken from the first tensor's entry that has it (not
 * through _reserved_; preceders are taken into account), else from _extra_ and the keys that count as its own.
 * UTET_E_ARGUMENT: the path has no segment.
 * Other errors of the data: the medium changed since opening.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA,
 *          E_PORT
 */
utet_status utet_metadata_find(utet_metadata *metadata, const utet_segment *path, size_t segments, utet_item *value);
/*
 * The same. The path's segments are separated by dots, so keys that contain dots are not found.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SPACE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_METADATA,
 *          E_PORT
 */
utet_status utet_metadata_find_dotted(utet_metadata *metadata, const char *path, size_t length, utet_item *value);

/* rules for utet_metadata_check */
enum {
    UTET_METADATA_TYPES = 1,    /* keys are texts; no byte strings, tags, undefined (§3.3) */
    UTET_METADATA_CANONICAL = 2 /* deterministic: shortest forms, definite lengths, keys in order, none twice (§3.4) */
};

/* State of a check: where the last key of each open map lies. */
typedef struct utet_metadata_checking {
    struct {
        uint32_t begin[UTET_CBOR_DEPTH];  /* position from the beginning of the frame's content */
        uint32_t length[UTET_CBOR_DEPTH]; /* as encoded; 0 = none yet */
        uint32_t compared;                /* bytes of the two keys that are equal */
        uint8_t step;
        uint8_t held;      /* bytes in piece */
        uint8_t piece[16]; /* part of the earlier key */
    } priv;
} utet_metadata_checking;

/*
 * Strict mode: holds the metadata frame that counts against rules that reading does not enforce. Changes nothing.
 * UTET_E_METADATA: file->error_offset is the first item against them. UTET_E_SPACE: with UTET_METADATA_CANONICAL, the
 * metadata are nested deeper than UTET_CBOR_DEPTH.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_metadata_check(utet_metadata *metadata, unsigned rules, utet_metadata_checking *state);

/* State of a comparison. */
typedef struct utet_metadata_comparing {
    struct {
        utet_frame tensor; /* in step with the entries of a list */
        utet_item root;    /* root of the frame that is compared */
        utet_item list;
        utet_item entry;
        uint8_t step;
        uint8_t list_number; /* number of the current list of the frame */
    } priv;
} utet_metadata_comparing;

/*
 * Compares index and hash frames with the frames themselves (§2.2). Nothing else relies on them: a difference costs
 * them alone. A hash frame of another algorithm than "xxh3" is skipped. UTET_E_INDEX, UTET_E_CHECKSUM: an index
 * frame, a hash frame differs; file->error_offset is its place. UTET_E_SPACE: it is nested deeper than there are
 * levels. Other errors of the data: the medium changed since opening.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SPACE, E_SHORT, E_SUPERBLOCK, E_DIRECTORY, E_INDEX, E_METADATA, E_CHECKSUM,
 *          E_PORT
 */
utet_status utet_metadata_compare(utet_metadata *metadata, utet_metadata_comparing *state);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
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
