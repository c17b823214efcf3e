/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the files of `utet schema` share. */
#ifndef UTET_TOOL_SCHEMA_H
#define UTET_TOOL_SCHEMA_H

#include "tool.h"
#include "utet_tiledb.h"

enum { SCHEMA_KIND_AUTO, SCHEMA_KIND_SCHEMA, SCHEMA_KIND_ENUMERATION, SCHEMA_KIND_METADATA, SCHEMA_KIND_GROUP };

/* One file of an array, opened, with all of its raw tile in memory. */
typedef struct schema_file {
    source s;
    utet_tiledb tile;
    int kind;
    utet_tiledb_schema schema;           /* by kind, checked as a whole: this … */
    utet_tiledb_enumeration enumeration; /* … or this */
} schema_file;

/* Opens and checks the file at `path`; prints what is wrong. To be ended in every case. */
int schema_open(schema_file *f, const options *opt, const char *path, int kind);
void schema_close(schema_file *f);
/* Prints the error line for a status of this file. */
int schema_fail(schema_file *f, utet_status status);

/* All bytes of a text, in memory to be freed, with a terminator behind them; null after an error line. */
char *schema_text(schema_file *f, utet_tiledb_text text);

/* A value of a number's, date-time's or time's datatype, as text of at most UTET_SHOW_SIZE bytes; returns it. */
char *schema_value(char *buffer, unsigned datatype, const void *value);
const char *schema_order(unsigned order);

/* Prints what a file says; goes on only while nothing has failed. */
typedef struct schema_printer {
    schema_file *f;
    FILE *out;
    int result;
} schema_printer;

/* Whether a call on the file went well and nothing failed before; prints the error line of the first that did not. */
int schema_works(schema_printer *p, utet_status status);

/* schema_json.c: a text as one of JSON; U+FFFD stands for each byte that makes no UTF-8. */
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

/* Whether there is something at `path`. */
int schema_is_there(const char *path);

/* schema_folder.c: an array's folder. */
int schema_folder(const options *opt);

#endif
