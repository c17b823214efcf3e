# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""A second reader of Tensogram's wire format, small and slow, and a function that puts preceders into a streamed message,
for which the Python binding has no call."""
import math
import struct

NAMES = {1: 'HeaderMetadata', 2: 'HeaderIndex', 3: 'HeaderHash', 5: 'FooterHash', 6: 'FooterIndex', 7: 'FooterMetadata',
         8: 'Preceder', 9: 'NTensor'}


# ---- CBOR, of definite lengths ----

def cbor(data, at=0):
    """The item at an offset, as `utet --json` prints it, and the offset after it."""
    major, low = data[at] >> 5, data[at] & 31
    at += 1
    if low >= 28:
        raise ValueError('indefinite or reserved')
    size = {24: 1, 25: 2, 26: 4, 27: 8}.get(low, 0)
    number = int.from_bytes(data[at:at + size], 'big') if size else low
    bits = data[at:at + size]
    at += size
    if major <= 1:
        return (number if major == 0 else -1 - number), at
    if major == 3:
        return data[at:at + number].decode(), at + number
    if major in (4, 5):
        out = []
        for _ in range(number * (major - 3)):
            item, at = cbor(data, at)
            out.append(item)
        if major == 4:
            return out, at
        return {(k if isinstance(k, str) else '$int:%d' % k): v for k, v in zip(out[::2], out[1::2])}, at
    if major == 7 and size == 0:
        return {20: False, 21: True, 22: None}[low], at
    if major == 7 and size > 1:
        return json_float(struct.unpack({2: '>e', 4: '>f', 8: '>d'}[size], bits)[0]), at
    raise ValueError('major type %d' % major)


def json_float(value):
    if math.isnan(value):
        return {'$float': 'nan'}
    return value if math.isfinite(value) else {'$float': 'inf' if value > 0 else '-inf'}


def head(major, number):
    for low, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 24:
            return bytes([major << 5 | number])
        if number < 1 << 8 * size:
            return bytes([major << 5 | low]) + number.to_bytes(size, 'big')
    raise ValueError(number)


def encode(item):
    """Integers, texts, lists, maps and float64."""
    if isinstance(item, int):
        return head(0, item) if item >= 0 else head(1, -1 - item)
    if isinstance(item, float):
        return b'\xfb' + struct.pack('>d', item)
    if isinstance(item, str):
        return head(3, len(item.encode())) + item.encode()
    if isinstance(item, list):
        return head(4, len(item)) + b''.join(map(encode, item))
    return head(5, len(item)) + b''.join(k + encode(v) for k, v in sorted((encode(k), v) for k, v in item.items()))


# ---- messages ----

class Frame:
    def __init__(self, data, at):
        self.at = at
        self.type, self.version, self.flags, self.length = struct.unpack('>HHHQ', data[at + 2:at + 16])
        end = at + self.length
        self.hash = data[end - 12:end - 4]
        tensor = self.type == 9
        self.body = data[at + 16:end - (20 if tensor else 12)]
        self.cbor = self.body
        self.region = None
        if tensor:
            where = struct.unpack('>Q', data[end - 20:end - 12])[0] - 16
            behind = len(self.body) if self.flags & 1 else cbor(self.body, where)[1]
            self.cbor = self.body[where:behind]
            self.region = self.body[:where] if self.flags & 1 else self.body[behind:]
        self.data = data[at:end]

    def content(self):
        return cbor(self.cbor)[0]


def frames(message):
    """For a message whose end is known: its last byte is the last of `message`."""
    at, out = 24, []
    while at < len(message) - 24:
        out.append(Frame(message, at))
        at += (out[-1].length + 7) // 8 * 8
    return out


def frame(number, body, digest):
    """digest: makes the hash of a body, or None."""
    flags, slot = (0, bytes(8)) if digest is None else (2, bytes.fromhex(digest(body)))
    return b'FR' + struct.pack('>HHHQ', number, 1, flags, len(body) + 28) + body + slot + b'ENDF'


def with_preceders(message, entries, digest):
    """A streamed message with a preceder before some tensors: entries maps their numbers to metadata."""
    out = bytearray(message[:24])
    number, footer, offsets = 0, 0, []
    for f in frames(message):
        data = f.data
        if f.type == 9:
            if number in entries:
                out += frame(8, encode({'base': [entries[number]]}), digest)
                out += bytes(-len(out) % 8)
            offsets.append(len(out))
            number += 1
        if f.type == 6:
            data = frame(6, encode(dict(f.content(), offsets=offsets)), digest)
        if f.type in (5, 6, 7) and not footer:
            footer = len(out)
        out += data
        out += bytes(-len(out) % 8)
    total, length = struct.unpack('>Q', message[16:24])[0], len(out) + 24
    if total:
        out[16:24] = struct.pack('>Q', length)
    return bytes(out + struct.pack('>QQ', footer or len(out), length if total else 0) + b'39277777')
