/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Semihosting calls: operation and parameter block in two registers, then an instruction that the debugger knows.
 * Cortex-M: r0, r1, BKPT 0xAB. 32-bit RISC-V: a0, a1, EBREAK between two shifts that do nothing. Relies on nothing. */
#include "semihost.h"

enum {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITE0 = 0x04,
    SYS_WRITE = 0x05,
    SYS_READ = 0x06,
    SYS_SEEK = 0x0A,
    SYS_FLEN = 0x0C,
    SYS_CLOCK = 0x10,
    SYS_GET_CMDLINE = 0x15,
    SYS_EXIT_EXTENDED = 0x20
};

#define ADP_STOPPED_APPLICATION_EXIT 0x20026u

#if defined(__riscv)
/* The three instructions must be uncompressed and on one page: a function aligned to 16 is. */
__attribute__((aligned(16), noinline)) static int32_t call(uint32_t operation, const void *block)
{
    register uint32_t a0 __asm("a0") = operation;
    register const void *a1 __asm("a1") = block;
    __asm volatile(".option push\n\t.option norvc\n\t"
                   "slli x0, x0, 0x1f\n\tebreak\n\tsrai x0, x0, 7\n\t"
                   ".option pop"
                   : "+r"(a0)
                   : "r"(a1)
                   : "memory");
    return (int32_t)a0;
}
#else
static int32_t call(uint32_t operation, const void *block)
{
    register uint32_t r0 __asm("r0") = operation;
    register const void *r1 __asm("r1") = block;
    __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return (int32_t)r0;
}
#endif

static uint32_t address(const void *p)
{
    return (uint32_t)(uintptr_t)p;
}

static uint32_t text_length(const char *text)
{
    uint32_t n = 0;
    while (text[n])
        n++;
    return n;
}

void semihost_write0(const char *text)
{
    (void)call(SYS_WRITE0, text);
}

int32_t semihost_open(const char *name, enum semihost_mode mode)
{
    const uint32_t block[3] = {address(name), (uint32_t)mode, text_length(name)};
    return call(SYS_OPEN, block);
}

int32_t semihost_close(int32_t handle)
{
    const uint32_t block[1] = {(uint32_t)handle};
    return call(SYS_CLOSE, block);
}

int32_t semihost_seek(int32_t handle, uint32_t offset)
{
    const uint32_t block[2] = {(uint32_t)handle, offset};
    return call(SYS_SEEK, block);
}

/* The result of read and write is the number of bytes that were NOT moved. */
size_t semihost_read(int32_t handle, void *buf, size_t len)
{
    const uint32_t block[3] = {(uint32_t)handle, address(buf), (uint32_t)len};
    const uint32_t left = (uint32_t)call(SYS_READ, block);
    return left > len ? 0 : len - left;
}

size_t semihost_write(int32_t handle, const void *buf, size_t len)
{
    const uint32_t block[3] = {(uint32_t)handle, address(buf), (uint32_t)len};
    const uint32_t left = (uint32_t)call(SYS_WRITE, block);
    return left > len ? 0 : len - left;
}

int32_t semihost_flen(int32_t handle)
{
    const uint32_t block[1] = {(uint32_t)handle};
    return call(SYS_FLEN, block);
}

int semihost_command_line(char *buf, size_t len)
{
    uint32_t block[2] = {address(buf), (uint32_t)len};
    return call(SYS_GET_CMDLINE, block) == 0 ? 0 : -1;
}

uint32_t semihost_clock(void)
{
    return (uint32_t)call(SYS_CLOCK, NULL);
}

void semihost_exit(uint32_t code)
{
    const uint32_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, code};
    for (;;)
        (void)call(SYS_EXIT_EXTENDED, block);
}
