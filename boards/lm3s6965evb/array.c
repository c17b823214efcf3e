/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that lists the schema of every TileDB array on the SD card: of each folder in the root that has a folder
 * __schema, the newest file in it, by long names; else __array_schema.tdb. Prints the lines that `utet schema` prints
 * on a host, except for values of other datatypes than integers, and options of filters; test/boards/array_test.py
 * compares them. Relies on the drivers of this folder, on common/ and on port/fatfs. */
#include "board.h"
#include "ff.h"
#include "print.h"
#include "report.h"
#include "utet_fatfs_folder.h"
#include "utet_fatfs_words.h"
#include "utet_tiledb.h"

#include <string.h>

#define TABLE_WORDS 64u
#define WORK 6144u
#define SCHEMAS "/__schema"
#define OLD_SCHEMA "/__array_schema.tdb"

static const utet_tiledb_codec *const codecs[] = {&utet_tiledb_gzip, NULL};
static const utet_tiledb_options options = {codecs, 0};

static FATFS volume;
static utet_fatfs_folder names; /* of schema files */
static DIR root;
static FILINFO entry;
static utet_fatfs port;
static DWORD table[TABLE_WORDS];
static uint64_t work[WORK / 8];
static utet_file file;
static utet_tiledb tile;
static utet_tiledb_schema schema;
static utet_tiledb_item item;

/* ---- lines ---- */

static utet_status line_text(const char *title, utet_tiledb_text text)
{
    char piece[32];
    size_t got;
    utet_status status;

    print_text(title);
    while ((status = utet_tiledb_read(&tile, &text, piece, sizeof piece, &got)) == UTET_OK)
        print_name(piece, got);
    print_char('\n');
    return status == UTET_END ? UTET_OK : status;
}

static utet_status line_filters(const char *title, utet_tiledb_filters filters)
{
    utet_tiledb_filter filter;
    utet_status status;

    print_text(title);
    print_u64(filters.count);
    print_char('\n');
    while ((status = utet_tiledb_filter_next(&tile, &filters, &filter)) == UTET_OK) {
        print_text("  > ");
        print_text(utet_tiledb_filter_name(filter.type));
        print_char('\n');
    }
    return status == UTET_END ? UTET_OK : status;
}

static void line_type(void)
{
    print_text("- Type: ");
    print_text(utet_tiledb_type_name(item.datatype));
    print_text("\n- Cell val num: ");
    if (item.cell_val_num == UTET_TILEDB_VAR)
        print_text("var");
    else
        print_u64(item.cell_val_num);
    print_char('\n');
}

/* Prints minimum and maximum of a dimension of INT32 or INT64; other datatypes are skipped. */
static utet_status line_domain(void)
{
    uint8_t bytes[16];
    utet_tiledb_text domain = item.domain;
    const unsigned size = utet_tiledb_type_size(item.datatype);
    size_t got;
    utet_status status;

    if (item.datatype > 1)
        return UTET_OK;
    status = utet_tiledb_read(&tile, &domain, bytes, 2 * size, &got);
    if (status != UTET_OK)
        return status;
    print_text("- Domain: [");
    for (unsigned i = 0; i < 2; i++) {
        uint64_t value = 0;

        for (unsigned n = size; n-- > 0;)
            value = value << 8 | bytes[i * size + n];
        print_i64(size == 4 ? (int32_t)(uint32_t)value : (int64_t)value);
        print_text(i == 0 ? ", " : "]\n");
    }
    return UTET_OK;
}

static utet_status show_item(void)
{
    static const char *const titles[] = {"\n### Dimension ###\n", "\n### Attribute ###\n",
                                         "\n### Dimension label ###\n"};
    utet_status status;

    print_text(titles[item.kind]);
    status = line_text("- Name: ", item.name);
    line_type();
    if (status == UTET_OK && item.kind == UTET_TILEDB_DIMENSION)
        status = line_domain();
    if (item.kind == UTET_TILEDB_ATTRIBUTE)
        print_text(item.nullable ? "- Nullable: true\n" : "- Nullable: false\n");
    if (item.kind == UTET_TILEDB_DIMENSION && item.filters.count == 0)
        print_text("- Filters: those of the coordinates\n");
    else if (status == UTET_OK && item.kind != UTET_TILEDB_LABEL)
        status = line_filters("- Filters: ", item.filters);
    if (status == UTET_OK && item.enumeration.size != 0)
        status = line_text("- Enumeration: ", item.enumeration);
    return status;
}

