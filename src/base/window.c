/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The window: a cache over the file, the only code that calls a port.
 *
 *   priv.work         priv.buffer                priv.tail
 *   | headroom, 128 B | buffer, units of the port …  |   free  |
 *            <------- priv.held bytes -------------->   next read goes here
 *   The byte before priv.tail is the file's byte priv.end - 1.
 *
 * Bytes that straddle the end of the buffer, at most 127, are moved in front of it, into the
 * headroom; the rest is read after them. So any structure of up to 128 bytes is contiguous,
 * even with a buffer of one unit. A repeated call finds the state of the first one, and makes
 * the same request.
 *
 * With io.align the headroom is larger if priv.work is not aligned as the buffer must be.
 *
 * With io.map the window is the file: priv.tail is the file's end, and all bytes are held.
 */
#include "base.h"
#include <string.h>

size_t utet_window_fit(const utet_file *file, size_t bytes)
{
    size_t unit = file->priv.io->unit;
    size_t head = (size_t)(file->priv.buffer - file->priv.work);
    size_t best = head + (unit > 512 ? unit : 512);

    if (head == 0)
        return 0; /* map */
    if (unit < 64)
        unit = 64; /* UTET_WINDOW_LEAST */
    if (bytes < head + unit)
        return head + unit;
    if (bytes > best)
        return best;
    return bytes - ((bytes - head) & (unit - 1));
}

/* Reading ahead ends at the end of a line, or of the largest half, quarter or less of it that the buffer holds: so a
 * larger window holds the bytes that a smaller one holds. A line of 0 counts as 32,768 bytes. */
void utet_window_resize(utet_file *file, size_t size)
{
    if (file->priv.window != size) {
        size_t ahead = (file->priv.io->line - 1u) & 0x7FFFu;

        while (ahead >= size - UTET_HEADROOM)
            ahead >>= 1;
        file->priv.ahead = ahead;
        file->priv.window = size;
        file->priv.tail = file->priv.buffer;
        file->priv.held = 0;
    }
}

/* One request to the port, for priv.have bytes from `offset` on; commits nothing. priv.have becomes the number of
 * bytes that came. (As an argument it would take 8 bytes more of stack.) UTET_E_PORT: an answer that no port may give:
 * more bytes than requested, a part of a unit, or a status of the library's own. */
static utet_status port_read(utet_file *file, uint8_t *to, uint64_t offset)
{
    const utet_io *io = file->priv.io;
    size_t length = file->priv.have;
    utet_status status;
    size_t got;

    file->priv.have = 0;
    status = io->read(io->ctx, offset, to, length, &file->priv.have);
    got = file->priv.have;
    if (status == UTET_OK ? got > length || (got != length && (got & (io->unit - 1u)) != 0)
                          : status > UTET_E_PORT && status != UTET_WOULD_BLOCK)
        return UTET_E_PORT;
    return status == UTET_OK && got == 0 ? UTET_E_SHORT : status;
}

/* Returns how many of `want` bytes the buffer has room for. If these are not all, the last bytes held are moved in
 * front of the buffer before: as many as are wanted (`kept`), and up to 63 more, because a search for a name goes back
 * to it from the extents, and a line may end between them. Source and destination may overlap. */
static size_t window_room(utet_file *file, size_t kept, size_t want)
{
    for (;;) {
        uint8_t *to = file->priv.buffer;
        const uint8_t *from = file->priv.tail;
        size_t room = (size_t)(file->priv.work + file->priv.window - from);

        if (want <= room)
            return want;
        if (from == to)
            return room;
        kept |= 63; /* at most 127 */
        if (kept > file->priv.held)
            kept = file->priv.held;
        file->priv.tail = to;
        file->priv.held = kept;
        for (; kept != 0; kept--)
            *(to - kept) = *(from - kept);
    }
}

/* Makes the last bytes that are held addressable. */
static utet_status window_reach(utet_file *file, size_t behind)
{
    file->priv.at = file->priv.tail - behind;
    file->priv.have = behind;
    return UTET_OK;
}

