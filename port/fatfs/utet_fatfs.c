/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet_io over f_lseek and f_read. Uses only FatFs: no call accesses the disk directly. */
#include "utet_fatfs.h"

#include <limits.h>
#include <string.h>

#ifndef FF_MAX_SS /* R0.12, which STM32CubeMX includes, has these names */
#define FF_MAX_SS _MAX_SS
#define FF_MIN_SS _MIN_SS
#define FF_USE_FASTSEEK _USE_FASTSEEK
#define FF_USE_LABEL _USE_LABEL
#define FF_FS_REENTRANT _FS_REENTRANT
#define FF_VOLUMES _VOLUMES
#endif

#if FF_MAX_SS == FF_MIN_SS
#define SECTOR_SIZE(port) FF_MAX_SS
#else
#define SECTOR_SIZE(port) ((port)->priv.file.obj.fs->ssize)
#endif

/* Maximum number of bytes of one f_read. UINT may have 16 bits; it is whole sectors, so that short answers are
 * multiples of io.unit. */
#define LONGEST_READ (UINT_MAX & ~(UINT)(FF_MAX_SS - 1))

#if UTET_FATFS_EXFAT
#define VALID(port) ((port)->priv.valid)
#else
#define VALID(port) UINT64_MAX /* FAT has no such field */
#endif

static utet_status status_of(FRESULT result)
{
    return result == FR_OK ? UTET_OK : UTET_FATFS_STATUS(result);
}

/* ---- one task at a time ---- */

/* Without its locks, FatFs mixes the sectors of two tasks, and the files seem to be damaged. With one volume, each call
 * that begins before another one ends is such a case. A task switch between the test and the mark goes unnoticed: this
 * check reports the mistake, usually at its first read, and is not a lock. */
#if !FF_FS_REENTRANT && FF_VOLUMES == 1
static volatile unsigned char inside;

static int enter(void)
{
    const int alone = !inside;

    if (alone)
        inside = 1;
    return alone;
}

static void leave(void)
{
    inside = 0;
}
#else
static int enter(void)
{
    return 1;
}

static void leave(void)
{
}
#endif

/* ---- reading ---- */

static utet_status read_file(utet_fatfs *port, uint64_t offset, void *buf, size_t len, size_t *got)
{
    FIL *file = &port->priv.file;
    UINT count = len > LONGEST_READ ? LONGEST_READ : (UINT)len;
    FRESULT result = FR_OK;

    if (offset < VALID(port)) {
        if (f_tell(file) != offset)
            result = f_lseek(file, (FSIZE_t)offset);
        if (result == FR_OK)
            result = f_read(file, buf, count, &count);
        if (result != FR_OK)
            return UTET_FATFS_STATUS(result);
        if (count > VALID(port) - offset)
            memset((BYTE *)buf + (VALID(port) - offset), 0, count - (size_t)(VALID(port) - offset));
    } else {
        memset(buf, 0, count);
    }
    *got = count;
    return UTET_OK;
}

static utet_status fatfs_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_status status;

    *got = 0;
    if (!enter())
        return UTET_FATFS_E_SHARED;
    status = read_file(ctx, offset, buf, len, got);
    leave();
    return status;
}

/* ---- the chain of clusters ---- */

static FSIZE_t cluster_bytes(const utet_fatfs *port)
{
    return (FSIZE_t)port->priv.file.obj.fs->csize * SECTOR_SIZE(port);
}

static utet_status chain_fails(utet_fatfs *port, uint64_t offset)
{
    port->chain_end = offset;
    return UTET_FATFS_E_CHAIN;
}

/* Checks without following the chain: a file that is not empty has a first cluster, and no more clusters than the
 * volume. */
static utet_status check_size(utet_fatfs *port)
{
    const FIL *file = &port->priv.file;
    const DWORD clusters = file->obj.fs->n_fatent - 2, first = file->obj.sclust;

    if (f_size(file) == 0)
        return UTET_OK;
    if (first < 2 || first - 2 >= clusters)
        return chain_fails(port, 0);
    if ((f_size(file) - 1) / cluster_bytes(port) >= clusters)
        return chain_fails(port, (uint64_t)clusters * cluster_bytes(port));
    return UTET_OK;
}

#if FF_USE_FASTSEEK
static int in_one_piece(const FIL *file)
{
    return UTET_FATFS_EXFAT && file->obj.fs->fs_type == FS_EXFAT && file->obj.stat == 2 && f_size(file) > 0;
}

/* Moves from the cluster that ends at `end` of the file to the next one, which FatFs then has in `clust`. It seeks,
 * because a seek stops at the file's size: FatFs' own way to make a table follows the chain to its end, and a circle
 * has none. */
static utet_status next_cluster(utet_fatfs *port, FSIZE_t *end)
{
    FIL *file = &port->priv.file;
    const FSIZE_t left = f_size(file) - *end, step = cluster_bytes(port);
    const FRESULT result = f_lseek(file, *end + (left < step ? left : step));

    if (result == FR_INT_ERR)
        return chain_fails(port, *end);
    if (result != FR_OK)
        return UTET_FATFS_STATUS(result);
    *end = f_tell(file);
    return UTET_OK;
}

