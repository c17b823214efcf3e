/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Datasets of another .tet file by any writer: read through the library, block by block, with their metadata. */
#include "shared/kept.h"
#include "pack.h"

#include <stdlib.h>
#include <string.h>

struct pack_tet {
    source s;
    options opt;
    metadata about;
    utet_need need; /* the largest of its selections */
    uint64_t band;  /* bytes left in the current band */
};

#define BAND ((uint64_t)64 << 20)

/* What boxes of BAND bytes together want of decoded payloads may stay. One box is no band: the search for what may be
 * given up, once a band, goes over all payloads (kept.c). */
static void count_band(struct pack_tet *tet, uint64_t bytes)
{
    if (tet->band == 0) {
        kept_band(tet->s.decoded, 0);
        tet->band = BAND;
    }
    tet->band -= bytes < tet->band ? bytes : tet->band;
}

/* The selection of one input; kept apart, since inputs are plain. */
typedef struct chosen {
    struct pack_tet *file;
    selection selected;
} chosen;

static chosen *chosen_of(const pack_input *in)
{
    return (chosen *)in->tet_selection;
}

int pack_tet_box(const pack_input *in, const uint64_t *start, const uint64_t *count, uint8_t *to)
{
    chosen *const c = chosen_of(in);
    utet_range ranges[UTET_MAX_NDIM];
    utet_slab slab;
    utet_status status;
    size_t bytes = in->elem_size;
    unsigned d;

    for (d = 0; d < in->ndim; d++) {
        const utet_range *const all = &c->selected.ranges[d];

        ranges[d].start = all->start + start[d] * all->step;
        ranges[d].stop = all->start + (start[d] + count[d] - 1) * all->step + 1;
        ranges[d].step = all->step;
        bytes *= (size_t)count[d];
    }
    count_band(in->tet, bytes);
    source_rows(&in->tet->s, &c->selected.dataset);
    status = utet_slab_open(&slab, &in->tet->s.file, &c->selected.dataset, ranges);
    if (status == UTET_OK)
        status = utet_slab_read_all(&slab, to, bytes);
    return status == UTET_OK ? TOOL_OK : source_fail(&in->tet->s, status);
}

void pack_tet_tile(const pack_input *in, uint64_t *tile)
{
    memcpy(tile, chosen_of(in)->selected.dataset.chunk_shape, in->ndim * sizeof tile[0]);
}

/* All datasets of one file, each whole, in its order: only then entries that name them by number and tile stay true. */
static int is_whole_file(const pack_inputs *all)
{
    size_t i;
    unsigned d;

    if (all->tet_count != 1 || all->count != all->tets[0]->s.file.dataset_count)
        return 0;
    for (i = 0; i < all->count; i++) {
        const pack_input *const in = &all->input[i];
        const utet_dataset *const data = in->tet != NULL ? &chosen_of(in)->selected.dataset : NULL;

        if (data == NULL || data->id != i)
            return 0;
        for (d = 0; d < in->ndim; d++)
            if (in->shape[d] != data->shape[d])
                return 0;
    }
    return 1;
}

int pack_tet_index(const pack_inputs *all, pack_footer *f)
{
    if (!is_whole_file(all))
        return fail(all->count > 0 ? all->input[0].path : NULL, "zone maps, indexes", NO_OFFSET,
                    "--index keep requires one whole .tet file as input, whose datasets and tiles they name");
    f->index_from = all->tets[0];
    f->index[0] = f->index_from->about.meta.spills[UTET_SPILL_ZONES];
    f->index[1] = f->index_from->about.meta.spills[UTET_SPILL_INDEXES];
    return TOOL_OK;
}

int pack_tet_copy(const struct pack_tet *tet, uint64_t offset, void *to, size_t size)
{
    const utet_io *const io = &tet->s.reading.io;
    uint8_t *at = to;

    while (size > 0) {
        size_t got = 0;

        if (io->read(io->ctx, offset, at, size, &got) != UTET_OK || got == 0)
            return fail(tet->s.path, "medium", offset, "cannot read");
        at += got;
        offset += got;
        size -= got;
    }
    return TOOL_OK;
}

void pack_tet_end(struct pack_tet *tet)
{
    metadata_end(&tet->about);
    source_end(&tet->s);
    free(tet);
}

static int add_dataset(pack_inputs *all, struct pack_tet *tet, const utet_dataset *dataset)
{
    pack_input *in = pack_inputs_add(all, tet->s.path);
    chosen *c = calloc(1, sizeof *c);
    const tree *about;
    char *name;
    int result;

    if (in == NULL || c == NULL) {
        free(c);
        return fail(tet->s.path, NULL, NO_OFFSET, "not enough memory");
    }
    in->tet = tet;
    in->tet_selection = c;
    c->file = tet;
    if (selection_of(&tet->s, &tet->opt, dataset, &c->selected) != TOOL_OK)
        return TOOL_ERROR;
    in->dtype = c->selected.dataset.dtype;
    in->elem_size = c->selected.dataset.elem_size;
    in->ndim = c->selected.dataset.ndim;
    memcpy(in->shape, c->selected.shape, sizeof in->shape);
    if (tet->need.least < c->selected.need.least)
        tet->need.least = c->selected.need.least;
    if (tet->need.best < c->selected.need.best)
        tet->need.best = c->selected.need.best;
    name = source_name(&tet->s, &c->selected.dataset);
    if (name == NULL)
        return TOOL_ERROR;
    result = pack_input_name(in, name, c->selected.dataset.name_length);
    free(name);
    about = result == TOOL_OK ? tree_at(&tet->about.datasets, in->name, in->name_length) : NULL;
    return about == NULL ? result : pack_meta_adopt(in, about, &c->selected);
}

static int add_datasets(pack_inputs *all, struct pack_tet *tet, const char *only)
{
    utet_dataset dataset;
    utet_status status;

    if (only != NULL)
        return source_dataset(&tet->s, only, &dataset) == TOOL_OK ? add_dataset(all, tet, &dataset) : TOOL_ERROR;
    for (status = utet_dataset_first(&tet->s.file, &dataset); status == UTET_OK;
         status = utet_dataset_next(&tet->s.file, &dataset))
        if (add_dataset(all, tet, &dataset) != TOOL_OK)
            return TOOL_ERROR;
    return status == UTET_END ? TOOL_OK : source_fail(&tet->s, status);
}

int pack_tet_open(pack_inputs *all, const char *path, const char *only, const char *slab)
{
    struct pack_tet **more = realloc(all->tets, (all->tet_count + 1) * sizeof *more);
    struct pack_tet *tet = calloc(1, sizeof *tet);

    if (more != NULL)
        all->tets = more;
    if (more == NULL || tet == NULL) {
        free(tet);
        return fail(path, NULL, NO_OFFSET, "not enough memory");
    }
    tet->s.fd = -1;
    all->tets[all->tet_count++] = tet;
    tet->opt.file = path;
    tet->opt.slab = slab;
    if (source_begin(&tet->s, &tet->opt) != TOOL_OK || metadata_read(&tet->about, &tet->s) != TOOL_OK)
        return TOOL_ERROR;
    metadata_judge(&tet->about, &tet->s); /* rows too: a file that is cut off is refused before anything is read */
    if (tet->about.status != UTET_OK)
        return metadata_fail(&tet->about, &tet->s);
    if (pack_meta_history(&all->history, &tet->about.history) != TOOL_OK || add_datasets(all, tet, only) != TOOL_OK)
        return TOOL_ERROR;
    return source_grow(&tet->s, &tet->opt, &tet->need);
}
