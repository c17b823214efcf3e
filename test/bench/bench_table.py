#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench`: runs every image, prints one table, writes bench.tsv, and refuses figures past their limits.

Checked: bytes are right everywhere; upstream's figures are within 5 % of baseline.tsv (a test of the harness itself);
limits.tsv; opening and lookup cost the same for 16 and a million chunks; images for M0+ have no unaligned access; the
measured stack of the library's calls is at most the static bound of test/tools/stack.py. Uses bench_run.py.

  bench_table.py --build DIR --lib PATTERN [--accept] IMAGE…      IMAGE = DIR/CORE/NAME.elf
"""
import argparse
import fnmatch
import os
import sys

import bench_run

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tools"))
sys.path.insert(0, os.path.join(HERE, "..", "size"))
import stack  # noqa: E402
from size import Checks  # noqa: E402

MACHINES = {"m0plus": "mps2-an385", "m3": "mps2-an385", "m4": "mps2-an386", "m7": "mps2-an500"}
COLUMNS = ("core", "image", "step", "payload", "detail", "bytes", "instructions", "per_byte", "per_call", "reads", "port_bytes",
           "sectors", "workspace", "stack", "gap", "unaligned")
READS = 6            # in addition to the payload's: open, find the dataset, find and read a chunk
WITHIN = 0.05        # of baseline.tsv
CHANGE = 0.02        # of last.tsv: a larger change, or another number of reads, must be accepted
FUNCTIONS = {"read": ["utet_stream_read"], "load": ["utet_stream_load"], "open": ["utet_open"], "chunk_find": ["utet_chunk_find"],
             "dataset_find": ["utet_dataset_find"], "stream_open": ["utet_stream_open"],
             "open_and_read": ["utet_stream_open", "utet_stream_read"]}
KEY = COLUMNS[:5]
# Steps whose rows count elements instead of bytes.
ELEMENTS = {"fold": "folds, beyond the delivery of the elements, in as many passes as detail says",
            "slab-mapped": "slabs of raw datasets in a mapped file, opened and read to a dense result",
            "slab-read": "the same through a window of 512 bytes"}


def table(name):
    path = os.path.join(HERE, name)
    if not os.path.exists(path):
        return []
    return [line.rstrip("\n").split("\t") for line in open(path) if line.strip() and not line.startswith("#")]


def figures(core, image, step, payload, detail, size, region, reads=0, port_bytes=0, sectors=0, workspace=0):
    own = region["insns"] - region["port"]
    return dict(zip(COLUMNS, (core, image, step, payload, detail, size, own, own / size if size else None,
                              own / region["runs"], reads, port_bytes, sectors, workspace, region["stack"], region["gap"],
                              region["unaligned"])))


def run_image(path, build, checks):
    """Rows of one image; with codecs, the library runs twice: with the minimum workspace, and with the best; with
    tiles, the second time with the best and a mapped file."""
    core, image = path.split("/")[-2], os.path.basename(path)[:-len(".elf")]
    library = image.startswith("library-")
    own = {"library-raw": "raw.pak", "library-tiles": "tiles.pak", "hostile-map": "hostile.pak"}
    own.update((name, name + ".pak") for name in ("inflate", "szip", "tensor", "fold", "slab", "hostile"))
    pak = own.get(image, "zstd.pak" if library else "payloads.pak")
    rows = []
    more = "+mapped" if image == "library-tiles" else "+"
    for word in [(), (more,)] if library and image != "library-raw" else [()]:
        result = bench_run.run(path, MACHINES[core], f"{build}/count.so", f"{build}/{pak}", words=word)
        work = next((int(f[1]) for f in result["lines"] if f[0] == "work"), 0)
        source = {f[1]: int(f[2]) for f in result["lines"] if f[0] == "source"}
        for field in result["lines"]:
            if field[0] != "row":
                if field[0] not in ("work", "source"):
                    print("\t".join([core, image] + field))
                continue
            checks.hold(field[-1] == "ok", f"{core} {image} {field[2:]}: wrong bytes")
            region = result["regions"].get(int(field[1]))
            if region is None:
                continue
            if image == "fold":  # its cost in addition to the delivery of the elements, in each pass
                name, elements, deliver, passes, least = field[2:7]
                beyond = dict(region, insns=region["insns"] - int(passes) * result["regions"][int(deliver)]["insns"])
                rows.append(figures(core, image, "fold", name, passes, int(elements), beyond, workspace=int(least)))
            elif library or image == "slab":
                name, step, detail, size, reads, port_bytes, sectors, workspace = field[2:10]
                rows.append(figures(core, image + "".join(word), step, name, detail, int(size), region, int(reads),
                                    int(port_bytes), int(sectors), int(workspace)))
            else:
                rows.append(figures(core, image, "decode", field[2], "-", int(field[3]), region, workspace=work,
                                    port_bytes=source.get(field[1], 0)))
        known = result["regions"].get(bench_run.KNOWN_ID, {})
        checks.hold((known.get("insns"), known.get("stack")) == bench_run.KNOWN_COST,
                    f"{core} {image}: the plugin's own test counts {known}")
        checks.hold(result["code"] == 0, f"{core} {image}: exit code {result['code']}")
        checks.hold(core != "m0plus" or result["unaligned"] == 0,
                    f"{core} {image}: {result['unaligned']} unaligned accesses, in {result['bad'][:1]}")
    return rows


# ---- what is checked ----

def check_baseline(rows, checks):
    for core, image, *published in table("baseline.tsv"):
        for payload, value in zip(("P1", "P2", "P3", "P4", "P5", "P6"), published):
            for row in rows:
                if (row["core"], row["image"], row["payload"]) == (core, image, payload):
                    off = row["per_byte"] / float(value) - 1
                    checks.figure(abs(off) <= WITHIN,
                                f"{core} {image} {payload}: {row['per_byte']:.2f} a byte, published {value}: {off:+.1%}")


def check_limits(rows, checks):
    for *pattern, column, most in table("limits.tsv"):
        matched = [r for r in rows if all(fnmatch.fnmatch(str(r[k]), p) for k, p in zip(KEY, pattern))]
        checks.hold(matched, f"limits.tsv: nothing matches {' '.join(pattern)}")
        for row in matched:
            row = dict(row, read_per_byte=row["port_bytes"] / row["bytes"] if row["bytes"] else 0)
            checks.figure(row[column] <= float(most), f"{' '.join(str(row[k]) for k in KEY)}: {column} {row[column]:.3f} > {most}")


def measured(rows, row, column):
    """A column of the row, or with COLUMN/PAYLOAD its ratio to the column of the row with that payload."""
    column, _, other = column.partition("/")
    if not other:
        return row[column]
    key = [row[k] for k in ("core", "image", "step")] + [other]
    return row[column] / next(r[column] for r in rows if [r[k] for k in ("core", "image", "step", "payload")] == key)


def print_goals(rows, checks, complete):
    """goals.tsv beside what was measured: a goal that is missed fails nothing, one that matches no row does."""
    print("\nGoals: what is aimed at, not what is promised\n" + "\t".join(KEY) + "\tcolumn\tmeasured\tgoal")
    met = 0
    goals = table("goals.tsv")
    for *pattern, column, goal in goals:
        matched = [r for r in rows if all(fnmatch.fnmatch(str(r[k]), p) for k, p in zip(KEY, pattern))]
        if not matched and not complete:
            continue
        checks.hold(len(matched) == 1, f"goals.tsv: {len(matched)} rows match {' '.join(pattern)}")
        for row in matched:
            value = measured(rows, row, column)
            met += value <= float(goal)
            print("\t".join([str(row[k]) for k in KEY] + [column, f"{value:.{2 if '/' in column else 1}f}", goal] + ["missed"] * (value > float(goal))))
    print(f"{met} of {len(goals)} goals are met")


def check_row_counts(rows, checks):
    """Opening, finding and reading one chunk: at most 6 port reads in addition to the payload's, the same for 16 chunks
    as for a million, and instructions within 25 % from 16,384 chunks to a million."""
    files = {}
    for row in rows:
        if row["payload"][0] in "RF":
            files.setdefault((row["core"], row["payload"]), []).append(row)
    for (core, name), steps in files.items():
        reads = sum(r["reads"] for r in steps) - 1
        least = sum(r["reads"] for r in files[core, name[0] + "0"]) - 1
        own, reference = (sum(r["instructions"] for r in files[core, f]) for f in (name, name[0] + "1"))
        checks.hold(len(steps) == 4 and reads <= READS and reads == least and own <= 1.25 * reference,
                    f"{core} {name}: {len(steps)} steps, {reads} port reads besides the payload's ({least} with 16 chunks), "
                    f"{own} instructions ({reference} with 16,384 chunks)")
        print(f"{core}\t{name}\t{steps[0]['detail']} chunks\t{reads} port reads besides the payload's\t{own} instructions")


def check_stack(rows, images, lib, checks):
    entries = "|".join(sorted({f for names in FUNCTIONS.values() for f in names}))
    for path in images:
        core, image = path.split("/")[-2], os.path.basename(path)[:-len(".elf")]
        if not image.startswith("library-"):
            continue
        try:
            bound = stack.analyse(path, [lib.replace("%", core)], os.path.join(HERE, "..", "size", "calls.tsv"), entries)
        except stack.Refused as error:
            checks.hold(False, f"{core} {image}: stack: {error}")
            continue
        for row in rows:
            if row["core"] == core and row["image"].split("+")[0] == image:
                most = max(bound[f][0] for f in FUNCTIONS[row["step"]])
                checks.hold(row["stack"] <= most,
                            f"{core} {image} {row['step']} {row['payload']}: stack {row['stack']}, static bound {most}")


# ---- output ----

def cell(row, column):
    value = row[column]
    if value is None:
        return "-"
    if column == "per_byte":
        return f"{value:.3f}"
    return f"{value:.0f}" if isinstance(value, float) else str(value)


def lines_of(rows):
    return ["\t".join(cell(r, c) for c in COLUMNS) for r in rows]


def print_summary(rows):
    """Per byte, one line for each core and way of reading: the main table."""
    names = ["P1", "P2", "P3", "P4", "P5", "P6"]
    tiles = [r for r in rows if r["image"].startswith("library-tiles") and r["per_byte"] is not None]
    hostile = [r for r in rows if r["image"].startswith("hostile")]
    rows = [r for r in rows if r not in hostile and r not in tiles]
    print("\nHostile frames: instructions and bytes read for each byte of the frame, longest gap\ncore\timage\tframe\tper_byte\tread\tgap")
    for r in hostile:
        print(f"{r['core']}\t{r['image']}\t{r['payload']}\t{r['per_byte']:.0f}\t{r['port_bytes'] / r['bytes']:.2f}\t{r['gap']}")
    print("\nInstructions per byte, the port's own not counted\ncore\timage\tslice\t" + "\t".join(names) + "\tstack\tunaligned")
    groups = {}
    for row in rows:
        if row["per_byte"] is not None and row["step"] not in ELEMENTS:
            slice_name = {"decode": "whole", "load": "whole"}.get(row["step"], row["detail"])
            groups.setdefault((row["core"], row["image"], slice_name), {})[row["payload"]] = row
    for (core, image, slice_name), found in groups.items():
        values = [f"{found[n]['per_byte']:.2f}" if n in found else "-" for n in names]
        print("\t".join([core, image, slice_name] + values + [str(max(r["stack"] for r in found.values())),
                                                              str(sum(r["unaligned"] for r in found.values()))]))


def print_tiles(rows):
    """P2 in tiles of several sizes, one column for each."""
    found = {}
    for row in rows:
        if row["image"].startswith("library-tiles") and row["per_byte"] is not None and row["detail"] in (0, "0", "512"):
            found.setdefault((row["core"], row["image"], "whole" if row["step"] == "load" else row["detail"]), {})[row["payload"]] = row
    names = list(dict.fromkeys(name for row in found.values() for name in row))
    print("\nInstructions per byte, P2 in tiles of several sizes: read with the least workspace, mapped with the best\ncore\timage\tslice\t" +
          "\t".join(names))
    for key, row in found.items():
        print("\t".join(list(key) + [f"{row[n]['per_byte']:.2f}" for n in names]))


def print_elements(rows, step):
    """Instructions per element, one column for each core."""
    rows = [r for r in rows if r["step"] == step]
    cores = sorted({r["core"] for r in rows})
    table = {}
    for row in rows:
        table.setdefault(row["payload"], {})[row["core"]] = row
    print(f"\nInstructions per element: {ELEMENTS[step]}\n{step}\tdetail\tworkspace\treads\t" + "\t".join(cores))
    for name, found in table.items():
        first = found[cores[0]]
        print("\t".join([name] + [str(first[c]) for c in ("detail", "workspace", "reads")] + [f"{found[c]['per_byte']:.2f}" for c in cores]))


def recorded(rows):
    """The rows that last.tsv keeps: M4 is like M3, and the slices in between are like 512 and the whole."""
    return [r for r in rows if r["core"] != "m4" and r["detail"] not in ("64", "256", "4096")]


def check_changes(rows, checks, complete):
    """Without all payloads the .tet files differ: the offsets of their chunks, and the rows that they are in, are part
    of the cost."""
    if not complete:
        rows = [r for r in rows if not (r["image"].startswith("library") and r["payload"].startswith("P"))]
    last = {tuple(f[:5]): f for f in table("last.tsv")}
    changed, rows = 0, recorded(rows)
    for row in rows:
        name = " ".join(str(row[k]) for k in KEY)
        before = last.get(tuple(str(row[k]) for k in KEY))
        if not before:
            checks.hold(False, f"{name}: not in last.tsv: make bench-accept")
            continue
        good = abs(row["instructions"] - int(before[5])) <= CHANGE * int(before[5]) and row["reads"] == int(before[6])
        changed += not good
        checks.figure(good, f"{name}: {before[5]} -> {row['instructions']} instructions, {before[6]} -> {row['reads']} reads: "
                          "make bench-accept")
    print(f"compared with last.tsv: {changed} of {len(rows)} figures changed by more than {CHANGE:.0%}")


def main():
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("images", nargs="+")
    ask.add_argument("--build", required=True)
    ask.add_argument("--lib", required=True)
    ask.add_argument("--accept", action="store_true", help="write last.tsv")
    args = ask.parse_args()

    rows, checks = [], Checks()
    for path in sorted(args.images, key=lambda p: (list(MACHINES).index(p.split("/")[-2]), p)):
        rows += run_image(path, args.build, checks)
    with open(f"{args.build}/bench.tsv", "w") as f:
        f.write("\n".join(["\t".join(COLUMNS)] + lines_of(rows)) + "\n")

    print("\t".join(COLUMNS))
    for line in lines_of(rows):
        print(line)
    print_summary(rows)
    print_tiles(rows)
    for step in ELEMENTS:
        print_elements(rows, step)
    skipped = open(f"{args.build}/skipped.txt").read()
    sys.stdout.write(skipped)
    print_goals(rows, checks, not skipped)
    print("\nOpening a file, finding a dataset and a chunk, reading it; R without footer, F with")
    check_row_counts(rows, checks)
    check_baseline(rows, checks)
    check_limits(rows, checks)
    check_stack(rows, args.images, args.lib, checks)
    if args.accept and skipped:
        sys.exit("bench-accept: " + skipped)
    check_changes(rows, Checks() if args.accept else checks, not skipped)
    if args.accept:
        with open(os.path.join(HERE, "last.tsv"), "w") as f:
            f.write("# Written by `make bench-accept`: core image step payload detail instructions reads stack.\n")
            for row in recorded(rows):
                f.write("\t".join(str(row[c]) for c in KEY + ("instructions", "reads", "stack")) + "\n")
    print(f"{len(rows)} figures in {args.build}/bench.tsv")
    checks.end(skipped.count("skipped: "))


if __name__ == "__main__":
    main()
