/*
 * utet fit: what a machine with so many bytes of memory can read. For each dataset the workspace that reading in slices
 * takes, with either decoder, and what loading a whole chunk takes besides the chunk itself.
 */
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The largest over a dataset's chunks; UINT64_MAX when a chunk cannot be read at all. */
typedef struct demand {
    uint64_t slices; /* workspace for reading in slices */
    uint64_t best;   /* past which more brings nothing */
    uint64_t whole;  /* workspace for loading whole chunks */
    uint64_t chunk;  /* decoded bytes */
    utet_status status;
} demand;

static void raise_to(uint64_t *most, uint64_t value)
{
    if (*most < value)
        *most = value;
}

static utet_status measure_chunk(source *s, const utet_chunk *chunk, demand *d)
{
    utet_need need;
    utet_status status = utet_chunk_need(&s->file, chunk, 0, &need);

    if (status != UTET_OK)
        return status;
    raise_to(&d->slices, need.least);
    raise_to(&d->best, need.best);
    status = utet_chunk_need(&s->file, chunk, 1, &need);
    if (status != UTET_OK)
        return status;
    raise_to(&d->whole, need.least);
    raise_to(&d->chunk, chunk->raw_byte_len);
    return UTET_OK;
}

/* All rows once; a chunk that cannot be read spoils its dataset only. */
static utet_status measure_file(source *s, demand *datasets)
{
    utet_chunk chunk;
    utet_status status = utet_chunk_first(&s->file, &chunk);
    progress line;

    progress_begin(&line, "measuring", s->file.row_count);
    for (; status == UTET_OK; status = utet_chunk_next(&s->file, &chunk)) {
        demand *d = chunk.dataset_id < s->file.dataset_count ? &datasets[chunk.dataset_id] : 0;
        utet_status one;

        progress_at(&line, chunk.row);
        if (d == 0 || d->status != UTET_OK)
            continue;
        one = measure_chunk(s, &chunk, d);
        if (is_medium_error(one)) {
            status = one;
            break;
        }
        d->status = one;
    }
    progress_end(&line);
    return status == UTET_END ? UTET_OK : status;
}

static const char *verdict(const demand *d, uint64_t ram)
{
    if (d->status != UTET_OK)
        return utet_strerror(d->status);
    if (d->whole <= ram && d->chunk <= ram - d->whole)
        return "whole chunks";
    return d->slices <= ram ? "in slices" : "does not fit";
}

static void put_row(table *t, const demand *d, uint64_t ram)
{
    table_number(t, d->chunk);
    table_number(t, d->slices);
    table_number(t, d->best);
    table_number(t, d->whole);
    table_cell(t, verdict(d, ram));
}

static int print(source *s, const options *opt, const demand *datasets)
{
    static const char *const heads[6] = { "dataset", "largest chunk", "in slices", "at best", "whole", "fits" };
    uint64_t fitting = 0;
    utet_dataset dataset;
    utet_status status;
    char number[32];
    table t;
    size_t i;

    table_begin(&t, 6);
    for (i = 0; i < 6; i++)
        table_cell(&t, heads[i]);
    status = utet_dataset_first(&s->file, &dataset);
    for (; status == UTET_OK; status = utet_dataset_next(&s->file, &dataset)) {
        const demand *d = &datasets[dataset.id];
        char *name = source_name(s, &dataset);

        if (name == 0)
            return TOOL_ERROR;
        table_text(&t, name, dataset.name_length);
        put_row(&t, d, opt->ram);
        fitting += d->status == UTET_OK && d->slices <= opt->ram;
        free(name);
    }
    table_end(&t, stdout, "lrrrrl");
    if (status != UTET_END)
        return source_fail(s, status);
    printf("\n%" PRIu64 " of %" PRIu32 " datasets can be read within %s bytes", fitting, s->file.dataset_count,
           grouped(number, opt->ram));
    if (s->file.memory_budget_bytes != 0)
        printf("; the file states a budget of %s bytes", grouped(number, s->file.memory_budget_bytes));
    puts(".");
    return TOOL_OK;
}

static int measure_and_print(source *s, const options *opt)
{
    demand *datasets = calloc((size_t)s->file.dataset_count + 1, sizeof *datasets);
    utet_status status;
    size_t i;
    int result;

    if (datasets == 0)
        return fail(s->path, 0, NO_OFFSET, "not enough memory for %" PRIu32 " datasets", s->file.dataset_count);
    for (i = 0; i < s->file.dataset_count; i++)
        datasets[i].slices = UTET_WINDOW_LEAST(1); /* that much opens the file */
    status = measure_file(s, datasets);
    result = status == UTET_OK ? print(s, opt, datasets) : source_fail(s, status);
    free(datasets);
    return result;
}

static int run(const options *opt, const char *heading)
{
    source s;
    int result = source_begin(&s, opt);

    if (result == TOOL_OK) {
        fputs(heading, stdout);
        result = measure_and_print(&s, opt);
    }
    source_end(&s);
    return result;
}

int command_fit(const options *opt)
{
    options one = *opt;
    int result;

    if (opt->codec_given)
        return run(opt, "");
    one.codec = CODEC_SMALL;
    result = run(&one, "With our own zstd decoder (utet_codec_zstd_small):\n\n");
    if (result != TOOL_OK)
        return result;
    one.codec = CODEC_UPSTREAM;
    if (TOOL_HAS_UPSTREAM)
        result = run(&one, "\nWith the zstd package (utet_codec_zstd_upstream):\n\n");
    if (result == TOOL_OK)
        puts("\nBytes of workspace, window included: for reading in slices, past which more brings nothing, and for\n"
             "loading a whole chunk into memory that holds it. The program's own objects and stack come on top.");
    return result;
}
