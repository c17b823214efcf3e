# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""What picture_test, lines_test and sixel_test share: a PNG as pixels, by Python's zlib and struct; the tool on a terminal."""
import fcntl
import os
import pty
import select
import struct
import termios
import zlib

from harness import TOOL


def png_pixels(data):
    """Rows of (r, g, b) of an 8-bit RGB PNG."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2)
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    lines, before = zlib.decompress(packed), bytes(width * 3)
    rows = []
    for y in range(height):
        kind, line = lines[y * (width * 3 + 1)], bytearray(lines[y * (width * 3 + 1) + 1:(y + 1) * (width * 3 + 1)])
        if kind == 2:
            line = bytearray((a + b) & 255 for a, b in zip(line, before))
        for x in range(width * 3 if kind in (1, 3, 4) else 0):
            left, up, corner = (line[x - 3] if x > 2 else 0), before[x], (before[x - 3] if x > 2 else 0)
            if kind == 4:
                guess = left + up - corner
                left = min((left, up, corner), key=lambda v: abs(guess - v))
            line[x] = line[x] + ((left + up) // 2 if kind == 3 else left) & 255
        rows.append([tuple(line[x * 3:x * 3 + 3]) for x in range(width)])
        before = bytes(line)
    return rows


QUESTION = b"\x1b[c"  # DA1: what can this terminal do?


def on_terminal(arguments, columns=80, lines=24, environment=None, answer=b"\x1b[?1;2c", pixels=(0, 0)):
    """Runs the tool on a pseudo terminal of its own, by default an xterm; returns the exit status and the output without
    the question for sixel. By default, the terminal answers that it has no sixel, and progress is only shown after ten
    minutes, so that it does not depend on the machine's load."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, *pixels))
        os.environ.pop("COLORTERM", None)
        os.environ.update({"TERM": "xterm", "UTET_PROGRESS_AFTER": "600000", **(environment or {})})
        os.execv(TOOL, [TOOL] + arguments)
    out = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            block = os.read(terminal, 65536)
        except OSError:
            break
        if not block:
            break
        out += block
        if QUESTION in out and answer:
            os.write(terminal, answer)
            answer = b""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), out.replace(QUESTION, b"").decode()
