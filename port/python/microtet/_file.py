# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Files and their datasets, read by the C library."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import math
import operator
import os
import stat
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Optional, Union

import numpy as np

from . import _tool
from ._core import ffi, lib  # type: ignore[import-not-found]
from ._errors import STATUSES, Error, kind_of

if TYPE_CHECKING:
    from ._physical import Physical

DTYPES = {1: "<f4", 2: "<f8", 3: "<i4", 4: "<i8", 5: "<u1", 6: "<u2", 7: "<i2", 8: "<u4", 9: "<f2", 10: "<u8"}
MOST_WORK = 256 << 20  # without a budget, the workspace is never larger
MOST_ROWS = 16 << 20  # rows that the row cache remembers, 4 bytes each
EVENT = ("op", "source", "at", "parents", "params", "agent", "activity", "entity")
FOLDED_IN_ORDER = {"arg_min", "arg_max", "product"}  # results that depend on the order of the elements
ALONE = {"median", "quantile", "histogram"}  # operations that read the elements several times
TESTS = {"eq": 1, "ne": 2, "lt": 4, "le": 8, "gt": 16, "ge": 32}
IS_NULL, IS_NOT_NULL, RESTS = 64, 128, 256

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]
Where = Mapping[str, Any]


class _FileObject:
    """What the port of a file object needs: the object, and the exception that it raised."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.raised: Optional[BaseException] = None


@ffi.def_extern()  # type: ignore[misc]
def microtet_read(ctx: Any, offset: int, to: Any, size: int, got: Any) -> int:
    port: _FileObject = ffi.from_handle(ctx)
    try:
        port.stream.seek(offset)
        data = port.stream.read(size)
        length = len(data)
        if length > size:
            raise OSError(f"read({size}) returned {length} bytes")
        ffi.memmove(to, data, length)
        got[0] = length
        return 0
    except BaseException as error:
        port.raised = error
        return lib.UTET_E_PORT


class File(Mapping[str, "Dataset"]):
    """A .tet file: a mapping from the names of its datasets to the datasets. Create it with microtet.open."""

    def __init__(self, source: Source, budget: Optional[int] = None, strict: bool = False) -> None:
        if budget is not None and budget < 1:
            raise ValueError("budget: a number of bytes above 0 is expected")
        self._source, self._budget, self._strict = source, budget, strict
        self._lock = threading.RLock()
        self._file = ffi.new("utet_file *")
        self._meta: Any = None
        self._work: Any = None
        self._work_size = 0
        self._rows: Optional[tuple[int, Any, Any]] = None
        self._path: Optional[str] = None
        self._port: Any = None
        self._keep: Any = None
        self._stream: Optional[_FileObject] = None
        self._closed = False
        self._io = self._open_port(source)
        self._start(budget if budget is not None else lib.microtet_least_work(1))
        if strict:
            meta = ffi.new("utet_meta *")
            lib.utet_meta_open(meta, self._file)  # utet_meta_strict returns its error
            self._check(lib.utet_meta_strict(meta))
        self.datasets: tuple[Dataset, ...] = tuple(self._list())
        self._names: dict[str, Dataset] = {}
        for one in self.datasets:  # of equal names the first, as in the library
            self._names.setdefault(one.name, one)

    # ---- the port and the workspace

    def _open_port(self, source: Source) -> Any:
        if isinstance(source, (str, os.PathLike)):
            self._path = os.fspath(source)
            self._port = ffi.new("utet_posix *")
            mode = os.stat(self._path).st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISBLK(mode)):
                code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
                raise OSError(code, os.strerror(code), self._path)
            if lib.utet_posix_open(self._port, os.fsencode(self._path)) != lib.UTET_OK:
                raise OSError(self._port.error, os.strerror(self._port.error), self._path)
            return ffi.addressof(self._port, "io")
        port = ffi.new("utet_io *")
        port.unit = port.align = 1
        if isinstance(source, (bytes, bytearray, memoryview)):
            view = memoryview(source).cast("B")
            self._keep = ffi.from_buffer("uint8_t[]", view)
            # An address even for no bytes: the library takes a null pointer for "not mapped".
            port.map = self._keep if len(view) > 0 else ffi.new("uint8_t[1]")
            port.size = len(view)
            self._keep = (self._keep, port.map)
            return port
        self._stream = _FileObject(source)
        port.size = source.seek(0, os.SEEK_END)
        self._keep = ffi.new_handle(self._stream)
        port.ctx = self._keep
        port.read = lib.microtet_reader()
        return port

    def _start(self, size: int) -> None:
        """Opens the file in a workspace of `size` bytes."""
        try:
            self._work = ffi.new("uint8_t[]", size)
        except MemoryError:
            raise Error(f"a workspace of {size} bytes is not to be had", -4, "budget", None, size) from None
        self._work_size = size
        self._rows = None
        self._meta = None
        self._check(lib.utet_init(self._file, self._io, self._work, size, lib.microtet_codecs()))
        options = ffi.new("utet_options *")
        options.budget = size  # the budget that a file states is meant for microcontrollers
        self._check(lib.utet_open(self._file, options))

    def _lend(self, need: Any) -> None:
        """Makes the workspace as large as is useful, unless there is a budget."""
        want = max(min(need.best, MOST_WORK), need.least)
        if self._budget is None and want > self._work_size and want <= MOST_WORK:
            self._start(int(want))

    def _lend_rows(self, dataset: Dataset) -> None:
        """Remembers the rows of a dataset, so that a file in any order is read in linear time."""
        if self._rows is not None and self._rows[0] == dataset.id:
            return
        record = dataset._record
        count = 1
        for axis in range(record.ndim):
            count *= -(-record.shape[axis] // max(record.chunk_shape[axis], 1))
        if not 0 < count <= min(MOST_ROWS, self._file.row_count):
            return  # more chunks than rows: the file is damaged
        rows, memory = ffi.new("utet_rows *"), ffi.new("uint32_t[]", count)
        if lib.utet_rows_init(rows, self._file, record, memory, count) == 0:
            self._rows = (dataset.id, rows, memory)

    def _check(self, status: int) -> None:
        if status >= 0:
            return
        name, region = STATUSES.get(status, ("E_PORT", "medium"))
        text = ffi.string(lib.utet_strerror(status)).decode()
        offset = self._file.error_offset if status == -7 or status <= -16 else None
        needed = self._file.needed if status == -4 else None
        where = self._path if self._path is not None else f"<{type(self._source).__name__}>"
        if needed is not None:
            text = f"{needed} bytes of workspace are needed, but there are {self._work_size}"
        cause = None
        if self._stream is not None:
            cause, self._stream.raised = self._stream.raised, None
            if cause is not None and not isinstance(cause, Exception):
                raise cause  # KeyboardInterrupt and its like
        elif status <= lib.UTET_E_PORT and self._port is not None and self._port.error:
            text = os.strerror(self._port.error)
        words = f"{where}: {region}: {text}" + (f" (offset {offset})" if offset is not None else "")
        raise kind_of(status)(words, status, region, offset, needed) from cause

    @contextlib.contextmanager
    def _using(self) -> Iterator[None]:
        with self._lock:
            if self._closed:
                raise ValueError("the file is closed")
            yield

    # ---- the catalogue

    def _list(self) -> Iterator[Dataset]:
        record = ffi.new("utet_dataset *")
        status = lib.utet_dataset_first(self._file, record)
        while status == lib.UTET_OK:
            name = ffi.new("char[]", record.name_length + 1)
            self._check(lib.utet_dataset_name(self._file, record, 0, name, record.name_length))
            text = bytes(ffi.buffer(name, record.name_length)).decode("utf-8", "surrogateescape")
            yield Dataset(self, text, record)
            after = ffi.new("utet_dataset *")
            ffi.memmove(after, record, ffi.sizeof("utet_dataset"))
            record = after
            status = lib.utet_dataset_next(self._file, record)
        self._check(status)

    def __getitem__(self, name: str) -> Dataset:
        return self._names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        if self._closed:
            return "<microtet.File, closed>"
        lines = [f"<microtet.File {self._path or type(self._source).__name__!r}, {len(self.datasets)} datasets>"]
        lines += [f"  {one!r}" for one in self.datasets[:20]]
        return "\n".join(lines + (["  ..."] if len(self.datasets) > 20 else []))

    # ---- metadata

    def _metadata(self) -> Any:
        if self._meta is None:
            meta = ffi.new("utet_meta *")
            self._check(lib.utet_meta_open(meta, self._file))
            self._meta = meta
        return self._meta

    def _text(self, value: Any) -> str:
        rest, got = ffi.new("utet_value *", value), ffi.new("size_t *")
        buffer = ffi.new("char[]", value.size + 1)
        status = lib.utet_text_read(self._meta, rest, buffer, value.size, got)
        self._check(status)
        return bytes(ffi.buffer(buffer, got[0])).decode("utf-8", "replace")

    def _tree(self, value: Any) -> Any:
        """A value of the footer as Python has it; of equal keys in a map the last one counts."""
        if value.kind == lib.UTET_VALUE_TEXT:
            return self._text(value)
        if value.kind == lib.UTET_VALUE_NUMBER:
            return value.value
        if value.kind == lib.UTET_VALUE_BOOLEAN:
            return bool(value.value)
        if value.kind not in (lib.UTET_VALUE_LIST, lib.UTET_VALUE_MAP):
            return None
        rest, key, item = ffi.new("utet_value *", value), ffi.new("utet_value *"), ffi.new("utet_value *")
        items: list[tuple[str, Any]] = []
        while (status := lib.utet_value_next(self._meta, rest, key, item)) == lib.UTET_OK:
            name = self._text(key[0]) if value.kind == lib.UTET_VALUE_MAP else ""
            items.append((name, self._tree(item[0])))
        self._check(status)
        return dict(items) if value.kind == lib.UTET_VALUE_MAP else [one for _, one in items]

    @property
    def history(self) -> list[dict[str, Any]]:
        """The events of the file's history, oldest first."""
        with self._using():
            rest = ffi.new("utet_value *", self._metadata().history)
            event = ffi.new("utet_event *")
            events: list[dict[str, Any]] = []
            while (status := lib.utet_event_next(self._meta, rest, event)) == lib.UTET_OK:
                tree = {name: self._tree(event.field[i]) for i, name in enumerate(EVENT) if event.field[i].kind}
                events.append(tree)
            self._check(status)
            return events

    @property
    def attrs(self) -> dict[str, str]:
        """Texts about the whole file: tool, library_version, created_at."""
        with self._using():
            return self._tree(self._metadata().file_info) or {}

    # ---- what the tool does

    @contextlib.contextmanager
    def _as_path(self) -> Iterator[str]:
        """A path of the file, for the tool."""
        if self._path is not None:
            yield self._path if not self._path.startswith("-") else "./" + self._path
            return
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "data.tet")
            with io.open(name, "wb") as copy:
                if self._stream is None:
                    copy.write(memoryview(self._source))  # type: ignore[arg-type]
                else:
                    self._stream.stream.seek(0)
                    while block := self._stream.stream.read(1 << 20):
                        copy.write(block)
            yield name

    def verify(self, deep: bool = False) -> dict[str, Any]:
        """Checks the file. The report has the keys `ok`, `findings`, `summary` and others. deep: decodes every chunk."""
        with self._using(), self._as_path() as path:
            return _tool.run_json(
                ["verify", path, "--json", *(["--deep"] if deep else [])], path, accept=(0, 1)
            )

    def fit(self, for_: Optional[str] = None, ram: Union[int, str, None] = None, dataset: Optional[str] = None) -> Any:
        """What reading takes on a microcontroller. for_: the name of a board; ram: its RAM in bytes, or such as "20K"."""
        words = [dataset] if dataset is not None else []
        words += ["--for", for_] if for_ is not None else []
        words += ["--ram", str(ram)] if ram is not None else []
        with self._using(), self._as_path() as path:
            return _tool.run_json(["fit", path, *words, "--json"], path, accept=(0, 1))

    def query(
        self, document: Union[Mapping[str, Any], str], preview: Optional[int] = None, physical: bool = False
    ) -> dict[str, Any]:
        """The reference's response to a query document, which is a dict or JSON text.

        preview: how many elements the response shows (see `utet help query`).
        physical: asks about the physical values of the dataset.
        """
        text = document if isinstance(document, str) else json.dumps(document)
        words = ["--json"] + (["--preview", str(preview)] if preview is not None else [])
        words += ["--physical"] if physical else []
        if self._budget is not None:
            words += ["--budget", str(self._budget)]
        with self._using(), self._as_path() as path:
            return _tool.run_json(["query", path, "-", *words], path, stdin=text.encode())

    # ---- the end

    def close(self) -> None:
        """Closes the file. Its datasets can then not be read any more."""
        with self._lock:
            if not self._closed and self._port is not None:
                lib.utet_posix_close(self._port)
            self._closed = True
            self._work = self._meta = self._rows = None

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_port", None) is not None and not getattr(self, "_closed", True):
            lib.utet_posix_close(self._port)

    def __reduce__(self):  # type: ignore[no-untyped-def]
        if self._stream is not None:
            raise TypeError("a microtet.File on a file object cannot be pickled; open it by its path")
        source = self._path if self._path is not None else bytes(self._source)  # type: ignore[arg-type]
        return File, (source, self._budget, self._strict)


