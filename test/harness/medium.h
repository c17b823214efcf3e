/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A card that counts: a file in memory behind a port, and what its requests cost by a model of an SD card over SPI,
 * half a millisecond for each command and 0.343 ms for each sector. And three ways to read all of a file.
 */
#ifndef TEST_MEDIUM_H
#define TEST_MEDIUM_H

#include "utet.h"

enum { MEDIUM_SECTOR = 512, MEDIUM_COMMAND_US = 500, MEDIUM_SECTOR_US = 343 };

typedef struct medium {
    utet_io io;
    const uint8_t *bytes;
    uint64_t requests, bytes_read; /* of the port */
    uint64_t commands, sectors;    /* of the card */
    uint64_t distinct;             /* sectors that were read at least once */
    struct {
        uint64_t held; /* number of the sector in the buffer, plus one */
        uint8_t *seen; /* for each sector */
    } priv;
} medium;

/* A port over `bytes`. unit 512: a request is one command. unit 1: a file system between them with a buffer of one
 * sector, which serves a part of a sector; whole sectors go past it, one command for those that are side by side. */
void medium_init(medium *m, const void *bytes, uint64_t size, uint16_t unit);
/* All counters to 0, the buffer is empty. */
void medium_rewind(medium *m);
void medium_free(medium *m);
/* The time of all commands and sectors by the model. */
uint64_t medium_us(const medium *m);

typedef enum medium_way { MEDIUM_SLABS, MEDIUM_SLICES, MEDIUM_LOADS, MEDIUM_WAYS } medium_way;
extern const char *const medium_way_names[MEDIUM_WAYS];

/* Opens the file at `io` in `work` bytes and reads all of its datasets: by a slab each; each chunk in slices of 512
 * bytes; each chunk as a whole. *sum becomes a checksum over what came. UTET_E_BUDGET: the workspace is too small. */
utet_status medium_read(const utet_io *io, const utet_codec *codec, medium_way way, void *work, size_t size,
                        uint64_t *sum);
/* *need: the smallest and the largest useful workspace, as the library states them, for all that medium_read reads in
 * this way. */
utet_status medium_need(const utet_io *io, const utet_codec *codec, medium_way way, void *work, size_t size,
                        utet_need *need);

#endif
