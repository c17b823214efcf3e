# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Packs one card for each of many stations with Dask's workers: many_cards.py FOLDER [STATIONS]."""

import os
import sys

import numpy as np
from distributed import Client, LocalCluster

import microtet


def readings(station):
    """A year of hourly temperatures, made up; a real program reads its data base here."""
    hours = np.arange(365 * 24)
    noise = np.random.default_rng(station).normal(0, 1, hours.size)
    return (283 + station % 10 + 8 * np.sin(hours * 2 * np.pi / 24) + noise).round(2)


def card(folder, station):
    """Packs and verifies one card; returns its number and its mean. Repeating it does no harm."""
    path = os.path.join(folder, f"s{station:04}.tet")
    series = microtet.Array(readings(station), ["hour"], attrs={"units": "K", "station": str(station)})
    microtet.pack({"temperature": series}, path, for_="rp2040", scale=0.01, add_offset=273.15, tile=(1024,))
    with microtet.open(path) as f:
        if not f.verify(deep=True)["ok"]:
            raise RuntimeError(f"{path} is damaged")
        return station, f["temperature"].physical.mean()


def main(folder, stations):
    os.makedirs(folder, exist_ok=True)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        futures = client.map(card, [folder] * stations, range(stations), retries=5, pure=False)
        print("packing", stations, "cards; process numbers of the workers:",
              *(worker["pid"] for worker in client.run(lambda: {"pid": os.getpid()}).values()), flush=True)
        means = dict(client.gather(futures))
    print(f"{len(means)} cards, mean {np.mean(list(means.values())):.4f} K, "
          f"{sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
