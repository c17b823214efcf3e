/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "metaworld.h"

#include <string.h>

void metaworld_make(metaworld *w, const metagen *g, size_t slice, unsigned blocks)
{
    memset(w, 0, sizeof *w);
    w->g = *g;
    metagen_build(&w->g);
    rig_make(&w->r, w->g.bytes, w->g.size, -1);
    w->r.port.slice = slice;
    w->r.port.blocks = blocks;
}

void metaworld_file(metaworld *w)
{
    assert_int_equal(rig_open(&w->r, UTET_WINDOW_LEAST(1), (size_t)-1), UTET_OK);
}

void metaworld_open(metaworld *w)
{
    utet_status status;

    metaworld_file(w);
    DRIVE(w->opened, utet_meta_open(&w->meta, &w->r.file));
    w->error_offset = w->r.file.error_offset;
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    if (w->opened == UTET_OK) {
        DRIVE(status, utet_meta_dataset(&w->meta, &w->d, &w->described));
        assert_true(status == UTET_OK || status == UTET_E_NOT_FOUND);
    }
}

void metaworld_end(metaworld *w)
{
    rig_end(&w->r, "metadata");
    metagen_free(&w->g);
}
