#!/usr/bin/env python3
"""labels_test.py: what the demonstration wrote on its display against the files. The lines `label X,Y TEXT` of its log must be
the texts of the footer's JSON, read here a second time, with the lowest and highest values of the tensors.

  labels_test.py LOG FOLDER DIGESTS UTET     DIGESTS: SHA-256 of the tensors' dense bytes, which UTET has to give.
"""
import array
import hashlib
import json
import os
import re
import struct
import subprocess
import sys


def footer(path):
    """The metadata in the JSON of a footer; it ends 16 bytes before the file's end (layout notes §6.1)."""
    with open(path, "rb") as f:
        data = f.read()
    length, version, magic = struct.unpack("<QI4s", data[-16:])
    if magic != b"THST" or version != 1:
        sys.exit(f"{path}: a footer of another kind")
    return json.loads(data[-16 - length : -16])["metadata"]["datasets"]


def span(utet, path, number, code, digest):
    """lowest..highest, whole part, of a tensor; its bytes are the ones of the digest."""
    dense = subprocess.run([utet, "read", path, f"#{number}", "--format", "raw"], stdout=subprocess.PIPE, check=True).stdout
    if hashlib.sha256(dense).hexdigest() != digest:
        sys.exit(f"{path} #{number}: not the bytes that the reference was given")
    values = array.array(code, dense)
    if sys.byteorder == "big":
        values.byteswap()
    return f"{int(min(values))}..{int(max(values))}"


def planet(about, spans):
    """Texts in the order of drawing. Column 112 is in front."""
    temperature, elevation = about["temperature"], about["elevation"]
    latitudes = temperature["coords"]["lat"]["labels"]
    rows = [latitudes[n] for n in (0, 16, 31, 47, 63)]
    return ["elevation", f"{spans[1]} {elevation['attrs']['units']}",
            "temperature", f"{spans[0]} {temperature['attrs']['units']}",
            f"{temperature['dim_names'][1]} 112", f"{temperature['dim_names'][0]} {rows[0]}"] + rows[1:]


def ripple(about, spans):
    one = about["ripple"]
    return ["ripple", f"{spans[0]} {one['attrs']['units']}", f"{one['dim_names'][0]} 23"]


def main():
    log, folder, digests, utet = sys.argv[1:]
    with open(digests) as f:
        known = {(name, int(number)): digest for digest, name, number in (line.split() for line in f)}
    seen, texts = {}, []
    with open(log) as f:
        for line in f:
            if match := re.match(r"label \d+,\d+ (.*)\n", line):
                texts.append(match[1])
            elif match := re.match(r"screen (\w+)$", line):
                seen[match[1]], texts = texts, []
    failed = 0
    for name, file, codes, expect in (("planet", "demo_planet.tet", "fh", planet), ("ripple", "demo_cine.tet", "B", ripple)):
        path = os.path.join(folder, file)
        spans = [span(utet, path, n, code, known[file, n]) for n, code in enumerate(codes)]
        wanted = expect(footer(path), spans)
        if seen.get(name) != wanted:
            print(f"labels of {name}: {seen.get(name)}, expected {wanted}")
            failed += 1
    print(f"{2 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
