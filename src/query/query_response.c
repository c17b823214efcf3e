/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The response document, by templates: texts that are written unchanged, but for a $ and a letter, which is a part.
 * A part is one number or text, or a list, whose entries come one in a call, or it puts a template of its own on top
 * of the one that it is in. A call first has room in the buffer for all that it writes, and all that it reads; only
 * then does it change anything.
 */
#include "response.h"
#include "utet_show.h"

#include <string.h>

static const char document_text[] = "{\"status\":\"planned\",\"accepted\":true,\"layout_version\":" P_LAYOUT_VERSION
                                    ",\"dataset\":\"" P_DATASET_NAME "\",\"selection_axes\":" P_SELECTION_AXES
                                    ",\"operation\":" P_OPERATION
                                    ",\"message\":\"\"" P_TET_FILE P_CATALOG P_PLAN P_EXECUTION "}\n";
static const char catalog_text[] = ",\"catalog\":{\"matched\":true,\"dataset_index\":" P_DATASET_INDEX
                                   ",\"dtype\":" P_DTYPE_TAG ",\"shape\":[" P_DATASET_SHAPE
                                   "],\"chunk_shape\":[" P_CHUNK_SHAPE
                                   "],\"chunk_index_rows\":" P_CHUNK_INDEX_ROWS P_DATASET_SIZE
                                   ",\"file_execution\":{" P_FILE_BUDGET "}}";
static const char no_catalog_text[] = ",\"catalog\":{\"matched\":false,\"file_execution\":{" P_FILE_BUDGET
                                      "},\"available_datasets\":[" P_AVAILABLE_DATASETS "]}";
static const char budget_text[] = "\"memory_budget_percent_bps\":" P_BUDGET_BPS
                                  ",\"memory_budget_bytes\":" P_BUDGET_BYTES;
static const char plan_text[] =
    ",\"read_plan\":{\"chunk_touch_policy\":\"" P_CHUNK_POLICY "\",\"chunk_count\":" P_CHUNK_COUNT
    ",\"zone_filter_skipped_chunks\":" P_SKIPPED_BY_ZONES ",\"index_filter_skipped_chunks\":" P_SKIPPED_BY_INDEX
    ",\"total_stored_bytes\":" P_STORED_BYTES ",\"chunks\":[" P_CHUNKS "],\"dataset_shape\":[" P_DATASET_SHAPE
    "],\"chunk_shape\":[" P_CHUNK_SHAPE "],\"selection_box_start\":[" P_BOX_START
    "],\"selection_box_stop_exclusive\":[" P_BOX_STOP "],\"selection_step\":[" P_BOX_STEP
    "],\"logical_selection_shape\":[" P_BOX_SHAPE "],\"logical_element_count\":" P_ELEMENT_COUNT "}";
static const char response_execution_text[] =
    ",\"execution\":{\"total_bytes_read_from_disk\":" P_STORED_BYTES P_EXECUTION_BODY "}";
static const char results_text[] =
    ",\"operation_element_count\":" P_FOLDED_COUNT P_SCALAR_RESULT
    ",\"memory_strategy\":\"streaming_fold\"" P_GROUPS P_WINDOWS P_RESULT_SHAPE P_REDUCED_RESULT;
static const char align_text[] = ",\"memory_strategy\":\"alignment_check\",\"alignment\":{\"aligned\":" P_IS_ALIGNED
                                 ",\"left\":\"" P_DATASET_NAME "\",\"with\":\"" P_OTHER_NAME
                                 "\",\"axes\":[" P_ALIGNED_AXES "]}";

/* ---- templates ---- */

void utet_response_done(utet_query_response *r)
{
    r->priv.level->text += 2;
    r->priv.level->index = 0;
}

/* On top of what is being written. */
void utet_response_push(utet_query_response *r, const char *text)
{
    r->priv.level++;
    r->priv.level->text = text;
    r->priv.level->index = 0;
}

/* Instead of the part. */
static void response_become(utet_query_response *r, const char *text)
{
    utet_response_done(r);
    utet_response_push(r, text);
}

