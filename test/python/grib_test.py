#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The wheel with cfgrib: a GRIB message that eccodes writes."""
import subprocess
import sys

import eccodes
import microtet
import numpy as np
from common import check, run


def grib():
    values = np.linspace(200, 300, 496)
    handle = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    eccodes.codes_set_values(handle, values)
    with open("g.grib", "wb") as file:
        file.write(eccodes.codes_get_message(handle))
    right = eccodes.codes_get_values(handle)
    out = subprocess.run([sys.executable, "-W", "ignore", "-m", "microtet", "pack", "g.grib", "-o", "g.tet", "--for", "rp2040"],
                         capture_output=True, text=True)
    if not check("pack", out.returncode == 0, out.stderr):
        return
    f = microtet.open("g.tet")
    fields = [one for one in f.datasets if one.size == 496]
    check("values", len(fields) == 1 and np.array_equal(fields[0][...].ravel(), right.astype("f4")), f)
    check("axes", fields[0].dims == ("latitude", "longitude") and "units" in fields[0].attrs, fields[0].attrs)
    check("verify", f.verify(deep=True)["ok"])


if __name__ == "__main__":
    run([grib])
