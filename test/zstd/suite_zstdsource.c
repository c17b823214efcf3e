/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Named cases of the small zstd decoder: what its source delivers, fails to deliver, or delivers differently the second
 * time; how much is requested of it, and how long a call takes.
 */
#include "zstdworld.h"

/* ---- the source ---- */

typedef struct trouble {
    const uint8_t *src;
    unsigned count, at, what, times; /* 0 error, 1 early end, 2 one byte, 3 not yet */
} trouble;

static utet_status troubled_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n)
{
    trouble *t = ctx;
    unsigned now = t->count++;

    if (now >= t->at && now < t->at + t->times) {
        if (t->what == 0)
            return UTET_E_PORT - 7;
        *n = t->what == 1 ? 0 : 1;
        if (t->what == 3)
            return UTET_WOULD_BLOCK;
        if (t->what == 1)
            return UTET_OK;
        len = 1;
    }
    memcpy(buf, t->src + offset, len);
    *n = len;
    return UTET_OK;
}

/* Each read fails in each way, once and from then on. */
static void faults_of_the_source(void **state)
{
    unsigned layout, what, at, faults = 0, reads = 1;
    const size_t n = 6000;
    size_t len = some_frame(n, 1, 0, 0);
    static uint64_t work[3000];

    (void)state;
    for (layout = 0; layout < 4u; layout++)
        for (what = 0; what < 8u; what++)
            for (at = 0; at == 0 || at < reads; at++) {
                trouble t = {NULL, 0, 0, 0, 1};
                utet_io io;
                utet_zstd_job job;
                utet_zstd *z;
                utet_status status;
                size_t k, total = 0;

                job = job_of(&io, len, n);
                t.src = frame;
                t.at = at;
                t.what = what & 3u;
                t.times = what >= 4u ? (t.what == 3u ? 3u : 1000000u) : 1u;
                io.ctx = &t;
                io.read = troubled_read;
                assert_int_equal(utet_zstd_init(&z, &job, work,
                                                (layout & 1u ? sizeof(zs_packed) : sizeof(zs_tables)) +
                                                    (layout & 2u ? 160u : (len + 7u) / 8u * 8u) + n),
                                 UTET_OK);
                faults++;
                do {
                    status = utet_zstd_read(z, got + total, 500, &k);
                    total += k;
                } while (status == UTET_OK || status == UTET_WOULD_BLOCK);
                if (t.what < 2u) {
                    suite_check(status == (t.what == 0 ? UTET_E_PORT - 7 : UTET_E_SHORT), "status %d", status);
                    assert_int_equal(utet_zstd_read(z, got, 1, &k), status);
                    reads = at + 1u < t.count ? at + 2u : reads;
                } else {
                    assert_int_equal(status, UTET_END);
                    assert_int_equal(total, n);
                    assert_memory_equal(got, raw, n);
                    reads = t.count;
                }
                if (reads > 400u)
                    reads = 400;
            }
    suite_figure("faults of the source: %u injected", faults);
}

/* A skippable frame of up to 10 bytes below 4 GiB, followed by one or two more: the low 32 bits of the length are 0, or
 * 10. */
#define FAR (8u + (uint64_t)0xFFFFFFEEu)
static utet_status far_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n)
{
    static const uint8_t head[8] = {0x50, 0x2A, 0x4D, 0x18, 0xEE, 0xFF, 0xFF, 0xFF};
    uint8_t *to = buf;

    for (*n = 0; *n < len; ++*n, offset++)
        *to++ = offset < 8u ? head[offset] : offset < FAR ? 0 : ((const uint8_t *)ctx)[offset - FAR];
    return UTET_OK;
}

static void payload_of_more_than_4_gib(void **state)
{
    static uint64_t work[4000];
    size_t i, n, len = from_hex(frame, "28b52ffd 0058 090000 41 28b52ffd 0058 090000 42");

    (void)state;
    for (i = 0; i < 2u; i++) {
        utet_io io = {.ctx = frame, .read = far_read, .size = len + FAR};
        utet_zstd_job job = {.io = &io, .length = io.size, .size = 1};
        utet_zstd *z;

        job.length -= len / 2u * (1u - i); /* one frame, or two */
        job.size += i;
        assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_OK);
        assert_int_equal(utet_zstd_read(z, got, 2, &n), UTET_OK);
        assert_int_equal(n, 1 + i);
        assert_memory_equal(got, "AB", n);
        assert_int_equal(utet_zstd_read(z, got, 2, &n), UTET_END);
    }
}

