/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware around one decoder: decodes every frame of the pak completely, compares the bytes, and prints one row for
 * each payload. BENCH_HOSTILE: frames of hostile_pak.py; rows count bytes of the source. Uses bench.h; the figures
 * themselves come from the plugin, and bench_run.py joins them to the rows. */
#include "bench.h"

#include "board.h"
#include "print.h"

static uint8_t dst[128 * 1024] __attribute__((aligned(8)));

static int same(const uint8_t *a, const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (a[i] != b[i]) {
            return 0;
        }
    }
    return 1;
}

static void spoil(size_t len)
{
    for (size_t i = 0; i < len; i++) {
        dst[i] = 0xA5;
    }
}

static int run_entry(const struct bench_entry *e)
{
    int32_t got;

    if (e->raw_len > sizeof dst) {
        return 0;
    }
    spoil(e->raw_len);
    bench_begin(e->id);
    got = bench_decode(dst, e->raw_len, BENCH_PAK + e->src, e->src_len);
    bench_end(e->id);
    return got == (int32_t)e->raw_len && same(dst, BENCH_PAK + e->raw, e->raw_len);
}

static void row(const struct bench_entry *e, uint32_t bytes, int good)
{
    print_text("row\t");
    print_u64(e->id);
    print_char('\t');
    print_text(e->name);
    print_char('\t');
    print_u64(bytes);
    print_text(good ? "\tok\n" : "\tWRONG\n");
#ifdef BENCH_HOSTILE
    print_text("source\t");
    print_u64(e->id);
    print_char('\t');
    print_u64(bench_source_bytes());
    print_char('\n');
#endif
}

int main(void)
{
    const struct bench_pak *pak = (const struct bench_pak *)(uintptr_t)BENCH_PAK;
    int all_good = 1;

    bench_setup();
    bench_calibrate();
    print_text("work\t");
    print_u64(bench_work());
    print_char('\n');
    for (uint32_t i = 0; i < pak->count;) {
        const struct bench_entry *first = &pak->entry[i];
        uint32_t bytes = 0;
        int good = 1;

        for (; i < pak->count && pak->entry[i].id == first->id; i++) {
            good = run_entry(&pak->entry[i]) && good;
#ifdef BENCH_HOSTILE
            bytes += pak->entry[i].src_len;
#else
            bytes += pak->entry[i].raw_len;
#endif
        }
        row(first, bytes, good);
        all_good = all_good && good;
    }
    return all_good ? 0 : 1;
}
