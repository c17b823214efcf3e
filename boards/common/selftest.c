/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that tests the start-up of a board: initialised memory, numbers, stack figures, the command line, and (with
 * the words "fault" or "overrun") how errors end. Uses only common/. */
#include "board.h"
#include "print.h"
#include "semihost.h"

static volatile uint32_t initialised = 0x600DF00Du;
static volatile uint32_t zeroed[5];

static unsigned overrun(unsigned depth);

/* Through a pointer, because the compiler refuses an endless recursion that it can see. */
static unsigned (*volatile again)(unsigned) = overrun;

static unsigned overrun(unsigned depth)
{
    volatile unsigned here[16];
    for (unsigned i = 0; i < 16; i++)
        here[i] = depth;
    return here[3] + again(depth + 1) + here[5];
}

static int same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static const char *last_word(const char *line)
{
    const char *word = line;
    for (; *line; line++)
        if (*line == ' ')
            word = line + 1;
    return word;
}

#if defined(__ARM_FP)
/* One division in the floating point unit: faults if the start-up did not enable it. */
static uint32_t floating(void)
{
    volatile float seven = 7.0f, two = 2.0f;
    return (uint32_t)(seven / two * 100.0f);
}
#else
static uint32_t floating(void)
{
    return 350;
}
#endif

int main(void)
{
    char line[64];
    size_t spare;
    const uintptr_t at = (uintptr_t)board_spare(&spare);

    int good = initialised == 0x600DF00Du && floating() == 350;
    for (unsigned i = 0; i < 5; i++)
        good = good && zeroed[i] == 0;

    print_text("u64 ");
    print_u64(UINT64_MAX);
    print_text(" i64 ");
    print_i64(INT64_MIN);
    print_text(" hex ");
    print_hex(0x0123456789ABCDEFu, 16);
    print_text("\nname ");
    print_name("a\\\n", 3);
    print_text("\nflash ");
    print_u64(board_flash_used());
    print_text(", static RAM ");
    print_u64(board_static_ram());
    print_text(", stack ");
    print_u64(board_stack_size());
    print_text(", used ");
    print_u64(board_stack_peak());
    print_text(", spare ");
    print_u64(spare);
    print_text(" at 0x");
    print_hex(at, 8);
    print_char('\n');

    if (semihost_command_line(line, sizeof line) == 0) {
        const char *word = last_word(line);
        if (same(word, "fault"))
            __builtin_trap();
        if (same(word, "overrun"))
            (void)overrun(1);
    }
    print_text(good ? "selftest: good\n" : "selftest: BAD\n");
    return good ? 0 : 1;
}
