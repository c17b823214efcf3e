/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The functions that FatFs requires of a board: drive 0 is the SD card. Uses sdcard.h. A card that timed out is no
 * longer initialised, so opening a file again restarts it. */
#include "ff.h"

#include "diskio.h"
#include "sdcard.h"

DSTATUS disk_initialize(BYTE drive)
{
    if (drive == 0)
        (void)sdcard_open();
    return disk_status(drive);
}

DSTATUS disk_status(BYTE drive)
{
    return drive == 0 && sdcard.ready ? STA_PROTECT : STA_NOINIT | STA_PROTECT;
}

DRESULT disk_read(BYTE drive, BYTE *to, LBA_t sector, UINT count)
{
    if (drive != 0 || count == 0 || (uint32_t)sector != sector)
        return RES_PARERR;
    if (!sdcard.ready)
        return RES_NOTRDY;
    return sdcard_read((uint32_t)sector, to, count) == SDCARD_OK ? RES_OK : RES_ERROR;
}
