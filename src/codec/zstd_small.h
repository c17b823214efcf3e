/*
 * The small zstd decoder's inside: its context, the backward bit stream and the inline
 * helpers that all of its files share. Relies on nothing but the compiler and memcpy.
 * "Format" in comments is RFC 8878 / zstd_compression_format.md.
 */
#ifndef UTET_ZSTD_SMALL_H
#define UTET_ZSTD_SMALL_H

#include <string.h>

#include "utet_zstd.h"

/* What is compiled. Both layouts, both kinds of source and slices by default; a build for
 * one board may leave out what it does not use. */
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

/* Loads of four bytes at any address: where the processor has none, two aligned words
 * are combined instead (see zs_bits). The word that holds the stream's last byte is read
 * as a whole then; memory protection works in larger pieces than words. */
#ifndef UTET_ZSTD_ALIGNED
#if defined(__arm__) && !defined(__ARM_FEATURE_UNALIGNED) && !defined(__ARM_BIG_ENDIAN)
#define UTET_ZSTD_ALIGNED 1
#else
#define UTET_ZSTD_ALIGNED 0
#endif
#endif

#if defined(__GNUC__)
#define ZS_LIKELY(x) __builtin_expect((x) != 0, 1)
#define ZS_NOINLINE __attribute__((noinline))
#else
#define ZS_LIKELY(x) (x)
#define ZS_NOINLINE
#endif
/* The loops that pay for it are compiled for speed whatever the rest is; those for literals with
 * registers given out loop by loop, which -Os has switched off for good. no-ipa-ra: GCC switches that off for
 * Thumb-1, whose epilogues spoil registers that callers are told are kept; the attribute switches it on again
 * (test/zstd/hot.sh shows it). */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define ZS_HOT __attribute__((optimize("O2", "no-ipa-ra"), noinline))
#define ZS_HOTTEST __attribute__((optimize("O2", "ira-region=mixed", "no-ipa-ra"), noinline))
#else
#define ZS_HOT ZS_NOINLINE
#define ZS_HOTTEST ZS_NOINLINE
#endif
#if defined(__GNUC__)
#define ZS_INLINE static inline __attribute__((always_inline))
#else
#define ZS_INLINE static inline
#endif

enum {
    ZS_CACHE_MIN = 64,
    ZS_CACHE_MAX = 512,
    ZS_BELOW = 12, /* what a load at a stream's start touches below it, never uses: memory of ours */
    ZS_MARGIN = 45, /* bits with which a round of four literals may be begun wherever the stream ends */
    ZS_ABOVE = 16, /* room above a cache for the unread bytes kept by a refill */
    ZS_OVERRUN = 8, /* bytes behind a match that a copy in words may spoil */
    ZS_SYMBOLS = 53, /* the largest alphabet of sequence codes: match lengths */
    ZS_LL = 0, ZS_OF = 1, ZS_ML = 2, ZS_WEIGHTS = 3,
    ZS_CELLS = 512 + 256 + 512,
    ZS_CELLS_OF = 512,
    ZS_CELLS_ML = 768,
    ZS_HUFFMAN_LOG = 11,
    ZS_LOG_PACKED = 9, /* first level of the packed layout */
    ZS_NARROW = 9, /* UTET_ZSTD_ALIGNED: least bits that index the Huffman table */
    ZS_DEEP = 64, /* UTET_ZSTD_ALIGNED: the length of codes that the first level does not hold */
    ZS_WEIGHTS_END = 16, /* those from here on, all damaged, count as the highest below */
    ZS_WEIGHT_LOG = 6
};
#define ZS_BLOCK_SIZE_MAX ((uint32_t)131072)
#define ZS_WINDOW_LOG_MAX 27u
#define ZS_MAGIC 0xfd2fb528u

/* Internal status, beside utet_status: the slice is full. */
#define ZS_FULL 3

enum { ZS_RAW = 0, ZS_RLE = 1, ZS_HUFFMAN = 2, ZS_TREELESS = 3 };

/* A bit stream that is read backwards. Its whole state is `used`: bits consumed below
 * `top`. Bytes that are not in reach yet: `below`, the highest of them at lo - 1. */
typedef struct zs_cursor {
    const uint8_t *top; /* behind the highest byte in reach (a multiple of 4 with UTET_ZSTD_ALIGNED) */
    uint32_t used;      /* bits */
    uint32_t limit;     /* bits in reach below top */
    uint32_t below;     /* bytes of the stream that are not in reach */
    uint32_t lo;        /* position in the block of the lowest byte in reach */
    uint8_t *cache;     /* cache_size bytes and the room above */
    uint16_t wanted;    /* bytes that the refill under way will bring; 0 = none */
    uint16_t got;       /* of those */
} zs_cursor;

