/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over src/base except the window: the file's first values, the call protocol, cancelling, texts, sizes,
 * the order of bytes. An alarm is possible undefined behaviour. The memory that a file may touch ends with its
 * workspace, the elements end with their object; the numbers are any. Part 2: the loads of ARM machines that read words
 * from any address.
 *
 * eva.sh: 2 parts, x86_16, x86_32, x86_64, ppc_32
 *   1 2: -eva-slevel 10000
 *   1: -eva-slevel-function utet_strerror_copy:40000 -eva-split-return full
 */
#include "eva_any.h"

#if EVA_PART == 2
#include <string.h>
#define __ARM_FEATURE_UNALIGNED
#define __builtin_memcpy memcpy
#include "base/base.h"

void eva_main(void)
{
    uint8_t bytes[11];

    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    (void)utet_le64(bytes + Frama_C_interval_split(0, 3));
    (void)utet_le32(bytes + sizeof bytes - 4 - Frama_C_interval_split(0, 3));
}
#else

#include "base/build_info.c"
#include "base/bytes.c"
#include "base/room.c"
#include "base/file.c"
#include "base/nested.c"
#include "base/native.c"
#include "base/strerror.c"
#include "abi/sizes.c"
#include "base/version.c"
#include "base/window.c"

static uint64_t work[UTET_WINDOW_BEST(512) / 8];
static uint8_t mapped[16];
static utet_io io;
static utet_file file;
static int cancelled;

static utet_status port(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    (void)ctx, (void)offset, (void)buf, (void)len, (void)got;
    return UTET_WOULD_BLOCK;
}

static void cancel(void *ctx)
{
    (void)ctx;
    cancelled = 1;
}

static void any_port(void)
{
    io.read = Frama_C_interval(0, 1) ? port : NULL;
    io.cancel = Frama_C_interval(0, 1) ? cancel : NULL;
    io.map = Frama_C_interval_split(0, 1) ? mapped : NULL;
    io.size = io.map != NULL ? sizeof mapped : any64();
    io.unit = (uint16_t)any32();
    io.align = (uint16_t)any32();
}

/* A window that is returned is within the requested bytes, or has the minimum size. */
static void windows(void)
{
    static const uint16_t units[6] = {1, 2, 32, 64, 256, 512};
    static const uint16_t sizes[8] = {0, 127, 191, 192, 193, 639, 640, 1000};
    const uint8_t *behind;
    size_t bytes, window;

    io.unit = units[Frama_C_interval_split(0, 5)];
    io.map = NULL;
    file.priv.io = &io;
    file.priv.work = (uint8_t *)work;
    file.priv.buffer = file.priv.work + UTET_HEADROOM;
    bytes = sizes[Frama_C_interval_split(0, 7)];
    window = utet_window_fit(&file, bytes);
    /*@ assert inside: window <= bytes || window == 128 + io.unit || window == 192; */
    file.priv.window = window;
    behind = utet_behind(&file);
    /*@ assert behind: window <= behind - file.priv.work <= window + 7; */
    file.priv.window = any32();
    utet_window_resize(&file, window);
    (void)utet_window_fit(&file, (size_t)any64());
    file.budget = (size_t)any32();
    (void)utet_window_alone(&file);
    (void)utet_needed(&file, any64());
    (void)utet_up8(&file, any64());
    (void)utet_down8(&file, (size_t)any64());
}

static void elements(void)
{
    static uint8_t bytes[24];
    const int size = Frama_C_interval_split(1, 8), count = Frama_C_interval_split(0, 3);

    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    utet_to_native(bytes + sizeof bytes - (size_t)(size * count), (size_t)count, (size_t)size);
}

void eva_main(void)
{
    static const utet_file blank;
    uint8_t call = (uint8_t)any32();
    uint8_t inner = (uint8_t)any32();
    const size_t size = (size_t)Frama_C_interval_split(0, 4);
    char text[4];

    switch (Frama_C_interval_split(0, 4)) {
    case 0:
        any_port();
        (void)utet_init(Frama_C_interval(0, 1) ? &file : NULL, Frama_C_interval(0, 1) ? &io : NULL,
                        Frama_C_interval(0, 1) ? work : NULL, (size_t)any32(), NULL);
        break;
    case 1: windows(); break;
    case 2:
        any_port();
        file = blank;
        file.priv.io = &io;
        file.priv.work = (uint8_t *)work;
        file.priv.buffer = file.priv.work + UTET_HEADROOM;
        file.budget = (size_t)any32();
        file.priv.busy = (uint8_t)any32();
        file.priv.state = (uint8_t)any32();
        if (utet_enter(&file, call) == UTET_OK)
            (void)utet_leave(&file, (utet_status)any32());
        file.priv.nested = Frama_C_interval(0, 1) ? &inner : NULL;
        if (utet_enter_over(&file, call, &inner) == UTET_OK)
            (void)utet_leave_over(&file, call, &inner, (utet_status)any32());
        (void)utet_cancel(&file);
        break;
    case 3: elements(); break;
    default:
        use_text(utet_strerror((utet_status)any32()));
        if (utet_strerror_copy((utet_status)any32(), size != 0 ? text + sizeof text - size : NULL, size) != 0 &&
            size != 0)
            use_text(text + sizeof text - size);
        (void)utet_version();
        use_text(utet_version_text());
        use_text(utet_build_info());
        (void)utet_sizeof(any32());
        break;
    }
}
#endif
