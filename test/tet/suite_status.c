/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Every status that utet.h, utet_check.h, utet_codec.h and utet_show.h list at a public call ("Returns:") is provoked
 * by a case of its own, named "utet_call STATUS". This suite has the statuses that every call can return and those of
 * calls without a file, suite_filestatus those of damaged files, suite_payloadstatus those of payloads.
 * test/tools/suite_status.py fails if a listed pair has no case, or if a case has a pair that is not listed
 * (test/README.md, bar 2).
 */
#include "statusworld.h"
#include "utet_show.h"

/* ---- statuses that every call can return ---- */

static void get_ready(world *w, const public_call *p, utet_status wanted)
{
    if (p == &calls[SOPEN] && wanted != UTET_OK)
        w->work = 1000; /* the bound that the row gives does not fit: headers are read before the refusal */
    if (p->ready == NULL) {
        start(w);
    } else {
        open_world(w);
        p->ready(w);
    }
}

static utet_status generic_ok(world *w, const public_call *p)
{
    utet_status status;
    get_ready(w, p, UTET_OK);
    DRIVE(status, p->call(w));
    return status;
}

/* "Not yet" at the first read, then the usual answer; also cancelled once. */
static utet_status generic_block(world *w, const public_call *p)
{
    utet_status status;
    get_ready(w, p, UTET_WOULD_BLOCK);
    w->r.port.blocks = 1;
    status = p->call(w);
    if (status != UTET_WOULD_BLOCK)
        return status;
    suite_check(w->r.port.blocked == 1, "suspended without the port");
    DRIVE(status, p->call(w));
    assert_int_equal(status, p == &calls[SOPEN] ? UTET_E_BUDGET : UTET_OK);
    return UTET_WOULD_BLOCK;
}

static utet_status generic_fault(world *w, const public_call *p, fault_kind kind)
{
    utet_status status;
    get_ready(w, p, UTET_E_PORT);
    w->r.port.fault = kind;
    w->r.port.fault_at = w->r.port.reads;
    DRIVE(status, p->call(w));
    return status;
}

/* Before the file is open, and while another call is suspended. */
static utet_status generic_state(world *w, const public_call *p)
{
    utet_status status;
    if (p == &calls[OPEN]) {
        open_world(w);
        return p->call(w); /* already open */
    }
    get_ready(w, p, UTET_OK);
    w->r.port.blocks = 1;
    flush_front(w);
    if (p == &calls[FIRST])
        status = utet_row_first(&w->r.file, &w->c);
    else
        status = utet_dataset_first(&w->r.file, &(utet_dataset){0});
    assert_int_equal(status, UTET_WOULD_BLOCK);
    status = p->call(w);
    if (status != UTET_E_STATE)
        return status;
    utet_cancel(&w->r.file);
    assert_int_equal(w->r.port.cancels, 1);
    w->r.port.blocks = 0;
    /* not open */
    if (p != &calls[READ] && p != &calls[SKIP] && p != &calls[RUN] && p != &calls[INTO] && p != &calls[CHECK]) {
        utet_init(&w->r.file, &w->r.port.io, w->r.work.data, w->work, w->r.codecs);
        return p->call(w);
    }
    return UTET_E_STATE;
}

typedef struct generic_case {
    char name[STATUSES_NAME];
    const public_call *call;
    utet_status status;
} generic_case;

static void run_generic(void **state)
{
    const generic_case *s = *state;
#ifdef TETGEN_NO_ZSTD
    suite_skip("the world has zstd chunks, and there is no compressor on this target");
#endif
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        static world w;
        utet_status status;
        world_make(&w, codec);
        if (s->status == UTET_OK)
            status = generic_ok(&w, s->call);
        else if (s->status == UTET_WOULD_BLOCK)
            status = generic_block(&w, s->call);
        else if (s->status == UTET_E_STATE)
            status = generic_state(&w, s->call);
        else
            status = generic_fault(&w, s->call, s->status == UTET_E_SHORT ? FAULT_EOF : FAULT_ERROR);
        utet_status wanted = s->status == UTET_E_PORT ? FAULTPORT_ERROR : s->status;
        suite_check(status == wanted, "%s (%s): %s", s->name, rig_codec_name((unsigned)codec), rig_status(status));
        world_end(&w);
    }
}

