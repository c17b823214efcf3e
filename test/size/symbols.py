#!/usr/bin/env python3
"""Refuses library objects that call anything but themselves and what symbols.tsv lists, or that hold writable data.

symbols.py PREFIX LIBRARY_FOLDER …: each folder is BUILD/lib/NAME with obj/ROOM/FILE.o and zstd_upstream.o; a folder whose
name starts with `host` is read with the host's nm, others with PREFIX's. Relies on nm and size.
"""
import fnmatch
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def allowed():
    lines = [line.rstrip("\n").split("\t") for line in open(os.path.join(HERE, "symbols.tsv"))
             if line.strip() and not line.startswith("#")]
    return [(pattern, re.compile(symbols)) for pattern, symbols in lines]


def source_of(folder, path):
    relative = os.path.relpath(path, folder)
    return "src/" + relative[len("obj/"):-2] + ".c" if relative.startswith("obj/") else relative


def undefined(prefix, path):
    out = subprocess.run([prefix + "nm", "-u", path], check=True, capture_output=True, text=True).stdout
    return [line.split()[-1] for line in out.splitlines() if line.strip()]


def writable_bytes(prefix, path):
    out = subprocess.run([prefix + "size", "-A", path], check=True, capture_output=True, text=True).stdout
    fields = [line.split() for line in out.splitlines()]
    return sum(int(f[1]) for f in fields if len(f) == 3 and re.match(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)|COMMON", f[0]))


def main():
    rules, wrong, seen = allowed(), [], 0
    for folder in sys.argv[2:]:
        prefix = "" if os.path.basename(folder).startswith("host") else sys.argv[1]
        objects = glob.glob(f"{folder}/obj/**/*.o", recursive=True) + glob.glob(f"{folder}/zstd_upstream.o")
        for path in sorted(objects):
            source = source_of(folder, path)
            if source.startswith("src/") and not os.path.exists(os.path.join(HERE, "..", "..", source)):
                continue  # left over from a file that is gone
            seen += 1
            for symbol in undefined(prefix, path):
                known = any(fnmatch.fnmatch(source, pattern) and symbols.fullmatch(symbol) for pattern, symbols in rules)
                if not symbol.startswith("utet_") and not known:
                    wrong.append(f"{path}: calls {symbol}")
            size = writable_bytes(prefix, path)
            if size:
                wrong.append(f"{path}: {size} bytes of writable data")
    for line in wrong:
        print(f"FAIL\t{line}")
    print(f"symbols\t{seen} objects\t{len(wrong)} forbidden")
    sys.exit(1 if wrong or seen == 0 else 0)


if __name__ == "__main__":
    main()
