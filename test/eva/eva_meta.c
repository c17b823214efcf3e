/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the reading of the footer (src/tet/meta). EVA_PART 1: the search for entries, and the calls about
 * axes, labels, datasets and events; 2: zone maps; 3: indexes; 4: opening, limits, entries, texts, strict mode; 5: the
 * search for an entry; 6: the rules of the footer, for any token at any position that they permit. An alarm is possible
 * undefined behaviour.
 *
 * The next entry of a list (parts 1 to 3), tokens, rules and characters (4) are replaced by their contracts: any kept
 * values, or an error, or "not yet". Each call begins in any state of its object. A text to look for, an element and
 * coordinates end with memory; their sizes are tried one by one.
 *
 * eva.sh: 6 parts, x86_16, x86_32, x86_64, ppc_32
 *   1 3: -eva-slevel 100 -eva-slevel-function eva_main:1000
 *       -eva-split-return-function any_status:0,utet_meta_copy_text:0
 *   2: -eva-slevel 100 -eva-slevel-function eva_main:1000 -eva-split-return-function any_status:0,utet_meta_copy_text:0
 *       -eva-split-return-function utet_meta_next:0,next_zone:0
 *   4: -eva-slevel 100 -eva-slevel-function eva_main:1000 -eva-split-return-function any_status:0,utet_meta_copy_text:0
 *       -eva-split-return-function utet_json_character:0,utet_row_load:0
 *   5: -eva-slevel 100 -eva-slevel-function eva_main:1000 -eva-split-return-function any_status:0,utet_meta_copy_text:0
 *       -eva-split-return-function utet_meta_next:0,@{src/tet/meta/search.c}:0
 *   6: -eva-slevel 100 -eva-slevel-function eva_main:1000 -eva-split-return-function any_status:0,utet_meta_copy_text:0
 *       -eva-slevel-function eva_main:20000,key_fault:2000
 */
#include <string.h>

#include "eva_any.h"

#include "base/bytes.c"
#include "base/room.c"
#include "base/file.c"
#include "tet/container/container.h"
#include "tet/meta/meta.h"

static utet_io io;
static utet_file file;
static utet_meta meta;
static int grants; /* how many requests may still succeed */

