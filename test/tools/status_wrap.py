#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a C file that records what the public calls of some headers return, for suites that are linked with it.

    status_wrap.py C_FILE FLAGS_FILE HEADER…

Each `utet_status utet_call(…)` of the headers gets a function __wrap_utet_call, which calls the real one (ld's --wrap, whose
flags go to FLAGS_FILE) and records the status. When a program ends, the pairs that it has seen are appended to the file
named by the environment variable STATUS_LOG, one "utet_call number" per line. suite_status.py compares them with the
headers. If the port of the tests is linked, it is notified of each return of a call that can be suspended
(faultport_returned).
"""
import os
import re
import sys

waits = set()  # calls that can be suspended
CODES = 256  # statuses from -255 to 2; lower ones are the port's


def calls(header):
    """(name, parameters, their names) of each call."""
    with open(header, encoding="utf-8") as f:
        raw = f.read()
    text = re.sub(r"/\*.*?\*/", "", raw, flags=re.S)
    for name, parameters in re.findall(r"^utet_status (utet_\w+)\(([^;]*)\);", text, re.M):
        returns = raw[:raw.index(f"\nutet_status {name}(")].rpartition("Returns:")[2]
        waits.add(name if "WOULD_BLOCK" in returns else "")
        yield name, " ".join(parameters.split()), [re.search(r"(\w+)(?:\[\w+\])?$", part.strip()).group(1) for part in parameters.split(",")]


def main():
    to, flags, headers = sys.argv[1], sys.argv[2], sys.argv[3:]
    found = [call for header in headers for call in calls(header)]
    lines = ["/* Made by test/tools/status_wrap.py. */", "#include <stdio.h>", "#include <stdlib.h>"]
    lines += [f'#include "{os.path.basename(header)}"' for header in headers]
    lines += ["static const char *const names[] = {" + ", ".join(f'"{name}"' for name, _, _ in found) + "};",
              f"static unsigned char seen[sizeof names / sizeof *names][{CODES + 3}];",
              "static const unsigned char waits[] = {" + ", ".join(str(int(name in waits)) for name, _, _ in found) + "};",
              "void faultport_returned(const char *call, int waits, int status) __attribute__((weak));",
              "static unsigned depth; /* of calls within calls, which may go on with another file */",
              "static utet_status note(unsigned call, utet_status status)",
              "{ if (depth == 0 && faultport_returned != NULL) faultport_returned(names[call], waits[call], status);",
              f"  {{ int low = status > UTET_E_PORT ? status : UTET_E_PORT; seen[call][low + {CODES}] = 1; return status; }} }}",
              "static void __attribute__((destructor)) write_log(void)",
              '{ const char *path = getenv("STATUS_LOG"); FILE *to = path == NULL ? NULL : fopen(path, "a"); if (to == NULL) return;',
              "  for (size_t i = 0; i < sizeof names / sizeof *names; i++)",
              f"    for (int code = 0; code < {CODES + 3}; code++)",
              f'      if (seen[i][code] != 0) fprintf(to, "%s %d\\n", names[i], code - {CODES});',
              "  fclose(to); }"]
    for number, (name, parameters, arguments) in enumerate(found):
        lines += [f"utet_status __real_{name}({parameters});", f"utet_status __wrap_{name}({parameters});",
                  f"utet_status __wrap_{name}({parameters})",
                  f"{{ utet_status result_; depth++; result_ = __real_{name}({', '.join(arguments)}); depth--;"
                  f" return note({number}, result_); }}"]
    with open(to, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    with open(flags, "w", encoding="utf-8") as f:
        f.write(" ".join(f"-Wl,--wrap={name}" for name, _, _ in found) + "\n")


main()
