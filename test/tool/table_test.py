#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of loggers through utet pack: times, labels, signs, comments, UTF-16, the narrowest integers. Second sources:
Python's csv and datetime, NumPy's datetime64, integer arithmetic."""
import datetime
import io
import json
import os
import random

import numpy

from harness import check, narrow, scratch, summary, utet

QUICK = ("--tile", "whole", "--codec", "raw", "-j", "1")
KINDS = [None, "<f4", "<f8", "<i4", "<i8", "|u1", "<u2", "<i2", "<u4", "<f2", "<u8"]
UNITS = {"d": ("days", 86400), "h": ("hours", 3600), "min": ("minutes", 60), "s": ("seconds", 1), "ms": ("milliseconds", 1e-3), "us": ("microseconds", 1e-6), "ns": ("nanoseconds", 1e-9)}
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"


def put(name, data):
    with open(scratch(name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return scratch(name)


def pack(path, *options):
    """(exit status, standard error)"""
    if os.path.exists(scratch("out.tet")):
        os.remove(scratch("out.tet"))
    status, _, err = utet("pack", path, *QUICK, *options, "-o", scratch("out.tet"))
    return status, err


def told():
    """{name: (array, metadata)} of the file."""
    info = json.loads(utet("info", scratch("out.tet"), "--json")[1])
    about = info["metadata"].get("datasets", {})
    return {d["name"]: (numpy.frombuffer(utet("read", scratch("out.tet"), "#%d" % i, "--format", "raw")[1], KINDS[d["dtype"]]), about.get(d["name"], {}))
            for i, d in enumerate(info["datasets"])}


def column(text, *options, name="a", want=None, said=""):
    """Packs; the column's array must be `want`, and standard error contains `said` and nothing else."""
    status, err = pack(put("t.csv", text), *options)
    got = told()[name][0] if status == 0 else None
    check("%r %r" % (text[:60], options), status == 0 and got.tobytes() == want.tobytes() and got.dtype == want.dtype and ((said in err and err.count("\n") == 1) if said else err == ""),
          (status, err, got, want))


def refused(text, words, *options):
    status, err = pack(put("t.csv", text), *options)
    check("%r %r is refused" % (text[:60], options), status == 1 and words in err and err.count("\n") == 1 and not os.path.exists(scratch("out.tet")), err)


