/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "tiledb": the input is a byte that chooses the kind, the memory and the port, then a file of a TileDB
 * array. What is read in little memory is the same as in ample memory, and the other way round.
 */
#include "../../boards/common/tiledb_walk.h"
#include "fuzz.h"

enum { MOST_TILE = 1 << 16 };

static const utet_tiledb_codec *const codecs[] = {&utet_tiledb_gzip, &utet_tiledb_zstd, NULL};
static const utet_tiledb_options options = {codecs, MOST_TILE};

static tiledb_walk walk;
static faultport port;
static uint8_t memory[1 << 18];

static void go(const uint8_t *data, size_t size, int kind, unsigned how, size_t room)
{
    static utet_file file;

    faultport_init(&port, data, size);
    faultport_zone(&port, 0, memory, sizeof memory);
    port.slice = (how & 8) != 0 ? 5 : SLICE_ALL;
    port.blocks = (how & 16) != 0;
    port.io.unit = (how & 32) != 0 ? 512 : 1;
    if ((how & 64) != 0)
        faultport_map(&port);
    memset(&walk, 0xEE, sizeof walk);
    FUZZ_CHECK(utet_init(&file, &port.io, memory, room & ~(size_t)7, NULL) == UTET_OK);
    tiledb_walk_all(&walk, &file, &options, kind, (how & 128) != 0);
    FUZZ_CHECK(port.violations == 0);
    FUZZ_CHECK(walk.mistakes == 0);
    FUZZ_CHECK(walk.status <= UTET_OK && walk.status != UTET_E_STATE && walk.status != UTET_E_ARGUMENT);
    FUZZ_CHECK(walk.status == UTET_E_BUDGET || file.error_offset <= size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t digest;
    utet_status status;

    if (size < 1 || size > 1 << 14)
        return 0;
    go(data + 1, size - 1, data[0] % 4, data[0], sizeof memory);
    digest = walk.digest;
    status = walk.status;
    if (status == UTET_E_BUDGET) /* a tile larger than permitted */
        return 0;
    if (walk.tile.need.least > sizeof memory)
        return 0;
    go(data + 1, size - 1, data[0] % 4, data[0] ^ 8u,
       walk.tile.need.least != 0 ? (size_t)walk.tile.need.least + 448 : 640);
    /* Faults in parts that nobody requests are only found by a check. */
    FUZZ_CHECK((walk.status == UTET_OK) == (status == UTET_OK) || data[0] < 128);
    FUZZ_CHECK(status != UTET_OK || walk.status != UTET_OK || walk.digest == digest);
    return 0;
}
