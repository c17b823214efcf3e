/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The disk below FatFs on a host: the sectors of an image file, which are counted, and fail on schedule. Uses POSIX
 * files; there is one disk, as FatFs requires. */
#ifndef DISK_IMAGE_H
#define DISK_IMAGE_H

#include <stdint.h>

struct disk_image {
    uint32_t calls;          /* calls of disk_read */
    uint32_t sectors;        /* sectors that they have read */
    uint32_t fail_at;        /* the call with this number (from 1) fails; 0: none */
    int fail_on;             /* 1: so do all later ones */
    int absent;              /* 1: the card is pulled out; when it is back it must be initialised again */
    void (*meanwhile)(void); /* called during each disk_read; NULL: nothing */
    uint8_t *bytes;          /* bytes of the image; changes by a test are not written back, unless it is writable */
    uint64_t size;
};

extern struct disk_image disk_image;

/* Ends the program if the image cannot be opened. card_write uses `writable`. */
void disk_image_use(const char *path, int writable);
/* Sets counters and schedule to 0; the bytes stay. */
void disk_image_reset(void);

#endif
