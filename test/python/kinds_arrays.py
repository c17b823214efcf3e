# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays as xarray, netCDF4, h5py, zarr, SciPy, soundfile, safetensors, rasterio and NumPy write them."""
import json

import h5py
import netCDF4
import numpy as np
import pandas as pd
import rasterio
import safetensors.numpy
import scipy.io
import soundfile
import xarray as xr
import zarr
from kinds import kind
from rasterio.transform import from_origin

RNG = np.random.default_rng(30)
FIELD = (250 + 30 * RNG.random((4, 6, 9))).astype("f4")
WHOLE = RNG.integers(-900, 900, (12, 10)).astype("i4")


def climate():
    return xr.Dataset({"t": (("time", "lat", "lon"), FIELD, {"units": "K", "long_name": "air temperature"})},
                      {"time": pd.date_range("2024-01-01", periods=4, freq="6h"), "lat": np.linspace(60, 50, 6), "lon": np.arange(9) * 0.5})


# ---- xarray

@kind("NetCDF 4", "xarray", "f32, times, descending latitudes", "a.nc")
def _():
    climate().to_netcdf("a.nc", engine="netcdf4")
    return {"t": {"values": FIELD, "dims": ["time", "lat", "lon"], "attrs": {"units": "K"},
                  "labels": {"lat": ["60.0", "58.0", "56.0", "54.0", "52.0", "50.0"], "time": ["2024-01-01", "2024-01-01T06:00", "2024-01-01T12:00", "2024-01-01T18:00"]}}}


@kind("NetCDF 4", "xarray", "i16 with scale, offset and fill value", "a.nc")
def _():
    ds = climate().where(climate().t > 255)
    ds.to_netcdf("a.nc", encoding={"t": {"dtype": "i2", "scale_factor": 0.01, "add_offset": 260.0, "_FillValue": -1}}, engine="netcdf4")
    with netCDF4.Dataset("a.nc") as file:
        file.set_auto_maskandscale(False)
        return {"t": {"values": file["t"][...], "attrs": {"scale_factor": "0.01", "add_offset": "260.0", "_FillValue": "-1"}}}


@kind("NetCDF 4", "xarray", "bool, timedelta, texts, i8, u4 in one file", "a.nc")
def _():
    more = {"flag": RNG.random(7) > 0.5, "step": np.arange(7).astype("m8[h]").astype("m8[ns]"), "name": np.array(list("abcabc") + ["ünï"], object),
            "n8": np.arange(-3, 4, dtype="i1"), "u": np.arange(7, dtype="u4")}
    xr.Dataset({k: ("x", v) for k, v in more.items()}).to_netcdf("a.nc", engine="netcdf4")
    return more


@kind("NetCDF 3", "xarray", "classic file, unlimited time", "a.nc")
def _():
    climate().to_netcdf("a.nc", format="NETCDF3_CLASSIC", unlimited_dims=["time"], engine="netcdf4")
    return {"t": FIELD}


@kind("NetCDF 3", "xarray, SciPy's engine", "64-bit offsets", "a.nc")
def _():
    climate().to_netcdf("a.nc", format="NETCDF3_64BIT", engine="scipy")
    return {"t": FIELD}


@kind("NetCDF 4", "xarray", "an axis of length 0 and a scalar", "a.nc")
def _():
    xr.Dataset({"none": (("a", "b"), np.zeros((0, 3), "f4")), "one": ((), np.float64(2.5))}).to_netcdf("a.nc", engine="netcdf4")
    return {"none": np.zeros((0, 3), "f4"), "one": np.array([2.5])}


# ---- netCDF4

@kind("NetCDF 4", "netCDF4", "groups, unlimited axes, zlib, big-endian", "a.nc")
def _():
    with netCDF4.Dataset("a.nc", "w") as file:
        file.createDimension("time", None)
        file.createDimension("x", 10)
        root = file.createVariable("root", ">f4", ("time", "x"), zlib=True, endian="big")
        root[:] = WHOLE[:5] / 4
        group = file.createGroup("sensors/deep")
        group.createDimension("y", 12)
        one = group.createVariable("level", "u8", ("y", "x"))
        one[:] = np.abs(WHOLE).astype("u8")
    return {"root": WHOLE[:5] / np.float32(4), "sensors/deep/level": np.abs(WHOLE)}


