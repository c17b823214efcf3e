/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes that decompression makes, in order (FORMAT.md §4.3): from the payload as it is, from a codec, or gathered
 * from the planes of the filter shuffle, which are in the payload or have been decoded into memory.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

utet_status utet_source_read(utet_tensor *t, uint8_t *to, uint64_t size)
{
    utet_status status = UTET_OK;

    if (size == 0)
        return UTET_OK;
    if (t->priv.source_kind == UTET_SOURCE_CODEC) {
        utet_stream *s = &t->priv.stream;
        const int is_bits = t->priv.object->compression >= UTET_COMPRESSION_RLE;
        const utet_bits_codec *bits = (const void *)s->priv.codec; /* if it is one of them */

        if (is_bits && to == NULL)
            status = bits->skip(s, size);
        else
            status = s->priv.codec->driver->read(s, to, size);
        if (status == UTET_OK)
            t->priv.stream.priv.done = 0;
    } else if (to != NULL) {
        status = t->priv.source_kind == UTET_SOURCE_RAW
                     ? utet_payload_copy(&t->priv.stream, t->priv.source, to, (size_t)size)
                     : utet_planes_read(t, to, (size_t)size);
    }
    if (status == UTET_OK)
        t->priv.source += size;
    return status;
}

#endif
