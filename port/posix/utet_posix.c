/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet_io over pread: no shared file position, so several files may use one descriptor. Relies on POSIX.1-2008. */
#define _POSIX_C_SOURCE 200809L
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif

#include "utet_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* An array of -1 elements, which does not compile if off_t has 32 bits. */
typedef char off_t_has_64_bits[sizeof(off_t) >= 8 ? 1 : -1];

/* pread beyond SSIZE_MAX is implementation-defined, and Linux moves at most 2 GiB at once anyway. */
#define LONGEST_READ ((size_t)1 << 30)

static utet_status posix_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_posix *port = ctx;
    ssize_t n;

    if (len > LONGEST_READ)
        len = LONGEST_READ;
    do
        n = pread(port->priv.fd, buf, len, (off_t)offset);
    while (n < 0 && errno == EINTR);
    if (n < 0) {
        port->error = errno;
        *got = 0;
        return UTET_POSIX_E_READ;
    }
    *got = (size_t)n;
    return UTET_OK;
}

/* Length of a file or block device, or -1 with errno. */
static off_t medium_size(int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return -1;
    if (S_ISREG(st.st_mode))
        return st.st_size;
    if (S_ISBLK(st.st_mode))
        return lseek(fd, 0, SEEK_END);
    errno = S_ISDIR(st.st_mode) ? EISDIR : ESPIPE;
    return -1;
}

utet_status utet_posix_use(utet_posix *port, int fd)
{
    static const utet_posix closed = {{NULL, NULL, NULL, NULL, 0, 1, 1, 0, 0}, 0, {-1, 0}};
    const off_t size = medium_size(fd);

    *port = closed;
    if (size < 0) {
        port->error = errno;
        return UTET_POSIX_E_OPEN;
    }
    port->priv.fd = fd;
    port->io.ctx = port;
    port->io.read = posix_read;
    port->io.size = (uint64_t)size;
    return UTET_OK;
}

utet_status utet_posix_open(utet_posix *port, const char *path)
{
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* not to wait for the writer of a pipe */
    utet_status status;

    /* open may have failed: then fstat reports EBADF, and the reason is the older errno. */
    const int reason = errno;
    status = utet_posix_use(port, fd);
    if (fd < 0)
        port->error = reason;
    else if (status != UTET_OK)
        (void)close(fd);
    else
        port->priv.owned = 1;
    return status;
}

void utet_posix_close(utet_posix *port)
{
    if (port->priv.owned)
        (void)close(port->priv.fd);
    port->priv.owned = 0;
    port->priv.fd = -1;
}
