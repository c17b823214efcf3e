#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""utet fit against the boards themselves: what the firmware boards/common/needs.c requires on emulated boards is what
fit computes for them, to the byte, for every golden file and both decoders; the sizes in boards/host/targets are the
compiler's. fit_test.py BOARD=FIRMWARE…"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy

from harness import ROOT, check, expect, golden, scratch, skip, summary, tet_header, utet

TARGETS = os.path.join(ROOT, "..", "boards", "host", "targets")
COMPILERS = {"lm3s6965evb": ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-Os"],
             "stm32vldiscovery": ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-Os"],
             "mps2-an385": ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-Os"],
             "microbit": ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-Os"],
             "rp2040": ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-Os"],
             "stm32f407": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=soft", "-Os"],
             "stm32f103": ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-Os"],
             "nrf52840": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-Os"],
             "rp2350": ["arm-none-eabi-gcc", "-mcpu=cortex-m33", "-mthumb", "-Os"],
             "stm32h743": ["arm-none-eabi-gcc", "-mcpu=cortex-m7", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-d16", "-Os"],
             "samd21": ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-Os"],
             "esp32c3": ["riscv64-unknown-elf-gcc", "-march=rv32imc", "-mabi=ilp32", "--specs=picolibc.specs", "-Os"],
             "esp32": ["xtensa-lx106-elf-gcc", "-specs=/usr/lib/xtensa-lx106-elf/picolibc.specs", "-Os"],  # an older core, with the same sizes of types
             "linux64": ["gcc"], "simavr": ["avr-gcc", "-mmcu=atmega1284p", "-Os"],
             "atmega2560": ["avr-gcc", "-mmcu=atmega2560", "-Os"], "atmega328p": ["avr-gcc", "-mmcu=atmega328p", "-DUTET_MAX_NDIM=2", "-Os"]}


def described(path):
    with open(path, encoding="ascii") as file:
        return dict(line.split(None, 1) for line in file if line.strip() and line[0] != "#")


def targets():
    for path in sorted(glob.glob(os.path.join(TARGETS, "*.txt"))):
        name = os.path.basename(path)[:-4]
        says = described(path)
        check(name + ": its name", says["name"].strip() == name, says["name"])
        compiler = COMPILERS[name]
        if shutil.which(compiler[0]) is None or subprocess.run([*compiler, "-fsyntax-only", "-x", "c", "-include", "string.h", os.devnull],
                                                               stderr=subprocess.DEVNULL).returncode != 0:
            skip("sizes for " + name, "no %s with string.h" % compiler[0])
            continue
        done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "targets_measure.py"), *compiler],
                              stdout=subprocess.PIPE, check=True, cwd=os.path.join(ROOT, ".."))
        for line in done.stdout.decode().splitlines():
            key, value = line.split()
            if name == "linux64" and key == "port":
                continue
            check("%s: %s" % (name, key), int(says[key]) == int(value), "%s, measured %s" % (says[key].strip(), value))