@kind("NetCDF 3", "netCDF4", "CDF-5 with u64 and characters", "a.nc")
def _():
    with netCDF4.Dataset("a.nc", "w", format="NETCDF3_64BIT_DATA") as file:
        file.createDimension("x", 3)
        file.createDimension("length", 4)
        file.createVariable("u", "u8", ("x",))[:] = np.array([1, 2**63, 2**64 - 2], "u8")
        file.createVariable("s", "S1", ("x", "length"))[:] = netCDF4.stringtochar(np.array(["one", "two", "four"], "S4"))
    return {"u": np.array([1, 2**63, 2**64 - 2], "u8"), "s": np.array(["one", "two", "four"], object)}


@kind("NetCDF 4", "netCDF4", "valid_range, missing_value, packed u1", "a.nc")
def _():
    with netCDF4.Dataset("a.nc", "w") as file:
        file.createDimension("x", 5)
        v = file.createVariable("rain", "u1", ("x",), fill_value=255)
        v.set_auto_maskandscale(False)
        v.setncatts({"scale_factor": np.float32(0.2), "valid_range": np.array([0, 250], "u1"), "units": "mm"})
        v[:] = [0, 1, 250, 255, 7]
    return {"rain": {"values": np.array([0, 1, 250, 255, 7]), "attrs": {"scale_factor": "0.2", "_FillValue": "255", "valid_range": "0, 250"}}}


@kind("NetCDF 4", "netCDF4", "a compound type", "a.nc")
def _():
    with netCDF4.Dataset("a.nc", "w") as file:
        file.createDimension("x", 2)
        pair = file.createCompoundType(np.dtype([("a", "i4"), ("b", "f8")]), "pair")
        file.createVariable("both", pair, ("x",))[:] = np.array([(1, 2.5), (3, 4.5)], pair.dtype)
        file.createVariable("plain", "i4", ("x",))[:] = [1, 2]
    return {"both.a": [1, 3], "both.b": [2.5, 4.5], "plain": [1, 2]}


@kind("NetCDF 4", "netCDF4", "arrays of varying length", "a.nc")
def _():
    with netCDF4.Dataset("a.nc", "w") as file:
        file.createDimension("x", 2)
        ragged = file.createVLType("i4", "ragged")
        v = file.createVariable("r", ragged, ("x",))
        v[0] = np.array([1, 2], "i4")
        v[1] = np.array([3], "i4")


@kind("NetCDF 4", "netCDF4", "an enumeration", "a.nc")
def _():
    with netCDF4.Dataset("a.nc", "w") as file:
        file.createDimension("x", 4)
        clouds = file.createEnumType("u1", "clouds", {"clear": 0, "cumulus": 1, "missing": 255})
        file.createVariable("c", clouds, ("x",))[:] = np.array([0, 1, 1, 255], "u1")
    return {"c": [0, 1, 1, 255]}


# ---- h5py

@kind("HDF5", "h5py", "groups, no names of axes, f2, big-endian i2", "a.h5")
def _():
    with h5py.File("a.h5", "w") as file:
        file["a"] = WHOLE
        file["deep/er/half"] = FIELD[0].astype("f2")
        file["big"] = WHOLE.astype(">i2")
    return {"a": WHOLE, "deep/er/half": FIELD[0].astype("f2"), "big": WHOLE}


@kind("HDF5", "h5py", "chunks, gzip, shuffle, fill value, resizable", "a.h5")
def _():
    with h5py.File("a.h5", "w") as file:
        one = file.create_dataset("a", (20, 30), "i4", maxshape=(None, 30), chunks=(4, 7), compression="gzip", shuffle=True, fillvalue=-7)
        one[3:9, 2:11] = WHOLE[:6, :9]
        right = one[...]
    return {"a": right}


@kind("HDF5", "h5py", "scalars, an empty array, bool, texts", "a.h5")
def _():
    with h5py.File("a.h5", "w") as file:
        file["scalar"] = 3.5
        file["none"] = np.zeros((0,), "i4")
        file["flag"] = np.array([True, False, True])
        file["text"] = np.array(["a", "bb", "a"], h5py.string_dtype())
        file["fixed"] = np.array([b"x", b"yy", b""], "S2")
    return {"scalar": [3.5], "none": np.zeros(0, "i4"), "flag": np.array([True, False, True]), "text": np.array(["a", "bb", "a"], object),
            "fixed": np.array(["x", "yy", ""], object)}


