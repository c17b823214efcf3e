#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The wheel with xarray, pandas and the others: each kind of file as its own library writes it, read back and compared."""
import os
import signal
import subprocess
import sys
import time
import warnings

import microtet
import numpy as np
import pandas as pd
import xarray as xr
from common import PORT, check, raises, readme, run

warnings.filterwarnings("ignore", message="pyproj")


def climate():
    rng = np.random.default_rng(1)
    return xr.Dataset(
        {"t": (("time", "lat", "lon"), (250 + 30 * rng.random((10, 20, 70))).astype("f4"), {"units": "K"}),
         "flag": (("lat", "lon"), rng.random((20, 70)) > 0.5),
         "n": ("time", np.arange(10, dtype="i2"))},
        {"time": pd.date_range("2024-01-01", periods=10, freq="6h"), "lat": np.linspace(60, 41, 20), "lon": np.arange(70) * 0.5,
         "area": (("lat", "lon"), rng.random((20, 70)))})


def pack_command(path, *more, status=0):
    out = subprocess.run([sys.executable, "-W", "ignore", "-m", "microtet", "pack", path, "-o", path.rstrip("/") + ".tet",
                          "--for", "rp2040", *more], capture_output=True, text=True)
    check("pack " + path, out.returncode == status, out.stderr)
    return out


def same(name, tet, wanted, decoded=True):
    """xarray's view of the .tet file has the same values, coordinates and units."""
    with xr.open_dataset(tet, engine="microtet") as got:
        for key in list(wanted.data_vars) + list(wanted.coords):
            right = np.array_equal(got[key].values, wanted[key].values) or np.array_equal(
                got[key].values, wanted[key].values, equal_nan=True)
            check("%s: %s" % (name, key), right and got[key].dims == wanted[key].dims, got[key])
        check(name + ": units", all(got[k].attrs.get("units") == wanted[k].attrs.get("units") for k in wanted.data_vars))
    check(name + ": verify", microtet.open(tet, strict=True).verify(deep=True)["ok"])


def xarray_objects():
    ds = climate()
    microtet.pack(ds, "ds.tet", for_="rp2040")
    same("Dataset", "ds.tet", ds)
    with xr.open_dataset("ds.tet", engine="microtet") as lazy:
        check("coordinates", sorted(lazy.coords) == ["area", "lat", "lon", "time"], lazy)
        part = lazy.t.isel(time=[1, 3], lon=slice(None, None, -2))
        check("lazy", isinstance(lazy.t.variable._data, object) and not lazy.t.variable._in_memory)
        check("by labels", np.array_equal(lazy.t.sel(lat=slice(60, 50)).values, ds.t.sel(lat=slice(60, 50)).values))
        check("lists and steps", np.array_equal(part.values, ds.t.isel(time=[1, 3], lon=slice(None, None, -2)).values))
        mask = ds.lat.values > 50
        check("masks", np.array_equal(lazy.t[:, mask].values, ds.t[:, mask].values))
        check("budget", np.array_equal(xr.open_dataset("ds.tet", engine="microtet", budget=40000).t.values, ds.t.values))
        check("dask", np.isclose(lazy.chunk({"time": 3}).t.mean().compute().item(), ds.t.values.mean(), rtol=1e-6))
    microtet.pack(ds.t, "da.tet")
    same("DataArray", "da.tet", ds[["t"]].drop_vars("area"))
    report = microtet.pack(ds[["t"]], "scaled.tet", scale={"t": 0.01}, add_offset=273.15)
    with xr.open_dataset("scaled.tet", engine="microtet") as got:
        check("scale", float(abs(got.t - ds.t).max()) <= 0.005 + 3e-5 and "i16" in report, report)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        microtet.pack(ds.assign_attrs(title="x"), "title.tet")
    check("what is left out is named", any("title" in str(one.message) for one in said), said)
    for fill in (np.nan, -999.0):
        holes = ds[["t"]].where(ds.t > 265)
        holes.t.encoding = {"dtype": "i2", "scale_factor": 0.01, "add_offset": 260.0, "_FillValue": -999} if fill == -999 else {}
        microtet.pack(holes, "holes.tet")
        with xr.open_dataset("holes.tet", engine="microtet") as got:
            check("fill %s" % fill, np.allclose(got.t.values, holes.t.values, atol=0.0051 if fill == -999 else 0, rtol=0, equal_nan=True))


