/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See fuzz.h. The workspace is kept from run to run, since mapping guard pages is slow. */
#include "fuzz.h"
#include "utet_tensogram.h"

#include <stdarg.h>

static guard work;

/* The harness reports a failed check here, without cmocka. */
void suite_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

static void prepare(rig *r, unsigned how, const uint8_t *bytes, size_t size)
{
    static const uint16_t units[] = {1, 1, 16, 512};
    static const size_t slices[] = {SLICE_ALL, 1, 100, SLICE_RANDOM};
    utet_status status;
    if (work.data == NULL)
        work = guard_new(FUZZ_WORK, 512, GUARD_AFTER);
    rig_make(r, bytes, size, (int)(how >> 6 & 1) % (int)rig_codecs());
    r->port.slice = slices[how & 3];
    r->port.blocks = how >> 2 & 1;
    r->port.io.unit = units[how >> 3 & 3];
    r->port.io.align = r->port.io.unit > 1 ? 8 : 1;
    if (how >> 5 & 1)
        faultport_map(&r->port);
    status = utet_init(&r->file, &r->port.io, work.data, work.size, r->codecs);
    FUZZ_CHECK(status == UTET_OK);
}

utet_status fuzz_open_within(rig *r, unsigned how, const uint8_t *bytes, size_t size, size_t budget)
{
    utet_status status;

    prepare(r, how, bytes, size);
    DRIVE(status, utet_open(&r->file, &(utet_options){.budget = budget}));
    return status;
}

void fuzz_open_messages(rig *r, unsigned how, const uint8_t *bytes, size_t size)
{
    prepare(r, how, bytes, size);
    FUZZ_CHECK(utet_messages_open(&r->file, &(utet_options){.budget = how & 8 ? 640 : 0}) == UTET_OK);
}

utet_status fuzz_open(rig *r, unsigned how, const uint8_t *bytes, size_t size)
{
    return fuzz_open_within(r, how, bytes, size, (size_t)-1);
}

void fuzz_end(rig *r)
{
    if (r->port.violations)
        fprintf(stderr, "port contract: %s\n", r->port.violation);
    FUZZ_CHECK(r->port.violations == 0);
    FUZZ_CHECK(guard_intact(&work));
}
