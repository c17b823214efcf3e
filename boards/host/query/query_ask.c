/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The document that is made of the options of utet query. A slab becomes numbers, because --slab has rules of its own;
 * the names of axes stay, and the library resolves them. */
#define _XOPEN_SOURCE 700
#include "query.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of axes ---- */

/* Returns nonzero if the text of an axis is a number. */
static int axis_number(const char *text, size_t length, uint64_t *number)
{
    char digits[20];

    if (length >= sizeof digits)
        return 0;
    memcpy(digits, text, length);
    digits[length] = '\0';
    return parse_number(digits, number);
}

/* The number of an axis in digits, or a name. */
static void put_axis(FILE *out, const char *text, size_t length)
{
    uint64_t number;

    if (axis_number(text, length, &number))
        fprintf(out, "%" PRIu64, number);
    else
        json_text(out, text, length);
}

static void put_axes(FILE *out, const char *text)
{
    putc('[', out);
    for (;;) {
        const size_t length = strcspn(text, ",");

        put_axis(out, text, length);
        text += length;
        if (*text == '\0')
            break;
        putc(*text++, out);
    }
    putc(']', out);
}

/* Returns nonzero if the list names every axis of the dataset, which a document says with an empty list. */
static int names_all(answer *a, const utet_dataset *dataset, const char *text)
{
    utet_meta meta;
    utet_dataset_meta about;
    const int named = utet_meta_open(&meta, &a->s->file) == UTET_OK &&
                      utet_meta_dataset(&meta, dataset, &about) >= UTET_OK;
    unsigned seen = 0;
    unsigned axis;
    uint64_t number;

    for (;; text++) {
        const size_t length = strcspn(text, ",");

        if (axis_number(text, length, &number))
            axis = number < dataset->ndim ? (unsigned)number : UTET_MAX_NDIM;
        else if (!named || utet_meta_axis(&meta, &about, text, length, &axis) != UTET_OK)
            return 0;
        if (axis >= dataset->ndim)
            return 0;
        seen |= 1u << axis;
        text += length;
        if (*text == '\0')
            return seen == (1u << dataset->ndim) - 1;
    }
}

/* The axes of the reduction. An empty list reduces all axes, but with a window only that of the window. */
static void put_reduced(FILE *out, answer *a, const utet_dataset *dataset)
{
    const char *const text = a->opt->asks[a->ask].axes;
    const int all = strcmp(text, "all") == 0;
    unsigned d;

    fprintf(out, ",\"%s\":", a->opt->asks[a->ask].key);
    if (all && a->opt->window != NULL && a->opt->group == NULL) {
        for (d = 0; d < dataset->ndim; d++)
            fprintf(out, "%s%u", d == 0 ? "[" : ",", d);
        putc(']', out);
    } else if (all || (a->opt->window == NULL && a->opt->group == NULL && names_all(a, dataset, text))) {
        fputs("[]", out);
    } else {
        put_axes(out, text);
    }
}

/* ---- --where ---- */

/* The length of the JSON number at `text`; 0: there is none. */
static size_t number_length(const char *text)
{
    const char *at = text + (*text == '-');
    size_t digits = strspn(at, "0123456789");

    if (digits == 0 || (*at == '0' && digits > 1))
        return 0;
    at += digits;
    if (*at == '.') {
        digits = strspn(++at, "0123456789");
        if (digits == 0)
            return 0;
        at += digits;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        digits = strspn(at, "0123456789");
        if (digits == 0)
            return 0;
        at += digits;
    }
    return (size_t)(at - text);
}

