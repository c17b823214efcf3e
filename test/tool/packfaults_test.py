#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`utet pack` when it cannot succeed: inputs that it refuses, signals, and a compressor, a disk or a memory that fails."""
import os
import re
import shutil
import resource
import signal
import subprocess
import time

import numpy

from harness import TOOL, check, expect, scratch, summary, utet
from packing import dense, pack, put, save


def refusals():
    field = numpy.zeros((30, 40), "<f4")
    path = save("field.npy", field)
    with open(path, "rb") as file:
        whole = file.read()
    for length in (0, 5, 11, 60, 127, 128, 200, len(whole) - 1):
        pack(put("cut.npy", whole[:length]), status=1, pattern="bytes are missing|header|give --dtype")
    numpy.savez_compressed(scratch("z.npz"), a=field)
    with open(scratch("z.npz"), "rb") as file:
        archive = file.read()
    for length in range(4, len(archive), 37):
        pack(put("cut.npz", archive[:length]), status=1, pattern="damaged")
    for at in range(60, len(archive) - 120, 29):
        bent = bytearray(archive)
        bent[at] ^= 0x10
        status, _, err = utet("pack", put("bent.npz", bytes(bent)), "-o", scratch("bent.tet"))
        check("bent archive at %d" % at, status == 1 or dense(scratch("bent.tet")) == field.tobytes(), err)
    tet = pack(path, "--tile", "8x8")
    with open(tet, "rb") as file:
        packed = file.read()
    for length in range(0, len(packed), 301):
        pack(put("cut.tet", packed[:length]), status=1, pattern="(?i)superblock|directory|index|row|footer|metadata|empty")
    for arguments, status, pattern in [
            ([scratch("absent.npy")], 1, "No such file"), ([], 2, "give at least one IN"), ([path, path], 1, "two datasets are named"),
            ([path, "--tile", "8"], 1, "but --tile gives 1 extents"), ([path, "--tile", "0x2"], 2, "--tile: invalid value"),
            ([path, "--for", "nonsense"], 2, "unknown target"), ([path, "--meta", os.path.dirname(path)], 1, "cannot read: Is a directory"), ([path, "--slab", "1", "--slab", "2"], 2, '--slab given twice, as "1" and as "2"'),
            *(([path, option, first, option, second], 2, 'utet: pack: %s given twice, as "%s" and as "%s"; use it once; see' % (option, first, second))
              for option, first, second in [
                  ("--for", "rp2040", "microbit"), ("--tile", "8x8", "auto"), ("--codec", "raw", "zstd"), ("--access", "rows", "all"),
                  ("--budget", "none", "auto"), ("--verify", "auto", "stored"), ("--metadata", "keep", "none"), ("--index", "keep", "none"),
                  ("--meta", "a", "b"), ("--dtype", "f32", "f64"), ("--shape", "2", "3"), ("--sample", "all", "1K"), ("-j", "1", "2"),
                  *((option, "16", "32") for option in ("--ram", "--stack", "--program", "--pointer", "--unit", "--offset", "--align"))]),
            *(([path, option, first, option, second], 2, '%s given twice, as "%s" and as "%s"; use one of them;' % (option, first, second)) for option, first, second in [
                ("--attr", "units=K", "units=degC"), ("--attr", "field:units=K", "field:units="), ("--dims", "y,x", "a,b"),
                ("--dims", "field:y,x", "field:a,b"), ("--labels", "y=1,2", "y=2,1")]),
            ([path, "--level", "1", "--level", "2"], 2, "--level given twice"), ([path, "-o", "b"], 2, '-o given twice, as "b" and as '),
            ([path, "--slab", "50,1"], 1, "axis 0"), ([path, "--codec", "gzip"], 2, "--codec: invalid value"),
            ([path, "--name", "a", "--name", "b"], 1, "--name given 2 times for 1 dataset; give one for each$"), ([path, "--index", "keep"], 1, "--index keep requires one whole .tet file"), ([path, "--index", "some"], 2, "--index: invalid value"),
            ([path, "--index", "keep", "--tile", "2x2"], 2, "omit --tile and --slab"), ([path, "--tile", "8x8", "--tile", "8x8"], 0, None),
            ([path, "--attr", "units=K", "--attr", "field:units=degC", "--attr", "unit=m", "--attr", "units=K", "--dims", "y,x", "--dims", "field:a,b"], 0, None),
            ([put("x.dat", b"123"), "--dtype", "u8"], 1, "for raw data give --dtype and --shape"),
            ([put("x.dat", b"123"), "--dtype", "u8", "--shape", "4"], 1, "1 bytes are missing"),
            ([put("x.dat", b"123"), "--dtype", "u8", "--shape", "2"], 1, "1 bytes more"),
            ([path, "--offset", "8"], 1, "--offset applies only to raw data"),
            ([put("x.csv", b"a\n1\n"), "--offset", "8"], 1, "--offset applies only to raw data"),
            ([path, "--shape", "30x40"], 1, "raw data .--shape. has no dtype of its own; give --dtype")]:
        pack(*arguments, status=status, pattern=pattern)
    for name in ("x.npy", "x.npz", "x.CSV", "x.tsv", "x.png"):
        expect("pack into " + name, ["pack", path, "-o", scratch(name)], 2, r"-o: the name \S*/%s does not end in \.tet; choose" % re.escape(name))
        check("nothing in " + name, not os.path.exists(scratch(name)), "there")
    for text, line in ((b'a,"b\n1,2\n3,4\n', 1), (b'a,b\n1,"2\n3,4\n', 2), (b'a,b\n1,2\n\n3,"4', 4)):
        pack(put("quote.csv", text), status=1, pattern="quote.csv: line %d: unterminated quoted field$" % line)
    for extra in (b"\n", whole):
        pack(put("more.npy", whole + extra), status=1, pattern="%d extra bytes: the data requires 4800, and a file has one array .*offset %d"
             % (len(extra), len(whole)))
    for out in (scratch("absent/o.tet"), scratch("absent.npy") + "/o.tet", os.path.dirname(path)):
        status, told, err = utet("pack", path, "-o", out)
        check("the place of OUT is judged first", status == 1 and not told and "utet: %s: " % out in err, (told, err))
    machine = ["--for", "lm3s6965evb"]
    for arguments in (["--ram", "1"], ["--ram", "3479"], ["--codec", "zstd", "--ram", "5000"], ["--stack", "65000"]):
        pack(path, *machine, *arguments, status=1, pattern="no tile fits on lm3s6965evb: the workspace of a reader is .*; use --ram ")
    enough = re.search("--ram ([0-9]+)", utet("pack", path, *machine, "--codec", "zstd", "--ram", "5000", "-o", scratch("o.tet"))[2])
    for less in 0, 1:
        ram = str(int(enough.group(1)) - less)
        pack(path, *machine, "--codec", "zstd", "--ram", ram, status=less, pattern="no tile fits" if less else None)
    check("it fits as pack said", utet("fit", pack(path, *machine, "--codec", "zstd", "--ram", enough.group(1)), *machine,
                                        "--ram", enough.group(1))[0] == 0, enough.group(1))
    told = utet("pack", path, *machine, "--ram", "5000", "--tile", "whole", "-o", scratch("o.tet"))
    check("a tile of the user's that does not fit is told",
          told[0] == 0 and b"field does not fit lm3s6965evb, which needs " in told[1], told)
    expect("not over an input", ["pack", path, "-o", path], 2, "does not end in .tet")
    for name in ("link.tet", "second.tet"):
        (os.symlink if name == "link.tet" else os.link)(path, scratch(name))
        expect("not over an input's " + name, ["pack", path, "-o", scratch(name)], 1, "the output is one of the input files")
    expect("not to standard output", ["pack", path, "-o", "-"], 2, "-o: cannot write to standard output")
    expect("not to a pipe", ["pack", path, "-o", "/dev/null"], 1, "cannot write: not a regular file")
    with open(path, "rb") as file:
        check("the input is as before", file.read() == whole)


