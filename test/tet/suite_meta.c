/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The footer under stress, over every small golden file that has one: a fault at every read, every truncation, every
 * bit flipped.
 */
#include "metasubject.h"

/* ---- faults ---- */

static uint64_t injected;

static void one_fault(look *x, const subject *s, fault_kind kind, int forever, uint64_t at, uint64_t digest)
{
    faultport *port = &x->r.port;

    port->reads = 0;
    port->fault = kind;
    port->fault_at = at;
    port->fault_forever = forever;
    port->faults = 0;
    look_meta(x, 1);
    injected += port->faults;
    suite_check(port->faults > 0, "%s: read %llu is not reached", s->golden->name, (unsigned long long)at);
    rig_check(&x->r, s->golden->name);
    if (kind == FAULT_ERROR || kind == FAULT_EOF) {
        utet_status expected = kind == FAULT_EOF ? UTET_E_SHORT : FAULTPORT_ERROR;

        suite_check(x->stop == expected, "%s: read %llu, %s: %s", s->golden->name, (unsigned long long)at,
                    fault_names[kind], rig_status(x->stop));
        suite_check(port->reads == at + 1, "%s: reads go on after a fault", s->golden->name);
        port->fault = FAULT_NONE;
        look_meta(x, 1); /* the file stays usable */
    }
    suite_check(x->stop == UTET_OK && x->digest == digest, "%s: read %llu, %s: something else is seen", s->golden->name,
                (unsigned long long)at, fault_names[kind]);
}

static void faults_in_window(const subject *s, size_t work)
{
    static look x;
    uint64_t reads, digest, i, stride;
    int kind;

    start(&x, s, work);
    look_meta(&x, 1);
    suite_check(x.stop == UTET_OK, "%s: %s", s->golden->name, rig_status(x.stop));
    reads = x.r.port.reads;
    look_meta(&x, 1); /* from a window that is in the same state as at each repetition */
    digest = x.digest;
    reads = x.r.port.reads - reads;
    stride = suite_full() || reads < 200 ? 1 : reads / 100;
    for (i = 0; i + 1 < reads; i += stride)
        for (kind = FAULT_ERROR; kind < FAULT_KINDS; kind++) {
            one_fault(&x, s, (fault_kind)kind, 0, i, digest);
            one_fault(&x, s, (fault_kind)kind, 1, i, digest);
        }
    rig_end(&x.r, s->golden->name);
}

static void fault_at_each_read(void **state)
{
    subject s;
    size_t at = 0;
    unsigned files = 0;

    (void)state;
    while (next_subject(&s, &at)) {
        faults_in_window(&s, UTET_WINDOW_LEAST(1)); /* many reads */
        if (suite_full())
            faults_in_window(&s, UTET_WINDOW_LEAST(1) + 27); /* their ends at other bytes */
        free(s.bytes);
        files++;
    }
    suite_check(files > 20, "only %u files", files);
    suite_figure("%llu faults injected into reading %u footers", (unsigned long long)injected, files);
}

static void slices_and_suspensions(void **state)
{
    static const size_t slices[] = {1, 2, 7, 64, SLICE_RANDOM};
    static look x;
    subject s;
    size_t at = 0, i;

    (void)state;
    while (next_subject(&s, &at)) {
        uint64_t digest;

        start(&x, &s, UTET_WINDOW_BEST(1));
        look_meta(&x, 1);
        digest = x.digest;
        rig_end(&x.r, s.golden->name);
        for (i = 0; i < sizeof slices / sizeof slices[0]; i++) {
            start(&x, &s, UTET_WINDOW_LEAST(1));
            x.r.port.slice = slices[i];
            x.r.port.blocks = i & 1 ? 2 : 1;
            look_meta(&x, 1);
            suite_check(x.stop == UTET_OK && x.digest == digest, "%s: slices of %d", s.golden->name, (int)slices[i]);
            rig_end(&x.r, s.golden->name);
        }
        free(s.bytes);
    }
}

/* ---- damage ---- */

static double worst_ratio;
static uint64_t refused_at; /* error_offset of the last refusal */
static char worst_name[100];

/* Opening reads each byte of the footer a bounded number of times, for any content. */
static void note_ratio(look *x, const subject *s, uint64_t before)
{
    double present = (double)(s->size - x->r.file.index_offset - x->r.file.index_length);
    double ratio = (double)(x->r.port.bytes_read - before) / present;

    if (ratio > worst_ratio) {
        worst_ratio = ratio;
        (void)snprintf(worst_name, sizeof worst_name, "%s", s->golden->name);
    }
}

