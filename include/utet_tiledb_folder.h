/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_tiledb_folder: finds the current files of a TileDB array or group, now or at an earlier time, and combines their
 * contents. TileDB keeps metadata and the members of a group in many small files; a later file overrides an earlier
 * one, key by key (src/tiledb/FORMAT.md §1.1). The later file is the one whose time is the larger number.
 *
 * The caller passes the memory for names and keys. The time is linear in the size of the files, apart from sorting
 * their names.
 *
 *     utet_tiledb_files_open(&files, &folder, "ARRAY/__meta", at, names, sizeof names);
 *     utet_tiledb_keys_init(&keys, words, sizeof words);
 *     while ((s = utet_tiledb_files_next(&files)) == UTET_OK) {       // the last file first
 *         … open the file files.name of that folder, utet_init(&file, …)
 *         if (files.is_list) {                                        // lists come before all other files
 *             utet_tiledb_files_vacuum(&files, &file);
 *             continue;
 *         }
 *         utet_tiledb_open(&tile, &file, &options);
 *         for (s = utet_tiledb_entry_first(&tile, &entry); s == UTET_OK; s = utet_tiledb_entry_next(&tile, &entry)) {
 *             k = utet_tiledb_keys_add(&keys, &tile, &entry.key);     // UTET_END: a later file contains this key
 *             if (k == UTET_OK && !entry.deleted)
 *                 … this is the array's current value of the key
 *         }
 *     }
 *
 * So that a damaged file loses only its own entries, read each file to its end before you add its first key.
 */
#ifndef UTET_TILEDB_FOLDER_H
#define UTET_TILEDB_FOLDER_H

#include "utet_folder.h"
#include "utet_tiledb.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* ---- the current files (§1.1) ----------------------------------------------------------------------------- */

#define UTET_TILEDB_NOW UINT64_MAX /* value of `at`: all files, including those with a future time */

typedef struct utet_tiledb_files {
    char name[UTET_TILEDB_NAME_SIZE]; /* name of the file that utet_tiledb_files_next has delivered */
    utet_tiledb_stamp stamp;          /* the times and the version in that name */
    uint8_t is_list;                  /* 1: a list of obsolete files, for utet_tiledb_files_vacuum */
    uint32_t count;                   /* number of all files, including lists */
    size_t needed;                    /* memory that the names need, in bytes; also valid after UTET_E_SPACE */
    struct {
        uint8_t *memory;
        uint32_t size;   /* size of the memory in bytes, a multiple of 8 */
        uint32_t text;   /* position of the next name */
        uint32_t left;   /* number of files that have not been delivered */
        uint32_t lists;  /* number of files that are lists */
        uint64_t place;  /* position in the current list */
        uint32_t length; /* length of the current name in that list */
        char line[UTET_TILEDB_NAME_SIZE];
    } priv;
} utet_tiledb_files;

/*
 * Lists the folder at `path` (`__meta` of an array or group, `__group` of a group). at: a time in milliseconds since
 * 1970; only files whose t2 is not after it count. UTET_TILEDB_NOW: all files count. The call blocks. memory: aligned
 * to 8 bytes; about 85 bytes per file. It must stay valid as long as the object is used.
 * UTET_E_ARGUMENT: the memory is NULL or not aligned. UTET_E_NOT_FOUND: there is no such folder. UTET_E_SPACE: the
 * memory is too small; files->needed is the sufficient size.
 * Returns: OK, E_ARGUMENT, E_NOT_FOUND, E_SPACE, E_PORT
 */
utet_status utet_tiledb_files_open(utet_tiledb_files *files, const utet_folder *folder, const char *path, uint64_t at,
                                   void *memory, size_t size);
/*
 * Delivers the next file: first the lists of obsolete files, then all others from the last one to the first.
 * UTET_END: there are no more files.
 * Returns: OK, END
 */
utet_status utet_tiledb_files_next(utet_tiledb_files *files);
/*
 * Reads a list (§1.2): the files that it names are not delivered. `file`: the list itself, initialised (utet_init).
 * UTET_E_STATE: the file is not initialised, or another call on it is suspended. UTET_E_BUDGET: the workspace is too
 * small; file->needed is the sufficient size.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_PORT
 */
utet_status utet_tiledb_files_vacuum(utet_tiledb_files *files, utet_file *file);

/* ---- set of the keys that later files contain -------------------------------------------------------------- */

typedef struct utet_tiledb_keys {
    uint32_t count; /* number of keys */
    size_t needed;  /* after UTET_E_SPACE: additional memory that this key needs, in bytes */
    struct {
        uint8_t *memory;
        uint32_t text; /* start of the keys' texts in the memory */
        uint32_t root;
    } priv;
} utet_tiledb_keys;

/*
 * Initialises an empty set of keys. memory: aligned to 4 bytes; for each key 24 bytes and its text. At most 2 GiB are
 * used.
 * UTET_E_ARGUMENT: the memory is NULL or not aligned.
 * Returns: OK, E_ARGUMENT
 */
utet_status utet_tiledb_keys_init(utet_tiledb_keys *keys, void *memory, size_t size);
/*
 * Adds a text of the tile: the key of an entry, or the name of a member, or its uri if it has no name.
 * UTET_END: the text is already in the set. UTET_E_SPACE: there is no room for it; nothing has changed.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_SPACE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_keys_add(utet_tiledb_keys *keys, utet_tiledb *tile, const utet_tiledb_text *text);

/* ---- members of a group (§5.3) ----------------------------------------------------------------------------- */

typedef struct utet_tiledb_group {
    uint32_t version; /* 1: of several files, only the last one counts; 2: all of them count together */
    uint64_t count;   /* number of members in this file */
    struct {
        utet_tiledb *tile;
        uint32_t place; /* position of the first member */
    } priv;
} utet_tiledb_group;

/* Values of utet_tiledb_member.type. */
enum { UTET_TILEDB_IS_GROUP = 1, UTET_TILEDB_IS_ARRAY = 2 };

typedef struct utet_tiledb_member {
    uint32_t version;
    uint32_t number;  /* index in this file, from 0 */
    uint8_t type;     /* UTET_TILEDB_IS_GROUP or _ARRAY */
    uint8_t relative; /* 1: the uri is relative to the group's folder */
    uint8_t named;    /* 1: the member has a name, which is its key; 0: its key is the uri */
    uint8_t deleted;  /* 1: no longer a member (meaningless in groups of version 1) */
    utet_tiledb_text uri;
    utet_tiledb_text name;
    struct {
        uint32_t next;
    } priv;
} utet_tiledb_member;

/*
 * Reads the head of a file of the folder `__group`.
 * UTET_E_VERSION: the version of the group is not 1 or 2.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_VERSION, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX,
 *          E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_group_open(utet_tiledb_group *group, utet_tiledb *tile);
/*
 * Reads the first member of the file / the member after *member. UTET_END: there are no more members, and the tile ends
 * after them.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX, E_ROW,
 *          E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_member_first(utet_tiledb_group *group, utet_tiledb_member *member);
utet_status utet_tiledb_member_next(utet_tiledb_group *group, utet_tiledb_member *member);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum {
    UTET_OBJECT_TILEDB_FILES = 84,
    UTET_OBJECT_TILEDB_KEYS = 85,
    UTET_OBJECT_TILEDB_GROUP = 86,
    UTET_OBJECT_TILEDB_MEMBER = 87
};

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
