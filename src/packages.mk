# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The packages of the library, each a folder of src/. Libraries, joined files (make amalgamation), the manifests of other build systems and
# tests follow from this list:
#   STANDS_ON_NAME   packages whose functions it calls or whose internal headers it includes; a package comes after them in the list
#   HEADERS_NAME     of include/, its own
#   FILES_NAME       further sources that its libraries and joined files contain
# run-packages compiles each with only these, and compares them with the package's README.
# src/abi (the sizes of all objects) is not a package: it knows all of them, and only libutet.a and the joined reader
# contain it.

# What manifests state about all of it; the version is in include/utet.h.
DESCRIPTION := Reads Tetration .tet tensor files in a fixed memory budget
LICENCE     := Apache-2.0
# Folders of port/ that hold a port, as sources: a program compiles the one that it uses.
PORTS       := posix mmap fatfs littlefs semihosting dma uart partition cache

PACKAGES := base zstd inflate szip tet lz4 cbor tiledb tensogram fold query

STANDS_ON_base      :=
HEADERS_base        := utet_io.h utet.h utet_folder.h

STANDS_ON_zstd      :=
HEADERS_zstd        := utet_io.h utet_zstd.h
FILES_zstd          := src/base/strerror.c

STANDS_ON_inflate   :=
HEADERS_inflate     := utet_io.h utet_inflate.h
FILES_inflate       := src/base/strerror.c

STANDS_ON_szip      :=
HEADERS_szip        := utet_io.h utet_szip.h
FILES_szip          := src/base/strerror.c

STANDS_ON_tet       := base zstd
HEADERS_tet         := utet_codec.h utet_check.h utet_meta.h utet_show.h

STANDS_ON_lz4       := tet
HEADERS_lz4         := utet_lz4.h

STANDS_ON_cbor      := base
HEADERS_cbor        := utet_cbor.h

STANDS_ON_tiledb    := base zstd inflate
HEADERS_tiledb      := utet_tiledb.h utet_tiledb_folder.h

STANDS_ON_tensogram := tet cbor szip lz4
HEADERS_tensogram   := utet_tensogram.h utet_tensogram_data.h

STANDS_ON_fold      := tet
HEADERS_fold        := utet_fold.h utet_transform.h

STANDS_ON_query     := fold
HEADERS_query       := utet_query.h
