/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The card driver of boards/common against a simulated card that misbehaves on demand, as no emulator does. Promises
 * checked: addressing and CRC7 of every command, CRC16 of the data with repetition, and an error code instead of an
 * endless loop for every way in which a card may stop answering. The constants 0x95, 0x87 and 0x7FA1 are the
 * specification's own examples. */
#include "sdcard.h"
#include "spi.h"
#include "suite.h"

#include <string.h>

#define SECTORS 64u

/* ---- the card ---- */

static struct card {
    /* kind of the card */
    int present, version1, high_capacity;
    unsigned idle_rounds; /* how often ACMD41 answers "idle" */
    unsigned delay;       /* 0xFF bytes before each answer */
    /* how it misbehaves */
    unsigned wrong_crc;  /* how many data blocks have a wrong CRC16 */
    unsigned wrong_echo; /* CMD8 returns a different pattern */
    uint8_t error_token; /* instead of a data token */
    int silent_data;     /* the token never arrives */
    int silent_command;  /* the command that gets no answer; 0: none */
    int refused_command; /* the command that is answered with "parameter error" */
    int busy_for_ever;   /* after CMD12 */
    /* what the card has seen */
    unsigned seen[64];
    unsigned app_seen[64];
    uint32_t argument[64];
    unsigned wrong_crc7;
    unsigned clocks_before; /* bytes clocked while the card was not selected */
    /* inside */
    int selected, was_idle, app, busy, reading;
    uint32_t next_sector;
    uint8_t frame[6];
    unsigned frame_used;
    uint8_t out[700];
    unsigned out_used, out_at;
} card;

static uint8_t content(uint32_t sector, unsigned i)
{
    return (uint8_t)(sector * 7 + i * 13 + (i >> 8));
}

/* Bit by bit, as the specification draws it: another algorithm than that of the driver. */
static unsigned crc_bits(const uint8_t *bytes, size_t len, unsigned width, unsigned polynomial)
{
    unsigned crc = 0;
    for (size_t i = 0; i < len * 8; i++) {
        const unsigned in = (unsigned)bytes[i / 8] >> (7 - i % 8) & 1u;
        const unsigned top = crc >> (width - 1) & 1u;
        crc = crc << 1 & ((1u << width) - 1u);
        if (in != top)
            crc ^= polynomial;
    }
    return crc;
}

static void say(uint8_t byte)
{
    suite_check(card.out_used < sizeof card.out, "the test card says too much");
    card.out[card.out_used++] = byte;
}

static void say_r1(uint8_t r1)
{
    for (unsigned i = 0; i < card.delay; i++)
        say(0xFF);
    say(r1);
}

static void say_block(void)
{
    uint8_t block[512];
    unsigned crc;

    if (card.silent_data)
        return;
    for (unsigned i = 0; i < card.delay; i++)
        say(0xFF);
    if (card.error_token) {
        say(card.error_token);
        return;
    }
    for (unsigned i = 0; i < sizeof block; i++)
        block[i] = content(card.next_sector, i);
    crc = crc_bits(block, sizeof block, 16, 0x1021);
    if (card.wrong_crc > 0) {
        card.wrong_crc--;
        crc ^= 0x0100;
    }
    say(0xFE);
    for (unsigned i = 0; i < sizeof block; i++)
        say(block[i]);
    say((uint8_t)(crc >> 8));
    say((uint8_t)crc);
    card.next_sector++;
}

static void obey(void)
{
    const unsigned number = card.frame[0] & 0x3Fu;
    const uint32_t argument = (uint32_t)card.frame[1] << 24 | (uint32_t)card.frame[2] << 16 |
                              (uint32_t)card.frame[3] << 8 | card.frame[4];
    const uint8_t idle = card.was_idle ? 1 : 0;
    const int app = card.app;

    card.app = 0;
    card.out_used = card.out_at = 0;
    card.reading = 0;
    (app ? card.app_seen : card.seen)[number]++;
    card.argument[number] = argument;
    if (card.frame[5] != (crc_bits(card.frame, 5, 7, 0x09) << 1 | 1u))
        card.wrong_crc7++;
    if (card.silent_command != 0 && (int)number == card.silent_command)
        return;
    if (number == 12)
        say(0xFF); /* stuff byte */
    if (card.refused_command != 0 && (int)number == card.refused_command) {
        say_r1(0x40);
        return;
    }
    switch (number) {
    case 0:
        say_r1(card.was_idle ? 1 : 0); /* a warm reset shows the previous state */
        card.was_idle = 1;
        break;
    case 8:
        say_r1(card.version1 ? 5 : idle);
        if (!card.version1) {
            say(0);
            say(0);
            say(1);
            say(card.wrong_echo ? 0x55 : card.frame[4]);
        }
        break;
    case 55:
        card.app = 1;
        say_r1(idle);
        break;
    case 41:
        if (card.idle_rounds > 0)
            card.idle_rounds--;
        else
            card.was_idle = 0;
        say_r1(card.was_idle ? 1 : 0);
        break;
    case 58:
        say_r1(0);
        say(card.high_capacity ? 0xC0 : 0x80);
        say(0xFF);
        say(0x80);
        say(0);
        break;
    case 17:
    case 18:
        card.next_sector = card.high_capacity ? argument : argument / 512;
        if (card.next_sector >= SECTORS || (!card.high_capacity && argument % 512 != 0)) {
            say_r1(0x40);
            break;
        }
        say_r1(0);
        say_block();
        card.reading = number == 18;
        break;
    case 12:
        say_r1(0);
        card.busy = card.busy_for_ever ? 1 << 30 : 5;
        break;
    default: /* 16, 59 */ say_r1(0);
    }
}