def times():
    dice = random.Random("times")
    for unit, (word, seconds) in UNITS.items():
        for zone in (None, datetime.timezone.utc, datetime.timezone(datetime.timedelta(hours=5, minutes=45)), datetime.timezone(datetime.timedelta(hours=-8))):
            stamps = []
            for _ in range(20):
                count = dice.randint(-2**31, 2**32)
                moment = datetime.datetime(1970, 1, 1, tzinfo=zone) + datetime.timedelta(seconds=count - count % max(int(seconds), 1))
                stamps.append(moment if unit not in ("us", "ms", "ns") else moment + datetime.timedelta(milliseconds=dice.randint(0, 999)))
            if unit in ("d", "h") and zone is not None:
                stamps = [datetime.datetime.combine(s.date(), datetime.time(), zone).astimezone(datetime.timezone.utc) for s in stamps] if zone == datetime.timezone.utc else []
            want = numpy.array([int(numpy.datetime64((s.astimezone(datetime.timezone.utc).replace(tzinfo=None) if s.tzinfo else s), {"min": "m", "d": "D"}.get(unit, unit)).astype("i8")) for s in stamps], "<i8")
            if len(stamps) == 0:
                continue
            for form in (lambda s: s.isoformat(), lambda s: s.isoformat(" "), lambda s: s.isoformat().replace("+00:00", "Z")):
                column("t,v\n" + "".join("%s,1\n" % form(s) for s in stamps), "--times", "t=" + unit, name="t", want=want)
            check("units of " + unit, told()["t"][1]["attrs"] == {"units": word + " since 1970-01-01"}, told()["t"][1])
    for text, want in (("2024-02-29", 19782 * 86400), ("20240229", 19782 * 86400), ("20240229T010203", 19782 * 86400 + 3723), ("2024-02-29T01:02", 19782 * 86400 + 3720),
                       ("2024-02-29 01:02:03 +01:00", 19782 * 86400 + 123), ("2024-02-29T00:00:00-0030", 19782 * 86400 + 1800), ("2024-02-29T00:00:00,000", 19782 * 86400), ("0001-01-01", -62135596800)):
        column("t\n\"%s\"\n" % text, "--times", "t=s", name="t", want=numpy.array([want], "<i8"))
    check("the calendar before 1583", told()["t"][1]["attrs"] == {"units": "seconds since 1970-01-01", "calendar": "proleptic_gregorian"}, told())
    column("t\n2024-01-01T00:00:00.123456789Z\n", "--times", "t=ns", name="t", want=numpy.array([1704067200123456789], "<i8"))
    column("t;v\n31.12.2024 23:59;1\n", "--times", "t=min", "--time-format", "%d.%m.%Y %H:%M", name="t", want=numpy.array([int(numpy.datetime64("2024-12-31T23:59", "m").astype(int))], "<i8"))
    column("t,v\n12/31/24 01:00:00 PM,1\n", "--times", "t=s", "--time-format", "%m/%d/%y %I:%M:%S %p", name="t", want=numpy.array([int(numpy.datetime64("2024-12-31T13:00:00", "s").astype(int))], "<i8"))
    column("t,v\n2024-01-01,1\n,2\nNaT,3\n", "--times", "t=d", "--fill", "-1", name="t", want=numpy.array([19723, -1, -1], "<i8"))
    column("t\n1969-12-31\n1971-01-01\n", "--times", "t=d", name="t", want=numpy.array([-1, 365], "<i8"))
    for cell in ("2023-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-01T24:00", "2024-01-01T00:60", "2024-01-01T00:00:60", "2024-1-1", "24-01-01", "2024-01-01T", "2024-01-01T00",
                 "2024-01-01T00:00:00.", "2024-01-01T00:00+1", "2024-01-01T00:00:00Zx", "2024-0101", "202401-01", "12/31/24", "x", "2024-01-01T00:00:00.1234567891"):
        refused("t,v\n%s,1\n" % cell, '"%s" is not a date or time in ISO 8601 (--time-format FORMAT reads others)' % cell, "--times", "t=ns")
    refused("t\n2024-01-01T00:00:00.5\n", '(--times "t=ms" stores it)', "--times", "t=s")
    refused("t\n2024-01-01T00:30\n", '(--times "t=min" stores it)', "--times", "t=h")
    refused("t\n2300-01-01\n", "does not fit i64 in the unit ns", "--times", "t=ns")
    refused("t\n1677-01-01\n", "does not fit i64 in the unit ns", "--times", "t=ns")
    refused("t,v\n2024-01-01,1\n,2\n", "--fill X stores the number X there", "--times", "t=d")
    refused("t\n1970-01-02\n\"\"\n", "is the value of --fill", "--times", "t=d", "--fill", "1")
    refused("t\n2024-01-01T00:00Z\n2024-01-01T00:00\n", "one time has a zone and the other has none", "--times", "t=s")
    refused("time\n2024-01-01\n", 'no column named "tiem" (did you mean "time"?)', "--times", "tiem=s")
    refused("t\n2024-01-01\n", "does not match --time-format", "--times", "t=s", "--time-format", "%d.%m.%Y")
    refused("t\n31.02.2024\n", "does not match --time-format", "--times", "t=s", "--time-format", "%d.%m.%Y")
    for value in ("t", "=s", "t=", "t=sec", "t=S"):
        check("--times " + value, pack(scratch("t.csv"), "--times", value)[0] == 2)
    check("--time-format alone", pack(scratch("t.csv"), "--time-format", "%Y")[0] == 2)


