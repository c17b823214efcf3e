/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The command line of `utet pack`: any number of inputs, and options of its own. Relies on GNU getopt_long. */
#define _GNU_SOURCE
#include "pack.h"
#include "commands.h"
#include "shared/number.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    O_FOR = 256,
    O_RAM,
    O_TILE,
    O_CODEC,
    O_LEVEL,
    O_BUDGET,
    O_CHECKSUM,
    O_METADATA,
    O_INDEX,
    O_VERIFY,
    O_ACCESS,
    O_DTYPE,
    O_SHAPE,
    O_OFFSET,
    O_SLAB,
    O_META,
    O_NAME,
    O_DIMS,
    O_LABELS,
    O_ATTR,
    O_ALIGN,
    O_UNIT,
    O_STACK,
    O_PROGRAM,
    O_POINTER,
    O_MAPPED,
    O_WITH,
    O_TABLE,
    O_SKIP,
    O_NO_HEADER,
    O_UNITS,
    O_MISSING,
    O_FILL,
    O_THOUSANDS,
    O_SAMPLE
};

const option_text pack_option_texts[] = {
    {"output", 'o', "OUT", "the file; it appears when it is complete and has been read back"},
    {"for", O_FOR, "BOARD|FILE", "the machine that will read it (--for list names them)"},
    {"ram", O_RAM, "BYTES", "its RAM, for everything"},
    {"stack", O_STACK, "BYTES", "of that for the stack"},
    {"program", O_PROGRAM, "BYTES", "of that for the program's own variables"},
    {"unit", O_UNIT, "BYTES", "of its medium: 1, or a sector"},
    {"pointer", O_POINTER, "16|32|64", "bits of its pointers"},
    {"mapped", O_MAPPED, "0|1", "1: files lie in its memory"},
    {"with", O_WITH, "meta,fold,query", "what its program does besides reading slabs"},
    {"access", O_ACCESS, "rows|columns|tiles|frames|all", "what it will read at once (rows)"},
    {"tile", O_TILE, "16x32|auto|whole", "extents of a tile; auto tries candidates on a sample"},
    {"codec", O_CODEC, "auto|zstd|raw", "zstd: the smaller of zstd and raw for each tile"},
    {"level", O_LEVEL, "N", "of zstd, 1 to 22 (9)"},
    {"checksum", O_CHECKSUM, "zstd|all|none", "tiles that get one; all: raw ones become zstd frames (zstd)"},
    {"jobs", 'J', "N", "threads (as many as the machine has)"},
    {"budget", O_BUDGET, "auto|none|BYTES", "memory budget in the file; auto: what the machine needs"},
    {"verify", O_VERIFY, "auto|elements|stored",
     "elements decodes all tiles, stored none, auto one in 16 below level 8"},
    {"metadata", O_METADATA, "small|keep|none", "small: a footer of 4 KB at most"},
    {"index", O_INDEX, "keep|none", "keep: zone maps and indexes of one .tet file, whose tiles stay"},
    {"align", O_ALIGN, "N", "payloads begin at multiples of N (1); more leaves gaps"},
    {"name", O_NAME, "NAME", "of a dataset; once for each, in order"},
    {"dims", O_DIMS, "y,x", "names of the axes; NAME:y,x for one dataset"},
    {"labels", O_LABELS, "AXIS=a,b", "labels of an axis; NAME:AXIS=a,b for one dataset"},
    {"attr", O_ATTR, "KEY=VALUE", "an attribute, a text; NAME:KEY=VALUE for one dataset"},
    {"meta", O_META, "FILE.json",
     "metadata, {\"datasets\":{\"NAME\":{\"attrs\":{…},\"dim_names\":[…],\"coords\":{…}}}}"},
    {"dtype", O_DTYPE, "f32", "of raw data, or what CSV columns become"},
    {"shape", O_SHAPE, "512x512", "of raw data"},
    {"offset", O_OFFSET, "BYTES", "where raw data begin in their file"},
    {"skip", O_SKIP, "N", "lines before a CSV table"},
    {"no-header", O_NO_HEADER, NULL, "the first line of a CSV table is data"},
    {"units", O_UNITS, NULL, "the line behind the names of a CSV table has units"},
    {"missing", O_MISSING, "NA,-9999", "words that say \"no value\" in a CSV table, as an empty cell does"},
    {"fill", O_FILL, "X", "what integers of a CSV table have where there is no value (attribute _FillValue)"},
    {"thousands", O_THOUSANDS, "SIGN", "stands between groups of three digits in a CSV table"},
    {"slab", O_SLAB, "SLAB", "which part of each array"},
    {"sample", O_SAMPLE, "BYTES|all", "what auto compresses of each candidate (96K)"},
    {"table", O_TABLE, NULL, "prints all candidates of auto"},
    {NULL, 0, NULL, NULL},
};

