/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The reference's messages for documents that are refused. */
#include "../base/flash.h"
#include "../fold/fold.h"
#include "query.h"
#include "utet_show.h"

/* All texts, consecutive, each ended by a 0: a table of their addresses would take more flash. */
static const struct {
#define REASON(name, words) char of_##name[sizeof(words)];
#include "reasons.h"
#undef REASON
} messages UTET_FLASH = {
#define REASON(name, words) words,
#include "reasons.h"
#undef REASON
};

static const struct {
#define SYNTAX(name, words) char of_##name[sizeof(words)];
#include "reasons.h"
#undef SYNTAX
} syntax = {
#define SYNTAX(name, words) words,
#include "reasons.h"
#undef SYNTAX
};

/* The text of a reason. */
#ifdef __AVR__
#define MESSAGE_AT message_in_flash
static const char *message_in_flash(query_keys at, unsigned reason)
{
    while (reason != 0)
        reason -= UTET_FLASH_BYTE(at++) == '\0';
    return at;
}
#else
#define MESSAGE_AT utet_query_key_name
#endif

/* The meaning of the letter after a $ in reasons.h. */
enum {
    SAYS_AXIS = 'a',
    SAYS_FILE_LIST = 'd',
    SAYS_FILE_TEXT = 'f',
    SAYS_THIRD_NUMBER = 'i',
    SAYS_TEXT = 'k',
    SAYS_SECOND_NUMBER = 'm',
    SAYS_NUMBER = 'n',
    SAYS_WORD_IF_ANY = 'p',
    SAYS_QUOTED_TEXT = 'q',
    SAYS_SYNTAX = 's',
    SAYS_WORD = 'w',
    SAYS_DOUBLE = 'x',
    SAYS_SECOND_DOUBLE = 'y',
    SAYS_POINTED_DOUBLE = 'z'
};

typedef struct sink {
    utet_query *query;
    char *buffer;
    size_t size;
} sink;

static void message_put(const sink *to, char byte)
{
    utet_query_put(to->query, to->buffer, to->size, byte);
}

static void put_text(const sink *to, const char *text)
{
    while (*text != '\0')
        message_put(to, *text++);
}

UTET_APART static void message_put_number(const sink *to, uint64_t number)
{
    char digits[20];
    const unsigned count = utet_decimals(number, 1, digits);
    unsigned i;

    for (i = 0; i < count; i++)
        message_put(to, digits[i]);
}

/* Shortest digits. `pointed`: with .0 after a whole number and an exponent where show has one, as serde prints; else
 * all zeros are written out. */
static void put_double(const sink *to, double value, int pointed)
{
    char text[UTET_SHOW_SIZE + 2];
    unsigned length = utet_query_shortest(utet_fold_bits(value), text);
    const char *at = text;
    const char *mark = text;
    int exponent = 0;

    if (!pointed && text[length - 1] == '0' && text[length - 2] == '.')
        length -= 2;
    while (mark != text + length && *mark != 'e')
        mark++;
    if (mark == text + length || pointed) {
        for (; at != text + length; at++)
            message_put(to, *at);
        return;
    }
    {
        int less = mark[1] == '-';
        const char *digit;

        for (digit = mark + 2; digit != text + length; digit++)
            exponent = exponent * 10 + (*digit - '0');
        if (*at == '-')
            message_put(to, *at++);
        if (less) {
            put_text(to, "0.");
            while (--exponent > 0)
                message_put(to, '0');
        }
        for (; at < mark; at++) {
            if (*at == '.')
                continue;
            message_put(to, *at);
            exponent--;
        }
        for (; !less && exponent >= 0; exponent--)
            message_put(to, '0');
    }
}

/* Texts of the file that plan->priv.named begins: a list of names, or one text. */
UTET_APART static utet_status put_file_text(const sink *to, int list)
{
    struct utet_query_said_at *const at = &to->query->shared.of.binding.of.said;
    enum { BEGIN, NEXT, PIECE };
    utet_query *query = to->query;
    utet_query_plan *plan = query->priv.plan;

    for (;;) {
        utet_value ignored;
        utet_status status;
        size_t got;
        size_t i;

        if (query->priv.done == to->size) { /* full: another read could be suspended, and the message with it */
            query->priv.index = BEGIN;
            return UTET_OK;
        }
        if (query->priv.index == BEGIN) {
            at->list = plan->priv.named;
            at->item = plan->priv.named;
            query->priv.index = list ? NEXT : PIECE;
            at->count = 0;
        }
        if (query->priv.index == NEXT) {
            status = utet_value_next(plan->priv.meta, &at->list, &ignored, &at->item);
            if (status != UTET_OK) {
                query->priv.index = status == UTET_END ? (uint8_t)BEGIN : query->priv.index;
                return status == UTET_END ? UTET_OK : status;
            }
            put_text(to, at->count++ != 0 ? ", " : "");
            query->priv.index = PIECE;
        }
        status = utet_text_read(plan->priv.meta, &at->item, plan->priv.binding->piece[0],
                                sizeof plan->priv.binding->piece[0], &got);
        if (status != UTET_OK && status != UTET_END)
            return status;
        for (i = 0; status == UTET_OK && i < got; i++)
            message_put(to, plan->priv.binding->piece[0][i]);
        if (status == UTET_END)
            query->priv.index = list ? NEXT : BEGIN;
        if (query->priv.index == BEGIN)
            return UTET_OK;
    }
}

