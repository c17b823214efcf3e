#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The sizes of README.md hold for a plain list of files: no archive, no makefile of ours.

All sources are compiled as the README says (one -I, -Os, zstd_hot.c with -O2,
-ffunction-sections). All objects are linked with -Wl,--gc-sections. What the link keeps is compared with last.tsv, which
`make size` measures from the archive. Without --gc-sections the program must be larger, or this comparison says nothing.

  plain.py OUT      for Cortex-M0+; ends with "N passed, N failed"
"""
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import size  # noqa: E402

CONFIGURATIONS = ("raw", "slab", "small", "check", "meta")  # the README's rows
CC = ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb"]
FLAGS = ["-std=c99", "-Os", "-ffunction-sections", "-I" + os.path.join(size.ROOT, "include")]
SLACK = 0.01  # constants stay together in an object without -fdata-sections


def compiled(folder):
    """The objects of a plain list of the library's sources."""
    sources = [os.path.abspath(name) for name in glob.glob(size.ROOT + "/src/**/*.c", recursive=True)]
    os.makedirs(folder, exist_ok=True)
    for name in glob.glob(folder + "/*.o"):
        os.remove(name)
    hot = [name for name in sources if name.endswith("zstd_hot.c")]
    cold = [name for name in sources if name not in hot]
    lists = [cold[0::2], cold[1::2], ["-O2"] + hot]
    compilers = [subprocess.Popen(CC + FLAGS + ["-c"] + part, cwd=folder) for part in lists]
    if any([compiler.wait() for compiler in compilers]):  # a list: wait for all
        sys.exit("0 passed, 1 failed")
    return glob.glob(folder + "/*.o")


def text_of(program, objects, out, *link):
    """Bytes of text that a link of the program keeps of the library and libgcc."""
    programs = [f"{HERE}/programs/{name}.c" for name in (program, "port")]
    subprocess.run(CC + FLAGS + [f"-I{HERE}/programs", "-nostartfiles", "--specs=nano.specs", *link, f"-Wl,-e,main,-Map={out}/{program}.map",
                                 *programs, *objects, "-o", f"{out}/{program}.elf"], check=True)
    ours = {os.path.basename(name) for name in objects}
    return sum(bytes_ for section, bytes_, file in size.map_sections(f"{out}/{program}.map")
               if size.kind_of(section) == "text" and (os.path.basename(file) in ours or size.owner_of(file) == "helper"))


def main():
    out = os.path.abspath(sys.argv[1])
    objects = compiled(out + "/objects")
    last = {row[1]: int(row[2]) for row in size.read_table("last.tsv") if row[0] == "m0plus"}
    checks = size.Checks()
    for name in CONFIGURATIONS:
        text = text_of(name, objects, out, "-Wl,--gc-sections")
        print(f"plain\tm0plus\t{name}\t{text}\tarchive {last[name]}")
        checks.figure(abs(text - last[name]) <= SLACK * last[name], f"{name}: {text} bytes from a plain list, {last[name]} from the archive")
    whole = text_of("raw", objects, out)
    print(f"plain\tm0plus\traw without --gc-sections\t{whole}")
    checks.hold(whole > 2 * last["raw"], f"--gc-sections makes no difference: {whole} bytes without it")
    checks.end()


main()
