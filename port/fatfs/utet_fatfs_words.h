/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Texts about faults of a card, for the log or the display of a program that must accept any card. Linked only if
 * called. Uses utet_fatfs.h and your disk_read. */
#ifndef UTET_FATFS_WORDS_H
#define UTET_FATFS_WORDS_H

#include "utet_fatfs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a line of text for any status: of this port (including FatFs' results, UTET_FATFS_STATUS) and of the library
 * (utet_strerror). Never NULL. */
const char *utet_fatfs_strerror(utet_status status);

/* After UTET_FATFS_STATUS(FR_NO_FILESYSTEM): reads the first sector of drive `drive`, and those of its partitions, and
 * returns a line about what is there instead. sector: a buffer of FF_MAX_SS bytes, aligned as disk_read requires. Never
 * NULL. */
const char *utet_fatfs_look(BYTE drive, void *sector);

#ifdef __cplusplus
}
#endif

#endif
