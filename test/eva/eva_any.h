/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Numbers that EVA takes for any value. Each harness of this folder includes this file once. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "__fc_builtin.h"

static uint64_t any64(void)
{
    uint64_t value;

    Frama_C_make_unknown((char *)&value, sizeof value);
    return value;
}

static uint32_t any32(void)
{
    uint32_t value;

    Frama_C_make_unknown((char *)&value, sizeof value);
    return value;
}

/* Arguments that a suspended call may keep, by utet.h. The call that repeats it later must find them unchanged: a
 * contract keeps them, and the harness uses them when the complete call has returned. */
static const volatile void *kept_argument, *volatile used_argument;

static void use_kept(void)
{
    used_argument = kept_argument;
    kept_argument = NULL;
}

static void use_byte(const uint8_t *at)
{
    static volatile uint8_t byte;

    byte = *at;
}

/* Reads each byte of a text, up to the 0 that ends it: an alarm if that is outside of every object. */
static void use_text(const char *text)
{
    static volatile size_t length;

    length = strlen(text);
}
