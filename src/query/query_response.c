/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The response document, by templates: texts that are written as they stand, but for a $ and a letter, which is a part.
 * A part is one number or text, or a list, of which each call gives one entry, or it puts a template of its own on top
 * of the one that it stands in. A call first has room in the buffer for all that it writes, and all that it reads; only
 * then does it change anything.
 */
#include "response.h"
#include "utet_show.h"

static const char document_text[] =
    "{\"status\":\"planned\",\"accepted\":true,\"layout_version\":$V,\"dataset\":\"$D\","
    "\"selection_axes\":$a,\"operation\":$o,\"message\":\"\"$f$c$p$x}\n";
static const char catalog_text[] = ",\"catalog\":{\"matched\":true,\"dataset_index\":$1,\"dtype\":$2,\"shape\":[$S],"
                                   "\"chunk_shape\":[$K],\"chunk_index_rows\":$3$E,\"file_execution\":{$7}}";
static const char no_catalog_text[] =
    ",\"catalog\":{\"matched\":false,\"file_execution\":{$7},\"available_datasets\":[$N]}";
static const char budget_text[] = "\"memory_budget_percent_bps\":$P,\"memory_budget_bytes\":$Q";
static const char plan_text[] =
    ",\"read_plan\":{\"chunk_touch_policy\":\"$y\",\"chunk_count\":$4,\"zone_filter_skipped_chunks\":${,"
    "\"index_filter_skipped_chunks\":$|,\"total_stored_bytes\":$5,\"chunks\":[$C],\"dataset_shape\":[$S],"
    "\"chunk_shape\":[$K],\"selection_box_start\":[$G],\"selection_box_stop_exclusive\":[$H],\"selection_step\":[$I],"
    "\"logical_selection_shape\":[$L],\"logical_element_count\":$6}";
static const char execution_text[] = ",\"execution\":{\"total_bytes_read_from_disk\":$5$@}";
static const char results_text[] = ",\"operation_element_count\":$e$r,\"memory_strategy\":\"streaming_fold\"$m$w$s$=";
static const char align_text[] = ",\"memory_strategy\":\"alignment_check\",\"alignment\":{\"aligned\":$g,"
                                 "\"left\":\"$D\",\"with\":\"$W\",\"axes\":[$X]}";

/* ---- templates ---- */

void utet_response_done(utet_query_response *r)
{
    r->priv.level[r->priv.depth].text += 2;
    r->priv.level[r->priv.depth].index = 0;
}

/* On top of what is being written. */
void utet_response_push(utet_query_response *r, const char *text)
{
    r->priv.depth++;
    r->priv.level[r->priv.depth].text = text;
    r->priv.level[r->priv.depth].index = 0;
}

/* Instead of the part. */
static void become(utet_query_response *r, const char *text)
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
static uint64_t counted(const utet_query_response *r)
{
    return r->answer->ndim == 0 && response_query(r)->operation < UTET_QUERY_ARG_MIN ? r->answer->folded
                                                                                     : utet_response_elements(r->plan);
}

static uint64_t number_of(const utet_query_response *r, char letter)
{
    const utet_query_plan *plan = r->plan;
    const size_t i = (size_t)r->priv.at; /* of the axes that are compared */

    switch (letter) {
    case '1': return plan->dataset.id;
    case '2': return plan->dataset.dtype;
    case '3': return product_of(plan->dataset.grid, plan->dataset.ndim);
    case '4': return r->priv.chunks;
    case '5': return r->priv.bytes;
    case '{': return r->skips != NULL ? r->skips->by_zones : 0;
    case '|': return r->skips != NULL ? r->skips->by_index : 0;
    case '6': return utet_response_elements(plan);
    case 'P': return plan->priv.meta->priv.file->memory_budget_percent_bps;
    case 'Q': return plan->priv.meta->priv.file->memory_budget_bytes;
    case 'U': return utet_mul(product_of(plan->dataset.shape, plan->dataset.ndim), plan->dataset.elem_size);
    case '8': return r->priv.chunk.payload_offset;
    case '9': return r->priv.chunk.stored_byte_len;
    case '0': return r->priv.chunk.raw_byte_len;
    case 'k': return r->priv.chunk.codec;
    case 'e': return counted(r);
    case 'b': return response_query(r)->bins;
    case '<': return plan->dataset.shape[plan->align.axis[i]];
    case '>': return plan->align.other.shape[plan->align.other_axis[i]];
    case 'i': return plan->group_count;
    case 'u': return plan->grouping.windows;
    default: return r->answer->shape[0]; /* z: order of the matrix */
    }
}

/* ---- words ---- */

static const char *policy(const utet_query_plan *plan)
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
    unsigned i;

    for (i = 0; i < plan->align.count; i++)
        if (plan->align.reason[i] != UTET_QUERY_ALIGNED)
            return 0;
    return 1;
}

