/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The command line of `utet pack`: any number of inputs, and options of its own. */
#define _POSIX_C_SOURCE 200809L
#include "pack.h"
#include "pack_time.h"
#include "commands.h"
#include "shared/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int add_word(word_list *list, const char *word)
{
    const char **more = realloc(list->word, (list->count + 1) * sizeof *more);

    if (more == NULL)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    list->word = more;
    list->word[list->count++] = word;
    return TOOL_OK;
}

/* "16x32", also with commas; the number of extents, 0 if it is not a shape. */
static unsigned parse_shape(const char *text, uint64_t *shape, int zero_allowed)
{
    unsigned ndim = 0;

    for (;; text++) {
        uint64_t value = 0;
        const char *const from = text;

        for (; *text >= '0' && *text <= '9'; text++) {
            if (value > UINT64_MAX / 10 - 1)
                return 0;
            value = value * 10 + (unsigned)(*text - '0');
        }
        if (text == from || ndim == UTET_MAX_NDIM || (value == 0 && !zero_allowed))
            return 0;
        shape[ndim++] = value;
        if (*text == '\0')
            return ndim;
        if (*text != 'x' && *text != ',')
            return 0;
    }
}

static uint32_t dtype_of(const char *word)
{
    uint32_t tag;

    for (tag = UTET_F32; tag < UTET_DTYPE_END; tag++)
        if (strcmp(word, utet_show_dtype(tag)) == 0)
            return tag;
    return 0;
}

/* 1..most; 0: no such number. */
static uint64_t number(const char *text, uint64_t most)
{
    uint64_t value;

    return options_bytes(text, &value) && value <= most ? value : 0;
}

/* One word of those in the table. */
static int take_word(pack_options *opt, const option_row *o, const char *value)
{
    static const int codecs[] = {PACK_AUTO, PACK_ZSTD, PACK_RAW};
    int word;

    if (option_choice(o, value, &word) != TOOL_OK)
        return TOOL_USAGE;
    switch ((unsigned)o->id) {
    case OPTION_CODEC: opt->codec = codecs[word]; return TOOL_OK;
    case OPTION_CHECKSUM: opt->checksum = CHECKSUM_ZSTD + word; return TOOL_OK;
    case OPTION_METADATA:
        opt->metadata = META_SMALL + word;
        opt->metadata_given = 1;
        return TOOL_OK;
    case OPTION_ACCESS: opt->access = ACCESS_ROWS + word; return TOOL_OK;
    case OPTION_VERIFY: opt->verify = VERIFY_AUTO + word; return TOOL_OK;
    default: /* OPTION_INDEX */ opt->index_keep = word == 0; return TOOL_OK;
    }
}

static int take_number(pack_options *opt, option_id id, const char *value)
{
    switch ((unsigned)id) {
    case OPTION_SAMPLE:
        opt->sample_all = strcmp(value, "all") == 0;
        return opt->sample_all || options_bytes(value, &opt->sample)
                   ? TOOL_OK
                   : usage("--sample: invalid value \"%s\"; use a number of bytes, or the word all", value);
    case OPTION_JOBS: return options_threads(value, &opt->threads);
    case OPTION_LEVEL:
        opt->level = (int)number(value, 22);
        return opt->level > 0 ? TOOL_OK : usage("--level: invalid value \"%s\"; use 1 to 22", value);
    case OPTION_ALIGN:
        opt->align = (unsigned)number(value, 4096);
        return opt->align > 0 && (opt->align & (opt->align - 1)) == 0
                   ? TOOL_OK
                   : usage("--align: invalid value \"%s\"; use a power of two from 1 to 4096", value);
    case OPTION_OFFSET:
        return strcmp(value, "0") == 0 || options_bytes(value, &opt->offset)
                   ? TOOL_OK
                   : usage("--offset: invalid value \"%s\"; use a number of bytes", value);
    default: /* OPTION_BUDGET */
        opt->budget = 0;
        opt->budget_auto = strcmp(value, "auto") == 0;
        if (opt->budget_auto || strcmp(value, "none") == 0)
            return TOOL_OK;
        opt->budget = number(value, UINT32_MAX);
        return opt->budget > 0 ? TOOL_OK
                               : usage("--budget: invalid value \"%s\"; use auto, none or a number of bytes", value);
    }
}

