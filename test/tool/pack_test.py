#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""utet pack: the values of the input come out again, for every kind of input, dtype, rank, tile and codec; the file is
canonical and deterministic; damaged inputs leave nothing. Second sources: NumPy's arrays and writers, struct, and (make
interop) the reference. PACK_RUNS= number of random inputs (120; 10,000 by make check-full)."""
import itertools
import json
import os
import random
import re
import resource
import struct
import subprocess
import tempfile
import zlib

import numpy

from harness import ROOT, TOOL, check, narrow, scratch, summary, utet
from packing import KINDS, dense, pack, put, rows, same, save, sound


# ---- inputs of every kind ----

def kinds_of_input():
    dice = numpy.random.default_rng(1)
    field = numpy.round(dice.normal(size=(37, 53)).cumsum(axis=1), 1).astype("<f4")
    path = save("field.npy", field)
    same("npy", pack(path, "--tile", "8x16"), field, "field")
    same("fortran", pack(save("f.npy", numpy.asfortranarray(field)), "--tile", "8x16"), field)
    same("big-endian", pack(save("b.npy", field.astype(">f4")), "--tile", "8x16"), field)
    same("slab", pack(path, "--tile", "8x16", "--slab", "3:30:2,::5"), field[3:30:2, ::5])
    same("fortran slab", pack(scratch("f.npy"), "--tile", "8x16", "--slab", "3:30:2,::5"), field[3:30:2, ::5])
    cube = dice.integers(0, 9, (7, 11, 13)).astype("<i2")
    same("fortran cube", pack(save("c.npy", numpy.asfortranarray(cube)), "--tile", "2x3x4", "--access", "columns"), cube)
    same("transposed view", pack(save("t.npy", cube.transpose(1, 2, 0)), "--tile", "3x4x2"), cube.transpose(1, 2, 0))
    for saver, name in ((numpy.savez, "s.npz"), (numpy.savez_compressed, "d.npz")):
        saver(scratch(name), alpha=field, beta=cube)
        out = pack(scratch(name), "--tile", "auto")
        same(name, out, field, "alpha")
        same(name, out, cube, "beta")
        same(name + " one", pack(scratch(name) + ":beta", "--tile", "2x3x4"), cube, "beta")
    same("raw", pack(put("x.bin", b"head" + cube.tobytes()), "--dtype", "i16", "--shape", "7x11x13", "--offset", "4"), cube, "x")
    same("scalar", pack(save("one.npy", numpy.float64(2.5))), numpy.float64([2.5]))
    same("bool", pack(save("bool.npy", field > 0)), (field > 0).astype("u1"))
    several = scratch("several.tet")
    os.replace(pack(path, save("c.npy", cube), "--name", "first", "--name", "second", "--tile", "auto"), several)
    same("several", several, field, "first")
    same("several", several, cube, "second")
    sound("several", several)
    again = scratch("again.tet")
    check("tet again", utet("pack", several + ":second", "-o", again, "--slab", "1:6,:,::2", "--tile", "2x2x2")[0] == 0)
    same("tet again", again, cube[1:6, :, ::2], "second")
    same("tet to columns", pack(again, "--access", "columns"), cube[1:6, :, ::2])
    status, out, err = utet("read", several, "first", "-o", scratch("back.npy"))
    check("npy again", status == 0 and numpy.array_equal(numpy.load(scratch("back.npy")), field), err)


def ask(path, arrays, *arguments, most=None, lies=False):
    """Packs headers, and answers the requests for their elements; after `most` bytes this side stops, or answers without the
    last byte. Status, error, requests."""
    (requests, ask_to), (ask_from, answers) = os.pipe(), os.pipe()
    with tempfile.TemporaryFile() as file, subprocess.Popen(
            [TOOL, "pack", *arguments, "--elements", "%d,%d,%d" % (ask_to, ask_from, file.fileno()), "-o", path], stdout=subprocess.DEVNULL,
            pass_fds=(ask_to, ask_from, file.fileno()), stderr=subprocess.PIPE) as process, open(requests, "rb") as asked:
        os.close(ask_to)
        os.close(ask_from)
        count, sent = 0, 0
        dense = [numpy.frombuffer(array.tobytes("A"), "u1") for array in arrays]
        while len(request := asked.read(144)) == 144:
            number, offset, *rest = struct.unpack("=18Q", request)
            array = arrays[number]
            view = numpy.ndarray((*rest[8:8 + array.ndim], array.itemsize), "u1", dense[number], offset, (*rest[:array.ndim], 1))
            data = view.tobytes()
            count += 1
            if most is not None and sent + len(data) > most:
                os.pwrite(file.fileno(), data[:most - sent], 0)
                os.write(answers, b"+" * lies)
                break
            sent += len(data)
            os.pwrite(file.fileno(), data, 0)
            os.write(answers, b"+")
        os.close(answers)
        err = process.stderr.read().decode()
    return process.returncode, err, count


def elements_of_a_program():
    """--elements: headers without data, and a program that has the elements, give the same bytes as files."""
    dice = numpy.random.default_rng(5)
    field = numpy.round(dice.normal(size=(300, 170)).cumsum(axis=1), 1).astype("<f4")
    arrays = {"a": field, "b": dice.integers(0, 9, (20, 11, 13)).astype(">i2"), "c": numpy.asfortranarray(field[:40]), "d": dice.integers(-9, 9, 50).astype("i1"),
              "e": numpy.zeros((0, 3)), "f": dice.integers(0, 200, (1500, 1500)).astype("<f8").cumsum(axis=0)}
    for folder in ("whole", "heads"):
        os.makedirs(scratch(folder), exist_ok=True)
    for name, array in arrays.items():
        numpy.save(scratch("whole/%s.npy" % name), array)
        with open(scratch("heads/%s.npy" % name), "wb") as file:
            numpy.lib.format.write_array_header_1_0(file, numpy.lib.format.header_data_from_array_1_0(array))
    for names, words in (("abcde", ["--for", "rp2040"]), ("e", []), ("a", ["--tile", "7x33", "--access", "columns"]), ("c", ["--tile", "8x8", "--slab", "3:30:2,::5"]),
                         ("abcde", ["--for", "rp2040", "-j", "1"]), ("f", ["--tile", "8x64", "-j", "1"]), ("a", ["--dtype", "f64"]), ("c", ["--scale", "auto"]), ("f", ["--tile", "auto", "--level", "1", "--sample", "8000"])):
        out = pack(*(scratch("whole/%s.npy" % name) for name in names), *words, said="packed into i16" if "--scale" in words else None)
        status, err, count = ask(scratch("asked.tet"), [arrays[name] for name in names], *(scratch("heads/%s.npy" % name) for name in names), *words)
        with open(out, "rb") as one, open(scratch("asked.tet"), "rb") as other:
            check("elements of %s %s" % (names, words), status == 0 and one.read() == other.read() and (count > 0 or names == "e"), (status, err, count))
    for most, threads in itertools.product((0, 1, 5000, field.nbytes - 1), "12"):
        os.remove(scratch("asked.tet")) if os.path.exists(scratch("asked.tet")) else None
        status, err, _ = ask(scratch("asked.tet"), [field], scratch("heads/a.npy"), "--tile", "8x16", "-j", threads, most=most)
        check("a program that stops after %d bytes, %s" % (most, threads), status == 1 and "the other process has stopped" in err and err.count("\n") == 1 and
              not os.path.exists(scratch("asked.tet")), (status, err))
    status, err, _ = ask(scratch("asked.tet"), [field], scratch("heads/a.npy"), "--tile", "8x16", most=4999, lies=True)
    check("an answer without all bytes", status == 1 and "cannot read the requested elements: bytes are missing" in err, (status, err))
    pack(scratch("heads/a.npy"), status=1, pattern="bytes are missing")
    for value in ("3", "3,4", "2,3,4", "3,1,4", "3,4,2", "a,b,c", "3,4,5,6", "3,4,5x", "-3,4,5", ""):
        status, _, err = utet("pack", scratch("whole/a.npy"), "--elements", value, "-o", scratch("out.tet"))
        check("--elements " + value, status == 2 and "invalid value" in err, (status, err))
    status, _, err = utet("pack", scratch("heads/a.npy"), "--tile", "8x16", "--elements", "997,998,999", "-o", scratch("out.tet"))
    check("closed descriptors", status == 1 and "cannot request elements: " in err, (status, err))


def sheets():
    text = b'time, temp ,"x, ""y"""\r\n1,2.5,-3\r\n\n2,,4\n"3",nan,5'
    out = pack(put("t.csv", text), "--tile", "whole")
    same("csv i64", out, narrow([1, 2, 3]), "time")
    same("csv i64", out, narrow([-3, 4, 5]), 'x, "y"')
    values = numpy.frombuffer(dense(out, "temp"), "<f8")
    check("csv f64", values[0] == 2.5 and numpy.isnan(values[1]) and numpy.isnan(values[2]), values)
    single = pack(put("t.csv", b"a\n1\n70000\n"), "--dtype", "f32")
    same("csv f32", single, numpy.array([1, 70000], "<f4"), "a")
    halves = numpy.array([0.1, 65504, 6e-8, 1e-4, 0.333, -2.5, 65519, -65519, 2049, 5.96e-8, 3e-8, 0.00006103], "f8")
    half = pack(put("h.csv", b"a\n" + b"\n".join(b"%.10g" % v for v in halves) + b"\n"), "--dtype", "f16", said=r'column 1 \("a"\): 3 whole numbers are rounded to f16, the first in line 8$')
    same("csv f16", half, halves.astype("<f2"), "a")
    for number, dtype in ((b"65520", "f16"), (b"-1e5", "f16"), (b"3.5e38", "f32"), (b"18446744073709551616", "u64")):
        pack(put("h.csv", b"a\n1\n" + number + b"\n"), "--dtype", dtype, status=1, pattern=r'line 3, column 1 \("a"\): "%s" does not fit %s$' % (number.decode(), dtype))
    for dtype in ("f16", "f32", "f64"):
        infinite = pack(put("h.csv", b"a\ninf\n-inf\n"), "--dtype", dtype)
        same("csv infinities " + dtype, infinite, numpy.array([numpy.inf, -numpy.inf], "<" + dtype[0] + str(int(dtype[1:]) // 8)), "a")
    pack(put("h.csv", b"a\n1\n-1e400\n"), status=1, pattern=r'line 3, column 1 \("a"\): too large for f64, "-1e400"')
    pack(put("h.csv", b"a\n1\x002\n"), status=1, pattern='line 2, column 1: a zero byte after "1"')
    pack(scratch("t.csv"), "--dtype", "u8", status=1, pattern=r'line 3, column 1 \("a"\): "70000" does not fit u8$')
    pack(put("bad.csv", b"a,b\n1,2\n3\n"), status=1, pattern="line 3: 1 field, but the first line has 2 .--comment .3. skips lines that begin so")
    pack(put("bad.csv", b"a,b\n1,2\n3,zz\n"), status=1, pattern=r'line 3, column 2 \("b"\): "zz" is not a number \(--missing "zz" reads it as no value; --drop "b" leaves the column out\)$')
    marked = pack(put("mark.csv", b"\xef\xbb\xbf7,2.5\n8,3\n"))  # the byte order mark that spreadsheets write before UTF-8
    same("csv with a mark: no row is lost", marked, narrow([7, 8]), "column1")
    same("csv with a mark: name", pack(put("mark.csv", b"\xef\xbb\xbfa,b\n7,2\n")), narrow([7]), "a")
    same("csv with a mark: quoted", pack(put("mark.csv", b'\xef\xbb\xbf"a,b"\n7\n')), narrow([7]), "a,b")
    for ends in (b"\n", b"\r\n", b"\r"):
        lines = pack(put("ends.csv", ends.join([b"a,b", b"1,2", b"3,4", b""])))
        same("csv with line ends %r" % ends, lines, narrow([1, 3]), "a")
        same("csv with line ends %r" % ends, lines, narrow([2, 4]), "b")
    for mark, sign in ((b";", b","), (b";", b"."), (b"\t", b","), (b"\t", b".")):  # as spreadsheets write it in countries where 2.5 is 2,5
        lines = [mark.join(line) for line in ([b"a,b", b' "c;\nd" ', b"e"], [b"1", b"2" + sign + b"5", b"-1" + sign + b"5e3"], [b"3", b"", b" 7 "])]
        for first, names in ((0, ["a,b", "c;\nd", "e"]), (1, ["column1", "column2", "column3"])):
            out = pack(put("marks.csv", b"\n".join(lines[first:])))
            same("csv with %r and %r" % (mark, sign), out, narrow([1, 3]), names[0])
            same("csv with %r and %r" % (mark, sign), out, numpy.array([-1500, 7], "<f8"), names[2])
            values = numpy.frombuffer(dense(out, names[1]), "<f8")
            check("csv with %r and %r" % (mark, sign), values[0] == 2.5 and numpy.isnan(values[1]), values)
    pack(put("bad.csv", b"a;b\n1;2,5,0\n"), status=1, pattern=r'line 2, column 2 \("b"\): "2,5,0" is not a number \(--missing "2,5,0" reads it as no value')
    pack(put("bad.csv", b"a;b\n1;1.234,5\n"), status=1, pattern=r'line 2, column 2 \("b"\): "1.234,5" is not a number \(--thousands . reads 1234.5')
    pack(put("bad.csv", b"a;b\n1,5\n"), status=1, pattern="line 2: 1 field, but the first line has 2")
    pack(put("bad.csv", b'"a;b","c"\n1;5,2\n'), status=1, pattern=r'line 2, column 1 \("a;b"\): "1;5" is not a number')
    for wide in "utf-16-le", "utf-16-be":
        same("csv in " + wide, pack(put("wide.csv", "\ufeffµ,\U0001F600\n1,2\n".encode(wide))), narrow([2]), "\U0001F600")
        for cut in (1, 3):
            pack(put("bad.csv", "\ufeffa,b\n1,\U0001F600".encode(wide)[:-cut]), status=1, pattern="bad.csv: damaged UTF-16: .*offset 14")
    for line in (b"1,x\n", b"x,1", b'"7",a,\n\n'):
        pack(put("bad.csv", line), status=1, pattern="the only line mixes numbers and words: it is neither a header nor a row of numbers")
    most = 2 ** 64 - 1
    large = b"a\n%d\n+1\n%d\n" % (most, 2 ** 63)
    for options, dtype in (((), "<u8"), (("--dtype", "u64"), "<u8"), (("--dtype", "f64"), "<f8"), (("--dtype", "f32"), "<f4")):
        rounded = r'column 1 \("a"\): 1 whole number is rounded to %s, the first in line 2$' % options[1] if dtype[1] == "f" else None
        same("csv beyond i64 %s" % dtype, pack(put("large.csv", large), *options, said=rounded), numpy.array([most, 1, 2 ** 63], dtype), "a")
    pack(scratch("large.csv"), "--dtype", "i64", status=1, pattern=r'line 2, column 1 \("a"\): "18446744073709551615" does not fit i64$')
    same("csv: 2^64 is a double", pack(put("large.csv", b"a\n%d\n" % (most + 1))), numpy.array([most + 1], "<f8"), "a")
    for text_, values_, why in ((b"a\n%d\n-1\n" % most, [most, -1], "a range beyond i64 and u64"), (b"a\n%d\n0.5\n" % most, [most, 0.5], "a number with a fraction")):
        pack(put("large.csv", text_), status=1, pattern=r'line 2, column 1 \("a"\): "18446744073709551615" is not exactly a double, and %s makes this column f64 \(--dtype f64 rounds it\)$' % why)
        same("csv: rounded when told", pack(put("large.csv", text_), "--dtype", "f64", said="1 whole number is rounded to f64, the first in line 2$"), numpy.array(values_, "<f8"), "a")
    for name in ("upper.CSV", "tabs.tsv", "tabs.TSV"):
        mark = b"," if name == "upper.CSV" else b"\t"
        same(name, pack(put(name, mark.join((b"a;b", b"c")) + b"\n" + mark.join((b"1", b"2")) + b"\n")
                        if name != "upper.CSV" else put(name, b"a,c\n1,2\n")), narrow([2]), "c")
    same("one column of decimal commas", pack(put("one.tsv", b"a\n2,5\n")), numpy.array([2.5], "<f8"), "a")
    same("csv years as names", pack(put("y.csv", b"place,2020\n1,2\n"), said="the first line has words and numbers, and is read as names .--no-header reads it as data.$"), narrow([2]), "2020")
    for nothing in (b"", b"\n1,2\n", b"\xef\xbb\xbf", b"\r\n"):
        pack(put("bad.csv", nothing), status=1, pattern="bad.csv: the first line is empty; it must contain names or numbers")
    same("csv one column", pack(put("n.csv", b"5\n6\n")), narrow([5, 6]), "column1")
    log = put("log.csv", b"when,temp,hum\n2024-01-01T00:00,1.5,40\n2024-01-01T00:01,1.7,41\n")
    coded = r'column 1 \("when"\): its 2 words are stored as numbers from 0 on, attribute tetration_categories lists them .--times .when=s. stores times as numbers.$'
    same("csv words", pack(log, said=coded), numpy.array([0, 1], "<i8"), "when")
    same("csv words alone", pack(log + ":when", said=coded), numpy.array([0, 1], "<i8"), "when")
    pack(log, "--dtype", "f32", status=1, pattern='line 2, column 1 .*: "2024-01-01T00:00" is not a number .*; --drop "when" leaves the column out.$')
    pack(log + ":where", status=1, pattern='dataset: no column named "where"')
    pack(log + ":tmep", status=1, pattern='no column named "tmep" .did you mean "temp"')
    numpy.savez(scratch("near.npz"), pressure=numpy.zeros(3, "f4"), wind=numpy.zeros(3, "f4"))
    numpy.savez(scratch("mixed.npz"), field=numpy.zeros(3, "f4"), station=numpy.array(["a", "b"]), flags=numpy.zeros(3, "i1"))
    pack(scratch("mixed.npz"), status=1, pattern="dataset: station: unsupported dtype U1; .tet has .*--labels.*IN:ARRAY reads only one array")
    same("int8 of an archive", pack(scratch("mixed.npz") + ":flags"), numpy.zeros(3, "<i2"), "flags")
    foreign()
    same("one array of several", pack(scratch("mixed.npz") + ":field"), numpy.zeros(3, "<f4"), "field")
    pack(scratch("near.npz") + ":presure", status=1, pattern='no array named "presure" .did you mean "pressure"')
    same("csv column beside one of words", pack(log + ":hum"), narrow([40, 41]), "hum")
    same("csv columns beside one of words", pack(log + ":hum", log + ":temp"), numpy.array([1.5, 1.7], "<f8"), "temp")
    resource_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    many = put("many.csv", b"\n".join(b",".join(b"%d" % (row * 200 + i) for i in range(200)) for row in range(3)))
    status, _, err = utet("pack", many, "-o", scratch("many.tet"),
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource_limit[1])))
    check("more columns than files may be open at first", status == 0, err)
    same("the last of many columns", scratch("many.tet"), narrow([199, 399, 599]), "column200")
    same("csv choice", pack(put("t.csv", text) + ":time"), narrow([1, 2, 3]), "time")


def png(width, height, channels, depth, interlace, data):
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    stride = width * channels * depth // 8
    lines = b"".join(b"\0" + data[i * stride:(i + 1) * stride] for i in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlace)) +
            chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def pictures():
    dice = numpy.random.default_rng(2)
    for channels, depth in ((1, 8), (3, 8), (4, 8), (1, 16)):
        shape = (9, 14) if channels == 1 else (9, 14, channels)
        data = dice.integers(0, 1 << depth, shape).astype(">u%d" % (depth // 8))
        path = put("p.png", png(14, 9, channels, depth, 0, data.tobytes()))
        same("png %d %d" % (channels, depth), pack(path, "--tile", "auto"), data.astype("<u%d" % (depth // 8)), "p")
    pack(put("p.png", png(14, 9, 1, 8, 0, bytes(126))[:-30]), status=1, pattern="PNG")


def series():
    """Pictures as one stack: the elements of NumPy's own stack, in the order of the command line, and the names of the files as
    labels."""
    dice = numpy.random.default_rng(3)
    for channels, depth in ((1, 8), (3, 8), (4, 16)):
        shape = (5, 7) if channels == 1 else (5, 7, channels)
        arrays = [dice.integers(0, 1 << depth, shape).astype(">u%d" % (depth // 8)) for _ in range(4)]
        paths = [put("frame_%02d.png" % i, png(7, 5, channels, depth, 0, a.tobytes())) for i, a in enumerate(arrays)]
        order = [2, 0, 3, 1]
        whole = numpy.stack([arrays[i] for i in order]).astype("<u%d" % (depth // 8))
        given = [paths[i] for i in order]
        out = pack(*given, "--series")
        same("series %d %d" % (channels, depth), out, whole, "frame")
        sound("series %d %d" % (channels, depth), out)
        report = json.loads(utet("info", "--json", out)[1])
        about = report["metadata"]["datasets"]["frame"]
        check("shape of a series", [d["shape"] for d in report["datasets"]] == [list(whole.shape)], report["datasets"])
        check("axes of a series", about["dim_names"] == ["picture", "y", "x", "channel"][:whole.ndim], about)
        check("labels of a series", about["coords"]["picture"]["labels"] == ["frame_%02d" % i for i in order], about)
        status, got, err = utet("read", out, "frame", "--slab", "picture=frame_03", "--format", "raw")
        check("a picture by its name", status == 0 and got == arrays[3].astype(whole.dtype).tobytes(), err)
        same("slab of a series", pack(*given, "--series", "--slab", "1:3,::2" + ",:" * (whole.ndim - 2)), whole[1:3, ::2], "frame")
    out = pack(*given, "--series", "--name", "film", "--dims", "t,b,a,c", "--metadata", "keep")
    about = json.loads(utet("info", "--json", out)[1])["metadata"]["datasets"]["film"]
    check("--dims renames the axes of a series, with their labels", about["dim_names"] == ["t", "b", "a", "c"] and
          about["coords"] == {"t": {"labels": ["frame_%02d" % i for i in order]}}, about)
    one = pack(paths[0], "--series")
    same("a series of one", one, arrays[0][None].astype("<u2"), "frame")
    status, text, err = utet("pack", *given, "--series", "--dry-run")
    check("--dry-run of a series", status == 0 and re.search(r"^frame +4 pictures +u16 +4 x 5 x 7 x 4", text.decode(), re.M), (text, err))
    same("names of digits", pack(put("001.png", png(7, 5, 1, 8, 0, bytes(35))), "--series"), numpy.zeros((1, 5, 7), "u1"), "series")
    film = [numpy.full((5, 7), i, "u1") for i in range(65)]
    frames = [put("f%d.png" % i, png(7, 5, 1, 8, 0, a.tobytes())) for i, a in enumerate(film)]
    long = pack(*frames, "--series", said=r"f0\.png: PNG: --series: 65 pictures get no labels, because an axis of \.tet has at most 64$")
    same("more pictures than labels", long, numpy.stack(film), "f")
    check("its axes", json.loads(utet("info", "--json", long)[1])["metadata"]["datasets"]["f"]["dim_names"] == ["picture", "y", "x"], "others")
    grey = put("grey.png", png(7, 5, 1, 8, 0, bytes(35)))
    for name, data, said in (("wide", png(8, 5, 1, 8, 0, bytes(40)), "5 x 8 u8"), ("tall", png(7, 6, 1, 8, 0, bytes(42)), "6 x 7 u8"),
                             ("deep", png(7, 5, 1, 16, 0, bytes(70)), "5 x 7 u16"), ("colour", png(7, 5, 3, 8, 0, bytes(105)), "5 x 7 x 3 u8")):
        pack(grey, put(name + ".png", data), "--series", status=1, pattern=r"%s\.png: PNG: --series: the picture is %s, but that of \S*/grey\.png "
             r"is 5 x 7 u8; give pictures of one size and kind$" % (name, said))
    pack(grey, put("cut.png", png(7, 5, 1, 8, 0, bytes(35))[:-30]), "--series", status=1, pattern="cut.png: damaged PNG")
    pack(grey, save("a.npy", numpy.zeros(3)), "--series", status=1, pattern=r"a\.npy: --series takes PNG pictures; omit it, or this file$")
    pack(grey + ":grey", "--series", status=1, pattern=r'grey\.png: dataset: --series takes whole pictures; omit ":grey"$')
    pack(grey, "--series", "--shape", "5x7", "--dtype", "u8", status=2, pattern="--series takes PNG pictures, --shape raw data; omit one of them")
    pack(grey, "--series", "--name", "a", "--name", "b", status=1, pattern="--name given 2 times for 1 dataset")
    moved = pack(os.path.join(ROOT, "golden", "demo", "demo_planet.tet") + ":station_log", "--dims", "when,where", "--metadata", "keep")
    coords = json.loads(utet("info", "--json", moved)[1])["metadata"]["datasets"]["station_log"]["coords"]
    check("--dims takes along the labels of a .tet input", "where" in coords and "station" not in coords, sorted(coords))


def foreign():
    """A dtype that .tet does not have is reported as NumPy prints it, with all dtypes that .tet has and the nearest solution,
    which works."""
    has = ".tet has float16/32/64, int16/32/64, uint8/16/32/64. "
    for array, name, advice, way_out in [
            (numpy.arange(3).astype("complex64"), "complex64", "array.real and array.imag are two arrays", lambda a: a.imag),
            (numpy.arange(3) * 1j, "complex128", "array.real and array.imag are two arrays", lambda a: a.real),
            (numpy.arange(3).astype("longdouble"), "float128", "array.astype('float64') has fewer digits", lambda a: a.astype("float64")),
            (numpy.arange(3).astype("M8[ns]"), "datetime64[ns]", "array.astype('int64') counts its units", lambda a: a.astype("int64")),
            (numpy.arange(3).astype("m8[D]"), "timedelta64[D]", "array.astype('int64') counts its units", lambda a: a.astype("int64")),
            (numpy.zeros(3, [("a", "<f4"), ("b", "i1")]), "of records", "array['NAME'] is one field", lambda a: a["a"]),
            (numpy.array([1, 2.5], object), "object", "array.astype('float64') if they are numbers", lambda a: a.astype("float64")),
            (numpy.array(["1", "22"]), "U2", "array.astype('float64') if they are numbers (labels of an axis: --labels)", lambda a: a.astype("float64")),
            (numpy.array([b"1", b"22"]), "S2", "array.astype('float64') if they are numbers (labels of an axis: --labels)", lambda a: a.astype("float64")),
            (numpy.zeros(3, "V4"), "V4", "array.view('uint8') has its bytes", lambda a: a.view("uint8"))]:
        numpy.save(scratch("foreign.npy"), array, allow_pickle=True)
        pack(scratch("foreign.npy"), status=1, pattern=re.escape("foreign.npy: unsupported dtype %s; %sIn NumPy: %s" % (name, has, advice)) + "$")
        same("way out of " + name, pack(save("near.npy", way_out(array))), way_out(array))
    for unknown in ("q9", "i16"):
        header = b"\x93NUMPY\x01\0\x40\0" + (b"{'descr': '<%s', 'fortran_order': False, 'shape': (3,), }" % unknown.encode()).ljust(64)
        pack(put("foreign.npy", header + bytes(48)), status=1, pattern=re.escape("unsupported dtype %s; %sIn NumPy: array.astype('float64')" % (unknown, has)) + "$")
    for kind in ("?", ">f4", ">i8", ">u2", ">f2"):
        array = numpy.array([1, 0, 1]).astype(kind)
        same("dtype " + kind, pack(save("near.npy", array)), array.astype(array.dtype.newbyteorder("<")))


# ---- every dtype, rank, shape ----

def random_array(dice, kind, shape):
    size = numpy.dtype(kind).itemsize
    count = int(numpy.prod(shape, dtype="u8"))
    style = dice.randrange(4)
    if style == 0:  # any bits, with NaN payloads among them
        data = dice.randbytes(count * size)
    elif style == 1:
        data = bytes(count * size)
    else:
        some = [dice.randbytes(size) for _ in range(dice.choice([2, 5, 40]))]
        data = b"".join(dice.choice(some) for _ in range(count))
    return numpy.frombuffer(data, kind).reshape(shape)


def random_inputs(count):
    dice = random.Random("pack")
    names = list(KINDS)
    for number in range(count):
        kind = KINDS[names[number % 10]]
        rank = number % 8 + 1
        most = [0, 400, 30, 12, 7, 5, 4, 3, 3][rank]
        shape = [dice.randint(0 if dice.random() < 0.05 else 1, most) for _ in range(rank)]
        array = random_array(dice, kind, shape)
        tile = [dice.randint(1, extent + 1) if extent else 1 for extent in shape]
        options = ["--tile", "auto" if dice.random() < 0.2 else "x".join(map(str, tile)),
                   "--codec", dice.choice(["raw", "zstd", "auto"]), "--level", str(dice.choice([1, 3, 9, 19])),
                   "--access", dice.choice(["rows", "columns", "tiles", "frames", "all"]), "-j", str(dice.choice([1, 2, 3])),
                   "--align", str(dice.choice([1, 8, 512]))]
        if dice.random() < 0.5:
            options += ["--checksum", dice.choice(["zstd", "all", "none"])]
        if dice.random() < 0.5:
            options += ["--for", dice.choice(["microbit", "rp2040", "linux64", "stm32vldiscovery"])]
        out = scratch("random.tet")
        path = save("random.npy", numpy.asfortranarray(array) if dice.random() < 0.3 else array)
        status, _, err = utet("pack", path, "-o", out, *options)
        good = status == 0 and dense(out) == array.tobytes()
        check("random %d: %s %s %s" % (number, kind, shape, " ".join(options)), good, err or "elements differ")
        if number % 7 == 0:
            disorder = "columns" in options or options[options.index("--align") + 1] != "1"
            sound("random %d" % number, out, ("payload_order",) if disorder else ())


# ---- the file ----

def checksums_for_all():
    """--checksum all: tiles that zstd does not make smaller become frames of raw blocks. Sizes are as in RFC 8878; libzstd
    (through the tool's verify) and the built-in decoder read them; one changed byte of any tile is found."""
    noise = numpy.random.default_rng(5).integers(0, 256, (3, 70000), "u1")
    path = save("noise.npy", noise)
    for codec in ("zstd", "raw", "auto"):
        for tile, block in (("1x70000", 1), ("3x70000", 2), ("1x1000", 1)):
            out = pack(path, "--tile", tile, "--codec", codec, "--checksum", "all")
            data, index = rows(out)
            check("all of them are frames", all(row[5] == 1 for row in index), index)
            check("raw blocks: %s, %s" % (codec, tile), all(row[4] == row[3] + 13 + 3 * block for row in index), index)
            check("elements", dense(out) == noise.tobytes())
            told = utet("verify", "--deep", out)[1].decode()
            check("what was checked", "all %d chunks agree with their checksums" % len(index) in told, told)
    for row in index[::40]:
        for at in (row[2] + 12, row[2] + row[4] - 5, row[2] + row[4] - 1):
            broken = bytearray(data)
            broken[at] ^= 1
            with open(scratch("broken.tet"), "wb") as f:
                f.write(broken)
            status, told, _ = utet("verify", "--deep", scratch("broken.tet"))
            check("one changed bit is found", status == 1 and b"checksum" in told, told[-300:])
    zeros = save("zeros.npy", numpy.zeros((64, 64), "<f4"))
    data, index = rows(pack(zeros, "--tile", "16x16", "--codec", "raw", "--checksum", "all"))
    check("raw blocks where zstd would do better", all(row[4] == row[3] + 16 for row in index), index)
    data, index = rows(pack(zeros, "--tile", "16x16", "--codec", "raw"))
    check("raw tiles stay raw unless asked for", all(row[5] == 0 for row in index), index)
    check("a wrong word", utet("pack", zeros, "-o", scratch("x.tet"), "--checksum", "some")[0] == 2)


def canonical():
    field = numpy.arange(40 * 50, dtype="<i4").reshape(40, 50)
    path = save("field.npy", field)
    out = pack(path, "--tile", "16x32", "--codec", "zstd")
    data, index = rows(out)
    check("rows are row-major", [row[1][:2] for row in index] == [(i, j) for i in range(3) for j in range(2)], index)
    check("payloads are one behind the other", all(a[2] + a[4] == b[2] for a, b in zip(index, index[1:])), index)
    sound("canonical", out)
    for row in index:
        frame = data[row[2]:row[2] + row[4]]
        single = frame[4] & 0x20
        check("a frame says its size", row[5] == 0 or (frame[:4] == b"\x28\xb5\x2f\xfd" and single), frame[:8])
        check("a checksum unless told otherwise", row[5] == 0 or frame[4] & 4, frame[:8])
    bare = rows(pack(path, "--tile", "16x32", "--codec", "zstd", "--checksum", "none"))
    check("no checksum", all(not bare[0][row[2] + 4] & 4 for row in bare[1] if row[5] == 1), "")
    check("a checksum takes 4 bytes", all(a[4] == b[4] + 4 for a, b in zip(index, bare[1])), (index, bare[1]))
    checksums_for_all()
    columns = rows(pack(path, "--tile", "16x32", "--codec", "zstd", "--access", "columns"))[1]
    order = [row[1][:2] for row in sorted(columns, key=lambda row: row[2])]
    check("columns lie together", order == [(i, j) for j in range(2) for i in range(3)], order)
    told = utet("verify", scratch("out.tet"))[1].decode()
    check("an order of one's own is harmless", re.search("^warning  payload_order .*: harmless, readers go by the rows$", told, re.M), told)
    aligned = rows(pack(path, "--tile", "16x32", "--codec", "zstd", "--align", "8"))[1]
    check("payloads aligned", all(row[2] % 8 == 0 for row in aligned), aligned)
    half = numpy.concatenate([numpy.zeros((20, 50), "<i2"), numpy.random.default_rng(1).integers(0, 9999, (20, 50), "<i2")])
    mixed = rows(pack(save("mixed.npy", half), path, "--tile", "5x7"))[1]
    check("raw tiles and zstd ones", {row[5] for row in mixed} == {0, 1}, mixed)
    sound("raw tiles and zstd ones", scratch("out.tet"))
    noise = save("noise.npy", numpy.frombuffer(os.urandom(4096), "u1"))
    check("the smaller of raw and zstd", all(row[5] == 0 for row in rows(pack(noise, "--codec", "zstd", "--tile", "512"))[1]))
    first = data
    for jobs in ("1", "2", "5"):
        again = rows(pack(path, "--tile", "16x32", "--codec", "zstd", "-j", jobs))[0]
        check("the same bytes, -j " + jobs, again == first, "differ")
    for options in (["--verify", "stored"], ["--verify", "stored", "-j", "3"], ["--verify", "elements", "-j", "3"]):
        again = rows(pack(path, "--tile", "1x1", "--codec", "zstd", *options))[0]  # 2,000 tiles: several batches and threads
        check("the same bytes, " + " ".join(options), again == rows(pack(path, "--tile", "1x1", "--codec", "zstd"))[0], "differ")
    pack(path, "--verify", "nothing", status=2, pattern="--verify: invalid value")
    date = os.environ.pop("SOURCE_DATE_EPOCH")
    os.utime(path, (1234567890, 1234567890))
    check("the input's time", b'"at":"1234567890"' in rows(pack(path, "--tile", "16x32"))[0])
    os.environ["SOURCE_DATE_EPOCH"] = date


def footers():
    field = numpy.zeros((3, 4), "<f4")
    path = save("field.npy", field)
    document = put("m.json", json.dumps({"datasets": {"field": {"attrs": {"units": "K", "note": "n\n\u00e9"},
                                                                "dim_names": ["y", "x"],
                                                                "coords": {"x": {"labels": ["a", "b", "c", "d"]}}}}}).encode())
    out = pack(path, "--meta", document, "--attr", "field:source=test", "--labels", "y=1,2,3")
    info = json.loads(utet("info", "--json", out)[1])
    about = info["metadata"]["datasets"]["field"]
    check("metadata", about == {"attrs": {"note": "n\n\u00e9", "source": "test", "units": "K"}, "dim_names": ["y", "x"],
                                "coords": {"x": {"labels": ["a", "b", "c", "d"]}, "y": {"labels": ["1", "2", "3"]}}}, about)
    check("event", [(e["op"], e["source"], e["at"]) for e in info["history"]] == [("pack", "field.npy", "1700000000")],
          info["history"])
    again = scratch("again.tet")
    check("again", utet("pack", out, "-o", again, "--metadata", "keep", "--slab", ":,1::2")[0] == 0)
    info = json.loads(utet("info", "--json", again)[1])
    check("kept", [e["op"] for e in info["history"]] == ["pack", "pack"] and
          info["metadata"]["datasets"]["field"]["coords"]["x"]["labels"] == ["b", "d"], info["metadata"])
    check("none", utet("pack", out, "-o", again, "--metadata", "none")[0] == 0)
    check("none", "datasets" not in json.loads(utet("info", "--json", again)[1])["metadata"])
    attributes = ["--attr=k%d=%s" % (i, "v" * 1000) for i in range(60)]
    small = pack(path, *attributes, "--attr", "units=K")
    info = json.loads(utet("info", "--json", small)[1])
    check("small", info["metadata"]["datasets"]["field"]["attrs"] == {"units": "K"}, info["metadata"])
    large = pack(path, *attributes, "--metadata", "keep")
    check("kept in the footer", len(json.loads(utet("info", "--json", large)[1])["metadata"]["datasets"]["field"]["attrs"]) == 60)
    several = [save("n%d.npy" % i, field) for i in range(2)]
    spilled = pack(*several, *attributes, "--metadata", "keep")
    check("spilled", b'"metadata_ref"' in rows(spilled)[0])
    sound("spilled", spilled)
    for arguments, pattern in [(["--dims", "y"], "has 2 axes, but --dims gives 1 names"),
                               (["--dims", "y,y"], 'field.*: --dims gives the name "y" to two axes; name them differently'), (["--attr", "x="], "1 to 1,024 bytes"),
                               (["--dims", "y,x", "--labels", "x=a,b,c"], "axis x of field has 4 elements, but --labels gives 3 labels"),
                               (["--dims", "lat,lon", "--labels", "lan=a,b,c"], 'no axis named "lan" .did you mean "lat"'),
                               (["--labels", "x=a,b,c,d"], "no axis named .x.; set names with --dims"),
                               (["--meta", put("bad.json", b'{"datasets":{"field":{"attrs":3}}}')], "expected JSON such as"),
                               (["--meta", put("none.json", b'{"field":{"attrs":{"a":"b"}}}')], 'expected ..datasets'),
                               (["--meta", put("near.json", b'{"datasets":{"feild":{}}}')], 'no dataset named "feild" .did you mean "field"'),
                               (["--dims", "feild:y,x"], 'no dataset named "feild" .did you mean "field"'),
                               (["--attr", "feild:units=K"], 'no dataset named "feild" .did you mean "field"'),
                               (["--dims", "y,x", "--labels", "Field:y=1,2,3"], 'no dataset named "Field" .did you mean "field"'),
                               (["--meta", put("other.json", b'{"datasets":{"other":{}}}')], 'no dataset named "other"')]:
        pack(path, *arguments, status=1, pattern=pattern)
    pack(save("long.npy", numpy.zeros(65)), "--dims", "x", "--labels", "x=" + ",".join(map(str, range(65))), status=1,
         pattern="more than 64 labels")
    out = pack(several[0], save("m.npy", numpy.zeros((4, 2))), "--dims", "n0:y,x", "--dims", "m:x,z", "--labels", "x=a,b,c,d")
    about = json.loads(utet("info", "--json", out)[1])["metadata"]["datasets"]
    check("labels where the axis is", all(about[n]["coords"] == {"x": {"labels": ["a", "b", "c", "d"]}} for n in ("n0", "m")), about)


def indexes():
    """--index keep: zone maps and indexes of a file of the reference stay, and are valid for the new file, as verify --deep
    confirms."""
    for source in (os.path.join(ROOT, "tool", "indexed.tet"), os.path.join(ROOT, "golden", "tet", "U_embedded_zone.tet")):
        name = os.path.basename(source)
        old, new = (utet("info", path)[1].decode() for path in (source, pack(source, "--index", "keep", "--codec", "zstd")))
        sizes = [re.findall(r"^(zone maps|indexes) +[\d,]+ +([\d,]+)", text, re.M) for text in (old, new)]
        check("kept of " + name, sizes[0] == sizes[1] and sizes[0], sizes)
        status, out, err = utet("verify", "--deep", "--json", scratch("out.tet"))
        report = json.loads(out)
        names = {f["check"] for f in report["findings"] if f["severity"] != "info"}
        check("they hold in " + name, status == 0 and not names & {"zone_maps_data", "indexes_data", "footer_zone_maps",
                                                                   "footer_indexes"}, (err, report["findings"]))
        check("elements of " + name, utet("diff", source, scratch("out.tet"))[1].count(b"]: ") == 0)
        check("dropped of " + name, not re.search("^(zone maps|indexes) ", utet("info", pack(source))[1].decode(), re.M))
        if name == "indexed.tet":
            pack(source + ":wind", "--index", "keep", status=1, pattern="requires one whole .tet file")
            pack(source, save("other.npy", numpy.zeros(3)), "--index", "keep", status=1, pattern="requires one whole .tet file")


kinds_of_input()
elements_of_a_program()
sheets()
pictures()
series()
canonical()
footers()
indexes()
random_inputs(int(os.environ.get("PACK_RUNS", "120")))
summary()
