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
 */
#include "base.h"
#include <string.h>

size_t utet_window_fit(const utet_file *file, uint64_t bytes)
{
    const utet_io *io = file->priv_io;
    size_t unit = io->unit > 8 ? io->unit : 8; /* what lies behind is a multiple of 8 */

    if (io->map != NULL)
        return 0;
    if (bytes < UTET_WINDOW_LEAST(io->unit))
        return UTET_WINDOW_LEAST(io->unit);
    if (bytes > UTET_WINDOW_BEST(io->unit))
        return UTET_WINDOW_BEST(io->unit);
    return UTET_HEADROOM + (((size_t)bytes - UTET_HEADROOM) & ~(unit - 1));
}

void utet_window_resize(utet_file *file, size_t size)
{
    if (file->priv_window != size) {
        file->priv_window = size;
        file->priv_tail = file->priv_work + UTET_HEADROOM;
        file->priv_held = 0;
    }
}

/* One request to the port; commits nothing, whatever happens. */
static utet_status port_read(utet_file *file, uint64_t offset, uint8_t *to, size_t length,
                             size_t *got)
{
    const utet_io *io = file->priv_io;
    utet_status status;

    *got = 0;
    status = io->read(io->ctx, offset, to, length, got);
    if (status == UTET_OK && *got == 0)
        status = UTET_E_SHORT;
    return UTET_IS_ERROR(status) ? utet_fail(file, status, offset) : status;
}

/* The last `count` bytes held go in front of the buffer. They may overlap. */
static void move_to_front(utet_file *file, uint8_t *buffer, size_t count)
{
    const uint8_t *from = file->priv_tail - count;
    uint8_t *to = buffer - count;
    size_t i;

    for (i = 0; i < count; i++)
        to[i] = from[i];
    file->priv_tail = buffer;
    file->priv_held = count;
}

utet_status utet_need_bytes(utet_file *file, uint64_t offset, size_t length, uint64_t ahead)
{
    const utet_io *io = file->priv_io;

    if (io->map != NULL) {
        uint64_t have = io->size - offset;

        file->priv_at = io->map + (size_t)offset;
        file->priv_have = have > SIZE_MAX ? SIZE_MAX : (size_t)have;
        return UTET_OK;
    }
    for (;;) {
        uint8_t *buffer = file->priv_work + UTET_HEADROOM;
        uint64_t behind = file->priv_end - offset; /* held from offset on; wraps outside */
        uint64_t wanted;
        size_t room;
        size_t got;
        utet_status status;

        if (behind > file->priv_held) {
            file->priv_held = 0;
            file->priv_tail = buffer;
            file->priv_end = offset - (offset & (io->unit - 1u));
            behind = file->priv_end - offset;
        } else if (behind >= length) {
            file->priv_at = file->priv_tail - (size_t)behind;
            file->priv_have = (size_t)behind;
            return UTET_OK;
        }
        /* behind may be "negative" here: then the differences below are what is missing */
        room = (size_t)(file->priv_work + file->priv_window - file->priv_tail);
        if (room < length - behind && file->priv_tail != buffer) {
            move_to_front(file, buffer, (size_t)behind);
            room = file->priv_window - UTET_HEADROOM;
        }
        wanted = ahead - behind;
        if (room > wanted)
            room = ((size_t)wanted + io->unit - 1u) & ~(size_t)(io->unit - 1u);
        if (room > io->size - file->priv_end)
            room = (size_t)(io->size - file->priv_end);
        status = port_read(file, file->priv_end, file->priv_tail, room, &got);
        if (status != UTET_OK)
            return status;
        file->priv_tail += got;
        file->priv_end += got;
        file->priv_held += got;
    }
}

/* May [offset, …) be read straight to `to`, and how much of it? 0 = go through the window.
 * Below the size of a window a read through it is cheaper than one of its own. */
static size_t direct_length(const utet_file *file, uint64_t offset, const uint8_t *to,
                            size_t length)
{
    const utet_io *io = file->priv_io;
    size_t whole = length & ~(size_t)(io->unit - 1u);

    if (io->map != NULL || (offset & (io->unit - 1u)) != 0 ||
        ((uintptr_t)to & (io->align - 1u)) != 0 || whole < file->priv_window - UTET_HEADROOM ||
        file->priv_end - offset - 1 < file->priv_held)
        return 0;
    return whole;
}

utet_status utet_copy_bytes(utet_file *file, uint64_t offset, uint8_t *to, size_t length)
{
    while (file->priv_done < length) {
        size_t left = length - file->priv_done;
        uint64_t from = offset + file->priv_done;
        uint8_t *place = to + file->priv_done;
        size_t got = direct_length(file, from, place, left);
        utet_status status;

        if (got != 0) {
            status = port_read(file, from, place, got, &got);
            if (status != UTET_OK)
                return status;
        } else {
            status = utet_need_bytes(file, from, 1, left);
            if (status != UTET_OK)
                return status;
            got = file->priv_have < left ? file->priv_have : left;
            memcpy(place, file->priv_at, got);
        }
        file->priv_done += got;
    }
    file->priv_done = 0;
    return UTET_OK;
}