static int take_shape(pack_options *opt, option_id id, const char *value)
{
    if (id == OPTION_SHAPE) {
        opt->shape_ndim = parse_shape(value, opt->shape, 1);
        return opt->shape_ndim > 0
                   ? TOOL_OK
                   : usage("--shape: invalid value \"%s\"; use up to 8 extents, such as 512x1024", value);
    }
    opt->tile_ndim = 0;
    opt->tile_whole = strcmp(value, "whole") == 0;
    if (opt->tile_whole || strcmp(value, "auto") == 0)
        return TOOL_OK;
    opt->tile_ndim = parse_shape(value, opt->tile, 0);
    return opt->tile_ndim > 0 ? TOOL_OK
                              : usage("--tile: invalid value \"%s\"; use auto, whole, or extents such as 16x32", value);
}

static int take_separator(pack_options *opt, const char *value)
{
    opt->separator = strcmp(value, "tab") == 0 ? '\t' : strcmp(value, "blank") == 0 ? ' ' : value[0];
    return opt->separator != value[0] || (value[0] != '\0' && value[1] == '\0' && strchr(",;|\t ", value[0]) != NULL)
               ? TOOL_OK
               : usage("--separator: invalid value \"%s\"; use one of , ; | tab blank", value);
}

/* --times COLUMN=UNIT */
static int take_times(pack_options *opt, const char *value)
{
    const char *const mark = strrchr(value, '=');

    return mark != NULL && mark != value && (strcmp(mark + 1, "labels") == 0 || time_unit(mark + 1) >= 0)
               ? add_word(&opt->times, value)
               : usage("--times: invalid value \"%s\"; use COLUMN=UNIT, with d h min s ms us ns or labels", value);
}

/* Options about CSV tables: signs of one character. */
static int take_sign(pack_options *opt, option_id id, const char *value)
{
    const char *const signs = id == OPTION_DECIMAL ? ".," : ",.' _";

    *(id == OPTION_DECIMAL ? &opt->decimal : &opt->thousands) = value[0];
    if (value[0] != '\0' && value[1] == '\0' && strchr(signs, value[0]) != NULL)
        return TOOL_OK;
    return id == OPTION_DECIMAL
               ? usage("--decimal: invalid value \"%s\"; use a point or a comma", value)
               : usage("--thousands: invalid value \"%s\"; use one of the signs , . ' _ or a blank", value);
}

/* Options about CSV tables. */
static int take_table(pack_options *opt, const option_row *o, const char *value)
{
    opt->table_given = o->name;
    switch ((unsigned)o->id) {
    case OPTION_SKIP:
    case OPTION_SKIP_AFTER:
        return parse_number(value, o->id == OPTION_SKIP ? &opt->skip : &opt->skip_after)
                   ? TOOL_OK
                   : usage("--%s: invalid value \"%s\"; use a number of lines", o->name, value);
    case OPTION_NO_HEADER: opt->no_header = 1; return TOOL_OK;
    case OPTION_UNITS: opt->units = 1; return TOOL_OK;
    case OPTION_MISSING: opt->missing = value; return TOOL_OK;
    case OPTION_STRIP: opt->strip = value; return TOOL_OK;
    case OPTION_COMMENT:
        opt->comment = value;
        return value[0] != '\0' ? TOOL_OK : usage("--comment: invalid value \"\"; use a sign such as #");
    case OPTION_SEPARATOR: return take_separator(opt, value);
    case OPTION_TIMES: return take_times(opt, value);
    case OPTION_TIME_FORMAT: opt->time_format = value; return TOOL_OK;
    case OPTION_LABELS_FROM: opt->labels_from = value; return TOOL_OK;
    case OPTION_DROP: return add_word(&opt->drop, value);
    default: /* OPTION_DECIMAL, OPTION_THOUSANDS */ return take_sign(opt, o->id, value);
    }
}

static int take_scale(pack_options *opt, option_id id, const char *value)
{
    decimal n;

    number_read(&n, value);
    if (id == OPTION_ADD_OFFSET) {
        opt->add_offset = n.value;
        opt->add_offset_given = 1;
        return n.kind == NUMBER_FINITE && n.value - n.value >= 0
                   ? TOOL_OK
                   : usage("--add-offset: invalid value \"%s\"; use a number", value);
    }
    opt->scaled = 1;
    opt->scale = strcmp(value, "auto") == 0 ? 0 : n.value;
    return strcmp(value, "auto") == 0 || (n.kind == NUMBER_FINITE && n.value > 0 && n.value - n.value >= 0)
               ? TOOL_OK
               : usage("--scale: invalid value \"%s\"; use the word auto, or a number above 0", value);
}

