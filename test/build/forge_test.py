#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""What a forge shows of this repository: forge_test.py [--tools REUSE ACTIONLINT | --release TAG]. It prints one line for each fault, and
ends with
"N passed, N failed[, N skipped]".

Commits that origin's main or the last tag lacks have a subject of at most 72 characters and a body. The changelog has the form of
Keep a Changelog, and its numbers and dates go down. MIGRATING.md has each deprecated name. Workflows call goals that exist, and
compilers.yml the goals of `make run-newer`.
NOTICE names everything that is fetched and everything that others have made. Links of these pages lead somewhere. --tools: `reuse lint`
and actionlint
find no fault, and find one that is put in.
--release: TAG, include/utet.h and the newest section of the changelog are one version, and the tree is committed.
"""
import glob
import os
import re
import shutil
import shlex
import subprocess
import sys
import tempfile
from datetime import date

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import tally  # noqa: E402
from tally import check, skip  # noqa: E402

SUBJECT, ENTRY = 72, 420
CHANGES = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def git(*arguments, folder="."):
    done = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def repository(folder="."):
    """Whether the folder is the top of a git repository, not a part of another one."""
    return git("rev-parse", "--show-prefix", folder=folder) == ""


# ---- commits ----

def new_commits(folder="."):
    """(reason why there are none, []) or (None, commits): the commits since this rule that origin's main, or otherwise the last
    tag, lacks."""
    if not repository(folder):
        return "not a git repository", []
    if git("rev-parse", "--is-shallow-repository", folder=folder) != "false":
        return "a shallow clone", []
    begin = (git("log", "--diff-filter=A", "--format=%H", "--", "test/build/forge_test.py", folder=folder) or "").split("\n")[-1]
    since = set((git("rev-list", "--no-merges", begin + "..HEAD", folder=folder) or "").split()) if begin else set()
    tag = git("describe", "--tags", "--abbrev=0", folder=folder)
    for base, most in (("origin/main", 10**6), ("origin/HEAD", 10**6), (tag, 50)):
        if base and git("rev-parse", "--verify", "--quiet", base, folder=folder):
            found = (git("rev-list", "--no-merges", f"--max-count={most}", base + "..HEAD", folder=folder) or "").split()
            if found:
                return None, [commit for commit in found if commit in since]
    return "nothing that origin's main or a tag lacks", []


def commit_faults(commit, folder="."):
    lines = (git("log", "-1", "--format=%B", commit, folder=folder) or "").split("\n")
    body = [line for line in lines[1:] if line.strip() and not re.match(r"[A-Z][\w-]+-by: ", line)]
    if len(lines[0]) > SUBJECT:
        yield f"a subject of {len(lines[0])} characters"
    if len(lines) > 1 and lines[1].strip():
        yield "no empty line after the subject"
    if not body:
        yield "no body that says why"


def commits():
    reason, found = new_commits()
    if reason:
        skip("forge: commits", reason)
    for commit in found:
        faults = list(commit_faults(commit))
        check(f"commit {commit[:10]}: {', '.join(faults)}", not faults)


def commits_selftest():
    """In a repository of three commits, the two with a fault are found."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, **{f"GIT_{who}_{what}": "nobody@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}
        git("init", "-q", folder=folder)
        os.makedirs(folder + "/test/build")
        open(folder + "/test/build/forge_test.py", "w", encoding="utf-8").close()
        git("add", ".", folder=folder)
        for message in ("the rule", "good: what\n\nWhy.", "x" * 73 + "\n\nWhy.", "no body\n\nSigned-off-by: nobody"):
            subprocess.run(["git", "-C", folder, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message], env=environment, check=True)
            if message == "the rule":
                git("update-ref", "refs/remotes/origin/main", "HEAD", folder=folder)
        reason, found = new_commits(folder)
        check(f"faults of commits are found: {reason}, {len(found)} commits", reason is None and [len(list(commit_faults(commit, folder))) for commit in found] == [1, 1, 0])
        git("update-ref", "refs/remotes/origin/main", "HEAD", folder=folder)
        check("commits that main has are not new", new_commits(folder)[0] is not None)


