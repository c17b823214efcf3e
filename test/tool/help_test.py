#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Help, man page and completion, which come from one table: each screen has its parts and only the notes that concern its
command, the examples run as printed, and the shells complete commands, options, values, boards, datasets and files."""
import os
import re
import shutil
import struct
import subprocess
import zlib

import numpy

from harness import ROOT, SCRATCH, TOOL, check, expect, scratch, skip, summary, utet

PLANET = os.path.join(ROOT, "golden", "demo", "demo_planet.tet")
LIST = utet("--help")[1].decode()
COMMANDS = re.findall(r"^  (\w+) +[A-Z]", LIST, re.M)
SCREENS = {command: utet("help", command)[1].decode() for command in COMMANDS + ["help"]}
ENVIRONMENT = dict(os.environ, PATH=os.path.dirname(TOOL) + ":" + os.environ["PATH"], HOME=SCRATCH)


def run(*words, **options):
    return subprocess.run(words, cwd=SCRATCH, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, **options)


# ---- screens ----

def options_of(text):
    return dict(re.findall(r"^  (--?[\w-]+) ?(.*?)(?:  .*)?$", text, re.M))


def screens():
    check("fourteen commands", len(COMMANDS) == 14, COMMANDS)
    for command, text in SCREENS.items():
        lines = text.splitlines()
        check(command + ": purpose", re.match("utet %s - [A-Z].*[^.]$" % command, lines[0]), lines[0])
        check(command + ": usage", lines[2].startswith("Usage: utet %s " % command), lines[2])
        check(command + ": one purpose everywhere", command == "help" or " ".join(lines[0].split(" - ")[1:]) in LIST, lines[0])
        parts = [text.find(part) for part in ("Usage:", "Examples:", "  -", "Exit status:")]
        check(command + ": parts in order", -1 not in parts and parts == sorted(parts), parts)
        # lines that cannot be broken, such as the shape of a JSON document, may be longer
        check(command + ": 80 columns", all(len(line) <= 80 or " " not in line.strip() for line in lines), max(lines, key=len))
        check(command + ": imperative, without a full stop", not re.search(r"^  --?[\w-]+.*?  [a-z]\w+s .*|\.$", "\n".join(
            line for line in lines if line.startswith("  -")), re.M), text)
    check("--help is 80 columns", all(len(line) <= 80 for line in LIST.splitlines()), LIST)


def notes():
    """A note is there if and only if the command has the option or argument that it explains."""
    for command in COMMANDS:
        text = SCREENS[command]
        options = options_of(text)
        end = text[text.rindex("\n  -"):]
        for word, has in (("SLAB is", "--slab" in options), ("BYTES can", any("BYTES" in value for value in options.values())),
                          ("DATASET is", "[DATASET]" in text.splitlines()[2]), ("Without --budget", "--budget" in options and command != "pack"),
                          ("Without --strict", "--strict" in options), ("Without --format", "--format" in options)):
            check("%s: note \"%s\"" % (command, word), (word in end) == bool(has), end)
        for option in re.findall(r"(?<![\w-])--[a-z-]+", end):
            check("%s: its notes name its own options" % command, option in options, option)


def examples():
    """Runs each line below "Examples:", in a folder that has the files that it names."""
    shutil.copy(PLANET, scratch("data.tet"))
    shutil.copy(PLANET, scratch("a.tet"))
    shutil.copy(os.path.join(ROOT, "golden", "demo", "forecast.tgm"), scratch("forecast.tgm"))
    good = os.path.join(ROOT, "golden", "tiledb", "good")
    os.makedirs(scratch("array/__schema"))
    shutil.copy(os.path.join(good, next(n for n in sorted(os.listdir(good)) if n.endswith("as_it_is_dense.schema"))), scratch("array/__schema/__1_1_0123456789abcdef0123456789abcdef"))
    numpy.save(scratch("field.npy"), numpy.arange(64 * 48, dtype="f4").reshape(64, 48))
    picture = b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in (
        (b"IHDR", struct.pack(">IIBBBBB", 4, 3, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(bytes(15))), (b"IEND", b"")))
    for name in "frame1.png", "frame2.png":
        with open(scratch(name), "wb") as file:
            file.write(picture)
    numpy.arange(480 * 640, dtype="<u2").tofile(scratch("frame.raw"))
    for name, text in ("log.csv", "time,value\n" + "".join("%d,%d\n" % (i, i * i) for i in range(200))), ("mean.json", '{"dataset": "temperature", "mean": []}'):
        with open(scratch(name), "w", encoding="ascii") as file:
            file.write(text)
    utet("pack", scratch("data.tet"), "-o", scratch("b.tet"))
    count = 0
    for text in [LIST] + [SCREENS[command] for command in ["pack"] + COMMANDS + ["help"]]:
        for line in re.findall(r"^  (\S.*)$", re.search(r"^Examples:\n((?:  .*\n)+)", text, re.M).group(1), re.M):
            for old in "part.npy", "part.png":
                if os.path.exists(scratch(old)):
                    os.remove(scratch(old))
            done = run("bash", "-c", re.sub("/dev/ttyUSB0.*", "</dev/null", line))  # no device is connected
            allowed = (0, 1) if line.startswith(("utet fit", "utet diff")) else (0,)
            check("example: " + line, done.returncode in allowed and b"utet: " not in done.stdout, done.stdout)
            count += 1
    print("figure: %d examples of help run as printed" % count)


def man():
    page = utet("help", "--man")[1].decode()
    for command in COMMANDS:
        part = re.search(r"^\.SS utet %s .*?(?=^\.S)" % command, page, re.M | re.S).group(0).replace("\\-", "-")
        for example in re.findall(r"^  (\S.*)$", SCREENS[command].split("Options:")[0].split("Examples:\n")[1].split("\n\n")[0], re.M):
            check("man: " + example, example in part.replace("\\e", "\\"), part)
        for option in options_of(SCREENS[command]):
            check("man: %s %s" % (command, option), re.search(r"^\.B %s\b" % re.escape(option), part, re.M), part)
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-ww", "-z"], input=page.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check("man: groff has no complaints", done.returncode == 0 and done.stdout == b"", done.stdout)
    else:
        skip("man: groff", "not installed")


# ---- completion ----

CASES = [  # words, the last of them unfinished; what completion offers, or a part of it
    (["re"], {"read"}), (["read", "--fo"], {"--format"}), (["read", "--format", ""], {"raw", "npy", "csv", "text"}),
    (["read", "data.tet", ""], {"temperature", "elevation", "station_log"}), (["show", "data.tet", "te"], {"temperature"}),
    (["read", "two words.tet", "e"], {"elevation"}), (["fit", "data.tet", "--for", "mi"], {"microbit"}),
    (["pack", "x.npy", "--for", "lis"], {"list"}), (["pack", "x.npy", "--dtype", "f"], {"f16", "f32", "f64"}), (["verify", "dat"], {"data.tet"}),
    (["query", "data.tet", "mean.j"], {"mean.json"}), (["schema", "array", "--kind", "m"], {"metadata"}), (["read", "data.tet", "-o", "fie"], {"field.npy", "field.tet"}),
    (["help", "--completion", "z"], {"zsh"}), (["fit", "--codec", "a"], {"all"})]


def bash():
    script = utet("help", "--completion", "bash")[1]
    check("bash is the default", script == utet("help", "--completion")[1])
    with open(scratch("utet.bash"), "wb") as file:
        file.write(script)
    for words, wanted in CASES + [(["read", "--codec", "a"], set()), (["read", "--format", "=", "n"], {"npy"}), (["pack", "data.tet", ":", "e"], {"elevation"})]:
        done = run("bash", "-c", 'source ./utet.bash; COMP_WORDS=(utet "$@"); COMP_CWORD=$#; _utet; printf "%s\\n" "${COMPREPLY[@]}"', "bash", *words)
        got = set(done.stdout.decode().split("\n")) - {""}
        check("bash: " + " ".join(words), got == wanted, "%s, wanted %s" % (got, wanted))


def fish():
    if not shutil.which("fish"):
        return skip("completion for fish", "fish is not installed")
    with open(scratch("utet.fish"), "wb") as file:
        file.write(utet("help", "--completion", "fish")[1])
    for words, wanted in CASES:
        line = " ".join(["utet"] + [word.replace(" ", "\\ ") for word in words])
        done = run("fish", "-c", "source utet.fish; complete -C '%s'" % line.replace("\\", "\\\\"))
        got = {row.split("\t")[0] for row in done.stdout.decode().splitlines()}
        # datasets are offered in addition to files
        right = wanted <= got if "data.tet" in words or "two words.tet" in words else got == wanted
        check("fish: " + line, right, "%s, wanted %s" % (got, wanted))
    return None


def zsh():
    if not shutil.which("zsh"):
        return skip("completion for zsh", "zsh is not installed")
    with open(scratch("_utet"), "wb") as file:
        file.write(utet("help", "--completion", "zsh")[1])
    stubs = '_arguments() { print -rl -- "$@" }; _describe() { print -rl -- $list }; compadd() { print -rl -- ${(P)@[-1]} }; _call_program() { shift; eval "$@" }; '

    def given(*words):
        return run("zsh", "-f", "-c", stubs + 'words=(utet "$@"); CURRENT=$(( $# + 1 )); source ./_utet', "zsh", *words).stdout.decode().splitlines()
    check("zsh: commands", [line.split(":")[0] for line in given("")] == COMMANDS + ["help"], given(""))
    for command in COMMANDS:
        specs = given(command, "")
        for option, value in options_of(SCREENS[command]).items():
            lines = [line for line in specs if re.match(r"(\(.*\))?%s\[" % option, line)]
            check("zsh: %s %s" % (command, option), len(lines) == 1 and (":{" in lines[0]) == (value != ""), lines)
        check("zsh: datasets of " + command, ("2:DATASET:_utet_datasets" in specs) == ("[DATASET]" in SCREENS[command].splitlines()[2]), specs)
    check("zsh: boards", any(re.search(r"^--for\[.*\bmicrobit\b", line) for line in given("fit", "")), given("fit", ""))
    done = run("zsh", "-f", "-c", stubs + "words=(read 'two\\ words.tet' ''); CURRENT=3; source ./_utet >/dev/null; words=(read 'two\\ words.tet' ''); CURRENT=3; _utet_datasets")
    check("zsh: datasets", set(done.stdout.decode().split()) == {"temperature", "elevation", "station_log"}, done.stdout)
    return None


screens()
notes()
examples()
man()
shutil.copy(PLANET, scratch("two words.tet"))
bash()
fish()
zsh()
expect("an unknown shell", ["help", "--completion", "tcsh"], 2, "utet: help: --completion: invalid value \"tcsh\"; use bash, zsh or fish; see 'utet help help'$")
expect("two topics", ["help", "read", "info"], 2, "utet: help: too many arguments")
summary()
