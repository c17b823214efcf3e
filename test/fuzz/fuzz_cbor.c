/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "cbor": the input is a byte that chooses how the port behaves, then CBOR. Its tokens must be those of a
 * second, recursive reader here, up to the same fault; depth, positions and the number of tokens are bounded.
 */
#include "fuzz.h"
#include "utet_cbor.h"

typedef struct naive { /* the second reader, over bytes in memory */
    const uint8_t *at, *end;
    uint64_t digest;
    unsigned tokens;
    int deep;
} naive;

static uint64_t mix(uint64_t digest, unsigned token, int is_key, uint64_t value)
{
    return (digest ^ token ^ (uint64_t)is_key << 8 ^ value * 0x9E3779B97F4A7C15u) * 0x100000001B3u;
}

static void saw(naive *n, unsigned token, int is_key, uint64_t value)
{
    n->digest = mix(n->digest, token, is_key, value);
    n->tokens++;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A half-precision number, by arithmetic; the library converts it by bits. */
static uint64_t half(unsigned bits)
{
    unsigned exponent = bits >> 10 & 31;
    double value = bits & 1023;
    uint64_t result;
    if (exponent == 31)
        return (uint64_t)(bits >> 15) << 63 | (uint64_t)0x7FF << 52 | (uint64_t)(bits & 1023) << 42;
    value = exponent == 0 ? value / 16777216
                          : (value + 1024) / 1024 *
                                (exponent < 15 ? 1.0 / (double)(1 << (15 - exponent)) : (double)(1 << (exponent - 15)));
    result = bits_of(value);
    return result | (uint64_t)(bits >> 15) << 63;
}

static uint64_t single(uint32_t bits)
{
    float value;
    if ((bits >> 23 & 255) == 255) /* the machine's conversion would make NaNs quiet */
        return (uint64_t)(bits >> 31) << 63 | (uint64_t)0x7FF << 52 | (uint64_t)(bits & 0x7FFFFF) << 29;
    memcpy(&value, &bits, sizeof value);
    return bits_of((double)value);
}

static int is_text(const uint8_t *at, uint64_t length)
{
    while (length != 0) {
        unsigned lead = *at;
        unsigned more = lead < 0x80                   ? 0
                        : lead >= 0xC2 && lead < 0xE0 ? 1
                        : lead >= 0xE0 && lead < 0xF0 ? 2
                        : lead >= 0xF0 && lead < 0xF5 ? 3
                                                      : 9;
        unsigned i;
        if (more == 9 || more >= length)
            return 0;
        for (i = 1; i <= more; i++)
            if ((at[i] & 0xC0) != 0x80)
                return 0;
        if ((lead == 0xE0 && at[1] < 0xA0) || (lead == 0xED && at[1] > 0x9F) || (lead == 0xF0 && at[1] < 0x90) ||
            (lead == 0xF4 && at[1] > 0x8F))
            return 0;
        at += more + 1;
        length -= more + 1;
    }
    return 1;
}

/* One item. 1: read; 2: a break; 0: invalid. */
static int item(naive *n, unsigned depth, int is_key, int may_break);

static int items(naive *n, unsigned depth, int is_map, int counted, uint64_t count)
{
    uint64_t i;
    for (i = 0; !counted || i < count; i++) {
        int key = is_map && (i & 1) == 0;
        int got = item(n, depth, key, !counted && (!is_map || key));
        if (got == 0)
            return 0;
        if (got == 2)
            break;
    }
    saw(n, UTET_CBOR_CLOSE, 0, 0);
    return 1;
}

static int item(naive *n, unsigned depth, int is_key, int may_break)
{
    int tagged = 0;
    for (;;) {
        unsigned first, major, info, i;
        uint64_t number, rest;
        if (n->at == n->end)
            return 0;
        first = *n->at++;
        major = first >> 5;
        info = number = first & 31;
        if (first == 0xFF)
            return may_break && !tagged ? 2 : 0;
        if (info >= 28 && info != 31)
            return 0;
        if (info >= 24 && info < 28) {
            if (n->end - n->at < 1 << (info - 24))
                return 0;
            for (number = 0, i = 0; i < 1u << (info - 24); i++)
                number = number << 8 | *n->at++;
        }
        rest = (uint64_t)(n->end - n->at);
        if (info == 31 && major != 4 && major != 5)
            return 0;
        switch (major) {
        case 0: saw(n, UTET_CBOR_UNSIGNED, is_key, number); return 1;
        case 1: saw(n, UTET_CBOR_NEGATIVE, is_key, number); return 1;
        case 2:
        case 3:
            if (number > rest || (major == 3 && !is_text(n->at, number)))
                return 0;
            saw(n, major == 2 ? UTET_CBOR_BYTES : UTET_CBOR_TEXT, is_key, number);
            n->at += number;
            return 1;
        case 4:
        case 5:
            if (is_key || (info != 31 && number > (major == 5 ? rest / 2 : rest)))
                return 0;
            if (depth == UTET_CBOR_DEPTH) {
                n->deep = 1;
                return 0;
            }
            saw(n, major == 4 ? UTET_CBOR_LIST : UTET_CBOR_MAP, 0, 0);
            return items(n, depth + 1, major == 5, info != 31, major == 5 ? 2 * number : number);
        case 6: tagged = 1; break;
        default:
            if (info == 20 || info == 21)
                saw(n, UTET_CBOR_BOOLEAN, is_key, info - 20);
            else if (info == 22 || info == 23)
                saw(n, info == 22 ? UTET_CBOR_NULL : UTET_CBOR_UNDEFINED, is_key, 0);
            else if (info >= 25 && info <= 27)
                saw(n, UTET_CBOR_FLOAT, is_key,
                    info == 25   ? half((unsigned)number)
                    : info == 26 ? single((uint32_t)number)
                                 : number);
            else
                return 0;
            return 1;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rig r;
    utet_cbor cbor;
    utet_status status;
    naive n = {0};
    uint64_t digest = 0;
    unsigned tokens = 0;
    int good = 1;

    if (size < 1 || size > 1 << 14)
        return 0;
    n.at = data + 1;
    n.end = data + size;
    while (good && n.at != n.end)
        good = item(&n, 0, 0, 0);
    fuzz_open_messages(&r, data[0], data + 1, size - 1);
    FUZZ_CHECK(utet_cbor_open(&cbor, &r.file, 0, size - 1, NULL, 0) == UTET_OK);
    for (;;) {
        uint64_t value = 0;

        DRIVE(status, utet_cbor_next(&cbor));
        if (status != UTET_OK || cbor.token == UTET_CBOR_END)
            break;
        FUZZ_CHECK(cbor.depth <= UTET_CBOR_DEPTH && cbor.begin <= cbor.next && cbor.next <= cbor.end);
        if ((cbor.token >= UTET_CBOR_BOOLEAN && cbor.token <= UTET_CBOR_FLOAT))
            value = cbor.number;
        if (cbor.token == UTET_CBOR_TEXT || cbor.token == UTET_CBOR_BYTES)
            value = cbor.length;
        digest = mix(digest, cbor.token, cbor.is_key, value);
        FUZZ_CHECK(++tokens <= 2 * size);
    }
    FUZZ_CHECK(digest == n.digest && tokens == n.tokens);
    FUZZ_CHECK(status == (good ? UTET_OK : n.deep ? UTET_E_SPACE : UTET_E_METADATA));
    FUZZ_CHECK(good || r.file.error_offset <= size - 1);
    fuzz_end(&r);
    return 0;
}
