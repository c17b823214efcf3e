/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The SPI mode of the SD Physical Layer specification: commands with CRC7, R1/R3/R7 answers, data blocks with CRC16.
 * Relies on spi.h. Between commands the card is not selected; a display on the same bus then gets 0xFF. */
#include "sdcard.h"

#include "spi.h"

enum {
    CMD0 = 0,
    CMD8 = 8,
    CMD12 = 12,
    CMD16 = 16,
    CMD17 = 17,
    CMD18 = 18,
    CMD55 = 55,
    CMD58 = 58,
    CMD59 = 59,
    ACMD41 = 41
};

#define R1_IDLE 0x01u
#define R1_ILLEGAL 0x04u
#define R1_NONE 0xFFu
#define TOKEN_DATA 0xFEu
#define OCR_CCS 0x40u /* bit of the first byte: card capacity status */
#define ARG_HCS 0x40000000u
#define ARG_VOLTAGE 0x1AAu /* 2.7 to 3.6 V, and a pattern to be echoed */

/* How often a byte is polled before giving up. The specification allows 8 bytes for an answer, 100 ms for data (75,000
 * bytes at 6 MHz) and a second for the start. */
#define ANSWER_POLLS 16u
#define DATA_POLLS 80000u
#define START_TRIES 2000u
#define READ_TRIES 3u

struct sdcard sdcard;

static uint8_t crc7(const uint8_t *bytes, size_t len)
{
    uint32_t crc = 0; /* the upper seven of eight bits hold it */
    for (size_t i = 0; i < len; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = (crc << 1 ^ (crc & 0x80u ? 0x09u << 1 : 0u)) & 0xFFu;
    }
    return (uint8_t)crc;
}

/* CCITT, x^16 + x^12 + x^5 + 1, one byte at a time, without a table. */
static uint16_t crc16(const uint8_t *bytes, size_t len)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < len; i++) {
        crc = (crc >> 8 | crc << 8) & 0xFFFFu;
        crc ^= bytes[i];
        crc ^= (crc & 0xFFu) >> 4;
        crc ^= crc << 12;
        crc ^= (crc & 0xFFu) << 5;
        crc &= 0xFFFFu;
    }
    return (uint16_t)crc;
}

static void release(void)
{
    (void)spi_swap(0xFF); /* the card releases its line only after another eight clocks */
    spi_release_card();
}

/* Sends a command and waits for its R1; the card stays selected. */
static uint8_t command(uint8_t number, uint32_t argument)
{
    uint8_t frame[6] = {(uint8_t)(0x40u | number), (uint8_t)(argument >> 24), (uint8_t)(argument >> 16),
                        (uint8_t)(argument >> 8),  (uint8_t)argument,         0};
    frame[5] = crc7(frame, 5) | 1u;
    sdcard.commands++;
    spi_send(frame, sizeof frame);
    if (number == CMD12)
        (void)spi_swap(0xFF); /* a stuff byte precedes the answer */
    for (unsigned i = 0; i < ANSWER_POLLS; i++) {
        sdcard.answer = spi_swap(0xFF);
        if (!(sdcard.answer & 0x80u))
            return sdcard.answer;
    }
    return R1_NONE;
}

/* A command of its own: select, send, take `len` more bytes of answer, release. */
static uint8_t exchange(uint8_t number, uint32_t argument, uint8_t *rest, size_t len)
{
    spi_select_card();
    (void)spi_swap(0xFF);
    const uint8_t answer = command(number, argument);
    spi_receive(rest, len);
    release();
    return answer;
}

/* The answer to a warm reset shows the state before it: ask until the card is idle. */
static enum sdcard_status reset(void)
{
    uint8_t answer = R1_NONE;
    for (unsigned i = 0; i < START_TRIES && answer != R1_IDLE; i++)
        answer = exchange(CMD0, 0, NULL, 0);
    return answer == R1_IDLE ? SDCARD_OK : SDCARD_E_ABSENT;
}

/* Version 2 cards echo the argument of CMD8; version 1 cards do not know it, and have byte addresses. */
static enum sdcard_status ask_version(uint32_t *capacity)
{
    uint8_t echo[4] = {0, 0, 0, 0};
    const uint8_t answer = exchange(CMD8, ARG_VOLTAGE, echo, sizeof echo);
    *capacity = 0;
    if (answer == R1_NONE)
        return SDCARD_E_TIMEOUT;
    if (answer & R1_ILLEGAL)
        return SDCARD_OK;
    if ((echo[2] & 0x0Fu) != (ARG_VOLTAGE >> 8) || echo[3] != (ARG_VOLTAGE & 0xFFu))
        return SDCARD_E_VOLTAGE;
    *capacity = ARG_HCS;
    return SDCARD_OK;
}

