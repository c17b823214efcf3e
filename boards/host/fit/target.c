/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Target machines: their text files, and the needs of chunks on them. Machines differ in the size of objects and of the
 * decoders' fixed parts (measured with the compilers, see targets/) and in the window for the medium's unit, and in
 * nothing else. The history that a chunk needs is the same on all of them. */
#define _POSIX_C_SOURCE 200809L
#include "shared/near.h"
#include "target.h"
#include "utet_fold.h"
#include "utet_zstd.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SEEN 1024u /* maximum size of a description's keys, in bytes */

extern const char *const targets_builtin[]; /* null-terminated list of texts; make generates it from targets/ */

typedef struct key {
    const char *word;
    size_t place;
    int zero; /* may be 0 */
} key;

static const key keys[] = {
    {"pointer", offsetof(target, pointer), 0},
    {"unit", offsetof(target, unit), 0},
    {"align", offsetof(target, align), 0},
    {"mapped", offsetof(target, mapped), 1},
    {"ram", offsetof(target, ram), 0},
    {"stack", offsetof(target, stack), 1},
    {"program", offsetof(target, program), 1},
    {"port", offsetof(target, port), 1},
    {"file", offsetof(target, file), 0},
    {"dataset", offsetof(target, dataset), 0},
    {"chunk", offsetof(target, chunk), 0},
    {"stream", offsetof(target, stream), 0},
    {"slab", offsetof(target, slab), 0},
    {"meta", offsetof(target, meta), 0},
    {"fold", offsetof(target, fold), 0},
    {"query", offsetof(target, query), 0},
    {"zstd_packed", offsetof(target, zstd_packed), 0},
    {"zstd_tables", offsetof(target, zstd_tables), 0},
    {"zstd_upstream", offsetof(target, zstd_upstream), 1},
    {"sector_us", offsetof(target, sector_us), 1},
    {"zstd_ns", offsetof(target, zstd_ns), 1},
    {"raw_ns", offsetof(target, raw_ns), 1},
};

static uint64_t *field(target *t, const char *word, size_t length, int *zero)
{
    size_t i;

    for (i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strlen(keys[i].word) == length && memcmp(keys[i].word, word, length) == 0) {
            *zero = keys[i].zero;
            return (uint64_t *)(void *)((char *)t + keys[i].place);
        }
    return NULL;
}

/* Returns nonzero if the key has not been seen in this description. Otherwise only the last value would count. */
static int is_first(const char *word, char seen[MOST_SEEN])
{
    const size_t length = strlen(word);
    const char *at = seen;

    while (*at != '\0' && (strcspn(at, " ") != length || memcmp(at, word, length) != 0))
        at += strcspn(at, " ") + 1;
    if (*at == '\0' && (size_t)(at - seen) + length + 2 <= MOST_SEEN)
        (void)sprintf(seen + (at - seen), "%s ", word);
    else
        return 0;
    return 1;
}

/* Reads one line of a target's text. */
static int take_line(target *t, const char *path, unsigned number, char *line, char seen[MOST_SEEN])
{
    char *value;
    uint64_t *to;
    int zero = 0;

    line[strcspn(line, "#")] = '\0';
    line += strspn(line, " \t\r");
    value = line + strcspn(line, " \t\r");
    if (line[0] == '\0')
        return TOOL_OK;
    to = field(t, line, (size_t)(value - line), &zero);
    line[value - line] == '\0' ? (void)0 : (void)(*value++ = '\0');
    value += strspn(value, " \t");
    while (value[0] != '\0' && strchr(" \t\r", value[strlen(value) - 1]) != NULL)
        value[strlen(value) - 1] = '\0';
    if (!is_first(line, seen))
        return fail(path, "target", NO_OFFSET, "line %u: the key \"%s\" is given twice", number, line);
    if (strcmp(line, "name") == 0)
        return snprintf(t->name, sizeof t->name, "%s", value) >= 0 ? TOOL_OK : TOOL_ERROR;
    if (strcmp(line, "about") == 0)
        return snprintf(t->about, sizeof t->about, "%s", value) >= 0 ? TOOL_OK : TOOL_ERROR;
    if (to == NULL)
        return fail(path, "target", NO_OFFSET, "line %u: unknown key \"%s\"", number, line);
    if (zero && strcmp(value, "0") == 0) {
        *to = 0;
        return TOOL_OK;
    }
    return options_bytes(value, to)
               ? TOOL_OK
               : fail(path, "target", NO_OFFSET, "line %u: %s: invalid byte count \"%s\"", number, line, value);
}

