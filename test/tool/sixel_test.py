#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Sixel of `utet show`: in a terminal that announces it, and as OUT.sixel. The pixels are those of the PNG, by a decoder of sixel in
this file and pixels.py's of PNG. Terminals that say no, say nothing, or talk nonsense get blocks, soon. sixel_test.py [TOOL WITHOUT
LIBPNG]."""
import os
import re
import subprocess
import sys
import time

import numpy

from cli_files import PLANET
from harness import ROOT, TOOL, check, expect, scratch, summary
from packing import pack, save
from pixels import png_pixels
from terminal import on_terminal

SIXEL = b"\x1b[?62;1;4;22c"
BIG = dict(columns=200, lines=60, pixels=(1800, 1200))


def decoded(data):
    """Rows of (r, g, b) in percent. Every pixel of the size that is stated has a colour, no pixel beyond it has one."""
    whole = re.fullmatch(rb'\x1bP0;1;0q"1;1;(\d+);(\d+)((?:#\d+;2;\d+;\d+;\d+)*)([-$#!0-9?-~]*)\x1b\\', data)
    assert whole, data[:40]
    width, height = int(whole[1]), int(whole[2])
    colours = {int(n): (int(r), int(g), int(b)) for n, r, g, b in re.findall(rb"#(\d+);2;(\d+);(\d+);(\d+)", whole[3])}
    check("at most 255 colours, each in percent", len(colours) <= 255 and all(max(c) <= 100 for c in colours.values()), len(colours))
    rows = numpy.full((height, width, 3), -1, "i2")
    x = top = 0
    colour = None
    for kind, number, count, column in re.findall(rb"([-$])|#(\d+)|(?:!(\d+))?([?-~])", whole[4]):
        if kind:
            x, top = 0, top + 6 * (kind == b"-")
        elif number:
            colour = colours[int(number)]
        else:
            after = x + int(count or 1)
            assert after <= width
            for bit in range(6):
                if column[0] - 63 >> bit & 1:
                    rows[top + bit, x:after] = colour
            x = after
    check("every pixel has a colour", (rows >= 0).all(), "holes")
    return rows


def percent(rows):
    return (numpy.array(rows, "i4") * 100 + 127) // 255


def one(out):
    """The picture in what a terminal got: nothing else but the end of the line."""
    found = re.fullmatch(r"(\x1bP.*\x1b\\)\r\n", out, re.S)
    check("a picture and a new line", found is not None, out[:60])
    return decoded(found[1].encode()) if found else numpy.zeros((0, 0, 3))


def files():
    walk = pack(save("levels.npy", numpy.arange(2048.0)[None, :].repeat(2, 0)))
    for arguments in ([PLANET, "station_log", "--lines"], [walk, "levels", "--bare"], [walk, "levels", "--slab", "0,0:1"]):
        target = scratch("picture.SIXEL")
        expect("sixel", ["show", *arguments, "-o", target], 0)
        with open(target, "rb") as file:
            check("pixels of the PNG: " + " ".join(arguments[1:]), numpy.array_equal(decoded(file.read()), percent(png_pixels(expect("png", ["show", *arguments], 0)))), "differ")
        os.unlink(target)
    forecast = os.path.join(ROOT, "golden", "demo", "forecast.tgm")
    expect("of a message", ["show", forecast, "0", "--hist", "--bare", "-o", scratch("m.sixel")], 0)
    with open(scratch("m.sixel"), "rb") as file:
        check("pixels of a message", numpy.array_equal(decoded(file.read()), percent(png_pixels(expect("png", ["show", forecast, "0", "--hist", "--bare"], 0)))), "differ")
    os.symlink("/dev/full", scratch("full.sixel"))
    expect("a full disk", ["show", PLANET, "temperature", "-o", scratch("full.sixel")], 1, "cannot write: No space left on device")
    expect("no numbers", ["read", PLANET, "temperature", "-o", scratch("t.sixel")], 2, r"-o: the name \S+t\.sixel ")


def announced():
    want = percent(png_pixels(expect("png", ["show", PLANET, "temperature"], 0)))
    for name, answer in (("VT340", SIXEL), ("last", b"\x1b[?63;4c"), ("keys before", b"q\x1b[?6;4c")):
        status, out = on_terminal(["show", PLANET, "temperature"], **BIG, answer=answer)
        check("a picture in the terminal: " + name, status == 0 and numpy.array_equal(one(out), want), (status, out[:40]))
    status, out = on_terminal(["show", PLANET, "temperature", "--bare"], **BIG, answer=SIXEL)
    check("--bare", status == 0 and one(out).shape == (384, 768, 3), out[:40])
    for columns, lines, pixels, most in ((80, 24, (640, 384), (640, 352)), (80, 24, (0, 0), (640, 352)), (100, 30, (2000, 1800), (1000, 1000))):
        for arguments in (["temperature"], ["station_log", "--lines"], ["elevation", "--hist"]):
            status, out = on_terminal(["show", PLANET, *arguments], columns, lines, answer=SIXEL, pixels=pixels)
            rows = one(out)
            check("it fits into the window", status == 0 and rows.shape[1] <= most[0] and rows.shape[0] <= most[1] and
                  (2 * rows.shape[1] > most[0] or 2 * rows.shape[0] > most[1]), (arguments, pixels, rows.shape))
    status, out = on_terminal(["show", PLANET, "temperature"], 20, 6, answer=SIXEL)
    check("a tiny window", status == 0 and one(out).size > 0, status)


def not_announced():
    blocks = on_terminal(["show", PLANET, "temperature"], 90, 30)
    check("blocks", blocks[0] == 0 and "\u2580" in blocks[1] and "\x1bP" not in blocks[1], blocks[1][:40])
    for name, answer in (("silence", b""), ("half of an answer", b"\x1b[?62;4"), ("class 4 alone", b"\x1b[?4c"), ("44", b"\x1b[?62;44c"),
                         ("nonsense", b"x" * 200), ("another question's", b"\x1b[4;4c")):
        began = time.monotonic()
        status, out = on_terminal(["show", PLANET, "temperature"], 90, 30, answer=answer)
        took = time.monotonic() - began
        check("blocks after " + name, status == 0 and re.sub(r"\^\[\[[?0-9;]*c?|x", "", out) == re.sub("x", "", blocks[1]), out[:60])
        check("soon after " + name, took < 5, took)
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        status, out = on_terminal(["show", PLANET, "temperature"], 90, 30, {name: value}, answer=SIXEL)
        check("letters with " + name, status == 0 and "\x1b" not in out, out[:40])


def asked_only_there():
    """No question where nobody answers: standard input is no terminal, or the process is in the background."""
    show = ["show", PLANET, "temperature"]
    check("a question otherwise", "\x1b[c" in on_terminal(show, answer=None)[1], "none")
    in_background = "import os, subprocess, sys; sys.exit(subprocess.call(sys.argv[1:], preexec_fn=os.setpgrp))"
    for name, (status, out) in (("input", on_terminal(show, stdin=subprocess.DEVNULL, answer=None)),
                                ("background", on_terminal(show, program=(sys.executable, "-c", in_background, TOOL), answer=None))):
        check("blocks without a question: " + name, status == 0 and "\x1b[c" not in out and "\u2580" in out, out[:40])


def without_libpng(tool):
    target = scratch("stored.sixel")
    done = subprocess.run([tool, "show", PLANET, "temperature", "-o", target], check=False)
    expect("with libpng", ["show", PLANET, "temperature", "-o", scratch("whole.sixel")], 0)
    with open(target, "rb") as one_file, open(scratch("whole.sixel"), "rb") as other:
        check("without libpng", done.returncode == 0 and one_file.read() == other.read(), done)


files()
announced()
not_announced()
asked_only_there()
for path in sys.argv[1:]:
    without_libpng(path)
summary()
