/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files of this package. A document is judged in stages, one for each key that the reference knows; a
 * stage goes to the value, reads its members into slots, and then judges them without reading. query->priv.stage and
 * step say where a suspended call continues. Internal to the library.
 */
#ifndef UTET_QUERY_INNER_H
#define UTET_QUERY_INNER_H

#include "../tet/json/json.h"
#include "utet_query.h"

/* file->priv.busy: 0x3C to 0x4F. The first three on the file of the document; binding and the response on both files.
 */
enum {
    UTET_CALL_QUERY_OPEN = 0x3C,
    UTET_CALL_QUERY_TEXT,
    UTET_CALL_QUERY_MESSAGE,
    UTET_CALL_QUERY_BIND,
    UTET_CALL_QUERY_TOUCHED,
    UTET_CALL_QUERY_SKIP,
    UTET_CALL_QUERY_ANSWER_NEED,
    UTET_CALL_QUERY_ANSWER_OPEN,
    UTET_CALL_QUERY_ANSWER_SKIP,
    UTET_CALL_QUERY_ANSWER_NEXT = 0x3C | UTET_CALL_WORKSPACE,
    UTET_CALL_QUERY_RESPOND
};

/* ---- values (query_scan.c) ---- */

enum { QUERY_ABSENT = 255 }; /* value.kind; 0 is null */
enum { QUERY_NO_KEY = 255 };

/* Keys of an object, each ended by a 0. */
typedef const char *query_keys;

/* Keys of the document itself; the first are in the order in which the reference judges them. */
enum {
    TOP_OPERATION,
    TOP_OUTPUT,
    TOP_DATASET,
    TOP_LAYOUT_VERSION,
    TOP_EXECUTION,
    TOP_PIPELINE,
    TOP_SELECTION,
    TOP_FILTER,
    TOP_LABEL_FILTER,
    TOP_GROUP_BY,
    TOP_WINDOW,
    TOP_ALIGN,
    TOP_SPILL,
    TOP_WRITE,
    TOP_REDUCTION, /* one of those below; its key is also TOP_REDUCTION + its UTET_QUERY_ number */
    TOP_SELECT = TOP_REDUCTION
};

/* All of an object's keys, for utet_query_members. */
#define QUERY_ALL_KEYS(count) (((uint64_t)1 << (count)) - 1u)

/* The keys that are optional, one bit each. Covariance and all reductions after it are optional as well. */
#define QUERY_OPTIONAL_KEYS                                                                                          \
    ((uint32_t)1 << TOP_EXECUTION | (uint32_t)1 << TOP_PIPELINE | (uint32_t)1 << TOP_LABEL_FILTER |                  \
     (uint32_t)1 << TOP_GROUP_BY | (uint32_t)1 << TOP_WINDOW | (uint32_t)1 << TOP_ALIGN | (uint32_t)1 << TOP_SPILL | \
     (uint32_t)1 << TOP_WRITE)

extern const char utet_query_top[];
const char *utet_query_key_name(query_keys keys, unsigned key);
/* Number of a key or word; QUERY_NO_KEY: it is none of them. */
unsigned utet_query_which(query_keys keys, const char *text, uint32_t length);

/* Starts over at a position of the document. */
void utet_query_at(utet_query *query, uint32_t place, uint8_t bracket, int begun);
/*
 * Members of the object at `value` into reading.slot by their number in `keys`, or with utet_query_top into
 * reading.top, where `allowed` has a bit for each key that may be there. An absent key has QUERY_ABSENT.
 * work.scan.seen: keys that came, priv.items: how many different ones; work.scan.unknown: the first key in sorted order
 * that is not allowed; 0: none.
 */
utet_status utet_query_members(utet_query *query, const utet_query_value *value, query_keys keys, uint64_t allowed);
/* The next entry of a list into shared.item; priv.next is its position, at first after the bracket, then the caller
 * leaves it. `begun`: it is not the first one. UTET_END: there is none. */
utet_status utet_query_entry(utet_query *query, int begun);
int utet_query_has_unknown(const utet_query *query);

/* value.word, of a text */
enum {
    QUERY_WORD_BINS,
    QUERY_WORD_ROLLING,
    QUERY_WORD_TUMBLING,
    QUERY_WORD_SLIDING,
    QUERY_WORD_NONE,
    QUERY_WORD_ZERO,
    QUERY_WORD_NAN,
    QUERY_WORD_FILL,
    QUERY_WORD_START,
    QUERY_WORD_END,
    QUERY_WORD_LABELS,
    QUERY_WORD_SWITCH,
    QUERY_WORD_SPILL,
    QUERY_WORD_SIDECAR,
    QUERY_WORD_RAM,
    QUERY_WORD_BLANK
};

/* ---- numbers (query_number.c) ---- */

