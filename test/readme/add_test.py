#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""src/ADD.md is followed step by step in a copy of the tree: add_test.py CC LIBRARY TOOL WORK, with TOOL_FLAGS and TOOL_LIBS in the
environment.

The page's edits ("after", "before", "instead of") are made, its new files are written, and the examples are compiled and run: a dtype, a
reduction in
a query document, a package, a port, a board, a target, a tool command and a suite. The results are compared with golden.txt, with
Python's results for the same bytes, and with the emulator's exit codes. Goals and commands of the examples fail before the steps. Some
steps are left out, and the test that the page names for them must notice it. Each file, name and goal of the page exists. Ends with "N
passed, N failed[, N
skipped]".
"""
import glob
import hashlib
import math
import os
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import tally  # noqa: E402
from tally import check, skip  # noqa: E402

PAGE, SECTION_LINES, COLUMNS = "src/ADD.md", 15, 120
WARN = "-std=c99 -O0 -Wall -Wextra -Wpedantic -Werror -Wconversion -Iinclude -Isrc -Itest/packages -Itest/harness".split()
SPDX = "SPDX-FileCopyrightText: the microtet authors\n{0} SPDX-License-" "Identifier: Apache-2.0{1}\n"
CLAUSE = re.compile(r"`((?:[\w.-]+/)+[\w.-]+)`|\b(after|before|instead of) `([^`]+)`: `([^`]+)`")
FENCE = re.compile(r"^```\w*\n(.*?)^```\n", re.M | re.S)


def read(path, mode="r"):
    with open(path, mode, **({} if "b" in mode else {"encoding": "utf-8"})) as f:
        return f.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def run(*words, at=".", given=b"", **more):
    """A program's output and exit code; 127 where it has not been made."""
    if os.path.isabs(words[0]) and not os.path.exists(words[0]):
        return subprocess.CompletedProcess(words, 127, b"there is no " + words[0].encode())
    return subprocess.run(words, cwd=at, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=120, **more)


def tree():
    """The committed files; in an unpacked archive, which may be in a repository's build folder, all files."""
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=False).stdout.split("\n")
    return [path for path in listed if os.path.isfile(path)] or [
        os.path.relpath(os.path.join(folder, name)) for folder, _, names in os.walk(".") for name in names
        if not folder.startswith(("./build", "./.git/"))]


def copy_tree(to):
    """Everything except the golden files, which are linked."""
    shutil.rmtree(to, ignore_errors=True)
    for path in tree():
        if not path.startswith("test/golden/"):
            os.makedirs(os.path.dirname(f"{to}/{path}"), exist_ok=True)
            shutil.copy2(path, f"{to}/{path}")
    os.symlink(os.path.abspath("test/golden"), f"{to}/test/golden")


class Section:
    """One section of the page."""

    def __init__(self, title, text):
        self.title, self.text = title, text
        self.blocks = FENCE.findall(text)
        prose = re.sub(r"\n +", " ", FENCE.sub("\n", text))
        self.steps = re.findall(r"^\d+\. (.*)$", prose, re.M)
        self.edits = []  # (step, file, how, anchor, words)
        for number, step in enumerate(self.steps, 1):
            path = None
            for file, how, anchor, words in CLAUSE.findall(step):
                path = file or path
                if how:
                    self.edits.append((number, path, how, anchor, words))
        self.new = [path for step in self.steps for path in re.findall(r"`([\w./-]+)`(?: and `[\w./-]+`)?, (?:a )?new\b", step) +
                    re.findall(r"`[\w./-]+` and `([\w./-]+)`, new\b", step)]

    def apply(self, at, without=None):
        """Makes the edits, except `without`. Returns the files that were changed."""
        changed = []
        for number, path, how, anchor, words in self.edits:
            if words == without:
                continue
            lines = read(f"{at}/{path}").split("\n")
            found = [i for i, line in enumerate(lines) if anchor in line]
            check(f"{self.title}, step {number}: {path} has \"{anchor}\" {len(found)} times", len(found) == 1)
            if len(found) != 1:
                continue
            i, line = found[0], lines[found[0]]
            if how == "instead of":
                lines[i] = line.replace(anchor, words)
            else:
                lines.insert(i + (how == "after"), re.match(r"\s*", line).group(0) + words)
            write(f"{at}/{path}", "\n".join(lines))
            changed.append(path)
        return list(dict.fromkeys(changed))


