/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration querywords: query, and the reference's messages for refused documents. */
#include "query_calls.h"

int main(void)
{
    size_t got;

    return use_query(utet_query_options) | utet_query_message(&query, 0, buffer, sizeof buffer, &got);
}