def interrupted():
    """Ctrl-C and other signals leave no file behind, and do not touch an older file."""
    big = save("big.npy", numpy.random.default_rng(3).integers(0, 50, (3000, 3000)).astype("<i4"))
    out = put("kept.tet", b"older")
    numbers = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT
    for number in numbers:
        run = subprocess.Popen([TOOL, "pack", big, "-o", out, "--tile", "16x16", "--level", "19"], stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE, # a background job of a shell ignores SIGINT and SIGQUIT
                               preexec_fn=lambda: [signal.signal(n, signal.SIG_DFL) for n in numbers])
        time.sleep(0.4)
        run.send_signal(number)
        run.communicate()
        beside = [n for n in os.listdir(os.path.dirname(out)) if n.startswith("kept.tet.")]
        with open(out, "rb") as file:
            check("signal %d" % number, beside == [] and file.read() == b"older" and run.returncode == -number,
                  (beside, run.returncode))
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
    done = subprocess.run([TOOL, "pack", big, "-o", out, "--tile", "whole", "--codec", "raw"], stderr=subprocess.PIPE,
                          stdout=subprocess.PIPE, preexec_fn=limited)
    beside = [n for n in os.listdir(os.path.dirname(out)) if n.startswith("kept.tet.")]
    check("a full disk", done.returncode != 0 and beside == [], (done.returncode, beside))


