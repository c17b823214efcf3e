/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the reader of query documents (src/query), with any text. EVA_PART 1: digits and limbs of
 * decimal numbers; 2: their rounding, and the reading of one; 3 to 5: the stages of a document, each in any state in
 * which it may have been suspended (3: syntax, keys, execution, pipeline, spill, write, what is judged last; 4: filter,
 * labels, groups, align, window, selection; 5: the reduction); 6: a list of axes; 7: texts, tables of words; 8: the
 * parts of a message; 9: opening a document; 10: the first of some keys in sorted order; 11: what is
 * wrong with the syntax. An alarm is possible undefined behaviour.
 *
 * eva.sh: 13 parts, x86_32
 *   1: -eva-slevel 500 -eva-slevel-function shift_down:20000,shift_up:20000,align_limbs:10,eva_main:1000
 *       -warn-special-float none
 *   2: -eva-slevel 20 -eva-use-spec shift_up,shift_down -eva-domains equality -warn-special-float none
 *   3: -eva-slevel 100 -eva-slevel-function utet_query_key_name:500 -eva-ilevel 64 -eva-split-return full
 *       -warn-special-float none -eva-use-spec
 *       utet_query_copy,utet_query_which,utet_query_axis_list,least_name,bad_syntax
 *       -eva-slevel-function judge_device_text:1000,are_digits:1000
 *   4: -eva-slevel 100 -eva-slevel-function utet_query_key_name:500 -eva-ilevel 64 -eva-split-return full
 *       -warn-special-float none -eva-use-spec utet_query_copy,utet_query_which,utet_query_axis_list
 *   5: -eva-slevel 100 -eva-slevel-function utet_query_key_name:500 -eva-ilevel 64 -eva-split-return full
 *       -warn-special-float none -eva-use-spec utet_query_copy,utet_query_which,utet_query_axis_list
 *       -eva-slevel-function utet_query_reduction:2000
 *   6: -eva-slevel 100 -eva-slevel-function utet_query_axis_list:5000,eva_main:10000 -eva-ilevel 64
 *       -eva-split-return full
 *       -warn-special-float none -eva-use-spec utet_query_copy
 *   7: -eva-slevel 100 -eva-slevel-function utet_query_key_name:500
 *       -eva-slevel-function utet_query_which:1000,eva_main:100000 -eva-slevel-merge-after-loop utet_query_which
 *       -eva-ilevel 64 -eva-split-return full -warn-special-float none
 *   8: -eva-slevel 200 -eva-slevel-merge-after-loop put_text -eva-ilevel 64 -eva-split-return full
 *       -eva-slevel-function eva_main:5000,message_put:0,utet_query_put:0 -eva-use-spec put_double
 *       -warn-special-float none
 *   9: -eva-slevel 100 -eva-slevel-function utet_query_open:5000,eva_main:5000 -eva-ilevel 64 -eva-split-return full
 *       -eva-use-spec utet_query_syntax,query_open_keys
 *   10: -eva-slevel 20000 -eva-split-return full -eva-min-loop-unroll 50
 *   11: -eva-slevel 500 -eva-ilevel 64 -eva-split-return full
 *   12: -eva-slevel 200 -eva-slevel-merge-after-loop put_text,message_write -eva-use-spec put_part,message_put
 *       -eva-slevel-function eva_main:5000,message_write:1000,utet_query_message:0 -warn-special-float none
 *   13: -eva-slevel 200 -eva-slevel-merge-after-loop put_double -eva-split-return full
 *       -eva-slevel-function eva_main:5000,utet_query_shortest:1000,put_double:60,message_put:0,utet_query_put:0
 */
#if EVA_PART == 3 || EVA_PART == 9 || EVA_PART == 11
#define EVA_REFUSES
#endif
#include "eva_reader.h"
#include "eva_given.h"

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
/* Part 1 proves both. Assumed about shift_up: a first limb below 2^27 is doubled without a further one. */
/*@ assigns decimal->limb[0 .. 89], decimal->used, decimal->exponent
            \from bits;
    ensures decimal->used <= 90;
    ensures decimal->exponent == \old(decimal->exponent)
            || (decimal->exponent == \old(decimal->exponent) + 1
                && \old(decimal->exponent) < 2); */
