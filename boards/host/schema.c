/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet schema: the files that describe a TileDB array. */
#define _POSIX_C_SOURCE 200809L
#include "schema.h"

#include <string.h>
#include <sys/stat.h>

/* The kind of a file by the folder that it lies in. */
static int kind_of(const char *path)
{
    if (strstr(path, "__enumerations/") != NULL)
        return SCHEMA_KIND_ENUMERATION;
    return strstr(path, "__meta/") != NULL ? SCHEMA_KIND_METADATA : SCHEMA_KIND_SCHEMA;
}

static int print_json(schema_file *f, const options *opt)
{
    int result;

    putchar('{');
    result = schema_json(f, stdout, opt->all);
    puts("}");
    return result;
}

int command_schema(const options *opt)
{
    schema_file f;
    struct stat what;
    int result;
    int kind = opt->kind != SCHEMA_KIND_AUTO ? opt->kind : kind_of(opt->file);

    if (stat(opt->file, &what) == 0 && S_ISDIR(what.st_mode))
        return schema_folder(opt);
    if (strstr(opt->file, "__group/") != NULL)
        return fail(opt->file, "group", NO_OFFSET, "a file of a TileDB group; groups are not read");
    result = schema_open(&f, opt, opt->file, kind);
    if (result == TOOL_OK)
        result = opt->json ? print_json(&f, opt) : schema_table(&f, opt->all);
    schema_close(&f);
    return result;
}
