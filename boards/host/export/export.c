/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet export --c: a selection as a C array of its type, or (--image) the whole file as bytes, which the library can
 * read without copying them. OUT.c holds the data, OUT.h next to it declares them. */
#include "shared/number.h"
#include "shared/tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE 100u /* columns of the C text */
#define WORDS 80u /* maximum length of a name, a type or a value */

typedef struct export_file {
    output out;
    uint32_t dtype;
    size_t elem_size;
    size_t column;
    char name[WORDS];
} export_file;

/* The C type of each dtype, and the suffix of its constants. C99 has no 16-bit float; the bits are exported as
 * integers. */
#define INTEGER(bytes, one, two, four, eight) \
    ((bytes) == 1 ? (one) : (bytes) == 2 ? (two) : (bytes) == 4 ? (four) : (eight))
#define TYPE_ROW(tag, number, name, bytes, kind, fraction)                                         \
    [number] = (kind) == UTET_FLOAT    ? INTEGER(bytes, "", "uint16_t", "float", "double")         \
               : (kind) == UTET_SIGNED ? INTEGER(bytes, "int8_t", "int16_t", "int32_t", "int64_t") \
                                       : INTEGER(bytes, "uint8_t", "uint16_t", "uint32_t", "uint64_t"),
#define END_ROW(tag, number, name, bytes, kind, fraction)                  \
    [number] = (kind) == UTET_FLOAT    ? INTEGER(bytes, "", "u", "f", "")  \
               : (kind) == UTET_SIGNED ? INTEGER(bytes, "", "", "L", "LL") \
                                       : INTEGER(bytes, "u", "u", "UL", "ULL"),
static const char *const types[] = {UTET_DTYPES(TYPE_ROW)}, *const ends[] = {UTET_DTYPES(END_ROW)};

/* ---- values ---- */

/* Writes a constant that has the value's type and value on any machine, even if int has 16 bits. */
static int constant(const export_file *e, const uint8_t *element, char *text)
{
    size_t length;
    double value;

    if (e->dtype == UTET_F16) /* C99 has no 16-bit float: its bits */
        return sprintf(text, "0x%02x%02xu", (unsigned)element[1], (unsigned)element[0]);
    if (number_text(e->dtype, element, text, CSV_MOST, &length) != UTET_OK ||
        utet_show_double(e->dtype, element, &value) != UTET_OK)
        return -1;
    text[length] = '\0';
    if (e->dtype == UTET_F32 || e->dtype == UTET_F64) {
        if (isnan(value))
            return sprintf(text, "NAN");
        if (isinf(value))
            return sprintf(text, "%sINFINITY", value < 0 ? "-" : "");
        if (strpbrk(text, ".e") == NULL)
            strcat(text, ".0");
    } else if (strcmp(text, "-9223372036854775808") == 0) { /* C has no negative constants */
        return sprintf(text, "(-9223372036854775807LL - 1)");
    } else if (strcmp(text, "-2147483648") == 0) {
        return sprintf(text, "(-2147483647L - 1)");
    } else if (strcmp(text, "-32768") == 0) {
        return sprintf(text, "(-32767 - 1)");
    }
    strcat(text, ends[e->dtype]);
    return (int)strlen(text);
}

static int put_word(export_file *e, const char *word, size_t length)
{
    const char *const before = e->column == 0 ? "    " : e->column + 2 + length > LINE ? "\n    " : " ";

    e->column = *before == ' ' && before[1] == '\0' ? e->column + 2 + length : 5 + length;
    return output_write(&e->out, before, strlen(before)) == TOOL_OK && output_write(&e->out, word, length) == TOOL_OK
               ? output_write(&e->out, ",", 1)
               : TOOL_ERROR;
}

static int put_values(void *ctx, const uint8_t *data, size_t count)
{
    export_file *const e = ctx;
    char text[CSV_MOST + 16];

    for (; count > 0; count--, data += e->elem_size) {
        const int length = constant(e, data, text);

        if (length < 0)
            return fail(e->out.name, NULL, NO_OFFSET, "unsupported dtype");
        if (put_word(e, text, (size_t)length) != TOOL_OK)
            return TOOL_ERROR;
    }
    return TOOL_OK;
}

/* ---- the file's bytes ---- */

