# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Exceptions: one for each kind of status."""

from __future__ import annotations

from typing import Optional

# Statuses of include/utet_io.h, and the region of the file that each concerns, as in the tool's error lines.
STATUSES = {
    -1: ("E_ARGUMENT", "library"),
    -3: ("E_STATE", "library"),
    -4: ("E_BUDGET", "budget"),
    -5: ("E_RANGE", "slab"),
    -6: ("E_NOT_FOUND", "dataset"),
    -7: ("E_MISSING", "chunk row"),
    -8: ("E_SPACE", "budget"),
    -16: ("E_SHORT", "medium"),
    -32: ("E_MAGIC", "superblock"),
    -33: ("E_VERSION", "superblock"),
    -34: ("E_INDEX_VERSION", "chunk index"),
    -35: ("E_FOOTER_VERSION", "footer"),
    -36: ("E_DTYPE", "dataset"),
    -37: ("E_CODEC", "payload"),
    -38: ("E_ZSTD_WINDOW", "payload"),
    -39: ("E_ZSTD_DICT", "payload"),
    -40: ("E_ZSTD_LEGACY", "payload"),
    -41: ("E_LIMIT", "library"),
    -48: ("E_SUPERBLOCK", "superblock"),
    -49: ("E_DIRECTORY", "directory"),
    -50: ("E_DATASET", "dataset"),
    -51: ("E_INDEX", "chunk index"),
    -52: ("E_ROW", "chunk row"),
    -53: ("E_FOOTER", "footer"),
    -54: ("E_METADATA", "metadata"),
    -55: ("E_PAYLOAD", "payload"),
    -56: ("E_CHECKSUM", "payload"),
}
REGIONS = {region for _, region in STATUSES.values()}


class Error(Exception):
    """The base class of this package's exceptions.

    status: the status of the C library, None for an error of the tool.
    name: the name of the status, such as "E_PAYLOAD".
    region: the part of the file, such as "payload".
    offset: the file offset of the damage, None if there is none.
    """

    def __init__(
        self,
        text: str,
        status: Optional[int] = None,
        region: Optional[str] = None,
        offset: Optional[int] = None,
        needed: Optional[int] = None,
    ) -> None:
        super().__init__(text)
        self.status = status
        self.name: Optional[str] = None
        if status is not None:
            self.name = "E_PORT" if status <= -256 else STATUSES.get(status, ("", ""))[0]
        self.region = region
        self.offset = offset
        self.needed = needed

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return type(self), (self.args[0], self.status, self.region, self.offset, self.needed)


class BudgetError(Error):
    """The budget is too small; `needed` is a sufficient number of bytes."""


class MediumError(Error):
    """The file could not be read, or it ended too early."""


class UnsupportedError(Error):
    """Not a .tet file, or one that needs a newer library."""


class DamagedError(Error):
    """The file is damaged at `offset`."""


class ToolError(Error):
    """The tool utet refused its arguments or a file; the text is the tool's own line."""


class MissingPackage(Error, ImportError):
    """Reading this kind of input needs a package that is not installed; the text names it."""


def kind_of(status: int) -> type[Error]:
    if status == -4:
        return BudgetError
    if status == -16 or status <= -256:
        return MediumError
    if -41 <= status <= -32:
        return UnsupportedError
    if status == -7 or -56 <= status <= -48:
        return DamagedError
    return Error
