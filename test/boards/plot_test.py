#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The plot of boards/stm32vldiscovery/plot.c: a CSV file, packed by the tool, drawn by the board where NumPy says. Files without times, with
gaps, with a damaged byte anywhere; flash without a file; the figures of the board's page. Arguments: FIRMWARE, UTET, FOLDER for files."""
import os
import re
import subprocess
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import known  # pylint: disable=wrong-import-position
from tally import check, end, skip  # pylint: disable=wrong-import-position

FIRMWARE, UTET, WORK = (os.path.abspath(path) for path in sys.argv[1:4])
AT, ROOM, COLUMNS, ROWS = 0x0800C000, 0x14000, 64, 16


def boot(data, *words):
    """The exit status and the lines of the board whose flash has `data`, erased after it."""
    flash = os.path.join(WORK, "flash.img")
    with open(flash, "wb") as file:
        file.write(data.ljust(ROOM, b"\xff"))
    done = subprocess.run(
        ["qemu-system-arm", "-M", "stm32vldiscovery", "-display", "none", "-monitor", "none", "-serial", "none", "-semihosting-config",
         ",".join(["enable=on,target=native,arg=plot", *("arg=" + word for word in words)]), "-device",
         "loader,addr=0x%08x,force-raw=on,file=%s" % (AT, flash), "-kernel", FIRMWARE], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=120,
        check=False)
    return done.returncode, done.stderr.decode().splitlines()


def packed(text, *options):
    source, target = os.path.join(WORK, "log.csv"), os.path.join(WORK, "log.tet")
    with open(source, "w", encoding="ascii") as file:
        file.write(text)
    done = subprocess.run([UTET, "pack", source, "-o", target, "--for", "stm32vldiscovery", "--mapped", "1", "--program", "700", "--codec", "zstd",
                           *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    check("pack", done.returncode == 0, done.stdout)
    with open(target, "rb") as file:
        return file.read()


def picture(values):
    """The rows that NumPy draws: in each column, everything between its extremes."""
    low, high = numpy.nanmin(values), numpy.nanmax(values)
    rows = (high - values) / (high - low) * (ROWS - 1) + 0.5 if high > low else numpy.full(len(values), ROWS / 2)
    columns = numpy.arange(len(values)) * COLUMNS // len(values)
    lines = [[" "] * COLUMNS for _ in range(ROWS)]
    for column in range(COLUMNS):
        here = rows[(columns == column) & numpy.isfinite(values)]
        for row in range(int(here.min()), int(here.max()) + 1) if len(here) else ():
            lines[row][column] = "*"
    return ["|" + "".join(line) for line in lines]


def drawn(name, lines, values, head, ends):
    rows = [line[:COLUMNS + 1] for line in lines[1:ROWS + 1]]
    check(name + ": rows", rows == picture(values), "\n".join(lines))
    check(name + ": head", lines[:1] == [head], lines[:1])
    labels = [line[COLUMNS + 2:] for line in lines[1:ROWS + 1]]
    check(name + ": extremes", [float(labels[0]), float(labels[-1])] == [numpy.nanmax(values), numpy.nanmin(values)] and not any(labels[1:-1]), labels)
    check(name + ": ends", re.split(" {2,}", lines[ROWS + 1].strip()) == ends, lines[ROWS + 1])


def figures(line):
    """The last lines of boot say what the program takes; the page says the same."""
    print("figure: " + line)
    took = re.fullmatch(r"bytes: flash (\d+), static RAM (\d+), including workspace (\d+), stack (\d+) of \d+", line)
    with open(os.path.join(known.ROOT, "boards", "stm32vldiscovery", "README.md"), encoding="utf-8") as page:
        said = re.search(r"The program takes ([\d,]+) bytes of flash, ([\d,]+) of static RAM and ([\d,]+) of stack; the other ([\d,]+) bytes", page.read())
    if known.figures_hold():
        flash, ram, work, stack = (f"{int(n):,}" for n in took.groups())
        check("the page has the figures", said and said.groups() == (flash, ram, stack, work), said)
    else:
        skip(f"figures, which are those of another compiler than arm-none-eabi-gcc {known.version()}")


def main():
    os.makedirs(WORK, exist_ok=True)
    dice = numpy.random.default_rng(50)
    times = numpy.datetime64("2024-02-28T23:50") + numpy.arange(3000) * 10
    walk = numpy.round(numpy.cumsum(dice.normal(size=3000)), 2)
    wet = dice.integers(0, 100, 3000)
    gaps = numpy.where(dice.random(3000) < 0.97, walk, numpy.nan)
    gaps[500:700] = numpy.nan
    table = "time,walk,wet,gaps\n,mm,%,mm\n" + "".join("%s,%r,%d,%s\n" % (t, float(a), b, "" if numpy.isnan(c) else repr(float(c)))
                                                     for t, a, b, c in zip(times, walk, wet, gaps))
    file = packed(table, "--times", "time=s", "--units")
    ends = [str(times[k]).replace("T", " ") for k in (0, -1)]
    for name, values, unit in (("walk", walk, "mm"), ("wet", wet.astype(float), "%"), ("gaps", gaps, "mm")):
        code, lines = boot(file, name)
        drawn(name, lines, values, "%s, %s, 3000 values" % (name, unit), ends)
        check(name + ": exit", code == 0 and lines[-1] == "plot: good", lines[-1:])
    check("the first dataset that is not the time", boot(file)[1] == boot(file, "walk")[1], "another")
    figures(boot(file, "walk")[1][-2])
    short = packed("a,b\n1,5\n2,5\n4,5\n")
    drawn("without times", boot(short, "a")[1], numpy.array([1.0, 2, 4]), "a, 3 values", ["0 .. 2"])
    drawn("one value", boot(short, "b")[1], numpy.array([5.0, 5, 5]), "b, 3 values", ["0 .. 2"])
    check("no such dataset", boot(short, "c")[1][-1].startswith("plot: nothing has that name"), boot(short, "c"))
    check("no file", boot(b"") == (1, ["plot: no file at address 0x0800C000"]), boot(b""))
    right = boot(file, "walk")[1][:ROWS + 2]
    for at in range(7, len(file), len(file) // 40):
        code, lines = boot(file[:at] + bytes([file[at] ^ 0x10]) + file[at + 1:], "walk")
        fault = re.fullmatch(r"plot: .*, offset \d+", lines[-1])
        check("bit flipped at %d" % at, (code == 1 and fault) or (code == 0 and len(lines) == ROWS + 4), lines)
        same = lines[:ROWS + 2] == right
        check("bit flipped at %d: an error, or the same picture" % at, same or fault or at_text(file, at), lines)
    code, lines = boot(file[:len(file) // 2], "walk")
    check("truncated", code == 1 and re.fullmatch(r"plot: .*, offset \d+", lines[-1]), lines)
    return end()


def at_text(file, at):
    """The footer has no checksum: a flipped bit may change a text of it."""
    return at > file.rfind(b'{"')


sys.exit(main())
