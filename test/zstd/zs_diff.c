/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The small zstd decoder compared with upstream's: same status, same bytes, in every configuration.
 *
 * - zs_diff files RUNS FILE…: RUNS configurations of frames made elsewhere (golden files, payloads of the benchmark,
 *   decodecorpus)
 * - zs_diff edges N FILE…: mapped frames that end before an unmapped page or begin after it, at all distances; frames
 * of up to 40 KB, N small ones, N of random tables - zs_diff levels N: levels × sizes × flags, about N frames - zs_diff
 * streams MOST: streamed frames of every size 0…MOST, then powers of two ±1 up to 4 MiB - zs_diff mutants N SEED FILE…:
 * N damaged frames (checksums removed first) - zs_diff tables N SEED: N frames with random tables (zs_made.c), a
 * quarter of them damaged further - zs_diff struct N SEED FILE…: N frames with one to four parts replaced (zs_struct.c)
 * - zs_diff pack N SEED: writes N of them to standard output with the judge's result, for test/arch/drawn.c - zs_diff
 * flips FRAMES FILE…: every bit and every length of up to FRAMES frames of ≤ 4 KiB - zs_diff reads 0 FILE…: counts
 * reads of the source for each cache size - zs_diff checksums RUNS FILE…: frames with a checksum, right or damaged
 *
 * FILE… may be @LIST, a file with one path per line. Each prints "N passed, N failed". One case is one frame in one
 * configuration. README.md lists where the judge and the format disagree; such cases are counted and printed by class.
 */
#include "zs_compare.h"
#include "zs_made.h"
#include "zs_struct.h"

/* Mapped, at every edge, in both layouts, completely and in slices. With `content`, which is that of the undamaged
 * frame: the result is an error, and what is delivered before it is right. */
static void at_edges(const char *what, const uint8_t *src, size_t len, const uint8_t *content, size_t size)
{
    const long judge = zs_oracle(src, len, expected, ROOM);
    unsigned i;

    for (i = 0; i < 64u; i++) {
        zs_config c;
        zs_result r;

        memset(&c, 0, sizeof c);
        c.mapped = 1;
        c.edge = i & 15u;
        c.packed = i >> 4 & 1u;
        c.whole = i >> 5 & 1u;
        c.slice = c.whole ? SIZE_MAX : 300u;
        c.window = zs_largest_window(src, len);
        r = zs_run(&c, src, len, got, judge < 0 ? size : (size_t)judge);
        if (same(&r, judge) && (content == NULL || (judge < 0 && memcmp(content, got, r.length) == 0)))
            passed++;
        else
            report(what, &c, &r, judge);
    }
}

/* Puts the Huffman tree of the frame's first block, if its weights are coded by FSE, into a block of its own,
 * followed only by a stream without literals, and no sequences. So the stream of the weights also ends near the end
 * of the map. */
static void tree_at_edges(const char *what, const uint8_t *src, size_t len)
{
    enum { HEADER = 3 + 5 }; /* of the block; its largest header of literals */
    const unsigned flags = src[4], single = flags >> 5 & 1u;
    const size_t block = 6u - single + (flags >> 6 != 0 ? 1u << (flags >> 6) : single);
    uint8_t made[6 + 6 + 128 + 2] = {0x28, 0xB5, 0x2F, 0xFD, 0x20, 0, 0, 0, 0, 0x02, 0, 0};
    const uint8_t *tree;
    size_t n;

    if (word(src) != 0xFD2FB528u || (flags & 3u) != 0 || len < block + HEADER + 128u || (src[block] >> 1 & 3u) != 2u ||
        (src[block + 3u] & 3u) != 2u)
        return;
    tree = src + block + 3u + (size_t[]){3, 3, 4, 5}[src[block + 3u] >> 2 & 3u];
    n = 1u + tree[0];
    if (n > 128u)
        return;
    made[6] = (uint8_t)((3u + n + 2u) << 3 | 2u << 1 | 1u);
    made[7] = (uint8_t)((3u + n + 2u) >> 5);
    made[10] = (uint8_t)((n + 1u) << 6);
    made[11] = (uint8_t)((n + 1u) >> 2);
    memcpy(made + 12, tree, n);
    made[12 + n] = 1;
    at_edges(what, made, 12u + n + 2u, NULL, 1000);
}