/* ---- calls without a file, or with a result of their own ---- */

static void rows_statuses(void **state)
{
    world w;
    utet_rows rows;
    uint32_t memory[300];
    utet_status status;
    (void)state;
    world_make(&w, 0);
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 30), UTET_E_STATE);
    open_world(&w);
    ready_find(&w); /* one chunk */
    assert_int_equal(utet_rows_init(NULL, &w.r.file, &w.d, memory, 30), UTET_E_ARGUMENT);
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, NULL, 30), UTET_E_ARGUMENT);
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 0), UTET_E_SPACE);
    w.r.file.row_count += UINT32_MAX;
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 30), UTET_E_SPACE);
    w.r.file.row_count -= UINT32_MAX;
    w.r.port.blocks = 1;
    flush(&w);
    assert_int_equal(utet_chunk_find(&w.r.file, &w.d, w.at, &w.c), UTET_WOULD_BLOCK);
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 30), UTET_E_STATE);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory, 30), UTET_E_STATE);
    DRIVE(status, utet_chunk_find(&w.r.file, &w.d, w.at, &w.c));
    assert_int_equal(status, UTET_OK);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory, 30), UTET_E_STATE); /* not the file's */
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 30), UTET_OK);
    assert_int_equal(utet_rows_lists(NULL, &w.r.file, memory + 30, 270), UTET_E_ARGUMENT);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, NULL, 10), UTET_E_ARGUMENT);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory + 30, w.r.file.dataset_count - 1), UTET_E_SPACE);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory + 30, w.r.file.dataset_count), UTET_E_SPACE);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory + 30, 270), UTET_OK);
    DRIVE_OK(utet_chunk_find(&w.r.file, &w.d, w.at, &w.c));
    w.d.id = w.r.file.dataset_count; /* a dataset of another file */
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 30), UTET_OK);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory + 30, 270), UTET_E_STATE);
    w.r.file.priv.state = 0; /* not open */
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory + 30, 270), UTET_E_STATE);
    world_end(&w);
}

static void init_argument(void **state)
{
    rig r;
    utet_file f;
    uint64_t work[64] = {0};
    uint8_t byte = 0;
    (void)state;
    rig_make(&r, &byte, 1, -1);
    assert_int_equal(utet_init(NULL, &r.port.io, work, sizeof work, NULL), UTET_E_ARGUMENT);
    assert_int_equal(utet_init(&f, NULL, work, sizeof work, NULL), UTET_E_ARGUMENT);
    assert_int_equal(utet_init(&f, &r.port.io, (uint8_t *)work + 3, 200, NULL), UTET_OK); /* any address will do */
    memset(&f, 0, sizeof f);
    assert_int_equal(utet_open(&f, NULL), UTET_E_STATE);
    assert_int_equal(utet_init(&f, &r.port.io, NULL, 0, NULL), UTET_E_ARGUMENT);
    utet_io io = r.port.io;
    io.read = NULL;
    assert_int_equal(utet_init(&f, &io, work, sizeof work, NULL), UTET_E_ARGUMENT);
    io.map = &byte; /* then neither read nor workspace is needed */
    assert_int_equal(utet_init(&f, &io, NULL, 0, NULL), UTET_OK);
    static const uint16_t wrong[][2] = {{0, 1}, {3, 1}, {1, 0}, {512, 3}, {1, 2}, {4096, 256}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        io = r.port.io;
        io.unit = wrong[i][0];
        io.align = wrong[i][1];
        assert_int_equal(utet_init(&f, &io, work, sizeof work, NULL), UTET_E_ARGUMENT);
    }
    io = r.port.io;
    io.unit = 64;
    io.align = 64;
    io.align = 128;
    assert_int_equal(utet_init(&f, &io, work, sizeof work, NULL), UTET_E_ARGUMENT);
}

static void init_ok(void **state)
{
    rig r;
    uint64_t work[64] = {0};
    utet_file f;
    (void)state;
    rig_make(&r, work, 1, -1);
    assert_int_equal(utet_init(&f, &r.port.io, work, sizeof work, NULL), UTET_OK);
    assert_int_equal(r.port.reads, 0);
}

