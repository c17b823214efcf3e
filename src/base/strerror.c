/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* English for statuses. It has a file of its own, so that only programs that print link the texts. */
#include "utet.h"

const char *utet_strerror(utet_status status)
{
    if (status <= UTET_E_PORT)
        return "an error of the port: see its README";
    switch (status) {
    case UTET_OK: return "no error";
    case UTET_END: return "nothing left";
    case UTET_WOULD_BLOCK: return "no data yet, repeat the call";
    case UTET_E_ARGUMENT: return "an argument that is never allowed, such as a null pointer";
    case UTET_E_STATE: return "not open, suspended in another call, or ended by a newer one";
    case UTET_E_BUDGET: return "workspace or budget too small: see file.needed";
    case UTET_E_RANGE: return "coordinates or selection outside the dataset";
    case UTET_E_NOT_FOUND: return "nothing has that name";
    case UTET_E_MISSING: return "no row in the index for a chunk";
    case UTET_E_SPACE: return "destination too small for the result";
    case UTET_E_SHORT: return "the medium ended before the stated size";
    case UTET_E_MAGIC: return "not a .tet file";
    case UTET_E_VERSION: return "layout version is not 1: newer than this library";
    case UTET_E_INDEX_VERSION: return "index version is not 1: newer than this library";
    case UTET_E_FOOTER_VERSION: return "footer version is neither 1 nor 2: newer than this library";
    case UTET_E_DTYPE: return "unknown dtype";
    case UTET_E_CODEC: return "no decoder for this codec was given to utet_init";
    case UTET_E_ZSTD_WINDOW: return "zstd frame with a window larger than 128 MiB";
    case UTET_E_ZSTD_DICT: return "zstd frame that needs a dictionary";
    case UTET_E_ZSTD_LEGACY: return "zstd frame of a release before 1.0: not supported";
    case UTET_E_LIMIT: return "not damaged, but beyond a limit of this build";
    case UTET_E_SUPERBLOCK: return "damaged superblock";
    case UTET_E_DIRECTORY: return "damaged dataset directory";
    case UTET_E_DATASET: return "damaged dataset record";
    case UTET_E_INDEX: return "damaged chunk index header";
    case UTET_E_ROW: return "damaged row of the chunk index";
    case UTET_E_FOOTER: return "damaged footer";
    case UTET_E_METADATA: return "damaged metadata";
    case UTET_E_PAYLOAD: return "damaged chunk payload";
    case UTET_E_CHECKSUM: return "damaged data: a checksum differs";
    default: return "unknown status";
    }
}
