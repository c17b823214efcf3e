/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SSD0323 over SPI: commands with D/C low, pixels with D/C high. Relies on spi.h; D/C goes low again after every
 * transfer, because the display also hears what is sent to the card while that is deselected. */
#include "oled.h"

#include "spi.h"
#include "spi_display.h"

enum {
    SET_COLUMNS = 0x15,
    SET_ROWS = 0x75,
    SET_CONTRAST = 0x81,
    SET_REMAP = 0xA0,
    SET_START_LINE = 0xA1,
    SET_NORMAL = 0xA4,
    DISPLAY_ON = 0xAF
};

static void commands(const uint8_t *bytes, unsigned count)
{
    spi_release_card();
    spi_send(bytes, count);
}

void oled_window(unsigned left, unsigned top, unsigned width, unsigned height)
{
    const uint8_t window[] = {SET_COLUMNS, (uint8_t)(left / 2), (uint8_t)((left + width) / 2 - 1),
                              SET_ROWS,    (uint8_t)top,        (uint8_t)(top + height - 1)};
    commands(window, sizeof window);
}

void oled_greys(const uint8_t *greys, unsigned count)
{
    spi_release_card();
    spi_display_data(1);
    for (unsigned i = 0; i + 1 < count; i += 2)
        (void)spi_swap((uint8_t)(greys[i] << 4 | greys[i + 1]));
    spi_display_data(0);
}

void oled_init(void)
{
    static const uint8_t wake[] = {SET_REMAP, 0x00, SET_START_LINE, 0x00, SET_CONTRAST, 0x40, SET_NORMAL, DISPLAY_ON};
    static const uint8_t black[2] = {0, 0};

    commands(wake, sizeof wake);
    oled_window(0, 0, OLED_WIDTH, OLED_HEIGHT);
    for (unsigned i = 0; i < OLED_WIDTH * OLED_HEIGHT; i += 2)
        oled_greys(black, 2);
}