static void cancel_ok(void **state)
{
    world *w = malloc(sizeof *w);
    (void)state;
    world_make(w, 0);
    open_world(w);
    assert_int_equal(utet_cancel(&w->r.file), UTET_OK);
    assert_int_equal(w->r.port.cancels, 0);
    world_end(w);
    free(w);
}

/* ---- the calls for codecs, reached through a codec of the test ---- */

static utet_status codec_answer;
static int codec_copies;

static utet_status own_need(utet_stream *stream, int exact, utet_need *need)
{
    (void)stream, (void)exact;
    need->least = need->best = 64;
    return UTET_OK;
}
static utet_status own_open(utet_stream *stream)
{
    (void)stream;
    return UTET_OK;
}
static utet_status own_step(utet_stream *stream, size_t want)
{
    const uint8_t *at;
    size_t have;
    (void)want;
    codec_answer = codec_copies ? utet_payload_copy(stream, 1000, stream->priv.work, 64)
                                : utet_payload_fetch(stream, 1000, 64, 64, &at, &have);
    return codec_answer == UTET_WOULD_BLOCK ? codec_answer : utet_payload_error(stream, 7, UTET_E_PAYLOAD);
}
static const utet_codec own_codec = {UTET_CODEC_ZSTD, own_need, own_open, own_step, &utet_driver};

static void payload_calls(int copies, fault_kind kind, utet_status wanted)
{
    world *w = malloc(sizeof *w);
    utet_status status;
    world_make(w, 0);
    w->r.codecs[0] = &own_codec;
    codec_copies = copies;
    open_world(w);
    ready_read(w);
    w->r.port.fault = kind;
    w->r.port.fault_at = w->r.port.reads;
    status = do_read(w);
    assert_int_equal(codec_answer, wanted);
    if (wanted == UTET_WOULD_BLOCK) {
        assert_int_equal(status, UTET_WOULD_BLOCK);
        DRIVE(status, do_read(w));
    }
    assert_int_equal(status, UTET_E_PAYLOAD);
    assert_int_equal(w->r.file.error_offset, w->c.payload_offset + 7);
    world_end(w);
    free(w);
}
static void need_ok(void **state)
{
    (void)state;
    payload_calls(0, FAULT_NONE, UTET_OK);
}
static void need_block(void **state)
{
    (void)state;
    payload_calls(0, FAULT_BLOCK_ONCE, UTET_WOULD_BLOCK);
}
static void need_short(void **state)
{
    (void)state;
    payload_calls(0, FAULT_EOF, UTET_E_SHORT);
}
static void need_port(void **state)
{
    (void)state;
    payload_calls(0, FAULT_ERROR, FAULTPORT_ERROR);
}
static void copy_ok(void **state)
{
    (void)state;
    payload_calls(1, FAULT_NONE, UTET_OK);
}
static void copy_block(void **state)
{
    (void)state;
    payload_calls(1, FAULT_BLOCK_ONCE, UTET_WOULD_BLOCK);
}
static void copy_short(void **state)
{
    (void)state;
    payload_calls(1, FAULT_EOF, UTET_E_SHORT);
}
static void copy_port(void **state)
{
    (void)state;
    payload_calls(1, FAULT_ERROR, FAULTPORT_ERROR);
}

/* ---- the calls for showing and for physical values need no file ---- */

static void show_statuses(void **state)
{
    static const uint8_t half[8] = {0, 0x3C};
    char text[UTET_SHOW_SIZE];
    double value = 7;
    size_t length = 99;
    (void)state;
    assert_int_equal(utet_show_double(UTET_F16, half, &value), UTET_OK);
    assert_true(value == 1.0);
    assert_int_equal(utet_show_double(0, half, &value), UTET_E_DTYPE);
    assert_int_equal(utet_show_double(11, half, &value), UTET_E_DTYPE);
    assert_true(value == 1.0);
    assert_int_equal(utet_show_text(UTET_F16, half, text, sizeof text, &length), UTET_OK);
    assert_true(length > 0 && length < sizeof text);
    assert_int_equal(utet_show_text(11, half, text, sizeof text, &length), UTET_E_DTYPE);
    text[0] = '!';
    assert_int_equal(utet_show_text(UTET_F16, half, text, 0, &length), UTET_E_SPACE);
    assert_int_equal(text[0], '!');
}

