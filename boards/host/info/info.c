/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The text of utet info: layout, memory budget, datasets, tiles, chunks. */
#include "info.h"
#include "shared/metadata.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SOME_CHUNKS 16

static void layout_row(table *t, const char *name, uint64_t from, uint64_t end, const char *remark)
{
    table_cell(t, name);
    table_number(t, from);
    table_number(t, end - from);
    table_cell(t, remark);
}

static void spill_row(table *t, const char *name, const utet_span *spill)
{
    if (spill->length > 0)
        layout_row(t, name, spill->offset, spill->offset + spill->length, "");
}

static void print_layout(const source *s, const totals *all, const metadata *m)
{
    const utet_file *f = &s->file;
    char number[32];
    char remark[80];
    table t;

    put_safely(stdout, s->path, strlen(s->path));
    printf(": %s bytes, .tet layout 1\n\n", grouped(number, s->port.io.size));
    table_begin(&t, "lrrl");
    table_cell(&t, "layout");
    table_cell(&t, "offset");
    table_cell(&t, "bytes");
    table_cell(&t, "");
    layout_row(&t, "superblock", 0, SUPERBLOCK_BYTES, "");
    if (f->dataset_count > 0) {
        (void)snprintf(remark, sizeof remark, "%" PRIu32 " dataset%s", f->dataset_count,
                       f->dataset_count == 1 ? "" : "s");
        layout_row(&t, "directory", SUPERBLOCK_BYTES, f->index_offset, remark);
        (void)snprintf(remark, sizeof remark, "%s row%s", grouped(number, f->row_count), f->row_count == 1 ? "" : "s");
        layout_row(&t, "chunk index", f->index_offset, f->index_offset + f->index_length, remark);
    }
    if (all->end > 0)
        layout_row(&t, "payloads", all->first, all->end, "from the first to the last");
    spill_row(&t, "zone maps", &m->meta.spills[UTET_SPILL_ZONES]);
    spill_row(&t, "indexes", &m->meta.spills[UTET_SPILL_INDEXES]);
    if (f->history_version != 0) {
        (void)snprintf(remark, sizeof remark, "version %" PRIu32 ", and a tail of %d bytes", f->history_version,
                       FOOTER_TAIL_BYTES);
        layout_row(&t, "footer", f->footer_offset, f->footer_offset + f->footer_length, remark);
    }
    if (f->footer_status != UTET_OK)
        layout_row(&t, "footer", s->port.io.size - FOOTER_TAIL_BYTES, s->port.io.size, utet_strerror(f->footer_status));
    (void)table_end(&t);
}

static void print_execution(const utet_file *f)
{
    char number[32];

    fputs("\nmemory budget  ", stdout);
    if (f->memory_budget_bytes != 0)
        printf("%s bytes", grouped(number, f->memory_budget_bytes));
    if (f->memory_budget_percent_bps != 0)
        printf("%s%u.%02u %% of memory", f->memory_budget_bytes != 0 ? ", " : "", f->memory_budget_percent_bps / 100u,
               f->memory_budget_percent_bps % 100u);
    puts(f->memory_budget_bytes == 0 && f->memory_budget_percent_bps == 0 ? "none stated" : "");
}

void info_codec_cells(table *t, const tally *one)
{
    static const char *const codecs[4] = {"-", "raw", "zstd", "mixed"};
    char text[32];

    table_cell(t, codecs[one->codecs]);
    table_number(t, one->raw);
    table_number(t, one->stored);
    (void)snprintf(text, sizeof text, "%.1f", one->raw > 0 ? 100.0 * (double)one->stored / (double)one->raw : 100.0);
    table_cell(t, text);
}

static void dataset_row(void *ctx, const utet_dataset *d, const char *name, const tally *one)
{
    table *const t = ctx;
    char text[200];

    (void)snprintf(text, sizeof text, "#%" PRIu32, d->id);
    table_cell(t, text);
    table_text(t, name, d->name_length);
    table_cell(t, utet_show_dtype(d->dtype));
    table_cell(t, shape_text(text, d->shape, d->ndim, " x "));
    table_cell(t, shape_text(text, d->chunk_shape, d->ndim, " x "));
    table_number(t, one->rows);
    info_codec_cells(t, one);
    table_number(t, one->largest);
}

