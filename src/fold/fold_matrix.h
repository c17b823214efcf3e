/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The interface between fold_matrix.c, which reads, and fold_covariance.c, which computes. Internal to the library.
 */
#ifndef UTET_FOLD_MATRIX_H
#define UTET_FOLD_MATRIX_H

#include "fold.h"

static inline uint8_t *utet_matrix_kept(const utet_fold_matrix *matrix)
{
    return matrix->priv.file->priv.work + matrix->priv.slab_bytes;
}

/* Returns the size of all sums of two blocks of variables, in bytes; the kept elements follow in the workspace. They
 * begin as zeros. */
uint64_t utet_matrix_sums(const utet_fold_matrix *matrix, uint32_t block);
/* Takes the element of an observation and a variable, both counted in the box. */
void utet_matrix_take(const utet_fold_matrix *matrix, size_t observation, size_t variable, uint64_t bits);
/* Adds the products of elements that are kept, where there is one block only. */
void utet_matrix_multiply(const utet_fold_matrix *matrix, size_t observations);
/* Adds the sums of another part of a divided matrix, which has one block. */
void utet_matrix_join(const utet_fold_matrix *matrix, const utet_fold_matrix *from);
/* All observations have been taken: writes what belongs to these two blocks. */
void utet_matrix_finish(const utet_fold_matrix *matrix, double *results);

#endif
