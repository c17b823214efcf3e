# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The tool on a pseudo terminal, for all tests that need one."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import threading

from harness import TOOL

QUESTION = b"\x1b[c"  # DA1: what can this terminal do?
MARK = b"\0"  # the tool never writes it to a terminal


def on_terminal(arguments, columns=80, lines=24, environment=None, answer=b"\x1b[?1;2c", pixels=(0, 0), program=(TOOL,), stdin=None):
    """Runs the tool on a pseudo terminal of its own, by default an xterm; returns the exit status and all output without the question for
    sixel. By default, the terminal answers that it has no sixel. Without an answer (None), the question stays in the output. Progress is
    only shown after ten minutes, so that it does not depend on the machine's load."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, *pixels))
    inherited = {name: value for name, value in os.environ.items() if name != "COLORTERM"}
    process = subprocess.Popen([*program, *arguments], stdin=slave if stdin is None else stdin, stdout=slave, stderr=slave, start_new_session=True,
                               env={**inherited, "TERM": "xterm", "UTET_PROGRESS_AFTER": "600000", **(environment or {})},
                               preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0))

    def mark_end():  # If the last writer closed its end, Linux might end the output before its last lines.
        process.wait()
        os.write(slave, MARK)
    ending = threading.Thread(target=mark_end)
    ending.start()
    out = b""
    while MARK not in out:
        if not select.select([master], [], [], 60)[0]:
            process.kill()
        out += os.read(master, 65536)
        if QUESTION in out and answer:
            os.write(master, answer)
            answer = b""
    ending.join()
    os.close(slave)
    os.close(master)
    out = out.partition(MARK)[0]
    return process.returncode, (out if answer is None else out.replace(QUESTION, b"")).decode()
