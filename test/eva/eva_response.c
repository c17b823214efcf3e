/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the writer of responses (src/query). EVA_PART 1: words and numbers; 2: texts and lists; 3:
 * templates, with each letter of a part; 4: elements, also with each of their letters. Each begins with the room that a
 * step has. An alarm is possible undefined behaviour.
 *
 * eva.sh: 4 parts, x86_32
 *   1 4: -eva-slevel 500 -eva-slevel-function eva_main:20000 -eva-ilevel 64 -eva-split-return full
 *       -warn-special-float none
 *   2 3: -eva-slevel 500 -eva-slevel-function eva_main:20000 -eva-ilevel 64 -eva-split-return full
 *       -warn-special-float none
 *       -eva-use-spec utet_response_escaped
 */
#include "eva_plan.h"

#include "query/response.h"
#include "utet_show.h"

/*@ assigns \result \from value; */
uint64_t utet_fold_bits(double value);

#define SIZE UTET_QUERY_RESPONSE_MIN

static char buffer[SIZE];
static utet_query_response response;
static utet_query_level *const levels = query.shared.of.writing.level;

/* The buffer has exactly the room of one step left. */
static void any_response(void)
{
    any_plan();
    Frama_C_make_unknown((char *)&response, sizeof response);
    Frama_C_make_unknown(buffer, sizeof buffer);
    response.plan = &plan;
    response.answer = NULL;
    response.skips = NULL;
    response.elements = NULL;
    response.tet_file = "file";
    response.buffer = buffer;
    response.size = SIZE;
    response.priv.used = SIZE - RESPONSE_STEP;
    response.priv.level = levels + 2;
    levels[2].text = "$x";
    response.priv.at = below(UTET_MAX_NDIM);
    response.priv.got = below(sizeof response.priv.piece + 1);
    grants = 1;
}

/* The output of a part fits, and the part left a template to continue with. */
static void check_response(void)
{
    /*@ assert used: response.priv.used <= SIZE; */
    /*@ assert depth: \subset(response.priv.level, levels + (0 .. 3)); */
    use_kept();
}

#if EVA_PART == 1
/* show 1 to 3 prove it. */
unsigned utet_show_put(uint32_t dtype, const void *element, char *to)
{
    (void)dtype;
    (void)element;
    Frama_C_make_unknown(to, UTET_SHOW_SIZE);
    return (unsigned)Frama_C_interval_split(1, UTET_SHOW_SIZE - 2);
}

/* Only the kinds of its elements. */
const fold_layout utet_dtype_layouts[UTET_DTYPE_END] = {{0}};

#include "query/query_digits.c"
#include "query/query_response_put.c"

void eva_main(void)
{
    const int length = Frama_C_interval_split(0, 3);
    char text[3];
    double value;

    Frama_C_make_unknown(text, sizeof text);
    Frama_C_make_unknown((char *)&value, sizeof value);
    any_response();
    utet_response_escaped(&response, text, (size_t)length);
    check_response();
    any_response();
    utet_response_double(&response, value);
    check_response();
    any_response();
    utet_response_whole(&response, value);
    check_response();
    any_response();
    utet_response_truth(&response, Frama_C_interval(0, 1));
    check_response();
    use_byte((const uint8_t *)response_query(&response));
}
#endif

#if EVA_PART >= 2
/* Part 1 proves it: at most 28 bytes. */
/*@ assigns \result, text[0 .. 25] \from bits;
    ensures 1 <= \result <= 28; */
unsigned utet_query_shortest(uint64_t bits, char *text);

/* Part 1 proves it byte by byte; names of axes, which are letters, digits, _ and -, are written as they are. */
/*@ requires length <= 32 && r->priv.used <= 64 - 48;
    assigns r->priv.used \from r->priv.used, length;
    ensures r->priv.used <= \old(r->priv.used) + 48; */
void utet_response_escaped(utet_query_response *r, const char *text, size_t length);

#include "query/query_response_put.c"
#endif

#if EVA_PART == 2 || EVA_PART == 3
static utet_query_answer answer;
static double results[4];

