/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Statuses of damaged files, of their ends, and of structures that they lack; suite_status.c explains the rest. */
#include "statusworld.h"

static utet_status open_damaged(world *w)
{
    utet_status status;
    start(w);
    DRIVE(status, utet_open(&w->r.file, &(utet_options){.budget = (size_t)-1}));
    return status;
}
static utet_status p_magic(world *w)
{
    w->bytes[0] ^= 1;
    return open_damaged(w);
}
static utet_status p_version(world *w)
{
    w->bytes[4] = 2;
    return open_damaged(w);
}
static utet_status p_superblock(world *w)
{
    tetgen_put(w->bytes + 24, w->g.size, 8);
    return open_damaged(w);
}
static utet_status p_directory(world *w)
{
    tetgen_put(w->bytes + 32, w->g.size, 8);
    return open_damaged(w);
}
static utet_status p_dataset(world *w)
{
    tetgen_put(w->bytes + 48, 9, 4);
    return open_damaged(w);
}
static utet_status p_index(world *w)
{
    w->bytes[w->g.index_offset] ^= 1;
    return open_damaged(w);
}
static utet_status p_index_version(world *w)
{
    w->bytes[w->g.index_offset + 4] = 2;
    return open_damaged(w);
}
static utet_status p_open_budget(world *w)
{
    w->work = UTET_WINDOW_LEAST(1) - 1;
    utet_status status = open_damaged(w);
    assert_int_equal(w->r.file.needed, UTET_WINDOW_LEAST(1));
    return status;
}

/* The end of the directory and of the index. */
static utet_status p_end_first(world *w)
{
    static const uint8_t empty[32] = "TETR\1";
    uint8_t file[32];
    memcpy(file, empty, 32);
    file[16] = 32;
    w->r.port.bytes = file;
    w->r.port.io.size = 32;
    open_world(w);
    return do_first(w);
}
static utet_status p_end_next(world *w)
{
    open_world(w);
    dataset(w, MIXED);
    return do_next(w);
}
static utet_status p_end_cfirst(world *w)
{
    tetgen_dataset d = {.name = "e", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {0}, .chunk = {1}};
    tetgen g = {.datasets = &d, .count = 1, .seed = 1};
    tetgen_build(&g);
    w->r.port.bytes = g.bytes;
    w->r.port.io.size = g.size;
    open_world(w);
    utet_status status = do_cfirst(w);
    tetgen_free(&g);
    return status;
}
static utet_status p_end_cnext(world *w)
{
    open_world(w);
    w->c.row = w->g.row_count - 1;
    return do_cnext(w);
}
static utet_status p_end_read(world *w)
{
    open_world(w);
    ready_read(w);
    DRIVE_OK(do_skip(w));
    return do_read(w);
}
static utet_status p_end_run(world *w)
{
    open_world(w);
    ready_run(w);
    DRIVE_OK(do_into(w));
    return do_run(w);
}
static utet_status p_end_check(world *w)
{
    open_world(w);
    ready_check(w);
    return do_checks(w);
}

/* The medium changes after opening. */
static utet_status changed_record(world *w, utet_status (*call)(world *w), uint64_t offset)
{
    utet_status status;
    open_world(w);
    ready_next(w);
    tetgen_put(w->bytes + offset + 8, 77, 4); /* ndim */
    DRIVE(status, call(w));
    return status;
}
static utet_status p_changed_first(world *w)
{
    return changed_record(w, do_first, 40);
}
static utet_status p_changed_next(world *w)
{
    return changed_record(w, do_next, 40 + 16 + 40 + 32);
}
static utet_status p_changed_find(world *w)
{
    return changed_record(w, do_dfind, 40 + 16 + 40 + 32);
}
static utet_status p_changed_check(world *w)
{
    open_world(w);
    ready_check(w);
    flush(w);
    flush_front(w);
    tetgen_put(w->bytes + 40 + 8, 77, 4);
    return do_checks(w);
}

static utet_status p_not_found(world *w)
{
    utet_status status;
    open_world(w);
    DRIVE(status, utet_dataset_find(&w->r.file, "Z", 1, &w->d));
    return status;
}
static utet_status p_name_range(world *w)
{
    char c[4];
    open_world(w);
    dataset(w, RAW);
    assert_int_equal(utet_dataset_name(&w->r.file, &w->d, 39, c, 0), UTET_E_RANGE);
    assert_int_equal(utet_dataset_name(&w->r.file, &w->d, 38, c, 0), UTET_OK);
    return utet_dataset_name(&w->r.file, &w->d, 35, c, 4);
}

/* chunk_find, and slabs while they look up rows; `which` selects the call. */
static utet_status look(world *w, int which)
{
    utet_status status;
    open_world(w);
    dataset(w, MIXED);
    w->range[0] = (utet_range){0, 600, 1};
    if (which == 0)
        DRIVE(status, do_cfind(w));
    else if (which == 1)
        DRIVE(status, do_sneed(w));
    else if (which == 2)
        DRIVE(status, do_slab(w));
    else
        DRIVE(status, do_move(w));
    return status;
}
#define LOOK(name, damage)                        \
    static utet_status p_##name##_find(world *w)  \
    {                                             \
        damage;                                   \
        return look(w, 0);                        \
    }                                             \
    static utet_status p_##name##_sneed(world *w) \
    {                                             \
        damage;                                   \
        return look(w, 1);                        \
    }                                             \
    static utet_status p_##name##_slab(world *w)  \
    {                                             \
        damage;                                   \
        return look(w, 2);                        \
    }                                             \
    static utet_status p_##name##_move(world *w)  \
    {                                             \
        damage;                                   \
        return look(w, 3);                        \
    }
