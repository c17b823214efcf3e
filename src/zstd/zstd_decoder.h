/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The inside of the zstd decoder: build options, its context, and the helpers and calls that its files share. Relies
 * only on the compiler, memcpy, memset and memmove. "Format" in comments is RFC 8878 / zstd_compression_format.md.
 */
#ifndef UTET_ZSTD_DECODER_H
#define UTET_ZSTD_DECODER_H

#include <string.h>
#include "utet_zstd.h"

/* Build options. Both layouts, both kinds of source and slices are on by default; a build for one board may leave out
 * those that it does not use. Without a layout its file (zstd_tables.c, zstd_packed.c) need not be compiled. */
#ifndef UTET_ZSTD_TABLES
#define UTET_ZSTD_TABLES 1 /* the layout with full tables, 10 KB */
#endif
#ifndef UTET_ZSTD_PACKED
#define UTET_ZSTD_PACKED 1 /* the packed layout, 4.25 KB */
#endif
#ifndef UTET_ZSTD_READ
#define UTET_ZSTD_READ 1 /* sources with read(); 0: mapped sources only */
#endif
#ifndef UTET_ZSTD_SLICES
#define UTET_ZSTD_SLICES 1 /* output in slices; 0: whole destinations only */
#endif
#ifndef UTET_ZSTD_CHECKSUM
#define UTET_ZSTD_CHECKSUM 1 /* checksums of frames are verified; 0: skipped, and utet_zstd_unverified says so */
#endif

/* 1: the processor loads words from addresses that are multiples of 4 only (zstd_words.h); 0: from any
 * (zstd_unaligned.h). */
#if !defined(UTET_ZSTD_ALIGNED) && defined(__arm__) && !defined(__ARM_FEATURE_UNALIGNED) && !defined(__ARM_BIG_ENDIAN)
#define UTET_ZSTD_ALIGNED 1
#elif !defined(UTET_ZSTD_ALIGNED)
#define UTET_ZSTD_ALIGNED 0
#endif

#if defined(__GNUC__)
#define ZS_LIKELY(x) __builtin_expect((x) != 0, 1)
#define ZS_NOINLINE __attribute__((noinline))
#define ZS_INLINE static inline __attribute__((always_inline))
#define ZS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define ZS_LOG2(v) ((unsigned)(sizeof(unsigned long) * 8u - 1u) - (unsigned)__builtin_clzl(v))
#else
#define ZS_LIKELY(x) (x)
#define ZS_NOINLINE
#define ZS_INLINE static inline
#define ZS_LITTLE_ENDIAN 0 /* not known */
#define ZS_LOG2(v) zs_log2_by_halves(v)
#endif

enum {
    ZS_CACHE_MIN = 64,
    ZS_CACHE_MAX = 512,
    ZS_AHEAD = 160,      /* header bytes fetched at once: as many as the smallest caches hold */
    ZS_AHEAD_FIRST = 36, /* until memory is divided: a frame header, twice */
    ZS_BELOW = 12,       /* bytes below a stream's start that a load touches and never uses: the decoder's own memory */
    ZS_MARGIN = 45, /* when this number of bits is left, a round of four literals may begin, wherever the stream ends */
    ZS_ABOVE = 16,  /* room above a cache for the unread bytes kept by a refill */
    ZS_LAST = 16,   /* UTET_ZSTD_ALIGNED: bytes of a stream at the payload's end that are copied */
    ZS_FORWARD = 25, /* bits that one load of a forward stream has */
    ZS_LONG = 48,    /* a match of at least this many bytes is copied in the largest possible pieces */
    ZS_OVERRUN = 8,  /* bytes after a match that a copy in words may overwrite */
    ZS_SYMBOLS = 53, /* the largest alphabet of sequence codes: match lengths */
    ZS_LL = 0,
    ZS_OF = 1,
    ZS_ML = 2,
    ZS_WEIGHTS = 3,
    ZS_CELLS = 512 + 256 + 512,
    ZS_CELLS_OF = 512,
    ZS_CELLS_ML = 768,
    ZS_HUFFMAN_LOG = 11,
    ZS_LOG_PACKED = 9,   /* first level of the packed layout */
    ZS_NARROW = 9,       /* UTET_ZSTD_ALIGNED: least bits that index the Huffman table */
    ZS_DEEP = 64,        /* UTET_ZSTD_ALIGNED: the length of codes that the first level does not hold */
    ZS_WEIGHTS_END = 16, /* a weight from here on is damaged; it is counted as the highest one below */
    ZS_NONE = 255,       /* no symbol; 255 can only be the last one, which no chain holds while weights are decoded */
    ZS_WEIGHT_LOG = 6
};
#define ZS_BLOCK_SIZE_MAX ((uint32_t)131072)
#define ZS_WINDOW_LOG_MAX 27u
#define ZS_MAGIC 0xfd2fb528u

