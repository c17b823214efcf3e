# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Files that other packages read: NetCDF, HDF5, Zarr, GRIB and GeoTIFF, tables, WAV."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional

import numpy as np

from . import _tool
from ._errors import Error, MissingPackage
from ._pack import Array, arrays_of, note, of_pandas, of_xarray, pack_arrays

OWN = {name: name for name in ("--scale", "--add-offset", "--dtype", "-o")} | {"--output": "-o"}
HDF5 = b"\x89HDF\r\n\x1a\n"
USER_BLOCKS = (512, 1024, 2048, 4096, 8192)
ZARR_FILES = (".zgroup", ".zarray", "zarr.json", ".zmetadata")
FLAGS = ("--table", "--no-header", "--units", "--dry-run")  # options of `utet pack` without a value


def foreign_npy(path: str) -> bool:
    """A .npy file with times, texts, complex numbers or records."""
    try:
        dtype = np.load(path, mmap_mode="r", allow_pickle=False).dtype
    except Exception:
        return False  # the tool has the words for it
    return dtype.kind in "cmMSU" or dtype.names is not None


def zip_of_zarr(path: str) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.rpartition("/")[2] in ZARR_FILES for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def kind_of(path: str) -> Optional[str]:
    """The kind of a file or folder, by its first bytes; None: the tool reads it itself."""
    if os.path.isdir(path):
        return "zarr" if any(os.path.exists(os.path.join(path, name)) for name in ZARR_FILES) else None
    try:
        with open(path, "rb") as file:
            head = file.read(16)
            file.seek(0)
            start = file.read(4096) if head[:2] == b"PK" else b""
            later = [at for at in USER_BLOCKS if file.seek(at) == at and file.read(8) == HDF5]
    except OSError:
        return None  # the tool has the words for it
    if head[:3] == b"CDF" and head[3:4] in (b"\x01", b"\x02", b"\x05"):
        return "netcdf"
    if head[:6] == b"MATLAB":
        return "matlab"
    if head[:8] == HDF5 or later:
        return "hdf5"
    if head[:6] == b"\x93NUMPY":
        return "npy" if foreign_npy(path) else None
    if head[:4] == b"GRIB":
        return "grib"
    if head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"):
        return "geotiff"
    if head[:4] == b"PAR1":
        return "parquet"
    if head[:4] in (b"RIFF", b"RF64") and head[8:12] == b"WAVE":
        return "wav"
    if head[:2] == b"PK" and zip_of_zarr(path):
        return "zarr"
    if b"xl/" in start or (b"[Content_Types].xml" in start and path.lower().endswith(".xlsx")):
        return "xlsx"
    return None