def misfortune():
    """A medium that changes one byte on the way, a compressor that fails: the bytes that are read back are not those packed, and no
    file is left."""
    if "asan" in TOOL or not shutil.which("cc"):
        print("skipped: misfortune: a preloaded library and a plain build are needed")
        return
    shim = put("shim.c", b"""#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
size_t ZSTD_compress2(void *z, void *to, size_t size, const void *from, size_t length)
{
    size_t (*const real)(void *, void *, size_t, const void *, size_t) =
        (size_t (*)(void *, void *, size_t, const void *, size_t))dlsym(RTLD_NEXT, "ZSTD_compress2");
    const size_t made = real(z, to, size, from, length);
    if (getenv("SHIM_JUNK") && made <= size)
        ((char *)to)[made / 2] ^= 4;
    return made;
}
size_t fwrite(const void *data, size_t size, size_t count, FILE *to)
{
    static size_t (*real)(const void *, size_t, size_t, FILE *);
    static int calls;
    char copy[4096];
    if (!real)
        real = (size_t (*)(const void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fwrite");
    if (count < 20 || count > sizeof copy || ++calls != atoi(getenv("SHIM_CALL")))
        return real(data, size, count, to);
    memcpy(copy, data, count);
    copy[count - 7] ^= 16;
    return real(copy, 1, count, to);
}
""")
    library = scratch("shim.so")
    subprocess.run(["cc", "-shared", "-fPIC", shim, "-o", library, "-ldl"], check=True)
    path = save("shim.npy", numpy.arange(100000, dtype="<i4").reshape(100, 1000) // 3)
    environment = dict(os.environ, LD_PRELOAD=library)
    def attempt(*options):
        out = scratch("shim.tet")
        done = utet("pack", path, "-o", out, "--tile", "1x500", *options, env=environment)
        left = [n for n in os.listdir(os.path.dirname(out)) if n.startswith("shim.tet")]
        if left == ["shim.tet"]:
            os.remove(out)
        return done[0], done[2], left

    for options in ([], ["--verify", "stored"], ["--codec", "raw"], ["--codec", "raw", "--verify", "stored"], ["-j", "1"], ["--checksum", "all"],
                    ["--level", "3"], ["--level", "3", "-j", "1"], ["--level", "3", "--verify", "elements"]):
        for call in (30, 31, 32, 47, 199):
            environment["SHIM_CALL"] = str(call)
            status, err, left = attempt(*options)
            check("misfortune %d %s" % (call, options), status == 1 and "does not read back" in err and left == [], (status, err, left))
    environment["SHIM_CALL"] = "0"
    check("no misfortune", attempt() == (0, "", ["shim.tet"]), "fails")
    environment["SHIM_JUNK"] = "1"  # a compressor that returns nonsense: its bytes come back as they are
    for options in ([], ["--level", "3"], ["--level", "3", "--verify", "elements"], ["--level", "1", "-j", "1"]):
        status, err, left = attempt("--codec", "zstd", *options)
        check("junk %s" % options, status == 1 and "does not read back" in err and left == [], (status, err, left))
    status, err, left = attempt("--codec", "zstd", "--verify", "stored")
    check("junk is not seen in stored bytes", status == 0 and left == ["shim.tet"], (status, err, left))


def failing_reads():
    """A table whose medium fails from some byte on: at each byte, one line says so, and nothing is left."""
    if "asan" in TOOL or not shutil.which("cc"):
        print("skipped: failing reads: a preloaded library and a plain build are needed")
        return
    shim = put("reads.c", b"""#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
ssize_t pread(int fd, void *to, size_t size, off_t at)
{
    const off_t end = atol(getenv("SHIM_END"));
    struct stat about;
    if (at + (off_t)size > end && fstat(fd, &about) == 0 && about.st_size == atol(getenv("SHIM_SIZE"))) {
        if (at >= end)
            return errno = EIO, -1;
        size = (size_t)(end - at);
    }
    return syscall(SYS_pread64, fd, to, size, at);
}
ssize_t pread64(int fd, void *to, size_t size, off_t at)
{
    return pread(fd, to, size, at);
}
""")
    library = scratch("reads.so")
    subprocess.run(["cc", "-shared", "-fPIC", shim, "-o", library], check=True)
    text = b"# about\n# more\na;b\nm;s\nskip\n1;2\n%c\n3;\"4\"\n%comment\n5;6\n%d\n%last"
    options = ["--units", "--skip-after", "1"]
    environment = dict(os.environ, LD_PRELOAD=library, SHIM_SIZE=str(len(text)))
    path = put("reads.csv", text)
    for more in ["--comment", "%"], ["--skip", "2", "--comment", "%"]:
        for end in range(len(text) + 1):
            environment["SHIM_END"] = str(end)
            done = utet("pack", path, "-o", scratch("reads.tet"), *options, *more, env=environment)
            left = [n for n in os.listdir(os.path.dirname(path)) if n.startswith("reads.tet")]
            if not check("a read that fails at byte %d of %d, %s" % (end, len(text), more), done[0] == 1 and left == [] and
                         done[2] == "utet: %s: cannot read: Input/output error\n" % path, (done, left)):
                return


def reads_in_parts():
    """A medium that interrupts every other read of an input, and gives at most 7 bytes at a time, changes nothing."""
    if "asan" in TOOL or not shutil.which("cc"):
        print("skipped: reads in parts: a preloaded library and a plain build are needed")
        return
    shim = put("parts.c", b"""#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
ssize_t pread(int fd, void *to, size_t size, off_t at)
{
    static int calls;
    struct stat about;
    if (fstat(fd, &about) == 0 && about.st_size == atol(getenv("SHIM_SIZE"))) {
        if (++calls % 2)
            return errno = EINTR, -1;
        size = size > 7 ? 7 : size;
    }
    return syscall(SYS_pread64, fd, to, size, at);
}
ssize_t pread64(int fd, void *to, size_t size, off_t at)
{
    return pread(fd, to, size, at);
}
""")
    library = scratch("parts.so")
    subprocess.run(["cc", "-shared", "-fPIC", shim, "-o", library], check=True)
    field = numpy.arange(1200, dtype="<f4").reshape(30, 40)
    numpy.savez(scratch("stored.npz"), a=field, b=field[:3])
    numpy.savez_compressed(scratch("small.npz"), a=field)
    head = b'{"a":{"dtype":"F32","shape":[30,40],"data_offsets":[0,4800]}}'
    put("a.safetensors", len(head).to_bytes(8, "little") + head + field.tobytes())
    for name, *words in (save("whole.npy", field),), (save("turned.npy", numpy.asfortranarray(field)),), (scratch("stored.npz"),), (scratch("small.npz"),), (
            scratch("a.safetensors"),), (put("raw.bin", field.tobytes()), "--dtype", "f32", "--shape", "30x40"):
        out = pack(name, "--tile", "whole", *words)
        environment = dict(os.environ, LD_PRELOAD=library, SHIM_SIZE=str(os.path.getsize(name)))
        done = utet("pack", name, "--tile", "whole", *words, "-o", scratch("parts.tet"), env=environment)
        check("parts of " + os.path.basename(name), done[0] == 0 and open(out, "rb").read() == open(scratch("parts.tet"), "rb").read(), done)


# For preloaded libraries: whether this call, of the kind that the environment names, is the one that fails.
NOW = b"""void *__libc_malloc(size_t size);
void *__libc_realloc(void *old, size_t size);
static int now(const char *kind)
{
    static int calls;
    const char *const wanted = getenv("SHIM_KIND");
    return wanted != NULL && strcmp(wanted, kind) == 0 && ++calls == atoi(getenv("SHIM_CALL"));
}
"""


def failing_scratch():
    """The files without a name that the columns of a table go into: the N-th call of a kind fails, for each N until there is none.
    One line says so, and nothing is left; calls that are interrupted, or give a part, change nothing. The same for memory."""
    if "asan" in TOOL or not shutil.which("cc"):
        print("skipped: failing scratch files: a preloaded library and a plain build are needed")
        return
    shim = put("scratch.c", b"""#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
""" + NOW + b"""static int unnamed(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink == 0;
}
static int odd(void)
{
    static int calls;
    return getenv("SHIM_PARTS") != NULL && ++calls % 2;
}
ssize_t pread(int fd, void *to, size_t size, off_t at)
{
    if (unnamed(fd) && now("pread"))
        return errno = EIO, -1;
    if (unnamed(fd) && now("end"))
        return 0;
    if (unnamed(fd) && odd())
        return errno = EINTR, -1;
    return syscall(SYS_pread64, fd, to, unnamed(fd) && getenv("SHIM_PARTS") && size > 100 ? 100 : size, at);
}
ssize_t pread64(int fd, void *to, size_t size, off_t at)
{
    return pread(fd, to, size, at);
}
ssize_t write(int fd, const void *from, size_t size)
{
    if (unnamed(fd) && now("write"))
        return errno = ENOSPC, -1;
    if (unnamed(fd) && odd())
        return errno = EINTR, -1;
    return syscall(SYS_write, fd, from, unnamed(fd) && getenv("SHIM_PARTS") && size > 100 ? 100 : size);
}
int mkstemp(char *name)
{
    return strstr(name, "/utet.") != NULL && now("mkstemp") ? (errno = EMFILE, -1) : mkostemp(name, 0);
}
int mkstemp64(char *name)
{
    return mkstemp(name);
}
void *malloc(size_t size)
{
    return size == 4096 && now("malloc") ? (errno = ENOMEM, NULL) : __libc_malloc(size);
}
void *realloc(void *old, size_t size)
{
    return now("realloc") ? (errno = ENOMEM, NULL) : __libc_realloc(old, size);
}
""")
    library = scratch("scratch.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-fno-builtin", shim, "-o", library], check=True)
    path = put("scratch.csv", "".join(["a,b,s,t\n", *("%d,%d,%s,2024-01-01\n" % (70000 if i > 600 else 7, i, "xy"[i % 2]) for i in range(1300)), "-1,0.5,z,2024-01-02\n"]).encode())
    environment = dict(os.environ, LD_PRELOAD=library)

    def attempt(**more):
        done = utet("pack", path, "-o", scratch("scratch.tet"), "--times", "t=d", "--codec", "raw", "-j", "1", env=dict(environment, **more))
        left = [n for n in os.listdir(os.path.dirname(path)) if n.startswith("scratch.tet")]
        with open(scratch("scratch.tet") if left == ["scratch.tet"] else os.devnull, "rb") as file:
            content = file.read()
        for name in left:
            os.remove(scratch(name))
        return done[0], "".join(line for line in done[2].splitlines(True) if "are stored as numbers" not in line), content

    good = attempt()
    check("no failing scratch file", good[:2] == (0, "") and len(good[2]) > 4 * 1300, good[:2])
    check("interrupted calls and parts", attempt(SHIM_PARTS="1") == good, "differ")
    for kind, words, least in (("mkstemp", "cannot create a temporary file", 6), ("write", "cannot write a temporary file", 12), ("pread", "cannot read", 6),
                               ("end", "bytes are missing", 6), ("malloc", "not enough memory", 4), ("realloc", "not enough memory", 20)):
        for call in range(1, 2000):
            status, err, content = attempt(SHIM_KIND=kind, SHIM_CALL=str(call))
            if (status, content) == (0, good[2]) and kind in ("malloc", "realloc") and call < 60:
                continue  # of the C library, which does without
            if status == 0:
                break
            if (status, content) == (1, good[2]) and kind == "realloc" and "the rest of this table" in err:
                continue  # of the table that is printed when the file is complete
            if not check("call %d of %s fails" % (call, kind), status in (1, 2) and content == b"" and words in err and err.count("\n") == 1, (status, err)):
                return
        check("calls of " + kind, call > least and (status, content) == (0, good[2]), (call, status, err))


