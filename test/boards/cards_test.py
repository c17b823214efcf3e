#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""cards_test.py ELF TINY EXFAT UTET WORK: boots the demonstration with unusual cards, and checks its messages about them: in
its log, and (`label X,Y TEXT`) on its display. TINY: demo_tiny.tet; EXFAT: an exFAT image with it."""
import hashlib
import os
import re
import struct
import subprocess
import sys
import zlib

elf, tiny, exfat, tool, work = sys.argv[1:]
os.makedirs(work, exist_ok=True)
os.environ.update(MTOOLS_SKIP_CHECK="1", LC_ALL="C.UTF-8", PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")
passed = failed = 0
TINY = open(tiny, "rb").read()
SECTOR = 512


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def boot(name, image, code, *words, absent=()):
    """`image`: bytes, the path of an image, or None for no card."""
    global passed, failed
    path = image
    if isinstance(image, bytes):
        path = os.path.join(work, "card.img")
        with open(path, "wb") as f:
            f.write(image)
    card = ["-drive", "if=sd,format=raw,snapshot=on,file=" + path] if path else []
    try:
        done = subprocess.run(["qemu-system-arm", "-M", "lm3s6965evb", "-display", "none", "-monitor", "none", "-serial", "none",
                               "-semihosting-config", "enable=on,target=native", "-kernel", elf] + card,
                              capture_output=True, text=True, errors="replace", check=False, timeout=60)
        out, status = done.stdout + done.stderr, done.returncode
    except subprocess.TimeoutExpired:
        out, status = "no end in 60 s", None
    good = status == code and all(re.search(w, out, re.M) for w in words) and not any(re.search(w, out, re.M) for w in absent)
    passed, failed = passed + good, failed + (not good)
    if not good:
        print("FAILED", name, "exit code", status, "expected", code, [w for w in words if not re.search(w, out, re.M)])
        print("\n".join("  | " + line for line in out.splitlines()[-45:]))


def volume(files, size=16 << 20, options=("-F", "16", "-s", "4")):
    """A FAT volume with these files, {name: bytes}."""
    path = os.path.join(work, "volume.img")
    with open(path, "wb") as f:
        f.truncate(size)
    run("mkfs.fat", *options, "-i", "12345678", path)
    for name, data in files.items():
        source = os.path.join(work, "source")
        with open(source, "wb") as f:
            f.write(data)
        run("mcopy", "-i", path, source, "::" + name)
    return open(path, "rb").read()


def card(sectors=32 << 11):
    return bytearray(sectors * SECTOR)


def put(to, sector, data):
    to[sector * SECTOR:sector * SECTOR + len(data)] = data


def partition(kind, first, count):
    return struct.pack("<4xB3xII", kind, first, count)


def mbr(*partitions):
    return bytes(446) + b"".join(partitions).ljust(64, b"\0") + b"\x55\xaa"


# The little-endian fields come first, as GPT has them: Microsoft's basic data, Linux's file systems.
BASIC = bytes.fromhex("a2a0d0ebe5b9334487c068b6b72699c7")
LINUX = bytes.fromhex("af3dc60f838472478e793d69d8477de4")


def gpt(kind, content):
    """A protective MBR, one partition from sector 2048 on, and the table's copy at the end (UEFI, 5.3)."""
    to = card()
    sectors = len(to) // SECTOR
    entries = struct.pack("<16s16sQQQ72s", kind, b"\x01" * 16, 2048, 2048 + len(content) // SECTOR - 1, 0,
                          "data".encode("utf-16-le")).ljust(128 * 128, b"\0")

    def header(own, other, table):
        fields = struct.pack("<8sIIIIQQQQ16sQIII", b"EFI PART", 0x10000, 92, 0, 0, own, other, 34, sectors - 34, b"\x02" * 16,
                             table, 128, 128, zlib.crc32(entries))
        return fields[:16] + struct.pack("<I", zlib.crc32(fields)) + fields[20:]

    put(to, 0, mbr(partition(0xEE, 1, sectors - 1)))
    put(to, 1, header(1, sectors - 1, 2))
    put(to, 2, entries)
    put(to, 2048, content)
    put(to, sectors - 33, entries)
    put(to, sectors - 1, header(sectors - 1, 1, sectors - 33))
    return bytes(to)


def circle(files, name):
    """The first cluster of the file leads back to itself."""
    image = bytearray(volume(files))
    start = struct.unpack_from("<H", image, 14)[0] * SECTOR
    entry = image.index(name.encode() + b"\x20")
    first = struct.unpack_from("<H", image, entry + 26)[0]
    struct.pack_into("<H", image, start + 2 * first, first)
    return bytes(image)


one = {"ONE.TET": TINY}
digest = next(line.split()[0] for line in open(os.path.join(os.path.dirname(tiny), "digests.txt"), encoding="ascii") if "demo_tiny" in line)
plain = volume(one)

# ---- files of other programs ----