static int add_word(word_list *list, const char *word)
{
    const char **more = realloc(list->word, (list->count + 1) * sizeof *more);

    if (more == NULL)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    list->word = more;
    list->word[list->count++] = word;
    return TOOL_OK;
}

static int choice(const char *word, const char *const *list)
{
    int i;

    for (i = 0; list[i] != NULL; i++)
        if (strcmp(word, list[i]) == 0)
            return i;
    return -1;
}

/* "16x32", also with commas; the number of extents, 0 when it is no shape. */
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

    for (tag = UTET_F32; tag <= UTET_U64; tag++)
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

static int take_choice(pack_options *opt, int letter, const char *value)
{
    static const char *const codecs[] = {"auto", "raw", "zstd", NULL};
    static const char *const checksums[] = {"zstd", "all", "none", NULL};
    static const char *const kept[] = {"small", "keep", "none", NULL};
    static const char *const verified[] = {"auto", "elements", "stored", NULL};
    static const char *const access[] = {"rows", "columns", "tiles", "frames", "all", NULL};

    switch (letter) {
    case O_CODEC:
        opt->codec = choice(value, codecs);
        return opt->codec >= 0 ? TOOL_OK : usage("--codec is auto, raw or zstd, not %s", value);
    case O_CHECKSUM:
        opt->checksum = choice(value, checksums);
        return opt->checksum >= 0 ? TOOL_OK : usage("--checksum is zstd, all or none, not %s", value);
    case O_METADATA:
        opt->metadata = choice(value, kept);
        return opt->metadata >= 0 ? TOOL_OK : usage("--metadata is small, keep or none, not %s", value);
    case O_ACCESS:
        opt->access = choice(value, access);
        return opt->access >= 0 ? TOOL_OK : usage("--access is rows, columns, tiles, frames or all, not %s", value);
    case O_VERIFY:
        opt->verify = choice(value, verified);
        return opt->verify >= 0 ? TOOL_OK : usage("--verify is auto, elements or stored, not %s", value);
    default: /* O_INDEX */
        opt->index_keep = strcmp(value, "keep") == 0;
        return opt->index_keep || strcmp(value, "none") == 0 ? TOOL_OK
                                                             : usage("--index is keep or none, not %s", value);
    }
}

static int take_number(pack_options *opt, int letter, const char *value)
{
    switch (letter) {
    case O_SAMPLE:
        opt->sample_all = strcmp(value, "all") == 0;
        return opt->sample_all || options_bytes(value, &opt->sample)
                   ? TOOL_OK
                   : usage("--sample takes a number of bytes or the word all, not %s", value);
    case 'J': return options_threads(value, &opt->threads);
    case O_LEVEL:
        opt->level = (int)number(value, 22);
        return opt->level > 0 ? TOOL_OK : usage("--level is 1 to 22, not %s", value);
    case O_ALIGN:
        opt->align = (unsigned)number(value, 4096);
        return opt->align > 0 && (opt->align & (opt->align - 1)) == 0
                   ? TOOL_OK
                   : usage("--align is a power of two, 1 to 4096, not %s", value);
    case O_OFFSET:
        return strcmp(value, "0") == 0 || options_bytes(value, &opt->offset)
                   ? TOOL_OK
                   : usage("--offset takes a number of bytes, not %s", value);
    default: /* O_BUDGET */
        opt->budget = 0;
        opt->budget_auto = strcmp(value, "auto") == 0;
        if (opt->budget_auto || strcmp(value, "none") == 0)
            return TOOL_OK;
        opt->budget = number(value, UINT32_MAX);
        return opt->budget > 0 ? TOOL_OK : usage("--budget takes auto, none or a number of bytes, not %s", value);
    }
}

