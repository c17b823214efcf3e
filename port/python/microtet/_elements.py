# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The elements of arrays for `utet pack --elements`: the tool requests blocks, and this process answers from memory or from
a file that another package reads."""

from __future__ import annotations

import contextlib
import contextvars
import itertools
import math
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from typing import IO, Any, Optional

import numpy as np

from . import _tool
from ._errors import Error

AXES = 8  # in a request: array, offset, distances, numbers of indices (boards/host/pack/pack_ask.c)
REQUEST = 8 * (2 + 2 * AXES)
BAND_BYTES = 8 << 20  # read at once, or a row of chunks if that is larger
PART_BYTES = 1 << 20  # of a band, or a chunk if that is larger
AHEAD_BYTES = 32 << 20  # maximum size of a band that is read while another one is in memory
LAZY = {"xarray", "zarr", "h5py", "dask"}


def is_lazy(values: Any) -> bool:
    """An array whose elements are read when it is indexed."""
    return type(values).__module__.partition(".")[0] in LAZY and isinstance(getattr(values, "dtype", None), np.dtype)


def chunk_of(values: Any, axis: int) -> Optional[int]:
    """The extent along an axis of what the package of the array reads as a whole."""
    chunks = getattr(values, "shards", None) or getattr(values, "chunks", None)
    if not chunks:
        preferred = getattr(values, "encoding", {}).get("preferred_chunks")
        chunks = [preferred.get(dim) for dim in values.dims] if preferred else []
    chunk = chunks[axis] if len(chunks) > axis else None
    return max(chunk, default=None) if isinstance(chunk, tuple) else chunk


class Elements:
    """An array; one that is read lazily is read in bands of indices along the slowest axis of packing that share chunks."""

    def __init__(self, values: Any, dtype: np.dtype, slowest: int = 0) -> None:
        self.values, self.dtype, self.shape = values, dtype, tuple(values.shape)
        self.nbytes = dtype.itemsize
        for extent in self.shape:
            self.nbytes *= extent
        self.distances = [dtype.itemsize] * len(self.shape)
        for axis in range(len(self.shape) - 1, 0, -1):
            self.distances[axis - 1] = self.distances[axis] * self.shape[axis]
        self.slowest = min(slowest, len(self.shape) - 1)
        self.is_dask = getattr(values, "__dask_graph__", lambda: None)() is not None
        self.step = 0  # extent of a band
        if is_lazy(values) and self.nbytes:
            one = self.nbytes // self.shape[self.slowest]
            chunk = chunk_of(values, self.slowest) or 1
            self.step = min(chunk * max(1, BAND_BYTES // (chunk * one)), self.shape[self.slowest])

    def read(self, first: int, in_turn: bool) -> np.ndarray:
        """The band that begins at this index. in_turn: chunk after chunk, on one processor, while the tool needs the others;
        packages that read chunks in several threads do so on all of them."""
        starts, stops = [0] * len(self.shape), list(self.shape)
        starts[self.slowest], stops[self.slowest] = first, min(first + self.step, stops[self.slowest])
        if not in_turn:
            return np.asarray(self.values[tuple(map(slice, starts, stops))])
        if self.is_dask:
            return np.asarray(self.values[tuple(map(slice, starts, stops))].compute(scheduler="synchronous"))
        band = np.empty([stop - start for start, stop in zip(starts, stops)], self.values.dtype)
        part = self.part(band.shape)
        for place in itertools.product(*map(range, starts, stops, part)):
            ends = [min(at + extent, stop) for at, extent, stop in zip(place, part, stops)]
            there = tuple(slice(at - start, end - start) for at, end, start in zip(place, ends, starts))
            band[there] = self.values[tuple(map(slice, place, ends))]
        return band

    def part(self, band: Sequence[int]) -> list[int]:
        """The extents of what is read of a band at once: a chunk, or several small ones."""
        part = [min(chunk_of(self.values, axis) or extent, extent) for axis, extent in enumerate(band)]
        for axis in range(len(part) - 1, -1, -1):
            fit = PART_BYTES // (self.dtype.itemsize * math.prod(part))
            part[axis] = min(part[axis] * max(1, fit), band[axis])
        return part

    def blocks(self, offset: int, distances: Sequence[int], counts: Sequence[int], bands: Bands) -> Iterator[np.ndarray]:
        """What a request names, in parts along the slowest axis."""
        index = []
        for whole, distance, count in zip(self.distances, distances, counts):
            first, offset = divmod(offset, whole)
            step = distance // whole
            index.append(range(first, first + (count - 1) * step + 1, step))
        if not self.step:
            yield self.values[tuple(slice(r.start, r.stop, r.step) for r in index)]
            return
        left = index[self.slowest]
        while left:
            first = left[0] // self.step * self.step
            here = len(range(left[0], min(first + self.step, left[-1] + 1), left.step))
            index[self.slowest] = range(left[0] - first, left[here - 1] - first + 1, left.step)
            yield bands.get(self, first)[tuple(slice(r.start, r.stop, r.step) for r in index)]
            left = left[here:]

    def answer(self, numbers: Sequence[int], bands: Bands) -> Iterator[memoryview]:
        ndim = len(self.shape)
        parts = self.blocks(numbers[1], numbers[2 : 2 + ndim], numbers[2 + AXES : 2 + AXES + ndim], bands)
        if self.slowest:
            parts = iter([np.concatenate(list(parts), axis=self.slowest)])
        for part in parts:
            dense = np.ascontiguousarray(part, self.dtype).reshape(-1).view("u1").data
            del part  # it would keep a band in memory while another one is read
            yield dense
            del dense


Job = tuple[Elements, int, bool, "Future[np.ndarray]"]  # a band of an array: its first index, in_turn, what is read


class Bands:
    """Bands of arrays that are read lazily: the one in use, and the one after it, which a thread reads meanwhile."""

    def __init__(self, arrays: Sequence[Elements], ahead: bool, in_turn: bool) -> None:
        self.lazy = [one for one in arrays if one.step]
        self.held: Any = None
        self.key: Optional[tuple[Elements, int]] = None  # of the one in use
        self.next: Optional[Job] = None
        self.in_turn = in_turn  # until a band is late
        self.jobs: queue.SimpleQueue[Optional[Job]] = queue.SimpleQueue()
        self.thread: Optional[threading.Thread] = None
        # A task of Dask may read an array of Dask only in its own thread, which is not the main one.
        if ahead and self.lazy and threading.current_thread() is threading.main_thread():
            self.thread = threading.Thread(target=contextvars.copy_context().run, args=(self.run,), daemon=True)
            self.thread.start()
            self.start(self.lazy[0], 0, False)  # the tool waits for this one

    def run(self) -> None:
        while True:
            job = self.jobs.get()
            if job is None:
                return
            try:
                job[3].set_result(job[0].read(job[1], job[2]))
            except BaseException as error:  # raised where the band is needed
                job[3].set_exception(error)
            del job  # it would keep the band in memory

    def start(self, array: Elements, first: int, in_turn: bool) -> None:
        if self.thread and array.step * array.nbytes // array.shape[array.slowest] <= AHEAD_BYTES:
            self.next = array, first, in_turn, Future()
            self.jobs.put(self.next)

    def take(self, array: Elements, first: int) -> np.ndarray:
        job, self.next = self.next, None
        if job is not None:
            if job[2] and not job[3].done():
                self.in_turn = False
            wait([job[3]])
            if job[:2] == (array, first):
                return job[3].result()
        del job
        return array.read(first, False)

    def get(self, array: Elements, first: int) -> np.ndarray:
        if self.key != (array, first):
            self.held = None  # before another one takes memory
            self.held, self.key = self.take(array, first), (array, first)
            later = self.lazy[self.lazy.index(array) + 1 :]
            if first + array.step < array.shape[array.slowest]:
                self.start(array, first + array.step, self.in_turn)
            elif later:
                self.start(later[0], 0, self.in_turn)
        return self.held

    def close(self) -> None:
        """Waits for the thread, because the caller may close the file that it reads."""
        if self.thread:
            self.jobs.put(None)
            self.thread.join()


def write_header(path: str, dtype: np.dtype, shape: Sequence[int]) -> None:
    with open(path, "wb") as file:
        about = {"descr": dtype.str, "fortran_order": False, "shape": tuple(shape)}
        np.lib.format.write_array_header_1_0(file, about)


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """Turns what other packages raise about an array into one line."""
    try:
        yield
    except (Error, BrokenPipeError):
        raise
    except Exception as error:
        words = " ".join(str(error).split())
        raise Error(f"{name}: cannot be read: {words[:300] or type(error).__name__}") from error


def shared_file() -> IO[bytes]:
    """A file without a name, in memory where the system can do that."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("elements"), "wb", buffering=0)
    return tempfile.TemporaryFile(buffering=0)


