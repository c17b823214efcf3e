/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads the rows for utet info. */
#include "info.h"

#include <stdlib.h>
#include <string.h>

utet_status totals_count(source *s, totals *all)
{
    utet_chunk chunk;
    utet_status status = utet_row_first(&s->file, &chunk);
    uint64_t last = 0;
    progress line;

    all->first = UINT64_MAX;
    all->sorted = 1;
    progress_begin(&line, "reading the index", s->file.row_count);
    for (; status == UTET_OK; status = utet_row_next(&s->file, &chunk)) {
        if (all->first > chunk.payload_offset)
            all->first = chunk.payload_offset;
        if (all->end < chunk.payload_offset + chunk.stored_byte_len)
            all->end = chunk.payload_offset + chunk.stored_byte_len;
        if (chunk.dataset_id < s->file.dataset_count) {
            all->raw += chunk.raw_byte_len;
            all->stored += chunk.stored_byte_len;
        } else {
            all->stray++;
        }
        all->sorted &= chunk.dataset_id >= last;
        last = chunk.dataset_id;
        progress_at(&line, chunk.row);
    }
    progress_end(&line);
    return status == UTET_END ? UTET_OK : status;
}

#define MOST_SKIPPABLE 16

int chunk_has_checksum(source *s, const utet_chunk *chunk)
{
    const utet_io *const io = &s->reading.io;
    uint64_t at = 0;
    uint8_t head[8];
    unsigned i;

    for (i = 0; i < MOST_SKIPPABLE && at + sizeof head <= chunk->stored_byte_len; i++) {
        size_t got = 0;

        if (io->read(io->ctx, chunk->payload_offset + at, head, sizeof head, &got) != UTET_OK || got != sizeof head)
            return -1;
        if (load_le(head, 4) == 0xFD2FB528u)
            return head[4] >> 2 & 1;
        if ((load_le(head, 4) & 0xFFFFFFF0u) != 0x184D2A50u)
            return -1;
        at += 8 + (uint64_t)load_le(head + 4, 4);
    }
    return -1;
}

static void add(tally *one, const utet_chunk *chunk)
{
    if (one->rows == 0 || one->least > chunk->raw_byte_len)
        one->least = chunk->raw_byte_len;
    if (one->rows == 0 || one->least_stored > chunk->stored_byte_len)
        one->least_stored = chunk->stored_byte_len;
    if (one->largest < chunk->raw_byte_len)
        one->largest = chunk->raw_byte_len;
    if (one->largest_stored < chunk->stored_byte_len)
        one->largest_stored = chunk->stored_byte_len;
    one->rows++;
    one->raw += chunk->raw_byte_len;
    one->stored += chunk->stored_byte_len;
    one->codecs |= chunk->codec == UTET_CODEC_RAW ? 1 : 2;
}

#define BLOCK 4096u
#define LARGE_BLOCK (1u << 20) /* 80 MB, if the file has this many datasets */

tallies *tallies_begin(const source *s, const totals *all, int looks)
{
    const uint32_t most = all->sorted ? BLOCK : LARGE_BLOCK;
    tallies *const t = calloc(1, sizeof *t);

    if (t == NULL)
        return NULL;
    t->looks = looks;
    t->count = s->file.dataset_count < most ? s->file.dataset_count + 1 : most;
    t->block = malloc(t->count * sizeof *t->block);
    if (t->block == NULL) {
        free(t);
        return NULL;
    }
    return t;
}

void tallies_end(tallies *t)
{
    free(t->block);
    free(t);
}

utet_status tallies_block(tallies *t, source *s, const totals *all, uint64_t from)
{
    utet_chunk chunk;

    memset(t->block, 0, t->count * sizeof *t->block);
    t->from = from;
    if (!t->begun || !all->sorted)
        t->status = utet_row_first(&s->file, &t->next);
    t->begun = 1;
    chunk = t->next;
    for (; t->status == UTET_OK; t->status = utet_row_next(&s->file, &chunk)) {
        tally *one;

        if (chunk.dataset_id >= from + t->count && all->sorted)
            break;
        if (chunk.dataset_id < from || chunk.dataset_id >= from + t->count)
            continue;
        one = &t->block[chunk.dataset_id - from];
        add(one, &chunk);
        if (t->looks && chunk.codec == UTET_CODEC_ZSTD) {
            const int has = chunk_has_checksum(s, &chunk);

            one->frames += has >= 0;
            one->checksums += has > 0;
        }
    }
    t->next = chunk;
    return t->status == UTET_END ? UTET_OK : t->status;
}