# ---- changelog ----

def changelog_faults(text, version):
    """The faults in the text of a changelog; version: that of the header."""
    lines = text.split("\n")
    if lines[0] != "# Changelog":
        yield "does not begin with # Changelog"
    titles = re.findall(r"^## (.*)$", text, re.M)
    if not titles or titles[0] != "[Unreleased]":
        yield "its first section is not [Unreleased]"
    releases = []
    for title in titles[1:]:
        match = re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - (\d{4})-(\d{2})-(\d{2})", title)
        if not match:
            yield f"a section without number and date: {title}"
            continue
        numbers = tuple(map(int, match.groups()))
        releases.append((numbers[:3], date(*numbers[3:])))
    if sorted(releases, reverse=True) != releases or sorted((day for _, day in releases), reverse=True) != [day for _, day in releases]:
        yield "numbers or dates do not go down"
    if not releases or releases[0][0] > version:
        yield "its newest release is newer than include/utet.h"
    elif releases[0][0] < version and not re.search(r"^- ", text.split("\n## ")[1], re.M):
        yield "include/utet.h is newer than its newest release, and nothing is unreleased"
    for section in text.split("\n## ")[1:]:
        heads = re.findall(r"^### (.*)$", section, re.M)
        if [head for head in CHANGES if head in heads] != heads:
            yield f"{section.split(chr(10))[0]}: headings are not of {', '.join(CHANGES)}, in this order: {heads}"
        for entry in re.findall(r"^- ((?:.+\n?)(?:  .+\n?)*)", section, re.M):
            if len(" ".join(entry.split())) > ENTRY:
                yield f"an entry of {len(entry)} characters: {entry[:60]}"
    if re.search(r"^\s*[*+] ", text, re.M):
        yield "an entry that does not begin with -"


def deprecated(text):
    """Pairs (old name, new name) of the macros of a header that are another name, after a comment that begins with Deprecated."""
    return [pair for lines in re.findall(r"^/\*[\s*]*Deprecated\b(?:(?!\*/)[\s\S])*\*/\n((?:#define .*\n)+)", text, re.M)
            for pair in re.findall(r"^#define (\w+)(?:\([^)]*\))? .*?\b((?:utet|UTET)_\w+)", lines, re.M)]


def migrating():
    """Each deprecated name is in MIGRATING.md, in one line with the new one; no other macro is just another name of a call."""
    lines = read("src/MIGRATING.md").split("\n")
    for path in sorted(glob.glob("include/*.h")):
        names = deprecated(read(path))
        for old, new in names:
            check(f"src/MIGRATING.md: no line with {old} and {new} of {path}", any(re.search(rf"\b{old}\b.*\b{new}\b", line) for line in lines))
        for old in re.findall(r"^#define (utet_\w+) utet_\w+$", read(path), re.M):
            check(f"{path}: {old} is an old name, and its comment does not begin with Deprecated", old in dict(names))
    sample = "/*\n * Deprecated: the new names say what they do.\n */\n#define utet_a utet_b\n#define UTET_X(n) UTET_Y(n)\n\n#define utet_c utet_d\n"
    check(f"deprecated names are found: {deprecated(sample)}", deprecated(sample) == [("utet_a", "utet_b"), ("UTET_X", "UTET_Y")])


def header_version():
    numbers = dict(re.findall(r"^#define UTET_VERSION_(MAJOR|MINOR|PATCH) (\d+)", "".join(map(read, sorted(glob.glob("include/*.h")))), re.M))
    return tuple(int(numbers[part]) for part in ("MAJOR", "MINOR", "PATCH"))