/* Internal status, in addition to utet_status: the slice is full. */
#define ZS_FULL 3

/* The machine's phases (zstd_blocks.c). */
enum {
    /* headers: as many bytes as `peeked` says are made addressable first */
    ZS_P_FRAME,    /* Magic_Number and Frame_Header, or a skippable frame */
    ZS_P_BLOCK,    /* Block_Header */
    ZS_P_CHECKSUM, /* Content_Checksum */
    ZS_P_RLE,      /* RLE_Block: content */
    ZS_P_LITERALS, /* Literals_Section_Header */
    ZS_P_TREE,     /* Huffman_Tree_Description */
    ZS_P_JUMP,     /* Jump_Table */
    ZS_P_SECTION,  /* Sequences_Section_Header */
    ZS_P_TABLE_LL, /* the three tables, in this order */
    ZS_P_TABLE_OF,
    ZS_P_TABLE_ML,
    ZS_P_STREAM, /* the sequences' bit stream: opens it, reads its three states */
    ZS_P_STATES,
    ZS_P_SEQUENCES,
    ZS_P_REST, /* literals after the last sequence, ends of the literal streams */
    ZS_P_RAW,  /* Raw_Block: content */
    ZS_P_LOAD, /* the whole payload goes into memory */
    ZS_P_END
};

enum { ZS_RAW = 0, ZS_RLE = 1, ZS_HUFFMAN = 2, ZS_TREELESS = 3 };

/* A bit stream that is read backwards. `used`, the bits consumed below `top`, is its whole
 * state. `below` bytes have not been fetched yet; the highest of them is at lo - 1. */
typedef struct zs_cursor {
    const uint8_t *top; /* end of the addressable bytes (a multiple of 4 with UTET_ZSTD_ALIGNED) */
    uint32_t used;      /* bits */
    uint32_t limit;     /* addressable bits below top */
    uint32_t below;     /* bytes of the stream that have not been fetched */
    uint32_t lo;        /* position in the block of the lowest addressable byte */
    uint8_t *cache;     /* cache_size bytes and the room above */
    uint16_t wanted;    /* bytes that the pending refill will bring; 0 = none */
    uint16_t got;       /* bytes of `wanted` that have arrived */
} zs_cursor;

typedef struct zs_xxh {
    uint64_t lane[4];
    uint8_t held[32];
} zs_xxh;

/* The content of a bit stream of FSE counts (Format, "FSE Table Description"). */
typedef struct zs_counts {
    uint8_t log;
    uint8_t symbols;   /* how many are described, at most ZS_SYMBOLS + 2 */
    int16_t count[64]; /* of ZS_SYMBOLS symbols, -1 = "less than one"; then sums of all above: positive, negative */
} zs_counts;

#define ZS_UNKNOWN UINT64_MAX

/* The content of a Frame_Header or of the header of a skippable frame. */
typedef struct zs_header {
    uint64_t bytes;   /* length of the header, or of the whole skippable frame */
    uint64_t content; /* Frame_Content_Size, or ZS_UNKNOWN */
    uint32_t window;  /* saturated; a skippable frame has none: 0 */
    uint8_t skippable;
    uint8_t checksum;   /* Content_Checksum_flag; 2: there is one, and no room for it */
    uint8_t unverified; /* not of the header: 1: a frame's checksum was skipped; 3: utet_zstd_unverified has said so */
} zs_header;

/* A walk from header to header of a payload. All 0: at its start. */
typedef struct zs_walk {
    uint64_t position; /* position of the next header */
    uint32_t window;   /* the largest so far */
    uint8_t in_frame;  /* the next header is a block's */
    uint8_t checksum;  /* the frame has one */
} zs_walk;

/* Bytes, halfwords, then words, each in order of use: short instructions reach bytes in the first 32 bytes, halfwords
 * in 64, words in 128: 8 % less code. Positions are relative to the payload, in a block to its content. */