/* Opens the metadata of a damaged copy; the tensors must stay the same. */
static utet_status damaged(look *x, const subject *s)
{
    utet_dataset dataset;
    utet_status status, after;
    uint64_t before;

    start(x, s, UTET_WINDOW_BEST(1));
    before = x->r.port.bytes_read;
    DRIVE(status, utet_meta_open(&x->meta, &x->r.file));
    note_ratio(x, s, before);
    if (status == UTET_OK) {
        look_meta(x, 1);
        suite_check(x->stop == UTET_OK || x->stop == UTET_E_METADATA, "%s: %s", s->golden->name, rig_status(x->stop));
    } else {
        utet_value item;

        refused_at = x->r.file.error_offset;
        suite_check(status == UTET_E_METADATA, "%s: %s", s->golden->name, rig_status(status));
        suite_check(refused_at <= s->size, "%s: offset", s->golden->name);
        suite_check(utet_value_next(&x->meta, &x->meta.history, &item, &item) == status, "the error does not stick");
        DRIVE(after, utet_meta_strict(&x->meta));
        suite_check(after == status ? x->r.file.error_offset == refused_at : after == UTET_E_ROW, "%s: strict mode: %s",
                    s->golden->name, rig_status(after));
    }
    DRIVE(after, utet_dataset_first(&x->r.file, &dataset));
    suite_check(after == (x->r.file.dataset_count != 0 ? UTET_OK : UTET_END), "%s: tensors cost", s->golden->name);
    return status;
}

static void every_truncation(void **state)
{
    static look x;
    subject s;
    size_t at = 0;
    uint64_t cuts = 0;

    (void)state;
    while (next_subject(&s, &at)) {
        uint64_t whole = s.length, end = s.json + s.length, keep;
        uint8_t tail[16], *all = s.bytes;

        while (whole > 0 && strchr(" \t\r\n", (char)all[s.json + whole - 1]) != NULL)
            whole--;
        memcpy(tail, all + end, sizeof tail);
        for (keep = 0; keep < whole; keep++) {
            uint8_t *copy = malloc((size_t)(s.json + keep + 16));
            utet_status status;

            suite_check(copy != NULL, "memory");
            memcpy(copy, all, (size_t)(s.json + keep));
            memcpy(copy + s.json + keep, tail, 16);
            store64(copy + s.json + keep, keep);
            s.bytes = copy;
            s.size = s.json + keep + 16;
            status = damaged(&x, &s);
            suite_check(status == UTET_E_METADATA, "%s cut to %llu: %s", s.golden->name, (unsigned long long)keep,
                        rig_status(status));
            /* the end, or the character that is truncated */
            suite_check(refused_at <= s.json + keep && refused_at + 4 > s.json + keep, "%s cut to %llu: offset %llu",
                        s.golden->name, (unsigned long long)keep, (unsigned long long)(refused_at - s.json));
            rig_end(&x.r, s.golden->name);
            free(copy);
            cuts++;
        }
        free(all);
    }
    suite_figure("%llu truncated footers refused at the right place", (unsigned long long)cuts);
}

static void every_bit_flip(void **state)
{
    static look x;
    subject s;
    size_t at = 0;
    uint64_t flips = 0, refused = 0;

    (void)state;
    while (next_subject(&s, &at)) {
        /* the JSON, and spills before it */
        uint64_t index_end = load64(s.bytes + 16) + load64(s.bytes + 24), i;
        uint64_t from = s.json - index_end > MOST_FLIPPED ? s.json - MOST_FLIPPED : index_end;
        if (s.length > MOST_FLIPPED && !suite_full())
            from = s.json + s.length - MOST_FLIPPED;
        for (i = from * 8; i < (s.json + s.length) * 8; i += suite_full() ? 1 : 3) {
            s.bytes[i / 8] ^= (uint8_t)(1u << (i & 7));
            refused += damaged(&x, &s) != UTET_OK;
            rig_end(&x.r, s.golden->name);
            s.bytes[i / 8] ^= (uint8_t)(1u << (i & 7));
            flips++;
        }
        free(s.bytes);
    }
    suite_check(refused > 3000, "only %llu of %llu refused", (unsigned long long)refused, (unsigned long long)flips);
    suite_figure(
        "%llu flipped bits, %llu refused; opening reads at most %.2f bytes for each byte behind the index (%s)",
        (unsigned long long)flips, (unsigned long long)refused, worst_ratio, worst_name);
    suite_check(worst_ratio < 5, "opening reads too much");
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(fault_at_each_read),
        cmocka_unit_test(slices_and_suspensions),
        cmocka_unit_test(every_truncation),
        cmocka_unit_test(every_bit_flip),
    };
    int result;

    list = golden_load();
    result = SUITE("meta", cases);
    golden_free(&list);
    return result;
}
