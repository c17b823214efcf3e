/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads the command line by the table of options. Relies on GNU getopt_long. */
#define _GNU_SOURCE
#include "commands.h"
#include "fit/target.h"
#include "serve/serve.h"
#include "shared/number.h"
#include "tensogram/tensogram.h"

#include <float.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PREVIEW 1048576u
#define DEFAULT_SPEED 115200u
#define ROW_VALUE 256 /* getopt_long returns this and the index of a row; letters are smaller */

/* ---- options one by one, for every command ---- */

/* Returns the set of commands in which an abbreviated option must be unique: pack alone, or all other commands. */
static unsigned family_of(const command *which)
{
    return which->bit == IN_PACK ? IN_PACK : ~(unsigned)IN_PACK;
}

/* Returns the row of the option that getopt_long has returned; NULL: this command does not have the option. */
static const option_row *row_of(const command *which, int value)
{
    const char *const name = value >= ROW_VALUE ? option_rows[value - ROW_VALUE].name : NULL;
    const option_row *o;

    for (o = option_rows; o->help != NULL; o++)
        if ((o->commands & which->bit) != 0 && o->name != NULL &&
            (name != NULL ? strcmp(o->name, name) == 0 : o->letter == value))
            return o;
    return NULL;
}

/* Returns nonzero if an earlier row has the same name, in the same set of commands. */
static int is_repeated(const option_row *o, unsigned family)
{
    const option_row *other;

    for (other = option_rows; other != o; other++)
        if (other->name != NULL && (other->commands & family) != 0 && strcmp(other->name, o->name) == 0)
            return 1;
    return 0;
}

/* Converts the table for getopt_long: each name once, and the short forms of this command. */
static void known_options(const command *which, struct option *known, char *letters)
{
    const unsigned family = family_of(which);
    const option_row *o;

    *letters++ = ':';
    for (o = option_rows; o->help != NULL; o++) {
        if (o->name == NULL || (o->commands & family) == 0)
            continue;
        if (o->letter != 0 && (o->commands & which->bit) != 0) {
            *letters++ = o->letter;
            if (o->argument != NULL)
                *letters++ = ':';
        }
        if (is_repeated(o, family))
            continue;
        known->name = o->name;
        known->has_arg = o->argument == NULL   ? no_argument
                         : o->id == OPTION_ASK ? optional_argument
                                               : required_argument;
        known->val = ROW_VALUE + (int)(o - option_rows);
        known++;
    }
    *letters = '\0';
}

void option_reader_begin(option_reader *r, const command *which, int argc, char **argv)
{
    static const option_reader none;

    *r = none;
    r->which = which;
    r->argc = argc;
    r->argv = argv;
    opterr = 0;
    optind = 1;
}

/* Reports an option that only other commands have. */
static int no_such_option(const option_row *other)
{
    size_t i;

    for (i = 0; commands[i].name != NULL; i++)
        if ((other->commands & commands[i].bit) != 0)
            break;
    return usage("unknown option --%s, which belongs to %s", other->name, commands[i].name);
}

/* Reports what getopt_long has refused: the argument `last`, or a letter in it (-xy). */
static int refused(const char *last)
{
    if (optopt == 0)
        return usage("unknown option %s", last);
    if (optopt >= ROW_VALUE)
        return usage("--%s does not take a value", option_rows[optopt - ROW_VALUE].name);
    return usage("unknown option -%c", optopt);
}

/* Returns nonzero if the option may be given several times: lists, and options of pack that belong to one dataset. */
static int may_repeat(const option_row *o)
{
    return o->id == OPTION_WHERE ||
           (o->commands == IN_PACK && (o->id == OPTION_NAME || o->id == OPTION_DIMS || o->id == OPTION_LABELS ||
                                       o->id == OPTION_ATTR || o->id == OPTION_TIMES || o->id == OPTION_DROP));
}

static int is_second(option_reader *r, const option_row *o, const char *value)
{
    const char **const given = &r->given[o - option_rows];
    const char *const before = *given;
    const char letter[3] = {'-', o->letter, '\0'};

    *given = value;
    if (o->argument == NULL || before == NULL || may_repeat(o) || strcmp(before, value) == 0)
        return TOOL_OK;
    return usage("%s%s given twice, as \"%s\" and as \"%s\"; use it once", o->letter != 0 ? letter : "--",
                 o->letter != 0 ? "" : o->name, before, value);
}