typedef struct zs_xxh {
    uint64_t lane[4];
    uint8_t held[32];
} zs_xxh;

/* What a bit stream of FSE counts says (Format, "FSE Table Description"). */
typedef struct zs_counts {
    uint8_t log;
    uint8_t symbols;   /* how many are described, at most ZS_SYMBOLS + 2 */
    int16_t count[64]; /* of ZS_SYMBOLS symbols, -1 = "less than one"; then sums of all above: positive, negative */
} zs_counts;

#define ZS_UNKNOWN UINT64_MAX

/* What a Frame_Header or the header of a skippable frame says. */
typedef struct zs_header {
    uint64_t bytes;   /* of the header; of the whole skippable frame */
    uint64_t content; /* Frame_Content_Size, or ZS_UNKNOWN */
    uint32_t window;  /* saturated; a skippable frame has none: 0 */
    uint8_t skippable;
    uint8_t checksum; /* Content_Checksum_flag */
} zs_header;

/*
 * Bytes, halfwords, then words in order of use: what lies in the first 32, 64 and 128 bytes
 * is reached by short instructions (8 % of the code). Positions are relative to the
 * payload, in a block to its content.
 */
struct utet_zstd {
    uint8_t phase;
    uint8_t lit_type;
    uint8_t have;           /* bytes at `head` */
    uint8_t log[3];         /* FSE accuracy logs */
    uint8_t shift;          /* 32 - bits that index the Huffman table */
    uint8_t tree_bits;      /* longest Huffman code; 0 = no tree yet in this frame */
    uint8_t deep;           /* packed: how many codes have tree_bits bits, when over 9 */
    uint8_t packed;         /* layout */
    uint8_t modes;          /* of the three sequence tables */
    uint8_t predefined;     /* bits: table i holds the predefined distribution */
    uint8_t valid;          /* bits: table i may be repeated */
    uint8_t streams_left;   /* Huffman streams not begun */
    uint8_t stream_open;    /* 0 none, 1 its last byte not seen yet, 2 in use */
    uint8_t last_block;
    uint8_t rle;            /* the literal that all are */
    uint8_t at_most;
    uint8_t whole;          /* buf is the destination of everything */
    uint8_t scanning;       /* headers only, for the largest window */
    uint8_t opened;
    uint8_t blocked;        /* the slice in hand waits for the source */
    uint16_t state[3];      /* FSE states */
    uint16_t jump[3];       /* sizes of the first three Huffman streams of four */
    uint16_t cache_size;
    uint8_t *out;           /* where the next byte goes */
    uint8_t *stop;          /* where this slice or block ends, whichever comes first */
    uint32_t size;          /* of the block's content; between blocks: of the payload's rest, saturated */
    uint32_t rel;           /* how much of it has been parsed */
    uint32_t stream_left;   /* literals in this stream / in reach */
    uint32_t later;         /* literals behind those */
    uint32_t ll, ml, off;   /* the sequence that was interrupted */
    uint32_t lit_at;        /* where the next Huffman stream / more raw literals begin */
    const uint8_t *map;     /* payload in memory, or null */
    const uint8_t *head;    /* what peek made addressable */
    uint32_t sequences;     /* still to decode in this block */
    uint32_t window;        /* of this frame (while scanning: the largest so far); saturated */
    zs_cursor lit;
    zs_cursor seq;
    uint32_t rep[3];        /* repeated offsets */
    uint8_t *mark;          /* up to here output is accounted for */
    uint8_t *buf;           /* destination or history */
    size_t buf_size;
    uint32_t lit_end;       /* of the literals section */
    uint32_t quarter;       /* literals of each Huffman stream but the last */
    uint32_t block_left;    /* bytes that this block may still produce, from `mark` on */
    uint8_t *end;           /* of this slice */
    uint8_t *given;         /* up to here output was given out */
    size_t hold_have;       /* bytes in the header buffer; of the payload that is being loaded */
    uint32_t hold_at;       /* position of the first byte in the header buffer, modulo 2^32 */
    size_t got;             /* by the last request */
    size_t work_len;
    utet_status status;     /* error that stuck */
    utet_status (*read)(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got);
    void *ctx;
    uint64_t at;            /* of the header or block in hand */
    uint64_t produced;      /* by this frame, up to `mark` */
    zs_header frame;        /* in hand; its content after UTET_E_BUDGET: what is needed */
    uint64_t length;        /* of the payload */
    uint64_t offset;        /* of the payload in the source */
    uint64_t total_left;    /* bytes that may still be produced */
    zs_xxh xxh;
};

/* What is fixed at build time costs nothing at run time. */
ZS_INLINE int zs_mapped(const utet_zstd *z)
{
    return !UTET_ZSTD_READ || z->map != NULL;
}

