#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""port/uart and `utet serve`, each in its own process, with a link between them that loses, doubles, truncates, delays and changes packets:
what the device reads has the digests of digests.txt, or it reports the reason. Over pipes and over a pseudo-terminal. Arguments: UTET,
uart_read, the folder of the demonstration files."""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from tally import check, end  # pylint: disable=wrong-import-position
from uart_link import KINDS, Server, Way, carry  # pylint: disable=wrong-import-position

UTET, DEVICE, FILES = (os.path.abspath(path) for path in sys.argv[1:4])
met = collections.Counter()


def session(path, seed=0, rate=0.0, by_pty=False, most=512, patience=20, event=None):
    """Runs device, link and host; see carry."""
    server = Server(UTET, path, by_pty)
    device = subprocess.Popen([DEVICE, str(most), str(patience)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    there = Way(device.stdout.fileno(), server.target, seed, rate)
    back = Way(server.source, device.stdin.fileno(), seed + 1000, rate)
    server = carry(there, back, server, event)
    device.stdin.close()
    words = device.stderr.read().decode()
    device.stdout.close()
    device.stderr.close()
    device.wait(timeout=60)
    met.update(there.met + back.met)
    return words, server.end()


def wanted(name):
    with open(os.path.join(FILES, "digests.txt"), encoding="ascii") as listing:
        lines = [line.split() for line in listing if line[0] != "#"]
    return ["%s %s" % (words[0], words[2]) for words in lines if words[1] == name]


def complete(label, name, words, ended):
    lines = words.splitlines()
    status = re.match(r"status (-?\d+), (\d+) requests, (\d+) answers, (\d+) bytes$", lines[-1] if lines else "")
    check(label, status and lines[:-1] == wanted(name) and status.group(1) == "1" and int(status.group(4)) == os.path.getsize(os.path.join(FILES, name)), words)
    check(label + ": host", ended == (0, ""), ended)
    return (int(status.group(2)), int(status.group(3))) if status else (0, 0)


def good_and_bad_links():
    for by_pty in False, True:
        name = "demo_planet.tet"
        requests, answers = complete("a good link", name, *session(os.path.join(FILES, name), by_pty=by_pty, patience=20000))
        check("nothing is repeated", requests == answers, requests)
        print("figure: %s: %d requests%s" % (name, requests, " over a pseudo-terminal" if by_pty else ""))
    for seed in range(8):
        name = ("demo_tiny.tet", "demo_planet.tet")[seed % 2]
        requests, answers = complete("seed %d" % seed, name, *session(os.path.join(FILES, name), seed, 0.1, seed % 4 >= 2, (512, 4096, 64)[seed % 3]))
        check("seed %d: something is repeated" % seed, requests > answers, requests)
    for kind in KINDS:
        check(kind, met[kind] > 0, "never")
    print("figure: faults: " + ", ".join("%d %s" % (met[kind], kind) for kind in KINDS))


def another_file(work):
    """Changed while it is read: overwritten, replaced, removed."""
    def copy():
        path = os.path.join(work, "field.tet")
        shutil.copy(os.path.join(FILES, "demo_planet.tet"), path)
        os.utime(path, (1, 1))  # the clock of a file system may be coarser than this test
        return path

    def write_over(path):
        with open(path, "r+b") as file:
            file.seek(4000)
            file.write(b"other bytes")

    def replace(path):
        shutil.copy(path, path + ".new")
        os.replace(path + ".new", path)

    for label, change, status, said in (("written over", write_over, -257, "the file is not the one that the device opened"),
                                        ("replaced", replace, -257, "the file is not the one that the device opened"),
                                        ("removed", os.remove, -258, "the file cannot be read")):
        path = copy()
        words, ended = session(path, event=lambda count, change=change, path=path: change(path) if count == 20 else None)
        check(label, words.splitlines()[-1].startswith("status %d, " % status), words)
        check(label + ": host", ended[0] == 0 and ended[1] == "utet: %s: %s; the device gets an error\n" % (path, said), ended)
    path = copy()
    words, ended = session(path, event=lambda count: os.utime(path, (1, 1)) if count == 0 else None)
    check("opened after the change", words.splitlines()[-1].startswith("status 1, "), words)


def started_again():
    """The host's program ends, and is started again: the session continues."""
    servers = []

    def event(count):
        if count < 20 or servers:
            return None
        servers.append(Server(UTET, os.path.join(FILES, "demo_planet.tet"), False))
        return servers[0]
    complete("another host program", "demo_planet.tet", *session(os.path.join(FILES, "demo_planet.tet"), event=event))


def sizes():
    """The RAM that the page states, if the compilers for these processors are installed."""
    with open("port/uart/README.md", encoding="utf-8") as file:
        told = re.search(r"`utet_uart` (\d+) bytes, `utet_uart_line` (\d+);", file.read())
    if shutil.which("arm-none-eabi-gcc"):
        source = '#include "utet_uart.h"\nextern char a[sizeof(utet_uart) == %s ? 1 : -1], b[sizeof(utet_uart_line) == %s ? 1 : -1];\n' % told.groups()
        done = subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-Iinclude", "-Iport/uart", "-fsyntax-only", "-x", "c", "-"], input=source,
                              stderr=subprocess.PIPE, text=True, check=False)
        check("sizes of the page", done.returncode == 0, done.stderr)


def main():
    sizes()
    good_and_bad_links()
    with tempfile.TemporaryDirectory() as work:
        another_file(work)
    started_again()
    return end()


sys.exit(main())