/* Returns a message about numbers that the format of descriptions does not allow, or NULL. */
static const char *fault_of(const target *t)
{
    if (t->pointer != 16 && t->pointer != 32 && t->pointer != 64)
        return "pointer must be 16, 32 or 64";
    if ((t->unit & (t->unit - 1)) != 0 || t->unit > 32768 || (t->align & (t->align - 1)) != 0 || t->align > 128)
        return "unit and align must be powers of two, at most 32768 and 128";
    return NULL;
}

static int take_text(target *t, const char *path, const char *text)
{
    char seen[MOST_SEEN] = ""; /* keys, a blank after each */
    unsigned number = 1;
    int said = 0;
    const char *fault;

    for (; *text != '\0'; number++) {
        const size_t length = strcspn(text, "\n");
        char line[256];

        if (length >= sizeof line)
            return fail(path, "target", NO_OFFSET, "line %u is too long", number);
        memcpy(line, text, length);
        line[length] = '\0';
        said |= strchr("#", line[strspn(line, " \t\r")]) == NULL; /* neither a comment nor empty */
        if (take_line(t, path, number, line, seen) != TOOL_OK)
            return TOOL_ERROR;
        text += length + (text[length] == '\n');
    }
    if (!said)
        return fail(path, "target", NO_OFFSET, "empty target description; expected lines such as \"ram 16K\"");
    fault = fault_of(t);
    return fault == NULL ? TOOL_OK : fail(path, "target", NO_OFFSET, "%s", fault);
}

/* The first line of a built-in target's text is "name NAME". */
const char *target_builtin(size_t i, size_t *length)
{
    const char *at = targets_builtin[i];

    if (at == NULL)
        return NULL;
    at += strcspn(at, " ");
    at += strspn(at, " ");
    *length = strcspn(at, "\n");
    return at;
}

static const char *builtin(const char *name)
{
    size_t length;
    size_t i;

    for (i = 0; targets_builtin[i] != NULL; i++) {
        const char *const at = target_builtin(i, &length);

        if (strlen(name) == length && memcmp(at, name, length) == 0)
            return targets_builtin[i];
    }
    return NULL;
}

void target_default(target *t)
{
    memset(t, 0, sizeof *t);
    (void)take_text(t, "targets", builtin("lm3s6965evb"));
}

static int no_target(const char *name, int error)
{
    char words[96];
    near_name n;
    size_t length;
    size_t i;

    near_begin(&n, name, strlen(name));
    for (i = 0; targets_builtin[i] != NULL; i++) {
        const char *const at = target_builtin(i, &length);

        near_add(&n, at, length);
    }
    return usage("unknown target %s%s, and no file of that name: %s; 'utet fit --for list' prints the known targets",
                 name, near_words(&n, words), strerror(error));
}

static int from_file(target *t, const char *path)
{
    FILE *const file = fopen(path, "rb");
    char text[8192];
    size_t length;
    int error;

    if (file == NULL)
        return no_target(path, errno);
    length = fread(text, 1, sizeof text - 1, file);
    error = ferror(file) ? errno : 0;
    (void)fclose(file);
    text[length] = '\0';
    if (error != 0)
        return fail(path, "target", NO_OFFSET, "cannot read: %s", strerror(error));
    if (length == sizeof text - 1 || strlen(text) != length)
        return fail(path, "target", NO_OFFSET, "the file does not describe a target");
    return take_text(t, path, text);
}

