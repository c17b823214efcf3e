# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Reads and packs Tetration .tet files with the C library microtet. README.md of port/python has examples."""

from ._core import ffi as _ffi, lib as _lib  # type: ignore[import-not-found]
from ._errors import (
    BudgetError,
    DamagedError,
    Error,
    MediumError,
    MissingPackage,
    ToolError,
    UnsupportedError,
)
from ._file import Dataset, File, open
from ._messages import Message, messages, schema
from ._pack import Array, pack
from ._physical import Physical

__version__: str = _ffi.string(_lib.utet_version_text()).decode()
__all__ = [
    "Array",
    "BudgetError",
    "DamagedError",
    "Dataset",
    "Error",
    "File",
    "MediumError",
    "Message",
    "MissingPackage",
    "Physical",
    "ToolError",
    "UnsupportedError",
    "messages",
    "open",
    "pack",
    "schema",
]