static utet_status any_status(void)
{
    if (grants <= 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
    grants--;
    return UTET_OK;
}

static void any_meta(void)
{
    Frama_C_make_unknown((char *)&meta, sizeof meta);
    meta.priv.file = &file;
    meta.priv.search.text = NULL;
    file.priv.io = &io;
    io.size = any64();
    file.priv.state = UTET_STATE_OPEN;
    file.priv.busy = (uint8_t)any32();
    file.footer_offset = any64();
    file.footer_length = any64();
    file.footer_status = (utet_status)any32();
    file.history_version = any32();
    file.row_count = any64();
    grants = 2;
}

/* ---- contracts ---- */

void utet_window_resize(utet_file *f, size_t size)
{
    f->priv.window = size;
}

size_t utet_window_fit(const utet_file *f, size_t bytes)
{
    (void)f;
    (void)bytes;
    return 192;
}

void utet_json_begin(utet_json *json, uint32_t length, uint64_t base)
{
    json->base = base;
    json->end = length;
}

#if EVA_PART != 4
utet_status utet_meta_enter(utet_meta *m, uint8_t call)
{
    (void)call;
    return m->priv.file == NULL || Frama_C_interval(0, 1) ? UTET_E_STATE : UTET_OK;
}

/* Any entry. */
utet_status utet_meta_next(utet_meta *m, utet_value *list, unsigned rule)
{
    const utet_status status = any_status();

    (void)rule;
    if (Frama_C_interval(0, 1))
        return UTET_END;
    Frama_C_make_unknown((char *)&m->priv.kept, sizeof m->priv.kept);
    Frama_C_make_unknown((char *)&m->priv.place.entry_text, sizeof m->priv.place.entry_text);
    m->priv.search.match = 0; /* those that may be equal: comparing() */
    list->size--;
    return status;
}

/* The complete part, or the rest of the text. */
utet_status utet_meta_copy_text(utet_meta *m, utet_value *text, char *buffer, size_t size)
{
    const utet_status status = any_status();
    const size_t some = text->size < size ? text->size : size;

    Frama_C_make_unknown(buffer, size);
    if (status == UTET_OK) {
        m->priv.delivered = some;
        text->size -= (uint32_t)some;
    }
    return status;
}
#endif

#if EVA_PART == 2 || EVA_PART == 3
void utet_meta_coords(const utet_meta *m, uint64_t coords[UTET_MAX_NDIM])
{
    unsigned i;

    for (i = 0; i < UTET_MAX_NDIM; i++)
        coords[i] = m->priv.kept.zone.coords[i].value;
}

utet_status utet_meta_document(utet_meta *m, unsigned spill, const utet_rule *table)
{
    (void)spill;
    (void)table;
    Frama_C_make_unknown((char *)&m->priv.kept, sizeof m->priv.kept);
    return any_status();
}
#endif

#if EVA_PART == 1 || EVA_PART == 3
void utet_meta_want_text(utet_meta *m, const utet_value *list, const char *text, uint32_t length)
{
    m->priv.place.list = *list;
    m->priv.search.text = text;
    m->priv.search.number = length;
}

utet_status utet_meta_search(utet_meta *m, unsigned rule)
{
    (void)rule;
    Frama_C_make_unknown((char *)&m->priv.kept, sizeof m->priv.kept);
    return Frama_C_interval(0, 1) ? any_status() : Frama_C_interval(0, 1) ? UTET_END : UTET_E_NOT_FOUND;
}
#endif

static utet_dataset data;
static utet_dataset_meta about;

static void any_dataset(unsigned ndim, unsigned elem_size)
{
    Frama_C_make_unknown((char *)&data, sizeof data);
    Frama_C_make_unknown((char *)&about, sizeof about);
    data.ndim = (uint8_t)ndim;
    data.elem_size = (uint8_t)elem_size;
    about.dataset = &data;
}

#if EVA_PART == 1
#include "tet/meta/document.c"
#include "tet/meta/history.c"
#include "tet/meta/meta_axis.c"
#include "tet/meta/meta_dataset.c"
#include "tet/meta/meta_find.c"
#include "tet/meta/meta_labels.c"

utet_status utet_meta_want_file_text(utet_meta *m, const utet_value *list)
{
    utet_meta_want_text(m, list, m->priv.head, m->priv.place.file_text.size);
    return any_status();
}

utet_status utet_meta_read(utet_meta *m, unsigned levels)
{
    (void)levels;
    Frama_C_make_unknown((char *)&m->priv.kept, sizeof m->priv.kept);
    return any_status();
}

void utet_meta_begin(utet_meta *m, unsigned rule, uint64_t offset, uint32_t length)
{
    (void)rule;
    (void)offset;
    (void)length;
    m->priv.reading.active = 1;
}

const utet_rule utet_meta_rules[1];
static char wanted[50], begun[3];

/* A call that begins, or (labels) continues at a step; then it gets another text than the one that it began with. */
static void asking(unsigned call, unsigned step)
{
    static const utet_rule none[1];
    utet_value list, item;
    utet_event event;
    uint64_t coords[UTET_MAX_NDIM];
    uint64_t index;
    unsigned axis;

    any_meta();
    any_dataset((unsigned)Frama_C_interval(1, UTET_MAX_NDIM), 4);
    Frama_C_make_unknown((char *)&list, sizeof list);
    Frama_C_make_unknown((char *)&item, sizeof item);
    meta.priv.search.text = begun;
    meta.priv.search.number = sizeof begun;
    meta.priv.reading.rules = Frama_C_interval(0, 1) ? none : utet_meta_rules;
    meta.priv.step = (uint8_t)step;
    switch (call) {
    case 0: (void)utet_list_find(&meta, &list, wanted + sizeof wanted - 3, 3, &index); break;
    case 1: (void)utet_map_find(&meta, &list, wanted + sizeof wanted - 3, 3, &item); break;
    case 2: (void)utet_list_nth(&meta, &list, any64(), &item); break;
    case 3: (void)utet_meta_axis(&meta, &about, wanted + sizeof wanted - 3, 3, &axis); break;
    case 4: (void)utet_meta_dataset(&meta, &data, &about); break;
    case 5: (void)utet_meta_labels(&meta, &about, any32(), &item); break;
    case 6: (void)utet_event_next(&meta, &list, &event); break;
    default:
        (void)utet_meta_document(&meta, (unsigned)Frama_C_interval(0, UTET_SPILLS - 1), none);
        utet_meta_coords(&meta, coords);
        break;
    }
}

void eva_main(void)
{
    unsigned i;

    Frama_C_make_unknown(wanted, sizeof wanted);
    for (i = 0; i < 8u; i++)
        asking(i, 0);
    for (i = META_LABELS_BEGIN; i <= BY_COUNT; i++)
        asking(5, i);
}
#elif EVA_PART == 2
#include "tet/meta/zone.c"

static void questions(unsigned size)
{
    static uint8_t low[8], high[8];
    utet_zones zones;
    utet_zone zone;

    any_dataset(1, size);
    data.dtype = (uint32_t)Frama_C_interval(0, UTET_DTYPE_END - 1); /* others have no size */
    Frama_C_make_unknown((char *)&zones, sizeof zones);
    Frama_C_make_unknown((char *)&zone, sizeof zone);
    Frama_C_make_unknown((char *)low, sizeof low);
    Frama_C_make_unknown((char *)high, sizeof high);
    zones.priv.dataset = &data;
    (void)utet_zone_may_hold(&zones, &zone, low + sizeof low - size, high + sizeof high - size);
    (void)utet_zone_may_be_null(&zones, &zone);
}

static void entries(unsigned ndim)
{
    static uint64_t coords[UTET_MAX_NDIM];
    utet_zones zones;
    utet_zone zone;

    any_dataset(ndim, 4);
    Frama_C_make_unknown((char *)coords, sizeof coords);
    any_meta();
    meta.priv.step = (uint8_t)any32();
    zones.chunks.size = any32();
    (void)utet_zones_open(&meta, &about, &zones);
    any_meta();
    Frama_C_make_unknown((char *)&zones, sizeof zones);
    zones.priv.dataset = &data;
    if (Frama_C_interval_split(0, 1))
        (void)utet_zone_next(&meta, &zones, &zone);
    else
        (void)utet_zone_find(&meta, &zones, coords + UTET_MAX_NDIM - ndim, &zone);
}

void eva_main(void)
{
    unsigned i;

    for (i = 0; i <= 8u; i++)
        questions(i);
    for (i = 1; i <= UTET_MAX_NDIM; i++)
        entries(i);
}
#elif EVA_PART == 3
#include "tet/meta/index.c"

/* The value of a suspended call need not stay in memory. */
static void index_value(const uint8_t *element, unsigned size)
{
    uint8_t value[8];
    utet_value chunks;

    memcpy(value + sizeof value - size, element, size);
    (void)utet_index_value(&meta, &about, value + sizeof value - size, &chunks);
}

void eva_main(void)
{
    static const uint32_t dtypes[4] = {UTET_U8, UTET_F16, UTET_F32, UTET_F64};
    static const uint8_t sizes[4] = {1, 2, 4, 8};
    static uint8_t element[8];
    uint64_t coords[UTET_MAX_NDIM];
    utet_value chunks;
    unsigned i;

    Frama_C_make_unknown((char *)element, sizeof element);
    for (i = 0; i < 4u; i++) {
        any_meta();
        any_dataset(1, sizes[i]);
        data.dtype = dtypes[i];
        index_value(element + sizeof element - sizes[i], sizes[i]);
        used_argument = meta.priv.search.text; /* the element is gone */
        any_meta();
        (void)utet_index_label(&meta, &about, any32(), "a label", any32(), &chunks);
    }
    any_meta();
    Frama_C_make_unknown((char *)&chunks, sizeof chunks);
    (void)utet_index_chunk(&meta, &chunks, coords);
    any_meta();
    (void)utet_index_entries(&meta, &chunks);
}
#elif EVA_PART == 5
#include "tet/meta/search.c"

static char wanted[50];

/* A text of `length` bytes is looked for, of which `left` have not been compared. */
static void comparing(uint32_t length, uint32_t left)
{
    any_meta();
    meta.priv.search.text = wanted + sizeof wanted - length;
    meta.priv.search.number = length;
    meta.priv.search.wanted = (uint8_t)Frama_C_interval(UTET_WANT_TEXT, UTET_WANT_COUNT);
    meta.priv.search.comparing = left == length ? COMPARE_BEGIN : (uint8_t)Frama_C_interval(COMPARE_WANTED, 2);
    meta.priv.place.entry_text.size = left;
    grants = 3;
    (void)meta_search_compare(&meta);
    any_meta();
    meta.priv.search.text = wanted + sizeof wanted - length;
    meta.priv.search.number = length;
    meta.priv.search.comparing = COMPARE_BEGIN;
    (void)utet_meta_search(&meta, any32());
}

void eva_main(void)
{
    static const uint8_t lengths[4] = {33, 40, 48, 50};
    utet_value list;
    unsigned i, left;

    Frama_C_make_unknown(wanted, sizeof wanted);
    for (i = 0; i < 4u; i++)
        for (left = lengths[i]; left != 0 && left <= lengths[i]; left -= 16)
            comparing(lengths[i], left);
    any_meta();
    Frama_C_make_unknown((char *)&list, sizeof list);
    utet_meta_want_text(&meta, &list, wanted, sizeof wanted);
    any_meta();
    (void)utet_meta_want_file_text(&meta, &list);
}
#elif EVA_PART == 6
#include "tet/meta/rules.c"

/* As json.h says: at most eight bytes. */
unsigned utet_json_unhex(const char *text, uint32_t length, uint8_t *bytes)
{
    (void)text;
    (void)length;
    Frama_C_make_unknown((char *)bytes, 8);
    return any32();
}

enum { RULES = sizeof utet_meta_rules / sizeof *utet_meta_rules };

/* A token at `depth`: a value that is read by `rule`, or a token in a list or object that is read by rule number
 * `around` of the table. */
static void token(unsigned depth, unsigned around, unsigned rule, uint8_t kind)
{
    static char wanted[UTET_JSON_HEAD];

    any_meta();
    meta.priv.search.text = wanted;
    meta.priv.json.token = kind;
    meta.priv.json.head_length = (uint8_t)Frama_C_interval(0, UTET_JSON_HEAD);
    meta.priv.json.depth = (uint16_t)(depth + (kind == JSON_OBJECT || kind == JSON_LIST));
    meta.priv.reading.rules = utet_meta_rules;
    meta.priv.reading.rule = (uint8_t)rule;
    meta.priv.reading.skip_depth = NEVER;
    meta.priv.level[depth].rule = &utet_meta_rules[around];
    meta.priv.level[depth + 1u].rule = Frama_C_interval(0, 1) ? &utet_meta_rules[around] : NULL;
    (void)utet_meta_fault(&meta);
}

void eva_main(void)
{
    static const uint8_t depths[4] = {0, 1, 3, UTET_META_DEPTH - 2};
    unsigned i, number, kind;

    any_meta();
    meta.priv.reading.rules = utet_meta_rules;
    utet_meta_begin(&meta, any32(), any64(), any32());
    for (i = 0; i < 4u; i++) {
        for (number = 0; number < UTET_RULE_ENTRIES + RULES; number++)
            for (kind = JSON_NULL; kind < JSON_CLOSE; kind++)
                if (kind != JSON_KEY)
                    token(depths[i], (unsigned)Frama_C_interval(0, RULES - 1), number, (uint8_t)kind);
        for (number = 0; number < RULES; number++) {
            if (!is_list(&utet_meta_rules[number])) /* only objects have keys */
                token(depths[i], number, UTET_RULE_ANY, JSON_KEY);
            token(depths[i], number, UTET_RULE_ANY, JSON_CLOSE);
        }
        any_meta(); /* tokens that are skipped */
        meta.priv.reading.rules = utet_meta_rules;
        meta.priv.json.depth = (uint16_t)(depths[i] + 1u);
        meta.priv.reading.skip_depth = depths[i];
        (void)utet_meta_fault(&meta);
    }
}
#else
#include "tet/meta/meta_open.c"
#include "tet/meta/reading.c"
#include "tet/meta/strict.c"

const utet_rule utet_meta_rules[1];

/* A character of one to four bytes. */
utet_status utet_json_character(utet_file *f, const utet_json *json, utet_character *out)
{
    const utet_status status = any_status();

    (void)f;
    (void)json;
    if (status == UTET_OK) {
        Frama_C_make_unknown((char *)out->bytes, sizeof out->bytes);
        out->made = (uint8_t)Frama_C_interval_split(1, 4);
        out->used = (uint8_t)Frama_C_interval(1, 12);
    }
    return status;
}
#include "tet/meta/meta_text.c"

utet_status utet_json_next(utet_file *f, utet_json *json)
{
    (void)f;
    json->token = (uint8_t)any32();
    json->depth = (uint16_t)any32();
    return any_status();
}

void utet_json_enter(utet_json *json, uint8_t bracket, int begun)
{
    (void)begun;
    json->token = bracket;
}

int utet_meta_fault(utet_meta *m)
{
    Frama_C_make_unknown((char *)&m->priv.kept, sizeof m->priv.kept);
    return Frama_C_interval(0, 1);
}

void utet_meta_begin(utet_meta *m, unsigned rule, uint64_t offset, uint32_t length)
{
    memset(&m->priv.kept, 0, sizeof m->priv.kept);
    m->priv.reading.rule = (uint8_t)rule;
    m->priv.reading.active = 1;
    utet_json_begin(&m->priv.json, length, offset);
}

utet_status utet_row_load(utet_file *f, uint64_t row, utet_chunk *chunk)
{
    const utet_status status = any_status();

    (void)f;
    if (status == UTET_OK) {
        Frama_C_make_unknown((char *)chunk, sizeof *chunk);
        chunk->row = row;
    }
    return status;
}

utet_status utet_row_check_end(utet_file *f, const utet_chunk *chunk, uint64_t end)
{
    (void)f;
    return chunk->payload_offset < end ? UTET_OK : UTET_E_ROW;
}

/* Reads a text into a buffer that ends with memory and has been partly filled; a suspended call continues with the same
 * buffer, a smaller or larger one, or another one. */
static void texts(size_t size, size_t copied, uint8_t inside)
{
    static char buffer[3], another[3];
    const size_t later = (size_t)Frama_C_interval_split(0, 3);
    utet_value text;
    size_t got;

    any_meta();
    Frama_C_make_unknown((char *)&text, sizeof text);
    text.priv.inside = inside;
    meta.priv.copied = copied;
    grants = 3;
    (void)utet_meta_copy_text(&meta, &text, buffer + sizeof buffer - size, size);
    any_meta();
    meta.priv.copied = 0;
    text.priv.inside = inside;
    file.priv.busy = UTET_CALL_NONE;
    memset(&file.priv.call, 0, sizeof file.priv.call); /* as utet_enter leaves it on success */
    (void)utet_text_read(&meta, &text, buffer + sizeof buffer - size, size, &got);
    any_meta();
    meta.priv.copied = copied;
    text.priv.inside = inside;
    file.priv.state = UTET_STATE_OPEN;
    file.priv.busy = UTET_CALL_TEXT_READ;
    file.priv.call.given.at = buffer + sizeof buffer - size;
    file.priv.call.given.size = size;
    file.priv.call.given.kept = 1;
    if (size == 0) /* C does not define whether a pointer after an object equals that to another one */
        return;
    if (later == size)
        (void)utet_text_read(&meta, &text, buffer + sizeof buffer - size, size, &got);
    else if (later != 0)
        (void)utet_text_read(&meta, &text, another + sizeof another - later, later, &got);
}

void eva_main(void)
{
    utet_value list, key, item;
    size_t size, copied;

    Frama_C_make_unknown((char *)&list, sizeof list);
    any_meta();
    (void)utet_meta_open(&meta, &file);
    any_meta();
    (void)utet_meta_check_limits(&meta);
    any_meta();
    (void)utet_meta_strict(&meta);
    any_meta();
    (void)utet_value_next(&meta, &list, &key, &item);
    for (size = 0; size <= 3u; size++)
        for (copied = 0; copied <= size; copied++) {
            texts(size, copied, 0);
            texts(size, copied, 1);
            texts(size, copied, (uint8_t)Frama_C_interval(2, 255));
        }
}
#endif
