/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet_io with `map`: the whole file as memory. Uses the memory-mapped files of POSIX.1-2008. */
#define _POSIX_C_SOURCE 200809L
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif

#include "utet_mmap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* Length of the regular file open as `fd`, or -1 with errno. */
static off_t file_size(int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return -1;
    if (S_ISREG(st.st_mode))
        return st.st_size;
    errno = S_ISDIR(st.st_mode) ? EISDIR : ENODEV;
    return -1;
}

static utet_status map_file(utet_mmap *port, int fd)
{
    /* POSIX cannot map 0 bytes, but the library requires a pointer. */
    static const uint8_t nothing[1] = {0};
    const off_t size = file_size(fd);
    void *address;

    if (size < 0)
        return UTET_MMAP_E_OPEN;
    if (size == 0) {
        port->io.map = nothing;
        return UTET_OK;
    }
    if ((uint64_t)size > SIZE_MAX / 2) {
        errno = EFBIG;
        return UTET_MMAP_E_MAP;
    }
    address = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (address == MAP_FAILED)
        return UTET_MMAP_E_MAP;
    port->priv.address = address;
    port->priv.length = (size_t)size;
    port->io.map = address;
    port->io.size = (uint64_t)size;
    return UTET_OK;
}

utet_status utet_mmap_open(utet_mmap *port, const char *path)
{
    static const utet_mmap empty = {{NULL, NULL, NULL, NULL, 0, 1, 1, 0, 0}, 0, {NULL, 0}};
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* not to wait for the writer of a pipe */
    utet_status status = UTET_MMAP_E_OPEN;

    *port = empty;
    if (fd >= 0)
        status = map_file(port, fd);
    if (status != UTET_OK)
        port->error = errno;
    if (fd >= 0)
        (void)close(fd);
    return status;
}

void utet_mmap_close(utet_mmap *port)
{
    if (port->priv.address)
        (void)munmap(port->priv.address, port->priv.length);
    port->priv.address = NULL;
    port->io.map = NULL;
}