static void shift_up(utet_query_decimal *decimal, unsigned bits);
/*@ assigns decimal->limb[0 .. 89], decimal->used, decimal->exponent,
            decimal->more \from bits;
    ensures decimal->used <= 90;
    ensures decimal->exponent == \old(decimal->exponent)
            || decimal->exponent == \old(decimal->exponent) - 1; */
static void shift_down(utet_query_decimal *decimal, unsigned bits);
/*@ assigns \result, *whole, *more \from number, rest, *more;
    ensures \initialized(whole) && \initialized(more); */
int utet_fold_whole_part(uint64_t number, int rest, uint64_t *whole, unsigned *more);
#endif

#include "query/query_number.c"

/* Digits that have been read: none, some, or as many as there is room for. */
static void any_digits(int some)
{
    Frama_C_make_unknown((char *)&query.shared.work.decimal, sizeof query.shared.work.decimal);
    query.shared.work.decimal.digits = (uint32_t)(some == 1 ? Frama_C_interval(1, DIGITS * UTET_QUERY_LIMBS - 1)
                                                            : some / 2 * DIGITS * UTET_QUERY_LIMBS);
    query.shared.work.decimal.written = (uint32_t)Frama_C_long_interval(0, 10 * MOST_WRITTEN - 1);
}

/* Any number, its point between two limbs. */
static void any_limbs(int used)
{
    any_digits(1);
    query.shared.work.decimal.used = (uint8_t)used;
    query.shared.work.decimal.exponent = Frama_C_interval(-LEAST_EXPONENT / DIGITS, LEAST_EXPONENT / DIGITS + 1);
}

#if EVA_PART == 1
void eva_main(void)
{
    const int some = Frama_C_interval_split(0, 2);

    any_digits(some);
    (void)utet_query_decimal_take(&query.shared.work.decimal, (uint8_t)Frama_C_interval(0, 255));
    /*@ assert digits: query.shared.work.decimal.digits <= 9 * 90; */
    /*@ assert written: query.shared.work.decimal.written < 1000000000; */
    any_digits(some);
    align_limbs(&query.shared.work.decimal);
    /*@ assert used: query.shared.work.decimal.used <= 90; */
    /*@ assert exponent: -250 <= query.shared.work.decimal.exponent <= 250; */
    if (some != 0)
        return;
    any_limbs(Frama_C_interval(0, UTET_QUERY_LIMBS));
    shift_down(&query.shared.work.decimal, (unsigned)Frama_C_interval(1, 28));
    /*@ assert used: query.shared.work.decimal.used <= 90; */
    any_limbs(Frama_C_interval_split(0, UTET_QUERY_LIMBS));
    shift_up(&query.shared.work.decimal, (unsigned)Frama_C_interval(1, 28));
    /*@ assert used: query.shared.work.decimal.used <= 90; */
}
#else
static double any_double(void)
{
    double value;

    Frama_C_make_unknown((char *)&value, sizeof value);
    return value;
}

void eva_main(void)
{
    utet_query_value value;
    double out = any_double();

    any_limbs(Frama_C_interval(0, UTET_QUERY_LIMBS));
    (void)query_number_rounded(&query.shared.work.decimal, 0);
    Frama_C_make_unknown((char *)&value, sizeof value);
    Frama_C_make_unknown((char *)&query.priv.json, sizeof query.priv.json);
    any_digits(1);
    query.priv.in_number = (uint8_t)Frama_C_interval(0, 1);
    query.priv.file = &document;
    grants = 1;
    (void)utet_query_double(&query, &value, &out);
    (void)utet_query_less(out, any_double());
}
#endif
#endif

