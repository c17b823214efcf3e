/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A fault at every port read of every golden file in every scenario: error, short read, end of the medium, "not yet"
 * once and three times, once and from then on (test/README.md, bar 4). Required: the exact status at the faulted read,
 * and no data after it; "not yet" and short answers change nothing that the application sees; after a passing error the
 * same file object gives everything; no request breaks the rules (the port checks). Prints the number of faults
 * injected.
 */
#include "golden_cases.h"
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t injected, runs;

typedef struct sweep {
    const golden_file *file;
    const scenario *scenario;
    rig r;
    size_t work;
    uint64_t transcript, reads, blocked;
    utet_status stop;
    char what[200];
} sweep;

static void start(sweep *s)
{
    faultport_rewind(&s->r.port);
    utet_status status = utet_init(&s->r.file, &s->r.port.io, s->r.work.data, s->work, s->r.codecs);
    suite_check(status == UTET_OK, "utet_init: %s", rig_status(status));
    runs++;
}

static void clean_run(sweep *s)
{
    scenario_run x = {0};
    s->r.port.fault = FAULT_NONE;
    start(s);
    scenario_from_open(&x, &s->r, s->scenario);
    rig_check(&s->r, s->what);
    s->transcript = x.transcript;
    s->stop = x.stop;
    s->reads = s->r.port.reads;
    s->blocked = s->r.port.blocked;
}

/* Faults after which the application must see exactly what it sees without them. */
static void harmless(sweep *s, const scenario_run *x, fault_kind kind, int forever)
{
    suite_check(x->stop == s->stop && x->transcript == s->transcript, "%s: %s, %s instead of %s", s->what, x->where,
                rig_status(x->stop), rig_status(s->stop));
    if (kind != FAULT_SHORT)
        suite_check(s->r.port.reads == s->reads, "%s: %llu reads instead of %llu", s->what,
                    (unsigned long long)s->r.port.reads, (unsigned long long)s->reads);
    if (kind != FAULT_SHORT && !forever)
        suite_check(s->r.port.blocked == s->blocked + (kind == FAULT_BLOCK_ONCE ? 1 : 3), "%s: suspended %llu times",
                    s->what, (unsigned long long)s->r.port.blocked);
}

static void harmful(sweep *s, scenario_run *x, fault_kind kind, int forever, uint64_t at)
{
    utet_status expected = kind == FAULT_EOF ? UTET_E_SHORT : FAULTPORT_ERROR;
    int opening = strcmp(x->where, "utet_open") == 0;
    suite_check(x->stop == expected, "%s: %s says %s", s->what, x->where, rig_status(x->stop));
    suite_check(s->r.port.reads == at + 1, "%s: %llu reads after the fault", s->what,
                (unsigned long long)(s->r.port.reads - at - 1));
    suite_check(s->r.file.error_offset <= s->file->size, "%s: error offset %llu", s->what,
                (unsigned long long)s->r.file.error_offset);
    if (opening) {
        utet_status again = utet_open(&s->r.file, NULL);
        suite_check(again == expected && s->r.port.reads == at + 1, "%s: opening again says %s", s->what,
                    rig_status(again));
        if (!forever) {
            start(s);
            s->r.port.fault = FAULT_NONE;
            scenario_from_open(x, &s->r, s->scenario);
        }
    } else {
        scenario_again(x, &s->r, s->scenario); /* the file stays usable */
    }
    if (!forever)
        suite_check(x->stop == s->stop && x->transcript == s->transcript, "%s: afterwards %s: %s instead of %s",
                    s->what, x->where, rig_status(x->stop), rig_status(s->stop));
    else if (!opening)
        suite_check(x->stop == expected || x->transcript == s->transcript, "%s: afterwards %s: %s", s->what, x->where,
                    rig_status(x->stop));
}

static void one_fault(sweep *s, fault_kind kind, int forever, uint64_t at)
{
    scenario_run x = {0};
    snprintf(s->what, sizeof s->what, "%s: %s: %s at read %llu%s", s->file->name, s->scenario->name, fault_names[kind],
             (unsigned long long)at, forever ? " and on" : "");
    s->r.port.fault = kind;
    s->r.port.fault_at = at;
    s->r.port.fault_forever = forever;
    start(s);
    scenario_from_open(&x, &s->r, s->scenario);
    injected += s->r.port.faults;
    suite_check(s->r.port.faults > 0, "%s: not reached", s->what);
    if (kind == FAULT_ERROR || kind == FAULT_EOF)
        harmful(s, &x, kind, forever, at);
    else
        harmless(s, &x, kind, forever);
    rig_check(&s->r, s->what);
}

/* All reads if there are few; otherwise the first, the last and an even choice of those between. */
static int chosen(uint64_t i, uint64_t reads, uint64_t most)
{
    return reads <= most || i < most / 4 || reads - i <= most / 4 || i % (reads / (most / 2) + 1) == 0;
}

static void sweep_scenario(sweep *s, uint64_t most)
{
    snprintf(s->what, sizeof s->what, "%s: %s", s->file->name, s->scenario->name);
    clean_run(s);
    for (uint64_t at = 0; at < s->reads; at++) {
        if (!chosen(at, s->reads, most))
            continue;
        for (fault_kind kind = FAULT_ERROR; kind < FAULT_KINDS; kind++) {
            one_fault(s, kind, 0, at);
            if (kind != FAULT_SHORT || at % 7 == 0)
                one_fault(s, kind, 1, at);
        }
    }
}

static void file_case(void **state)
{
    const golden_file *f = *state;
    char why[300];
    sweep s = {.file = f};
    uint8_t *bytes = golden_bytes(f, why);
    if (bytes == NULL)
        suite_skip(why);
    uint64_t most = suite_full() ? 400 : suite_light() ? 4 : f->size <= 1500 ? 24 : 8;
    for (unsigned turn = 0; turn < 2; turn++) { /* a byte-addressed medium, and a card with a small window */
        if (turn == 1 && !suite_full() && f->name[1] % 3)
            continue;
        rig_make(&s.r, bytes, f->size, (int)(f->size % rig_codecs()));
        s.r.port.io.unit = turn ? 512 : 1;
        s.r.port.io.align = turn ? 4 : 1;
        s.r.port.slice = turn ? SLICE_ALL : 200;
        s.work = 3 << 20;
        s.r.work = guard_new(s.work, 8, GUARD_AFTER);
        faultport_zone(&s.r.port, 0, s.r.work.data, s.work);
        for (unsigned i = 0; i < SCENARIOS; i++) {
            s.scenario = &scenarios[i];
            sweep_scenario(&s, most);
        }
        rig_end(&s.r, f->name);
    }
    free(bytes);
}

/* The golden files of this project, and outside the long tier only small ones. */
static int wanted(const golden_file *f)
{
    return f->size <= (suite_full() ? 70000u : 6000u) && strncmp(f->where, "golden", 6) == 0;
}

int main(void)
{
    size_t files;
    const int result = golden_run("sweep", NULL, 0, file_case, wanted, &files);

    printf("figure: faults injected: %llu in %llu runs over %zu files\n", (unsigned long long)injected,
           (unsigned long long)runs, files);
    return result;
}
