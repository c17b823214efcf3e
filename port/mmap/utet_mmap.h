/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port for POSIX systems that maps the file: no window, no copies, chunks are decoded from the mapping. Uses utet.h.
 * No process may truncate the file meanwhile. Several threads may read through one port: nothing in it changes between
 * opening and closing. See README.md in this folder. */
#ifndef UTET_MMAP_H
#define UTET_MMAP_H

#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    UTET_MMAP_E_OPEN = UTET_E_PORT,   /* cannot open, or not a regular file */
    UTET_MMAP_E_MAP = UTET_E_PORT - 1 /* cannot be mapped, or larger than the address space */
};

typedef struct utet_mmap {
    utet_io io; /* pass its address to utet_init */
    int error;  /* errno of the last failure */
    struct {
        void *address; /* NULL: nothing is mapped */
        size_t length;
    } priv;
} utet_mmap;

/* Maps `path` for reading; the descriptor is closed again at once.
 * Returns UTET_OK, UTET_MMAP_E_OPEN or UTET_MMAP_E_MAP. */
utet_status utet_mmap_open(utet_mmap *port, const char *path);

/* Removes the mapping: runs and streams of the file must not be used any more. May be called twice, or after a failed
 * open. */
void utet_mmap_close(utet_mmap *port);

#ifdef __cplusplus
}
#endif

#endif
