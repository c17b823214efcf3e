/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "tgmgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse(const char *text)
{
    fprintf(stderr, "tgmgen: not in the notation: %s\n", text);
    abort();
}

static uint8_t *head(uint8_t *to, unsigned major, uint64_t number)
{
    unsigned bytes = number < 24 ? 0 : number < 256 ? 1 : number < 65536 ? 2 : number >> 32 == 0 ? 4 : 8, i;

    *to++ = (uint8_t)(major << 5 | (bytes == 0 ? number : bytes == 1 ? 24 : bytes == 2 ? 25 : bytes == 4 ? 26 : 27));
    for (i = bytes; i-- != 0;)
        *to++ = (uint8_t)(number >> 8 * i);
    return to;
}

static uint8_t *item(uint8_t *to, const char **text);

/* A list or map; its count is written when it is known, and its items make room for that. */
static uint8_t *several(uint8_t *to, const char **text, int open)
{
    const int map = *(*text)++ == '{';
    uint8_t *at = to;
    size_t count = 0, size;

    if (open)
        *at++ = map ? 0xbf : 0x9f;
    while (**text != '\0' && **text != '}' && **text != ']') {
        at = item(at, text);
        if (**text == ',' || **text == ':')
            ++*text;
        count++;
    }
    if (**text == '\0')
        refuse("no end");
    ++*text;
    if (open) {
        *at++ = 0xff;
        return at;
    }
    size = (size_t)(at - to);
    {
        uint8_t first[9], *end = head(first, map ? 5 : 4, map ? count / 2 : count);

        memmove(to + (end - first), to, size);
        memcpy(to, first, (size_t)(end - first));
        return to + (end - first) + size;
    }
}

static uint8_t *number(uint8_t *to, const char **text)
{
    char *end;
    const size_t digits = strspn(*text, "-0123456789");

    if ((*text)[digits] == '.') {
        const double value = strtod(*text, &end);
        uint64_t bits;
        unsigned i;

        memcpy(&bits, &value, 8);
        *to++ = 0xfb;
        for (i = 8; i-- != 0;)
            *to++ = (uint8_t)(bits >> 8 * i);
    } else if (**text == '-') {
        to = head(to, 1, strtoull(*text + 1, &end, 10) - 1);
    } else {
        to = head(to, 0, strtoull(*text, &end, 10));
    }
    if (end == *text)
        refuse(*text);
    *text = end;
    return to;
}

static uint8_t *item(uint8_t *to, const char **text)
{
    static const struct {
        const char *name;
        uint8_t byte;
    } words[] = {{"false", 0xf4}, {"true", 0xf5}, {"null", 0xf6}, {"undefined", 0xf7}};
    const char *t = *text;
    unsigned i;

    if (*t == '_') {
        ++*text;
        return several(to, text, 1);
    }
    if (*t == '{' || *t == '[')
        return several(to, text, 0);
    if (*t == '"') {
        const size_t length = strcspn(t + 1, "\"");

        to = head(to, 3, length);
        memcpy(to, t + 1, length);
        *text = t + length + 2;
        return to + length;
    }
    if (*t == '#') {
        for (t++; strspn(t, "0123456789abcdef") >= 2; t += 2) {
            char two[3] = {t[0], t[1], '\0'};

            *to++ = (uint8_t)strtoul(two, NULL, 16);
        }
        *text = t;
        return to;
    }
    for (i = 0; i < 4; i++)
        if (strncmp(t, words[i].name, strlen(words[i].name)) == 0) {
            *text += strlen(words[i].name);
            *to++ = words[i].byte;
            return to;
        }
    return number(to, text);
}

size_t tgmgen_cbor(uint8_t *to, const char *text)
{
    uint8_t *at = to;

    while (*text != '\0')
        at = item(at, &text);
    return (size_t)(at - to);
}

static void put(tgmgen *g, uint64_t value, unsigned bytes)
{
    while (bytes-- != 0)
        g->bytes[g->size++] = (uint8_t)(value >> 8 * bytes);
}

static void put_at(tgmgen *g, size_t at, uint64_t value)
{
    const size_t size = g->size;

    g->size = at;
    put(g, value, 8);
    g->size = size;
}

void tgmgen_begin(tgmgen *g)
{
    g->begin = g->size;
    g->footer = 0;
    memcpy(g->bytes + g->size, "TENSOGRM", 8);
    g->size += 8;
    put(g, 3, 2);
    put(g, 0, 6);
    put(g, 0, 8);
}

static size_t begin_frame(tgmgen *g, unsigned type, unsigned flags)
{
    const size_t at = g->size;

    if (type >= 5 && type <= 7 && g->footer == 0)
        g->footer = at;
    memcpy(g->bytes + g->size, "FR", 2);
    g->size += 2;
    put(g, type, 2);
    put(g, 1, 2);
    put(g, flags, 2);
    put(g, 0, 8);
    return at;
}

static void end_frame(tgmgen *g, size_t at)
{
    put(g, 0, 8);
    memcpy(g->bytes + g->size, "ENDF", 4);
    g->size += 4;
    put_at(g, at + 8, g->size - at);
    while ((g->size - g->begin) % 8 != 0)
        g->bytes[g->size++] = 0;
}

void tgmgen_bytes(tgmgen *g, unsigned type, const void *content, size_t size)
{
    const size_t at = begin_frame(g, type, 0);

    memcpy(g->bytes + g->size, content, size);
    g->size += size;
    end_frame(g, at);
}

void tgmgen_frame(tgmgen *g, unsigned type, const char *text)
{
    const size_t at = begin_frame(g, type, 0);

    g->size += tgmgen_cbor(g->bytes + g->size, text);
    end_frame(g, at);
}

void tgmgen_tensor(tgmgen *g, const char *descriptor, size_t size, int first)
{
    const size_t at = begin_frame(g, 9, first ? 0 : 1);
    size_t begin = 16, i;

    if (first)
        g->size += tgmgen_cbor(g->bytes + g->size, descriptor);
    for (i = 0; i < size; i++)
        g->bytes[g->size++] = (uint8_t)i;
    if (!first) {
        begin = g->size - at;
        g->size += tgmgen_cbor(g->bytes + g->size, descriptor);
    }
    put(g, begin, 8);
    end_frame(g, at);
}

void tgmgen_end(tgmgen *g)
{
    const size_t end = g->size;

    put(g, (g->footer != 0 ? g->footer : end) - g->begin, 8);
    put(g, 0, 8);
    memcpy(g->bytes + g->size, "39277777", 8);
    g->size += 8;
    put_at(g, end + 8, g->size - g->begin);
    put_at(g, g->begin + 16, g->size - g->begin);
}
