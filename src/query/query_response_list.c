/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Parts of the response that take several steps: texts, and lists. A step of a list writes one entry, or puts its
 * template on top. A step has all that it reads before it changes anything. */
#include "response.h"

static const char chunk_text[] = ",{\"chunk_index\":[" P_CHUNK_COORDS "],\"payload_offset\":" P_CHUNK_OFFSET
                                 ",\"stored_byte_len\":" P_CHUNK_STORED_BYTES ",\"raw_byte_len\":" P_CHUNK_RAW_BYTES
                                 ",\"codec\":" P_CHUNK_CODEC "}";
static const char axis_text[] = ",{\"axis\":\"" P_ALIGNED_AXIS "\",\"ok\":" P_AXIS_MATCHES
                                ",\"extent_left\":" P_LEFT_EXTENT
                                ",\"extent_right\":" P_RIGHT_EXTENT P_LEFT_NAME P_RIGHT_NAME
                                ",\"labels_ok\":" P_LABELS_MATCH P_MISMATCH "}";

/* An entry of a list, with a comma before all but the first. */
static void push_entry(utet_query_response *r, const char *text)
{
    const uint64_t index = r->priv.level->index++;

    utet_response_push(r, index != 0 ? text : text + 1);
}

/* ---- texts ---- */

/* `some` bytes of the text have come; `over`: they are the last ones. */
static void put_piece(utet_query_response *r, size_t some, int over)
{
    utet_response_escaped(r, r->priv.piece, some);
    r->priv.read += (uint32_t)some;
    if (over) {
        r->priv.read = 0;
        response_writing(r)->axis_name.kind = UTET_VALUE_NONE;
        utet_response_done(r);
    }
}

static utet_status put_document_text(utet_query_response *r, const utet_query_text_at *text)
{
    const size_t size = sizeof r->priv.piece;
    utet_status status = utet_query_text(r->plan->priv.query, text, r->priv.read, r->priv.piece, size, &r->priv.got);

    if (status == UTET_OK)
        put_piece(r, r->priv.got, r->priv.got < size || r->priv.read + size >= text->length);
    return status;
}

static utet_status put_dataset_name(utet_query_response *r)
{
    const uint32_t rest = r->plan->dataset.name_length - r->priv.read;
    const size_t some = rest < sizeof r->priv.piece ? (size_t)rest : sizeof r->priv.piece;
    utet_status status = utet_dataset_name(r->plan->priv.meta->priv.file, &r->plan->dataset, r->priv.read,
                                           r->priv.piece, some);

    if (status == UTET_OK)
        put_piece(r, some, some == rest);
    return status;
}

/* Of the axis that is compared. Its name is looked for once, then read piece by piece. */
static utet_status put_axis_name(utet_query_response *r, char letter)
{
    utet_query_plan *plan = r->plan;
    utet_meta *meta = plan->priv.meta;
    const utet_dataset_meta *about = letter == PART_LEFT_AXIS_NAME ? &plan->about : &plan->by.align.about;
    const uint8_t *axis = letter == PART_LEFT_AXIS_NAME ? plan->by.align.axis : plan->by.align.other_axis;
    utet_value *name = &response_writing(r)->axis_name;
    utet_status status = UTET_OK;

    if (name->kind == UTET_VALUE_NONE)
        status = utet_list_nth(meta, &about->dim_names, axis[r->priv.at], name);
    if (status == UTET_OK)
        status = utet_text_read(meta, name, r->priv.piece, sizeof r->priv.piece, &r->priv.got);
    if (status == UTET_OK || status == UTET_END) {
        put_piece(r, r->priv.got, r->priv.got < sizeof r->priv.piece);
        return UTET_OK;
    }
    return status == UTET_E_RANGE ? UTET_E_METADATA : status; /* the list is shorter now */
}

