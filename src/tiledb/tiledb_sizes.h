/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SIZE(number without UTET_OBJECT_, type) for each object of this package. abi/sizes.c defines SIZE. */
SIZE(TILEDB_FILTERS, utet_tiledb_filters)
SIZE(TILEDB_FILTER, utet_tiledb_filter)
SIZE(TILEDB_PART, utet_tiledb_part)
SIZE(TILEDB_CODEC, utet_tiledb_codec)
SIZE(TILEDB_OPTIONS, utet_tiledb_options)
SIZE(TILEDB, utet_tiledb)
SIZE(TILEDB_TEXT, utet_tiledb_text)
SIZE(TILEDB_ITEM, utet_tiledb_item)
SIZE(TILEDB_SCHEMA, utet_tiledb_schema)
SIZE(TILEDB_ENUMERATION, utet_tiledb_enumeration)
SIZE(TILEDB_ENTRY, utet_tiledb_entry)
SIZE(TILEDB_STAMP, utet_tiledb_stamp)
SIZE(TILEDB_FILES, utet_tiledb_files)
SIZE(TILEDB_KEYS, utet_tiledb_keys)
SIZE(TILEDB_GROUP, utet_tiledb_group)
SIZE(TILEDB_MEMBER, utet_tiledb_member)
