/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See disk_image.h. */
#define _DEFAULT_SOURCE
#include "disk_image.h"

#include "ff.h"

#include "diskio.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef FF_MAX_SS
#define SECTOR FF_MAX_SS /* 512, or 4,096 in a build for such cards */
#else
#define SECTOR 512 /* suite_oldfatfs */
#endif

struct disk_image disk_image;

static int initialised;

void disk_image_use(const char *path, int writable)
{
    const int fd = open(path, writable ? O_RDWR : O_RDONLY);
    struct stat about;

    if (disk_image.bytes)
        (void)munmap(disk_image.bytes, (size_t)disk_image.size);
    if (fd < 0 || fstat(fd, &about) != 0) {
        perror(path);
        exit(3);
    }
    disk_image.size = (uint64_t)about.st_size;
    disk_image.bytes = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE,
                            (writable ? MAP_SHARED : MAP_PRIVATE) | MAP_NORESERVE, fd, 0);
    (void)close(fd);
    if (disk_image.bytes == MAP_FAILED) {
        perror(path);
        exit(3);
    }
    initialised = 0;
    disk_image_reset();
}

void disk_image_reset(void)
{
    struct disk_image fresh = {.bytes = disk_image.bytes, .size = disk_image.size};

    disk_image = fresh;
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
    if (drive != 0 || count == 0)
        return RES_PARERR;
    disk_image.calls++;
    if (disk_image.meanwhile)
        disk_image.meanwhile();
    disk_image.sectors += count;
    if (disk_image.absent ||
        (disk_image.fail_at != 0 &&
         (disk_image.calls == disk_image.fail_at || (disk_image.fail_on && disk_image.calls > disk_image.fail_at))))
        return RES_ERROR;
    if (sector >= disk_image.size / SECTOR || count > disk_image.size / SECTOR - sector)
        return RES_ERROR;
    memcpy(to, disk_image.bytes + (uint64_t)sector * SECTOR, (size_t)count * SECTOR);
    return RES_OK;
}

#if !FF_FS_READONLY
DRESULT disk_write(BYTE drive, const BYTE *from, LBA_t sector, UINT count)
{
    if (drive != 0 || count == 0)
        return RES_PARERR;
    if (sector >= disk_image.size / SECTOR || count > disk_image.size / SECTOR - sector)
        return RES_ERROR;
    memcpy(disk_image.bytes + (uint64_t)sector * SECTOR, from, (size_t)count * SECTOR);
    return RES_OK;
}

DRESULT disk_ioctl(BYTE drive, BYTE command, void *value)
{
    if (drive != 0)
        return RES_PARERR;
    switch (command) {
    case CTRL_SYNC: return RES_OK;
    case GET_SECTOR_COUNT: *(LBA_t *)value = (LBA_t)(disk_image.size / SECTOR); return RES_OK;
    case GET_BLOCK_SIZE: *(DWORD *)value = 1; return RES_OK;
    default: return RES_PARERR;
    }
}
#endif
