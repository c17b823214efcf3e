#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Runs cases.py in MicroPython on an emulated Cortex-M3: board.py FIRMWARE ROOT-OF-TESTS HEADER

The emulator puts files, lines of golden.txt, cases.py and hostile.py into memory that MicroPython does not use. A short text that is typed
into the raw REPL of the board's UART takes them from there.
"""
import os
import re
import subprocess
import sys
import tempfile
import threading

FILES = ["golden/demo/demo_tiny.tet", "golden/tet/I01_inline.tet", "golden/tet/B01_i16_zstd.tet", "golden/tet/B01_f16_raw.tet",
         "golden/tet/B01_f64_zstd.tet", "golden/tet/E03_names_utf8.tet", "golden/tet/C09_rank8_zstd.tet", "golden/tet/V16_dictid_set.tet",
         "golden/tet/P11_json_whitespace_unknown.tet"]
MEMORY = 0x200000  # the firmware ends below it, the stack begins at 4 MB
SECONDS = 300


class Board:
    def __init__(self, firmware, memory):
        self.process = subprocess.Popen(
            ["qemu-system-arm", "-M", "mps2-an385", "-nographic", "-monitor", "none", "-semihosting", "-serial", "stdio", "-kernel", firmware,
             "-device", f"loader,file={memory},addr={MEMORY},force-raw=on"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
        self.timer = threading.Timer(SECONDS, self.process.kill)
        self.timer.start()
        self.until(b">>> ")
        self.process.stdin.write(b"\x01")
        self.until(b"exit\r\n>")

    def until(self, end):
        """What the board prints up to `end`; a failure if the emulator ends first."""
        said = b""
        while not said.endswith(end):
            more = os.read(self.process.stdout.fileno(), 1)
            if not more:
                sys.exit(said.decode(errors="replace") + "\nthe emulator has ended, or took longer than %d s" % SECONDS)
            said += more
        return said[:-len(end)]

    def run(self, code):
        self.process.stdin.write(code.encode() + b"\x04")
        self.until(b"OK")
        out, error = self.until(b"\x04"), self.until(b"\x04")
        self.until(b">")
        return out.decode(errors="replace").replace("\r\n", "\n"), error.decode(errors="replace")

    def end(self):
        self.timer.cancel()
        self.process.kill()
        self.process.wait()


def read(path):
    with open(path, "rb") as f:
        return f.read()


def main():
    firmware, root, header = sys.argv[1:4]
    parts = []  # code that receives bytes, and the bytes
    for name in FILES:
        parts.append((f"FILES[{name!r}] = %s", read(os.path.join(root, name))))
    lines, wanted = [], False
    for line in read(os.path.join(root, "golden/golden.txt")).decode().split("\n"):
        if line.startswith("file"):
            wanted = "/".join(line.split()[1:3]) in FILES
        if wanted:
            lines.append(line)
    parts.append(("GOLDEN = [line.split() for line in %s.decode().split('\\n')]", "\n".join(lines).encode()))
    statuses = {name: int(value) for name, value in re.findall(r"\bUTET_(?:E_)?(\w+) = (-?\d+)", read(header).decode())}
    parts.append(("STATUS = eval(%s)", repr(statuses).encode()))
    # One section at a time: the compiler needs several times the memory of its source.
    source = "".join(read(os.path.join(root, "micropython", name)).decode() for name in ("cases.py", "hostile.py"))
    for section in source.split("\n# ---- "):
        parts.append(("exec(%s)", b"# " + section.encode()))
    with tempfile.NamedTemporaryFile() as memory:
        memory.write(b"".join(data for _, data in parts))
        memory.flush()
        board = Board(firmware, memory.name)
        out, error = board.run("import gc, uctypes\nFILES = {}")
        at = MEMORY
        for code, data in parts:
            if not error:
                out, error = board.run("gc.collect()\n" + code % f"uctypes.bytes_at({at}, {len(data)})")
            at += len(data)
        board.end()
    print(out + error)
    sys.exit(bool(error) or ", 0 failed" not in out)


main()