struct utet_zstd {
    uint8_t phase;
    uint8_t lit_type;
    uint8_t have;         /* bytes at `head` */
    uint8_t log[3];       /* FSE accuracy logs */
    uint8_t shift;        /* 32 - bits that index the Huffman table */
    uint8_t tree_bits;    /* longest Huffman code; 0 = no tree yet in this frame */
    uint8_t deep;         /* packed: how many codes have tree_bits bits, when over 9 */
    uint8_t packed;       /* layout */
    uint8_t modes;        /* modes of the three sequence tables */
    uint8_t predefined;   /* bits: table i holds the predefined distribution */
    uint8_t valid;        /* bits: table i may be repeated */
    uint8_t streams_left; /* Huffman streams not begun */
    uint8_t stream_open;  /* 0 none, 1 its last byte not seen yet, 2 in use */
    uint8_t last_block;
    uint8_t rle; /* the literal that all are */
    uint8_t at_most;
    uint8_t whole; /* buf is the destination of everything */
    uint8_t opened;
    uint8_t blocked;   /* the slice in hand waits for the source */
    uint8_t at_hand;   /* the block in hand is in memory: in the map, or, because it fits, in the header buffer */
    uint16_t state[3]; /* FSE states */
    uint16_t jump[3];  /* sizes of the first three Huffman streams of four */
    uint16_t cache_size;
    uint8_t *out;         /* where the next byte goes */
    uint8_t *stop;        /* where this slice or block ends, whichever comes first */
    uint32_t size;        /* size of the block's content; between blocks: of the payload's rest, saturated */
    uint32_t rel;         /* how much of it has been parsed */
    uint32_t stream_left; /* literals in this stream / addressable */
    union {
        uint32_t literals; /* literals after those */
        uint32_t rle;      /* RLE_Block: bytes still to write */
    } left;
    uint32_t ll, ml, off; /* the sequence that was interrupted */
    uint32_t lit_at;      /* where the next Huffman stream / more raw literals begin */
    const uint8_t *map;   /* payload in memory, or null */
    const uint8_t *head;  /* what peek made addressable */
    uint32_t sequences;   /* still to decode in this block */
    uint32_t window;      /* window size of this frame; saturated */
    zs_cursor lit;
    zs_cursor seq;
    uint32_t rep[3]; /* repeated offsets */
    uint8_t *mark;   /* up to here output is accounted for */
    uint8_t *buf;    /* destination or history */
    size_t buf_size;
    uint32_t lit_end;    /* end of the literals section */
    uint32_t quarter;    /* literals of each Huffman stream but the last */
    uint32_t block_left; /* bytes that this block may still produce, from `mark` on */
    uint8_t *end;        /* end of this slice */
    uint8_t *given;      /* up to here output was given out */
    size_t hold_have;    /* bytes in the header buffer; of the payload that is being loaded */
    uint32_t hold_at;    /* position of the first byte in the header buffer, modulo 2^32 */
    size_t got;          /* bytes that the last request has brought */
    size_t work_len;
    utet_status status;  /* error that stuck */
    uint16_t step_limit; /* as in utet_io */
    uint8_t lost;        /* bytes of the work memory in front of the decoder */
    uint8_t ring;        /* the history is shorter than the output; windows have at most its size less ZS_OVERRUN */
    utet_status (*read)(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got);
    void *ctx;
    uint64_t where;      /* position of the current header or block in the source */
    uint64_t produced;   /* bytes that this frame has produced up to `mark` */
    zs_header frame;     /* in hand */
    uint64_t length;     /* length of the payload */
    uint64_t offset;     /* position of the payload in the source */
    uint64_t total_left; /* bytes that may still be produced */
    union {
        zs_xxh xxh; /* while a frame with a checksum is decoded */
        /* UTET_ZSTD_ALIGNED, else: the last bytes of a stream at the payload's end (zstd_source.c) */
        uint8_t last[ZS_BELOW + ZS_LAST];
        zs_walk walk;    /* before memory is divided: from header to header */
        uint64_t needed; /* after UTET_E_BUDGET: bytes of work memory */
    } stage;
};

/* Constants when the build decides them, so that they cost nothing at run time. */
ZS_INLINE int zs_mapped(const utet_zstd *z)
{
    return !UTET_ZSTD_READ || z->map != NULL;
}

