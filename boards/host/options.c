/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Command line: one table of options, of which each command takes some. Relies on GNU getopt_long. */
#define _GNU_SOURCE
#include "commands.h"
#include "shared/number.h"
#include "fit/target.h"
#include "tensogram/tensogram.h"

#include <float.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PREVIEW 1048576u

const option_text option_texts[] = {
    {"json", 'j', NULL, "for programs"},
    {"names", '1', NULL, "names of datasets only, one a line"},
    {"all", 'a', NULL, "all chunks, or all files of a folder"},
    {"deep", 'd', NULL, "decodes all chunks, and holds zone maps and indexes against the data"},
    {"slab", 's', "SLAB", "which part"},
    {"stats", 'x', NULL, "least, greatest, mean, NaN, a histogram instead of values"},
    {"format", 'f', "raw|npy|csv|text", "how values are written"},
    {"output", 'o', "OUT", "where to; it appears when it is complete"},
    {"budget", 'b', "BYTES", "the wall for the library's workspace; file: the file's own"},
    {"codec", 'c', "small|upstream", "our zstd decoder or the package's; fit: also all"},
    {"strict", 't', NULL, "refuses what the reference refuses"},
    {"kind", 'k', "schema|enumeration|metadata|group", "what the file is, or what of the folder"},
    {"at", 'A', "MILLISECONDS", "as it was at this time, since 1970"},
    {"for", 'F', "BOARD|FILE", "the machine (--for list names them)"},
    {"ram", 'r', "BYTES", "its RAM, for everything"},
    {"stack", 'S', "BYTES", "of that for the stack"},
    {"program", 'g', "BYTES", "of that for the program's own variables"},
    {"pointer", 'z', "16|32|64", "bits of its pointers"},
    {"unit", 'u', "BYTES", "of its medium: 1, or a sector"},
    {"align", 'l', "BYTES", "of its buffers"},
    {"mapped", 'M', "0|1", "1: files lie in its memory"},
    {"with", 'W', "meta,fold,query", "what the program does besides reading slabs: metadata, folds, query documents"},
    {"c", 'C', NULL, "writes C: OUT.c and OUT.h"},
    {"image", 'i', NULL, "the file's bytes, which the library reads in place"},
    {"name", 'N', "NAME", "of the array in C"},
    {"section", 'E', "SECTION", "of the linker, for the array"},
    {"tolerance", 'T', "X", "elements that differ by at most X are equal; NaN is equal to any NaN, -0 to 0"},
    {"relative", 'R', "X", "elements that differ by at most X times the larger of the two are equal"},
    {"first", 'n', "N", "shows N differing elements of each dataset (10)"},
    {"where", 'w', "KEY=A/B", "messages whose value is A or B; KEY!=A/B: neither"},
    {"keys", 'p', "KEY,KEY", "the values at these keys, a line for each message"},
    {"common", 'K', NULL, "the metadata that all tensors of a message have in common, and the rest"},
    {"jsonl", 'L', NULL, "for programs: a line of JSON for each message"},
    {"damaged", 'H', NULL, "also values of a frame whose hash is wrong; the exit status stays 1"},
    {"object", 'O', "I", "tensor I of the message, from 0"},
    {"bare", 'B', NULL, "a PNG of the picture alone, without axes and legend"},
    {"metadata", 'm', NULL, "the message's metadata"},
    {"descriptor", 'D', NULL, "the tensor's descriptor"},
    {"plan", 'P', NULL, "the chunks that would be read, and nothing else"},
    {"npy", 'Y', "OUT", "writes the results as a .npy file"},
    {"trust-zones", 'q', NULL, "skips chunks by zone maps and index, which nothing checks"},
    {"preview", 'V', "N", "--json shows the first N elements (64; beside results 0)"},
    {"jobs", 'J', "N", "threads (as many as the machine has, and as pay)"},
    {NULL, 0, NULL, NULL},
};

int parse_number(const char *text, uint64_t *number)
{
    const char *at = text;

    *number = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (unsigned)(*at - '0');
    return at != text && *at == '\0' && at - text <= 18;
}

