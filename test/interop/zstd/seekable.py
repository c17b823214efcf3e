#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of pyzstd's seekable format for `make interop-zstd`: seekable.py IN OUT. Both formats: README.md. Several
frames, followed by a skippable one, the seek table."""
import io
import struct
import sys

import pyzstd


def main():
    blob, out, at, item = open(sys.argv[1], "rb").read(), bytearray(), 0, 0
    while at < len(blob):
        length, = struct.unpack_from("<I", blob, at)
        data = blob[at + 4:at + 4 + length]
        at += 4 + length
        for settings, level, most in (("seekable, frames of 1 KiB", 3, 1024), ("seekable, frames of 5000, level 15", 15, 5000)):
            stream = io.BytesIO()
            with pyzstd.SeekableZstdFile(stream, "w", level_or_option=level, max_frame_content_size=most) as writer:
                writer.write(data)
            frame = stream.getvalue()
            out += struct.pack("<IH", item, len(settings)) + settings.encode() + struct.pack("<I", len(frame)) + frame
        item += 1
    open(sys.argv[2], "wb").write(out)


if __name__ == "__main__":
    main()
