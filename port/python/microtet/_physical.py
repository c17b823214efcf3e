# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Physical values: stored * scale_factor + add_offset, and NaN for a fill value. The C library rounds each once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from ._core import ffi, lib  # type: ignore[import-not-found]
from ._elements import Elements, pack, write_header
from ._errors import STATUSES, Error
from ._file import Dataset, File, Where, room

KEYS = ("scale_factor", "add_offset", "_FillValue", "missing_value", "fill_value")  # attributes that the values use up
WRONG = {-54: "is not a number", -41: "has more than 19 digits, or is beyond 10^40"}
BAND = 1 << 18  # elements that a reduction copies at a time


class Physical(Dataset):
    """The physical values of a dataset or of a selection, as float64. Dataset.physical creates it.

    It is used like a Dataset. Each value is stored * scale_factor + add_offset, rounded once, or NaN for a fill value.
    """

    @property
    def physical(self) -> Physical:
        return self

    @property
    def dtype(self) -> np.dtype:
        return np.dtype("<f8")

    @property
    def nbytes(self) -> int:
        return self.size * 8

    @property
    def attrs(self) -> dict[str, str]:
        """The attributes, without those that the values have used up."""
        return {key: text for key, text in super().attrs.items() if key not in KEYS}

    def __repr__(self) -> str:
        return f"<microtet.Physical {self.name!r} float64 {self.shape}>"

    def _conversion(self) -> Any:
        conversion = ffi.new("utet_physical *")
        self.file._check(lib.utet_physical_begin(conversion, self._record.dtype))
        for key, text in super().attrs.items():
            name, value = key.encode(), text.encode()
            status = lib.utet_physical_attribute(conversion, name, len(name), value, len(value))
            if status < 0:
                raise Error(f"{self.name}: the attribute {key} is {text[:60]!r}, which {WRONG.get(status, 'is wrong')}",
                            status, STATUSES[-54][1])
        return conversion

    def read(self) -> Any:
        """The physical values of the selection: an array, or a NumPy scalar for one element."""
        conversion = self._conversion()
        stored = np.ascontiguousarray(super().read())
        codes = stored.reshape(-1)
        count = 1 << 8 * stored.itemsize
        if stored.itemsize <= 2 and codes.size > count:  # each element that there can be is converted once
            table = converted(conversion, np.arange(count, dtype=f"<u{stored.itemsize}"))
            values = table[codes.view(f"<u{stored.itemsize}")]
        else:
            values = converted(conversion, codes)
        values = values.reshape(self.shape)
        return values[()] if values.ndim == 0 else values

    def fold(
        self,
        operation: Union[str, Sequence[str]],
        axis: Any = None,
        where: Optional[Where] = None,
        fill: Union[int, float, None] = None,
        q: float = 0.5,
        bins: int = 10,
        range: Optional[tuple[float, float]] = None,  # noqa: A002
    ) -> Any:
        """Reduces physical values, as Dataset.fold does stored ones. A fill value counts as NaN.

        The selection is copied into a temporary .tet file of float64, which the C library reduces.
        """
        kept = [number for number, one in enumerate(self._axes) if one.kept]
        reduced = None if axis is None else [kept.index(number) for number in self._reduced(axis)]
        if self.size == 0:
            raise ValueError(f"{operation} of an empty selection")
        with tempfile.TemporaryDirectory(prefix="microtet-") as folder, File(self._copy(folder), self.file._budget) as file:
            return file.datasets[0].fold(operation, reduced, where, fill, q, bins, range)

    def _copy(self, folder: str) -> str:
        """Packs the values into a .tet file in this folder, a band of the first axis at a time, and returns its path."""
        header, copy = os.path.join(folder, "physical.npy"), os.path.join(folder, "physical.tet")
        elements = Elements(self if self.shape else np.reshape(self.read(), 1), self.dtype)
        elements.step = min(elements.shape[0], max(1, BAND * elements.shape[0] // self.size))
        write_header(header, self.dtype, elements.shape)
        tile = "x".join(map(str, (elements.step, *elements.shape[1:])))
        words = [header, "-o", copy, "--codec", "raw", "--tile", tile, "--verify", "stored"]
        pack(words, [elements], [self.name], ahead=False, bar=False)
        return copy


def converted(conversion: Any, codes: np.ndarray) -> np.ndarray:
    """Stored elements, one after the other, as physical values."""
    values = room([codes.size], np.dtype("<f8"))
    lib.microtet_physical(conversion, ffi.from_buffer(codes), codes.itemsize, codes.size, ffi.from_buffer(values))
    return values
