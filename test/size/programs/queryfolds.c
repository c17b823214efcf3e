/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration queryfolds: query without covariance, correlation and transform. */
#include "query_calls.h"

int main(void)
{
    static const utet_query_option *const options[] = {
        &utet_query_option_execution, &utet_query_option_pipeline, &utet_query_option_label_filter,
        &utet_query_option_group_by,  &utet_query_option_window,   &utet_query_option_align,
        &utet_query_option_spill,     &utet_query_option_write,    NULL,
    };

    return use_query(options);
}
