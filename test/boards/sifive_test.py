#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""sifive_test.py FOLDER DEMO HOST: boots the firmware of boards/sifive_e, which is in FOLDER, from images of its flash.
  - the start-up: memory, a fault and a stack overrun, as the other boards' (qemu_boards.sh)
  - every dataset of the files in DEMO has the digest that digests.txt says; the figures of the page
  - files that are cut, and files with a flipped bit: the status and the offset that the same reader gives on this computer (HOST,
    sifive_host.c), and the same digests of the datasets before it; the files behind it are read
  - places that are erased, full, or not a file"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path[:0] = [os.path.join(ROOT, "test", "tools"), os.path.join(ROOT, "boards", "sifive_e")]
sys.dont_write_bytecode = True
import console  # noqa: E402
import image  # noqa: E402
import known  # noqa: E402
from qemu_golden import machine  # noqa: E402
from tally import check, end, skip  # noqa: E402

folder, demo, host = sys.argv[1:]
QEMU = [*machine("sifive_e"), "-display", "none", "-monitor", "none"]


def demo_file(name):
    with open(os.path.join(demo, name), "rb") as file:
        return file.read()


def boot(path):
    """The lines of the console up to `exit`."""
    return console.until_exit(QEMU + ["-serial", "stdio", "-device", "loader,file=" + path], 300)


def boot_files(files):
    with open(os.path.join(folder, "flash-sifive_e.bin"), "rb") as program, tempfile.NamedTemporaryFile("w", suffix=".hex") as out:
        out.write(image.build(program.read(), files))
        out.flush()
        return boot(out.name)


def of_place(lines, place):
    """Digests and the error of the file at a place, as (digests, words, offset)."""
    at = f"0x{image.FILES + place * image.SLOT:08x}"
    error = re.search(rf"^{at}: (.*), offset (\d+)$", "\n".join(lines), re.M)
    return ([line.split(" ")[0] for line in lines if f" {at} " in line], *((error.group(1), int(error.group(2))) if error else (None, None)))


def of_host(files):
    """The lines of the same source on this computer, whose addresses are the same."""
    flash = b"".join(data.ljust(image.SLOT, b"\xff") for data in files).ljust(image.END - image.FILES, b"\xff")
    return subprocess.run([host], input=flash, stdout=subprocess.PIPE, check=True, timeout=300).stdout.decode().splitlines()


def start_up():
    for word, code, words in (("run", 0, "selftest: good"), ("fault", 70, "fault: exception 3, pc 0x2001"),
                              ("overrun", 70, "fault: exception 7, stack overrun, sp 0x7fff")):
        done = subprocess.run(QEMU + ["-serial", "none", "-semihosting-config", f"enable=on,target=native,arg=fw,arg={word}", "-kernel",
                                      os.path.join(folder, "selftest-sifive_e.elf")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=300, check=False)
        check("start-up: " + word, done.returncode == code and words in done.stdout, (done.returncode, done.stdout))


def good():
    names = sorted(name for name in os.listdir(demo) if name.endswith(".tet"))
    lines = boot(os.path.join(folder, "flash-sifive_e.hex"))
    with open(os.path.join(demo, "digests.txt"), encoding="ascii") as file:
        wanted = [line.split() for line in file]
    for place, name in enumerate(names):
        seen = of_place(lines, place)
        check(name, seen == ([words[0] for words in wanted if words[1] == name], None, None), seen)
    check("the program's verdict", lines[-2:] == ["flash: good", "exit 0"], lines[-4:])
    took = re.search(r"bytes: flash (\d+), static RAM (\d+), including workspace (\d+), stack (\d+) of", "\n".join(lines))
    took = [f"{int(n):,}" for n in took.groups()] if took else ["0"] * 4
    figures = "{} bytes of flash, {} of static RAM ({} of them workspace), {} of stack".format(*took)
    print("figure: sifive_e:", figures)
    with open(os.path.join(ROOT, "boards", "sifive_e", "README.md"), encoding="utf-8") as file:
        said = re.search(r"[\d,]+ bytes of flash, .*? of stack", " ".join(file.read().split()))
    if known.figures_hold("riscv64-unknown-elf-gcc"):
        check("boards/sifive_e/README.md says: " + figures, said and said.group() == figures, said)
    else:
        skip("figures, which are those of another compiler")


def damage():
    """Truncations and flips of demo_planet.tet, in boots of 11 files; demo_tiny.tet is behind them."""
    planet, tiny = demo_file("demo_planet.tet"), demo_file("demo_tiny.tet")
    with open(os.path.join(demo, "digests.txt"), encoding="ascii") as file:
        of_tiny = [line.split()[0] for line in file if "demo_tiny" in line]
    cases = [(f"cut to {length} bytes", planet[:length]) for length in (1, 31, 32, 200, 1000, 3904, 4000, 20000, 30000, 47000, 47895, 49300, 49345)]
    for at in [0, 4, 16, 33, 232, 244, 300, 1400, 3900, *range(4000, len(planet), 2011), len(planet) - 10]:
        cases.append((f"bit {at % 8} of byte {at} flipped", planet[:at] + bytes([planet[at] ^ 1 << at % 8]) + planet[at + 1:]))
    errors = sound = 0
    for first in range(0, len(cases), 11):
        some = cases[first:first + 11]
        files = [data for _, data in some] + [tiny]
        lines, wanted = boot_files(files), of_host(files)
        check("the sound file behind the damaged ones", of_place(lines, len(some)) == (of_tiny, None, None), lines[-4:])
        for place, (what, _) in enumerate(some):
            seen, same = of_place(lines, place), of_place(wanted, place)
            errors, sound = errors + (seen[1] is not None), sound + (seen[1] is None)
            check(f"{what}: digests, status and offset", seen == same, (seen, same))
        check("exit code", lines[-1:] == [f"exit {int(any(of_place(wanted, i)[1] for i in range(len(some))))}"] == wanted[-1:], lines[-1:])
    print(f"figure: sifive_e: {errors} damaged files end in the status and at the offset of this computer, {sound} are read as by it")
    check("both kinds of damage", errors > 20 and sound > 5, (errors, sound))


def places():
    lines = boot_files([])
    check("an erased flash", "the flash has no files from address 0x20100000 on" in lines and lines[-1] == "exit 0", lines)
    tiny = demo_file("demo_tiny.tet")
    lines = boot_files([tiny] * 12)
    check("all places in use", sum(len(of_place(lines, place)[0]) for place in range(13)) == 12 and lines[-1] == "exit 0", lines)
    lines = boot_files([b"not a file", tiny])
    check("another file", of_place(lines, 0)[1] is not None and len(of_place(lines, 1)[0]) == 1 and lines[-1] == "exit 1", lines)
    for files in ([b"1"] * 13, [bytes(image.SLOT + 1)]):
        try:
            image.build(b"", files)
            check("files that do not fit", False)
        except SystemExit as error:
            check("files that do not fit", "do not fit" in str(error), error)


start_up()
good()
damage()
places()
sys.exit(end())
