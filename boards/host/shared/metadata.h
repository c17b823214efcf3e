/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The footer's metadata as trees in memory, for printing. */
#ifndef UTET_TOOL_METADATA_H
#define UTET_TOOL_METADATA_H

#include "tool.h"
#include "utet_meta.h"

/* A text, a list or a map. Entries of a map are sorted by key, and each key occurs once: the last one in the file. */
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
    utet_status status; /* result of utet_meta_open, which leaves the trees empty on an error, or of metadata_judge */
    uint64_t offset;    /* offset of the fault */
    tree history;       /* list of maps */
    tree file;
    tree datasets;
} metadata;

/* Opens and reads all metadata. Returns TOOL_OK even if they are damaged (see status), and TOOL_ERROR after an error
 * line if anything else fails. */
int metadata_read(metadata *m, source *s);
void metadata_end(metadata *m);
void tree_end(tree *t);
/* Determines whether the reference would open the file: reads all rows, sets status and offset. */
void metadata_judge(metadata *m, source *s);
/* --strict for commands that do not use the trees: prints an error line if the reference would refuse to open the
 * file. */
int metadata_strict(source *s);
/* Returns the index of a key in a map, or the index at which it would be inserted. */
size_t tree_place(const tree *map, const char *key, size_t length);
/* Returns the value of a key; NULL if the map does not have the key. */
const tree *tree_at(const tree *map, const char *key, size_t length);
/* Writes the text, list or map as JSON. A map is written without the keys in `without`, which may be NULL. */
void tree_json(FILE *out, const tree *t, int (*without)(const char *key));
/* Writes ,"history":[…],"metadata":{…} in the reference's form. */
void metadata_json(const metadata *m);
/* Prints the metadata as text. */
void metadata_text(const metadata *m);
/* Prints the error line for damaged metadata. */
int metadata_fail(const metadata *m, source *s);

#endif