static int take_descriptors(pack_options *opt, const char *value)
{
    char rest;

    return sscanf(value, "%4d,%4d,%4d%c", &opt->ask_to, &opt->ask_from, &opt->ask_elements, &rest) == 3 &&
                   opt->ask_to > 2 && opt->ask_from > 2 && opt->ask_elements > 2
               ? TOOL_OK
               : usage("--elements: invalid value \"%s\"; use three descriptors of 3 and above, such as 3,4,5", value);
}

static int take_fill(pack_options *opt, const char *value)
{
    decimal n;

    opt->fill = value;
    number_read(&n, value);
    return n.kind == NUMBER_FINITE ? TOOL_OK : usage("--fill: invalid value \"%s\"; use a number", value);
}

static int take(pack_options *opt, const option_row *o, const char *value)
{
    switch ((unsigned)o->id) {
    case OPTION_OUTPUT: opt->output = value; return TOOL_OK;
    case OPTION_TABLE: opt->force_table = 1; return TOOL_OK;
    case OPTION_META: opt->meta_file = value; return TOOL_OK;
    case OPTION_SKIP:
    case OPTION_NO_HEADER:
    case OPTION_UNITS:
    case OPTION_SKIP_AFTER:
    case OPTION_MISSING:
    case OPTION_STRIP:
    case OPTION_COMMENT:
    case OPTION_SEPARATOR:
    case OPTION_TIMES:
    case OPTION_TIME_FORMAT:
    case OPTION_LABELS_FROM:
    case OPTION_DROP:
    case OPTION_DECIMAL:
    case OPTION_THOUSANDS: return take_table(opt, o, value);
    case OPTION_FILL: return take_fill(opt, value);
    case OPTION_SCALE:
    case OPTION_ADD_OFFSET: return take_scale(opt, o->id, value);
    case OPTION_DRY_RUN: opt->dry_run = 1; return TOOL_OK;
    case OPTION_SERIES: opt->series = 1; return TOOL_OK;
    case OPTION_JSON: opt->json = 1; return TOOL_OK;
    case OPTION_NAME: return add_word(&opt->names, value);
    case OPTION_DIMS: return add_word(&opt->dims, value);
    case OPTION_LABELS: return add_word(&opt->labels, value);
    case OPTION_ATTR: return add_word(&opt->attributes, value);
    case OPTION_SLAB: opt->slab = value; return TOOL_OK;
    case OPTION_ELEMENTS: return take_descriptors(opt, value);
    case OPTION_DTYPE:
        opt->dtype = dtype_of(value);
        return opt->dtype != 0
                   ? TOOL_OK
                   : usage("--dtype: invalid value \"%s\"; use f16 f32 f64 i16 i32 i64 u8 u16 u32 or u64", value);
    case OPTION_TILE:
    case OPTION_SHAPE: return take_shape(opt, o->id, value);
    case OPTION_TARGET:
        opt->machine_given = 1;
        opt->list |= strcmp(o->name, "for") == 0 && strcmp(value, "list") == 0;
        (void)target_tell(&opt->machine, o->name, value);
        return TOOL_OK;
    case OPTION_CODEC:
    case OPTION_CHECKSUM:
    case OPTION_METADATA:
    case OPTION_INDEX:
    case OPTION_VERIFY:
    case OPTION_ACCESS: return take_word(opt, o, value);
    default: return take_number(opt, o->id, value);
    }
}

/* Up to and with the first `mark`; 0: there is none. */
static size_t key_length(const char *word, int mark)
{
    const char *const end = strchr(word, mark);

    return end != NULL ? (size_t)(end - word) + 1 : 0;
}

/* A word of a list, and its key. */
typedef struct keyed {
    const char *word;
    size_t length;
    size_t place;
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *const x = a;
    const keyed *const y = b;
    const int order = strncmp(x->word, y->word, x->length < y->length ? x->length : y->length);

    if (order != 0)
        return order;
    return x->length != y->length ? (x->length > y->length) - (x->length < y->length)
                                  : (x->place > y->place) - (x->place < y->place);
}

/* Refuses two values for one key, because only the last would count. */
static int judge_list(const char *name, const word_list *list, int mark)
{
    keyed *const sorted = malloc((list->count + 1) * sizeof *sorted);
    int result = TOOL_OK;
    size_t i;

    if (sorted == NULL)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    for (i = 0; i < list->count; i++) {
        sorted[i].word = list->word[i];
        sorted[i].length = key_length(list->word[i], mark);
        sorted[i].place = i;
    }
    if (list->count > 1)
        qsort(sorted, list->count, sizeof *sorted, by_key);
    for (i = 1; result == TOOL_OK && i < list->count; i++)
        if (sorted[i].length == sorted[i - 1].length &&
            strncmp(sorted[i].word, sorted[i - 1].word, sorted[i].length) == 0 &&
            strcmp(sorted[i].word, sorted[i - 1].word) != 0)
            result = usage("--%s given twice, as \"%s\" and as \"%s\"; use one of them", name, sorted[i - 1].word,
                           sorted[i].word);
    free(sorted);
    return result;
}

