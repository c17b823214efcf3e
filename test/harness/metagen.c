/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "metagen.h"
#include "suite.h"
#include "tetgen.h"
#include "utet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHA "\"0000000000000000000000000000000000000000000000000000000000000000\""
#define LONG METAGEN_LONG

static const char history[] =
    "[[\"made\",\"here\",\"1\"],{\"op\":\"o\",\"source\":\"s\",\"at\":\"2\",\"parents\":[\"p\"],\"params\":{\"k\":\"v\"},"
    "\"agent\":null,\"activity\":\"walk\",\"more\":[{}]}]";
static const char metadata[] =
    "{\"file\":{\"tool\":\"t\",\"unknown\":[true,false,null,1.5,-1]},\"datasets\":{\"other\":{},\"d\":{\"attrs\":{\"units\":"
    "\"\\u006bm\\/s \\u20ac \\ud83d\\ude00\",\"" LONG "\":\"" LONG
    "\",\"units\":\"K\"},\"dim_names\":[\"x\"],\"coords\":{"
    "\"x\":{\"labels\":[\"a\",\"b\",\"" LONG "\",\"" LONG "!\"]}}}}}";
#define ZONE(n, low, high)                                                                             \
    "{\"dataset_id\":0,\"chunk_index\":[" n "],\"element_count\":2,\"null_count\":0,\"min_le\":\"" low \
    "\",\"max_le\":\"" high "\"}"
static const char zones[] = "[" ZONE("0", "0100", "0200") "," ZONE("1", "0300", "0004") "]";
static const char indexes[] =
    "[{\"kind\":\"other\"},{\"kind\":\"sorted_axis_range\",\"dataset_id\":0,\"axis\":0},"
    "{\"kind\":\"value_postings\",\"dataset_id\":0,\"dtype\":6,\"postings\":[{\"value_le\":\"01000000\",\"chunks\":[[5]]},"
    "{\"value_le\":\"01\",\"chunks\":[[6]]},{\"value_le\":\"0100\",\"chunks\":[[0],[1]]}]},"
    "{\"kind\":\"coord_label_postings\",\"dataset_id\":0,\"axis\":0,\"postings\":[{\"label\":\"a\",\"chunks\":[[0]]}]}]";
const metagen metagen_usual = {
    .history = history, .metadata = metadata, .more = "", .zones = zones, .indexes = indexes};
const metagen metagen_bare = {.history = "[]", .metadata = "null", .more = ""};

static void put_text(metagen *g, const char *text)
{
    size_t length = strlen(text);

    memcpy(g->bytes + g->size, text, length);
    g->size += length;
}

/* A document; its reference is added to `refs`. */
static void put_document(metagen *g, char *refs, const char *name, const char *before, const char *text,
                         const char *after)
{
    size_t at = g->size;

    put_text(g, before);
    put_text(g, text);
    put_text(g, after);
    sprintf(refs + strlen(refs), ",\"%s\":{\"offset\":%u,\"len\":%u}", name, (unsigned)at, (unsigned)(g->size - at));
}

void metagen_build(metagen *g)
{
    static const tetgen_dataset datasets[] = {
        {.name = "d", .name_length = 1, .dtype = UTET_U16, .ndim = 1, .shape = {4}, .chunk = {2}, .codec = TETGEN_RAW},
    };
    tetgen file = {.datasets = datasets, .count = 1, .seed = 42};
    char refs[500] = "";

    tetgen_build(&file);
    g->bytes = malloc(file.size + 200000);
    assert_non_null(g->bytes);
    memcpy(g->bytes, file.bytes, file.size);
    g->size = file.size;
    tetgen_free(&file);
    tetgen_put(g->bytes + 12, 1, 4); /* a footer follows (§6.2) */
    g->documents = g->size;
    if (g->zones != NULL)
        put_document(g, refs, "zone_maps_ref",
                     "{\"version\":1,\"generation\":0,\"packed_sha256\":" SHA ",\"chunks\":", g->zones, "}\n");
    if (g->indexes != NULL)
        put_document(g, refs, "secondary_index_ref", "{\"indexes\":", g->indexes,
                     ",\"version\":1,\"generation\":0,\"packed_sha256\":" SHA "}\n");
    if (g->spill != NULL)
        put_document(g, refs, "metadata_ref", "", g->spill, "");
    g->json = g->size;
    if (g->footer != NULL) {
        put_text(g, g->footer);
    } else {
        put_text(g, "{\"history\":");
        put_text(g, g->history);
        put_text(g, ",\"metadata\":");
        put_text(g, g->metadata);
        put_text(g, refs);
        put_text(g, g->more);
        put_text(g, "}");
    }
    tetgen_put(g->bytes + g->size, g->size - g->json, 8);
    tetgen_put(g->bytes + g->size + 8, g->version != 0 ? (uint64_t)g->version : 2, 4);
    memcpy(g->bytes + g->size + 12, "THST", 4);
    g->size += 16;
}

void metagen_free(metagen *g)
{
    free(g->bytes);
}