/* answer 1 proves both. */
utet_status utet_query_touched_next(utet_query_touched *touched, utet_query_plan *of, utet_chunk *chunk)
{
    (void)touched;
    (void)of;
    Frama_C_make_unknown((char *)chunk, sizeof *chunk);
    return Frama_C_interval(0, 1) ? UTET_END : granted(UTET_E_ROW);
}

utet_status utet_query_answer_next(utet_query_answer *of, double *to)
{
    Frama_C_make_unknown((char *)to, sizeof results);
    of->given = 1 + below(sizeof results / sizeof results[0]);
    return Frama_C_interval(0, 1) ? UTET_END : granted(UTET_E_ROW);
}

/*@ assigns \result \from skips->priv, chunk->coords[0 .. 7]; */
int utet_query_skipped(const utet_query_skips *skips, const utet_chunk *chunk);
/*@ assigns \result \from low, high, bins, i; */
double utet_fold_edge(double low, double high, uint32_t bins, uint32_t i);

/* A batch of the answer, of which `at` results have been written; at least one is left, or none has come yet. */
static void any_answer(int at)
{
    static utet_query_skips skips;

    any_response();
    Frama_C_make_unknown((char *)&answer, sizeof answer);
    Frama_C_make_unknown((char *)results, sizeof results);
    Frama_C_make_unknown((char *)&skips, sizeof skips);
    answer.ndim = (uint8_t)below(UTET_MAX_NDIM + 1);
    answer.is_matrix = (uint8_t)below(2);
    answer.together = 1 + any32() % 4;
    response.answer = &answer;
    response.results = results;
    if (Frama_C_interval(0, 1))
        response.skips = &skips;
    response.priv.at = (uint64_t)at;
    response.priv.have = Frama_C_interval(0, 4);
}
#endif

#if EVA_PART == 2 || EVA_PART == 4
void utet_response_done(utet_query_response *r)
{
    r->priv.level->text += 2;
    r->priv.level->index = 0;
}

void utet_response_push(utet_query_response *r, const char *text)
{
    /*@ assert levels: \subset(r->priv.level, levels + (0 .. 3)); */
    r->priv.level++;
    r->priv.level->text = text;
    r->priv.level->index = 0;
}
#endif

#if EVA_PART == 2
#include "query/query_response_list.c"

void eva_main(void)
{
    static const char letters[] = {PART_DATASET_NAME,   PART_OTHER_NAME,      PART_TET_FILE_PATH, PART_AVAILABLE_NAME,
                                   PART_LEFT_AXIS_NAME, PART_RIGHT_AXIS_NAME, PART_ALIGNED_AXIS,  PART_DATASET_SHAPE,
                                   PART_CHUNK_SHAPE,    PART_BOX_START,       PART_BOX_STOP,      PART_BOX_STEP,
                                   PART_BOX_SHAPE,      PART_CHUNK_COORDS,    PART_RESULT_EXTENTS};
    static const char path[8 + 1] = "/dir/f";
    const char letter = letters[Frama_C_interval_split(0, sizeof letters - 1)];
    const int at = Frama_C_interval_split(0, 4);

    any_answer(at);
    response.tet_file = path;
    response.priv.read = letter == PART_TET_FILE_PATH ? (uint32_t)at : any32();
    if (letter == PART_DATASET_NAME || letter == PART_OTHER_NAME || letter == PART_TET_FILE_PATH ||
        letter == PART_AVAILABLE_NAME || letter == PART_ALIGNED_AXIS || letter == PART_LEFT_AXIS_NAME ||
        letter == PART_RIGHT_AXIS_NAME)
        (void)utet_response_name(&response, letter);
    check_response();
    any_answer(at);
    utet_response_axis_number(&response, letter);
    check_response();
    if (letter != PART_DATASET_NAME)
        return;
    any_answer(at);
    (void)utet_response_datasets(&response);
    check_response();
    any_answer(at);
    (void)utet_response_count_chunks(&response, P_CHUNKS);
    check_response();
    any_answer(at);
    (void)utet_response_chunks(&response);
    check_response();
    any_answer(at);
    utet_response_alignment(&response);
    check_response();
    any_answer(at);
    (void)utet_response_axis(&response);
    check_response();
    any_answer(at);
    utet_response_axes(&response);
    check_response();
    any_answer(at);
    utet_response_edges(&response);
    check_response();
    any_answer(at);
    response.priv.have = 4; /* in case 4, it requests the next batch, or has finished */
    response.priv.over = (uint8_t)Frama_C_interval(0, 1);
    utet_response_results(&response);
    check_response();
}
#endif

