#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""packed_test.py FOLDER [OTHER]: packs files in FOLDER. They have the same bytes as those that another machine's wheel packed in OTHER."""
import hashlib
import os
import subprocess
import sys

import microtet
import numpy as np
from common import check, tally

os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
other = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
os.makedirs(sys.argv[1])
os.chdir(sys.argv[1])

field = np.random.default_rng(4).integers(-50, 50, (90, 64)).cumsum(axis=1) / 16
kinds = {name: field.astype(name) for name in ("f2", "f4", "f8", "i2", "i4", "i8")}
kinds["t"] = np.arange("2024-01-01", "2024-02-01", dtype="M8[D]")
kinds["s"] = np.array(["x", "", "y", "x"])
microtet.pack(kinds, "whole.tet", tile="whole")
microtet.pack(microtet.Array(field, ["y", "x"], {"y": np.arange(90) / 8}, {"units": "K"}), "scaled.tet", for_="rp2040", scale="auto")
for codec in ("zstd", "raw"):
    microtet.pack(kinds, codec + ".tet", for_="rp2040", options=["--codec", codec])
np.savetxt("log.csv", field[:, :3], delimiter=",", fmt="%.4f", header="a,b,c", comments="")
with open("told.txt", "wb") as told:
    subprocess.run(["utet", "pack", "log.csv", "-o", "log.tet", "--scale", "auto"], check=True, stdout=told, stderr=told)
    subprocess.run(["utet", "stats", "scaled.tet"], check=True, stdout=told)

if other:
    for name in sorted(os.listdir(other)):
        there, here = (hashlib.sha256(open(path, "rb").read()).hexdigest() for path in (os.path.join(other, name), name))
        print("%s  %s" % (here, name))
        check("the same bytes: " + name, here == there, there)
    check("files", len(os.listdir(other)) == 7, os.listdir(other))
sys.exit(tally.end())
