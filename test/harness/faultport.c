/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * See faultport.h. Whatever a port is allowed to do with the part of the buffer that it does not report as filled, it
 * does here: that part is overwritten with noise, also when the answer is "not yet" (a DMA transfer is under way).
 */
#include "faultport.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fault_names[FAULT_KINDS] = {"none", "error", "short", "end", "not-yet", "not-yet-thrice"};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
violated(faultport *p, const char *format, ...)
{
    va_list args;
    if (p->violations++ == 0) {
        va_start(args, format);
        vsnprintf(p->violation, sizeof p->violation, format, args);
        va_end(args);
    }
}

/* ---- no call ends while its transfer is under way ---- */

static const void *waiting; /* the port that said "not yet" last; never dereferenced: it may no longer exist */
static int under_way;

static void no_transfer(const faultport *p)
{
    if (waiting == p)
        under_way = 0;
}

void faultport_misused(void)
{
    under_way = 0;
}

void faultport_returned(const char *call, int waits, int status)
{
    if (strcmp(call, "utet_init") == 0)
        under_way = 0; /* a new case begins */
    if (!under_way || !waits || status == UTET_WOULD_BLOCK || status == UTET_E_STATE || status == UTET_E_ARGUMENT)
        return;
    fprintf(stderr, "ERROR: %s returns %d while a transfer is under way\n", call, status);
    printf("ERROR: %s returns %d while a transfer is under way\n", call, status);
    abort();
}

static uint64_t next_random(faultport *p)
{
    p->random ^= p->random << 13;
    p->random ^= p->random >> 7;
    p->random ^= p->random << 17;
    return p->random;
}

/* The first and last bytes of what is not filled: all of it would make reading byte by byte quadratic. */
static void noise(faultport *p, uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i += i == 39 && size > 80 ? size - 79 : 1)
        at[i] = (uint8_t)(0x5Eu + i * 7u + p->reads);
}

static int in_zones(const faultport *p, const uint8_t *buf, size_t len)
{
    int any = 0;
    for (unsigned i = 0; i < FAULTPORT_ZONES; i++) {
        if (p->zones[i].at == NULL)
            continue;
        any = 1;
        if (buf >= p->zones[i].at && len <= p->zones[i].size &&
            (size_t)(buf - p->zones[i].at) <= p->zones[i].size - len)
            return 1;
    }
    return !any;
}

static void check_request(faultport *p, uint64_t offset, void *buf, size_t len, const size_t *got)
{
    uint64_t size = p->io.size;
    unsigned unit = p->io.unit;
    if (buf == NULL || got == NULL || len == 0)
        violated(p, "empty request: buf %p, got %p, len %zu", buf, (const void *)got, len);
    if (offset >= size || len > size - offset)
        violated(p, "outside the file: offset %llu, len %zu, size %llu", (unsigned long long)offset, len,
                 (unsigned long long)size);
    if (offset % unit != 0 || (len % unit != 0 && offset + len != size))
        violated(p, "unit %u: offset %llu, len %zu", unit, (unsigned long long)offset, len);
    if ((uintptr_t)buf % p->io.align != 0)
        violated(p, "align %u: buf %p", (unsigned)p->io.align, buf);
    if (!in_zones(p, buf, len))
        violated(p, "buf %p, len %zu outside the caller's memory", buf, len);
    if (p->pending && (offset != p->pending_offset || buf != p->pending_buf || len != p->pending_len))
        violated(p, "after \"not yet\": offset %llu len %zu buf %p became %llu %zu %p",
                 (unsigned long long)p->pending_offset, p->pending_len, p->pending_buf, (unsigned long long)offset, len,
                 buf);
}

/* How many of `len` bytes this call gives: at least one unit, whole units except up to the end of the file. */
static size_t portion(faultport *p, uint64_t offset, size_t len, fault_kind fault)
{
    size_t n = p->slice == SLICE_ALL ? len : p->slice == SLICE_RANDOM ? 1 + (size_t)(next_random(p) % 700) : p->slice;
    size_t unit = p->io.unit;
    if (fault == FAULT_SHORT)
        n = (n < len ? n : len) - 1;
    else
        n += unit - 1;
    n = n / unit * unit;
    if (n == 0)
        n = unit;
    if (n > len)
        n = len;
    (void)offset;
    return n;
}

static utet_status faultport_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    faultport *p = ctx;
    unsigned before = p->violations;
    check_request(p, offset, buf, len, got);
    if (p->violations != before)
        return FAULTPORT_ERROR - 1;
    fault_kind fault = FAULT_NONE;
    if (p->fault != FAULT_NONE && (p->reads == p->fault_at || (p->fault_forever && p->reads > p->fault_at)))
        fault = p->fault;

    if (!p->pending) {
        p->blocks_left = p->blocks;
        if (fault == FAULT_BLOCK_ONCE || fault == FAULT_BLOCK_THRICE) {
            p->blocks_left += fault == FAULT_BLOCK_ONCE ? 1 : 3;
            p->faults++;
        }
    }
    if (p->blocks_left > 0) {
        p->blocks_left--;
        p->blocked++;
        p->pending = 1;
        waiting = p;
        under_way = 1;
        p->pending_offset = offset;
        p->pending_buf = buf;
        p->pending_len = len;
        noise(p, buf, len);
        *got = 0xBADu;
        return UTET_WOULD_BLOCK;
    }
    p->pending = 0;
    no_transfer(p);
    p->reads++;
    if (fault == FAULT_ERROR) {
        p->faults++;
        noise(p, buf, len);
        *got = 0;
        return FAULTPORT_ERROR;
    }
    if (fault == FAULT_EOF) {
        p->faults++;
        noise(p, buf, len);
        *got = 0;
        return UTET_OK;
    }
    if (fault == FAULT_SHORT)
        p->faults++;
    size_t n = portion(p, offset, len, fault);
    if (p->bytes != NULL)
        memcpy(buf, p->bytes + offset, n);
    else
        p->fetch(p->medium, offset, buf, n);
    noise(p, (uint8_t *)buf + n, len - n);
    p->bytes_read += n;
    p->sectors += (offset + n + 511) / 512 - offset / 512;
    *got = n;
    return UTET_OK;
}

static void faultport_cancel(void *ctx)
{
    faultport *p = ctx;
    p->cancels++;
    p->pending = 0;
    no_transfer(p);
    p->blocks_left = 0;
}

void faultport_init(faultport *p, const void *bytes, uint64_t size)
{
    no_transfer(p);
    memset(p, 0, sizeof *p);
    p->bytes = bytes;
    p->random = 88172645463325252u;
    p->io.ctx = p;
    p->io.read = faultport_read;
    p->io.cancel = faultport_cancel;
    p->io.size = size;
    p->io.unit = 1;
    p->io.align = 1;
}

void faultport_zone(faultport *p, unsigned slot, const void *at, size_t size)
{
    p->zones[slot].at = at;
    p->zones[slot].size = size;
}

void faultport_rewind(faultport *p)
{
    no_transfer(p);
    p->reads = p->blocked = p->cancels = p->bytes_read = p->sectors = p->faults = 0;
    p->violations = 0;
    p->violation[0] = 0;
    p->pending = 0;
    p->blocks_left = 0;
    p->random = 88172645463325252u;
}

void faultport_map(faultport *p)
{
    p->io.map = p->bytes;
    p->io.read = NULL;
    p->io.cancel = NULL;
}
