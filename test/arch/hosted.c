/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Replaces a board, so that the firmware boards/common/digest.c runs as an ordinary program of any architecture that
 * has a C library: semihost.h on stdio, board.h's memory from an array. digest.c is compiled with main renamed
 * digest_main. */
#include "board.h"
#include "print.h"
#include "semihost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef main /* the command line renames digest.c's */

static char **words; /* of the command line */
static FILE *handles[4];

void *board_spare(size_t *bytes)
{
    static uint64_t spare[1 << 19]; /* 4 MB, as much as mps2-an500 has */

    *bytes = sizeof spare;
    return spare;
}

/* The stack is the operating system's. */
void board_stack_paint(void)
{
}

size_t board_stack_peak(void)
{
    return 0;
}

size_t board_stack_now(void)
{
    return 0;
}

void semihost_write0(const char *text)
{
    fputs(text, stdout);
}

int32_t semihost_open(const char *name, enum semihost_mode mode)
{
    int32_t handle = 0;

    while (handle < 4 && handles[handle] != NULL)
        handle++;
    if (handle == 4 || mode != SEMIHOST_READ)
        return -1;
    handles[handle] = fopen(name, "rb");
    return handles[handle] != NULL ? handle : -1;
}

int32_t semihost_close(int32_t handle)
{
    int result = fclose(handles[handle]);

    handles[handle] = NULL;
    return result == 0 ? 0 : -1;
}

int32_t semihost_seek(int32_t handle, uint32_t offset)
{
    return fseek(handles[handle], (long)offset, SEEK_SET) == 0 ? 0 : -1;
}

size_t semihost_read(int32_t handle, void *buf, size_t len)
{
    return fread(buf, 1, len, handles[handle]);
}

int32_t semihost_flen(int32_t handle)
{
    long length = fseek(handles[handle], 0, SEEK_END) == 0 ? ftell(handles[handle]) : -1;

    return fseek(handles[handle], 0, SEEK_SET) == 0 ? (int32_t)length : -1;
}

int semihost_command_line(char *buf, size_t len)
{
    size_t used = 0;
    char **word;

    for (word = words; *word != NULL; word++) {
        int n = snprintf(buf + used, len - used, "%s ", *word);

        if (n < 0 || (size_t)n >= len - used)
            return -1;
        used += (size_t)n;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int code;

    (void)argc;
    words = argv;
    code = digest_main();
    print_flush();
    return code;
}