def sections():
    parts = re.split(r"^## (?:A )?(.*)\n", read(PAGE), flags=re.M)
    return {title: Section(title, text) for title, text in zip(parts[1::2], parts[2::2])}


class World:
    def __init__(self, compiler, library, tool, work):
        self.compiler, self.library, self.tool, self.work = compiler, os.path.abspath(library), os.path.abspath(tool), os.path.abspath(work)
        self.page = sections()
        self.at = self.work + "/tree"
        copy_tree(self.at)

    def objects(self, paths, flags, folder):
        os.makedirs(f"{self.work}/{folder}", exist_ok=True)
        for path in paths:
            target = f"{self.work}/{folder}/{path.replace('/', '_')[:-2]}.o"
            done = run(self.compiler, *flags, "-c", path, "-o", target, at=self.at)
            check(f"{folder}: {path} does not compile: {done.stdout.decode()[:400]}", done.returncode == 0)
            yield target

    def program(self, name, source, more, flags=()):
        done = run(self.compiler, *WARN, *flags, source, *more, self.library, "-o", f"{self.work}/{name}", at=self.at)
        check(f"{name} does not compile: {done.stdout.decode()[:400]}", done.returncode == 0)
        return f"{self.work}/{name}"

    def make(self, *words):
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "BUILD")}
        return run("make", *words, at=self.at, env=environment)

    def spdx(self, path, text):
        opening, middle, end = ("/* ", " *", " */") if path.endswith((".c", ".h")) else ("# ", "#", "")
        write(f"{self.at}/{path}", opening + SPDX.format(middle, end) + text)


# ---- form: lengths, and that everything exists ----

def form(world):
    text = read(PAGE)
    check(f"the sections of {PAGE} are {list(world.page)}, the first paragraph names others",
          len(world.page) == 10 and all(f"[{title}](#a-{title.replace(' ', '-')})" in text.split("\n## ")[0] for title in world.page))
    for title, section in world.page.items():
        lines = [line for line in section.text.split("\n") if line.strip() and not line.startswith("```")]
        check(f"{title} has {len(lines)} lines", len(lines) <= SECTION_LINES)
    for number, line in enumerate(text.split("\n"), 1):
        check(f"{PAGE}:{number} has {len(line)} columns", len(line) <= COLUMNS)
    for link in re.findall(r"\]\(([^)#]+)", text):
        check(f"{PAGE}: a link to {link}", os.path.exists(os.path.join("src", link)))


def names(world):
    """After all steps: the files, names and goals of the page exist in the copy."""
    prose = FENCE.sub("\n", read(PAGE))
    spans = [re.sub(r"\s+", " ", span) for span in re.findall(r"`([^`]+)`", prose)]
    new = [path for section in world.page.values() for path in section.new]
    files = [os.path.relpath(os.path.join(folder, name), world.at) for folder, _, found in os.walk(world.at) for name in found]
    bases, words, goals = {os.path.basename(path) for path in files}, set(), set()
    for path in files:
        if path not in (PAGE, "test/readme/add_test.py") and path.endswith((".c", ".h", ".py", ".mk", "Makefile", ".sh", ".tsv", ".ld", ".md")):
            words.update(re.findall(r"\w+", read(f"{world.at}/{path}")))
    count = 0
    for span in spans:
        if re.fullmatch(r"(make )?(run|test|lib)-[\w-]+|make [\w-]+", span) and "NAME" not in span:
            goals.add(span.replace("make ", ""))
        elif re.fullmatch(r"(?:[\w.-]+/)+[\w.-]*", span):
            check(f"{PAGE} names {span}, which is not there", os.path.exists(f"{world.at}/{span}") or span in new)
        elif re.fullmatch(r"\w+\.(c|h|py|md|txt|mk|tsv|sh)", span):
            check(f"{PAGE} names {span}, which is not there", span in bases)
        else:
            whole = re.fullmatch(r"\w+", span)
            for word in re.findall(r"\b[A-Za-z_]\w*", span):
                if whole or "_" in word.strip("_"):
                    count += 1
                    check(f"{PAGE} names {word}, which no file of the tree has",
                          word in words or (word.endswith("_") and any(other.startswith(word) for other in words)))
    check(f"only {count} names and {sorted(goals)} were looked at", count > 50 and len(goals) > 8)
    done = world.make("-n", *sorted(goals))
    check(f"the page's goals: {done.stdout[-300:].decode()}", b"No rule" not in done.stdout and done.returncode == 0)
    print(f"figure: {count} names, {len(goals)} goals of {PAGE} exist")


