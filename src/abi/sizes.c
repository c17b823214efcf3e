/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The sizes of all objects, for programs that were built apart from the library. Each package lists its own. This file
 * alone knows all packages, and no package knows it. */
#include "utet_check.h"
#include "utet_codec.h"
#include "utet_folder.h"
#include "utet_inflate.h"
#include "utet_query.h"
#include "utet_show.h"
#include "utet_szip.h"
#include "utet_transform.h"
#include "utet_zstd.h"
#if SIZE_MAX >= 0xFFFFFFFF
#include "utet_tensogram_data.h"
#include "utet_tiledb_folder.h"
#endif

#define SIZE(object, type) [UTET_OBJECT_##object] = sizeof(type),

/* Of the packages whose headers are there: a processor with pointers of 16 bits and the joined files lack some. */
static const uint16_t abi_sizes[] = {
#include "../base/base_sizes.h"
#include "../tet/tet_sizes.h"
#ifdef UTET_FOLD_H
#include "../fold/fold_sizes.h"
#endif
#ifdef UTET_QUERY_H
#include "../query/query_sizes.h"
#endif
#ifdef UTET_ZSTD_H
#include "../zstd/zstd_sizes.h"
#endif
#ifdef UTET_INFLATE_H
#include "../inflate/inflate_sizes.h"
#endif
#ifdef UTET_SZIP_H
#include "../szip/szip_sizes.h"
#endif
#ifdef UTET_CBOR_H
#include "../cbor/cbor_sizes.h"
#endif
#ifdef UTET_TENSOGRAM_H
#include "../tensogram/tensogram_sizes.h"
#endif
#ifdef UTET_TILEDB_H
#include "../tiledb/tiledb_sizes.h"
#endif
};

size_t utet_sizeof(unsigned object)
{
    return object < sizeof abi_sizes / sizeof *abi_sizes ? abi_sizes[object] : 0;
}