boot("ONE.TET", plain, 0, "^card: SDSC, FAT16 from sector 0$", "^ONE.TET: 1 datasets", "^    sha256 " + digest,
     "^no demo_planet.tet on this card: no picture of it$", "^label 0,6 ONE.TET: datasets 1$", "^screen list$", "^demo: good$",
     absent=["ERROR"])
boot("more files than lines", volume({"file%02d.tet" % i: TINY for i in range(11)}), 0, "^file10.tet: 1 datasets",
     "^label 0,48 file07.tet: datasets 1$", "^label 0,54 and files more: 3$", "^and 3 more$", "^demo: good$")
boot("no .tet file", volume({"README.TXT": b"nothing"}), 0, "^no .tet file in the card's root$", "^label 0,0 SDSC, FAT16: no .tet file$")
boot("a damaged file among good ones", volume(dict(one, **{"BAD.TET": b"no tensors here" * 9, "CUT.TET": TINY[:4000]})), 1,
     "^  ERROR BAD.TET: ", "^  ERROR CUT.TET: ", "^    sha256 " + digest, "^label 0,12 BAD.TET: ", "^demo: ERRORS$")

# Rows longer than the program's memory for them; an axis without elements.
values = bytes(i * i >> 3 & 255 for i in range(3 * 5 * 10000))
for name, shape, tile, data in (("wide", "3x5x10000", "2x2x300", values), ("none", "0x9", "1x9", b"")):
    with open(os.path.join(work, name + ".raw"), "wb") as f:
        f.write(data)
    run(tool, "pack", os.path.join(work, name + ".raw"), "--dtype", "u8", "--shape", shape, "--tile", tile, "-o",
        os.path.join(work, name + ".tet"))
read = {name.upper() + ".TET": open(os.path.join(work, name + ".tet"), "rb").read() for name in ("wide", "none")}
boot("long rows", volume(read), 0, "^    sha256 " + hashlib.sha256(values).hexdigest(), "^    sha256 " + hashlib.sha256(b"").hexdigest(),
     "^demo: good$", absent=["refused: "])
run(tool, "pack", os.path.join(work, "wide.raw"), "--dtype", "u8", "--shape", "3x5x10000", "--tile", "3x5x10000", "-o",
    os.path.join(work, "large.tet"))
boot("a tile that is too large for it", volume({"LARGE.TET": open(os.path.join(work, "large.tet"), "rb").read()}), 0,
     "^    refused: needs [0-9]+, may take 8192 bytes$", "^label 0,6 LARGE.TET: datasets 1, too big: ", "^demo: good$")

# ---- cards of other makers ----

boot("exFAT", exfat, 0, "^card: SDSC, exFAT from sector 0$", "^demo_tiny.tet: 1 datasets", "^    sha256 " + digest, "^demo: good$")
boot("GPT", gpt(BASIC, plain), 0, "^card: SDSC, FAT16 from sector 2048$", "^    sha256 " + digest, "^demo: good$")
boot("GPT with Linux alone", gpt(LINUX, bytes(SECTOR)), 1, "^card: GPT without a FAT partition", "^label 0,12 GPT without a FAT partition")
logical = card()
put(logical, 0, mbr(partition(0x0F, 2048, 40000)))
put(logical, 2048, mbr(partition(0x06, 2048, 32768)))
put(logical, 4096, plain)
boot("a logical partition", bytes(logical), 1, "^card: a logical partition: ", "^label 0,12 a logical partition")
second = card()
put(second, 0, mbr(partition(0x83, 64, 1000), partition(0x06, 2048, 32768)))
put(second, 2048, plain)
boot("the second partition", bytes(second), 0, "^card: SDSC, FAT16 from sector 2048$", "^demo: good$")
boot("not formatted", bytes(card()), 1, "^card: an empty card: ")
linux = card()
put(linux, 0, mbr(partition(0x83, 2048, 32768)))
boot("Linux", bytes(linux), 1, "^card: a file system of Linux: ")
ntfs = card()
put(ntfs, 0, mbr(partition(0x07, 2048, 32768)))
put(ntfs, 2048, b"\xeb\x52\x90NTFS    ")
boot("NTFS", bytes(ntfs), 1, "^card: NTFS: ")
boot("sectors of 4 KiB", volume({}, 64 << 20, ("-F", "16", "-S", "4096")), 1, "^card: FAT with larger sectors ")
boot("no card", None, 1, "^card: no card, or the card does not answer ")

# ---- damaged cards ----

boot("a chain in a circle", circle(dict(one, **{"TWO.TET": TINY}), "TWO     TET"), 1, "^    sha256 " + digest,
     r"^  ERROR TWO.TET: the FAT is damaged: .*\(-288\), offset 0$", "^label 0,12 TWO.TET: the FAT is damage")
broken = bytearray(plain)
broken[0:3] = b"\0\0\0"
boot("a boot sector without its jump", bytes(broken), 1, "^card: a FAT volume whose first sector is damaged")

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
