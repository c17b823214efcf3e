/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice of tile and codec. Every candidate, extents that are powers of two or the whole axis, that the target has
 * RAM for is tried on a sample: some of its tiles are cut out of the input and compressed. From the bytes that they
 * take follows what one access reads and decodes (pack_cost.c); the candidate with the lowest cost is taken.
 */
#include "pack.h"
#include "pack_cost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CANDIDATES 16384u
#define MOST_TRIED 256u          /* candidates that are compressed; of more, those that promise most */
#define LEAST_TILE 128u          /* bytes; below, rows of the index weigh more than the data */
#define LARGEST_TILE (64u << 10) /* considered */
#define SAMPLE_BYTES (96u << 10) /* bytes compressed for each candidate */
#define SHOWN 8u

typedef struct search {
    const pack_options *opt;
    const pack_input *in;
    candidate *list;
    size_t count;
    int all_free;   /* every axis is tried, and small tiles */
    uint64_t least; /* smallest workspace that one of the candidates without room needs */
    pack_workers *workers;
    uint8_t *box;
    uint8_t *arena;
} search;

static uint64_t clipped(const pack_input *in, unsigned axis, uint64_t extent)
{
    return extent < in->shape[axis] ? extent : in->shape[axis];
}

/* Returns nonzero if the target has the RAM. */
static int fits(search *s, const candidate *c)
{
    utet_need need;

    cost_need(s->opt, c, &need);
    if (target_holds(&s->opt->machine, need.least))
        return 1;
    if (need.least < s->least)
        s->least = need.least;
    return 0;
}

static void add(search *s, const uint64_t *tile)
{
    const uint64_t bytes = pack_tile_bytes(s->in, tile);
    unsigned d;
    int codec;

    for (codec = PACK_RAW; codec <= PACK_ZSTD; codec++) {
        candidate *const c = &s->list[s->count];

        if (s->count == MOST_CANDIDATES || (s->opt->codec != PACK_AUTO && s->opt->codec != codec) ||
            (codec == PACK_ZSTD && !pack_has_zstd()) ||
            (codec == PACK_RAW && s->opt->codec == PACK_AUTO && s->opt->checksum == CHECKSUM_ALL))
            continue;
        memset(c, 0, sizeof *c);
        memcpy(c->tile, tile, sizeof c->tile);
        c->codec = codec;
        c->bytes = bytes;
        c->ratio = 1;
        c->tiles = 1;
        for (d = 0; d < s->in->ndim; d++)
            c->tiles *= (s->in->shape[d] - 1) / tile[d] + 1;
        s->count += (size_t)fits(s, c);
    }
}

/* Axes that accesses distinguish: the first, the last, the last but one. Others have tiles of 1. */
static int is_free(const search *s, unsigned axis)
{
    return s->all_free || axis == 0 || axis + 2 >= s->in->ndim;
}

static void enumerate(search *s, unsigned axis, uint64_t *tile)
{
    uint64_t extent;

    if (axis == s->in->ndim) {
        const uint64_t bytes = pack_tile_bytes(s->in, tile);
        const uint64_t whole = pack_tile_bytes(s->in, s->in->shape);

        if (bytes <= LARGEST_TILE && (bytes >= LEAST_TILE || bytes == whole || s->all_free))
            add(s, tile);
        return;
    }
    for (extent = 1;; extent *= 2) {
        unsigned d;

        tile[axis] = clipped(s->in, axis, extent);
        for (d = axis + 1; d < s->in->ndim; d++)
            tile[d] = 1;
        if (pack_tile_bytes(s->in, tile) > LARGEST_TILE)
            return;
        enumerate(s, axis + 1, tile);
        if (extent >= s->in->shape[axis] || !is_free(s, axis))
            return;
    }
}

