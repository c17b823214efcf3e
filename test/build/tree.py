# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The files that the checks of this folder read."""
import os
import subprocess


def tree():
    """The committed files; in an unpacked archive, the existing ones."""
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return listed.stdout.split("\n")
    return [os.path.relpath(os.path.join(folder, name)) for folder, _, names in os.walk(".") for name in names
            if not folder.startswith(("./build", "./.git/"))]
