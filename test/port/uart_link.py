# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""A serial line between a device with port/uart and `utet serve`, which loses, doubles, truncates, delays and changes packets."""
import collections
import os
import pty
import random
import select
import subprocess
import termios
import time

KINDS = ("lost", "doubled", "late", "cut", "changed", "inserted")


class Way:
    """One direction: splits the stream into packets, and forwards them with faults."""

    def __init__(self, source, target, seed, rate):
        self.source, self.target, self.rate, self.chance = source, target, rate, random.Random(seed)
        self.rest, self.held, self.packets = b"", b"", 0
        self.met = collections.Counter()

    def move(self):
        """Returns False at the end of the source."""
        try:
            data = os.read(self.source, 65536)
        except OSError:
            data = b""
        if not data:
            return False
        *frames, self.rest = (self.rest + data).split(b"\0")
        for frame in filter(None, frames):
            self.packets += 1
            self.send(self.fault(b"\0" + frame + b"\0"))
        return True

    def fault(self, packet):
        held, self.held = self.held, b""
        if self.chance.random() < self.rate:
            kind, at, value = self.chance.choice(KINDS), self.chance.randrange(len(packet)), self.chance.randrange(1, 256)
            self.met[kind] += 1
            if kind == "late":  # after the next one
                self.held = packet
            packet = {"lost": b"", "doubled": packet * 2, "late": b"", "cut": packet[:at],
                      "changed": packet[:at] + bytes([packet[at] ^ value]) + packet[at + 1:], "inserted": packet[:at] + bytes([value]) + packet[at:]}[kind]
        return packet + held

    def send(self, data):
        while data:
            try:
                data = data[os.write(self.target, data):]
            except OSError:
                return


class Server:
    def __init__(self, utet, path, by_pty):
        self.master = None
        if by_pty:
            self.master, slave = pty.openpty()
            self.process = subprocess.Popen([utet, "serve", path, os.ttyname(slave), "--speed", "9600"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.PIPE)
            while termios.tcgetattr(slave)[3] & termios.ICANON and self.process.poll() is None:
                time.sleep(0.005)  # until the line has the tool's settings
            os.close(slave)
            self.source = self.target = self.master
        else:
            self.process = subprocess.Popen([utet, "serve", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.source, self.target = self.process.stdout.fileno(), self.process.stdin.fileno()

    def end(self):
        """Closes the line; returns the exit status and the output."""
        if self.master is not None:
            os.close(self.master)
        else:
            self.process.stdin.close()
        words = self.process.stderr.read().decode()
        if self.master is None:
            self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait(timeout=60), words


def carry(there, back, server, event=None):
    """Forwards in both directions until one end closes. Calls event(number of packets) once for each number of packets that have come from
    the device; it may return another server, which takes the place of the first. Returns the last server."""
    done, seen = False, None
    while not done:
        for way in (way for way in (there, back) if way.source in select.select([there.source, back.source], [], [], 60)[0]):
            if event is not None and way is there and there.packets != seen:
                seen = there.packets
                new = event(there.packets)
                if new is not None:
                    server.end()
                    there.target, back.source, server = new.target, new.source, new
                    break
            done |= not way.move()
    return server
