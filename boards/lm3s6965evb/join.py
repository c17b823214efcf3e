#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""join.py FILE.tet… -o OUT.tet: one file with the datasets of several. Payloads stay as they are; the memory budget is
that of the first file; the footer gets the metadata and the history of all. (src/tet/FORMAT.md, sections 2 to 6.)
Standard library only."""
import argparse
import json
import struct

INDEX = struct.Struct("<4sIQHHIQ")
ROW = struct.Struct("<Q8QQQQII")  # dataset, coordinates, offset, decoded and stored bytes, codec, not used


def parts(path):
    """The number of datasets, their records, the index's head, its rows with their payloads, and the footer's JSON."""
    with open(path, "rb") as f:
        data = f.read()
    _, _, datasets, _, index, _, length = struct.unpack_from("<4sIIIQQQ", data)
    head = INDEX.unpack_from(data, index)
    rows = [ROW.unpack_from(data, index + INDEX.size + ROW.size * n) for n in range(head[2])]
    footer = data[-16 - struct.unpack_from("<Q", data, len(data) - 16)[0] : -16]
    return datasets, data[40 : 40 + length], head, [(r, data[r[9] : r[9] + r[11]]) for r in rows], json.loads(footer)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("-o", dest="out", required=True)
    options = parser.parse_args()
    count, records, rows, head = 0, b"", [], None
    history, about = [], {}
    for path in options.files:
        datasets, more, index, its, footer = parts(path)
        rows += [((row[0] + count,) + row[1:9], row[10:], payload) for row, payload in its]
        count, records, head = count + datasets, records + more, head or index
        history += footer["history"]
        about.update(footer["metadata"]["datasets"])
    records_end = 40 + len(records)
    at = records_end + -records_end % 8
    length = INDEX.size + ROW.size * len(rows)
    offset = at + length
    out = [struct.pack("<4sIIIQQQ", b"TETR", 1, count, 1, at, length, len(records)), records, bytes(at - records_end),
           INDEX.pack(head[0], head[1], len(rows), *head[3:])]
    for first, last, payload in rows:
        out.append(ROW.pack(*first, offset, *last))
        offset += len(payload)
    text = json.dumps({"history": history, "metadata": {"datasets": about}}).encode()
    out += [payload for _, _, payload in rows] + [text, struct.pack("<QI4s", len(text), 1, b"THST")]
    with open(options.out, "wb") as f:
        f.write(b"".join(out))


if __name__ == "__main__":
    main()
