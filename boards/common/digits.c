/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads digits by a network whose weights, 24 KB, stay in digits.tet: once with 255 values (8 bits),
 * once with 15 (4 bits). digits.h says where the file is.
 *
 * Prints for each picture, separated by tabs: bits of the weights, number, the digit that people read, the one that the
 * network reads, its ten sums. Then come the mean time of a picture, the memory, and a verdict in words. After an error
 * no digit follows. */
#include "digits.h"

#include "network.h"
#include "print.h"
#include "report.h"

#ifndef DIGITS_PICTURES
#define DIGITS_PICTURES NETWORK_PICTURES
#endif

static utet_file file;
static network net;

/* SysTick counts the core's cycles down, in 24 bits: 0.13 s at 125 MHz. */
static volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010u; /* control, reload, value */
enum { SYSTICK_MOST = 0xFFFFFF, SYSTICK_ON = 5 };
static uint32_t seen;   /* the value at the last look */
static uint64_t cycles; /* sum over the pictures of a set */

static void start_clock(void)
{
    systick[1] = SYSTICK_MOST;
    systick[2] = 0;
    systick[0] = SYSTICK_ON; /* on, clocked by the core */
}

void digits_tick(void)
{
    const uint32_t now = systick[2];

    cycles += (seen - now) & SYSTICK_MOST;
    seen = now;
}

static void print_picture(unsigned number, unsigned label, unsigned digit)
{
    print_char(net.bits);
    print_field(number);
    print_field(label);
    print_field(digit);
    for (unsigned i = 0; i < NETWORK_DIGITS; i++) {
        print_char('\t');
        print_i64(net.sums[i]);
    }
    print_char('\n');
}

static utet_status read_all(char bits)
{
    unsigned digit, right = 0;
    uint8_t label;

    cycles = 0;
    net.bits = bits;
    for (unsigned number = 0; number < DIGITS_PICTURES; number++) {
        utet_status status = network_label(&net, number, &label);
        seen = systick[2];
        if (status == UTET_OK)
            status = network_run(&net, number, &digit);
        digits_tick();
        if (status != UTET_OK)
            return status;
        print_picture(number, label, digit);
        right += digit == label;
    }
    print_char(bits);
    print_text(" bits: ");
    print_u64(right);
    print_text(" right, cycles ");
    print_u64(cycles / DIGITS_PICTURES);
    print_char('\n');
    return UTET_OK;
}

int main(void)
{
    size_t work;

    print_text(utet_build_info());
    print_char('\n');
    net.file = &file;
    start_clock();
    utet_status status = digits_open(&file, &work);
    if (status == UTET_OK)
        status = read_all('8');
    if (status == UTET_OK)
        status = read_all('4');
    report_memory(work);
    return report_end("digits", status, digits_words(status), file.error_offset);
}
