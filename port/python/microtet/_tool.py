# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The tool utet, which is part of the package."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any, Optional

from ._errors import REGIONS, ToolError

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "utet")


def main() -> None:
    """The command utet."""
    main_with(sys.argv[1:])


def main_with(words: list[str]) -> None:
    """Replaces this process by the tool."""
    os.execv(PATH, ["utet", *words])


def failure(path: Optional[str], line: str) -> ToolError:
    """The exception for an error line of the tool: `utet: PATH: region: text (offset N)`."""
    text = line.strip().splitlines()[-1] if line.strip() else "utet failed without a message"
    rest = text[len("utet: ") :] if text.startswith("utet: ") else text
    if path is not None and rest.startswith(path + ": "):
        rest = rest[len(path) + 2 :]
    region = rest.split(": ", 1)[0] if ": " in rest else None
    offset = re.search(r"\(offset (\d+)\)$", rest)
    return ToolError(
        text, region=region if region in REGIONS else None, offset=int(offset.group(1)) if offset else None
    )


def run_both(
    arguments: list[str], path: Optional[str] = None, stdin: bytes = b"", accept: tuple[int, ...] = (0,)
) -> tuple[str, str]:
    """Runs the tool and returns what it wrote to standard output and to standard error, as text."""
    done = subprocess.run([PATH, *arguments], input=stdin, capture_output=True)
    out, messages = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    if done.returncode not in accept or (done.returncode != 0 and not out):
        raise failure(path, messages)
    return out, messages


def run(arguments: list[str], path: Optional[str] = None) -> bytes:
    """Runs the tool and returns its standard output as bytes."""
    done = subprocess.run([PATH, *arguments], input=b"", capture_output=True)
    if done.returncode != 0:
        raise failure(path, done.stderr.decode("utf-8", "replace"))
    return done.stdout


def run_json(
    arguments: list[str], path: Optional[str] = None, stdin: bytes = b"", accept: tuple[int, ...] = (0,)
) -> Any:
    return json.loads(run_both(arguments, path, stdin, accept)[0])
