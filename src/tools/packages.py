#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The packages of src/packages.mk, for scripts, and for build systems that cannot read that list themselves:

    packages.py version | description      of the whole
    packages.py sources | hot | headers    paths of the library's files; hot: the sources that are compiled for speed
    packages.py ports | port NAME          the names of the ports; the sources of one
"""
import glob
import os
import re
import sys


class Packages:
    def __init__(self, path="src/packages.mk"):
        with open(path, encoding="utf-8") as f:
            values = {name: words.split() for name, words in re.findall(r"^(\w+) *:=(.*)$", f.read(), re.M)}
        self.description = " ".join(values["DESCRIPTION"])
        self.licence = " ".join(values["LICENCE"])
        self.ports = values["PORTS"]
        self.names = values["PACKAGES"]
        self.stands_on = {name: values.get("STANDS_ON_" + name, []) for name in self.names}
        self.own_headers = {name: values.get("HEADERS_" + name, []) for name in self.names}
        self.files = {name: values.get("FILES_" + name, []) for name in self.names}

    def all(self, *names):
        """These packages and their dependencies, in the order of the list."""
        wanted, todo = set(), list(names)
        while todo:
            name = todo.pop()
            wanted.add(name)
            todo += self.stands_on[name]
        return [name for name in self.names if name in wanted]

    def headers(self, *names):
        return list(dict.fromkeys(header for name in self.all(*names) for header in self.own_headers[name]))

    def sources(self, *names):
        """The sources of only these packages; the adapter to libzstd is built with libzstd."""
        folders = [path for name in names for path in sorted(glob.glob(f"src/{name}/*.c") + glob.glob(f"src/{name}/*/*.c"))]
        return [path for path in folders if not path.endswith("/zstd_upstream.c")]


def version(path="include/utet.h"):
    with open(path, encoding="utf-8") as f:
        return ".".join(re.findall(r"^#define UTET_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", f.read(), re.M))


def main(what, *names):
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    packages = Packages()
    sources = packages.sources(*packages.names) + ["src/abi/sizes.c"]
    answers = {"version": lambda: [version()], "description": lambda: [packages.description], "ports": lambda: packages.ports,
               "sources": lambda: [path for path in sources if not path.endswith("_hot.c")],
               "hot": lambda: [path for path in sources if path.endswith("_hot.c")],
               "headers": lambda: sorted(glob.glob("include/*.h*")), "port": lambda: sorted(glob.glob(f"port/{names[0]}/*.c"))}
    for line in answers[what]():
        print(os.path.abspath(line) if os.path.exists(line) else line)


if __name__ == "__main__":
    main(*sys.argv[1:])