/* Frames as they are; without their checksums, so that the last bit stream ends where the map ends; truncated
 * accordingly; and only their trees. Frames of every small size; random tables. */
static void edges(unsigned drawn, int count, char **names)
{
    const zs_recipe r = {3, 0, 1, 0, 0};
    uint32_t seed = 11;
    unsigned n;
    int i;

    for (i = 0; i < count; i++) {
        size_t len, full;
        uint8_t *src = zs_load(names[i], &len);
        long size = -1;

        if (src != NULL && len > 10u && len <= 40000u) {
            size = zs_oracle(src, len, raw, ROOM);
            at_edges(names[i], src, len, NULL, 1u << 20);
        }
        if (size >= 0) {
            tree_at_edges(names[i], src, len);
            if ((src[4] & 4u) != 0)
                at_edges("cut short by its checksum", src, len - 4u, raw, (size_t)size);
            full = len;
            len = strip(src, len);
            if (len != full)
                at_edges("without its checksum", src, len, NULL, 1u << 20);
        }
        free(src);
    }
    for (n = 0; n < drawn; n++) {
        zs_fill(raw, n, 3 + n % 2u, n);
        at_edges("small", frame, zs_frame(frame, FRAME_ROOM, raw, n, &r), NULL, 1u << 20);
        at_edges("made", frame, zs_made(frame, zs_random(&seed)), NULL, 1u << 20);
    }
}

static void files(int count, char **names, unsigned runs)
{
    int i;

    for (i = 0; i < count; i++) {
        size_t len;
        uint8_t *src = zs_load(names[i], &len);

        if (src == NULL) {
            printf("FAILED %s: cannot be read\n", names[i]);
            failed++;
            continue;
        }
        good(names[i], src, len, runs, (uint32_t)i);
        original(names[i], src, len);
        free(src);
    }
}

static void levels(unsigned long frames)
{
    uint32_t seed = 1;
    unsigned long i;

    for (i = 0; i < frames; i++) {
        static const size_t sizes[] = {0,    1,    2,    3,    5,     8,     31,     100,    255,    256,    257,
                                       1000, 1023, 1024, 4096, 10000, 65536, 131071, 131072, 131073, 200000, 1u << 20};
        zs_recipe r;
        char what[96];
        size_t n = sizes[zs_random(&seed) % 22u], len;

        if (zs_random(&seed) % 3u == 0)
            n = zs_random(&seed) % 20000u;
        r.level = (int)(i % 28u) - 5;
        if (n > 300000u && r.level > 12)
            r.level = 6;
        r.checksum = zs_random(&seed) % 2u;
        r.content_size = zs_random(&seed) % 2u;
        r.window_log = zs_random(&seed) % 4u == 0 ? 10 + (int)(zs_random(&seed) % 14u) : 0;
        r.flush = zs_random(&seed) % 2u;
        zs_fill(raw, n, zs_random(&seed), seed);
        len = zs_frame(frame, FRAME_ROOM, raw, n, &r);
        snprintf(what, sizeof what, "level %d, %zu bytes, checksum %d, content size %d, window log %d", r.level, n,
                 r.checksum, r.content_size, r.window_log);
        good(what, frame, len, 4, seed);
    }
}

static void stream(size_t n, uint32_t seed)
{
    const zs_recipe r = {3, 0, 0, 0, 0};
    char what[64];
    size_t len;

    zs_fill(raw, n, (unsigned)(n % ZS_KINDS), seed);
    len = zs_frame(frame, FRAME_ROOM, raw, n, &r);
    snprintf(what, sizeof what, "streamed, %zu bytes", n);
    good(what, frame, len, 2, seed);
}

