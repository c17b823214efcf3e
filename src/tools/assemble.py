#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""assemble.py platformio|espidf FOLDER: makes FOLDER, the package of the tree for that package manager: the files that library.json
exports, and the manager's own. The manager itself packs the same files (make run-ecosystem-platformio, run-ecosystem-espidf)."""
import glob
import json
import os
import shutil
import sys

OWN = {"platformio": ["library.json"], "espidf": ["CMakeLists.txt", "idf_component.yml", "port/espidf/*.*", "port/espidf/example/*.*", "port/espidf/example/main/*.*", "test/golden/demo/demo_tiny.tet"]}


def main():
    kind, to = sys.argv[1], os.path.abspath(sys.argv[2])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    with open("library.json", encoding="utf-8") as f:
        patterns = json.load(f)["export"]["include"]
    shutil.rmtree(to, ignore_errors=True)
    for path in (path for pattern in patterns + OWN[kind] for path in sorted(glob.glob(pattern))):
        os.makedirs(os.path.dirname(f"{to}/{path}"), exist_ok=True)
        shutil.copy(path, f"{to}/{path}")


main()
