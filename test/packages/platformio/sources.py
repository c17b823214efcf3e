#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""sources.py FOLDER: what PlatformIO compiles of an installed library, by its own functions: -I options, then sources, one a line."""
import os
import sys

from platformio import fs
from platformio.package.manifest.parser import ManifestParserFactory

folder = sys.argv[1]
build = ManifestParserFactory.new_from_dir(folder).as_dict()["build"]
source = os.path.join(folder, build["srcDir"])
print("-I" + os.path.join(folder, build["includeDir"]), "-I" + source, sep="\n")
print(*(os.path.join(source, path) for path in fs.match_src_files(source, build["srcFilter"], ["c"])), sep="\n")
