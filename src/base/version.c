/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What library this is, for programs that were built apart from it. */
#include "utet_check.h"
#include "utet_codec.h"
#include "utet_folder.h"
#include "utet_inflate.h"
#include "utet_query.h"
#include "utet_szip.h"
#include "utet_transform.h"
#include "utet_zstd.h"
#if SIZE_MAX >= 0xFFFFFFFF
#include "utet_tensogram_data.h"
#include "utet_tiledb_folder.h"
#endif

uint32_t utet_version(void)
{
    return UTET_VERSION;
}

const char *utet_version_text(void)
{
    return UTET_VERSION_TEXT;
}

/* Of the headers above: in the joined files (make amalgamation) some of them are not there. */
static const uint16_t sizes[] = {
    [UTET_OBJECT_FILE] = sizeof(utet_file),
    [UTET_OBJECT_DATASET] = sizeof(utet_dataset),
    [UTET_OBJECT_CHUNK] = sizeof(utet_chunk),
    [UTET_OBJECT_STREAM] = sizeof(utet_stream),
    [UTET_OBJECT_SLAB] = sizeof(utet_slab),
    [UTET_OBJECT_IO] = sizeof(utet_io),
    [UTET_OBJECT_NEED] = sizeof(utet_need),
    [UTET_OBJECT_OPTIONS] = sizeof(utet_options),
    [UTET_OBJECT_ROWS] = sizeof(utet_rows),
    [UTET_OBJECT_RANGE] = sizeof(utet_range),
    [UTET_OBJECT_RUN] = sizeof(utet_run),
    [UTET_OBJECT_AXIS] = sizeof(utet_axis),
#ifdef UTET_CODEC_H
    [UTET_OBJECT_VIEW] = sizeof(utet_view),
    [UTET_OBJECT_CODEC_DRIVER] = sizeof(utet_codec_driver),
    [UTET_OBJECT_CODEC] = sizeof(utet_codec),
#endif
#ifdef UTET_CHECK_H
    [UTET_OBJECT_CHECK] = sizeof(utet_check),
    [UTET_OBJECT_FINDING] = sizeof(utet_finding),
#endif
#ifdef UTET_META_H
    [UTET_OBJECT_META] = sizeof(utet_meta),
    [UTET_OBJECT_DATASET_META] = sizeof(utet_dataset_meta),
    [UTET_OBJECT_ZONES] = sizeof(utet_zones),
    [UTET_OBJECT_VALUE] = sizeof(utet_value),
    [UTET_OBJECT_SPAN] = sizeof(utet_span),
    [UTET_OBJECT_EVENT] = sizeof(utet_event),
    [UTET_OBJECT_ZONE] = sizeof(utet_zone),
#endif
#ifdef UTET_FOLD_H
    [UTET_OBJECT_FOLD_REQUEST] = sizeof(utet_fold_request),
    [UTET_OBJECT_FOLD_FILTER] = sizeof(utet_fold_filter),
    [UTET_OBJECT_FOLD_WINDOW] = sizeof(utet_fold_window),
    [UTET_OBJECT_FOLD_AXIS] = sizeof(utet_fold_axis),
    [UTET_OBJECT_FOLD_GROUPING] = sizeof(utet_fold_grouping),
    [UTET_OBJECT_FOLD_SHARE] = sizeof(utet_fold_share),
    [UTET_OBJECT_FOLD] = sizeof(utet_fold),
    [UTET_OBJECT_FOLD_CHANGE] = sizeof(utet_fold_change),
    [UTET_OBJECT_FOLD_VARIABLES] = sizeof(utet_fold_variables),
    [UTET_OBJECT_FOLD_MATRIX] = sizeof(utet_fold_matrix),
#endif
#ifdef UTET_TRANSFORM_H
    [UTET_OBJECT_TRANSFORM_INTO] = sizeof(utet_transform_into),
    [UTET_OBJECT_TRANSFORM] = sizeof(utet_transform),
#endif
#ifdef UTET_QUERY_H
    [UTET_OBJECT_QUERY_TEXT_AT] = sizeof(utet_query_text_at),
    [UTET_OBJECT_QUERY_AXIS] = sizeof(utet_query_axis),
    [UTET_OBJECT_QUERY_RANGE] = sizeof(utet_query_range),
    [UTET_OBJECT_QUERY_FAULT] = sizeof(utet_query_fault),
    [UTET_OBJECT_QUERY] = sizeof(utet_query),
    [UTET_OBJECT_QUERY_PLAN] = sizeof(utet_query_plan),
    [UTET_OBJECT_QUERY_TOUCHED] = sizeof(utet_query_touched),
    [UTET_OBJECT_QUERY_SKIPS] = sizeof(utet_query_skips),
    [UTET_OBJECT_QUERY_ANSWER] = sizeof(utet_query_answer),
    [UTET_OBJECT_QUERY_ELEMENTS] = sizeof(utet_query_elements),
    [UTET_OBJECT_QUERY_RESPONSE] = sizeof(utet_query_response),
#endif
#ifdef UTET_ZSTD_H
    [UTET_OBJECT_ZSTD_JOB] = sizeof(utet_zstd_job),
#endif
#ifdef UTET_INFLATE_H
    [UTET_OBJECT_INFLATE_JOB] = sizeof(utet_inflate_job),
    [UTET_OBJECT_INFLATE] = sizeof(utet_inflate),
#endif
#ifdef UTET_SZIP_H
    [UTET_OBJECT_SZIP_PARAMS] = sizeof(utet_szip_params),
    [UTET_OBJECT_SZIP] = sizeof(utet_szip),
    [UTET_OBJECT_SZIP_CODEC] = sizeof(utet_szip_codec),
#endif
#ifdef UTET_CBOR_H
    [UTET_OBJECT_CBOR] = sizeof(utet_cbor),
    [UTET_OBJECT_ITEM] = sizeof(utet_item),
#endif
#ifdef UTET_TENSOGRAM_H
    [UTET_OBJECT_FRAME] = sizeof(utet_frame),
    [UTET_OBJECT_MESSAGE] = sizeof(utet_message),
    [UTET_OBJECT_FRAME_HASH] = sizeof(utet_frame_hash),
    [UTET_OBJECT_MASK] = sizeof(utet_mask),
    [UTET_OBJECT_OBJECT] = sizeof(utet_object),
    [UTET_OBJECT_SEGMENT] = sizeof(utet_segment),
    [UTET_OBJECT_METADATA_DOCUMENT] = sizeof(utet_metadata_document),
    [UTET_OBJECT_METADATA] = sizeof(utet_metadata),
    [UTET_OBJECT_ENTRY] = sizeof(utet_entry),
    [UTET_OBJECT_COMMON] = sizeof(utet_common),
    [UTET_OBJECT_METADATA_CHECKING] = sizeof(utet_metadata_checking),
    [UTET_OBJECT_METADATA_COMPARING] = sizeof(utet_metadata_comparing),
#endif
#ifdef UTET_TENSOGRAM_DATA_H
    [UTET_OBJECT_BITS_CODEC] = sizeof(utet_bits_codec),
    [UTET_OBJECT_BIT_RUNS] = sizeof(utet_bit_runs),
    [UTET_OBJECT_TENSOR] = sizeof(utet_tensor),
    [UTET_OBJECT_TENSOR_SLAB] = sizeof(utet_tensor_slab),
#endif
#ifdef UTET_FOLDER_H
    [UTET_OBJECT_FOLDER] = sizeof(utet_folder),
#endif
#ifdef UTET_TILEDB_H
    [UTET_OBJECT_TILEDB_FILTERS] = sizeof(utet_tiledb_filters),
    [UTET_OBJECT_TILEDB_FILTER] = sizeof(utet_tiledb_filter),
    [UTET_OBJECT_TILEDB_PART] = sizeof(utet_tiledb_part),
    [UTET_OBJECT_TILEDB_CODEC] = sizeof(utet_tiledb_codec),
    [UTET_OBJECT_TILEDB_OPTIONS] = sizeof(utet_tiledb_options),
    [UTET_OBJECT_TILEDB] = sizeof(utet_tiledb),
    [UTET_OBJECT_TILEDB_TEXT] = sizeof(utet_tiledb_text),
    [UTET_OBJECT_TILEDB_ITEM] = sizeof(utet_tiledb_item),
    [UTET_OBJECT_TILEDB_SCHEMA] = sizeof(utet_tiledb_schema),
    [UTET_OBJECT_TILEDB_ENUMERATION] = sizeof(utet_tiledb_enumeration),
    [UTET_OBJECT_TILEDB_ENTRY] = sizeof(utet_tiledb_entry),
    [UTET_OBJECT_TILEDB_STAMP] = sizeof(utet_tiledb_stamp),
#endif
#ifdef UTET_TILEDB_FOLDER_H
    [UTET_OBJECT_TILEDB_FILES] = sizeof(utet_tiledb_files),
    [UTET_OBJECT_TILEDB_KEYS] = sizeof(utet_tiledb_keys),
    [UTET_OBJECT_TILEDB_GROUP] = sizeof(utet_tiledb_group),
    [UTET_OBJECT_TILEDB_MEMBER] = sizeof(utet_tiledb_member),
#endif
};

size_t utet_sizeof(unsigned object)
{
    return object < sizeof sizes / sizeof *sizes ? sizes[object] : 0;
}
