/* Zone maps (§8.1): smallest and largest element of each chunk, and how many are null. */
#include "meta.h"

#include <string.h>

enum { NO_FILL, SURE_FILL, DOUBTFUL_FILL }; /* zones->priv_fill */

enum { DATASET_ID, CHUNK_INDEX, ELEMENT_COUNT, NULL_COUNT, MIN_LE, MAX_LE };

/* ---- opening ---- */

enum { RULE_ZONE_LIST = UTET_RULE_ROOT + 1, RULE_ZONE, RULE_NUMBERS };
#define TO_ZONE_LIST "\13"
#define TO_NUMBERS "\15"

static const utet_rule rules[] = {
    /* ENTRIES */ { UTET_ARRAY | UTET_UNLIMITED, 0, UTET_RULE_ANY, UTET_SLOT_ENTRY, "" },
    /* ROOT */
    { UTET_OBJECT | UTET_UNLIMITED, 15, UTET_RULE_ANY, 0,
      "version" UTET_NUMBER_KEY "chunks" TO_ZONE_LIST "generation" UTET_NUMBER_KEY "packed_sha256" UTET_TEXT_KEY },
    /* ZONE_LIST */ { UTET_ARRAY | UTET_UNLIMITED, 0, RULE_ZONE, UTET_SLOTS, "" },
    /* ZONE */
    { UTET_OBJECT | UTET_UNLIMITED, 15, UTET_RULE_ANY, 0,
      "dataset_id" UTET_NUMBER_KEY "chunk_index" TO_NUMBERS "element_count" UTET_NUMBER_KEY
      "null_count" UTET_NUMBER_KEY "min_le" UTET_ELEMENT_KEY "max_le" UTET_ELEMENT_KEY },
    /* NUMBERS */ { UTET_ARRAY | UTET_UNLIMITED, 0, UTET_RULE_NUMBER, UTET_EACH | UTET_SLOT_COORDS, "" }
};

/*
 * Writers take elements equal to the fill value, read as the dataset's dtype, for null; readers compare with the
 * value read as a double (§8.3, case 2). Only what surely is the same for both does not make the nulls doubtful: a
 * whole number of up to three digits, which every dtype holds exactly if it is in its range, and what has no digits:
 * nan, inf, and texts that are no number for either.
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

utet_status utet_zones_open(utet_meta *meta, const utet_about *about, utet_zones *zones)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_ZONES_OPEN);

    if (status != UTET_OK)
        return status;
    if (file->priv_step == 0) {
        status = utet_meta_document(meta, UTET_SPILL_ZONES, rules);
        if (status != UTET_OK)
            return utet_leave(file, status);
        zones->chunks = meta->priv_found[1];
        zones->priv_all = zones->chunks;
        zones->priv_dataset = about->dataset;
        zones->priv_fill = NO_FILL;
        meta->priv_outer = about->fill;
        file->priv_step = 1;
    }
    status = utet_meta_fetch(meta, &meta->priv_outer, meta->priv_head, sizeof meta->priv_head);
    if (status == UTET_OK && about->fill.kind != UTET_NONE)
        zones->priv_fill =
            meta->priv_outer.size != 0 ? (uint8_t)DOUBTFUL_FILL : judge_fill(meta->priv_head, meta->priv_got);
    return utet_leave(file, status);
}

/* ---- entries ---- */

static utet_status next_zone(utet_meta *meta, utet_zones *zones, utet_zone *zone)
{
    const utet_value *found = meta->priv_found;
    utet_status status;

    meta->priv_rules = rules;
    status = utet_meta_walk(meta, &zones->chunks, RULE_ZONE_LIST);
    if (status != UTET_OK)
        return status;
    zone->dataset_id = found[DATASET_ID].value;
    zone->element_count = found[ELEMENT_COUNT].value;
    zone->null_count = found[NULL_COUNT].value;
    zone->ndim = (uint8_t)(found[CHUNK_INDEX].size <= UTET_MAX_NDIM ? found[CHUNK_INDEX].size : 0);
    zone->elem_size = (uint8_t)(found[MIN_LE].size == found[MAX_LE].size ? found[MIN_LE].size : 0);
    memcpy(zone->lowest, &found[MIN_LE].value, sizeof zone->lowest);
    memcpy(zone->highest, &found[MAX_LE].value, sizeof zone->highest);
    utet_meta_coords(meta, zone->coords);
    return UTET_OK;
}

utet_status utet_zone_next(utet_meta *meta, utet_zones *zones, utet_zone *zone)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_ZONE_NEXT);

    if (status == UTET_OK)
        status = utet_leave(meta->priv_file, next_zone(meta, zones, zone));
    return status;
}

/* From where the last search ended, around the end, until all entries have been seen. */
utet_status utet_zone_find(utet_meta *meta, utet_zones *zones, const uint64_t *coords, utet_zone *zone)
{
    utet_file *file = meta->priv_file;
    const utet_dataset *dataset = zones->priv_dataset;
    utet_status status = utet_meta_enter(meta, UTET_CALL_ZONE_FIND);

    if (status != UTET_OK)
        return status;
    do {
        if (zones->chunks.size == 0)
            zones->chunks = zones->priv_all;
        status = next_zone(meta, zones, zone);
        if (status != UTET_OK)
            break;
        if (zone->dataset_id == dataset->id && zone->ndim == dataset->ndim &&
            memcmp(zone->coords, coords, zone->ndim * sizeof *coords) == 0)
            return utet_leave(file, UTET_OK);
        status = UTET_END;
    } while (++meta->priv_number < zones->priv_all.size);
    return utet_leave(file, status == UTET_END ? UTET_E_MISSING : status);
}

/* ---- questions ---- */

/* Does element `a` come before `b`? Integers by value, floats by IEEE total order. */
static int before(const utet_dataset *dataset, const uint8_t *a, const uint8_t *b)
{
    const uint32_t dtype = dataset->dtype;
    unsigned i = dataset->elem_size - 1u;
    unsigned negative = 0;

    if (dtype != UTET_U8 && dtype != UTET_U16 && dtype != UTET_U32 && dtype != UTET_U64) {
        negative = a[i] >> 7;
        if (negative != (unsigned)b[i] >> 7)
            return negative != 0;
    }
    while (i > 0 && a[i] == b[i])
        i--;
    return negative != 0 && utet_meta_is_float(dtype) ? b[i] < a[i] : a[i] < b[i];
}

int utet_zone_may_hold(const utet_zones *zones, const utet_zone *zone, const void *low, const void *high)
{
    const utet_dataset *dataset = zones->priv_dataset;

    if (zones->priv_fill == DOUBTFUL_FILL || dataset->elem_size == 0)
        return 1;
    if (zone->elem_size != dataset->elem_size)
        return zone->elem_size != 0 || zone->null_count != zone->element_count;
    return !before(dataset, (const uint8_t *)high, zone->lowest) &&
           !before(dataset, zone->highest, (const uint8_t *)low);
}

int utet_zone_may_be_null(const utet_zones *zones, const utet_zone *zone)
{
    return zones->priv_fill != NO_FILL || zone->null_count != 0;
}