static void streams(size_t most)
{
    size_t n;

    for (n = 0; n <= most; n++)
        stream(n, (uint32_t)n);
    for (n = 4096; n <= (4u << 20); n *= 2u) {
        stream(n - 1u, 7);
        stream(n, 8);
        stream(n + 1u, 9);
    }
}

static void mutants(unsigned long n, uint32_t seed, int count, char **names)
{
    unsigned long i;

    if (count == 0)
        exit(2);
    for (i = 0; i < n;) {
        size_t len;
        uint8_t *src = zs_load(names[zs_random(&seed) % (unsigned)count], &len);
        unsigned k;
        long size;

        if (src == NULL || len > 100000u || len < 10u) {
            free(src);
            i++;
            continue;
        }
        len = strip(src, len);
        size = zs_oracle(src, len, expected, ROOM);
        for (k = 0; k < 50u && i < n; k++, i++) {
            size_t m;

            memcpy(frame, src, len);
            m = mutate(frame, len, &seed);
            /* Sometimes there is room for blocks that are larger than permitted. */
            damaged("mutant", frame, m, (size_t)(size < 0 ? 1000 : size) + (k % 4u == 0 ? 300000u : 300u), seed);
        }
        free(src);
    }
}

static void tables(unsigned long n, uint32_t seed)
{
    unsigned long i, whole = 0;

    for (i = 0; i < n; i++) {
        size_t len = zs_made(frame, zs_random(&seed));

        if (zs_random(&seed) % 4u == 0)
            len = mutate(frame, len, &seed);
        whole += zs_oracle(frame, len, expected, 1u << 16) >= 0;
        damaged("made", frame, len, 1u << 16, seed);
    }
    printf("figure: tables: %lu of %lu frames decode\n", whole, n);
}

/* Frames of at most 3,000 bytes, and random ones, 40 mutants each; a mutant is mutated again up to four times. Every
 * other one is mapped, with an unmapped page after or before it. */
static void restructured(unsigned long n, uint32_t seed, int count, char **names)
{
    enum { SMALL = 3000, MOST = 16000, BOUND = 400000 };
    static uint8_t src[MOST];
    unsigned long kinds[ZS_MUTATIONS] = {0}, whole = 0, i = 0, none = 0;
    unsigned k, least = 0;

    while (i < n && none < 1000u) {
        size_t len = 0;
        unsigned mutants = 0;

        if (count != 0 && zs_random(&seed) % 4u != 0) {
            uint8_t *file = zs_load(names[zs_random(&seed) % (unsigned)count], &len);

            if (file != NULL && len >= 10u && len <= SMALL)
                memcpy(src, file, len = strip(file, len));
            else
                len = 0;
            free(file);
        } else {
            len = zs_made(src, zs_random(&seed));
        }
        for (; len != 0 && mutants < 40u && i < n; mutants++, i++) {
            unsigned times = 1u + zs_random(&seed) % 4u;
            size_t m = len, next;

            memcpy(frame, src, len);
            for (; times != 0 && (next = zs_restructure(frame, m, MOST, &seed, &k)) != 0; times--, m = next)
                kinds[k]++;
            whole += zs_oracle(frame, m, expected, BOUND) >= 0;
            damaged("restructured", frame, m, BOUND, seed);
        }
        none = mutants != 0 ? 0 : none + 1u;
    }
    for (k = 0; k < ZS_MUTATIONS; k++)
        least += kinds[k] >= n / 400u;
    printf("figure: restructured: %lu mutants by %u kinds, %lu of them decode\n", i, least, whole);
    if (i != n || least < ZS_MUTATIONS || whole < n / 20u) {
        printf("FAILED restructured: too few mutants, kinds, or frames that decode\n");
        failed++;
    }
}

