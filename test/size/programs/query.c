/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration query: documents, all operations, the response; no messages for refusals, no codec. */
#include "query_calls.h"

int main(void)
{
    return use_query(utet_query_options);
}