/* Returns the axes of a reduction: the next argument, unless that is an option; then all axes. */
static const char *axes_of(option_reader *r)
{
    return optind < r->argc && r->argv[optind][0] != '-' ? r->argv[optind++] : "all";
}

int option_next(option_reader *r, const option_row **row, const char **value)
{
    struct option known[MOST_OPTIONS] = {{NULL, 0, NULL, 0}};
    char letters[2 * MOST_OPTIONS];
    int next;

    known_options(r->which, known, letters);
    next = getopt_long(r->argc, r->argv, letters, known, NULL);
    *row = NULL;
    *value = optarg;
    if (next >= ROW_VALUE && option_rows[next - ROW_VALUE].id == OPTION_ASK && optarg == NULL)
        *value = axes_of(r);
    r->first = optind;
    if (next == -1)
        return TOOL_OK;
    if (next == ':')
        return usage("%s requires a value", r->argv[optind - 1]);
    if (next == '?')
        return refused(r->argv[optind - 1]);
    *row = row_of(r->which, next);
    if (*row == NULL)
        return no_such_option(&option_rows[next - ROW_VALUE]);
    return is_second(r, *row, *value);
}

/* ---- values, for every command but pack ---- */

int parse_number(const char *text, uint64_t *number)
{
    const char *at = text;

    *number = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (unsigned)(*at - '0');
    return at != text && *at == '\0' && at - text <= 18;
}

int budget_given(const options *opt)
{
    return opt->budget != 0 || opt->own_budget;
}

int query_is_asked(const options *opt)
{
    return opt->ask_count != 0 || opt->tests != NULL || opt->group != NULL || opt->by != 0 || opt->window != NULL ||
           opt->slab != NULL;
}

/* KEY=VALUES or KEY!=VALUES */
static int take_where(options *opt, const char *value)
{
    const char *const at = where_operator(value);

    if (at == NULL || at == value)
        return usage("-w: invalid condition \"%s\"; use KEY=VALUE/VALUE or KEY!=VALUE/VALUE", value);
    opt->where[opt->where_count++] = value;
    return TOOL_OK;
}

int option_choice(const option_row *o, const char *value, int *chosen)
{
    const size_t length = strlen(value);
    const char *at = o->argument;

    for (*chosen = 0; *at != '\0'; (*chosen)++) {
        const size_t word = strcspn(at, "|");

        if (word == length && memcmp(at, value, length) == 0)
            return TOOL_OK;
        at += word + (at[word] == '|');
    }
    return usage("--%s: invalid value \"%s\"; use one of %s", o->name, value, o->argument);
}

int options_threads(const char *value, unsigned *threads)
{
    uint64_t number;

    if (!parse_number(value, &number) || number == 0 || number > TOOL_MOST_THREADS)
        return usage("-j: invalid number of threads \"%s\"; use 1 to %u", value, TOOL_MOST_THREADS);
    *threads = (unsigned)number;
    return TOOL_OK;
}

/* A count, which may be 0; returns 0 if it is not a number, or larger than `most`. */
static int count_of(const char *value, uint64_t most, uint64_t *to)
{
    *to = 0;
    return strcmp(value, "0") == 0 || (options_bytes(value, to) && *to <= most);
}

/* Reads a number that is not negative; *whole: its integer part, at most 2^64 - 1. */
static int number_of(const char *value, const char *name, double *to, uint64_t *whole)
{
    decimal n;

    number_read(&n, value);
    *to = n.value;
    *whole = n.fits ? n.magnitude : UINT64_MAX;
    return n.kind == NUMBER_FINITE && *to >= 0 && *to <= DBL_MAX
               ? TOOL_OK
               : usage("--%s: invalid value \"%s\"; use a number from 0 up", name, value);
}