def serve(requests: IO[bytes], answers: IO[bytes], elements: IO[bytes], arrays: Sequence[Elements], names: Sequence[str],
          bands: Bands, done: Callable[[int], Any]) -> None:
    """Answers until the tool closes its end."""
    with contextlib.suppress(BrokenPipeError):  # the tool has stopped and says why
        while True:
            request = requests.read(REQUEST)
            if len(request) < REQUEST:
                return
            numbers = np.frombuffer(request, "u8").tolist()
            with reading(names[numbers[0]]):
                at = 0
                for part in arrays[numbers[0]].answer(numbers, bands):
                    done(len(part))
                    while part:
                        size = os.pwrite(elements.fileno(), part, at)
                        at, part = at + size, part[size:]
                    del part  # as in answer()
            answers.write(b"+")


def pack(words: Sequence[str], arrays: Sequence[Elements], names: Sequence[str], ahead: bool, bar: bool,
         in_turn: bool = False) -> tuple[str, str]:
    """Runs `utet pack`, answers its requests and returns what it wrote to standard output and to standard error. ahead: all
    bands of the arrays are needed. bar: shows the progress. in_turn: reads chunks one after another (Elements.read)."""
    requests, ask = os.pipe()
    take, answers = os.pipe()
    with contextlib.ExitStack() as open_files:
        incoming = open_files.enter_context(open(requests, "rb"))
        outgoing = open_files.enter_context(open(answers, "wb", buffering=0))
        elements = open_files.enter_context(shared_file())
        bands = open_files.enter_context(contextlib.closing(Bands(arrays, ahead, in_turn)))
        said, told = (open_files.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        try:
            passed = (ask, take, elements.fileno())
            tool = subprocess.Popen([_tool.PATH, "pack", *words, "--elements", ",".join(map(str, passed))],
                                    stdin=subprocess.DEVNULL, stdout=said, stderr=told, pass_fds=passed)
        finally:
            os.close(ask)
            os.close(take)
        try:
            with progress(sum(one.nbytes for one in arrays), bar) as done:
                serve(incoming, outgoing, elements, arrays, names, bands, done)
        finally:
            outgoing.close()  # the tool stops if it still waits
            incoming.close()
            status = tool.wait()
        texts = []
        for file in (said, told):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    if status != 0:
        raise _tool.failure(None, texts[1])
    return texts[0], texts[1]


@contextlib.contextmanager
def progress(total: int, shown: bool) -> Iterator[Callable[[int], Any]]:
    """With a bar, if tqdm is installed and somebody watches."""
    if shown and sys.stderr.isatty():
        with contextlib.suppress(ImportError):
            from tqdm import tqdm

            with tqdm(total=total, unit="B", unit_scale=True, leave=False) as bar:
                yield lambda size: bar.update(min(size, total - bar.n))
            return
    yield lambda size: None
