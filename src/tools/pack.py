#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Packs a folder, unchanged, for a release: pack.py FOLDER ARCHIVE.tar.gz|ARCHIVE.zip. The same files give the same bytes: sorted names,
the date SOURCE_DATE_EPOCH, no owners, modes 644 and 755. The names in the archive begin with the folder's own name."""
import gzip
import os
import sys
import tarfile
import time
import zipfile


def files(folder):
    """(path, name in the archive, whether it can be executed) of each file, sorted by name."""
    found = []
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            inside = os.path.join(os.path.basename(os.path.abspath(folder)), os.path.relpath(path, folder))
            found.append((inside.replace(os.sep, "/"), path, os.access(path, os.X_OK)))
    return sorted(found)


def pack_tar(folder, archive, date):
    with open(archive, "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for inside, path, run in files(folder):
            member = tarfile.TarInfo(inside)
            member.size, member.mtime, member.mode = os.path.getsize(path), date, 0o755 if run else 0o644
            with open(path, "rb") as data:
                tar.addfile(member, data)


def pack_zip(folder, archive, date):
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for inside, path, run in files(folder):
            member = zipfile.ZipInfo(inside, time.gmtime(max(date, 315532800))[:6])  # the format begins in 1980
            member.compress_type, member.create_system, member.external_attr = zipfile.ZIP_DEFLATED, 3, (0o100755 if run else 0o100644) << 16
            with open(path, "rb") as data:
                packed.writestr(member, data.read())


def main():
    folder, archive = sys.argv[1:]
    date = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    (pack_zip if archive.endswith(".zip") else pack_tar)(folder, archive, date)


main()