def failing_answers():
    """The metadata of an answer as .tet: the N-th allocation while they are written fails, for each N until there is none, and the
    same for a full disk. One line says so, and no answer is left that lacks a name or a label."""
    if "asan" in TOOL or not shutil.which("cc"):
        print("skipped: failing answers: a preloaded library and a plain build are needed")
        return
    shim = put("answer.c", b"""#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void *__libc_malloc(size_t size);
void *__libc_realloc(void *old, size_t size);
static int within, calls;
static int now(void)
{
    return within && getenv("SHIM_CALL") != NULL && ++calls == atoi(getenv("SHIM_CALL"));
}
FILE *fopen(const char *path, const char *mode)
{
    FILE *(*const real)(const char *, const char *) = (FILE * (*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen");
    const int meta = strstr(path, "meta.json") != NULL && mode[0] == 'w';
    FILE *const file = real(meta && getenv("SHIM_FULL") != NULL ? "/dev/full" : path, mode);
    within |= meta;
    return file;
}
FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}
int fclose(FILE *file)
{
    int (*const real)(FILE *) = (int (*)(FILE *))dlsym(RTLD_NEXT, "fclose");
    within &= fileno(file) < 0; /* a stream in memory */
    return real(file);
}
void *malloc(size_t size)
{
    return now() ? (errno = ENOMEM, NULL) : __libc_malloc(size);
}
void *realloc(void *old, size_t size)
{
    return now() ? (errno = ENOMEM, NULL) : __libc_realloc(old, size);
}
""")
    library = scratch("answer.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-fno-builtin", shim, "-o", library, "-ldl"], check=True)
    data = scratch("answer-of.tet")
    utet("pack", save("answer.npy", numpy.arange(24, dtype="<i4").reshape(2, 3, 4)), "-o", data, "--name", "d", "--dims", "up,lat,lon",
         "--labels", "up=low,high", "--labels", "lat=a,b,c", "--attr", "units=K")
    environment = dict(os.environ, LD_PRELOAD=library)
    questions = ["--mean", "lon", "--max", "lon"], ["--sum", "lat", "--window", "lat=2"], ["--slab", ":,1,:"]
    for options in questions:
        def attempt(**more):
            done = utet("query", data, "d", *options, "-o", scratch("answer.tet"), env=dict(environment, **more))
            left = [n for n in os.listdir(os.path.dirname(data)) if n.startswith(("answer.tet", "utet-query"))]
            with open(scratch("answer.tet") if left == ["answer.tet"] else os.devnull, "rb") as file:
                content = file.read()
            for name in left:
                os.remove(scratch(name))
            return done[0], done[2], content

        good = attempt(SOURCE_DATE_EPOCH="1")
        check("an answer %s" % options, good[0] == 0 and len(good[2]) > 300, good[:2])
        full = attempt(SHIM_FULL="1")
        check("an answer on a full disk %s" % options, full[0] == 1 and full[2] == b"" and "No space left" in full[1] and full[1].count("\n") == 1, full)
        wrong, failed, fine, call = [], 0, 0, 0
        while fine < 4 and call < 500:  # the C library does without memory for a buffer
            call += 1
            status, err, content = attempt(SHIM_CALL=str(call), SOURCE_DATE_EPOCH="1")
            failed += status == 1
            fine = fine + 1 if (status, err, content) == good else 0
            if fine == 0 and (status != 1 or content != b"" or "not enough memory" not in err or err.count("\n") != 1):
                wrong.append((call, status, err, content))
        check("answers without memory %s" % options, not wrong and failed > 4 and call < 500, (failed, call, wrong[:3]))