#if EVA_PART >= 3 && EVA_PART <= 6
/* Parts 2 and 7 prove them. */
/*@ requires \valid(out);
    assigns \result, *out, query->priv.json.next, query->priv.in_number \from *value; */
utet_status utet_query_double(utet_query *query, const utet_query_value *value, double *out);
/*@ requires length <= 32 && (length != 0 ==> \valid(buffer + (0 .. length - 1)));
    assigns \result, buffer[0 .. 31], query->priv.json.next, query->priv.in_number, query->priv.done \from place; */
utet_status utet_query_copy(utet_query *query, uint32_t place, uint32_t length, char *buffer);

#if EVA_PART != 6
/*@ requires *count <= 8;
    assigns \result, axes[0 .. 7], *count, query->shared.item, query->priv.items, query->priv.index, query->priv.next,
            query->priv.inside, query->fault.reason, query->fault.text, query->priv.json \from query->shared.item;
    ensures *count <= 8 && query->fault.reason < QUERY_REASONS;
    ensures query->priv.json.head_length <= 32 && query->priv.json.depth <= 256; */
utet_status utet_query_axis_list(utet_query *query, utet_query_text_at *axes, uint8_t *count);
#endif

/* The tables have 41 keys (operation), 15 words (bins), 9 methods (center), and at most 8 keys. No key is as long as a
 * head, so that no byte after a head is read: what follows it in the document's object does not matter. */
/*@ requires \valid_read(text + (0 .. 31));
    assigns \result \from keys[0 ..], text[0 .. 31], length;
    ensures \result <= 40 || \result == 255;
    ensures keys[0] == 'b' && keys[1] == 'i' ==> \result <= 14 || \result == 255;
    ensures keys[0] == 'c' ==> \result <= 8 || \result == 255;
    ensures keys[0] != 'o' && keys[0] != 'c' && !(keys[0] == 'b' && keys[1] == 'i')
            ==> \result <= 7 || \result == 255; */
unsigned utet_query_which(query_keys keys, const char *text, uint32_t length);

#if EVA_PART == 6
/* Parts 3 to 5 prove it. */
utet_status utet_query_entry(utet_query *of, int begun)
{
    (void)begun;
    Frama_C_make_unknown((char *)&of->shared.item, sizeof of->shared.item);
    any_kind(&of->shared.item);
    any_json(&of->priv.json);
    of->priv.next = any32();
    of->priv.inside = (uint8_t)any32();
    return granted();
}

#include "query/query_text.c"

/* One more entry, of any number of axes so far. A counted axis has at most 32 bytes. */
void eva_main(void)
{
    const int count = Frama_C_interval_split(0, UTET_MAX_NDIM);
    int i;

    any_query(UTET_QUERY_SLOTS - 1);
    grants = 1;
    query.keys_count = (uint8_t)count;
    for (i = 0; i < count; i++)
        query.keys[i].length = (uint8_t)Frama_C_interval(0, UTET_QUERY_TOKEN);
    (void)utet_query_axis_list(&query, query.keys, &query.keys_count);
    check_query(UTET_QUERY_SLOTS - 1);
    for (i = 0; i < query.keys_count; i++) {
        /*@ assert counted: query.keys[i].length <= 32; */
    }
}
#else
#include "query/query_scan.c"
#include "query/query_text.c"

static const utet_query_option *const *listed; /* the options of each document */

/* One stage of a document in any state, which keeps the promises of any_query. */
static void stage(utet_status (*of)(utet_query *), unsigned last_key)
{
    any_query(last_key);
    query.priv.options = Frama_C_interval(0, 1) ? listed : NULL;
    grants = 2;
    (void)of(&query);
    check_query(last_key);
}

#define LAST_SLOT (UTET_QUERY_SLOTS - 1u)
#define LAST_TOP (TOP_REDUCTION + (unsigned)UTET_QUERY_TRANSFORM)

