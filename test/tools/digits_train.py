#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""digits_train.py FOLDER: trains the network of boards/stm32vldiscovery with scikit-learn, and writes its arrays as .npy, which
`make digits-train` packs. It has 64 pixels, hidden layers of 160 and 80, and ten digits; 360 pictures are kept for the test. All
values are integers: a pixel is 0 to 16, an activation 0 to 127, a weight one of 255 or 15 values, stored with 128 added. An
activation is the sum of its row shifted right, so each layer has one power of two as its scale."""
import os
import sys

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"  # the order of the sums, and so the file, is the same on every such machine

import numpy as np  # noqa: E402
from sklearn.datasets import load_digits  # noqa: E402
from sklearn.model_selection import train_test_split  # noqa: E402
from sklearn.neural_network import MLPClassifier  # noqa: E402

HIDDEN, TEST, TOP = (160, 80), 360, 127


def layers(net, inputs, levels):
    """[(weights, bias, shift)]: the largest weight of a layer becomes the largest integer; the largest activation becomes
    about 127."""
    half, step_in, found = levels // 2, 1 / 16, []
    for number, (weights, bias) in enumerate(zip(net.coefs_, net.intercepts_)):
        step = np.abs(weights).max() / half
        inputs = np.maximum(inputs @ weights + bias, 0)
        shift = int(np.ceil(np.log2(np.percentile(inputs, 99.99) / TOP / (step * step_in)))) if number < len(HIDDEN) else 0
        found.append((np.rint(weights.T / step).astype(int), np.rint(bias / (step * step_in)).astype(int), shift))
        step_in *= step * 2 ** shift
    return found


def main():
    digits = load_digits()
    train, test, wanted, labels = train_test_split(digits.data / 16, digits.target, test_size=TEST, random_state=1, stratify=digits.target)
    net = MLPClassifier(HIDDEN, alpha=1e-3, random_state=1, max_iter=300).fit(train, wanted)
    print("float64: %.2f %% of %d pictures" % (100 * net.score(test, labels), TEST))

    def save(name, array, dtype):
        assert array.min() >= np.iinfo(dtype).min and array.max() <= np.iinfo(dtype).max
        np.save(os.path.join(sys.argv[1], name + ".npy"), array.astype(dtype))

    save("pictures", np.rint(test * 16), np.uint8)
    save("labels", labels[None], np.uint8)
    for levels, bits in ((255, 8), (15, 4)):
        found = layers(net, train, levels)
        save("shift%d" % bits, np.array([[shift for _, _, shift in found[:-1]]]), np.uint8)
        for number, (weights, bias, _) in enumerate(found, 1):
            save("w%d.%d" % (bits, number), weights + 128, np.uint8)
            save("b%d.%d" % (bits, number), bias[None], np.int32)


if __name__ == "__main__":
    main()