/* ---- numbers ---- */

static uint64_t product_of(const uint64_t *extents, unsigned ndim)
{
    uint64_t count = 1;

    while (ndim-- != 0)
        count = utet_mul(count, extents[ndim]);
    return count;
}

uint64_t utet_response_elements(const utet_query_plan *plan)
{
    return product_of(plan->extents, plan->dataset.ndim);
}

/* As the reference counts: what passed for scalars of one pass, else what was selected. */
static uint64_t response_counted(const utet_query_response *r)
{
    return r->answer->ndim == 0 && response_query(r)->operation < UTET_QUERY_ARG_MIN ? r->answer->folded
                                                                                     : utet_response_elements(r->plan);
}

static uint64_t response_number_of(const utet_query_response *r, char letter)
{
    const utet_query_plan *plan = r->plan;
    const size_t i = (size_t)r->priv.at; /* index among the axes that are compared */

    switch (letter) {
    case PART_DATASET_INDEX: return plan->dataset.id;
    case PART_DTYPE_TAG: return plan->dataset.dtype;
    case PART_CHUNK_INDEX_ROWS: return product_of(plan->dataset.grid, plan->dataset.ndim);
    case PART_CHUNK_COUNT: return response_writing(r)->chunks;
    case PART_STORED_BYTES: return response_writing(r)->bytes;
    case PART_SKIPPED_BY_ZONES: return r->skips != NULL ? r->skips->by_zones : 0;
    case PART_SKIPPED_BY_INDEX: return r->skips != NULL ? r->skips->by_index : 0;
    case PART_ELEMENT_COUNT: return utet_response_elements(plan);
    case PART_BUDGET_BPS: return plan->priv.meta->priv.file->memory_budget_percent_bps;
    case PART_BUDGET_BYTES: return plan->priv.meta->priv.file->memory_budget_bytes;
    case PART_DATASET_BYTES:
        return utet_mul(product_of(plan->dataset.shape, plan->dataset.ndim), plan->dataset.elem_size);
    case PART_CHUNK_OFFSET: return response_chunk(r)->payload_offset;
    case PART_CHUNK_STORED_BYTES: return response_chunk(r)->stored_byte_len;
    case PART_CHUNK_RAW_BYTES: return response_chunk(r)->raw_byte_len;
    case PART_CHUNK_CODEC: return response_chunk(r)->codec;
    case PART_FOLDED_COUNT: return response_counted(r);
    case PART_BINS: return response_query(r)->bins;
    case PART_LEFT_EXTENT: return plan->dataset.shape[plan->by.align.axis[i]];
    case PART_RIGHT_EXTENT: return plan->by.align.other.shape[plan->by.align.other_axis[i]];
    case PART_GROUP_COUNT: return plan->group_count;
    case PART_WINDOW_COUNT: return plan->by.grouping.windows;
    default: return r->answer->shape[0]; /* PART_MATRIX_ORDER */
    }
}

/* ---- words ---- */

static const char *response_policy(const utet_query_plan *plan)
{
    int strided = 0;
    unsigned d;

    for (d = 0; d < plan->dataset.ndim; d++)
        strided |= plan->ranges[d].step != 1;
    return strided ? "strided_half_open_per_axis_json_step_applied_to_chunk_touch_list"
                   : "dense_half_open_intervals_per_axis_json_step_ignored_for_chunk_touch_list";
}

static int is_aligned(const utet_query_plan *plan)
{
    unsigned differ = 0;
    unsigned i;

    for (i = 0; i < plan->by.align.count; i++)
        differ |= plan->by.align.reason[i]; /* UTET_QUERY_ALIGNED is 0 */
    return differ == 0;
}

static const char *response_mismatch(const utet_query_plan *plan, size_t i)
{
    static const char *const reasons[] = {"",
                                          ",\"reason\":\"extent mismatch (" P_LEFT_EXTENT " vs " P_RIGHT_EXTENT ")\"",
                                          ",\"reason\":\"dim_names present on only one dataset\"",
                                          ",\"reason\":\"dim_names mismatch (`" P_LEFT_AXIS_NAME
                                          "` vs `" P_RIGHT_AXIS_NAME "`)\"",
                                          ",\"reason\":\"coordinate labels present on only one dataset\"",
                                          ",\"reason\":\"coordinate labels mismatch\""};

    return reasons[plan->by.align.reason[i]];
}

