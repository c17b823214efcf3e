/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration of FatFs for reading .tet files: read-only, long names in UTF-8, fast seek, no sector buffer in the
 * file object. Every setting can be changed with -DNAME=value, or a ffconf.h of the application replaces this one: the
 * port needs nothing but f_lseek, and FF_USE_FASTSEEK 1. Compile with -include: ff.h looks in its own folder first. */
#ifndef UTET_FFCONF_H
#define UTET_FFCONF_H

/* Revision of FatFs that these settings belong to: R0.16. */
#define FFCONF_DEF 80386

/* Functions: open, read, seek, close, directory listing. */
#ifndef FF_FS_READONLY
#define FF_FS_READONLY 1
#endif
#define FF_FS_MINIMIZE 0
#define FF_USE_FIND 0
#ifndef FF_USE_MKFS
#define FF_USE_MKFS 0
#endif
#ifndef FF_USE_FASTSEEK
#define FF_USE_FASTSEEK 1
#endif
#define FF_USE_EXPAND 0
#define FF_USE_CHMOD 0
#ifndef FF_USE_LABEL /* f_getlabel, for the serial number that distinguishes cards */
#define FF_USE_LABEL 1
#endif
#define FF_USE_FORWARD 0
#define FF_USE_STRFUNC 0
#define FF_PRINT_LLI 0
#define FF_PRINT_FLOAT 0
#define FF_STRF_ENCODE 0

/* Names. The working buffer of long names, 2 * (FF_MAX_LFN + 1) bytes (exFAT: about 1.1 KB), is on the stack. This
 * costs no RAM, because f_open runs when the stack is shallow, and decoding takes more stack later. */
#ifndef FF_CODE_PAGE
#define FF_CODE_PAGE 437
#endif
#ifndef FF_USE_LFN
#define FF_USE_LFN 2
#endif
#ifndef FF_MAX_LFN
#define FF_MAX_LFN 255
#endif
#ifndef FF_LFN_UNICODE
#define FF_LFN_UNICODE 2
#endif
#ifndef FF_LFN_BUF
#define FF_LFN_BUF 255
#endif
#define FF_SFN_BUF 12
#ifndef FF_FS_RPATH
#define FF_FS_RPATH 0
#endif
#define FF_PATH_DEPTH 10

/* Volumes: one, in the first FAT partition of an MBR or on the whole medium. */
#ifndef FF_VOLUMES
#define FF_VOLUMES 1
#endif
#define FF_STR_VOLUME_ID 0
#define FF_VOLUME_STRS "SD"
#define FF_MULTI_PARTITION 0
#ifndef FF_MIN_SS
#define FF_MIN_SS 512
#endif
#ifndef FF_MAX_SS
#define FF_MAX_SS 512
#endif
#ifndef FF_LBA64
#define FF_LBA64 0
#endif
#define FF_MIN_GPT 0x10000000
#define FF_USE_TRIM 0

/* One sector buffer for the volume, none for each file: with fast seek no FAT sector has to stay in memory while data
 * is read, and whole sectors go straight into the library's window anyway. */
#ifndef FF_FS_TINY
#define FF_FS_TINY 1
#endif
#ifndef FF_FS_EXFAT
#define FF_FS_EXFAT 0
#endif
#define FF_FS_NORTC 1
#define FF_NORTC_MON 1
#define FF_NORTC_MDAY 1
#define FF_NORTC_YEAR 2025
#define FF_FS_CRTIME 0
#define FF_FS_NOFSINFO 0
#define FF_FS_LOCK 0
#ifndef FF_FS_REENTRANT
#define FF_FS_REENTRANT 0
#endif
#define FF_FS_TIMEOUT 1000

#endif
