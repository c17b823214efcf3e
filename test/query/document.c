/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * document: query documents on standard input, for document_test.py. Each is a line with MODE and the number of its
 * bytes, followed by the bytes. MODE 0: in memory; 1: through a port with "not yet" before each byte and one byte per
 * answer; 2: as 1, with the read of that number (a third word) failing. Prints one line: the status and what was
 * understood, or the message.
 */
#include "utet_query.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *bytes;
static int told;
static unsigned long reads;
static unsigned long failing;

static utet_status read_bytes(void *context, uint64_t offset, void *buffer, size_t size, size_t *got)
{
    (void)context;
    (void)size;
    told = !told;
    if (told)
        return UTET_WOULD_BLOCK;
    if (++reads == failing)
        return UTET_E_PORT - 7;
    memcpy(buffer, bytes + offset, 1);
    *got = 1;
    return UTET_OK;
}

#define DRIVE(status, call) \
    do                      \
        (status) = (call);  \
    while ((status) == UTET_WOULD_BLOCK)

static void put_text(utet_query *query, const char *name, const utet_query_text_at *text)
{
    char piece[5];
    uint32_t from = 0;
    utet_status status;
    size_t got;

    printf(" %s=", name);
    do {
        size_t i;

        DRIVE(status, utet_query_text(query, text, from, piece, sizeof piece, &got));
        for (i = 0; i < got; i++)
            printf("%02x", (uint8_t)piece[i]);
        from += (uint32_t)got;
    } while (status == UTET_OK && got != 0);
    if (status != UTET_OK)
        printf("(%d)", status);
}

static void put_axes(utet_query *query, const char *name, const utet_query_text_at *axes, unsigned count)
{
    char text[UTET_QUERY_TOKEN];
    utet_status status;
    size_t got;
    unsigned i;

    printf(" %s=", name);
    for (i = 0; i < count; i++) {
        DRIVE(status, utet_query_text(query, &axes[i], 0, text, sizeof text, &got));
        printf("%s%.*s", i != 0 ? "," : "", status == UTET_OK ? (int)got : 0, text);
    }
}

static void put_double(const char *name, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    printf(" %s=%016" PRIx64, name, bits);
}

static void put_query(utet_query *query)
{
    unsigned i;

    put_text(query, "dataset", &query->dataset);
    printf(" op=%s", utet_query_name(query->operation));
    if (query->method != 0)
        printf(" method=%s", utet_query_method_name(query->method));
    put_axes(query, "axes", query->axes, query->axes_count);
    if (query->selected != UINT32_MAX)
        printf(" selected=%" PRIu32, query->selected);
    for (i = 0; query->selected != UINT32_MAX && i < query->selected && i < UTET_MAX_NDIM; i++) {
        const utet_query_range *r = &query->selection[i];

        printf(" [%u:%" PRIu64 ":%" PRIu64 ":%" PRIu64, r->has, (r->has & UTET_QUERY_START) != 0 ? r->start.index : 0,
               (r->has & UTET_QUERY_STOP) != 0 ? r->stop.index : 0, r->step);
        if ((r->has & UTET_QUERY_START_LABEL) != 0 && r->start.label.length != 0)
            put_text(query, "a", &r->start.label);
        if ((r->has & UTET_QUERY_STOP_LABEL) != 0 && r->stop.label.length != 0)
            put_text(query, "z", &r->stop.label);
        printf("]");
    }
    if (query->filter.tests != 0) {
        static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
        const double values[] = {query->filter.eq, query->filter.ne, query->filter.lt,
                                 query->filter.le, query->filter.gt, query->filter.ge};

        printf(" tests=%" PRIu32, query->filter.tests & ~(uint32_t)UTET_FOLD_RESTS);
        for (i = 0; i < 6; i++)
            if ((query->filter.tests >> i & 1) != 0)
                put_double(names[i], values[i]);
        for (i = 0; i < 6; i++)
            if ((query->filter.tests & UTET_FOLD_RESTS) != 0 && query->filter.rest[i] != 0)
                printf(" %s_rest=%d", names[i], query->filter.rest[i]);
    }
    if (query->has_label_filter) {
        put_axes(query, "label_axis", &query->label_axis, 1);
        put_text(query, "label", &query->label);
    }
    if (query->group != 0 || query->has_align) {
        printf(" group=%u", query->group);
        put_axes(query, "keys", query->keys, query->keys_count);
    }
    if (query->has_align)
        put_text(query, "with", &query->align_with);
    if (query->window.mode != 0) {
        put_axes(query, "window", &query->window_axis, 1);
        printf(" %u:%u:%u:%" PRIu32 ":%" PRIu64 ":%" PRIu64, query->window.mode, query->window.pad,
               query->window.at_end, query->window.size, query->window.step, query->window.min_count);
    }
    if (query->operation == UTET_QUERY_QUANTILE)
        put_double("q", query->quantile);
    if (query->operation == UTET_QUERY_HISTOGRAM)
        printf(" bins=%" PRIu32 " bounds=%u", query->bins, query->has_bounds);
    if (query->has_bounds == 3) {
        put_double("min", query->low);
        put_double("max", query->high);
    }
    if (query->has_fill)
        put_double("fill", query->fill);
    if (query->unsupported != 0)
        printf(" unsupported=%u", query->unsupported);
}

static void put_message(utet_query *query)
{
    char piece[64];
    uint32_t from = 0;
    utet_status status;
    size_t got;
    size_t i;

    printf(" error: ");
    do {
        DRIVE(status, utet_query_message(query, from, piece, from % 7 + 1, &got));
        for (i = 0; i < got; i++)
            if (piece[i] == '\n')
                printf("\\n");
            else
                putchar(piece[i]);
        from += (uint32_t)got;
    } while (status == UTET_OK && got != 0);
    if (status != UTET_OK)
        printf("(%d)", status);
}

static void answer(unsigned mode, size_t length)
{
    static uint64_t work[24];
    utet_io io = {.read = read_bytes, .unit = 1, .align = 1};
    utet_query *query = malloc(sizeof *query);
    utet_file file;
    utet_status status;
    unsigned long opening;

    io.size = length;
    if (mode == 0)
        io.map = bytes;
    told = 0;
    reads = 0;
    utet_init(&file, &io, work, sizeof work, NULL);
    memset(query, 0xA5, sizeof *query);
    DRIVE(status, utet_query_open(query, &file, utet_query_options));
    opening = reads;
    printf("%d", status);
    failing = 0;
    if (status == UTET_OK && query->fault.reason != 0)
        printf(" accepted, with a fault");
    else if (status == UTET_OK)
        put_query(query);
    else if (status == UTET_E_METADATA && query->fault.reason != 0)
        put_message(query);
    if (mode == 1)
        fprintf(stderr, "%lu\n", opening);
    putchar('\n');
    free(query);
}

int main(void)
{
    unsigned mode;
    size_t length;

    if (getenv("SIZE") != NULL)
        printf("%zu %zu\n", sizeof(utet_query), sizeof(utet_file));
    while (scanf("%u %zu %lu", &mode, &length, &failing) == 3 && getchar() == '\n') {
        bytes = malloc(length != 0 ? length : 1);
        if (bytes == NULL || fread(bytes, 1, length, stdin) != length)
            return 1;
        answer(mode, length);
        fflush(stdout);
        free(bytes);
    }
    return 0;
}
