# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Packs arrays: each becomes the header of a .npy file with its metadata beside it, from which the tool `utet pack` makes the
file. The tool requests the elements from this process."""

from __future__ import annotations

import json
import os
import re
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import numpy as np

from . import _elements
from ._elements import Elements
from ._errors import Error

STORED = {"f2", "f4", "f8", "i2", "i4", "i8", "u1", "u2", "u4", "u8"}
MOST_LABELS = 64  # of an axis; the reference's verify refuses more
MOST_TEXT = 1024  # bytes of a text
MOST_ATTRIBUTES = 64
FILLS = ("_FillValue", "missing_value", "fill_value")
NO_TIME = np.iinfo("i8").min
TIME_UNITS = (("D", "days"), ("h", "hours"), ("s", "seconds"), ("ms", "milliseconds"), ("us", "microseconds"),
              ("ns", "nanoseconds"))


@dataclass
class Array:
    """An array to pack. dims: one name for each axis; coords: the coordinates of axes, by their names."""

    values: Any
    dims: Optional[Sequence[str]] = None
    coords: Mapping[str, Any] = field(default_factory=dict)
    attrs: Mapping[str, Any] = field(default_factory=dict)


def note(text: str) -> None:
    warnings.warn(text, stacklevel=4)


# ---- what there is to pack


def arrays_of(data: Any, name: str) -> dict[str, Array]:
    """The arrays of an object: xarray's and pandas' objects, mappings, anything that NumPy takes."""
    module = type(data).__module__.partition(".")[0]
    if module == "xarray":
        return of_xarray(data, name)
    if module == "pandas":
        return of_pandas(data, name)
    if isinstance(data, Mapping):
        found: dict[str, Array] = {}
        for key, value in data.items():
            found.update(arrays_of(value, str(key)))
        return found
    return {name: data if isinstance(data, Array) else Array(data)}


def of_xarray(data: Any, name: str) -> dict[str, Array]:
    import xarray

    if isinstance(data, xarray.Variable):
        return {name: Array(data.values, [str(d) for d in data.dims], {}, data.attrs)}
    if isinstance(data, xarray.DataArray):
        data = data.to_dataset(name=str(data.name) if data.name is not None else name)
    if data.attrs:
        note(f"attributes of the whole dataset are left out, a .tet file has none: {', '.join(map(str, data.attrs))}")
    labels = {str(d): as_times(data.variables[d], str(d)) for d in data.dims if d in data.variables}
    found: dict[str, Array] = {}
    for key, variable in data.variables.items():
        if key in labels:
            continue
        variable = encoded(variable)
        dims = [str(d) for d in variable.dims] or ["scalar"]
        attrs = dict(variable.attrs)
        others = [str(c) for c in data.coords if c not in data.dims and set(data[c].dims) <= set(variable.dims)]
        if key in data.data_vars and others:
            attrs.setdefault("coordinates", " ".join(others))
        found[str(key)] = Array(variable, dims, {d: labels[d] for d in dims if d in labels}, attrs)
    for key, variable in labels.items():  # a dimension that no array has
        if not any(key in one.coords for one in found.values()):
            found[key] = Array(variable.values, [key], {}, variable.attrs)
    return found


def as_times(variable: Any, name: str) -> Any:
    """A coordinate that was read as stored: numbers "since" become times, because labels have no units."""
    import xarray

    if variable.dtype.kind not in "iuf" or " since " not in str(variable.attrs.get("units", "")):
        return variable
    decoded = xarray.conventions.decode_cf_variable(name, variable)
    return decoded if decoded.dtype.kind == "M" else variable


def encoded(variable: Any) -> Any:
    """As it was stored: scale, offset, fill value and dtype of its encoding; times are left as they are."""
    import xarray

    encoding = variable.encoding
    fills = [encoding[key] for key in FILLS if encoding.get(key) is not None]
    same = np.dtype(encoding.get("dtype") or variable.dtype).newbyteorder("=") == variable.dtype.newbyteorder("=")
    scaled = any(key in encoding for key in ("scale_factor", "add_offset"))
    if variable.dtype.kind in "mMOSUT":
        return variable
    if not same or scaled or any(fill == fill for fill in fills):  # NaN is not equal to itself
        variable = xarray.conventions.encode_cf_variable(variable)
    fill = variable.attrs.get("_FillValue")
    if isinstance(fill, (float, np.floating)) and np.isnan(fill):
        variable = variable.copy(deep=False)
        del variable.attrs["_FillValue"]  # NaN says it itself
    return variable


def of_pandas(data: Any, name: str) -> dict[str, Array]:
    import pandas

    frame = data.to_frame(name=data.name if data.name is not None else name) if data.ndim == 1 else data
    if isinstance(frame.index, pandas.MultiIndex):
        frame = frame.reset_index()
    counts = isinstance(frame.index, pandas.RangeIndex) and frame.index.start == 0 and frame.index.step == 1
    dim = str(frame.index.name) if frame.index.name is not None else "row"
    coords = {} if counts else {dim: frame.index}
    if len(set(map(str, frame.columns))) != len(frame.columns):
        raise Error("two columns of the table have the same name")
    return {str(column): Array(frame[column], [dim], coords) for column in frame.columns}


# ---- dtypes


def stored_values(values: Any, name: str, attrs: dict[str, Any]) -> np.ndarray:
    """The values in a dtype of .tet files; attributes say what they mean."""
    if type(values).__module__.partition(".")[0] == "pandas":
        values = of_column(values, attrs)
    array = np.ma.asanyarray(values) if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
    if isinstance(array, np.ma.MaskedArray):
        if array.mask.any():
            attrs.setdefault("_FillValue", array.fill_value)
        array = array.filled(attrs.get("_FillValue", array.fill_value))
    if array.ndim == 0:
        array = array.reshape(1)
    kind = array.dtype.kind
    if array.dtype.str[1:] in STORED:
        return array
    if kind == "b":
        attrs["dtype"] = "bool"
        return array.astype("u1")
    if array.dtype == np.int8:
        attrs["original_dtype"] = "int8"
        return array.astype("<i2")
    if kind in "mM":
        return of_times(array, attrs)
    if kind == "f":
        narrow = array.astype("<f8")
        if not np.array_equal(narrow.astype(array.dtype), array, equal_nan=True):
            raise Error(f"{name}: {array.dtype} has more digits than f64, the widest dtype of .tet; convert it first")
        return narrow
    if kind in "SUTO":
        return of_texts(array, name, attrs)
    raise Error(f"{name}: a .tet file cannot hold {array.dtype}")


def of_column(column: Any, attrs: dict[str, Any]) -> Any:
    """A column of pandas as an array; missing integers become a fill value."""
    import pandas

    if isinstance(column.dtype, pandas.CategoricalDtype):
        column = column.astype(object)
    if isinstance(column.dtype, pandas.DatetimeTZDtype):
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    kind = getattr(column.dtype, "kind", "O")
    missing = column.isna()
    if not isinstance(column.dtype, np.dtype) and kind in "iub" and missing.any():
        width = np.dtype(column.dtype.numpy_dtype if kind != "b" else "u1")
        used = column.dropna().astype(width)
        fill = np.iinfo(width).min if width.kind == "i" else np.iinfo(width).max
        if (used == fill).any():
            raise Error(f"{column.name}: its missing values need a fill value, but {fill} is in use")
        attrs["_FillValue"] = fill
        return column.astype("object").where(~missing, fill).astype(width).to_numpy()
    if not isinstance(column.dtype, np.dtype) and kind in "iufb":
        return column.to_numpy(dtype=column.dtype.numpy_dtype, na_value=np.nan if kind == "f" else None)
    return column.to_numpy()


def of_times(array: np.ndarray, attrs: dict[str, Any]) -> np.ndarray:
    """i64 in the coarsest unit that is exact, with CF attributes."""
    nothing = np.isnat(array)
    some = array[~nothing]
    kind = "datetime64" if array.dtype.kind == "M" else "timedelta64"
    for short, long in TIME_UNITS:
        if np.array_equal(some.astype(f"{kind}[{short}]").astype(array.dtype), some):
            break
    else:
        raise Error("times finer than nanoseconds cannot be stored")
    numbers = array.astype(f"{kind}[{short}]").astype("<i8")
    if nothing.any():
        numbers[nothing] = NO_TIME
        attrs["_FillValue"] = NO_TIME
    attrs["units"] = f"{long} since 1970-01-01" if kind == "datetime64" else long
    if kind == "datetime64":
        attrs["calendar"] = "proleptic_gregorian"
    else:
        attrs["dtype"] = "timedelta64[ns]"
    return numbers


def of_texts(array: np.ndarray, name: str, attrs: dict[str, Any]) -> np.ndarray:
    """Codes from 0 on, by first occurrence, and the list of texts, as `utet pack` makes them of a CSV column."""
    codes: dict[str, int] = {}
    numbers = np.empty(array.shape, "<i8")
    for place, item in np.ndenumerate(array):
        if isinstance(item, bytes):
            item = item.decode()
        if item is None or item != item or (isinstance(item, str) and item == ""):  # NaN is not equal to itself
            numbers[place] = -1
        elif isinstance(item, str):
            numbers[place] = codes.setdefault(item, len(codes))
        else:
            raise Error(f"{name}: {type(item).__name__} objects cannot be stored; convert the array to numbers or texts")
    attrs["tetration_categories"] = json.dumps({"codes": codes, "missing": -1}, ensure_ascii=False, separators=(",", ":"))
    if len(attrs["tetration_categories"].encode()) > MOST_TEXT:
        raise Error(f"{name}: its {len(codes)} different texts do not fit into an attribute of {MOST_TEXT} bytes")
    return numbers


def checked_cast(array: np.ndarray, name: str, wanted: np.dtype) -> np.ndarray:
    """The array as another dtype, if that has room for each value; floats may be rounded to narrower floats."""
    if array.dtype == wanted:
        return array
    with np.errstate(all="ignore"):
        cast = array.astype(wanted)
        if wanted.kind == "f" and array.dtype.kind == "f":
            if not np.array_equal(np.isfinite(cast), np.isfinite(array)):
                raise Error(f"{name}: a value is outside the range of {wanted.name}")
            return cast
        same = cast.astype(array.dtype) == array
        if wanted.kind in "iu" and array.dtype.kind == "f":  # 2^63 wraps in both directions
            limits = np.iinfo(wanted)
            same &= (array >= float(limits.min)) & (array < float(limits.max) + (1 if wanted.itemsize < 8 else 0))
        elif wanted.kind in "iu":
            same &= (cast < 0) == (array < 0)
        elif array.dtype.itemsize == 8:
            limits = np.iinfo(array.dtype)
            same &= np.abs(cast.astype("f8")) <= 2.0**53
    if not same.all():
        raise Error(
            f"{name}: {int((~same).sum())} of {array.size} values are not exact as {wanted.name}, the first is"
            f" {array[~same].flat[0]}" + ("; scale= stores fractions as integers" if wanted.kind in "iu" else "")
        )
    return cast


def usual(number: float) -> str:
    """As the tool writes it: 10 and not 10.0."""
    return repr(number).removesuffix(".0")


def scaled(
    array: np.ndarray, name: str, scale: Union[str, float], offset: Optional[float], wanted: np.dtype, attrs: dict[str, Any]
) -> np.ndarray:
    """Integers: value = stored * scale_factor + add_offset, NaN as _FillValue."""
    if wanted.kind not in "iu" or wanted.itemsize > 4:
        raise Error(f"{name}: scale= stores integers of at most 32 bits, not {wanted.name}")
    if any(key in attrs for key in ("scale_factor", "add_offset")):
        raise Error(f"{name}: it has a scale or an offset already")
    limits = np.iinfo(wanted)
    fill = limits.min if wanted.kind == "i" else limits.max
    low, high = (limits.min + 1, limits.max) if wanted.kind == "i" else (0, limits.max - 1)
    exact = array.astype("f8")
    offset = None if offset is None else float(offset)
    nothing = np.isnan(exact)
    some = exact[~nothing]
    if not np.isfinite(some).all():
        raise Error(f"{name}: infinities cannot be scaled")
    if scale == "auto":  # as the tool does it
        least, most = (float(some.min()), float(some.max())) if some.size else (0.0, 0.0)
        if offset is None:
            offset = least / 2 + most / 2 if low < 0 else least
            step = most / (high - low) - least / (high - low)
        else:
            step = max(most - offset, offset - least) / high if low < 0 else (most - offset) / high
        step = step if step > 0 else 1.0
    else:
        step = float(scale)
        offset = 0.0 if offset is None else offset
    if not (np.isfinite(step) and step > 0 and np.isfinite(offset)):
        raise Error(f"{name}: the scale must be above 0 and finite")
    codes = np.rint((exact - offset) / step)
    codes[nothing] = fill
    if some.size and (codes[~nothing].min() < low or codes[~nothing].max() > high):
        raise Error(f"{name}: with a scale of {step!r} and an offset of {offset!r}, a value does not fit into {wanted.name}")
    worst = float(np.abs(codes[~nothing] * step + offset - some).max()) if some.size else 0.0
    if worst > step * 0.5 * (1 + 1e-6) + 4 * np.finfo("f8").eps * float(np.abs(some).max(initial=0.0)):
        raise Error(f"{name}: a value differs from its stored form by {worst!r}, more than half a step of {step!r}")
    attrs.update(scale_factor=usual(step), add_offset=usual(offset), _FillValue=fill)
    attrs.pop("missing_value", None)
    return codes.astype(wanted)


# ---- metadata


def text_of(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return ", ".join(text_of(one) for one in value.tolist()) if value.ndim else text_of(value.item())
    if isinstance(value, (list, tuple)):
        return ", ".join(text_of(one) for one in value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, np.generic):
        return str(value) if value.dtype.kind == "f" and value.dtype.itemsize < 8 else text_of(value.item())
    return repr(value) if isinstance(value, float) else str(value)


def texts_of(attrs: Mapping[str, Any], name: str) -> dict[str, str]:
    """The attributes as texts; what the format cannot hold is named."""
    found: dict[str, str] = {}
    for key, value in attrs.items():
        text = text_of(value)
        if not 0 < len(text.encode()) <= MOST_TEXT or not 0 < len(str(key).encode()) <= MOST_TEXT:
            note(f"{name}: the attribute {key!r} has {len(text.encode())} bytes and is left out (1 to {MOST_TEXT} fit)")
        elif len(found) == MOST_ATTRIBUTES:
            note(f"{name}: the attribute {key!r} is left out, {MOST_ATTRIBUTES} fit")
        else:
            found[str(key)] = text
    return found


def labels_of(values: np.ndarray) -> Optional[list[str]]:
    """Coordinates as labels; None if they are too many."""
    if values.ndim != 1 or values.size > MOST_LABELS:
        return None
    if values.dtype.kind == "M":
        return [str(text) for text in np.datetime_as_string(values, unit="auto", timezone="naive")] if values.size else []
    labels = [text_of(one) for one in values]
    return labels if all(0 < len(text.encode()) <= MOST_TEXT for text in labels) else None


def coordinates(arrays: dict[str, Array]) -> tuple[dict[str, dict[str, list[str]]], dict[str, Array]]:
    """The labels of each array, and the arrays for coordinates that are too long for labels."""
    labels: dict[str, dict[str, list[str]]] = {}
    more: dict[str, Array] = {}
    for name, one in arrays.items():
        labels[name] = {}
        for dim, variable in one.coords.items():
            values = np.asarray(variable)
            texts = labels_of(values)
            if texts is not None:
                labels[name][str(dim)] = texts
            elif dim in arrays:
                continue
            elif dim in more and not np.array_equal(np.asarray(more[dim].values), values):
                raise Error(f"the coordinate {dim!r} of {name!r} differs from the one of another array")
            else:
                more.setdefault(str(dim), Array(values, [str(dim)], {}, getattr(variable, "attrs", {}) or {}))
    return labels, more


# ---- packing


def pack(
    data: Any,
    path: Union[str, "os.PathLike[str]"],
    for_: Optional[str] = None,
    dtype: Any = None,
    scale: Union[str, float, Mapping[str, Any], None] = None,
    add_offset: Optional[float] = None,
    tile: Union[str, Sequence[int], None] = None,
    name: str = "data",
    options: Sequence[str] = (),
) -> str:
    """Packs arrays into a .tet file and returns the report of `utet pack`.

    data: an array, a mapping of names to arrays (or microtet.Array, with names of axes, coordinates and attributes), an
        xarray.Dataset or DataArray, a pandas.DataFrame or Series.
    for_: the microcontroller, a name of `utet fit --for list` or a file that describes one.
    dtype: the dtype of all arrays, or a mapping from names. Each value must fit; only floats are rounded, to floats.
    scale: "auto" or a number: floats become integers (dtype, or int16) with the attributes scale_factor, add_offset
        and _FillValue; the error is at most half a step. Or a mapping from names.
    tile: the shape of a tile, such as (16, 32); "auto" or "whole".
    name: the name of the dataset if `data` has none.
    options: further options of `utet pack`, such as ["--access", "columns"].
    """
    words = list(options)
    if for_ is not None:
        words += ["--for", for_]
    if tile is not None:
        words += ["--tile", tile if isinstance(tile, str) else "x".join(map(str, tile))]
    return pack_arrays(arrays_of(data, name), os.fspath(path), words, dtype, scale, add_offset)


def parted(arrays: dict[str, Array]) -> dict[str, Array]:
    """Complex numbers as two arrays, NAME.real and NAME.imag; records as an array for each field."""
    found: dict[str, Array] = {}
    for name, one in arrays.items():
        dtype = getattr(one.values, "dtype", None)
        parts: dict[str, np.ndarray] = {}
        if isinstance(dtype, np.dtype) and dtype.kind == "c":
            values = loaded(one.values, name)
            parts = {f"{name}.real": values.real, f"{name}.imag": values.imag}
        elif isinstance(dtype, np.dtype) and dtype.names is not None:
            values = loaded(one.values, name)
            parts = {f"{name}.{field}": values[field] for field in dtype.names}
        if not parts:
            found[name] = one
            continue
        note(f"{name}: {dtype} is stored as {', '.join(parts)}")
        found.update(parted({key: Array(part, one.dims, one.coords, one.attrs) for key, part in parts.items()}))
    return found


def choice(option: Any, name: str) -> Any:
    return option.get(name) if isinstance(option, Mapping) else option


def given(words: Sequence[str], option: str) -> Optional[str]:
    """The value of an option of the tool."""
    found = None
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == option:
            found = value if equals else words[place + 1] if place + 1 < len(words) else None
    return found


def lazily(values: Any, name: str, words: Sequence[str], dtype: Any, scale: Any) -> bool:
    """An array that is read while it is packed: nothing is converted, and with a known tile no sample has to be read before."""
    return (_elements.is_lazy(values) and values.dtype.str[1:] in STORED and values.ndim > 0
            and choice(dtype, name) is None and choice(scale, name) is None and given(words, "--tile") not in (None, "auto"))


def loaded(values: Any, name: str) -> Any:
    """The array in memory, if another package would read it later."""
    if not _elements.is_lazy(values):
        return values
    with _elements.reading(name):
        return np.asarray(values)


def pack_arrays(
    arrays: dict[str, Array],
    path: str,
    words: Sequence[str],
    dtype: Any = None,
    scale: Any = None,
    add_offset: Optional[float] = None,
    inputs: Sequence[str] = (),
) -> str:
    """Packs arrays, and `inputs`, files that the tool reads itself."""
    for option, what in ((dtype, "dtype"), (scale, "scale")):
        if isinstance(option, Mapping) and set(option) - set(arrays):
            raise Error(f"{what}: there is no array {sorted(set(option) - set(arrays))[0]!r}")
    if add_offset is not None and scale is None:
        raise Error("add_offset needs a scale")
    arrays = parted(arrays)
    labels, more = coordinates(arrays)
    about: dict[str, Any] = {}
    out = os.path.abspath(path)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(out) if os.path.isdir(os.path.dirname(out)) else None) as folder:
        files: list[str] = []
        elements: list[Elements] = []
        plain = all(re.fullmatch(r"[A-Za-z0-9_.+-]*[A-Za-z0-9_+]", key) and key[0] != "-" for key in [*arrays, *more])
        for number, (key, one) in enumerate([*arrays.items(), *more.items()]):
            attrs = dict(one.attrs)
            values = one.values
            if not lazily(values, key, words, dtype, scale):
                values = stored_values(loaded(values, key), key, attrs)
            if key in arrays:
                wanted = choice(dtype, key)
                if choice(scale, key) is not None and values.dtype.kind == "f":
                    wanted = np.dtype(wanted if wanted is not None else "i2").newbyteorder("<")
                    values = scaled(values, key, choice(scale, key), add_offset, wanted, attrs)
                elif wanted is not None:
                    wanted = np.dtype(wanted).newbyteorder("<")
                    if wanted.str[1:] not in STORED:
                        raise Error(f"dtype: a .tet file cannot hold {wanted.name}")
                    fills = {k: np.asarray(attrs[k]) for k in FILLS if k in attrs}
                    for k, value in fills.items():
                        attrs[k] = checked_cast(value.reshape(1), f"{key}: {k}", wanted)[0]
                    values = checked_cast(values, key, wanted)
            entry: dict[str, Any] = {}
            if attrs:
                entry["attrs"] = texts_of(attrs, key)
            if one.dims is not None:
                if len(one.dims) != values.ndim:
                    raise Error(f"{key}: {len(one.dims)} names of axes for {values.ndim} axes")
                entry["dim_names"] = list(one.dims)
            wrong = [d for d in labels.get(key, {}) if one.dims is None or d not in one.dims]
            if wrong:
                raise Error(f"{key}: it has coordinates for {wrong[0]!r}, but no such axis")
            if labels.get(key):
                entry["coords"] = {d: {"labels": texts} for d, texts in labels[key].items()}
            if entry:
                about[key] = entry
            file = os.path.join(folder, f"{key}.npy" if plain else f"array{number}.npy")
            elements.append(Elements(values, values.dtype.newbyteorder("<"), 1 if given(words, "--access") == "columns" else 0))
            _elements.write_header(file, elements[-1].dtype, values.shape)
            files.append(file)
        if about:
            with open(os.path.join(folder, "metadata.json"), "w", encoding="utf-8") as meta:
                json.dump({"datasets": about}, meta, ensure_ascii=False)
            words = [*words, "--meta", meta.name]
        if not plain:
            words = [*words, *(word for key in [*arrays, *more] for word in ("--name", key))]
        return report_of([*files, *inputs, *words, "-o", path if not path.startswith("-") else "./" + path], folder,
                         elements, [*arrays, *more])


def report_of(words: Sequence[str], folder: str, elements: Sequence[Elements], names: Sequence[str]) -> str:
    """Runs `utet pack`; what it says about the data becomes warnings."""
    threads = given(words, "-j") or ""
    spare = threads.isdigit() and int(threads) < (os.cpu_count() or 1)  # processors that compress nothing
    try:
        done = _elements.pack(words, elements, names, ahead=given(words, "--slab") is None, bar=True, in_turn=spare)
    except Error as error:
        raise type(error)(str(error).replace(folder + os.sep, ""), *error.__reduce__()[1][1:]) from None
    for line in done[1].splitlines():
        note(line.replace(folder + os.sep, ""))
    return done[0]
