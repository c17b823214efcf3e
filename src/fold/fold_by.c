/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Windows, groups and masks: not there yet. */
#include "fold.h"

utet_status utet_fold_by(utet_fold *fold, utet_fold_grouping *grouping)
{
    (void)fold;
    (void)grouping;
    return UTET_E_ARGUMENT;
}
