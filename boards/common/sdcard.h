/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SD card in SPI mode, read-only: SDSC (byte addressed) and SDHC/SDXC (block addressed), version 1 and 2 cards. Relies
 * on spi.h. Blocks; every wait is counted, so a card that is pulled out ends in an error, never in a loop. */
#ifndef SDCARD_H
#define SDCARD_H

#include <stdint.h>

#define SDCARD_SECTOR 512u

enum sdcard_status {
    SDCARD_OK = 0,
    SDCARD_E_ABSENT,  /* no card answers CMD0 */
    SDCARD_E_VOLTAGE, /* CMD8 returns a different pattern: not a card for 3.3 V */
    SDCARD_E_BUSY,    /* the card does not leave the idle state */
    SDCARD_E_REFUSED, /* a command was answered with error bits; sdcard_answer has them */
    SDCARD_E_TIMEOUT, /* no answer, or no data, in time */
    SDCARD_E_TOKEN,   /* an error token instead of data; sdcard_answer has it */
    SDCARD_E_CRC      /* CRC16 of the data differs, three times in a row */
};

struct sdcard {
    uint8_t ready;           /* sdcard_open succeeded and no time-out happened since */
    uint8_t block_addressed; /* SDHC and SDXC */
    uint8_t answer;          /* last R1 or error token */
    uint32_t sectors_read;
    uint32_t commands;
    uint32_t retries; /* reads repeated after a wrong CRC16 */
};

/* State and counters of the only card; read them freely. */
extern struct sdcard sdcard;

enum sdcard_status sdcard_open(void);

/* `count` ≥ 1 sectors from number `sector` on. More than one is a multiple-block read. After SDCARD_E_TIMEOUT the card
 * is not ready and must be opened again. */
enum sdcard_status sdcard_read(uint32_t sector, uint8_t *to, uint32_t count);

#endif
