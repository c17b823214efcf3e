/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the window, the only code that calls a port and moves bytes in the workspace. EVA_PART 1: requests
 * of which the window holds a part, anywhere; 2: requests outside of what it holds; 3: copies to a destination that
 * ends with memory.
 *
 * The port is replaced by its contract: it writes anything to all `len` bytes that it may, returns one unit, two, all
 * or nothing, or fails or blocks. Workspace and destination end where memory ends. One request is answered; the state
 * after it is one of those in which the parts begin. EVA does not relate two unknown numbers: positions in the window
 * and in the file are tried one by one, the bytes have any value.
 *
 * eva.sh: 3 parts, x86_16, x86_32, x86_64, ppc_32
 *   1 2 3: -eva-slevel 100000 -eva-split-return-function port:0,port_read:0,utet_fetch_ahead:0,utet_fetch:0
 */
#include "eva_any.h"

#include "base/bytes.c"
#include "base/window.c"

#define WINDOW (UTET_HEADROOM + 64u) /* the minimum */

static uint8_t work[7 + UTET_HEADROOM + 512];
static utet_io io;
static utet_file file;
static int answers;  /* how many requests are answered */
static size_t units; /* with at most this many units; 0: end of the medium */
static size_t gap;   /* by how much the headroom is larger, for io.align */

static utet_status port(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    (void)ctx;
    /*@ assert room: 1 <= len && \valid((uint8_t *)buf + (0 .. len - 1)); */
    /*@ assert inside: offset + len <= io.size; */
    /*@ assert unit: offset % io.unit == 0 && (len % io.unit == 0 || offset + len == io.size); */
    if (answers-- <= 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_PORT;
    Frama_C_make_unknown((char *)buf, len);
    *got = len < units * io.unit ? len : units * io.unit;
    return UTET_OK;
}

/* A window of `window` bytes at the end of memory, which holds `held` bytes before position `tail`. */
static void any_window(unsigned unit, size_t window, size_t tail, size_t held)
{
    static const utet_file blank;

    file = blank;
    Frama_C_make_unknown((char *)work, sizeof work);
    io.read = port;
    io.unit = (uint16_t)unit;
    io.align = 1;
    file.priv.io = &io;
    file.priv.work = work + sizeof work - window - gap;
    file.priv.buffer = file.priv.work + UTET_HEADROOM + gap;
    file.priv.window = gap + window;
    file.priv.tail = file.priv.work + gap + tail;
    file.priv.held = held;
    file.priv.end = 0x100000040u;
    answers = 1;
}

/* Are the requested bytes there, in valid memory? The file ends with them, or later. */
static void ask(size_t length, uint64_t offset, size_t ahead)
{
    io.size = offset + length + (units != 1 ? 0 : 1000);
    file.priv.have = ahead;
    if (utet_fetch_ahead(&file, length, offset) == UTET_OK) {
        /*@ assert have: file.priv.have >= length; */
        (void)*(volatile const uint8_t *)file.priv.at;
        (void)*(volatile const uint8_t *)(file.priv.at + (length - 1));
    }
}

#if EVA_PART == 1
static void held(size_t tail, size_t behind, size_t length, size_t ahead)
{
    any_window(1, WINDOW, tail, behind < 64u ? tail : behind);
    ask(length, file.priv.end - behind, ahead);
}

static void requests(void)
{
    static const uint8_t tails[3] = {129, 160, 192}, lengths[3] = {1, 104, 128};
    unsigned t, l, behind;

    for (t = 0; t < 3u; t++)
        for (l = 0; l < 3u; l++)
            for (behind = 0; behind <= tails[t]; behind += behind - lengths[l] + 2u < 4u ? 1u : 20u) {
                held(tails[t], behind, lengths[l], lengths[l]);
                held(tails[t], behind, lengths[l], SIZE_MAX / 2);
            }
}
#elif EVA_PART == 2
static void outside(unsigned unit, size_t window, uint64_t offset, uint64_t end, size_t ahead)
{
    any_window(unit, window, window, window - UTET_HEADROOM);
    file.priv.end = end;
    ask(ahead < 128u ? ahead : 128u, offset, ahead);
}

static void requests(void)
{
    static const uint16_t units[3] = {1, 16, 512}, windows[3] = {WINDOW, WINDOW, UTET_HEADROOM + 512};
    static const uint16_t aheads[4] = {1, 104, 128, 640};
    unsigned u, odd, a;

    for (u = 0; u < 3u; u++)
        for (odd = 0; odd < units[u]; odd += odd < 2u ? 1u : units[u] / 5u)
            for (a = 0; a <= 4u; a++) {
                const size_t ahead = a < 4u ? aheads[a] : SIZE_MAX / 2;
                const uint64_t offset = 0x100000000u + odd;

                outside(units[u], windows[u], odd, 0x100000000u, ahead); /* before the held bytes */
                outside(units[u], windows[u], offset, 0, ahead);
                outside(units[u], windows[u], offset, 0x100000000u, ahead); /* directly after them */
            }
}
#else
static uint8_t destination[300];

static void copy(unsigned unit, size_t ahead, size_t behind, size_t length, size_t done)
{
    any_window(unit, WINDOW, WINDOW, behind);
    file.priv.ahead = ahead;
    file.priv.at = Frama_C_interval(0, 1) ? file.priv.work : NULL; /* NULL: the window was used for a copy */
    file.priv.done = done;
    io.size = file.priv.end - behind + length + (units != 1 ? 0 : 1000);
    (void)utet_copy_bytes(&file, destination + sizeof destination - length, file.priv.end - behind - done, length);
    any_window(unit, WINDOW, WINDOW, behind);
    (void)utet_copy_some(&file, destination + sizeof destination - length, file.priv.end - behind, length);
}

static void requests(void)
{
    static const uint16_t lengths[4] = {1, 64, 65, 300};
    static const uint8_t aheads[3] = {0, 31, 63};
    static const uint8_t behind[6] = {0, 1, 63, 64, 65, 192};
    unsigned l, done, b;

    for (l = 0; l < 4u; l++)
        for (done = 0; done < lengths[l]; done += 1u + lengths[l] / 2u)
            for (b = 0; b < 6u; b++) {
                copy(1, aheads[(l + b) % 3u], behind[b], lengths[l], done);
                copy(64, aheads[(l + b) % 3u], behind[b], lengths[l], done);
            }
}
#endif

void eva_main(void)
{
    static const size_t all[4] = {SIZE_MAX, 2, 1, 0};
    unsigned i;

    for (i = 0; i < 8u; i++) {
        units = all[i / 2u];
        gap = 7u * (i & 1u);
        requests();
    }
}
