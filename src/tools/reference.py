#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the API reference from the comments of the public headers.

    reference.py HTML MAN [HEADER...]   writes HTML/*.html (a page for each header, an index, the statuses) and
                                        MAN/*.3 (a manual page for each call and each header)

Without HEADER it reads include/*.h. It fails, and names the place, if a call has no comment, or if it returns
utet_status and its comment does not end with a valid "Returns:" list.
"""
import glob
import html
import os
import re
import sys

NOISE = re.compile(r'#ifdef __ELF__\n#pragma .*\n#endif\n|#ifdef __cplusplus\n(?:extern "C" \{|\})\n#endif\n|#ifndef UTET_\w*H\n#define UTET_\w*H\n|'
                   r"#endif\n*\Z|#if SIZE_MAX.*\n#error.*\n#endif\n")
SECTION = re.compile(r"/\* -{4,} (.*?) -{4,} \*/")
CALL = re.compile(r"^(?!typedef|extern|#|\s)([\w ]+?[ *]+)(utet_\w+)\(([^;{}]*)\);", re.M)
NAMES = re.compile(r"^#define (UTET_\w+)|^(?:typedef )?(?:struct|union) (utet_\w+)|^\}? ?(?:typedef .*?)?(utet_\w+);|^extern const [\w ]+?\**(utet_\w+)|"
                   r"^ {4}(UTET_\w+)(?: = [^,]*)?,?(?:\s*/\*.*)?$|^enum \{ (.*) \};", re.M)
NOTE = re.compile(r"((?:UTET_\w+, )*UTET_\w+): (.*?[.:;]?)(?=(?: (?:UTET_\w+, )*UTET_\w+: )|(?<=\.) (?=[A-Z*`])|$)")
STYLE = """:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
pre,code{font-family:ui-monospace,monospace;font-size:.9em}pre{background:#8881;padding:.7rem;overflow-x:auto;border-radius:4px}
table{border-collapse:collapse}td,th{border-bottom:1px solid #8884;padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}
h2{margin-top:3rem;border-bottom:2px solid #8886}h3{margin-top:2.5rem}a{text-decoration:none}a:hover{text-decoration:underline}"""

