/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that measures the library: opening, lookup, and reading the payloads in slices, over a port in RAM that
 * counts. Each step has one row of figures; instructions and stack come from the plugin (bench_run.py joins them). Uses
 * bench.h and the pak of bench_tet.py, or of bench_tiles.py; BENCH_CODEC names a codec descriptor, without it chunks
 * are raw. */
#include "bench.h"

#include "board.h"
#include "print.h"
#include "semihost.h"
#include "utet.h"

#ifdef BENCH_CODEC
static const utet_codec *const codecs[] = {&BENCH_CODEC, NULL};
#else
static const utet_codec *const *const codecs = NULL;
#endif

enum {
    PAYLOADS = 6,
    SLICES = 5,  /* the last one is the whole chunk */
    ID_READ = 0, /* + payload * SLICES + slice */
    ID_FIND = ID_READ + PAYLOADS * SLICES,
    ID_STREAM_OPEN = ID_FIND + PAYLOADS,
    ID_ROWS = ID_STREAM_OPEN + PAYLOADS, /* + file * ROW_STEPS + step */
    ROW_STEPS = 4,
    ID_OTHER = 124, /* regions without a row */
    ROW_BYTES = 104,
    ROW_CHUNK = 4,
    SECTOR = 512
};

static const size_t slice_sizes[SLICES] = {64, 256, 512, 4096, 0};

static uint64_t work[400 * 1024 / 8];
static uint8_t dst[64 * 1024] __attribute__((aligned(8)));

/* ---- the port: a file in RAM; for the files with many rows, it makes up rows and payloads ---- */

static struct {
    const uint8_t *head, *tail;
    uint32_t head_len, row_count, tail_len; /* row_count 0: the head is the whole file */
    uint32_t id;                            /* the region that is running */
    uint32_t reads, bytes, sectors, last_sector;
} port;

static uint8_t row_byte(uint32_t row, uint32_t at)
{
    const uint32_t data = port.head_len + ROW_BYTES * port.row_count;
    const uint32_t word = at / 8 == 1                    ? row / 16
                          : at / 8 == 2                  ? row % 16
                          : at / 8 == 9                  ? data + ROW_CHUNK * row
                          : at / 8 == 10 || at / 8 == 11 ? ROW_CHUNK
                                                         : 0;

    return at % 8 < 4 ? (uint8_t)(word >> (8 * (at % 8))) : 0;
}

static uint8_t file_byte(uint32_t offset)
{
    uint32_t at = offset - port.head_len;

    if (offset < port.head_len) {
        return port.head[offset];
    }
    if (at < ROW_BYTES * port.row_count) {
        uint32_t row = 0;
        /* Long division: the compiler's would be a call, which takes hundreds of instructions on M0+. */
        for (uint32_t rows = 1u << 20; rows != 0; rows >>= 1) {
            if (at >= ROW_BYTES * rows) {
                at -= ROW_BYTES * rows;
                row += rows;
            }
        }
        return row_byte(row, at);
    }
    at -= ROW_BYTES * port.row_count;
    return at < ROW_CHUNK * port.row_count ? (uint8_t)at : port.tail[at - ROW_CHUNK * port.row_count];
}

/* One function without calls, so that the plugin can distinguish its instructions from the library's by their
 * addresses. Sectors: how often a file layer below, which keeps the last sector of 512 bytes, would load one. */
utet_status bench_port_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got);

__attribute__((noinline, flatten)) utet_status bench_port_read(void *ctx, uint64_t offset, void *buf, size_t len,
                                                               size_t *got)
{
    const uint32_t first = (uint32_t)offset / SECTOR;
    const uint32_t last = ((uint32_t)offset + (uint32_t)len - 1) / SECTOR;
    uint8_t *to = buf;

    (void)ctx;
    for (size_t i = 0; i < len; i++) {
        to[i] = port.row_count != 0 ? file_byte((uint32_t)offset + i) : port.head[(uint32_t)offset + i];
    }
    port.reads++;
    port.bytes += len;
    port.sectors += last - first + (first == port.last_sector ? 0 : 1);
    port.last_sector = last;
    *got = len;
    return UTET_OK;
}

static utet_io io = {NULL, bench_port_read, NULL, NULL, 0, 1, 1, 0, 0};

static int mapped;

