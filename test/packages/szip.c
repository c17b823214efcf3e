/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Decodes samples of 16 bits, preprocessed, in blocks of 16 and intervals of 128 blocks: szip SIZE <in >out. */
#include "utet_szip.h"

#include "input.h"

int main(int argc, char **argv)
{
    static const utet_szip_params params = {16, UTET_SZIP_PREPROCESS, 16, 128};
    size_t left = strtoul(argv[argc - 1], NULL, 10), taken = 0, used, some;
    static utet_szip z;

    read_input();
    OK(utet_szip_init(&z, &params));
    for (; left != 0; left -= some) {
        OK(utet_szip_block(&z, input + taken, (size_t)io.size - taken, &used));
        taken += used;
        some = z.size < left ? z.size : left;
        fwrite(z.out, 1, some, stdout);
    }
    return 0;
}
