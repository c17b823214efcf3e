/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the reader of query documents (src/query), whose text is anybody's. EVA_PART 1: digits and limbs of
 * decimal numbers; 2: their rounding, and the reading of one; 3 to 5: the stages of a document, each in any state in
 * which it may have been suspended (3: syntax, keys, execution, pipeline, spill, write, what is judged last; 4: filter,
 * labels, groups, align, window, selection; 5: the reduction); 6: a list of axes; 7: texts, tables of words; 8: the
 * parts of a message. An alarm is a possible undefined behaviour.
 */
#include "eva_any.h"

#include "utet.h"

/* bytes.c has it; core 1 shows it for all numbers. */
/*@ requires divisor != 0;
    assigns \result \from dividend, divisor;
    ensures \result == dividend / divisor; */
uint64_t utet_div(uint64_t dividend, uint64_t divisor);

/* At most 20 digits (base.h). */
/*@ assigns \result, to[0 .. 19] \from number, least;
    ensures 1 <= \result <= 20; */
unsigned utet_decimals(uint64_t number, unsigned least, char *to);

#include "query/query.h"

static utet_query query;
static utet_file document;
static utet_io io;
static uint8_t held[16];

/* ---- contracts of what the reader calls ---- */

static utet_status any_status(void)
{
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
}

/* How many readings may still succeed; then the answer is "not yet". The reader may be stopped anywhere, so a few turns
 * of a loop that waits stand for all. */
static int grants;

static utet_status granted(void)
{
    if (grants == 0)
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
    grants--;
    return any_status();
}

#if EVA_PART <= 2
/* One byte, of any value. */

utet_status utet_json_fetch(utet_file *file, const utet_json *json, size_t length)
{
    (void)json;
    Frama_C_make_unknown((char *)held, sizeof held);
    file->priv.at = held + (sizeof held - length);
    return granted();
}

/*@ assigns \result \from negative, magnitude, exponent, more; */
uint64_t utet_fold_round(unsigned negative, uint64_t magnitude, int32_t exponent, unsigned more);
/*@ assigns \result \from bits; */
double utet_fold_value(uint64_t bits);
/*@ assigns \result \from value; */
uint64_t utet_fold_bits(double value);
/*@ assigns \result \from bits; */
uint64_t utet_fold_order(uint64_t bits);

#if EVA_PART == 2
/* Part 1 shows both. Assumed of shift_up: a first limb below 2^27 is doubled without a further one. */
/*@ assigns query->priv.decimal.limb[0 .. 89], query->priv.decimal.used, query->priv.decimal.exponent \from bits;
    ensures query->priv.decimal.used <= 90;
    ensures query->priv.decimal.exponent == \old(query->priv.decimal.exponent)
            || (query->priv.decimal.exponent == \old(query->priv.decimal.exponent) + 1
                && \old(query->priv.decimal.exponent) < 2); */
static void shift_up(utet_query *query, unsigned bits);
/*@ assigns query->priv.decimal.limb[0 .. 89], query->priv.decimal.used, query->priv.decimal.exponent,
            query->priv.decimal.more \from bits;
    ensures query->priv.decimal.used <= 90;
    ensures query->priv.decimal.exponent == \old(query->priv.decimal.exponent)
            || query->priv.decimal.exponent == \old(query->priv.decimal.exponent) - 1; */
static void shift_down(utet_query *query, unsigned bits);
#endif

#include "query/query_number.c"

/* Digits that have been read: none, some, or as many as there is room for. */
static void any_digits(int some)
{
    Frama_C_make_unknown((char *)&query.priv.decimal, sizeof query.priv.decimal);
    query.priv.decimal.digits = (uint32_t)(some == 1 ? Frama_C_interval(1, DIGITS * UTET_QUERY_LIMBS - 1)
                                                     : some / 2 * DIGITS * UTET_QUERY_LIMBS);
    query.priv.decimal.exponent = Frama_C_interval(-MOST_PLACES, MOST_PLACES);
    query.priv.decimal.written = Frama_C_interval(0, 10 * MOST_WRITTEN - 1);
}

/* Any number, its point between two limbs. */
static void any_limbs(int used)
{
    any_digits(1);
    query.priv.decimal.used = (uint8_t)used;
    query.priv.decimal.exponent = Frama_C_interval(-MOST_EXPONENT / DIGITS, MOST_EXPONENT / DIGITS);
}

