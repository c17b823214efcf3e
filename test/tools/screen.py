#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""screen.py: runs a firmware under QEMU, photographs its display, and checks the digests that it prints.

The firmware prints "screen NAME" when a picture is complete, and waits until PREFIXNAME.seen exists (it gets screen=PREFIX
as its command line). Digests are lines "    sha256 HEX" below a dataset's line below a file's line; they are compared
with a list of lines "HEX FILE DATASET-NUMBER"; --refused is the number of datasets that must be refused ("    refused: …").
--same: the picture must be the one in FILE.png, which an earlier --out or --scaled wrote. Exit status: the firmware's, or 1. Standard
library only.

  screen.py [--out NAME=FILE.png]… [--scaled NAME=FILE.png]… [--same NAME=FILE.png]… [--digests LIST] [--refused N]
            [--work DIR] [--limit SECONDS] -- QEMU ARGUMENT…
"""
import argparse
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time
import zlib


class Monitor:
    """QEMU's machine protocol: one JSON object per line in each direction."""

    def __init__(self, path, patience):
        self.socket = socket.socket(socket.AF_UNIX)
        for _ in range(patience * 20):
            try:
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(0.05)
        else:
            sys.exit("screen.py: QEMU's monitor does not answer")
        self.lines = self.socket.makefile("rw")
        self.lines.readline()  # greeting
        self.command("qmp_capabilities")

    def command(self, name, **arguments):
        self.lines.write(json.dumps({"execute": name, "arguments": arguments}) + "\n")
        self.lines.flush()
        while True:
            answer = json.loads(self.lines.readline())
            if "error" in answer:
                sys.exit(f"screen.py: {name}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]


def read_ppm(path):
    """Width, height and grey bytes of a binary PPM; the display has no colours."""
    with open(path, "rb") as f:
        data = f.read()
    match = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    width, height = int(match[1]), int(match[2])
    return width, height, data[match.end() :: 3]


def write_png(path, width, height, grey, times=1):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = bytearray()
    for y in range(height):
        row = grey[y * width : (y + 1) * width]
        rows += (b"\0" + bytes(v for v in row for _ in range(times))) * times
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n")
        f.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width * times, height * times, 8, 0, 0, 0, 0)))
        f.write(chunk(b"IDAT", zlib.compress(bytes(rows), 9)))
        f.write(chunk(b"IEND", b""))


def read_png(path):
    """Width, height and grey bytes of a picture that write_png wrote: 8-bit grey, rows without filter."""
    with open(path, "rb") as f:
        data = f.read()
    width, height = struct.unpack(">II", data[16:24])
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        if kind == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    rows = zlib.decompress(packed)
    return width, height, b"".join(rows[y * (width + 1) + 1 : (y + 1) * (width + 1)] for y in range(height))


def reduce(width, height, grey):
    """QEMU draws each pixel of the small display several times: this reduces it to 128 x 64."""
    times = width // 128
    if times > 1 and width == 128 * times and height == 64 * times:
        return 128, 64, bytes(grey[y * times * width + x * times] for y in range(64) for x in range(128))
    return width, height, grey


class Digests:
    """Compares what the firmware printed with the expected lines, both as {(file, dataset number): digest}."""

    def __init__(self, path):
        self.expected, self.seen, self.refused = {}, {}, set()
        self.file, self.number = None, -1
        with open(path) as f:
            for line in f:
                digest, name, number = line.split()
                self.expected[name, int(number)] = digest

    def line(self, text):
        if match := re.match(r"(\S+\.tet): ", text):
            self.file, self.number = match[1], -1
        elif re.match(r"  \S+ [a-z]\d+ \[", text):
            self.number += 1
        elif match := re.match(r"    sha256 ([0-9a-f]{64})$", text):
            self.seen[self.file, self.number] = match[1]
        elif text.startswith("    refused: "):
            self.refused.add((self.file, self.number))

    def verdict(self, refused):
        same = sum(self.seen.get(key) == digest for key, digest in self.expected.items())
        for key, digest in self.expected.items():
            if self.seen.get(key) != digest and key not in self.refused:
                print(f"screen.py: {key[0]} dataset {key[1]}: {self.seen.get(key, 'not read')}, expected {digest}")
        print(f"digests: {same} of {len(self.expected)} datasets as the reference wrote them"
              + (f", {len(self.refused)} refused" if self.refused else ""))
        return len(self.refused) == refused and same + refused == len(self.expected)


def photograph(monitor, name, options):
    ppm = os.path.join(options.work, name + ".ppm")
    monitor.command("screendump", filename=ppm)
    width, height, grey = reduce(*read_ppm(ppm))
    for path in options.out.get(name, []):
        write_png(path, width, height, grey)
    for path in options.scaled.get(name, []):
        write_png(path, width, height, grey, 4)
    good = True
    for path in options.same.get(name, []):
        if reduce(*read_png(path)) != (width, height, grey):
            print(f"screen.py: the picture of {name} is not the one in {path}")
            good = False
    levels = len(set(grey))
    print(f"screen.py: picture of {name}, {width} x {height}, {levels} greys")
    with open(os.path.join(options.work, name + ".seen"), "w"):
        pass
    return good and levels > 4


def pairs(values):
    result = {}
    for value in values or []:
        name, path = value.split("=", 1)
        result.setdefault(name, []).append(path)
    return result


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--out", action="append")
    parser.add_argument("--scaled", action="append")
    parser.add_argument("--same", action="append")
    parser.add_argument("--digests")
    parser.add_argument("--refused", type=int, default=0)
    parser.add_argument("--work", default=".")
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("qemu", nargs="+")
    options = parser.parse_args()
    options.out, options.scaled, options.same = pairs(options.out), pairs(options.scaled), pairs(options.same)
    wanted = set(options.out) | set(options.scaled) | set(options.same)
    os.makedirs(options.work, exist_ok=True)
    for name in os.listdir(options.work):
        if name.endswith(".seen"):
            os.remove(os.path.join(options.work, name))

    path = os.path.join(options.work, "qmp")
    prefix = os.path.join(options.work, "")
    command = ["timeout", str(options.limit)] + options.qemu + [
        "-qmp", f"unix:{path},server=on,wait=off",
        "-semihosting-config", f"enable=on,target=native,arg=fw,arg=screen={prefix}"]
    qemu = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    monitor = Monitor(path, 20)
    digests = Digests(options.digests) if options.digests else None
    good = True
    for line in qemu.stdout:
        line = line.rstrip("\n")
        if line == "Timer with period zero, disabling":  # QEMU's own remark about this machine
            continue
        print(line, flush=True)
        if digests:
            digests.line(line)
        if line.startswith("screen "):
            name = line.split()[1]
            good = photograph(monitor, name, options) and good
            wanted.discard(name)
    code = qemu.wait()
    if wanted:
        print(f"screen.py: no picture of {', '.join(sorted(wanted))}")
        good = False
    if digests:
        good = digests.verdict(options.refused) and good
    return code if code != 0 else 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
