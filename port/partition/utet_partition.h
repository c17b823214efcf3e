/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port for a flash partition in addressable memory that begins with a file and is erased (0xFF) after it: finds the
 * length of the file. Relies on utet_io.h. Tasks may share the utet_io as long as nobody writes to the partition. */
#ifndef UTET_PARTITION_H
#define UTET_PARTITION_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { UTET_PARTITION_E_ERASED = UTET_E_PORT }; /* nothing has been written to the partition */

/* Fills `io` for the file at the beginning of the partition. Reads the erased bytes once.
 * Returns UTET_OK or UTET_PARTITION_E_ERASED. */
utet_status utet_partition_open(utet_io *io, const void *partition, size_t length);

#ifdef __cplusplus
}
#endif

#endif