/* Requests of `complete` bytes. */
static size_t complete;
static utet_status watched_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n)
{
    trouble *t = ctx;

    memcpy(buf, t->src + offset, len);
    *n = len;
    t->count += len == complete;
    t->at += len == complete && offset % complete != 0;
    return UTET_OK;
}

/* After its beginning, a bit stream is read in complete caches, which start at multiples of their size in the source,
 * as sectors do. Caches have 512 bytes where the tables of lengths leave half of their memory, otherwise 64. */
static void caches_lie_as_sectors_do(void **state)
{
    static const unsigned kinds[2] = {2, 4};
    static uint64_t work[2000];
    const size_t n = 120000;
    unsigned i;

    (void)state;
    for (i = 0; i < 2; i++) {
        size_t len = some_frame(n, 0, 0, kinds[i]);
        trouble t = {NULL, 0, 0, 0, 0};
        utet_io io;
        utet_zstd_job job;
        utet_zstd *z;

        complete = i == 0 ? 64 : 512;
        job = job_of(&io, len, n);
        t.src = frame;
        io.ctx = &t;
        io.read = watched_read;
        job.dst = got;
        assert_int_equal(utet_zstd_init(&z, &job, work, sizeof(zs_packed) + 160u), UTET_OK);
        assert_int_equal(utet_zstd_decode(z), UTET_OK);
        assert_memory_equal(got, raw, n);
        suite_check(t.count >= 100u && t.at == 0, "%u of %u elsewhere", t.at, t.count);
    }
}

static utet_need need_of(const utet_zstd_job *job, uint64_t window)
{
    utet_need need;

    assert_int_equal(utet_zstd_need(job, window, &need), UTET_OK);
    return need;
}

/* The memory map of src/zstd/INSIDE.md: fixed part, caches or payload, history. */
static void need_adds_up(void **state)
{
    const size_t caches[] = {2u * (64u + 16u), 2u * (512u + 16u)};
    utet_io io;
    utet_zstd_job job;
    utet_need need;

    (void)state;
    job = job_of(&io, 1001, 3000);
    job.dst = got;
    need = need_of(&job, 0); /* through read(), whole: caches at least, the payload at best */
    assert_int_equal(need.least, sizeof(zs_packed) + caches[0]);
    assert_int_equal(need.best, sizeof(zs_tables) + 1008u);
    job.length = 20; /* the payload is smaller than the caches */
    assert_int_equal(need_of(&job, 0).least, sizeof(zs_packed) + 24u);
    assert_int_equal(need_of(&job, 0).best, sizeof(zs_tables) + 24u);
    job.length = UINT64_MAX; /* never fits */
    assert_int_equal(need_of(&job, 0).best, sizeof(zs_tables) + caches[1]);
    job.length = (uint64_t)1 << 33;
    assert_int_equal(need_of(&job, 0).best, sizeof(zs_tables) + caches[1]);
    io.map = frame;
    assert_int_equal(need_of(&job, 0).least, sizeof(zs_packed));
    assert_int_equal(need_of(&job, 0).best, sizeof(zs_tables));
    job.dst = NULL; /* slices: window unknown, larger, smaller */
    assert_int_equal(need_of(&job, 0).least, sizeof(zs_packed) + 3000u);
    assert_int_equal(need_of(&job, 3001).least, sizeof(zs_packed) + 3000u);
    assert_int_equal(need_of(&job, 1025).least, sizeof(zs_packed) + 1040u);
    job.size = UINT64_MAX;
    assert_int_equal(utet_zstd_need(&job, 0, &need), UTET_E_SPACE);
}

static void window_of_headers(void **state)
{
    static const uint8_t skippable[8] = {0x5f, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff};
    static const uint8_t ordinary[6] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58};
    uint32_t window;
    uint64_t skip;

    (void)state;
    assert_int_equal(utet_zstd_window(skippable, 8, &window, &skip), UTET_OK);
    assert_int_equal(window, 0);
    assert_true(skip == (uint64_t)0xffffffffu + 8u);
    assert_int_equal(utet_zstd_window(skippable, 7, &window, &skip), UTET_E_PAYLOAD);
    assert_int_equal(utet_zstd_window(ordinary, 6, &window, &skip), UTET_OK);
    assert_int_equal(window, 1u << 21);
    assert_int_equal(skip, 0);
    assert_int_equal(utet_zstd_window(ordinary, 5, &window, &skip), UTET_E_PAYLOAD);
}

