/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Zone maps and indexes of golden files against the decoded data; 16 MiB of metadata in 1 KB of memory. */
#include "metasubject.h"

/* ---- zone maps and indexes against the data ---- */

static double number_of(const utet_dataset *dataset, const uint8_t *at)
{
    float f;
    double d;

    if (dataset->dtype == UTET_F32) {
        memcpy(&f, at, 4); /* the hosts that run this are little-endian or skip the case */
        return (double)f;
    }
    memcpy(&d, at, 8);
    return d;
}

/* The next f32 above or below the one at `at`; not for zeros. */
static void next_f32(const uint8_t *at, int upwards, uint8_t *to)
{
    uint32_t bits;

    memcpy(&bits, at, 4);
    bits += (bits >> 31 != 0) == upwards ? UINT32_MAX : 1;
    memcpy(to, &bits, 4);
}

typedef struct question {
    look x;
    utet_dataset_meta described;
    utet_zones zones;
    utet_dataset dataset;
    unsigned chunks, values;
} question;

/* Finds the chunks that hold the element, by decoding all of them. */
static unsigned holders(question *q, const uint8_t *element, uint64_t found[][UTET_MAX_NDIM], unsigned most)
{
    static uint8_t tile[65536];
    utet_chunk chunk;
    utet_status status;
    unsigned count = 0;

    DRIVE(status, utet_row_first(&q->x.r.file, &chunk));
    while (status == UTET_OK) {
        static utet_stream stream;
        size_t i;

        if (chunk.dataset_id == q->dataset.id) {
            DRIVE_OK(utet_stream_load(&stream, &q->x.r.file, &chunk, tile, sizeof tile));
            for (i = 0; i < chunk.raw_byte_len; i += q->dataset.elem_size)
                if (memcmp(tile + i, element, q->dataset.elem_size) == 0 && count < most) {
                    memcpy(found[count++], chunk.coords, sizeof found[0]);
                    break;
                }
        }
        DRIVE(status, utet_row_next(&q->x.r.file, &chunk));
    }
    return count;
}

static void check_index(question *q, const uint8_t *element)
{
    static uint64_t found[256][UTET_MAX_NDIM];
    uint64_t coords[UTET_MAX_NDIM];
    utet_value chunks;
    utet_status status;
    unsigned count, i = 0;

    DRIVE(status, utet_index_value(&q->x.meta, &q->described, element, &chunks));
    if (status == UTET_E_NOT_FOUND)
        return; /* more than 64 values, or NaN */
    suite_check(status == UTET_OK, "index: %s", rig_status(status));
    count = holders(q, element, found, 256);
    for (;;) {
        DRIVE(status, utet_index_chunk(&q->x.meta, &chunks, coords));
        if (status != UTET_OK)
            break;
        suite_check(i < count && memcmp(coords, found[i], q->dataset.ndim * sizeof coords[0]) == 0,
                    "the index names another chunk");
        i++;
    }
    suite_check(i == count, "the index names %u chunks of %u", i, count);
    q->values++;
}

static void check_chunk(question *q, const utet_chunk *chunk)
{
    static uint8_t tile[65536];
    static utet_stream stream;
    utet_zone zone;
    utet_status status;
    size_t size = q->dataset.elem_size, i;
    uint8_t low[8], high[8];
    uint64_t nulls = 0;
    int any = 0;

    faultport_zone(&q->x.r.port, 1, tile, sizeof tile);
    DRIVE_OK(utet_stream_load(&stream, &q->x.r.file, chunk, tile, sizeof tile));
    for (i = 0; i < chunk->raw_byte_len; i += size) {
        double value = number_of(&q->dataset, tile + i);

        if (value != value) {
            nulls++;
            continue;
        }
        if (!any || value < number_of(&q->dataset, low))
            memcpy(low, tile + i, size);
        if (!any || value > number_of(&q->dataset, high))
            memcpy(high, tile + i, size);
        any = 1;
    }
    DRIVE(status, utet_zone_find(&q->x.meta, &q->zones, chunk->coords, &zone));
    suite_check(status == UTET_OK, "zone: %s", rig_status(status));
    suite_check(zone.element_count == chunk->raw_byte_len / size, "element count");
    suite_check(utet_zone_may_be_null(&q->zones, &zone) == (nulls != 0), "nulls");
    if (any) {
        uint8_t beyond[8];

        suite_check(utet_zone_may_hold(&q->zones, &zone, low, low) && utet_zone_may_hold(&q->zones, &zone, high, high),
                    "lowest and highest are there");
        if (size == 4 && (high[3] & 0x7F) != 0) {
            next_f32(high, 1, beyond);
            suite_check(!utet_zone_may_hold(&q->zones, &zone, beyond, beyond), "above the highest");
        }
        if (size == 4 && (low[3] & 0x7F) != 0) {
            next_f32(low, 0, beyond);
            suite_check(!utet_zone_may_hold(&q->zones, &zone, beyond, beyond), "below the lowest");
        }
    }
    check_index(q, tile);
    check_index(q, tile + chunk->raw_byte_len - size);
    q->chunks++;
}