@kind("HDF5", "h5py", "a table (compound type)", "a.h5")
def _():
    table = np.array([(1, 2.5, b"x"), (2, 3.5, b"y")], [("id", "u2"), ("v", "f4"), ("s", "S1")])
    with h5py.File("a.h5", "w") as file:
        file["table"] = table
    return {"table.id": [1, 2], "table.v": [2.5, 3.5], "table.s": np.array(["x", "y"], object)}


@kind("HDF5", "h5py", "complex numbers", "a.h5")
def _():
    with h5py.File("a.h5", "w") as file:
        file["z"] = np.array([1 + 2j, 3 - 4j], "c8")
    return {"z.real": np.array([1, 3], "f4"), "z.imag": np.array([2, -4], "f4")}


@kind("HDF5", "h5py", "dimension scales", "a.h5")
def _():
    with h5py.File("a.h5", "w") as file:
        file["y"] = np.array([3.0, 2.0, 1.0])
        file["y"].make_scale("y")
        file["t"] = FIELD[0, :3]
        file["t"].dims[0].attach_scale(file["y"])
    return {"t": {"values": FIELD[0, :3], "labels": {"y": ["3.0", "2.0", "1.0"]}}}


@kind("HDF5", "h5py", "a user block before it", "a.h5")
def _():
    with h5py.File("a.h5", "w", userblock_size=512) as file:  # a user's block before the file
        file["a"] = WHOLE
    return {"a": WHOLE}


# ---- zarr

@kind("Zarr 2", "zarr", "zstd, missing chunks, big-endian", "a.zarr")
def _():
    one = zarr.create_array("a.zarr", shape=(12, 10), chunks=(5, 4), dtype=">i4", fill_value=-7, zarr_format=2)
    one[:5, :4] = WHOLE[:5, :4]
    return {"a": one[...]}


@kind("Zarr 3", "zarr", "shards, zstd, u16", "a.zarr")
def _():
    one = zarr.create_array("a.zarr", shape=(12, 10), chunks=(3, 5), shards=(6, 10), dtype="u2", zarr_format=3)
    one[...] = np.abs(WHOLE)
    return {"a": np.abs(WHOLE)}


@kind("Zarr 3", "zarr", "a group with arrays of no names, bool, i8", "a.zarr")
def _():
    group = zarr.open_group("a.zarr", mode="w", zarr_format=3)
    for name, values in (("x", WHOLE), ("in/y", WHOLE[0] > 0), ("in/z", WHOLE[1].astype("i1"))):
        group.create_array(name, data=values)
    return {"x": WHOLE, "in/y": WHOLE[0] > 0, "in/z": WHOLE[1].astype("i1")}


@kind("Zarr 2", "xarray", "groups of a tree, times", "a.zarr")
def _():
    xr.DataTree.from_dict({"/": climate()[["t"]], "/part": xr.Dataset({"n": ("x", np.arange(5))})}).to_zarr("a.zarr", zarr_format=2)
    return {"t": FIELD, "part/n": np.arange(5)}


@kind("Zarr 3", "xarray", "consolidated, scale and offset", "a.zarr")
def _():
    climate().to_zarr("a.zarr", zarr_format=3, encoding={"t": {"dtype": "u2", "scale_factor": 0.001, "add_offset": 240.0, "_FillValue": 65535}})
    return {"t": {"values": xr.open_dataset("a.zarr", engine="zarr", mask_and_scale=False).t.values, "attrs": {"add_offset": "240.0"}}}


@kind("Zarr 3", "zarr", "datetime64, a scalar", "a.zarr")
def _():
    group = zarr.open_group("a.zarr", mode="w", zarr_format=3)
    group.create_array("scalar", data=np.array(4.5))
    group.create_array("when", data=np.array(["2024-01-01", "2024-02-29"], "M8[s]"))
    return {"scalar": [4.5], "when": np.array(["2024-01-01", "2024-02-29"], "M8[s]")}


@kind("Zarr 3", "zarr", "a ZIP archive", "a.zarr.zip")
def _():
    with zarr.storage.ZipStore("a.zarr.zip", mode="w") as store:
        zarr.create_array(store, data=WHOLE)
    return {"a": WHOLE}


# ---- sound

def sound(subtype, channels, scale=1.0):
    return scale * np.sin(np.arange(200)[:, None] / (7 + np.arange(channels))) * 0.7


@kind("WAV", "soundfile", "16 bits, 2 channels", "a.wav")
def _():
    a = (sound(0, 2) * 30000).astype("i2")
    soundfile.write("a.wav", a, 44100)
    return {"a": {"values": a, "dims": ["time", "channel"], "attrs": {"sample_rate": "44100"}}}