static int take_shape(pack_options *opt, int letter, const char *value)
{
    if (letter == O_SHAPE) {
        opt->shape_ndim = parse_shape(value, opt->shape, 1);
        return opt->shape_ndim > 0 ? TOOL_OK : usage("--shape is like 512x1024, at most 8 axes, not %s", value);
    }
    opt->tile_ndim = 0;
    opt->tile_whole = strcmp(value, "whole") == 0;
    if (opt->tile_whole || strcmp(value, "auto") == 0)
        return TOOL_OK;
    opt->tile_ndim = parse_shape(value, opt->tile, 0);
    return opt->tile_ndim > 0 ? TOOL_OK : usage("--tile is auto, whole, or like 16x32, not %s", value);
}

/* What is said of tables. */
static int take_table(pack_options *opt, int letter, const char *value)
{
    decimal n;

    opt->table_given = 1;
    switch (letter) {
    case O_SKIP:
        return parse_number(value, &opt->skip) ? TOOL_OK : usage("--skip takes a number of lines, not %s", value);
    case O_NO_HEADER: opt->no_header = 1; return TOOL_OK;
    case O_UNITS: opt->units = 1; return TOOL_OK;
    case O_MISSING: opt->missing = value; return TOOL_OK;
    case O_FILL:
        opt->fill = value;
        number_read(&n, value);
        return n.kind == NUMBER_FINITE ? TOOL_OK : usage("--fill takes a number, not %s", value);
    default: /* O_THOUSANDS */
        opt->thousands = value[0];
        return value[0] != '\0' && value[1] == '\0' && strchr(",.' _", value[0]) != NULL
                   ? TOOL_OK
                   : usage("--thousands takes one of the signs , . ' _ and a blank, not %s", value);
    }
}

static int take(pack_options *opt, int letter, const char *value)
{
    switch (letter) {
    case 'o': opt->output = value; return TOOL_OK;
    case O_TABLE: opt->force_table = 1; return TOOL_OK;
    case O_META: opt->meta_file = value; return TOOL_OK;
    case O_SKIP:
    case O_NO_HEADER:
    case O_UNITS:
    case O_MISSING:
    case O_FILL:
    case O_THOUSANDS: return take_table(opt, letter, value);
    case O_NAME: return add_word(&opt->names, value);
    case O_DIMS: return add_word(&opt->dims, value);
    case O_LABELS: return add_word(&opt->labels, value);
    case O_ATTR: return add_word(&opt->attributes, value);
    case O_SLAB: opt->slab = value; return TOOL_OK;
    case O_DTYPE:
        opt->dtype = dtype_of(value);
        return opt->dtype != 0 ? TOOL_OK : usage("--dtype is f16 f32 f64 i16 i32 i64 u8 u16 u32 or u64, not %s", value);
    case O_TILE:
    case O_SHAPE: return take_shape(opt, letter, value);
    case O_FOR:
    case O_RAM:
    case O_UNIT:
    case O_STACK:
    case O_PROGRAM:
    case O_POINTER:
    case O_MAPPED:
    case O_WITH:
        opt->machine_given = 1;
        opt->list |= letter == O_FOR && strcmp(value, "list") == 0;
        (void)target_tell(&opt->machine, option_name(pack_option_texts, letter), value);
        return TOOL_OK;
    case O_CODEC:
    case O_CHECKSUM:
    case O_METADATA:
    case O_INDEX:
    case O_VERIFY:
    case O_ACCESS: return take_choice(opt, letter, value);
    default: return take_number(opt, letter, value);
    }
}

