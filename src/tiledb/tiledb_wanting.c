/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* How much memory the data of a tile need. Only codecs link it, so readers of uncompressed tiles do without. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

utet_status utet_tiledb_wanting(const utet_tiledb_part *part, uint64_t more)
{
    utet_file *file = part->file;
    const utet_tiledb *tile = file->priv.owner;

    file->needed = utet_up8(file, utet_down8(file, file->budget) + more);
    if (file->needed > tile->need.least) /* all of the tile in memory, perhaps, where no history is wanted */
        file->needed = tile->need.least;
    return UTET_E_BUDGET;
}

#endif