static int take_number(options *opt, const option_row *o, const char *value)
{
    uint64_t whole;

    switch ((unsigned)o->id) {
    case OPTION_OBJECT:
        opt->object_given = 1;
        return parse_number(value, &opt->object)
                   ? TOOL_OK
                   : usage("--object: invalid value \"%s\"; use the number of a tensor, from 0", value);
    case OPTION_TOLERANCE:
        opt->as_numbers = 1;
        return number_of(value, o->name, &opt->tolerance, &opt->tolerance_whole);
    case OPTION_RELATIVE: opt->as_numbers = 1; return number_of(value, o->name, &opt->relative, &whole);
    case OPTION_FIRST:
        return count_of(value, UINT64_MAX, &opt->first)
                   ? TOOL_OK
                   : usage("--first: invalid value \"%s\"; use a number from 0 up", value);
    case OPTION_PREVIEW:
        return count_of(value, MOST_PREVIEW, &opt->preview)
                   ? TOOL_OK
                   : usage("--preview: invalid value \"%s\"; use a number from 0 to %u", value, MOST_PREVIEW);
    case OPTION_AT:
        return parse_number(value, &opt->at) ? TOOL_OK
                                             : usage("--at: invalid value \"%s\"; use milliseconds since 1970", value);
    case OPTION_JOBS: return options_threads(value, &opt->threads);
    case OPTION_SPEED:
        opt->speed_given = 1;
        return parse_number(value, &whole) && serve_speed(whole, &opt->speed)
                   ? TOOL_OK
                   : usage("--speed: invalid value \"%s\"; use a speed of this system, such as 9600 or 115200", value);
    default: /* OPTION_BUDGET */
        opt->own_budget = strcmp(value, "file") == 0;
        if (opt->own_budget || options_bytes(value, &opt->budget))
            return TOOL_OK;
        return usage("--budget: invalid value \"%s\"; use a number of bytes, or the word file", value);
    }
}

/* Stores the value of an option that is one word of a list. */
static int take_word(options *opt, const option_row *o, const char *value)
{
    static const int codecs[] = {CODEC_SMALL, CODEC_UPSTREAM, CODEC_SMALL};
    int word;

    if (option_choice(o, value, &word) != TOOL_OK)
        return TOOL_USAGE;
    if (o->id == OPTION_FORMAT) {
        opt->format = FORMAT_RAW + word;
    } else if (o->id == OPTION_BY) {
        opt->by = 1 + word;
    } else if (o->id == OPTION_KIND) {
        opt->kind = 1 + word;
    } else {
        opt->codec = codecs[word];
        opt->codec_given = 1;
        opt->all_codecs = word == 2;
        if (opt->codec == CODEC_UPSTREAM && !TOOL_HAS_UPSTREAM)
            return usage("--codec upstream is not available: this utet was built without libzstd; use --codec small");
    }
    return TOOL_OK;
}

/* Returns the field that an option without a value sets. */
static int *flag_of(options *opt, option_id id)
{
    switch ((unsigned)id) {
    case OPTION_JSON: return &opt->json;
    case OPTION_JSON_LINES: return &opt->json_lines;
    case OPTION_NAMES: return &opt->names;
    case OPTION_ALL: return &opt->all;
    case OPTION_DEEP: return &opt->deep;
    case OPTION_STATS: return &opt->stats;
    case OPTION_LINES: return &opt->lines;
    case OPTION_HIST: return &opt->hist;
    case OPTION_PHYSICAL: return &opt->physical;
    case OPTION_STRICT: return &opt->strict;
    case OPTION_C: return &opt->as_c;
    case OPTION_IMAGE: return &opt->image;
    case OPTION_COMMON: return &opt->common;
    case OPTION_DAMAGED: return &opt->damaged;
    case OPTION_BARE: return &opt->bare;
    case OPTION_METADATA: return &opt->metadata;
    case OPTION_DESCRIPTOR: return &opt->descriptor;
    case OPTION_PLAN: return &opt->plan;
    case OPTION_CSV: return &opt->csv;
    default: return &opt->trust_zones;
    }
}

/* Checks that all reductions of a command have the same axes. */
static int take_reduction(options *opt, const option_row *o, const char *value)
{
    unsigned i;

    for (i = 0; i < opt->ask_count; i++) {
        if (strcmp(opt->asks[i].axes, value) != 0)
            return usage("--%s %s and --%s %s have different axes; give all reductions the same ones", opt->asks[i].key,
                         opt->asks[i].axes, o->name, value);
        if (opt->asks[i].key == o->name)
            return TOOL_OK;
    }
    opt->asks[opt->ask_count].key = o->name;
    opt->asks[opt->ask_count++].axes = value;
    return TOOL_OK;
}