#if EVA_PART == 1
void eva_main(void)
{
    const int some = Frama_C_interval_split(0, 2);

    any_digits(some);
    (void)utet_query_decimal_take(&query, (uint8_t)Frama_C_interval(0, 255));
    /*@ assert digits: query.priv.decimal.digits <= 9 * 90; */
    /*@ assert exponent: -MOST_PLACES <= query.priv.decimal.exponent <= MOST_PLACES; */
    /*@ assert written: 0 <= query.priv.decimal.written < 1000000000; */
    any_digits(some);
    align_limbs(&query);
    /*@ assert used: query.priv.decimal.used <= 90; */
    if (some != 0)
        return;
    any_limbs(Frama_C_interval(0, UTET_QUERY_LIMBS));
    shift_down(&query, (unsigned)Frama_C_interval(1, 28));
    /*@ assert used: query.priv.decimal.used <= 90; */
    any_limbs(Frama_C_interval_split(0, UTET_QUERY_LIMBS));
    shift_up(&query, (unsigned)Frama_C_interval(1, 28));
    /*@ assert used: query.priv.decimal.used <= 90; */
}
#else
void eva_main(void)
{
    utet_query_value value;
    double out;

    any_limbs(Frama_C_interval(0, UTET_QUERY_LIMBS));
    (void)rounded(&query, 0);
    Frama_C_make_unknown((char *)&value, sizeof value);
    Frama_C_make_unknown((char *)&query.priv.json, sizeof query.priv.json);
    any_digits(1);
    query.priv.in_number = (uint8_t)Frama_C_interval(0, 1);
    query.priv.file = &document;
    grants = 1;
    (void)utet_query_double(&query, &value, &out);
}
#endif
#endif

#if EVA_PART >= 3
/* ---- the reader of JSON (json.h): any token, any character ---- */

static void any_kind(utet_query_value *value)
{
    value->kind = (uint8_t)Frama_C_interval(0, JSON_KEY + 1);
    if (value->kind > JSON_KEY)
        value->kind = QUERY_ABSENT;
}

static void any_json(utet_json *json)
{
    Frama_C_make_unknown((char *)json, sizeof *json);
    json->token = (uint8_t)Frama_C_interval(0, JSON_KEY);
    json->head_length = (uint8_t)Frama_C_interval(0, UTET_JSON_HEAD);
    json->depth = (uint16_t)Frama_C_interval(0, UTET_JSON_DEPTH);
}

void utet_json_begin(utet_json *json, uint32_t length, uint64_t base)
{
    (void)length;
    (void)base;
    any_json(json);
}

/* No value comes before an object's first key, so that the last key does not matter. */
void utet_json_enter(utet_json *json, uint8_t bracket, int begun)
{
    (void)begun;
    any_json(json);
    if (bracket == JSON_OBJECT)
        query.priv.key = QUERY_NO_KEY;
}

utet_status utet_json_next(utet_file *file, utet_json *json)
{
    any_json(json);
    file->error_offset = any64();
    return granted();
}

utet_status utet_json_character(utet_file *file, const utet_json *json, utet_character *out)
{
    (void)file;
    (void)json;
    Frama_C_make_unknown((char *)out->bytes, sizeof out->bytes);
    out->made = (uint8_t)Frama_C_interval(1, 4);
    out->used = (uint8_t)Frama_C_interval(1, 12);
    return granted();
}

/* ---- the reader of documents, stopped anywhere ---- */