ZS_INLINE int zs_at_hand(const utet_zstd *z)
{
    return !UTET_ZSTD_READ || z->at_hand;
}

ZS_INLINE uint32_t zs_below(const zs_cursor *c)
{
    return UTET_ZSTD_READ || UTET_ZSTD_ALIGNED ? c->below : 0;
}

ZS_INLINE int zs_whole(const utet_zstd *z)
{
    return !UTET_ZSTD_SLICES || z->whole;
}

/* The symbols in the order of their Huffman codes. Before the first block it is the header
 * buffer; FSE tables of cells of 4 bytes are built with it. */
typedef union zs_list {
    uint8_t symbol[256];
    uint32_t next[64];
} zs_list;

/* The input of a Huffman tree, in the memory of its table. The table of the weights has the cells of full tables
 * where these are compiled, whatever the layout in use: they are read with less work, and one code serves both. */
#if UTET_ZSTD_TABLES
typedef uint32_t zs_weight_cell;
#define ZS_OF_WEIGHTS(name) utet_zs_tables_##name
#else
typedef uint16_t zs_weight_cell;
#define ZS_OF_WEIGHTS(name) utet_zs_packed_##name
#endif
typedef struct zs_tree {
    zs_weight_cell cell[1 << ZS_WEIGHT_LOG];
    uint8_t before[256]; /* [symbol]: the one before it that has the same weight, or ZS_NONE (zstd_chains.h) */
    zs_counts counts;
} zs_tree;

/* Context and tables, what `work` begins with: FSE cells of a type, and a Huffman level whose entries are
 * written in pairs. */
#define ZS_MEMORY(cell_type, log)                     \
    struct utet_zstd z;                               \
    zs_list list;                                     \
    cell_type cell[ZS_CELLS];                         \
    union {                                           \
        uint16_t entry[1 << (log)];                   \
        uint32_t pair[1 << ((log)-1)];                \
        struct { /* with UTET_ZSTD_ALIGNED instead */ \
            uint8_t symbol[1 << (log)];               \
            uint8_t length[1 << (log)];               \
        } split;                                      \
        zs_tree tree; /* until it is built */         \
    } huffman;

typedef struct zs_tables {
    ZS_MEMORY(uint32_t, ZS_HUFFMAN_LOG)
} zs_tables;

typedef struct zs_packed {
    ZS_MEMORY(uint16_t, ZS_LOG_PACKED)
} zs_packed;

/* Returns nonzero if the packed layout is in use. */
ZS_INLINE int zs_is_packed(const utet_zstd *z)
{
    return UTET_ZSTD_PACKED && (!UTET_ZSTD_TABLES || z->packed);
}

/* The list, which begins at the same offset in both layouts. */
typedef char zs_lists_alike[offsetof(zs_packed, list) == offsetof(zs_tables, list) ? 1 : -1];
ZS_INLINE zs_list *zs_list_of(utet_zstd *z)
{
    return &((zs_packed *)(void *)z)->list;
}

/* The memory of the Huffman table, and, until it is built, of the zs_tree. */
ZS_INLINE void *zs_huffman_of(utet_zstd *z)
{
    if (zs_is_packed(z))
        return &((zs_packed *)(void *)z)->huffman;
    return &((zs_tables *)(void *)z)->huffman;
}

#include "zstd_bits.h"
#include "zstd_chains.h"

/* ---- zstd_source.c: input ---- */

/* Two caches of `size` bytes, which are also the header buffer. */
ZS_INLINE size_t zs_caches(size_t size)
{
    return 2u * (size + ZS_ABOVE);
}

/* One request, at z->where + rel; z->got > 0 with UTET_OK. */
utet_status utet_zs_fetch(utet_zstd *z, uint32_t rel, uint8_t *to, size_t length);
/* Makes `most` bytes, or what the block has left, addressable at z->head for the next parsing step: z->have bytes of a
 * header. */
utet_status utet_zs_peek(utet_zstd *z, uint32_t most);
/* Reads up to n payload bytes at z->where + rel straight into the output; z->got: the number that came. */
utet_status utet_zs_direct(utet_zstd *z, uint32_t rel, uint32_t n);
/* A stream of the block: [from, to), relative to its content. */
void utet_zs_cursor_open(utet_zstd *z, zs_cursor *c, uint32_t from, uint32_t to);
/* Fetches more of the stream. UTET_E_PAYLOAD: it has no more. */
utet_status utet_zs_cursor_refill(utet_zstd *z, zs_cursor *c);
/* Fetches n bits, or all that the stream has, and skips the padding above its first bit. */
utet_status utet_zs_cursor_start(utet_zstd *z, zs_cursor *c, uint32_t n);
/* Returns m with the next n ≤ 16 bits appended. */
uint32_t utet_zs_long_field(uint32_t m, zs_cursor *c, unsigned n);