const char *const target_options[TARGET_OPTIONS] = {"for",  "ram",   "stack",  "program", "pointer",
                                                    "unit", "align", "mapped", "with"};

int target_tell(target *t, const char *option, const char *value)
{
    size_t i;

    for (i = 0; i < TARGET_OPTIONS; i++)
        if (strcmp(option, target_options[i]) == 0) {
            t->given[i] = value;
            return 1;
        }
    return 0;
}

/* Applies --for: the name of a built-in target, or a file that describes a target. */
static int choose(target *t, const char *value)
{
    const char *const text = builtin(value);

    (void)snprintf(t->name, sizeof t->name, "%s", value);
    t->about[0] = '\0';
    return text != NULL ? take_text(t, value, text) : from_file(t, value);
}

/* Applies --with: one or more of the words meta, fold, query. */
static int add_uses(target *t, const char *value)
{
    static const char *const words[] = {"meta", "fold", "query"};
    const char *at = value;
    unsigned i;

    for (;; at++) {
        const size_t length = strcspn(at, ",");

        for (i = 0; i < 3 && (strlen(words[i]) != length || memcmp(words[i], at, length) != 0); i++)
            ;
        if (i == 3)
            return usage("--with: invalid value \"%s\"; use meta, fold and query, separated by commas", value);
        t->with |= 1u << i;
        at += length;
        if (*at == '\0')
            return TOOL_OK;
    }
}

/* Applies any other option: a number that replaces a value of the target's description. */
static int change(target *t, const char *option, const char *value)
{
    int zero = 0;
    uint64_t *const to = field(t, option, strlen(option), &zero);

    if (to == NULL)
        return add_uses(t, value);
    if ((zero && strcmp(value, "0") == 0 && (*to = 0, 1)) || options_bytes(value, to))
        return TOOL_OK;
    return usage("--%s: invalid value \"%s\"; use a number of %s", option, value,
                 strcmp(option, "pointer") == 0 ? "bits" : "bytes");
}

int target_settle(target *t)
{
    const int chosen = t->given[0] != NULL ? choose(t, t->given[0]) : TOOL_OK;
    const char *fault;
    size_t i;

    if (chosen != TOOL_OK)
        return chosen;
    for (i = 1; i < TARGET_OPTIONS; i++)
        if (t->given[i] != NULL && change(t, target_options[i], t->given[i]) != TOOL_OK)
            return TOOL_USAGE;
    fault = fault_of(t);
    return fault == NULL ? TOOL_OK : usage("%s", fault);
}

int target_is_given(const target *t)
{
    return t->given[0] != NULL || t->given[1] != NULL;
}

const char *target_name(const target *t)
{
    return t->given[0] != NULL   ? t->name
           : t->given[1] != NULL ? "a machine with that RAM"
                                 : "lm3s6965evb (--for chooses another board)";
}

void target_put_options(FILE *out, const target *t)
{
    size_t i;

    for (i = 0; i < TARGET_OPTIONS; i++)
        if (t->given[i] != NULL) {
            fprintf(out, " --%s ", target_options[i]);
            put_shell_word(out, t->given[i]);
        }
}

uint64_t target_objects(const target *t)
{
    return t->port + t->file + t->dataset + target_reader(t, NULL) + target_meta(t);
}

uint64_t target_reader(const target *t, const char **name)
{
    const char *ignored;

    name = name != NULL ? name : &ignored;
    if ((t->with & TARGET_QUERY) != 0) {
        *name = "query document, plan, answer, response";
        return t->query;
    }
    *name = (t->with & TARGET_FOLD) != 0 ? "utet_fold, its slab inside" : "utet_slab, its stream inside";
    return (t->with & TARGET_FOLD) != 0 ? t->fold : t->slab;
}

uint64_t target_meta(const target *t)
{
    return (t->with & (TARGET_META | TARGET_QUERY)) != 0 ? t->meta : 0;
}