def physical_values():
    """xarray decodes by the attributes of a card, as `physical` does, or gives values as stored."""
    a = np.array([[1, -5, 7], [-9, 2, 3]])
    for attrs, dtype in (({"scale_factor": "0.01", "add_offset": "273.15", "_FillValue": "-5"}, "i2"), ({"scale_factor": "0.5"}, "i4"),
                         ({"scale_factor": "0.01", "_FillValue": "-5.0"}, "i2"), ({"missing_value": "-5.00"}, "f4"),
                         ({"_FillValue": "70000", "add_offset": "1"}, "i2"), ({"_FillValue": "1e-400"}, "i8"), ({"units": "K"}, "f8")):
        microtet.pack({"t": microtet.Array(a.astype(dtype), ["y", "x"], {}, attrs)}, "cf.tet", tile="whole")
        t = microtet.open("cf.tet")["t"]
        with xr.open_dataset("cf.tet", engine="microtet") as got, xr.open_dataset("cf.tet", engine="microtet", mask_and_scale=False) as stored:
            check("decoded %s" % attrs, np.allclose(got.t.values, t.physical[...], rtol=1e-15, atol=0, equal_nan=True)
                  and not set(got.t.attrs) & set(microtet._physical.KEYS), got.t)
            check("stored %s" % attrs, np.array_equal(stored.t.values, a) and stored.t.dtype == dtype and set(stored.t.attrs) == set(attrs), stored.t)


def pandas_objects():
    frame = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": ["x", None, "y"], "f": [1.5, np.nan, 2],
                          "t": pd.to_datetime(["2024-01-01T00:00:00", "2024-01-02T00:00:01", None])},
                         index=pd.Index([10, 20, 30], name="id"))
    microtet.pack(frame, "frame.tet")
    with xr.open_dataset("frame.tet", engine="microtet") as got:
        got.load()
        check("integers", np.array_equal(got.a.values, [1, np.nan, 3], equal_nan=True), got.a)
        check("texts", got.b.values.tolist() == [0, -1, 1], got.b)
        check("times", (got.t.values[:2] == frame.t.values[:2]).all() and np.isnat(got.t.values[2]), got.t)
        check("index", got.id.values.tolist() == [10, 20, 30], got.id)
    check("integers stay", microtet.open("frame.tet")["a"].dtype == "i8")
    frame.to_parquet("p.parquet")
    frame.to_excel("p.xlsx")
    for path in ("p.parquet", "p.xlsx"):
        pack_command(path)
        f = microtet.open(path + ".tet")
        check(path + " values", np.array_equal(f["f"][...], frame.f.values, equal_nan=True)
              and f["b"][...].tolist() == [0, -1, 1] and f["a"][...].tolist()[::2] == [1, 3], f)
    raises("two columns", microtet.Error, lambda: microtet.pack(pd.DataFrame([[1, 2]], columns=["a", "a"]), "x.tet"), "same name")