static void any_query(unsigned last_key)
{
    unsigned i;

    Frama_C_make_unknown((char *)&query, sizeof query);
    any_json(&query.priv.json);
    query.priv.file = &document;
    query.priv.plan = NULL;
    query.fault.word = "";
    query.fault.axis = &query.label_axis;
    query.fault.reason = (uint8_t)Frama_C_interval(0, QUERY_REASONS - 1);
    query.priv.bad_range = (uint8_t)Frama_C_interval(0, QUERY_REASONS - 1);
    query.axes_count = (uint8_t)Frama_C_interval(0, UTET_MAX_NDIM);
    query.keys_count = (uint8_t)Frama_C_interval(0, UTET_MAX_NDIM);
    query.operation = (uint8_t)Frama_C_interval(0, UTET_QUERY_TRANSFORM);
    query.label_axis.length = (uint8_t)Frama_C_interval(0, UTET_QUERY_TOKEN);
    query.window_axis.length = (uint8_t)Frama_C_interval(0, UTET_QUERY_TOKEN);
    for (i = 0; i < UTET_MAX_NDIM; i++) {
        query.axes[i].length = (uint8_t)Frama_C_interval(0, UTET_QUERY_TOKEN);
        query.keys[i].length = (uint8_t)Frama_C_interval(0, UTET_QUERY_TOKEN);
    }
    query.priv.step = (uint8_t)Frama_C_interval(0, 10);
    query.priv.key = (uint8_t)(Frama_C_interval(0, 1) ? QUERY_NO_KEY : Frama_C_interval(0, (int)last_key));
    query.priv.head_length = (uint8_t)Frama_C_interval(0, UTET_JSON_HEAD);
    query.priv.character[0].made = (uint8_t)Frama_C_interval(0, 4);
    query.priv.character[1].made = (uint8_t)Frama_C_interval(0, 4);
    query.priv.reduction_key = (uint8_t)Frama_C_interval(0, UTET_QUERY_TRANSFORM);
    any_kind(&query.priv.item);
    for (i = 0; i < UTET_QUERY_TOPS; i++)
        any_kind(&query.priv.top[i]);
    for (i = 0; i < UTET_QUERY_SLOTS; i++)
        any_kind(&query.priv.slot[i]);
    document.priv.io = &io;
    document.priv.at = held;
    document.priv.have = 1;
    io.size = any64();
}

/* The invariant again, behind the stage. */
static void check_query(unsigned last_key)
{
    /*@ assert json: query.priv.json.head_length <= 32 && query.priv.json.depth <= 256; */
    /*@ assert reason: query.fault.reason < QUERY_REASONS && query.priv.bad_range < QUERY_REASONS; */
    /*@ assert counts: query.axes_count <= 8 && query.keys_count <= 8; */
    /*@ assert operation: query.operation <= 26 && query.priv.reduction_key <= 26; */
    /*@ assert label: query.label_axis.length <= 32 && query.window_axis.length <= 32; */
    /*@ assert axes: query.axes[0].length <= 32 && query.axes[1].length <= 32 && query.axes[7].length <= 32; */
    /*@ assert keys: query.keys[0].length <= 32 && query.keys[1].length <= 32 && query.keys[7].length <= 32; */
    /*@ assert step: query.priv.step <= 10; */
    /*@ assert key: query.priv.key == 255 || query.priv.key <= last_key; */
    /*@ assert head: query.priv.head_length <= 32; */
    /*@ assert made: query.priv.character[0].made <= 4 && query.priv.character[1].made <= 4; */
}
#endif

#if EVA_PART >= 3
/* Any byte; memory ends behind what was asked for or up to three bytes later. */
utet_status utet_fetch(utet_file *file, size_t length, uint64_t offset)
{
    file->error_offset = offset;
    file->priv.have = length;
    file->priv.at = held + (sizeof held - length);
    return any_status();
}

utet_status utet_enter(utet_file *file, uint8_t call)
{
    file->priv.busy = call;
    return any_status();
}

utet_status utet_leave(utet_file *file, utet_status status)
{
    file->priv.busy = 0;
    return status;
}

#endif

#if EVA_PART >= 3 && EVA_PART <= 6
/* Parts 2 and 7 show them. */
/*@ requires \valid(out);
    assigns \result, *out, query->priv.json.next, query->priv.in_number \from *value; */
utet_status utet_query_double(utet_query *query, const utet_query_value *value, double *out);
/*@ requires length <= 32 && (length != 0 ==> \valid(buffer + (0 .. length - 1)));
    assigns \result, buffer[0 .. 31], query->priv.json.next, query->priv.in_number, query->priv.done \from place; */
utet_status utet_query_copy(utet_query *query, uint32_t place, uint32_t length, char *buffer);

#if EVA_PART != 6
/*@ requires *count <= 8;
    assigns \result, axes[0 .. 7], *count, query->priv.item, query->priv.items, query->priv.index, query->priv.next,
            query->priv.inside, query->fault.reason, query->fault.text, query->priv.json \from query->priv.item;
    ensures *count <= 8 && query->fault.reason < QUERY_REASONS;
    ensures query->priv.json.head_length <= 32 && query->priv.json.depth <= 256;
    ensures axes[0].length <= 32 && axes[1].length <= 32 && axes[2].length <= 32 && axes[3].length <= 32;
    ensures axes[4].length <= 32 && axes[5].length <= 32 && axes[6].length <= 32 && axes[7].length <= 32; */