static const char *mismatch(const utet_query_plan *plan, size_t i)
{
    static const char *const reasons[] = {"",
                                          ",\"reason\":\"extent mismatch ($< vs $>)\"",
                                          ",\"reason\":\"dim_names present on only one dataset\"",
                                          ",\"reason\":\"dim_names mismatch (`$^` vs `$_`)\"",
                                          ",\"reason\":\"coordinate labels present on only one dataset\"",
                                          ",\"reason\":\"coordinate labels mismatch\""};

    return reasons[plan->align.reason[i]];
}

/* The field's name behind operation_ or operation_reduced_. */
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

/* ---- what stands in place of a part ---- */

static const char *operation_text(const utet_query *query, int matched)
{
    if (query->operation == UTET_QUERY_NONE)
        return "null";
    if (query->operation == UTET_QUERY_QUANTILE)
        return "{\"$n\":{\"axes\":[$B],\"q\":$q}}";
    if (query->operation == UTET_QUERY_HISTOGRAM)
        return query->has_bounds ? "{\"$n\":{\"axes\":[$B],\"bins\":$b,\"min\":$l,\"max\":$h}}"
                                 : "{\"$n\":{\"axes\":[$B],\"bins\":$b,\"min\":null,\"max\":null}}";
    if (query->operation == UTET_QUERY_TRANSFORM)
        return "{\"$n\":{\"method\":\"$d\",\"axes\":[$B]}}";
    if (query->operation == UTET_QUERY_NULL_COUNT)
        return query->has_fill || matched ? "{\"$n\":{\"axes\":[$B],\"fill\":$F}}"
                                          : "{\"$n\":{\"axes\":[$B],\"fill\":null}}";
    return "{\"$n\":{\"axes\":[$B]}}";
}

static const char *result_text(const utet_query_response *r)
{
    const uint8_t operation = response_query(r)->operation;
    const unsigned ndim = r->answer->ndim;

    if (r->answer->is_matrix)
        return ",\"operation_$t\":[$v],\"operation_$t_order\":$z";
    if (operation == UTET_QUERY_HISTOGRAM)
        return ndim != 0 ? ",\"operation_$t\":[$v]" : ",\"operation_$t\":[$v],\"operation_histogram_edges\":[$Z]";
    if (operation == UTET_QUERY_COUNT && ndim == 0)
        return "";
    return ndim != 0 ? ",\"operation_$t\":[$v]" : ",\"operation_$t\":$v";
}

UTET_APART static const char *text_of(const utet_query_response *r, char letter)
{
    const utet_query_plan *plan = r->plan;

    switch (letter) {
    case 'o': return operation_text(response_query(r), plan->matched);
    case 'f': return r->tet_file != NULL ? ",\"tet_file\":\"$T\"" : "";
    case 'c': return plan->matched ? catalog_text : no_catalog_text;
    case 'x':
        if (!plan->matched || r->plan_only)
            return "";
        if (r->elements != NULL)
            return r->elements->parts->execution;
        return response_query(r)->has_align || r->answer != NULL ? execution_text : "";
    case '@':
        if (response_query(r)->has_align)
            return align_text;
        return r->answer != NULL ? results_text : r->elements->parts->body(r);
    case 'y': return policy(plan);
    case '7': return budget_text;
    case 'E': return plan->dataset.dtype <= UTET_I16 ? ",\"dataset_$Y_bytes\":$U" : ""; /* as the reference */
    case 'm': return plan->group_count != 0 ? ",\"group_count\":$i" : "";
    case 'w': return plan->grouping.window.size != 0 ? ",\"window_count\":$u" : "";
    case 's': return r->answer->ndim != 0 && !r->answer->is_matrix ? ",\"operation_reduced_shape\":[$R]" : "";
    case ':': return utet_query_is_named(&plan->about) ? ",\"dim_name_left\":\"$^\"" : "";
    case ';': return utet_query_is_named(&plan->align.about) ? ",\"dim_name_right\":\"$_\"" : "";
    case 'r':
    case '=': return (letter == 'r') == (r->answer->ndim == 0) ? result_text(r) : "";
    default: return mismatch(plan, (size_t)r->priv.at); /* ! */
    }
}

/* ---- parts ---- */

/* Those that are one word or number, or stand for another template. */
static void put_single(utet_query_response *r, char letter)
{
    const utet_query *query = response_query(r);
    const utet_query_value *version = &query->priv.top[TOP_LAYOUT_VERSION];
    const size_t i = (size_t)r->priv.at;

    switch (letter) {
    case 'V':
        if (utet_query_is(version))
            utet_response_number(r, version->number);
        else
            utet_response_word(r, "null");
        break;
    case 'Y': utet_response_word(r, utet_show_dtype(r->plan->dataset.dtype)); break;
    case 'a':
        if (query->selected == UINT32_MAX)
            utet_response_word(r, "null");
        else
            utet_response_number(r, query->selected);
        break;
    case 'n': utet_response_word(r, utet_query_name(query->operation)); break;
    case 'd': utet_response_word(r, utet_query_method_name(query->method)); break;
    case 'q': utet_response_double(r, query->quantile); break;
    case 'l': utet_response_double(r, query->low); break;
    case 'h': utet_response_double(r, query->high); break;
    case 'F': utet_response_double(r, query->has_fill ? query->fill : r->plan->request.counted); break;
    case 'g': utet_response_truth(r, is_aligned(r->plan)); break;
    case 'O': utet_response_truth(r, r->plan->align.reason[i] == UTET_QUERY_ALIGNED); break;
    case 'j': utet_response_truth(r, r->plan->align.labels_ok[i]); break;
    default: utet_response_number(r, number_of(r, letter));
    }
    utet_response_done(r);
}

