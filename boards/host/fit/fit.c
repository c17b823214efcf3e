/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet fit: computes for a target which datasets fit into its RAM. For each dataset it prints the workspace for reading
 * in slices, the workspace beyond which more improves nothing, the workspace for loading a complete tile, and the total
 * RAM: stack, the program's own variables, objects, workspace. Exit status 1 when something does not fit.
 */
#include "shared/seen.h"
#include "target.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The largest needs of a dataset's chunks. */
typedef struct demand {
    uint64_t slices; /* workspace for reading in slices */
    uint64_t best;   /* beyond which more improves nothing */
    uint64_t whole;  /* workspace for loading whole chunks */
    uint64_t chunk;  /* decoded bytes */
    utet_status status;
} demand;

typedef struct fitting {
    const options *opt;
    const target *machine;
    const char *only; /* the requested dataset; NULL: all */
    uint32_t only_id;
    demand *small;    /* needs with the built-in decoder */
    demand *upstream; /* needs with libzstd; NULL: not requested */
    table t;
    uint64_t count;
    uint64_t good;
    demand worst; /* largest needs of the requested datasets, with the first decoder */
    int misses;
    int too_large; /* number of datasets that are readable but too large */
} fitting;

static void raise_to(uint64_t *most, uint64_t value)
{
    if (*most < value)
        *most = value;
}

static utet_status measure_chunk(source *s, const target *t, const utet_chunk *chunk, int upstream, demand *d)
{
    target_chunk there = {chunk->codec, upstream, chunk->raw_byte_len, chunk->stored_byte_len, 0};
    utet_need slices;
    utet_need whole;
    utet_status status = utet_chunk_need(&s->file, chunk, 0, &slices);

    if (status == UTET_OK)
        status = utet_chunk_need(&s->file, chunk, 1, &whole);
    if (status != UTET_OK)
        return status;
    there.history = slices.least - whole.least; /* the same on every machine */
    target_need(t, &there, 0, &slices);
    target_need(t, &there, 1, &whole);
    raise_to(&d->slices, slices.least);
    raise_to(&d->best, slices.best);
    raise_to(&d->whole, whole.least);
    raise_to(&d->chunk, chunk->raw_byte_len);
    return UTET_OK;
}

/* Computes the needs of a chunk, reading the headers of a payload once, however many rows refer to it. */
static utet_status measure_payload(source *s, const target *t, const utet_chunk *chunk, int upstream, seen *payloads,
                                   demand *d)
{
    int known;
    demand *const before = seen_find(payloads, chunk, 0, &known);
    demand now;

    memset(&now, 0, sizeof now);
    if (known)
        now = *before;
    else
        now.status = measure_chunk(s, t, chunk, upstream, &now);
    if (before != NULL)
        *before = now;
    raise_to(&d->slices, now.slices);
    raise_to(&d->best, now.best);
    raise_to(&d->whole, now.whole);
    raise_to(&d->chunk, now.chunk);
    return now.status;
}

/* Reads all rows once. A chunk that cannot be read affects only its own dataset. */
static utet_status measure_file(source *s, const target *t, int upstream, demand *datasets)
{
    utet_chunk chunk;
    utet_status status = utet_row_first(&s->file, &chunk);
    seen payloads;
    progress line;

    seen_begin(&payloads, sizeof(demand), s->file.row_count);
    progress_begin(&line, "measuring", s->file.row_count);
    for (; status == UTET_OK; status = utet_row_next(&s->file, &chunk)) {
        demand *d = chunk.dataset_id < s->file.dataset_count ? &datasets[chunk.dataset_id] : NULL;
        utet_status one;

        progress_at(&line, chunk.row);
        if (d == NULL || d->status != UTET_OK)
            continue;
        one = measure_payload(s, t, &chunk, upstream, &payloads, d);
        if (is_medium_error(one)) {
            status = one;
            break;
        }
        d->status = one;
    }
    progress_end(&line);
    seen_end(&payloads);
    return status == UTET_END ? UTET_OK : status;
}