static void use_file(const struct bench_entry *e, int synthetic)
{
    port.head = BENCH_PAK + e->src;
    port.head_len = e->src_len;
    port.tail = BENCH_PAK + e->raw;
    port.tail_len = e->raw_len;
    port.row_count = synthetic ? e->id : 0;
    io.size = e->src_len;
    io.map = mapped ? port.head : NULL;
    if (synthetic) {
        io.size += (uint64_t)(ROW_BYTES + ROW_CHUNK) * e->id + e->raw_len;
    }
}

/* ---- steps and rows ---- */

static void clear_port(void)
{
    port.reads = port.bytes = port.sectors = 0;
    port.last_sector = UINT32_MAX;
}

/* row id name step detail bytes reads port_bytes sectors workspace verdict */
static void row(uint32_t id, const char *name, const char *step, size_t detail, uint32_t bytes, size_t workspace,
                int good)
{
    print_text("row\t");
    print_u64(id);
    print_char('\t');
    print_text(name);
    print_char('\t');
    print_text(step);
    const uint64_t figures[] = {detail, bytes, port.reads, port.bytes, port.sectors, workspace};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        print_char('\t');
        print_u64(figures[i]);
    }
    print_text(good ? "\tok\n" : "\tWRONG\n");
    bench_failed = bench_failed || !good;
}

static utet_file file;
static utet_dataset dataset;

/* The dataset, named by the first two characters of the payload's name, opened again with `length` bytes. */
static void open_dataset(const char *name, size_t length)
{
    bench_check(utet_init(&file, &io, work, length, codecs), "init");
    bench_check(utet_open(&file, NULL), "open");
    bench_check(utet_dataset_find(&file, name, 2, &dataset), "dataset_find");
}

static size_t chunk_count(void)
{
    return (size_t)dataset.grid[0];
}

static int same(const uint8_t *a, const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (a[i] != b[i]) {
            return 0;
        }
    }
    return 1;
}

/* ---- reading the payloads ---- */

static size_t workspace_for(int whole, int best)
{
    uint64_t most = UTET_WINDOW_BEST(1);
    utet_chunk chunk;
    utet_need need;

    for (uint64_t i = 0; i < chunk_count(); i++) {
        const uint64_t coords[UTET_MAX_NDIM] = {i};
        bench_check(utet_chunk_find(&file, &dataset, coords, &chunk), "chunk_find");
        bench_check(utet_chunk_need(&file, &chunk, whole, &need), "chunk_need");
        const uint64_t want = best ? need.best : need.least;
        most = want > most ? want : most;
    }
    return (size_t)most;
}

static utet_status read_sliced(utet_stream *stream, uint32_t id, size_t size, size_t length)
{
    utet_status status = UTET_OK;

    for (size_t at = 0; at < length && status == UTET_OK;) {
        size_t got = 0;
        bench_begin(id);
        status = utet_stream_read(stream, dst + at, size, &got);
        bench_end(id);
        at += got;
    }
    return status;
}

/* One pass over all chunks of a payload; the first pass also counts the lookup and opening of the stream. */
static void read_payload(const struct bench_entry *e, uint32_t slice, size_t workspace)
{
    const uint32_t id = ID_READ + e->id * SLICES + slice;
    static utet_chunk chunk;
    static utet_stream stream;
    uint32_t counted[3] = {0, 0, 0};
    uint32_t bytes = 0;
    int good = 1;

    for (uint64_t i = 0; i < chunk_count(); i++) {
        const uint64_t coords[UTET_MAX_NDIM] = {i};
        const uint32_t find_id = slice == 0 ? ID_FIND + e->id : ID_OTHER;
        const uint32_t open_id = slice == 0 ? ID_STREAM_OPEN + e->id : ID_OTHER;

        bench_begin(find_id);
        bench_check(utet_chunk_find(&file, &dataset, coords, &chunk), "chunk_find");
        bench_end(find_id);
        clear_port();
        if (slice + 1 < SLICES) {
            bench_begin(open_id);
            bench_check(utet_stream_open(&stream, &file, &chunk), "stream_open");
            bench_end(open_id);
            bench_check(read_sliced(&stream, id, slice_sizes[slice], (size_t)chunk.raw_byte_len), "stream_read");
        } else {
            bench_begin(id);
            bench_check(utet_stream_load(&stream, &file, &chunk, dst, sizeof dst), "chunk_load");
            bench_end(id);
        }
        counted[0] += port.reads;
        counted[1] += port.bytes;
        counted[2] += port.sectors;
        good = good && same(dst, BENCH_PAK + e->raw + bytes, (size_t)chunk.raw_byte_len);
        bytes += (uint32_t)chunk.raw_byte_len;
    }
    port.reads = counted[0];
    port.bytes = counted[1];
    port.sectors = counted[2];
    row(id, e->name, slice + 1 < SLICES ? "read" : "load", slice_sizes[slice], bytes, workspace,
        good && bytes == e->raw_len);
    if (slice == 0) {
        clear_port();
        row(ID_FIND + e->id, e->name, "chunk_find", 0, 0, 0, 1);
        row(ID_STREAM_OPEN + e->id, e->name, "stream_open", 0, 0, 0, 1);
    }
}

