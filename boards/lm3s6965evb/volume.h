/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The littlefs volume in the microcontroller's own flash: for volume.c, which reads it, and for the program on the host
 * that writes its image (test/port/volume_write.c). All in bytes. */
#ifndef VOLUME_H
#define VOLUME_H

enum {
    VOLUME_READ = 4,     /* a word */
    VOLUME_BLOCK = 2048, /* two pages of the flash */
    VOLUME_BLOCKS = 56,
    VOLUME_CACHE = 64
};

#endif