/* ---- the bus, as the driver sees it ---- */

uint8_t spi_swap(uint8_t out)
{
    uint8_t answer = 0xFF;

    if (!card.present)
        return 0xFF;
    if (!card.selected) {
        card.clocks_before++;
        return 0x00; /* as the emulated board: no pull-up */
    }
    if (card.out_at < card.out_used) {
        answer = card.out[card.out_at++];
        if (card.out_at == card.out_used && card.reading) {
            card.out_used = card.out_at = 0;
            say_block();
        }
    } else if (card.busy > 0) {
        card.busy--;
        answer = 0x00;
    }
    /* A frame begins with the bits 01. */
    if (card.frame_used > 0 || (out & 0xC0u) == 0x40u) {
        card.frame[card.frame_used++] = out;
        if (card.frame_used == 6) {
            card.frame_used = 0;
            obey();
        }
    }
    return answer;
}

void spi_send(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        (void)spi_swap(bytes[i]);
}

void spi_receive(uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        bytes[i] = spi_swap(0xFF);
}

void spi_select_card(void)
{
    card.selected = 1;
    card.frame_used = card.out_used = card.out_at = 0;
    card.reading = 0;
}

void spi_release_card(void)
{
    card.selected = 0;
}

void spi_init(void)
{
    spi_release_card();
}

void spi_fast(void)
{
}

/* ---- cases ---- */

static void new_card(int version1, int high_capacity)
{
    memset(&card, 0, sizeof card);
    memset(&sdcard, 0, sizeof sdcard);
    card.present = 1;
    card.version1 = version1;
    card.high_capacity = high_capacity;
    card.idle_rounds = 3;
    card.delay = 2;
}

static void check_sectors(uint32_t sector, uint32_t count)
{
    static uint8_t data[SECTORS * 512];
    assert_int_equal(sdcard_read(sector, data, count), SDCARD_OK);
    for (uint32_t s = 0; s < count; s++)
        for (unsigned i = 0; i < 512; i++)
            assert_int_equal(data[s * 512 + i], content(sector + s, i));
}

static void check_kind(int version1, int high_capacity)
{
    for (card.delay = 0; card.delay < 8; card.delay++) {
        const unsigned delay = card.delay;
        new_card(version1, high_capacity);
        card.delay = delay;
        assert_int_equal(sdcard_open(), SDCARD_OK);
        assert_int_equal(sdcard.ready, 1);
        assert_int_equal(sdcard.block_addressed, high_capacity);
        assert_true(card.clocks_before >= 10);
        assert_int_equal(card.seen[16], high_capacity ? 0 : 1);
        assert_int_equal(card.argument[41], version1 ? 0 : 0x40000000);
        check_sectors(5, 1);
        assert_int_equal(card.argument[17], high_capacity ? 5 : 5 * 512);
        check_sectors(7, 9);
        assert_int_equal(card.argument[18], high_capacity ? 7 : 7 * 512);
        assert_int_equal(card.seen[12], 1);
        check_sectors(0, SECTORS - 1);
        check_sectors(63, 1);
        assert_int_equal(sdcard.sectors_read, 1 + 9 + SECTORS - 1 + 1);
        assert_int_equal(card.wrong_crc7, 0);
    }
}

static void reads_every_kind_of_card(void **state)
{
    (void)state;
    check_kind(1, 0);
    check_kind(0, 0);
    check_kind(0, 1);
}

static void checksums_are_the_specifications(void **state)
{
    const uint8_t reset[5] = {0x40, 0, 0, 0, 0}, version[5] = {0x48, 0, 0, 1, 0xAA};
    uint8_t ones[512];
    (void)state;
    memset(ones, 0xFF, sizeof ones);
    assert_int_equal(crc_bits(reset, 5, 7, 0x09) << 1 | 1, 0x95);
    assert_int_equal(crc_bits(version, 5, 7, 0x09) << 1 | 1, 0x87);
    assert_int_equal(crc_bits(ones, 512, 16, 0x1021), 0x7FA1);
}