uint64_t target_ram(const target *t, uint64_t workspace)
{
    const uint64_t fixed = t->stack + t->program + target_objects(t);

    return fixed > UINT64_MAX - workspace ? UINT64_MAX : fixed + workspace;
}

int target_holds(const target *t, uint64_t workspace)
{
    return target_ram(t, 0) <= t->ram && workspace <= target_workspace(t);
}

uint64_t target_workspace(const target *t)
{
    const uint64_t taken = target_ram(t, 0);

    return t->ram > taken ? (t->ram - taken) & ~(uint64_t)7 : 0;
}

/* ---- needs ---- */

static uint64_t window_least(uint64_t unit)
{
    return UTET_HEADROOM + (unit > 64 ? unit : 64);
}

static uint64_t window_best(uint64_t unit)
{
    return UTET_HEADROOM + (unit > 512 ? unit : 512);
}

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + 7) & ~(uint64_t)7;
}

/* Returns the minimum memory for the decoder's input: the smallest caches, or the complete payload if it is smaller. */
static uint64_t least_input(uint64_t stored, uint64_t caches)
{
    return stored < caches ? round_up(stored) : caches;
}

/* Returns the size of the decoder's fixed parts on this machine, as the decoder reports it. */
static void here(uint64_t *packed, uint64_t *tables, uint64_t *caches)
{
    static uint8_t byte;
    utet_io io;
    utet_zstd_job job;
    utet_need need;

    memset(&io, 0, sizeof io);
    memset(&job, 0, sizeof job);
    io.map = &byte;
    io.size = 1;
    job.io = &io;
    job.length = 1 << 16; /* more than the smallest caches */
    job.size = 1;
    job.dst = &byte;
    (void)utet_zstd_need(&job, 0, &need);
    *packed = need.least;
    *tables = need.best;
    io.map = NULL;
    (void)utet_zstd_need(&job, 0, &need);
    *caches = need.least - *packed;
}

uint64_t target_history(const utet_chunk *chunk, int upstream, const utet_need *need)
{
    uint64_t packed;
    uint64_t tables;
    uint64_t caches;

    if (chunk->codec == UTET_CODEC_RAW)
        return 0;
    if (upstream) /* a chunk that is read into one destination needs no history */
        return 0;
    here(&packed, &tables, &caches);
    return need->least - window_least(1) - packed - least_input(chunk->stored_byte_len, caches);
}

void target_need(const target *t, const target_chunk *chunk, int whole, utet_need *need)
{
    /* one cell of the reduction with the largest cells, by windows or groups */
    const uint64_t cell = (t->with & (TARGET_FOLD | TARGET_QUERY)) != 0 && !whole ? UTET_FOLD_CELL + 8 : 0;
    const uint64_t least = cell + (t->mapped ? 0 : window_least(t->unit));
    const uint64_t best = cell + (t->mapped ? 0 : window_best(t->unit));
    const uint64_t history = whole ? 0 : chunk->history;
    uint64_t packed;
    uint64_t tables;
    uint64_t caches;

    need->least = least;
    need->best = best;
    if (chunk->codec == UTET_CODEC_RAW)
        return;
    if (chunk->upstream) {
        const uint64_t block = t->mapped ? 0 : chunk->stored < 131072 ? chunk->stored : 131072;

        need->least += t->zstd_upstream + block + history;
        need->best += t->zstd_upstream + block + history;
        return;
    }
    here(&packed, &tables, &caches);
    need->least += t->zstd_packed + (t->mapped ? 0 : least_input(chunk->stored, caches)) + history;
    need->best += t->zstd_tables + (t->mapped ? 0 : round_up(chunk->stored)) + (whole ? 0 : round_up(chunk->raw));
}

void target_list(FILE *out)
{
    size_t i;

    for (i = 0; targets_builtin[i] != NULL; i++) {
        target t;

        target_default(&t);
        if (take_text(&t, "targets", targets_builtin[i]) == TOOL_OK)
            fprintf(out, "%-16s %s\n", t.name, t.about);
    }
}