#if EVA_PART == 3
/* Query 11 proves it. */
/*@ assigns \result, query->fault.reason, query->fault.word, query->fault.number[0], query->priv.kept,
            query->priv.next, query->priv.step \from query->priv.json;
    ensures query->fault.reason < QUERY_REASONS && query->priv.step <= 4; */
static utet_status bad_syntax(utet_query *query);
#include "query/query_open.c"
#include "query/query_execution.c"
#include "query/query_refuse.c"
/* Query 10 proves it. */
/*@ assigns \result \from keys; */
static const char *least_name(uint64_t keys);
#include "query/query_pipeline.c"
#include "query/query_validate.c"

static const utet_query_option *const options[] = {&utet_query_option_write, &utet_query_option_pipeline, NULL};

void eva_main(void)
{
    listed = options;
    stage(utet_query_syntax, LAST_SLOT);
    stage(query_open_keys, LAST_TOP);
    stage(read_execution, LAST_SLOT);
    stage(read_pipeline, LAST_TOP);
    stage(read_spill, LAST_SLOT);
    stage(read_write, LAST_SLOT);
    stage(utet_query_validate, LAST_SLOT);
    any_query(LAST_SLOT);
    query.priv.options = Frama_C_interval(0, 1) ? listed : NULL;
    (void)utet_query_find_option(&query, (unsigned)Frama_C_interval(0, UTET_QUERY_TOPS - 1));
    (void)utet_query_refuse_numbers(&query, (unsigned)Frama_C_interval(1, QUERY_REASONS - 1), any64(), any64());
}
#endif
#if EVA_PART == 4
#include "query/query_parts.c"
#include "query/query_window.c"

void eva_main(void)
{
    stage(utet_query_selection, LAST_SLOT);
    stage(utet_query_filter, LAST_SLOT);
    stage(read_label_filter, LAST_SLOT);
    stage(read_group_by, LAST_SLOT);
    stage(read_window, LAST_SLOT);
    stage(read_align, LAST_SLOT);
}
#elif EVA_PART == 5
#include "query/query_reduce.c"
#include "query/query_method.c"
#include "query/query_matrix.c"

static const utet_query_option *const options[] = {&utet_query_option_covariance, &utet_query_option_correlation,
                                                   &utet_query_option_transform, NULL};

void eva_main(void)
{
    listed = options;
    stage(utet_query_reduction, LAST_SLOT);
    use_text(utet_query_method_name((uint8_t)any32()));
}
#endif
#endif
#endif

#if EVA_PART == 7
#include "query/query_scan.c"
#include "query/query_text.c"

/* Texts, in parts of any length; the window has any number of their bytes. */
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
    any_query(UTET_QUERY_SLOTS - 1);
    query.priv.file = Frama_C_interval(0, 1) ? NULL : &document;
    document.priv.owner = Frama_C_interval(0, 1) ? NULL : &query;
    document.priv.busy = (uint8_t)any32();
    query.priv.done = (uint32_t)Frama_C_interval(0, sizeof to);
    grants = 1;
    (void)utet_query_text(&query, &text, any32(), to, sizeof to, &got);
    /*@ assert put: query.priv.done <= 32; */
    (void)utet_query_which(utet_query_top, query.shared.work.scan.head, any32());
    (void)utet_query_which(scan_words, query.shared.work.scan.head, any32());
    use_text(utet_query_name((uint8_t)any32()));
}
#endif

#if EVA_PART == 8 || EVA_PART >= 12
/* Texts of the file, in parts. */
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

/* The messages of the reasons (reasons.h); query 7 proves how a table's key is found. */
const char *utet_query_key_name(query_keys keys, unsigned key)
{
    static const char *const words_of[] = {
#define REASON(name, words) words,
#include "query/reasons.h"
#undef REASON
    };

    (void)keys;
    return words_of[key];
}

/*@ assigns \result \from value; */
uint64_t utet_fold_bits(double value);