def open(source: Source, budget: Optional[int] = None, strict: bool = False) -> File:  # noqa: A001
    """Opens a .tet file.

    source: a path, the bytes of a file, or a file object in binary mode with read and seek.
    budget: the most bytes of memory that the C library may use; without it, as much as is useful, at most 256 MiB.
    strict: refuses each file that the reference implementation refuses, such as one with a damaged footer.
    """
    return File(source, budget, strict)


class Axis:
    """The selected indices of one axis: start, start + step, ...; `kept` is False for a single index."""

    __slots__ = ("start", "step", "count", "kept")

    def __init__(self, start: int, step: int, count: int, kept: bool = True) -> None:
        self.start, self.step, self.count, self.kept = start, step, count, kept

    def part(self, key: Any) -> Axis:
        if isinstance(key, slice):
            start, stop, step = key.indices(self.count)
            count = max(0, -((start - stop) // step))  # len(range(...)), of any size
            return Axis(self.start + start * self.step, self.step * step, count)
        try:
            index = operator.index(key)
        except TypeError:
            raise TypeError(f"{key!r}: integers, slices and ... select; read the array first for anything else") from None
        if not -self.count <= index < self.count:
            raise IndexError(f"index {index} is outside an axis of {self.count} elements")
        return Axis(self.start + (index % self.count) * self.step, 1, 1, False)

    def places(self) -> range:
        return range(self.start, self.start + self.step * self.count, self.step)

    def ascending(self) -> tuple[int, int, int]:
        """start, stop and step for the library, which reads forwards only."""
        if self.step > 0:
            return self.start, self.start + (self.count - 1) * self.step + 1, self.step
        return self.start + (self.count - 1) * self.step, self.start + 1, -self.step


class Dataset:
    """A dataset of a file, or a selection of it. Nothing is read before the values are requested.

    d[...] returns values as NumPy does; d.sel(...) and d.isel(...) return a smaller selection; d.mean() and the other
    reductions return doubles, computed by the C library without the array in memory.
    """

    def __init__(self, file: File, name: str, record: Any, axes: Optional[Sequence[Axis]] = None) -> None:
        self.file, self.name, self._record = file, name, record
        self.id: int = record.id
        self._extents = tuple(record.shape[i] for i in range(record.ndim))
        self._axes = list(axes) if axes is not None else [Axis(0, 1, n) for n in self._extents]

    # ---- what it is

    @property
    def dtype(self) -> np.dtype:
        return self._stored_dtype()

    def _stored_dtype(self) -> np.dtype:
        code = DTYPES.get(self._record.dtype)
        if code is None:
            self.file._check(-36)
        return np.dtype(code)

    @property
    def physical(self) -> Physical:
        """The physical values: d.physical[...], d.physical.sel(...), d.physical.mean()."""
        from ._physical import Physical

        return Physical(self.file, self.name, self._record, self._axes)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(axis.count for axis in self._axes if axis.kept)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self._record.elem_size

    @property
    def chunks(self) -> tuple[int, ...]:
        """The extents of a chunk of the dataset, on all its axes."""
        return tuple(self._record.chunk_shape[i] for i in range(self._record.ndim))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a single element")
        return self.shape[0]

    def __repr__(self) -> str:
        code = DTYPES.get(self._record.dtype)
        what = np.dtype(code).name if code else f"dtype {self._record.dtype}"
        return f"<microtet.Dataset {self.name!r} {what} {self.shape}>"

    # ---- metadata

    def _about(self) -> Any:
        meta = self.file._metadata()
        about = ffi.new("utet_dataset_meta *")
        status = lib.utet_meta_dataset(meta, self._record, about)
        if status != -6:  # without an entry it is empty
            self.file._check(status)
        return about

    @property
    def attrs(self) -> dict[str, str]:
        """The attributes, as texts."""
        with self.file._using():
            about = self._about()
            return self.file._tree(about.attrs) or {}

    def _all_dims(self) -> list[str]:
        with self.file._using():
            about = self._about()
            names = self.file._tree(about.dim_names) or []
        fits = len(names) == len(self._axes) and len(set(names)) == len(names)
        return names if fits else [f"dim_{i}" for i in range(len(self._axes))]

    @property
    def dims(self) -> tuple[str, ...]:
        """The names of the axes; dim_0, dim_1, ... in a file without names."""
        return tuple(name for name, axis in zip(self._all_dims(), self._axes) if axis.kept)

    def _axis_labels(self, number: int) -> Optional[list[str]]:
        with self.file._using():
            labels, about = ffi.new("utet_value *"), self._about()
            status = lib.utet_meta_labels(self.file._meta, about, number, labels)
            if status == -6:
                return None
            self.file._check(status)
            return self.file._tree(labels[0])

    @property
    def labels(self) -> dict[str, list[str]]:
        """The labels of the selected indices, of each axis that has one for each of its indices."""
        found: dict[str, list[str]] = {}
        for number, (name, axis) in enumerate(zip(self._all_dims(), self._axes)):
            labels = self._axis_labels(number) if axis.kept else None
            if labels is not None and len(labels) == self._extents[number]:
                found[name] = [labels[i] for i in axis.places()]
        return found

    # ---- selecting

    def _part(self, axes: Sequence[Axis]) -> Dataset:
        return type(self)(self.file, self.name, self._record, axes)

    def _by_key(self, key: Any) -> Dataset:
        keys = list(key) if isinstance(key, tuple) else [key]
        kept = [axis for axis in self._axes if axis.kept]
        dots = [i for i, one in enumerate(keys) if one is Ellipsis]
        if len(dots) > 1:
            raise IndexError("only one ... can be in an index")
        fill = len(kept) - (len(keys) - len(dots))
        if fill < 0:
            raise IndexError(f"{len(keys) - len(dots)} indices for {len(kept)} axes")
        at = dots[0] if dots else len(keys)
        keys[at : at + len(dots)] = [slice(None)] * fill
        parts = iter(keys)
        return self._part([axis.part(next(parts)) if axis.kept else axis for axis in self._axes])

    def __getitem__(self, key: Any) -> Any:
        return self._by_key(key).read()

    def _number(self, name: str) -> int:
        dims = self._all_dims()
        if name not in dims or not self._axes[dims.index(name)].kept:
            raise KeyError(f"no axis {name!r} in {self.name!r}; its axes are {', '.join(self.dims)}")
        return dims.index(name)

    def isel(self, **keys: Any) -> Dataset:
        """A selection by numbers: d.isel(lat=slice(0, 10), lon=3)."""
        axes = list(self._axes)
        for name, key in keys.items():
            number = self._number(name)
            axes[number] = axes[number].part(key)
        return self._part(axes)

    def sel(self, **keys: Any) -> Dataset:
        """A selection by labels: d.sel(lat=slice("60", "40"), station="B"). The stop label is included.

        A label that occurs twice is refused. A number selects the label with this value, such as 60 the label "60.0".
        """
        axes = list(self._axes)
        for name, key in keys.items():
            number = self._number(name)
            labels = self.labels.get(name)
            if labels is None:
                raise KeyError(f"axis {name!r} of {self.name!r} has no labels")
            if isinstance(key, slice):
                first = 0 if key.start is None else place_of(labels, key.start, name)
                last = len(labels) - 1 if key.stop is None else place_of(labels, key.stop, name)
                if first > last:
                    raise KeyError(f"label {key.start!r} of axis {name!r} comes after label {key.stop!r}")
                axes[number] = axes[number].part(slice(first, last + 1, key.step))
            else:
                axes[number] = axes[number].part(place_of(labels, key, name))
        return self._part(axes)

    # ---- reading

    def _ranges(self) -> Any:
        ranges = ffi.new("utet_range[8]")
        for i, axis in enumerate(self._axes):
            ranges[i].start, ranges[i].stop, ranges[i].step = axis.ascending()
        return ranges

    def _turned(self, values: np.ndarray, axes: Sequence[Axis]) -> np.ndarray:
        """Reverses the axes that were selected backwards."""
        return values[tuple(slice(None, None, -1 if axis.step < 0 else 1) for axis in axes)]

    def read(self) -> Any:
        """All values of the selection: an array, or a NumPy scalar for one element."""
        if 0 in (axis.count for axis in self._axes):
            return np.empty(self.shape, self._stored_dtype())
        file = self.file
        with file._using():
            file._lend_rows(self)
            slab, ranges = ffi.new("utet_slab *"), self._ranges()
            file._check(lib.utet_slab_need(slab, file._file, self._record, ranges))
            file._lend(slab.need)
            file._lend_rows(self)
            file._check(lib.utet_slab_open(slab, file._file, self._record, ranges))
            values = room([axis.count for axis in self._axes], self._stored_dtype())
            file._check(lib.utet_slab_read_all(slab, ffi.from_buffer(values), values.nbytes))
        values = self._turned(values, self._axes).reshape(self.shape)
        return values[()] if values.ndim == 0 else values

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the values are in a file: an array of them is always a copy")
        values = np.asarray(self.read())
        return values if dtype is None else values.astype(dtype)

    # ---- reductions

    def _reduced(self, axis: Any) -> list[int]:
        """Numbers of the reduced axes of the dataset, from None, a number, a name or several of them."""
        kept = [i for i, one in enumerate(self._axes) if one.kept]
        if axis is None:
            return kept
        numbers = []
        for one in axis if isinstance(axis, (tuple, list)) else [axis]:
            if isinstance(one, str):
                numbers.append(self._number(one))
            elif -len(kept) <= one < len(kept):
                numbers.append(kept[one])
            else:
                raise IndexError(f"axis {one} of {len(kept)} axes")
        return numbers

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
        """Reduces all elements, or those along some axes, to doubles; src/fold/OPERATIONS.md lists the operations.

        operation: a name, or a list of up to 16 names without median, quantile and histogram: the elements are read once, and
            the answer is a dictionary of the results.
        axis: the number or the name of an axis, or several of them; None: all.
        where: the elements that count, such as {"gt": 3, "le": 5} (eq, ne, lt, le, gt, ge; null=True or False).
        fill: the value that means "no value" (see where's null, and null_count).
        """
        names = [operation] if isinstance(operation, str) else list(operation)
        codes = [lib.microtet_operation(name.encode()) for name in names]
        reduced = self._reduced(axis)
        for name, code in zip(names, codes):
            if code == ffi.NULL or name == "several":
                raise ValueError(f"unknown operation {name!r}")
            if name in FOLDED_IN_ORDER and any(self._axes[i].step < 0 for i in reduced):
                raise ValueError(f"{name} depends on the order of the elements: select them forwards")
        alone = isinstance(operation, str)
        if not alone and (not 0 < len(names) <= 16 or set(names) & ALONE):
            raise ValueError(f"a list has 1 to 16 operations, and none of {', '.join(sorted(ALONE))}")
        left = [one for i, one in enumerate(self._axes) if one.kept and i not in reduced]
        if 0 in (one.count for one in self._axes):
            raise ValueError(f"{', '.join(names)} of an empty selection")
        request = ffi.new("utet_fold_request *")
        ranges = self._ranges()
        request.dataset, request.ranges, request.operation = self._record, ranges, codes[0]
        if not alone:
            together = ffi.new("utet_fold_operation *[]", [*codes, ffi.NULL])
            request.operation, request.operations = lib.microtet_operation(b"several"), together
        request.axes = sum(1 << i for i, one in enumerate(self._axes) if not one.kept or i in reduced)
        request.q, request.bins = q, bins if 0 < bins <= 0xFFFF else 0
        if fill is not None:
            request.has_fill = 1
            request.fill, request.fill_rest = with_rest(fill)
        if range is not None:
            request.has_range, (request.low, request.high) = 1, range
        tests = filter_of(where)
        file = self.file
        with file._using():
            file._lend_rows(self)
            fold = ffi.new("utet_fold *")
            file._check(lib.utet_fold_need(fold, file._file, request))
            file._lend(fold.need)
            file._lend_rows(self)
            file._check(lib.utet_fold_open(fold, file._file, request))
            if tests is not None:
                file._check(lib.utet_fold_where(fold, tests))
            values = room([fold.results], np.dtype("f8"))
            file._check(lib.utet_fold_run(fold, ffi.from_buffer("double[]", values), values.size))
        inner = [bins + 2] if operation == "histogram" else [len(names)] if not alone else []
        values = values.reshape([one.count for one in left] + inner)
        values = self._turned(values, left)
        if not alone:
            return {name: values[..., i][()] for i, name in enumerate(names)}
        return values[()] if values.ndim == 0 else values

    def sum(self, axis: Any = None, where: Optional[Where] = None) -> Any:
        return self.fold("sum", axis, where)

    def mean(self, axis: Any = None, where: Optional[Where] = None) -> Any:
        return self.fold("mean", axis, where)

    def min(self, axis: Any = None, where: Optional[Where] = None) -> Any:
        return self.fold("min", axis, where)

    def max(self, axis: Any = None, where: Optional[Where] = None) -> Any:
        return self.fold("max", axis, where)

    def std(self, axis: Any = None, where: Optional[Where] = None) -> Any:
        return self.fold("std", axis, where)

    def var(self, axis: Any = None, where: Optional[Where] = None) -> Any:
        return self.fold("var", axis, where)

    def median(self, axis: Any = None, where: Optional[Where] = None) -> Any:
        return self.fold("median", axis, where)

    def quantile(self, q: float, axis: Any = None, where: Optional[Where] = None) -> Any:
        return self.fold("quantile", axis, where, q=q)

    def count(self, axis: Any = None, where: Optional[Where] = None) -> Any:
        return self.fold("count", axis, where)

    def histogram(self, bins: int = 10, range: Optional[tuple[float, float]] = None) -> Any:  # noqa: A002
        """Counts and edges, as numpy.histogram returns them."""
        found = self.fold("histogram", bins=bins, range=range)
        return found[2:], np.linspace(found[0], found[1], bins + 1)


def room(shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    try:
        return np.empty(shape, dtype)
    except (MemoryError, ValueError, OverflowError) as error:
        raise Error(f"no memory for an array of {tuple(shape)} elements", -8, "budget") from error


def place_of(labels: Sequence[str], wanted: Any, name: str) -> int:
    """The index of a label: its text, or the text of a number with the same value."""
    places = [i for i, label in enumerate(labels) if label == str(wanted)]
    if not places and isinstance(wanted, (int, float, np.number)):
        places = [i for i, label in enumerate(labels) if number_of(label) == wanted]
    if len(places) != 1:
        raise KeyError(f"label {wanted!r} occurs {len(places)} times on axis {name!r}")
    return places[0]


def number_of(label: str) -> Optional[float]:
    try:
        return float(label)
    except ValueError:
        return None


def with_rest(number: Union[int, float]) -> tuple[float, int]:
    """A double, and what an integer has besides it."""
    if isinstance(number, (int, np.integer)):
        near = float(number)
        rest = int(number) - int(near)
        if abs(rest) > 1024:
            raise ValueError(f"{number} is outside the range of every dtype")
        return near, rest
    return float(number), 0


def filter_of(where: Optional[Where]) -> Any:
    if not where:
        return None
    tests = ffi.new("utet_fold_filter *")
    for index, (name, test) in enumerate(TESTS.items()):
        if name in where:
            number, rest = with_rest(where[name])
            setattr(tests, name, number)
            tests.rest[index] = rest
            tests.tests |= test | (RESTS if rest else 0)
    if "null" in where:
        tests.tests |= IS_NULL if where["null"] else IS_NOT_NULL
    unknown = set(where) - set(TESTS) - {"null"}
    if unknown:
        raise ValueError(f"unknown test {sorted(unknown)[0]!r}: one of {', '.join(TESTS)}, null")
    return tests
