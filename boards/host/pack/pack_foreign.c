/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Files of formats that this tool does not read: each is refused with the command of the Python package that does. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <string.h>
#include <sys/stat.h>

typedef struct foreign_file {
    const char *name;
    size_t offset;
    size_t length;
    const char *magic;
} foreign_file;

static const foreign_file *foreign_of(const uint8_t *head, size_t length)
{
    static const foreign_file formats[] = {
        {"HDF5 or NetCDF 4", 0, 8, "\x89HDF\r\n\x1A\n"},
        {"NetCDF", 0, 4, "CDF\x01"},
        {"NetCDF", 0, 4, "CDF\x02"},
        {"NetCDF", 0, 4, "CDF\x05"},
        {"MATLAB", 0, 6, "MATLAB"},
        {"WAV", 8, 4, "WAVE"},
        {"Parquet", 0, 4, "PAR1"},
        {"GRIB", 0, 4, "GRIB"},
        {"TIFF or GeoTIFF", 0, 4, "II*\0"},
        {"TIFF or GeoTIFF", 0, 4, "MM\0*"},
        {"TIFF or GeoTIFF", 0, 4, "II+\0"},
        {"TIFF or GeoTIFF", 0, 4, "MM\0+"},
        {"an old spreadsheet", 0, 8, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"},
    };
    size_t i;

    for (i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].offset + formats[i].length <= length &&
            memcmp(head + formats[i].offset, formats[i].magic, formats[i].length) == 0 &&
            (formats[i].offset == 0 || memcmp(head, "RIFF", 4) == 0 || memcmp(head, "RF64", 4) == 0))
            return &formats[i];
    return NULL;
}

static int refuse(const char *path, const char *name)
{
    return fail(path, NULL, NO_OFFSET, "%s is not read by this tool; use: python3 -m microtet pack %s -o OUT.tet", name,
                path);
}

int pack_foreign_check(const char *path, const uint8_t *head, size_t length)
{
    const foreign_file *const found = foreign_of(head, length);

    if (found != NULL)
        return refuse(path, found->name);
    return ends_with(path, ".xlsx") || ends_with(path, ".ods") ? refuse(path, "a spreadsheet") : TOOL_OK;
}

int pack_foreign_folder(const char *path)
{
    static const char *const members[] = {".zgroup", ".zarray", ".zattrs", "zarr.json"};
    char name[4096];
    struct stat there;
    size_t i;

    for (i = 0; i < sizeof members / sizeof members[0]; i++)
        if (snprintf(name, sizeof name, "%s/%s", path, members[i]) < (int)sizeof name && stat(name, &there) == 0)
            return refuse(path, "Zarr");
    return TOOL_OK;
}
