/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Zone maps (§8.1): smallest and largest element of each chunk, and how many are null. */
#include "meta.h"

#include <string.h>

enum { NO_FILL, SURE_FILL, DOUBTFUL_FILL }; /* zones->priv.fill */

/* ---- opening ---- */

#define ZONE_DOCUMENT_KEYS(KEY) \
    KEY(version, NUMBER)        \
    KEY(chunks, ZONE_LIST)      \
    KEY(generation, NUMBER)     \
    KEY(packed_sha256, TEXT)
#define ZONE_KEYS(KEY)            \
    KEY(dataset_id, NUMBER)       \
    KEY(chunk_index, ZONE_COORDS) \
    KEY(element_count, NUMBER)    \
    KEY(null_count, NUMBER)       \
    KEY(min_le, ELEMENT)          \
    KEY(max_le, ELEMENT)

UTET_KEYS(zone_document_keys, ZONE_DOCUMENT_KEYS);
UTET_KEYS(zone_keys, ZONE_KEYS);

#define ZONE_ROW(rule) [UTET_RULE_##rule - UTET_RULE_ENTRIES]

static const utet_rule zone_rules[] = {
    ZONE_ROW(ENTRIES) = UTET_ANY_ENTRIES(UTET_OBJECT | UTET_LIST),
    ZONE_ROW(LIST_ENTRIES) = UTET_ANY_ENTRIES(UTET_LIST),
    ZONE_ROW(ROOT) = UTET_SPILL_ROOT(zone_document_keys),
    ZONE_ROW(
        ZONE_LIST) = {.kinds = UTET_LIST, .limit = UTET_UNLIMITED, .others = UTET_RULE_ZONE, .slot = UTET_META_KEPT},
    ZONE_ROW(ZONE) = {.kinds = UTET_OBJECT,
                      .limit = UTET_UNLIMITED,
                      .required.keys = 15,
                      .others = UTET_RULE_ANY,
                      .slot = UTET_SLOT(zone.dataset_id),
                      .keys = &zone_keys},
    ZONE_ROW(ZONE_COORDS) = {
        .kinds = UTET_LIST, .limit = UTET_UNLIMITED, .others = UTET_RULE_NUMBER, .slot = UTET_SLOT(zone.coords)}};

/*
 * A writer reads the fill text as the dataset's dtype, and takes elements equal to that for null. A reader reads it
 * as a double (§8.3). Nulls are sure only when both get the same value. That is so for a whole number of up to three
 * digits, which every dtype holds exactly if it is in range, and for a text without digits: nan, inf, or no number
 * for either.
 */
static uint8_t judge_fill(const char *text, size_t length)
{
    const size_t sign = text[0] == '-';
    size_t digits = 0;
    size_t i;

    for (i = 0; i < length; i++)
        digits += (uint8_t)text[i] - (unsigned)'0' <= 9;
    if (digits != 0 && (digits > 3 || sign + digits != length || (text[sign] == '0' && length != 1)))
        return DOUBTFUL_FILL; /* 1e2, -0, 007 */
    return SURE_FILL;
}

utet_status utet_zones_open(utet_meta *meta, const utet_dataset_meta *dataset_meta, utet_zones *zones)
{
    enum { DOCUMENT, FILL };
    utet_status status = utet_meta_enter(meta, UTET_CALL_ZONES_OPEN);

    if (status != UTET_OK)
        return status;
#if UTET_MAX_NDIM < UTET_FORMAT_NDIM
    if (dataset_meta->dataset->ndim == 0) /* entries of all such datasets look the same */
        return utet_leave(meta->priv.file, UTET_E_LIMIT);
#endif
    if (meta->priv.step == DOCUMENT) {
        status = utet_meta_document(meta, UTET_SPILL_ZONES, zone_rules);
        if (status != UTET_OK)
            return utet_leave(meta->priv.file, status);
        zones->chunks = meta->priv.kept.document.entries;
        zones->priv.all = zones->chunks;
        zones->priv.dataset = dataset_meta->dataset;
        zones->priv.fill = NO_FILL;
        meta->priv.place.file_rest = dataset_meta->fill;
        meta->priv.step = FILL;
    }
    status = utet_meta_copy_text(meta, &meta->priv.place.file_rest, meta->priv.head, sizeof meta->priv.head);
    if (status == UTET_OK && dataset_meta->fill.kind != UTET_VALUE_NONE)
        zones->priv.fill = meta->priv.place.file_rest.size != 0 ? (uint8_t)DOUBTFUL_FILL
                                                                : judge_fill(meta->priv.head, meta->priv.delivered);
    return utet_leave(meta->priv.file, status);
}