utet_status utet_query_axis_list(utet_query *query, utet_query_axis *axes, uint8_t *count);
#endif

/* The tables have 41 keys (operation), 15 words (bins), 9 methods (center), and at most 8 keys. */
/*@ assigns \result \from keys[0 ..], text[0 ..], length;
    ensures \result <= 40 || \result == 255;
    ensures keys[0] == 'b' && keys[1] == 'i' ==> \result <= 14 || \result == 255;
    ensures keys[0] == 'c' ==> \result <= 8 || \result == 255;
    ensures keys[0] != 'o' && keys[0] != 'c' && !(keys[0] == 'b' && keys[1] == 'i')
            ==> \result <= 7 || \result == 255; */
unsigned utet_query_which(query_keys keys, const char *text, uint32_t length);

#if EVA_PART != 3
/* query_open.c has them. */
/*@ assigns query->fault.reason \from reason;
    ensures query->fault.reason == (uint8_t)reason; */
utet_status utet_query_refuse(utet_query *query, unsigned reason);
/*@ assigns query->fault.reason, query->fault.word \from reason, word;
    ensures query->fault.reason == (uint8_t)reason; */
utet_status utet_query_refuse_word(utet_query *query, unsigned reason, const char *word);
/*@ assigns query->fault.reason, query->fault.text \from reason, *text;
    ensures query->fault.reason == (uint8_t)reason; */
utet_status utet_query_refuse_text(utet_query *query, unsigned reason, const utet_query_value *text);
/*@ assigns query->fault.reason, query->fault.number[0 .. 1] \from reason, first, second;
    ensures query->fault.reason == (uint8_t)reason; */
utet_status utet_query_refuse_number(utet_query *query, unsigned reason, uint64_t first, uint64_t second);
/*@ assigns query->fault.reason, query->fault.text \from reason, query->priv.unknown;
    ensures query->fault.reason == (uint8_t)reason; */
utet_status utet_query_refuse_unknown(utet_query *query, unsigned reason);
#endif

#if EVA_PART == 6
/* Parts 3 to 5 show it. */
utet_status utet_query_entry(utet_query *of, int begun)
{
    (void)begun;
    Frama_C_make_unknown((char *)&of->priv.item, sizeof of->priv.item);
    any_kind(&of->priv.item);
    any_json(&of->priv.json);
    of->priv.next = any32();
    of->priv.inside = (uint8_t)any32();
    return granted();
}

#include "query/query_text.c"

/* An entry more, of any number of axes so far. */
void eva_main(void)
{
    const int count = Frama_C_interval_split(0, UTET_MAX_NDIM);

    any_query(UTET_QUERY_SLOTS - 1);
    grants = 1;
    query.keys_count = (uint8_t)count;
    (void)utet_query_axis_list(&query, query.keys, &query.keys_count);
    check_query(UTET_QUERY_SLOTS - 1);
}
#else
#include "query/query_scan.c"
#include "query/query_text.c"

/* One stage of a document in any state, which keeps what any_query says. */
static void stage(utet_status (*of)(utet_query *), unsigned last_key)
{
    any_query(last_key);
    grants = 2;
    (void)of(&query);
    check_query(last_key);
}

#define LAST_SLOT (UTET_QUERY_SLOTS - 1u)
#define LAST_TOP (TOP_REDUCTION + (unsigned)UTET_QUERY_TRANSFORM)

#if EVA_PART == 3
#include "query/query_open.c"
/* Not analysed: it compares names of keys, of which no two are equal. */
/*@ assigns \result \from keys; */
static const char *least_name(uint64_t keys);
#include "query/query_pipeline.c"
#include "query/query_validate.c"

void eva_main(void)
{
    stage(utet_query_syntax, LAST_SLOT);
    stage(keys, LAST_TOP);
    stage(utet_query_execution, LAST_SLOT);
    stage(utet_query_pipeline, LAST_TOP);
    stage(utet_query_spill, LAST_SLOT);
    stage(utet_query_write, LAST_SLOT);
    stage(utet_query_validate, LAST_SLOT);
}
#endif
#if EVA_PART == 4
#include "query/query_parts.c"
#include "query/query_window.c"