static inline int zs_cursor_done(const zs_cursor *c)
{
    return c->used == c->limit && zs_below(c) == 0;
}

/* ---- zstd_entropy.c: tables, the part that layouts share ---- */

/* The first cells of the tables of literal lengths, offsets and match lengths. */
static const uint16_t zs_cells_at[3] = {0, ZS_CELLS_OF, ZS_CELLS_ML};

/* Bits from `at` of a forward stream of n bytes, ZS_FORWARD of them valid; zeros after its end. */
uint32_t utet_zs_forward_bits(const uint8_t *p, uint32_t n, uint32_t at);
/* Format, "FSE Table Description", in n bytes at p: its length, 0 if damaged. */
unsigned utet_zs_read_counts(zs_counts *d, const uint8_t *p, uint32_t n, unsigned max_symbol, unsigned max_log);
/* Format, "Huffman Tree Description": n bytes at p (header byte included). Returns 0 if damaged. */
int utet_zs_huffman_tree(utet_zstd *z, const uint8_t *p, uint32_t n);
/* Table i of the sequence codes, of `mode`, out of n bytes at p: how many of them it took, -1 if damaged. */
int utet_zs_sequence_table(utet_zstd *z, unsigned i, unsigned mode, const uint8_t *p, uint32_t n);

/* ---- zstd_header.c ---- */

/* Parses the header at p, where len bytes are available. Returns as utet_zstd_window. */
utet_status utet_zs_header(zs_header *h, const uint8_t *p, size_t len);

/* Passes the next header of a walk. `have` bytes of it are at p, as many as utet_zs_walk_wants says. Returns as
 * utet_zs_header, and UTET_E_PAYLOAD when the header announces more than the payload has. */
utet_status utet_zs_walk_on(zs_walk *walk, uint64_t length, const uint8_t *p, size_t have);
/* Bytes of the next header: 3 of a block, at most 18 of a frame; 0 at the payload's end between frames. */
size_t utet_zs_walk_wants(const zs_walk *walk, uint64_t length);

/* zstd_need.c: walks over the headers of a stream's payload until their largest window is at least `enough`. The walk
 * is kept in priv.scratch, so it can be resumed. With `enough` 0 there is no walk, and *window is 0. Returns as
 * utet_zs_walk_on and utet_payload_fetch. */
struct utet_stream;
utet_status utet_zs_stream_window(struct utet_stream *stream, uint64_t enough, uint32_t *window);

