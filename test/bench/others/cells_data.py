#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Makes classes of data for cells.py, 64 KB each, always the same: classes() returns {name: bytes}.

Each class is what a device or a data set of that kind may hold: the values and their noise are drawn by a generator with
a seed of its own, and rounded as a sensor, a camera or a program rounds them.
"""
import json
import math
import random
import struct

SIZE = 65536


def packed(code, values):
    values = list(values)
    return struct.pack(f"<{len(values)}{code}", *values)[:SIZE]


def limited(value, low, high):
    return min(max(round(value), low), high)


def waves(r, count, low, high):
    """[(amplitude, frequency, phase)]"""
    return [(r.uniform(low, high), r.uniform(0.5, 6), r.uniform(0, 6.3)) for _ in range(count)]


def surface(r, side, amplitude):
    """A smooth field of side * side values around 0."""
    across, down = waves(r, 4, 0.3, 1), waves(r, 4, 0.3, 1)
    x = [sum(a * math.sin(f * i / side * 6.3 + p) for a, f, p in across) for i in range(side)]
    y = [sum(a * math.sin(f * i / side * 6.3 + p) for a, f, p in down) for i in range(side)]
    return [amplitude * (x[j] + y[i] + 0.5 * x[j] * y[i]) for i in range(side) for j in range(side)]


def weights_f32(r):
    """A layer's weights, drawn as a network is initialised and trained: each channel has its own deviation."""
    return packed("f", (r.gauss(0, 0.02 + 0.03 * (i // 128 % 16) / 16) for i in range(SIZE // 4)))


def weights_i8(r):
    """Quantised weights: each channel of 256 is scaled so that its largest value is 127."""
    out = bytearray()
    for _ in range(SIZE // 256):
        channel = [r.gauss(0, 1) for _ in range(256)]
        scale = 127 / max(map(abs, channel))
        out += bytes(limited(w * scale, -127, 127) & 255 for w in channel)
    return bytes(out)


def camera_u8(r):
    """A grey picture of 256 * 256: gradients, edges of objects, noise of the sensor."""
    light = surface(r, 256, 22)
    boxes = [(r.randrange(230), r.randrange(230), r.randrange(20, 90), r.randrange(20, 90), r.uniform(-50, 50)) for _ in range(12)]
    for x, y, w, h, change in boxes:
        for i in range(y, min(y + h, 256)):
            for j in range(x, min(x + w, 256)):
                light[i * 256 + j] += change
    return bytes(limited(120 + v + r.gauss(0, 1.5), 0, 255) for v in light)


def thermal_u16(r):
    """Pictures of a thermal camera, 160 * 120, in hundredths of a kelvin with its noise of 0.05 K; a warm body moves."""
    out = []
    for picture in range(2):
        for y in range(120):
            for x in range(160):
                body = 900 * math.exp(-((x - 60 - 8 * picture) ** 2 + (y - 70) ** 2) / 700)
                out.append(limited(29515 + 0.8 * y + body + r.gauss(0, 5), 0, 65535))
    return packed("H", out[:SIZE // 2])


def adc_f32(r):
    """Samples of an ADC of 12 bits as volts: code * 3.3 / 4096."""
    code = (2048 + 900 * math.sin(i / 37) + 300 * math.sin(i / 5.3) + r.gauss(0, 4) for i in range(SIZE // 4))
    return packed("f", (limited(c, 0, 4095) * 3.3 / 4096 for c in code))


def pressure_f64(r):
    """Pressure in Pa, a reading each second, in steps of 0.01 as a barometer's driver computes it."""
    out, p = [], 101325.0
    for i in range(SIZE // 8):
        p += r.gauss(0, 0.4) + 0.2 * math.sin(i / 900)
        out.append(round(p + r.gauss(0, 1.2), 2))
    return packed("d", out)


def tenths_f32(r):
    """Temperatures of a weather station, in steps of 0.1."""
    drift, out = 0.0, []
    for i in range(SIZE // 4):
        drift = 0.999 * drift + r.gauss(0, 0.03)
        out.append(round(11 + 7 * math.sin(i / 1440 * 6.2832) + drift + r.gauss(0, 0.05), 1))
    return packed("f", out)


def counts_i32(r):
    """Events in each interval: a Poisson distribution whose rate goes up and down."""
    out = []
    for i in range(SIZE // 4):
        limit, product, n = math.exp(-(4 + 3 * math.sin(i / 500))), r.random(), 0
        while product > limit:
            product *= r.random()
            n += 1
        out.append(n)
    return packed("i", out)


def log_json(r):
    """Lines of a device's log."""
    time, out = 1764288000.0, bytearray()
    events = ["boot", "sample", "sample", "sample", "sample", "upload", "retry", "sleep", "wake", "battery"]
    while len(out) < SIZE:
        time += r.expovariate(0.2)
        line = {"ts": round(time, 3), "level": r.choice(["info", "info", "info", "debug", "warn"]), "dev": f"node-{r.randrange(40):02d}",
                "event": r.choice(events), "value": round(r.gauss(21, 3), 2), "rssi": -r.randrange(40, 95), "seq": r.randrange(100000)}
        out += json.dumps(line, separators=(",", ":")).encode() + b"\n"
    return bytes(out[:SIZE])


def picture_rgb(r):
    """A colour picture of 148 * 147, three bytes for each point, noise in each of them."""
    light, tint = surface(r, 148, 24), surface(r, 148, 9)
    return b"".join(bytes(limited(v + r.gauss(0, 1.5), 0, 255) for v in (110 + a + b, 118 + a, 96 + 0.8 * a - b))
                    for a, b in zip(light, tint))[:SIZE]


def acceleration_i16(r):
    """Three axes, in turn, of an accelerometer on a hand or a machine: gravity, a vibration, noise; at times at rest."""
    out = []
    for i in range(SIZE // 6 + 1):
        moves = 1 if i // 2000 % 2 else 0.05
        for axis, rest in enumerate((300, -1200, 16100)):
            out.append(limited(rest + moves * 2500 * math.sin(i / (11 + 3 * axis)) + r.gauss(0, 25), -32768, 32767))
    return packed("h", out[:SIZE // 2])


def ids_u32(r):
    """Ascending numbers of records, with gaps where records are missing."""
    n, out = 4100000, []
    for _ in range(SIZE // 4):
        n += 1 + int(r.expovariate(0.15))
        out.append(n)
    return packed("I", out)


def categories_u8(r):
    """Classes of land in a map of 256 * 256: areas with one class each, of 9, and a few wrong points."""
    centres = [(r.randrange(256), r.randrange(256), r.randrange(9)) for _ in range(60)]
    rows = []
    for y in range(256):
        for x in range(256):
            rows.append(min(((cx - x) ** 2 + (cy - y) ** 2, kind) for cx, cy, kind in centres)[1] if r.random() > 0.01 else r.randrange(9))
    return bytes(rows)


MADE = (weights_f32, weights_i8, camera_u8, thermal_u16, adc_f32, pressure_f64, tenths_f32, counts_i32, log_json, picture_rgb,
        acceleration_i16, ids_u32, categories_u8)


def classes():
    found = {make.__name__: make(random.Random(number)) for number, make in enumerate(MADE, 1)}
    for name, raw in found.items():
        assert len(raw) == SIZE, (name, len(raw))
    return found
