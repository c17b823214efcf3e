#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""nor_test.py FOLDER DEMO UTET: boots the firmware of boards/ast1030, which is in FOLDER with the image of its flash. Time in the
emulator is counted in instructions, so each run is the same.
  nor        every dataset has the digest of DEMO/digests.txt; as many interrupts as transfers; the figures of the page
  nor-slow   the same with a slow flash: the core slept
  nor-sweep  the same when the interrupt comes before the sleep and during it; nor-fault: with a race the run fails
  overlap    blocks that are fetched ahead: the same bytes, and the times of the page; overlap-sweep: the same bytes when
             the interrupt that starts the next transfer comes at any instruction of a request
  nor-lost   an interrupt does not come: an error, and the other files are read
Then flashes with damaged files, whose errors have the messages of the tool and an offset in the damaged region, and flashes that cannot
be
used."""
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path[:0] = [os.path.join(ROOT, "test", "tools"), os.path.join(ROOT, "boards", "ast1030")]
sys.dont_write_bytecode = True
import console  # noqa: E402
import image as flash  # noqa: E402
import known  # noqa: E402
from tally import check, end, skip  # noqa: E402

folder, demo, tool = sys.argv[1:]
good_flash = os.path.join(folder, "nor.img")
wanted = open(os.path.join(demo, "digests.txt"), encoding="ascii").read().splitlines()
PAGE = open(os.path.join(ROOT, "boards", "ast1030", "README.md"), encoding="utf-8").read()


def boot(name, image=good_flash, part="w25q32", shift=5):
    """The lines up to `exit`, and those that are digests."""
    drive = ["-drive", f"if=mtd,format=raw,snapshot=on,file={image}"] if image else []
    lines = console.until_exit(["qemu-system-arm", "-M", f"ast1030-evb,fmc-model={part}", "-display", "none", "-monitor", "none",
                                "-serial", "stdio", "-icount", f"shift={shift},sleep=off", "-kernel", f"{folder}/{name}.elf"] + drive, 120)
    return lines, [line for line in lines if re.match(r"[0-9a-f]{64} ", line)]


def near(said, measured, tolerance):
    """The same texts, with numbers that differ by at most a factor of `tolerance`, because the library's size changes now
    and then."""
    number = r"\d[\d,]*(?:\.\d+)?"
    pairs = zip(re.findall(number, said), re.findall(number, measured))
    return re.sub(number, "", said) == re.sub(number, "", measured) and all(
        abs(float(a.replace(",", "")) - float(b.replace(",", ""))) <= tolerance * float(b.replace(",", "")) + 0.1 for a, b in pairs)


def counts(lines):
    """transfers, interrupts, waits, sleeps, calls that left a transfer pending."""
    found = re.search(r"^transfers (\d+), interrupts (\d+), waits (\d+), sleeps (\d+), calls that left a transfer (\d+)$", "\n".join(lines), re.M)
    return tuple(map(int, found.groups())) if found else (0, 0, 0, 0, -1)


def good(name):
    lines, seen = boot(name)
    check(f"{name}: its verdict", lines[-2:] == ["nor: good", "exit 0"], lines[-4:])
    check(f"{name}: digests", sorted(seen) == sorted(wanted), seen)
    transfers, interrupts, waits, sleeps, left = counts(lines)
    check(f"{name}: {transfers} transfers, {interrupts} interrupts", transfers > 500 and interrupts == transfers)
    check(f"{name}: calls that left a transfer: {left}", left == 0)
    return lines, waits, sleeps


lines, _, _ = good("nor")
took = re.search(r"bytes: flash (\d+), static RAM (\d+), including workspace (\d+), stack (\d+) of", "\n".join(lines))
took = [f"{int(n):,}" for n in took.groups()] if took else ["0"] * 4
figures = "{} bytes of flash, {} of static RAM ({} of them workspace), {} of stack; {:,} transfers".format(*took, counts(lines)[0])
print("figure: nor:", figures)
if known.figures_hold():
    said = re.search(r"[\d,]+ bytes of flash, .*? transfers", " ".join(PAGE.split()))
    check("boards/ast1030/README.md says: " + figures, said and near(said.group(), figures, 0.02), said)
else:
    skip("nor", f"figures, which are those of another compiler than arm-none-eabi-gcc {known.version()}")

shown = subprocess.run(["arm-none-eabi-nm", "-S", f"{folder}/nor.elf"], capture_output=True, text=True, check=True).stdout
size = int(re.search(r"^\w+ (\w+) b port$", shown, re.M).group(1), 16)
shown = subprocess.run(["arm-none-eabi-size", f"{folder}/nor/port/dma/utet_dma.o"], capture_output=True, text=True, check=True).stdout
code = shown.splitlines()[1].split()[0]
shown = subprocess.run(["arm-none-eabi-nm", "-S", f"{folder}/overlap.elf"], capture_output=True, text=True, check=True).stdout
ahead_size = int(re.search(r"^\w+ (\w+) b ahead$", shown, re.M).group(1), 16)
shown = subprocess.run(["arm-none-eabi-size", f"{folder}/overlap/port/dma/utet_ahead.o"], capture_output=True, text=True, check=True).stdout
ahead_code = shown.splitlines()[1].split()[0]
said = re.search(r"`utet_dma` has (\d+) bytes, .* the port takes (\d+) bytes of flash.*`utet_ahead` has (\d+) bytes and its blocks, and takes (\d+)",
                 open(os.path.join(ROOT, "port", "dma", "README.md"), encoding="utf-8").read(), re.S)
print(f"figure: nor: utet_dma {size} bytes, {code} of flash; utet_ahead {ahead_size}, {ahead_code}")
if known.figures_hold():
    check(f"port/dma/README.md says: {size}, {code}, {ahead_size}, {ahead_code}", said and said.groups() == (str(size), code, str(ahead_size), ahead_code), said)
else:
    skip("nor", "figures of the port, which are those of another compiler")

_, waits, sleeps = good("nor-slow")
# A transfer of few bytes, such as the end of a chunk that the window has for the rest, is over before the core sleeps.
check(f"nor-slow: {waits} waits, {sleeps} sleeps", waits > 500 and 0 <= waits - sleeps <= 2)
_, waits, sleeps = good("nor-sweep")
check(f"nor-sweep: {waits} waits, {sleeps} sleeps", sleeps > 100 and waits - sleeps > 100)
print(f"figure: nor-sweep: in {waits} waits the interrupt came {waits - sleeps} times before the sleep, {sleeps} times during it")
# Time is counted in instructions of 8 ns, so the figures do not depend on the computer.
lines, _ = boot("overlap", shift=3)
check("overlap: its verdict", lines[-2:] == ["overlap: good", "exit 0"], lines[-4:])
runs, table, sums = {}, [], {10: [0] * 4, 25: [0] * 4, 50: [0] * 4}


def row(name, mhz, decoder, flash_time, plain, ahead):
    ms = " | ".join(f"{us / 1000:.1f}" for us in (decoder, flash_time, plain, ahead))
    table.append(f"| {name} | {mhz} MHz | {ms} | {ahead / max(decoder, flash_time):.2f} |")


for line in lines:
    found = re.match(r"(\w{64}) (\S+) MHz (\d+) (\w+) us (\d+) flash (\d+) waited (\d+) transfers (\d+)$", line)
    if found:
        runs[found.group(2), int(found.group(3)), found.group(4)] = (found.group(1), int(found.group(5)), int(found.group(6)))
for name in sorted({name for name, _, _ in runs}):
    read = {digest for (of, _, _), (digest, _, _) in runs.items() if of == name}
    check(f"overlap: {name}: the same bytes in each run", len(read) == 1, read)
    if sum(name in line for line in wanted) == 1:
        check(f"overlap: {name}: the digest of its dataset", f"{read.pop()} {name} 0" in wanted)
    decoder = runs[name, 0, "plain"][1]
    for mhz in (10, 25, 50):
        plain, (_, ahead, flash_time) = runs[name, mhz, "plain"][1], runs[name, mhz, "ahead"]
        longer = max(decoder, flash_time)
        check(f"overlap: {name}, {mhz} MHz: {ahead} us, between {longer} and {plain}", longer <= ahead < plain)
        # demo_planet.tet has 16 KB of raw data between compressed data: more than what is fetched ahead (README.md).
        check(f"overlap: {name}, {mhz} MHz: {ahead} us, of {longer}", ahead <= longer * (1.25 if (name, mhz) == ("demo_planet.tet", 50) else 1.1))
        row(name, mhz, decoder, flash_time, plain, ahead)
        sums[mhz] = [a + b for a, b in zip(sums[mhz], (decoder, flash_time, plain, ahead))]
for mhz, times in sums.items():
    check(f"overlap: all files, {mhz} MHz: {times}", times[3] <= max(times[:2]) * 1.1)
    row("all files", mhz, *times)
check(f"overlap: {len(table)} rows", len(table) == 15)
print("figure: overlap, ms: file | clock | decoder | flash | without overlap | overlapped | of the longer", *table, sep="\n")
if known.figures_hold():
    for line in table:
        said = re.search(re.escape(line[:line.index("MHz")]) + ".*", PAGE)
        check("boards/ast1030/README.md says: " + line, said and near(said.group(), line, 0.05), said)
else:
    skip("nor", "times of reading ahead, which are those of another compiler")

right = {(name, digest) for (name, _, _), (digest, _, _) in runs.items()}
lines, seen = boot("overlap-sweep", shift=3)
check("overlap-sweep: its verdict", lines[-2:] == ["overlap: good", "exit 0"], lines[-4:])
check("overlap-sweep: the same bytes", len(seen) == len(runs) and {(line.split()[1], line.split()[0]) for line in seen} == right, seen)

lines, _ = boot("nor-fault")
check("nor-fault: with a race", lines[-2:] == ["medium: the reader did not wake up", "exit 1"], lines[-3:])

lines, seen = boot("nor-lost")
transfers, interrupts, _, _, left = counts(lines)
ends = [line for line in lines if "the interrupt of a transfer did not come, offset " in line]
check("nor-lost: the error", len(ends) == 2 and ends[0].startswith("demo_cine.tet: ") and lines[-1] == "exit 1", lines[-4:])
check("nor-lost: digests", set(wanted) - set(seen) == {line for line in wanted if "demo_cine" in line} and not set(seen) - set(wanted), seen)
check(f"nor-lost: {transfers} transfers, {interrupts} interrupts, {left} left", interrupts == transfers - 1 and left == 0)

# Damaged files: a flipped bit of the superblock; sectors that were erased or never written, including the end of the file.
PLANET = open(os.path.join(demo, "demo_planet.tet"), "rb").read()
TINY = open(os.path.join(demo, "demo_tiny.tet"), "rb").read()
chunks = subprocess.run([tool, "info", "--all", os.path.join(demo, "demo_planet.tet")], capture_output=True, text=True, check=True).stdout
chunks = [(int(a), int(a) + int(n)) for a, n in re.findall(r"^ *\d+ +#\d+ +(?:zstd|raw) +(\d+) +(\d+)", chunks, re.M)]
files = [("flipped.tet", PLANET[:16] + bytes([PLANET[16] ^ 1]) + PLANET[17:]),
         ("erased.tet", PLANET[:8192] + b"\xff" * 4096 + PLANET[12288:]), ("cut.tet", PLANET[:20480] + b"\xff" * (len(PLANET) - 20480)),
         ("head.tet", b"\xff" * 4096 + PLANET[4096:]), ("demo_tiny.tet", TINY)]
path = os.path.join(folder, "nor-damaged.img")
part = flash.build(files)
beyond = flash.TABLE + 8 + len(files) * 32  # one more entry: it ends 4 bytes beyond the partition
part[beyond:beyond + 32] = b"beyond.tet".ljust(24, b"\0") + (flash.PART - 4096).to_bytes(4, "little") + (4100).to_bytes(4, "little")
part[flash.TABLE + 4] += 1
with open(path, "wb") as out:
    out.write(part)
lines, seen = boot("nor", path)
for name, data in files[:-1]:
    bad = os.path.join(folder, "nor-" + name)
    with open(bad, "wb") as out:
        out.write(data)
    said = subprocess.run([tool, "read", "-o", os.devnull, bad, "temperature"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False).stderr
    there = re.search(r": ([^:\n]*?) \(offset (\d+)\)", said)
    here = re.search(rf"^{name}: (.*), offset (\d+)$", "\n".join(lines), re.M)
    check(f"{name}: the words of the tool", here and there and here.group(1) == there.group(1), (said, lines))
    # The reader of a stream reports where it stopped, within the chunk; an offset outside of the payloads is exact.
    changed = next(i for i, (a, b) in enumerate(zip(data, PLANET)) if a != b)
    first, behind = next(((a, b) for a, b in chunks if a <= changed < b), (int(there.group(2)), int(there.group(2)) + 1))
    check(f"{name}: an offset from {first} to {behind}", here and first <= int(here.group(2)) <= behind, here and here.group(2))
check("damaged flash: digests", seen == [line for line in wanted if "demo_tiny" in line], seen)
check("a file beyond the end of the part", "beyond.tet: the file ends beyond the end of the medium, offset 0" in lines, lines[-6:])
transfers, interrupts, _, _, left = counts(lines)
check(f"damaged flash: {transfers} transfers, {interrupts} interrupts, {left} left", transfers == interrupts > 20 and left == 0)

for what, image, model, words in (("an erased flash", None, "w25q32", "the flash has no table of files"),
                                  ("a flash of 1 MB", None, "w25q80bl", "the flash has no table of files"),
                                  ("a flash that counts its size otherwise", None, "sst25vf032b", "no flash answers, or one of another size than 64 KB to 16 MB")):
    lines, _ = boot("nor", image, model)
    check(what, lines[-2:] == ["nor: " + words, "exit 1"], lines[-3:])

sys.exit(end())
