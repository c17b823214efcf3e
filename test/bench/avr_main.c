/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Cycles of the zstd decoder on an ATmega1284P under simavr: frames of boards/simavr's flash are copied to RAM and
 * decoded to RAM. A line for each: name, decoded bytes, cycles. Relies on boards/simavr/board.c. */
#include "print.h"
#include "semihost.h"
#include "utet_zstd.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

int main(void);

static uint8_t frame[3328], decoded[4096], work[UTET_ZSTD_WORK_PACKED];
static volatile uint32_t overflows; /* of timer 1, which counts cycles */

ISR(TIMER1_OVF_vect)
{
    overflows++;
}

/* Copies the file's first bytes, at most len, to `to`. Returns how many. */
static size_t load(const char *name, uint8_t *to, size_t len)
{
    const int32_t file = semihost_open(name, SEMIHOST_READ);
    const size_t got = file >= 0 ? semihost_read(file, to, len) : 0;

    if (file >= 0)
        (void)semihost_close(file);
    return got;
}

static uint32_t decode(const utet_zstd_job *job, utet_status *status)
{
    utet_zstd *z;

    overflows = 0;
    TCNT1 = 0;
    *status = utet_zstd_init(&z, job, work, sizeof work);
    if (*status == UTET_OK)
        *status = utet_zstd_decode(z);
    return overflows << 16 | TCNT1;
}

/* NAME.zst and NAME.raw, its `size` bytes. Returns 0 if the decoded bytes are these. */
static int run(const char *name, const char *compressed, const char *raw, uint32_t size)
{
    static uint8_t part[64];
    utet_io io = {0};
    utet_zstd_job job = {0};
    utet_status status;
    uint32_t cycles, at;
    int32_t file;
    int wrong;

    io.map = frame;
    io.size = load(compressed, frame, sizeof frame);
    job.io = &io;
    job.length = io.size;
    job.size = size;
    job.dst = decoded;
    memset(decoded, 0, sizeof decoded);
    cycles = decode(&job, &status);
    file = semihost_open(raw, SEMIHOST_READ);
    wrong = status != UTET_OK || file < 0 || semihost_flen(file) != (int32_t)size;
    for (at = 0; !wrong && at < size; at += sizeof part)
        wrong = semihost_read(file, part, sizeof part) != sizeof part || memcmp(part, decoded + at, sizeof part) != 0;
    if (file >= 0)
        (void)semihost_close(file);
    print_text(name);
    print_field(size);
    print_field(cycles);
    print_text(wrong ? "\twrong\n" : "\tright\n");
    return wrong;
}

int main(void)
{
    int wrong;

    TCCR1A = 0;
    TCCR1B = 1;
    TIMSK1 = 1;
    sei();
    wrong = run("image", "image.zst", "image.raw", 1024);
    wrong |= run("field", "field.zst", "field.raw", 4096);
    wrong |= run("text", "text.zst", "text.raw", 4096);
    return wrong;
}