def changelog():
    text, version = read("src/CHANGELOG.md"), header_version()
    for fault in changelog_faults(text, version):
        check("src/CHANGELOG.md: " + fault, False)
    check("src/CHANGELOG.md: fewer than 10 entries", len(re.findall(r"^- ", text, re.M)) >= 10)
    good = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-01\n### Added\n- A.\n\n## [0.1.0] - 2026-01-01\n### Fixed\n- B.\n"
    cases = [(good, 0), (good.replace("2026-02-01", "2025-02-01"), 1), (good.replace("[Unreleased]", "[0.3.0] - 2026-03-01"), 1), (good.replace("Fixed", "Bugs"), 1),
             (good.replace("- B.", "- B" + "b" * ENTRY), 1), (good.replace("[0.1.0] - 2026-01-01", "0.1"), 1), (good.replace("0.2.0", "0.3.0"), 1)]
    for text, faults in cases:
        found = list(changelog_faults(text, (0, 2, 0)))
        check(f"a changelog with {faults} faults: {found}", min(len(found), 1) == faults)


# ---- workflows ----

def goals():
    """The phony targets of all Makefiles."""
    found = set()
    for path in ["Makefile"] + glob.glob("*/*.mk") + glob.glob("*/*/*.mk"):
        for line in re.findall(r"^\.PHONY:(.*(?:\\\n.*)*)", read(path), re.M):
            found |= set(line.replace("\\\n", " ").split())
    return found


def workflows():
    known = goals()
    paths = sorted(glob.glob(".github/workflows/*.yml"))
    check(f"{len(paths)} workflows", len(paths) >= 4)
    for path in paths:
        text = read(path)
        check(f"{path}: its permissions are not to read contents alone", re.search(r"^permissions:\n  contents: read$", text, re.M))
        for step in re.findall(r"- uses: (\S+)((?:\n {8,}.*)*)", text):
            check(f"{path}: {step[0]} has no version", re.search(r"@v\d+$|@[0-9a-f]{40}$", step[0]))
            check(f"{path}: the checkout keeps its credentials", "checkout" not in step[0] or "persist-credentials: false" in step[1])
        for command in re.findall(r"run: (?:.*&& )?(make .*|\.ci/run)$", text, re.M):
            words = [word for word in shlex.split(command)[1:] if not word.startswith("-") and "=" not in word and "$" not in word]
            wrong = [word for word in words if word not in known and not re.fullmatch(r"build/setup/\w+\.ok", word)]
            check(f"{path}: no such goal: {wrong}", not wrong and os.path.exists(".ci/run")) if "matrix.goal" not in command else None
    planned = subprocess.run(["make", "-n", "run-newer"], capture_output=True, text=True, check=False, env={k: v for k, v in os.environ.items() if "MAKE" not in k and k != "MFLAGS"})
    command = [line for line in planned.stdout.replace("\\\n", " ").split("\n") if "bare.sh" in line]
    wanted = [word for word in shlex.split(command[0])[1:] if not word.startswith("-")] if command else []
    block = re.search(r"^ +goal:\n((?: +- .*\n)+)", read(".github/workflows/compilers.yml"), re.M)
    have = [line.strip()[2:] for line in block.group(1).strip().split("\n")] if block else []
    check(f"compilers.yml builds {have}, make run-newer {wanted}", wanted and have == wanted)


# ---- licences ----

def notice():
    text = " ".join(read("NOTICE").split())
    pins = re.findall(r"^ +(\w+)\) +echo (\w+) +(\S+) +(\S+)", read("src/tools/fetch.sh"), re.M)
    check("src/tools/fetch.sh has no names", len(pins) >= 6)
    names = "|".join(name for name, *_ in pins)
    for name, _, package, version in pins:
        parts = [part for part in re.split(rf"\b(?=(?:{names}) )", text.split("3. What")[1]) if part.startswith(name + " ")]
        number = re.match(r"v?([\d.]+\d)", version).group(1)
        check(f"NOTICE: nothing about {name}, {package} {version}", parts and number in "".join(parts))
    for path in glob.glob("*/REUSE.toml") + glob.glob(".github/REUSE.toml"):
        for rule in read(path).split("[[annotations]]")[1:]:
            if 'Identifier = "Apache-2.0"' not in rule:
                names = [name.rsplit("/", 1)[-1] for name in re.findall(r'"([^"]+)"', rule.split("precedence")[0])]
                files = [os.path.basename(f) for name in names for f in glob.glob(os.path.dirname(path) + "/**/" + name, recursive=True)]
                check(f"{path}: NOTICE does not name all of {files}", files and all(name in text for name in files))
    for path in re.findall(r"\b(?:src|include|port|boards|test)/[\w/]+", text):
        check(f"NOTICE: {path} is not there", os.path.exists(path) or glob.glob(path + ".*"))
    check("LICENSE and LICENSES/Apache-2.0.txt differ", read("LICENSE") == read("LICENSES/Apache-2.0.txt"))


