# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The backend for xarray: xr.open_dataset("card.tet", engine="microtet"). Values are read when they are used."""

from __future__ import annotations

import os
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Optional

import numpy as np
import xarray
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from ._file import Dataset, File

NUMBERS = ("scale_factor", "add_offset")
ELEMENTS = ("_FillValue", "missing_value", "valid_min", "valid_max", "flag_values", "flag_masks")


class Values(BackendArray):
    """The values of a dataset, lazily."""

    def __init__(self, dataset: Dataset) -> None:
        self.file, self.id = dataset.file, dataset.id
        self.shape, self.dtype = dataset.shape, dataset.dtype

    def __getitem__(self, key: Any) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key: Any) -> Any:
        return np.asarray(self.file.datasets[self.id][key])


def attributes(dataset: Dataset) -> dict[str, Any]:
    """The attributes, with the numbers that CF conventions give a meaning."""
    found: dict[str, Any] = dict(dataset.attrs)
    for key in NUMBERS + ELEMENTS:
        if key in found:
            try:
                numbers = [number(text, dataset.dtype if key in ELEMENTS else None) for text in found[key].split(",")]
            except (ValueError, ArithmeticError):
                continue  # it stays a text
            found[key] = numbers[0] if len(numbers) == 1 else np.array(numbers)
    return found


def number(text: str, dtype: Optional[np.dtype]) -> Any:
    if dtype is None:
        return float(text)
    if dtype.kind not in "iu":
        return dtype.type(text)
    exact, limits = Decimal(text), np.iinfo(dtype)
    if not limits.min <= exact <= limits.max or exact != exact.to_integral_value():
        raise ValueError(f"{text} is no {dtype.name}")
    return dtype.type(int(exact))


def coordinate(labels: list[str]) -> np.ndarray:
    """Labels as integers, floats or times, if all of them are; else as texts."""
    if all(label.lstrip("-").isdigit() and str(int(label)) == label for label in labels):
        return np.array([int(label) for label in labels], "i8")
    for convert in (float, np.datetime64):
        try:
            values = np.array([convert(label) for label in labels])
        except (ValueError, OverflowError):
            continue
        return values.astype("datetime64[ns]") if values.dtype.kind == "M" else values
    return np.array(labels, dtype=object)


class MicrotetBackend(BackendEntrypoint):
    description = "Reads Tetration .tet files with microtet"
    open_dataset_parameters = (
        "filename_or_obj",
        "drop_variables",
        "budget",
        "mask_and_scale",
        "decode_times",
        "decode_coords",
        "decode_timedelta",
        "use_cftime",
        "concat_characters",
    )

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        return isinstance(filename_or_obj, (str, os.PathLike)) and os.fspath(filename_or_obj).endswith(".tet")

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: Optional[Iterable[str]] = None,
        budget: Optional[int] = None,
        mask_and_scale: bool = True,
        decode_times: Any = True,
        decode_coords: Any = True,
        decode_timedelta: Any = None,
        use_cftime: Any = None,
        concat_characters: bool = True,
    ) -> xarray.Dataset:
        """budget: the most bytes of memory that the C library may use."""
        file = File(filename_or_obj, budget)
        drop = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
        variables: dict[str, xarray.Variable] = {}
        coords: dict[str, xarray.Variable] = {}
        for name, dataset in file.items():
            if name in drop:
                continue
            lazy = indexing.LazilyIndexedArray(Values(dataset))
            variables[name] = xarray.Variable(dataset.dims, lazy, attributes(dataset))
            for dim, labels in dataset.labels.items():
                if dim not in drop and dim not in file:
                    coords.setdefault(dim, xarray.Variable((dim,), coordinate(labels)))
        variables = file_dims(variables)
        found = xarray.Dataset(variables, coords, dict(file.attrs))
        more = {} if use_cftime is None else {"use_cftime": use_cftime}
        found = xarray.decode_cf(
            found,
            mask_and_scale=mask_and_scale,
            decode_times=decode_times,
            decode_coords=decode_coords,
            decode_timedelta=decode_timedelta,
            concat_characters=concat_characters,
            **more,
        )
        found.set_close(file.close)
        return found


def file_dims(variables: dict[str, xarray.Variable]) -> dict[str, xarray.Variable]:
    """Axes that share a name but not an extent get names of their own: xarray has one extent for each name."""
    extents: dict[str, int] = {}
    for name, variable in variables.items():
        dims = []
        for dim, extent in zip(variable.dims, variable.shape):
            dims.append(dim if extents.setdefault(str(dim), extent) == extent else f"{name}_{dim}")
        variable.dims = tuple(dims)
    return variables
