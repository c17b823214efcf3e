/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the benchmark's firmware share: region marks (marks.S, which the plugin count.c sees), the memory
 * of the mps2 machines, and the functions that a decoder under test provides. Uses boards/common for the start-up. */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

/* Region `id`, 0..124, counts the instructions between the two calls; regions may be nested. bench_calibrate, called
 * once, shows the plugin's reader the cost of the marks, and that the plugin counts right. */
void bench_calibrate(void);
void bench_begin(uint32_t id);
void bench_end(uint32_t id);

/* check.c: a status other than 0 is printed with the call that was made, and the firmware's result becomes 1. */
extern int bench_failed;
void bench_check(int status, const char *what);

/* The emulator loads the pak (bench_pak.py) here, into the upper half of the 4 MB of RAM that every mps2 machine
 * has. */
#define BENCH_PAK ((const uint8_t *)(uintptr_t)0x20200000u)

struct bench_entry {
    char name[8]; /* P1 … P6 */
    uint32_t id;  /* region: the same for all frames of a payload */
    uint32_t src, src_len;
    uint32_t raw, raw_len;
};

struct bench_pak {
    uint8_t magic[4]; /* "PAK1" */
    uint32_t count;
    struct bench_entry entry[]; /* offsets from the start of the pak, multiples of 8 */
};

/* The decoder under test: decodes one whole chunk, with all of `src` in RAM. Returns the decoded length, or a negative
 * number. bench_setup runs once before it, uncounted; bench_work returns how many bytes of RAM the decoder keeps. */
void bench_setup(void);
int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len);
size_t bench_work(void);
/* With BENCH_HOSTILE: bytes that have been read from the source since the last call. Rows then count for each byte of
 * the source. */
uint32_t bench_source_bytes(void);

#endif