/* The field's name after operation_ or operation_reduced_. */
static void put_field(utet_query_response *r)
{
    const uint8_t operation = response_query(r)->operation;
    const int reduced = r->answer->ndim != 0 && !r->answer->is_matrix;

    utet_response_word(r, reduced ? "reduced_" : "");
    if (operation == UTET_QUERY_ARG_MIN || operation == UTET_QUERY_ARG_MAX) {
        utet_response_word(r, operation == UTET_QUERY_ARG_MIN ? "argmin" : "argmax");
        utet_response_word(r, reduced ? "" : "_index");
    } else {
        utet_response_word(r, utet_query_name(operation));
        utet_response_word(r, operation == UTET_QUERY_HISTOGRAM ? "_counts" : "");
    }
    utet_response_done(r);
}

/* ---- texts that replace a part ---- */

static const char *operation_parameters(const utet_query *query)
{
    switch (query->operation) {
    case UTET_QUERY_QUANTILE: return ",\"q\":" P_QUANTILE;
    case UTET_QUERY_HISTOGRAM: return ",\"bins\":" P_BINS ",\"min\":" P_LOW ",\"max\":" P_HIGH;
    case UTET_QUERY_NULL_COUNT: return ",\"fill\":" P_FILL;
    default: return "";
    }
}

static const char *result_text(const utet_query_response *r)
{
    const uint8_t operation = response_query(r)->operation;
    const unsigned ndim = r->answer->ndim;

    if (r->answer->is_matrix)
        return ",\"operation_" P_RESULT_NAME "\":[" P_RESULTS "],\"operation_" P_RESULT_NAME "_order\":" P_MATRIX_ORDER;
    if (operation == UTET_QUERY_HISTOGRAM)
        return ndim != 0 ? ",\"operation_" P_RESULT_NAME "\":[" P_RESULTS "]"
                         : ",\"operation_" P_RESULT_NAME "\":[" P_RESULTS
                           "],\"operation_histogram_edges\":[" P_HISTOGRAM_EDGES "]";
    if (operation == UTET_QUERY_COUNT && ndim == 0)
        return "";
    return ndim != 0 ? ",\"operation_" P_RESULT_NAME "\":[" P_RESULTS "]"
                     : ",\"operation_" P_RESULT_NAME "\":" P_RESULTS;
}

