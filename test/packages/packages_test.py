#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Each package with only what its README names: packages_test.py WORK [PACKAGE…]

Copies the folders and headers that src/NAME/README.md names into an empty folder, compiles them there with warnings as errors (gcc, and
arm-none-eabi-gcc if it is there), links the program NAME.c in the folder of this script, and runs it on real input. The output is
compared with
a second source: golden.txt, frames.tsv, manifests of other libraries, Python's zlib, libaec, RFC 8949, arithmetic in fractions. The
source of a package on which others depend is compiled once, in that package's own folder. The lists of src/packages.mk are compared with
the README and with the symbols of the objects; the README's figures with test/size/last.tsv and with the compiler's sizeof.
"""
import concurrent.futures
import ctypes
import fractions
import glob
import gzip
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib

sys.path[:0] = ["src/tools", "test/tools"]
import tally  # noqa: E402
from packages import Packages, version as version_of_header  # noqa: E402
from tally import check  # noqa: E402

HERE = os.path.dirname(__file__)
WARN = "-std=c99 -Os -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -ffunction-sections -fdata-sections -Iinclude".split()
COMPILERS = {"host": ["gcc"], "m0plus": ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb"]}
PAGE_LINES, NAMED = 60, re.compile(r"`((?:src/)?[\w/.]+)`")


def read(path, mode="r"):
    with open(path, mode, **({} if "b" in mode else {"encoding": "utf-8"})) as f:
        return f.read()


def page(name):
    """The names in the README's paragraph "You want": folders and files, files that are left out, headers."""
    text = read(f"src/{name}/README.md")
    check(f"src/{name}/README.md has more than {PAGE_LINES} lines", text.count("\n") <= PAGE_LINES)
    first = re.search(r"^You want [^\n].*?(?=\n\n)", text, re.M | re.S)
    check(f"src/{name}/README.md does not begin with what one wants", first is not None)
    take, _, leave = (first.group(0) if first else "").partition("Leave out")
    taken = NAMED.findall(take)
    return text, [path for path in taken if path.startswith("src/")], NAMED.findall(leave), [path for path in taken if path.endswith(".h") and "/" not in path]


def copy(work, paths, left, headers):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work + "/include")
    for path in paths:
        if os.path.isdir(path):
            shutil.copytree(path, f"{work}/{path}")
        else:
            os.makedirs(os.path.dirname(f"{work}/{path}"), exist_ok=True)
            shutil.copy(path, f"{work}/{path}")
    for path in left:
        os.remove(f"{work}/{path}")
    for header in headers:
        shutil.copy("include/" + header, work + "/include")


def compiled(work, machine, sources):
    """The objects of these sources, made in the folder `work`."""
    def one(source):
        target = f"{machine}/{source[:-2]}.o"
        os.makedirs(os.path.dirname(f"{work}/{target}"), exist_ok=True)
        done = subprocess.run([*COMPILERS[machine], *WARN, "-c", source, "-o", target], cwd=work, capture_output=True, text=True, check=False)
        return f"{work}/{target}", done
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for target, done in pool.map(one, sources):
            if done.returncode:
                check(f"{work} [{machine}]: " + next((line for line in done.stderr.split("\n") if "error" in line), "?"), False)
            else:
                yield target


def symbols(objects):
    """The symbols that objects define for others, and those that they need."""
    lines = subprocess.run(["nm", *objects], capture_output=True, text=True, check=False).stdout.split("\n")
    found = [match.groups() for match in (re.match(r"[0-9a-f ]* ([A-Za-z]) (utet_\w+)$", line) for line in lines) if match]
    defined = {name for kind, name in found if kind in "TRDB"}
    return defined, {name for kind, name in found if kind == "U"} - defined


# ---- inputs, arguments and the expected output ----

def golden(name):
    """A raw golden file, and the reference's digest of its first dataset."""
    text = read("test/golden/golden.txt").split(f" {name} ", 1)[1]
    return read("test/golden/tet/" + name, "rb"), re.search(r"^dense 0 \d+ ([0-9a-f]{64})$", text, re.M).group(1)


