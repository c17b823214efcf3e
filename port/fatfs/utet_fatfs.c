/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet_io over f_lseek and f_read. Relies on FatFs alone: no call goes around it to the disk. */
#include "utet_fatfs.h"

#include <limits.h>

#ifndef FF_MAX_SS /* R0.12, which STM32CubeMX brings, has these names */
#define FF_MAX_SS _MAX_SS
#define FF_MIN_SS _MIN_SS
#define FF_USE_FASTSEEK _USE_FASTSEEK
#endif

#if FF_MAX_SS == FF_MIN_SS
#define SECTOR_SIZE(port) FF_MAX_SS
#else
#define SECTOR_SIZE(port) ((port)->priv.file.obj.fs->ssize)
#endif

/* The most bytes of one f_read. UINT may have 16 bits; it is whole sectors, so that short answers are multiples of
 * io.unit. */
#define LONGEST_READ (UINT_MAX & ~(UINT)(FF_MAX_SS - 1))

static utet_status fatfs_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_fatfs *port = ctx;
    FIL *file = &port->priv.file;
    UINT count = len > LONGEST_READ ? LONGEST_READ : (UINT)len;
    FRESULT result = FR_OK;

    *got = 0;
    if (f_tell(file) != offset)
        result = f_lseek(file, (FSIZE_t)offset);
    if (result == FR_OK)
        result = f_read(file, buf, count, &count);
    if (result != FR_OK)
        return UTET_FATFS_STATUS(result);
    *got = count;
    return UTET_OK;
}

/* FatFs reads the chain of clusters once, from the FAT, and notes its fragments. */
static FRESULT make_table(utet_fatfs *port)
{
#if FF_USE_FASTSEEK
    FRESULT result;

    if (!port->priv.table)
        return FR_OK;
    port->priv.table[0] = port->priv.words;
    port->priv.file.cltbl = port->priv.table;
    result = f_lseek(&port->priv.file, CREATE_LINKMAP);
    port->table_need = port->priv.table[0];
    return result;
#else
    return !port->priv.table ? FR_OK : FR_NOT_ENABLED; /* a FIL has no place for it */
#endif
}

static FRESULT open_file(utet_fatfs *port, const TCHAR *path)
{
    FRESULT result = f_open(&port->priv.file, path, FA_READ);

    if (result == FR_OK) {
        result = make_table(port);
        if (result != FR_OK)
            utet_fatfs_close(port);
    }
    return result;
}

utet_status utet_fatfs_open(utet_fatfs *port, const TCHAR *path, DWORD *table, DWORD words)
{
    FRESULT result;

    /* An empty table counts as none: FatFs could not even report in it the length that is needed. */
    port->priv.table = words > 0 ? table : NULL;
    port->priv.words = words;
    port->table_need = 0;
    port->io.ctx = port;
    port->io.read = fatfs_read;
    port->io.cancel = NULL;
    port->io.map = NULL;
    port->io.size = 0;
    port->io.unit = 1;
    port->io.align = 1;
    result = open_file(port, path);
    if (result != FR_OK)
        return UTET_FATFS_STATUS(result);
    port->io.size = f_size(&port->priv.file);
    port->io.unit = SECTOR_SIZE(port);
    return UTET_OK;
}

utet_status utet_fatfs_reopen(utet_fatfs *port, const TCHAR *path)
{
    const FRESULT result = open_file(port, path);

    if (result != FR_OK)
        return UTET_FATFS_STATUS(result);
    if (f_size(&port->priv.file) != port->io.size) {
        utet_fatfs_close(port);
        return UTET_FATFS_E_CHANGED;
    }
    return UTET_OK;
}

void utet_fatfs_close(utet_fatfs *port)
{
    /* Nothing has to be written back. FatFs refuses a file that is not open any more, so a second call is harmless. */
    (void)f_close(&port->priv.file);
}
