/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See disk_image.h. */
#define _POSIX_C_SOURCE 200809L
#include "disk_image.h"

#include "ff.h"

#include "diskio.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTOR 512

struct disk_image disk_image;

static int fd = -1;
static int initialised;

void disk_image_use(const char *path, int writable)
{
    if (fd >= 0)
        (void)close(fd);
    fd = open(path, writable ? O_RDWR : O_RDONLY);
    if (fd < 0) {
        perror(path);
        exit(3);
    }
    initialised = 0;
    disk_image_reset();
}

void disk_image_reset(void)
{
    memset(&disk_image, 0, sizeof disk_image);
}

DSTATUS disk_initialize(BYTE drive)
{
    initialised = !disk_image.absent;
    return disk_status(drive);
}

DSTATUS disk_status(BYTE drive)
{
    if (disk_image.absent)
        initialised = 0;
    return drive == 0 && initialised ? 0 : STA_NOINIT;
}

DRESULT disk_read(BYTE drive, BYTE *to, LBA_t sector, UINT count)
{
    const ssize_t bytes = (ssize_t)count * SECTOR;

    if (drive != 0 || count == 0)
        return RES_PARERR;
    disk_image.calls++;
    disk_image.sectors += count;
    if (disk_image.absent ||
        (disk_image.fail_at != 0 &&
         (disk_image.calls == disk_image.fail_at || (disk_image.fail_on && disk_image.calls > disk_image.fail_at))))
        return RES_ERROR;
    return pread(fd, to, (size_t)bytes, (off_t)sector * SECTOR) == bytes ? RES_OK : RES_ERROR;
}

#if !FF_FS_READONLY
DRESULT disk_write(BYTE drive, const BYTE *from, LBA_t sector, UINT count)
{
    const ssize_t bytes = (ssize_t)count * SECTOR;

    if (drive != 0 || count == 0)
        return RES_PARERR;
    return pwrite(fd, from, (size_t)bytes, (off_t)sector * SECTOR) == bytes ? RES_OK : RES_ERROR;
}

DRESULT disk_ioctl(BYTE drive, BYTE command, void *value)
{
    if (drive != 0)
        return RES_PARERR;
    switch (command) {
    case CTRL_SYNC: return RES_OK;
    case GET_SECTOR_COUNT: *(LBA_t *)value = (LBA_t)(lseek(fd, 0, SEEK_END) / SECTOR); return RES_OK;
    case GET_BLOCK_SIZE: *(DWORD *)value = 1; return RES_OK;
    default: return RES_PARERR;
    }
}
#endif
