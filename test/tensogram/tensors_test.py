# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""tool_test.py UTET LISTS: `utet message FILE N --object I` on the tensors of lists (list.py): raw bytes have the reference's SHA-256; .npy
as NumPy reads it, CSV and text have the same numbers, and `show` draws them; encodings that are only named are refused. LISTS: pairs of
list and folder. With a third argument, the folder of the vectors: tensors with a fault in descriptor or data are refused, never crash."""
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from tally import check, end, skip  # noqa: E402

try:
    import numpy
except ImportError:
    skip("values of tensors through the tool: no numpy")
    sys.exit(end())

UTET = sys.argv[1]
DTYPES = "? <f2 - <f4 <f8 <c8 <c16 i1 <i2 <i4 <i8 u1 <u2 <u4 <u8 -".split()


def run(*args):
    return subprocess.run([UTET, "message", *args], capture_output=True)


def check_formats(path, where, words):
    raw = run(path, *where, "--format", "raw")
    if int(words[7]) >= 7 or max(int(w) for w in words[17:26:3]) >= 7:
        check((path, where, "named codec"), raw.returncode == 1 and b"not supported by utet" in raw.stderr)
        return
    check((path, where, raw.stderr), hashlib.sha256(raw.stdout).hexdigest() == words[26])
    dtype = DTYPES[int(words[3])]
    if int(words[8]) > 3000:
        return
    npy = run(path, *where, "--format", "npy")
    text = run(path, *where, "--format", "csv").stdout.replace(b",", b" ").split()
    plain = run(path, *where, "--format", "text").stdout.splitlines()
    plain = b" ".join(l for l in plain if not l.startswith(b"#")).split()
    if dtype == "-" and int(words[3]) == 15:
        want = numpy.unpackbits(numpy.frombuffer(raw.stdout, "u1"))[:int(words[8])]
        check((path, "npy"), numpy.array_equal(numpy.load(io.BytesIO(npy.stdout)).ravel(), want.astype(bool)))
        check((path, "csv"), [int(t) for t in text] == list(want))
    elif dtype == "-":
        want = (numpy.frombuffer(raw.stdout, "<u2").astype("<u4") << 16).view("<f4")
        check((path, "csv"), numpy.array_equal(numpy.array([float(t) for t in text], "<f4"), want, equal_nan=True))
    else:
        want = numpy.frombuffer(raw.stdout, dtype)
        check((path, "npy"), numpy.load(io.BytesIO(npy.stdout)).ravel().tobytes() == raw.stdout)
        kind = complex if dtype[1] == "c" else float if dtype[1] == "f" else int
        check((path, "csv"), numpy.array_equal(numpy.array([kind(t.decode()) for t in text], dtype), want, equal_nan=kind is not int))
        check((path, "text"), plain == text)


def check_slab(path, where, words):
    """A part of the tensor is what NumPy selects from the complete one; for bits, one byte each."""
    if int(words[7]) >= 7 or max(int(w) for w in words[17:26:3]) >= 7 or not 0 < int(words[8]) <= 3000:
        return
    whole = numpy.load(io.BytesIO(run(path, *where, "--format", "npy").stdout))
    if whole.ndim == 0:
        return
    slab = ",".join(f"{n // 3}:{n}:2" for n in whole.shape)
    want = whole[tuple(slice(n // 3, n, 2) for n in whole.shape)]
    npy = run(path, *where, "--slab", slab, "--format", "npy")
    got = numpy.load(io.BytesIO(npy.stdout))
    check((path, "slab", slab), got.shape == want.shape and got.dtype == want.dtype and got.tobytes() == want.tobytes())
    check((path, "slab, raw"), run(path, *where, "--slab", slab, "--format", "raw").stdout == want.tobytes())
    text = run(path, *where, "--slab", slab, "--format", "csv").stdout.replace(b",", b" ").split()
    check((path, "slab, csv"), len(text) == want.size)
    refused = run(path, *where, "--slab", f"{whole.shape[0]}:" + ",:" * (whole.ndim - 1))
    check((path, "slab outside", refused.stderr), refused.returncode == 1 and b"slab" in refused.stderr)
    check((path, "slab of a descriptor"), run(path, *where, "--slab", slab, "--descriptor").returncode == 2)


def check_picture(path, where, words):
    """`utet show` of a tensor draws the same picture as of the same numbers in a .tet file."""
    if int(words[7]) >= 7 or max(int(w) for w in words[17:26:3]) >= 7 or int(words[8]) == 0 or int(words[28]) != 0:
        return
    with tempfile.TemporaryDirectory() as folder:
        npy, tet, png, other = (os.path.join(folder, n) for n in ("a.npy", "a.tet", "a.png", "b.png"))
        run(path, *where, "--format", "npy", "-o", npy)
        values = numpy.load(npy)
        if values.dtype.kind == "V":
            values = (values.view("<u2").astype("<u4") << 16).view("<f4")
        values = numpy.abs(values).astype("<f8") if values.dtype.kind == "c" else values.astype("<f8")
        values = values.reshape([n for n in values.shape if n > 1] or [1])
        if values.ndim > 2:
            return
        numpy.save(npy, values)
        done = [subprocess.run([UTET, *a], capture_output=True) for a in (
            ["pack", npy, "-o", tet], ["show", tet, "--bare", "-o", other], ["show", path, *where, "--bare", "-o", png])]
        check((path, "show", [d.stderr for d in done]), all(d.returncode == 0 for d in done))
        if all(d.returncode == 0 for d in done):
            with open(png, "rb") as a, open(other, "rb") as b:
                check((path, "picture"), a.read() == b.read())


def main():
    lists = sys.argv[2].split()
    for name, folder in zip(lists[::2], lists[1::2]):
        with open(name) as f:
            for line in f:
                words = line.split()
                check_formats(os.path.join(folder, words[0]), (words[27], "--object", words[28]), words)
                check_slab(os.path.join(folder, words[0]), (words[27], "--object", words[28]), words)
                check_picture(os.path.join(folder, words[0]), (words[27], "--object", words[28]), words)
    if len(sys.argv) > 3:
        with open(os.path.join(sys.argv[3], "manifest.json")) as f:
            vectors = json.load(f)["vectors"]
        for v in vectors:
            if v["kind"] == "bad" and "desc" in v.get("features", [os.path.basename(v["file"]).split("_")[0]]):
                done = run(os.path.join(sys.argv[3], v["file"]), "0", "--format", "raw")
                check((v["file"], v["reader"], done.returncode), done.returncode in ((1,) if v["reader"] == "reject" else (0, 1)))
    sys.exit(end())


main()
