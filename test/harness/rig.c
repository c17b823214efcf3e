/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See rig.h. The table of names is compared with include/utet.h by test/tools/suite_status.py. */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    utet_status status;
    const char *name;
} statuses[] = {
#define S(name)            \
    {                      \
        UTET_##name, #name \
    }
    S(OK),           S(END),         S(WOULD_BLOCK),   S(E_ARGUMENT),      S(E_STATE),
    S(E_BUDGET),     S(E_RANGE),     S(E_NOT_FOUND),   S(E_MISSING),       S(E_SPACE),
    S(E_SHORT),      S(E_MAGIC),     S(E_VERSION),     S(E_INDEX_VERSION), S(E_FOOTER_VERSION),
    S(E_DTYPE),      S(E_CODEC),     S(E_ZSTD_WINDOW), S(E_ZSTD_DICT),     S(E_ZSTD_LEGACY),
    S(E_SUPERBLOCK), S(E_DIRECTORY), S(E_DATASET),     S(E_INDEX),         S(E_ROW),
    S(E_FOOTER),     S(E_METADATA),  S(E_PAYLOAD),     S(E_CHECKSUM),      S(E_LIMIT),
#undef S
};

const char *rig_status(utet_status status)
{
    static char port[8][24];
    static unsigned slot;
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (statuses[i].status == status)
            return statuses[i].name;
    slot = (slot + 1) % 8;
    if (status <= UTET_E_PORT)
        snprintf(port[slot], sizeof port[slot], "E_PORT-%d", UTET_E_PORT - status);
    else
        snprintf(port[slot], sizeof port[slot], "status %d", status);
    return port[slot];
}

utet_status rig_status_named(const char *name)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (strcmp(statuses[i].name, name) == 0 || strcmp(statuses[i].name + 2, name) == 0)
            return statuses[i].status;
    return 1000;
}

int rig_plain_x86;

#if defined(__x86_64__) && defined(HAVE_ZSTD_UPSTREAM) && !defined(LIBRARY_ANSWERS)
/* What the adapter to libzstd asks before each chunk (src/tet/codec/zstd_bmi2.h). With LIBRARY_ANSWERS (coverage), the
 * library's own function answers. */
int utet_zstd_bmi2(void);

int utet_zstd_bmi2(void)
{
    return !rig_plain_x86 && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#endif

static const utet_codec *const zstd_codecs[] = {
#ifdef HAVE_ZSTD_UPSTREAM
    &utet_codec_zstd_upstream,
#else
    NULL,
#endif
#ifdef HAVE_ZSTD_SMALL
    &utet_codec_zstd_small,
#endif
};

unsigned rig_codecs(void)
{
    return sizeof zstd_codecs / sizeof zstd_codecs[0];
}

const char *rig_codec_name(unsigned codec)
{
    static const char *const names[] = {"upstream", "small"};
    return names[codec];
}

void rig_make(rig *r, const void *bytes, uint64_t size, int codec)
{
    memset(r, 0, sizeof *r);
    faultport_init(&r->port, bytes, size);
    if (codec >= 0)
        r->codecs[0] = zstd_codecs[codec];
}

void rig_start(rig *r, size_t work, guard_side side)
{
    size_t align = r->port.io.align > 8 ? r->port.io.align : 8;
    if (r->work.priv_pages != NULL)
        guard_free(&r->work);
    r->work = guard_new(work, align, side);
    faultport_zone(&r->port, 0, r->work.data, work);
    utet_status status = utet_init(&r->file, &r->port.io, r->work.data, work, r->codecs);
    suite_check(status == UTET_OK, "utet_init: %s", rig_status(status));
}

utet_status rig_open(rig *r, size_t work, size_t budget)
{
    utet_status status;
    rig_start(r, work, GUARD_AFTER);
    DRIVE(status, utet_open(&r->file, &(utet_options){.budget = budget}));
    return status;
}

void rig_check(rig *r, const char *what)
{
    suite_check(r->port.violations == 0, "%s: port contract: %s", what, r->port.violation);
    if (r->work.priv_pages != NULL)
        suite_check(guard_intact(&r->work), "%s: written outside the workspace", what);
}

void rig_end(rig *r, const char *what)
{
    rig_check(r, what);
    guard_free(&r->work);
}
