/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "sums.h"

#include "board.h"
#include "print.h"
#include "sha256.h"

#define WAIT(call)                                \
    while ((status = (call)) == UTET_WOULD_BLOCK) \
    wait()

static utet_dataset dataset;
static utet_slab slab;

void sums_line(const uint8_t *dense, size_t bytes, const char *name, uint32_t number)
{
    struct sha256 hash;
    uint8_t digest[32];

    sha256_init(&hash);
    sha256_add(&hash, dense, bytes);
    sha256_end(&hash, digest);
    print_hex_bytes(digest, sizeof digest);
    print_char(' ');
    print_text(name);
    print_char(' ');
    print_u64(number);
    print_char('\n');
}

utet_status sums_print(utet_file *file, const char *name, void (*wait)(void))
{
    utet_range ranges[UTET_MAX_NDIM];
    size_t room;
    uint8_t *const dense = board_spare(&room);
    utet_status status;

    WAIT(utet_dataset_first(file, &dataset));
    while (status == UTET_OK) {
        for (unsigned d = 0; d < dataset.ndim; d++)
            ranges[d] = (utet_range){0, dataset.shape[d], 1};
        WAIT(utet_slab_open(&slab, file, &dataset, ranges));
        if (status == UTET_OK)
            WAIT(utet_slab_read_all(&slab, dense, room));
        if (status != UTET_OK)
            return status;
        sums_line(dense, (size_t)slab.count * dataset.elem_size, name, dataset.id);
        WAIT(utet_dataset_next(file, &dataset));
    }
    return status == UTET_END ? UTET_OK : status;
}