static int take_window(options *opt, const option_row *o, const char *value)
{
    const int rolling = o->id == OPTION_ROLLING;

    if (opt->window != NULL && opt->rolling != rolling)
        return usage("--window and --rolling cannot be combined; omit one of them");
    opt->window = value;
    opt->rolling = rolling;
    return TOOL_OK;
}

static int take(options *opt, const option_row *o, const char *value)
{
    switch ((unsigned)o->id) {
    case OPTION_SLAB: opt->slab = value; return TOOL_OK;
    case OPTION_OUTPUT: opt->output = value; return TOOL_OK;
    case OPTION_NAME: opt->name = value; return TOOL_OK;
    case OPTION_SECTION: opt->section = value; return TOOL_OK;
    case OPTION_KEYS: opt->keys = value; return TOOL_OK;
    case OPTION_NPY: opt->npy = value; return TOOL_OK;
    case OPTION_ASK: return take_reduction(opt, o, value);
    case OPTION_TEST: opt->tests = value; return TOOL_OK;
    case OPTION_GROUP: opt->group = value; return TOOL_OK;
    case OPTION_WINDOW:
    case OPTION_ROLLING: return take_window(opt, o, value);
    case OPTION_WHERE: return take_where(opt, value);
    case OPTION_FORMAT:
    case OPTION_CODEC:
    case OPTION_BY:
    case OPTION_KIND: return take_word(opt, o, value);
    case OPTION_TARGET:
        opt->list |= strcmp(o->name, "for") == 0 && strcmp(value, "list") == 0;
        (void)target_tell(opt->machine, o->name, value);
        return TOOL_OK;
    default: break;
    }
    if (o->argument != NULL)
        return take_number(opt, o, value);
    *flag_of(opt, o->id) = 1;
    return TOOL_OK;
}

/* ---- the whole command line ---- */

static int wrong_count(const command *which, int given)
{
    if (which->most == 1)
        return usage("wrong number of arguments; give one %s", which->arguments);
    if (which->most > 2 && given < which->least)
        return usage("missing argument; give at least one FILE");
    return usage("wrong number of arguments; give %s", which->bit == IN_EXPORT ? "FILE [DATASET]" : which->arguments);
}

/* Refuses combinations in which one option would have no effect. */
static int judge_together(const options *opt, const command *which)
{
    const int written = opt->output != NULL || opt->format != FORMAT_AUTO;

    if (opt->stats && written)
        return usage("--stats prints text to standard output; omit -o and --format");
    if (opt->json && which->bit == IN_READ && !opt->stats)
        return usage("--json is the form of --stats; add it, or omit --json");
    if (opt->common && opt->keys != NULL)
        return usage("--common and -p cannot be combined; omit one of them");
    if (opt->json && opt->json_lines)
        return usage("--json and --jsonl cannot be combined; omit one of them");
    if (opt->keys != NULL && !is_utf8(opt->keys, strlen(opt->keys)))
        return usage("-p: the keys are not valid UTF-8; give them in UTF-8");
    if (opt->plan && opt->physical)
        return usage("--plan lists chunks of the file, which have stored values; omit --physical");
    if (opt->names && opt->json)
        return usage("-1 and --json cannot be combined; omit one of them");
    if ((opt->names || (opt->json && which->bit == IN_INFO)) && opt->dataset != NULL)
        return usage("--json and -1 report on the whole file; omit DATASET");
    if (opt->metadata && opt->descriptor)
        return usage("--metadata and --descriptor cannot be combined; omit one of them");
    if ((opt->metadata || opt->descriptor) && written)
        return usage("--metadata and --descriptor print JSON to standard output; omit -o and --format");
    if (opt->npy != NULL && (opt->json || opt->plan))
        return usage("--npy cannot be combined with --json or --plan; omit one of them");
    if (opt->csv && (opt->json || opt->plan || opt->npy != NULL))
        return usage("--csv cannot be combined with --json, --npy or --plan; omit one of them");
    if (opt->ask_count > 1 && opt->npy != NULL)
        return usage("a .npy file holds one reduction; write several with -o OUT.tet, or omit the others");
    if (opt->ask_count > 1 && opt->plan)
        return usage("--plan takes one reduction; omit the others");
    return TOOL_OK;
}

