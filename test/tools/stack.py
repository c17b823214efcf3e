#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Worst-case stack of a linked Cortex-M image, by call graph, for each public entry point.

It has three sources: the compiler's .ci files (-fcallgraph-info=su,da: frame of each function, indirect call sites with their source line),
the disassembly of the linked image (calls into libgcc and libc, tail calls; frames of functions without .ci), and a table of indirect
calls. It refuses as errors: recursion, a variable frame, an indirect call that the table does not have, a function of which nothing is
known.

  stack.py --ci DIR… --calls TABLE IMAGE [--entry REGEX] [--why FUNCTION] [--prefix arm-none-eabi-]

Prints `function<TAB>bytes`, deepest first, and the path of the deepest with --why. The table has the columns
`member<TAB>target`. member: the last two names of the call (io->read; a dot counts as an arrow). target: `port` (counted 0:
the port's stack is the application's), `never`, `loaded` (the functions whose addresses the caller's code loads: it chooses
one itself), `=NAME` (or several names, with commas), or `PATTERN:WORD`: the function whose address is in that word of every object of
the image that matches PATTERN; if `:optional` follows, there may be no such object. A line `again<TAB>CALLER<TAB>CALLEE` allows a
recursion of one level.
"""
import argparse
import fnmatch
import glob
import os
import re
import struct
import subprocess
import sys

RETURN = re.compile(r"^(bx\s+lr|pop(\.w)?\s+\{.*pc\}|ldmia(\.w)?\s+sp!,\s*\{.*pc\}|ldr(\.w)?\s+pc,\s*\[sp\].*)$")


class Refused(Exception):
    pass


class Function:
    """One function of the image: its address, what it calls, the stack that it takes itself."""

    def __init__(self, name, start):
        self.name, self.start, self.end = name, start, start
        self.calls = set()         # addresses (later: functions) called or jumped to
        self.called = set()        # those of them that are called
        self.registers = 0         # calls through a register
        self.words = []            # constants that follow the code
        self.popped = None         # the register just popped: armv6-m returns through it if arguments are above lr
        self.pushed = 0            # bytes of every push and stack subtraction of its code
        self.variable = False      # its code moves the stack pointer by a register
        self.falls_through = False
        self.frame = None
        self.file = None
        self.problem = None        # why no bound can be given if it is reached


def tool(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# ---- the image ----

def count_registers(text):
    total = 0
    for part in text.split(","):
        part = part.strip()
        if "-" in part:
            low, high = (int(p.strip()[1:]) for p in part.split("-"))
            total += high - low + 1
        else:
            total += 1
    return total


def pushed_bytes(mnemonic, operands):
    """How many bytes one instruction lowers the stack pointer; None if only the run knows."""
    if mnemonic in ("push", "push.w", "stmdb", "stmdb.w") and ("sp!" in operands or mnemonic.startswith("push")):
        return 4 * count_registers(operands[operands.index("{") + 1:operands.index("}")])
    if mnemonic == "vpush":
        return 8 * count_registers(operands[operands.index("{") + 1:operands.index("}")].replace("d", "r").replace("s", "r"))
    found = re.search(r"\[sp, #-(\d+)\]!", operands)
    if found:
        return int(found.group(1))
    found = re.match(r"sp, (?:sp, )?#(\d+)", operands)
    if mnemonic in ("sub", "sub.w", "subw") and found:
        return int(found.group(1))
    if mnemonic in ("sub", "sub.w", "add", "add.w", "mov", "mov.w") and re.match(r"sp, (?!#|sp, #)", operands):
        return None
    return 0


def read_instruction(function, mnemonic, operands):
    if mnemonic in ("nop", "nop.w"):
        return  # also the padding after a function
    function.falls_through = not (RETURN.match(f"{mnemonic} {operands}") or mnemonic in ("b", "b.n", "b.w", "udf"))
    if mnemonic == "bx" and operands == function.popped:
        function.falls_through = False
        return
    if not (mnemonic == "add" and operands.startswith("sp, #")):
        popped = re.fullmatch(r"\{(r\d+)\}", operands) if mnemonic == "pop" else None
        function.popped = popped.group(1) if popped else None
    target = re.search(r"\b([0-9a-f]+) <", operands)
    if target and mnemonic[0] in "bc" and mnemonic not in ("bkpt",):
        function.calls.add(int(target.group(1), 16))
        if mnemonic in ("bl", "blx"):
            function.called.add(int(target.group(1), 16))
    elif mnemonic == "blx" or (mnemonic == "bx" and operands != "lr") or (mnemonic.startswith("mov") and operands.startswith("pc,")):
        function.registers += 1
        function.falls_through = mnemonic == "blx"
    lowered = pushed_bytes(mnemonic, operands)
    if lowered is None:
        function.variable = True
    else:
        function.pushed += lowered


def read_image(image, prefix):
    """Functions in the order of their addresses."""
    functions = []
    for line in tool([prefix + "objdump", "-d", "--no-show-raw-insn", image]).splitlines():
        head = re.match(r"^([0-9a-f]+) <(.+)>:$", line)
        body = re.match(r"^\s+([0-9a-f]+):\t(\S+)(?:\s+([^;@]*?))?\s*(?:[;@].*)?$", line)
        if head:
            functions.append(Function(head.group(2), int(head.group(1), 16)))
        elif body and functions:
            functions[-1].end = int(body.group(1), 16) + 2
            if body.group(2) == ".word":
                functions[-1].words.append(int(body.group(3), 16))
            elif not body.group(2).startswith("."):
                read_instruction(functions[-1], body.group(2), (body.group(3) or "").strip())
    return functions


def resolve_calls(functions):
    """Addresses become functions; jumps within a function are removed, except those to its beginning if it has a frame; falling into the
    next function counts as a call."""
    for i, f in enumerate(functions):
        callees = set()
        for address in f.calls:
            callee = next((g for g in reversed(functions) if g.start <= address), None)
            if callee is None:
                raise Refused(f"{f.name} calls {address:#x}, which is outside the image")
            # A jump to the function's own beginning, without a frame, is a loop.
            if callee is not f or (address == f.start and (address in f.called or f.pushed != 0)):
                callees.add(callee)
        if f.falls_through and i + 1 < len(functions) and functions[i + 1].start - f.end <= 2:
            callees.add(functions[i + 1])
        f.calls = callees


def local_files(image, prefix):
    """{address: source file} of local functions, from the FILE entries of the symbol table."""
    files, current = {}, None
    for line in tool([prefix + "readelf", "-sW", image]).splitlines():
        field = line.split()
        if len(field) >= 8 and field[3] == "FILE":
            current = field[7]
        elif len(field) >= 8 and field[3] == "FUNC" and field[4] == "LOCAL":
            files[int(field[1], 16) & ~1] = current
    return files


def descriptor_word(image, prefix, pattern, word, optional):
    """Addresses, without null, in word number `word` of every object that matches `pattern`."""
    found, objects = [], 0
    for line in tool([prefix + "readelf", "-sW", image]).splitlines():
        field = line.split()
        if len(field) == 8 and field[3] == "OBJECT" and fnmatch.fnmatch(field[7], pattern):
            objects += 1
            start = int(field[1], 16) + 4 * word
            text = tool([prefix + "objdump", "-s", f"--start-address={start}", f"--stop-address={start + 4}", image])
            data = re.search(r"^ [0-9a-f]+ ([0-9a-f]{8})\b", text, re.M)
            if data is None:
                raise Refused(f"cannot read word {word} of {field[7]}")
            found.append(struct.unpack("<I", bytes.fromhex(data.group(1)))[0] & ~1)
    if objects == 0 and not optional:
        raise Refused(f"no object {pattern} is linked")
    return [address for address in found if address != 0]


# ---- the compiler's files ----

def read_ci(folders):
    """{(file or None, function): {frame, dynamic, indirect: [place], direct: [(file or None, name)]}}"""
    nodes = {}
    paths = [p for folder in folders for p in glob.glob(os.path.join(folder, "**", "*.ci"), recursive=True)]
    if not paths:
        raise Refused(f"no .ci files in {' '.join(folders)}: not compiled with -fcallgraph-info=su,da")

    def key(title):
        return tuple(title.rsplit(":", 1)) if ":" in title else (None, title)

    for path in paths:
        for line in open(path):
            node = re.match(r'node: \{ title: "([^"]+)" label: "([^"]*)"', line)
            edge = re.match(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"(?: label: "([^"]*)")?', line)
            size = node and re.search(r"\\n(\d+) bytes \(([^)]*)\)", node.group(2))
            if size:
                nodes.setdefault(key(node.group(1)), {"frame": 0, "dynamic": False, "indirect": [], "direct": []})
                entry = nodes[key(node.group(1))]
                entry["frame"] = max(entry["frame"], int(size.group(1)))
                entry["dynamic"] = entry["dynamic"] or size.group(2) not in ("static", "dynamic,bounded")
            elif edge and key(edge.group(1)) in nodes:
                entry = nodes[key(edge.group(1))]
                if edge.group(2) == "__indirect_call":
                    entry["indirect"].append(edge.group(3) or "?")
                else:
                    entry["direct"].append(key(edge.group(2)))
    return nodes


def candidates(function, nodes):
    """The .ci nodes that may be this function: the one of its file if it is local and the file is known."""
    same = [(k, n) for k, n in nodes.items() if k[1] == function.name]
    exact = [(k, n) for k, n in same if function.file and k[0] and os.path.basename(k[0]) == function.file]
    return exact or same


def called_members(place):
    """The last two names of the calls through a member in a source line, e.g. io->read in `io->read(io->ctx, …)`."""
    found = re.match(r"(.+):(\d+):(\d+)$", place)
    if not found or not os.path.exists(found.group(1)):
        raise Refused(f"indirect call at {place}: no such source line")
    line = open(found.group(1), encoding="utf-8").read().splitlines()[int(found.group(2)) - 1]
    members = [f"{a}->{b}" for a, b in re.findall(r"(\w+)(?:->|\.)(\w+)\s*\)?\s*\(", line)]
    return members + [name + "()" for name in re.findall(r"(\w+)\([^()]*\)\s*\(", line)]


def add_compiler_facts(functions, nodes, table, image, prefix):
    by_address = {f.start: f for f in functions}
    by_name = {}
    for f in functions:
        by_name.setdefault(f.name, []).append(f)

    for f in functions:
        try:
            add_facts_of(f, nodes, table, by_address, by_name, image, prefix)
        except Refused as error:
            f.problem = str(error)


def add_facts_of(f, nodes, table, by_address, by_name, image, prefix):
    mine = candidates(f, nodes)
    if not mine:
        f.frame = f.pushed
        if f.variable or f.registers:
            raise Refused(f"{f.name} has no .ci and {'a variable frame' if f.variable else 'an indirect call'}")
        return
    f.frame = max(n["frame"] for _, n in mine)
    if any(n["dynamic"] for _, n in mine):
        raise Refused(f"{f.name} has a variable frame")
    places = [p for _, n in mine for p in n["indirect"]]
    named = [k for _, n in mine for k in n["direct"]]
    # A function that is called several times may have its address loaded once; the constant after the code then tells
    # which.
    loaded = [by_address[w & ~1] for w in f.words if w & 1 and w & ~1 in by_address] if f.registers else []
    f.calls.update(loaded)
    if f.registers and not places and not loaded:
        raise Refused(f"{f.name} calls through a register where the compiler reported no indirect call")
    for file, name in named:
        same = [g for g in by_name.get(name, []) if g is not f]
        exact = [g for g in same if g.file == (file and os.path.basename(file))]
        f.calls.update(exact or same)
    for place in places:
        members = [member for member in called_members(place) if member in table]
        if len(members) != 1:
            raise Refused(f"indirect call in {f.name} at {place} is not in the table")
        if table[members[0]] == "loaded":
            if not loaded:
                raise Refused(f"{f.name}: no function's address is loaded for the call at {place}")
        elif table[members[0]].startswith("="):
            for name in table[members[0]][1:].split(","):
                f.calls.update(by_name.get(name, []))
        elif table[members[0]] not in ("port", "never"):
            pattern, word, *optional = table[members[0]].split(":")
            f.calls.update(by_address[a] for a in descriptor_word(image, prefix, pattern, int(word), optional))


# ---- the bound ----

def deepest(function, memo, path, again, once):
    """(bytes, path) below and with `function`. Edges in `again` are followed only if `once` has the depth of their
    end."""
    if function in path:
        raise Refused("recursion: " + " -> ".join(g.name for g in path[path.index(function):] + [function]))
    if function.problem is not None:
        raise Refused(function.problem)
    if function not in memo:
        best, chain = 0, []
        for callee in sorted(function.calls, key=lambda g: g.start):
            if (function.name, callee.name) in again:
                depth, below = once.get(callee, (0, []))
            else:
                depth, below = deepest(callee, memo, path + [function], again, once)
            if depth > best:
                best, chain = depth, below
        memo[function] = (function.frame + best, [function] + chain)
    return memo[function]


def read_table(path):
    """({member: target}, {(caller, callee) whose recursion is one level deep})"""
    rows = [line.rstrip("\n").split("\t") for line in open(path) if line.strip() and not line.startswith("#")]
    return ({r[0]: r[1] for r in rows if r[0] != "again"}, {(r[1], r[2]) for r in rows if r[0] == "again"})


def analyse(image, ci, calls, entry=r"utet_(?!codec_)\w+", prefix="arm-none-eabi-"):
    """{entry point: (bytes, [functions of the deepest path])}"""
    table, again = read_table(calls)
    functions = read_image(image, prefix)
    files = local_files(image, prefix)
    for f in functions:
        f.file = files.get(f.start)
    resolve_calls(functions)
    add_compiler_facts(functions, read_ci(ci), table, image, prefix)
    once, memo = {}, {}
    entries = [f for f in functions if re.fullmatch(entry, f.name)]
    for f in entries:
        deepest(f, once, [], again, {})
    return {f.name: deepest(f, memo, [], again, once) for f in entries}


def main():
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("image")
    ask.add_argument("--ci", nargs="+", required=True)
    ask.add_argument("--calls", required=True)
    ask.add_argument("--entry", default=r"utet_(?!codec_)\w+", help="entry points (regular expression)")
    ask.add_argument("--why", action="store_true", help="print the path of the deepest entry point")
    ask.add_argument("--prefix", default="arm-none-eabi-")
    args = ask.parse_args()
    try:
        result = analyse(args.image, args.ci, args.calls, args.entry, args.prefix)
    except Refused as error:
        sys.exit(f"stack.py: {args.image}: {error}")
    rows = sorted(result.items(), key=lambda item: (-item[1][0], item[0]))
    for name, (size, _) in rows:
        print(f"{name}\t{size}")
    if args.why and rows:
        for f in rows[0][1][1]:
            print(f"  {f.frame:5} {f.name}")


if __name__ == "__main__":
    main()
