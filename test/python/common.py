# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the wheel share: counting, the README's examples, the golden list."""
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import traceback

TESTS, PORT = os.environ["TEST_ROOT"], os.environ["PORT"]
sys.path.append(os.path.join(TESTS, "tools"))
import tally  # noqa: E402
from tally import check, skip  # noqa: E402


def raises(name, kind, call, words=""):
    """The call raises exactly this kind of exception, with this text in its message."""
    try:
        call()
    except kind as error:
        check(name, type(error) is kind and words in str(error), "%s: %s" % (type(error).__name__, error))
        return error
    except Exception as error:
        check(name, False, "%s: %s" % (type(error).__name__, error))
    else:
        check(name, False, "no exception")
    return None


def run(cases):
    """Runs each case in a new folder; a case that raises has failed."""
    work = os.path.abspath(sys.argv[1])
    for case in cases:
        folder = os.path.join(work, case.__name__)
        os.makedirs(folder)
        os.chdir(folder)
        try:
            case()
        except Exception:
            check(case.__name__, False, traceback.format_exc())
    os.chdir(TESTS)
    shutil.rmtree(work, ignore_errors=True)
    sys.exit(tally.end())


def readme(with_packages):
    """Runs the README's blocks in order: those of Python in one namespace, those of the shell as they are."""
    text = open(os.path.join(PORT, "README.md"), encoding="utf-8").read()
    names = {}
    for number, (language, block) in enumerate(re.findall(r"^```(python|sh)\n(.*?)^```", text, re.M | re.S)):
        name = "README block %d (%s)" % (number + 1, block.strip().splitlines()[0])
        if not with_packages and ("xarray" in block or ".nc" in block):
            skip(name, "needs xarray; make python runs it")
            continue
        out = io.StringIO()
        try:
            if language == "python":
                with contextlib.redirect_stdout(out):
                    exec(compile(block, name, "exec"), names)
            else:
                subprocess.run(["bash", "-ec", block], check=True, stdout=subprocess.DEVNULL)
        except Exception:
            check(name, False, traceback.format_exc())
        else:
            check(name, True)
        names["out%d" % (number + 1)] = out.getvalue()
    return names


def golden():
    """The entries of golden.txt: file, its lines as lists of words."""
    found = []
    with open(os.path.join(TESTS, "golden", "golden.txt"), encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "file":
                path = os.path.join(TESTS, words[1], words[2])
                found.append((path, []))
            elif found:
                found[-1][1].append(words)
    return [(path, lines) for path, lines in found if os.path.exists(path)]
