/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The firmware of boards/sifive_e as a program of this computer. It reads the content of the flash, from 0x20100000 on,
 * from its standard input into memory at the same address. */
#define _GNU_SOURCE
#include "board.h"
#include "print.h"
#include "semihost.h"

#include <stdio.h>
#include <sys/mman.h>

#define FILES 0x20100000u
#define FILES_SIZE 0x300000u

int flash_main(void);

void semihost_write0(const char *text)
{
    fputs(text, stdout);
}

size_t board_flash_used(void)
{
    return 0;
}

size_t board_static_ram(void)
{
    return 0;
}

size_t board_stack_size(void)
{
    return 0;
}

size_t board_stack_peak(void)
{
    return 0;
}

int main(void)
{
    void *const flash = mmap((void *)(uintptr_t)FILES, FILES_SIZE, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    int code;

    if (flash != (void *)(uintptr_t)FILES || fread(flash, 1, FILES_SIZE, stdin) != FILES_SIZE)
        return 2;
    code = flash_main();
    print_flush();
    printf("exit %d\n", code);
    return 0;
}