UTET_APART static const char *text_of(const utet_query_response *r, char letter)
{
    const utet_query_plan *plan = r->plan;

    switch (letter) {
    case PART_OPERATION:
        return response_query(r)->operation == UTET_QUERY_NONE ? "null"
                                                               : "{\"" P_OPERATION_NAME "\":{" P_OPERATION_METHOD
                                                                 "\"axes\":[" P_OPERATION_AXES
                                                                 "]" P_OPERATION_PARAMETERS "}}";
    case PART_OPERATION_METHOD:
        return response_query(r)->operation == UTET_QUERY_TRANSFORM ? "\"method\":\"" P_METHOD_NAME "\"," : "";
    case PART_OPERATION_PARAMETERS: return operation_parameters(response_query(r));
    case PART_TET_FILE: return r->tet_file != NULL ? ",\"tet_file\":\"" P_TET_FILE_PATH "\"" : "";
    case PART_CATALOG: return plan->matched ? catalog_text : no_catalog_text;
    case PART_EXECUTION:
        if (!plan->matched || r->plan_only)
            return "";
        if (r->elements != NULL)
            return r->elements->parts->execution;
        return response_query(r)->has_align || r->answer != NULL ? response_execution_text : "";
    case PART_EXECUTION_BODY:
        if (response_query(r)->has_align)
            return align_text;
        return r->answer != NULL ? results_text : r->elements->parts->body(r);
    case PART_CHUNK_POLICY: return response_policy(plan);
    case PART_FILE_BUDGET: return budget_text;
    case PART_DATASET_SIZE:
        return plan->dataset.dtype <= UTET_I16 ? ",\"dataset_" P_DTYPE_NAME "_bytes\":" P_DATASET_BYTES
                                               : ""; /* as the reference */
    case PART_GROUPS: return plan->group_count != 0 ? ",\"group_count\":" P_GROUP_COUNT : "";
    case PART_WINDOWS: return plan->by.grouping.window.size != 0 ? ",\"window_count\":" P_WINDOW_COUNT : "";
    case PART_RESULT_SHAPE:
        return r->answer->ndim != 0 && !r->answer->is_matrix ? ",\"operation_reduced_shape\":[" P_RESULT_EXTENTS "]"
                                                             : "";
    case PART_LEFT_NAME: return utet_query_is_named(&plan->about) ? ",\"dim_name_left\":\"" P_LEFT_AXIS_NAME "\"" : "";
    case PART_RIGHT_NAME:
        return utet_query_is_named(&plan->by.align.about) ? ",\"dim_name_right\":\"" P_RIGHT_AXIS_NAME "\"" : "";
    case PART_SCALAR_RESULT:
    case PART_REDUCED_RESULT: return (letter == PART_SCALAR_RESULT) == (r->answer->ndim == 0) ? result_text(r) : "";
    default: return response_mismatch(plan, (size_t)r->priv.at); /* PART_MISMATCH */
    }
}

/* ---- parts ---- */

static void put_known(utet_query_response *r, unsigned known, double value)
{
    if (known)
        utet_response_double(r, value);
    else
        utet_response_word(r, "null");
}

/* Writes a part that is one word or number. */
static void put_single(utet_query_response *r, char letter)
{
    const utet_query *query = response_query(r);
    const size_t i = (size_t)r->priv.at;

    switch (letter) {
    case PART_LAYOUT_VERSION:
        if (query->priv.layout_version != UINT64_MAX)
            utet_response_number(r, query->priv.layout_version);
        else
            utet_response_word(r, "null");
        break;
    case PART_DTYPE_NAME: utet_response_word(r, utet_show_dtype(r->plan->dataset.dtype)); break;
    case PART_SELECTION_AXES:
        if (query->selected == UINT32_MAX)
            utet_response_word(r, "null");
        else
            utet_response_number(r, query->selected);
        break;
    case PART_OPERATION_NAME: utet_response_word(r, utet_query_name(query->operation)); break;
    case PART_METHOD_NAME: utet_response_word(r, utet_query_method_name(query->method)); break;
    case PART_QUANTILE: utet_response_double(r, query->quantile); break;
    case PART_LOW: put_known(r, query->has_bounds, query->low); break;
    case PART_HIGH: put_known(r, query->has_bounds, query->high); break;
    case PART_FILL:
        put_known(r, query->has_fill | r->plan->matched, query->has_fill ? query->fill : r->plan->request.counted);
        break;
    case PART_IS_ALIGNED: utet_response_truth(r, is_aligned(r->plan)); break;
    case PART_AXIS_MATCHES: utet_response_truth(r, r->plan->by.align.reason[i] == UTET_QUERY_ALIGNED); break;
    case PART_LABELS_MATCH: utet_response_truth(r, r->plan->by.align.labels_ok[i]); break;
    default: utet_response_number(r, response_number_of(r, letter));
    }
    utet_response_done(r);
}

