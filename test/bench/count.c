/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* QEMU 7.2 TCG plugin of the benchmark: exact instruction counts, peak stack and unaligned accesses of marked regions.
 * A region begins and ends with a store into the firmware's array bench_marks (marks.S), so ids are chosen at run time.
 * One address range, the port, is counted separately and does not count for stack and gap. It uses only version 1 of
 * the plugin interface, declared here because Debian packages no QEMU headers. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cycles.h"

/* ---- the few functions of the plugin interface that are used ---- */

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef void (*trans_cb)(plugin_id id, struct qemu_plugin_tb *tb);
typedef void (*mem_cb)(unsigned vcpu, uint32_t info, uint64_t vaddr, void *user);
typedef void (*exec_cb)(unsigned vcpu, void *user);
typedef void (*exit_cb)(plugin_id id, void *user);

extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, trans_cb cb);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, exec_cb cb, int flags, void *user);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int op, void *ptr, uint64_t imm);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, exec_cb cb, int flags, void *user);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, mem_cb cb, int flags, int rw, void *user);
extern unsigned qemu_plugin_mem_size_shift(uint32_t info);
extern _Bool qemu_plugin_mem_is_store(uint32_t info);
extern void qemu_plugin_register_atexit_cb(plugin_id id, exit_cb cb, void *user);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);

/* ---- regions ---- */

enum { REGIONS = 128, MARK_BYTES = 2 * REGIONS, PAGE = 4096, MAX_PAGES = 4096, MAX_BAD = 16, NO_PROFILE = -1 };

struct region {
    int active;
    int base_pending;      /* the next store is bench_begin's push: it shows the stack pointer */
    uint64_t begun;        /* counter at entry */
    uint64_t port_begun;   /* port_counter at entry */
    uint64_t last;         /* own instructions at the last mark or port call */
    uint64_t base, low;    /* stack pointer at entry, lowest address stored to since */
    uint64_t cycles_begun; /* cycles at entry */
    uint64_t runs, insns, port, gap, stack, unaligned, cycles;
};

/* Instructions that are always executed one after the other: their modelled cycles. */
struct block {
    uint64_t start, end;
    unsigned cycles, jump, in_port;
};

/* One counter per halfword of a code page: the flat profile. `from` is the snapshot at the region's entry. */
struct page {
    uint64_t base;
    uint64_t now[PAGE / 2], from[PAGE / 2], sum[PAGE / 2];
};

static struct region regions[REGIONS];
static int active[REGIONS];
static int active_count;
static struct page *pages[MAX_PAGES];
static size_t page_count;

static uint64_t counter;                                     /* instructions executed since the start */
static uint64_t port_counter;                                /* those of the port */
static uint64_t marks, stack_lo, stack_hi, port_lo, port_hi; /* options */
static int profile = NO_PROFILE;
static const char *out_path, *profile_path;

static enum cycles_core core; /* option */
static uint64_t cycles;       /* outside of the port */
static struct block last_block;

static uint64_t unaligned_all;
static uint64_t bad_pc[MAX_BAD];
static size_t bad_count;

static uint64_t *profile_cell(uint64_t pc)
{
    uint64_t base = pc & ~(uint64_t)(PAGE - 1);
    struct page *p = NULL;

    for (size_t i = 0; i < page_count; i++) {
        if (pages[i]->base == base) {
            p = pages[i];
        }
    }
    if (p == NULL) {
        if (page_count == MAX_PAGES || (p = calloc(1, sizeof *p)) == NULL) {
            fprintf(stderr, "count: too many code pages\n");
            exit(3);
        }
        p->base = base;
        pages[page_count++] = p;
    }
    return &p->now[(pc & (PAGE - 1)) / 2];
}

static void profile_enter(void)
{
    for (size_t i = 0; i < page_count; i++) {
        memcpy(pages[i]->from, pages[i]->now, sizeof pages[i]->from);
    }
}

/* A page that is first translated within the region has an all-zero snapshot, which is right: nothing of it ran
 * before. */
