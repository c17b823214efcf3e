/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads digits on a part with 8 KB of RAM, by a network whose weights take three times as much. They are
 * in digits.tet, which the firmware has in its flash: once with 255 values (8 bits), once with 15 (4 bits).
 *
 * Prints for each picture, separated by tabs: bits of the weights, number, the digit that people read, the one that the
 * network reads, its ten sums. Then come the mean time of a picture, the memory, and a verdict in words. After an error
 * no digit follows. */
#include "board.h"
#include "flash_file.h"
#include "network.h"
#include "print.h"
#include "report.h"

#define WORK 4704u /* what `utet fit` says of the file: the largest number of its column "in slices" */

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static uint64_t work[WORK / 8];
static utet_io io;
static utet_file file;
static network net;

/* SysTick counts the core's cycles down, in 24 bits: 0.7 s at 24 MHz. */
static volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010u; /* control, reload, value */

static void start_clock(void)
{
    systick[1] = 0xFFFFFFu;
    systick[2] = 0;
    systick[0] = 5; /* on, with the clock of the core */
}

static utet_status open_file(void)
{
    io.map = flash_file;
    io.size = (uint64_t)(flash_file_end - flash_file);
    io.unit = 1;
    io.align = 1;
    const utet_status status = utet_init(&file, &io, work, sizeof work, codecs);
    return status == UTET_OK ? utet_open(&file, NULL) : status;
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
    uint64_t cycles = 0;
    unsigned digit, right = 0;
    uint8_t label;

    net.bits = bits;
    for (unsigned number = 0; number < NETWORK_PICTURES; number++) {
        utet_status status = network_label(&net, number, &label);
        const uint32_t begin = systick[2];
        if (status == UTET_OK)
            status = network_run(&net, number, &digit);
        cycles += (begin - systick[2]) & 0xFFFFFFu;
        if (status != UTET_OK)
            return status;
        print_picture(number, label, digit);
        right += digit == label;
    }
    print_char(bits);
    print_text(" bits: ");
    print_u64(right);
    print_text(" right, cycles ");
    print_u64(cycles / NETWORK_PICTURES);
    print_char('\n');
    return UTET_OK;
}

int main(void)
{
    net.file = &file;
    start_clock();
    utet_status status = open_file();
    if (status == UTET_OK)
        status = read_all('8');
    if (status == UTET_OK)
        status = read_all('4');
    report_memory(WORK);
    return report_end("digits", status, utet_strerror(status), file.error_offset);
}