faults = []


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def comment_lines(comment):
    """The text of a comment, line by line, without its stars."""
    lines = [re.sub(r"^ ?\* ?", "", line).rstrip() for line in comment.strip()[2:-2].strip().split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def blocks(lines):
    """Pairs (kind, text) of a comment: "text" is a paragraph in one line, "code" is kept as it is."""
    found, before = [], ""
    for line in lines:
        indent = len(line) - len(line.lstrip())
        kept = found and found[-1][0] == "code" and (indent >= 2 or not line)
        if kept or (indent >= 2 and (not before or re.search(r"\S {2,}\S", line))):
            if kept:
                found[-1][1].append(line)
            else:
                found.append(("code", [line]))
        elif line:
            named = re.match(r"(UTET_\w+|[a-z_.]+(, [a-z_.]+)*): ", line) and re.search(r"[.:;,]$", before)
            if found and found[-1][0] == "text" and before and not named:
                found[-1][1].append(line.strip())
            else:
                found.append(("text", [line.strip()]))
        before = line
    return [(kind, " ".join(text) if kind == "text" else "\n".join(text).rstrip()) for kind, text in found]


class Call:
    """One public call: its declaration, and the content of the comment before it."""

    def __init__(self, kind, name, arguments, lines, header, section):
        self.name, self.header, self.section = name, header, section
        self.prototype = re.sub(r"\s+", " ", f"{kind}{name}({arguments})") + ";"
        self.kind = kind.strip()
        self.statuses, text = None, lines
        first = [i for i, line in enumerate(lines) if line.startswith("Returns: ")]
        if len(first) == 1 and "" not in lines[first[0]:]:
            self.statuses = " ".join(line.strip() for line in lines[first[0]:])[len("Returns: "):].split(", ")
            text = lines[:first[0]]
        self.blocks = blocks(text)
        self.notes = {}
        for kind_of, paragraph in self.blocks:
            for names, note in NOTE.findall(paragraph) if kind_of == "text" else ():
                for status in names.split(", "):
                    self.notes.setdefault(status[len("UTET_"):], note.rstrip(".;"))
        if not lines:
            faults.append(f"{header}: {name}: no comment before it")
        if self.kind == "utet_status" and self.statuses is None:
            faults.append(f"{header}: {name}: its comment does not end with a list of statuses")
        if self.kind != "utet_status" and self.statuses is not None:
            faults.append(f"{header}: {name}: a list of statuses, but it returns {self.kind}")

    def brief(self):
        first = next((text for kind, text in self.blocks if kind == "text"), "")
        return re.split(r"(?<=[^.][^.])[.;:] |\.$", first)[0]


class Header:
    """A header as a list of parts: ("section", title), ("text", lines), ("code", lines, code) and ("calls", lines, calls)."""

    def __init__(self, path):
        self.name = os.path.basename(path)
        self.parts, self.calls = [], []
        text = read(path)
        pieces = re.split(r"(^/\*.*?\*/[ \t]*$\n?)", text, flags=re.S | re.M)
        comments = [piece for piece in pieces[1::2] if "SPDX-License-Identifier" not in piece]
        self.intro = blocks(comment_lines(comments[0]))
        section, open_comment = "", None
        for piece in pieces[2:]:
            if piece.startswith("/*") and piece.rstrip().endswith("*/") and (piece is not comments[0]):
                if open_comment:
                    self.parts.append(("text", open_comment))
                    open_comment = None
                title = SECTION.match(piece)
                if title:
                    section = title.group(1)
                    self.parts.append(("section", section))
                elif "SPDX-License-Identifier" not in piece:
                    open_comment = comment_lines(piece)
                continue
            if piece is comments[0]:
                continue
            open_comment = self.code(NOISE.sub("", piece), open_comment, section)
        if open_comment:
            self.parts.append(("text", open_comment))

    def code(self, code, lines, section):
        """Code after a comment. A comment that a blank line follows is separate; calls take the last one before them."""
        code = re.sub(r"^#include .*\n", "", code, flags=re.M)
        if not code.strip():
            if lines and code.startswith("\n"):
                self.parts.append(("text", lines))
                return None
            return lines
        calls = [Call(*match, lines or [], self.name, section) for match in CALL.findall(code)]
        rest = CALL.sub("", code).strip("\n")
        private = lines and lines[0].lower().startswith("private")
        if rest.strip() and not private:
            self.parts.append(("code", [] if calls else lines or [], without_private(rest)))
        if calls:
            self.parts.append(("calls", lines or [], calls))
            self.calls += calls
        return None

    def names(self):
        """The names to which other pages may link: types, macros, constants and objects of this header."""
        found = set()
        for part in self.parts:
            if part[0] == "code":
                for match in NAMES.findall(part[2]):
                    found |= set(re.findall(r"\b(?:utet|UTET)_\w+", " ".join(match)))
        return found

    def summary(self):
        first = re.sub(r"^(microtet(, optional)?|utet_\w+): ", "", self.intro[0][1])
        first = re.split(r"(?<=[^.][^.])\. |\.$", first)[0]
        return first[:1].upper() + first[1:]


def without_private(code):
    """Structures without their private members."""
    lines, kept, hidden = code.split("\n"), [], 0
    for i, line in enumerate(lines):
        if not hidden and re.match(r" {4}(struct|union) \{", line):
            depth, end = 0, i
            for end in range(i, len(lines)):
                depth += lines[end].count("{") - lines[end].count("}")
                if depth == 0:
                    break
            if re.match(r" {4}\} priv\w*;", lines[end]):
                kept.append("    /* private members */")
                hidden = end - i + 1
        if hidden:
            hidden -= 1
        else:
            kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def statuses(headers):
    """The statuses in the order of the enum: name without UTET_, its number, its meaning."""
    for path in headers:
        body = re.search(r"^enum \{\n( {4}UTET_OK = 0,.*?)^\};", read(path), re.S | re.M)
        if body:
            found = {}
            for name, number, comment in re.findall(r"^ {4}UTET_(OK|END|WOULD_BLOCK|E_\w+) = (-?\d+),?(?: */\*(.*?)\*/)?", body.group(1), re.M | re.S):
                found[name] = (int(number), " ".join(comment.split()))
            found["OK"] = (0, found["OK"][1] or "success")
            if not found["E_PORT"][1]:
                found["E_PORT"] = (found["E_PORT"][0], "an error of the port: this code, or one below it")
            return found
    sys.exit("reference.py: no header has the enum of the statuses")


# ---- HTML ----

class Pages:
    def __init__(self, headers, known, version):
        self.headers, self.known, self.version = headers, known, version
        self.where = {}
        for header in headers:
            page = header.name.replace(".h", ".html")
            self.where[header.name] = page
            for name in header.names():
                self.where.setdefault(name, f"{page}#{name}")
            for call in header.calls:
                self.where[call.name] = f"{page}#{call.name}"
        for status in known:
            self.where["UTET_" + status] = f"statuses.html#{status}"

    def linked(self, text, here=""):
        """Escaped text whose names are links."""
        def link(match):
            target = self.where.get(match.group(0))
            return f'<a href="{target}">{match.group(0)}</a>' if target and match.group(0) != here else match.group(0)
        text = re.sub(r"\butet(?:_\w+)?\.h\b|\butet_\w+|\bUTET_\w+", link, html.escape(text, quote=False))
        return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)

    def prose(self, parts, here=""):
        return "\n".join(f"<pre>{self.linked(text, here)}</pre>" if kind == "code" else f"<p>{self.linked(text, here)}</p>" for kind, text in parts)

    def page(self, name, title, body):
        return name, (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\n'
                      f"<title>{title}</title><style>{STYLE}</style></head>\n<body>\n"
                      f'<p><a href="index.html">microtet {self.version}: API reference</a> · <a href="statuses.html">statuses</a></p>\n'
                      f"<h1>{title}</h1>\n{body}\n</body></html>\n")

    def calls(self, calls):
        """The calls that one comment describes."""
        first, rows = calls[0], ""
        if first.statuses == ["status"]:
            rows = "<p>Returns its argument <code>status</code>.</p>\n"
        elif first.statuses is not None:
            rows = '<table class="statuses"><tr><th>returns</th><th>meaning</th></tr>\n' + "".join(
                f"<tr><td>{self.linked('UTET_' + name)}</td><td>{self.linked(first.notes.get(name) or self.known[name][1])}</td></tr>\n"
                for name in first.statuses) + "</table>\n"
        titles = ", ".join(f'<span id="{call.name}">{call.name}</span>' for call in calls)
        prototypes = "\n".join(self.linked(wrapped(call.prototype), call.name) for call in calls)
        return f'<section>\n<h3>{titles}</h3>\n<pre>{prototypes}</pre>\n{self.prose(first.blocks)}\n{rows}</section>'

    def header(self, header):
        body = [self.prose(header.intro), f"<pre>#include &quot;{header.name}&quot;</pre>"]
        placed = set()
        for part in header.parts:
            if part[0] == "section":
                body.append(f"<h2>{self.linked(part[1])}</h2>")
            elif part[0] == "text":
                body.append(self.prose(blocks(part[1])))
            elif part[0] == "code":
                anchors = "".join(f'<span id="{name}"></span>' for name in sorted(set(re.findall(r"\b(?:utet|UTET)_\w+", part[2])))
                                  if self.where.get(name) == f"{self.where[header.name]}#{name}" and name not in placed)
                placed |= set(re.findall(r'id="(\w+)"', anchors))
                body.append(f"{self.prose(blocks(part[1]))}{anchors}<pre>{self.linked(part[2])}</pre>")
            else:
                body.append(self.calls(part[2]))
        return self.page(self.where[header.name], header.name, "\n".join(body))

    def index(self):
        rows = "".join(f'<tr><td><a href="{self.where[h.name]}">{h.name}</a></td><td>{self.linked(h.summary())}</td></tr>\n' for h in self.headers)
        calls = "".join(f"<tr><td>{self.linked(c.name)}</td><td>{self.linked(c.brief(), c.name)}</td></tr>\n"
                        for c in sorted((c for h in self.headers for c in h.calls), key=lambda c: c.name))
        return self.page("index.html", f"microtet {self.version}: API reference",
                         f"<h2>Headers</h2>\n<table>{rows}</table>\n<h2>All calls</h2>\n<table>{calls}</table>")

    def status_page(self):
        rows = ""
        for name, (number, meaning) in self.known.items():
            calls = ", ".join(self.linked(c.name) for h in self.headers for c in h.calls if c.statuses and name in c.statuses)
            rows += f'<tr id="{name}"><td>UTET_{name}</td><td>{number}</td><td>{self.linked(meaning)}<br><small>{calls}</small></td></tr>\n'
        return self.page("statuses.html", "Statuses", f"<p>Each status, its number, its meaning, and the calls that return it.</p>\n"
                         f"<table><tr><th>status</th><th>number</th><th>meaning, calls</th></tr>\n{rows}</table>")

    def all(self):
        return [self.index(), self.status_page()] + [self.header(header) for header in self.headers]