/* ---- an array ---- */

static utet_status show_schema(void)
{
    static const char *const orders[] = {"row-major", "col-major", "global", "", "hilbert"};
    utet_status status;

    print_text("- Format version: ");
    print_u64(schema.version);
    print_text(schema.array_type == 0 ? "\n- Array type: dense\n- Cell order: "
                                      : "\n- Array type: sparse\n- Cell order: ");
    print_text(orders[schema.cell_order]);
    print_text("\n- Tile order: ");
    print_text(orders[schema.tile_order]);
    print_char('\n');
    status = line_filters("- Coordinates filters: ", schema.coords);
    if (status == UTET_OK)
        status = line_filters("- Offsets filters: ", schema.offsets);
    if (status == UTET_OK)
        status = line_filters("- Validity filters: ", schema.validity);
    for (unsigned kind = UTET_TILEDB_DIMENSION; status == UTET_OK && kind <= UTET_TILEDB_LABEL; kind++) {
        status = utet_tiledb_first(&schema, kind, &item);
        while (status == UTET_OK) {
            status = show_item();
            if (status == UTET_OK)
                status = utet_tiledb_next(&schema, &item);
        }
        if (status == UTET_END)
            status = UTET_OK;
    }
    return status;
}

static utet_status show_file(const char *path)
{
    utet_status status = utet_fatfs_open(&port, path, table, TABLE_WORDS);

    if (status == UTET_OK)
        status = utet_init(&file, &port.io, work, sizeof work, NULL);
    if (status == UTET_OK)
        status = utet_tiledb_open(&tile, &file, &options);
    if (status == UTET_OK)
        status = utet_tiledb_schema_open(&schema, &tile);
    if (status == UTET_OK)
        status = utet_tiledb_schema_check(&schema);
    if (status == UTET_OK)
        status = show_schema();
    utet_fatfs_close(&port);
    return status;
}

/* The folder as an array: the newest file of __schema, or the one file of releases before 2.4. A folder with neither is
 * not an array, and is skipped. */
static utet_status show_folder(const char *folder)
{
    static char path[FF_MAX_LFN + sizeof SCHEMAS + UTET_TILEDB_NAME_SIZE];
    const size_t length = strlen(folder) + sizeof SCHEMAS - 1;
    const char *name = path + length + 1;
    utet_status status;

    strcpy(path, folder);
    strcat(path, SCHEMAS);
    status = utet_tiledb_newest(&names.folder, path, path + length + 1, UTET_TILEDB_NAME_SIZE);
    if (status == UTET_OK) {
        path[length] = '/';
    } else if (status == UTET_E_NOT_FOUND) {
        strcpy(path, folder);
        strcat(path, OLD_SCHEMA);
        name = path + strlen(folder) + 1;
        if (f_stat(path, NULL) != FR_OK)
            return UTET_OK;
    } else {
        return status;
    }
    print_text("array ");
    print_text(folder);
    print_text(", file ");
    print_text(name);
    print_char('\n');
    status = show_file(path);
    print_text("end of array\n");
    return status;
}

static utet_status show_card(void)
{
    FRESULT result = f_mount(&volume, "", 1);
    utet_status status = UTET_OK;

    if (result == FR_OK)
        result = f_opendir(&root, "/");
    utet_fatfs_folder_init(&names);
    while (result == FR_OK && status == UTET_OK) {
        result = f_readdir(&root, &entry);
        if (entry.fname[0] == '\0')
            break;
        if (result == FR_OK && (entry.fattrib & AM_DIR) != 0)
            status = show_folder(entry.fname);
    }
    return result == FR_OK ? status : UTET_FATFS_STATUS(result);
}

int main(void)
{
    utet_status status;

    print_text(utet_build_info());
    print_char('\n');
    status = show_card();
    report_memory(WORK);
    return report_end("array", status, utet_fatfs_strerror(status), file.error_offset);
}
