/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The disk below FatFs on a host: sectors of an image file, counted, and failing on schedule.
 * Relies on POSIX files; there is one disk, as FatFs wants it. */
#ifndef DISK_IMAGE_H
#define DISK_IMAGE_H

#include <stdint.h>

struct disk_image {
    uint32_t calls;          /* of disk_read */
    uint32_t sectors;        /* read by them */
    uint32_t fail_at;        /* the call with this number (from 1) fails; 0 = none */
    int fail_on;             /* 1: so do all later ones */
    int absent;              /* 1: the card is pulled out; when it comes back it wants to be initialised again */
    void (*meanwhile)(void); /* called during each disk_read; NULL = nothing */
    uint8_t *bytes;          /* of the image; what a test changes here is not written back, unless it is writable */
    uint64_t size;
};

extern struct disk_image disk_image;

/* Ends the program when the image cannot be opened. `writable` for card_write. */
void disk_image_use(const char *path, int writable);
/* Counters and schedule to 0; the bytes stay. */
void disk_image_reset(void);

#endif