#define RECORD_M (40 + 16 + 40 + 32 + 16 + 8 + 32)
LOOK(missing, tetgen_put(row(w, FIRST_M) + 8, 99, 8))
LOOK(dtype, tetgen_put(w->bytes + RECORD_M + 4, 11, 4))
LOOK(chunk0, tetgen_put(w->bytes + RECORD_M + 16 + 8 + 8, 0, 8))
LOOK(row, tetgen_put(row(w, FIRST_M) + 80, 801, 8))
static utet_status p_range_find(world *w)
{
    w->at[0] = 6;
    return look(w, 0);
}
static utet_status range_slab(world *w, utet_status (*call)(world *w))
{
    static const utet_range wrong[] = {{0, 601, 1}, {600, 600, 1}, {5, 5, 1}, {6, 5, 1}, {0, 600, 0}, {0, 0, 1}};
    open_world(w);
    dataset(w, MIXED);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        w->range[0] = wrong[i];
        assert_int_equal(call(w), UTET_E_RANGE);
    }
    w->range[0] = (utet_range){UINT64_MAX, UINT64_MAX, 1};
    return call(w);
}
static utet_status p_range_sneed(world *w)
{
    return range_slab(w, do_sneed);
}
static utet_status p_range_slab(world *w)
{
    return range_slab(w, do_slab);
}
static utet_status p_range_move(world *w)
{
    return range_slab(w, do_move);
}

static utet_status p_row_cfirst(world *w)
{
    utet_status status;
    tetgen_put(row(w, 0) + 96, 2, 4);
    open_world(w);
    DRIVE(status, do_cfirst(w));
    return status;
}
static utet_status p_row_cnext(world *w)
{
    utet_status status;
    tetgen_put(row(w, 1) + 72, UINT64_MAX - 3, 8);
    open_world(w);
    DRIVE_OK(do_cfirst(w));
    DRIVE(status, do_cnext(w));
    return status;
}
static utet_status p_row_rows(world *w)
{
    utet_status status;
    tetgen_put(row(w, 9) + 88, 1, 8);
    open_world(w);
    utet_check_init(&w->check, &w->r.file);
    DRIVE(status, do_rows(w));
    return status;
}

static const cause causes[] = {
    {OPEN, UTET_E_MAGIC, p_magic},
    {OPEN, UTET_E_VERSION, p_version},
    {OPEN, UTET_E_SUPERBLOCK, p_superblock},
    {OPEN, UTET_E_DIRECTORY, p_directory},
    {OPEN, UTET_E_DATASET, p_dataset},
    {OPEN, UTET_E_INDEX, p_index},
    {OPEN, UTET_E_INDEX_VERSION, p_index_version},
    {OPEN, UTET_E_BUDGET, p_open_budget},
    {FIRST, UTET_END, p_end_first},
    {NEXT, UTET_END, p_end_next},
    {CFIRST, UTET_END, p_end_cfirst},
    {CNEXT, UTET_END, p_end_cnext},
    {READ, UTET_END, p_end_read},
    {RUN, UTET_END, p_end_run},
    {CHECK, UTET_END, p_end_check},
    {FIRST, UTET_E_DATASET, p_changed_first},
    {NEXT, UTET_E_DATASET, p_changed_next},
    {DFIND, UTET_E_DATASET, p_changed_find},
    {CHECK, UTET_E_DATASET, p_changed_check},
    {DFIND, UTET_E_NOT_FOUND, p_not_found},
    {NAME, UTET_E_RANGE, p_name_range},
    {CFIND, UTET_E_MISSING, p_missing_find},
    {SNEED, UTET_E_MISSING, p_missing_sneed},
    {SLAB, UTET_E_MISSING, p_missing_slab},
    {MOVE, UTET_E_MISSING, p_missing_move},
    {CFIND, UTET_E_DTYPE, p_dtype_find},
    {SNEED, UTET_E_DTYPE, p_dtype_sneed},
    {SLAB, UTET_E_DTYPE, p_dtype_slab},
    {MOVE, UTET_E_DTYPE, p_dtype_move},
    {CFIND, UTET_E_DATASET, p_chunk0_find},
    {SNEED, UTET_E_DATASET, p_chunk0_sneed},
    {SLAB, UTET_E_DATASET, p_chunk0_slab},
    {MOVE, UTET_E_DATASET, p_chunk0_move},
    {CFIND, UTET_E_ROW, p_row_find},
    {SNEED, UTET_E_ROW, p_row_sneed},
    {SLAB, UTET_E_ROW, p_row_slab},
    {MOVE, UTET_E_ROW, p_row_move},
    {CFIND, UTET_E_RANGE, p_range_find},
    {SNEED, UTET_E_RANGE, p_range_sneed},
    {SLAB, UTET_E_RANGE, p_range_slab},
    {MOVE, UTET_E_RANGE, p_range_move},
    {CFIRST, UTET_E_ROW, p_row_cfirst},
    {CNEXT, UTET_E_ROW, p_row_cnext},
    {ROWS, UTET_E_ROW, p_row_rows},
};

int main(int argc, char **argv)
{
    return run_causes("filestatus", causes, sizeof causes / sizeof causes[0], argc, argv);
}