def elements():
    """The elements of a raw file of one row, found by its offset in golden.txt and checked by their digest."""
    data, digest = golden("B02_i16_1d.tet")
    for at in range(len(data) - 19):
        if hashlib.sha256(data[at:at + 20]).hexdigest() == digest:
            return data, struct.unpack("<10h", data[at:at + 20])
    raise SystemExit("packages_test.py: the elements are not in the file in one piece")


def szip_encoded(samples):
    class Stream(ctypes.Structure):
        _fields_ = [("next_in", ctypes.c_char_p), ("avail_in", ctypes.c_size_t), ("total_in", ctypes.c_size_t), ("next_out", ctypes.c_void_p),
                    ("avail_out", ctypes.c_size_t), ("total_out", ctypes.c_size_t), ("bits", ctypes.c_uint), ("block", ctypes.c_uint),
                    ("rsi", ctypes.c_uint), ("flags", ctypes.c_uint), ("state", ctypes.c_void_p)]
    out = ctypes.create_string_buffer(2 * len(samples) + 4096)
    stream = Stream(samples, len(samples), 0, ctypes.addressof(out), len(out), 0, 16, 16, 128, 8, None)
    if ctypes.CDLL("libaec.so.0").aec_buffer_encode(ctypes.byref(stream)) != 0:
        raise SystemExit("packages_test.py: libaec refuses the samples")
    return out.raw[:stream.total_out]


def lz4_encoded(data):
    library = ctypes.CDLL("liblz4.so.1")
    out = ctypes.create_string_buffer(len(data) + 1024)
    length = library.LZ4_compress_default(data, out, len(data), len(out))
    return out.raw[:length]


def case(name):
    """(input, arguments, output or its SHA-256) of a package's program."""
    text = read("test/golden/tet/F04_text_multiblock.tet", "rb")[:4096]
    if name == "base":
        version = dict(re.findall(r"UTET_VERSION_(\w+) (\d+)$", read("include/utet.h"), re.M))
        words = re.search(r'TEXT\(UTET_E_ARGUMENT, "(.*)"\)', read("src/base/status_texts.h")).group(1)
        return b"\x34\x12", [], f"{version['MAJOR']}.{version['MINOR']}.{version['PATCH']}\n{words}\n4660\n".encode()
    if name == "zstd":
        row = read("test/golden/foreign/frames.tsv").split("\n")[1].split("\t")
        frames = read("test/golden/foreign/frames.bin", "rb")
        return frames[int(row[0]):int(row[0]) + int(row[1])], [row[2]], row[3]
    if name == "inflate":
        return zlib.compress(text), [str(len(text))], text
    if name == "szip":
        return szip_encoded(text), [str(len(text))], text
    if name == "lz4":
        block = struct.pack("<I", len(text)) + lz4_encoded(text)
        return read("test/golden/tet/B02_i16_1d.tet", "rb") + block, [str(len(text)), str(len(block))], text
    if name == "tet":
        data, digest = golden("B01_i16_zstd.tet")
        return data, [], digest
    if name == "cbor":  # RFC 8949, appendix A: {"a": 1, "b": [2, 3]}
        return bytes.fromhex("a26161016162820203"), [], b"map\na\n1\nb\nlist\n2\n3\nclose\nclose\n"
    if name == "tiledb":
        expected = json.loads(gzip.decompress(read("test/golden/tiledb/expected.json.gz", "rb")))
        name = "m0638_two_chunks"
        schema = expected[f"expected/{name}.schema.json"]["schema"]
        return read(f"test/golden/tiledb/good/{name}.schema", "rb"), [], "".join(each["name"] + "\n" for each in schema["attributes"]).encode()
    if name == "tensogram":
        manifest = json.loads(read("test/golden/tensogram/expected/dtype_int16_little.tgm.json"))
        frame = manifest["messages"][0]["objects"][0]
        data = read("test/golden/tensogram/good/dtype_int16_little.tgm", "rb")
        return data, [], data[frame["frame_offset"] + 16:][:frame["payload_region_length"]]  # after the frame's header of 16 bytes
    data, values = elements()
    mean = f"{float(fractions.Fraction(sum(values), len(values))):.17g}\n".encode()
    return data, ['{"dataset": "a", "mean": []}'] if name == "query" else [], mean


