/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the programs of the packages share: the input in memory, as a port with `map`. */
#ifndef PACKAGES_INPUT_H
#define PACKAGES_INPUT_H

#include "utet_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t input[1 << 16];
static utet_io io = {NULL, NULL, NULL, input, 0, 1, 1, 0, 0};

static inline void read_input(void)
{
    io.size = fread(input, 1, sizeof input, stdin);
}

/* Ends the program with the reason if a status is not UTET_OK. */
static inline void expect_ok(int status, const char *call)
{
    if (status != UTET_OK) {
        fprintf(stderr, "%s: %d\n", call, status);
        exit(1);
    }
}
#define OK(call) expect_ok((call), #call)

#endif