static void profile_leave(void)
{
    for (size_t i = 0; i < page_count; i++) {
        for (size_t k = 0; k < PAGE / 2; k++) {
            pages[i]->sum[k] += pages[i]->now[k] - pages[i]->from[k];
        }
    }
}

/* The longest path between two returns or port calls, in instructions outside of the port. */
static void note_gaps(void)
{
    uint64_t own = counter - port_counter;

    for (int i = 0; i < active_count; i++) {
        struct region *r = &regions[active[i]];
        if (own - r->last > r->gap) {
            r->gap = own - r->last;
        }
        r->last = own;
    }
}

static void on_port_entry(unsigned vcpu, void *user)
{
    (void)vcpu;
    (void)user;
    note_gaps();
}

static int in_port(uint64_t pc)
{
    return pc >= port_lo && pc < port_hi;
}

static void enter(int id)
{
    struct region *r = &regions[id];

    if (r->active) {
        fprintf(stderr, "count: region %d entered twice\n", id);
        exit(3);
    }
    note_gaps();
    r->active = 1;
    r->base_pending = 1;
    r->begun = counter;
    r->cycles_begun = cycles;
    r->port_begun = port_counter;
    r->last = counter - port_counter;
    r->runs++;
    active[active_count++] = id;
    if (id == profile) {
        profile_enter();
    }
}

static void leave(int id)
{
    struct region *r = &regions[id];

    if (!r->active) {
        fprintf(stderr, "count: region %d left before it was entered\n", id);
        exit(3);
    }
    note_gaps();
    r->active = 0;
    r->insns += counter - r->begun;
    r->cycles += cycles - r->cycles_begun;
    r->port += port_counter - r->port_begun;
    if (r->base > r->low && r->base - r->low > r->stack) {
        r->stack = r->base - r->low;
    }
    for (int i = 0, k = 0; i < active_count; i++) {
        if (active[i] != id) {
            active[k++] = active[i];
        }
    }
    active_count--;
    if (id == profile) {
        profile_leave();
    }
}

static void note_unaligned(uint64_t pc)
{
    unaligned_all++;
    for (int i = 0; i < active_count; i++) {
        regions[active[i]].unaligned++;
    }
    for (size_t i = 0; i < bad_count; i++) {
        if (bad_pc[i] == pc) {
            return;
        }
    }
    if (bad_count < MAX_BAD) {
        bad_pc[bad_count++] = pc;
    }
}

static void note_stack(uint64_t addr)
{
    for (int i = 0; i < active_count; i++) {
        struct region *r = &regions[active[i]];
        if (r->base_pending) {
            r->base_pending = 0;
            r->base = addr + 4;
            r->low = r->base;
        } else if (addr < r->low) {
            r->low = addr;
        }
    }
}

static void on_access(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
    unsigned size = 1u << qemu_plugin_mem_size_shift(info);

    (void)vcpu;
    if ((addr & (size - 1)) != 0) {
        note_unaligned((uint64_t)(uintptr_t)user);
    }
    if (!qemu_plugin_mem_is_store(info)) {
        return;
    }
    /* Only byte stores are marks, because start-up clears the array by words. */
    if (size == 1 && addr - marks < MARK_BYTES) {
        uint64_t at = addr - marks;
        if (at < REGIONS) {
            enter((int)at);
        } else {
            leave((int)(at - REGIONS));
        }
    } else if (addr >= stack_lo && addr < stack_hi && !in_port((uint64_t)(uintptr_t)user)) {
        note_stack(addr);
    }
}

static void on_block(unsigned vcpu, void *user)
{
    const struct block *b = user;

    (void)vcpu;
    if (!b->in_port)
        cycles += b->cycles + (b->start != last_block.end ? last_block.jump : 0);
    last_block = *b;
}

static void model_block(struct qemu_plugin_tb *tb, size_t n)
{
    struct block *b = calloc(1, sizeof *b);
    struct cycles c = {0, 0, 0};

    if (b == NULL) {
        fprintf(stderr, "count: out of memory\n");
        exit(3);
    }
    b->start = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
    b->in_port = (unsigned)in_port(b->start);
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        c = cycles_of(core, qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn), c.load);
        b->cycles += c.each;
        b->end = qemu_plugin_insn_vaddr(insn) + qemu_plugin_insn_size(insn);
    }
    b->jump = c.jump;
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, 0, b);
}