def codec_of_the_page(at, objects):
    """The example of src/tet/CODEC.md: pairs of a count and a byte; valid, truncated, too long, and with bytes after the end."""
    with open(f"{at}/codec.c", "w", encoding="utf-8") as f:
        f.write(re.search(r"```c\n(/\* example: codec \*/.*?)```", read("src/tet/CODEC.md"), re.S).group(1))
    done = subprocess.run(["gcc", *WARN, "codec.c", *(os.path.relpath(path, at) for path in objects), "-Wl,--gc-sections", "-o", "codec"],
                          cwd=at, capture_output=True, text=True, check=False)
    check(f"src/tet/CODEC.md: {done.stderr[:300]}", done.returncode == 0)
    pairs, file = bytes([3, 97, 255, 98, 1, 99]), read("test/golden/tet/B02_i16_1d.tet", "rb")
    for payload, size, expected in ((pairs, 259, b"aaa" + 255 * b"b" + b"c"), (pairs[:5], 259, None), (pairs, 258, None), (pairs, 260, None),
                                    (pairs + bytes(1), 259, None), (b"\0a" + pairs, 259, None)):
        done = subprocess.run([f"{at}/codec", str(size), str(len(payload))], input=file + payload, capture_output=True, check=False)
        right = done.stdout == expected if expected else done.stdout == b"damaged chunk payload\n"
        check(f"src/tet/CODEC.md, {len(payload)} bytes to {size}: {done.returncode} {done.stdout[:60]}", done.returncode == (0 if expected else 2) and right)


def figures(name, text, work, headers):
    """The README's figures: "N bytes of flash (`configuration`)" on Cortex-M4, and "`utet_type` N bytes" on 32-bit machines."""
    sizes = {tuple(row[:2]): int(row[2]) for row in (line.split("\t") for line in read("test/size/last.tsv").split("\n")) if row[0] == "m4"}
    told = re.findall(r"([\d,]+) bytes of flash \(`(\w+)`\)", text)
    check(f"src/{name}/README.md tells no flash", bool(told) or "no figure of its own" in text)
    for number, configuration in told:
        check(f"src/{name}/README.md: {number} bytes of flash, {sizes.get(('m4', configuration))} in test/size/last.tsv: {configuration}",
              int(number.replace(",", "")) == sizes.get(("m4", configuration)))
    types = re.findall(r"`(utet_\w+)` ([\d,]+) bytes", text)
    source = "".join(f'#include "{header}"\n' for header in headers)
    source += "".join(f"extern char told_{i}[sizeof({kind}) == {size.replace(',', '')} ? 1 : -1];\n" for i, (kind, size) in enumerate(types))
    if shutil.which(COMPILERS["m0plus"][0]):
        done = subprocess.run([*COMPILERS["m0plus"], "-std=c99", "-Iinclude", "-fsyntax-only", "-x", "c", "-"], cwd=work, input=source,
                              capture_output=True, text=True, check=False)
        check(f"src/{name}/README.md: a size differs: {done.stderr.strip()[:300]}", done.returncode == 0)


def manifests(packages):
    """What the manifests of other build systems state is what src/packages.mk has; they take everything else from
    it."""
    told = {"port/conan/conanfile.py": [("license", packages.licence), ("description", packages.description)], "meson.build": [("license", packages.licence)],
            "library.json": [("version", version_of_header()), ("description", packages.description)],
            "idf_component.yml": [("version", version_of_header()), ("description", packages.description), ("license", packages.licence)]}
    for path, pairs in told.items():
        for key, value in pairs:
            found = re.findall(rf"""\b{key}"?(?: =|:) ["']([^"']*)["']""", read(path))
            check(f"{path}: {key} is {found}, src/packages.mk has {value}", found == [value])
    for path in ("port/rust/Cargo.toml", "port/rust/sys/Cargo.toml"):
        told = dict(re.findall(r'^(version|license|description) = "(.*)"$', read(path), re.M))
        check(f"{path}: {told}", told == {"version": version_of_header(), "license": packages.licence, "description": packages.description})
    check("port/rust/Cargo.toml: version of microtet-sys", re.findall(r'microtet-sys = { version = "=([^"]*)"', read("port/rust/Cargo.toml")) == [version_of_header()])
    for path in ("port/INTEGRATE.md", "port/rust/README.md", "test/packages/rust/app/Cargo.toml", "test/packages/rust/firmware/Cargo.toml"):
        shown = re.findall(r'path = "microtet(?:-sys)?-([0-9.]*)"', read(path))
        check(f"{path} has the crates {shown}", shown == [version_of_header()] * 2)
    compiled = re.search(r"const PACKAGES: .* = \[(.*)\];", read("port/rust/sys/build.rs")).group(1)
    check(f"port/rust/sys/build.rs compiles {compiled}", re.findall(r"\w+", compiled) == packages.all("tet"))
    check(f"src/packages.mk: ports {packages.ports}", all(glob.glob(f"port/{name}/*.c") and os.path.exists(f"port/{name}/README.md") for name in packages.ports))
    for path in ("CMakeLists.txt", "meson.build", "zephyr/module.yml"):
        check(f"{path} does more than point into port/", len([line for line in read(path).split("\n") if line and line[0] != "#"]) <= 7)