/* One test at *at, which moves on; 0: it is not a test, or one that was *seen. */
static int put_test(FILE *out, const char **at, unsigned *seen)
{
    static const char *const tests[][2] = {{"!null", "is_not_null"},
                                           {"null", "is_null"},
                                           {"!=", "ne"},
                                           {">=", "ge"},
                                           {"<=", "le"},
                                           {"==", "eq"},
                                           {">", "gt"},
                                           {"<", "lt"},
                                           {"=", "eq"}};
    const char *from = *at + strspn(*at, " ");
    size_t length;
    size_t i;

    for (i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (strncmp(from, tests[i][0], strlen(tests[i][0])) == 0)
            break;
    if (i == sizeof tests / sizeof tests[0])
        return 0;
    if ((*seen >> (i == 8 ? 5 : i) & 1) != 0) /* "=" is "==" */
        return 0;
    *seen |= 1u << (i == 8 ? 5 : i);
    from += strlen(tests[i][0]);
    fprintf(out, "\"%s\":", tests[i][1]);
    if (i < 2) {
        fputs("true", out);
    } else {
        from += strspn(from, " ");
        length = number_length(from);
        if (length == 0)
            return 0;
        fprintf(out, "%.*s", (int)length, from);
        from += length;
    }
    *at = from + strspn(from, " ");
    return 1;
}

static int put_tests(FILE *out, const char *text)
{
    const char *at = text;
    unsigned seen = 0;

    fputs(",\"filter\":{", out);
    for (;;) {
        if (!put_test(out, &at, &seen) || (*at != ',' && *at != '\0'))
            return usage(
                "--where: invalid test, at \"%s\"; use tests such as '>3,<=5', '!=0', null and '!null', each once", at);
        if (*at == '\0')
            break;
        putc(*at++, out);
    }
    putc('}', out);
    return TOOL_OK;
}

/* ---- the document ---- */

static void put_selection(FILE *out, const utet_dataset *dataset, const utet_range *ranges)
{
    unsigned d;

    fputs(",\"selection\":[", out);
    for (d = 0; d < dataset->ndim; d++)
        fprintf(out, "%s{\"start\":%" PRIu64 ",\"stop\":%" PRIu64 ",\"step\":%" PRIu64 "}", d != 0 ? "," : "",
                ranges[d].start, ranges[d].stop, ranges[d].step);
    putc(']', out);
}

/* N, along the only axis of the reduction, or AXIS=N. */
static int put_window(FILE *out, const options *opt)
{
    const char *const name = opt->rolling ? "--rolling" : "--window";
    const char *const sign = strrchr(opt->window, '=');
    const char *const axes = opt->asks[0].axes;
    uint64_t size;

    if (!parse_number(sign != NULL ? sign + 1 : opt->window, &size) || size == 0)
        return usage("%s: invalid value \"%s\"; use N or AXIS=N, with N from 1 up", name, opt->window);
    if (sign == NULL && (strcmp(axes, "all") == 0 || strchr(axes, ',') != NULL))
        return usage("%s %s: the reduction has several axes; use %s AXIS=%s", name, opt->window, name, opt->window);
    fputs(",\"window\":{\"axis\":", out);
    if (sign != NULL)
        put_axis(out, opt->window, (size_t)(sign - opt->window));
    else
        put_axis(out, axes, strlen(axes));
    fprintf(out, ",\"size\":%" PRIu64 ",\"mode\":\"%s\"}", size, opt->rolling ? "rolling" : "bins");
    return TOOL_OK;
}

static int put_document(FILE *out, answer *a, const utet_dataset *dataset, const char *name)
{
    const options *const opt = a->opt;
    utet_range ranges[UTET_MAX_NDIM];
    int result = TOOL_OK;

    fputs("{\"dataset\":", out);
    json_text(out, name, dataset->name_length);
    if (opt->slab != NULL) {
        result = slab_ranges(a->s, opt->slab, dataset, ranges);
        if (result == TOOL_OK)
            put_selection(out, dataset, ranges);
    }
    if (result == TOOL_OK && opt->tests != NULL)
        result = put_tests(out, opt->tests);
    if (opt->group != NULL) {
        fputs(",\"group_by\":{\"by\":\"labels\",\"axes\":", out);
        put_axes(out, opt->group);
        putc('}', out);
    }
    if (result == TOOL_OK && opt->window != NULL)
        result = put_window(out, opt);
    if (opt->ask_count != 0)
        put_reduced(out, a, dataset);
    putc('}', out);
    return result;
}

int answer_ask(answer *a, char **text, size_t *length)
{
    utet_dataset dataset;
    char *name;
    FILE *out;
    int result = source_dataset(a->s, a->opt->dataset, &dataset);

    *text = NULL;
    if (result != TOOL_OK)
        return result;
    name = source_name(a->s, &dataset);
    if (name == NULL)
        return TOOL_ERROR;
    out = open_memstream(text, length);
    if (out != NULL)
        result = put_document(out, a, &dataset, name);
    free(name);
    if (out == NULL || !words_close(out, text))
        return fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    return result;
}
