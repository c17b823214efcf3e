/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The tensor with a number. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

enum { OBJECT_FIND_BEGIN, OBJECT_FIND_FRAMES, OBJECT_FIND_OBJECT }; /* file->priv.step */

utet_status utet_object_find(utet_object *object, utet_file *file, utet_message *message, uint32_t number,
                             utet_frame *frame, utet_cbor *reader)
{
    utet_status status = utet_enter(file, UTET_CALL_OBJECT_FIND);

    if (status != UTET_OK)
        return status;
    if (file->priv.step == OBJECT_FIND_BEGIN) {
        utet_frame_start(message, frame);
        file->priv.step = OBJECT_FIND_FRAMES;
    }
    while (status == UTET_OK && file->priv.step == OBJECT_FIND_FRAMES) {
        status = utet_frame_step(file, message, frame);
        if (status == UTET_END)
            status = UTET_E_NOT_FOUND;
        else if (status == UTET_OK && frame->type == UTET_FRAME_TENSOR && frame->object == number) {
            object->priv.begun = 0;
            file->priv.step = OBJECT_FIND_OBJECT;
        }
    }
    if (status == UTET_OK)
        status = utet_object_step(object, file, frame, reader);
    return utet_leave(file, status);
}

#endif
