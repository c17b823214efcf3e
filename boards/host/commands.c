/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The table of commands. */
#include "commands.h"

const command commands[] = {
    {"info", "FILE [DATASET]", "what is in a file: layout, datasets, sizes, chunks", "jat1", 1, 2, command_info, NULL,
     NULL},
    {"read", "FILE [DATASET]", "values, dense and row-major; raw: little-endian", "sfobctx", 1, 2, command_read, NULL,
     NULL},
    {"show", "FILE [DATASET]", "a picture of a 2-D selection, in the terminal or as PNG", "sOoBbctH", 1, 2,
     command_show, NULL, NULL},
    {"export", "FILE [DATASET] --c -o OUT.c", "a C array of the values, or of the whole file, and its header",
     "CosiNEbct", 1, 2, command_export, NULL, NULL},
    {"verify", "FILE…", "checks files; decodes the first 128 chunks, --deep: all", "jdc", 1, 1 << 30, command_verify,
     NULL, NULL},
    {"fit", "FILE [DATASET]", "what a machine with so much memory can read, to the byte", "FrSzluMWgjc", 1, 2,
     command_fit, NULL, NULL},
    {"pack", "IN… -o OUT.tet", "makes a .tet file of .npy, .npz, PNG, .csv, .tet or raw data", NULL, 1, 1 << 30, NULL,
     command_pack, pack_option_texts},
    {"diff", "A B", "which datasets, shapes, metadata and elements differ", "TRnc", 2, 2, command_diff, NULL, NULL},
    {"query", "FILE QUERY", "answers the reference's query document QUERY, a JSON file, not TOML; -: standard input",
     "jPYqVbctJ", 2, 2, command_query, NULL, NULL},
    {"schema", "FILE|DIR", "a TileDB array or group: schema, metadata, members", "jakA", 1, 1, command_schema, NULL,
     NULL},
    {"messages", "FILE…", "Tensogram messages and their tensors", "jLwpK", 1, 1 << 30, command_messages, NULL, NULL},
    {"message", "FILE N", "of Tensogram message N: metadata, a tensor's descriptor, or its values", "OsmDfobcH", 2, 2,
     command_message, NULL, NULL},
    {NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL},
};