/* Block_Header: bit 0 Last_Block, bits 1-2 Block_Type, then Block_Size. */
ZS_INLINE uint32_t zs_block_header(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

/* ---- zstd_execute.c: output ---- */

/* Number of bytes that may be written now. */
static inline uint32_t zs_room(const utet_zstd *z)
{
    return (uint32_t)(z->stop - z->out);
}

/* How far back a match may reach. */
static inline uint32_t zs_reach(const utet_zstd *z)
{
    uint64_t produced = z->produced + (size_t)(z->out - z->mark);

    return produced < z->window ? (uint32_t)produced : z->window;
}

/* Accounts for the output since the last call. */
void utet_zs_account(utet_zstd *z);
/* Sets z->stop; all output is accounted for. */
void utet_zs_set_stop(utet_zstd *z);
/* Returns the meaning of a lack of room: the slice is full, or the block is longer than allowed. */
utet_status utet_zs_no_room(const utet_zstd *z);
/* Closes the open Huffman stream, all of whose bits must be consumed, and begins the next one. */
utet_status utet_zs_next_stream(utet_zstd *z);
/* Writes z->ll literals, as far as there is room and they have been fetched. */
utet_status utet_zs_take_literals(utet_zstd *z);
/* Writes the rest of an interrupted sequence: z->ll literals, then z->ml bytes from z->off back. */
utet_status utet_zs_finish(utet_zstd *z);
/* Writes n literals that have been fetched: raw ones, or all the same. Returns their end. */
uint8_t *utet_zs_plain_literals(utet_zstd *z, uint8_t *out, uint32_t n);

/* ---- zstd_blocks.c: the machine ---- */

/* Advances by n bytes of payload; the next phase begins after them, but no frame at the payload's end. */
void utet_zs_advance(utet_zstd *z, uint32_t n, unsigned phase);
/* Runs phases until the payload has ended (UTET_END), the slice is full and there is more output (ZS_FULL), a
 * phase returns another status, or there were as many as z->step_limit says (UTET_OK). */
utet_status utet_zs_run(utet_zstd *z);

/* ---- zstd_memory.c ---- */

/* ZS_GAP: bytes up to the next address that is a multiple of 8; EVA knows no addresses, and takes it for 0. ZS_DOWN:
 * one entry down in a list of 256; EVA cannot know that a chain ends, and lets the list wrap around. ZS_COUNT: the next
 * count, which is that of the symbol; EVA knows only that the symbol is in the list. */
#ifndef ZS_GAP
#define ZS_GAP(address) ((0 - (uintptr_t)(address)) & 7u)
#define ZS_DOWN(entry, list) ((entry)-1)
#define ZS_COUNT(next, d, symbol) (*(next)++)
#endif

static inline size_t zs_fixed(unsigned packed)
{
    return packed ? sizeof(zs_packed) : sizeof(zs_tables);
}

/* Divides z->work_len as well as possible. Before the walk, when z->stage.walk.window is 0: only if it holds all of the
 * payload and the longest history, whatever the headers say. UTET_E_BUDGET: z->stage.needed says what would be enough;
 * before the walk, nothing. */
utet_status utet_zs_choose(utet_zstd *z);

/* ---- zstd_hot.c; weights and fill: *_tree.h, in zstd_tables.c where words are loaded from any address ---- */

/* Copies n bytes up from q to p, which is at least q + 8 or outside of the copied bytes. */
void utet_zs_copy_up(uint8_t *p, const uint8_t *q, size_t n);
/* The Huffman weights in the bit stream c, by the table in t: their number or 0. */
unsigned utet_zs_weights(zs_tree *t, zs_chains *chains, zs_cursor *c);
/* Fills the Huffman table from the sorted symbols, with which the list ends; last[w], from 0 on: the index of the last
 * one of weight w or less, modulo 256. */
void utet_zs_huffman_fill(utet_zstd *z, const uint8_t *last, unsigned bits);

/* ---- the layouts: zstd_tables.c, zstd_packed.c, and their loops in zstd_hot.c ---- */

/* The FSE table of a kind, ZS_LL … ZS_WEIGHTS, from its counts, which are used up. */
void utet_zs_tables_fse_build(utet_zstd *z, void *table, zs_counts *d, unsigned kind);
void utet_zs_packed_fse_build(utet_zstd *z, void *table, zs_counts *d, unsigned kind);
/* Decodes and executes sequences until the block has no more, or one does not fit as a whole or reaches across the
 * history's end: that one is left to utet_zs_finish. Returns the bit stream that has to be refilled, or null. */
zs_cursor *utet_zs_tables_sequences(utet_zstd *z);
zs_cursor *utet_zs_packed_sequences(utet_zstd *z);
/* Writes literals of this stream to [out, end) as far as they are addressable; returns their end. */
uint8_t *utet_zs_tables_literals(utet_zstd *z, uint8_t *out, uint8_t *end);
uint8_t *utet_zs_packed_literals(utet_zstd *z, uint8_t *out, uint8_t *end);
/* zstd_words_loops.h: as literals, n ≥ 4, but for the last n % 4. */
uint8_t *utet_zs_tables_huffman_run(utet_zstd *z, uint8_t *out, uint32_t n);
uint8_t *utet_zs_packed_huffman_run(utet_zstd *z, uint8_t *out, uint32_t n);

/* One of them, by the layout in use. */
#define ZS_CALL(z, name) (zs_is_packed(z) ? utet_zs_packed_##name : utet_zs_tables_##name)

/* ---- zstd_xxh.c ---- */

void utet_zs_xxh_begin(zs_xxh *x);
/* `total`: bytes so far. */
void utet_zs_xxh_add(zs_xxh *x, uint64_t total, const uint8_t *p, size_t n);
uint32_t utet_zs_xxh_end(const zs_xxh *x, uint64_t total);

#endif
