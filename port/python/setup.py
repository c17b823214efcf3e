# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel from the unpacked source package: `make` builds library and tool, then cffi the extension."""

import glob
import os
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_ext import build_ext

MAKE = ["make", "-j", str(os.cpu_count() or 1), "BUILD=build/make", "CFLAGS=-fPIC", "ZSTD_UPSTREAM=no", "WERROR=", "OPT=-O2"]
if "CC" in os.environ:  # setuptools uses it for the extension
    MAKE.append("CC=" + os.environ["CC"])
# Inside the tool where a static library is installed: the wheel then needs none of them on the user's machine.
STATIC = "TOOL_LIBS=-Wl,-Bstatic $(TOOL_PACKAGES) -Wl,-Bdynamic -lm -lpthread"
# Where a cross compiler finds headers and libraries.
ROOT = next((word[len("--sysroot=") :] for word in os.environ.get("CC", "").split() if word.startswith("--sysroot=")), "")
LICENCES = {"libpng-dev": "libpng", "zlib1g-dev": "zlib", "libzstd-dev": "zstd"}


def version():
    with open("include/utet.h", encoding="utf-8") as header:
        text = header.read()
    return ".".join(re.search(rf"define UTET_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def make(*goals):
    """Runs make, and nothing of a make that runs this program reaches it."""
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return subprocess.run([*MAKE, *goals], check=False, env=environment).returncode == 0


class BuildAll(build_ext):
    def run(self):
        static = make("lib") and make("tool", STATIC)
        if not static and not make("lib", "tool"):
            raise SystemExit("microtet: make failed")
        super().run()
        package = os.path.join(self.build_lib, "microtet")
        os.makedirs(os.path.join(package, "bin"), exist_ok=True)
        shutil.copy("build/make/utet", os.path.join(package, "bin", "utet"))
        for debian, name in LICENCES.items() if static else ():
            for text in glob.glob(f"{ROOT}/usr/share/doc/{debian}/copyright"):
                os.makedirs(os.path.join(package, "licences"), exist_ok=True)
                shutil.copy(text, os.path.join(package, "licences", name + ".txt"))


setup(
    version=version(),
    packages=["microtet"],
    package_data={"microtet": ["py.typed"]},
    cffi_modules=["build_cffi.py:ffi"],
    cmdclass={"build_ext": BuildAll},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