void eva_main(void)
{
    stage(utet_query_selection, LAST_SLOT);
    stage(utet_query_filter, LAST_SLOT);
    stage(utet_query_label_filter, LAST_SLOT);
    stage(utet_query_group_by, LAST_SLOT);
    stage(utet_query_window, LAST_SLOT);
    stage(utet_query_align, LAST_SLOT);
}
#elif EVA_PART == 5
#include "query/query_reduce.c"

void eva_main(void)
{
    stage(utet_query_reduction, LAST_SLOT);
}
#endif
#endif
#endif

#if EVA_PART == 7
#include "query/query_scan.c"
#include "query/query_text.c"

/* Texts, in pieces of any length; the window has any number of their bytes. */
void eva_main(void)
{
    const int size = Frama_C_interval_split(0, UTET_QUERY_TOKEN);
    const int done = Frama_C_interval_split(0, UTET_QUERY_TOKEN);
    utet_query_text_at text = {any32(), any32()};
    static char to[UTET_QUERY_TOKEN];
    size_t got;

    if (done <= size) {
        any_query(UTET_QUERY_SLOTS - 1);
        query.priv.done = (uint32_t)done;
        grants = 1;
        query.priv.in_number = 1;
        (void)utet_query_copy(&query, any32(), (uint32_t)size, to);
        /*@ assert copied: query.priv.done <= 32; */
    }
    if (size != 0 || done != 0)
        return;
    query.priv.done = (uint32_t)Frama_C_interval(0, sizeof to);
    grants = 1;
    (void)utet_query_piece(&query, to, sizeof to, 1);
    /*@ assert put: query.priv.done <= 32; */
    any_query(UTET_QUERY_SLOTS - 1);
    query.priv.file = Frama_C_interval(0, 1) ? NULL : &document;
    document.priv.owner = Frama_C_interval(0, 1) ? NULL : &query;
    document.priv.busy = (uint8_t)any32();
    query.priv.done = (uint32_t)Frama_C_interval(0, sizeof to);
    grants = 1;
    (void)utet_query_text(&query, &text, any32(), to, sizeof to, &got);
    (void)utet_query_which(utet_query_top, query.priv.head, any32());
    (void)utet_query_which(words, query.priv.head, any32());
    (void)utet_query_name((uint8_t)any32());
}
#endif

#if EVA_PART == 8
/* Texts of the file, in pieces. */
utet_status utet_value_next(utet_meta *meta, utet_value *list, utet_value *key, utet_value *value)
{
    (void)meta;
    (void)list;
    (void)key;
    Frama_C_make_unknown((char *)value, sizeof *value);
    return granted();
}

utet_status utet_text_read(utet_meta *meta, utet_value *text, char *buffer, size_t size, size_t *got)
{
    (void)meta;
    (void)text;
    Frama_C_make_unknown(buffer, size);
    *got = (size_t)Frama_C_interval(0, (int)size);
    return granted();
}

#include "query/query_text.c"
#include "query/query_message.c"
/* Not analysed: how many digits there are follows from what was called before. */
/*@ assigns to->query->priv.done, to->query->priv.asked \from number;
    ensures to->query->priv.done <= 8; */
static void put_number(const sink *to, uint64_t number);
/*@ assigns to->query->priv.done, to->query->priv.asked \from value;
    ensures to->query->priv.done <= 8; */
static void put_double(const sink *to, double value, int pointed);
/*@ assigns query->priv.json \from place;
    ensures query->priv.json.head_length <= 32 && query->priv.json.depth <= 256; */
void utet_query_at(utet_query *query, uint32_t place, uint8_t bracket, int begun);

static utet_query_plan plan;
static utet_meta meta;
static char to[8];

/* A message under way. Whoever refuses a document sets what the words ask for. */
static void any_message(void)
{
    any_query(UTET_QUERY_SLOTS - 1);
    Frama_C_make_unknown((char *)&plan, sizeof plan);
    plan.priv.meta = &meta;
    query.priv.opened = 1;
    query.priv.plan = &plan;
    query.priv.done = (uint32_t)Frama_C_interval(0, sizeof to);
    query.fault.word = "word";
    document.priv.owner = &query;
    document.priv.busy = UTET_CALL_QUERY_MESSAGE;
    grants = 1;
}

/* The part of a message for a letter behind a $. */
void eva_main(void)
{
    static const char letters[] = "nmiwpxyzadfkq";
    const int letter = Frama_C_interval_split(0, sizeof letters - 2);
    const sink any = {&query, to, sizeof to};

    any_message();
    (void)put_part(&any, letters[letter]);
}
#endif
