/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include "board.h"
#include "print.h"

void report_memory(size_t workspace)
{
    print_text("bytes: flash ");
    print_u64(board_flash_used());
    print_text(", static RAM ");
    print_u64(board_static_ram());
    print_text(", including workspace ");
    print_u64(workspace);
    print_text(", stack ");
    print_u64(board_stack_peak());
    print_text(" of ");
    print_u64(board_stack_size());
    print_char('\n');
}

int report_end(const char *program, utet_status status, const char *words, uint64_t offset)
{
    print_text(program);
    if (status == UTET_OK) {
        print_text(": good\n");
        return 0;
    }
    print_text(": ");
    print_text(words);
    print_text(", offset ");
    print_u64(offset);
    print_char('\n');
    return 1;
}
