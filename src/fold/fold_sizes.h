/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SIZE(number without UTET_OBJECT_, type) for each object of this package. abi/sizes.c defines SIZE. */
SIZE(FOLD_REQUEST, utet_fold_request)
SIZE(FOLD_FILTER, utet_fold_filter)
SIZE(FOLD_WINDOW, utet_fold_window)
SIZE(FOLD_AXIS, utet_fold_axis)
SIZE(FOLD_GROUPING, utet_fold_grouping)
SIZE(FOLD_SHARE, utet_fold_share)
SIZE(FOLD, utet_fold)
SIZE(FOLD_CHANGE, utet_fold_change)
SIZE(FOLD_VARIABLES, utet_fold_variables)
SIZE(FOLD_MATRIX_SHARE, utet_fold_matrix_share)
SIZE(FOLD_MATRIX, utet_fold_matrix)
SIZE(TRANSFORM_INTO, utet_transform_into)
SIZE(TRANSFORM, utet_transform)
