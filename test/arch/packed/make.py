#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""make.py FOLDER: writes packed.tgm, 20,000 packed values, and packed.txt, the SHA-256 of the doubles that the Tensogram library makes of
them (PYTHONPATH=build/interop/tensogram). A line has the form of test/tensogram/tensors/list.py's. A value is reference + scale * number;
the script prints how many of the doubles would differ if the product were not rounded separately, as on a processor that multiplies and
adds in one instruction."""
import fractions
import hashlib
import sys

import numpy as np
import tensogram

KINDS = ((12, 1), (16, 2), (24, 3), (40, 2))  # bits of a number, decimal scale
COUNT = 5000


def main():
    rng = np.random.default_rng(28)
    tensors = [({'type': 'ntensor', 'shape': [COUNT], 'dtype': 'float64', 'encoding': 'simple_packing', 'filter': 'none', 'compression': 'none',
                 'sp_bits_per_value': bits, 'sp_decimal_scale_factor': decimal}, rng.uniform(180.0, 330.0, COUNT)) for bits, decimal in KINDS]
    message = tensogram.encode({}, tensors)
    with open(sys.argv[1] + '/packed.tgm', 'wb') as f:
        f.write(message)
    others = 0
    with open(sys.argv[1] + '/packed.txt', 'w', encoding='ascii') as f:
        for i, (descriptor, values) in enumerate(tensogram.decode(message).objects):
            p = descriptor.params
            scale = 2.0 ** p['sp_binary_scale_factor'] * 10.0 ** -p['sp_decimal_scale_factor']
            reference = p['sp_reference_value']
            for value in values:
                number = round((value - reference) / scale)
                assert reference + scale * number == value
                others += float(fractions.Fraction(reference) + fractions.Fraction(scale) * number) != value
            words = ['packed.tgm', 0, 0, 4, 0, 2, 1, 1, COUNT, float(reference).hex(), p['sp_binary_scale_factor'], p['sp_decimal_scale_factor'],
                     p['sp_bits_per_value'], *[0] * 13, hashlib.sha256(values.astype('<f8').tobytes()).hexdigest(), 0, i]
            print(*words, file=f)
    print(f'{others} of {COUNT * len(KINDS)} would differ')


main()
