/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet pack: makes a .tet file from arrays, for a target with kilobytes of RAM. Tiles are small, raw or zstd, whichever
 * is smaller, and written in the order in which they will be read. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A box of tiles that is read, compressed and written. */
typedef struct slot {
    uint8_t *box;
    uint8_t *arena;
    uint64_t box_size;
    uint64_t arena_size;
    pack_tile *tiles;
    size_t tiles_size;
    pack_box_job job;
    uint64_t bytes;
} slot;

typedef struct packing {
    const pack_options *opt;
    pack_inputs inputs;
    pack_plan *plans;
    pack_file file;
    pack_footer footer;
    size_t dataset; /* being written */
    slot slots[2];  /* while one box is compressed, the other one is written and filled again */
    slot *running;
    pack_workers *workers;
    progress line;
    uint64_t done;
} packing;

/* ---- one box ---- */

static int make_room(slot *one, const pack_options *opt, uint64_t bytes, uint64_t tiles)
{
    /* bytes that frames add to each tile, and to each full block */
    const uint64_t stored = pack_stored_most(opt, (size_t)bytes) + tiles * pack_stored_most(opt, 0);

    if (bytes > one->box_size || stored > one->arena_size) {
        free(one->box);
        free(one->arena);
        one->box = malloc((size_t)bytes);
        one->arena = malloc((size_t)stored);
        one->box_size = bytes;
        one->arena_size = stored;
    }
    if (tiles > one->tiles_size) {
        free(one->tiles);
        one->tiles = malloc((size_t)tiles * sizeof *one->tiles);
        one->tiles_size = (size_t)tiles;
    }
    return one->box != NULL && one->arena != NULL && one->tiles != NULL
               ? TOOL_OK
               : fail(NULL, NULL, NO_OFFSET, "not enough memory");
}

static int put_tiles(packing *p, const slot *one)
{
    pack_plan *const plan = &p->plans[p->dataset];
    const pack_box_job *const job = &one->job;
    size_t i;

    for (i = 0; i < job->tile_count; i++) {
        const pack_tile *const tile = &job->tiles[i];

        if (pack_file_put(&p->file, p->opt, p->dataset, plan, job->ndim, tile, job->arena + tile->place) != TOOL_OK)
            return TOOL_ERROR;
        plan->stored += tile->stored;
        plan->uses_zstd |= tile->codec == UTET_CODEC_ZSTD;
        if (plan->largest_stored < tile->stored)
            plan->largest_stored = tile->stored;
    }
    p->done += one->bytes;
    progress_at(&p->line, p->done);
    return TOOL_OK;
}

/* Gives the threads the next box (NULL: none), waits until they have compressed the one before it, and writes that
 * one. */
static int hand_over(packing *p, slot *next)
{
    const slot *const before = p->running;

    if (next != NULL)
        pack_workers_start(p->workers, &next->job);
    p->running = next;
    if (before == NULL)
        return TOOL_OK;
    pack_workers_wait(p->workers, &before->job);
    return put_tiles(p, before);
}

static int pack_one_box(void *ctx, const uint64_t *first, const uint64_t *tiles)
{
    packing *const p = ctx;
    slot *const one = p->running == &p->slots[0] ? &p->slots[1] : &p->slots[0];
    const pack_input *const in = &p->inputs.input[p->dataset];
    const pack_plan *const plan = &p->plans[p->dataset];
    uint64_t start[UTET_MAX_NDIM];
    uint64_t count = 1;
    pack_box_job *const job = &one->job;
    unsigned d;

    one->bytes = in->elem_size;
    for (d = 0; d < in->ndim; d++) {
        start[d] = first[d] * plan->tile[d];
        job->count[d] = tiles[d] * plan->tile[d];
        if (job->count[d] > in->shape[d] - start[d])
            job->count[d] = in->shape[d] - start[d];
        one->bytes *= job->count[d];
        count *= tiles[d];
    }
    if (make_room(one, p->opt, one->bytes, count) != TOOL_OK || pack_box(in, start, job->count, one->box) != TOOL_OK)
        return TOOL_ERROR;
    job->box = one->box;
    job->arena = one->arena;
    job->ndim = in->ndim;
    job->elem_size = in->elem_size;
    job->tiles = one->tiles;
    job->tile_count = pack_plan_tiles(plan, in, p->opt, first, tiles, one->tiles);
    return hand_over(p, one);
}

/* ---- the complete file ---- */

static int plan_all(packing *p, pack_options *opt)
{
    uint64_t rows = 0;
    size_t i;

    p->plans = calloc(p->inputs.count + 1, sizeof *p->plans);
    if (p->plans == NULL)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    opt->tables_left = opt->json ? 0 : 4;
    for (i = 0; i < p->inputs.count; i++) {
        if (pack_choose(opt, &p->inputs.input[i], &p->plans[i]) != TOOL_OK ||
            pack_plan_make(&p->plans[i], &p->inputs.input[i], opt) != TOOL_OK)
            return TOOL_ERROR;
        opt->tables_left -= opt->tables_left > 0;
        p->plans[i].rows_before = rows;
        rows += p->plans[i].tiles;
    }
    return TOOL_OK;
}