#if EVA_PART == 3
/* Part 2 proves them: each writes what fits in a step's room, moves past its $ and letter, or puts a template on
 * top. */
static void any_step(utet_query_response *r)
{
    r->priv.used += below(RESPONSE_STEP + 1);
    if (Frama_C_interval(0, 1))
        utet_response_done(r);
    else if (Frama_C_interval(0, 1))
        utet_response_push(r, ",$A");
}

utet_status utet_response_name(utet_query_response *r, char letter)
{
    (void)letter;
    any_step(r);
    return granted(UTET_E_METADATA);
}

int utet_query_is_named(const utet_dataset_meta *about)
{
    (void)about;
    return Frama_C_interval(0, 1);
}

utet_status utet_response_datasets(utet_query_response *r)
{
    any_step(r);
    return granted(UTET_E_DATASET);
}

utet_status utet_response_count_chunks(utet_query_response *r, const char *text)
{
    (void)text;
    any_step(r);
    return granted(UTET_E_ROW);
}

utet_status utet_response_chunks(utet_query_response *r)
{
    any_step(r);
    return granted(UTET_E_ROW);
}

void utet_response_results(utet_query_response *r)
{
    if (Frama_C_interval(0, 1))
        r->priv.state = RESPONSE_ASKS;
    else
        any_step(r);
}

void utet_response_alignment(utet_query_response *r)
{
    any_step(r);
}

void utet_response_axis_number(utet_query_response *r, char letter)
{
    (void)letter;
    any_step(r);
}

void utet_response_axes(utet_query_response *r)
{
    any_step(r);
}

utet_status utet_response_axis(utet_query_response *r)
{
    any_step(r);
    return granted(UTET_E_METADATA);
}

void utet_response_edges(utet_query_response *r)
{
    any_step(r);
}

/* The longest names, and none. */
const char *utet_query_name(uint8_t operation)
{
    (void)operation;
    return Frama_C_interval(0, 1) ? "correlation" : "";
}

const char *utet_query_method_name(uint8_t method)
{
    (void)method;
    return Frama_C_interval(0, 1) ? "softmax" : "";
}

const char *utet_show_dtype(uint32_t dtype)
{
    (void)dtype;
    return "f32";
}

#include "query/query_both.c"
#include "query/query_response.c"

static const char *any_body(const utet_query_response *r)
{
    (void)r;
    return "$1";
}

static void any_part(utet_query_response *r, char letter)
{
    (void)letter;
    any_step(r);
}

static utet_status any_write(void *context, const char *text, size_t length)
{
    (void)context;
    /*@ assert gathered: length <= SIZE && \valid_read(text + (0 .. length - 1)); */
    (void)text;
    (void)length;
    return granted(UTET_E_PORT);
}

static void any_document(void)
{
    static const struct utet_query_parts parts = {"$#", any_body, any_part};
    static const utet_query_elements elements = {&parts, NULL, 0, NULL, NULL, NULL, 0, NULL};

    any_answer(Frama_C_interval(0, UTET_MAX_NDIM - 1));
    response.elements = &elements;
    if (Frama_C_interval(0, 1))
        response.tet_file = NULL;
    response.write = any_write;
    plan.dataset.ndim = (uint8_t)Frama_C_interval_split(1, UTET_MAX_NDIM);
}