void utet_response_path(utet_query_response *r, const char *path)
{
    const char *at = path + r->priv.read;
    size_t some = 0;

    for (; some < sizeof r->priv.piece && at[some] != '\0'; some++)
        r->priv.piece[some] = at[some];
    put_piece(r, some, at[some] == '\0');
}

utet_status utet_response_name(utet_query_response *r, char letter)
{
    const utet_query *query = response_query(r);

    switch (letter) {
    case PART_DATASET_NAME: return put_document_text(r, &query->dataset);
    case PART_OTHER_NAME: return put_document_text(r, &query->align_with);
    case PART_AVAILABLE_NAME: return put_dataset_name(r);
    case PART_ALIGNED_AXIS: return put_document_text(r, &query->keys[r->priv.at]);
    case PART_LEFT_AXIS_NAME:
    case PART_RIGHT_AXIS_NAME: return put_axis_name(r, letter);
    default: utet_response_path(r, r->tet_file); return UTET_OK;
    }
}

utet_status utet_response_datasets(utet_query_response *r)
{
    utet_file *file = r->plan->priv.meta->priv.file;
    utet_status status;

    if (r->priv.level->index != 0)
        status = utet_dataset_next(file, &r->plan->dataset);
    else
        status = file->dataset_count == 0 ? UTET_END : utet_dataset_first(file, &r->plan->dataset);
    if (status == UTET_OK)
        push_entry(r, ",\"" P_AVAILABLE_NAME "\"");
    else if (status == UTET_END)
        utet_response_done(r);
    return status == UTET_END ? UTET_OK : status;
}

/* ---- the plan ---- */

static int is_skipped(const utet_query_response *r)
{
    return r->skips != NULL && utet_query_skipped(r->skips, response_chunk(r));
}

/* Counts the chunks, then has them listed. */
utet_status utet_response_count_chunks(utet_query_response *r, const char *text)
{
    utet_status status;

    if (!r->plan->matched || response_query(r)->has_align) {
        utet_response_done(r);
        return UTET_OK;
    }
    status = utet_query_touched_next(&response_writing(r)->touched, r->plan, response_chunk(r));
    if (status == UTET_OK && !is_skipped(r)) {
        response_writing(r)->chunks++;
        response_writing(r)->bytes += response_chunk(r)->stored_byte_len;
    }
    if (status != UTET_END)
        return status;
    utet_response_done(r);
    utet_response_push(r, text);
    return UTET_OK;
}

utet_status utet_response_chunks(utet_query_response *r)
{
    utet_status status = utet_query_touched_next(&response_writing(r)->touched, r->plan, response_chunk(r));

    if (status == UTET_OK && !is_skipped(r))
        push_entry(r, chunk_text);
    else if (status == UTET_END)
        utet_response_done(r);
    return status == UTET_END ? UTET_OK : status;
}

/* ---- axes ---- */

/* A number for each axis; NULL: there are no more. */
static const uint64_t *response_list_axis_number(const utet_query_response *r, char letter, unsigned d)
{
    const utet_query_plan *plan = r->plan;

    if (d >= (letter == PART_RESULT_EXTENTS ? r->answer->ndim : plan->dataset.ndim))
        return NULL;
    switch (letter) {
    case PART_DATASET_SHAPE: return &plan->dataset.shape[d];
    case PART_CHUNK_SHAPE: return &plan->dataset.chunk_shape[d];
    case PART_BOX_START: return &plan->ranges[d].start;
    case PART_BOX_STOP: return &plan->ranges[d].stop;
    case PART_BOX_STEP: return &plan->ranges[d].step;
    case PART_BOX_SHAPE: return &plan->extents[d];
    case PART_CHUNK_COORDS: return &response_chunk(r)->coords[d];
    default: return &r->answer->shape[d]; /* PART_RESULT_EXTENTS */
    }
}

