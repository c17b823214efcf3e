# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of kinds of input share: a case writes a file as its own tool does and returns its arrays; the file is
packed, verified, read back and compared, or refused with a message that leads to success at the second attempt."""
import json
import os
import re
import shlex
import subprocess
import sys
import traceback

import numpy as np
from common import check

ROWS = []  # kind, writer, case, result
CASES = []
REFERENCE = os.environ.get("TET")  # the reference's own program, if it is available
DTYPES = [None, "<f4", "<f8", "<i4", "<i8", "|u1", "<u2", "<i2", "<u4", "<f2", "<u8"]  # of `utet info --json`
UNITS = {"days": "D", "hours": "h", "minutes": "m", "seconds": "s", "milliseconds": "ms", "microseconds": "us", "nanoseconds": "ns"}


def kind(name, writer, what, path, *options, wheel=True, first=()):
    """A case of a kind of input. The function writes `path` and returns {dataset: values}, or None if the values cannot
    be stored. options: those of the attempt that works; first: those of an attempt before it, whose error line has all
    of `options`."""
    def add(function):
        CASES.append((name, writer, what, path, list(options), wheel, first if first == () else list(first), function))
        return function
    return add


def tool(*words):
    done = subprocess.run(["utet", *words], capture_output=True, env=dict(os.environ, SOURCE_DATE_EPOCH="1700000000"))
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def pack(path, options, wheel):
    if os.path.exists("out.tet"):
        os.remove("out.tet")
    words = ["pack", path, "-o", "out.tet", *options]
    if not wheel:
        status, _, line = tool(*words)
        return status, line
    child = os.fork()  # python -m microtet, without importing modules again, which takes a second
    if child == 0:
        from microtet.__main__ import main
        with open("said", "wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        status = 70
        try:
            status = main(words)
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open("said", encoding="utf-8", errors="replace") as file:
        return status, file.read()


def stored():
    """{name: (values as they are stored, dims, labels, attributes)}"""
    info = json.loads(tool("info", "out.tet", "--json")[1])
    about = info["metadata"].get("datasets", {})
    found = {}
    for number, one in enumerate(info["datasets"]):
        data = tool("read", "out.tet", "#%d" % number, "--format", "raw")[1]
        meta = about.get(one["name"], {})
        found[one["name"]] = (np.frombuffer(data, DTYPES[one["dtype"]]).reshape(one["shape"]), meta.get("dim_names"),
                              {d: c.get("labels") for d, c in meta.get("coords", {}).items()}, meta.get("attrs", {}))
    return found


def meaning(values, attrs):
    """The values that stored ones represent: texts, times, truth values, NaN where there is none."""
    if "tetration_categories" in attrs:
        texts = {code: text for text, code in json.loads(attrs["tetration_categories"])["codes"].items()}
        return np.array([texts.get(int(code)) for code in values.ravel()], object).reshape(values.shape)
    since = re.fullmatch(r"(\w+)( since 1970-01-01)?", attrs.get("units", ""))
    if since and since.group(1) in UNITS and values.dtype.kind == "i" and (since.group(2) or "timedelta" in attrs.get("dtype", "")):
        times = values.astype("M8[%s]" % UNITS[since.group(1)] if since.group(2) else "m8[%s]" % UNITS[since.group(1)])
        if "_FillValue" in attrs:
            times[values == int(attrs["_FillValue"])] = "NaT"
        return times
    if attrs.get("dtype") == "bool":
        return values.astype(bool)
    return values


def same(got, wanted):
    wanted = np.asarray(wanted)
    if got.shape != wanted.shape:
        return False
    if wanted.dtype.kind in "OUST":
        texts = [one.decode() if isinstance(one, bytes) else one for one in wanted.ravel().tolist()]
        return got.dtype == object and [one or None for one in got.ravel().tolist()] == [
            None if one is None or one != one or one == "" else one for one in texts]
    if wanted.dtype.kind in "Mm":
        return got.dtype.kind == wanted.dtype.kind and bool(((got == wanted) | (np.isnat(got) & np.isnat(wanted))).all())
    return got.dtype.kind != "O" and np.array_equal(got, wanted, equal_nan=wanted.dtype.kind == "f" and got.dtype.kind == "f")


def suggested(line):
    """The options that an error line recommends."""
    words = []
    for part in re.findall(r"--[a-z-]+(?: \"[^\"]*\"| [^-\s(][^\s()]*)?", line):
        words += shlex.split(part)
    return words


def run_case(name, writer, what, path, options, wheel, first, function):
    label = "%s, %s, %s" % (name, writer, what)
    wanted = function()
    how = "read back"
    if wanted is None or first != ():
        status, line = pack(path, list(first) if wanted is not None else options, wheel)
        last = line.strip().splitlines()[-1] if line.strip() else ""
        if not check(label + ": is refused", status == 1 and not os.path.exists("out.tet") and "Traceback" not in line, line):
            return "FAILED"
        if wanted is None:
            return "refused: " + re.sub(r"^(utet|microtet): [^:]*: ", "", last)
        advised = suggested(line)
        if not check(label + ": the error line has the options", all(
            word in advised or (word[:2] != "--" and {"X", "N"} & set(advised)) for word in options), (options, line)):
            return "FAILED"
        how = "refused, read back with `%s`" % " ".join(shlex.quote(one) for one in options)
        options = [*first, *options]
    status, line = pack(path, options, wheel)
    if not check(label + ": is packed", status == 0, line):
        return "FAILED"
    verify = tool("verify", "out.tet", "--deep")
    right = check(label + ": verify", verify[0] == 0, verify)
    if REFERENCE:
        out = subprocess.run([REFERENCE, "verify", "out.tet"], capture_output=True)
        right &= check(label + ": the reference's verify", out.returncode == 0, out)
    found = stored()
    right &= check(label + ": names", set(wanted) <= set(found), (sorted(wanted), sorted(found)))
    for key, one in wanted.items():
        values, dims, labels, attrs = found.get(key, (np.array([]), None, {}, {}))
        want = one if isinstance(one, dict) else {"values": one}
        right &= check("%s: %s" % (label, key), same(meaning(values, attrs), want["values"]), (meaning(values, attrs), want["values"], attrs))
        right &= check("%s: %s, its metadata" % (label, key), ("dims" not in want or dims == want["dims"]) and all(
            attrs.get(k) == v for k, v in want.get("attrs", {}).items()) and all(labels.get(k) == v for k, v in want.get("labels", {}).items()),
            (dims, labels, attrs))
    return how if right else "FAILED"


def run_cases(folder):
    for number, case in enumerate(CASES):
        place = os.path.join(folder, "case%d" % number)
        os.makedirs(place)
        os.chdir(place)
        try:
            how = run_case(*case)
        except Exception as error:  # a fault of the writer, or of this test
            check("%s, %s, %s" % case[:3], False, "%s: %s" % (type(error).__name__, error))
            how = "FAILED"
        ROWS.append((case[0], case[1], case[2], how))