/* Numbers that look random and are the same in each run. */
static uint64_t scatter(uint64_t i, uint64_t salt)
{
    uint64_t x = (i + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ salt * UINT64_C(0xD1B54A32D192ED03);

    x ^= x >> 29;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 32;
}

/* Compresses the tile at `coords`; *stored and *raw grow. */
static int try_tile(search *s, const candidate *c, const uint64_t *coords, uint64_t *raw, uint64_t *stored)
{
    uint64_t start[UTET_MAX_NDIM];
    pack_box_job job;
    pack_tile tile;
    unsigned d;

    memset(&job, 0, sizeof job);
    memset(&tile, 0, sizeof tile);
    tile.raw = s->in->elem_size;
    for (d = 0; d < s->in->ndim; d++) {
        start[d] = coords[d] * c->tile[d];
        tile.extent[d] = clipped(s->in, d, start[d] + c->tile[d]) - start[d];
        job.count[d] = tile.extent[d];
        tile.raw *= (size_t)tile.extent[d];
    }
    if (pack_box(s->in, start, job.count, s->box) != TOOL_OK)
        return TOOL_ERROR;
    job.box = s->box;
    job.arena = s->arena;
    job.ndim = s->in->ndim;
    job.elem_size = s->in->elem_size;
    job.tiles = &tile;
    job.tile_count = 1;
    *raw += tile.raw;
    pack_workers_start(s->workers, &job);
    *stored += tile.stored;
    return TOOL_OK;
}

/* Stored bytes for each byte of data, from a sample of tiles or all of them. */
static int measure(search *s, candidate *c)
{
    const uint64_t most = s->opt->sample_all ? UINT64_MAX : s->opt->sample != 0 ? s->opt->sample : SAMPLE_BYTES;
    const uint64_t tiles = c->tiles;
    uint64_t coords[UTET_MAX_NDIM] = {0};
    uint64_t raw = 0;
    uint64_t stored = 0;
    uint64_t i;
    unsigned d;

    if (c->codec == PACK_RAW)
        return TOOL_OK;
    for (i = 0; i < tiles && (raw < most || i < 2); i++) {
        uint64_t rest = tiles * c->bytes <= most ? i : scatter(i, c->bytes) % tiles;

        for (d = s->in->ndim; d-- > 0;) {
            const uint64_t grid = (s->in->shape[d] - 1) / c->tile[d] + 1;

            coords[d] = rest % grid;
            rest /= grid;
        }
        if (try_tile(s, c, coords, &raw, &stored) != TOOL_OK)
            return TOOL_ERROR;
    }
    c->ratio = (double)stored / (double)raw;
    return TOOL_OK;
}

static int by_cost(const void *a, const void *b)
{
    const candidate *const x = a;
    const candidate *const y = b;
    unsigned d;

    if (x->cost < y->cost || x->cost > y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->codec != y->codec)
        return x->codec < y->codec ? -1 : 1;
    for (d = 0; d < UTET_MAX_NDIM; d++)
        if (x->tile[d] != y->tile[d])
            return x->tile[d] < y->tile[d] ? -1 : 1;
    return 0;
}

/* Of more candidates than can be tried, those that would be best if all compressed as the largest tile does. Raw ones
 * cost nothing to try. */
static int shortlist(search *s)
{
    candidate *largest = NULL;
    size_t tried = 0;
    size_t kept = 0;
    size_t i;

    for (i = 0; i < s->count; i++)
        if (s->list[i].codec == PACK_ZSTD) {
            tried++;
            if (largest == NULL || s->list[i].bytes > largest->bytes)
                largest = &s->list[i];
        }
    if (tried <= MOST_TRIED)
        return TOOL_OK;
    if (measure(s, largest) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < s->count; i++) {
        if (s->list[i].codec == PACK_ZSTD)
            s->list[i].ratio = largest->ratio;
        cost_of(s->opt, s->in, &s->list[i]);
    }
    qsort(s->list, s->count, sizeof *s->list, by_cost);
    for (i = 0, tried = 0; i < s->count; i++)
        if (s->list[i].codec == PACK_RAW || ++tried <= MOST_TRIED)
            s->list[kept++] = s->list[i];
    s->count = kept;
    return TOOL_OK;
}

static void print_table(const search *s)
{
    static const char *const heads[9] = {"",    "tile",    "codec", "tile bytes", "on the card",
                                         "RAM", "sectors", "ms",    "cost"};
    static const char *const access[] = {"a row", "a column", "a box of 32 x 32", "a frame", "all of it"};
    char text[200];
    size_t shown = 0;
    size_t i;
    table t;

    printf("%s: the best of %zu candidates for reading %s on %s\n", s->in->name, s->count, access[s->opt->access],
           target_name(&s->opt->machine));
    table_begin(&t, "lllrrrrrr");
    for (i = 0; i < 9; i++)
        table_cell(&t, heads[i]);
    for (i = 0; i < s->count && (shown < SHOWN || s->opt->force_table); i++, shown++) {
        const candidate *const c = &s->list[i];
        utet_need need;

        cost_need(s->opt, c, &need);
        table_cell(&t, i == 0 ? "->" : "");
        table_cell(&t, shape_text(text, c->tile, s->in->ndim, "x"));
        table_cell(&t, c->codec == PACK_RAW ? "raw" : "zstd");
        table_number(&t, c->bytes);
        table_number(&t, (uint64_t)c->card);
        table_number(&t, need.least + target_objects(&s->opt->machine));
        (void)snprintf(text, sizeof text, "%.1f", c->sectors);
        table_cell(&t, text);
        (void)snprintf(text, sizeof text, "%.2f", c->time_us / 1000);
        table_cell(&t, text);
        (void)snprintf(text, sizeof text, "%.3f", c->cost / 1000);
        table_cell(&t, text);
    }
    (void)table_end(&t);
}

static int search_all(search *s, pack_plan *plan)
{
    uint64_t tile[UTET_MAX_NDIM];
    progress line;
    size_t i;

    memset(tile, 0, sizeof tile);
    enumerate(s, 0, tile);
    if (s->count == 0) {
        s->all_free = 1;
        enumerate(s, 0, tile);
    }
    if (s->count == 0)
        return fail(s->in->path, "target", NO_OFFSET,
                    "no tile fits on %s: the workspace of a reader is %" PRIu64
                    " bytes, the smallest tile needs %" PRIu64 "; use --ram %" PRIu64 "%s",
                    target_name(&s->opt->machine), target_workspace(&s->opt->machine), s->least,
                    target_ram(&s->opt->machine, s->least), s->opt->codec == PACK_ZSTD ? ", or --codec raw" : "");
    if (shortlist(s) != TOOL_OK)
        return TOOL_ERROR;
    progress_begin(&line, "trying tiles", s->count);
    for (i = 0; i < s->count; i++) {
        if (measure(s, &s->list[i]) != TOOL_OK)
            return TOOL_ERROR;
        cost_of(s->opt, s->in, &s->list[i]);
        progress_at(&line, i);
    }
    progress_end(&line);
    qsort(s->list, s->count, sizeof *s->list, by_cost);
    memcpy(plan->tile, s->list[0].tile, sizeof plan->tile);
    plan->codec = s->list[0].codec;
    if (s->opt->tables_left > 0 || s->opt->force_table)
        print_table(s);
    return TOOL_OK;
}

/* Nothing to try: no elements, or a shape that the user named. */
static int is_settled(const pack_options *opt, const pack_input *in, pack_plan *plan)
{
    const int empty = pack_elements(in) == 0;

    plan->codec = opt->codec == PACK_RAW || !pack_has_zstd() ? PACK_RAW : PACK_ZSTD;
    if (opt->index_keep) {
        pack_tet_tile(in, plan->tile);
        return 1;
    }
    if (opt->tile_ndim == 0 && !opt->tile_whole && !empty)
        return 0;
    memcpy(plan->tile, opt->tile_ndim > 0 && opt->tile_ndim == in->ndim ? opt->tile : in->shape, sizeof plan->tile);
    return 1;
}

/* Candidates read the same elements again and again, a row of a tile at a time: small inputs are held meanwhile. */
#define HELD_BYTES ((uint64_t)16 << 20)

static int hold(const pack_input *in, pack_input *held, uint8_t **memory)
{
    static const uint64_t first[UTET_MAX_NDIM];
    const uint64_t bytes = pack_elements(in) > HELD_BYTES ? UINT64_MAX : pack_elements(in) * in->elem_size;

    *held = *in;
    *memory = NULL;
    if (in->tet == NULL && in->view.ask_to == 0 && in->cast.from == 0) {
        if (pack_view_hold(in, HELD_BYTES, memory) != TOOL_OK)
            return TOOL_ERROR;
    } else if (bytes <= HELD_BYTES && (*memory = malloc((size_t)bytes)) != NULL) {
        if (pack_box(in, first, in->shape, *memory) != TOOL_OK)
            return TOOL_ERROR;
        held->tet = NULL;
        held->view.ask_to = 0;
        held->cast.from = 0;
        held->view.swapped = 0;
        pack_view_dense(held, -1, 0, 0);
    }
    held->view.held = *memory;
    return TOOL_OK;
}

int pack_choose(const pack_options *opt, const pack_input *in, pack_plan *plan)
{
    pack_input held;
    uint8_t *memory;
    search s;
    int result;

    if (opt->tile_ndim > 0 && opt->tile_ndim != in->ndim)
        return fail(in->path, "dataset", NO_OFFSET, "%s has %u axes, but --tile gives %u extents", in->name, in->ndim,
                    opt->tile_ndim);
    if (is_settled(opt, in, plan))
        return TOOL_OK;
    memset(&s, 0, sizeof s);
    s.opt = opt;
    s.least = UINT64_MAX;
    if (hold(in, &held, &memory) != TOOL_OK) {
        free(memory);
        return TOOL_ERROR;
    }
    s.in = &held;
    s.list = malloc(MOST_CANDIDATES * sizeof *s.list);
    s.box = malloc(LARGEST_TILE);
    s.arena = malloc(pack_stored_most(opt, LARGEST_TILE));
    s.workers = pack_workers_begin(opt, 0, LARGEST_TILE, PACK_ZSTD);
    if (s.list == NULL || s.box == NULL || s.arena == NULL)
        result = fail(in->path, NULL, NO_OFFSET, "not enough memory");
    else
        result = s.workers != NULL ? search_all(&s, plan) : TOOL_ERROR;
    pack_workers_end(s.workers);
    free(s.list);
    free(s.box);
    free(s.arena);
    free(memory);
    return result;
}