void utet_response_axis_number(utet_query_response *r, char letter)
{
    const uint64_t index = r->priv.level->index;
    const uint64_t *number = response_list_axis_number(r, letter, (unsigned)index);

    if (number == NULL) {
        utet_response_done(r);
        return;
    }
    if (index != 0)
        utet_response_put(r, ',');
    utet_response_number(r, *number);
    r->priv.level->index++;
}

/* Axes that are reduced without being named: the axis of the windows, or all axes without groups. */
static uint32_t own_axes(const utet_query_plan *plan)
{
    const utet_query *query = plan->priv.query;

    return query->window.mode != UTET_QUERY_NO_WINDOW || query->group != UTET_QUERY_NO_GROUPS ? plan->request.axes : 0;
}

/* The number of an axis that is set, counted from the first one; UTET_FORMAT_NDIM: there are fewer. */
static unsigned nth_axis(uint32_t axes, uint64_t nth)
{
    unsigned d = 0;

    while (d < UTET_FORMAT_NDIM && ((axes >> d & 1) == 0 || nth-- != 0))
        d++;
    return d;
}

void utet_response_axes(utet_query_response *r)
{
    const unsigned count = response_query(r)->axes_count;
    const uint64_t index = r->priv.level->index;

    if (count != 0 ? index == count : nth_axis(own_axes(r->plan), index) == UTET_FORMAT_NDIM)
        utet_response_done(r);
    else
        push_entry(r, ",\"" P_OPERATION_AXIS "\"");
}

utet_status utet_response_axis(utet_query_response *r)
{
    const utet_query *query = response_query(r);
    const utet_query_plan *plan = r->plan;
    const unsigned i = (unsigned)(r->priv.level[-1].index - 1) % UTET_FORMAT_NDIM;

    if (query->axes_count != 0 && (!plan->matched || (plan->priv.digits >> i & 1) != 0))
        return put_document_text(r, &query->axes[i]);
    utet_response_number(r, query->axes_count != 0 ? plan->priv.axis[i] : nth_axis(own_axes(plan), i));
    utet_response_done(r);
    return UTET_OK;
}

void utet_response_alignment(utet_query_response *r)
{
    r->priv.at = r->priv.level->index;
    if (r->priv.at < r->plan->by.align.count)
        push_entry(r, axis_text);
    else
        utet_response_done(r);
}

/* ---- results ---- */

static void put_result(utet_query_response *r, double value)
{
    const uint8_t operation = response_query(r)->operation;

    if (operation == UTET_QUERY_ARG_MIN || operation == UTET_QUERY_ARG_MAX || operation == UTET_QUERY_HISTOGRAM)
        utet_response_whole(r, value);
    else if (operation >= UTET_QUERY_ALL_FINITE && operation <= UTET_QUERY_ANY_INF &&
             response_is_finite(utet_fold_bits(value)))
        utet_response_truth(r, utet_fold_bits(value) != 0);
    else
        utet_response_double(r, value);
}

/* One result after the other; of a histogram the counts. */
void utet_response_results(utet_query_response *r)
{
    uint64_t *index = &r->priv.level->index;
    const uint64_t place = utet_div(r->priv.at, r->answer->together) * r->answer->together;

    if (r->priv.at == r->priv.have) {
        if (r->priv.over)
            utet_response_done(r);
        else
            r->priv.state = RESPONSE_ASKS;
        return;
    }
    if (response_query(r)->operation != UTET_QUERY_HISTOGRAM || r->priv.at - place >= 2) {
        if ((*index)++ != 0)
            utet_response_put(r, ',');
        put_result(r, r->results[r->priv.at]);
    }
    r->priv.at++;
}

void utet_response_edges(utet_query_response *r)
{
    const uint32_t i = (uint32_t)r->priv.level->index++;

    if (i > response_query(r)->bins) {
        utet_response_done(r);
        return;
    }
    if (i != 0)
        utet_response_put(r, ',');
    utet_response_double(r, utet_fold_edge(r->results[0], r->results[1], response_query(r)->bins, i));
}
