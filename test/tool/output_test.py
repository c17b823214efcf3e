#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Where output goes: files, links, pipes, full disks, folders without permission; large files with little memory."""
import os
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import time

from cli_files import CINE, HUGE_ROW, HUGE_ROWS, PLANET, huge_file, little_memory, only_file, read, write
from harness import ROOT, SCRATCH, TOOL, check, expect, header_length, scratch, summary, tet_header, utet


# ---- where output goes ----

def outputs():
    whole = read(PLANET, "temperature")
    target = scratch("copied")
    expect("into a file", ["read", PLANET, "temperature", "-o", target], 0)
    check("into a file", only_file("copied", whole), "content")
    mask = os.umask(0o027)
    expect("umask", ["read", PLANET, "temperature", "-o", scratch("masked")], 0)
    os.umask(mask)
    mode = os.stat(scratch("masked")).st_mode & 0o777
    check("umask is respected", mode == 0o640, oct(mode))
    os.chmod(target, 0o600)
    expect("over an older one", ["read", PLANET, "temperature", "-o", target], 0)
    check("permissions stay", os.stat(target).st_mode & 0o777 == 0o600 and only_file("copied", whole), "")
    os.symlink(target, scratch("link"))
    expect("through a link", ["read", PLANET, "elevation", "-o", scratch("link")], 0)
    check("a link stays one", os.path.islink(scratch("link")) and only_file("copied", read(PLANET, "elevation")), "")
    check("-o -", expect("-o -", ["read", PLANET, "temperature", "-o", "-"], 0) == whole, "content")
    expect("to a device", ["read", PLANET, "temperature", "-o", "/dev/null"], 0)
    expect("device stays", ["info", "/dev/null"], 1, "Not a file")
    expect("folder not there", ["read", PLANET, "temperature", "-o", "/nowhere/x"], 1, "/nowhere/x: cannot open")
    copy = write("itself", open(PLANET, "rb").read())
    expect("over itself", ["read", copy, "temperature", "-o", copy], 1, "output and input are the same file")
    check("untouched", only_file("itself", open(PLANET, "rb").read()), "content")
    for command in (["read", PLANET, "temperature"], ["read", PLANET, "temperature", "--format", "csv"],
                    ["info", PLANET], ["info", PLANET, "--json"], ["verify", PLANET], ["verify", PLANET, "--json"],
                    ["show", PLANET, "elevation"],
                    ["fit", PLANET, "--ram", "1M"], ["--help"], ["--version"],
                    ["diff", PLANET, CINE], ["fit", PLANET, "--ram", "3000"], ["verify", write("bad.tet", b"TETR")]):  # exit status 1 anyway
        name = " ".join(command[:1] + command[2:])
        with open("/dev/full", "wb") as full:
            expect("full disk: " + name, command, 1, "standard output: cannot write: No space left", stdout=full)
        expect("closed: " + name, command, 1, "standard output: cannot write: Bad file", stdout=None,
               preexec_fn=lambda: os.close(1))
        ends = os.pipe()
        os.close(ends[0])
        with os.fdopen(ends[1], "wb") as pipe:
            expect("pipe nobody reads: " + name, command, 1, None, stdout=pipe)
    expect("full, -o", ["read", PLANET, "temperature", "-o", "/dev/full"], 1, "/dev/full: cannot write: No space left")
    expect("full, png", ["show", PLANET, "temperature", "-o", "/dev/full"], 1, "/dev/full: cannot write: No space left")


def odd_places():
    """Links, folders, names and permissions: the error names the reason, and nothing is left behind or replaced."""
    for name, to in (("loop", "loop"), ("dangling", "nowhere"), ("good", PLANET)):
        os.symlink(to, scratch(name))
    os.mkdir(scratch("folder"))
    expect("a link in a circle", ["info", scratch("loop")], 1, "loop: cannot open: Too many levels of symbolic links")
    expect("a link to nothing", ["info", scratch("dangling")], 1, "dangling: cannot open: No such file")
    check("a link to a file", expect("a link", ["info", scratch("good")], 0).startswith(scratch("good").encode()), "")
    server = socket.socket(socket.AF_UNIX)
    server.bind(scratch("socket"))
    expect("a socket", ["info", scratch("socket")], 1, "socket: cannot open: ")
    server.close()
    with open(PLANET, "rb") as file:
        check("redirected", b"temperature" in subprocess.run([TOOL, "info", "/dev/stdin"], stdin=file, check=True,
                                                             capture_output=True).stdout, "")
    expect("no name", ["info", ""], 1, "cannot open: No such file")
    expect("a name too long", ["info", "n" * 5000], 1, "cannot open: File name too long")
    for out, pattern in ((scratch("loop"), "cannot open: Too many levels"),
                         (scratch("dangling"), "cannot write: broken symbolic link"),
                         (scratch("folder"), "cannot open: Is a directory"), ("", "cannot open: No such file"),
                         (scratch("folder") + "/", "cannot open: Is a directory"), ("/proc/x", "x: cannot open: "),
                         (scratch("no") + "/", "cannot open: "), (PLANET + "/x", "cannot open: Not a directory")):
        for command in ("read", "show"):
            expect("%s -o %s" % (command, out), [command, PLANET, "temperature", "-o", out], 1, pattern)
    check("links stay links",
          os.readlink(scratch("loop")) == "loop" and os.readlink(scratch("dangling")) == "nowhere" and
          not os.path.exists(scratch("nowhere")) and os.listdir(scratch("folder")) == [], os.listdir(SCRATCH))