static void physical_statuses(void **state)
{
    static const uint8_t half[8] = {0, 0x3C};
    static const char scale[] = "scale_factor";
    utet_physical physical;
    uint8_t f64[8] = {1};
    (void)state;
    memset(&physical, 0, sizeof physical);
    assert_int_equal(utet_physical_f64(&physical, half, f64), UTET_E_DTYPE); /* not a dtype */
    assert_int_equal(f64[0], 1);
    assert_int_equal(utet_physical_begin(&physical, 0), UTET_E_DTYPE);
    assert_int_equal(utet_physical_begin(&physical, 11), UTET_E_DTYPE);
    assert_int_equal(utet_physical_begin(&physical, UTET_F16), UTET_OK);
    assert_int_equal(utet_physical_attribute(&physical, scale, sizeof scale - 1, "2", 1), UTET_OK);
    assert_int_equal(utet_physical_attribute(&physical, scale, sizeof scale - 1, "two", 3), UTET_E_METADATA);
    assert_int_equal(utet_physical_attribute(&physical, scale, sizeof scale - 1, "1e99", 4), UTET_E_LIMIT);
    assert_int_equal(utet_physical_f64(&physical, half, f64), UTET_OK); /* 1 * 2 */
    assert_int_equal(f64[7], 0x40);
    assert_int_equal(f64[6] | f64[0], 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void **state);
    } others[] = {
        {"utet_init OK", init_ok},
        {"utet_init E_ARGUMENT", init_argument},
        {"utet_cancel OK", cancel_ok},
        {"utet_rows_init OK", rows_statuses},
        {"utet_rows_init E_STATE", rows_statuses},
        {"utet_rows_init E_ARGUMENT", rows_statuses},
        {"utet_rows_init E_SPACE", rows_statuses},
        {"utet_rows_lists OK", rows_statuses},
        {"utet_rows_lists E_STATE", rows_statuses},
        {"utet_rows_lists E_ARGUMENT", rows_statuses},
        {"utet_rows_lists E_SPACE", rows_statuses},
        {"utet_payload_fetch OK", need_ok},
        {"utet_payload_fetch WOULD_BLOCK", need_block},
        {"utet_payload_fetch E_SHORT", need_short},
        {"utet_payload_fetch E_PORT", need_port},
        {"utet_payload_copy OK", copy_ok},
        {"utet_payload_copy WOULD_BLOCK", copy_block},
        {"utet_payload_copy E_SHORT", copy_short},
        {"utet_payload_copy E_PORT", copy_port},
        {"utet_show_double OK", show_statuses},
        {"utet_show_double E_DTYPE", show_statuses},
        {"utet_physical_begin OK", physical_statuses},
        {"utet_physical_begin E_DTYPE", physical_statuses},
        {"utet_physical_attribute OK", physical_statuses},
        {"utet_physical_attribute E_LIMIT", physical_statuses},
        {"utet_physical_attribute E_METADATA", physical_statuses},
        {"utet_physical_f64 OK", physical_statuses},
        {"utet_physical_f64 E_DTYPE", physical_statuses},
        {"utet_show_text OK", show_statuses},
        {"utet_show_text E_DTYPE", show_statuses},
        {"utet_show_text E_SPACE", show_statuses},
    };
    static const utet_status generics[] = {UTET_OK, UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_SHORT, UTET_E_PORT};
    enum { OTHERS = sizeof others / sizeof others[0], GENERICS = sizeof generics / sizeof generics[0] };
    static generic_case texts[CALLS * GENERICS];
    static struct CMUnitTest cases[CALLS * GENERICS + OTHERS];
    size_t n = 0;
    for (unsigned c = 0; c < CALLS; c++)
        for (unsigned g = 0; g < GENERICS; g++)
            texts[n++] = (generic_case){"", &calls[c], generics[g]};
    for (size_t i = 0; i < n; i++)
        statuses_case(&cases[i], texts[i].name, texts[i].call->name, texts[i].status, run_generic, &texts[i]);

    for (size_t i = 0; i < OTHERS; i++)
        cases[n++] = (struct CMUnitTest){others[i].name, others[i].run, NULL, NULL, NULL};
    return statuses_run("status", cases, n, argc, argv);
}