static uint64_t added(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Returns the total RAM for reading in slices. */
static uint64_t ram_of(const target *t, const demand *d)
{
    return target_ram(t, d->slices);
}

static int loads_whole(const target *t, const demand *d)
{
    return added(target_ram(t, d->whole), d->chunk) <= t->ram;
}

static int is_good(const target *t, const demand *d)
{
    return d->status == UTET_OK && ram_of(t, d) <= t->ram;
}

static const char *verdict(const target *t, const demand *d, char *buffer)
{
    char number[32];

    if (d->status != UTET_OK)
        return utet_strerror(d->status);
    if (!is_good(t, d)) {
        (void)sprintf(buffer, "no: %s bytes missing", grouped(number, ram_of(t, d) - t->ram));
        return buffer;
    }
    return loads_whole(t, d) ? "whole tiles" : "in slices";
}

static void put_row(fitting *f, const char *name, size_t length, const char *codec, const demand *d)
{
    char words[80];

    table_text(&f->t, name, length);
    if (f->upstream != NULL && f->small != NULL)
        table_cell(&f->t, codec);
    table_number(&f->t, d->chunk);
    table_number(&f->t, d->slices);
    table_number(&f->t, d->best);
    table_number(&f->t, d->whole);
    table_number(&f->t, ram_of(f->machine, d));
    table_cell(&f->t, verdict(f->machine, d, words));
}

static void put_json(const fitting *f, const char *name, size_t length, const char *codec, const demand *d)
{
    const int second = f->small != NULL && f->upstream != NULL && strcmp(codec, "upstream") == 0;

    printf("%s\n  {\"dataset\":", f->count > 1 || second ? "," : "");
    json_text(stdout, name, length);
    printf(",\"codec\":\"%s\",\"tile\":%" PRIu64 ",\"slices\":%" PRIu64 ",\"best\":%" PRIu64 ",\"whole\":%" PRIu64
           ",\"ram\":%" PRIu64 ",\"fits\":\"%s\"}",
           codec, d->chunk, d->slices, d->best, d->whole, ram_of(f->machine, d),
           !is_good(f->machine, d)      ? "no"
           : loads_whole(f->machine, d) ? "whole"
                                        : "slices");
}

static void put_dataset(fitting *f, const utet_dataset *dataset, const char *name)
{
    const demand *const first = f->small != NULL ? &f->small[dataset->id] : &f->upstream[dataset->id];

    f->count++;
    if (f->small != NULL && f->opt->json)
        put_json(f, name, dataset->name_length, "small", &f->small[dataset->id]);
    if (f->upstream != NULL && f->opt->json)
        put_json(f, name, dataset->name_length, "upstream", &f->upstream[dataset->id]);
    if (f->small != NULL && !f->opt->json)
        put_row(f, name, dataset->name_length, "small", &f->small[dataset->id]);
    if (f->upstream != NULL && !f->opt->json)
        put_row(f, name, dataset->name_length, "libzstd", &f->upstream[dataset->id]);
    f->good += is_good(f->machine, first) ? 1u : 0u;
    if (!is_good(f->machine, first)) {
        f->misses++;
        f->too_large += first->status == UTET_OK;
    }
    raise_to(&f->worst.slices, first->status == UTET_OK ? first->slices : 0);
}

static int each_dataset(source *s, fitting *f)
{
    utet_dataset dataset;
    utet_status status = utet_dataset_first(&s->file, &dataset);

    for (; status == UTET_OK; status = utet_dataset_next(&s->file, &dataset)) {
        char *name;

        if (f->only != NULL && dataset.id != f->only_id)
            continue;
        name = source_name(s, &dataset);
        if (name == NULL)
            return TOOL_ERROR;
        put_dataset(f, &dataset, name);
        free(name);
    }
    return status == UTET_END ? TOOL_OK : source_fail(s, status);
}

/* Prints how the RAM is used, in the form of README's example. */
static void put_account(const fitting *f)
{
    const target *const t = f->machine;
    const uint64_t total = target_ram(t, f->worst.slices);
    const char *name;
    uint64_t reader;
    table a;

    fputs(t->given[1] != NULL ? "\nThe RAM that --ram gives, the rest as on " : "\nRAM of ", stdout);
    put_safely(stdout, t->name, strlen(t->name));
    if (t->given[1] == NULL && t->about[0] != '\0') {
        fputs(": ", stdout);
        put_safely(stdout, t->about, strlen(t->about));
    }
    puts(", for the dataset that takes most");
    table_begin(&a, "lr");
    table_cell(&a, "stack");
    table_number(&a, t->stack);
    table_cell(&a, "the program's own");
    table_number(&a, t->program);
    table_cell(&a, "port");
    table_number(&a, t->port);
    table_cell(&a, "utet_file");
    table_number(&a, t->file);
    table_cell(&a, "utet_dataset");
    table_number(&a, t->dataset);
    reader = target_reader(t, &name);
    table_cell(&a, name);
    table_number(&a, reader);
    if (target_meta(t) != 0) {
        table_cell(&a, "utet_meta, utet_dataset_meta");
        table_number(&a, target_meta(t));
    }
    table_cell(&a, "workspace, in slices");
    table_number(&a, f->worst.slices);
    table_cell(&a, total <= t->ram ? "free" : "missing");
    table_number(&a, total <= t->ram ? t->ram - total : total - t->ram);
    table_cell(&a, "all");
    table_number(&a, t->ram);
    (void)table_end(&a);
}

/* Prints "utet COMMAND FILE -o NEW.tet --for …", quoted for a shell, with the target options of this command line. */
static void put_command(const source *s, const fitting *f, const char *command, const char *more)
{
    const char *const name = f->only != NULL && f->only[0] != '#' ? f->only : NULL;
    const char *const separator = strcmp(command, "pack") == 0 ? ":" : " ";
    char *const file = malloc(strlen(s->path) + strlen(name != NULL ? name : "") + 4);

    if (file == NULL)
        return;
    (void)sprintf(file, "%s%s", s->path[0] == '-' ? "./" : "", s->path);
    if (name != NULL && separator[0] == ':')
        (void)sprintf(file + strlen(file), ":%s", name);
    printf("utet %s ", command);
    put_shell_word(stdout, file);
    if (name != NULL && separator[0] == ' ') {
        putchar(' ');
        put_shell_word(stdout, name);
    }
    fputs(more, stdout);
    target_put_options(stdout, f->machine);
    putchar('\n');
    free(file);
}

/* Prints advice if a dataset does not fit: smaller tiles, raw tiles, the small decoder, or more RAM. */
static void put_advice(const source *s, const fitting *f)
{
    static const char new_file[] = "NEW.tet";
    const char *const slash = strrchr(s->path, '/');
    const char *const more = strcmp(slash != NULL ? slash + 1 : s->path, new_file) == 0 ? " -o NEW2.tet"
                                                                                        : " -o NEW.tet";
    const uint64_t there = target_workspace(f->machine);
    const target_chunk raw = {UTET_CODEC_RAW, 0, 0, 0, 0};
    const target_chunk packed = {UTET_CODEC_ZSTD, 0, 0, 1 << 16, 0}; /* larger than the smallest caches */
    utet_need least;
    utet_need need;
    char number[32];

    target_need(f->machine, &raw, 0, &least);
    target_need(f->machine, &packed, 1, &need);
    if (!target_holds(f->machine, least.least)) {
        printf("\nNo tiles fit. Stack, program and objects take %s bytes of RAM, ",
               grouped(number, target_ram(f->machine, 0)));
        printf("and a reader of raw tiles needs %s bytes in all.\n",
               grouped(number, target_ram(f->machine, (least.least + 7) & ~(uint64_t)7)));
        return;
    }
    if (f->small == NULL) {
        printf("\nThe built-in zstd decoder needs less RAM than libzstd: ");
        put_command(s, f, "fit", "");
        return;
    }
    if (there < need.least + 64)
        printf("\nNo zstd tile fits: %s bytes are left for the workspace. Raw tiles fit: ", grouped(number, there));
    else
        printf("\nZstd tiles of at most %s bytes fit: ", grouped(number, there - need.least));
    put_command(s, f, "pack", more);
}

static void put_heads(fitting *f)
{
    static const char *const heads[8] = {"dataset", "decoder", "largest tile", "in slices",
                                         "at best", "whole",   "RAM in all",   "fits"};
    const int both = f->small != NULL && f->upstream != NULL;
    size_t i;

    table_begin(&f->t, both ? "llrrrrrl" : "lrrrrrl");
    for (i = 0; i < 8; i++)
        if (both || i != 1)
            table_cell(&f->t, heads[i]);
}

static int print(source *s, fitting *f)
{
    char number[32];
    int result;

    if (f->opt->json) {
        fputs("{\"target\":", stdout);
        json_text(stdout, f->machine->name, strlen(f->machine->name));
        printf(",\"ram\":%" PRIu64 ",\"stack\":%" PRIu64 ",\"program\":%" PRIu64 ",\"objects\":%" PRIu64
               ",\"unit\":%" PRIu64 ",\"mapped\":%" PRIu64 ",\"datasets\":[",
               f->machine->ram, f->machine->stack, f->machine->program, target_objects(f->machine), f->machine->unit,
               f->machine->mapped);
        result = each_dataset(s, f);
        printf("],\"fit\":%s}\n", f->misses == 0 ? "true" : "false");
        return result == TOOL_OK && f->misses > 0 ? TOOL_ERROR : result;
    }
    put_heads(f);
    result = each_dataset(s, f);
    if (table_end(&f->t) != TOOL_OK || result != TOOL_OK)
        return TOOL_ERROR;
    put_account(f);
    printf("\n%" PRIu64 " of %" PRIu64 " datasets can be read", f->good, f->count);
    if (s->file.memory_budget_bytes != 0)
        printf("; the file states a budget of %s bytes", grouped(number, s->file.memory_budget_bytes));
    puts(".");
    if (f->too_large > 0)
        put_advice(s, f);
    return f->misses > 0 ? TOOL_ERROR : TOOL_OK;
}

/* Computes the needs of all datasets with one of the decoders. */
static int measure(fitting *f, int upstream, demand **to)
{
    options opt = *f->opt;
    const target_chunk raw = {UTET_CODEC_RAW, 0, 0, 0, 0};
    utet_need window;
    utet_status status;
    source s;
    int result;
    size_t i;

    opt.codec = upstream ? CODEC_UPSTREAM : CODEC_SMALL;
    result = source_begin(&s, &opt);
    if (result == TOOL_OK) {
        *to = calloc((size_t)s.file.dataset_count + 1, sizeof **to);
        if (*to == NULL)
            result = fail(s.path, NULL, NO_OFFSET, "not enough memory for %" PRIu32 " datasets", s.file.dataset_count);
    }
    target_need(f->machine, &raw, 0, &window);
    for (i = 0; result == TOOL_OK && i < s.file.dataset_count; i++)
        (*to)[i].slices = window.least;
    if (result == TOOL_OK) {
        status = measure_file(&s, f->machine, upstream, *to);
        result = status == UTET_OK ? TOOL_OK : source_fail(&s, status);
    }
    source_end(&s);
    return result;
}

static int run(source *s, const options *opt)
{
    fitting f;
    utet_dataset one;
    int result = TOOL_OK;

    memset(&f, 0, sizeof f);
    f.opt = opt;
    f.machine = opt->machine;
    f.only = opt->dataset;
    if (opt->dataset != NULL) {
        result = source_dataset(s, opt->dataset, &one);
        f.only_id = one.id;
    }
    if ((opt->all_codecs || opt->codec == CODEC_UPSTREAM) && f.machine->zstd_upstream == 0)
        return fail(f.machine->name, "target", NO_OFFSET, "libzstd does not run on this target; use --codec small");
    if (result == TOOL_OK && (opt->all_codecs || opt->codec == CODEC_SMALL))
        result = measure(&f, 0, &f.small);
    if (result == TOOL_OK &&
        ((opt->all_codecs && TOOL_HAS_UPSTREAM) || (!opt->all_codecs && opt->codec == CODEC_UPSTREAM)))
        result = measure(&f, 1, &f.upstream);
    if (result == TOOL_OK)
        result = print(s, &f);
    free(f.small);
    free(f.upstream);
    return result;
}

int command_fit(const options *opt)
{
    if (opt->list) {
        target_list(stdout);
        return TOOL_OK;
    }
    return source_run(opt, run);
}