/* What it prints (query_digits.c): digits with a point among them, and then no 0 at the end, or .0 after them; or one
 * digit, or several with a point after the first, and an exponent with its sign. */
static int figures = 2, point = 1, exponents, negative, small;

unsigned utet_query_shortest(uint64_t bits, char *text)
{
    unsigned length = 0;
    int i;

    (void)bits;
    if (negative)
        text[length++] = '-';
    for (i = 0; i < figures; i++) {
        if (i == point)
            text[length++] = '.';
        text[length++] = (char)Frama_C_interval(i >= point && i == figures - 1 ? '1' : '0', '9');
    }
    if (exponents == 0 && figures == point) {
        text[length++] = '.';
        text[length++] = '0';
    }
    if (exponents != 0) {
        text[length++] = 'e';
        text[length++] = small ? '-' : '+';
        for (i = 0; i < exponents; i++)
            text[length++] = (char)Frama_C_interval('0', '9');
    }
    return length;
}

#include "eva_over.h"
#include "query/query_message.c"
#if EVA_PART == 8
/* Part 13 proves it. */
/*@ assigns to->query->priv.done, to->query->priv.asked \from value;
    ensures to->query->priv.done <= 8; */
static void put_double(const sink *to, double value, int pointed);
#endif
#if EVA_PART == 12
/* Part 8 proves both. */
/*@ assigns to->query->priv.done, to->query->priv.asked \from byte;
    ensures to->query->priv.done <= 8; */
static void message_put(const sink *to, char byte);
/*@ assigns \result, to->query->priv.done, to->query->priv.asked, to->query->priv.index, to->query->priv.items
            \from which;
    ensures to->query->priv.done <= 8; */
static utet_status put_part(const sink *to, char which);
#endif
/*@ assigns query->priv.json \from place;
    ensures query->priv.json.head_length <= 32 && query->priv.json.depth <= 256; */
void utet_query_at(utet_query *query, uint32_t place, uint8_t bracket, int begun);

static utet_query_plan plan;
static utet_meta meta;
static utet_file other;
static char to[8];

/* A message that is being written. A call that refuses a document sets the values for the message. */
static void any_message(void)
{
    any_query(UTET_QUERY_SLOTS - 1);
    Frama_C_make_unknown((char *)&plan, sizeof plan);
    plan.priv.meta = &meta;
    plan.priv.binding = &query.shared.of.binding;
    meta.priv.file = &other;
    other.priv.busy = (uint8_t)any32();
    query.priv.opened = 1;
    query.priv.plan = &plan;
    query.priv.done = (uint32_t)Frama_C_interval(0, sizeof to);
    query.fault.word = "word";
    document.priv.owner = &query;
    document.priv.busy = UTET_CALL_QUERY_MESSAGE;
    grants = 1;
}

#if EVA_PART == 8
/* The part of a message for a letter after a $. */
void eva_main(void)
{
    static const char letters[] = "nmiwpxyzadfkq";
    const int letter = Frama_C_interval_split(0, sizeof letters - 2);
    const sink any = {&query, to, sizeof to};

    any_message();
    (void)put_part(&any, letters[letter]);
    /*@ assert put: query.priv.done <= 8; */
}
#elif EVA_PART == 13
/* Doubles of each shape. */
void eva_main(void)
{
    static const uint8_t numbers[] = {1, 2, 17};
    const sink any = {&query, to, sizeof to};

    any_message();
    figures = numbers[Frama_C_interval_split(0, sizeof numbers - 1)];
    point = Frama_C_interval_split(0, 1) ? figures : 1;
    exponents = Frama_C_interval_split(0, 3);
    negative = Frama_C_interval_split(0, 1);
    small = Frama_C_interval_split(0, 1);
    if (exponents == 0 ? !small : point == 1)
        put_double(&any, 0, Frama_C_interval_split(0, 1));
    /*@ assert put: query.priv.done <= 8; */
}
#else
/* The message of each reason, from its beginning on, as far as `to` has room, or until a part is missing. */
void eva_main(void)
{
    size_t got;

    any_message();
    query.fault.reason = (uint8_t)Frama_C_interval_split(0, QUERY_REASONS - 1);
    if (query.fault.reason == QUERY_EOF || query.fault.reason == QUERY_SYNTAX)
        query.fault.number[2] = (uint64_t)Frama_C_interval_split(0, QUERY_SYNTAXES - 1);
    query.priv.said = 0;
    (void)utet_query_message(&query, 0, to, sizeof to, &got);
}
#endif
#endif

