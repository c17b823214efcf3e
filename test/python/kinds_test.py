#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Kinds of input as their own tools write them: packed, verified, read back and compared, or refused with a message that
leads to success at the second attempt. Arguments: a folder for the files, and the page of results to write."""
import datetime
import os
import shutil
import sys
import textwrap
from importlib import metadata

import kinds
import kinds_arrays  # noqa: F401, its cases
import kinds_tables  # noqa: F401
from common import tally


PAGE = """# Kinds of input

Written by `make inputs` (by hand) on %s: %d inputs of %d kinds, each as its own tool writes it, or as the
manual of the tool describes its format (R and the loggers). Each is packed by `utet pack` or by the code of
`python -m microtet pack`, verified by `utet verify --deep`%s, read back and
compared with NumPy, pandas or xarray. Some texts are refused first, and the options of the error line work at the
second try. Arrays without a dtype in .tet are refused by name. %d checks passed, %d failed.

%s

| kind | written by | case | how it went |
|---|---|---|---|
%s
"""


def write_page(path):
    shown = []
    for kind, writer, what, how in kinds.ROWS:
        cells = (kind, writer, what, how.replace("|", "\\|").replace("\ufffd", "?"))
        line = "| %s | %s | %s | %s |" % cells
        shown.append(line if len(line) <= 120 else line[:116].rstrip() + "… |")
    versions = ["%s %s" % (name, metadata.version(name)) for name in
                ("numpy", "pandas", "xarray", "netCDF4", "h5py", "h5netcdf", "zarr", "scipy", "soundfile", "safetensors", "rasterio")]
    text = PAGE % (datetime.date.today().isoformat(), len(kinds.ROWS), len({row[0] for row in kinds.ROWS}),
                   " and by the reference's own program" if kinds.REFERENCE else "", tally.passed, tally.failed,
                   textwrap.fill("Versions: " + ", ".join(versions) + ".", 118, break_long_words=False), "\n".join(shown))
    with open(path, encoding="utf-8") as file:
        speed = file.read().partition("\n## Speed\n")  # of `make bench-inputs`
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + "".join(speed[1:]))


def main():
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(folder)
    only = os.environ.get("KINDS")
    if only:
        kinds.CASES[:] = [case for case in kinds.CASES if only in " ".join(case[:3])]
    kinds.run_cases(folder)
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    if len(sys.argv) > 2 and not only:
        write_page(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit(tally.end())


main()
