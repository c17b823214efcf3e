/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet info --json: the reference's summary object, keys sorted as there. `history` and `metadata` are left out when
 * the footer is damaged. */
#include "shared/metadata.h"

#include <inttypes.h>
#include <stdlib.h>

static utet_status put_chunks(source *s)
{
    utet_chunk chunk;
    utet_status status = utet_row_first(&s->file, &chunk);
    const char *comma = "";

    fputs("\"chunks\":[", stdout);
    for (; status == UTET_OK; status = utet_row_next(&s->file, &chunk)) {
        printf("%s{\"chunk_index\":", comma);
        json_numbers(stdout, chunk.coords, UTET_MAX_NDIM);
        printf(",\"codec\":%" PRIu32 ",\"dataset_id\":%" PRIu64 ",\"payload_offset\":%" PRIu64
               ",\"raw_byte_len\":%" PRIu64 ",\"stored_byte_len\":%" PRIu64 "}",
               chunk.codec, chunk.dataset_id, chunk.payload_offset, chunk.raw_byte_len, chunk.stored_byte_len);
        comma = ",";
    }
    putchar(']');
    return status == UTET_END ? UTET_OK : status;
}

static int put_datasets(source *s)
{
    utet_dataset dataset;
    utet_status status = utet_dataset_first(&s->file, &dataset);
    const char *comma = "";

    fputs(",\"datasets\":[", stdout);
    for (; status == UTET_OK; status = utet_dataset_next(&s->file, &dataset)) {
        char *name = source_name(s, &dataset);

        if (name == NULL)
            return TOOL_ERROR;
        printf("%s{\"chunk_shape\":", comma);
        json_numbers(stdout, dataset.chunk_shape, dataset.ndim);
        printf(",\"dtype\":%" PRIu32 ",\"name\":", dataset.dtype);
        json_text(stdout, name, dataset.name_length);
        fputs(",\"shape\":", stdout);
        json_numbers(stdout, dataset.shape, dataset.ndim);
        putchar('}');
        comma = ",";
        free(name);
    }
    putchar(']');
    return status == UTET_END ? TOOL_OK : source_fail(s, status);
}

int info_json(source *s, const metadata *m)
{
    const utet_file *f = &s->file;
    utet_status status;

    putchar('{');
    status = put_chunks(s);
    if (status != UTET_OK)
        return source_fail(s, status);
    if (put_datasets(s) != TOOL_OK)
        return TOOL_ERROR;
    printf(",\"file_execution\":{\"memory_budget_bytes\":%" PRIu32 ",\"memory_budget_percent_bps\":%u}",
           f->memory_budget_bytes, (unsigned)f->memory_budget_percent_bps);
    if (m->status == UTET_OK)
        metadata_json(m);
    printf(",\"superblock\":{\"chunk_index_length\":%" PRIu64 ",\"chunk_index_offset\":%" PRIu64
           ",\"dataset_count\":%" PRIu32 ",\"flags\":%" PRIu32 ",\"layout_version\":1}}\n",
           f->index_length, f->index_offset, f->dataset_count, f->flags);
    return TOOL_OK;
}
