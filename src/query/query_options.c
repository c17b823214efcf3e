/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The list of all optional keys. Apart, so that a program with a list of its own links only what that names. */
#include "query.h"

const utet_query_option *const utet_query_options[] = {
    &utet_query_option_execution,   &utet_query_option_pipeline,  &utet_query_option_label_filter,
    &utet_query_option_group_by,    &utet_query_option_window,    &utet_query_option_align,
    &utet_query_option_spill,       &utet_query_option_write,     &utet_query_option_covariance,
    &utet_query_option_correlation, &utet_query_option_transform, NULL,
};