/* Computes the memory that the target needs for a tile of a dataset. */
static utet_need need_of(const packing *p, size_t dataset)
{
    const pack_plan *const plan = &p->plans[dataset];
    const uint64_t bytes = plan->tiles > 0 ? pack_tile_bytes(&p->inputs.input[dataset], plan->tile) : 0;
    const target_chunk chunk = {pack_reader_codec(p->opt, plan->codec), 0, bytes, bytes, (bytes + 7) & ~(uint64_t)7};
    utet_need need;

    target_need(&p->opt->machine, &chunk, 0, &need);
    return need;
}

/* Returns the target's need for the largest tile: the useful maximum if the target has this much memory, but at least
 * the minimum. */
static uint32_t budget_of(const packing *p)
{
    const target *const t = &p->opt->machine;
    const uint64_t there = target_workspace(t);
    uint64_t least = 0;
    uint64_t best = 0;
    size_t i;

    if (!p->opt->budget_auto)
        return (uint32_t)p->opt->budget;
    if (!p->opt->machine_given)
        return 0;
    for (i = 0; i < p->inputs.count; i++) {
        const utet_need need = need_of(p, i);

        least = least > need.least ? least : need.least;
        best = best > need.best ? best : need.best;
    }
    if (best > there)
        best = there > least ? there : least;
    return best < UINT32_MAX ? (uint32_t)best : UINT32_MAX;
}

static int64_t event_time(const packing *p)
{
    const char *const text = getenv("SOURCE_DATE_EPOCH");
    char *end;
    long long value;

    if (text == NULL || text[0] == '\0')
        return p->inputs.newest;
    value = strtoll(text, &end, 10);
    return *end == '\0' && value >= 0 ? (int64_t)value : p->inputs.newest;
}

static int write_all(packing *p)
{
    uint64_t largest = 1;
    uint64_t total = 0;
    int codec = PACK_RAW;
    int result = TOOL_OK;
    size_t i;

    for (i = 0; i < p->inputs.count; i++) {
        const uint64_t bytes = p->plans[i].tiles > 0 ? pack_tile_bytes(&p->inputs.input[i], p->plans[i].tile) : 0;

        largest = largest > bytes ? largest : bytes;
        total += pack_elements(&p->inputs.input[i]) * p->inputs.input[i].elem_size;
    }
    progress_bytes(&p->line, "packing", total);
    for (i = 0; result == TOOL_OK && i < p->inputs.count; i++) {
        p->dataset = i;
        if (p->workers == NULL || codec != p->plans[i].codec) {
            pack_workers_end(p->workers);
            codec = p->plans[i].codec;
            p->workers = pack_workers_begin(p->opt, p->opt->threads, largest, codec);
        }
        result = p->workers == NULL ? TOOL_ERROR : pack_plan_boxes(&p->plans[i], &p->inputs.input[i], pack_one_box, p);
        if (result == TOOL_OK)
            result = hand_over(p, NULL);
    }
    progress_end(&p->line);
    return result;
}

/* The RAM that a machine needs for tiles that the user chose; 0: the target has it. */
static uint64_t ram_lacking(const packing *p, size_t dataset)
{
    const target *const t = &p->opt->machine;
    const uint64_t least = need_of(p, dataset).least;

    return !p->opt->machine_given || p->plans[dataset].tiles == 0 || target_holds(t, least) ? 0 : target_ram(t, least);
}

static void say_misfits(const packing *p)
{
    char number[32];
    size_t i;

    for (i = 0; i < p->inputs.count; i++)
        if (ram_lacking(p, i) != 0)
            printf("%s does not fit %s, which needs %s bytes of RAM for it (utet fit says more)\n",
                   p->inputs.input[i].name, target_name(&p->opt->machine), grouped(number, ram_lacking(p, i)));
}

static int summary_json(const packing *p)
{
    uint64_t *const ram = calloc(p->inputs.count + 1, sizeof *ram);
    size_t i;
    int result;

    if (ram == NULL)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    for (i = 0; i < p->inputs.count; i++)
        ram[i] = ram_lacking(p, i);
    result = pack_json(p->opt, &p->inputs, p->plans, p->file.at, ram, p->footer.dropped);
    free(ram);
    return result;
}

