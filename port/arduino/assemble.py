#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""assemble.py FOLDER: makes the Arduino library in FOLDER, in the layout that the IDE requires: all headers directly in src/, the only
folder that it searches for them; sources below it, all of which it compiles; sketches in examples/. Sketches that read tiny.h get a copy in
their folder."""
import glob
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "src", "tools"))
from packages import Packages, version


def tiny():
    """demo_tiny.tet as an array in flash."""
    with open("test/golden/demo/demo_tiny.tet", "rb") as f:
        data = f.read()
    rows = [", ".join(str(byte) for byte in data[at:at + 24]) + ",\n" for at in range(0, len(data), 24)]
    return ("/* demo_tiny.tet: the temperature of a planet, u8, 64 rows of 128 elements in raw tiles */\n#include <avr/pgmspace.h>\n"
            "static const unsigned char tiny[] PROGMEM = {\n" + "".join(rows) + "};\n")


def main():
    to = os.path.abspath(sys.argv[1])
    os.chdir(ROOT)
    packages = Packages()
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree("port/arduino/examples", to + "/examples")
    os.mkdir(to + "/src")
    for path in ["LICENSE", "NOTICE", "port/arduino/README.md"]:
        shutil.copy(path, to)
    for path in glob.glob("include/*.h"):
        shutil.copy(path, to + "/src")
    wanted = {"src/abi/sizes.c", *packages.sources(*packages.names)}
    for path in sorted(wanted | set(glob.glob("src/*/*.h")) | set(glob.glob("src/*/*/*.h"))):
        os.makedirs(os.path.dirname(f"{to}/{path}"), exist_ok=True)
        shutil.copy(path, f"{to}/{path}")
    with open("port/arduino/library.properties", encoding="utf-8") as f:
        text = f.read().replace("@version@", version()).replace("@description@", packages.description)
    with open(to + "/library.properties", "w", encoding="utf-8") as f:
        f.write(text)
    for path in glob.glob(to + "/examples/*/*.ino"):
        with open(path, encoding="utf-8") as f:
            needs = '#include "tiny.h"' in f.read()
        if needs:
            with open(os.path.dirname(path) + "/tiny.h", "w", encoding="utf-8") as f:
                f.write(tiny())


main()