/* The letter after a backslash that represents a byte; 0: the byte represents itself. */
static char message_escaped(uint8_t byte)
{
    switch (byte) {
    case '"':
    case '\\': return (char)byte;
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    default: return 0;
    }
}

/* The rest of a text of the document; `quoted`: as a literal, without its quotes. */
static utet_status message_put_document(const sink *to, int quoted)
{
    utet_query *query = to->query;

    while (query->priv.items != 0 && query->priv.done < to->size) {
        utet_character one;
        utet_status status = utet_query_character(query, query->priv.items, &one);

        if (status != UTET_OK)
            return status;
        if (quoted && message_escaped(one.bytes[0]) != 0) {
            message_put(to, '\\');
            one.bytes[0] = (uint8_t)message_escaped(one.bytes[0]);
        }
        utet_query_put_character(query, to->buffer, to->size, &one);
    }
    return UTET_OK;
}

/* Writes the part of a message that a letter represents. */
static utet_status put_part(const sink *to, char which)
{
    enum { TEXT_BEGIN, TEXT_PIECES };
    utet_query *query = to->query;
    const utet_query_fault *fault = &query->fault;
    utet_status status;

    switch (which) {
    case SAYS_NUMBER: message_put_number(to, fault->number[0]); break;
    case SAYS_SECOND_NUMBER: message_put_number(to, fault->number[1]); break;
    case SAYS_THIRD_NUMBER: message_put_number(to, fault->number[2]); break;
    case SAYS_SYNTAX: put_text(to, utet_query_key_name((const char *)&syntax, (unsigned)fault->number[2])); break;
    case SAYS_WORD: put_text(to, fault->word); break;
    case SAYS_WORD_IF_ANY: put_text(to, fault->word != NULL ? fault->word : ""); break;
    case SAYS_DOUBLE: put_double(to, fault->value[0], 0); break;
    case SAYS_SECOND_DOUBLE: put_double(to, fault->value[1], 0); break;
    case SAYS_POINTED_DOUBLE: put_double(to, fault->value[0], 1); break;
    case SAYS_FILE_LIST:
    case SAYS_FILE_TEXT: return put_file_text(to, which == SAYS_FILE_LIST);
    default: /* SAYS_TEXT, SAYS_QUOTED_TEXT, SAYS_AXIS */
        if (query->priv.index == TEXT_BEGIN) {
            if (which == SAYS_QUOTED_TEXT)
                message_put(to, '"');
            utet_query_text_begin(query, which == SAYS_AXIS ? fault->axis : &fault->text);
            query->priv.index = TEXT_PIECES;
        }
        status = message_put_document(to, which == SAYS_QUOTED_TEXT);
        if (status != UTET_OK)
            return status;
        if (which == SAYS_QUOTED_TEXT)
            message_put(to, '"');
        query->priv.index = TEXT_BEGIN;
    }
    return UTET_OK;
}

static utet_status message_write(const sink *to)
{
    utet_query *query = to->query;
    const unsigned reason = query->fault.reason;
    const char *text = reason != QUERY_FINE ? MESSAGE_AT((const char *)&messages, reason - 1u)
                                            : (const char *)(&messages + 1) - 1; /* the last 0 */

    if (query->priv.said == 0 && reason != QUERY_FINE)
        put_text(to, query->fault.is_syntax ? "invalid query JSON: " : "validation: ");
    for (; UTET_FLASH_BYTE(text + query->priv.said) != '\0' && query->priv.done < to->size; query->priv.said++) {
        if (UTET_FLASH_BYTE(text + query->priv.said) == '$') {
            utet_status status = put_part(to, UTET_FLASH_BYTE(text + query->priv.said + 1));

            if (status != UTET_OK)
                return status;
            query->priv.said++;
        } else {
            message_put(to, UTET_FLASH_BYTE(text + query->priv.said));
        }
    }
    return UTET_OK;
}

/* The file whose metadata the message quotes; NULL: a document that was refused before it was bound. */
static utet_file *other_file(const utet_query *query)
{
    return query->fault.reason != QUERY_FINE && query->priv.plan != NULL ? query->priv.plan->priv.meta->priv.file
                                                                         : NULL;
}

utet_status utet_query_message(utet_query *query, uint32_t from, char *buffer, size_t size, size_t *got)
{
    utet_file *file = other_file(query);
    utet_status status;
    sink to;

    *got = 0;
    if (file != NULL && file->priv.busy != UTET_CALL_NONE && file->priv.busy != UTET_CALL_QUERY_MESSAGE)
        return UTET_E_STATE;
    status = utet_query_enter(query, UTET_CALL_QUERY_MESSAGE, from);
    if (status == UTET_OK)
        status = utet_given(query->priv.file, buffer, size);
    if (status != UTET_OK)
        return status;
    if (file != NULL)
        status = utet_enter_over(file, UTET_CALL_QUERY_MESSAGE, query->priv.plan->priv.inner);
    to.query = query;
    to.buffer = buffer;
    to.size = size;
    if (status == UTET_OK)
        status = message_write(&to);
    if (status == UTET_OK)
        *got = (size_t)query->priv.done;
    if (file != NULL)
        (void)utet_leave_over(file, UTET_CALL_QUERY_MESSAGE, query->priv.plan->priv.inner, status);
    return utet_leave(query->priv.file, status);
}
