# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""What picture_test, lines_test and sixel_test share: a PNG as pixels, by Python's zlib and struct."""
import struct
import zlib


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
