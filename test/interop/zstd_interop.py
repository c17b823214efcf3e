#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of foreign zstd encoders, made now: `make interop-zstd`, by hand. zstd/README.md lists them and how they are called.

  zstd_interop.py WORK FRAMES [--corpus DIR] NAME=VERSION=COMMAND …

Makes random source data (SEED=), runs each COMMAND IN OUT over it, and writes WORK/frames.bin and WORK/frames.tsv, which
suite_foreign
reads with both decoders: FOREIGN=WORK. Frames that libzstd's decoder (backports.zstd) refuses or reads differently are the
encoder's own faults: they are named, counted and left out. --corpus DIR chooses a small part of them for the project: a few small
frames of each kind."""
import hashlib
import os
import random
import shlex
import struct
import subprocess
import sys

from backports import zstd

MOST_CORPUS = 380_000
MOST_FRAME = 3_000


def text(r, n):
    words = ["".join(r.choice("etaoinshrdlucmfw") for _ in range(r.randrange(2, 9))) for _ in range(r.randrange(4, 400))]
    return " ".join(r.choice(words) for _ in range(n // 4 + 1)).encode()[:n]


def numbers(r, n):
    value, step, out = r.randrange(1 << 16), r.randrange(1, 90), bytearray()
    while len(out) < n:
        value = (value + r.randrange(-step, step + 1)) & 0xFFFF
        out += struct.pack("<H", value)
    return bytes(out[:n])


def floats(r, n):
    value, out = r.uniform(-50, 50), bytearray()
    while len(out) < n:
        value += r.uniform(-.3, .3)
        out += struct.pack("<f", round(value, r.choice((1, 2))))
    return bytes(out[:n])


def runs(r, n):
    out = bytearray()
    while len(out) < n:
        out += bytes([r.randrange(256)]) * r.choice((1, 2, 3, 17, 300, 5000))
    return bytes(out[:n])


def noise(r, n):
    return r.randbytes(n)


def skewed(r, n):
    top = r.randrange(2, 250)
    return bytes(min(int(r.expovariate(1) * top / 5), top) for _ in range(n))


def copies(r, n):
    out = bytearray(r.randbytes(40))
    while len(out) < n:
        back = r.randrange(1, min(len(out), r.choice((8, 300, 70000))) + 1)
        for _ in range(r.choice((3, 4, 9, 40, 2000))):
            out.append(out[-back])
        out += r.randbytes(r.choice((0, 0, 1, 3, 40)))
    return bytes(out[:n])


def mixed(r, n):
    out = bytearray()
    while len(out) < n:
        out += r.choice(KINDS[:-1])(r, r.randrange(1, 3000))
    return bytes(out[:n])


KINDS = [text, numbers, floats, runs, noise, skewed, copies, mixed]


def sources(seed, count):
    """(kind, bytes): most are small, some have several blocks, two are for several threads."""
    r = random.Random(seed)
    sizes = [1, 2, 3, 5, 8, 63, 64, 255, 256, 257, 1023, 1024, 1025, 131071, 131072, 131073, 1_700_000, 1_200_000]
    for i in range(count):
        kind = KINDS[i % len(KINDS)]
        size = sizes[i // 3] if i % 3 == 0 and i // 3 < len(sizes) else r.randrange(150_000, 300_000) if i % 60 == 20 else \
            r.choice((r.randrange(1, 300), r.randrange(300, 4000), r.randrange(4000, 20000)))
        yield kind.__name__, kind(r, size)


def records(path):
    """(item, settings, frame) of what an encoder wrote."""
    with open(path, "rb") as file:
        while head := file.read(6):
            item, length = struct.unpack("<IH", head)
            settings = file.read(length).decode()
            length, = struct.unpack("<I", file.read(4))
            yield item, settings, file.read(length)


def run(command, data, out):
    done = subprocess.run(shlex.split(command) + [data, out], stderr=subprocess.PIPE, text=True)
    said = done.stderr.splitlines()
    for line in [line for line in said if line.startswith("item ")][:3]:
        print("  %s" % line)
    if done.returncode != 0:
        print("\n".join(said[-5:]))
        raise SystemExit("%s: exit status %d" % (command, done.returncode))


def right(frame, data):
    try:
        return zstd.decompress(frame) == data
    except zstd.ZstdError:
        return False


class Corpus:
    """frames.bin and frames.tsv: one line for each frame, with offset and length in frames.bin, length and SHA-256 of what it
    decodes to."""

    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.bin, self.tsv, self.at = open(folder + "/frames.bin", "wb"), open(folder + "/frames.tsv", "w"), 0
        self.tsv.write("# Written by test/interop/zstd_interop.py: offset and length of the frame, length and SHA-256 of the source, "
                       "kind of the source, encoder, version, settings.\n")

    def add(self, frame, data, kind, name, version, settings):
        self.bin.write(frame)
        self.tsv.write("\t".join((str(self.at), str(len(frame)), str(len(data)), hashlib.sha256(data).hexdigest(), kind, name,
                                  version, settings)) + "\n")
        self.at += len(frame)

    def end(self):
        self.bin.close()
        self.tsv.close()


def chosen(found, r):
    """A few small frames of each kind, in turn, until the corpus is full."""
    ways = {}
    for one in found:
        if len(one[0]) <= MOST_FRAME:
            ways.setdefault(one[3:6], []).append(one)
    for few in ways.values():
        r.shuffle(few)
    size, turn, out = 0, 0, []
    while any(len(few) > turn for few in ways.values()):
        for few in ways.values():
            if len(few) > turn and size + len(few[turn][0]) + 150 <= MOST_CORPUS:  # 150: its line of the table
                out.append(few[turn])
                size += len(few[turn][0]) + 150
        turn += 1
        if turn == 7:
            break
    return out


def main():
    work, wanted, words = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    corpus = None
    if words[0] == "--corpus":
        corpus, words = words[1], words[2:]
    seed = int(os.environ.get("SEED", "1"))
    os.makedirs(work, exist_ok=True)
    data = list(sources(seed, max(20, wanted // 42 + 1)))
    with open(work + "/sources", "wb") as file:
        for _, source in data:
            file.write(struct.pack("<I", len(source)) + source)
    all_of_them, found, faults = Corpus(work), [], 0
    for word in words:
        name, version, command = word.split("=", 2)
        run(command, work + "/sources", work + "/out")
        good, bad = 0, {}
        for item, settings, frame in records(work + "/out"):
            kind, source = data[item]
            if not right(frame, source):
                bad[settings] = bad.get(settings, 0) + 1
                continue
            good += 1
            all_of_them.add(frame, source, kind, name, version, settings)
            found.append((frame, source, kind, name, version, settings))
        print("  figure: interop-zstd: %s %s: %d frames%s" % (name, version, good, "".join(
            "; libzstd does not read %d of %s" % (count, settings) for settings, count in bad.items())))
        faults += sum(bad.values())
    all_of_them.end()
    print("  figure: interop-zstd: %d frames of %d sources, seed %d; %d frames that libzstd does not read left out" % (
        len(found), len(data), seed, faults))
    if corpus:
        small = Corpus(corpus)
        for one in chosen(found, random.Random(seed)):
            small.add(*one)
        small.end()
    if len(found) < wanted:
        raise SystemExit("%d frames, %d wanted" % (len(found), wanted))


if __name__ == "__main__":
    main()