def files_of_xarray():
    ds = climate()
    packed = {"t": {"dtype": "i2", "scale_factor": 0.01, "add_offset": 260.0, "_FillValue": -1}}
    ds.to_netcdf("packed.nc", encoding=packed, engine="netcdf4")
    ds.to_netcdf("classic.nc", format="NETCDF3_CLASSIC", engine="netcdf4")
    ds.to_netcdf("wide.nc", format="NETCDF3_64BIT", engine="netcdf4")
    ds.to_netcdf("h5netcdf.h5", engine="h5netcdf")
    ds.to_zarr("two.zarr", zarr_format=2)
    ds.to_zarr("three.zarr", zarr_format=3, consolidated=False)
    for path in ("packed.nc", "classic.nc", "wide.nc", "h5netcdf.h5", "two.zarr", "three.zarr"):
        pack_command(path)
        with xr.open_dataset(path, engine="zarr" if path.endswith("zarr") else None, **(
                {"consolidated": False} if path.endswith("zarr") else {})) as wanted:
            same(path, path + ".tet", wanted.load())
    f = microtet.open("packed.nc.tet")
    check("stored as it was", f["t"].dtype == "i2" and f["t"].attrs["scale_factor"] == "0.01", f["t"].attrs)
    out = subprocess.run([sys.executable, "-m", "microtet", "pack", "packed.nc:n", "-o", "one.tet"], capture_output=True, text=True)
    check("IN:NAME", out.returncode == 0 and list(microtet.open("one.tet")) == ["n"], out)
    out = subprocess.run([sys.executable, "-m", "microtet", "pack", "packed.nc:no", "-o", "no.tet"], capture_output=True, text=True)
    check("IN:NAME that is not there", out.returncode == 1 and "no array 'no'" in out.stderr, out)
    netcdf_alone = "import sys; sys.modules.update(h5py=None, h5netcdf=None); import microtet.__main__ as m; sys.exit(m.main(sys.argv[1:]))"
    out = subprocess.run([sys.executable, "-c", netcdf_alone, "pack", "packed.nc", "-o", "alone.tet"], capture_output=True, text=True)
    check("NetCDF 4 with netCDF4 alone", out.returncode == 0 and sorted(microtet.open("alone.tet")) == sorted(f), out)
    open("cut.nc", "wb").write(open("packed.nc", "rb").read()[:700])
    out = pack_command("cut.nc", status=1)
    check("a damaged file", out.stderr.startswith("microtet: cut.nc: cannot be read as") and out.stderr.count("\n") == 1, out.stderr)


def arrays_without_names():
    import h5py
    import zarr

    a = np.arange(1200, dtype="i4").reshape(30, 40)
    with h5py.File("plain.h5", "w") as file:
        file["a"] = a
        file["group/b"] = a[::2].astype("f8")
    pack_command("plain.h5")
    f = microtet.open("plain.h5.tet")
    check("HDF5 groups", np.array_equal(f["a"][...], a) and np.array_equal(f["group/b"][...], a[::2]), list(f))
    for form in (2, 3):
        name = "bare%d.zarr" % form
        store = zarr.create_array(name, shape=(30, 40), chunks=(10, 10), dtype="i4", fill_value=7, zarr_format=form)
        store[:10, :10] = a[:10, :10]
        right = np.full((30, 40), 7)
        right[:10, :10] = a[:10, :10]
        pack_command(name)
        check(name + ": missing chunks", np.array_equal(microtet.open(name + ".tet")["bare%d" % form][...], right))


