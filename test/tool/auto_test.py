#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""pack --tile auto, which compresses a sample of each candidate, against an exhaustive search that compresses all of it: the
candidate that auto takes costs at most a tenth more than the best one, by the same model, on twenty mixed inputs. Prints the
table of both."""
import os
import re

import numpy

from harness import check, scratch, summary, utet

WORST = 1.10


def inputs():
    dice = numpy.random.default_rng(7)
    y, x = numpy.mgrid[0:256, 0:320]
    smooth = (15 + 10 * numpy.sin(x / 40) * numpy.cos(y / 60)).round(1).astype("<f4")
    walk = dice.normal(size=(256, 320)).cumsum(axis=1).round(1).astype("<f4")
    mask = (smooth > 18).astype("u1")
    labels = ((x // 50) * 7 + y // 30).astype("u1")
    noise = dice.integers(0, 256, (256, 320)).astype("u1")
    speech = (dice.normal(size=131072).cumsum() * 3 % 2000).astype("<i2")
    series = (numpy.arange(30000) * 60 + dice.integers(0, 3, 30000)).astype("<i8")
    cube = numpy.stack([numpy.roll(smooth[:64, :80], i, axis=1) for i in range(24)]).astype("<f4")
    frames = numpy.stack([numpy.roll(labels[:96, :96], 3 * i, axis=0) for i in range(20)])
    table = dice.integers(0, 9, (20000, 6)).astype("<i4")
    half = smooth.astype("<f2")
    return [("smooth rows", smooth, "rows", "microbit"), ("smooth columns", smooth, "columns", "microbit"),
            ("smooth tiles", smooth, "tiles", "lm3s6965evb"), ("smooth all", smooth, "all", "rp2040"),
            ("walk rows", walk, "rows", "lm3s6965evb"), ("walk columns", walk, "columns", "rp2040"),
            ("mask rows", mask, "rows", "stm32vldiscovery"), ("mask tiles", mask, "tiles", "stm32vldiscovery"),
            ("labels tiles", labels, "tiles", "microbit"), ("labels all", labels, "all", "stm32vldiscovery"),
            ("noise rows", noise, "rows", "lm3s6965evb"), ("speech rows", speech, "rows", "rp2040"),
            ("series all", series, "all", "microbit"), ("series tiles", series, "tiles", "lm3s6965evb"),
            ("cube frames", cube, "frames", "lm3s6965evb"), ("cube columns", cube, "columns", "lm3s6965evb"),
            ("frames frames", frames, "frames", "stm32f407"), ("table rows", table, "rows", "microbit"),
            ("table columns", table, "columns", "microbit"), ("half tiles", half, "tiles", "rp2040")]


def table(path, *options):
    """[(tile, codec, cost)], best first."""
    status, out, err = utet("pack", path, "-o", scratch("o.tet"), "--table", "--level", "6", *options)
    check("pack " + path, status == 0, err)
    return [(m.group(1), m.group(2), float(m.group(3))) for m in
            re.finditer(r"^(?:->)? +(\S+) +(raw|zstd) .* (\S+)$", out.decode(), re.M)]


print("%-16s %-18s %-14s %10s   %-14s %10s   %s" % ("input", "machine", "auto takes", "cost, ms", "best of all", "cost, ms", "ratio"))
worst = 0
for name, array, access, machine in inputs():
    path = scratch("i.npy")
    numpy.save(path, array)
    options = ["--access", access, "--for", machine]
    taken = table(path, *options)[0]
    every = table(path, *options, "--sample", "all")
    costs = {candidate[:2]: candidate[2] for candidate in every}
    ratio = costs[taken[:2]] / every[0][2]
    worst = max(worst, ratio)
    print("%-16s %-18s %-14s %10.2f   %-14s %10.2f   %.3f" % (name, machine, " ".join(taken[:2]), costs[taken[:2]],
                                                           " ".join(every[0][:2]), every[0][2], ratio))
    check(name, ratio <= WORST, "%.3f" % ratio)
print("figure: auto costs at most %.3f times the best of an exhaustive search" % worst)
summary()