# ---- the examples ----

def bytes_of(world, file):
    """The elements of a file's first dataset, as libzstd decodes them if there is a choice."""
    return subprocess.run([world.tool, "read", file, "#0", "--format", "raw"], capture_output=True, check=True).stdout


DTYPE = r"""
#include "utet_fold.h"
#include "utet_show.h"
#include "input.h"
int main(void)
{
    static const utet_fold_operation *const operations[] = {&utet_fold_sum, &utet_fold_min, &utet_fold_var};
    static uint64_t work[16384 / 8];
    static utet_range ranges[UTET_MAX_NDIM];
    static utet_fold_request request;
    static uint8_t elements[4096];
    static utet_dataset dataset;
    static utet_file file;
    static utet_fold fold;
    static utet_slab slab;
    double value;

    read_input();
    OK(utet_init(&file, &io, work, sizeof work, NULL));
    OK(utet_open(&file, NULL));
    OK(utet_dataset_first(&file, &dataset));
    request.dataset = &dataset;
    request.ranges = ranges;
    request.axes = UTET_FOLD_ALL;
    for (unsigned axis = 0; axis < dataset.ndim; axis++) {
        ranges[axis].stop = dataset.shape[axis];
        ranges[axis].step = 1;
    }
    OK(utet_slab_open(&slab, &file, &dataset, ranges));
    OK(utet_slab_read_all(&slab, elements, sizeof elements));
    puts(utet_show_dtype(dataset.dtype));
    for (unsigned i = 0; i < dataset.shape[0] * dataset.shape[1]; i++) {
        OK(utet_show_double(dataset.dtype, &elements[i], &value));
        printf("%.17g ", value);
    }
    for (unsigned i = 0; i < 3; i++) {
        request.operation = operations[i];
        OK(utet_fold_open(&fold, &file, &request));
        OK(utet_fold_run(&fold, &value, 1));
        printf("%.17g ", value);
    }
    return 0;
}
"""


def tool_objects(world, changed, folder):
    """The tool's objects, with those of the changed sources compiled anew; they come before the library, whose members of the same names
    they replace."""
    flags = ["-O0", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *os.environ["TOOL_FLAGS"].split()]
    made = list(world.objects(changed, flags, folder))
    at = os.path.dirname(world.tool) + "/tool"
    return [path for path in glob.glob(at + "/**/*.o", recursive=True) if os.path.relpath(path, at)[:-2] + ".c" not in changed], made


def link_tool(world, name, objects):
    done = run(world.compiler, *objects, world.library, *os.environ["TOOL_LIBS"].split(), "-o", f"{world.work}/{name}", at=world.at)
    check(f"{name} does not link: {done.stdout[-400:].decode()}", done.returncode == 0)
    return f"{world.work}/{name}"


def users(folder):
    """The sources that use the list of dtypes."""
    return [path for path in tree() if path.startswith(folder) and path.endswith(".c") and re.search(r"UTET_(DTYPE|IS_(FLOAT|SIGNED|UNSIGNED)|KNOWN_IS)", read(path))]


