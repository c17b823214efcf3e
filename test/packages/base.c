/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The version, the text of a status, and elements in the machine's order. */
#include "utet.h"

#include "input.h"

int main(void)
{
    static utet_file file;
    uint16_t element;

    read_input();
    puts(utet_version_text());
    puts(utet_strerror(utet_init(NULL, &io, NULL, 0, NULL)));
    OK(utet_init(&file, &io, NULL, 0, NULL));
    memcpy(&element, input, 2);
    utet_to_native(&element, 1, 2);
    printf("%u\n", element);
    return 0;
}
