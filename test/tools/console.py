# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The serial console of an emulated board whose firmware cannot end the emulator, as there is no debugger."""
import subprocess
import threading


def until_exit(command, seconds):
    """Runs the emulator until the console says `exit`, at most so many seconds; returns the lines of the console."""
    qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    limit = threading.Timer(seconds, qemu.kill)
    limit.start()
    lines = []
    for line in qemu.stdout:
        lines.append(line.rstrip("\r\n"))
        if lines[-1].startswith("exit "):
            break
    limit.cancel()
    qemu.kill()
    qemu.wait()
    return lines