@kind("WAV", "soundfile", "24 bits, 1 channel", "a.wav")
def _():
    soundfile.write("a.wav", sound(0, 1), 8000, subtype="PCM_24")
    return {"a": soundfile.read("a.wav", dtype="int32")[0]}


@kind("WAV", "soundfile", "float, 6 channels (WAVEX)", "a.wav")
def _():
    soundfile.write("a.wav", sound(0, 6), 48000, subtype="FLOAT", format="WAVEX")
    return {"a": soundfile.read("a.wav", dtype="float32")[0]}


@kind("WAV", "soundfile", "double beyond 1", "a.wav")
def _():
    soundfile.write("a.wav", sound(0, 1, 3), 48000, subtype="DOUBLE")
    return {"a": sound(0, 1, 3)[:, 0]}


@kind("WAV", "soundfile", "unsigned 8 bits", "a.wav")
def _():
    soundfile.write("a.wav", sound(0, 1), 8000, subtype="PCM_U8")
    return {"a": soundfile.read("a.wav", dtype="int16")[0]}


@kind("WAV", "soundfile", "32 bits, RF64", "a.wav")
def _():
    soundfile.write("a.wav", sound(0, 2), 8000, subtype="PCM_32", format="RF64")
    return {"a": soundfile.read("a.wav", dtype="int32")[0]}


@kind("WAV", "soundfile", "mu-law", "a.wav")
def _():
    soundfile.write("a.wav", sound(0, 1), 8000, subtype="ULAW")
    return {"a": soundfile.read("a.wav", dtype="float64")[0]}


# ---- safetensors

def put_safetensors(dtype, a):
    """Written by its format page: NumPy has no such dtype, so the package would need PyTorch."""
    head = json.dumps({"w": {"dtype": dtype, "shape": a.shape, "data_offsets": [0, a.nbytes]}}).encode()
    with open("a.safetensors", "wb") as file:
        file.write(len(head).to_bytes(8, "little") + head + a.tobytes())


@kind("safetensors", "safetensors", "f32, f16, i8, bool, u64, empty, scalar", "a.safetensors", wheel=False)
def _():
    all_of = {"w": FIELD, "h": FIELD[0].astype("f2"), "q": WHOLE[0].astype("i1"), "mask": WHOLE[1] > 0, "u": np.abs(WHOLE).astype("u8"),
              "none": np.zeros((0, 4), "f4"), "one": np.array(2.5)}
    safetensors.numpy.save_file({k: np.ascontiguousarray(v) for k, v in all_of.items()}, "a.safetensors", {"format": "np"})
    return dict(all_of, one=[2.5], q=WHOLE[0].astype("i1").astype("i2"), mask=WHOLE[1] > 0)


@kind("safetensors", "safetensors", "BF16", "a.safetensors", wheel=False)
def _():
    import ml_dtypes
    a = FIELD[0].astype(ml_dtypes.bfloat16)
    put_safetensors("BF16", a)


@kind("safetensors", "safetensors", "F8_E4M3", "a.safetensors", wheel=False)
def _():
    import ml_dtypes
    a = np.linspace(-9, 9, 24).astype(ml_dtypes.float8_e4m3fn)
    put_safetensors("F8_E4M3", a)


# ---- MATLAB

@kind("MATLAB", "SciPy", "version 5: matrices, logical, text, complex", "a.mat")
def _():
    scipy.io.savemat("a.mat", {"x": WHOLE, "ok": WHOLE[0] > 0, "row": np.arange(5.0), "name": "probe", "z": np.array([1 + 2j])})
    return {"x": WHOLE, "ok": (WHOLE[0] > 0)[None], "row": np.arange(5.0)[None], "name": np.array(["probe"], object), "z.real": [[1.0]], "z.imag": [[2.0]]}


@kind("MATLAB", "SciPy", "version 5, compressed: a structure", "a.mat")
def _():
    scipy.io.savemat("a.mat", {"run": {"t": FIELD[0], "n": np.int16([1, 2])}}, do_compression=True)
    return {"run.t": FIELD[0], "run.n": [[1, 2]]}


@kind("MATLAB", "SciPy", "a sparse matrix", "a.mat")
def _():
    import scipy.sparse
    scipy.io.savemat("a.mat", {"s": scipy.sparse.eye(3, format="csc")})