static void measure_payload(const struct bench_entry *e, int best)
{
    size_t need[2];

    if (e->src_len != 0) { /* a file of its own */
        use_file(e, 0);
    }
    open_dataset(e->name, sizeof work);
    need[0] = workspace_for(0, best);
    need[1] = workspace_for(1, best);
    for (uint32_t slice = 0; slice < SLICES && !bench_failed; slice++) {
        const size_t workspace = need[slice + 1 == SLICES];
        if (workspace > sizeof work) {
            print_text("skipped: ");
            print_text(e->name);
            print_text(" needs ");
            print_u64(workspace);
            print_text(" bytes of workspace\n");
            continue;
        }
        open_dataset(e->name, workspace);
        read_payload(e, slice, workspace);
    }
}

/* ---- files with many rows: open, find the dataset, find a chunk, read it ---- */

static void step_row(const struct bench_entry *e, uint32_t id, const char *step)
{
    row(id, e->name, step, e->id, 0, file.high_water, 1);
    clear_port();
}

static void measure_rows(const struct bench_entry *e, uint32_t number)
{
    const uint32_t id = ID_ROWS + number * ROW_STEPS;
    const uint64_t coords[UTET_MAX_NDIM] = {e->id / 16 - 1, 5};
    static utet_chunk chunk;
    static utet_stream stream;
    uint8_t data[ROW_CHUNK];
    size_t got = 0;

    use_file(e, 1);
    clear_port();
    bench_check(utet_init(&file, &io, work, UTET_WINDOW_BEST(1), codecs), "init");
    bench_begin(id);
    bench_check(utet_open(&file, NULL), "open");
    bench_end(id);
    step_row(e, id, "open");
    bench_begin(id + 1);
    bench_check(utet_dataset_find(&file, "grid", 4, &dataset), "dataset_find");
    bench_end(id + 1);
    step_row(e, id + 1, "dataset_find");
    bench_begin(id + 2);
    bench_check(utet_chunk_find(&file, &dataset, coords, &chunk), "chunk_find");
    bench_end(id + 2);
    step_row(e, id + 2, "chunk_find");
    bench_begin(id + 3);
    bench_check(utet_stream_open(&stream, &file, &chunk), "stream_open");
    bench_check(utet_stream_read(&stream, data, sizeof data, &got), "stream_read");
    bench_end(id + 3);
    step_row(e, id + 3, "open_and_read");
}

int main(void)
{
    const struct bench_pak *pak = (const struct bench_pak *)(uintptr_t)BENCH_PAK;
    const struct bench_entry *e = pak->entry;
    char line[64] = "";
    int best = 0;
    uint32_t i = 0;
    uint32_t number = 0;

    /* The arguments that matter: + is the need's best instead of its minimum, m a file that is mapped. */
    if (semihost_command_line(line, sizeof line) == 0) {
        for (const char *c = line; *c != '\0'; c++) {
            best = best || *c == '+';
            mapped = mapped || *c == 'm';
        }
    }
    bench_calibrate();
    if (e[0].name[0] != 'P') { /* one file for all payloads */
        use_file(&e[0], 0);
        i = 1;
    }
    for (; i < pak->count && e[i].name[0] == 'P' && !bench_failed; i++) {
        measure_payload(&e[i], best);
    }
#ifndef BENCH_CODEC
    for (; i < pak->count && !bench_failed; i++) {
        measure_rows(&e[i], number++);
    }
#else
    (void)measure_rows;
    (void)number;
#endif
    return bench_failed;
}