ZS_INLINE uint32_t zs_below(const zs_cursor *c)
{
    return UTET_ZSTD_READ ? c->below : 0;
}

ZS_INLINE int zs_whole(const utet_zstd *z)
{
    return !UTET_ZSTD_SLICES || z->whole;
}

ZS_INLINE int zs_scanning(const utet_zstd *z)
{
    return UTET_ZSTD_SLICES && z->scanning;
}

/* The symbols in the order of their Huffman codes. Before the first block it is the header
 * buffer; the tables layout builds its FSE tables with it. */
typedef union zs_list {
    uint8_t symbol[256];
    uint32_t next[64];
} zs_list;

/* Context and tables, what `work` begins with: FSE cells of a type, a Huffman level of so many bits. */
#define ZS_MEMORY(cell_type, log)                                      \
    struct utet_zstd z;                                                \
    zs_list list;                                                      \
    cell_type cell[ZS_CELLS];                                          \
    union {                                                            \
        uint16_t entry[1 << (log)];                                    \
        uint32_t pair[1 << ((log) - 1)];                               \
        struct { /* with UTET_ZSTD_ALIGNED instead */                  \
            uint8_t symbol[1 << (log)];                                \
            uint8_t length[1 << (log)];                                \
        } split;                                                       \
        struct { /* until it is built */                               \
            cell_type cell[1 << ZS_WEIGHT_LOG];                        \
            uint8_t weight[256];                                       \
            zs_counts counts;                                          \
        } tree;                                                        \
    } huffman;

typedef struct zs_tables {
    ZS_MEMORY(uint32_t, ZS_HUFFMAN_LOG)
} zs_tables;

typedef struct zs_packed {
    ZS_MEMORY(uint16_t, ZS_LOG_PACKED)
} zs_packed;

ZS_INLINE uint32_t zs_le32(const uint8_t *p)
{
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && \
    !UTET_ZSTD_ALIGNED
    uint32_t v;

    memcpy(&v, p, 4);
    return v;
#else
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
#endif
}

/* Floor of the binary logarithm; v > 0. */
ZS_INLINE unsigned zs_log2(uint32_t v)
{
#if defined(__GNUC__) && (!defined(__arm__) || defined(__ARM_FEATURE_CLZ))
    return (unsigned)(sizeof(unsigned long) * 8u - 1u) - (unsigned)__builtin_clzl(v);
#else
    unsigned n = 0;

    if (v >> 16) { n = 16; v >>= 16; }
    if (v >> 8) { n += 8; v >>= 8; }
    if (v >> 4) { n += 4; v >>= 4; }
    if (v >> 2) { n += 2; v >>= 2; }
    return n + (unsigned)(v >> 1);
#endif
}

/*
 * The bits that follow, left-aligned: at least 25 of them are valid. Touches at most four
 * (aligned: eight) bytes below the stream's start, where the caches have their guard and a
 * mapped payload its headers.
 */
#if UTET_ZSTD_ALIGNED
typedef uint16_t __attribute__((may_alias)) zs_half;
typedef uint32_t __attribute__((may_alias)) zs_word;
/* Hints for the compiler, without code: not to compute with x before this place; to keep it in one
 * of the high registers, which the low eight are too few for. */
#define ZS_HERE(x) __asm__("" : "+r"(x))
#if defined(__thumb__)
#define ZS_HIGH(x) __asm__("" : "+h"(x))
#else
#define ZS_HIGH(x) (void)0
#endif
#endif
ZS_INLINE uint32_t zs_bits(const uint8_t *top, uint32_t used)
{
#if UTET_ZSTD_ALIGNED
    const zs_word *p = (const zs_word *)(const void *)top - 2 - (used >> 5);
    unsigned s = used & 31u;

    return (p[1] << s) | (p[0] >> 1 >> (31u - s));
#else
    return zs_le32(top - (used >> 3) - 4) << (used & 7u);
#endif
}

/* The low n bits of v. */
#define ZS_LOW(v, n) ((v) & ~(~(uint32_t)0 << (n)))

/* The top n bits of v; n = 0 gives 0. */
ZS_INLINE uint32_t zs_top(uint32_t v, unsigned n)
{
    return v >> 1 >> (31u - n);
}

/* The header at p, of which len bytes are there. Returns as utet_zstd_window. */
utet_status utet_zs_header(zs_header *h, const uint8_t *p, size_t len);

/* Block_Header: bit 0 Last_Block, bits 1-2 Block_Type, then Block_Size. */
ZS_INLINE uint32_t zs_block_header(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

void utet_zs_xxh_begin(zs_xxh *x);
/* `total`: bytes so far. */
void utet_zs_xxh_add(zs_xxh *x, uint64_t total, const uint8_t *p, size_t n);
uint32_t utet_zs_xxh_end(const zs_xxh *x, uint64_t total);

#endif
