/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The functions of libc that the library calls. WebAssembly modules without libc need their own. */
#include <string.h>

/* Prevents the compiler from replacing the loops with calls of these same functions. */
#define PLAIN __attribute__((no_builtin))

PLAIN void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *out = to;
    const unsigned char *in = from;

    for (size_t i = 0; i < size; i++)
        out[i] = in[i];
    return to;
}

PLAIN void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *out = to;
    const unsigned char *in = from;

    if (out < in)
        return memcpy(to, from, size);
    while (size-- > 0)
        out[size] = in[size];
    return to;
}

PLAIN void *memset(void *to, int value, size_t size)
{
    unsigned char *out = to;

    for (size_t i = 0; i < size; i++)
        out[i] = (unsigned char)value;
    return to;
}

PLAIN int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *a = left;
    const unsigned char *b = right;

    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

PLAIN size_t strlen(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0')
        length++;
    return length;
}