@kind("MATLAB", "h5py", "version 7.3", "a.mat")
def _():
    with h5py.File("a.mat", "w", userblock_size=512) as file:
        file["x"] = FIELD[0].T
        file["x"].attrs["MATLAB_class"] = np.bytes_("single")
    with open("a.mat", "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Mon Jan 01 00:00:00 2024 HDF5 schema 1.00 .".ljust(124) + b"\0\2IM")
    return {"x": FIELD[0]}


# ---- GeoTIFF

def tiff(values, **more):
    with rasterio.open("a.tif", "w", driver="GTiff", height=values.shape[1], width=values.shape[2], count=values.shape[0], dtype=values.dtype.name,
                       crs="EPSG:32632", transform=from_origin(5, 60, 0.1, 0.1), **more) as file:
        file.write(values)
    return {"a": {"values": values, "dims": ["band", "y", "x"]}}


@kind("GeoTIFF", "rasterio", "f32 with nodata, deflate, tiles", "a.tif")
def _():
    return tiff(RNG.random((1, 40, 50)).astype("f4"), nodata=-9999.0, compress="deflate", tiled=True, blockxsize=16, blockysize=16)


@kind("GeoTIFF", "rasterio", "u8, 3 bands, LZW, BigTIFF", "a.tif")
def _():
    return tiff(RNG.integers(0, 255, (3, 20, 30), dtype="u1"), compress="lzw", BIGTIFF="YES")


@kind("GeoTIFF", "rasterio", "i8", "a.tif")
def _():
    return tiff(RNG.integers(-100, 100, (1, 20, 30), dtype="i1"))


@kind("GeoTIFF", "rasterio", "complex numbers", "a.tif")
def _():
    a = (RNG.random((1, 4, 5)) + 1j).astype("c8")
    tiff(a)
    return {"a.real": a.real, "a.imag": a.imag}


@kind("GeoTIFF", "rasterio", "a band with scale and offset", "a.tif")
def _():
    wanted = tiff(np.arange(600, dtype="i2").reshape(1, 20, 30), nodata=-1)
    with rasterio.open("a.tif", "r+") as file:
        file.scales, file.offsets = (0.5,), (10.0,)
    return {"a": dict(wanted["a"], attrs={"scale_factor": "0.5", "add_offset": "10.0", "_FillValue": "-1"})}


# ---- NumPy

@kind("npy", "NumPy", "big-endian f8 in Fortran order", "a.npy", wheel=False)
def _():
    np.save("a.npy", np.asfortranarray(WHOLE.astype(">f8")))
    return {"a": WHOLE}


@kind("npy", "NumPy", "0-d", "a.npy", wheel=False)
def _():
    np.save("a.npy", np.array(7, "i4"))
    return {"a": [7]}


@kind("npy", "NumPy", "empty", "a.npy", wheel=False)
def _():
    np.save("a.npy", np.zeros((3, 0, 2), "f4"))
    return {"a": np.zeros((3, 0, 2), "f4")}


@kind("npy", "NumPy", "bool", "a.npy", wheel=False)
def _():
    np.save("a.npy", WHOLE > 0)
    return {"a": WHOLE > 0}


@kind("npy", "NumPy", "datetime64[ms] with NaT", "a.npy")
def _():
    a = np.array(["2024-01-01T00:00:00.5", "NaT", "1969-12-31"], "M8[ms]")
    np.save("a.npy", a)
    return {"a": a}


@kind("npy", "NumPy", "complex numbers", "a.npy")
def _():
    a = np.array([1 + 2j, 3], "c16")
    np.save("a.npy", a)
    return {"a.real": a.real, "a.imag": a.imag}


@kind("npy", "NumPy", "a structured array", "a.npy")
def _():
    np.save("a.npy", np.array([(1, 2.5), (3, 4.5)], [("i", "i4"), ("f", "f4")]))
    return {"a.i": [1, 3], "a.f": [2.5, 4.5]}


@kind("npy", "NumPy", "texts (U)", "a.npy")
def _():
    np.save("a.npy", np.array(["a", "bb", "a"]))
    return {"a": np.array(["a", "bb", "a"], object)}


@kind("npz", "NumPy", "compressed, several dtypes", "a.npz", wheel=False)
def _():
    np.savez_compressed("a.npz", x=WHOLE, h=FIELD.astype("f2"), flag=WHOLE > 0)
    return {"x": WHOLE, "h": FIELD.astype("f2"), "flag": WHOLE > 0}