static void zones_and_data(void **state)
{
    static question q;
    subject s;
    size_t at = 0;
    unsigned files = 0;
    const uint16_t one = 1;
    uint8_t little;

    (void)state;
    memcpy(&little, &one, 1);
    if (little == 0)
        suite_skip("zone maps against the data: compares as the machine does, which is big-endian");
    while (next_subject(&s, &at)) {
        utet_status status;
        utet_chunk chunk;

        if (s.bytes[s.size - 8] != 2) {
            free(s.bytes);
            continue;
        }
        rig_make(&q.x.r, s.bytes, s.size, 0);
        rig_start(&q.x.r, 1u << 20, GUARD_AFTER);
        DRIVE_OK(utet_open(&q.x.r.file, &(utet_options){.budget = 1u << 20}));
        DRIVE_OK(utet_meta_open(&q.x.meta, &q.x.r.file));
        DRIVE(status, utet_row_first(&q.x.r.file, &chunk));
        while (status == UTET_OK) {
            DRIVE_OK(utet_dataset_first(&q.x.r.file, &q.dataset));
            while (q.dataset.id != chunk.dataset_id)
                DRIVE_OK(utet_dataset_next(&q.x.r.file, &q.dataset));
            DRIVE(status, utet_meta_dataset(&q.x.meta, &q.dataset, &q.described));
            DRIVE(status, utet_zones_open(&q.x.meta, &q.described, &q.zones));
            if (status == UTET_OK && (q.dataset.dtype == UTET_F32 || q.dataset.dtype == UTET_F64) &&
                chunk.raw_byte_len <= 65536)
                check_chunk(&q, &chunk);
            DRIVE(status, utet_row_next(&q.x.r.file, &chunk));
        }
        rig_end(&q.x.r, s.golden->name);
        free(s.bytes);
        files++;
    }
    suite_check(files > 1 && q.chunks > 10 && q.values > 10, "%u files, %u chunks, %u values", files, q.chunks,
                q.values);
    suite_figure("zone maps of %u chunks and postings of %u values agree with the decoded data", q.chunks, q.values);
}

/* ---- 16 MiB of metadata, 1 KB of memory ---- */

/* The bytes of a small file up to its footer, a spill with 256 datasets of 64 attributes of 1,000 bytes, a footer. The
 * last dataset is the one that the directory names. */
static uint8_t *with_large_spill(const subject *s, const char *name, uint64_t *size)
{
    uint8_t *file = malloc((size_t)s->json + 18000000);
    char *at;
    char *spill;
    unsigned d, k;

    suite_check(file != NULL, "memory");
    memcpy(file, s->bytes, (size_t)s->json);
    at = spill = (char *)file + s->json;
    at += sprintf(at, "{\"datasets\":{");
    for (d = 0; d < 256; d++) {
        if (d < 255)
            at += sprintf(at, "\"group/subgroup/a variable with a long name %03u\":{\"attrs\":{", d);
        else
            at += sprintf(at, "\"%s\":{\"dim_names\":[\"x\"],\"attrs\":{", name);
        for (k = 0; k < 64; k++) {
            at += sprintf(at, "%s\"k%u\":\"%03u", k > 0 ? "," : "", k, d);
            memset(at, 'v', 997);
            at += 997;
            *at++ = '"';
        }
        at += sprintf(at, "}}%s", d < 255 ? "," : "}}");
    }
    d = (unsigned)(at - spill);
    k = (unsigned)sprintf(at, "{\"history\":[],\"metadata_ref\":{\"offset\":%lu,\"len\":%u}}", (unsigned long)s->json,
                          d);
    at += k;
    memset(at, 0, 16);
    *at = (char)k;
    at[8] = 1;
    memcpy(at + 12, "THST", 4);
    *size = (uint64_t)((uint8_t *)at + 16 - file);
    return file;
}

static void sixteen_megabytes(void **state)
{
    static look x;
    subject s;
    size_t at = 0, got;
    char name[64], text[1000];
    utet_dataset dataset;
    utet_dataset_meta described;
    utet_value value;
    uint64_t opened, size;
    uint8_t *small;

    (void)state;
    suite_check(next_subject(&s, &at), "no file");
    start(&x, &s, 1024);
    DRIVE_OK(utet_dataset_first(&x.r.file, &dataset));
    suite_check(dataset.name_length < sizeof name, "name");
    DRIVE_OK(utet_dataset_name(&x.r.file, &dataset, 0, name, dataset.name_length));
    name[dataset.name_length] = '\0';
    rig_end(&x.r, "small");
    small = s.bytes;
    s.bytes = with_large_spill(&s, name, &size);
    s.size = size;
    free(small);
    start(&x, &s, 1024);
    DRIVE_OK(utet_meta_open(&x.meta, &x.r.file));
    opened = x.r.port.bytes_read;
    DRIVE_OK(utet_dataset_first(&x.r.file, &dataset));
    DRIVE_OK(utet_meta_dataset(&x.meta, &dataset, &described));
    suite_check(described.attrs.size == 64 && described.dim_names.size == 1, "entries");
    DRIVE_OK(utet_map_find(&x.meta, &described.attrs, "k63", 3, &value));
    suite_check(value.size == 1000, "size");
    DRIVE_OK(utet_text_read(&x.meta, &value, text, sizeof text, &got));
    suite_check(got == 1000 && memcmp(text, "255vvv", 6) == 0 && text[999] == 'v', "text");
    suite_check(x.r.file.high_water <= 1024, "workspace");
    suite_figure("a spill of %llu bytes: opening reads %.2f, finding an attribute %.2f bytes for each; workspace %zu, "
                 "utet_meta %zu bytes (64-bit)",
                 (unsigned long long)size, (double)opened / (double)size,
                 (double)(x.r.port.bytes_read - opened) / (double)size, x.r.file.high_water, sizeof x.meta);
    rig_end(&x.r, "16 MiB");
    free(s.bytes);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(zones_and_data),
        cmocka_unit_test(sixteen_megabytes),
    };
    int result;

    list = golden_load();
    result = SUITE("metazonedata", cases);
    golden_free(&list);
    return result;
}
