/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port for POSIX systems: reads a regular file or a block device with pread, 64-bit offsets also on 32-bit hosts.
 * Relies on utet.h; blocks, never answers "not yet". A port belongs to one thread; ports of several threads may read
 * the same file, and share a descriptor. See README.md in this folder. */
#ifndef UTET_POSIX_H
#define UTET_POSIX_H

#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    UTET_POSIX_E_OPEN = UTET_E_PORT,    /* cannot open, or neither a file nor a block device */
    UTET_POSIX_E_READ = UTET_E_PORT - 1 /* pread failed */
};

typedef struct utet_posix {
    utet_io io; /* pass its address to utet_init */
    int error;  /* errno of the last failure */
    struct {
        int fd;    /* -1: not open */
        int owned; /* nonzero: the port has opened the descriptor, and closes it */
    } priv;
} utet_posix;

/* Opens `path` for reading. The port must not move afterwards (io.ctx points to it).
 * Returns UTET_OK or UTET_POSIX_E_OPEN. */
utet_status utet_posix_open(utet_posix *port, const char *path);

/* Uses a descriptor that remains the caller's. Its file position is neither used nor moved
 * (on a block device, it is moved to the end once, to find the size).
 * Returns UTET_OK or UTET_POSIX_E_OPEN. */
utet_status utet_posix_use(utet_posix *port, int fd);

/* Closes the file that utet_posix_open has opened. May be called twice, or after a failed open. */
void utet_posix_close(utet_posix *port);

#ifdef __cplusplus
}
#endif

#endif
