#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Foreign headers and texts: the tool accepts what NumPy, zipfile or zlib accept, with the same values. It refuses
everything else with its position, and reports what it omits. Every --json of every command is JSON in UTF-8, for any
names in the file. Second sources: NumPy for .npy, zipfile for archives, PNG decoded by hand, Python's json."""
import ast
import glob
import io
import json
import os
import random
import re
import resource
import struct
import warnings
import zipfile
import zlib

import numpy

from harness import ROOT, check, expect, header_length, scratch, summary, tet_header, utet, with_tail

os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
QUICK = ("--tile", "whole", "--codec", "raw", "-j", "1")


def put(name, data):
    with open(scratch(name), "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    return scratch(name)


def pack(path, *options):
    """(exit status, standard error, path of the .tet)"""
    out = scratch("out.tet")
    if os.path.exists(out):
        os.remove(out)
    status, _, err = utet("pack", path, *QUICK, *options, "-o", out)
    return status, err, out


def elements(path, name="#0"):
    return utet("read", path, name, "--format", "raw")[1]


# ---- .npy ----

DATA = bytes(range(1, 49))
KNOWN = {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1", "?"}
TEXT = r"""u?(?:'[^'"\\\n]*'|"[^'"\\\n]*")"""
EXTENT = r"(?:0+|[1-9][0-9]*)L?"
BLANK = r"[ \t\n\r\f]*"
SHAPE = r"\(%s(?:%s%s,(?:%s%s%s,)*(?:%s%s)?)?%s\)" % (BLANK, EXTENT, BLANK, BLANK, EXTENT, BLANK, BLANK, EXTENT, BLANK)
PAIR = "(?P<k%%d>%s)%s:%s(?P<v%%d>%s|True|False|%s)" % (TEXT, BLANK, BLANK, TEXT, SHAPE)
CLOSED = re.compile(r"[ \t]*\{B" .replace("B", BLANK) + (BLANK + "," + BLANK).join(PAIR % (i, i) for i in range(3)) + BLANK + "(?:," + BLANK + r")?\}" + BLANK)


def npy(header, version=(1, 0), data=DATA):
    text = header if isinstance(header, bytes) else header.encode("latin-1")
    size = struct.pack("<H", len(text)) if version[0] == 1 else struct.pack("<I", len(text))
    return b"\x93NUMPY" + bytes(version) + size + text + data


def by_numpy(file):
    """The array; None if it is refused."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return numpy.load(io.BytesIO(file), allow_pickle=False)
    except Exception:  # of many kinds
        return None


def within_grammar(header, version):
    """Whether the header is one that the tool promises to read, as a regular expression, independently of the
    reader."""
    match = CLOSED.fullmatch(header)
    if match is None:
        return False
    pairs = {ast.literal_eval(match["k%d" % i]): match["v%d" % i] for i in range(3)}
    if set(pairs) != {"descr", "fortran_order", "shape"} or pairs["fortran_order"] not in ("True", "False"):
        return False
    if pairs["descr"][0] not in "u'\"" or pairs["shape"][0] != "(" or ("L" in pairs["shape"] and version[0] > 2):
        return False
    kind = ast.literal_eval(pairs["descr"])
    return (kind[1:] if kind[:1] in ("<", ">", "|", "=") else kind) in KNOWN and len(re.findall(r"\d+", pairs["shape"])) <= 8


def headers(dice):
    """Headers as writers write them, and similar ones."""
    good = [("'%s'" % dice.choice(["<f4", ">f4", "<i2", ">u8", "|u1", "|b1", "=i4", "f4", "u2", "<f2", "<f8"])),
            dice.choice(["True", "False"]), dice.choice(["()", "(3,)", "(2, 3)", "(3, 2, )", "(2,3)", "(2L, 3L)", "(0,)", "(1, 2, 3)", "(00, 4)", "(6,)"])]
    odd = [["'<f4 '", "'i1'", "'<c8'", "'O'", "[('a', '<f4')]", "'<f4", "<f4", "u'<i2'", "b'<i2'", "'\\x3cf4'", "'<' 'f4'", "''", "'<f44'", "'float32'", "'<M8[ns]'", "('<f4')", "None"],
           ["true", "false", "1", "0", "'True'", "True or False", "not True", "Truee", "None", "TRUE", "(True)"],
           ["(3)", "[2, 3]", "(2, 3", "2, 3", "(,)", "(3,,)", "(-1,)", "(+2,)", "(2.0,)", "(0x2,)", "(02,)", "(2_0,)", "(True, 3)", "(2 3)", "('2', 3)", "(2, 3) + ()",
            "(1, 1, 1, 1, 1, 1, 1, 1, 2)", "(18446744073709551616,)", "(4294967296, 4294967296)", "(3LL,)", "(3l,)", "((2, 3))"]]
    values = [dice.choice(odd[i]) if dice.random() < 0.25 else good[i] for i in range(3)]
    keys = ["descr", "fortran_order", "shape"]
    quote = dice.choice(["'", "'", '"'])
    pairs = [(quote + k + quote, v.replace("'", quote)) for k, v in zip(keys, values)]
    if dice.random() < 0.3:
        dice.shuffle(pairs)
    if dice.random() < 0.08:
        pairs.append(dice.choice(pairs))
    if dice.random() < 0.06:
        pairs.append(("'%s'" % dice.choice(["order", "Shape", "", "descr "]), "1"))
    if dice.random() < 0.05:
        pairs.pop()
    if dice.random() < 0.05:
        i = dice.randrange(len(pairs))
        pairs[i] = (dice.choice(["u", "b", "", "r"]) + pairs[i][0].strip(dice.choice(["'", "x"])), pairs[i][1])
    blank = lambda: dice.choice(["", " ", "", "  ", "\t", "\n"]) if dice.random() < 0.3 else ""
    text = "{" + blank() + ", ".join(k + blank() + ": " + blank() + v + blank() for k, v in pairs) + dice.choice([", }", "}", ",}", ",,}", " }", "", "]"] if dice.random() < 0.2 else [", }", "}"])
    text = dice.choice(["", " ", "\n", "#", "("] if dice.random() < 0.1 else [""]) + text
    text += dice.choice([" \n", "\n", "   ", "", " # c", "\0", "x", "\n\n", ")"] if dice.random() < 0.3 else ["    \n"])
    return text


def npy_headers():
    dice = random.Random("npy")
    taken = refused = ours = 0
    for number in range(int(os.environ.get("STRICT_HEADERS", "260"))):
        header = headers(dice)
        version = dice.choice([(1, 0), (1, 0), (2, 0), (3, 0)] if dice.random() < 0.9 else [(1, 1), (0, 1), (4, 0), (2, 1)])
        match = CLOSED.fullmatch(header)
        try:
            told = ast.literal_eval(re.sub(r"(\d)L", r"\1", header).strip())
            size = numpy.dtype(told["descr"]).itemsize * int(numpy.prod(told["shape"]))
        except Exception:
            size = 24
        file = npy(header, version, DATA[:size] if 0 <= size <= len(DATA) else DATA)
        want = by_numpy(file)
        if want is not None and want.ndim == 0:
            want = want.reshape(1)
        status, err, out = pack(put("h.npy", file))
        what = "npy %d: %r %s" % (number, header, version)
        if status == 0:
            taken += 1
            if want is not None and want.dtype == numpy.int8:  # is stored as i16
                want = want.astype("<i2")
            same = want is not None and list(want.shape) == utet_shape(out) and elements(out) == numpy.ascontiguousarray(want.astype(want.dtype.newbyteorder("<"))).tobytes()
            check(what + " is taken as NumPy takes it", same and err == "", "NumPy: %r" % (want,))
        else:
            refused += 1
            check(what + " is refused with its place", status == 1 and re.search(r"header: .*\(offset \d+\)$|unsupported dtype .*In NumPy: |header: unsupported .npy version|bytes are missing|extra bytes|too many", err.strip()), err)
            may = want is None or match is None or not within_grammar(header, version)
            ours += want is not None
            check(what + " is refused, and lies within what is promised", may, err)
    check("both happen", taken > 40 and refused > 60 and ours < refused / 2, (taken, refused, ours))


def utet_shape(path):
    return json.loads(utet("info", path, "--json")[1])["datasets"][0]["shape"]


def npy_cases():
    """field/npy n54, n50, and the kinds that they represent. NumPy refuses the refused ones, except keys given twice,
    of which it uses the last."""
    values = struct.pack("<6h", 1, 2, 3, 4, 5, 6)
    for order in ("true", "1", "0", "false", "None", "'True'", '"True"'):
        text = "{'descr': '<i2', 'fortran_order': %s, 'shape': (2, 3), }\n" % order
        check("NumPy refuses " + order, by_numpy(npy(text, data=values)) is None)
        status, err, _ = pack(put("n.npy", npy(text, data=values)))
        check("fortran_order is " + order, status == 1 and "header: fortran_order must be True or False (offset 44)" in err, err)
    for twice in ("'shape': (2, 3), 'shape': (3, 2)", "'shape': (2, 3), \"shape\": (2, 3)", "'descr': '<i2', 'shape': (2, 3)"):
        status, err, _ = pack(put("n.npy", npy("{'descr': '<i2', 'fortran_order': False, %s}" % twice, data=values)))
        check("a key twice: " + twice, status == 1 and "a key is given twice" in err, err)
    for quotes in ('{"descr": "<i2", "fortran_order": True, "shape": (2, 3)}', "{'shape': (2L, 3L), u'descr': u'<i2', \"fortran_order\":True}\n"):
        file = npy(quotes, data=values)
        status, err, out = pack(put("n.npy", file))
        check("as NumPy: " + quotes, status == 0 and elements(out) == numpy.ascontiguousarray(by_numpy(file)).tobytes(), err)
    whole = npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n", data=values)
    for length in range(len(whole)):
        status, err, _ = pack(put("n.npy", whole[:length]))
        check("the first %d bytes of a .npy file" % length, status == 1 and len(err.splitlines()) == 1, err)


# ---- .npz ----

def archive(members, method=zipfile.ZIP_STORED):
    """members: name, bytes"""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, data in members:
            z.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


def saved(array):
    out = io.BytesIO()
    numpy.save(out, array)
    return out.getvalue()


def archives():
    one, two = numpy.arange(6, dtype="<i2").reshape(2, 3), numpy.array([0.5, 2.5])
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        members = [("w.npy", saved(one)), ("README.txt", b"what the arrays are"), ("config.json", b"{}"), ("layer/", b""),
                   ("layer/v.npy", saved(two)), ("plain", saved(two)), ("empty.txt", b""), ("short", b"\x93NUM")]
        status, err, out = pack(put("a.npz", archive(members, method)))
        left = [("README.txt"), "config.json", "layer/", "empty.txt", "short"]
        check("other members are named", status == 0 and err.splitlines() == ['utet: %s: archive: member "%s" is not an array, and is skipped' % (scratch("a.npz"), n) for n in left], err)
        check("their arrays are read", [elements(out, n) for n in ("w", "layer/v", "plain")] == [one.tobytes(), two.tobytes(), two.tobytes()])
        status, err, out = pack(scratch("a.npz") + ":layer/v")
        check("one array: others are not mentioned", status == 0 and err == "" and elements(out) == two.tobytes(), err)
        expect("a member that is none", ["pack", scratch("a.npz") + ":README.txt", "-o", scratch("o.tet")], 1, 'archive: member "README.txt" is not an array')
        mac = archive([("a.npy", saved(one)), ("__MACOSX/._a.npy", b"\0\5\x16\7" + bytes(8)), ("none.npy", b"")], method)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            told = numpy.load(io.BytesIO(mac))
            arrays = [n for n in told.files if isinstance(told[n], numpy.ndarray)]
        status, err, out = pack(put("m.npz", mac))
        check("called .npy and none, as archives from a Mac have them", status == 0 and arrays == ["a"] and elements(out, "a") == one.tobytes() and
              [re.search('"(.*)"', line)[1] for line in err.splitlines()] == ["__MACOSX/._a.npy", "none.npy"], err)
        status, err, _ = pack(put("b.npz", archive([("w.npy", b"text")], method)))
        check("called .npy and none, alone", status == 1 and 'member "w.npy" is not an array' in err and err.endswith("the archive contains no arrays\n"), err)
        status, err, _ = pack(put("b.npz", archive([("x.txt", b"text")], method)))
        check("no arrays", status == 1 and "the archive contains no arrays" in err, err)
    bzip = put("b.npz", archive([("w.npy", saved(one))], zipfile.ZIP_BZIP2))
    expect("another method", ["pack", bzip, "-o", scratch("o.tet")], 1, 'member "w": unsupported compression method')
    expect("a name twice", ["pack", put("b.npz", archive([("w.npy", saved(one)), ("w.npy", saved(two))])), "-o", scratch("o.tet")], 1, 'two datasets are named "w"; rename')
    whole = bytearray(archive([("w.npy", saved(one))]))
    whole[6] |= 1
    whole[whole.index(b"PK\1\2") + 8] |= 1
    expect("encrypted", ["pack", put("b.npz", whole), "-o", scratch("o.tet")], 1, 'member "w" is encrypted')


def damaged_archives():
    """One bit is flipped: the file is refused, or read as zipfile and NumPy read it."""
    one, two = numpy.arange(6, dtype="<i2"), numpy.array([0.5, 2.5])
    dice = random.Random("npz")
    taken = 0
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        whole = archive([("w.npy", saved(one)), ("note", b"text"), ("v.npy", saved(two))], method)
        for number in range(110):
            bad = bytearray(whole)
            at = dice.randrange(len(bad))
            bad[at] ^= 1 << dice.randrange(8)
            status, err, out = pack(put("bad.npz", bad))
            if status == 0:
                taken += 1
                try:
                    told = numpy.load(io.BytesIO(bytes(bad)))
                    names = [i["name"] for i in json.loads(utet("info", out, "--json")[1])["datasets"]]
                    want = [told[n].tobytes() for n in names]
                    right = sorted(names) == sorted(n for n in told.files if n in names or n + ".npy" in told.zip.namelist())
                except Exception as e:
                    names, want, right = [], None, str(e)
                check("npz bit %d of %s" % (at, method), right is True and [elements(out, n) for n in names] == want, (right, err))
            else:
                check("npz bit %d of %s" % (at, method), status == 1 and err.startswith("utet: "), err)
    for length in range(0, len(whole), 7):
        check("the first %d bytes of an archive" % length, pack(put("bad.npz", whole[:length]))[0] == 1)
    check("some bits say nothing", taken > 20, taken)


# ---- PNG ----

def picture(width, height, depth, kind, lines, extra=b""):
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    body = b"".join(b"\0" + line for line in lines)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)) +
            (extra(chunk) if extra else b"") + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b""))


def transparent_pictures():
    """tRNS states which colour is transparent: the alpha channel that follows from it is 0 there, otherwise the
    maximum."""
    for depth in (1, 2, 4, 8, 16):
        most = (1 << depth) - 1
        values = [0, most, most // 2, 1 % (most + 1), most, 0, most, most]
        bits = "".join(format(v, "0%db" % depth) for v in values)
        line = int(bits, 2).to_bytes(len(bits) // 8, "big")
        status, err, out = pack(put("t.png", picture(8, 1, depth, 0, [line], lambda c: c(b"tRNS", struct.pack(">H", most)))))
        dtype, top = ("<u2", 65535) if depth == 16 else ("u1", 255)
        scale = 1 if depth == 16 else 255 // most
        want = numpy.array([[v * scale, 0 if v == most else top] for v in values], dtype)
        check("grey of %d bits with a transparent one" % depth, status == 0 and err == "" and utet_shape(out) == [1, 8, 2] and elements(out) == want.tobytes(), err)
    for depth in (8, 16):
        size = ">u%d" % (depth // 8)
        values = numpy.array([[1, 2, 3], [3, 2, 1], [255, 255, 255], [1, 2, 3]], size)
        top = 255 if depth == 8 else 65535
        status, err, out = pack(put("t.png", picture(4, 1, depth, 2, [values.tobytes()], lambda c: c(b"tRNS", struct.pack(">3H", 1, 2, 3)))))
        want = numpy.concatenate([values, numpy.array([[0], [top], [top], [0]])], axis=1).astype("<u%d" % (depth // 8))
        check("colours of %d bits with a transparent one" % depth, status == 0 and err == "" and elements(out) == want.tobytes(), err)
    palette = bytes([10, 20, 30, 40, 50, 60])
    status, err, out = pack(put("t.png", picture(2, 1, 8, 3, [b"\0\1"], lambda c: c(b"PLTE", palette) + c(b"tRNS", b"\x07"))))
    check("a palette with opacity", status == 0 and err == "" and elements(out) == bytes([10, 20, 30, 7, 40, 50, 60, 255]), err)
    for depth, line in ((1, b"\x40"), (4, b"\x09"), (8, b"\0\2"), (8, b"\xff\0")):
        few = palette[:3] if depth == 1 else palette
        status, err, _ = pack(put("t.png", picture(2, 1, depth, 3, [line], lambda c: c(b"PLTE", few))))
        check("a number beyond the palette, in %d bits: %r" % (depth, line), status == 1 and "damaged PNG: colour" in err and "is out of range; the palette has" in err, err)
    status, err, out = pack(put("t.png", picture(2, 1, 8, 0, [b"\0\1"], lambda c: c(b"acTL", struct.pack(">II", 2, 0)))))
    check("an animation is said", status == 0 and "PNG: the file is an animation; only its first picture is read" in err and len(err.splitlines()) == 1, err)
    status, err, out = pack(put("t.png", picture(2, 1, 8, 0, [b"\0\1"], lambda c: c(b"tRNS", b"\0\1")[:-1] + b"?")))
    check("what libpng leaves out is said", status == 0 and "PNG: tRNS: CRC error" in err and elements(out) == b"\0\1", err)


# ---- labels, zero bytes, JSON ----

def labelled(labels, name=b"a"):
    count = len(labels)
    data = numpy.arange(count, dtype="<i4").tobytes()
    about = {"history": [], "metadata": {"datasets": {name.decode(): {"dim_names": ["x"], "coords": {"x": {"labels": labels}}}}}}
    sets = [(name, 3, [count], [count])]
    at = header_length(sets, 1)
    return tet_header(sets, [(0, [0], at, 4 * count, 4 * count, 0)], 1) + data + with_tail(json.dumps(about).encode())


def doubled_labels():
    """Of two indices with the same label, the reference uses the first (src/tet/FORMAT.md, 12): --slab asks which one, and a
    query reports it."""
    path = put("labels.tet", labelled(["p", "q", "r", "q", "s" * 70]))
    for slab, places in (("x=q", "1 and 3"), ("x=q:", "1 and 3"), ("x=:q", "1 and 3"), ('x="q"', "1 and 3")):
        expect("--slab " + slab, ["read", path, "a", "--slab", slab, "--format", "csv"], 1, 'axis 0: the label "q" is ambiguous: indices %s have it; use an index' % places)
    check("a label that is there once", expect("one", ["read", path, "a", "--slab", "x=r", "--format", "csv"], 0) == b"2\n")
    odd = ['"q"', 'a"b', "a:b", "x=y", ",", '"', '""', "\u00e9", "e\u0301", " 1", "0.1", "0.10"]
    path = put("odd.tet", labelled(odd))
    for place, label in enumerate(odd):
        word = 'x="%s"' % label.replace('"', '""')
        check("--slab " + word, expect("odd", ["read", path, "a", "--slab", word, "--format", "csv"], 0) == b"%d\n" % place)
        expect("--slab and something behind " + word, ["read", path, "a", "--slab", word + "q"], 1, "expected start:stop:step, at \"q\"|unterminated quote|no place is called")
    path = put("labels.tet", labelled(["p", "q", "r", "q", "s" * 70]))
    for selection, told in (({"start_label": "q"}, ["start_label"]), ({"stop_label": "q"}, ["stop_label"]), ({"start_label": "r"}, []), ({"stop_label": "s" * 70}, []),
                            ({"start_label": "p", "stop_label": "q"}, ["stop_label"])):
        document = put("q.json", json.dumps({"dataset": "a", "selection": [selection], "sum": []}).encode())
        status, out, err = utet("query", path, document, "--json")
        lines = ["utet: %s: query: `%s` on axis 0: indices 1 and 3 have this label; the first one is used" % (document, key) for key in told]
        check("query %s" % selection, status == 0 and err.splitlines() == lines and b"operation_sum" in out, err)


def doubled_axes():
    """A name of two axes refers to neither of them."""
    numpy.save(scratch("a.npy"), numpy.zeros((2, 3), "<i4"))
    out = pack(scratch("a.npy"), "--meta", put("m.json", '{"datasets": {"a": {"dim_names": ["t", "t"]}}}'))[2]
    expect("an axis's name twice", ["read", out, "--slab", "t=0"], 1, 'axis name "t" is ambiguous: several axes have it; use the number of an axis, from 0$')
    check("by its number", expect("0=1", ["read", out, "--slab", "0=1", "--format", "csv"], 0) == b"0,0,0\n")


def zero_bytes():
    """A zero byte in a name does not truncate a message."""
    name = b"a\0bc"
    sets = [(name, 1, [2], [2])]
    at = header_length(sets, 1)
    files = [put("zero%d.tet" % i, tet_header(sets, [(0, [0], at, 8, 8, 0)]) + struct.pack("<2f", 1, i)) for i in (2, 3)]
    for what, arguments in (("info", ["info", files[0]]), ("names", ["info", "-1", files[0]]), ("verify", ["verify", files[0]]), ("diff", ["diff", *files]),
                            ("fit", ["fit", files[0], "--for", "microbit"])):
        check("a zero byte in " + what, b"a\\x00bc" in utet(*arguments)[1], utet(*arguments)[1])
    for document, words in (({"dataset": "a\0bc", "su\0m": []}, "unknown field `su\\x00m`"), ({"dataset": "a\0bd", "sum": []}, 'no dataset named "a\\x00bd"')):
        status, _, err = utet("query", files[0], put("q.json", json.dumps(document).encode()))
        check("a zero byte in a message: " + words, status == 1 and words in err, err)
    status, out, err = utet("query", files[0], put("q.json", json.dumps({"dataset": "a\0bc", "sum": []}).encode()))
    check("a zero byte in a heading", out.startswith(b"sum of a\\x00bc, "), out)
    status, _, err = utet("query", files[0], put("q.json", json.dumps({"dataset": "a\0bc", "spill": "x\0y"}).encode()))
    check("a zero byte in the name of a file", status == 1 and "`spill`: the file name contains a zero byte" in err and not os.path.exists(scratch("x")), err)


def is_json(what, arguments):
    status, out, err = utet(*arguments)
    try:
        if status == 0 or out:
            json.loads(out.decode("utf-8"), parse_constant=lambda c: 1 / 0)
        right = True
    except (ValueError, ZeroDivisionError) as e:
        right = str(e)
    check("JSON of " + what, right is True, (right, out[:200]))
    return status, err + ("U+FFFD" if b'_hex":"' in out and "\ufffd".encode() in out else "")


def json_everywhere():
    odd = ['"', "\\", "\n", "\0", "\x7f", "\x1f", "\u2028", "é", "\U0001f600", "</script>"]
    for letters in odd:
        path = put("odd.tet", labelled([letters, "b"], ("a" + letters).encode()))
        for command in (["info", path, "--json"], ["verify", path, "--json"], ["verify", "--deep", path, "--json"], ["fit", path, "--for", "microbit", "--json"]):
            status, err = is_json("%s with %r" % (command[0], letters), command)
            check("%s with %r" % (command[0], letters), status == 0, err)
        document = put("q.json", json.dumps({"dataset": "a" + letters, "selection": [{"start_label": letters}], "sum": []}).encode())
        for more in ([], ["--plan"], ["--preview", "3"]):
            is_json("query with %r" % letters, ["query", path, document, "--json", *more])
    for name in (b"f\xff.tet", b"f\xed\xa0\x80.tet", b'f"\n\x1b.tet'):
        path = os.path.join(os.fsencode(scratch("")), name)
        with open(path, "wb") as file:
            file.write(labelled(["a", "b"]))
        status, err = is_json("query of a file called %r" % name, ["query", path, put("q.json", '{"dataset":"a","sum":[]}'), "--json"])
        check("query of a file called %r" % name, status == 0 and ("U+FFFD" in err) == (name[1] > 127), err)
    dice = random.Random("json")
    said = 0
    for folder, command, end, count in (("tiledb", ["schema", "--json"], "as_it_is_dense.schema", 45), ("tensogram", ["messages", "--json"], ".tgm", 45)):
        files = sorted(glob.glob(os.path.join(ROOT, "golden", folder, "good", "*" + end)))
        for number in range(count):
            with open(dice.choice(files), "rb") as file:
                data = bytearray(file.read())
            names = [m for m in re.finditer(rb"[a-z_]{2,}", bytes(data))]
            if not names or len(data) > 200000:
                continue
            for _ in range(dice.choice([1, 3])):
                name = dice.choice(names)
                data[dice.randrange(name.start(), name.end())] = dice.choice([0xFF, 0xC3, 0x80, 0xED, 0xF4, 0, 10, 34, 92, 127, 0x1B])
            path = put("odd", data)
            status, err = is_json("%s %d" % (folder, number), [command[0], path, *command[1:]] + (["--kind", "schema"] if folder == "tiledb" else []))
            said += "U+FFFD" in err
    check("what is no UTF-8 is said, or told in hex beside", said > 0, said)


def given_metadata():
    """--meta: an unknown key, a repeated key, or text after the object would be lost silently."""
    numpy.save(scratch("a.npy"), numpy.zeros(2))
    good = '{"datasets": {"a": {"attrs": {"datasets": "x", "q\\"": "}", "e": "[,"}, "dim_names": ["x"], "coords": {"x": {"labels": ["{", "b,"]}}}}, "file": {"tool": "t", "more": "m"}}'
    status, err, out = pack(scratch("a.npy"), "--meta", put("m.json", " \n" + good + "\n\t"))
    about = json.loads(utet("info", out, "--json")[1])["metadata"]["datasets"]["a"]
    check("--meta is kept", status == 0 and err == "" and about == json.loads(good)["datasets"]["a"], (err, about))
    for text, words in (('{"dataset": {}}', 'unknown key "dataset" (did you mean "datasets"?'), ('{"datasets": {"a": {"atrs": {"k": "v"}}}}', 'unknown key "atrs" (did you mean "attrs"?'),
                        ('{"datasets": {"a": {"coords": {"x": {"label": ["a", "b"]}}}}}', 'unknown key "label" (did you mean "labels"?'), ('{"datasets": {"a": {}}, "history": []}', 'unknown key "history"'),
                        ('{"datasets": {"a": {"attrs": {"k": "1", "k": "2"}}}}', 'the key "k" is given twice'), ('{"datasets": {"a": {}, "a": {}}}', 'the key "a" is given twice'),
                        ('{"datasets": {"a": {}}}, "history": []', "text after the JSON object"), ('{"datasets": {"a": {}}} {}', "text after the JSON object"),
                        ("[]", "not a JSON object such as"), ("", "not a JSON object such as"), ("\0", "not a JSON object such as"), ('{"a":' * 200, "unknown key"), ('{"datasets":{"a":{"attrs":' + '{"a":' * 200, "deeper than 128")):
        status, err, _ = pack(scratch("a.npy"), "--meta", put("m.json", text))
        check("--meta %.40r" % text, status == 1 and words in err and len(err.splitlines()) == 1, err)
    for length in range(len(good)):
        check("the first %d bytes of --meta" % length, pack(scratch("a.npy"), "--meta", put("m.json", good[:length]))[0] == 1)
    dice = random.Random("meta")
    for number in range(60):
        bad = bytearray(good.encode())
        bad[dice.randrange(len(bad))] = dice.choice(b'{}[]",:\\ \0x1\xff')
        status, err, out = pack(scratch("a.npy"), "--meta", put("m.json", bytes(bad)))
        try:
            want = json.loads(bad.decode(), object_pairs_hook=once)
        except ValueError:
            want = None
        if status == 0:
            got = json.loads(utet("info", out, "--json")[1])["metadata"]["datasets"]["a"]
            check("--meta %d: %r" % (number, bytes(bad)), want is not None and {k: v for k, v in want["datasets"]["a"].items() if v} == got, (want, got))
        else:
            check("--meta %d: %r" % (number, bytes(bad)), status == 1 and len(err.splitlines()) == 1, err)


def once(pairs):
    if len({k for k, _ in pairs}) != len(pairs):
        raise ValueError("twice")
    return dict(pairs)


def limited_files():
    """Beyond `ulimit -f` there is an error line and exit status 1, and no file is left."""
    path = put("labels.tet", labelled([str(i) for i in range(60)]))
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    for what, arguments in (("read", ["read", path, "-o", scratch("small.npy")]), ("pack", ["pack", path, "-o", scratch("small.tet")]), ("show", ["show", path, "-o", scratch("small.png")]),
                            ("export", ["export", path, "--c", "-o", scratch("small.c")])):
        status, _, err = utet(*arguments, preexec_fn=limit)
        check(what + " within ulimit -f", status == 1 and "File too large" in err and not glob.glob(scratch("small.*")), (status, err))


npy_cases()
npy_headers()
archives()
damaged_archives()
transparent_pictures()
doubled_labels()
doubled_axes()
zero_bytes()
json_everywhere()
given_metadata()
limited_files()
summary()