# ---- pages ----

def pages():
    for path in sorted(glob.glob(".github/*.md") + ["src/CHANGELOG.md", "src/MIGRATING.md"]):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", read(path)):
            check(f"{path}: a link to {link}, which is not there", os.path.exists(os.path.join(os.path.dirname(path), link)))
    for name in ("CONTRIBUTING", "CODE_OF_CONDUCT", "SECURITY", "RELEASING"):
        check(f".github/{name}.md is not there", os.path.exists(f".github/{name}.md"))
    rule = f"at most {SUBJECT} characters"
    check(f"CONTRIBUTING does not say: {rule}", rule in read(".github/CONTRIBUTING.md") and rule in read(".github/pull_request_template.md"))


# ---- with tools, and for a release ----

def tools(reuse, actionlint):
    environment = {**os.environ, "PYTHONPATH": reuse}

    def lint(folder):
        return subprocess.run([sys.executable, "-m", "reuse", "--root", folder, "lint"], capture_output=True, text=True, check=False, env=environment)

    def workflow(*paths):
        return subprocess.run([actionlint, "-shellcheck=", "-pyflakes=", "-no-color", *paths], capture_output=True, text=True, check=False)
    if not repository():
        skip("forge: reuse", "not a git repository")
    else:
        with tempfile.TemporaryDirectory() as folder:  # the committed files, because analysers that run meanwhile put files next to the sources
            for path in filter(os.path.exists, git("ls-files").split("\n")):
                os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
                shutil.copy(path, os.path.join(folder, path), follow_symlinks=False)
            done = lint(folder)
        check("reuse: " + done.stdout[-1500:] + done.stderr[-500:], done.returncode == 0)
    done = workflow(*sorted(glob.glob(".github/workflows/*.yml")))
    check("actionlint: " + done.stdout + done.stderr, done.returncode == 0)
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/bad.yml", "w", encoding="utf-8") as f:
            f.write(read(".github/workflows/test.yml").replace("runs-on: ubuntu-24.04", "runs-onn: ubuntu-24.04"))
        done = workflow(folder + "/bad.yml")
        check("actionlint does not find a wrong key: " + done.stdout + done.stderr, done.returncode == 1 and "runs-onn" in done.stdout)
        os.remove(folder + "/bad.yml")
        with open(folder + "/a.c", "w", encoding="utf-8") as f:
            f.write("int x;\n")
        done = lint(folder)
        check("reuse does not find a file without a licence: " + done.stdout + done.stderr, done.returncode == 1 and "a.c" in done.stdout)


def release(tag):
    version = ".".join(map(str, header_version()))
    text = read("src/CHANGELOG.md")
    newest = re.search(r"^## \[(\d[^\]]*)\]", text, re.M)
    check(f"the tag is {tag}, include/utet.h has {version}", tag == "v" + version)
    check(f"the newest section of src/CHANGELOG.md is {newest and newest.group(1)}, include/utet.h has {version}", newest and newest.group(1) == version)
    check("src/CHANGELOG.md has unreleased changes", "- " not in text.split("\n## ")[1])
    check("there are changes that are not committed", git("status", "--porcelain") == "")
    old = [path for path in glob.glob("include/*.h") if re.search(r"/\*[\s*]*Deprecated", read(path))]
    check(f"a major release removes what is deprecated: {old}", not (version.endswith(".0.0") and old))


def main():
    if sys.argv[1:2] == ["--tools"]:
        tools(sys.argv[2], sys.argv[3])
    elif sys.argv[1:2] == ["--release"]:
        release(sys.argv[2])
    else:
        for part in (commits, commits_selftest, changelog, migrating, workflows, notice, pages):
            part()
    return tally.end() or tally.passed == 0


sys.exit(main())