/* Follows the file's clusters and records its fragments as FatFs does: their number and the first cluster of each. The
 * last cluster stays in `clust`. */
static utet_status note_fragments(utet_fatfs *port)
{
    const FIL *file = &port->priv.file;
    DWORD *table = port->priv.table, *length = NULL;
    DWORD next = 0, used = 2;
    utet_status status = UTET_OK;

    for (FSIZE_t end = 0; status == UTET_OK && end < f_size(file);) {
        status = next_cluster(port, &end);
        if (file->clust != next) {
            used += 2;
            length = used <= port->priv.words ? &table[used - 3] : NULL;
            if (length) {
                length[0] = 0;
                length[1] = file->clust;
            }
        }
        if (length)
            ++*length;
        next = file->clust + 1;
    }
    port->table_need = used;
    return status;
}

/* A contiguous file of exFAT has no chain: its clusters are counted. */
static utet_status note_one_piece(utet_fatfs *port)
{
    const FIL *file = &port->priv.file;
    const DWORD before = file->obj.sclust - 2;
    const DWORD clusters = (DWORD)((f_size(file) - 1) / cluster_bytes(port)) + 1;
    const DWORD there = file->obj.fs->n_fatent - 2 - before;

    if (clusters > there)
        return chain_fails(port, (uint64_t)there * cluster_bytes(port));
    port->table_need = 4;
    if (port->priv.words < 4)
        return UTET_FATFS_E_TABLE;
    port->priv.table[1] = clusters;
    port->priv.table[2] = file->obj.sclust;
    return UTET_OK;
}

/* A chain that enters a circle stays in it, so its last cluster also occurs earlier. Fails at the first occurrence. */
static utet_status find_circle(utet_fatfs *port)
{
    FIL *file = &port->priv.file;
    const DWORD last = file->clust;
    utet_status status = UTET_OK;

    (void)f_lseek(file, 0); /* moves to the beginning: nothing is read */
    for (FSIZE_t end = 0, begin = 0; status == UTET_OK && end < f_size(file); begin = end) {
        status = next_cluster(port, &end);
        if (status == UTET_OK && file->clust == last && end < f_size(file))
            status = chain_fails(port, begin);
    }
    return status;
}

/* Searches the table for a circle: then the last cluster is in more than one fragment. */
static int has_circle(const utet_fatfs *port)
{
    const DWORD *fragment = port->priv.table + 1;
    const DWORD last = port->priv.file.clust;
    DWORD times = 0;

    for (DWORD n = 2; n < port->table_need; n += 2, fragment += 2)
        times += last >= fragment[1] && last - fragment[1] < fragment[0];
    return times > 1;
}

static utet_status make_table(utet_fatfs *port)
{
    const DWORD words = port->priv.words;
    utet_status status;

    if (!port->priv.table)
        return UTET_OK;
    if (in_one_piece(&port->priv.file)) {
        status = note_one_piece(port);
    } else {
        status = note_fragments(port);
        if (status == UTET_OK && f_size(&port->priv.file) > 0 && (port->table_need > words || has_circle(port)))
            status = find_circle(port);
    }
    if (status == UTET_OK && port->table_need > words)
        status = UTET_FATFS_E_TABLE;
    if (status != UTET_OK)
        return status;
    port->priv.table[0] = port->table_need;
    port->priv.table[port->table_need - 1] = 0;
    port->priv.file.cltbl = port->priv.table;
    return status_of(f_lseek(&port->priv.file, 0));
}
#else
static utet_status make_table(utet_fatfs *port)
{
    /* Without fast seek, a FIL has no member for the table. */
    return !port->priv.table ? UTET_OK : UTET_FATFS_STATUS(FR_NOT_ENABLED);
}
#endif

/* ---- which file this is ---- */

enum { ENTRY = 32 }; /* bytes of an entry in a directory */

static DWORD load32(const BYTE *at)
{
    return (DWORD)at[0] | (DWORD)at[1] << 8 | (DWORD)at[2] << 16 | (DWORD)at[3] << 24;
}

#if UTET_FATFS_EXFAT
/* Reads the file's first two entries; FatFs keeps their position, not their bytes: for one read the file object
 * represents the folder. */
