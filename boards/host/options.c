/* Command line: one table of options, of which each command takes some. Relies on GNU getopt_long. */
#define _GNU_SOURCE
#include "tool.h"

#include <getopt.h>
#include <string.h>

static const struct option known[] = {
    { "json", no_argument, 0, 'j' },         { "all", no_argument, 0, 'a' },
    { "deep", no_argument, 0, 'd' },         { "slab", required_argument, 0, 's' },
    { "format", required_argument, 0, 'f' }, { "output", required_argument, 0, 'o' },
    { "budget", required_argument, 0, 'b' }, { "codec", required_argument, 0, 'c' },
    { "ram", required_argument, 0, 'r' },    { "strict", no_argument, 0, 't' },
    { 0, 0, 0, 0 },
};

/* "4096", "64K", "8MiB"; 0 is none. */
static int parse_bytes(const char *text, uint64_t *bytes)
{
    static const char letters[] = "KMG";
    const char *at = text;
    const char *letter;
    uint64_t value = 0;
    unsigned shift = 0;

    for (; *at >= '0' && *at <= '9'; at++) {
        const unsigned digit = (unsigned)(*at - '0');

        if (value > (UINT64_MAX - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    if (at == text || value == 0)
        return 0;
    if (*at != '\0' && (letter = strchr(letters, *at == 'k' ? 'K' : *at)) != 0) {
        shift = 10 * (unsigned)(letter - letters + 1);
        at++;
        if (*at == 'i')
            at++;
    }
    if (*at == 'B' && at > text)
        at++;
    *bytes = value << shift;
    return *at == '\0' && *bytes >> shift == value;
}

/* The place of `word` in a list of words, or -1. */
static int choice(const char *word, const char *const *words)
{
    int i;

    for (i = 0; words[i] != 0; i++) {
        if (strcmp(word, words[i]) == 0)
            return i;
    }
    return -1;
}

static int take(options *opt, int letter, const char *value)
{
    static const char *const formats[] = { "raw", "npy", "csv", "text", 0 };
    static const char *const codecs[] = { "upstream", "small", 0 };
    int i;

    switch (letter) {
    case 'j': opt->json = 1; return TOOL_OK;
    case 'a': opt->all = 1; return TOOL_OK;
    case 'd': opt->deep = 1; return TOOL_OK;
    case 't': opt->strict = 1; return TOOL_OK;
    case 's': opt->slab = value; return TOOL_OK;
    case 'o': opt->output = value; return TOOL_OK;
    case 'f':
        i = choice(value, formats);
        opt->format = FORMAT_RAW + i;
        return i >= 0 ? TOOL_OK : usage("--format is raw, npy, csv or text, not %s", value);
    case 'c':
        i = choice(value, codecs);
        opt->codec = i;
        opt->codec_given = 1;
        if (i == CODEC_UPSTREAM && !TOOL_HAS_UPSTREAM)
            return usage("this utet was built without the zstd package (ZSTD_UPSTREAM=no)");
        return i >= 0 ? TOOL_OK : usage("--codec is small or upstream, not %s", value);
    case 'b':
        opt->own_budget = strcmp(value, "file") == 0;
        if (opt->own_budget || parse_bytes(value, &opt->budget))
            return TOOL_OK;
        return usage("--budget takes a number of bytes or the word file, not %s", value);
    case 'r':
        return parse_bytes(value, &opt->ram) ? TOOL_OK : usage("--ram takes a number of bytes, not %s", value);
    default: return usage("unknown option");
    }
}

/* Null: there is none. */
static const char *long_name(int letter)
{
    size_t i = 0;

    while (known[i].val != letter && known[i].val != 0)
        i++;
    return known[i].name;
}

/* What getopt_long has refused: `last`, or a letter of what stands behind it (-jx). */
static int unknown(const char *last)
{
    if (optopt == 0)
        return usage("unknown option %s", last);
    if (long_name(optopt) != 0 && strchr(last, '=') != 0)
        return usage("--%s takes no value", long_name(optopt));
    return usage("unknown option -%c", optopt);
}

int options_parse(options *opt, int argc, char **argv, const char *allowed, int arguments)
{
    static const options none;
    int letter;

    *opt = none;
    opterr = 0;
    optind = 1;
    while ((letter = getopt_long(argc, argv, ":o:", known, 0)) != -1) {
        if (letter == ':')
            return usage("%s needs a value", argv[optind - 1]);
        if (letter == '?')
            return unknown(argv[optind - 1]);
        if (strchr(allowed, letter) == 0)
            return usage("%s has no option --%s", argv[0], long_name(letter));
        if (take(opt, letter, optarg) != TOOL_OK)
            return TOOL_USAGE;
    }
    if (argc - optind != arguments)
        return usage(arguments == 1 ? "%s takes one FILE" : "%s takes FILE and DATASET", argv[0]);
    opt->file = argv[optind];
    opt->dataset = arguments > 1 ? argv[optind + 1] : 0;
    if (strchr(allowed, 'r') != 0 && opt->ram == 0)
        return usage("%s needs --ram BYTES", argv[0]);
    return TOOL_OK;
}
