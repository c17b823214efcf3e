/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The keys covariance and correlation: the calls that compute them. */
#include "query.h"

static const struct utet_query_matrix query_matrix_calls = {utet_fold_matrix_need, utet_fold_matrix_open,
                                                            utet_fold_matrix_pieces, utet_fold_matrix_run};

static utet_status read_matrix(utet_query *query)
{
    query->priv.matrix = &query_matrix_calls;
    return UTET_OK;
}

const utet_query_option utet_query_option_covariance = {(unsigned)TOP_REDUCTION + UTET_QUERY_COVARIANCE, read_matrix,
                                                        NULL};
const utet_query_option utet_query_option_correlation = {(unsigned)TOP_REDUCTION + UTET_QUERY_CORRELATION, read_matrix,
                                                         NULL};
