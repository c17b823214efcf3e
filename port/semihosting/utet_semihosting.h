/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port for bare-metal programs under a debugger or an emulator: files of the host through semihosting.
 * Relies on utet.h and on boards/common/semihost.h. Blocks, never answers "not yet". A port belongs to one task; tasks
 * with ports of their own share nothing. See README.md in this folder. */
#ifndef UTET_SEMIHOSTING_H
#define UTET_SEMIHOSTING_H

#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    UTET_SEMIHOSTING_E_OPEN = UTET_E_PORT,    /* no such file, or its length is unknown */
    UTET_SEMIHOSTING_E_SEEK = UTET_E_PORT - 1 /* the host cannot move to the offset */
};

typedef struct utet_semihosting {
    utet_io io;     /* pass its address to utet_init */
    uint32_t reads; /* number of answered requests, for figures */
    struct {
        int32_t handle;  /* -1: not open */
        uint32_t offset; /* the host's file position */
    } priv;
} utet_semihosting;

/* Opens `path` on the host, relative to the folder in which the emulator was started. The port must not move
 * afterwards. Files below 2 GiB. Returns UTET_OK or UTET_SEMIHOSTING_E_OPEN. */
utet_status utet_semihosting_open(utet_semihosting *port, const char *path);

/* Closes the file. May be called twice, or after a failed open. */
void utet_semihosting_close(utet_semihosting *port);

#ifdef __cplusplus
}
#endif

#endif