def labels():
    table = "when,site,temp,hum\n2024-01-01,north,1.5,40\n2024-01-02,\"south, old\",2.5,300\n"
    for options, axis, texts, names in ((("--times", "when=labels", "--drop", "site"), "when", ["2024-01-01", "2024-01-02"], ["temp", "hum"]),
                                        (("--labels-from", "site", "--times", "when=d"), "site", ["north", "south, old"], ["when", "temp", "hum"])):
        status, err = pack(put("l.csv", table), *options)
        got = told()
        check("labels %r" % (options,), status == 0 and err == "" and list(got) == names and all(m["dim_names"] == [axis] and m["coords"] == {axis: {"labels": texts}} for _, m in got.values()), (err, got))
    out = utet("read", scratch("out.tet"), "temp", "--slab", "site=north", "--format", "csv")
    check("a label finds its row", out[1] == b"1.5\n", out)
    pack(scratch("l.csv"), "--labels-from", "site", "--drop", "when", "--slab", "1:2")
    check("the labels of a slab", told()["hum"][1]["coords"] == {"site": {"labels": ["south, old"]}} and told()["hum"][0].tolist() == [300], told())
    pack(scratch("l.csv") + ":hum", "--labels-from", "site")
    check("labels of one column", list(told()) == ["hum"] and told()["hum"][1]["coords"]["site"]["labels"] == ["north", "south, old"], told())
    many = "s,v\n" + "".join("w%d,%d\n" % (i, i) for i in range(65))
    refused(many, "an axis of .tet has at most 64 labels", "--labels-from", "s")
    check("64 labels, whatever the footer", pack(put("t.csv", "\n".join(many.split("\n")[:65]) + "\n"), "--labels-from", "s") == (0, "") and len(told()["v"][1]["coords"]["s"]["labels"]) == 64)
    refused("s,v\na,1\n,2\n", "the label of a row is empty", "--labels-from", "s")
    refused("s,v\na,1\nb,2\n", "is not a date or time", "--times", "s=labels")
    refused("s\na\n", "no column is left", "--labels-from", "s")
    refused("s,t,v\na,2024-01-01,1\n", "two columns of labels", "--labels-from", "s", "--times", "t=labels")
    text = "s,v\n" + "".join("word%d,%d\n" % (i, i) for i in range(100))
    refused(text, '--labels-from "s" makes labels of up to 64 rows, --drop "s" leaves the column out', )
    column(text, "--drop", "s", name="v", want=narrow(range(100)))
    refused("t,v\n" + "".join("2024-01-01T00:%02d:%02d,%d\n" % (i // 60, i % 60, i) for i in range(200)), '--times "t=s" stores times as numbers')


def words():
    for word in ("NA", "N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "None"):
        column("a,b\n1.5,1\n%s,2\n" % word, want=numpy.array([1.5, numpy.nan]), said='1 field such as "%s" is read as no value' % word)
        column("a,b\n1,1\n%s,2\n" % word, "--fill", "-7", want=narrow([1, -7]), said='1 field such as "%s" is read as no value' % word)
    column("a,b\nNA,1\nDE,2\nNA,3\n", want=numpy.array([0, 1, 0], "<i8"), said="its 2 words")  # Namibia
    check("NA among texts is a text", json.loads(told()["a"][1]["attrs"]["tetration_categories"]) == {"codes": {"NA": 0, "DE": 1}, "missing": -1})
    refused("a,b\n1,1\nNA,1\nbad,2\n", '"bad" is not a number')
    column("a,b\nx,1\nnan,2\n,3\ny,4\n", want=numpy.array([0, -1, -1, 1], "<i8"), said="its 2 words")
    column('a\n"""x"""\n"x"\nx\n', want=numpy.array([0, 1, 1], "<i8"), said="its 2 words")  # the first one has quotation marks
    column('a\n"x\ny"\nx\ny\n', want=numpy.array([0, 1, 2], "<i8"), said="its 3 words")
    refused('a,b,c\n"x,y",1,2\nx,y,5,6\n', "line 3: 4 fields, but the first line has 3")
    for separator in ",;":
        many_words(separator)


def many_words(separator):
    """As many words as an attribute can list, of lengths from 1 to 13, many with the same beginning, and all lengths again:
    the codes number them in the order of Python's dict."""
    dice, codes = random.Random("words"), {}
    texts = ["w" * i + end for i in range(1, 13) for end in ("", "x")] + ["%c%c" % (a, b) for a in "uvé" for b in "abcdefghijklm#=- "] + ["same start %d" % i for i in range(9)]
    cells = texts + [dice.choice(texts) for _ in range(4000)]
    rows = ["%s%s%d" % (dice.choice((" %s", '"%s"', "%s", "%s", "%s", "%s ")) % cell, separator, i % 100) for i, cell in enumerate(cells)]
    want = numpy.array([codes.setdefault(cell.strip(), len(codes)) for cell in cells], "<i8")
    column("a%sb\n%s\n" % (separator, "\n".join(rows)), want=want, said="its %d words" % len(codes))
    check("the list of %d words" % len(codes), json.loads(told()["a"][1]["attrs"]["tetration_categories"])["codes"] == codes)


def blocks():
    """Columns whose first cells promise another dtype than all cells have: the values are those of Python's int and float."""
    for first, then in (("7", "300"), ("7", "-1"), ("7", "70000"), ("7", "2.5"), ("7", "-0"), ("-0", "1.5"), ("7", "5000000000"), ("-5", "4000000000"),
                        ("9007199254740992", "0.5"), ("1.5", "9007199254740992"), ("0.125", "1234567.123456789012"), ("1.0", "2"), ("7", "inf"), ("7", ""), ("7", "0"),
                        ("5.0", "-0.0"), ("1700000000123456789", "9007199254740993"), ("1700000000123456789", "-3"), ("2.5", "1."), ("2.5", ".5"), ("2.5", "-.5"),
                        ("2.5", "+4"), ("2.5", " 4.25 "), ("2.5", '"4"'), ("2.5", "12e-1"), ("2.5", "0.1000000000000000055511151231257827"), ("2.5", "00000000000000000000.5")):
        for at in (0, 1, 511, 512):
            cells = [then if i == at else first for i in range(513)]
            floats = any(not cell.lstrip("-").isdigit() for cell in cells)
            want = numpy.array([float(cell.strip(' "') or "nan") for cell in cells]) if floats else narrow([int(cell) for cell in cells])
            column("a,b\n" + "".join(cell + ",1\n" for cell in cells), want=want)


def buffers():
    """A table that is longer than the buffer of the reader (64 KB): a comment of each length before it shifts the byte where the
    buffer ends through every byte of a line, and the file stays the same."""
    begin, words_of, rows = datetime.datetime(2024, 2, 28, 23, 50), ["a", "ab", "ab c", "abc"], []
    for i in range(1600):
        word, moment = words_of[i % 7 % 4], begin + datetime.timedelta(seconds=37 * i)
        rows.append((moment.isoformat(" " if i % 5 else "T"), '"%s"' % word if i % 11 == 3 else word, str(70 * i - 20000), "%.2f" % (i / 8 - 50)))
    want = {"t": numpy.array([1709164200 + 37 * i for i in range(1600)], "<i8"), "s": numpy.array([[0, 1, 2, 3][i % 7 % 4] for i in range(1600)], "<i8"),
            "i": numpy.array([70 * i - 20000 for i in range(1600)], "<i4"), "f": numpy.array([float(row[3]) for row in rows])}
    for end in "\n", "\r\n", "\r":
        lines_of = ["t,s,i,f", *map(",".join, rows)]
        first = None
        for length in range(0, max(map(len, lines_of)) + len(end) + 1, 1 if end == "\r\n" else 5):
            status, err = pack(put("t.csv", "#" * 22000 + "." * length + end + end.join(lines_of) + end), "--times", "t=s")
            with open(scratch("out.tet"), "rb") as file:
                content = file.read()
            got = told() if first is None else {}
            check("all values, line ends %r" % end, all(got[n][0].tobytes() == want[n].tobytes() and got[n][0].dtype == want[n].dtype for n in got), got)
            first = first or content
            check("the buffer ends %d bytes earlier, line ends %r" % (length, end), status == 0 and content == first, err)
            status, err = pack(put("t.csv", "#" * 22000 + "." * length + end + end.join(lines_of + ["x,a,1,1", ""])), "--times", "t=s")
            check("the line of an error, line ends %r" % end, status == 1 and ": line 1603, column 1" in err, err)


def integers():
    for low, high in ((0, 255), (0, 256), (-1, 255), (-32768, 32767), (0, 32767), (0, 32768), (0, 65535), (0, 65536), (-32769, 0), (0, 2**31 - 1), (0, 2**31), (0, 2**32 - 1), (0, 2**32), (-1, 2**31), (0, 2**63 - 1), (0, 2**63), (-2**63, 1)):
        column("a\n%d\n%d\n" % (low, high), want=narrow([low, high]))
        column("a,b\n%d,1\n%d,1\n,2\n" % (low, high), "--fill", "-5", want=narrow([low, high, -5])) if high < 2**63 else None
    column("a\n1\n2\n", "--dtype", "i64", want=numpy.array([1, 2], "<i8"))
    column("a\n1.0\n2.0\n", want=numpy.array([1.0, 2.0]))


def signs():
    column('a,b\n"1,5",2\n"-0,25",3\n', "--decimal", ",", want=numpy.array([1.5, -0.25]))
    column("a;b\n1.234,5;2\n12;3\n", "--decimal", ",", "--thousands", ".", want=numpy.array([1234.5, 12]))
    column("a;b\n1,234.5;2\n12;3\n", "--decimal", ".", "--thousands", ",", want=numpy.array([1234.5, 12]))
    column("a;b\n1,234;2\n7,000;3\n", want=numpy.array([1.234, 7.0]), said='the comma in "1,234" is read as a decimal sign (--thousands , reads it otherwise)')
    column("a;b\n1,234;2\n7,5;3\n", want=numpy.array([1.234, 7.5]))
    refused("a;b\n1,5;2\n1.234;3\n", '"1,5" and "1.234": which is the decimal sign? (--decimal SIGN and --thousands SIGN say)')
    column("a;b\n1,5;2\n1.234;3\n", "--decimal", ",", "--thousands", ".", want=numpy.array([1.5, 1234]))
    refused('a,b\n"1,5",2\n', "(--decimal , reads 1.5, ")
    refused('a,b\n"1,234",2\n', "(--thousands , reads 1234, --decimal , reads 1.234, ")
    refused("a;b\n1.5;2\n", '"1.5" is not a number', "--decimal", ",")
    check("one sign for both", pack(scratch("t.csv"), "--decimal", ",", "--thousands", ",")[0] == 2)
    for cell, option, value in (("$5", "$", 5), ("-$5", "$", -5), ("12 %", "%", 12), ("€ 7", "€", 7), ("£300", "£", 300)):
        refused("a,b\n%s,1\n" % cell, '(--strip "%s" reads %s, ' % (option, str(value).replace("-", "")))
        column("a,b\n%s,1\n" % cell, "--strip", option, want=narrow([value]))
    refused("a,b\n1,1\n20.1 degC,1\n", '--strip "degC" reads 20.1')
    column("a,b\n1,1\n20.1 degC,1\nEUR 5,2\n", "--strip", "degC,EUR", want=numpy.array([1, 20.1, 5]))
    column('a,b\n"$1,234,567",1\n', "--strip", "$", "--thousands", ",", want=narrow([1234567]))
    column("a,b\nroute 66,1\nroute 67,2\n", want=numpy.array([0, 1], "<i8"), said="its 2 words")


def lines():
    text = io.StringIO()
    numpy.savetxt(text, [[1, 2], [3, 4]], delimiter=",", header="made here\na,b", footer="the end\nof it")
    column(text.getvalue(), want=numpy.array([1.0, 3.0]), said="3 lines that begin with # are skipped")
    text = io.StringIO()
    numpy.savetxt(text, [[1, 2], [3, 4]], delimiter=",", header="a,b", footer="the end, of it")
    refused(text.getvalue(), '--comment "#" skips such lines')
    column(text.getvalue(), "--comment", "#", want=numpy.array([1.0, 3.0]))
    text = io.StringIO()
    numpy.savetxt(text, [[1, 2], [3, 4]], header="a b")
    column(text.getvalue(), "--separator", "blank", want=numpy.array([1.0, 3.0]))
    text = io.StringIO()
    numpy.savetxt(text, [[1, 2], [3, 4]], header="a b", comments="% ", footer="done")
    column(text.getvalue(), "--separator", "blank", "--comment", "% ", want=numpy.array([1.0, 3.0]))
    column("  a   b \n 1\t 2 \n\n3 4\n", "--separator", "blank", want=narrow([1, 3]))
    column("a|b\n1|2\n", "--separator", "|", want=narrow([1]))
    column("a,b\n1,2\n# a pause\n3,4\n", want=narrow([1, 3]), said="1 line that begins with # is skipped")
    column("a,b\n1,2\n#3,4\n5,6\n", "--comment", "#", want=narrow([1, 5]))
    column("a\n1\n// two\n3\n", "--comment", "//", want=narrow([1, 3]))
    column("a,b\n#1,2\n#2,3\n", want=numpy.array([0, 1], "<i8"), said="its 2 words")  # the same number of fields: data
    toa5 = '"TOA5","CR1000","sn","os","prog","sig","Table1"\n"TIMESTAMP","RECORD","AirTC"\n"TS","RN","Deg C"\n"","","Avg"\n"2024-01-01 00:10:00",0,1.5\n"2024-01-01 00:20:00",1,"NAN"\n'
    refused(toa5, '(--separator , --skip 1 --units --skip-after 1 --times "TIMESTAMP=s" reads the table)')
    refused(toa5, '--skip-after 1 skips it', "--skip", "1", "--units")
    column(toa5, "--skip", "1", "--units", "--skip-after", "1", "--times", "TIMESTAMP=s", name="AirTC", want=numpy.array([1.5, numpy.nan]))
    check("a logger's own format", told()["TIMESTAMP"][0].tolist() == [1704067800, 1704068400] and told()["AirTC"][1]["attrs"] == {"units": "Deg C"} and told()["RECORD"][0].tolist() == [0, 1])
    for wide in ("utf-16", "utf-16-le", "utf-16-be"):
        data = ("" if wide == "utf-16" else "\ufeff") + "µ\tb\r\n1,5\t2\r\n"
        column(data.encode(wide), name="µ", want=numpy.array([1.5]))
    refused("\ufeffa,b\n1,2\n".encode("utf-16-le") + b"\x00\xdc", "damaged UTF-16: half of a pair of surrogates")
    refused("\ufeffa,b\n1,2\n".encode("utf-16-le") + b"x", "damaged UTF-16: the file ends in a character")


def logs():
    """Texts with lines before the table, other file names, repeated names, repeated lines of names."""
    def text(name, data, words):
        status, err = pack(put(name, data))
        check("%r is refused with its options" % data[:40], status == 1 and "(%s reads it as a table); for raw data give" % words in err, err)
    text("t.dat", "a,b\n1,2\n", "--separator ,")
    text("t.txt", "log of today\n\n a  b\n1 2\n", "--separator blank --skip 2")
    text("t.log", "x;y\n1,5;2,5\n", '--separator ";"')
    text("t.psv", "1|2\n3|4\n", '--separator "|" --no-header')
    text("t.txt", "h\nDate\tT\nUTC\tK\n31.12.2024 23:59\t1,5\n", '--separator tab --skip 1 --units --times "Date=s" --time-format "%d.%m.%Y %H:%M"')
    text("t.txt", "t,v\n1/2/2024 1:05 PM,1\n13/2/2024 1:06 PM,2\n", '--separator , --times "t=s" --time-format "%d/%m/%Y %I:%M %p"')
    text("t.txt", "t,v\n2024-01-01T00:00:00.25,1\n", '--separator , --times "t=ms"')
    text("t.txt", "words only\n", "--separator ,")
    text("t.txt", "\ufeffa\tb\n1\t2\n".encode("utf-16-le"), "--separator tab")
    status, err = pack(put("t.bin", b"a,b\n\0\1"), "--skip", "1")
    check("no text", status == 1 and "unknown input format" in err, err)
    status, err = pack(put("t.dat", "x\na,b\n1,2\n"), "--skip", "1")
    check("an option of tables says that it is one", status == 0 and told()["b"][0].tolist() == [2], err)
    column("a,b\n1,2,\n3,4,\n", name="b", want=narrow([2, 4]), said="rows end with a separator")
    refused("a,b\n1,2,\n3,4,5\n", "line 3: 3 fields, but the first line has 2")
    status, err = pack(put("t.csv", "x,y\n7,1,2\n8,3,4\n"))
    check("names of rows", status == 0 and err.count("\n") == 1 and {n: a.tolist() for n, (a, _) in told().items()} == {"column1": [7, 8], "x": [1, 3], "y": [2, 4]}, err)
    status, err = pack(put("t.csv", "a,a,a.1,a\n1,2,3,4\n"))
    check("names twice", status == 0 and err.count("\n") == 2 and {n: a.tolist() for n, (a, _) in told().items()} == {"a": [1], "a.2": [2], "a.1": [3], "a.3": [4]}, (err, told()))
    column("a,b\n1,2\na,b\n3,4\n\na,b\n", want=narrow([1, 3]), said="2 lines that repeat the names are skipped")
    column("sep=|\na|b\n1|2\n", want=narrow([1]))
    column("sep=;\na;b\n1,5;2\n", want=numpy.array([1.5]))
    for cell in ("#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!", "#NA", "1.#IND", "-1.#QNAN"):
        column("a,b\n1.5,1\n%s,2\n" % cell, want=numpy.array([1.5, numpy.nan]), said='such as "%s" is read as no value' % cell)
    refused("s;co;n\nA;<0.5;12\nA;0.7;13\n", '(--strip "<" reads 0.5, ')
    refused("a,b\n1,2\nTotal: 1 row\n", 'line 3: 1 field, but the first line has 2 (--comment "Total: 1 row" skips lines that begin so)')
    column("a,b\n1,2\nTotal: 1 row\n", "--comment", "Total: 1 row", want=narrow([1]))
    refused("n,v\n1,2\nSum,2\n", '(--comment "Sum" skips such lines, ')
    refused("title\nx,y\n1,2\n", "line 2: 2 fields, but the first line has 1 (--separator , --skip 1 reads a table)")
    refused("\xb0,b\n1,2\n".encode("latin-1"), "is not UTF-8 (iconv -f cp1252 -t utf-8 IN >OUT")
    many = "t,v\n" + "".join("1/2/2024 %d:%02d PM,%d\n" % (1 + i // 60, i % 60, i) for i in range(200))
    refused(many, '(--times "t=s" --time-format "%m/%d/%Y %I:%M %p" stores times as numbers, ')


def dry_run():
    path = put("d.csv", "time,temp,flag,n\n2024-01-01,1.5,ok,3\n2024-01-02,,bad,400\n")
    before = sorted(os.listdir(os.path.dirname(path)))
    status, out, err = utet("pack", path, "--dry-run", "--times", "time=d")
    rows = [line.split() for line in out.decode().splitlines()]
    check("--dry-run", status == 0 and [r[0] for r in rows] == ["dataset", "time", "temp", "flag", "n"] and
          "days since 1970-01-01" in out.decode() and err.count("\n") == 1, (out, err))
    kinds = {line.split()[0]: line.split("  ") for line in out.decode().splitlines()[1:]}
    pack(path, "--times", "time=d")
    check("--dry-run says what pack does", {n: {"u1": "u8", "i2": "i16", "i8": "i64", "f8": "f64"}[a.dtype.str[1:]] for n, (a, _) in told().items()} ==
          {n: [w.strip() for w in words if w.strip() in ("u8", "i16", "i64", "f64")][0] for n, words in kinds.items()}, kinds)
    check("--dry-run writes nothing", sorted(n for n in os.listdir(os.path.dirname(path)) if n != "out.tet") == [n for n in before if n != "out.tet"])
    status, out, err = utet("pack", put("d.csv", "a,b,c\n1,2,3\nx,$5,4\n"), "--dry-run")
    check("--dry-run: every column that is refused", status == 1 and err.count("\n") == 2 and "column 1" in err and "column 2" in err, err)


def sweeps():
    """Tables that are truncated or changed: exit status 0 or 1, and no file after 1."""
    dice = random.Random("sweeps")
    texts = ["# c\ntime;v;s\ns;m;-\nx\n2024-01-01T00:00:00Z;1,5;\"a\"\n2024-01-01T00:00:01Z;NA;b\n# end\n".encode(), "\ufefft;v;s\n\n\n2024-01-01;1;😀\n".encode("utf-16")]
    options = ("--times", "time=ms", "--units", "--skip-after", "1"), ("--times", "t=d", "--units", "--skip-after", "1")
    wrong = []
    for text, given in zip(texts, options):
        pieces = [text[:cut] for cut in range(0, len(text), 3)]
        for _ in range(60):
            other = bytearray(text)
            other[dice.randrange(len(other))] ^= 1 << dice.randrange(8)
            pieces.append(bytes(other))
        for piece in pieces:
            status, err = pack(put("cut.csv", piece), *given)
            if status not in (0, 1) or (status == 1 and (os.path.exists(scratch("out.tet")) or not err.startswith("utet: "))):
                wrong.append((piece, status, err))
    check("cut and changed tables", not wrong, wrong[:3])
    for text, given in zip(texts, options):
        status, _, err = utet("pack", put("cut.csv", text), *QUICK, *given, "-o", scratch("full.tet"), env=dict(os.environ, TMPDIR="/nowhere"))
        check("no room for temporary files", status == 1 and "cannot create a temporary file" in err, err)


for part in (times, labels, words, blocks, buffers, integers, signs, lines, logs, dry_run, sweeps):
    part()
summary()