utet_status utet_fetch_ahead(utet_file *file, size_t length, uint64_t offset)
{
    const utet_io *io = file->priv.io;
    const size_t ahead = file->priv.have;
    size_t behind = (size_t)(file->priv.end - offset); /* held from offset on */

    file->error_offset = offset; /* for errors in the requested bytes */
    if (file->priv.end - offset > file->priv.held)
        behind = 0; /* the first byte is not held */
    if (behind >= length)
        return window_reach(file, behind);
    if (offset > io->size || io->size - offset < length)
        return UTET_E_SHORT;
    if (behind == 0) {
        /* Empty the window and begin at the first byte's unit. The count is then negative and wraps; the differences
         * below also wrap, and are correct. */
        size_t odd = (size_t)offset & (io->unit - 1u);

        behind = 0 - odd;
        file->priv.end = offset - odd;
        file->priv.held = 0;
        file->priv.tail = file->priv.buffer;
    }
    do {
        uint8_t *tail;
        size_t want = (ahead - behind + io->unit - 1u) & ~(size_t)(io->unit - 1u);
        utet_status status;

        want = window_room(file, behind, want);
        if (want > io->size - file->priv.end)
            want = (size_t)(io->size - file->priv.end);
        tail = file->priv.tail;
        file->priv.have = want;
        status = port_read(file, tail, file->priv.end);
        if (status != UTET_OK)
            return status;
        want = file->priv.have;
        file->priv.held += want;
        file->priv.end += want;
        file->priv.tail = tail + want;
        behind += want;
    } while (behind < length);
    return window_reach(file, behind);
}

utet_status utet_fetch(utet_file *file, size_t length, uint64_t offset)
{
    file->priv.have = length + ((0u - (size_t)offset - length) & file->priv.ahead);
    return utet_fetch_ahead(file, length, offset);
}

/* Returns how many bytes from `offset` on may be read straight to `to`; 0: through the window.
 * wanted: bytes of the whole call. If the window reads twice as many at once, and was last used for a copy (priv.at is
 * NULL), the window is cheaper. If it reads fewer, all of it goes straight to `to`: the rest would be read twice
 * through the window. If the window has other bytes, such as rows of the index, it stays as it is; so a larger window
 * never loses rows that a smaller one keeps.
 * Only the low bits of offsets are compared to find out whether the window holds the first byte. A wrong result of that
 * is 0, which is slower but correct; the window is empty then and begins at `offset`, so the same way is taken when the
 * call is repeated. */
static size_t direct_length(const utet_file *file, const uint8_t *to, uint64_t offset, size_t length, size_t wanted)
{
    const utet_io *io = file->priv.io;
    size_t odd = io->unit - 1u;

    if ((file->priv.at == NULL && wanted <= (file->priv.ahead + 1u) / 2u) || ((size_t)offset & odd) != 0 ||
        ((uintptr_t)to & (io->align - 1u)) != 0 || (size_t)file->priv.end - (size_t)offset - 1u < file->priv.held ||
        (file->priv.held | (size_t)(file->priv.end - offset)) == 0)
        return 0;
    return length & ~odd;
}

utet_status utet_copy_bytes(utet_file *file, uint8_t *to, uint64_t offset, size_t length)
{
    while (file->priv.done < length) {
        const size_t done = file->priv.done, left = length - done;
        size_t some = direct_length(file, to + done, offset + done, left, length);
        utet_status status;

        if (some != 0) {
            file->error_offset = offset + done;
            file->priv.have = some;
            status = port_read(file, to + done, offset + done);
            if (status != UTET_OK)
                return status;
            some = file->priv.have;
            file->priv.at = to;
        } else {
            status = utet_fetch(file, 1, offset + done);
            if (status != UTET_OK)
                return status;
            some = file->priv.have < left ? file->priv.have : left;
            memcpy(to + done, file->priv.at, some);
            file->priv.at = NULL;
        }
        file->priv.done += some;
    }
    file->priv.done = 0;
    return UTET_OK;
}

utet_status utet_copy_some(utet_file *file, uint8_t *to, uint64_t offset, size_t length)
{
    utet_status status;

    /* the low bits are enough: direct_length */
    if (file->priv.io->unit == 1 && (size_t)file->priv.end - (size_t)offset - 1u >= file->priv.held) {
        file->error_offset = offset;
        file->priv.have = length;
        return port_read(file, to, offset);
    }
    file->priv.have = length;
    status = utet_fetch_ahead(file, 1, offset);
    if (status == UTET_OK) {
        if (file->priv.have > length)
            file->priv.have = length;
        memcpy(to, file->priv.at, file->priv.have);
    }
    return status;
}
