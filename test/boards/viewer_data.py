#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""viewer_data.py FOLDER: writes readings.csv, a year of two sensors every ten minutes. One of them failed for ten days."""
import datetime
import math
import os
import sys

os.makedirs(sys.argv[1], exist_ok=True)
with open(os.path.join(sys.argv[1], "readings.csv"), "w", encoding="ascii") as f:
    f.write("time,temperature,humidity\nISO,degC,%\n")
    for i in range(52560):
        day, time = i / 144, datetime.datetime(2025, 1, 1) + datetime.timedelta(minutes=10 * i)
        season, hour = math.cos(2 * math.pi * (day - 20) / 365), math.cos(2 * math.pi * (day - 0.1))
        degrees = 10 - 11 * season - 4 * hour + 3 * math.sin(day * 0.9)
        humidity = 60 + 20 * math.cos(2 * math.pi * day) + 12 * math.sin(day * 0.31)
        f.write(f"{time.isoformat()},{'' if 20000 < i < 21500 else f'{degrees:.2f}'},{humidity:.1f}\n")