/* KEY=VALUES or KEY!=VALUES */
static int take_where(options *opt, const char *value)
{
    const char *const at = where_operator(value);

    if (at == NULL || at == value)
        return usage("-w takes KEY=VALUE/VALUE or KEY!=VALUE/VALUE, not %s", value);
    opt->where[opt->where_count++] = value;
    return TOOL_OK;
}

/* The place of `word` in a list of words, or -1. */
static int choice(const char *word, const char *const *words)
{
    int i;

    for (i = 0; words[i] != NULL; i++) {
        if (strcmp(word, words[i]) == 0)
            return i;
    }
    return -1;
}

/* The place of the option in its table, or that of the table's end. */
static size_t place_of(const option_text *list, int letter)
{
    size_t i = 0;

    while (list[i].name != NULL && list[i].letter != letter)
        i++;
    return i;
}

const char *option_name(const option_text *list, int letter)
{
    return list[place_of(list, letter)].name;
}

int option_once(const option_text *list, int letter, const char *value, const char *given[MOST_OPTIONS])
{
    const size_t place = place_of(list, letter);
    const option_text *const o = &list[place];
    const char *const before = given[place];

    given[place] = value;
    if (o->value == NULL || before == NULL || strcmp(before, value) == 0)
        return TOOL_OK;
    if (option_is_short(o))
        return usage("-%c is given twice, as %s and as %s", o->letter == 'J' ? 'j' : o->letter, before, value);
    return usage("--%s is given twice, as %s and as %s", o->name, before, value);
}

int options_threads(const char *value, unsigned *threads)
{
    uint64_t number;

    if (!parse_number(value, &number) || number == 0 || number > TOOL_MOST_THREADS)
        return usage("-j takes a number of threads, 1 to %u, not %s", TOOL_MOST_THREADS, value);
    *threads = (unsigned)number;
    return TOOL_OK;
}

/* A count, which may be 0; 0: it is none, or more than `most`. */
static int count_of(const char *value, uint64_t most, uint64_t *to)
{
    *to = 0;
    return strcmp(value, "0") == 0 || (options_bytes(value, to) && *to <= most);
}

/* A number from 0 up; *whole: its whole part, at most 2^64 - 1. */
static int number_of(const char *value, const char *name, double *to, uint64_t *whole)
{
    decimal n;

    number_read(&n, value);
    *to = n.value;
    *whole = n.fits ? n.magnitude : UINT64_MAX;
    return n.kind == NUMBER_FINITE && *to >= 0 && *to <= DBL_MAX
               ? TOOL_OK
               : usage("--%s takes a number from 0 up, not %s", name, value);
}

