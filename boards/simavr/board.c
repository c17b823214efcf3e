/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* An ATmega1284P (8-bit core, 16-bit int, 128 KB of flash, 16 KB of RAM) under simavr, as far as boards/common/digest.c
 * needs one: the files are in flash (files.S), text leaves through the serial port, sleeping with interrupts off ends
 * the run. Implements board.h and semihost.h. The stack grows down from the end of RAM; below its STACK bytes is the
 * memory that board_spare returns. */
#include "board.h"
#include "print.h"
#include "semihost.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <string.h>

#undef main /* the command line renames digest.c's */

#define STACK 2048u
#define PAINT 0xC5u

extern uint8_t __heap_start[]; /* end of .bss, from avr-libc's linker script */
extern const uint8_t simavr_files[];

/* Open files: the list of names, and the one that is read. */
static struct open_file {
    uint_farptr_t at; /* in flash; 0 = this handle is free */
    uint32_t length, place;
} open_files[2];

/* ---- board.h ---- */

static uint8_t *stack_limit(void)
{
    return (uint8_t *)(RAMEND + 1u - STACK);
}

void *board_spare(size_t *bytes)
{
    uint8_t *start = (uint8_t *)(((uintptr_t)__heap_start + 7u) & ~(uintptr_t)7u);

    *bytes = (size_t)(stack_limit() - start);
    return start;
}

void board_stack_paint(void)
{
    volatile uint8_t *byte = stack_limit();

    while ((uintptr_t)byte < SP - 16u)
        *byte++ = PAINT;
}

size_t board_stack_peak(void)
{
    const uint8_t *byte = stack_limit();

    if (*byte != PAINT) {
        print_text("fault: stack overrun\n");
        board_exit(70);
    }
    while (*byte == PAINT)
        byte++;
    return RAMEND + 1u - (uintptr_t)byte;
}

size_t board_stack_now(void)
{
    return RAMEND - SP;
}

void board_exit(int code)
{
    print_text("exit\t");
    print_i64(code);
    print_text("\n");
    print_flush();
    while (!(UCSR0A & (1 << TXC0)))
        ;
    cli();
    for (;;)
        sleep_mode();
}

int main(void);

int main(void)
{
    UCSR0B = 1 << TXEN0;
    board_exit(digest_main());
}

/* ---- semihost.h ---- */

void semihost_write0(const char *text)
{
    while (*text) {
        while (!(UCSR0A & (1 << UDRE0)))
            ;
        UCSR0A |= 1 << TXC0; /* cleared by writing it */
        UDR0 = (uint8_t)*text++;
    }
}

/* Returns the first byte of the entry at `at`; *same: nonzero if its name is `name`. */
static uint_farptr_t compare_name(uint_farptr_t at, const char *name, int *same)
{
    char c;

    *same = 1;
    do {
        c = (char)pgm_read_byte_far(at++);
        if (*same && c != *name++)
            *same = 0;
    } while (c != 0);
    return at;
}

/* simavr_files: for each file its length (4 bytes, little-endian), its name up to a zero, its bytes; a length of
 * 0xFFFFFFFF ends them. */
int32_t semihost_open(const char *name, enum semihost_mode mode)
{
    uint_farptr_t at = pgm_get_far_address(simavr_files);
    const int handle = open_files[0].at != 0;
    uint32_t length;
    int same;

    if (open_files[handle].at != 0 || mode != SEMIHOST_READ)
        return -1;
    while ((length = pgm_read_dword_far(at)) != 0xFFFFFFFFu) {
        at = compare_name(at + 4, name, &same);
        if (same) {
            open_files[handle].at = at;
            open_files[handle].length = length;
            open_files[handle].place = 0;
            return handle;
        }
        at += length;
    }
    return -1;
}

int32_t semihost_close(int32_t handle)
{
    open_files[handle].at = 0;
    return 0;
}

int32_t semihost_seek(int32_t handle, uint32_t offset)
{
    open_files[handle].place = offset;
    return 0;
}

size_t semihost_read(int32_t handle, void *buf, size_t len)
{
    struct open_file *file = &open_files[handle];
    const uint32_t left = file->length - file->place;
    uint8_t *to = buf;

    if (len > left)
        len = (size_t)left;
    for (size_t i = 0; i < len; i++)
        to[i] = pgm_read_byte_far(file->at + file->place++);
    return len;
}

int32_t semihost_flen(int32_t handle)
{
    return (int32_t)open_files[handle].length;
}

/* digest.c is to read all of them; their names, one a line, are a file too. */
int semihost_command_line(char *buf, size_t len)
{
    static const char line[] = "fw codec=small @list";

    if (len < sizeof line)
        return -1;
    memcpy(buf, line, sizeof line);
    return 0;
}