static void wrong_checksum_is_read_again(void **state)
{
    static uint8_t data[4 * 512];
    (void)state;
    new_card(0, 1);
    assert_int_equal(sdcard_open(), SDCARD_OK);
    card.wrong_crc = 1;
    check_sectors(3, 1);
    assert_int_equal(sdcard.retries, 1);
    card.wrong_crc = 1;
    check_sectors(3, 4);
    assert_int_equal(sdcard.retries, 2);
    card.wrong_crc = 1000;
    assert_int_equal(sdcard_read(3, data, 1), SDCARD_E_CRC);
    assert_int_equal(sdcard_read(3, data, 4), SDCARD_E_CRC);
    card.wrong_crc = 0;
    check_sectors(3, 4); /* the card is still usable */
}

static void opening_says_what_is_wrong(void **state)
{
    (void)state;
    new_card(0, 1);
    card.present = 0;
    assert_int_equal(sdcard_open(), SDCARD_E_ABSENT);
    new_card(0, 1);
    card.wrong_echo = 1;
    assert_int_equal(sdcard_open(), SDCARD_E_VOLTAGE);
    new_card(0, 1);
    card.silent_command = 8;
    assert_int_equal(sdcard_open(), SDCARD_E_TIMEOUT);
    new_card(0, 1);
    card.idle_rounds = 1000000;
    assert_int_equal(sdcard_open(), SDCARD_E_BUSY);
    new_card(0, 1);
    card.refused_command = 41;
    assert_int_equal(sdcard_open(), SDCARD_E_REFUSED);
    new_card(0, 1);
    card.silent_command = 55;
    assert_int_equal(sdcard_open(), SDCARD_E_REFUSED);
    new_card(0, 1);
    card.silent_command = 58;
    assert_int_equal(sdcard_open(), SDCARD_E_REFUSED);
    new_card(0, 0);
    card.refused_command = 16;
    assert_int_equal(sdcard_open(), SDCARD_E_REFUSED);
    assert_int_equal(sdcard.ready, 0);
    new_card(0, 0);
    card.refused_command = 59; /* no CRC option: without effect */
    assert_int_equal(sdcard_open(), SDCARD_OK);
}

static void reading_says_what_is_wrong(void **state)
{
    static uint8_t data[2 * 512];
    (void)state;
    for (uint32_t count = 1; count <= 2; count++) {
        new_card(0, 0);
        assert_int_equal(sdcard_read(0, data, count), SDCARD_E_TIMEOUT); /* not opened */
        assert_int_equal(sdcard_open(), SDCARD_OK);
        card.error_token = 0x08;
        assert_int_equal(sdcard_read(0, data, count), SDCARD_E_TOKEN);
        card.error_token = 0;
        check_sectors(0, count);
        assert_int_equal(sdcard_read(SECTORS, data, count), SDCARD_E_REFUSED);
        assert_int_equal(sdcard.answer, 0x40);
        assert_int_equal(sdcard.ready, 1);
        card.silent_data = 1;
        assert_int_equal(sdcard_read(0, data, count), SDCARD_E_TIMEOUT);
        assert_int_equal(sdcard.ready, 0);
        card.silent_data = 0;
        assert_int_equal(sdcard_open(), SDCARD_OK);
        check_sectors(0, count);
        card.present = 0; /* pulled out */
        assert_int_equal(sdcard_read(0, data, count), SDCARD_E_TIMEOUT);
        assert_int_equal(sdcard_open(), SDCARD_E_ABSENT);
        card.present = 1;
        card.was_idle = 0;
        assert_int_equal(sdcard_open(), SDCARD_OK);
        check_sectors(0, count);
    }
}

static void stopping_says_what_is_wrong(void **state)
{
    static uint8_t data[2 * 512];
    (void)state;
    new_card(0, 1);
    assert_int_equal(sdcard_open(), SDCARD_OK);
    card.busy_for_ever = 1;
    assert_int_equal(sdcard_read(0, data, 2), SDCARD_E_TIMEOUT);
    assert_int_equal(sdcard.ready, 0);
    new_card(0, 1);
    assert_int_equal(sdcard_open(), SDCARD_OK);
    card.silent_command = 12;
    assert_int_equal(sdcard_read(0, data, 2), SDCARD_E_TIMEOUT);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(checksums_are_the_specifications), cmocka_unit_test(reads_every_kind_of_card),
        cmocka_unit_test(wrong_checksum_is_read_again),     cmocka_unit_test(opening_says_what_is_wrong),
        cmocka_unit_test(reading_says_what_is_wrong),       cmocka_unit_test(stopping_says_what_is_wrong),
    };
    return SUITE("sdcard", cases);
}