static enum sdcard_status wake(uint32_t capacity)
{
    for (unsigned i = 0; i < START_TRIES; i++) {
        if (exchange(CMD55, 0, NULL, 0) > R1_IDLE)
            return SDCARD_E_REFUSED;
        const uint8_t answer = exchange(ACMD41, capacity, NULL, 0);
        if (answer == 0)
            return SDCARD_OK;
        if (answer != R1_IDLE)
            return SDCARD_E_REFUSED;
    }
    return SDCARD_E_BUSY;
}

static enum sdcard_status ask_addressing(uint32_t capacity)
{
    uint8_t ocr[4] = {0, 0, 0, 0};
    sdcard.block_addressed = 0;
    /* The idle bit may still be set in this answer. */
    if (capacity && exchange(CMD58, 0, ocr, sizeof ocr) > R1_IDLE)
        return SDCARD_E_REFUSED;
    sdcard.block_addressed = (ocr[0] & OCR_CCS) != 0;
    if (!sdcard.block_addressed && exchange(CMD16, SDCARD_SECTOR, NULL, 0) != 0)
        return SDCARD_E_REFUSED;
    return SDCARD_OK;
}

enum sdcard_status sdcard_open(void)
{
    uint32_t capacity = 0;
    enum sdcard_status status;

    sdcard.ready = 0;
    spi_init();
    for (unsigned i = 0; i < 10; i++) /* at least 74 clocks, not selected */
        (void)spi_swap(0xFF);
    status = reset();
    if (status == SDCARD_OK)
        status = ask_version(&capacity);
    if (status == SDCARD_OK)
        status = wake(capacity);
    if (status == SDCARD_OK)
        status = ask_addressing(capacity);
    if (status != SDCARD_OK)
        return status;
    /* Asks the card to check the host's CRC7 as well; a card that cannot do so reports it, which has no effect. */
    (void)exchange(CMD59, 1, NULL, 0);
    spi_fast();
    sdcard.ready = 1;
    return SDCARD_OK;
}

/* One block after the token, and its CRC16. */
static enum sdcard_status receive_block(uint8_t *to)
{
    uint8_t crc[2];
    uint8_t token = 0xFF;
    for (unsigned i = 0; i < DATA_POLLS && token == 0xFF; i++)
        token = spi_swap(0xFF);
    if (token == 0xFF)
        return SDCARD_E_TIMEOUT;
    if (token != TOKEN_DATA) {
        sdcard.answer = token;
        return SDCARD_E_TOKEN;
    }
    spi_receive(to, SDCARD_SECTOR);
    spi_receive(crc, sizeof crc);
    if (crc16(to, SDCARD_SECTOR) != (crc[0] << 8 | crc[1]))
        return SDCARD_E_CRC;
    sdcard.sectors_read++;
    return SDCARD_OK;
}

/* Ends a multiple-block read: CMD12 straight after the last CRC, then wait while the card holds its line low. */
static enum sdcard_status stop(void)
{
    if (command(CMD12, 0) == R1_NONE)
        return SDCARD_E_TIMEOUT;
    for (unsigned i = 0; i < DATA_POLLS; i++)
        if (spi_swap(0xFF) == 0xFF)
            return SDCARD_OK;
    return SDCARD_E_TIMEOUT;
}

static enum sdcard_status read_once(uint32_t sector, uint8_t *to, uint32_t count)
{
    const uint32_t address = sdcard.block_addressed ? sector : sector * SDCARD_SECTOR;
    enum sdcard_status status = SDCARD_OK;

    spi_select_card();
    (void)spi_swap(0xFF);
    const uint8_t answer = command(count > 1 ? CMD18 : CMD17, address);
    if (answer != 0) {
        status = answer == R1_NONE ? SDCARD_E_TIMEOUT : SDCARD_E_REFUSED;
    } else {
        for (uint32_t i = 0; i < count && status == SDCARD_OK; i++)
            status = receive_block(to + i * SDCARD_SECTOR);
        if (count > 1) {
            const enum sdcard_status stopped = stop();
            status = status == SDCARD_OK ? stopped : status;
        }
    }
    release();
    return status;
}

enum sdcard_status sdcard_read(uint32_t sector, uint8_t *to, uint32_t count)
{
    enum sdcard_status status = SDCARD_E_TIMEOUT;

    if (!sdcard.ready)
        return status;
    for (unsigned i = 0; i < READ_TRIES; i++) {
        status = read_once(sector, to, count);
        if (status != SDCARD_E_CRC)
            break;
        sdcard.retries++;
    }
    if (status == SDCARD_E_TIMEOUT)
        sdcard.ready = 0;
    return status;
}