#if EVA_PART == 9
/* The stages succeed, return "not yet" or refuse; query 3 to 5 analyse them. */
#define STAGE(name)                  \
    utet_status name(utet_query *of) \
    {                                \
        (void)of;                    \
        return granted();            \
    }
STAGE(utet_query_selection)
STAGE(utet_query_filter)
STAGE(utet_query_reduction)
STAGE(utet_query_validate)
STAGE(read_option)

static const utet_query_option option = {TOP_WINDOW, read_option, NULL};
static const utet_query_option *const listed[] = {&option, NULL};

/* Query 3 proves it. */
const utet_query_option *utet_query_find_option(const utet_query *of, unsigned key)
{
    (void)of;
    (void)key;
    return Frama_C_interval(0, 1) ? &option : NULL;
}

/* The functions of the same file, as contracts: those that refuse set a reason. */
/*@ assigns \result, query->fault.reason \from query->priv.step;
    ensures query->fault.reason < QUERY_REASONS; */
utet_status utet_query_syntax(utet_query *query);
/*@ assigns \result, query->fault.reason \from query->priv.step;
    ensures query->fault.reason < QUERY_REASONS; */
static utet_status query_open_keys(utet_query *query);
#include "query/query_open.c"
#include "query/query_refuse.c"

/* A document that is being opened, and each stage of one whose opening was suspended. */
void eva_main(void)
{
    const int stage = Frama_C_interval_split(-1, STAGE_END);

    any_query(UTET_QUERY_SLOTS - 1);
    grants = 2;
    document.priv.state = (uint8_t)any32();
    document.priv.owner = Frama_C_interval(0, 1) ? &query : NULL;
    document.priv.busy = (uint8_t)Frama_C_interval(0, UTET_CALL_QUERY_OPEN - 1);
    if (stage >= 0) {
        document.priv.busy = UTET_CALL_QUERY_OPEN;
        query.priv.stage = (uint8_t)stage;
    }
    (void)utet_query_open(&query, &document, Frama_C_interval(0, 1) ? listed : NULL);
    check_query(UTET_QUERY_SLOTS - 1);
}
#endif

#if EVA_PART == 10
#include "query/query_scan.c"

#include "query/query_pipeline.c"

/* Any of the keys that a document has, at least one; all names differ. */
void eva_main(void)
{
    const uint64_t keys = any64() & ((BIT(TOP_REDUCTION + UTET_QUERY_TRANSFORM + 1)) - 1);

    if (keys != 0)
        use_text(least_name(keys));
}
#endif

#if EVA_PART == 11
/* Json 1 shows it. */
/*@ requires \valid_read(at + (0 .. 3)) && \initialized(at + (0 .. 3));
    assigns \result \from at[0 .. 3]; */
uint32_t utet_json_hex4(const uint8_t *at);
#include "query/query_open.c"
#include "query/query_refuse.c"

/* A fault of the syntax, before each number of bytes. */
void eva_main(void)
{
    const int rest = Frama_C_interval_split(0, 13);

    any_query(UTET_QUERY_SLOTS - 1);
    grants = 1;
    query.priv.json.next = query.priv.json.token_start = 100;
    query.priv.json.end = 100 + (uint32_t)rest;
    if (rest == 0)
        query.shared.of.reading.slot[0].word = 1; /* it has ended too early */
    (void)bad_syntax(&query);
    check_query(UTET_QUERY_SLOTS - 1);
}
#endif
