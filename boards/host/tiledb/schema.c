/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet schema: the files that describe a TileDB array. */
#define _POSIX_C_SOURCE 200809L
#include "schema.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the kind of a file, known by the name of the folder that contains it. */
static int kind_of(const char *path)
{
    const char *name = strrchr(path, '/');
    char here[4096];
    const char *folder;
    size_t length;

    if (name == NULL) { /* the file is in the working directory */
        path = getcwd(here, sizeof here) != NULL ? here : "";
        name = path + strlen(path);
    }
    for (folder = name; folder > path && folder[-1] != '/'; folder--)
        continue;
    length = (size_t)(name - folder);
    if (length == 14 && memcmp(folder, "__enumerations", length) == 0)
        return SCHEMA_KIND_ENUMERATION;
    if (length == 7 && memcmp(folder, "__group", length) == 0)
        return SCHEMA_KIND_GROUP;
    return length == 6 && memcmp(folder, "__meta", length) == 0 ? SCHEMA_KIND_METADATA : SCHEMA_KIND_SCHEMA;
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
    if (opt->at != UINT64_MAX)
        return fail(opt->file, "file", NO_OFFSET,
                    "--at applies only to the folder of an array or group; give the folder");
    result = schema_open(&f, opt, opt->file, kind);
    if (result == TOOL_OK)
        result = opt->json ? print_json(&f, opt) : schema_table(&f, opt->all);
    schema_close(&f);
    return result;
}