static void pack_one(size_t len)
{
    enum { MOST = 2048 };
    long judge = zs_oracle(frame, len, expected, MOST), i;
    uint16_t sum = 0;

    for (i = 0; i < judge; i++)
        sum = (uint16_t)(sum * 31u + expected[i]);
    printf("%c%c%c%c%c%c", (int)(len & 255u), (int)(len >> 8), (int)(judge & 255), (int)(judge >> 8 & 255), sum & 255,
           sum >> 8);
    fwrite(frame, 1, len, stdout);
}

static void pack(unsigned long n, uint32_t seed)
{
    unsigned long i;

    for (i = 0; i < 48u; i++)
        pack_one(zs_long(frame, (unsigned)i));
    for (i = 48; i < n; i++)
        pack_one(zs_made(frame, zs_random(&seed)));
    printf("%c%c", 0, 0);
    exit(0);
}

static void flips(unsigned frames, int count, char **names)
{
    int i;

    for (i = 0; i < count && frames != 0; i++) {
        size_t len, k;
        uint8_t *src = zs_load(names[i], &len);
        long size;

        if (src == NULL || len > 4096u || (size = zs_oracle(src, len, expected, ROOM)) < 0 || size > 200000) {
            free(src);
            continue;
        }
        frames--;
        for (k = 0; k < 8u * len; k++) {
            memcpy(frame, src, len);
            frame[k / 8u] ^= (uint8_t)(1u << k % 8u);
            damaged("flipped bit", frame, len, (size_t)size + 300u, (uint32_t)k);
        }
        for (k = 1; k < len; k++) { /* nothing is refused: suite_zstdcalls.c */
            memcpy(frame, src, len);
            damaged("cut short", frame, k, (size_t)size + 300u, (uint32_t)k);
        }
        free(src);
    }
}

/* One run of a frame whose only damage, if any, is its checksum. Its content is `raw`. */
static void checksum(const char *what, const zs_config *c, size_t len, size_t size, utet_status status, int unverified)
{
    const zs_result r = zs_run(c, frame, len, got, size);

    if (r.fault == NULL && r.status == status && r.unverified == unverified && memcmp(got, raw, r.length) == 0 &&
        (status == UTET_OK ? r.length == size : r.length < size || size == 0))
        passed++;
    else
        report(what, c, &r, status == UTET_OK ? (long)size : -1);
}

/* Frames with a checksum: as they are, with each byte of the checksum damaged, and without it. A build that verifies
 * none (UTET_ZSTD_CHECKSUM 0) differs in two points: it decodes the damaged ones, and it reports what it skips. */
static void checksums(unsigned runs, int count, char **names)
{
    const int skips = !UTET_ZSTD_CHECKSUM;
    uint32_t seed = 21;
    unsigned n;
    int i;

    for (i = 0; i < count; i++) {
        size_t len;
        uint8_t *src = zs_load(names[i], &len);
        const long size = src != NULL ? zs_oracle(src, len, raw, ROOM) : -1;

        for (n = 0; n < runs && size >= 0 && word(src) == 0xFD2FB528u && (src[4] & 4u) != 0; n++) {
            const zs_config c = config(zs_random(&seed) % 280u, seed, zs_largest_window(src, len));

            memcpy(frame, src, len);
            checksum("right checksum", &c, len, (size_t)size, UTET_OK, skips);
            frame[len - 1u - n % 4u] ^= (uint8_t)(1u << zs_random(&seed) % 8u);
            checksum("damaged checksum", &c, len, (size_t)size, skips ? UTET_OK : UTET_E_CHECKSUM, skips);
            checksum("no checksum", &c, strip(frame, len), (size_t)size, UTET_OK, 0);
        }
        free(src);
    }
}

/* Counts reads of the source, and the bytes that they deliver, for each KiB of payload: all files together, complete
 * destinations. */
