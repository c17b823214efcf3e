#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench-inputs`: the speed of packing CSV compared with the C reader of pandas, and of packing .npy and Zarr compared with
libzstd alone at the same level (test/tool/pack_speed.c). All take turns, ROUNDS= (5) times. Arguments: a folder for the
files, the tool, pack_speed, and the page of results, whose part "Speed" is written again."""
import contextlib
import datetime
import io
import os
import resource
import statistics
import subprocess
import sys
import time
from importlib import metadata

import numpy as np
import pandas as pd
import xarray as xr

import microtet
from microtet import _inputs

FOLDER, TOOL, ALONE, PAGE = sys.argv[1:]
ROUNDS, SIDE, TILE = int(os.environ.get("ROUNDS", "5")), 4096, (8, 64)
TITLE = "## Speed\n"
TEXT = TITLE + """
Written by `make bench-inputs` (by hand) on %s, %d runs in turn. CSV: medians. For pandas %s with
pyarrow %s, which makes its columns of texts faster, it is the processor time of `read_csv(engine="c")` alone, in
user mode; for utet that of all of `pack --codec raw`, which also writes the file and reads it back.

| CSV | MB | pandas, s | utet, s | speed of utet / of pandas |
|---|---|---|---|---|
%s

Packing %d MB of float32 in tiles of %d KB: `utet pack` from .npy, the code of `python -m microtet pack` from Zarr 3, and
`microtet.pack` with what `xarray.open_zarr` returns, whose arrays are those of Dask; without imports and first use. One
Zarr array is not compressed, the other as Zarr does unless told. libzstd alone compresses the same tiles in memory, in
one thread.

Time by the clock, with one thread that compresses (`-j 1`) and with one for each of the %d processors (no `-j`): the
shortest of the runs, because other programs on the machine make a run longer. Meanwhile the tool reads and writes in
another thread, and the Python package reads the array in a thread of its own.

| level | input | libzstd, s | pack -j 1, s | pack, s | speed of pack -j 1 / of libzstd | of pack |
|---|---|---|---|---|---|---|
%s

Processor time of the runs with `-j 1`, user and system, of all threads and processes, so reading counts in full:
medians. xarray alone only reads the array, in rows of chunks.

