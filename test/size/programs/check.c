/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration check: raw, and the whole-file check. */
#include "calls.h"
#include "utet_check.h"

int main(void)
{
    static utet_check check;
    static utet_finding finding;
    int sum = use_raw(NULL);

    utet_check_init(&check, &size_file);
    sum |= utet_check_next(&check, &finding);
    sum |= utet_check_rows(&check);
    return sum | utet_check_name(0)[0];
}