static int judge_arguments(const pack_options *opt)
{
    if (opt->no_header && opt->units)
        return usage("--units reads the line after the names; omit it, or --no-header");
    if (opt->series && opt->shape_ndim > 0)
        return usage("--series takes PNG pictures, --shape raw data; omit one of them");
    if (opt->json && opt->force_table)
        return usage("--json and --table cannot be combined; omit one of them");
    if (opt->count == 0)
        return usage("missing argument; give at least one IN");
    if (opt->thousands != '\0' && opt->thousands == (opt->decimal == '\0' ? '\0' : opt->decimal))
        return usage("--decimal and --thousands are the same sign; choose another one for --thousands");
    if (opt->time_format != NULL && opt->times.count == 0)
        return usage("--time-format is the format of columns of --times; add --times COLUMN=UNIT");
    if (opt->add_offset_given && !opt->scaled)
        return usage("--add-offset belongs to --scale; add --scale auto or --scale S");
    if (opt->scaled && opt->dtype != 0 && opt->dtype != UTET_I16 && opt->dtype != UTET_U8)
        return usage("--scale stores i16 or u8; use one of them for --dtype, or omit it");
    if (opt->index_keep && (opt->scaled || opt->dtype != 0))
        return usage("--index keep keeps the tiles of the input; omit --dtype and --scale");
    if (opt->output == NULL && !opt->dry_run)
        return usage("missing option; give -o OUT.tet");
    return TOOL_OK;
}

static int judge_output(const pack_options *opt)
{
    static const char *const own[] = {".tet", NULL};

    if (opt->output == NULL)
        return TOOL_OK;
    if (strcmp(opt->output, "-") == 0)
        return usage("-o: cannot write to standard output, because the file is read back; use -o OUT.tet");
    return promises_another(opt->output, own)
               ? usage("-o: the name %s does not end in .tet; choose one that does", opt->output)
               : TOOL_OK;
}

static int judge(const pack_options *opt)
{
    if (judge_arguments(opt) != TOOL_OK || judge_output(opt) != TOOL_OK)
        return TOOL_USAGE;
    if (opt->index_keep && (opt->tile_ndim > 0 || opt->tile_whole || opt->slab != NULL))
        return usage("--index keep keeps the tiles of the input; omit --tile and --slab");
    if (opt->codec == PACK_ZSTD && !pack_has_zstd())
        return usage("--codec zstd is not available: this utet was built without libzstd; use --codec raw");
    if (opt->checksum == CHECKSUM_ALL && !pack_has_zstd())
        return usage("--checksum all is not available: this utet was built without libzstd; omit it");
    if (judge_list("dims", &opt->dims, ':') != TOOL_OK || judge_list("labels", &opt->labels, '=') != TOOL_OK)
        return TOOL_USAGE;
    return judge_list("attr", &opt->attributes, '=');
}

int pack_options_parse(pack_options *opt, int argc, char **argv)
{
    static const pack_options none;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    option_reader r;
    const option_row *row;
    const char *value;
    int settled;

    *opt = none;
    target_default(&opt->machine);
    opt->level = 9;
    opt->align = 1;
    opt->budget_auto = 1;
    opt->threads = processors > 0 && processors <= TOOL_MOST_THREADS ? (unsigned)processors : 1;
    option_reader_begin(&r, command_find("pack"), argc, argv);
    for (;;) {
        if (option_next(&r, &row, &value) != TOOL_OK)
            return TOOL_USAGE;
        if (row == NULL)
            break;
        if (take(opt, row, value) != TOOL_OK)
            return TOOL_USAGE;
    }
    opt->inputs = argv + r.first;
    opt->count = (size_t)(argc - r.first);
    if (opt->list)
        return TOOL_OK;
    if (opt->labels_from != NULL && !opt->metadata_given)
        opt->metadata = META_KEEP; /* labels that were asked for are not left out */
    settled = target_settle(&opt->machine);
    return settled == TOOL_OK ? judge(opt) : settled;
}

void pack_options_end(pack_options *opt)
{
    free(opt->times.word);
    free(opt->drop.word);
    free(opt->names.word);
    free(opt->dims.word);
    free(opt->labels.word);
    free(opt->attributes.word);
}