static utet_status response_part(utet_query_response *r, char letter)
{
    /* the last letter of each group */
    if (letter <= PART_BYTES_READ) {
        r->elements->parts->part(r, letter);
        return UTET_OK;
    }
    if (letter <= PART_RIGHT_AXIS_NAME)
        return utet_response_name(r, letter);
    if (letter <= PART_RESULT_EXTENTS) {
        utet_response_axis_number(r, letter);
        return UTET_OK;
    }
    if (letter <= PART_MISMATCH) {
        response_become(r, text_of(r, letter));
        return UTET_OK;
    }
    switch (letter) {
    case PART_AVAILABLE_DATASETS: return utet_response_datasets(r);
    case PART_PLAN: return utet_response_count_chunks(r, plan_text);
    case PART_CHUNKS: return utet_response_chunks(r);
    case PART_RESULTS: utet_response_results(r); break;
    case PART_OPERATION_AXES: utet_response_axes(r); break;
    case PART_OPERATION_AXIS: return utet_response_axis(r);
    case PART_RESULT_NAME: put_field(r); break;
    case PART_ALIGNED_AXES: utet_response_alignment(r); break;
    case PART_HISTOGRAM_EDGES: utet_response_edges(r); break;
    default: put_single(r, letter);
    }
    return UTET_OK;
}

static utet_status response_flush(utet_query_response *r)
{
    utet_status status = r->write(r->context, r->buffer, r->priv.used);

    if (status == UTET_OK)
        r->priv.used = 0;
    return status;
}

/* A letter of the template or a step of a part. */
UTET_APART static utet_status response_step(utet_query_response *r)
{
    const char *text = r->priv.level->text;
    const size_t room = r->size - r->priv.used;

    if (*text == '\0') {
        if (r->priv.level == response_writing(r)->level)
            r->priv.state = RESPONSE_FLUSHES;
        else
            r->priv.level--;
        return UTET_OK;
    }
    if (room < (*text == '$' ? RESPONSE_STEP : 1)) {
        utet_status status = response_flush(r);

        if (status != UTET_OK)
            return status;
    }
    if (*text == '$')
        return response_part(r, text[1]);
    utet_response_put(r, *text);
    r->priv.level->text++;
    return UTET_OK;
}

/* The next piece of the answer; its first one before anything is written, because the text depends on it. Not below a
 * part, so that the fold has the stack for itself. */
static utet_status response_ask(utet_query_response *r)
{
    utet_status status = UTET_OK;

    if (r->answer != NULL) {
        status = utet_query_answer_next(r->answer, r->results);
        r->priv.have = r->answer->given;
        r->priv.at = 0;
    }
    if (status == UTET_END) { /* the first piece is missing: the program has read them all before */
        r->priv.over = 1;
        status = r->priv.level != response_writing(r)->level ? UTET_OK : UTET_E_STATE;
    }
    if (status == UTET_OK)
        r->priv.state = RESPONSE_WRITES;
    return status;
}

static utet_status response_run(utet_query_response *r)
{
    utet_status status = UTET_OK;

    while (status == UTET_OK && r->priv.state < RESPONSE_FLUSHES)
        status = r->priv.state == RESPONSE_ASKS ? response_ask(r) : response_step(r);
    return status == UTET_OK ? response_flush(r) : status;
}

utet_status utet_query_respond(utet_query_response *response)
{
    utet_query_plan *plan = response->plan;
    utet_file *document = plan->priv.query->priv.file;
    utet_file *file = plan->priv.meta->priv.file;
    const int begins = response->priv.state == RESPONSE_NEW;
    utet_status status;

    if (response->size < UTET_QUERY_RESPONSE_MIN)
        return UTET_E_ARGUMENT;
    if (response->priv.state == RESPONSE_OVER || response->priv.used > response->size ||
        begins == (file->priv.busy == UTET_CALL_QUERY_RESPOND))
        return UTET_E_STATE;
    status = utet_query_enter_both(file, document, UTET_CALL_QUERY_RESPOND, response->priv.inner);
    if (status != UTET_OK)
        return status;
    if (begins) {
        memset(&plan->priv.query->shared.of.writing, 0, sizeof plan->priv.query->shared.of.writing);
        response->priv.level = plan->priv.query->shared.of.writing.level;
        response->priv.level->text = document_text;
        response->priv.state = RESPONSE_ASKS;
    }
    status = response_run(response);
    if (status != UTET_WOULD_BLOCK)
        response->priv.state = RESPONSE_OVER;
    return utet_query_leave_both(file, document, UTET_CALL_QUERY_RESPOND, response->priv.inner, status);
}