def failing_commands():
    """Every fifth allocation of commands that print or draw fails, and one part of a written text: the output is the same, or the
    exit status is 1 and an error line says so."""
    if "asan" in TOOL or not shutil.which("cc"):
        print("skipped: failing commands: a preloaded library and a plain build are needed")
        return
    shim = put("memory.c", b"""#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
""" + NOW + b"""void *malloc(size_t size)
{
    return now("memory") ? (errno = ENOMEM, NULL) : __libc_malloc(size);
}
void *realloc(void *old, size_t size)
{
    return now("memory") ? (errno = ENOMEM, NULL) : __libc_realloc(old, size);
}
size_t fwrite(const void *data, size_t size, size_t count, FILE *to)
{
    size_t (*const real)(const void *, size_t, size_t, FILE *) =
        (size_t (*)(const void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fwrite");
    if (to != stderr && now("text"))
        return fgetc(to) == EOF ? 0 : count; /* sets the error of a stream that is only written */
    return real(data, size, count, to);
}
""")
    library = scratch("memory.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-fno-builtin", shim, "-o", library, "-ldl"], check=True)
    data = scratch("memory.tet")
    utet("pack", save("memory.npy", numpy.arange(24, dtype="<i4").reshape(2, 3, 4)), "-o", data, "--name", "d", "--dims", "up,lat,lon",
         "--labels", "up=low,high", "--attr", "units=K")

    def attempt(options, **more):
        done = utet(*options, env=dict(os.environ, LD_PRELOAD=library, **more))
        left = [n for n in os.listdir(os.path.dirname(data)) if n.startswith("memory.out")]
        content = b""
        for name in left:
            with open(scratch(name), "rb") as file:
                content += file.read()
            os.remove(scratch(name))
        return *done, content

    for kind, step, options in (("memory", 5, ["info", data]), ("memory", 5, ["show", data, "d", "--slab", "0,:,:"]), ("memory", 5, ["show", data, "d", "--hist"]),
                                ("text", 1, ["export", data, "d", "--c", "-o", scratch("memory.out.c")]), ("text", 1, ["read", data, "d", "--format", "text", "-o", scratch("memory.out.txt")])):
        good, wrong, failed, fine, call = attempt(options), [], 0, 0, 0
        while fine < (80 // step if kind == "memory" else 3) and call < 1500:  # the first allocations are those of libraries, which do without
            call += step
            got = attempt(options, SHIM_KIND=kind, SHIM_CALL=str(call))
            fine = fine + 1 if got == good else 0
            failed += got[0] == 1
            if fine == 0 and (got[0] != 1 or not got[2].startswith("utet: ") or (got[3] != b"" and "out.h" not in got[2])):
                wrong.append((call, got[0], got[2]))  # OUT.c is complete before OUT.h is written
        check("%s without %s" % (options[:3], kind), good[0] == 0 and not wrong and failed > 0, (failed, call, wrong[:3]))


def few_descriptors():
    """However few files the tool may open, a text that is no table is refused with a line."""
    path = put("few.log", b"time;v\n1;2\n")
    for count in range(4, 12):
        def limited():
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))
        done = subprocess.run([TOOL, "pack", path, "-o", scratch("few.tet")], capture_output=True, preexec_fn=limited)
        check("%d descriptors" % count, done.returncode == 1 and done.stderr.startswith(b"utet: ") and done.stderr.count(b"\n") == 1, done)


misfortune()
failing_reads()
reads_in_parts()
failing_scratch()
failing_answers()
failing_commands()
few_descriptors()
refusals()
interrupted()
summary()
