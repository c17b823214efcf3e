/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "sound.h"

#include "memory.h"
#include "registers.h"

/* Slice 1 of the PWM: counts to TOP, and pin A is high while the count is below COMPARE. */
#define PWM 0x40050000u
#define PWM_CONTROL REGISTER(PWM + 0x14u)
#define PWM_DIVIDER REGISTER(PWM + 0x18u)
#define PWM_COUNT REGISTER(PWM + 0x1Cu)
#define PWM_COMPARE REGISTER(PWM + 0x20u)
#define PWM_TOP REGISTER(PWM + 0x24u)
#define PWM_INTERRUPT REGISTER(PWM + 0xA4u)
#define PWM_INTERRUPT_ENABLE REGISTER(PWM + 0xA8u)
#define SLICE (1u << 1)
#define RESET_PWM (1u << 14)
enum { PIN_SOUND = 2, PIN_PWM = 4, PWM_IRQ = 4 };

#define NVIC_ENABLE REGISTER(0xE000E100u)
#define NVIC_DISABLE REGISTER(0xE000E180u)
#define VTOR REGISTER(0xE000ED08u)

#define LOWEST_CARRIER 40000u /* Hz: nobody hears it */

#if SOUND_BUFFERS & (SOUND_BUFFERS - 1)
#error SOUND_BUFFERS is no power of two: the handler would divide, by a function in the flash
#endif

void start_reset(void);
void start_fault(void);

volatile uint32_t sound_underruns;

static int16_t samples[SOUND_BUFFERS][SOUND_SAMPLES];
static size_t counts[SOUND_BUFFERS];
static volatile uint32_t filled, played; /* buffers since sound_init */
static volatile uint8_t ended, silent;
static uint32_t clocks;            /* a period of the PWM, in clocks */
static uint32_t repeats, repeated; /* periods of a sample, and those that the present one has had */
static size_t at;

/* Runs at the end of each period; the level that it writes counts in the next one. In RAM, with its vector: the cache
 * in front of the flash does not delay it. */
__attribute__((section(".ramcode"), noinline)) static void next_sample(void)
{
    PWM_INTERRUPT = SLICE;
    if (++repeated < repeats)
        return;
    repeated = 0;
    if (played == filled) {
        PWM_COMPARE = clocks / 2;
        silent = ended;
        sound_underruns += !ended;
        return;
    }
    const uint32_t buffer = played % SOUND_BUFFERS;
    PWM_COMPARE = (uint32_t)(samples[buffer][at] + 32768) * clocks >> 16;
    if (++at == counts[buffer]) {
        at = 0;
        played++;
    }
}

static struct {
    uint32_t *stack;
    void (*entry[15 + PWM_IRQ + 1])(void);
} vectors
    __attribute__((aligned(256))) = {link_stack_end,
                                     {start_reset, start_fault, start_fault, start_fault, start_fault, start_fault,
                                      start_fault, start_fault, start_fault, start_fault, start_fault, start_fault,
                                      start_fault, start_fault, start_fault, [15 + PWM_IRQ] = next_sample}};

uint32_t sound_init(uint32_t rate)
{
    repeats = (LOWEST_CARRIER + rate - 1) / rate;
    clocks = (SOUND_CLOCK + rate * repeats / 2) / (rate * repeats);
    filled = played = sound_underruns = 0;
    ended = silent = 0;
    repeated = 0;
    at = 0;
    wake_blocks(RESET_PWM);
    PWM_CONTROL = 0;
    PWM_DIVIDER = 1u << 4; /* 125 MHz */
    PWM_COUNT = 0;
    PWM_TOP = clocks - 1;
    PWM_COMPARE = clocks / 2;
    PWM_CONTROL = 1;
    PIN_FUNCTION(PIN_SOUND) = PIN_PWM;
    return clocks * repeats;
}

int16_t *sound_empty(void)
{
    return filled - played < SOUND_BUFFERS ? samples[filled % SOUND_BUFFERS] : NULL;
}

void sound_filled(size_t count)
{
    counts[filled % SOUND_BUFFERS] = count;
    __asm volatile("dmb" ::: "memory"); /* the handler sees the samples, then that they are there */
    filled++;
}

void sound_sleep(void)
{
    if (!(NVIC_ENABLE & 1u << PWM_IRQ)) {
        VTOR = (uint32_t)(uintptr_t)&vectors;
        PWM_INTERRUPT = SLICE;
        PWM_INTERRUPT_ENABLE = SLICE;
        NVIC_ENABLE = 1u << PWM_IRQ;
    }
    __asm volatile("wfi" ::: "memory"); /* an interrupt that came just before: then until the next one */
}

void sound_end(void)
{
    ended = 1;
    while (!silent)
        sound_sleep();
    NVIC_DISABLE = 1u << PWM_IRQ;
    PWM_INTERRUPT_ENABLE = 0;
}
