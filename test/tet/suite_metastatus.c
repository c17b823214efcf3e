/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Every status that include/utet_meta.h lists for a call is provoked on a footer that is written here, by one case
 * each. Cases are named "utet_call STATUS": test/tools/suite_status.py compares them with the header. */
#include "metaworld.h"
#include "statuses.h"

#include <string.h>

#define LONG METAGEN_LONG

typedef struct world {
    metaworld m;
    utet_zone zone;
    utet_event event;
    utet_value list, key, item;
    uint64_t coords[UTET_MAX_NDIM], index;
    unsigned axis;
    char text[200];
    size_t got;
} world;

static void world_make(world *w, const metagen *g)
{
    memset(w, 0, sizeof *w);
    metaworld_make(&w->m, g, 64, 0);
}

static void open_meta(world *w)
{
    metaworld_open(&w->m);
    assert_int_equal(w->m.opened, UTET_OK);
}

/* Reads at the other end of the file, so that the next call needs the port. */
static void flush(world *w)
{
    utet_chunk chunk;

    DRIVE_OK(utet_dataset_first(&w->m.r.file, &w->m.d));
    DRIVE_OK(utet_row_first(&w->m.r.file, &chunk));
    DRIVE_OK(utet_dataset_first(&w->m.r.file, &w->m.d));
}

/* ---- the calls: what they require, and the call ---- */

static void ready_meta(world *w)
{
    open_meta(w);
}
static void ready_history(world *w)
{
    open_meta(w);
    w->list = w->m.meta.history;
}
static void ready_labels(world *w)
{
    open_meta(w);
    DRIVE_OK(utet_meta_labels(&w->m.meta, &w->m.described, 0, &w->list));
}
static void ready_attrs(world *w)
{
    open_meta(w);
    w->list = w->m.described.attrs;
}
static void ready_text(world *w)
{
    open_meta(w);
    DRIVE_OK(utet_map_find(&w->m.meta, &w->m.described.attrs, LONG, strlen(LONG), &w->item));
}
static void ready_zones(world *w)
{
    open_meta(w);
    DRIVE_OK(utet_zones_open(&w->m.meta, &w->m.described, &w->m.zones));
    w->coords[0] = 1;
}
static void ready_chunks(world *w)
{
    static const uint8_t one[2] = {1, 0};

    open_meta(w);
    DRIVE_OK(utet_index_value(&w->m.meta, &w->m.described, one, &w->list));
    assert_true(w->list.size == 2);
}
static void ready_file(world *w)
{
    metaworld_file(&w->m);
}

static utet_status do_open(world *w)
{
    return utet_meta_open(&w->m.meta, &w->m.r.file);
}
static utet_status do_limits(world *w)
{
    return utet_meta_check_limits(&w->m.meta);
}
static utet_status do_strict(world *w)
{
    return utet_meta_strict(&w->m.meta);
}
static utet_status do_text(world *w)
{
    return utet_text_read(&w->m.meta, &w->item, w->text, 8, &w->got);
}
static utet_status do_next(world *w)
{
    return utet_value_next(&w->m.meta, &w->list, &w->key, &w->item);
}
static utet_status do_nth(world *w)
{
    return utet_list_nth(&w->m.meta, &w->list, 3, &w->item);
}
static utet_status do_find(world *w)
{
    return utet_list_find(&w->m.meta, &w->list, LONG "!", strlen(LONG) + 1, &w->index);
}
static utet_status do_map(world *w)
{
    return utet_map_find(&w->m.meta, &w->list, LONG, strlen(LONG), &w->item);
}
static utet_status do_event(world *w)
{
    return utet_event_next(&w->m.meta, &w->list, &w->event);
}
static utet_status do_about(world *w)
{
    return utet_meta_dataset(&w->m.meta, &w->m.d, &w->m.described);
}
static utet_status do_axis(world *w)
{
    return utet_meta_axis(&w->m.meta, &w->m.described, "x", 1, &w->axis);
}
static utet_status do_labels(world *w)
{
    return utet_meta_labels(&w->m.meta, &w->m.described, w->axis, &w->list);
}
static utet_status do_zones(world *w)
{
    return utet_zones_open(&w->m.meta, &w->m.described, &w->m.zones);
}
static utet_status do_zone(world *w)
{
    return utet_zone_next(&w->m.meta, &w->m.zones, &w->zone);
}
static utet_status do_zone_find(world *w)
{
    return utet_zone_find(&w->m.meta, &w->m.zones, w->coords, &w->zone);
}
static utet_status do_value(world *w)
{
    static const uint8_t one[2] = {1, 0};

    return utet_index_value(&w->m.meta, &w->m.described, one, &w->list);
}
static utet_status do_label(world *w)
{
    return utet_index_label(&w->m.meta, &w->m.described, 0, "a", 1, &w->list);
}
static utet_status do_chunk(world *w)
{
    return utet_index_chunk(&w->m.meta, &w->list, w->coords);
}
static utet_status do_entries(world *w)
{
    return utet_index_entries(&w->m.meta, &w->list);
}