def no_permission():
    """As a user without permission: a file that cannot be read, a folder that cannot be written."""
    folder = scratch("readonly")
    os.mkdir(folder)
    shutil.copy(TOOL, folder)
    shutil.copy(PLANET, os.path.join(folder, "planet.tet"))
    shutil.copy(PLANET, os.path.join(folder, "secret.tet"))
    os.chmod(os.path.join(folder, "secret.tet"), 0)
    os.mkdir(os.path.join(folder, "open"))
    os.chmod(os.path.join(folder, "open"), 0o777)
    write(os.path.join("readonly", "open", "mine"), b"mine")
    os.chmod(os.path.join(folder, "open", "mine"), 0o444)
    os.chmod(folder, 0o555)
    os.chmod(SCRATCH, 0o755)
    for name, arguments, pattern in (
            ("info", ["secret.tet"], "secret.tet: cannot open: Permission denied"),
            ("read", ["planet.tet", "temperature", "-o", "out"], "out: cannot open: Permission denied"),
            ("show", ["planet.tet", "temperature", "-o", "out.png"], "out.png: cannot open: Permission denied"),
            ("read", ["planet.tet", "temperature", "-o", "open/mine"], "open/mine: cannot open: Permission denied")):
        done = subprocess.run(["./" + os.path.basename(TOOL), name] + arguments, cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, preexec_fn=lambda: os.getuid() or os.setuid(65534))
        check("not allowed: " + name, done.returncode == 1 and done.stderr.count("\n") == 1 and pattern in done.stderr,
              "exit %d, %s" % (done.returncode, done.stderr))
    check("nothing new", len(os.listdir(folder)) == 4 and os.listdir(os.path.join(folder, "open")) == ["mine"],
          os.listdir(folder))


def huge_claims():
    """Small files that claim to be large: a result or an error at once, without memory or time for what is absent."""
    one = header_length([(b"g", 5, [1, 1], [1, 1])], 1)
    for name, dataset, rows, payload, pattern in (
            ("2^64 elements", (b"g", 5, [1 << 32, 1 << 32], [4, 4]), [(0, [0, 0], one, 16, 16, 0)], bytes(16),
             r"slab: the selection has 2\^64 - 1 elements or more; select fewer with --slab"),
            ("2^60 tiles", (b"g", 5, [1 << 31, 1 << 31], [2, 2]), [(0, [0, 0], one, 4, 4, 0)], bytes(4),
             "chunk row: no row in the index"),
            ("a chunk of 2^40 bytes", (b"g", 5, [1 << 40, 1], [1 << 40, 1]), [(0, [0, 0], one, 1 << 40, 20, 1)],
             bytes.fromhex("28b52ffd0058") + b"\1" + bytes(13), r"payload: .*\(offset \d+\)$"),
            ("chunk_shape 0", (b"g", 5, [4, 4], [0, 4]), [], b"", "dataset: ")):
        path = write("claims.tet", tet_header([dataset], rows) + payload)
        expect(name + ": info", ["info", path], 0, timeout=20, preexec_fn=little_memory)
        expect(name + ": verify", ["verify", "--deep", path], 1, "(dataset_tensor_bytes|chunk_decode): ", timeout=20)
        for command in ("read", "show"):
            expect(name + ": " + command, [command, path, "g"], 1, pattern, timeout=20)
        expect(name + ": fit", ["fit", path, "--ram", "64K"], 1 if "bytes" in name else 0, timeout=20)