static void reads(int count, char **names)
{
    static const uint16_t caches[] = {64, 128, 256, 512, 0};
    unsigned k;

    for (k = 0; k < 5u; k++) {
        unsigned long n = 0, bytes = 0, payload = 0;
        int i;

        for (i = 0; i < count; i++) {
            zs_config c;
            zs_result r;
            size_t len;
            uint8_t *src = zs_load(names[i], &len);
            long size = src != NULL ? zs_oracle(src, len, expected, ROOM) : -1;

            memset(&c, 0, sizeof c);
            c.packed = 1; /* with the memory of full tables the caches get more first */
            c.cache = caches[k];
            c.whole = 1;
            c.slice = SIZE_MAX;
            r = zs_run(&c, src, len, got, size < 0 ? 0 : (size_t)size);
            if (!same(&r, size)) {
                report(names[i], &c, &r, size);
                continue;
            }
            passed++;
            n += r.reads;
            bytes += r.bytes;
            payload += len;
            free(src);
        }
        if (caches[k] != 0)
            printf("figure: 2 x %u: ", caches[k]);
        else
            printf("figure: whole payload: ");
        printf("%.1f reads, %.0f bytes a KiB of payload\n", 1024.0 * (double)n / (double)payload,
               1024.0 * (double)bytes / (double)payload);
    }
}

/* An argument @LIST stands for the paths in the file LIST, one per line. */
static char **expand(int *count, char **names)
{
    size_t len, i, n = 0;
    char *text, **out;

    if (*count != 1 || names[0][0] != '@')
        return names;
    text = (char *)zs_load(names[0] + 1, &len);
    out = text != NULL ? malloc((len / 2u + 1u) * sizeof *out) : NULL;
    if (out == NULL)
        exit(2);
    for (i = 0; i < len; i++) {
        out[n++] = text + i;
        while (i < len && text[i] != '\n')
            i++;
        text[i] = '\0'; /* zs_load leaves room for one */
    }
    *count = (int)n;
    return out;
}

int main(int argc, char **argv)
{
    int count = 0;
    char **names = NULL;

    const char *mode = argc > 1 ? argv[1] : "";
    unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;

    if (argc > 3 && strcmp(mode, "tables") != 0 && strcmp(mode, "pack") != 0) {
        int skip = strcmp(mode, "mutants") == 0 || strcmp(mode, "struct") == 0 ? 4 : 3;

        count = argc - skip;
        names = expand(&count, argv + skip);
    }
    expected = malloc(ROOM);
    got = malloc(ROOM);
    frame = malloc(FRAME_ROOM);
    raw = malloc(ROOM);
    if (expected == NULL || got == NULL || frame == NULL || raw == NULL)
        return 2;
    if (strcmp(mode, "files") == 0 && argc > 3)
        files(count, names, (unsigned)n);
    else if (strcmp(mode, "edges") == 0 && argc > 3)
        edges((unsigned)n, count, names);
    else if (strcmp(mode, "levels") == 0)
        levels(n);
    else if (strcmp(mode, "streams") == 0)
        streams(n);
    else if (strcmp(mode, "mutants") == 0 && argc > 4)
        mutants(n, (uint32_t)strtoul(argv[3], NULL, 0), count, names);
    else if (strcmp(mode, "tables") == 0 && argc > 3)
        tables(n, (uint32_t)strtoul(argv[3], NULL, 0));
    else if (strcmp(mode, "struct") == 0 && argc > 3)
        restructured(n, (uint32_t)strtoul(argv[3], NULL, 0), count, names);
    else if (strcmp(mode, "pack") == 0 && argc > 3)
        pack(n, (uint32_t)strtoul(argv[3], NULL, 0));
    else if (strcmp(mode, "reads") == 0 && argc > 3)
        reads(count, names);
    else if (strcmp(mode, "checksums") == 0 && argc > 3)
        checksums((unsigned)n, count, names);
    else if (strcmp(mode, "flips") == 0 && argc > 3)
        flips((unsigned)n, count, names);
    else
        return 2;
    if (by_window + by_log + by_block != 0)
        printf("zstd_%s: %lu agree only with a wider window declared, %lu windows over 2^27 refused, %lu blocks over "
               "128 KiB (README.md, \"Verdicts\")\n",
               mode, by_window, by_log, by_block);
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