/* Nothing, then an error: utet_zstd_read returns both as they are. */
static void read_behind_the_end(void **state)
{
    static uint64_t work[1400];
    uint8_t buffer[20];
    utet_io io;
    utet_zstd_job job;
    utet_zstd *z;
    size_t n, len = some_frame(10, 0, 0, 0);

    (void)state;
    job = job_of(&io, len, 10);
    io.map = frame;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_OK);
    assert_int_equal(utet_zstd_read(z, buffer, sizeof buffer, &n), UTET_OK);
    assert_int_equal(n, 10);
    assert_memory_equal(buffer, raw, 10);
    assert_int_equal(utet_zstd_read(z, buffer, sizeof buffer, &n), UTET_END);
    assert_int_equal(n, 0);
    job.size = 9;
    assert_int_equal(utet_zstd_reset(z, &job), UTET_OK);
    assert_int_equal(utet_zstd_read(z, buffer, sizeof buffer, &n), UTET_E_PAYLOAD);
}

/* One decoder for many payloads delivers the same as a new one for each. */
static void again(void **state)
{
    static uint64_t work[1300];
    utet_io io;
    utet_zstd_job job;
    utet_zstd *z = NULL;
    trouble t = {frame, 0, 0, 0, 0};
    unsigned i, k;

    (void)state;
    for (i = 0; i < 200u; i++) {
        size_t n = 1u + i * 7u, len = some_frame(n, (int)(i % 2u), 0, i);

        job = job_of(&io, len, n);
        io.map = frame;
        job.dst = got;
        assert_int_equal(z == NULL ? utet_zstd_init(&z, &job, work, sizeof work) : utet_zstd_reset(z, &job), UTET_OK);
        assert_int_equal(utet_zstd_decode(z), UTET_OK);
        assert_memory_equal(got, raw, n);
        io.map = NULL;
        io.read = troubled_read;
        io.ctx = &t;
        for (k = 0; k < 2u; k++) { /* then the memory is divided in the same way */
            memset(got, 0, n);
            assert_int_equal(utet_zstd_reset(z, &job), UTET_OK);
            assert_int_equal(utet_zstd_decode(z), UTET_OK);
            assert_memory_equal(got, raw, n);
        }
        if (i % 5u == 0) { /* also after one that failed halfway */
            job.length = len / 2u;
            assert_int_equal(utet_zstd_reset(z, &job), UTET_OK);
            assert_true(UTET_IS_ERROR(utet_zstd_decode(z)));
        }
    }
}

/* A source that may answer anything: from the second reading of a position on, it returns other bytes or another
 * status. */
typedef struct fickle {
    const uint8_t *src;
    size_t changes_at; /* this byte */
    uint8_t changed;   /* becomes this one, from the second reading on */
    unsigned seen;
    unsigned calls, odd_from; /* the call from which on `odd` is returned, whatever bytes it delivers */
    utet_status odd;
    size_t surplus; /* how many bytes more than requested it claims to have delivered */
} fickle;

static utet_status fickle_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n)
{
    fickle *f = (fickle *)ctx;

    *n = len;
    if (f->calls++ >= f->odd_from) {
        *n += f->surplus;
        return f->odd;
    }
    memcpy(buf, f->src + offset, len);
    if (f->changes_at >= offset && f->changes_at < offset + len && f->seen++ != 0)
        ((uint8_t *)buf)[f->changes_at - offset] = f->changed;
    return UTET_OK;
}

/* A frame of window 1 KiB: 60 raw blocks, then a match from `back` bytes earlier, which its window does not hold. */
static size_t frame_with_a_far_match(uint32_t back)
{
    const uint32_t off = back + 3u;
    unsigned log = 0, bits = 0;
    uint64_t stream = 5; /* extra bits of the match length */
    size_t n = from_hex(frame, "28b52ffd 00 00"), body;

    for (unsigned i = 0; i < 60u; i++) {
        const uint32_t head = 1000u << 3;

        frame[n++] = (uint8_t)head;
        frame[n++] = (uint8_t)(head >> 8);
        frame[n++] = 0;
        memset(frame + n, (int)('a' + i % 26u), 1000);
        n += 1000u;
    }
    while (off >> (log + 1u) != 0)
        log++;
    stream |= (uint64_t)(off & ((1u << log) - 1u)) << 4 | (uint64_t)1 << (4u + log);
    bits = 5u + log;
    body = 6u + (bits + 7u) / 8u;
    frame[n++] = (uint8_t)(1u | 2u << 1 | body << 3);
    frame[n++] = 0;
    frame[n++] = 0;
    n += from_hex(frame + n, "00 01 54 00");
    frame[n++] = (uint8_t)log;
    frame[n++] = 40;
    for (; bits != 0; bits = bits > 8u ? bits - 8u : 0, stream >>= 8)
        frame[n++] = (uint8_t)stream;
    return n;
}

