/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The objects that an application holds: an array of the size of each one, whose size nm reads. */
#include "utet.h"
#include "utet_fold.h"
#include "utet_inflate.h"
#include "utet_query.h"
#include "utet_tiledb_folder.h"
#include "utet_tensogram_data.h"

#define SIZE_OF(type)                            \
    extern const unsigned char size_of_##type[]; \
    const unsigned char size_of_##type[sizeof(type)] = {0}

SIZE_OF(utet_io);
SIZE_OF(utet_file);
SIZE_OF(utet_dataset);
SIZE_OF(utet_chunk);
SIZE_OF(utet_stream);
SIZE_OF(utet_slab);
SIZE_OF(utet_tiles);
SIZE_OF(utet_fold);
SIZE_OF(utet_meta);
SIZE_OF(utet_query);
SIZE_OF(utet_query_plan);
SIZE_OF(utet_query_answer);
SIZE_OF(utet_query_response);
SIZE_OF(utet_inflate);
SIZE_OF(utet_szip);
SIZE_OF(utet_object);
SIZE_OF(utet_tensor);
SIZE_OF(utet_tiledb);
SIZE_OF(utet_tiledb_schema);
SIZE_OF(utet_tiledb_item);
SIZE_OF(utet_tiledb_enumeration);
SIZE_OF(utet_tiledb_files);
SIZE_OF(utet_tiledb_keys);
SIZE_OF(utet_tiledb_group);
SIZE_OF(utet_tiledb_member);
SIZE_OF(utet_cbor);
SIZE_OF(utet_message);
SIZE_OF(utet_frame);
SIZE_OF(utet_metadata);