def packed_while_read():
    """With a tile, NetCDF, HDF5 and Zarr are read while they are packed, in little memory; the file has the same bytes."""
    import dask.array
    import h5py
    import zarr

    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    a = np.round(np.random.default_rng(3).normal(size=(600, 3000)).cumsum(axis=0), 1).astype("f4")
    a[:50, :700] = 0
    ds = xr.Dataset({"a": (("y", "x"), a), "n": (("x",), np.arange(3000, dtype="i4"))})
    kinds = {"a.zarr": lambda p: ds.to_zarr(p, zarr_format=3, consolidated=False, encoding={"a": {"chunks": (170, 701)}}),
             "shards.zarr": lambda p: ds.to_zarr(p, zarr_format=3, consolidated=False, encoding={"a": {"chunks": (100, 100), "shards": (300, 500)}}),
             "a.nc": lambda p: ds.to_netcdf(p, engine="netcdf4", encoding={"a": {"chunksizes": (250, 400), "zlib": True}}),
             "plain.nc": lambda p: ds.to_netcdf(p, engine="netcdf4"), "three.nc": lambda p: ds.to_netcdf(p, format="NETCDF3_64BIT", engine="netcdf4"),
             "a.h5": lambda p: ds.to_netcdf(p, engine="h5netcdf", encoding={"a": {"chunksizes": (250, 400)}}),
             "dask": lambda p: None}
    for words in ([], ["-j", "1"], ["--access", "columns", "-j", "1"], ["--slab", "5:600:3,::7"]):
        names = ["a"] if "--slab" in words else ["a", "n"]
        own = microtet._elements.BAND_BYTES
        microtet.pack(ds[names], "right.tet", tile="whole" if len(names) > 1 else (8, 64), options=words)
        right = open("right.tet", "rb").read()
        for path, write in kinds.items():
            if not os.path.exists(path):
                write(path)
            opened = ds.chunk({"y": (100, 250, 250), "x": 1000}) if path == "dask" else xr.open_dataset(
                path, engine="zarr" if path.endswith("zarr") else None, **({"consolidated": False} if path.endswith("zarr") else {}))
            for microtet._elements.BAND_BYTES in (own, 1):
                microtet.pack(opened[names], "lazy.tet", tile="whole" if len(names) > 1 else (8, 64), options=words)
                check("%s %s, bands of %d" % (path, words, microtet._elements.BAND_BYTES), open("lazy.tet", "rb").read() == right)
            opened.close()
            microtet._elements.BAND_BYTES = own
    swapped = zarr.create_array("swapped.zarr", shape=(60, 70), chunks=(7, 70), dtype=">i4", fill_value=5, zarr_format=2)
    swapped[:20] = np.arange(1400).reshape(20, 70)
    microtet.pack(swapped, "swapped.tet", tile=(8, 8), name="s")
    check("an array of zarr, big-endian", np.array_equal(microtet.open("swapped.tet")["s"][...], swapped[...]))
    with h5py.File("several.h5", "w") as file:
        few = {"plain": file.create_dataset("plain", data=a[:60]), "chunks": file.create_dataset("chunks", data=a[:60], chunks=(7, 90)),
               "none": file.create_dataset("none", data=a[:0]), "dask": dask.array.from_array(a[:60], chunks=(13, 200))}
        microtet.pack(few, "several.tet", tile="whole")
        packed = microtet.open("several.tet")
        check("arrays of h5py and Dask", all(np.array_equal(packed[name][...], np.asarray(one)) for name, one in few.items()), list(packed))
    for words, status in (["--tile", "8x64"], 1), ([], 1):
        zarr.create_array("bent.zarr", shape=(600, 3000), chunks=(100, 3000), dtype="f4")[...] = a
        chunk = os.path.join("bent.zarr", "c", "3", "0")
        open(chunk, "r+b").write(b"damaged")
        out = pack_command("bent.zarr", *words, status=status)
        check("a damaged chunk", out.stderr.startswith("microtet: bent") and "cannot be read" in out.stderr and out.stderr.count("\n") == 1
              and not any(name.startswith("bent.zarr.tet") for name in os.listdir(".")), (out.stderr, os.listdir(".")))
        subprocess.run(["rm", "-r", "bent.zarr"], check=True)
    large = zarr.create_array("large.zarr", shape=(64, 1024, 1024), chunks=(1, 1024, 1024), dtype="f4")
    for layer in range(64):
        large[layer] = layer
    program = ("import sys, resource, microtet.__main__ as m, microtet._inputs, xarray, zarr; zarr.open('swapped.zarr')[...]\n"
               "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; m.main(sys.argv[1:])\n"
               "print('MiB', (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)")
    out = subprocess.run([sys.executable, "-c", program, "pack", "large.zarr", "-o", "large.tet", "--tile", "1x8x64", "--level", "1"], capture_output=True, text=True)
    more = int(out.stdout.split("MiB")[-1]) if out.returncode == 0 else -1
    check("256 MiB in little memory", 0 <= more < 64, (more, out.stderr))
    check("its elements", all((microtet.open("large.tet")["large"][i] == i).all() for i in (0, 33, 63)))


