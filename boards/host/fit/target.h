/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The machine that a file is meant for: what `utet fit` and `utet pack` compute with. Read from a small text file
 * (targets/README.md), one of those that are built in or one of the user's. */
#ifndef UTET_TOOL_TARGET_H
#define UTET_TOOL_TARGET_H

#include "shared/tool.h"

/* The options that describe a machine, in the order in which they count: --for first, the others change what it says.
 */
#define TARGET_OPTIONS 9u
extern const char *const target_options[TARGET_OPTIONS]; /* "for", "ram", ... */

typedef struct target {
    const char *given[TARGET_OPTIONS]; /* value of each on the command line; NULL: not given */
    char name[40];
    char about[120];
    /* machine; bytes but for pointer */
    uint64_t pointer; /* bits */
    uint64_t unit;    /* transfer unit of the medium */
    uint64_t align;
    uint64_t mapped; /* 1: files are in memory, no window */
    uint64_t ram;
    uint64_t stack;   /* kept for it */
    uint64_t program; /* the program's own variables */
    /* sizes of objects on it */
    uint64_t port;
    uint64_t file;
    uint64_t dataset;
    uint64_t chunk;
    uint64_t stream;
    uint64_t slab;
    uint64_t meta;  /* utet_meta, utet_dataset_meta */
    uint64_t fold;  /* utet_fold; the slab is inside */
    uint64_t query; /* a document, its plan, answer and response; the fold is inside */
    /* decoders without window, caches, history */
    uint64_t zstd_packed;
    uint64_t zstd_tables;
    uint64_t zstd_upstream;
    /* for estimates of time */
    uint64_t sector_us; /* one sector of 512 bytes from the medium */
    uint64_t zstd_ns;   /* a decoded byte, and one that is raw */
    uint64_t raw_ns;
    unsigned with; /* --with: TARGET_… bits */
} target;

enum { TARGET_META = 1, TARGET_FOLD = 2, TARGET_QUERY = 4 };

/* A Cortex-M3 with 64 KB that reads a card. */
void target_default(target *t);
/* Keeps the value of one of target_options; 0: `option` is none of them. */
int target_tell(target *t, const char *option, const char *value);
/* Applies the options that were given, in any order; prints what is wrong. */
int target_settle(target *t);
/* Returns nonzero if --for or --ram was given. */
int target_is_given(const target *t);
/* What messages call the machine: its name only if --for chose it. */
const char *target_name(const target *t);
/* " --for rp2040 --ram 20K": the options as given, quoted for a shell. */
void target_put_options(FILE *out, const target *t);
/* Returns nonzero if stack, program and objects leave room for that workspace. */
int target_holds(const target *t, uint64_t workspace);
/* Bytes for the workspace: RAM less stack, the program's own and the objects of a reader of slabs; 0: none left. */
uint64_t target_workspace(const target *t);
uint64_t target_objects(const target *t);
/* The object that reads: utet_slab, or its replacement by --with, and its name. */
uint64_t target_reader(const target *t, const char **name);
/* Bytes of metadata's objects, 0 without them. */
uint64_t target_meta(const target *t);
/* The RAM with which a reader has that workspace. */
uint64_t target_ram(const target *t, uint64_t workspace);

/* Need on the target of a chunk, window included; from its lengths and the history that its frames want. */
typedef struct target_chunk {
    uint32_t codec; /* UTET_CODEC_… */
    int upstream;   /* the zstd package decodes it, else our decoder */
    uint64_t raw;   /* decoded bytes */
    uint64_t stored;
    uint64_t history; /* for slices */
} target_chunk;
void target_need(const target *t, const target_chunk *chunk, int whole, utet_need *need);
/* The history, from what the library says on this machine (unit 1, not mapped, slices). */
uint64_t target_history(const utet_chunk *chunk, int upstream, const utet_need *here);
/* The name of built-in target i, which is not null-terminated; NULL after the last. */
const char *target_builtin(size_t i, size_t *length);
/* Prints the names of the built-in targets. */
void target_list(FILE *out);

#endif