/* Memory is divided for a window of 1 KiB; when the header is read again, it has 128 KiB. */
static void a_window_that_grows_at_the_second_reading(void **state)
{
    static const uint32_t back[] = {3000, 50000};

    (void)state;
    for (unsigned i = 0; i < 2u; i++) {
        const size_t len = frame_with_a_far_match(back[i]);
        fickle f = {frame, 5, 7u << 3, 0, 0, UINT32_MAX, UTET_OK, 0};
        utet_io io;
        utet_zstd_job job = job_of(&io, len, 100000);
        utet_need need;
        utet_zstd *z;
        const uint8_t *at;
        size_t n;
        uint8_t *work;
        utet_status status;

        io.read = fickle_read;
        io.ctx = &f;
        job.at_most = 1;
        assert_int_equal(utet_zstd_need(&job, 1024, &need), UTET_OK);
        work = zs_guarded(7, need.least);
        assert_int_equal(utet_zstd_init(&z, &job, work, need.least), UTET_OK);
        do
            status = utet_zstd_step(z, 4096, &at, &n);
        while (status == UTET_OK);
        assert_int_equal(status, UTET_E_PAYLOAD);
    }
}

/* A status that no port may return, and more bytes than were requested, are errors of the port; there is no endless
 * loop. */
static void answers_that_no_port_may_give(void **state)
{
    static const utet_status odd[] = {UTET_OK, UTET_END, (utet_status)3, (utet_status)100};
    static uint64_t work[2000];

    (void)state;
    for (unsigned i = 0; i < 4u * 8u; i++) {
        const size_t len = from_hex(frame, "28b52ffd 00 38 480000 616263646566676869 010000");
        fickle f = {frame, SIZE_MAX, 0, 0, 0, i / 4u, odd[i % 4u], 1};
        utet_io io;
        utet_zstd_job job = job_of(&io, len, 9);
        utet_zstd *z;
        const uint8_t *at;
        size_t n;
        utet_status status;

        io.read = fickle_read;
        io.ctx = &f;
        if (i % 3u == 0)
            job.dst = got;
        assert_int_equal(utet_zstd_init(&z, &job, work, 4600), UTET_OK);
        do
            status = utet_zstd_step(z, 5, &at, &n);
        while (status == UTET_OK);
        assert_true(status == UTET_E_PORT || (status == UTET_END && f.calls <= f.odd_from));
    }
}

/* `times` repetitions after `start`, then a last, empty block. */
static size_t repeated(const char *start, const char *piece, size_t times)
{
    uint8_t one[256];
    size_t n = from_hex(frame, start), m = from_hex(one, piece);

    for (; times != 0; times--, n += m)
        memcpy(frame + n, one, m);
    return n + from_hex(frame + n, "010000");
}

#define WINDOW_1K "28b52ffd0000"
#define EIGHT WINDOW_1K "400000 6162636465666768"
#define THREE_TABLES "6c0000 0001a8e4ffe37fe4ff00000004" /* 511 + 1, 255 + 1, 511 + 1 cells; one sequence */
#define PREDEFINED "340000 000100000002"
#define TREE "d40000 12c0020911e0d301059dd6245e3f01 a8e4ffe37fe4ff00000004"

/* Frames that decode many bytes to few. The first two cost most for a byte of input; test/bench has them as well. */
static const struct hostile {
    const char *start, *piece;
} hostile[] = {{EIGHT, THREE_TABLES},
               {EIGHT, THREE_TABLES PREDEFINED},
               {EIGHT, PREDEFINED},
               {EIGHT, TREE},
               {WINDOW_1K, "000000"},
               {WINDOW_1K, "02000078"},
               {WINDOW_1K, "1400000000"},
               {WINDOW_1K, "08000071"},
               {WINDOW_1K, "0a000071"},
               {WINDOW_1K "010000", "502a4d1800000000 28b52ffd0000 010000"},
               {WINDOW_1K "010000", "28b52ffd2000 010000"}};

enum { HOSTILE = sizeof hostile / sizeof *hostile, PIECES = 400 };