def dtype(world):
    world.page["dtype"].apply(world.at)
    file = "test/golden/tet/B01_u8_raw.tet"
    data, stored = bytearray(read(file, "rb")), bytes_of(world, file)
    record = data.index(b"a", 40) - 40  # the first record ends with its name, "a"
    at = next(i for i in range(40, 40 + record) if data[i:i + 4] == b"\5\0\0\0")
    data[at] = 11
    values = struct.unpack(f"{len(stored)}b", stored)
    check("the golden file has no negative element", min(values) < 0 < max(values))
    variance = (len(values) * sum(v * v for v in values) - sum(values) ** 2) / len(values) ** 2
    wanted = ["i8", *("%.17g" % v for v in values), *("%.17g" % v for v in (sum(values), min(values), variance))]
    sources = list(dict.fromkeys(users("src/") + sorted(glob.glob("src/fold/*.c"))))
    made = dict(zip(sources, world.objects(sources, WARN, "dtype")))
    write(f"{world.work}/dtype.c", DTYPE)
    for left_out, good in ((None, True), ("src/fold/fold_sum.c", False), ("src/tet/container/dataset.c", False), ("src/tet/show/element.c", False)):
        done = run(world.program("dtype_program", f"{world.work}/dtype.c", [target for path, target in made.items() if path != left_out]), given=bytes(data))
        check(f"a dtype, {left_out or 'nothing'} left out: {done.stdout[:200]}", (done.stdout.decode().split() == wanted) == good)
    old, new = tool_objects(world, users("boards/host/"), "dtype_tool")
    utet, work = link_tool(world, "dtype_utet", [*old, *new, *made.values()]), world.work
    with open(f"{work}/i8.raw", "wb") as f:
        f.write(stored)
    run(utet, "pack", f"{work}/i8.raw", "--dtype", "i8", "--shape", str(len(values)), "-o", f"{work}/i8.tet")
    run(utet, "read", f"{work}/i8.tet", "#0", "--format", "npy", "-o", f"{work}/i8.npy")
    done = run(utet, "pack", f"{work}/i8.npy", "-o", f"{work}/again.tet")
    check(f"i8 from raw data to .npy and back: {done.stdout[:200]}", done.returncode == 0 and b"'descr': '|i1'" in read(f"{work}/i8.npy", "rb"))
    done = run(utet, "read", f"{work}/again.tet", "#0", "--format", "csv")
    check(f"i8 as CSV: {done.stdout[:200]}", [int(v) for v in re.split(r"[,\s]+", done.stdout.decode().strip())] == list(values))
    done = run(utet, "export", f"{work}/i8.tet", "#0", "--c", "-o", f"{work}/i8.c")
    found = re.search(r"const int8_t \w+\[\d+\][^{]*{([^}]*)}", read(f"{work}/i8.c") if done.returncode == 0 else "")
    check(f"i8 as C: {done.stdout[:200]}", found and [int(v) for v in found.group(1).replace(",", " ").split()] == list(values))
    check("i8 is known before the steps", run(world.tool, "pack", f"{work}/i8.raw", "--dtype", "i8", "--shape", str(len(values)), "-o", f"{work}/no.tet").returncode == 2)


