/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Sound on GPIO 2, by pulse-width modulation (PWM). The program fills buffers; the interrupt of the PWM empties them,
 * sample by sample, and plays silence while there is none. Relies on board.c, which has started the clocks. */
#ifndef SOUND_H
#define SOUND_H

#include <stddef.h>
#include <stdint.h>

/* A power of two. With 16 buffers, of 2 KB each, a card may pause 15 times as long as with two. */
#ifndef SOUND_BUFFERS
#define SOUND_BUFFERS 2u
#endif
enum { SOUND_SAMPLES = 1024, SOUND_CLOCK = 125000000 /* Hz */ };

extern volatile uint32_t sound_underruns; /* how often a sample was due, and all buffers were empty */

/* Prepares to play `rate` samples a second, from 8,000 to 48,000, and plays silence. Returns the clocks of a sample. */
uint32_t sound_init(uint32_t rate);

/* An empty buffer of SOUND_SAMPLES samples; null while all are full. */
int16_t *sound_empty(void);

/* Says that the buffer of sound_empty holds `count` samples, 1 to SOUND_SAMPLES. */
void sound_filled(size_t count);

/* Plays, and sleeps until the next sample is due. */
void sound_sleep(void);

/* Plays what is in the buffers, then silence. Returns in the silence. */
void sound_end(void);

#endif
