/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See querylook.h. */
#include "querylook.h"

#include <string.h>

enum { PLACES = 1 << 14, WORK = 192 };

static guard work; /* the document's; kept, since mapping guard pages is slow */
static guard piece;

static void see(querylook *x, uint64_t value)
{
    x->digest = (x->digest ^ value) * 0x100000001B3u;
}

static void expect(const querylook *x, const char *call, utet_status status, int listed)
{
    suite_check(listed || (x->fickle && (status == UTET_E_SHORT || status <= UTET_E_PORT)), "%s: %s: %s", x->what, call,
                rig_status(status));
}

/* ---- the document ---- */

static void see_text(querylook *x, const utet_query_text_at *text)
{
    uint32_t all = 0;

    see(x, text->length);
    for (;;) {
        utet_status status;
        size_t got = 0;

        DRIVE(status, utet_query_text(&x->query, text, all, (char *)piece.data, piece.size, &got));
        expect(x, "query_text", status, status == UTET_OK || (x->fickle && status == UTET_E_METADATA));
        if (status != UTET_OK)
            return;
        suite_check(got <= piece.size && got <= text->length - all, "%s: a text of more bytes", x->what);
        for (size_t i = 0; i < got; i++)
            see(x, piece.data[i]);
        all += (uint32_t)got;
        if (got == 0)
            break;
    }
    suite_check(x->fickle || all == text->length, "%s: a text of %u bytes gives %u", x->what, (unsigned)text->length,
                (unsigned)all);
}

static void see_axes(querylook *x, const utet_query_text_at *axes, unsigned count)
{
    suite_check(count <= UTET_MAX_NDIM, "%s: %u axes", x->what, count);
    see(x, count);
    for (unsigned i = 0; i < count; i++) {
        suite_check(axes[i].length <= UTET_QUERY_TOKEN, "%s: an axis of %u bytes", x->what, (unsigned)axes[i].length);
        see_text(x, &axes[i]);
    }
}

static void see_double(querylook *x, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    see(x, bits);
}

static void see_query(querylook *x)
{
    const utet_query *q = &x->query;

    see_text(x, &q->dataset);
    see_text(x, &q->label);
    see_text(x, &q->align_with);
    see_text(x, &q->spill);
    see_axes(x, q->axes, q->axes_count);
    see_axes(x, q->keys, q->keys_count);
    see_axes(x, &q->label_axis, q->has_label_filter);
    see_axes(x, &q->window_axis, q->window.mode != UTET_QUERY_NO_WINDOW);
    see(x, q->operation);
    see(x, q->selected);
    for (unsigned i = 0; q->selected != UINT32_MAX && i < q->selected && i < UTET_MAX_NDIM; i++) {
        see(x, q->selection[i].has);
        see(x, q->selection[i].step);
        if ((q->selection[i].has & UTET_QUERY_START_LABEL) != 0)
            see_text(x, &q->selection[i].start.label);
        else
            see(x, q->selection[i].start.index);
        if ((q->selection[i].has & UTET_QUERY_STOP_LABEL) != 0)
            see_text(x, &q->selection[i].stop.label);
        else
            see(x, q->selection[i].stop.index);
    }
    see(x, q->filter.tests);
    see_double(x, q->filter.eq);
    see_double(x, q->filter.ne);
    see_double(x, q->filter.lt + q->filter.le);
    see_double(x, q->filter.gt + q->filter.ge);
    see_double(x, q->quantile);
    see(x, q->bins + ((uint64_t)q->window.size << 32));
    see(x, q->window.step);
    see(x, q->window.min_count);
    see(x, q->window.pad * 2u + q->window.at_end);
    see(x, q->group * 256u + q->unsupported);
}

/* The message, in one piece, and in small ones that must be the same. */
static void see_words(querylook *x)
{
    utet_status status;
    size_t got = 0, all = 0;

    DRIVE(status, utet_query_message(&x->query, 0, (char *)x->words, sizeof x->words, &x->said));
    expect(x, "query_message", status, status == UTET_OK || (x->fickle && status == UTET_E_METADATA));
    suite_check(x->said <= sizeof x->words, "%s: %u bytes of words", x->what, (unsigned)x->said);
    if (status != UTET_OK)
        return;
    suite_check(x->fickle || x->said > 5, "%s: no words for reason %u", x->what, x->query.fault.reason);
    do {
        DRIVE(status, utet_query_message(&x->query, (uint32_t)all, (char *)piece.data, piece.size, &got));
        expect(x, "query_message", status, status == UTET_OK || (x->fickle && status == UTET_E_METADATA));
        if (status != UTET_OK)
            return;
        suite_check(got <= piece.size &&
                        (x->fickle || (got <= x->said - all && memcmp(x->words + all, piece.data, got) == 0)),
                    "%s: other words", x->what);
        all += got;
    } while (got != 0 && all < 2 * sizeof x->words);
    suite_check(x->fickle || all == x->said, "%s: %u bytes of words, then %u", x->what, (unsigned)x->said,
                (unsigned)all);
}