/* They are given for datasets, in order or by name, and so more than once. */
static int is_list(int letter)
{
    return letter == O_NAME || letter == O_DIMS || letter == O_LABELS || letter == O_ATTR;
}

/* One option of the command line, as getopt_long gives it. */
static int take_next(pack_options *opt, int letter, char **argv, const char *given[MOST_OPTIONS])
{
    const char *const name = option_name(pack_option_texts, optopt);

    if (letter == ':')
        return usage("%s needs a value", argv[optind - 1]);
    if (letter == '?' && optopt == 0)
        return usage("unknown option %s", argv[optind - 1]);
    if (letter == '?')
        return name != NULL ? usage("--%s takes no value", name) : usage("unknown option -%c", optopt);
    if (letter == 'j')
        letter = 'J';
    if (!is_list(letter) && option_once(pack_option_texts, letter, optarg, given) != TOOL_OK)
        return TOOL_USAGE;
    return take(opt, letter, optarg);
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

/* Of two values for one key the last would count without a word. */
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
            result = usage("--%s says one thing twice, as %s and as %s", name, sorted[i - 1].word, sorted[i].word);
    free(sorted);
    return result;
}

static int judge(const pack_options *opt)
{
    static const char *const own[] = {".tet", NULL};

    if (opt->no_header && opt->units)
        return usage("--units is the line behind the names: not with --no-header");
    if (opt->count == 0)
        return usage("pack takes one IN or more");
    if (opt->output == NULL)
        return usage("pack needs -o OUT.tet");
    if (strcmp(opt->output, "-") == 0)
        return usage("-o - is no file: pack reads back what it has written");
    if (promises_another(opt->output, own))
        return usage("pack writes .tet, not %s", opt->output);
    if (opt->index_keep && (opt->tile_ndim > 0 || opt->tile_whole || opt->slab != NULL))
        return usage("--index keep keeps the file's tiles: no --tile, no --slab");
    if (opt->codec == PACK_ZSTD && !pack_has_zstd())
        return usage("this utet was built without libzstd: it writes raw tiles only");
    if (opt->checksum == CHECKSUM_ALL && !pack_has_zstd())
        return usage("this utet was built without libzstd: it writes no checksums");
    if (judge_list("dims", &opt->dims, ':') != TOOL_OK || judge_list("labels", &opt->labels, '=') != TOOL_OK)
        return TOOL_USAGE;
    return judge_list("attr", &opt->attributes, '=');
}

int pack_options_parse(pack_options *opt, int argc, char **argv)
{
    static const pack_options none;
    struct option known[MOST_OPTIONS] = {{NULL, 0, NULL, 0}};
    const char *given[MOST_OPTIONS] = {NULL};
    size_t i;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int settled;
    int letter;

    *opt = none;
    target_default(&opt->machine);
    opt->level = 9;
    opt->align = 1;
    opt->budget_auto = 1;
    opt->threads = processors > 0 && processors <= TOOL_MOST_THREADS ? (unsigned)processors : 1;
    for (i = 0; pack_option_texts[i].name != NULL; i++) {
        known[i].name = pack_option_texts[i].name;
        known[i].has_arg = pack_option_texts[i].value != NULL ? required_argument : no_argument;
        known[i].val = pack_option_texts[i].letter;
    }
    opterr = 0;
    optind = 1;
    while ((letter = getopt_long(argc, argv, ":o:j:", known, NULL)) != -1)
        if (take_next(opt, letter, argv, given) != TOOL_OK)
            return TOOL_USAGE;
    opt->inputs = argv + optind;
    opt->count = (size_t)(argc - optind);
    if (opt->list)
        return TOOL_OK;
    settled = target_settle(&opt->machine);
    return settled == TOOL_OK ? judge(opt) : settled;
}

void pack_options_end(pack_options *opt)
{
    free(opt->names.word);
    free(opt->dims.word);
    free(opt->labels.word);
    free(opt->attributes.word);
}