def asked(board, firmware, codec, paths):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listing:
        listing.write("".join(path + "\n" for path in paths))
        listing.flush()
        done = subprocess.run(
            ["timeout", "200", "qemu-system-arm", "-M", board, "-display", "none", "-monitor", "none", "-serial", "none",
             "-semihosting-config", "enable=on,target=native,arg=fw,arg=codec=%s,arg=@%s" % (codec, listing.name),
             "-kernel", firmware], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = [line.split("\t") for line in done.stdout.decode("utf-8", "replace").splitlines()]
    for line in lines:
        if line[0] == "wall":
            check("%s %s: exactly the need opens" % (board, codec), False, line)
    check("%s %s: exactly the need opens" % (board, codec), done.returncode == 0 and lines[-1] == ["done", "0"], lines[-1:])
    return lines


def boards(board, firmware):
    paths = [file.path for file in golden() if os.path.exists(file.path) and file.good]
    for codec in ("small", "upstream"):
        lines = asked(board, firmware, codec, paths)
        sizes = next(line[1:] for line in lines if line[0] == "sizes")
        says = described(os.path.join(TARGETS, board + ".txt"))
        check("%s: objects" % board, [int(says[k]) for k in ("file", "dataset", "chunk", "stream", "slab", "port")] ==
              [int(n) for n in sizes], sizes)
        fits = {}
        for line in lines:
            if line[0] != "need":
                continue
            path, index, status = line[1], int(line[2]), int(line[3])
            if path not in fits:
                out = utet("fit", path, "--for", board, "--ram", "1G", "--codec", codec, "--json")[1]
                fits[path] = json.loads(out)["datasets"]
            fit, (least, best, whole, largest) = fits[path][index], map(int, line[4:])
            if status != 0 or least == 0:  # a chunk that cannot be read; no chunks
                continue
            check("%s %s %s #%d" % (board, codec, os.path.basename(path), index),
                  (fit["slices"], fit["best"], fit["whole"], fit["tile"]) == (least, best, whole, largest),
                  "fit %s, board %s" % (fit, line[4:]))


def options():
    path = scratch("f.tet")
    packed = os.path.join(ROOT, "golden", "demo", "demo_small.tet")
    at = len(tet_header([(b"a", 5, [4], [4])], [(0, [0], 0, 4, 4, 0)]))
    with open(path, "wb") as file:
        file.write(tet_header([(b"a", 5, [4], [4])], [(0, [0], at, 4, 4, 0)]) + b"abcd")
    one = lambda *more: json.loads(utet("fit", path, "--for", "microbit", "--json", *more)[1])["datasets"][0]
    check("unit 1", one()["slices"] == 192 and one()["best"] == 640)
    check("unit 512", one("--unit", "512")["slices"] == 640)
    check("unit 4096", one("--unit", "4096")["slices"] == 4224)
    check("mapped", one("--mapped", "1")["slices"] == 0)
    base = one()["ram"]
    check("stack counts", one("--stack", "2216")["ram"] == base + 1000)
    check("the program counts", one("--program", "1224")["ram"] == base + 1000)
    size = {key: int(value) for key, value in described(os.path.join(TARGETS, "microbit.txt")).items() if value.strip().isdigit()}
    check("metadata counts", one("--with", "meta")["ram"] == base + size["meta"])
    check("a fold counts, with a cell of the dearest reduction", one("--with", "fold")["ram"] == base + size["fold"] - size["slab"] + 840)
    check("a query counts", one("--with", "query")["ram"] == base + size["query"] - size["slab"] + size["meta"] + 840 and
          one("--with", "query") == one("--with", "meta,fold,query"))
    expect("no such use", ["fit", path, "--for", "microbit", "--with", "meta,"], 2, '--with: invalid value "meta,"; use meta, fold and query')
    wide = scratch("wide.npy")
    numpy.save(wide, numpy.arange(6.0).reshape(2, 3))
    expect("pack", ["pack", wide, "-o", scratch("wide.tet"), "--for", "linux64", "--codec", "raw"], 0)
    needed = []
    for asked in '{"dataset":"wide","var":[]}', '{"dataset":"wide","var":1,"window":{"axis":1,"size":2,"mode":"rolling"}}', '{"dataset":"wide","std":1,"group_by":[0]}':
        with open(scratch("q.json"), "w", encoding="ascii") as file:
            file.write(asked)
        out = utet("query", scratch("wide.tet"), scratch("q.json"), "--budget", "200")
        needed.append(int(re.search(r"budget: (\d+) bytes", out[2]).group(1)))
    said = json.loads(utet("fit", scratch("wide.tet"), "--for", "linux64", "--with", "fold", "--json")[1])["datasets"][0]["slices"]
    check("no reduction needs more than fit says, and one needs all of it", max(needed) == said, (needed, said))
    own = scratch("mine.txt")
    with open(own, "w", encoding="ascii") as file:
        file.write("name mine\nram 8K # all of it\nslab 1000\nstack 900\nprogram 0\n")
    fit = json.loads(utet("fit", packed, "--for", own, "--json")[1])
    check("a file of one's own", fit["ram"] == 8192 and fit["objects"] == 1000 + 48 + 192 + 240, fit)
    for text, pattern in (("ram 4K\nram 8K\n", "line 2: the key \"ram\" is given twice"), ("ram many\n", 'line 1: ram: invalid byte count "many"'), ('colour 3\n', 'unknown key "colour"'), ("unit 3\n", "powers of two"),
                          ("pointer 20\n", "16, 32 or 64")):
        with open(own, "w", encoding="ascii") as file:
            file.write(text)
        expect("target " + text, ["fit", packed, "--for", own], 1, pattern)
    with open(own, "wb") as file:
        file.write(b'name a"b\\\x1b[31mc\xff\nabout "x"\x1b[0m\nram 4K\n')
    status, out, err = utet("fit", packed, "--for", own, "--json")
    check("the name of a machine in JSON", status == 1 and json.loads(out)["target"] == 'a"b\\\x1b[31mc\ufffd' and "U+FFFD" in err, (out, err))
    check("the name of a machine on a terminal", b"\x1b" not in utet("fit", packed, "--for", own)[1])
    advice()
    without_room()


def without_room():
    """A file in flash requires no workspace: but a machine whose RAM is smaller than the objects has no room for it
    either."""
    for values in (numpy.zeros(100), numpy.arange(100.0)):
        numpy.save(scratch("mapped.npy"), values)
        expect("pack", ["pack", scratch("mapped.npy"), "-o", scratch("mapped.tet"), "--codec", "zstd", "--tile", "whole"], 0)
        taken = json.loads(utet("fit", scratch("mapped.tet"), "--for", "microbit", "--mapped", "1", "--stack", "1K", "--json")[1])
        taken = taken["stack"] + taken["program"] + taken["objects"]
        for ram, right in ((taken - 1, False), (taken, True), (taken + 8, True), (taken // 2, False)):
            machine = ["--for", "microbit", "--mapped", "1", "--stack", "1K", "--ram", str(ram)]
            out = utet("fit", scratch("mapped.tet"), *machine)[1].decode()
            check("%d bytes of RAM, %d taken: the advice" % (ram, taken), ("Raw tiles fit: utet pack" in out) == right and ("No tiles fit" in out) != right, out)
            status, _, err = utet("pack", scratch("mapped.tet"), "-o", scratch("raw.tet"), *machine)
            check("%d bytes of RAM, %d taken: pack" % (ram, taken), (status == 0) == right, err)
            if status == 0:
                check("%d bytes of RAM, %d taken: fit" % (ram, taken), utet("fit", scratch("raw.tet"), *machine)[0] == 0)


def run_as_printed(name, *arguments):
    """The command that fit prints for a dataset that does not fit, run by a shell, makes a file that fits."""
    folder = tempfile.mkdtemp(dir=scratch(""))
    for file in {name for name in os.listdir(scratch("inputs")) if name != "NEW.tet" or arguments[0] == name}:
        os.symlink(os.path.join(scratch("inputs"), file), os.path.join(folder, file))
    tool = os.path.abspath(os.environ.get("UTET", "build/utet"))
    status, out, err = utet("fit", *arguments, cwd=folder)
    line = re.search(r"utet (pack|fit) .*", out.decode().splitlines()[-1])
    if not check(name + ": advice", status == 1 and err == "" and line, out.decode()):
        return
    done = subprocess.run(["bash", "-c", line.group(0).replace("utet", "'%s'" % tool, 1)], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if line.group(1) == "fit":
        return
    made = next((file for file in ("NEW.tet", "NEW2.tet") if not os.path.islink(os.path.join(folder, file)) and
                 os.path.exists(os.path.join(folder, file))), "nothing")
    machine = [word for word in arguments[1:] if not word.startswith("a.")]
    if machine[0][0] != "-":  # a dataset
        machine = machine[1:]
    again = utet("fit", made, *machine, cwd=folder)
    check(name + ": runs as printed, and fits", done.returncode == 0 and again[0] == 0,
          "%s\n%s\n%s" % (line.group(0), done.stdout.decode("utf-8", "replace"), again))


def advice():
    """Names with blanks and quotes, descriptions of the user, several ranks, one dataset of a file, every option of a
    target."""
    folder = scratch("inputs")
    os.makedirs(folder)
    rng = numpy.random.default_rng(1)
    numpy.savez(os.path.join(folder, "arrays.npz"), line=rng.integers(0, 9, 40000, "i2"),
                field=rng.integers(0, 5, (60, 300)).astype("f4"), cube=rng.integers(0, 5, (20, 30, 40)).astype("f8"))
    names = ["a.tet", "my card.tet", "it's.tet", "-dash.tet", "two  blanks & more;.tet", "NEW.tet"]
    made = utet("pack", os.path.join(folder, "arrays.npz"), "-o", os.path.join(folder, names[0]), "--codec", "zstd", "--tile", "auto",
                "--for", "linux64")
    check("several ranks", made[0] == 0, made)
    for name in names[1:]:
        os.symlink(names[0], os.path.join(folder, name))
    with open(os.path.join(folder, "mine.txt"), "w", encoding="ascii") as file:
        file.write("name nrf52\nram 12K\n")
    os.symlink("mine.txt", os.path.join(folder, "my board.txt"))
    for name in names:
        run_as_printed(name, "./" + name if name[0] == "-" else name, "--for", "microbit", "--ram", "8K")
    for words in (["--for", "mine.txt"], ["--for", "my board.txt"], ["--ram", "9K"], ["--ram", "4K"], ["--ram", "9K", "--for", "microbit"],
                  ["--for", "microbit", "--stack", "9K"], ["--for", "microbit", "--program", "9000"], ["--for", "microbit", "--unit", "4096"],
                  ["--for", "stm32vldiscovery", "--mapped", "0"], ["--ram", "10K", "--mapped", "1"], ["--ram", "10K", "--pointer", "16"],
                  ["line", "--for", "microbit"], ["--for", "microbit", "--with", "meta,fold"], ["cube", "--ram", "8K"], ["--for", "lm3s6965evb", "--codec", "upstream", "--ram", "20K"]):
        run_as_printed(" ".join(words), "a.tet", *words)


targets()
options()
for pair in sys.argv[1:]:
    boards(*pair.split("=", 1))
summary()
