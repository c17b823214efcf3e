/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader under test: port of the tests, guarded workspace, file object, and the loop that repeats a call as long as
 * it returns "not yet". Every suite that calls the library does so through a rig.
 */
#ifndef TEST_RIG_H
#define TEST_RIG_H

#include "faultport.h"
#include "guard.h"
#include "suite.h"
#include "utet.h"

typedef struct rig {
    faultport port;
    guard work; /* the workspace; it ends or begins at an unmapped page */
    utet_file file;
    const utet_codec *codecs[3];
    uint64_t repeats; /* calls repeated after "not yet" */
} rig;

/* Repeats `call` while the port is not ready. Suspensions without an end fail the case. */
#define DRIVE(status, call)                                                       \
    do {                                                                          \
        unsigned long drive_limit_ = 50000000ul;                                  \
        do                                                                        \
            (status) = (call);                                                    \
        while ((status) == UTET_WOULD_BLOCK && --drive_limit_ > 0);               \
        suite_check(drive_limit_ > 0, "line %d: %s never ends", __LINE__, #call); \
    } while (0)
#define DRIVE_OK(call)                                                                                        \
    do {                                                                                                      \
        utet_status drive_status_;                                                                            \
        DRIVE(drive_status_, call);                                                                           \
        suite_check(drive_status_ == UTET_OK, "line %d: %s: %s", __LINE__, #call, rig_status(drive_status_)); \
    } while (0)

/* The codec used for zstd chunks: 0 = upstream, 1 = small; rig_codecs says how many there are. */
unsigned rig_codecs(void);
const char *rig_codec_name(unsigned codec);
/* Nonzero: libzstd does without the instructions of BMI2, which it uses otherwise if this processor has them. */
extern int rig_plain_x86;

/* A rig over `bytes`; the port's schedule may be set before rig_start. codec: see above; -1 = none passed. */
void rig_make(rig *r, const void *bytes, uint64_t size, int codec);
/* utet_init with a workspace of `work` bytes that ends (or begins) at an unmapped page. */
void rig_start(rig *r, size_t work, guard_side side);
/* rig_start, then utet_open with `budget`; driven to its end. */
utet_status rig_open(rig *r, size_t work, size_t budget);
/* Checks canaries and the port's contract, frees the workspace. */
void rig_end(rig *r, const char *what);
/* Only the checks. */
void rig_check(rig *r, const char *what);

/* Name of a status as the header spells it, without UTET_; "PORT-n" for a port's own. */
const char *rig_status(utet_status status);
/* Status by that name; 1000 = unknown. */
utet_status rig_status_named(const char *name);

#endif
