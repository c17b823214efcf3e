#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The network of digits on boards/rp2040, against NumPy. By environment: UTET the tool, BUILD.

  digits_rp2040_test.py TET CARD ALL|CUT    CARD: the image of a card with TET; CUT: the images that read the first pictures alone

Each sum of each picture is NumPy's, with the weights from flash, from the card, and from C arrays. A damaged tile and a card that is
pulled out end in an error. With the first pictures, the page has the figures of this run, within 1 %."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import known  # noqa: E402
from digits_numpy import array, sums_of  # noqa: E402
from tally import check, end, skip  # noqa: E402

TET, CARD, EXTENT = sys.argv[1:4]
UTET, BUILD = os.environ["UTET"], os.environ["BUILD"]
LEAST, NEAR = 97, 0.01


def run(program, fault=None):
    """Rows of pictures as numbers, and the other lines."""
    image = f"{BUILD}/boards/digits-{program}-rp2040{'' if EXTENT == 'ALL' else '-cut'}.uf2"
    done = subprocess.run(["node", "test/boards/rp2040_run.mjs", image, CARD, json.dumps(fault or {})], stdout=subprocess.PIPE, text=True, check=True)
    lines = done.stdout.splitlines()
    check(f"{program}: what a chip does not forgive", "wrong: " not in done.stdout, lines[-3:])
    return [[int(n) for n in line.split("\t")] for line in lines if "\t" in line], [line for line in lines if "\t" not in line]


pictures, labels = array(TET, "pictures"), array(TET, "labels")[0]
cycles, memory = {}, {}
for program in ("flash", "card", "arrays"):
    rows, lines = run(program)
    count = len(rows) // 2
    streamed = rows
    check(f"{program}: the end", lines[-2:] == ["digits: good", "exit 0"] and (count == len(pictures) if EXTENT == "ALL" else 0 < count), lines[-3:])
    for bits in "84":
        wanted = sums_of(TET, bits, pictures)
        answers = wanted.argmax(1)
        mine = [[number, label, digit, *sums] for b, number, label, digit, *sums in rows if b == int(bits)]
        check(f"{program}, {bits} bits: the sums are not NumPy's", mine == [[n, labels[n], answers[n], *wanted[n]] for n in range(count)])
        right = int((answers == labels)[:count].sum())
        check(f"{program}, {bits} bits: {right} right", 100 * right >= LEAST * count)
        found = re.search(rf"^{bits} bits: (\d+) right, cycles (\d+)$", "\n".join(lines), re.M)
        check(f"{program}, {bits} bits: {right} right", found and int(found[1]) == right, lines)
        cycles[program, bits] = int(found[2])
        print(f"figure: digits-rp2040: {program}, {bits} bits: {right} of {count} right, {cycles[program, bits]} cycles a picture")
    memory[program] = [int(n) for n in re.search(r"flash (\d+), static RAM (\d+), including workspace \d+, stack (\d+)", "\n".join(lines)).groups()]

# ---- faults: an error, and no digit after it ----

with open(CARD, "rb") as f:
    image = f.read()
with open(TET, "rb") as f:
    start = image.index(f.read(512))
listed = subprocess.run([UTET, "info", "--all", TET], capture_output=True, text=True, check=True).stdout
chunks = re.findall(r"^ +\d+ +#(\d+) +zstd +(\d+) +(\d+)", listed, re.M)
for what, dataset in (("a picture", 0), ("a weight", 3), ("a bias", 6)):
    at, size = next((int(at), int(size)) for number, at, size in chunks if int(number) == dataset)
    rows, lines = run("card", {"damaged": start + at + size // 2})
    check(f"damage in {what}", rows == [] and re.fullmatch(r"digits: damaged data.*, offset \d+", lines[-2]) and lines[-1] == "exit 1", lines[-2:])
rows, lines = run("card", {"pulled": 500})
check("a card pulled out",
      rows == streamed[:len(rows)] and 0 < len(rows) < len(streamed) and re.match(r"digits: (the card failed|no card|.*pulled out)", lines[-2]) and lines[-1] == "exit 1", lines[-2:])

# ---- figures ----

table = {
    "cycles a picture, in thousands, 8 bits": [round(cycles[p, "8"] / 1000) for p in ("flash", "card", "arrays")],
    "cycles a picture, in thousands, 15 values": [round(cycles[p, "4"] / 1000) for p in ("flash", "card", "arrays")],
    "static RAM": [memory["flash"][1], memory["card"][1], None],
    "stack": [memory["flash"][2], memory["card"][2], None],
}
with open("boards/rp2040/README.md", encoding="utf-8") as f:
    page = f.read()
unknown = 0
for name, values in table.items():
    row = f"| {name} | " + " | ".join("–" if n is None else f"{n:,}" for n in values) + " |"
    print("figure: digits-rp2040:", row)
    if EXTENT == "CUT" and known.figures_hold():
        said = re.search(r"\| " + re.escape(name) + r" \| (\S+) \| (\S+) \| (\S+) \|", page)
        check("README.md does not say: " + row,
              said and all(text == "–" if n is None else abs(int(text.replace(",", "")) - n) <= n * NEAR for n, text in zip(values, said.groups())))
    else:
        unknown += 1
if unknown:
    skip(f"{unknown} figures of boards/rp2040/README.md, which are those of the first pictures, and of arm-none-eabi-gcc {known.version()}")
sys.exit(end())
