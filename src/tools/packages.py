# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The packages of src/packages.mk, for scripts."""
import glob
import re


class Packages:
    def __init__(self, path="src/packages.mk"):
        with open(path, encoding="utf-8") as f:
            values = {name: words.split() for name, words in re.findall(r"^(\w+) *:=(.*)$", f.read(), re.M)}
        self.names = values["PACKAGES"]
        self.stands_on = {name: values.get("STANDS_ON_" + name, []) for name in self.names}
        self.own_headers = {name: values.get("HEADERS_" + name, []) for name in self.names}
        self.files = {name: values.get("FILES_" + name, []) for name in self.names}

    def all(self, *names):
        """These packages and those that they stand on, in the order of the list."""
        wanted, todo = set(), list(names)
        while todo:
            name = todo.pop()
            wanted.add(name)
            todo += self.stands_on[name]
        return [name for name in self.names if name in wanted]

    def headers(self, *names):
        return list(dict.fromkeys(header for name in self.all(*names) for header in self.own_headers[name]))

    def sources(self, *names):
        """The sources of these packages alone; the adapter to the zstd package is built with that."""
        folders = [path for name in names for path in sorted(glob.glob(f"src/{name}/*.c") + glob.glob(f"src/{name}/*/*.c"))]
        return [path for path in folders if not path.endswith("/zstd_upstream.c")]
