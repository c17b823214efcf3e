# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The network of digits in NumPy, for the tests of its boards. Environment: UTET (the tool)."""
import os
import subprocess
import tempfile

import numpy as np


def array(tet, name):
    """A dataset of the file, as the tool reads it."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.npy")
        subprocess.run([os.environ["UTET"], "read", tet, name, "-o", out], check=True, stdout=subprocess.DEVNULL)
        return np.load(out)


def sums_of(tet, bits, pictures):
    """The sums of the last layer for each picture, with the weights of the file that have this number of bits."""
    values = pictures.astype(np.int64)
    for layer, shift in enumerate((*array(tet, "shift" + bits)[0], None), 1):
        sums = values @ (array(tet, f"w{bits}.{layer}").astype(np.int64) - 128).T + array(tet, f"b{bits}.{layer}")[0]
        if shift is not None:
            values = np.minimum(np.maximum(sums, 0) >> shift, 127)
    return sums
