/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_tiledb_folder: which files of a TileDB array or group count, now or at an earlier time, and what they say
 * together. TileDB keeps metadata and the members of a group in many small files; a later one overrides an earlier one,
 * key by key (src/tiledb/FORMAT.md §1.1). Later is what has the greater time as a number.
 *
 * The caller passes the memory for names and for keys. The work is linear in the bytes of the files, apart from
 * sorting their names.
 *
 *     utet_tiledb_files_open(&files, &folder, "ARRAY/__meta", at, names, sizeof names);
 *     utet_tiledb_keys_init(&keys, words, sizeof words);
 *     while ((s = utet_tiledb_files_next(&files)) == UTET_OK) {       // the last file first
 *         … open the file files.name of that folder, utet_init(&file, …)
 *         if (files.is_list) {                                        // such files come before all others
 *             utet_tiledb_files_vacuum(&files, &file);
 *             continue;
 *         }
 *         utet_tiledb_open(&tile, &file, &options);
 *         for (s = utet_tiledb_entry_first(&tile, &entry); s == UTET_OK; s = utet_tiledb_entry_next(&tile, &entry)) {
 *             k = utet_tiledb_keys_add(&keys, &tile, &entry.key);     // UTET_END: a later file has spoken of it
 *             if (k == UTET_OK && !entry.deleted)
 *                 … this is what the array says of the key
 *         }
 *     }
 *
 * A damaged file costs what it says, if it is walked through to its end before its first key is added.
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

/* ---- the files that count (§1.1) ------------------------------------------------------------------------- */

#define UTET_TILEDB_NOW UINT64_MAX /* `at`: all files, also those whose time is still to come */

typedef struct utet_tiledb_files {
    char name[UTET_TILEDB_NAME_SIZE]; /* name of the file that utet_tiledb_files_next has returned */
    utet_tiledb_stamp stamp;          /* what that name says */
    uint8_t is_list;                  /* 1: a list of files that do not count any more, for utet_tiledb_files_vacuum */
    uint32_t count;                   /* number of all files, lists included */
    size_t needed;                    /* bytes of memory that the names want, after UTET_E_SPACE too */
    struct {
        uint8_t *memory;
        uint32_t size;   /* size of the memory, a multiple of 8 bytes */
        uint32_t text;   /* where the next name would stand */
        uint32_t left;   /* files not handed out yet */
        uint32_t lists;  /* how many files are lists */
        uint64_t place;  /* position in the list that is being read */
        uint32_t length; /* length of the name that is being read there */
        char line[UTET_TILEDB_NAME_SIZE];
    } priv;
} utet_tiledb_files;

/*
 * Lists the folder at `path` (`__meta` of an array or group, `__group` of a group). at: files count whose second time
 * is not later than that, in milliseconds since 1970; UTET_TILEDB_NOW: all. Blocks. memory: for 8-byte alignment; about
 * 85 bytes a file, and it has to stay as long as the object is used.
 * UTET_E_ARGUMENT: the memory is null or not aligned. UTET_E_NOT_FOUND: there is no such folder. UTET_E_SPACE: the
 * memory is too small; files->needed says how much is enough.
 * Returns: OK, E_ARGUMENT, E_NOT_FOUND, E_SPACE, E_PORT
 */
utet_status utet_tiledb_files_open(utet_tiledb_files *files, const utet_folder *folder, const char *path, uint64_t at,
                                   void *memory, size_t size);
/*
 * The next file: first the lists of files that do not count any more, then all others from the last one to the first.
 * UTET_END: that were all.
 * Returns: OK, END
 */
utet_status utet_tiledb_files_next(utet_tiledb_files *files);
/*
 * Reads a list (§1.2): the files that it names are not handed out. `file`: the list itself, initialised (utet_init).
 * UTET_E_STATE: the file is not initialised, or another call on it is suspended. UTET_E_BUDGET: file->needed.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_PORT
 */
utet_status utet_tiledb_files_vacuum(utet_tiledb_files *files, utet_file *file);

/* ---- keys of which a later file has spoken ---------------------------------------------------------------- */

typedef struct utet_tiledb_keys {
    uint32_t count; /* of keys */
    size_t needed;  /* after UTET_E_SPACE: bytes of memory that this key wants besides what there is */
    struct {
        uint8_t *memory;
        uint32_t text; /* the texts of keys begin there */
        uint32_t root;
    } priv;
} utet_tiledb_keys;

/*
 * An empty set of keys. memory: for 4-byte alignment; 24 bytes and its text for each key. At most 2 GiB of it are used.
 * UTET_E_ARGUMENT: the memory is null or not aligned.
 * Returns: OK, E_ARGUMENT
 */
utet_status utet_tiledb_keys_init(utet_tiledb_keys *keys, void *memory, size_t size);
/*
 * Adds a text of the tile: the key of an entry, or the name of a member, or its uri if it has none.
 * UTET_END: it is in the set already. UTET_E_SPACE: there is no room for it; nothing has changed.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_SPACE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_keys_add(utet_tiledb_keys *keys, utet_tiledb *tile, const utet_tiledb_text *text);

/* ---- members of a group (§5.3) ----------------------------------------------------------------------------- */

typedef struct utet_tiledb_group {
    uint32_t version; /* 1: of several files the last one counts alone; 2: they count together */
    uint64_t count;   /* of members in this file */
    struct {
        utet_tiledb *tile;
        uint32_t place; /* position of the first member */
    } priv;
} utet_tiledb_group;

/* utet_tiledb_member.type */
enum { UTET_TILEDB_IS_GROUP = 1, UTET_TILEDB_IS_ARRAY = 2 };

typedef struct utet_tiledb_member {
    uint32_t version;
    uint32_t number;  /* number in this file, from 0 */
    uint8_t type;     /* UTET_TILEDB_IS_GROUP or _ARRAY */
    uint8_t relative; /* 1: the uri begins at the group's folder */
    uint8_t named;    /* 1: it has a name; its key is that, else its uri */
    uint8_t deleted;  /* 1: it is not a member any more (in groups of version 1 without meaning) */
    utet_tiledb_text uri;
    utet_tiledb_text name;
    struct {
        uint32_t next;
    } priv;
} utet_tiledb_member;

/*
 * Reads the head of a file of the folder `__group`.
 * UTET_E_VERSION: the group's own version is not 1 or 2.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_VERSION, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX,
 *          E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_group_open(utet_tiledb_group *group, utet_tiledb *tile);
/*
 * The first member of the file / the one after *member. UTET_END: nothing follows, and the tile ends there.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX, E_ROW,
 *          E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_member_first(utet_tiledb_group *group, utet_tiledb_member *member);
utet_status utet_tiledb_member_next(utet_tiledb_group *group, utet_tiledb_member *member);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
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
