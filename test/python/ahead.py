# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays that are read while they are packed: a thread reads the next band. What ends packing early leaves nothing behind."""
import contextlib
import os
import signal
import sys
import threading
import time
import weakref
from concurrent.futures import wait
from unittest import mock

import microtet
import numpy as np
from common import check, raises
from microtet import _elements

ROWS, COLUMNS, CHUNK = 40, 512, 8
VALUES = np.random.default_rng(8).integers(0, 50, (ROWS, COLUMNS)).cumsum(axis=1).astype("<i4")
BAND = CHUNK * COLUMNS * 4
DIES = """#!%s
import os, signal, struct, sys
ask, take, _ = map(int, sys.argv[-1].split(","))
if not %s:
    os.write(ask, struct.pack("=18Q", 0, 0, 2048, 4, *[1] * 6, 16, 512, *[1] * 6))
    os.read(take, 1)
os.kill(os.getpid(), signal.SIGKILL)
"""


class Lazy:
    """An array like that of zarr, which notes how it is read."""

    __module__ = "zarr.made_up"
    dtype, shape, ndim, attrs = VALUES.dtype, VALUES.shape, 2, {}

    def __init__(self, then=None, chunk=CHUNK, columns=COLUMNS):
        self.then = then  # called with the number of each band after it was read
        self.chunks, self.columns = (chunk, columns), []
        self.read, self.threads, self.alive, self.most = [], set(), 0, 0

    def __getitem__(self, index):
        part = VALUES[index].copy()
        weakref.finalize(part, self.drop)
        self.alive += 1
        self.most = max(self.most, self.alive)
        self.read.append(index[0].start // self.chunks[0])
        self.columns.append((self.read[-1], index[1].start, index[1].stop))
        self.threads.add(threading.current_thread())
        if self.then:
            self.then(self.read[-1])
        return part

    def drop(self):
        self.alive -= 1


@mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="1700000000")
def pack(arrays, *options):
    microtet.pack(arrays, "lazy.tet", tile=(8, 64), options=options)
    with open("lazy.tet", "rb") as file:
        return file.read()


def nothing_left(name):
    """No file, no thread, no child process."""
    check(name + ": no file", os.listdir(".") == [], os.listdir("."))
    check(name + ": no thread", threading.enumerate() == [threading.main_thread()], threading.enumerate())
    try:
        check(name + ": no child", False, os.waitpid(-1, os.WNOHANG))
    except ChildProcessError:
        check(name + ": no child", True)


@mock.patch.object(_elements, "BAND_BYTES", 1)
def reading_ahead():
    """The next band is read while one is packed, also the first one of the next array; two are in memory."""
    right = pack({"a": VALUES, "b": VALUES})
    one, other = Lazy(), Lazy()
    check("bytes", pack({"a": one, "b": other}) == right)
    check("each band once, in order", one.read == other.read == list(range(ROWS // CHUNK)), (one.read, other.read))
    check("in a thread", len(one.threads | other.threads) == 1 and threading.main_thread() not in one.threads, one.threads)
    check("two bands", max(one.most, other.most) <= 2 and one.alive == other.alive == 0, (one.most, other.most))
    one, left = Lazy(), []
    large = Lazy(lambda number: left.append(one.alive), 2 * CHUNK)
    with mock.patch.object(_elements, "AHEAD_BYTES", BAND):
        check("large bands", pack({"a": one, "b": large}) == right and large.most == 1 and left == [0, 0, 0], (large.most, left))
    right = pack({"a": VALUES}, "--slab", "17:31,:")
    part = Lazy()
    check("a slab", pack({"a": part}, "--slab", "17:31,:") == right and part.read == [2, 3], part.read)
    found, part = [], Lazy()
    thread = threading.Thread(target=lambda: found.append(pack({"a": part})))
    thread.start()
    thread.join()
    check("not in the main thread", found == [pack({"a": VALUES})] and part.threads == {thread}, part.threads)


@mock.patch.object(_elements, "BAND_BYTES", 1)
def while_packing():
    """A band is sent after the next one was read; a program that reads on request only would wait for ever."""
    begun = [threading.Event() for _ in range(ROWS // CHUNK + 1)]
    begun[-1].set()
    late, sent = [], [0]

    def then(number):
        begun[number].set()

    def done(size):
        if not begun[sent[0] // BAND + 1].wait(10):
            late.append(sent[0] // BAND + 1)
        sent[0] += size

    one = Lazy(then)
    with mock.patch.object(_elements, "progress", lambda *_: contextlib.nullcontext(done)):
        pack({"a": one})
    check("two bands", one.most == 2, one.most)
    check("bands that were read late", late == [] and sent[0] == VALUES.nbytes, (late, sent))


@mock.patch.object(os, "cpu_count", lambda: 2)
@mock.patch.multiple(_elements, BAND_BYTES=1, PART_BYTES=1)
def in_turn():
    """While the tool compresses on one of 2 processors, chunks are read one after another, until a band is late."""
    needed, take = threading.Event(), _elements.Bands.take

    def then(number):
        check("the late band is needed", number != 3 or needed.wait(10), number)

    def waits(futures):
        if not futures[0].done():
            needed.set()
        return wait(futures)

    def after_reading(bands, array, first):
        if first != 3 * CHUNK:
            wait([bands.next[3]])
        return take(bands, array, first)

    parts, whole = [(0, 200), (200, 400), (400, COLUMNS)], [(0, COLUMNS)]
    for options, bands in ((("-j", "1"), [whole, parts, parts, parts, whole]), (("-j", "2"), [whole] * 5), ((), [whole] * 5)):
        needed.clear()
        one = Lazy(then, columns=200)
        with mock.patch.object(_elements, "wait", waits), mock.patch.object(_elements.Bands, "take", after_reading):
            check("bytes", pack({"a": one}, *options) == pack({"a": VALUES}, *options))
        right = [(number, *columns) for number, band in enumerate(bands) for columns in band]
        check("chunks in turn %s" % " ".join(options), one.columns == right, one.columns)
    small = Lazy(columns=16)
    with mock.patch.object(_elements, "PART_BYTES", 100 * CHUNK * 4):
        check("bytes", pack({"a": small}, "-j", "1") == pack({"a": VALUES}, "-j", "1"))
    check("small chunks", small.columns[1:3] == [(1, 0, 96), (1, 96, 192)], small.columns)


@mock.patch.object(_elements, "BAND_BYTES", 1)
def ends_early():
    """A fault while reading ahead, a tool that dies, Ctrl-C."""
    def fault(number):
        if number == 3:
            raise OSError("no\nroute")

    raises("a fault", microtet.Error, lambda: pack({"a": Lazy(fault)}), "a: cannot be read: no route")
    nothing_left("a fault")
    raises("an option", microtet.ToolError, lambda: pack({"a": Lazy()}, "--nonsense"), "--nonsense")
    nothing_left("an option")

    def interrupt(number):
        if number == 2:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    raises("Ctrl-C", KeyboardInterrupt, lambda: pack({"a": Lazy(interrupt)}))
    signal.signal(signal.SIGINT, before)
    nothing_left("Ctrl-C")
    for when in ("at once", "after a request"):
        with open("../tool.py", "w") as file:
            file.write(DIES % (sys.executable, when == "at once"))
        os.chmod("../tool.py", 0o755)
        with mock.patch.object(microtet._tool, "PATH", os.path.abspath("../tool.py")):
            raises("a tool that dies " + when, microtet.ToolError, lambda: pack({"a": Lazy()}), "utet failed without a message")
        nothing_left("a tool that dies " + when)
    os.remove("../tool.py")
