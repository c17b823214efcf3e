/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target once over each file named on the command line. */
#include "fuzz.h"

int main(int argc, char **argv)
{
    static uint8_t bytes[1 << 20];
    int runs = 0;
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (f == NULL)
            continue;
        size_t n = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        uint8_t *exact = malloc(n ? n : 1);
        memcpy(exact, bytes, n);
        LLVMFuzzerTestOneInput(exact, n);
        free(exact);
        runs++;
    }
    printf("%d passed, 0 failed\n", runs);
    return 0;
}
