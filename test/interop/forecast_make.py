#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""forecast_make.py OUT.tgm: the message of the demonstration, written by the Tensogram library (PYTHONPATH=build/interop/tensogram).
It has two invented fields of 64 x 128: temperature, packed in 16 bits and szip; wind, in 12 bits and zstd."""
import sys

import numpy as np
import tensogram

y, x = np.mgrid[0:64, 0:128]
lat, lon = np.radians(78 - y * 156 / 63), np.radians(x * 360 / 128)
wave = np.sin(3 * lon + 2 * np.sin(2 * lat)) * np.cos(lat) ** 2
temperature = 248 + 52 * np.cos(lat) ** 1.5 + 7 * wave + 3 * np.sin(7 * lon + 5 * lat)
wind = 12 * np.sin(2 * lat) ** 2 * (1 + 0.8 * np.cos(3 * lon - lat)) + 2 * np.sin(9 * lon) * np.cos(6 * lat)
about = {'step': 24, 'levtype': 'sfc', 'date': 20261122}
fields = (('2 metre temperature', '2t', 'K', temperature, {'sp_bits_per_value': 16, 'compression': 'szip', 'szip_rsi': 64,
                                                          'szip_block_size': 16, 'szip_flags': 8}),
          ('10 metre U wind', '10u', 'm s-1', wind, {'sp_bits_per_value': 12, 'compression': 'zstd', 'zstd_level': 19}))
with open(sys.argv[1], 'wb') as f:
    f.write(tensogram.encode(
        {'base': [{'name': name, 'units': units, 'mars': dict(about, param=param)} for name, param, units, _, _ in fields],
         'source': 'drawn by formula'},
        [(dict({'type': 'ntensor', 'shape': [64, 128], 'dtype': 'float64', 'encoding': 'simple_packing', 'filter': 'none'}, **how), values)
         for _, _, _, values, how in fields]))
