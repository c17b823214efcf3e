/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What library this is, for programs that were built apart from it. */
#include "utet_check.h"
#include "utet_meta.h"

uint32_t utet_version(void)
{
    return UTET_VERSION;
}

const char *utet_version_text(void)
{
    return UTET_VERSION_TEXT;
}

size_t utet_sizeof(unsigned object)
{
    static const uint16_t sizes[] = {
        [UTET_OBJECT_FILE] = sizeof(utet_file),   [UTET_OBJECT_DATASET] = sizeof(utet_dataset),
        [UTET_OBJECT_CHUNK] = sizeof(utet_chunk), [UTET_OBJECT_STREAM] = sizeof(utet_stream),
        [UTET_OBJECT_SLAB] = sizeof(utet_slab),   [UTET_OBJECT_CHECK] = sizeof(utet_check),
        [UTET_OBJECT_META] = sizeof(utet_meta),   [UTET_OBJECT_DATASET_META] = sizeof(utet_dataset_meta),
        [UTET_OBJECT_ZONES] = sizeof(utet_zones),
    };

    return object < sizeof sizes / sizeof *sizes ? sizes[object] : 0;
}