/* Prints the size of a tile, and how many payloads have a checksum. */
static void tile_row(void *ctx, const utet_dataset *d, const char *name, const tally *one)
{
    table *const t = ctx;
    char text[64];
    char number[32];

    (void)snprintf(text, sizeof text, "#%" PRIu32, d->id);
    table_cell(t, text);
    table_text(t, name, d->name_length);
    table_number(t, one->least);
    table_number(t, one->rows > 0 ? one->raw / one->rows : 0);
    table_number(t, one->largest);
    table_number(t, one->least_stored);
    table_number(t, one->rows > 0 ? one->stored / one->rows : 0);
    table_number(t, one->largest_stored);
    if (one->checksums == 0 || one->checksums == one->rows)
        (void)snprintf(text, sizeof text, "%s", one->checksums == 0 ? "none" : "all");
    else
        (void)snprintf(text, sizeof text, "%s of them", grouped(number, one->checksums));
    table_cell(t, text);
}

/* Passes each dataset to `row`, or the one that is asked for. */
static int each_dataset(source *s, const options *opt, const totals *all, int looks, void *ctx,
                        void (*row)(void *, const utet_dataset *, const char *, const tally *))
{
    tallies *const counted = tallies_begin(s, all, looks);
    utet_dataset dataset;
    utet_status status;

    if (counted == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory");
    if (opt->dataset == NULL)
        status = utet_dataset_first(&s->file, &dataset);
    else
        status = source_dataset(s, opt->dataset, &dataset) == TOOL_OK ? UTET_OK : UTET_E_NOT_FOUND;
    while (status == UTET_OK) {
        char *name;

        if (opt->dataset != NULL || dataset.id % counted->count == 0)
            status = tallies_block(counted, s, all, dataset.id);
        name = status == UTET_OK ? source_name(s, &dataset) : NULL;
        if (name == NULL)
            break;
        row(ctx, &dataset, name, &counted->block[dataset.id - counted->from]);
        free(name);
        status = opt->dataset != NULL ? UTET_END : utet_dataset_next(&s->file, &dataset);
    }
    tallies_end(counted);
    if (status == UTET_OK || status == UTET_E_NOT_FOUND) /* the error line has been printed */
        return TOOL_ERROR;
    return status == UTET_END ? TOOL_OK : source_fail(s, status);
}

#define SOME_TILES 100000u /* payloads that are looked at unasked */

static int print_tiles(source *s, const options *opt, const totals *all)
{
    static const char *const heads[9] = {
        "", "tiles in bytes", "least", "mean", "largest", "least stored", "mean stored", "largest stored", "checksums"};
    table t;
    size_t i;
    int result;

    if (!opt->all && s->file.row_count > SOME_TILES)
        return TOOL_OK;
    putchar('\n');
    table_begin(&t, "rlrrrrrrl");
    for (i = 0; i < 9; i++)
        table_cell(&t, heads[i]);
    result = each_dataset(s, opt, all, 1, &t, tile_row);
    return table_end(&t) == TOOL_OK ? result : TOOL_ERROR;
}

#define SOME_DATASETS 50u /* that are shown one by one unasked */
#define OTHER_LINES 18u   /* the rest of the screen: layout, budget, totals, prompt */
#define FEW_BRANCHES 5u

static int is_summary(const source *s, const options *opt)
{
    return !opt->all && opt->dataset == NULL && s->file.dataset_count > SOME_DATASETS;
}

static int print_names_tree(source *s, const options *opt, const totals *all)
{
    names_tree *const names = names_begin();
    size_t width;
    size_t height;
    int result;

    if (names == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory");
    terminal_size(&width, &height);
    height = height > OTHER_LINES + FEW_BRANCHES ? height - OTHER_LINES : FEW_BRANCHES;
    result = each_dataset(s, opt, all, 0, names, names_add);
    if (result == TOOL_OK)
        result = names_print(names, height < NAMES_BRANCHES ? height : NAMES_BRANCHES, s->file.dataset_count);
    names_end(names);
    return result;
}

static void print_sum(const source *s, const options *opt, const totals *all)
{
    char number[32];

    if (s->file.dataset_count < 2 || opt->dataset != NULL || all->raw == 0)
        return;
    printf("%s bytes in all, ", grouped(number, all->raw));
    printf("%s stored (%.1f %%)\n", grouped(number, all->stored), 100.0 * (double)all->stored / (double)all->raw);
}

static int print_datasets(source *s, const options *opt, const totals *all)
{
    static const char *const heads[11] = {"",      "dataset", "dtype",  "shape", "chunk shape",  "chunks",
                                          "codec", "bytes",   "stored", "%",     "largest chunk"};
    table t;
    size_t i;
    int result;

    putchar('\n');
    table_begin(&t, "rlllrrlrrrr");
    for (i = 0; i < 11; i++)
        table_cell(&t, heads[i]);
    result = each_dataset(s, opt, all, 0, &t, dataset_row);
    if (table_end(&t) != TOOL_OK || result != TOOL_OK)
        return TOOL_ERROR;
    print_sum(s, opt, all);
    return print_tiles(s, opt, all);
}

/* Returns the number of axes of each dataset; NULL: not enough memory. */
static uint8_t *axes_of_all(source *s)
{
    uint8_t *const axes = malloc((size_t)s->file.dataset_count + 1);
    utet_dataset dataset;
    utet_status status;

    if (axes == NULL)
        return NULL;
    memset(axes, UTET_MAX_NDIM, (size_t)s->file.dataset_count + 1);
    for (status = utet_dataset_first(&s->file, &dataset); status == UTET_OK && dataset.id < s->file.dataset_count;
         status = utet_dataset_next(&s->file, &dataset))
        axes[dataset.id] = dataset.ndim;
    return axes;
}

/* Prints the rows of one dataset. */
static utet_status rows_of(source *s, uint64_t id, uint64_t *rows)
{
    utet_chunk chunk;
    utet_status status = utet_row_first(&s->file, &chunk);

    for (*rows = 0; status == UTET_OK; status = utet_row_next(&s->file, &chunk))
        *rows += chunk.dataset_id == id;
    return status == UTET_END ? UTET_OK : status;
}

/* Prints one row. `axes` may be NULL. Columns have fixed widths, because a file may have millions of rows. */
static void print_chunk(const source *s, const utet_chunk *chunk, const uint8_t *axes)
{
    const unsigned ndim = axes != NULL && chunk->dataset_id < s->file.dataset_count ? axes[chunk->dataset_id]
                                                                                    : UTET_MAX_NDIM;
    char coords[200];

    printf("%9" PRIu64 " %7s%" PRIu64 "  %-5s %14" PRIu64 " %12" PRIu64 " %12" PRIu64 "  %s\n", chunk->row, "#",
           chunk->dataset_id, chunk->codec == UTET_CODEC_RAW ? "raw" : "zstd", chunk->payload_offset,
           chunk->stored_byte_len, chunk->raw_byte_len, shape_text(coords, chunk->coords, ndim, ", "));
}

/* Prints the rows of all datasets, or of the requested one. */
static int print_chunks(source *s, const options *opt)
{
    uint8_t *axes;
    utet_chunk chunk;
    utet_dataset only;
    utet_status status = UTET_OK;
    uint64_t rows = s->file.row_count;
    uint64_t shown = 0;
    char number[32];

    if (opt->dataset != NULL) {
        if (source_dataset(s, opt->dataset, &only) != TOOL_OK)
            return TOOL_ERROR;
        status = rows_of(s, only.id, &rows);
    }
    if (status == UTET_OK && rows == 0)
        return TOOL_OK;
    axes = axes_of_all(s);
    if (status == UTET_OK)
        status = utet_row_first(&s->file, &chunk);
    printf("\n%9s %8s  %-5s %14s %12s %12s  coordinates\n", "row", "dataset", "codec", "offset", "stored", "bytes");
    for (; status == UTET_OK; status = utet_row_next(&s->file, &chunk)) {
        if (opt->dataset != NULL && chunk.dataset_id != only.id)
            continue;
        if (!opt->all && shown == SOME_CHUNKS && rows > SOME_CHUNKS + 1) {
            printf("%9s %s more (--all lists them)\n", "", grouped(number, rows - SOME_CHUNKS));
            status = UTET_END;
            break;
        }
        shown++;
        print_chunk(s, &chunk, axes);
    }
    free(axes);
    return status == UTET_END ? TOOL_OK : source_fail(s, status);
}

static int info_text(source *s, const options *opt, const metadata *m, const totals *all)
{
    char number[32];
    int result = TOOL_OK;

    print_layout(s, all, m);
    print_execution(&s->file);
    if (is_summary(s, opt)) {
        result = print_names_tree(s, opt, all);
        print_sum(s, opt, all);
    } else if (s->file.dataset_count > 0) {
        result = print_datasets(s, opt, all);
    }
    if (all->stray > 0)
        printf("%s rows belong to no dataset\n", grouped(number, all->stray));
    if (result == TOOL_OK && m->status == UTET_OK && !is_summary(s, opt))
        metadata_text(m);
    if (result == TOOL_OK && !is_summary(s, opt))
        result = print_chunks(s, opt);
    return result;
}

/* Reads all rows once, before anything is printed, because the reference refuses a file with any bad row. If all are
 * good, the result is that of opening the metadata; otherwise metadata_judge finds the offset. */
static int look_at_rows(source *s, const options *opt, metadata *m, totals *all)
{
    const utet_status status = totals_count(s, all);

    if (status != UTET_OK && !(status == UTET_E_ROW && opt->strict))
        return source_fail(s, status);
    if (status != UTET_OK || all->end > m->meta.payload_limit)
        metadata_judge(m, s);
    return opt->strict && m->status != UTET_OK ? metadata_fail(m, s) : TOOL_OK;
}

static int print(source *s, const options *opt, metadata *m)
{
    totals all;
    int result;

    memset(&all, 0, sizeof all);
    result = look_at_rows(s, opt, m, &all);
    if (result == TOOL_OK)
        result = opt->json ? info_json(s, m) : info_text(s, opt, m, &all);
    /* A damaged footer loses history and metadata, but no tensors: its error line is printed after everything else. */
    if (result == TOOL_OK && finish_stdout(TOOL_OK) != TOOL_OK)
        return TOOL_ERROR;
    return result == TOOL_OK && m->status != UTET_OK ? metadata_fail(m, s) : result;
}

/* Prints only the names of all datasets, one on each line. */
static int print_names(source *s)
{
    utet_dataset dataset;
    utet_status status = utet_dataset_first(&s->file, &dataset);

    for (; status == UTET_OK; status = utet_dataset_next(&s->file, &dataset)) {
        char *const name = source_name(s, &dataset);

        if (name == NULL)
            return TOOL_ERROR;
        put_safely(stdout, name, dataset.name_length);
        putchar('\n');
        free(name);
    }
    return status == UTET_END ? TOOL_OK : source_fail(s, status);
}

int command_info(const options *opt)
{
    source s;
    metadata m;
    utet_dataset asked;
    int result = source_begin(&s, opt);

    if (opt->names) {
        result = result == TOOL_OK ? print_names(&s) : result;
        source_end(&s);
        return result;
    }
    if (result == TOOL_OK && opt->dataset != NULL) /* before anything is printed */
        result = source_dataset(&s, opt->dataset, &asked);
    if (result == TOOL_OK)
        result = metadata_read(&m, &s);
    if (result == TOOL_OK) {
        result = print(&s, opt, &m);
        metadata_end(&m);
    }
    source_end(&s);
    return result;
}
