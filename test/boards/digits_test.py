#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The network of boards/stm32vldiscovery on its board, against NumPy. Environment: UTET (the tool), BUILD.

  digits_test.py TET ELF ARRAYS MUTANTS [STEP [OUT.png]]
      ELF: weights streamed from TET, which is in its flash; ARRAYS: the same weights as C arrays; MUTANTS: test/boards/digits_mutants.c
      STEP: a bit is flipped in every STEP-th byte (default 61); OUT.png: where the picture of the page is written

Each sum of each picture is NumPy's, computed from what the tool reads from TET. Damaged files end in an error that names an offset.
The page has the figures of this run, within 1 %, and its picture is drawn from the board's output."""
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import known  # noqa: E402
from digits_numpy import array, sums_of  # noqa: E402
from tally import check, end, skip  # noqa: E402

TET, ELF, ARRAYS, MUTANTS = sys.argv[1:5]
STEP = sys.argv[5] if len(sys.argv) > 5 else "61"
UTET, BUILD = os.environ["UTET"], os.environ["BUILD"]
FOLDER = os.path.dirname(TET)
WIDTHS, LEAST = (64, 160, 80, 10), 97
NEAR = 0.01  # how much figures of the page may differ, so that other work on the library does not fail here


def boot(elf):
    """Exit code, lines of pictures as numbers, the other lines. With -icount, an instruction takes one nanosecond of the board's
    clock."""
    done = subprocess.run(["timeout", "120", "qemu-system-arm", "-M", "stm32vldiscovery", "-display", "none", "-monitor", "none",
                           "-serial", "none", "-icount", "shift=0", "-semihosting-config", "enable=on,target=native", "-kernel", elf],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    lines = done.stdout.splitlines()
    return done.returncode, [[int(n) for n in line.split("\t")] for line in lines if "\t" in line], [line for line in lines if "\t" not in line]


def figures(lines):
    text = "\n".join(lines)
    found = re.search(r"flash (\d+), static RAM (\d+), including workspace (\d+), stack (\d+) of (\d+)", text)
    return [int(n) for n in found.groups()], {bits: int(ticks) * 1000 // 24 for bits, ticks in re.findall(r"^([84]) bits: .* cycles (\d+)$", text, re.M)}


# ---- digits ----

pictures, labels = array(TET, "pictures"), array(TET, "labels")[0]
code, rows, lines = boot(ELF)
check("the program's verdict", code == 0 and lines[-1:] == ["digits: good"], (code, lines))
check("the number of pictures", len(rows) == 2 * len(pictures), len(rows))
for bits in "84":
    wanted = sums_of(TET, bits, pictures)
    right = int((wanted.argmax(1) == labels).sum())
    mine = [[number, label, digit, *sums] for b, number, label, digit, *sums in rows if b == int(bits)]
    check(f"{bits} bits: the sums are not NumPy's", mine == [[n, labels[n], wanted[n].argmax(), *wanted[n]] for n in range(len(pictures))])
    check(f"{bits} bits: {right} right", 100 * right >= LEAST * len(pictures) and f"{bits} bits: {right} right" in "\n".join(lines), lines)
    print(f"figure: digits: {bits} bits: {right} of {len(pictures)} right")
    for layer in (1, 2, 3):
        check(f"w{bits}.{layer} has another shape", array(TET, f"w{bits}.{layer}").shape == (WIDTHS[layer], WIDTHS[layer - 1]))
check("the set of 4 bits has more than 15 values", len(np.unique(np.concatenate([array(TET, f"w4.{n}").ravel() for n in (1, 2, 3)]))) <= 15)
code, others, array_lines = boot(ARRAYS)
check("the C arrays give other sums", code == 0 and others == rows)

# ---- damage ----

done = subprocess.run([MUTANTS, TET, STEP], capture_output=True, text=True, check=True)
good, errors, same, wrong = (int(n) for n in done.stdout.split())
check("damaged files", good == 0 and wrong == 0 and errors > same > 0, done.stdout)
print(f"figure: digits: {errors + same + wrong} damaged files: {errors} errors, {same} read as the sound file, {wrong} wrong sums")
with open(TET, "rb") as f:
    sound = f.read()
with open(ELF, "rb") as f:
    firmware = f.read()
place = firmware.index(sound)
chunks = re.findall(r"^ +\d+ +#(\d+) +zstd +(\d+) +(\d+)", subprocess.run([UTET, "info", "--all", TET], capture_output=True, text=True, check=True).stdout, re.M)
spots = {"the name of a dataset": sound.index(b"w8.1"), "a row of the index": int(struct.unpack_from("<Q", sound, 16)[0]) + 32}
for what, dataset in (("a picture", 0), ("a label", 1), ("a shift", 2), ("a weight", 3), ("a bias", 6)):
    spots[what] = next(int(at) + int(size) // 2 for number, at, size in chunks if int(number) == dataset)
with tempfile.TemporaryDirectory() as folder:
    for what, at in spots.items():
        damaged = bytearray(firmware)
        damaged[place + at] ^= 1
        path = os.path.join(folder, "damaged.elf")
        with open(path, "wb") as f:
            f.write(damaged)
        code, said, text = boot(path)
        check(f"damage in {what}", code == 1 and said == [] and re.fullmatch(r"digits: \D.*, offset \d+", text[-1]), (code, said[:1], text))

# ---- the picture of the page: the first 60 pictures, and those that are read wrongly, with the board's results ----

GLYPHS = {0: "75557", 1: "26227", 2: "71747", 3: "71717", 4: "55711", 5: "74717", 6: "74757", 7: "71122", 8: "75757", 9: "75717"}
COLUMNS, CELL, SCALE = 15, 32, 3


def drawn():
    mine = [row for row in rows if row[0] == 8]
    shown = mine[:60] + [row for row in mine if row[2] != row[3]][:COLUMNS]
    sheet = np.full((-(-len(shown) // COLUMNS) * (CELL + 14), COLUMNS * CELL), 255, np.uint8)
    for n, (_, number, label, digit, *_) in enumerate(shown):
        y, x = n // COLUMNS * (CELL + 14) + 4, n % COLUMNS * CELL + 4
        sheet[y:y + 24, x:x + 24] = np.kron(255 - (pictures[number].astype(int) * 255 // 16).reshape(8, 8), np.ones((SCALE, SCALE), int))
        glyph = np.array([[int(row) >> bit & 1 for bit in (2, 1, 0)] for row in GLYPHS[digit]])
        sheet[y + 28:y + 38, x + 9:x + 15] = np.kron(np.where(glyph, 0 if label == digit else 144, 255), np.ones((2, 2), int))
        if label != digit:
            sheet[y - 2, x - 2:x + 26] = sheet[y + 25, x - 2:x + 26] = sheet[y - 2:y + 26, x - 2] = sheet[y - 2:y + 26, x + 25] = 144
    return sheet


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(sheet):
    height, width = sheet.shape
    raw = b"".join(b"\0" + line.tobytes() for line in sheet)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def pixels(data):
    """The pixels of a file that png() wrote."""
    at = data.index(b"IDAT")
    return zlib.decompress(data[at + 4:at + 4 + struct.unpack_from(">I", data, at - 4)[0]])


picture = png(drawn())
if len(sys.argv) > 6:
    with open(sys.argv[6], "wb") as f:
        f.write(picture)
with open(os.path.join(FOLDER, "digits.png"), "rb") as f:
    check("digits.png is another picture", pixels(f.read()) == pixels(picture))

# ---- the figures of the page ----

(flash, static, work, stack, stack_size), instructions = figures(lines)
(array_flash, *_), array_instructions = figures(array_lines)
check("more than 8 KB of RAM", static + stack_size <= 8192, static + stack_size)
with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as f:
    page = " ".join(f.read().split())
parts = {bits: [int(size) for number, _, size in chunks if first <= int(number) < first + 6] for bits, first in (("8", 3), ("4", 10))}
size = sum(array(TET, f"w8.{n}").size for n in (1, 2, 3)) + 4 * sum(WIDTHS[1:])
program, array_program = flash - len(sound), array_flash - 2 * size - pictures.size - len(labels) - 4
table = {
    "bytes of weights and biases": (sum(parts["8"]), sum(parts["4"]), size),
    "bytes of their rows in the index": (104 * len(parts["8"]), 104 * len(parts["4"]), None),
    "bytes of program": (program, program, array_program),
    "instructions a picture, in thousands": tuple(round(n / 1000) for n in (instructions["8"], instructions["4"], array_instructions["8"])),
    "static RAM": (static, static, None),
    "stack": (stack, stack, None),
}
unknown = 0
for name, values in table.items():
    row = f"| {name} | " + " | ".join("–" if n is None else f"{n:,}" for n in values) + " |"
    print("figure: digits:", row)
    if known.figures_hold() or name.endswith("biases"):
        said = re.search(r"\| " + re.escape(name) + r" \| (\S+) \| (\S+) \| (\S+) \|", page)
        near = said and all(text == "–" if n is None else abs(int(text.replace(",", "")) - n) <= n * NEAR for n, text in zip(values, said.groups()))
        check("README.md does not say: " + row, near)
    else:
        unknown += 1
if unknown:
    skip(f"{unknown} figures of {FOLDER}/README.md, which are those of another compiler than arm-none-eabi-gcc {known.version()}")
sys.exit(end())
