/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Prints the tokens of CBOR, one per line. */
#include "utet_cbor.h"

#include "input.h"

int main(void)
{
    static uint64_t work[UTET_OPEN_WORK(1) / 8];
    static utet_cbor cbor;
    static utet_file file;

    read_input();
    OK(utet_init(&file, &io, work, sizeof work, NULL));
    OK(utet_messages_open(&file, NULL));
    OK(utet_cbor_open(&cbor, &file, 0, io.size, NULL, 0));
    for (;;) {
        OK(utet_cbor_next(&cbor));
        switch (cbor.token) {
        case UTET_CBOR_UNSIGNED: printf("%lu\n", (unsigned long)cbor.number); break;
        case UTET_CBOR_TEXT: printf("%.*s\n", cbor.head_length, cbor.head); break;
        case UTET_CBOR_LIST: puts("list"); break;
        case UTET_CBOR_MAP: puts("map"); break;
        case UTET_CBOR_CLOSE: puts("close"); break;
        default: return cbor.token == UTET_CBOR_END ? 0 : 1;
        }
    }
}
