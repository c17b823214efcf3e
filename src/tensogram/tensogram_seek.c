/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Joining a stream in the middle (§1): the next start magic that a sound beginning of a message follows. Preamble and
 * the header of the first frame are made present together; when they are not valid, the search continues one byte
 * later, within the window. So no port has to seek backwards.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

enum { TENSOGRAM_SEEK_BEGIN, TENSOGRAM_SEEK_SEARCH, TENSOGRAM_SEEK_LOOK }; /* file->priv.step */

#define BEGINNING (UTET_PREAMBLE_BYTES + UTET_FRAME_HEADER_BYTES)

/* What begins at message->offset. UTET_END: it has not come yet. UTET_E_MAGIC: no message. */
static utet_status tensogram_seek_look(utet_file *file, utet_message *message)
{
    utet_status status;
    int begins;

    if (file->priv.io->size - message->offset < BEGINNING)
        return UTET_END;
    status = utet_fetch(file, BEGINNING, message->offset);
    if (status != UTET_OK)
        return status;
    begins = utet_frame_begins(file->priv.at + UTET_PREAMBLE_BYTES);
    status = utet_preamble(file, message); /* the bytes are there */
    return begins && (status == UTET_OK || status == UTET_E_SHORT) ? status : UTET_E_MAGIC;
}

utet_status utet_message_seek(utet_file *file, uint64_t from, utet_message *message)
{
    utet_status status = utet_enter(file, UTET_CALL_MESSAGE_SEEK);

    if (status != UTET_OK)
        return status;
    if (file->priv.step == TENSOGRAM_SEEK_BEGIN) {
        if (from > file->priv.io->size)
            return utet_leave(file, UTET_E_RANGE);
        utet_message_begin(message, from, 1);
        file->priv.step = TENSOGRAM_SEEK_SEARCH;
    }
    do {
        if (file->priv.step == TENSOGRAM_SEEK_SEARCH) {
            status = utet_message_search(file, message);
            if (status != UTET_OK) {
                message->offset = message->priv.next;
                break;
            }
            file->priv.step = TENSOGRAM_SEEK_LOOK;
        }
        status = tensogram_seek_look(file, message);
        if (status == UTET_E_MAGIC) {
            message->priv.next = message->offset + 1;
            file->priv.step = TENSOGRAM_SEEK_SEARCH;
        }
    } while (status == UTET_E_MAGIC);
    return utet_leave(file, status);
}

#endif