/* Reads a number, rounded to the nearest double, ties to even; UTET_E_METADATA: it is too large for a double. */
utet_status utet_query_double(utet_query *query, const utet_query_value *value, double *out);
/* a < b, of numbers. By integers, so that no floating point is linked for it. */
int utet_query_less(double a, double b);

/* An optional key: what reads its value, and what binds it to a file, or NULL. For a reduction, `read` comes after its
 * axes and parameters, which all reductions share. */
struct utet_query_option {
    uint32_t key; /* TOP_…, or TOP_REDUCTION + UTET_QUERY_… */
    utet_status (*read)(utet_query *query);
    utet_status (*bind)(utet_query_plan *plan);
};

/* The calls of utet_fold.h that compute a matrix: utet_query.priv.matrix, which its option sets. */
struct utet_query_matrix {
    utet_status (*need)(utet_fold_matrix *matrix, utet_file *file, const utet_fold_variables *variables);
    utet_status (*open)(utet_fold_matrix *matrix, utet_file *file, const utet_fold_variables *variables);
    utet_status (*pieces)(utet_fold_matrix *matrix, size_t size);
    utet_status (*run)(utet_fold_matrix *matrix, double *results, size_t size);
};

/* The option for a key that the document has; NULL: the list has none (query_scan.c). */
const utet_query_option *utet_query_find_option(const utet_query *query, unsigned key);
/* Members of the key's value, which must be an object with no other keys, into reading.slot; all else is refused. */
utet_status utet_query_object(utet_query *query, unsigned key, query_keys keys, unsigned count);

/* Members of the objects that reductions take: numbers of slots. */
enum {
    REDUCE_AXIS,
    REDUCE_AXES,
    REDUCE_Q,
    REDUCE_BINS,
    REDUCE_MIN,
    REDUCE_MAX,
    REDUCE_FILL,
    REDUCE_METHOD,
    REDUCTION_KEYS
};

/* utet_query.has_bounds */
enum { QUERY_HAS_MIN = 1, QUERY_HAS_MAX = 2 };

/* ---- stages ---- each returns UTET_OK when it is through; step is 0 when it begins ---- */

utet_status utet_query_syntax(utet_query *query);
/* The optional keys have stages in their descriptors. These, and the next two, run only if the key has a value. */
utet_status utet_query_selection(utet_query *query);
utet_status utet_query_filter(utet_query *query);
utet_status utet_query_reduction(utet_query *query);
utet_status utet_query_validate(utet_query *query);

/* Compares two texts of the same length. */
utet_status utet_query_same_text(utet_query *query, const utet_query_text_at *a, const utet_query_text_at *b,
                                 uint8_t *same);

/* ---- texts and axes (query_text.c) ---- */

/* Reads the next character of a text, which has at most `most` bytes. */
utet_status utet_query_character(utet_query *query, uint32_t most, utet_character *one);
/* Copies a text of `length` bytes from a position of the document into `buffer`. */
utet_status utet_query_copy(utet_query *query, uint32_t place, uint32_t length, char *buffer);
/* Public calls on an open or refused document. */
utet_status utet_query_enter(utet_query *query, uint8_t call, uint32_t from);
void utet_query_text_begin(utet_query *query, const utet_query_text_at *text);
/* One byte of what is asked for. */
static inline void utet_query_put(utet_query *query, char *buffer, size_t size, char byte)
{
    if (query->priv.asked != 0)
        query->priv.asked--;
    else if (query->priv.done < size)
        buffer[query->priv.done++] = byte;
}
/* The bytes of a character of the text that utet_query_text_begin has begun. */
void utet_query_put_character(utet_query *query, char *buffer, size_t size, const utet_character *one);
/* The shortest digits of a finite element, as serde prints them: with .0 after a float that is whole. At most 28
 * bytes, no terminator, in room for UTET_SHOW_SIZE; returns how many (query_digits.c). */
unsigned utet_query_printed(uint32_t dtype, const uint8_t *element, char *text);
/* The same for a double, by its bits. */
unsigned utet_query_shortest(uint64_t bits, char *text);
/* The axis that a number or text names, whose text is then in work.scan.head. */
utet_status utet_query_token(utet_query *query, const utet_query_value *value, utet_query_text_at *axis);
/* Before utet_query_axis_list. */
void utet_query_begin_list(utet_query *query, uint32_t place);
/* The axes of a list, at most 8; priv.items: how many entries it has. */
utet_status utet_query_axis_list(utet_query *query, utet_query_text_at *axes, uint8_t *count);

/* ---- binding ---- each stage continues at plan->priv.step ---- */

enum { QUERY_NO_AXIS = 255 };

/* The frame of a call on both files (query_both.c): utet_enter_over and utet_leave_over on each of them. */
utet_status utet_query_enter_both(utet_file *file, utet_file *document, uint8_t call, const uint8_t inner[2]);
utet_status utet_query_leave_both(utet_file *file, utet_file *document, uint8_t call, uint8_t inner[2],
                                  utet_status status);