/* ---- the file ---- */

static void see_alignment(querylook *x)
{
    const utet_query_plan *p = &x->plan;
    const unsigned ndim = p->dataset.ndim;

    suite_check(p->by.align.count <= UTET_MAX_NDIM, "%s: %u axes aligned", x->what, p->by.align.count);
    for (unsigned i = 0; i < p->by.align.count; i++) {
        suite_check(p->by.align.axis[i] < ndim && p->by.align.other_axis[i] < p->by.align.other.ndim, "%s: axes %u, %u",
                    x->what, p->by.align.axis[i], p->by.align.other_axis[i]);
        see(x, p->by.align.reason[i] * 2u + p->by.align.labels_ok[i]);
    }
}

static void see_plan(querylook *x)
{
    const utet_query_plan *p = &x->plan;
    const unsigned ndim = p->dataset.ndim;

    see(x, p->matched);
    if (!p->matched)
        return;
    if (x->query.has_align) {
        see_alignment(x);
        return;
    }
    suite_check(p->request.axes >> ndim == 0, "%s: axes %x of %u", x->what, (unsigned)p->request.axes, ndim);
    for (unsigned d = 0; d < ndim; d++) {
        const utet_range *range = &p->ranges[d];

        suite_check(range->step != 0 && range->start <= range->stop && range->stop <= p->dataset.shape[d],
                    "%s: a range outside", x->what);
        suite_check(p->extents[d] ==
                        (range->stop - range->start) / range->step + ((range->stop - range->start) % range->step != 0),
                    "%s: an extent", x->what);
        see(x, range->start);
        see(x, range->stop);
        see(x, range->step);
    }
    see(x, p->request.axes);
    see(x, p->group_count);
    see(x, p->request.has_fill * 2u + p->grouped);
    see_double(x, p->request.fill);
    see(x, p->request.has_counted);
    see_double(x, p->request.counted);
}

/* Binds with the memory for places that the call requires, starting with none. */
static void bind(querylook *x, uint32_t *places)
{
    for (x->places = 0;; x->places = x->plan.places_needed) {
        guard room = guard_new(x->places * 4, 4, GUARD_AFTER);

        DRIVE(x->bound, utet_query_bind(&x->plan, &x->query, &x->meta, (uint32_t *)(void *)room.data, x->places));
        expect(x, "query_bind", x->bound,
               x->bound == UTET_OK || x->bound == UTET_E_SPACE || x->bound == UTET_E_METADATA ||
                   (x->fickle && x->bound == UTET_E_DATASET));
        suite_check(guard_intact(&room), "%s: bytes beside the places", x->what);
        guard_free(&room);
        if (x->bound != UTET_E_SPACE || x->plan.places_needed > PLACES)
            break;
        suite_check(x->fickle || x->plan.places_needed > x->places, "%s: %u places are too few, and enough", x->what,
                    (unsigned)x->places);
        if (x->plan.places_needed <= x->places)
            return;
    }
    if (x->bound == UTET_OK && x->places != 0) /* where they stay */
        DRIVE(x->bound, utet_query_bind(&x->plan, &x->query, &x->meta, places, x->places));
}

/* ---- the answer ---- */

static int is_small(const querylook *x)
{
    uint64_t elements = 1;

    for (unsigned d = 0; d < x->plan.dataset.ndim; d++) {
        if (x->plan.extents[d] > x->most || x->plan.dataset.chunk_shape[d] > 1 << 16)
            return 0;
        elements *= x->plan.extents[d];
        if (elements > x->most)
            return 0;
    }
    return 1;
}

static int reckons(const querylook *x)
{
    return x->plan.matched && !x->query.has_align && x->query.operation != UTET_QUERY_NONE && is_small(x);
}