/* Chooses the kind of answer from the name of OUT, and checks that the command says which query to answer. */
static int judge_query(options *opt)
{
    const char *const out = opt->output;

    if (!query_is_asked(opt) && opt->dataset == NULL)
        return usage("missing QUERY; give a document, or an option such as --mean all");
    if (query_is_asked(opt) && opt->dataset != NULL && (opt->dataset[0] == '{' || strcmp(opt->dataset, "-") == 0))
        return usage("a document cannot be combined with options such as --mean; omit one of them");
    if ((opt->group != NULL || opt->by != 0 || opt->window != NULL) && opt->ask_count == 0)
        return usage("missing reduction; add an option such as --mean");
    if (opt->by != 0 && opt->window != NULL)
        return usage("--by and %s cannot be combined; omit one of them", opt->rolling ? "--rolling" : "--window");
    if (out == NULL)
        return TOOL_OK;
    if (opt->npy != NULL || opt->plan || opt->csv || opt->json)
        return usage("-o cannot be combined with --csv, --json, --npy or --plan; omit one of them");
    opt->csv = ends_with(out, ".csv");
    opt->json = ends_with(out, ".json");
    opt->npy = ends_with(out, ".npy") ? out : NULL;
    opt->tet = ends_with(out, ".tet") ? out : NULL;
    if (!opt->csv && !opt->json && opt->npy == NULL && opt->tet == NULL)
        return usage("-o: the name %s does not end in .csv, .json, .npy or .tet; choose one that does", out);
    return TOOL_OK;
}

/* Refuses an OUT whose name promises another kind of file than the one that would be written. */
static int judge_names(const options *opt, const command *which)
{
    static const char *const npy[] = {".npy", NULL};
    static const char *const values[] = {".npy", ".csv", ".txt", NULL};

    if (opt->output != NULL && (which->bit & (IN_READ | IN_MESSAGE)) != 0 && opt->format == FORMAT_AUTO &&
        promises_another(opt->output, values))
        return usage("-o: the name %s does not fit npy, csv, text or raw values; choose one with --format",
                     opt->output);
    if (opt->npy != NULL && promises_another(opt->npy, npy))
        return usage("--npy: the name %s does not end in .npy; choose one that does", opt->npy);
    return TOOL_OK;
}

static int take_options(options *opt, option_reader *r)
{
    const option_row *row;
    const char *value;

    for (;;) {
        if (option_next(r, &row, &value) != TOOL_OK)
            return TOOL_USAGE;
        if (row == NULL)
            return TOOL_OK;
        if (take(opt, row, value) != TOOL_OK)
            return TOOL_USAGE;
    }
}

int options_parse(options *opt, int argc, char **argv, const command *which)
{
    static target machine;
    static const options none;
    option_reader r;
    int settled;

    *opt = none;
    opt->where = calloc((size_t)argc, sizeof *opt->where);
    if (opt->where == NULL)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    target_default(&machine);
    opt->machine = &machine;
    opt->first = 10;
    opt->preview = UINT64_MAX;
    opt->at = UINT64_MAX;
    (void)serve_speed(DEFAULT_SPEED, &opt->speed);
    opt->codec = which->bit == IN_FIT ? CODEC_SMALL : CODEC_UPSTREAM;
    option_reader_begin(&r, which, argc, argv);
    if (take_options(opt, &r) != TOOL_OK)
        return TOOL_USAGE;
    if (opt->list)
        return TOOL_OK;
    opt->files = argv + r.first;
    opt->file_count = argc - r.first;
    if (opt->file_count < which->least || opt->file_count > which->most)
        return wrong_count(which, opt->file_count);
    opt->file = opt->files[0];
    opt->dataset = (which->most == 2 || which->bit == IN_SHOW) && opt->file_count > 1 ? opt->files[1] : NULL;
    if (which->bit == IN_FIT && !target_is_given(opt->machine))
        return usage("missing target; give --for BOARD or --ram BYTES");
    settled = target_settle(opt->machine);
    if (settled != TOOL_OK)
        return settled;
    if (which->bit == IN_QUERY && judge_query(opt) != TOOL_OK)
        return TOOL_USAGE;
    return judge_together(opt, which) == TOOL_OK ? judge_names(opt, which) : TOOL_USAGE;
}

void options_end(options *opt)
{
    free(opt->where);
}