def reduction(world):
    section = world.page["reduction"]
    changed = section.apply(world.at)
    file = "test/golden/tet/G01_f32_raw.tet"
    stored = bytes_of(world, file)
    special = sum(not math.isfinite(v) for v in struct.unpack(f"<{len(stored) // 4}f", stored))
    name = re.search(r"^data 0 (\S+) ", read("test/golden/golden.txt").split(" G01_f32_raw.tet ")[1], re.M).group(1)
    sources = [path for path in changed if path.startswith("src/") and path.endswith(".c")] + sorted(glob.glob("src/query/*.c"))
    made = list(world.objects(dict.fromkeys(sources), WARN, "reduction"))
    program = world.program("reduction_program", "test/packages/query.c", made)
    for operation, wanted in (("special_count", special), ("null_count", None), ("count", len(stored) // 4)):  # their numbers have changed
        done = run(program, '{"dataset": "%s", "%s": []}' % (name, operation), given=read(file, "rb"))
        check(f"{operation} of {name}: {done.stdout[:100]}, not {wanted}", done.stdout == b"%d\n" % wanted if wanted is not None else done.returncode != 0)
    check("the golden file has neither NaN nor infinity", special > 0)
    done = run(world.compiler, "-std=gnu99", "-Iinclude", "-fsyntax-only", "test/fold/answer.c", at=world.at)
    check(f"test/harness/operations.h: {done.stdout[:300]}", done.returncode == 0)


NOTE = r"""
#include "query.h"
static utet_status read_note(utet_query *query)
{
    const utet_query_value *value = &query->shared.of.reading.top[TOP_NOTE];

    query->note = query_text_of(value);
    return value->kind == UTET_VALUE_TEXT ? UTET_OK : utet_query_refuse_word(query, QUERY_MUST_BE_STRING, "note");
}
const utet_query_option utet_query_option_note = {TOP_NOTE, read_note, NULL};
"""


def option(world):
    """After the section on reductions, in the same tree: with all steps, and without the step that lists the option."""
    section = world.page["query option"]
    file = "test/golden/tet/G01_f32_raw.tet"
    name = re.search(r"^data 0 (\S+) ", read("test/golden/golden.txt").split(" G01_f32_raw.tet ")[1], re.M).group(1)
    kept = {path: read(f"{world.at}/{path}") for path in {edit[1] for edit in section.edits}}
    check(f"new files: {section.new}", section.new == ["src/query/query_note.c"])
    listed = [edit[4] for edit in section.edits if edit[1].endswith("query_options.c")]
    check(f"edits of query_options.c: {listed}", len(listed) == 1)
    world.spdx(section.new[0], NOTE)
    for left_out in (*listed, None):
        for path, text in kept.items():
            write(f"{world.at}/{path}", text)
        section.apply(world.at, left_out)
        sources = sorted(path[len(world.at) + 1:] for path in glob.glob(f"{world.at}/src/query/*.c"))
        made = list(world.objects(sources + ["src/fold/fold_tally.c"], WARN, "option"))
        program = world.program("option_program", "test/packages/query.c", made)
        for value, good in (('"by whom, and why"', left_out is None), ("1", False), ("true", False)):
            done = run(program, '{"dataset": "%s", "note": %s, "count": []}' % (name, value), given=read(file, "rb"))
            check(f"a query option, {left_out or 'nothing'} left out, {value}: {done.stdout[:100]}", (done.returncode == 0) == good)
        done = run(program, '{"dataset": "%s", "note": "", "pipeline": [{"count": []}]}' % name, given=read(file, "rb"))
        check(f"a query option beside a pipeline: {done.stdout[:100]}", (done.returncode == 0) == (left_out is None))


def package(world):
    section = world.page["package"]
    kept = {path: read(f"{world.at}/{path}") for path in {edit[1] for edit in section.edits}}
    check(f"new files: {section.new}", set(section.new) == {"src/parity/parity.c", "include/utet_parity.h", "src/parity/README.md", "test/packages/parity.c"})
    check("lib-parity is there before the steps", b"No rule" in world.make("-n", "lib-parity").stdout)
    world.spdx("include/utet_parity.h", "#include <stddef.h>\n#include <stdint.h>\nunsigned utet_parity(const uint8_t *data, size_t count);\n")
    world.spdx("src/parity/parity.c", '#include "utet_parity.h"\nunsigned utet_parity(const uint8_t *data, size_t count)\n{\n    unsigned bits = 0;\n'
               "    while (count != 0)\n        bits ^= data[--count];\n    bits ^= bits >> 4;\n    bits ^= bits >> 2;\n    return (bits ^ bits >> 1) & 1;\n}\n")
    world.spdx("test/packages/parity.c", '#include "utet_parity.h"\n#include <stdio.h>\nint main(void)\n{\n    static uint8_t data[16];\n'
               '    return puts(utet_parity(data, fread(data, 1, sizeof data, stdin)) != 0 ? "odd" : "even") < 0;\n}\n')
    readme = "# parity\n\nYou want one bit: take the folder `src/parity` and the header `utet_parity.h` of `include/`.\n\nFlash: no figure of its own.\n"
    for left_out in (None, "README", "header", *(edit[4] for edit in section.edits)):
        for path, text in kept.items():
            write(f"{world.at}/{path}", text)
        section.apply(world.at, left_out)
        write(f"{world.at}/src/parity/README.md", readme.replace("`utet_parity.h`", "of one file") if left_out == "header" else readme)
        if left_out == "README":
            os.remove(f"{world.at}/src/parity/README.md")
        done = run(sys.executable, "test/packages/packages_test.py", f"{world.work}/package", "parity", at=world.at)
        good = done.returncode == 0 and b", 0 failed" in done.stdout
        check(f"a package, {left_out or 'nothing'} left out: {done.stdout[-400:].decode()}", good == (left_out is None))
    for path, text in kept.items():
        write(f"{world.at}/{path}", text)
    section.apply(world.at)
    write(f"{world.at}/src/parity/README.md", readme)
    done = world.make("-n", "lib-parity")
    check(f"lib-parity: {done.stdout[-300:].decode()}", done.returncode == 0 and b"libutet-parity.a" in done.stdout)
    os.remove(f"{world.at}/include/utet_parity.h")  # the goals and names exist; other sections do not need them
    world.spdx("include/utet_parity.h", "")


PORT = r"""
#include "utet.h"
#include <stdio.h>
static uint8_t chip[1 << 16];
static size_t filled;
#define EEPROM_BYTES 0
static uint8_t eeprom_byte(uint32_t at) { return chip[at]; }
%s
int main(void)
{
    static uint64_t work[UTET_OPEN_WORK(1) / 8];
    static utet_range ranges[UTET_MAX_NDIM];
    static uint8_t elements[4096];
    static utet_dataset dataset;
    static utet_file file;
    static utet_slab slab;
    utet_io io = eeprom;
    io.size = filled = fread(chip, 1, sizeof chip, stdin);
    if (utet_init(&file, &io, work, sizeof work, NULL) != UTET_OK || utet_open(&file, NULL) != UTET_OK || utet_dataset_first(&file, &dataset) != UTET_OK)
        return 1;
    for (unsigned axis = 0; axis < dataset.ndim; axis++)
        ranges[axis] = (utet_range){0, dataset.shape[axis], 1};
    if (utet_slab_open(&slab, &file, &dataset, ranges) != UTET_OK || utet_slab_read_all(&slab, elements, sizeof elements) != UTET_OK)
        return 2;
    fwrite(elements, 1, (size_t)(dataset.shape[0] * dataset.shape[1]) * dataset.elem_size, stdout);
    return 0;
}
"""


def port(world):
    write(f"{world.work}/port.c", PORT % world.page["port"].blocks[0])
    program = world.program("port_program", f"{world.work}/port.c", [])
    for name in ("B01_i16_raw.tet", "B01_f32_raw.tet"):
        digest = re.search(r"^dense 0 \d+ ([0-9a-f]{64})$", read("test/golden/golden.txt").split(f" {name} ", 1)[1], re.M).group(1)
        done = run(program, given=read("test/golden/tet/" + name, "rb"))
        check(f"the port reads {name}: {done.returncode}, other bytes than golden.txt", done.returncode == 0 and hashlib.sha256(done.stdout).hexdigest() == digest)


def board(world):
    if not shutil.which("arm-none-eabi-gcc") or not shutil.which("qemu-system-arm"):
        skip("a board: arm-none-eabi-gcc or qemu-system-arm is not there")
        return
    elf, ready = "build/boards/selftest-mps2-an521.elf", "build/setup/arm.ok"
    write(f"{world.at}/{ready}", "")
    words = ["-o", ready, elf]
    check("the board is there before the steps", b"No rule" in world.make("-n", *words).stdout)
    section = world.page["board"]
    section.apply(world.at)
    copied = re.search(r"copy of `([^`]+)`", section.text).group(1)
    os.makedirs(f"{world.at}/{os.path.dirname(section.new[0])}")
    shutil.copy(copied, f"{world.at}/{section.new[0]}")
    done = world.make(*words)
    check(f"the self-test of the board: {done.stdout[-400:].decode()}", done.returncode == 0)
    check("run-boards has no mps2-an521", "mps2-an521" in re.search(r"for board in (.*);", read(f"{world.at}/test/tools/qemu_boards.sh")).group(1).split())
    for word, code in (("run", 0), ("fault", 70), ("overrun", 70)):
        done = run("timeout", "60", "qemu-system-arm", "-display", "none", "-monitor", "none", "-serial", "none", "-M", "mps2-an521", "-kernel", elf,
                   "-semihosting-config", f"enable=on,target=native,arg=fw,arg={word}", at=world.at)
        check(f"the board's self-test, {word}: exit code {done.returncode}: {done.stdout[:200]}", done.returncode == code)


def target_and_command(world):
    target, command = world.page["target"], world.page["tool command"]
    file = "test/golden/tet/E06_40_datasets.tet"
    check("stm32u575 is known before the steps", run(world.tool, "fit", file, "--for", "stm32u575").returncode == 2)
    check("count is known before the steps", b"unknown command" in run(world.tool, "count", file).stdout)
    check(f"new: {target.new} {command.new}", target.new == ["boards/host/targets/stm32u575.txt"] and command.new == ["boards/host/count/count.c"])
    target.apply(world.at)
    told = dict(line.split(None, 1) for line in target.blocks[0].split("\n") if line)
    copied = re.search(r"copy of `([^`]+)`", target.text).group(1)
    lines = [line for line in read(copied).split("\n") if line]
    base = dict(line.split(None, 1) for line in lines)
    check(f"{copied} has no {set(told) - set(base)}", set(told) < set(base))
    write(f"{world.at}/{target.new[0]}", "".join(f"{key:16}{told.get(key, value)}\n" for key, value in base.items()))
    done = world.make("build/tool/targets.o")
    check(f"targets.o: {done.stdout[-300:].decode()}", done.returncode == 0)
    changed = [path for path in command.apply(world.at) if path.endswith(".c")]
    world.spdx(command.new[0], command.blocks[0])
    old, made = tool_objects(world, changed + command.new, "command")
    utet = link_tool(world, "utet", [*(path for path in old if not path.endswith("/targets.o")), *made, world.at + "/build/tool/targets.o"])
    listed = run(utet, "fit", "--for", "list").stdout.decode()
    check(f"--for list: {listed}", re.search(rf"^\s*{told['name']}\b.*{re.escape(told['about'])}", listed, re.M))
    done = run(utet, "fit", file, "--for", told["name"])
    ram = 1024 * int(told["ram"].rstrip("K"))
    check(f"fit --for stm32u575: {done.stdout[:400]}", done.returncode == 0 and (b"%d" % ram in done.stdout or f"{ram:,}".encode() in done.stdout))
    if shutil.which("arm-none-eabi-gcc"):
        compiler = re.search(r"`test/tools/targets_measure.py ([^`]+)`", target.text).group(1).split()
        measured = dict(line.split() for line in run(sys.executable, "test/tools/targets_measure.py", *compiler).stdout.decode().split("\n") if line)
        check(f"sizes that the example takes from {copied}: {measured}", len(measured) > 8 and all(int(base[key]) == int(size) for key, size in measured.items()))
    else:
        skip("sizes of a target: arm-none-eabi-gcc is not there")
    check("utet count", run(utet, "count", file).stdout == b"40\n")
    check("utet count --json", run(utet, "count", "--json", file).stdout == b'{"datasets":40}\n')
    check("utet count --all", run(utet, "count", file, "--all").returncode == 2)
    for words, has in ((["help", "count"], b"--json"), (["--help"], b"  count "), (["help", "--man"], b"utet count"), (["help", "--completion"], b"count")):
        check(f"utet {' '.join(words)} has no {has.decode()}", has in run(utet, *words).stdout)


def suite(world):
    section = world.page["test"]
    goals = [f"run-{variant}-suite_names" for variant in ("host", "asan")]
    check("suite_names is there before the steps", b"No rule" in world.make("-n", goals[0]).stdout)
    check(f"new: {section.new}", section.new == ["test/tet/suite_names.c"])
    world.spdx(section.new[0], section.blocks[0])
    done = world.make("-n", *goals)
    check(f"make -n: {done.stdout[-300:].decode()}", done.returncode == 0 and all(f"suite_run.sh {variant}-names".encode() in done.stdout for variant in ("host", "asan")))
    for name, source in (("names", section.blocks[0]), ("names_wrong", section.blocks[0].replace('"u8"', '"i8"'))):
        write(f"{world.work}/{name}.c", source)
        program = world.program(name, f"{world.work}/{name}.c", ["test/harness/suite.c", "test/harness/foreign/cmocka.c"], ["-Itest/harness/foreign", "-Wno-pedantic"])
        done = run(program)
        wanted = b"1 passed, 0 failed" if name == "names" else b"0 passed, 1 failed"
        check(f"{name}: {done.stdout[-200:]}", wanted in done.stdout.split(b"\n") and (done.returncode == 0) == (name == "names"))


def main():
    world = World(*sys.argv[1:5])
    form(world)
    for example in (dtype, reduction, option, package, port, board, target_and_command, suite):
        example(world)
    names(world)
    shutil.rmtree(world.work)
    return tally.end() or tally.passed == 0


sys.exit(main())
