/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that draws three datasets of one file in turn: the planet appears row by row while the ripple plays below
 * it. Each dataset has decoded tiles of its own (utet_tiles), so no payload is read twice. Prints the sectors and the
 * memory that this took. Command line: see screen.h. Relies on the files of this folder, on common/ and on
 * port/fatfs. */
#include "board.h"
#include "card_file.h"
#include "ff.h"
#include "line.h"
#include "oled.h"
#include "pictures.h"
#include "planet.h"
#include "print.h"
#include "report.h"
#include "screen.h"
#include "sdcard.h"
#include "utet_fatfs_words.h"

static FATFS volume;
static uint8_t map[PLANET_ROWS * PLANET_COLUMNS];

static void row_drawn(unsigned row)
{
    if (row == PLANET_HEIGHT / 2 - 1)
        screen_show("half");
    else if (row == PLANET_HEIGHT - 1)
        screen_show("whole");
}

static utet_status draw(void)
{
    uint32_t sectors;
    uint32_t frames = 0;
    utet_status status = card_file_open("together.tet");

    if (status != UTET_OK)
        return status;
    sectors = sdcard.sectors_read;
    status = pictures_together(map, &frames, row_drawn);
    sectors = sdcard.sectors_read - sectors;
    if (status == UTET_OK)
        screen_show("planet");
    print_text("frames ");
    print_u64(frames);
    print_text(", sectors ");
    print_u64(sectors);
    print_text(", workspace: decoded tiles ");
    print_u64(pictures_tiles());
    print_text(", the rest ");
    print_u64(card_file.high_water);
    print_char('\n');
    return status;
}

int main(void)
{
    const FRESULT mounted = f_mount(&volume, "", 1);
    utet_status status;

    oled_init();
    status = mounted == FR_OK ? draw() : UTET_FATFS_STATUS(mounted);
    if (status != UTET_OK) {
        line_add_text(utet_fatfs_strerror(status));
        line_draw(0, 0);
    }
    report_memory(CARD_FILE_WORK);
    return report_end("together", status, utet_fatfs_strerror(status), card_file_fault(status));
}
