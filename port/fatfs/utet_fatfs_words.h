/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What went wrong with a card, in words: for the log or the display of a program that gets cards from strangers. Linked
 * only if called. Relies on utet_fatfs.h and on your disk_read. */
#ifndef UTET_FATFS_WORDS_H
#define UTET_FATFS_WORDS_H

#include "utet_fatfs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A line for any status: of this port (FatFs' results among them, UTET_FATFS_STATUS) and of the library
 * (utet_strerror). Never null. */
const char *utet_fatfs_strerror(utet_status status);

/* After UTET_FATFS_STATUS(FR_NO_FILESYSTEM): reads the first sector of drive `drive`, and those of its partitions, and
 * says in a line what is there instead. sector: FF_MAX_SS bytes to work in, aligned as disk_read wants it. Never null.
 */
const char *utet_fatfs_look(BYTE drive, void *sector);

#ifdef __cplusplus
}
#endif

#endif
