/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensogram messages written for suites: CBOR from a notation like JSON, frames around it. What a writer would never
 * make can be written too: raw bytes stand in the notation as #1c, open lists and maps as _[ and _{.
 */
#ifndef TEST_TGMGEN_H
#define TEST_TGMGEN_H

#include <stddef.h>
#include <stdint.h>

typedef struct tgmgen {
    uint8_t bytes[1u << 16];
    size_t size;
    size_t begin;  /* position of the current message */
    size_t footer; /* position of its first footer frame; 0: none */
} tgmgen;

/* Writes the CBOR of `text` to `to`; returns its length. A text that breaks the notation ends the program. */
size_t tgmgen_cbor(uint8_t *to, const char *text);
/* Begins a message whose header states its length: tgmgen_end fills the length in. */
void tgmgen_begin(tgmgen *g);
/* Writes a frame of CBOR; a frame of raw bytes. */
void tgmgen_frame(tgmgen *g, unsigned type, const char *text);
void tgmgen_bytes(tgmgen *g, unsigned type, const void *content, size_t size);
/* Writes a tensor: a payload of `size` bytes 0, 1, 2, …, with its descriptor after it or, if `first`, before it. */
void tgmgen_tensor(tgmgen *g, const char *descriptor, size_t size, int first);
void tgmgen_end(tgmgen *g);

#endif
