/*
 * The window: a cache over the file, the only place that calls a port.
 *
 *   priv_work                                    priv_tail
 *   | headroom, 128 B | buffer, units of the port …  |   free  |
 *            <------- priv_held bytes -------------->   next read goes here
 *   The byte before priv_tail is the file's byte priv_end - 1.
 *
 * What straddles the end of the buffer is moved in front of it (at most 127 bytes, into the
 * headroom) and read on behind: so anything up to 128 bytes becomes contiguous with a buffer
 * of one unit. A repeated call finds the state of the first and makes the same request.
 *
 * With io.map the window is the file: priv_tail is its end and all of it is held, so nothing
 * is ever missing.
 */
#include "base.h"
#include <string.h>

size_t utet_window_fit(const utet_file *file, uint64_t bytes)
{
    size_t unit = file->priv_io->unit;

    if (file->priv_io->map != NULL)
        return 0;
    if (unit < 64)
        unit = 64; /* UTET_WINDOW_LEAST */
    if (bytes < UTET_HEADROOM + unit)
        return UTET_HEADROOM + unit;
    if (bytes > UTET_WINDOW_BEST(unit))
        return UTET_WINDOW_BEST(unit);
    return (size_t)bytes - (((size_t)bytes - UTET_HEADROOM) & (unit - 1));
}

void utet_window_resize(utet_file *file, size_t size)
{
    if (file->priv_window != size) {
        file->priv_window = size;
        file->priv_tail = file->priv_work + UTET_HEADROOM;
        file->priv_held = 0;
    }
}

/* One request to the port, for the bytes from `offset` on; commits nothing. */
static utet_status port_read(utet_file *file, uint8_t *to, uint64_t offset, size_t length,
                             size_t *got)
{
    const utet_io *io = file->priv_io;
    utet_status status;

    *got = 0;
    status = io->read(io->ctx, offset, to, length, got);
    if (status == UTET_OK && *got == 0)
        status = UTET_E_SHORT;
    return status;
}

/* The last `count` bytes held go in front of the buffer. They may overlap. */
static void move_to_front(utet_file *file, uint8_t *buffer, size_t count)
{
    const uint8_t *from = file->priv_tail - count;
    uint8_t *to = buffer - count;

    file->priv_tail = buffer;
    file->priv_held = count;
    while (to != buffer)
        *to++ = *from++;
}

utet_status utet_need_ahead(utet_file *file, size_t length, uint64_t offset, size_t ahead)
{
    const utet_io *io = file->priv_io;

    file->error_offset = offset; /* should it come to one */
    for (;;) {
        uint8_t *buffer;
        uint64_t from_end = file->priv_end - offset; /* wraps outside */
        size_t behind = (size_t)from_end;            /* held from offset on */
        uint64_t rest;
        size_t room;
        size_t got;
        utet_status status;

        if (from_end <= file->priv_held && behind >= length) {
            file->priv_at = file->priv_tail - behind;
            file->priv_have = behind;
            return UTET_OK;
        }
        buffer = file->priv_work + UTET_HEADROOM;
        if (from_end > file->priv_held) {
            /* Not even its first byte: begin anew at its unit. What is then "behind" is
             * negative, and the differences below are right all the same. */
            size_t odd = (size_t)offset & (io->unit - 1u);

            behind = 0 - odd;
            file->priv_end = offset - odd;
            file->priv_held = 0;
            file->priv_tail = buffer;
        }
        room = (size_t)(file->priv_work + file->priv_window - file->priv_tail);
        if (room < length - behind && file->priv_tail != buffer) {
            move_to_front(file, buffer, behind);
            room = file->priv_window - UTET_HEADROOM;
        }
        if (room > ahead - behind)
            room = (ahead - behind + io->unit - 1u) & ~(size_t)(io->unit - 1u);
        rest = io->size - file->priv_end;
        if (room > rest)
            room = (size_t)rest;
        status = port_read(file, file->priv_tail, file->priv_end, room, &got);
        if (status != UTET_OK)
            return status;
        file->priv_tail += got;
        file->priv_end += got;
        file->priv_held += got;
    }
}

utet_status utet_need_bytes(utet_file *file, size_t length, uint64_t offset)
{
    return utet_need_ahead(file, length, offset, SIZE_MAX / 2);
}

/* May [offset, …) be read straight to `to`, and how much of it? 0 = go through the window.
 * A call that wants less than a window (a multiple of the unit) is cheaper through it. One that
 * wants more is not, nor is its rest behind what the window had: through the window, the next call
 * would find its beginning there again. Whether the window has the first byte is asked in the low
 * bits only: should it but seem so, the window knows better. */
static size_t direct_length(const utet_file *file, const uint8_t *to, uint64_t offset,
                            size_t length, size_t wanted)
{
    const utet_io *io = file->priv_io;
    size_t odd = io->unit - 1u;

    if (wanted < file->priv_window - UTET_HEADROOM ||
        (((size_t)offset & odd) | ((uintptr_t)to & (io->align - 1u))) != 0 ||
        (size_t)file->priv_end - (size_t)offset - 1u < file->priv_held)
        return 0;
    return length & ~odd;
}

utet_status utet_copy_bytes(utet_file *file, uint8_t *to, uint64_t offset, size_t length)
{
    const size_t wanted = length;

    to += file->priv_done;
    offset += file->priv_done;
    length -= file->priv_done;
    while (length != 0) {
        size_t some = direct_length(file, to, offset, length, wanted);
        utet_status status;

        if (some != 0) {
            size_t got;

            file->error_offset = offset;
            status = port_read(file, to, offset, some, &got);
            if (status != UTET_OK)
                return status;
            some = got;
        } else {
            status = utet_need_bytes(file, 1, offset);
            if (status != UTET_OK)
                return status;
            some = file->priv_have < length ? file->priv_have : length;
            memcpy(to, file->priv_at, some);
        }
        if (some == length)
            break;
        file->priv_done += some;
        to += some;
        offset += some;
        length -= some;
    }
    file->priv_done = 0;
    return UTET_OK;
}
