#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one benchmark image under the emulator with the counting plugin and joins both outputs.

As a program: bench_run.py --machine mps2-an385 --plugin count.so --pak P.pak IMAGE [--profile ID]
prints what the image printed and, for each region, instructions, stack, unaligned accesses; with --profile the flat profile
of one region by function. Other scripts use run(). Needs qemu-system-arm 7.2 and a cross nm.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

EMPTY_ID = 127       # the region that contains nothing: cost of the marks
KNOWN_ID, KNOWN_COST = 125, (1000, 68)  # the plugin's own test: instructions and stack, see marks.S
PORT = "bench_port_read"  # the function that is counted separately, if the image has it
TIMEOUT = 560


def symbols(elf, nm):
    """{name: (address, size)}; and [(address, name)] of functions, sorted."""
    table, functions = {}, []
    for line in subprocess.run([nm, "-S", elf], check=True, capture_output=True, text=True).stdout.splitlines():
        field = line.split()
        if len(field) not in (3, 4) or not re.fullmatch("[0-9a-f]+", field[0]):
            continue
        address, kind, name = int(field[0], 16), field[-2], field[-1]
        table[name] = (address, int(field[1], 16) if len(field) == 4 else 0)
        if kind in "tTwW" and not name.startswith("$"):
            functions.append((address & ~1, name))
    return table, sorted(functions)


def refuse_calls(elf, start, stop, objdump):
    """The addresses of the port distinguish it: what it called would count as the library's."""
    text = subprocess.run([objdump, "-d", elf, f"--start-address={start}", f"--stop-address={stop}"], check=True,
                          capture_output=True, text=True).stdout
    if re.search(r"\tblx?\s", text):
        sys.exit(f"{elf}: {PORT} calls other functions")


def parse_counts(path):
    regions, bad, total, ended = {}, [], None, None
    for line in open(path):
        field = line.rstrip("\n").split("\t")
        if field[0] == "region":
            n = [int(x) for x in field[1:]]
            regions[n[0]] = dict(zip(("runs", "insns", "port", "stack", "unaligned", "gap", "cycles"), n[1:]))
        elif field[0] == "unaligned":
            total = int(field[1])
        elif field[0] == "at":
            bad.append(int(field[1], 16))
        elif field[0] == "end":
            ended = int(field[1])
    if ended != 0:
        sys.exit(f"{path}: the run ended inside a region")
    return regions, bad, total


def take_off_marks(regions):
    """The instructions of the marks themselves, measured by the empty region, do not count."""
    if EMPTY_ID not in regions:
        return
    for what in ("insns", "cycles"):
        each = regions[EMPTY_ID][what] // regions[EMPTY_ID]["runs"]
        for region in regions.values():
            region[what] -= each * region["runs"]


def flat_profile(path, functions):
    total = {}
    for line in open(path):
        address, count = line.split()
        address = int(address, 16)
        name = "?"
        low, high = 0, len(functions)
        while low < high:
            middle = (low + high) // 2
            if functions[middle][0] <= address:
                low, name = middle + 1, functions[middle][1]
            else:
                high = middle
        total[name] = total.get(name, 0) + int(count)
    return sorted(total.items(), key=lambda item: -item[1])


def run(elf, machine, plugin, pak=None, nm="arm-none-eabi-nm", profile=None, words=(), core=None):
    """{code, lines, regions, unaligned, bad, profile} of one run. `lines` is what the firmware printed, split at tabs."""
    table, functions = symbols(elf, nm)
    with tempfile.TemporaryDirectory() as folder:
        counts, flat = os.path.join(folder, "counts"), os.path.join(folder, "flat")
        option = [f"file={os.path.abspath(plugin)}", f"marks={table['bench_marks'][0]:#x}",
                  f"stack_lo={table['link_stack_start'][0]:#x}", f"stack_hi={table['link_stack_end'][0]:#x}",
                  f"out={counts}"]
        if PORT in table:
            start, size = table[PORT][0] & ~1, table[PORT][1]
            refuse_calls(elf, start, start + size, nm.replace("nm", "objdump"))
            option += [f"port_lo={start:#x}", f"port_hi={start + size:#x}"]
        if core:
            option.append(f"core={core}")
        if profile is not None:
            option += [f"profile={profile}", f"profile_file={flat}"]
        command = ["qemu-system-arm", "-M", machine, "-display", "none", "-monitor", "none", "-serial", "none",
                   "-semihosting-config", ",".join(["enable=on,target=native", *(f"arg={w}" for w in ("bench", *words))]),
                   "-kernel", elf, "-plugin", ",".join(option)]
        if pak:
            command += ["-device", f"loader,file={pak},addr=0x20200000,force-raw=on"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL)
        text = done.stdout + done.stderr
        if not os.path.exists(counts):
            sys.exit(f"{elf}: no counts; the emulator said: {text}")
        regions, bad, total = parse_counts(counts)
        take_off_marks(regions)
        return {
            "code": done.returncode,
            "lines": [line.split("\t") for line in text.splitlines()],
            "regions": regions,
            "unaligned": total,
            "bad": [(pc, next((n for a, n in reversed(functions) if a <= pc), "?")) for pc in bad],
            "profile": flat_profile(flat, functions) if profile is not None else [],
        }


def payload_rows(result):
    """[(name, bytes, verdict, region)] of a decoder's run."""
    return [(f[2], int(f[3]), f[4], result["regions"][int(f[1])]) for f in result["lines"] if f[0] == "row"]


def print_decoder(result):
    print("payload\tper_byte\tinstructions\tbytes\tstack\tunaligned\tverdict\tcycles")
    for name, size, verdict, region in payload_rows(result):
        own = region["insns"] - region["port"]
        cycles = f"{region['cycles'] / size:.2f}" if region["cycles"] > 0 else "-"
        print(f"{name}\t{own / size:.2f}\t{own}\t{size}\t{region['stack']}"
              f"\t{region['unaligned']}\t{verdict}\t{cycles}")


def print_library(result):
    print("region\tname\tstep\tdetail\truns\tinstructions\tport\tstack")
    for field in result["lines"]:
        region = field[0] == "row" and result["regions"].get(int(field[1]))
        if region:
            print("\t".join(field[1:5] + [str(region[k]) for k in ("runs", "insns", "port", "stack")]))


def main():
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("image")
    ask.add_argument("--machine", default="mps2-an385")
    ask.add_argument("--plugin", required=True)
    ask.add_argument("--pak", required=True)
    ask.add_argument("--profile", metavar="ID", help="where a region's instructions went: its number, or P1 … P6 of a decoder")
    ask.add_argument("--core", choices=["m3", "m0plus"], help="also model cycles, of memory without wait states")
    args = ask.parse_args()

    names = {f"P{i + 1}": i for i in range(6)}
    wanted = names.get(args.profile, args.profile) if args.profile else None
    result = run(args.image, args.machine, args.plugin, args.pak, profile=wanted, core=args.core)
    for field in result["lines"]:
        if field[0] != "row":
            print("\t".join(field))
    if any(len(field) == 5 for field in result["lines"] if field[0] == "row"):
        print_decoder(result)
    else:
        print_library(result)
    for pc, name in result["bad"][:8]:
        print(f"unaligned access at {pc:#x} in {name}")
    if args.profile:
        total = sum(count for _, count in result["profile"])
        for name, count in result["profile"][:25]:
            print(f"{100 * count / total:5.1f} %\t{count}\t{name}")
    sys.exit(result["code"])


if __name__ == "__main__":
    main()
