# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""python -m microtet pack IN... -o OUT: as `utet pack`, also for the kinds of file that other packages read."""

from __future__ import annotations

import sys

from . import _tool
from ._errors import Error
from ._inputs import pack_files


def main(words: list[str]) -> int:
    if words[:1] != ["pack"]:
        _tool.main_with(words)
    try:
        pack_files(words[1:])
    except Error as error:
        text = str(error)
        print(text if text.startswith("utet: ") else f"microtet: {text}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
