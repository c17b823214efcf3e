/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the sources of `utet schema` share. */
#ifndef UTET_TOOL_SCHEMA_H
#define UTET_TOOL_SCHEMA_H

#include "shared/tool.h"
#include "utet_tiledb_folder.h"

enum { SCHEMA_KIND_AUTO, SCHEMA_KIND_SCHEMA, SCHEMA_KIND_ENUMERATION, SCHEMA_KIND_METADATA, SCHEMA_KIND_GROUP };

/* One file of an array, opened, with all of its raw tile in memory. */
typedef struct schema_file {
    source s;
    utet_tiledb tile;
    int kind;
    utet_tiledb_schema schema;           /* by kind, checked as a whole: this … */
    utet_tiledb_enumeration enumeration; /* … or this … */
    utet_tiledb_group group;             /* … or this */
} schema_file;

/* Opens and checks the file at `path`; prints what is wrong. End it in every case. */
int schema_open(schema_file *f, const options *opt, const char *path, int kind);
void schema_close(schema_file *f);
/* Prints the error line for a status of this file. */
int schema_fail(schema_file *f, utet_status status);

/* All bytes of a text and a terminator, which the caller frees; NULL after an error line. */
char *schema_text(schema_file *f, utet_tiledb_text text);

/* A value of a number's, date-time's or time's datatype, as text of at most UTET_SHOW_SIZE bytes; returns it. */
char *schema_value(char *buffer, unsigned datatype, const void *value);
const char *schema_order(unsigned order);

/* Prints the contents of a file; stops at the first failure. */
typedef struct schema_printer {
    schema_file *f;
    FILE *out;
    int result;
} schema_printer;

/* Returns nonzero if this call and all before succeeded; prints the error line of the first that did not. */
int schema_works(schema_printer *p, utet_status status);

/* schema_json.c: a text as one of JSON; U+FFFD replaces each byte that makes no UTF-8. */
void schema_json_text(FILE *out, const char *text, size_t size);
/* The members of the object that describes a file, without its braces; `all`: long fill values and
 * lists of values too. Then an item, those of the schema's own filters, and those of an entry of array metadata. */
int schema_json(schema_file *f, FILE *out, int all);
int schema_json_item(schema_file *f, FILE *out, const utet_tiledb_item *item);
int schema_json_filters(schema_file *f, FILE *out);
int schema_json_entry(schema_file *f, FILE *out, const utet_tiledb_entry *entry);
/* schema_table.c: for people, as TileDB prints a schema. */
int schema_table(schema_file *f, int all);
int schema_table_entry(schema_file *f, FILE *out, const utet_tiledb_entry *entry, int all);

int schema_json_member(schema_file *f, FILE *out, const utet_tiledb_member *member);
int schema_table_member(schema_file *f, FILE *out, const utet_tiledb_member *member);

/* Returns nonzero if there is something at `path`. */
int schema_is_there(const char *path);
/* FOLDER/NAME, which the caller frees; NULL: not enough memory. */
char *schema_joined(const char *folder, const char *name);

/* schema_facts.c: what several files of a folder say together, the last word about each key. */
typedef struct schema_fact {
    char *key;
    size_t key_size;
    char *text; /* JSON with --json, else a line for people */
} schema_fact;

typedef struct schema_facts {
    schema_fact *all; /* facts sorted by the bytes of their keys */
    size_t count;
    char **damaged; /* names of files that cannot be read: each has its error line already */
    size_t damaged_count;
    uint32_t version; /* version of the last file of a group */
} schema_facts;

/* kind: SCHEMA_KIND_METADATA or SCHEMA_KIND_GROUP, of the files in ARRAY/FOLDER. TOOL_ERROR when something could not be
 * read; the facts are all others then. End it in every case. */
int schema_facts_of(schema_facts *facts, const options *opt, const char *folder, int kind);
void schema_facts_end(schema_facts *facts);
/* The facts, under `key` or `title`, and with --json the files that are damaged. */
void schema_facts_put(const schema_facts *facts, const options *opt, const char *key, const char *title);

/* schema_history.c: what each schema file changed of the one before it. */
int schema_history(const options *opt, const char *folder, char *const *files, size_t count);

/* schema_folder.c: the folder of an array or group. */
int schema_folder(const options *opt);

#endif
