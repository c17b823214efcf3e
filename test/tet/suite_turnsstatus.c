/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Statuses of utet_tiles_init and utet_tiles_read; suite_status.c explains the rest. */
#include "statusworld.h"

/* Every call needs the tile, because none is in memory yet. */
static utet_status read_all(world *w)
{
    utet_status status;
    open_world(w);
    ready_tiles(w);
    DRIVE(status, do_tiles(w));
    return status;
}

/* Replaces the payload of "z", which has room for more. */
static void replace_payload(world *w, const uint8_t *payload, size_t size)
{
    uint8_t *at = row(w, FIRST_Z);
    assert_true(size <= tetgen_get(at + 88, 8));
    memcpy(w->bytes + tetgen_get(at + 72, 8), payload, size);
    tetgen_put(at + 88, size, 8);
}
static utet_status frame(world *w, const uint8_t *head, size_t size)
{
    replace_payload(w, head, size);
    return read_all(w);
}
static utet_status p_window(world *w)
{
    return frame(w, badframes_window, sizeof badframes_window);
}
static utet_status p_dict(world *w)
{
    return frame(w, badframes_dictionary, sizeof badframes_dictionary);
}
static utet_status p_legacy(world *w)
{
    return frame(w, badframes_legacy, sizeof badframes_legacy);
}
static utet_status p_payload(world *w)
{
    return frame(w, badframes_garbage, sizeof badframes_garbage);
}
/* 64 * 96 * 4 times one byte, in one RLE block, and a wrong checksum. */
static utet_status p_checksum(world *w)
{
    uint8_t rle[] = {0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x38, 0, 0, 0, 0x11, 1, 2, 3, 4};
    tetgen_put(rle + 6, 1u | 1u << 1 | 64u * 96u * 4u << 3, 3);
    return frame(w, rle, sizeof rle);
}
static utet_status p_codec(world *w)
{
    w->r.codecs[0] = NULL;
    return read_all(w);
}
static utet_status p_budget(world *w)
{
    w->work = 64 * 96 * 4 + 1000;
    utet_status status = read_all(w);
    assert_true(w->r.file.needed > 1000);
    return status;
}
static utet_status p_row(world *w)
{
    tetgen_put(row(w, FIRST_Z) + 80, 801, 8);
    return read_all(w);
}
static utet_status p_missing(world *w)
{
    tetgen_put(row(w, FIRST_Z) + 8, 99, 8);
    return read_all(w);
}
static utet_status p_range(world *w)
{
    static const utet_range wrong[] = {{0, 65, 1}, {64, 64, 1}, {5, 5, 1}, {6, 5, 1}, {0, 64, 0}, {0, 0, 1}};
    open_world(w);
    ready_tiles(w);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        w->range[0] = wrong[i];
        assert_int_equal(do_tiles(w), UTET_E_RANGE);
    }
    w->range[0] = (utet_range){UINT64_MAX, UINT64_MAX, 1};
    return do_tiles(w);
}
static utet_status p_space(world *w)
{
    open_world(w);
    ready_tiles(w);
    assert_int_equal(utet_tiles_read(&w->tiles, w->range, w->out, 0), UTET_E_SPACE);
    return utet_tiles_read(&w->tiles, w->range, w->out, 64 * 96 * 4 - 1);
}

static const cause causes[] = {
    {TILES, UTET_E_ZSTD_WINDOW, p_window}, {TILES, UTET_E_ZSTD_DICT, p_dict},    {TILES, UTET_E_ZSTD_LEGACY, p_legacy},
    {TILES, UTET_E_PAYLOAD, p_payload},    {TILES, UTET_E_CHECKSUM, p_checksum}, {TILES, UTET_E_CODEC, p_codec},
    {TILES, UTET_E_BUDGET, p_budget},      {TILES, UTET_E_ROW, p_row},           {TILES, UTET_E_MISSING, p_missing},
    {TILES, UTET_E_RANGE, p_range},        {TILES, UTET_E_SPACE, p_space},
};

/* ---- utet_tiles_init, which reads nothing ---- */

static void init_statuses(void **state)
{
    utet_chunk chunk;
    world w;
    (void)state;
    world_make(&w, 0);
    assert_int_equal(utet_tiles_init(&w.tiles, &w.r.file, &w.d, 1), UTET_E_STATE);
    open_world(&w);
    ready_slab(&w);
    const uint64_t reads = w.r.port.reads;
    assert_int_equal(utet_tiles_init(&w.tiles, &w.r.file, &w.d, 0), UTET_E_ARGUMENT);
    assert_int_equal(utet_tiles_init(&w.tiles, &w.r.file, &w.d, SIZE_MAX), UTET_E_BUDGET);
    assert_int_equal(utet_tiles_init(&w.tiles, &w.r.file, &w.d, 12), UTET_OK);
    assert_int_equal(utet_tiles_init(&w.tiles, &w.r.file, &w.d, 1), UTET_E_BUDGET);
    utet_dataset other = w.d;
    other.dtype = UTET_DTYPE_END;
    other.elem_size = other.narrow = 0;
    assert_int_equal(utet_tiles_init(&w.tiles, &w.r.file, &other, 1), UTET_E_DTYPE);
    other = w.d;
    other.chunk_shape[1] = other.narrow = 0;
    assert_int_equal(utet_tiles_init(&w.tiles, &w.r.file, &other, 1), UTET_E_DATASET);
    assert_int_equal(w.r.port.reads, reads);
    w.r.port.blocks = 1;
    flush(&w);
    assert_int_equal(utet_chunk_find(&w.r.file, &w.d, w.at, &chunk), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiles_init(&w.tiles, &w.r.file, &w.d, 1), UTET_E_STATE);
    utet_cancel(&w.r.file);
    world_end(&w);
}

int main(int argc, char **argv)
{
    static const utet_status of_init[] = {UTET_OK,       UTET_E_ARGUMENT, UTET_E_STATE,
                                          UTET_E_BUDGET, UTET_E_DTYPE,    UTET_E_DATASET};
    enum { READS = sizeof causes / sizeof causes[0], INITS = sizeof of_init / sizeof of_init[0] };
    static status_case texts[READS + INITS];
    static struct CMUnitTest cases[READS + INITS];

    for (size_t i = 0; i < READS; i++) {
        texts[i].cause = &causes[i];
        statuses_case(&cases[i], texts[i].name, calls[TILES].name, causes[i].status, run_cause, &texts[i]);
    }
    for (size_t i = 0; i < INITS; i++)
        statuses_case(&cases[READS + i], texts[READS + i].name, "utet_tiles_init", of_init[i], init_statuses, NULL);
    return statuses_run("turnsstatus", cases, READS + INITS, argc, argv);
}