static int take(options *opt, int letter, const char *value)
{
    static const char *const formats[] = {"raw", "npy", "csv", "text", NULL};
    static const char *const codecs[] = {"upstream", "small", NULL};
    static const char *const kinds[] = {"schema", "enumeration", "metadata", "group", NULL};
    uint64_t whole;
    int i;

    switch (letter) {
    case 'j': opt->json = 1; return TOOL_OK;
    case 'a': opt->all = 1; return TOOL_OK;
    case 'd': opt->deep = 1; return TOOL_OK;
    case 't': opt->strict = 1; return TOOL_OK;
    case 'B': opt->bare = 1; return TOOL_OK;
    case 'm': opt->metadata = 1; return TOOL_OK;
    case 'D': opt->descriptor = 1; return TOOL_OK;
    case 'w': return take_where(opt, value);
    case 'p': opt->keys = value; return TOOL_OK;
    case 'L': opt->json_lines = 1; return TOOL_OK;
    case 'K': opt->common = 1; return TOOL_OK;
    case 'H': opt->damaged = 1; return TOOL_OK;
    case 'O':
        opt->object_given = 1;
        return parse_number(value, &opt->object) ? TOOL_OK : usage("--object takes a number, not %s", value);
    case '1': opt->names = 1; return TOOL_OK;
    case 'x': opt->stats = 1; return TOOL_OK;
    case 'P': opt->plan = 1; return TOOL_OK;
    case 'Y': opt->npy = value; return TOOL_OK;
    case 'q': opt->trust_zones = 1; return TOOL_OK;
    case 'C': opt->as_c = 1; return TOOL_OK;
    case 'i': opt->image = 1; return TOOL_OK;
    case 'N': opt->name = value; return TOOL_OK;
    case 'E': opt->section = value; return TOOL_OK;
    case 's': opt->slab = value; return TOOL_OK;
    case 'T': opt->as_numbers = 1; return number_of(value, "tolerance", &opt->tolerance, &opt->tolerance_whole);
    case 'R': opt->as_numbers = 1; return number_of(value, "relative", &opt->relative, &whole);
    case 'n':
        return count_of(value, UINT64_MAX, &opt->first) ? TOOL_OK : usage("--first takes a number, not %s", value);
    case 'V':
        return count_of(value, MOST_PREVIEW, &opt->preview)
                   ? TOOL_OK
                   : usage("--preview takes a number up to %u, not %s", MOST_PREVIEW, value);
    case 'J': return options_threads(value, &opt->threads);
    case 'F':
    case 'r':
    case 'S':
    case 'g':
    case 'z':
    case 'u':
    case 'l':
    case 'M':
    case 'W':
        opt->list |= letter == 'F' && strcmp(value, "list") == 0;
        (void)target_tell(opt->machine, option_name(option_texts, letter), value);
        return TOOL_OK;
    case 'o': opt->output = value; return TOOL_OK;
    case 'f':
        i = choice(value, formats);
        opt->format = FORMAT_RAW + i;
        return i >= 0 ? TOOL_OK : usage("--format is raw, npy, csv or text, not %s", value);
    case 'c':
        i = choice(value, codecs);
        opt->codec = i;
        opt->codec_given = 1;
        if (opt->all_codecs_allowed && strcmp(value, "all") == 0) {
            opt->codec = CODEC_SMALL;
            opt->all_codecs = 1;
            return TOOL_OK;
        }
        if (i == CODEC_UPSTREAM && !TOOL_HAS_UPSTREAM)
            return usage("this utet was built without the zstd package (ZSTD_UPSTREAM=no)");
        return i >= 0 ? TOOL_OK : usage("--codec is small or upstream, not %s", value);
    case 'k':
        opt->kind = 1 + choice(value, kinds);
        return opt->kind > 0 ? TOOL_OK : usage("--kind is schema, enumeration, metadata or group, not %s", value);
    case 'A':
        return parse_number(value, &opt->at) ? TOOL_OK : usage("--at takes milliseconds since 1970, not %s", value);
    case 'b':
        opt->own_budget = strcmp(value, "file") == 0;
        if (opt->own_budget || options_bytes(value, &opt->budget))
            return TOOL_OK;
        return usage("--budget takes a number of bytes or the word file, not %s", value);
    default: return usage("unknown option");
    }
}

/* What getopt_long has refused: `last`, or a letter of what stands behind it (-jx). */
static int unknown(const char *last)
{
    if (optopt == 0)
        return usage("unknown option %s", last);
    if (option_name(option_texts, optopt) != NULL && strchr(last, '=') != NULL)
        return usage("--%s takes no value", option_name(option_texts, optopt));
    return usage("unknown option -%c", optopt);
}

/* getopt's own form of the table. */
static void known_options(struct option *known)
{
    size_t i;

    for (i = 0; option_texts[i].name != NULL; i++) {
        known[i].name = option_texts[i].name;
        known[i].has_arg = option_texts[i].value != NULL ? required_argument : no_argument;
        known[i].val = option_texts[i].letter;
    }
}

static int wrong_count(const command *which)
{
    if (which->most == 1)
        return usage("%s takes one FILE", which->name);
    if (which->most > 2)
        return usage("%s takes one FILE or more", which->name);
    return usage("%s takes %s", which->name,
                 strcmp(which->name, "message") == 0 ? "FILE and N"
                 : strcmp(which->name, "query") == 0 ? "FILE and QUERY"
                 : which->least == 2                 ? "two files, A and B"
                                                     : "FILE and at most one DATASET");
}

