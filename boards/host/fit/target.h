/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The machine for which `utet fit` and `utet pack` compute. Its description is a small text file (targets/README.md),
 * built in or written by the user. */
#ifndef UTET_TOOL_TARGET_H
#define UTET_TOOL_TARGET_H

#include "shared/tool.h"

/* The options that describe a machine, in the order in which they are applied: first --for, then those that change
 * single values. */
#define TARGET_OPTIONS 9u
extern const char *const target_options[TARGET_OPTIONS]; /* "for", "ram", ... */

typedef struct target {
    const char *given[TARGET_OPTIONS]; /* value of each on the command line; NULL: not given */
    char name[40];
    char about[120];
    /* the machine; in bytes unless a comment states otherwise */
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
    uint64_t fold;  /* utet_fold, which contains the slab */
    uint64_t query; /* a document, its plan, its answer, which contains the fold, and the response */
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

/* The default target: a Cortex-M3 with 64 KB of RAM that reads a card. */
void target_default(target *t);
/* Stores the value of an option of target_options; returns 0 if `option` is none of them. */
int target_tell(target *t, const char *option, const char *value);
/* Applies the stored options, which may be given in any order; prints an error line if one is invalid. */
int target_settle(target *t);
/* Returns nonzero if --for or --ram was given. */
int target_is_given(const target *t);
/* Returns a text for messages: the machine's name if --for chose it, otherwise how it was chosen. */
const char *target_name(const target *t);
/* Prints the options as they were given, quoted for a shell: " --for rp2040 --ram 20K". */
void target_put_options(FILE *out, const target *t);
/* Returns nonzero if stack, program and objects leave room for that workspace. */
int target_holds(const target *t, uint64_t workspace);
/* Returns the bytes left for the workspace: RAM less stack, program variables and the objects of a slab reader; 0: none
 * left. */
uint64_t target_workspace(const target *t);
uint64_t target_objects(const target *t);
/* The object that reads: utet_slab, or its replacement by --with, and its name. */
uint64_t target_reader(const target *t, const char **name);
/* Returns the size of the objects for metadata, in bytes; 0 without --with meta. */
uint64_t target_meta(const target *t);
/* Returns the RAM that a reader with this workspace needs, in bytes. */
uint64_t target_ram(const target *t, uint64_t workspace);

/* The lengths of a chunk and the history of its frames, from which its need on the target follows. */
typedef struct target_chunk {
    uint32_t codec; /* UTET_CODEC_… */
    int upstream;   /* 1: libzstd decodes the chunk; 0: the built-in decoder */
    uint64_t raw;   /* decoded bytes */
    uint64_t stored;
    uint64_t history; /* for slices */
} target_chunk;
void target_need(const target *t, const target_chunk *chunk, int whole, utet_need *need);
/* Returns the history of a chunk in bytes, from the library's need on this machine (unit 1, not mapped, read in
 * slices). */
uint64_t target_history(const utet_chunk *chunk, int upstream, const utet_need *here);
/* Returns the name of built-in target i, which is not null-terminated; NULL after the last target. */
const char *target_builtin(size_t i, size_t *length);
/* Prints the names of the built-in targets. */
void target_list(FILE *out);

#endif