static utet_status part(utet_query_response *r, char letter)
{
    if ((unsigned)letter - RESPONSE_ELEMENTS <= RESPONSE_LAST_ELEMENT - RESPONSE_ELEMENTS) {
        r->elements->parts->part(r, letter);
        return UTET_OK;
    }
    switch (letter) {
    case 'D':
    case 'W':
    case 'T':
    case 'M':
    case '^':
    case '_': return utet_response_name(r, letter);
    case 'N': return utet_response_datasets(r);
    case 'p': return utet_response_count_chunks(r, plan_text);
    case 'C': return utet_response_chunks(r);
    case 'v': utet_response_results(r); break;
    case 'B': utet_response_axes(r); break;
    case 'A': utet_response_token(r, &response_query(r)->keys[r->priv.at]); break;
    case 't': put_field(r); break;
    case 'X': utet_response_alignment(r); break;
    case 'Z': utet_response_edges(r); break;
    case 'S':
    case 'K':
    case 'G':
    case 'H':
    case 'I':
    case 'L':
    case 'J':
    case 'R': utet_response_axis_number(r, letter); break;
    case 'o':
    case 'f':
    case 'c':
    case 'x':
    case 'y':
    case 'm':
    case 'w':
    case 's':
    case 'r':
    case '=':
    case '@':
    case 'E':
    case '7':
    case ':':
    case ';':
    case '!': become(r, text_of(r, letter)); break;
    default: put_single(r, letter);
    }
    return UTET_OK;
}

static utet_status flush(utet_query_response *r)
{
    utet_status status = r->write(r->context, r->buffer, r->priv.used);

    if (status == UTET_OK)
        r->priv.used = 0;
    return status;
}

/* A letter of the template or a step of a part. */
static utet_status step(utet_query_response *r)
{
    const char *text = r->priv.level[r->priv.depth].text;
    const size_t room = r->size - r->priv.used;

    if (*text == '\0') {
        if (r->priv.depth == 0)
            r->priv.state = RESPONSE_FLUSHES;
        else
            r->priv.depth--;
        return UTET_OK;
    }
    if (room < (*text == '$' ? RESPONSE_STEP : 1)) {
        utet_status status = flush(r);

        if (status != UTET_OK)
            return status;
    }
    if (*text == '$')
        return part(r, text[1]);
    response_put(r, *text);
    r->priv.level[r->priv.depth].text++;
    return UTET_OK;
}

/* The next piece of the answer; its first one before anything is written, because the text depends on it. Not below a
 * part, so that the fold has the stack for itself. */
static utet_status ask(utet_query_response *r)
{
    utet_status status = UTET_OK;

    if (r->answer != NULL) {
        status = utet_query_answer_next(r->answer, r->results);
        r->priv.have = r->answer->given;
        r->priv.at = 0;
    }
    if (status == UTET_END) { /* of the first piece: somebody has read them all before */
        r->priv.over = 1;
        status = r->priv.depth != 0 ? UTET_OK : UTET_E_STATE;
    }
    if (status == UTET_OK)
        r->priv.state = RESPONSE_WRITES;
    return status;
}

static utet_status run(utet_query_response *r)
{
    utet_status status = UTET_OK;

    while (status == UTET_OK && r->priv.state < RESPONSE_FLUSHES)
        status = r->priv.state == RESPONSE_ASKS ? ask(r) : step(r);
    return status == UTET_OK ? flush(r) : status;
}

utet_status utet_query_respond(utet_query_response *response)
{
    utet_query_plan *plan = response->plan;
    utet_file *document = plan->priv.query->priv.file;
    utet_file *file = plan->priv.meta->priv.file;
    const int begins = response->priv.state == RESPONSE_NEW;
    utet_status status;

    if (response->size < UTET_QUERY_RESPONSE_LEAST)
        return UTET_E_ARGUMENT;
    if (response->priv.state == RESPONSE_OVER || begins == (file->priv.busy == UTET_CALL_QUERY_RESPOND))
        return UTET_E_STATE;
    status = utet_query_enter_both(file, document, UTET_CALL_QUERY_RESPOND, response->priv.inner);
    if (status != UTET_OK)
        return status;
    if (begins) {
        response->priv.level[0].text = document_text;
        response->priv.state = RESPONSE_ASKS;
    }
    status = run(response);
    if (status != UTET_WOULD_BLOCK)
        response->priv.state = RESPONSE_OVER;
    return utet_query_leave_both(file, document, UTET_CALL_QUERY_RESPOND, response->priv.inner, status);
}