def pictures_and_sound():
    import rasterio
    import soundfile
    from rasterio.transform import from_origin

    a = np.arange(4000, dtype="i2").reshape(2, 40, 50)
    with rasterio.open("g.tif", "w", driver="GTiff", height=40, width=50, count=2, dtype="int16", crs="EPSG:4326",
                       transform=from_origin(5, 60, 0.1, 0.1), nodata=-9) as file:
        file.write(a)
    pack_command("g.tif")
    g = microtet.open("g.tif.tet")["g"]
    check("GeoTIFF", np.array_equal(g[...], a) and g.dims == ("band", "y", "x") and g.attrs["_FillValue"] == "-9", g.attrs)
    sound = (np.sin(np.arange(1600) / 9) * 9000).astype("i2").reshape(800, 2)
    soundfile.write("s.wav", sound, 16000)
    soundfile.write("m.wav", sound[:, 0], 8000, subtype="FLOAT")
    for path, right in (("s.wav", sound), ("m.wav", soundfile.read("m.wav", dtype="float32")[0])):
        pack_command(path)
        one = microtet.open(path + ".tet")[path[0]]
        check(path, np.array_equal(one[...], right) and one.dtype == right.dtype and "sample_rate" in one.attrs, one.attrs)


def many_cards():
    """1,000 cards; a worker that is killed meanwhile only costs time."""
    process = subprocess.Popen([sys.executable, "-W", "ignore", os.path.join(PORT, "examples", "many_cards.py"), "cards", "1000"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    victim = int(line.split()[-1]) if line.startswith("packing") else None
    deadline = time.time() + 120
    while time.time() < deadline and process.poll() is None and (not os.path.isdir("cards") or len(os.listdir("cards")) < 100):
        time.sleep(0.05)
    early = len([name for name in os.listdir("cards") if name.endswith(".tet")]) if os.path.isdir("cards") else 0
    if victim is not None:
        os.kill(victim, signal.SIGKILL)
    out, errors = process.communicate(timeout=900)
    if process.returncode != 0:
        check("many cards", False, errors[-3000:])
        return
    check("many cards", process.returncode == 0 and out.startswith("1000 cards, mean "), (out, errors[-1500:]))
    check("one was killed in between", victim is not None and early < 1000, early)
    cards = [name for name in os.listdir("cards") if name.endswith(".tet")]
    sys.path.insert(0, os.path.join(PORT, "examples"))
    from many_cards import readings
    means = []
    for name in cards:
        with microtet.open(os.path.join("cards", name)) as f:
            t = f["temperature"]
            means.append(t.mean() * float(t.attrs["scale_factor"]) + float(t.attrs["add_offset"]))  # computed in another way than the cards' own sum
    right = np.mean([readings(n).mean() for n in range(1000)])
    check("each is there", len(cards) == 1000 and abs(np.mean(means) - right) < 1e-4, (len(cards), np.mean(means), right))
    print("figure: many cards: %d, a worker killed after %d" % (len(cards), early))


def readme_examples():
    names = readme(True)
    check("README: xarray", 0 < float(names.get("out6", "0") or 0) < 310, names.get("out6"))


def annotations():
    out = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--disallow-untyped-defs",
                          "--cache-dir", ".", "-p", "microtet"], capture_output=True, text=True)
    check("mypy", out.returncode == 0, out.stdout[-3000:])
    open("user.py", "w").write("import microtet\nx: int = microtet.open('a.tet')['a'].dims\n")
    out = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", ".", "user.py"], capture_output=True, text=True)
    check("py.typed", "tuple[str, ...]" in out.stdout, out.stdout)


if __name__ == "__main__":
    run([xarray_objects, physical_values, pandas_objects, files_of_xarray, arrays_without_names, packed_while_read, pictures_and_sound, readme_examples,
         annotations, many_cards])