| level | input | libzstd, s | xarray, s | pack, s | speed of pack / of libzstd | of libzstd and xarray |
|---|---|---|---|---|---|---|
%s
"""


def tables():
    dice, n = np.random.default_rng(1), 4500000
    floats = pd.DataFrame(dice.normal(20, 5, (n, 4)).round(3), columns=list("abcd"))
    wide = pd.DataFrame(dice.normal(20, 5, (n // 20, 100)).round(3), columns=["c%d" % i for i in range(100)])
    whole = pd.DataFrame(dice.integers(-100000, 100000, (n // 2, 10)), columns=["c%d" % i for i in range(10)])
    times, texts = floats[["a", "b"]].round(2), floats[["a", "b"]].round(2)
    times.insert(0, "t", pd.date_range("2024-01-01", periods=n, freq="min"))
    texts.insert(0, "s", dice.choice(["north", "south", "east", "west", "station five"], n))
    exact = pd.DataFrame(dice.normal(20, 5, (n // 3, 4)), columns=list("abcd"))
    return (("4 columns of decimals", floats, []), ("4 columns of 17 digits", exact, []), ("100 columns of decimals", wide, []),
            ("10 columns of integers", whole, []), ("times, 2 columns of decimals", times, ["--times", "t=s"]),
            ("texts, 2 columns of decimals", texts, []))


def apart(work, first=None):
    """User and system time of a function and its time by the clock, in a process of its own, in which another function ran
    before."""
    def used():
        return [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]

    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        if first:
            first()
        if os.path.exists("out.tet"):  # to delete an older file takes time that depends on its size
            os.remove("out.tet")
        before, clock = used(), time.monotonic()
        work()
        clock, after = time.monotonic() - clock, used()
        parts = [sum(getattr(a, key) - getattr(b, key) for a, b in zip(after, before)) for key in ("ru_utime", "ru_stime")]
        os.write(writing, ("%f %f %f" % (*parts, clock)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        told = file.read()
    assert os.waitpid(child, 0)[1] == 0
    return tuple(map(float, told.split()))


def pack(*words):
    subprocess.run([TOOL, "pack", *words, "-o", "out.tet"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def compare(*works):
    """What each returned, taken in turn."""
    return list(zip(*([work() for work in works] for _ in range(ROUNDS))))


def processor(runs):
    return statistics.median(user + system for user, system, _ in runs)


def clock(runs):
    return min(seconds for _, _, seconds in runs)


def csv_rows():
    for what, frame, options in tables():
        frame.to_csv("t.csv", index=False, date_format="%Y-%m-%dT%H:%M:%S")
        dates = ["t"] if options else False
        theirs, ours = map(statistics.median, compare(lambda: apart(lambda: pd.read_csv("t.csv", engine="c", parse_dates=dates))[0],
                                                      lambda: apart(lambda: pack("t.csv", "--codec", "raw", *options))[0]))
        yield "| %s | %.0f | %.3f | %.3f | %.2f |" % (what, os.path.getsize("t.csv") / 1e6, theirs, ours, theirs / ours)


def array_rows():
    dice = np.random.default_rng(1)
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    field = ((20 + 10 * np.sin(y * 0.002) * np.cos(x * 0.003)).round(2) + dice.integers(0, 4, (SIDE, SIDE)) * 0.01).astype("<f4")
    field.tofile("field.raw")
    np.save("field.npy", field)
    data = xr.Dataset({"field": (("y", "x"), field)})
    data.to_zarr("plain.zarr", zarr_format=3, consolidated=False, encoding={"field": {"compressors": []}})
    data.to_zarr("zstd.zarr", zarr_format=3, consolidated=False)
    xr.Dataset({"field": (("y", "x"), field[:TILE[0], :TILE[1]])}).to_zarr("small.zarr", zarr_format=3, consolidated=False)
    np.save("small.npy", field[:TILE[0], :TILE[1]])

    def read(path):
        with xr.open_dataset(path, engine="zarr", consolidated=False, mask_and_scale=False) as opened:
            rows = None
            for first in range(0, opened.sizes["y"], 512):
                del rows
                rows = opened.field[first:first + 512].values

    def alone():
        words = [ALONE, "field.raw", *map(str, (SIDE, SIDE, *TILE)), level]
        processor, _, elapsed = map(float, subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout.split())
        return processor, 0, elapsed

    def npy(path, words):
        pack(path, "--tile", "%dx%d" % TILE, *words)

    def command(path, words):
        with contextlib.redirect_stdout(io.StringIO()):
            _inputs.pack_words([path, "-o", "out.tet", "--tile", "%dx%d" % TILE, *words])

    def dask(path, words):
        microtet.pack(xr.open_zarr(path, consolidated=False), "out.tet", tile=TILE, options=words)

    inputs = ((".npy", npy, "field.npy"), ("Zarr, not compressed", command, "plain.zarr"), ("Zarr, not compressed, Dask", dask, "plain.zarr"),
              ("Zarr, zstd", command, "zstd.zarr"), ("Zarr, zstd, Dask", dask, "zstd.zarr"))
    clocks, processors = [], []
    for level in "3", "9":
        words = ["--level", level, "--codec", "zstd"]
        works = [lambda path=path: apart(lambda: read(path), lambda: read("small.zarr")) for path in ("plain.zarr", "zstd.zarr")]
        for _, work, path in inputs:
            small = "small" + os.path.splitext(path)[1]
            works += [lambda work=work, path=path, small=small, more=more: apart(lambda: work(path, more), lambda: work(small, more))
                      for more in ([*words, "-j", "1"], words)]
        theirs, *runs = compare(alone, *works)
        reading = {"plain.zarr": processor(runs.pop(0)), "zstd.zarr": processor(runs.pop(0))}
        for what, _, path in inputs:
            one, several = runs.pop(0), runs.pop(0)
            times = clock(theirs), clock(one), clock(several)
            clocks.append("| %s | %s | %.3f | %.3f | %.3f | %.2f | %.2f |" % (level, what, *times, times[0] / times[1], times[0] / times[2]))
            times = processor(theirs), reading.get(path, 0), processor(one)
            processors.append("| %s | %s | %.3f | %.3f | %.3f | %.2f | %.2f |" % (level, what, *times, times[0] / times[2], sum(times[:2]) / times[2]))
            print(clocks[-1], processors[-1], sep="\n", flush=True)
    return "\n".join(clocks), "\n".join(processors)


def shown(rows):
    for row in rows:
        print(row, flush=True)
        yield row


def main():
    os.makedirs(FOLDER, exist_ok=True)
    os.chdir(FOLDER)
    text = TEXT % (datetime.date.today().isoformat(), ROUNDS, pd.__version__, metadata.version("pyarrow"), "\n".join(shown(csv_rows())),
                   SIDE * SIDE * 4 >> 20, 4 * TILE[0] * TILE[1] >> 10, os.cpu_count(), *array_rows())
    with open(PAGE, encoding="utf-8") as file:
        before = file.read().split(TITLE)[0].rstrip("\n")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(before + "\n\n" + text)


main()
