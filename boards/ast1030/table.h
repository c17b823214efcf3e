/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Which files the flash has, and where: image.py writes this table. Relies on nothing. */
#ifndef TABLE_H
#define TABLE_H

#include <stdint.h>

#define TABLE_AT 0x00100000u    /* after the megabyte of the program */
#define TABLE_MAGIC 0x74657475u /* the letters utet */

struct table_head {
    uint32_t magic;
    uint32_t count; /* number of entries that follow */
};

struct table_entry {
    char name[24]; /* ends with 0 */
    uint32_t offset;
    uint32_t size;
};

#endif
