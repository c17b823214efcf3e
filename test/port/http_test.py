#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""port/http against a server that answers ranges, and against one that misbehaves: the digests are those of digests.txt, or the status is
the one that the page states. If nginx is installed, its answers are tested as well. Arguments: http_read, the folder of the demonstration
files."""
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from tally import check, end, skip  # pylint: disable=wrong-import-position

PROGRAM, FILES = (os.path.abspath(path) for path in sys.argv[1:3])


class Handler(http.server.BaseHTTPRequestHandler):
    """The path is /FAULT/FILE; FAULT applies to request number 3, or to all."""
    protocol_version = "HTTP/1.1"
    seen = 0

    def log_message(self, *_):
        pass

    def do_GET(self):
        _, fault, name = self.path.split("/")
        Handler.seen += 1
        hit = Handler.seen == 3
        with open(os.path.join(FILES, name), "rb") as file:
            data = file.read()
        if fault == "redirect" and Handler.seen == 1:
            self.send_response(302)
            self.send_header("Location", "/none/" + name)
            self.send_header("ETag", '"of the redirection"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        tag = {"weak": 'W/"1"', "untagged": None, "dated": None}.get(fault, '"1"')
        if hit and fault in ("tag", "weak-tag", "ignores"):
            tag = '"2"'
        if hit and fault == "weak":
            tag = 'W/"2"'
        if hit and fault == "untagged":
            data += b"longer"
        if fault == "missing":
            return self.answer(404, b"no such file")
        if hit and fault == "busy":
            return self.answer(503, b"busy")
        if hit and fault == "drop":
            self.close_connection = True
            return None
        if self.headers["If-Match"] not in (None, tag) and fault != "ignores":
            return self.answer(412, b"changed")
        if fault == "dated" and hit and self.headers["If-Unmodified-Since"]:
            return self.answer(412, b"changed")
        if fault == "whole":
            return self.answer(200, data)
        first, last = map(int, re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"]).groups())
        last = min(last, len(data) - 1)
        if hit and fault == "other":
            first += 1
        part = data[first:last + 1]
        self.send_response(206)
        self.send_header("Content-Range", "bytes %d-%d/%d" % (first, last, len(data)))
        self.send_header("Content-Length", str(len(part)))
        if tag:
            self.send_header("ETag", tag)
        if fault == "dated":
            self.send_header("Last-Modified", "Wed, 25 Nov 2026 10:00:00 GMT")
        self.end_headers()
        self.wfile.write(part[:len(part) // 2] if hit and fault == "cut" else part)
        if hit and fault == "cut":
            self.close_connection = True
        return None

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        try:
            self.wfile.write(text)
        except OSError:
            self.close_connection = True


def run(address):
    done = subprocess.run([PROGRAM, address], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    lines = done.stdout.splitlines()
    last = re.match(r"status (-?\d+), response (\d+), (\d+) requests, (\d+) of (\d+) bytes$", lines[-1] if lines else "")
    return lines[:-1], [int(n) for n in last.groups()] if last else [0] * 5, done.stdout


def wanted(name):
    with open(os.path.join(FILES, "digests.txt"), encoding="ascii") as listing:
        return ["%s %s" % (words[0], words[2]) for words in map(str.split, listing) if words[1] == name]


def good(label, address, name):
    digests, (status, _, requests, count, size), said = run(address)
    check(label, digests == wanted(name) and status == 1 and size == os.path.getsize(os.path.join(FILES, name)), said)
    check(label + ": each byte once", count <= size + 16384, said)
    return requests, count


def nginx(work):
    if not shutil.which("nginx"):
        skip("nginx", "not installed")
        return
    root = os.path.join(work, "root")
    shutil.copytree(FILES, root)
    with open(os.path.join(work, "conf"), "w", encoding="ascii") as conf:
        conf.write("daemon off; master_process off; pid %s/pid; error_log %s/log;\nevents {}\nhttp { access_log off; server { listen 127.0.0.1:18479; root %s; } }\n" % (work, work, root))
    server = subprocess.Popen(["nginx", "-c", os.path.join(work, "conf"), "-p", work], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            if run("http://127.0.0.1:18479/demo_tiny.tet")[1][0] == 1:
                break
            time.sleep(0.05)
        for name in ("demo_tiny.tet", "demo_planet.tet", "demo_cine.tet"):
            requests, count = good("nginx, " + name, "http://127.0.0.1:18479/" + name, name)
            print("figure: nginx, %s: %d requests, %d bytes" % (name, requests, count))
    finally:
        server.terminate()
        server.wait()


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    at = "http://127.0.0.1:%d/" % server.server_address[1]

    def status(fault):
        Handler.seen = 0
        return run(at + fault + "/demo_cine.tet")[1][0]
    for name in ("demo_tiny.tet", "demo_planet.tet", "demo_cine.tet"):
        requests, count = good(name, at + "none/" + name, name)
        print("figure: %s: %d requests, %d bytes" % (name, requests, count))
    for fault in ("redirect", "drop"):  # the connection is closed: libcurl opens another one
        Handler.seen = 0
        good(fault, at + fault + "/demo_planet.tet", "demo_planet.tet")
    for fault, what in (("missing", -257), ("busy", -257), ("cut", -256), ("whole", -258), ("other", -258), ("tag", -259), ("weak", -259),
                        ("ignores", -259), ("dated", -259), ("untagged", -259)):
        got = status(fault)
        check(fault, got == what, "%d, expected %d" % (got, what))
    check("no server", run("http://127.0.0.1:1/x.tet")[1][0] == -256)
    with tempfile.TemporaryDirectory() as work:
        nginx(work)
    return end()


sys.exit(main())
