# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Figures, and limits of figures, belong to the compiler that they were measured with: GCC_KNOWN of the Makefile. Under another
compiler they are printed next to the measured ones, and counted as skipped. Run as a program, it tells which case applies: exit
status 0 if the figures are valid."""
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def version(compiler="arm-none-eabi-gcc"):
    return subprocess.run([compiler, "-dumpversion"], check=True, capture_output=True, text=True).stdout.strip()


def figures_hold(compiler="arm-none-eabi-gcc"):
    with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as makefile:
        known = re.search(r"^GCC_KNOWN +:= (\d+)$", makefile.read(), re.M).group(1)
    return version(compiler).split(".")[0] == os.environ.get("GCC_KNOWN", known)


if __name__ == "__main__":
    sys.exit(not figures_hold())