static void on_translate(plugin_id id, struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);

    (void)id;
    if (core != CYCLES_NONE && n != 0)
        model_block(tb, n);
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);

        qemu_plugin_register_vcpu_insn_exec_inline(insn, 0, &counter, 1);
        if (in_port(pc)) {
            qemu_plugin_register_vcpu_insn_exec_inline(insn, 0, &port_counter, 1);
        }
        if (pc == port_lo && port_lo != port_hi) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_port_entry, 0, NULL);
        }
        if (profile != NO_PROFILE) {
            qemu_plugin_register_vcpu_insn_exec_inline(insn, 0, profile_cell(pc), 1);
        }
        qemu_plugin_register_vcpu_mem_cb(insn, on_access, 0, 3, (void *)(uintptr_t)pc);
    }
}

/* Rows: `region id runs instructions port stack unaligned gap cycles`; `unaligned total`; the first few `at pc`. */
static void report(plugin_id id, void *user)
{
    FILE *f = out_path != NULL ? fopen(out_path, "w") : stderr;

    (void)id;
    (void)user;
    if (f == NULL) {
        perror(out_path);
        return;
    }
    for (int i = 0; i < REGIONS; i++) {
        const struct region *r = &regions[i];
        if (r->runs != 0) {
            fprintf(f, "region\t%d\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n", i, (unsigned long long)r->runs,
                    (unsigned long long)r->insns, (unsigned long long)r->port, (unsigned long long)r->stack,
                    (unsigned long long)r->unaligned, (unsigned long long)r->gap, (unsigned long long)r->cycles);
        }
    }
    fprintf(f, "unaligned\t%llu\n", (unsigned long long)unaligned_all);
    for (size_t i = 0; i < bad_count; i++) {
        fprintf(f, "at\t0x%llx\n", (unsigned long long)bad_pc[i]);
    }
    fprintf(f, "end\t%d\n", active_count);
    if (f != stderr) {
        fclose(f);
    }
    if (profile_path != NULL && (f = fopen(profile_path, "w")) != NULL) {
        for (size_t i = 0; i < page_count; i++) {
            for (size_t k = 0; k < PAGE / 2; k++) {
                if (pages[i]->sum[k] != 0) {
                    fprintf(f, "0x%llx\t%llu\n", (unsigned long long)(pages[i]->base + 2 * k),
                            (unsigned long long)pages[i]->sum[k]);
                }
            }
        }
        fclose(f);
    }
}

/* The options that are numbers, NAME=VALUE; 0 if `text` is none of them. */
static int number_option(const char *text, uint64_t *profile_id)
{
    const struct {
        const char *name;
        uint64_t *value;
    } options[] = {{"marks=", &marks},     {"stack_lo=", &stack_lo}, {"stack_hi=", &stack_hi},
                   {"port_lo=", &port_lo}, {"port_hi=", &port_hi},   {"profile=", profile_id}};

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        size_t len = strlen(options[i].name);
        if (strncmp(text, options[i].name, len) == 0) {
            *options[i].value = strtoull(text + len, NULL, 0);
            return 1;
        }
    }
    return 0;
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    uint64_t profile_id = REGIONS;

    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "out=", 4) == 0) {
            out_path = strdup(argv[i] + 4);
        } else if (strncmp(argv[i], "profile_file=", 13) == 0) {
            profile_path = strdup(argv[i] + 13);
        } else if (strcmp(argv[i], "core=m3") == 0) {
            core = CYCLES_M3;
        } else if (strcmp(argv[i], "core=m0plus") == 0) {
            core = CYCLES_M0PLUS;
        } else if (!number_option(argv[i], &profile_id)) {
            fprintf(stderr, "count: unknown option %s\n", argv[i]);
            return -1;
        }
    }
    if (marks == 0) {
        fprintf(stderr, "count: marks=ADDRESS is missing\n");
        return -1;
    }
    if (profile_id < REGIONS) {
        profile = (int)profile_id;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_atexit_cb(id, report, NULL);
    return 0;
}