/* All results, in batches of a few doubles. */
static void take(querylook *x)
{
    utet_status status;

    DRIVE(x->need, utet_query_answer_need(&x->answer, &x->plan));
    if (x->need == UTET_OK && x->answer.results > QUERYLOOK_MOST)
        return;
    DRIVE(status, utet_query_answer_open(&x->answer, &x->plan, x->answer.together < 7 ? 7 : x->answer.together));
    while (status == UTET_OK) {
        guard room = guard_new(sizeof(double) * (x->answer.together < 7 ? 7 : x->answer.together), 8, GUARD_AFTER);

        DRIVE(status, utet_query_answer_next(&x->answer, (double *)(void *)room.data));
        if (status == UTET_OK) {
            suite_check(x->answer.given * sizeof(double) <= room.size &&
                            x->count + x->answer.given <= x->answer.results,
                        "%s: %u results more", x->what, (unsigned)x->answer.given);
            memcpy(x->results + x->count, room.data, (size_t)x->answer.given * sizeof(double));
            x->count += (size_t)x->answer.given;
        }
        guard_free(&room);
    }
    suite_check(status <= 0 || status == UTET_END, "%s: %s", x->what, rig_status(status));
    suite_check(status != UTET_END || x->count == x->answer.results, "%s: %u results of %u", x->what,
                (unsigned)x->count, (unsigned)x->answer.results);
    x->answered = status;
}

static utet_status write_text(void *context, const char *text, size_t length)
{
    querylook *x = context;

    for (size_t i = 0; i < length; i++)
        x->text_digest = (x->text_digest ^ (uint8_t)text[i]) * 0x100000001B3u;
    return UTET_OK;
}

/* The response, without an answer where there is none. */
static void respond(querylook *x)
{
    static double results[QUERYLOOK_MOST];
    char buffer[UTET_QUERY_RESPONSE_MIN];
    utet_status status = UTET_OK;

    if (x->plan.matched && !is_small(x))
        return;
    if (x->answered == UTET_END)
        DRIVE(status, utet_query_answer_open(&x->answer, &x->plan, QUERYLOOK_MOST));
    memset(&x->response, 0, sizeof x->response);
    x->response.plan = &x->plan;
    x->response.answer = x->answered == UTET_END && status == UTET_OK ? &x->answer : NULL;
    x->response.results = results;
    x->response.tet_file = "a \"file\"";
    x->response.write = write_text;
    x->response.context = x;
    x->response.buffer = buffer;
    x->response.size = sizeof buffer;
    x->text_digest = 0;
    DRIVE(x->written, utet_query_respond(&x->response));
    suite_check(x->written <= 0 && x->written != UTET_E_ARGUMENT && x->written != UTET_E_STATE, "%s: %s", x->what,
                rig_status(x->written));
    suite_check(utet_query_respond(&x->response) == UTET_E_STATE, "%s: a second response", x->what);
}

void querylook_at(querylook *x)
{
    static uint32_t places[PLACES];
    utet_file document;

    if (work.data == NULL) {
        work = guard_new(WORK, 8, GUARD_AFTER);
        piece = guard_new(7, 1, GUARD_AFTER);
    }
    x->opened = x->about = x->bound = x->need = x->answered = x->written = 1;
    x->digest = 0;
    x->said = x->places = x->count = 0;
    suite_check(utet_init(&document, x->text, work.data, work.size, NULL) == UTET_OK, "init");
    DRIVE(x->opened, utet_query_open(&x->query, &document, utet_query_options));
    expect(x, "query_open", x->opened, x->opened == UTET_OK || x->opened == UTET_E_METADATA);
    suite_check(x->opened != UTET_E_METADATA || x->fickle || x->query.fault.reason != 0, "%s: no reason", x->what);
    if (x->opened == UTET_E_METADATA && x->query.fault.reason != 0)
        see_words(x);
    if (x->opened == UTET_OK) {
        see_query(x);
        DRIVE(x->about, utet_meta_open(&x->meta, &x->r->file));
    }
    if (x->about == UTET_OK)
        bind(x, places);
    if (x->bound == UTET_E_METADATA && x->query.fault.reason != 0)
        see_words(x);
    if (x->bound == UTET_OK) {
        see_plan(x);
        if (reckons(x))
            take(x);
        respond(x);
    }
    suite_check(guard_intact(&work) && guard_intact(&piece), "%s: bytes beside the memory", x->what);
}

void querylook_compare(const querylook *a, const querylook *b)
{
    suite_check(a->opened == b->opened && a->about == b->about && a->bound == b->bound,
                "%s: %s, %s, %s, then %s, %s, %s", a->what, rig_status(a->opened), rig_status(a->about),
                rig_status(a->bound), rig_status(b->opened), rig_status(b->about), rig_status(b->bound));
    suite_check(a->said == b->said && memcmp(a->words, b->words, a->said) == 0, "%s: other words", a->what);
    suite_check(a->digest == b->digest && a->places == b->places, "%s: another plan", a->what);
    if (a->written == UTET_OK && b->written == UTET_OK && a->answered == b->answered)
        suite_check(a->text_digest == b->text_digest, "%s: another response", a->what);
    if (a->answered == UTET_END && b->answered == UTET_END)
        suite_check(a->count == b->count && memcmp(a->results, b->results, a->count * sizeof(double)) == 0,
                    "%s: another answer", a->what);
}
