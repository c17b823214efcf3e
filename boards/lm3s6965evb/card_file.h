/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One .tet file of the card at a time: combines FatFs, the port and the library's file object, with their memory.
 * Relies on port/fatfs and on a mounted volume. */
#ifndef CARD_FILE_H
#define CARD_FILE_H

#include "utet.h"

/* The workspace, and the zstd decoder that uses it: the built-in decoder, which takes 4 to 10 KB and the history of a
 * chunk, or (with -DCARD_FILE_UPSTREAM) libzstd, which takes 30 KB, the history and a block. The larger demonstration
 * files permit as much. */
#ifdef CARD_FILE_UPSTREAM
#define CARD_FILE_WORK 40960u
#define CARD_FILE_CODEC utet_codec_zstd_upstream
#else
#ifndef CARD_FILE_WORK
#define CARD_FILE_WORK 8192u
#endif
#define CARD_FILE_CODEC utet_codec_zstd_small
#endif

/* With -DCARD_FILE_LINES=n, a cache of n sectors (port/cache) is between the library and the card. */

/* The open file; its budget is the file's own, if that is less than the workspace. */
extern utet_file card_file;

/* Statuses as utet_fatfs_open and utet_open. */
utet_status card_file_open(const char *name);
void card_file_close(void);

/* After UTET_FATFS_E_CHAIN: the offset in the file; otherwise card_file.error_offset. */
uint64_t card_file_fault(utet_status status);

/* DWORDs that the cluster table of the open file takes; 0: more than there are, so reading follows the FAT. */
uint32_t card_file_table(void);

#endif