def need(package: str, extra: str) -> Any:
    """A package, or the words that name it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise MissingPackage(
            f"this kind of input ({extra}) needs the package {package}: pip install 'microtet[{extra}]'"
        ) from error


@contextlib.contextmanager
def reading(path: str, kind: str) -> Iterator[None]:
    """Turns what other packages raise about a file into one line."""
    try:
        yield
    except Error:
        raise
    except Exception as error:
        words = " ".join(str(error).split())
        raise Error(f"{path}: cannot be read as {kind}: {words[:300] or type(error).__name__}") from error


def read(path: str, kind: str, open_files: contextlib.ExitStack) -> dict[str, Array]:
    """The arrays of a file; those that are read while they are packed need it open."""
    with reading(path, kind):
        found = READERS[kind](path, open_files) if kind in LATER else READERS[kind](path)
    if not found:
        raise Error(f"{path}: it has no array that a .tet file can hold")
    return found


STORED = {"mask_and_scale": False, "decode_times": False}


def of_groups(groups: Any) -> dict[str, Array]:
    """The arrays of all groups of a file; those of a group have its path before their names."""
    found: dict[str, Array] = {}
    for place, dataset in groups.items():
        prefix = place.strip("/")
        for name, one in of_xarray(dataset, "data").items():
            found[f"{prefix}/{name}" if prefix else name] = one
    return found


def read_netcdf(path: str, open_files: contextlib.ExitStack) -> dict[str, Array]:
    xarray = need("xarray", "netcdf")
    need("netCDF4", "netcdf")
    return of_opened(xarray.open_groups(path, engine="netcdf4", **STORED), open_files)


def installed(*packages: str) -> bool:
    """True if all of these packages can be imported."""
    try:
        for package in packages:
            importlib.import_module(package)
    except ImportError:
        return False
    return True


def read_hdf5(path: str, open_files: contextlib.ExitStack) -> dict[str, Array]:
    if path.lower().endswith((".nc", ".nc4", ".cdf")) and not installed("h5py", "h5netcdf"):
        return read_netcdf(path, open_files)  # NetCDF 4 is HDF5 inside; what microtet[netcdf] installs is enough
    xarray = need("xarray", "hdf5")
    h5py = need("h5py", "hdf5")
    need("h5netcdf", "hdf5")
    ragged = ragged_arrays(h5py, path)
    if ragged:
        note(f"{path}: left out, because their elements vary in length: {', '.join(ragged)}")
    drop = [name.rpartition("/")[2] for name in ragged]
    try:
        return of_opened(xarray.open_groups(path, engine="h5netcdf", phony_dims="sort", drop_variables=drop, **STORED),
                         open_files)
    except ValueError:  # some axes have names and others have none
        return of_h5py(h5py, path, ragged)


def ragged_arrays(h5py: Any, path: str) -> list[str]:
    """The arrays whose elements are lists or references."""
    found: list[str] = []

    def look(name: str, one: Any) -> None:
        if isinstance(one, h5py.Dataset) and one.dtype.kind == "O" and h5py.check_string_dtype(one.dtype) is None:
            found.append(name)

    with h5py.File(path) as file:
        file.visititems(look)
    return found


def of_h5py(h5py: Any, path: str, left_out: Sequence[str]) -> dict[str, Array]:
    """All arrays, with names and coordinates of the axes that have a scale."""
    found: dict[str, Array] = {}

    def look(name: str, one: Any) -> None:
        if not isinstance(one, h5py.Dataset) or one.is_scale or name in left_out:
            return
        dims = []
        coords: dict[str, Any] = {}
        for number, axis in enumerate(one.dims):
            scale = axis[0] if len(axis) else None
            dims.append(axis.label or (scale.name.rpartition("/")[2] if scale is not None else f"axis{number}"))
            if scale is not None:
                coords[dims[-1]] = scale[()]
        texts = h5py.check_string_dtype(one.dtype) is not None
        found[name] = Array(one.asstr()[()] if texts else one[()], dims or None, coords, {})

    with h5py.File(path) as file:
        file.visititems(look)
    return found


def of_opened(groups: Any, open_files: contextlib.ExitStack) -> dict[str, Array]:
    for dataset in groups.values():
        open_files.callback(dataset.close)
    return of_groups(groups)


def read_zarr(path: str, open_files: contextlib.ExitStack) -> dict[str, Array]:
    xarray = need("xarray", "zarr")
    zarr = need("zarr", "zarr")
    store = zarr.storage.ZipStore(path, mode="r") if os.path.isfile(path) else path
    opened = zarr.open(store, mode="r")
    if isinstance(opened, zarr.Array):
        name = os.path.basename(os.path.abspath(path)).partition(".")[0]
        return {name: of_zarr_array(opened)}
    try:
        return of_opened(xarray.open_groups(store, engine="zarr", consolidated=False, **STORED), open_files)
    except (KeyError, ValueError):  # arrays without names of axes
        members = opened.members(max_depth=None)
        return {name: of_zarr_array(one) for name, one in sorted(members) if isinstance(one, zarr.Array)}


def of_zarr_array(array: Any) -> Array:
    attrs = dict(array.attrs)
    dims = getattr(array.metadata, "dimension_names", None) or attrs.pop("_ARRAY_DIMENSIONS", None)
    return Array(array if array.ndim else array[...], list(dims) if dims and None not in dims else None, {}, attrs)


def read_grib(path: str) -> dict[str, Array]:
    xarray = need("xarray", "grib")
    need("cfgrib", "grib")
    with xarray.open_dataset(path, engine="cfgrib", backend_kwargs={"indexpath": ""}) as dataset:
        return of_xarray(dataset.load(), "data")


def read_geotiff(path: str) -> dict[str, Array]:
    rioxarray = need("rioxarray", "geotiff")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rasterio's about pictures without coordinates
        opened = rioxarray.open_rasterio(path, mask_and_scale=False)
    with opened as array:
        name = os.path.splitext(os.path.basename(path))[0]
        return of_xarray(array.load().rename(name), name)


def read_parquet(path: str) -> dict[str, Array]:
    pandas = need("pandas", "parquet")
    need("pyarrow", "parquet")
    return of_pandas(pandas.read_parquet(path), "data")


def read_xlsx(path: str) -> dict[str, Array]:
    pandas = need("pandas", "xlsx")
    need("openpyxl", "xlsx")
    sheets = pandas.read_excel(path, sheet_name=None)
    found: dict[str, Array] = {}
    for sheet, frame in sheets.items():
        for name, one in of_pandas(frame, "data").items():
            found[name if len(sheets) == 1 else f"{sheet}/{name}"] = one
    return found


def read_wav(path: str) -> dict[str, Array]:
    soundfile = need("soundfile", "wav")
    about = soundfile.info(path)
    dtype = {"PCM_16": "int16", "PCM_U8": "int16", "PCM_S8": "int16", "PCM_24": "int32", "PCM_32": "int32",
             "FLOAT": "float32"}.get(about.subtype, "float64")
    values, rate = soundfile.read(path, dtype=dtype, always_2d=True)
    name = os.path.splitext(os.path.basename(path))[0]
    attrs = {"sample_rate": rate, "subtype": about.subtype}
    if values.shape[1] == 1:
        return {name: Array(np.ascontiguousarray(values[:, 0]), ["time"], {}, attrs)}
    return {name: Array(values, ["time", "channel"], {}, attrs)}


def read_matlab(path: str) -> dict[str, Array]:
    with open(path, "rb") as file:
        seven = file.read(10) == b"MATLAB 7.3"
    if seven:
        h5py = need("h5py", "matlab")
        ragged = ragged_arrays(h5py, path)
        if ragged:
            note(f"{path}: left out, because they are cells or references: {', '.join(ragged)}")
        found = of_h5py(h5py, path, ragged)
        for one in found.values():  # MATLAB stores the last axis first
            one.values, one.dims = np.asarray(one.values).T, None
        return found
    scipy = need("scipy.io", "matlab")
    arrays: dict[str, Array] = {}
    for name, value in scipy.loadmat(path).items():
        if not name.startswith("__"):
            of_matlab(name, value, arrays)
    return arrays


def of_matlab(name: str, value: Any, found: dict[str, Array]) -> None:
    """A matrix, or the fields of a structure of one element."""
    if not isinstance(value, np.ndarray):
        raise Error(f"{name}: sparse matrices and objects cannot be stored; in MATLAB, full({name}) is a matrix")
    if value.dtype.names and value.size == 1:
        for field in value.dtype.names:
            of_matlab(f"{name}.{field}", value.flat[0][field], found)
    elif value.dtype.names or value.dtype == object:
        raise Error(f"{name}: cells and lists of structures cannot be stored; save their matrices as variables")
    else:
        found[name] = Array(value)


def read_npy(path: str) -> dict[str, Array]:
    return numpy_arrays(path)


READERS: dict[str, Callable[..., dict[str, Array]]] = {
    "matlab": read_matlab,
    "npy": read_npy,
    "netcdf": read_netcdf,
    "hdf5": read_hdf5,
    "zarr": read_zarr,
    "grib": read_grib,
    "geotiff": read_geotiff,
    "parquet": read_parquet,
    "xlsx": read_xlsx,
    "wav": read_wav,
}

LATER = ("netcdf", "hdf5", "zarr")  # their arrays are read while they are packed


# ---- the command

SCALED_BY_TOOL = ("i16", "u8")  # what `utet pack --scale` stores


def split(words: Sequence[str]) -> tuple[list[str], list[str], dict[str, str]]:
    """Inputs, options for the tool, and the options that this command has itself."""
    inputs: list[str] = []
    options: list[str] = []
    own: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            inputs += rest
            break
        if not word.startswith("-") or word == "-":
            inputs.append(word)
            continue
        name, equals, value = word.partition("=")
        takes = not equals and name not in FLAGS
        if takes and not rest:
            raise Error(f"pack: {word} needs a value")
        if name in OWN:
            own[OWN[name]] = value if equals else rest.pop(0)
        else:
            options += [word, rest.pop(0)] if takes else [word]
    return inputs, options, own


def pack_files(words: Sequence[str]) -> None:
    """python -m microtet pack IN... -o OUT [--scale auto|S] [--add-offset O] [--dtype TYPE] [OPTION OF utet pack...]"""
    if not words or words[0] in ("-h", "--help"):
        print(pack_files.__doc__)
        print("IN is also NetCDF, HDF5, Zarr, GRIB, GeoTIFF, MATLAB, parquet, xlsx or WAV. The options of utet pack:\n")
        sys.stdout.flush()
        _tool.main_with(["help", "pack"])
    with warnings.catch_warnings():
        warnings.showwarning = lambda text, kind, *_: None if kind is not UserWarning else print(  # type: ignore[assignment]
            str(text) if str(text).startswith("utet: ") else f"microtet: {text}", file=sys.stderr)
        warnings.simplefilter("always")
        pack_words(words)


def pack_words(words: Sequence[str]) -> None:
    with contextlib.ExitStack() as open_files:
        pack_opened(words, open_files)


def pack_opened(words: Sequence[str], open_files: contextlib.ExitStack) -> None:
    inputs, options, own = split(words)
    arrays: dict[str, Array] = {}
    plain: list[str] = []
    for path in inputs:
        place, colon, chosen = path.rpartition(":")
        whole = os.path.exists(path) or not colon
        kind = kind_of(path if whole else place)
        if kind is None:
            plain.append(path)
            continue
        found = read(path if whole else place, kind, open_files)
        if not whole:
            if chosen not in found:
                raise Error(f"{place}: there is no array {chosen!r}; it has {', '.join(found)}")
            found = {chosen: found[chosen]}
        for name, one in found.items():
            if name in arrays:
                raise Error(f"{path}: there is already an array {name!r}")
            arrays[name] = one
    scale = own.get("--scale")
    if scale is not None and (arrays or own.get("--dtype", "i16") not in SCALED_BY_TOOL):
        for path in plain:  # of the tool's inputs, those that NumPy reads can be scaled here
            arrays.update(numpy_arrays(path))
        plain = []
    if not arrays:
        _tool.main_with(["pack", *plain, *(word for pair in own.items() for word in pair), *options])
    if "--dry-run" in options:
        own.setdefault("-o", "dry-run.tet")
    if "-o" not in own:
        raise Error("pack: the option -o OUT is missing")
    dtype = dtype_of(own["--dtype"]) if "--dtype" in own else None
    try:
        offset = float(own["--add-offset"]) if "--add-offset" in own else None
        step = scale if scale in (None, "auto") else float(str(scale))
    except ValueError as error:
        raise Error(f"pack: --scale and --add-offset are numbers: {error}") from None
    sys.stdout.write(pack_arrays(arrays, own["-o"], options, dtype, step, offset, plain))


def dtype_of(name: str) -> np.dtype:
    """f32 and its like, as the tool names them."""
    try:
        return np.dtype(f"{name[0]}{int(name[1:]) // 8}")
    except (ValueError, IndexError, TypeError):
        raise Error(f"pack: unknown dtype {name!r}") from None


def numpy_arrays(path: str) -> dict[str, Array]:
    name = os.path.splitext(os.path.basename(path))[0]
    with reading(path, "NumPy's array"):
        loaded = np.load(path, allow_pickle=False)
    return arrays_of(dict(loaded) if not isinstance(loaded, np.ndarray) else loaded, name)