/* Options of which one would be passed over without a word. */
static int judge_together(const options *opt, const command *which)
{
    const int written = opt->output != NULL || opt->format != FORMAT_AUTO;

    if (opt->stats && written)
        return usage("--stats goes to standard output, as text: no -o, no --format");
    if (opt->common && opt->keys != NULL)
        return usage("--common or -p, not both");
    if (opt->json && opt->json_lines)
        return usage("--json or --jsonl, not both");
    if (opt->keys != NULL && !is_utf8(opt->keys, strlen(opt->keys)))
        return usage("-p takes keys in UTF-8");
    if (opt->names && opt->json)
        return usage("-1 prints names alone: no --json");
    if ((opt->names || (opt->json && which->run == command_info)) && opt->dataset != NULL)
        return usage("--json and -1 are for the whole file: no DATASET");
    if (opt->metadata && opt->descriptor)
        return usage("--metadata or --descriptor, not both");
    if ((opt->metadata || opt->descriptor) && written)
        return usage("metadata and descriptors go to standard output, as JSON: no -o, no --format");
    if (opt->npy != NULL && (opt->json || opt->plan))
        return usage("--npy writes the results alone: no --json, no --plan");
    return TOOL_OK;
}

/* Names that promise something else than what would be in the file. */
static int judge_names(const options *opt, const command *which)
{
    static const char *const npy[] = {".npy", NULL};
    static const char *const values[] = {".npy", ".csv", ".txt", NULL};

    if (opt->output != NULL && strchr(which->options, 'f') != NULL && opt->format == FORMAT_AUTO &&
        promises_another(opt->output, values))
        return usage("%s writes npy, csv, text or raw values: --format says which of them %s is to be", which->name,
                     opt->output);
    if (opt->npy != NULL && promises_another(opt->npy, npy))
        return usage("--npy writes .npy, not %s", opt->npy);
    return TOOL_OK;
}

int options_parse(options *opt, int argc, char **argv, const command *which)
{
    static target machine;
    static const options none;
    struct option known[MOST_OPTIONS] = {{NULL, 0, NULL, 0}};
    const char *given[MOST_OPTIONS] = {NULL};
    int settled;
    int letter;

    *opt = none;
    opt->where = calloc((size_t)argc, sizeof *opt->where);
    if (opt->where == NULL)
        return fail(NULL, NULL, NO_OFFSET, "not enough memory");
    known_options(known);
    target_default(&machine);
    opt->machine = &machine;
    opt->first = 10;
    opt->preview = UINT64_MAX;
    opt->at = UINT64_MAX;
    opt->codec = strcmp(which->name, "fit") == 0 ? CODEC_SMALL : CODEC_UPSTREAM;
    opt->all_codecs_allowed = strcmp(which->name, "fit") == 0;
    opterr = 0;
    optind = 1;
    while ((letter = getopt_long(argc, argv, ":o:w:p:1j:", known, NULL)) != -1) {
        if (letter == ':')
            return usage("%s needs a value", argv[optind - 1]);
        if (letter == '?')
            return unknown(argv[optind - 1]);
        if (letter == 'j' && optarg != NULL) /* --json has no value */
            letter = 'J';
        if (letter == 'J' && strchr(which->options, letter) == NULL)
            return usage("unknown option -j");
        if (strchr(which->options, letter) == NULL)
            return usage("%s has no option --%s", argv[0], option_name(option_texts, letter));
        if ((letter != 'w' && option_once(option_texts, letter, optarg, given) != TOOL_OK) ||
            take(opt, letter, optarg) != TOOL_OK)
            return TOOL_USAGE;
    }
    if (opt->list)
        return TOOL_OK;
    if (argc - optind < which->least || argc - optind > which->most)
        return wrong_count(which);
    opt->files = argv + optind;
    opt->file_count = argc - optind;
    opt->file = argv[optind];
    opt->dataset = which->most == 2 && argc - optind > 1 ? argv[optind + 1] : NULL;
    if (strchr(which->options, 'F') != NULL && !target_is_given(opt->machine))
        return usage("%s needs --for BOARD or --ram BYTES", argv[0]);
    settled = target_settle(opt->machine);
    if (settled != TOOL_OK)
        return settled;
    return judge_together(opt, which) == TOOL_OK ? judge_names(opt, which) : TOOL_USAGE;
}

void options_end(options *opt)
{
    free(opt->where);
}
