#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""climate_data.py FOLDER: writes temperature.npy, a field of 64 x 128 degrees with a region of missing values, and its axes in steps of
1/32 degree: lat.npy, lon.npy; and lat.labels, the latitudes as labels of an axis, a few of them with an N."""
import os
import sys

import numpy as np

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
y, x = np.mgrid[0:64, 0:128]
field = 28 * np.cos((y - 31.5) / 63 * np.pi) - 6 + 5 * np.sin(x / 128 * 6 * np.pi) * np.cos(y / 9)
field[(x - 100) ** 2 + 2 * (y - 20) ** 2 < 150] = np.nan
np.save(os.path.join(folder, "temperature.npy"), field)
np.save(os.path.join(folder, "lat.npy"), (2835 - 90 * np.arange(64)).astype(np.int16))
np.save(os.path.join(folder, "lon.npy"), (90 * np.arange(128)).astype(np.int16))
with open(os.path.join(folder, "lat.labels"), "w") as f:
    f.write(",".join(f"{(2835 - 90 * n) / 32}{'N' * (n % 16 == 8)}" for n in range(64)))
