/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The cost of numbers as text with the C library: number_bound IN OUT BYTES. IN has floats of BYTES bytes (4 or 8) in
 * the byte order of this machine; OUT gets a line for each, with the digits that identify any float of this size. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    static char piece[1 << 16];
    const size_t bytes = argc == 4 && argv[3][0] == '4' ? sizeof(float) : sizeof(double);
    FILE *const in = argc == 4 ? fopen(argv[1], "rb") : NULL;
    FILE *const out = in != NULL ? fopen(argv[2], "wb") : NULL;
    size_t got;
    size_t i;

    if (out == NULL)
        return 2;
    while ((got = fread(piece, bytes, sizeof piece / bytes, in)) > 0) {
        for (i = 0; i < got; i++) {
            double value;
            float narrow;

            memcpy(&narrow, piece + i * bytes, sizeof narrow);
            if (bytes == sizeof narrow)
                value = (double)narrow;
            else
                memcpy(&value, piece + i * bytes, sizeof value);
            fprintf(out, bytes == sizeof narrow ? "%.9g\n" : "%.17g\n", value);
        }
    }
    return ferror(in) || fclose(out) != 0;
}
