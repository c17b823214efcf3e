/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The transform that a document names. Apart, so that a program that does not ask for it links none. */
#include "query.h"
#include "utet_transform.h"

const utet_transform_method *utet_query_transform(uint8_t method)
{
    static const utet_transform_method *const methods[] = {
        NULL,
        &utet_transform_center,
        &utet_transform_zscore,
        &utet_transform_scale,
        &utet_transform_minmax,
        &utet_transform_l1,
        &utet_transform_l2,
        &utet_transform_log1p,
        &utet_transform_sqrt,
        &utet_transform_softmax,
    };

    return method <= UTET_QUERY_SOFTMAX ? methods[method] : NULL;
}
