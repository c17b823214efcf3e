/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* -w KEY=A/B: messages whose value at KEY is A or B; -w KEY!=A/B: those where it is neither, or where there is none. */
#include "tensogram.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A float in as many digits as it takes, an integer, true, false or null, a text as it is. */
char *item_words(messages *m, const utet_item *item, utet_status *status)
{
    char *text;
    double value;
    int digits;

    *status = UTET_OK;
    if (item->kind == UTET_CBOR_TEXT)
        return messages_text(m, item, status);
    if (item->kind == UTET_CBOR_LIST || item->kind == UTET_CBOR_MAP || item->kind == UTET_CBOR_BYTES)
        return NULL;
    text = malloc(64);
    if (text == NULL) {
        *status = UTET_E_BUDGET;
        return NULL;
    }
    value = utet_item_double(item);
    switch (item->kind) {
    case UTET_CBOR_UNSIGNED: (void)snprintf(text, 64, "%" PRIu64, item->number); break;
    case UTET_CBOR_NEGATIVE:
        (void)snprintf(text, 64, item->number == UINT64_MAX ? "-18446744073709551616" : "-%" PRIu64, item->number + 1);
        break;
    case UTET_CBOR_BOOLEAN: (void)snprintf(text, 64, "%s", item->number != 0 ? "true" : "false"); break;
    case UTET_CBOR_FLOAT:
        for (digits = 1; digits <= 17; digits++) {
            (void)snprintf(text, 64, "%.*g", digits, value);
            if (isnan(value) || (!(strtod(text, NULL) < value) && !(strtod(text, NULL) > value)))
                break;
        }
        break;
    default: (void)snprintf(text, 64, "null"); break;
    }
    return text;
}

/* Whether `text` is one of the values, which slashes separate. */
static int is_among(const char *text, const char *values)
{
    const size_t length = strlen(text);

    for (;;) {
        const size_t some = strcspn(values, "/");

        if (some == length && memcmp(values, text, length) == 0)
            return 1;
        if (values[some] == '\0')
            return 0;
        values += some + 1;
    }
}

static utet_status passes_one(messages *m, const char *where, int *passes)
{
    const char *equals = strchr(where, '=');
    const int negated = equals > where && equals[-1] == '!';
    const size_t length = (size_t)(equals - where) - (size_t)negated;
    utet_item value;
    char *text = NULL;
    utet_status status = utet_metadata_find_dotted(&m->metadata, where, length, &value);

    if (status == UTET_OK)
        text = item_words(m, &value, &status);
    else if (status == UTET_E_NOT_FOUND)
        status = UTET_OK;
    *passes = (text != NULL && is_among(text, equals + 1)) != negated;
    free(text);
    return status;
}

utet_status where_passes(messages *m, const options *opt, int *passes)
{
    utet_status status = UTET_OK;
    int i;

    *passes = 1;
    for (i = 0; i < opt->where_count && *passes && status == UTET_OK; i++)
        status = passes_one(m, opt->where[i], passes);
    return status;
}
