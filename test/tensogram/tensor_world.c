/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "tensor_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct line {
    char folder[200], name[100], sha[65];
    utet_object object;
} line;

static line *lines;
static size_t line_count;
static uint8_t *loaded;
static size_t loaded_size;
static const line *loaded_of;
static uint64_t seed = 88172645463325252u;

uint32_t world_draw(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 11) % below);
}

static const uint8_t widths[] = {0, 2, 2, 4, 8, 8, 16, 1, 2, 4, 8, 1, 2, 4, 8, 0};

static void parse(const char *text, const char *folder)
{
    line l;
    utet_object *o = &l.object;
    unsigned long long v[9], m[9];
    double r;
    int e, d, used = 0;
    unsigned i;

    memset(&l, 0, sizeof l);
    snprintf(l.folder, sizeof l.folder, "%s", folder);
    if (sscanf(text, "%99s %llu %llu %llu %llu %llu %llu %llu %llu %la %d %d %n", l.name, &v[0], &v[1], &v[2], &v[3],
               &v[4], &v[5], &v[6], &v[7], &r, &e, &d, &used) != 12)
        suite_fail("no line of a list: %s", text);
    o->payload_offset = v[0];
    o->payload_length = v[1];
    o->dtype = (uint8_t)v[2];
    o->big_endian = (uint8_t)v[3];
    o->encoding = (uint8_t)v[4];
    o->filter = (uint8_t)v[5];
    o->compression = (uint8_t)v[6];
    o->elements = v[7];
    o->width = widths[o->dtype];
    text += used;
    if (sscanf(text, "%llu %llu %llu %llu %llu %n", &v[0], &v[1], &v[2], &v[3], &v[4], &used) != 5)
        suite_fail("no line of a list: %s", text);
    o->packing.reference = r;
    o->packing.binary = e;
    o->packing.decimal = d;
    o->packing.bits = (uint8_t)v[0];
    o->shuffle_size = v[1];
    o->szip.interval = (uint32_t)v[2];
    o->szip.block_size = (uint32_t)v[3];
    o->szip.flags = (uint32_t)v[4];
    text += used;
    if (sscanf(text, "%llu %llu %llu %llu %llu %llu %llu %llu %llu %64s", &m[0], &m[1], &m[2], &m[3], &m[4], &m[5],
               &m[6], &m[7], &m[8], l.sha) != 10)
        suite_fail("no line of a list: %s", text);
    for (i = 0; i < 3; i++) {
        o->mask[i].method = (uint8_t)m[3 * i];
        o->mask[i].offset = m[3 * i + 1];
        o->mask[i].length = m[3 * i + 2];
        o->masks = (uint8_t)(o->masks + (m[3 * i] != 0));
    }
    o->decoded_length = o->dtype == UTET_TENSOR_BITMASK ? (o->elements + 7) / 8 : o->elements * o->width;
    o->stored_length = o->encoding == UTET_ENCODING_SIMPLE_PACKING ? (o->elements * o->packing.bits + 7) / 8
                                                                   : o->decoded_length;
    lines = realloc(lines, (line_count + 1) * sizeof *lines);
    lines[line_count++] = l;
}

static void load_lists(void)
{
    char *lists = getenv("TENSOR_LISTS"), *list, *folder, *rest, text[2000];

    suite_check(lists != NULL, "TENSOR_LISTS is not set");
    rest = strdup(lists);
    for (list = strtok_r(rest, " ", &rest); list != NULL; list = strtok_r(NULL, " ", &rest)) {
        FILE *f = fopen(list, "r");

        folder = strtok_r(NULL, " ", &rest);
        suite_check(f != NULL && folder != NULL, "%s cannot be opened", list);
        while (fgets(text, sizeof text, f) != NULL)
            parse(text, folder);
        fclose(f);
    }
    suite_check(line_count != 0, "no tensor in %s", lists);
}

static void load(tensor_world *w)
{
    const line *l = &lines[w->line];

    if (loaded_of == NULL || strcmp(loaded_of->name, l->name) != 0) {
        char path[400];
        FILE *f;

        snprintf(path, sizeof path, "%s/%s", l->folder, l->name);
        f = fopen(path, "rb");
        suite_check(f != NULL, "%s cannot be opened", path);
        loaded = realloc(loaded, 1u << 20);
        loaded_size = fread(loaded, 1, 1u << 20, f);
        fclose(f);
        loaded_of = l;
    }
    w->object = l->object;
    w->name = l->name;
    w->sha = l->sha;
    w->bytes = loaded;
    w->size = loaded_size;
}

void world_first(tensor_world *w)
{
    memset(w, 0, sizeof *w);
    if (lines == NULL)
        load_lists();
    load(w);
}

void world_next(tensor_world *w)
{
    w->bytes = NULL;
    if (++w->line < line_count)
        load(w);
}

void world_open(tensor_world *w, int codec, size_t work, size_t port_slice, unsigned blocks, unsigned unit, int mapped)
{
    static const utet_codec *codecs[6];

    rig_make(&w->rig, w->bytes, w->size, codec);
    w->rig.port.io.unit = (uint16_t)unit;
    w->rig.port.slice = port_slice;
    w->rig.port.blocks = blocks;
    if (mapped)
        faultport_map(&w->rig.port);
    w->rig.port.io.step_limit = (uint16_t)(blocks != 0 ? 1 + w->line % 7
                                                       : 0); /* bytes for which the port makes the call wait */
    rig_start(&w->rig, work, GUARD_AFTER);
    codecs[0] = w->rig.codecs[0];
    codecs[1] = &utet_codec_szip;
    codecs[2] = &utet_codec_lz4;
    codecs[3] = &utet_codec_rle;
    codecs[4] = &utet_codec_roaring;
    w->rig.file.priv.codecs = codecs;
    w->rig.file.priv.state = 2; /* open */
}

void world_close(tensor_world *w)
{
    rig_end(&w->rig, w->name);
}

int world_uses_zstd(const tensor_world *w)
{
    unsigned i;

    for (i = 0; i < UTET_MASKS; i++)
        if (w->object.mask[i].method == UTET_COMPRESSION_ZSTD)
            return 1;
    return w->object.compression == UTET_COMPRESSION_ZSTD;
}