static FRESULT read_entries(FIL *file, BYTE entries[2 * ENTRY])
{
    const FFOBJID object = file->obj;
    FRESULT result;
    UINT got = 0;

    file->obj.sclust = object.c_scl;
    file->obj.stat = object.c_size & 3;
    file->obj.objsize = object.c_size & 0xFFFFFF00;
    if (object.c_scl == 0) { /* the root: its size is not stored, and the FAT has its chain */
        file->obj.sclust = (DWORD)object.fs->dirbase;
        file->obj.stat = 0;
        file->obj.objsize = (FSIZE_t)object.c_ofs + 2 * ENTRY;
    }
    result = f_lseek(file, object.c_ofs);
    if (result == FR_OK)
        result = f_read(file, entries, 2 * ENTRY, &got);
    file->obj = object;
    if (result == FR_OK)
        result = f_lseek(file, 0);
    return result == FR_OK && (got != 2 * ENTRY || entries[0] != 0x85 || entries[ENTRY] != 0xC0) ? FR_INT_ERR : result;
}

static FRESULT identify_exfat(utet_fatfs *port, utet_fatfs_identity *identity)
{
    BYTE entries[2 * ENTRY];
    const FRESULT result = read_entries(&port->priv.file, entries);

    if (result == FR_OK) { /* when it was written, and the checksum of all its entries */
        identity->stamp = load32(entries + 12) ^ (DWORD)entries[2] << 8 ^ entries[3];
        port->priv.valid = load32(entries + ENTRY + 8) | (uint64_t)load32(entries + ENTRY + 12) << 32;
    }
    return result;
}
#endif

/* FatFs' window still has the sector of the folder in which f_open found the file, if no other task uses it. */
static void identify_fat(const utet_fatfs *port, utet_fatfs_identity *identity)
{
    const FIL *file = &port->priv.file;
    const FATFS *fs = file->obj.fs;

    for (unsigned at = 0; !FF_FS_REENTRANT && at < SECTOR_SIZE(port); at += ENTRY) {
        const BYTE *entry = fs->win + at;
        const DWORD high = fs->fs_type == FS_FAT32 ? load32(entry + 20) & 0xFFFF : 0;
        const DWORD first = load32(entry + 24) >> 16 | high << 16;

        if (entry[0] != 0xE5 && first == file->obj.sclust && load32(entry + 28) == f_size(file))
            identity->stamp = load32(entry + 22);
    }
}

static FRESULT identify(utet_fatfs *port, const TCHAR *path, utet_fatfs_identity *identity)
{
    FRESULT result = FR_OK;

    memset(identity, 0, sizeof *identity);
    identity->first = port->priv.file.obj.sclust;
#if UTET_FATFS_EXFAT
    port->priv.valid = UINT64_MAX;
    if (port->priv.file.obj.fs->fs_type == FS_EXFAT)
        result = identify_exfat(port, identity);
    else
#endif
        identify_fat(port, identity);
#if FF_USE_LABEL
    if (result == FR_OK)
        result = f_getlabel(path, NULL, &identity->volume);
#else
    (void)path;
#endif
    return result;
}

static utet_status find_file(utet_fatfs *port, const TCHAR *path, utet_fatfs_identity *identity)
{
    utet_status status = status_of(f_open(&port->priv.file, path, FA_READ));

    if (status != UTET_OK)
        return status;
    status = status_of(identify(port, path, identity));
    if (status == UTET_OK)
        status = check_size(port);
    if (status == UTET_OK)
        status = make_table(port);
    if (status != UTET_OK)
        utet_fatfs_close(port);
    return status;
}

static utet_status open_file(utet_fatfs *port, const TCHAR *path, utet_fatfs_identity *identity)
{
    utet_status status;

    if (!enter())
        return UTET_FATFS_E_SHARED;
    status = find_file(port, path, identity);
    leave();
    return status;
}

utet_status utet_fatfs_open(utet_fatfs *port, const TCHAR *path, DWORD *table, DWORD words)
{
    utet_status status;

    /* An empty table counts as none: FatFs could not even report in it the length that is needed. */
    port->priv.table = words > 0 ? table : NULL;
    port->priv.words = words;
    port->table_need = 0;
    port->chain_end = 0;
    port->io.ctx = port;
    port->io.read = fatfs_read;
    port->io.cancel = NULL;
    port->io.map = NULL;
    port->io.size = 0;
    port->io.unit = 1;
    port->io.align = 1;
    port->io.line = 0;
    status = open_file(port, path, &port->priv.identity);
    if (status == UTET_OK) {
        port->io.size = f_size(&port->priv.file);
        port->io.unit = SECTOR_SIZE(port);
        port->io.line = port->io.unit; /* FatFs keeps the last sector, for a unit of 1 */
    }
    return status;
}

utet_status utet_fatfs_reopen(utet_fatfs *port, const TCHAR *path)
{
    utet_fatfs_identity now;
    const utet_status status = open_file(port, path, &now);

    if (status != UTET_OK)
        return status;
    if (f_size(&port->priv.file) != port->io.size || memcmp(&now, &port->priv.identity, sizeof now) != 0) {
        utet_fatfs_close(port);
        return UTET_FATFS_E_CHANGED;
    }
    return UTET_OK;
}

void utet_fatfs_close(utet_fatfs *port)
{
    /* There is nothing to write back. FatFs refuses a file that is not open any more, so a second call is harmless. */
    (void)f_close(&port->priv.file);
}
