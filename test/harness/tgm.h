/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensogram files for suites and fuzzers: the vectors in the tree, and an application that looks at everything there is
 * in a file and keeps a digest of what it saw, statuses and places of faults included.
 */
#ifndef TEST_TGM_H
#define TEST_TGM_H

#include "rig.h"
#include "utet_tensogram.h"

typedef struct tgm_look {
    rig *r;
    uint64_t digest;
    unsigned messages; /* number of sound messages */
    unsigned broken;   /* number of statuses below 0 that are the file's fault */
    int cut;           /* the last of these statuses was UTET_E_SHORT */
    utet_status stop;  /* the error of the medium that ended the look, if any */
} tgm_look;

/* Calls utet_init and utet_messages_open, with a workspace of `work` bytes. */
utet_status tgm_open(rig *r, size_t work);
/* Looks at all of an open file. */
void tgm_look_at(tgm_look *x, rig *r);

typedef struct tgm_file {
    char name[120];
    uint8_t *bytes;
    size_t size;
} tgm_file;

/* Loads vector number `index`, in the order of names, of test/golden/tensogram/FOLDER. Returns 0 if there is none. */
int tgm_vector(const char *folder, size_t index, tgm_file *file);
int tgm_named(const char *folder, const char *name, tgm_file *file);
void tgm_forget(tgm_file *file);

#endif
