/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Texts for statuses, and for cards that FatFs does not mount. */
#include "utet_fatfs_words.h"

#include "diskio.h"

#include <string.h>

#ifdef FF_LBA64
typedef LBA_t sector_number;
#define HAS_GPT FF_LBA64
#else
typedef DWORD sector_number; /* R0.12 */
#define HAS_GPT 0
#endif

const char *utet_fatfs_strerror(utet_status status)
{
    switch (UTET_E_PORT - status) {
    case 0: return "another file or another card: open it from scratch";
    case FR_DISK_ERR: return "the card failed while it was read";
    case FR_INT_ERR: return "the file system is damaged: check it on a PC";
    case FR_NOT_READY: return "no card, or the card does not answer";
    case FR_NO_FILE: return "no file of that name on the card";
    case FR_NO_PATH: return "no folder of that name on the card";
    case FR_INVALID_NAME: return "not a name for a file on a card";
    case FR_DENIED: return "the card's file system does not permit that";
    case FR_INVALID_OBJECT: return "the file is not open: the card was pulled out or mounted anew since";
    case FR_INVALID_DRIVE: return "no drive of that name";
    case FR_NOT_ENABLED: return "no card is mounted, or FatFs was built without fast seek";
    case FR_NO_FILESYSTEM: return "no file system on the card that this program can read";
    case FR_TIMEOUT: return "another task has the card";
    case FR_NOT_ENOUGH_CORE: return "the file is in more fragments than the cluster table has room for";
    case FR_TOO_MANY_OPEN_FILES: return "too many files are open";
    case UTET_E_PORT - UTET_FATFS_E_SHARED: return "two tasks use the card at once: build FatFs with FF_FS_REENTRANT";
    case UTET_E_PORT - UTET_FATFS_E_CHAIN:
        return "the FAT is damaged: a part of the file is lost; check the card on a PC";
    default: return status <= UTET_E_PORT ? "an error of FatFs" : utet_strerror(status);
    }
}

/* ---- what is on a card ---- */

static DWORD load32(const BYTE *at)
{
    return (DWORD)at[0] | (DWORD)at[1] << 8 | (DWORD)at[2] << 16 | (DWORD)at[3] << 24;
}

static int is_blank(const BYTE *sector)
{
    for (unsigned i = 1; i < FF_MIN_SS; i++)
        if (sector[i] != sector[0])
            return 0;
    return sector[0] == 0 || sector[0] == 0xFF;
}

#if UTET_FATFS_EXFAT
#define EXFAT_WORDS "an exFAT volume whose first sectors are damaged: format the card"
#else
#define EXFAT_WORDS "exFAT, which this program was built without: format the card with FAT32"
#endif

/* Returns a text about the first sector of a volume that FatFs does not mount; NULL if it is not the sector of a
 * volume. */
static const char *name_volume(const BYTE *sector)
{
    const unsigned bytes = sector[11] | (unsigned)sector[12] << 8, cluster = sector[13], fats = sector[16];

    if (memcmp(sector + 3, "EXFAT   ", 8) == 0)
        return 1u << (sector[108] & 15) > FF_MAX_SS ? "exFAT with larger sectors than this program reads" : EXFAT_WORDS;
    if (memcmp(sector + 3, "NTFS    ", 8) == 0)
        return "NTFS: format the card with FAT32 or exFAT";
    if (bytes < 512 || (bytes & (bytes - 1)) != 0 || cluster == 0 || (cluster & (cluster - 1)) != 0 || fats - 1 > 1)
        return NULL;
    return bytes > FF_MAX_SS ? "FAT with larger sectors than this program reads"
                             : "a FAT volume whose first sector is damaged: format the card";
}

/* Returns a text about the type of a partition, if the type tells more than the partition's first sector; otherwise
 * NULL. */
static const char *name_type(BYTE type)
{
    switch (type) {
    case 0: return NULL;
    case 0x05:
    case 0x0F:
    case 0x85: return "a logical partition: FatFs reads primary ones only";
    case 0x82:
    case 0x83:
    case 0x8E: return "a file system of Linux: format the card with FAT32 or exFAT";
    case 0xEE:
        return HAS_GPT ? "GPT without a FAT partition"
                       : "GPT, which this program was built without: use an MBR partition";
    default: return "partitions, but no FAT in them: format one with FAT32 or exFAT";
    }
}

const char *utet_fatfs_look(BYTE drive, void *buffer)
{
    BYTE *sector = buffer;
    BYTE table[64];
    const char *found = NULL;

    if (disk_read(drive, sector, 0, 1) != RES_OK)
        return "the card failed when its first sector was read";
    if (is_blank(sector))
        return "an empty card: format it with FAT32 or exFAT";
    found = name_volume(sector);
    if (found)
        return found;
    if (sector[510] != 0x55 || sector[511] != 0xAA)
        return "neither a partition table nor a file system: format the card with FAT32 or exFAT";
    memcpy(table, sector + 446, sizeof table);
    for (unsigned i = 0; i < sizeof table; i += 16) {
        const BYTE type = table[i + 4];
        const char *volume = NULL;

        if (type != 0 && type != 0xEE && type != 0x05 && type != 0x0F && type != 0x85 &&
            disk_read(drive, sector, (sector_number)load32(table + i + 8), 1) == RES_OK)
            volume = name_volume(sector);
        if (volume)
            return volume;
        if (!found)
            found = name_type(type);
    }
    return found ? found : "a partition table without partitions: format the card with FAT32 or exFAT";
}