static const struct call {
    const char *name;
    void (*ready)(world *w);
    utet_status (*make)(world *w);
} calls[] = {
    {"utet_meta_open", ready_file, do_open},      {"utet_meta_check_limits", ready_meta, do_limits},
    {"utet_text_read", ready_text, do_text},      {"utet_value_next", ready_history, do_next},
    {"utet_list_nth", ready_labels, do_nth},      {"utet_list_find", ready_labels, do_find},
    {"utet_map_find", ready_attrs, do_map},       {"utet_event_next", ready_history, do_event},
    {"utet_meta_dataset", ready_meta, do_about},  {"utet_meta_axis", ready_meta, do_axis},
    {"utet_meta_labels", ready_meta, do_labels},  {"utet_zones_open", ready_meta, do_zones},
    {"utet_zone_next", ready_zones, do_zone},     {"utet_zone_find", ready_zones, do_zone_find},
    {"utet_index_value", ready_meta, do_value},   {"utet_index_label", ready_meta, do_label},
    {"utet_index_chunk", ready_chunks, do_chunk}, {"utet_index_entries", ready_meta, do_entries},
    {"utet_meta_strict", ready_meta, do_strict},
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* ---- statuses that every call may return ---- */

static utet_status generic_ok(world *w, const struct call *c)
{
    utet_status status;

    c->ready(w);
    DRIVE(status, c->make(w));
    return status;
}

static utet_status generic_block(world *w, const struct call *c)
{
    utet_status status, after;
    unsigned times = 0;

    c->ready(w);
    flush(w);
    w->m.r.port.blocks = 1;
    status = c->make(w);
    after = status;
    while (after == UTET_WOULD_BLOCK && ++times < 100000)
        after = c->make(w);
    assert_int_equal(after, UTET_OK);
    return status;
}

static utet_status generic_state(world *w, const struct call *c)
{
    utet_status status;
    utet_dataset d;

    c->ready(w);
    flush(w);
    DRIVE_OK(utet_row_first(&w->m.r.file, &(utet_chunk){0}));
    w->m.r.port.blocks = 1;
    assert_int_equal(utet_dataset_first(&w->m.r.file, &d), UTET_WOULD_BLOCK);
    status = c->make(w);
    DRIVE_OK(utet_dataset_first(&w->m.r.file, &d));
    return status;
}

static utet_status generic_fault(world *w, const struct call *c, fault_kind kind)
{
    utet_status status;

    c->ready(w);
    flush(w);
    w->m.r.port.fault = kind;
    w->m.r.port.fault_at = w->m.r.port.reads;
    w->m.r.port.fault_forever = 1;
    DRIVE(status, c->make(w));
    return status;
}

/* The bytes of all documents differ from when they were checked. */
static utet_status generic_damage(world *w, const struct call *c)
{
    utet_status status;

    c->ready(w);
    flush(w);
    memset(w->m.g.bytes + w->m.g.documents, 1, w->m.g.size - 16 - w->m.g.documents);
    DRIVE(status, c->make(w));
    return status;
}

/* ---- the others ---- */

static utet_status made(world *w, const metagen *g, unsigned call)
{
    utet_status status;

    metaworld_end(&w->m);
    world_make(w, g);
    calls[call].ready(w);
    DRIVE(status, calls[call].make(w));
    return status;
}

enum {
    OPEN,
    LIMITS,
    TEXT,
    NEXT,
    NTH,
    FIND,
    MAP,
    EVENT,
    ABOUT,
    AXIS,
    LABELS,
    ZONES,
    ZONE_NEXT,
    ZONE_FIND,
    VALUE,
    LABEL,
    CHUNK,
    ENTRIES,
    STRICT
};

static utet_status open_footer(world *w)
{
    w->m.g.bytes[w->m.g.size - 1] = 'X';
    return generic_ok(w, &calls[OPEN]);
}
static utet_status open_version(world *w)
{
    w->m.g.bytes[w->m.g.size - 8] = 3;
    return generic_ok(w, &calls[OPEN]);
}
static utet_status at_end(world *w, const struct call *c)
{
    utet_status status;
    unsigned times = 0;

    c->ready(w);
    do
        DRIVE(status, c->make(w));
    while (status == UTET_OK && ++times < 100);
    return status;
}
static utet_status text_end(world *w)
{
    return at_end(w, &calls[TEXT]);
}
static utet_status next_end(world *w)
{
    return at_end(w, &calls[NEXT]);
}
static utet_status event_end(world *w)
{
    return at_end(w, &calls[EVENT]);
}
static utet_status zone_end(world *w)
{
    return at_end(w, &calls[ZONE_NEXT]);
}
static utet_status chunk_end(world *w)
{
    return at_end(w, &calls[CHUNK]);
}
static utet_status nth_range(world *w)
{
    utet_status status;

    ready_labels(w);
    DRIVE(status, utet_list_nth(&w->m.meta, &w->list, 4, &w->item));
    return status;
}
static utet_status find_none(world *w)
{
    utet_status status;

    ready_labels(w);
    DRIVE(status, utet_list_find(&w->m.meta, &w->list, "c", 1, &w->index));
    return status;
}
static utet_status map_none(world *w)
{
    utet_status status;

    ready_attrs(w);
    DRIVE(status, utet_map_find(&w->m.meta, &w->list, "unit", 4, &w->item));
    return status;
}
static utet_status about_none(world *w)
{
    return made(w, &metagen_bare, ABOUT);
}
static utet_status axis_none(world *w)
{
    utet_status status;

    ready_meta(w);
    DRIVE(status, utet_meta_axis(&w->m.meta, &w->m.described, "", 0, &w->axis));
    return status;
}
static utet_status axis_range(world *w)
{
    ready_meta(w);
    return utet_meta_axis(&w->m.meta, &w->m.described, "0001", 4, &w->axis);
}
static utet_status labels_none(world *w)
{
    return made(w, &metagen_bare, LABELS);
}
static utet_status labels_range(world *w)
{
    ready_meta(w);
    w->axis = 1;
    return do_labels(w);
}
static utet_status zones_none(world *w)
{
    return made(w, &metagen_bare, ZONES);
}
static utet_status zone_missing(world *w)
{
    utet_status status;

    ready_zones(w);
    w->coords[0] = 2;
    DRIVE(status, do_zone_find(w));
    return status;
}
static utet_status value_none(world *w)
{
    return made(w, &metagen_bare, VALUE);
}
static utet_status label_none(world *w)
{
    return made(w, &metagen_bare, LABEL);
}
static utet_status entries_none(world *w)
{
    return made(w, &metagen_bare, ENTRIES);
}

/* Strict mode on a file whose metadata does not open. */
static utet_status strict_refused(world *w)
{
    utet_status opened;

    metaworld_file(&w->m);
    DRIVE(opened, utet_meta_open(&w->m.meta, &w->m.r.file));
    assert_true(UTET_IS_ERROR(opened));
    return do_strict(w);
}
static utet_status strict_footer(world *w)
{
    w->m.g.bytes[w->m.g.size - 1] = 'X';
    return strict_refused(w);
}
static utet_status strict_version(world *w)
{
    w->m.g.bytes[w->m.g.size - 8] = 3;
    return strict_refused(w);
}
static utet_status strict_metadata(world *w)
{
    w->m.g.bytes[w->m.g.json] = 'X';
    return strict_refused(w);
}
static utet_status strict_row(world *w)
{
    utet_status status;

    open_meta(w);
    flush(w);
    w->m.g.bytes[w->m.r.file.index_offset + 32 + 104 + 96] = 9; /* codec of the second row (§4) */
    DRIVE(status, do_strict(w));
    return status;
}

static const struct cause {
    unsigned call;
    utet_status status;
    utet_status (*provoke)(world *w);
} causes[] = {
    {OPEN, UTET_E_FOOTER, open_footer},
    {OPEN, UTET_E_FOOTER_VERSION, open_version},
    {TEXT, UTET_END, text_end},
    {NEXT, UTET_END, next_end},
    {EVENT, UTET_END, event_end},
    {ZONE_NEXT, UTET_END, zone_end},
    {CHUNK, UTET_END, chunk_end},
    {NTH, UTET_E_RANGE, nth_range},
    {FIND, UTET_E_NOT_FOUND, find_none},
    {MAP, UTET_E_NOT_FOUND, map_none},
    {ABOUT, UTET_E_NOT_FOUND, about_none},
    {AXIS, UTET_E_NOT_FOUND, axis_none},
    {AXIS, UTET_E_RANGE, axis_range},
    {LABELS, UTET_E_NOT_FOUND, labels_none},
    {LABELS, UTET_E_RANGE, labels_range},
    {ZONES, UTET_E_NOT_FOUND, zones_none},
    {ZONE_FIND, UTET_E_MISSING, zone_missing},
    {VALUE, UTET_E_NOT_FOUND, value_none},
    {LABEL, UTET_E_NOT_FOUND, label_none},
    {ENTRIES, UTET_E_NOT_FOUND, entries_none},
    {STRICT, UTET_E_FOOTER, strict_footer},
    {STRICT, UTET_E_FOOTER_VERSION, strict_version},
    {STRICT, UTET_E_METADATA, strict_metadata},
    {STRICT, UTET_E_ROW, strict_row},
};
enum { CAUSES = sizeof causes / sizeof causes[0] };

typedef struct status_case {
    char name[STATUSES_NAME];
    const struct call *call;
    const struct cause *cause;
    utet_status status;
} status_case;

static void run_case(void **state)
{
    static world w;
    const status_case *s = *state;
    utet_status status;

    world_make(&w, &metagen_usual);
    if (s->cause != NULL)
        status = s->cause->provoke(&w);
    else if (s->status == UTET_OK)
        status = generic_ok(&w, s->call);
    else if (s->status == UTET_WOULD_BLOCK)
        status = generic_block(&w, s->call);
    else if (s->status == UTET_E_STATE)
        status = generic_state(&w, s->call);
    else if (s->status == UTET_E_METADATA)
        status = generic_damage(&w, s->call);
    else
        status = generic_fault(&w, s->call, s->status == UTET_E_SHORT ? FAULT_EOF : FAULT_ERROR);
    suite_check(status == (s->status == UTET_E_PORT ? FAULTPORT_ERROR : s->status), "%s: %s", s->name,
                rig_status(status));
    metaworld_end(&w.m);
}

int main(int argc, char **argv)
{
    static const utet_status generics[] = {UTET_OK,      UTET_WOULD_BLOCK, UTET_E_STATE,
                                           UTET_E_SHORT, UTET_E_PORT,      UTET_E_METADATA};
    enum { GENERICS = sizeof generics / sizeof generics[0] };
    static status_case texts[CALLS * GENERICS + CAUSES];
    static struct CMUnitTest cases[CALLS * GENERICS + CAUSES];
    size_t n = 0, i;

    for (i = 0; i < (size_t)CALLS * GENERICS; i++)
        if (i / GENERICS != STRICT || generics[i % GENERICS] != UTET_E_METADATA) /* it only reads rows */
            texts[n++] = (status_case){"", &calls[i / GENERICS], NULL, generics[i % GENERICS]};
    for (i = 0; i < CAUSES; i++)
        texts[n++] = (status_case){"", &calls[causes[i].call], &causes[i], causes[i].status};
    for (i = 0; i < n; i++)
        statuses_case(&cases[i], texts[i].name, texts[i].call->name, texts[i].status, run_case, &texts[i]);

    return statuses_run("metastatus", cases, n, argc, argv);
}
