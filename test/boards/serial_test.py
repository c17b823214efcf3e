#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""lm3s6965evb reads files over its UART, which QEMU connects to a pseudo-terminal, from `utet serve`: what it prints are the digests of
digests.txt, or the reason with an offset. Directly, as the board's page has it, and over a line that loses, doubles, truncates, delays and
changes packets. Arguments: FIRMWARE, UTET, the folder of the demonstration files."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tty

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [os.path.join(TESTS, "port"), os.path.join(TESTS, "tools")]
from tally import check, end  # pylint: disable=wrong-import-position
from uart_link import Server, Way, carry  # pylint: disable=wrong-import-position

FIRMWARE, UTET, FILES = (os.path.abspath(path) for path in sys.argv[1:4])
SILENT = "utet serve does not answer"


class Board:
    """A board whose UART is the pseudo-terminal `line`."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["qemu-system-arm", "-M", "lm3s6965evb", "-display", "none", "-monitor", "none", "-serial", "pty", "-semihosting-config",
             "enable=on,target=native", "-kernel", FIRMWARE], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.line = re.match(r"char device redirected to (\S+) ", self.process.stdout.readline()).group(1)

    def end(self):
        """Returns the exit status and the lines that the program has printed."""
        lines = [line for line in self.process.communicate(timeout=120)[1].splitlines() if not line.startswith("Timer ")]  # QEMU's own
        return self.process.returncode, lines


def wanted(name):
    with open(os.path.join(FILES, "digests.txt"), encoding="ascii") as listing:
        lines = [line.split() for line in listing if line[0] != "#"]
    return ["%s served %s" % (words[0], words[2]) for words in lines if words[1] == name]


def directly(name):
    """As on the board's page: the tool opens the pseudo-terminal by its name."""
    board = Board()
    with subprocess.Popen([UTET, "serve", os.path.join(FILES, name), board.line], stderr=subprocess.PIPE, text=True) as host:
        code, lines = board.end()
        said = host.communicate(timeout=60)[1]
    return code, lines, (host.returncode, said)


def over_link(path, seed=0, rate=0.0, event=None):
    board = Board()
    device = os.open(board.line, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(device)
    server = Server(UTET, path, False)
    there, back = Way(device, server.target, seed, rate), Way(server.source, device, seed + 1000, rate)
    server = carry(there, back, server, event)
    code, lines = board.end()
    os.close(device)
    return code, lines, server.end()


def silence():
    """Nobody is at the other end."""
    return Board().end() + ((0, ""),)


def counts(lines):
    found = re.match(r"(\d+) requests, (\d+) answers, overruns (\d+), the core slept (\d+)$", lines[-3] if len(lines) > 2 else "")
    return tuple(map(int, found.groups())) if found else (0, 0, -1, 0)


def good(label, name, result):
    code, lines, host = result
    requests, answers, _, slept = counts(lines)
    check(label, code == 0 and lines[:-3] == wanted(name) and lines[-1] == "serial: good", (code, lines))
    check(label + ": host", host == (0, ""), host)
    check(label + ": the core sleeps while it waits", slept >= answers > 0, lines)
    return requests, answers


def bad(label, words, least, result):
    """The program ends with `words` and an offset of at least `least`; every digest before it is right."""
    code, lines, _ = result
    found = re.match(r"serial: (.*), offset (\d+)$", lines[-1] if lines else "")
    check(label, code == 1 and found and found.group(1) == words and int(found.group(2)) >= least, (code, lines))
    check(label + ": no wrong digest", set(lines[:-3]) <= set(wanted("demo_planet.tet")), lines)


def copy(work, name, size=None):
    path = os.path.join(work, name)
    shutil.copy(os.path.join(FILES, "demo_planet.tet"), path)
    if size is not None:
        os.truncate(path, size)
    os.utime(path, (1, 1))  # the clock of a file system may be coarser than this test
    return path


def main():
    names = ("demo_planet.tet", "demo_small.tet", "demo_tiny.tet")
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(4) as pool:
        direct = [pool.submit(directly, name) for name in names]
        faulty = [pool.submit(over_link, os.path.join(FILES, "demo_tiny.tet"), seed, 0.1) for seed in range(3)]
        nobody = pool.submit(silence)
        changed, removed = copy(work, "changed.tet"), copy(work, "removed.tet")
        touch = pool.submit(over_link, changed, event=lambda count: os.utime(changed) if count == 20 else None)
        remove = pool.submit(over_link, removed, event=lambda count: os.remove(removed) if count == 20 else None)
        short = pool.submit(over_link, copy(work, "short.tet", os.path.getsize(os.path.join(FILES, "demo_planet.tet")) // 2))
        for name, result in zip(names, direct):
            requests, answers = good(name, name, result.result())
            check(name + ": no overrun", counts(result.result()[1])[2] == 0, result.result()[1])
            print("figure: %s: %d requests, %d answers" % (name, requests, answers))
        for seed, result in enumerate(faulty):
            requests, answers = good("seed %d" % seed, "demo_tiny.tet", result.result())
            check("seed %d: something is repeated" % seed, requests > answers, (requests, answers))
        bad("nobody", SILENT, 0, nobody.result())
        bad("changed", "the file has changed", 1, touch.result())
        bad("removed", "the computer cannot read the file", 1, remove.result())
        bad("truncated", "damaged row of the chunk index", 1, short.result())
    return end()


sys.exit(main())