static void summary(const packing *p)
{
    static const char *const heads[7] = {"dataset", "dtype", "shape", "tile", "codec", "bytes", "on the card"};
    char text[200];
    char number[32];
    uint64_t raw = 0;
    size_t i;
    table t;

    table_begin(&t, "lllllrr");
    for (i = 0; i < 7; i++)
        table_cell(&t, heads[i]);
    for (i = 0; i < p->inputs.count; i++) {
        const pack_input *const in = &p->inputs.input[i];
        const uint64_t bytes = pack_elements(in) * in->elem_size;

        raw += bytes;
        table_text(&t, in->name, in->name_length);
        table_cell(&t, utet_show_dtype(in->dtype));
        table_cell(&t, shape_text(text, in->shape, in->ndim, " x "));
        table_cell(&t, shape_text(text, p->plans[i].tile, in->ndim, " x "));
        table_cell(&t, p->plans[i].uses_zstd ? "zstd" : "raw");
        table_number(&t, bytes);
        table_number(&t, p->plans[i].stored);
    }
    (void)table_end(&t);
    printf("\n%s: %s bytes, ", p->opt->output, grouped(number, p->file.at));
    printf("%s of data", grouped(number, raw));
    if (raw > 0)
        printf(" (%.1f %%)", 100.0 * (double)p->file.at / (double)raw);
    puts(pack_has_zstd() ? "" : "; this utet was built without libzstd, all tiles are raw");
    say_misfits(p);
    if (p->footer.dropped[0] != '\0')
        printf("left out so that the footer stays below 4 KB: %s (--metadata keep keeps it)\n", p->footer.dropped);
}

/* Writes into the open file. */
static int fill_file(packing *p, pack_options *opt)
{
    int result = plan_all(p, opt);

    if (result == TOOL_OK)
        result = pack_file_begin(&p->file, &p->inputs, p->plans, budget_of(p), 1);
    if (result == TOOL_OK)
        result = write_all(p);
    if (result == TOOL_OK)
        result = pack_footer_make(&p->footer, &p->inputs, p->plans, opt, event_time(p));
    if (result == TOOL_OK)
        result = pack_file_finish(&p->file, &p->footer);
    if (result == TOOL_OK)
        result = pack_file_verify(&p->file, &p->inputs, p->plans, opt);
    return result;
}

/* Appends "key=value". */
static void attributes_cell(table *t, const tree *attributes)
{
    char text[200] = "";
    size_t length = 0;
    size_t i;

    for (i = 0; attributes != NULL && i < attributes->count && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.40s=%.60s", i > 0 ? ", " : "",
                                   attributes->branches[i].key, attributes->branches[i].value.text);
    while (!is_utf8(text, strlen(text)))
        text[strlen(text) - 1] = '\0'; /* a character was truncated */
    table_text(t, text, strlen(text));
}

/* --dry-run: prints what each dataset would be. */
static int dry_run(const packing *p)
{
    static const char *const heads[5] = {"dataset", "from", "dtype", "shape", "attributes"};
    char text[200];
    size_t i;
    table t;

    table_begin(&t, "lllll");
    for (i = 0; i < 5; i++)
        table_cell(&t, heads[i]);
    for (i = 0; i < p->inputs.count; i++) {
        const pack_input *const in = &p->inputs.input[i];

        table_text(&t, in->name, in->name_length);
        table_cell(&t, in->from[0] != '\0' ? in->from : "an array");
        table_cell(&t, utet_show_dtype(in->dtype));
        table_cell(&t, shape_text(text, in->shape, in->ndim, " x "));
        attributes_cell(&t, tree_at(&in->about, "attrs", 5));
    }
    (void)table_end(&t);
    return TOOL_OK;
}

static int pack(packing *p, pack_options *opt)
{
    int result = pack_inputs_open(&p->inputs, opt);

    if (opt->dry_run) {
        if (result == TOOL_OK)
            result = pack_meta_given(&p->inputs, opt);
        if (result == TOOL_OK && opt->json)
            return pack_json_plan(&p->inputs);
        return result == TOOL_OK ? dry_run(p) : result;
    }
    if (result == TOOL_OK)
        result = output_check(opt->output, &p->inputs.files[0], p->inputs.file_count);
    if (result == TOOL_OK)
        result = pack_meta_given(&p->inputs, opt);
    if (result == TOOL_OK && opt->index_keep)
        result = pack_tet_index(&p->inputs, &p->footer);
    if (result != TOOL_OK)
        return result;
    result = pack_file_open(&p->file, opt->output);
    if (result == TOOL_OK)
        result = fill_file(p, opt);
    result = pack_file_end(&p->file, result);
    if (result == TOOL_OK && opt->json)
        return summary_json(p);
    if (result == TOOL_OK)
        summary(p);
    return result;
}

int command_pack(int argc, char **argv)
{
    pack_options opt;
    packing p;
    int result = pack_options_parse(&opt, argc, argv);
    size_t i;

    memset(&p, 0, sizeof p);
    p.opt = &opt;
    if (result == TOOL_OK && opt.list)
        target_list(stdout);
    else if (result == TOOL_OK)
        result = pack(&p, &opt);
    pack_workers_end(p.workers);
    pack_footer_end(&p.footer);
    pack_inputs_end(&p.inputs);
    free(p.plans);
    for (i = 0; i < 2; i++) {
        free(p.slots[i].box);
        free(p.slots[i].arena);
        free(p.slots[i].tiles);
    }
    pack_options_end(&opt);
    return result;
}
