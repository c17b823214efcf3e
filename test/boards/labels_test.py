#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""labels_test.py: what the demonstration wrote on its display, against the files. The lines `label X,Y TEXT` of its log
must be the texts of the footer's JSON, read here by a second reader, with the lowest and highest values of the tensors.
In the photographs of the display, those texts must be at those positions, in the glyphs of font.c.

  labels_test.py LOG PHOTOGRAPHS FONT.c FOLDER DIGESTS UTET
      PHOTOGRAPHS: folder with planet.png and ripple.png
      DIGESTS: SHA-256 of the tensors' dense bytes, which UTET gives
"""
import array
import hashlib
import json
import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from screen import read_png  # noqa: E402


def footer(path):
    """The metadata in the JSON of a footer; it ends 16 bytes before the file's end (src/tet/FORMAT.md §6.1)."""
    with open(path, "rb") as f:
        data = f.read()
    length, version, magic = struct.unpack("<QI4s", data[-16:])
    if magic != b"THST" or version != 1:
        sys.exit(f"{path}: a footer of another kind")
    return json.loads(data[-16 - length : -16])["metadata"]["datasets"]


def span(utet, path, number, code, digest):
    """lowest..highest, as integers, of a tensor; its bytes are those of the digest."""
    command = [utet, "read", path, f"#{number}", "--format", "raw"]
    dense = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    if hashlib.sha256(dense).hexdigest() != digest:
        sys.exit(f"{path} #{number}: not the bytes that the reference was given")
    values = array.array(code, dense)
    if sys.byteorder == "big":
        values.byteswap()
    return f"{int(min(values))}..{int(max(values))}"


def planet(about, spans):
    """Texts in the order of drawing. Column 112 is drawn last."""
    temperature, elevation = about["temperature"], about["elevation"]
    latitudes = temperature["coords"]["lat"]["labels"]
    rows = [latitudes[n] for n in (0, 16, 31, 47, 63)]
    return ["elevation", f"{spans[1]} {elevation['attrs']['units']}",
            "temperature", f"{spans[0]} {temperature['attrs']['units']}",
            f"{temperature['dim_names'][1]} 112", f"{temperature['dim_names'][0]} {rows[0]}"] + rows[1:]


def ripple(about, spans):
    one = about["ripple"]
    return ["ripple", f"{spans[0]} {one['attrs']['units']}", f"{one['dim_names'][0]} 23"]


def read_font(path):
    """{character: six rows of three bits} from the octal numbers of the table, which begins with the blank."""
    with open(path, encoding="utf-8") as f:
        rows = re.findall(r"\b0([0-7]{6})\b", f.read())
    if len(rows) != 95:
        sys.exit(f"{path}: {len(rows)} glyphs")
    return {chr(0x20 + n): [int(row) for row in digits] for n, digits in enumerate(rows)}


def written(picture, font, left, top, text):
    """Is the text at this position, in white on black?"""
    width, _, grey = picture
    for n, c in enumerate(text):
        for y, row in enumerate(font[c]):
            at = (top + y) * width + left + 4 * n
            if [v > 127 for v in grey[at : at + 4]] != [bool(row & bit) for bit in (4, 2, 1, 0)]:
                return False
    return True


def main():
    log, photographs, font, folder, digests, utet = sys.argv[1:]
    font = read_font(font)
    with open(digests) as f:
        known = {(name, int(number)): digest for digest, name, number in (line.split() for line in f)}
    seen, texts = {}, []
    with open(log) as f:
        for line in f:
            if match := re.match(r"label (\d+),(\d+) (.*)\n", line):
                texts.append((int(match[1]), int(match[2]), match[3]))
            elif match := re.match(r"screen (\w+)$", line):
                seen[match[1]], texts = texts, []
    passed = failed = 0
    pictures = ("planet", "demo_planet.tet", "fh", planet), ("ripple", "demo_cine.tet", "B", ripple)
    for name, file, codes, expect in pictures:
        path = os.path.join(folder, file)
        spans = [span(utet, path, n, code, known[file, n]) for n, code in enumerate(codes)]
        wanted = expect(footer(path), spans)
        if [text for _, _, text in seen.get(name, [])] == wanted:
            passed += 1
        else:
            print(f"labels of {name}: {seen.get(name)}, expected {wanted}")
            failed += 1
        picture = read_png(os.path.join(photographs, name + ".png"))
        for label in seen.get(name, []):
            if written(picture, font, *label):
                passed += 1
            else:
                print(f"picture of {name}: {label} does not stand there")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
