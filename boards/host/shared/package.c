/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Packages of the reference, folders NAME.tet.d: PROTOCOL says that a folder is one, CURRENT names a generation, and
 * generations/00000001/packed.tet is the file that is read. Only writers use the other files.
 */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PROTOCOL 2u /* the only version */
#define MOST 4096u  /* maximum size of PROTOCOL and of CURRENT, in bytes */

static const char blanks[] = " \t\r\n";

static int is_file(const char *path)
{
    struct stat what;

    return stat(path, &what) == 0 && S_ISREG(what.st_mode);
}

/* Returns "FOLDER/NAME", which the caller frees; NULL: not enough memory. */
static char *path_in(const char *folder, const char *name)
{
    char *path = malloc(strlen(folder) + strlen(name) + 2);

    if (path != NULL)
        (void)sprintf(path, "%s/%s", folder, name);
    return path;
}

/* Reads digits, perhaps with a plus before them. After blanks follows one of the characters `ends`, or the end of the
 * text if `ends` is empty. Returns 0 if the text is anything else. */
static int whole_number(const char *text, const char *ends, uint64_t *number)
{
    text += *text == '+';
    if (*text < '0' || *text > '9')
        return 0;
    for (*number = 0; *text >= '0' && *text <= '9'; text++) {
        const unsigned digit = (unsigned)(*text - '0');

        if (*number > (UINT64_MAX - digit) / 10)
            return 0;
        *number = *number * 10 + digit;
    }
    text += strspn(text, blanks);
    return *text == '\0' ? *ends == '\0' : strchr(ends, *text) != NULL;
}

/* Returns the position after the closing quote of the JSON text at `text`; NULL: the text is not closed. */
static const char *behind_text(const char *text)
{
    for (text++; *text != '\0' && *text != '"'; text++)
        text += *text == '\\' && text[1] != '\0';
    return *text == '"' ? text + 1 : NULL;
}

/* Returns the whole number under `key` at the top level of a JSON object; 0: there is none. */
static int member(const char *json, const char *key, uint64_t *number)
{
    const size_t length = strlen(key);
    unsigned depth = 0;

    while (*json != '\0') {
        const char *const begin = json;

        depth += *json == '{' || *json == '[';
        depth -= (*json == '}' || *json == ']') && depth > 0;
        if (*json != '"') {
            json++;
            continue;
        }
        json = behind_text(json);
        if (json == NULL)
            return 0;
        json += strspn(json, blanks);
        if (depth == 1 && *json == ':' && strncmp(begin + 1, key, length) == 0 && begin[1 + length] == '"') {
            json++;
            return whole_number(json + strspn(json, blanks), ",}", number);
        }
    }
    return 0;
}

/* Reads a complete small file into `text`; TOOL_ERROR after an error line. */
static int read_small(const char *path, char text[MOST])
{
    FILE *const in = fopen(path, "rb");
    size_t length;
    int bad;

    if (in == NULL)
        return fail(path, "package", NO_OFFSET, "cannot open: %s", strerror(errno));
    length = fread(text, 1, MOST - 1, in);
    bad = ferror(in) || length == MOST - 1;
    (void)fclose(in);
    text[length] = '\0';
    if (!bad && strlen(text) != length)
        return fail(path, "package", strlen(text), "the file contains a zero byte");
    return bad ? fail(path, "package", NO_OFFSET, "cannot read: error, or longer than %u bytes", MOST) : TOOL_OK;
}

static int check_protocol(const char *path)
{
    char text[MOST];
    uint64_t version;

    if (read_small(path, text) != TOOL_OK)
        return TOOL_ERROR;
    if (!member(text, "protocol_version", &version))
        return fail(path, "package", NO_OFFSET, "the file contains no \"protocol_version\"");
    return version == PROTOCOL ? TOOL_OK
                               : fail(path, "package", NO_OFFSET,
                                      "unsupported protocol_version %" PRIu64 "; utet reads %u", version, PROTOCOL);
}

static int current_generation(const char *path, uint64_t *generation)
{
    char text[MOST];
    const char *begin = text;

    if (!is_file(path))
        return fail(path, "package", NO_OFFSET, "file not found: the package has no generation to read");
    if (read_small(path, text) != TOOL_OK)
        return TOOL_ERROR;
    begin += strspn(begin, blanks);
    return (*begin == '{' ? member(begin, "generation", generation) : whole_number(begin, "", generation))
               ? TOOL_OK
               : fail(path, "package", NO_OFFSET, "the file does not contain the number of a generation");
}

static int find_file(const char *folder, const char *protocol, const char *current, char **file)
{
    char name[64];
    uint64_t generation = 0;

    if (check_protocol(protocol) != TOOL_OK || current_generation(current, &generation) != TOOL_OK)
        return TOOL_ERROR;
    (void)snprintf(name, sizeof name, "generations/%08" PRIu64 "/packed.tet", generation);
    *file = path_in(folder, name);
    if (*file != NULL && !is_file(*file))
        return fail(*file, "package", NO_OFFSET, "file not found, but CURRENT names it");
    return *file != NULL ? TOOL_OK : fail(folder, NULL, NO_OFFSET, "not enough memory");
}

int package_file(const char *path, char **file)
{
    char *const protocol = path_in(path, "PROTOCOL");
    char *const current = path_in(path, "CURRENT");
    int result = TOOL_OK;

    *file = NULL;
    if (protocol == NULL || current == NULL)
        result = fail(path, NULL, NO_OFFSET, "not enough memory");
    else if (is_file(protocol))
        result = find_file(path, protocol, current, file);
    free(protocol);
    free(current);
    return result;
}
