#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures, the terminal, and text on pictures, which the test reads back by its glyphs. Second sources: Python's zlib and
struct."""
import os
import re
import struct
import subprocess
import unicodedata

from cli_files import CINE, PLANET, huge_file, read, write
from harness import ROOT, TOOL, check, expect, scratch, summary, tet_header, utet
from pixels import png_pixels
from terminal import on_terminal


# ---- pictures ----

def light(rgb):
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def rising(cells, values):
    """A warmer colour is never darker: the order of the colours is that of the values."""
    order = [light(c) for _, c in sorted(zip(values, cells))]
    return all(b >= a - 1.5 for a, b in zip(order, order[1:])) and order[-1] - order[0] > 120


def pictures():
    values = struct.unpack("<8192f", read(PLANET, "temperature"))
    data = expect("png", ["show", PLANET, "temperature", "--bare"], 0)
    rows = png_pixels(data)
    check("size of the planet", len(rows) == 64 * 6 and len(rows[0]) == 128 * 6, (len(rows), len(rows[0])))
    cells = [rows[y * 6 + 3][x * 6 + 2] for y in range(64) for x in range(128)]
    check("every cell is one colour", all(rows[y][x] == cells[y // 6 * 128 + x // 6] for y in range(384)
                                          for x in range(768)), "differs")
    check("colours of the planet", rising(cells, values), "order")
    target = scratch("planet.png")
    expect("png to a file", ["show", PLANET, "temperature", "-o", target, "--bare"], 0)
    with open(target, "rb") as file:
        check("the same picture", file.read() == data, "differs")
    os.makedirs(scratch("folder.v2"), exist_ok=True)
    for name in ("PLANET.PNG", "planet", ".planet", "planet.", "folder.v2/planet", "planet.v2", "planet.png.tmp", "folder.v2/planet.2024"):
        expect("png to " + name, ["show", PLANET, "temperature", "-o", scratch(name), "--bare"], 0)
        with open(scratch(name), "rb") as file:
            check("a picture in " + name, file.read() == data, "differs")
    for name in ("planet.jpg", "planet.JPEG", "planet.gif", "planet.bmp", "planet.webp", "planet.tiff", "planet.svg", "planet.pdf", "planet.txt", "planet.png.jpg"):
        expect("no picture in " + name, ["show", PLANET, "temperature", "-o", scratch(name)], 2,
               r"utet: show: -o: the name \S*/%s does not end in \.png or \.sixel; choose one that does; see 'utet help show'$" % re.escape(name))
        check("nothing in " + name, not os.path.exists(scratch(name)), "there")
    expect("no C in a header", ["export", PLANET, "temperature", "--c", "-o", scratch("planet.h")], 2,
           r"utet: export: -o: the name \S*/planet\.h does not end in \.c; choose one that does; see 'utet help export'$")
    expect("C where", ["export", PLANET, "temperature", "--c"], 2, r"utet: export: missing option; give -o OUT\.c; see")
    expect("three axes", ["show", CINE, "ripple"], 1, r"slab: .*\[24, 64, 128\]; reduce it to two axes with --slab, such as 0,:,:$")
    check("a frame", len(png_pixels(expect("frame", ["show", CINE, "ripple", "--slab", "3,:,:", "--bare"], 0))) == 384, "height")
    check("a row is a line", len(png_pixels(expect("row", ["show", PLANET, "elevation", "--slab", "3,:", "--bare"], 0))) == 400, "height")
    log = png_pixels(expect("gaps", ["show", PLANET, "station_log", "--bare"], 0))
    raw = struct.unpack("<1152f", read(PLANET, "station_log"))
    check("no number, no colour", all((log[y * 2][x * 2] == (128, 128, 128)) == (raw[y * 4 + x] != raw[y * 4 + x])
                                      for y in range(288) for x in range(4)), "differs")
    wide = write("wide.tet", tet_header([(b"w", 5, [3, 10000], [3, 10000])], [(0, [0, 0], 300, 30000, 30000, 0)])
                 .ljust(300, b"\0") + bytes(i * 256 // 10000 for i in range(10000)) * 3)
    shrunk = png_pixels(expect("wide", ["show", wide, "w", "--bare"], 0))
    check("a wide one is made smaller", len(shrunk) == 1 and len(shrunk[0]) == 2048 and
          rising(shrunk[0], range(2048)), (len(shrunk), len(shrunk[0])))
    expect("empty", ["show", os.path.join(ROOT, "golden", "tet", "P23_zero_extent.tet"), "#0"], 1, "dataset: the dataset is empty")


def terminal():
    status, out = on_terminal(["show", PLANET, "temperature"], 100, 60, {"COLORTERM": "truecolor", "TERM": "xterm"})
    lines = out.replace("\r", "").split("\n")
    picture = [line for line in lines if "\u2580" in line]
    check("picture in the terminal", status == 0 and len(picture) == 24 and all(
        line.count("\u2580") == 94 and line.endswith("\x1b[0m") for line in picture), (status, len(picture)))
    colours = [re.findall(r"38;2;(\d+);(\d+);(\d+)m", line) for line in picture]
    rows = [sum(light(tuple(map(int, c))) for c in row) / len(row) for row in colours]
    check("the poles are cold", max(rows[0], rows[-1]) + 40 < max(rows[10:15]), rows)
    margin = [line[:line.index("\x1b")] for line in picture]
    check("labels of rows", (margin[0], margin[12], margin[-1]) == (" 78.0 ", "  lat ", "-78.0 ") and set(margin[1:12]) == {"      "}, margin)
    below = lines[len(picture)]
    check("labels of columns", re.fullmatch(r" {6}0 +lon +127", below) and len(below) == 100, below)
    legend = r"temperature \(K\)  f32  64 x 128.* dark [\d.]+, bright [\d.]+"
    check("legend", re.match(legend, lines[len(picture) + 1]), lines[-2:])
    status, out = on_terminal(["show", PLANET, "temperature", "--slab", "1:4,::3"], 20, 24, {"TERM": "dumb"})
    lines = out.replace("\r", "").split("\n")
    check("a narrow terminal", status == 0 and len(lines[0]) == 20 and re.fullmatch("0 +lon +126", lines[-3]), lines)
    status, out = on_terminal(["show", PLANET, "elevation"], 80, 24, {"TERM": "xterm"})
    check("256 colours", status == 0 and "38;5;" in out and "38;2;" not in out, out[:80])
    status, out = on_terminal(["read", PLANET, "elevation", "--slab", "0,:3"])
    check("a terminal gets text", status == 0 and re.fullmatch(r"-?\d+ -?\d+ -?\d+\r\n", out), out)
    status, out = on_terminal(["read", huge_file(), "big", "--slab", ":6,:", "--format", "csv", "-o", scratch("long")],
                              environment={"UTET_PROGRESS_AFTER": "0"})
    check("progress", status == 0 and re.search(r"\rutet: reading +\d+ %", out) and out.endswith("\r\x1b[K"), out[-80:])
    status, out = on_terminal(["read", huge_file(), "big", "--slab", ":6,:", "--format", "csv", "-o", scratch("long")], 12,
                              environment={"UTET_PROGRESS_AFTER": "0"})
    parts = [part.replace("\x1b[K", "") for part in out.split("\r")]
    check("progress stays in one line", status == 0 and "utet: readi" in parts and max(map(len, parts)) == 11, parts[:4])
    status, out = on_terminal(["read", huge_file(), "big", "--slab", ":6,:", "--format", "csv", "-o", scratch("long")],
                              environment={"TERM": "dumb", "UTET_PROGRESS_AFTER": "0"})
    check("no progress where lines cannot be rewritten", status == 0 and out == "", out[-80:])
    os.unlink(scratch("long"))
    status, out = on_terminal(["read", PLANET, "elevation", "-o", scratch("short")])
    check("no progress for short work", status == 0 and out == "", out)


# ---- text on PNG pictures: read back by its glyphs, compared with what the terminal shows ----

def font():
    """Bitmaps of the tool's font, 11 rows of 5 pixels, to characters; a character is the first one that looks like it (a minus, a
    dash)."""
    with open(os.path.join(ROOT, "..", "boards", "host", "show", "glyphs.c"), encoding="utf-8") as file:
        source = file.read()
    table = re.search(r"glyphs\[.*?= \{(.*?)\n\};", source, re.S).group(1)
    glyphs = dict(zip(map(chr, range(32, 127)), re.findall(r'"([0-9A-V]{9})",', table)))
    check("a glyph for each of ASCII, no two alike", len(glyphs) == 95 and len(set(glyphs.values())) == 95, len(glyphs))
    glyphs.update((chr(int(c, 16)), g) for c, g in re.findall(r'\{0x([0-9A-F]+), "([0-9A-V]{9})"\}', source))
    glyphs["\u25a1"] = re.search(r'box\[\] = "(\w+)"', source).group(1)
    shown, alike = {}, {}
    for character, digits in glyphs.items():
        bitmap = (0, 0) + tuple(int(digit, 32) for digit in digits)
        alike[character] = shown.setdefault(bitmap, character)
    return shown, alike


def letters_at(pixels, shown, left, top, columns):
    """The characters of a line, with marks over letters as combining ones; ? for glyphs that the font does not have."""
    text = ""
    for column in range(columns):
        x = left + 12 * column
        rows = []
        for row in range(11):
            bits = 0
            for bit in range(6):
                place = x + 2 * bit
                dark = place < len(pixels[0]) and top + 2 * row < len(pixels) and pixels[top + 2 * row][place] == (0, 0, 0)
                bits = bits * 2 + dark
            rows.append(bits >> 1 if bits % 2 == 0 else -1)
        text += shown.get(tuple(rows), "?")
    return text.rstrip()


def lettering():
    shown, alike = font()
    size = dict(columns=200, lines=120, environment={"TERM": "xterm", "LC_ALL": "C.UTF-8"})
    raw = write("letters.raw", struct.pack("<3072f", *range(3072)))
    special = write("letters.tet", b"")
    labels = ["\u6771\u4eac", "b"] + ["r%d" % i for i in range(2, 47)] + ["Z\u0439~\u2126"]
    words = ["--dims", "Ort @,x_{y}", "--labels", "Ort @=" + ",".join(labels), "--attr", "units=\u00b5g/m\u00b3 \u00b0C \u2212\u03bb"]
    done = utet("pack", raw, "--dtype", "f32", "--shape", "48x64", "--name", "d|i[s]t*a#&", "-o", special, *words)
    check("pack with labels", done[0] == 0, done)
    printable = write("ascii.tet", b"")
    characters = "".join(map(chr, range(33, 127))).replace(",", "").replace(":", "")
    utet("pack", raw, "--dtype", "f32", "--shape", "48x64", "--name", characters[:55], "--dims", "a,b", "--attr",
         "units=" + characters[55:80], "-o", printable)
    last = write("rest.tet", b"")
    utet("pack", raw, "--dtype", "f32", "--shape", "48x64", "--name", characters[75:], "--dims", "a,b", "-o", last)
    for name, arguments in (("planet", [PLANET, "temperature"]), ("stations", [PLANET, "station_log", "--slab", ":100,:"]), ("labels", [special]),
                            ("ASCII", [printable]), ("rest of ASCII", [last])):
        status, out = on_terminal(["show", *arguments], **size)
        lines = out.replace("\r", "").split("\n")
        picture = [line for line in lines if "\u2580" in line]
        across = picture[0].count("\u2580")
        rest = [line for line in lines[len(picture):] if line]
        plain = lambda text: "".join(alike[c] if c in alike else "\u25a1" * (1 + (unicodedata.east_asian_width(c) in "WF")) for c in text)
        margin = [line[:line.index("\x1b")] for line in picture]
        environment = dict(os.environ, LC_ALL="C.UTF-8")
        done = subprocess.run([TOOL, "show", *arguments], stdout=subprocess.PIPE, env=environment)
        bare = subprocess.run([TOOL, "show", *arguments, "--bare"], stdout=subprocess.PIPE, env=environment).stdout
        pixels = png_pixels(done.stdout)
        columns = len(plain(margin[0]))
        wide, high = struct.unpack(">II", bare[16:24])
        left = 8 + 12 * columns
        check(name + ": not shrunk", status == 0 and done.returncode == 0 and wide % across == 0, (status, wide, across))
        if name == "planet":
            check("the same picture inside", [row[left:left + wide] for row in pixels[8:8 + high]] == png_pixels(bare), "differs")
        for what, top, want in (("first row", 8, margin[0]), ("last row", 8 + high - 22, margin[-1]),
                                ("axis of rows", 8 + (high - 24) // 2, margin[len(margin) // 2])):
            if columns > 0:
                check("%s: %s" % (name, what), letters_at(pixels, shown, 8, top, columns) == plain(want).rstrip(), want)
        top = 8 + high + 4
        if len(rest) == 2:  # a line of labels below, if there is room
            seen = letters_at(pixels, shown, left, top, wide // 12)
            check(name + ": columns", seen.split() == plain(rest[0]).split(), (seen, rest[0]))
            top += 24
        seen = []
        while top + 24 <= len(pixels):
            seen.append(letters_at(pixels, shown, 8, top, (len(pixels[0]) - 8) // 12))
            top += 24
        check(name + ": legend", " ".join(seen).split() == plain(rest[-1]).split(), (seen, rest[-1]))
    accents = write("accents.tet", b"")
    utet("pack", raw, "--dtype", "f32", "--shape", "48x64", "--name", "\u00e9\u00c9e\u00ef\u00c7", "-o", accents)
    pixels = png_pixels(subprocess.run([TOOL, "show", accents], stdout=subprocess.PIPE, env=dict(os.environ, LC_ALL="C.UTF-8")).stdout)
    cells = {x: [[pixels[y][8 + 12 * x + 2 * i] == (0, 0, 0) for i in range(5)] for y in range(len(pixels) - 32, len(pixels) - 10, 2)]
             for x in range(5)}
    check("an accent is over the letter", cells[0][4:] == cells[2][4:] and cells[0][2:4] != cells[2][2:4] and
          any(cells[1][0]) and any(cells[4][9]) and cells[3][4:] != cells[2][4:], cells)


def main():
    for part in (pictures, terminal, lettering):
        part()
    summary()


main()
