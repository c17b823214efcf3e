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
    VOLUME_CACHE = 64,
    VOLUME_LOOKAHEAD = 8
};

/* The members of lfs_config that both sides share. */
#define VOLUME_GEOMETRY                                                                                           \
    .read_size = VOLUME_READ, .prog_size = VOLUME_READ, .block_size = VOLUME_BLOCK, .block_count = VOLUME_BLOCKS, \
    .block_cycles = -1, .cache_size = VOLUME_CACHE, .lookahead_size = VOLUME_LOOKAHEAD

#endif
