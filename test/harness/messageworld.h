/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of messages and of CBOR share: a message that they write, opened. */
#ifndef MESSAGEWORLD_H
#define MESSAGEWORLD_H

#include "rig.h"
#include "suite.h"
#include "tgmgen.h"
#include "utet_tensogram_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tgmgen made;

static rig r;

/* Opens the message in `made`. slow: the port delivers a byte at a time, each after a "not yet". */
static inline void open_made(int slow)
{
    rig_make(&r, made.bytes, made.size, -1);
    r.port.slice = slow ? 1 : SLICE_ALL;
    r.port.blocks = slow ? 1 : 0;
    rig_start(&r, UTET_WINDOW_LEAST(1), GUARD_AFTER);
    assert_int_equal(utet_messages_open(&r.file, NULL), UTET_OK);
}

static const char *const fields[] = {"\"type\":\"ntensor\"",  "\"ndim\":1",          "\"shape\":[4]",
                                     "\"strides\":[1]",       "\"dtype\":\"uint8\"", "\"byte_order\":\"little\"",
                                     "\"encoding\":\"none\"", "\"filter\":\"none\"", "\"compression\":\"none\""};

/* A descriptor of four bytes; parts of `more`, separated by ';', replace the fields with the same keys, or are
 * appended. */
static inline void descriptor(char *to, const char *more)
{
    char part[600], parts[1000];
    size_t i;
    char *p;

    strcpy(to, "{");
    for (i = 0; i < 9; i++) {
        const size_t key = strcspn(fields[i], ":") + 1;
        int replaced = 0;

        strcpy(parts, more);
        for (p = strtok(parts, ";"); p != NULL; p = strtok(NULL, ";"))
            replaced |= strncmp(p, fields[i], key) == 0;
        if (!replaced)
            snprintf(to + strlen(to), 600, "%s,", fields[i]);
    }
    strcpy(parts, more);
    for (p = strtok(parts, ";"); p != NULL; p = strtok(NULL, ";")) {
        snprintf(part, sizeof part, "%s,", p[0] == '!' ? "" : p);
        strcat(to, p[0] == '!' ? "" : part);
    }
    if (to[strlen(to) - 1] == ',')
        to[strlen(to) - 1] = '\0';
    strcat(to, "}");
}

/* ---- metadata ---- */

static const struct document {
    const char *header;   /* content of the header frame */
    const char *preceder; /* content of the tensor's preceder frame, or null */
    utet_status status;   /* expected status of opening */
    const char *path;     /* path to look up afterwards */
    int64_t found;        /* expected number; -1: nothing is found */
} documents[] = {
    {"{}", NULL, UTET_OK, "a", -1},
    {"{\"base\":[{\"a\":1}],\"_extra_\":{\"a\":2,\"b\":3},\"c\":4}", NULL, UTET_OK, "a", 1},
    {"{\"base\":[{\"a\":1}],\"_extra_\":{\"a\":2,\"b\":3},\"c\":4}", NULL, UTET_OK, "b", 3},
    {"{\"base\":[{\"a\":1}],\"_extra_\":{\"a\":2,\"b\":3},\"c\":4}", NULL, UTET_OK, "c", 4},
    {"{\"base\":[{\"a\":1}],\"_extra_\":{\"a\":2,\"b\":3},\"c\":4}", NULL, UTET_OK, "_extra_", -1},
    {"{\"base\":[{\"a\":1}],\"_extra_\":{\"a\":2,\"b\":3},\"c\":4}", NULL, UTET_OK, "base", -1},
    {"{\"base\":[{\"a\":1,\"_reserved_\":{\"b\":1}}],\"_reserved_\":{\"b\":2},\"c\":4}", NULL, UTET_OK, "_reserved_.b",
     -1},
    {"{\"base\":[{\"a\":{\"b\":{\"c\":7}}}]}", NULL, UTET_OK, "a.b.c", 7},
    {"{\"base\":[{\"a\":{\"b\":7}}]}", NULL, UTET_OK, "a.b.c", -1},
    {"{\"base\":[{\"a\":1}]}", "{\"base\":[{\"a\":9}]}", UTET_OK, "a", 9},
    {"{\"base\":[{\"a\":{\"b\":1}}],\"b\":3}", "{\"base\":[{\"a\":{\"c\":9}}]}", UTET_OK, "a.b", -1},
    {"{\"base\":[{\"d\":1}]}", "{\"base\":[{\"a\":9}]}", UTET_OK, "d", 1},
    {"{\"a key of forty bytes, longer than a head\":5}", NULL, UTET_OK, "a key of forty bytes, longer than a head", 5},
    {"{\"a key of forty bytes, longer than a head\":5}", NULL, UTET_OK, "a key of forty bytes, longer than a tail", -1},
    {"{\"a key of forty bytes, longer than a head\":5,\"_extra_\":{\"a key of forty bytes, longer than a head\":5}}",
     NULL, UTET_E_METADATA, NULL, 0},
    {"{\"a key of forty bytes, longer than a head\":5,\"_extra_\":{\"a key of forty bytes, longer than a tail\":6}}",
     NULL, UTET_OK, "a key of forty bytes, longer than a tail", 6},
    {"{\"k\":5,\"_extra_\":{\"k\":6}}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"k\":5,\"_extra_\":{7:6}}", NULL, UTET_OK, "k", 5},
    {"[]", NULL, UTET_E_METADATA, NULL, 0},
    {"{7:7}", NULL, UTET_E_METADATA, NULL, 0},
    {"{}{}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"base\":{}}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"base\":[7]}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"base\":[{},{}]}", NULL, UTET_E_METADATA, NULL, 0}, /* more entries than tensors */
    {"{\"base\":[],\"base\":[]}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"_extra_\":[]}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"_reserved_\":7}", NULL, UTET_E_METADATA, NULL, 0},
    {"{\"_extra_\":{},\"_extra_\":{}}", NULL, UTET_E_METADATA, NULL, 0},
    {"{}", "{\"base\":[]}", UTET_E_METADATA, NULL, 0},
    {"{}", "{\"base\":[{},{}]}", UTET_E_METADATA, NULL, 0},
    {"{}", "{}", UTET_E_METADATA, NULL, 0},
    {"{}", "7", UTET_E_METADATA, NULL, 0},
};

static inline void make_message(const char *header, const char *preceder)
{
    char text[600];

    descriptor(text, "");
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, header);
    if (preceder != NULL)
        tgmgen_frame(&made, UTET_FRAME_PRECEDER, preceder);
    tgmgen_tensor(&made, text, 4, 0);
    tgmgen_end(&made);
}

#endif
