/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Names of files in the folders of an array (§1). */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

enum { ID = 32 };

/* A decimal number that ends at `end`, with its first digit; advances *at to its end. 0 = there is none. */
static int take_number(const char *name, size_t length, size_t *at, uint64_t *number)
{
    const size_t begin = *at;

    *number = 0;
    for (; *at < length && name[*at] >= '0' && name[*at] <= '9'; ++*at)
        *number = utet_add(utet_mul(*number, 10), (uint64_t)(name[*at] - '0'));
    return *at != begin;
}

static int take_underscore(const char *name, size_t length, size_t *at)
{
    return *at < length && name[(*at)++] == '_';
}

static int is_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

utet_status utet_tiledb_name(const char *name, size_t length, utet_tiledb_stamp *stamp)
{
    size_t at = 0;
    size_t i;
    uint64_t version = 0;

    if (!take_underscore(name, length, &at) || !take_underscore(name, length, &at) ||
        !take_number(name, length, &at, &stamp->first) || !take_underscore(name, length, &at) ||
        !take_number(name, length, &at, &stamp->last) || !take_underscore(name, length, &at) || length - at < ID)
        return UTET_E_NOT_FOUND;
    for (i = 0; i < ID; i++)
        if (!is_digit(name[at + i]))
            return UTET_E_NOT_FOUND;
    at += ID;
    if (at != length && (!take_underscore(name, length, &at) || !take_number(name, length, &at, &version) ||
                         at != length || version > UINT32_MAX))
        return UTET_E_NOT_FOUND;
    stamp->version = (uint32_t)version;
    return UTET_OK;
}

#endif