/* ---- entries ---- */

static utet_status next_zone(utet_meta *meta, utet_zones *zones, utet_zone *zone)
{
    const utet_kept_zone *kept = &meta->priv.kept.zone;
    utet_status status;

    meta->priv.reading.rules = zone_rules;
    status = utet_meta_next(meta, &zones->chunks, UTET_RULE_ZONE_LIST);
    if (status != UTET_OK)
        return status;
    zone->dataset_id = kept->dataset_id.value;
    zone->element_count = kept->element_count.value;
    zone->null_count = kept->null_count.value;
    zone->ndim = (uint8_t)(kept->chunk_index.size <= UTET_MAX_NDIM ? kept->chunk_index.size : 0);
    zone->elem_size = (uint8_t)(kept->lowest.size == kept->highest.size ? kept->lowest.size : 0);
    memcpy(zone->lowest, &kept->lowest.value, sizeof zone->lowest);
    memcpy(zone->highest, &kept->highest.value, sizeof zone->highest);
    utet_meta_coords(meta, zone->coords);
    return UTET_OK;
}

utet_status utet_zone_next(utet_meta *meta, utet_zones *zones, utet_zone *zone)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_ZONE_NEXT);

    if (status == UTET_OK)
        status = utet_leave(meta->priv.file, next_zone(meta, zones, zone));
    return status;
}

/* Searches from where the last search ended, continues at the beginning, and ends when all entries have been seen. */
utet_status utet_zone_find(utet_meta *meta, utet_zones *zones, const uint64_t *coords, utet_zone *zone)
{
    const utet_dataset *dataset = zones->priv.dataset;
    uint32_t *seen = &meta->priv.search.passed;
    utet_status status = utet_meta_enter(meta, UTET_CALL_ZONE_FIND);

    if (status != UTET_OK)
        return status;
    do {
        if (zones->chunks.size == 0)
            zones->chunks = zones->priv.all;
        status = next_zone(meta, zones, zone);
        if (status != UTET_OK)
            break;
        if (zone->dataset_id == dataset->id && zone->ndim == dataset->ndim &&
            memcmp(zone->coords, coords, zone->ndim * sizeof *coords) == 0)
            return utet_leave(meta->priv.file, UTET_OK);
        status = UTET_END;
    } while (++*seen < zones->priv.all.size);
    return utet_leave(meta->priv.file, status == UTET_END ? UTET_E_MISSING : status);
}

/* ---- questions ---- */

/* Does element `a` come before `b`? Integers by value, floats by IEEE total order. */
static int zone_before(const utet_dataset *dataset, const uint8_t *a, const uint8_t *b)
{
    const uint32_t dtype = dataset->dtype;
    unsigned i = dataset->elem_size - 1u;
    unsigned negative = 0;

    if (!UTET_KNOWN_IS(UTET_UNSIGNEDS_, dtype)) {
        negative = a[i] >> 7;
        if (negative != (unsigned)b[i] >> 7)
            return negative != 0;
    }
    while (i > 0 && a[i] == b[i])
        i--;
    return negative != 0 && UTET_KNOWN_IS(UTET_FLOATS_, dtype) ? b[i] < a[i] : a[i] < b[i];
}

int utet_zone_may_hold(const utet_zones *zones, const utet_zone *zone, const void *low, const void *high)
{
    const utet_dataset *dataset = zones->priv.dataset;

    if (zones->priv.fill == DOUBTFUL_FILL || dataset->elem_size == 0)
        return 1;
    if (zone->elem_size != dataset->elem_size)
        return zone->elem_size != 0 || zone->null_count != zone->element_count;
    return !zone_before(dataset, (const uint8_t *)high, zone->lowest) &&
           !zone_before(dataset, zone->highest, (const uint8_t *)low);
}

int utet_zone_may_be_null(const utet_zones *zones, const utet_zone *zone)
{
    return zones->priv.fill != NO_FILL || zone->null_count != 0;
}