/* Each letter of a part, with room for it or without; then the call around them. */
void eva_main(void)
{
    const int letter = Frama_C_interval_split('!', '~');
    char text[] = "$x";

    any_document();
    text[1] = (char)letter;
    levels[2].text = text;
    response.priv.used = Frama_C_interval_split(0, 1) * SIZE;
    (void)response_step(&response);
    check_response();
    if (letter != PART_MISMATCH)
        return;
    any_document();
    response.priv.state = (uint8_t)below(RESPONSE_OVER + 1);
    levels[2].text = "";
    levels[1].text = "a";
    levels[0].text = "";
    response.size = Frama_C_interval(0, 1) ? SIZE : 0;
    file.priv.busy = Frama_C_interval(0, 1) ? UTET_CALL_NONE : UTET_CALL_QUERY_RESPOND;
    document.priv.busy = file.priv.busy;
    (void)utet_query_respond(&response);
}
#endif

#if EVA_PART == 4
/*@ assigns \result \from layout->bytes, at[0 .. 7]; */
uint64_t utet_fold_load(const fold_layout *layout, const uint8_t *at);
void utet_fold_split(const fold_layout *layout, uint64_t bits, fold_element *element)
{
    (void)layout;
    (void)bits;
    Frama_C_make_unknown((char *)element, sizeof *element);
}
/*@ assigns \result, text[0 .. 25] \from dtype, element[0 .. 7];
    ensures 1 <= \result <= 28; */
unsigned utet_query_printed(uint32_t dtype, const uint8_t *element, char *text);

const char *utet_show_dtype(uint32_t dtype)
{
    (void)dtype;
    return "bool";
}

/*@ assigns \result \from *plan; */
uint64_t utet_response_elements(const utet_query_plan *plan);

void utet_response_path(utet_query_response *r, const char *path)
{
    (void)r;
    (void)path;
}

const fold_layout utet_dtype_layouts[UTET_DTYPE_END] = {{0}, {0x80000000u, 4, FOLD_FLOAT, 23, 10, 20, -149}};

#include "query/query_elements.c"

/* Lists that have been written up to any entry; 4 elements of 1 to 8 bytes, 4 numbers and, with two of each, 8
 * statistics. */
void eva_main(void)
{
    const int letter = Frama_C_interval_split(PART_PREVIEWS, PART_BYTES_READ);
    const int index = Frama_C_interval_split(0, DTYPES);
    static utet_query_elements elements;
    static utet_transform transform;
    static utet_transform_method method;
    static uint8_t first[4 * 8];
    static uint64_t undefined[4];
    static double statistics[4 * 2];

    any_response();
    Frama_C_make_unknown((char *)first, sizeof first);
    Frama_C_make_unknown((char *)undefined, sizeof undefined);
    Frama_C_make_unknown((char *)statistics, sizeof statistics);
    Frama_C_make_unknown((char *)&transform, sizeof transform);
    method.statistics = 2;
    transform.priv.method = &method;
    transform.fold.results = 4 * 2;
    elements.first = first;
    elements.shown = 4;
    elements.undefined = undefined;
    elements.listed = 4;
    elements.statistics = statistics;
    elements.spill = "file";
    elements.transform = &transform;
    response.elements = &elements;
    plan.dataset.dtype = 1 + below(DTYPES);
    query.method = (uint8_t)(1 + below(UTET_QUERY_SOFTMAX));
    /* the number of an entry: of a dtype or a statistic */
    if (index == 0 || ((letter == PART_STATISTIC_NAME || letter == PART_STATISTIC_VALUES) && index > STATISTICS))
        levels[1].index = 1;
    else
        levels[1].index = (uint64_t)index;
    if (letter != PART_STATISTICS || index <= STATISTICS)
        levels[2].index = (uint64_t)index;
    else
        levels[2].index = STATISTICS;
    query_elements_part(&response, (char)letter);
    check_response();
    if (index != 0)
        return;
    elements.transform = Frama_C_interval(0, 1) ? &transform : NULL;
    elements.spill = Frama_C_interval(0, 1) ? elements.spill : NULL;
    use_text(query_elements_body(&response));
    (void)bytes_read(&response);
    (void)query_elements_number(&response);
}
#endif
