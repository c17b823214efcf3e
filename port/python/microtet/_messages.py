# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Tensogram messages and TileDB schemas, read by the tool."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np

from . import _tool

PathLike = Union[str, "os.PathLike[str]"]


class Message(Mapping[str, Any]):
    """One Tensogram message: a mapping of what the tool lists (frames, metadata, objects), and its tensors."""

    def __init__(self, path: str, number: int, listed: dict[str, Any]) -> None:
        self._path, self._number, self._listed = path, number, listed

    def __getitem__(self, key: str) -> Any:
        return self._listed[key]

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    @property
    def metadata(self) -> dict[str, Any]:
        """The merged metadata."""
        return self._listed.get("metadata", {})

    @property
    def tensors(self) -> Sequence[dict[str, Any]]:
        """The descriptors of the tensors."""
        return self._listed.get("objects", [])

    def read(self, tensor: int = 0) -> np.ndarray:
        """The values of one tensor."""
        out = _tool.run(
            ["message", self._path, str(self._number), "--object", str(tensor), "--format", "npy", "-o", "-"],
            self._path,
        )
        return np.load(io.BytesIO(out), allow_pickle=False)

    def __repr__(self) -> str:
        return f"<microtet.Message {self._number} of {self._path!r}, {len(self.tensors)} tensors>"


def messages(path: PathLike, where: Sequence[str] = ()) -> list[Message]:
    """The Tensogram messages of a file. where: conditions such as "mars.param=2t/10u"; all must be true."""
    name = os.fspath(path)
    clauses = [word for clause in where for word in ("-w", clause)]
    everything = _tool.run_json(["messages", name, "--json"], name)["messages"]
    if not clauses:
        return [Message(name, number, one) for number, one in enumerate(everything)]
    chosen = {one["offset"] for one in _tool.run_json(["messages", name, "--json", *clauses], name)["messages"]}
    return [Message(name, number, one) for number, one in enumerate(everything) if one["offset"] in chosen]


def schema(path: PathLike, kind: Optional[str] = None, at: Optional[int] = None) -> dict[str, Any]:
    """The schema, enumerations, metadata or members of a TileDB array or group: a folder, or one file of it.

    kind: "schema", "enumeration", "metadata" or "group". at: a time in milliseconds since 1970.
    """
    name = os.fspath(path)
    words = ["schema", name, "--json"]
    if kind is not None:
        words += ["--kind", kind]
    if at is not None:
        words += ["--at", str(at)]
    return _tool.run_json(words, name)