# ---- manual pages ----

def roff(text):
    """Text for troff, in which nothing is a command."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti")
    text = re.sub(r"`([^`\n]+)`", r"\\fB\1\\fP", text)
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


def man_prose(parts):
    return "".join(f".PP\n.nf\n{roff(text)}\n.fi\n" if kind == "code" else f".PP\n{roff(text)}\n" for kind, text in parts)


def man_page(title, version, name, brief, synopsis, rest):
    quoted = brief.replace("`", "'")
    return (f".TH {title} 3 \"\" \"microtet {version}\" \"microtet API\"\n.nh\n.ad l\n.SH NAME\n{', '.join(name)} \\- {roff(quoted)}\n"
            f".SH SYNOPSIS\n.nf\n{synopsis}.fi\n{rest}")


def wrapped(prototype):
    """A declaration in lines of at most 76 columns, broken after commas."""
    lines = [""]
    for part in re.split(r"(?<=,) ", prototype):
        if lines[-1] and len(lines[-1]) + len(part) > 74:
            lines.append("    " + part)
        else:
            lines[-1] += (" " if lines[-1] else "") + part
    return "\n".join(lines)


def manual(headers, known, version):
    """Pairs (file, text). Calls that one comment describes have the same page, each with its own name first."""
    for header in headers:
        include = f'#include "{header.name}"\n'
        for part in header.parts:
            if part[0] != "calls":
                continue
            calls = part[2]
            first = calls[0]
            returned = ""
            if first.statuses == ["status"]:
                returned = ".SH RETURN VALUE\nThe argument\n.IR status .\n"
            elif first.statuses is not None:
                returned = ".SH RETURN VALUE\n" + "".join(
                    f".TP\n.B UTET_{name}\n{roff(first.notes.get(name) or known[name][1])}\n" for name in first.statuses)
            near = [c.name for c in header.calls if c.section == first.section and c not in calls]
            at = header.calls.index(first)
            near = sorted(near, key=lambda name: abs([c.name for c in header.calls].index(name) - at))[:6]
            also = ".SH SEE ALSO\n" + "\n".join(f".BR {name} (3)," for name in [header.name] + near) + "\n.BR utet (1)\n"
            rest = f".SH DESCRIPTION\n{man_prose(first.blocks)}{returned}{also}"
            synopsis = include + ".PP\n" + "".join(f"{roff(wrapped(c.prototype))}\n" for c in calls)
            for call in calls:
                names = [call.name] + [c.name for c in calls if c is not call]
                yield call.name + ".3", man_page(call.name.upper(), version, names, first.brief(), synopsis, rest)
        rest = f".SH DESCRIPTION\n{man_prose(header.intro)}"
        if header.calls:
            rest += ".SH CALLS\n" + "".join(f".TP\n.BR {c.name} (3)\n{roff(c.brief())}\n" for c in header.calls)
        yield header.name + ".3", man_page(header.name.upper(), version, [header.name], header.summary(), include, rest)


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: reference.py HTML MAN [HEADER...]")
    paths = sys.argv[3:] or sorted(glob.glob("include/*.h"))
    known = statuses(paths)
    headers = [Header(path) for path in paths]
    for header in headers:
        for call in header.calls:
            for name in call.statuses or ():
                if name not in known and call.statuses != ["status"]:
                    faults.append(f"{header.name}: {call.name}: {name} is not a status")
    if faults:
        sys.exit("\n".join("reference.py: " + fault for fault in faults))
    numbers = dict(re.findall(r"^#define UTET_VERSION_(MAJOR|MINOR|PATCH) (\d+)", "".join(map(read, paths)), re.M))
    version = ".".join(numbers.get(part, "0") for part in ("MAJOR", "MINOR", "PATCH"))
    for folder, files in ((sys.argv[1], Pages(headers, known, version).all()), (sys.argv[2], manual(headers, known, version))):
        os.makedirs(folder, exist_ok=True)
        for old in glob.glob(folder + "/*.html") + glob.glob(folder + "/*.3"):
            os.remove(old)
        for name, text in files:
            write(os.path.join(folder, name), text)


if __name__ == "__main__":
    main()
