#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Joins the page into one HTML file: pack.py OUT page.html page.css SCRIPT… MODULE.wasm… [--file FILE].

The scripts become one, in the order of the command line, without their imports and exports. The modules, and the file that the page opens
by itself, become blocks of text in base64. The content security policy names the script and the style by their hashes.
"""
import base64
import hashlib
import os
import re
import sys

POLICY = ("default-src 'none'; script-src {script} 'wasm-unsafe-eval'; style-src {style}; connect-src http: https:; base-uri 'none'; "
          "form-action 'none'")


def read(path, mode="r"):
    with open(path, mode) as f:
        return f.read()


def joined(paths):
    """One script of several modules: in one scope nothing is imported or exported."""
    text = "\n".join(read(path) for path in paths)
    text = re.sub(r"^import [^;]*;\n", "", text, flags=re.M)
    text = re.sub(r"^export \{[^}]*\};\n", "", text, flags=re.M)
    return re.sub(r"^export ", "", text, flags=re.M)


def source(text):
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def block(name, path, kind):
    data = base64.b64encode(read(path, "rb")).decode()
    return f'<script type="{kind}" id="{name}" data-name="{os.path.basename(path)}">{data}</script>'


def main():
    out, page, style, *rest = sys.argv[1:]
    content = rest[rest.index("--file") + 1:] if "--file" in rest else []
    rest = rest[:rest.index("--file")] if "--file" in rest else rest
    script = joined([path for path in rest if path.endswith(".mjs")])
    blocks = [block(os.path.basename(path), path, "application/wasm") for path in rest if path.endswith(".wasm")]
    blocks += [block("content", path, "application/octet-stream") for path in content]
    style = read(style)
    parts = {"policy": POLICY.format(script=source(script), style=source(style)), "style": style, "script": script, "blocks": "\n".join(blocks)}
    text = re.sub(r"@(policy|style|script|blocks)@", lambda found: parts[found[1]], read(page))
    with open(out, "w") as f:
        f.write(text)


main()