static size_t hostile_frame(unsigned i)
{
    size_t len = repeated(hostile[i].start, hostile[i].piece, PIECES);

    return strstr(hostile[i].start, "010000") != NULL ? len - 3u : len; /* the frames end by themselves */
}

/* Every byte is read once or twice for any caches; caches of 512 bytes read 211 bytes for each byte of the first
 * frame. */
static void more_cache_never_reads_more(void **state)
{
    unsigned i, whole;

    (void)state;
    for (i = 0; i < HOSTILE + 12u; i++)
        for (whole = 0; whole < 2u; whole++) {
            static const uint16_t caches[] = {64, 128, 256, 512};
            size_t len, before = SIZE_MAX;
            long size;
            unsigned k;

            if (i < HOSTILE) {
                len = hostile_frame(i);
            } else { /* as compressors write them, in small and large blocks */
                zs_recipe recipe = {3, 1, 0, 10 + (int)i % 6, 1};

                zs_fill(raw, 60000, i % ZS_KINDS, i);
                len = zs_frame(frame, sizeof frame, raw, 60000, &recipe);
            }
            size = zs_oracle(frame, len, expected, ROOM);
            assert_true(size >= 0);
            for (k = 0; k < 4u; k++) {
                zs_config c = plain();
                zs_result r;

                c.cache = caches[k];
                c.whole = (uint8_t)whole;
                c.window = zs_largest_window(frame, len);
                r = zs_run(&c, frame, len, got, (size_t)size);
                assert_int_equal(r.status, UTET_OK);
                assert_null(r.fault);
                assert_memory_equal(got, expected, (size_t)size);
                assert_true(r.bytes <= before);
                assert_true(r.bytes <= (whole ? 3u : 4u) * len + 160u);
                before = r.bytes;
            }
        }
}

/* A call passes at most io.step_limit steps of the decoder without output, and then returns "not yet". */
static void a_call_is_bounded(void **state)
{
    enum { PAUSE = 16 };
    unsigned i, whole;

    (void)state;
    for (i = 0; i < HOSTILE; i++)
        for (whole = 0; whole < 2u; whole++) {
            static uint64_t work[6000];
            size_t len = hostile_frame(i), n, made = 0, calls = 0;
            long size = zs_oracle(frame, len, expected, ROOM);
            utet_io io;
            utet_zstd_job job = job_of(&io, len, (size_t)size);
            const uint8_t *at;
            utet_zstd *z;
            utet_status status;

            assert_true(size >= 0);
            io.map = frame;
            io.step_limit = PAUSE;
            job.dst = whole ? got : NULL;
            assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_OK);
            while ((status = utet_zstd_open(z)) == UTET_WOULD_BLOCK)
                assert_true(++calls <= PIECES); /* headers are only examined */
            for (calls = 0; status == UTET_OK || status == UTET_WOULD_BLOCK;) {
                const uint64_t before = utet_zstd_error_offset(z);

                status = utet_zstd_step(z, ROOM, &at, &n);
                assert_true(status == UTET_OK ? n != 0 : n == 0);
                assert_memory_equal(at, expected + made, n);
                /* A step passes at most 32 bytes of these frames; one byte of output may wait for the end. */
                assert_true(utet_zstd_error_offset(z) - before <= 2u * PAUSE * 32u);
                made += n;
                calls++;
            }
            assert_int_equal(status, UTET_END);
            assert_int_equal(made, size);
            assert_true(calls >= PIECES / PAUSE);
            if (whole) { /* decode() only returns if nothing was produced: not while there is output */
                calls = 0;
                status = utet_zstd_reset(z, &job);
                while (status == UTET_OK && (status = utet_zstd_decode(z)) == UTET_WOULD_BLOCK && ++calls < 10000u)
                    status = UTET_OK;
                assert_int_equal(status, UTET_OK);
                assert_true(size != 0 || calls >= PIECES / PAUSE);
            }
        }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(a_window_that_grows_at_the_second_reading),
        cmocka_unit_test(answers_that_no_port_may_give),
        cmocka_unit_test(more_cache_never_reads_more),
        cmocka_unit_test(a_call_is_bounded),
        cmocka_unit_test(faults_of_the_source),
        cmocka_unit_test(payload_of_more_than_4_gib),
        cmocka_unit_test(caches_lie_as_sectors_do),
        cmocka_unit_test(need_adds_up),
        cmocka_unit_test(window_of_headers),
        cmocka_unit_test(read_behind_the_end),
        cmocka_unit_test(again),
    };

    return SUITE("zstd_source", cases);
}