static int put_image(export_file *e, source *s)
{
    const utet_io *const io = &s->reading.io;
    uint8_t piece[4096];
    uint64_t at;
    size_t got = 0;
    size_t i;

    for (at = 0; at < io->size; at += got) {
        const size_t some = io->size - at < sizeof piece ? (size_t)(io->size - at) : sizeof piece;
        const utet_status status = io->read(io->ctx, at, piece, some, &got);

        if (status != UTET_OK || got == 0)
            return fail(s->path, "medium", at, "cannot read");
        for (i = 0; i < got; i++) {
            char text[8];

            if (put_word(e, text, (size_t)sprintf(text, "%u", (unsigned)piece[i])) != TOOL_OK)
                return TOOL_ERROR;
        }
    }
    return TOOL_OK;
}

/* ---- names ---- */

/* Makes a C name of letters, digits and _ out of `text` and a suffix that no keyword has. */
static void identifier(char *to, const char *text, size_t length, const char *end)
{
    size_t i = 0;

    if (length == 0 || (text[0] >= '0' && text[0] <= '9'))
        to[i++] = 'd';
    for (; length > 0 && i < WORDS / 2; text++, length--) {
        const char c = *text;

        to[i++] = (char)((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_');
    }
    strcpy(to + i, end);
}

/* Returns nonzero for a lower-case keyword of C or C++, which cannot be a name. */
static int is_keyword(const char *text)
{
    static const char words[] =
        " alignas alignof and asm auto bitand bitor bool break case catch char class compl concept const consteval "
        "constexpr constinit continue decltype default delete do double else enum explicit export extern false float "
        "for friend goto if inline int long mutable namespace new noexcept not nullptr operator or private protected "
        "public register requires restrict return short signed sizeof static struct switch template this throw true "
        "try typedef typeid typename typeof union unsigned using virtual void volatile while xor ";
    const char *found = strstr(words, text);
    const size_t length = strlen(text);

    while (found != NULL && (found[-1] != ' ' || found[length] != ' '))
        found = strstr(found + 1, text);
    return found != NULL;
}

static int good_identifier(const char *text)
{
    const char *at = text;

    while ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' || (*at >= '0' && *at <= '9'))
        at++;
    return at > text && *at == '\0' && (*text < '0' || *text > '9') && at - text < (int)WORDS && !is_keyword(text);
}

static const char *base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static void upper(char *to, const char *from)
{
    for (; *from != '\0'; from++)
        *to++ = (char)(*from >= 'a' && *from <= 'z' ? *from - 'a' + 'A' : *from);
    *to = '\0';
}

/* Writes a text from a file into a C comment, without characters that end the comment or change the direction of
 * writing. */
static void put_comment(FILE *to, const char *text)
{
    for (; *text != '\0'; text++)
        putc(*text < ' ' || *text > '~' || *text == '*' || *text == '\\' || *text == '?' ? '_' : *text, to);
}

/* ---- the two files ---- */

static void put_head(const export_file *e, const options *opt, const char *what)
{
    FILE *const to = e->out.stream;

    fputs("/* Made by utet export of ", to);
    put_comment(to, base_name(opt->file));
    if (opt->dataset != NULL) {
        fputs(", dataset ", to);
        put_comment(to, opt->dataset);
    }
    if (opt->slab != NULL) {
        fputs(", slab ", to);
        put_comment(to, opt->slab);
    }
    fprintf(to, ": %s. */\n", what);
}

/* Writes OUT.c up to the first value. */
static void put_source_head(const export_file *e, const options *opt, const char *type, uint64_t count)
{
    FILE *const to = e->out.stream;
    const char *const base = base_name(opt->output);

    fprintf(to, "#include \"%.*s.h\"\n\n", (int)(strlen(base) - 2), base);
    if (e->dtype == UTET_F32 || e->dtype == UTET_F64)
        fputs("#include <math.h>\n\n", to);
    fputs("/* Where the data go may be said with -DUTET_EXPORT=… */\n#ifndef UTET_EXPORT\n#ifdef __GNUC__\n"
          "#define UTET_EXPORT __attribute__((aligned(8)",
          to);
    if (opt->section != NULL)
        fprintf(to, ", section(\"%s\")", opt->section);
    fputs("))\n#else\n#define UTET_EXPORT\n#endif\n#endif\n\n", to);
    fprintf(to, "const %s %s[%" PRIu64 "] UTET_EXPORT = {\n", type, e->name, count);
}

static int write_header(const export_file *e, const options *opt, const source *s, const selection *selected,
                        const char *type, uint64_t count)
{
    export_file h = *e;
    char *const path = malloc(strlen(opt->output) + 1);
    char guard[WORDS];
    unsigned d;
    int result;

    if (path == NULL)
        return fail(opt->output, NULL, NO_OFFSET, "not enough memory");
    strcpy(path, opt->output);
    path[strlen(path) - 1] = 'h';
    result = output_open(&h.out, path, s);
    if (result == TOOL_OK) {
        FILE *const to = h.out.stream;

        upper(guard, e->name);
        put_head(&h, opt, selected != NULL ? "elements in row-major order" : "the whole file");
        fprintf(to, "#ifndef %s_H\n#define %s_H\n\n#include <stdint.h>\n\n", guard, guard);
        if (selected == NULL)
            fprintf(to, "/* utet_io io = {.map = %s, .size = sizeof %s, .unit = 1, .align = 1}; */\n", e->name,
                    e->name);
        else if (e->dtype == UTET_F16)
            fputs("/* float16: the bits of each element */\n", to);
        for (d = 0; selected != NULL && d < selected->dataset.ndim; d++)
            fprintf(to, "#define %s_EXTENT%u %" PRIu64 "\n", guard, d, selected->shape[d]);
        fprintf(to, "extern const %s %s[%" PRIu64 "];\n\n#endif\n", type, e->name, count);
        if (ferror(to))
            result = fail(path, NULL, NO_OFFSET, "cannot write");
    }
    result = output_close(&h.out, result);
    free(path);
    return result;
}

static int write_both(export_file *e, const options *opt, source *s, const selection *selected)
{
    const char *const type = selected != NULL ? types[e->dtype] : "unsigned char";
    const uint64_t count = selected != NULL ? selected->count : s->port.io.size;
    int result = output_open(&e->out, opt->output, s);

    if (result == TOOL_OK) {
        put_head(e, opt, selected != NULL ? "elements in row-major order" : "the whole file");
        put_source_head(e, opt, type, count);
        result = selected != NULL ? bands_each(s, selected, put_values, e) : put_image(e, s);
    }
    if (result == TOOL_OK)
        result = output_write(&e->out, "\n};\n", 4);
    result = output_close(&e->out, result);
    return result == TOOL_OK ? write_header(e, opt, s, selected, type, count) : result;
}

static int name_it(export_file *e, const options *opt, source *s, const utet_dataset *dataset)
{
    const char *const base = base_name(opt->file);
    char *name;

    if (opt->name != NULL) {
        strcpy(e->name, opt->name);
        return TOOL_OK;
    }
    if (dataset == NULL) {
        identifier(e->name, base, strcspn(base, "."), "_tet");
        return TOOL_OK;
    }
    name = source_name(s, dataset);
    if (name == NULL)
        return TOOL_ERROR;
    identifier(e->name, name, dataset->name_length, "_values");
    free(name);
    return TOOL_OK;
}

static int run(source *s, const options *opt)
{
    selection selected;
    export_file e;

    memset(&e, 0, sizeof e);
    if (opt->image)
        return name_it(&e, opt, s, NULL) == TOOL_OK ? write_both(&e, opt, s, NULL) : TOOL_ERROR;
    if (selection_find(s, opt, &selected) != TOOL_OK)
        return TOOL_ERROR;
    if (selected.count == 0)
        return fail(s->path, "dataset", NO_OFFSET, "the dataset is empty: C has no arrays without elements");
    e.dtype = selected.dataset.dtype;
    e.elem_size = selected.dataset.elem_size;
    if (name_it(&e, opt, s, &selected.dataset) != TOOL_OK || source_grow(s, opt, &selected.need) != TOOL_OK)
        return TOOL_ERROR;
    return write_both(&e, opt, s, &selected);
}

int command_export(const options *opt)
{
    const size_t length = opt->output != NULL ? strlen(opt->output) : 0;

    if (!opt->as_c)
        return usage("missing option; give --c");
    if (length < 3 || strcmp(opt->output + length - 2, ".c") != 0)
        return opt->output == NULL ? usage("missing option; give -o OUT.c")
                                   : usage("-o: the name %s does not end in .c; choose one that does", opt->output);
    if (opt->name != NULL && !good_identifier(opt->name))
        return usage("--name: \"%s\" is not an identifier of C; use letters, digits and _", opt->name);
    if (opt->section != NULL && strpbrk(opt->section, "\"\\\n") != NULL)
        return usage("--section: invalid value \"%s\"; use the name of a linker section", opt->section);
    if (opt->image && (opt->dataset != NULL || opt->slab != NULL))
        return usage("--image exports the whole file; omit DATASET and --slab, or extract a part with utet pack first");
    return source_run(opt, run);
}
