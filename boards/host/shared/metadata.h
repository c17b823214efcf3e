/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The footer's metadata in memory, for printing: a desktop has room for what the library reads bit by bit. */
#ifndef UTET_TOOL_METADATA_H
#define UTET_TOOL_METADATA_H

#include "tool.h"
#include "utet_meta.h"

/* A text, or a list or map of such. Entries of a map are sorted by key, each key once: the last one counts. */
typedef struct tree {
    uint8_t kind; /* UTET_VALUE_TEXT, UTET_VALUE_LIST, UTET_VALUE_MAP; else UTET_VALUE_NONE */
    char *text;
    size_t length;
    struct branch *branches;
    size_t count;
} tree;

typedef struct branch {
    char *key; /* null in a list */
    size_t key_length;
    tree value;
} branch;

typedef struct metadata {
    utet_meta meta;
    utet_status status; /* of utet_meta_open, which leaves the trees empty when it is bad, or of metadata_judge */
    uint64_t offset;    /* offset of the fault */
    tree history;       /* list of maps */
    tree file;
    tree datasets;
} metadata;

/* Opens and reads all metadata. TOOL_OK also when they are damaged: see status; TOOL_ERROR after an error line for what
 * has nothing to do with them. */
int metadata_read(metadata *m, source *s);
void metadata_end(metadata *m);
void tree_end(tree *t);
/* Finds out if the reference would open the file: reads all rows, sets status and offset. */
void metadata_judge(metadata *m, source *s);
/* --strict where nobody needs the trees: an error line for what the reference refuses to open. */
int metadata_strict(source *s);
/* The index of a key in a map, or the index where it would be inserted. */
size_t tree_place(const tree *map, const char *key, size_t length);
/* The value of a key; null when there is none. */
const tree *tree_at(const tree *map, const char *key, size_t length);
/* The text, list or map as JSON; of a map itself, without the keys that `without` names, unless that is null. */
void tree_json(FILE *out, const tree *t, int (*without)(const char *key));
/* ,"history":[…],"metadata":{…} as the reference prints them. */
void metadata_json(const metadata *m);
/* Prints the metadata as text. */
void metadata_text(const metadata *m);
/* The error line for damaged metadata. */
int metadata_fail(const metadata *m, source *s);

#endif