def main():
    work, packages = sys.argv[1], Packages()
    manifests(packages)
    names = packages.all(*sys.argv[2:]) if sys.argv[2:] else packages.names
    folders = {os.path.dirname(path).split("/")[1] for path in glob.glob("src/*/*.c") + glob.glob("src/*/*/*.c")}
    check(f"src/packages.mk does not list the folders of src/: {folders ^ set(packages.names)}", folders - {"abi"} == set(packages.names))
    check("each header has one package",
          sorted(header for name in packages.names for header in packages.own_headers[name] if header != "utet_io.h") ==
          sorted(os.path.basename(path) for path in glob.glob("include/*.h") if not path.endswith("utet_io.h")))
    objects, defined = {}, {}
    for name in names:
        text, paths, left, headers = page(name)
        below = packages.all(name)
        check(f"src/{name}/README.md names {sorted(paths)}, src/packages.mk has {below}",
              {path for path in paths if os.path.isdir(path)} == {"src/" + each for each in below})
        check(f"src/{name}/README.md names the headers {headers}, src/packages.mk has {packages.headers(name)}", set(headers) == set(packages.headers(name)))
        at = f"{work}/{name}"
        copy(at, paths, left, headers)
        for machine, (compiler, *_) in COMPILERS.items():
            if not shutil.which(compiler):
                tally.skip(f"{compiler} is not there")
                continue
            sources = sorted(os.path.relpath(path, at) for path in glob.glob(f"{at}/src/{name}/*.c") + glob.glob(f"{at}/src/{name}/*/*.c"))
            extra = [path for path in paths if path.endswith(".c") and os.path.dirname(path) != "src/" + name]
            shutil.copy(f"{HERE}/{name}.c", at)
            shutil.copy(f"{HERE}/input.h", at)
            objects[name, machine] = list(compiled(at, machine, sources))
            program = list(compiled(at, machine, extra + [name + ".c"]))
            check(f"{name} [{machine}] does not compile", len(objects[name, machine]) + len(program) == len(sources) + len(extra) + 1)
            if machine == "host":
                defined[name], needs = symbols(objects[name, machine])
                beyond = needs - set().union(*(defined[each] for each in below))
                check(f"{name} calls what no package below it has: {sorted(beyond)}", not beyond)
                linked = [path for each in below for path in objects[each, machine]]
                done = subprocess.run(["gcc", "-Wl,--gc-sections", *program, *linked, "-o", f"{at}/{name}"], capture_output=True, text=True, check=False)
                check(f"{name} does not link: {done.stderr[-300:]}", done.returncode == 0)
                if done.returncode:
                    continue
                data, arguments, expected = case(name)
                done = subprocess.run([f"{at}/{name}", *arguments], input=data, capture_output=True, check=False)
                out = hashlib.sha256(done.stdout).hexdigest() if isinstance(expected, str) else done.stdout
                check(f"{name}: {done.stderr.decode()[:200]} {done.stdout[:60]} instead of {expected[:60]}", done.returncode == 0 and out == expected)
        figures(name, text, at, headers)
        if name == "tet" and tally.failed == 0:
            codec_of_the_page(at, [path for each in below for path in objects[each, "host"]])
    print(f"figure: {len(names)} packages compiled with what their READMEs name")
    return tally.end()


sys.exit(main())