def one_processor():
    """The first thread begins to write before others have started."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def a_file_that_shrinks():
    """Truncated while it is read: an error of the medium and no result, even if further threads begin after that."""
    path = scratch("shrinks.tet")
    for threads in ["1"] + ["16"] * 20:
        with open(huge_file(), "rb") as whole, open(path, "wb") as copy:
            copy.write(whole.read(header_length([(b"big", 5, [1, 1], [1, 1])], HUGE_ROWS)))
            copy.truncate(os.path.getsize(huge_file()))
        child = subprocess.Popen([TOOL, "read", path, "big", "-j", threads], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, preexec_fn=one_processor)
        child.stdout.read(1)  # it has begun, and cannot get far because the pipe is full
        os.truncate(path, 1 << 20)
        _, err = child.communicate()
        check("a file that shrinks", child.returncode == 1 and err.count(b"\n") == 1 and
              re.search(rb"shrinks.tet: medium: .*\(offset \d+\)\n", err), "exit %d, %s" % (child.returncode, err))


def failures_leave_nothing():
    """A damaged chunk, a limit on file size, a signal: no file is written, and an older one stays."""
    broken = os.path.join(ROOT, "golden", "tet", "V05_checksum_bad.tet")
    for old in (None, b"older result"):
        if old is not None:
            write("result", old)
        expect("damaged", ["read", broken, "#0", "-o", scratch("result")], 1, r"payload: .*\(offset \d+\)$")
        check("damaged chunk leaves nothing", only_file("result", old), os.listdir(SCRATCH))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
        expect("file size limit", ["read", CINE, "ripple", "-o", scratch("result")], 1, "cannot write: File too large",
               preexec_fn=limit)
        check("a full disk leaves nothing", only_file("result", old), os.listdir(SCRATCH))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # If this script runs in the background or under nohup, it has inherited some of them as ignored.
            child = subprocess.Popen([TOOL, "read", huge_file(), "big", "--format", "csv", "-o", scratch("result")],
                                     preexec_fn=lambda n=number: signal.signal(n, signal.SIG_DFL))
            deadline = time.time() + 100
            while time.time() < deadline and not [n for n in os.listdir(SCRATCH) if n.startswith("result.")]:
                time.sleep(0.01)
            check("temporary file seen", [n for n in os.listdir(SCRATCH) if n.startswith("result.")], "none")
            child.send_signal(number)
            check("signal %d" % number, child.wait(100) == -number, child.returncode)
            check("a signal leaves nothing", only_file("result", old), os.listdir(SCRATCH))


# ---- large files, little memory ----

def large():
    path = huge_file()
    got = read(path, "big", "--slab", ":,17")
    wanted = bytearray(HUGE_ROWS)
    for i in (0, 1024, HUGE_ROWS - 1):
        wanted[i] = i % 251 + 1
    check("a column of 10 GiB", got == bytes(wanted), "differs")
    rows = HUGE_ROWS if os.environ.get("SUITE_FULL") == "1" else 300
    begin = HUGE_ROWS - rows
    child = subprocess.Popen([TOOL, "read", path, "big", "--slab", "%d:,:" % begin], stdout=subprocess.PIPE,
                             preexec_fn=little_memory)
    total, sums = 0, {}
    while True:
        block = child.stdout.read(1 << 20)
        if not block:
            break
        if block.count(0) != len(block):
            at = len(block) - len(block.lstrip(b"\0"))
            sums[total + at] = block[at]
        total += len(block)
    wanted = {(i - begin) * HUGE_ROW + 17: i % 251 + 1 for i in (0, 1024, HUGE_ROWS - 1) if i >= begin}
    check("%d MiB in 16 MiB of address space" % (rows * 4),
          child.wait() == 0 and total == rows * HUGE_ROW and sums == wanted,
          "exit %d, %d, %s" % (child.returncode, total, sums))
    status, out, _ = utet("info", path, preexec_fn=little_memory)
    check("info of a large file", status == 0 and
          "{:,} bytes".format(os.path.getsize(path)).encode() in out, out[:80])
    hollow = scratch("far.tet")
    far = 5 << 40
    with open(hollow, "wb") as file:
        file.write(tet_header([(b"x", 8, [2], [2])], [(0, [0], far, 8, 8, 0)]))
        file.seek(far)
        file.write(struct.pack("<II", 7, 4000000000))
    check("an offset of 5 TiB", read(hollow, "x", "--format", "csv") == b"7\n4000000000\n", "differs")


def many_datasets():
    count = 3000
    datasets = [(b"set%d" % i, 5, [1], [1]) for i in range(count)]
    start = header_length(datasets, count)
    path = write("many.tet", tet_header(datasets, [(i, [0], start + i, 1, 1, 0) for i in range(count)]) +
                 bytes(i % 256 for i in range(count)))
    check("3000 datasets", read(path, "set2999") == bytes([2999 % 256]), "differs")
    check("info of 3000 datasets", b"set2999" in expect("info", ["info", "--all", path], 0), "missing")
    nul = write("names.tet", tet_header([(b"a\0b\x1b[2J", 5, [1], [1])], [(0, [0], 200, 1, 1, 0)]) + bytes(300))
    out = expect("control characters", ["info", nul], 0)
    check("names cannot drive the terminal", b"a\\x00b\\x1b[2J" in out and b"\x1b" not in out, out)


def main():
    for part in (outputs, odd_places, no_permission, huge_claims, a_file_that_shrinks, failures_leave_nothing,
                 large, many_datasets):
        part()
    summary()


main()
