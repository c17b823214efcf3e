#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""utet export --c: its output compiles without a warning on this machine and on a Cortex-M3, both read the file in place
through the library and find the exported values in it (exported.c), and arrays of every dtype hold NumPy's bytes.
export_test.py CC HOST-PROGRAM BOARD-PROGRAM"""
import os
import re
import subprocess
import sys

import numpy

from harness import ROOT, check, expect, scratch, summary, utet

COMPILER, HOST, BOARD = sys.argv[1], sys.argv[2], sys.argv[3]
PLANET = os.path.join(ROOT, "golden", "demo", "demo_planet.tet")
WANT = "exported\t0\t%d\t0" % (64 * 128 * 2)
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wdouble-promotion", "-Wmissing-braces", "-Werror"]
SPECIAL = {"f2": [0, -0.0, 1 / 3, 65504, 6e-8, numpy.inf], "f4": [0, -0.0, 1 / 3, 3.4028235e38, 1e-45, -1e-38, 15, -numpy.inf],
           "f8": [0, -0.0, 1 / 3, 1.7976931348623157e308, 5e-324, 1e22, 123456789, numpy.inf]}
TYPES = {"f2": "uint16_t", "f4": "float", "f8": "double", "u1": "uint8_t"}


def programs():
    done = subprocess.run([HOST], stdout=subprocess.PIPE)
    check("on this machine", done.returncode == 0 and done.stdout.decode().strip() == WANT, done.stdout)
    done = subprocess.run(["timeout", "60", "qemu-system-arm", "-M", "mps2-an385", "-display", "none", "-monitor", "none", "-serial",
                           "none", "-semihosting-config", "enable=on,target=native", "-kernel", BOARD], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    check("on a Cortex-M3", done.returncode == 0 and done.stdout.decode("utf-8", "replace").strip() == WANT, done.stdout)


def compiled(source, *command):
    done = subprocess.run([*command, *STRICT, "-c", source, "-o", source[:-2] + ".o"], stderr=subprocess.PIPE)
    check("%s: %s" % (command[0], os.path.basename(source)), done.returncode == 0, done.stderr.decode("utf-8", "replace")[:300])
    return source[:-2] + ".o"


def section(item, name, copy="objcopy"):
    done = subprocess.run([copy, "-O", "binary", "--only-section=" + name, "--set-section-flags", name + "=alloc,load", item,
                           item + ".bin"], stderr=subprocess.PIPE)
    with open(item + ".bin", "rb") as file:
        return file.read() if done.returncode == 0 else done.stderr


def every_dtype():
    for kind in ("f2", "f4", "f8", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        if kind in SPECIAL:
            values = numpy.array(SPECIAL[kind], "<" + kind)
        else:
            limits = numpy.iinfo(kind)
            values = numpy.array([limits.min, limits.min + 1, 0, 1, limits.max - 1, limits.max], "<" + kind)
        numpy.save(scratch("in.npy"), values.reshape(2, -1))
        status, _, err = utet("pack", scratch("in.npy"), "-o", scratch(kind + ".tet"), "--name", "v")
        source = scratch(kind + ".c")
        expect("export " + kind, ["export", scratch(kind + ".tet"), "--c", "-o", source, "--section", ".exported"], 0)
        for compiler, copy in (([COMPILER], "objcopy"), (["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"], "arm-none-eabi-objcopy")):
            got = section(compiled(source, *compiler), ".exported", copy)
            check("%s: %s holds NumPy's bytes" % (compiler[0], kind), got == values.tobytes(), (got, values.tobytes()))
        with open(source[:-1] + "h", encoding="ascii") as file:
            header = file.read()
        check("header " + kind, "extern const %s v_values[%d];" % (TYPES.get(kind, re.sub("^.(.)", lambda m: (
            "uint" if kind[0] == "u" else "int") + str(8 * int(m.group(1))) + "_t", kind)), values.size) in header and
            "EXTENT0 2" in header, header)
    with open(PLANET, "rb") as file:
        whole = file.read()
    expect("image", ["export", PLANET, "--c", "--image", "-o", scratch("image.c"), "--section", ".card", "--name", "card"], 0)
    check("the file's bytes", section(compiled(scratch("image.c"), "arm-none-eabi-gcc"), ".card", "arm-none-eabi-objcopy") == whole)
    numpy.save(scratch("in.npy"), numpy.array([numpy.nan, 1], "<f4"))
    utet("pack", scratch("in.npy"), "-o", scratch("nan.tet"), "--name", "1 float*/")
    expect("NaN", ["export", scratch("nan.tet"), "--c", "-o", scratch("nan.c"), "--section", ".exported"], 0)
    got = numpy.frombuffer(section(compiled(scratch("nan.c"), COMPILER), ".exported"), "<f4")
    check("NaN", numpy.isnan(got[0]) and got[1] == 1, got)


def refusals():
    for arguments, status, pattern in [
            ([PLANET, "temperature", "-o", "x.c"], 2, "missing option; give --c"), ([PLANET, "temperature", "--c"], 2, "missing option; give -o OUT.c"),
            ([PLANET, "temperature", "--c", "-o", "x.txt"], 2, "does not end in .c"), ([PLANET, "--c", "-o", "x.c"], 1, "name one"),
            ([PLANET, "temperature", "--c", "-o", "x.c", "--name", "3d"], 2, '--name: "3d" is not an identifier of C'),
            *(([PLANET, "temperature", "--c", "-o", "x.c", "--name", word], 2, f'--name: "{word}" is not an identifier of C')
              for word in ("int", "alignas", "xor", "class", "restrict")),
            ([PLANET, "temperature", "--c", "-o", "x.c", "--section", 'a"b'], 2, "--section: invalid value"),
            ([PLANET, "temperature", "--c", "--image", "-o", "x.c"], 2, "the whole file")]:
        expect("export " + " ".join(arguments[1:]), ["export", *arguments], status, pattern)
    expect("a part of a keyword is a name", ["export", PLANET, "temperature", "--c", "-o", scratch("x.c"), "--name", "oubl"], 0)
    numpy.save(scratch("in.npy"), numpy.zeros((0, 3), "<f4"))
    utet("pack", scratch("in.npy"), "-o", scratch("empty.tet"))
    expect("empty", ["export", scratch("empty.tet"), "--c", "-o", scratch("empty.c")], 1, "is empty")
    check("nothing left", not os.path.exists("x.c") and not os.path.exists(scratch("empty.c")))


programs()
every_dtype()
refusals()
summary()
