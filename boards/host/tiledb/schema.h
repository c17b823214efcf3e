/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the sources of `utet schema` share. */
#ifndef UTET_TOOL_SCHEMA_H
#define UTET_TOOL_SCHEMA_H

#include "shared/tool.h"
#include "utet_tiledb_folder.h"

enum { SCHEMA_KIND_AUTO, SCHEMA_KIND_SCHEMA, SCHEMA_KIND_ENUMERATION, SCHEMA_KIND_METADATA, SCHEMA_KIND_GROUP };

/* An open file of an array; its complete raw tile is in memory. */
typedef struct schema_file {
    source s;
    utet_tiledb tile;
    int kind;
    utet_tiledb_schema schema;           /* the object for the file's kind, checked completely */
    utet_tiledb_enumeration enumeration; /* … or this … */
    utet_tiledb_group group;             /* … or this */
} schema_file;

/* Opens and checks the file at `path`; prints an error line if it is invalid. Close it even after an error. */
int schema_open(schema_file *f, const options *opt, const char *path, int kind);
void schema_close(schema_file *f);
/* Prints the error line for a status of this file. */
int schema_fail(schema_file *f, utet_status status);

/* Returns all bytes of a text, null-terminated, which the caller frees; NULL after an error line. */
char *schema_text(schema_file *f, utet_tiledb_text text);

/* Writes a value of a numeric, date-time or time datatype as text of at most UTET_SHOW_SIZE bytes; returns the
 * buffer. */
char *schema_value(char *buffer, unsigned datatype, const void *value);
const char *schema_order(unsigned order);

/* Prints the contents of a file; stops at the first failure. */
typedef struct schema_printer {
    schema_file *f;
    FILE *out;
    int result;
} schema_printer;

/* Returns nonzero if all calls so far have succeeded; prints the error line of the first one that has not. */
int schema_works(schema_printer *p, utet_status status);

/* schema_json.c: writes a text as a JSON string; U+FFFD replaces each byte that is not valid UTF-8. */
void schema_json_text(FILE *out, const char *text, size_t size);
/* Write the members of a JSON object without its braces: of a file (`all`: including long fill values and lists of
 * values), of an item, of the schema's filters, and of an entry of array metadata. */
int schema_json(schema_file *f, FILE *out, int all);
int schema_json_item(schema_file *f, FILE *out, const utet_tiledb_item *item);
int schema_json_filters(schema_file *f, FILE *out);
int schema_json_entry(schema_file *f, FILE *out, const utet_tiledb_entry *entry);
/* schema_table.c: prints text in the form of TileDB's own dump. */
int schema_table(schema_file *f, int all);
int schema_table_entry(schema_file *f, FILE *out, const utet_tiledb_entry *entry, int all);

int schema_json_member(schema_file *f, FILE *out, const utet_tiledb_member *member);
int schema_table_member(schema_file *f, FILE *out, const utet_tiledb_member *member);

/* Returns nonzero if `path` exists. */
int schema_is_there(const char *path);
/* Returns "FOLDER/NAME", which the caller frees; NULL: not enough memory. */
char *schema_joined(const char *folder, const char *name);

/* schema_facts.c: combines the files of a folder; of each key, the last entry counts. */
typedef struct schema_fact {
    char *key;
    size_t key_size;
    char *text; /* JSON with --json, otherwise a line of text */
} schema_fact;

typedef struct schema_facts {
    schema_fact *all; /* facts sorted by the bytes of their keys */
    size_t count;
    char **damaged; /* names of files that cannot be read; their error lines have been printed */
    size_t damaged_count;
    uint32_t version; /* version of the last file of a group */
} schema_facts;

/* kind: SCHEMA_KIND_METADATA or SCHEMA_KIND_GROUP, of the files in ARRAY/FOLDER. Returns TOOL_ERROR if a file could not
 * be read; the facts are those of the other files. Free them even after an error. */
int schema_facts_of(schema_facts *facts, const options *opt, const char *folder, int kind);
void schema_facts_end(schema_facts *facts);
/* Prints the facts under `key` or `title`, and with --json the damaged files. */
void schema_facts_put(const schema_facts *facts, const options *opt, const char *key, const char *title);

/* schema_history.c: lists the changes of each schema file. */
int schema_history(const options *opt, const char *folder, char *const *files, size_t count);

/* schema_folder.c: shows the folder of an array or group. */
int schema_folder(const options *opt);

#endif