/* Compares the texts of two values of the file. */
utet_status utet_query_compare_values(utet_query_plan *plan, const utet_value *left, const utet_value *right,
                                      int *same);
/* Compares a text of the document with a dataset's name. */
utet_status utet_query_compare_name(utet_query_plan *plan, const utet_query_text_at *text, const utet_dataset *dataset,
                                    int *same);
/* The record whose name the document has; UTET_E_NOT_FOUND. */
utet_status utet_query_find(utet_query_plan *plan, const utet_query_text_at *name, utet_dataset *dataset);
/* Finds the axis that a token means, or refuses the token. */
utet_status utet_query_resolve(utet_query_plan *plan, const utet_dataset_meta *about, const utet_query_text_at *token,
                               uint8_t *axis);
/* The first entry of of.label.labels that equals the text into of.label.found, or UINT64_MAX. With a table, all entries
 * are read, and it gets UTET_FOLD_LEFT_OUT for selected indices with other labels. */
utet_status utet_query_find_label(utet_query_plan *plan, const utet_query_text_at *text);
/* Converts an index of the axis into one of the selection; UINT64_MAX: it is not selected. */
uint64_t utet_query_selected_place(const utet_range *range, uint64_t index);
/* Finds the list of an axis's labels, which must have one for each index. `reason` says why the document is refused if
 * the dataset has no labels, and the next reason if only the axis has none. */
utet_status utet_query_axis_labels(utet_query_plan *plan, unsigned axis, utet_value *labels, unsigned reason);
/* Assigns memory for the selected indices of the axis. */
utet_status utet_query_take_table(utet_query_plan *plan, unsigned axis, uint32_t **table);

utet_status utet_query_bind_align(utet_query_plan *plan);
/* Returns nonzero if the footer names each axis of the dataset. */
int utet_query_is_named(const utet_dataset_meta *about);
utet_status utet_query_bind_fill(utet_query_plan *plan);
utet_status utet_query_bind_selection(utet_query_plan *plan);
utet_status utet_query_bind_label_filter(utet_query_plan *plan);
utet_status utet_query_bind_groups(utet_query_plan *plan);

/* Digits of a number that comes in pieces, for utet_query_decimal_end. */
void utet_query_decimal_begin(utet_query_decimal *decimal);
int utet_query_decimal_take(utet_query_decimal *decimal, uint8_t byte);
uint64_t utet_query_decimal_end(utet_query_decimal *decimal, unsigned negative);
/* The rest of the last number for utet_fold_request.fill_rest: no integer has a fraction. */
static inline int16_t utet_query_fill_rest(const utet_query *query)
{
    return (int16_t)(query->shared.work.decimal.fraction != 0 ? INT16_MAX : query->shared.work.decimal.rest);
}

/* ---- faults ---- */

enum {
    QUERY_FINE,
#define REASON(name, words) QUERY_##name,
#include "reasons.h"
#undef REASON
    QUERY_REASONS
};

/* fault.number[2]: the kind of syntax error. */
enum {
#define SYNTAX(name, words) SYNTAX_##name,
#include "reasons.h"
#undef SYNTAX
    QUERY_SYNTAXES
};

/* Refuses the document. */
utet_status utet_query_refuse(utet_query *query, unsigned reason);
utet_status utet_query_refuse_word(utet_query *query, unsigned reason, const char *word);
utet_status utet_query_refuse_text(utet_query *query, unsigned reason, const utet_query_value *text);
utet_status utet_query_refuse_number(utet_query *query, unsigned reason, uint64_t number);
utet_status utet_query_refuse_numbers(utet_query *query, unsigned reason, uint64_t first, uint64_t second);
/* The key in work.scan.unknown. */
utet_status utet_query_refuse_unknown(utet_query *query, unsigned reason);

static inline int utet_query_is(const utet_query_value *value)
{
    return value->kind != QUERY_ABSENT;
}
/* The first selected index that is not before the tile. */
static inline uint64_t utet_query_place_from(uint64_t start, uint64_t step, uint64_t extent, uint64_t tile)
{
    const uint64_t place = utet_mul(tile, extent);

    return place <= start ? start : start + utet_div_up(place - start, step) * step;
}
static inline uint32_t query_text_length(const utet_query_value *text)
{
    return (uint32_t)text->number;
}
static inline utet_query_text_at query_text_of(const utet_query_value *text)
{
    utet_query_text_at at;

    at.place = text->place;
    at.length = query_text_length(text);
    return at;
}
static inline int utet_query_is_whole(const utet_query_value *value)
{
    return value->kind == UTET_VALUE_NUMBER && !value->negative && !value->inexact;
}

#endif
