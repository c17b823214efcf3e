#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Coverage of src/ against the gate: every line run, every branch taken both ways, except for the listed exemptions.

    coverage.py [--apart PREFIX]... DIR[:GCOV]...

DIR holds objects and counts of programs built with --coverage; the counts of all of them are added (GCOV: another
compiler's gcov, for counts of another machine). coverage_exempt.txt next to this file lists what no test can reach,
`FILE: CODE  -- REASON`, at most 10 lines; each is printed, and one that has been reached is refused. Files that begin with
a PREFIX are printed but not compared with the gate. coverage_least.tsv lists components that are not complete yet, with
the minimum percentages of lines and branches.
"""
import argparse
import json
import os
import subprocess
import sys

MOST_EXEMPT = 10


def counts(where):
    """{file: {line: (count, [count of each branch])}} of a folder."""
    folder, _, gcov = where.partition(':')
    command = ['gcovr', '--root', '.', '--filter', 'src/', '--json', '-', folder]
    if gcov:
        command += ['--gcov-executable', gcov]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit('coverage: ' + done.stderr)
    return {f['file']: {line['line_number']: (line['count'], [b['count'] for b in line['branches']])
                        for line in f['lines'] if not line.get('gcovr/noncode')}
            for f in json.loads(done.stdout)['files']}


def add(total, more):
    for path, lines in more.items():
        into = total.setdefault(path, {})
        for number, (count, branches) in lines.items():
            old_count, old = into.get(number, (0, []))
            if old and branches and len(old) != len(branches):
                sys.exit(f'coverage: {path}:{number} has {len(old)} and {len(branches)} branches')
            both = [a + b for a, b in zip(old, branches)] if old and branches else old or branches
            into[number] = old_count + count, both


def exemptions():
    """{(file, code): reason}"""
    name = os.path.splitext(__file__)[0] + '_exempt.txt'
    lines = [line.rstrip('\n') for line in open(name, encoding='utf-8') if line.strip() and not line.startswith('#')]
    return {tuple(line.split('  -- ')[0].split(': ', 1)): line.split('  -- ', 1)[1] for line in lines}


def least():
    """{room: (lines, branches)}, percentages."""
    name = os.path.splitext(__file__)[0] + '_least.tsv'
    rows = [line.split('\t') for line in open(name, encoding='utf-8') if line.strip() and not line.startswith('#')]
    return {room: (float(lines), float(branches)) for room, lines, branches in rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--apart', action='append', default=[])
    parser.add_argument('folders', nargs='+')
    args = parser.parse_args()
    total = {}
    for folder in args.folders:
        add(total, counts(folder))
    exempt, used, sums, bad = exemptions(), set(), {}, []
    floors = least()
    for path in sorted(total):
        source = open(path, encoding='utf-8').read().split('\n')
        apart = any(path.startswith(p) for p in args.apart)
        unfinished = os.path.dirname(path) in floors
        kind = 'apart from the gate: ' if apart else 'not complete: ' if unfinished else ''
        room = sums.setdefault(kind + os.path.dirname(path), [0, 0, 0, 0])
        for number, (count, branches) in sorted(total[path].items()):
            code = source[number - 1].strip()
            missed = sum(b == 0 for b in branches)
            if (missed or count == 0) and (path, code) in exempt:
                used.add((path, code))
                continue
            for i, n in enumerate((count > 0, 1, len(branches) - missed, len(branches))):
                room[i] += n
            if (missed or count == 0) and not apart and not unfinished:
                what = 'never run' if count == 0 else f'{missed} of {len(branches)} branches never taken'
                bad.append(f'{path}:{number}: {what}: {code}')
    for room, (lines, all_lines, branches, all_branches) in sums.items():
        print(f'  {room}: lines {lines}/{all_lines}, branches {branches}/{all_branches}')
        if room.startswith('not complete: '):
            floor = floors[room.split(': ', 1)[1]]
            for what, part, whole, percent in (('lines', lines, all_lines, floor[0]),
                                               ('branches', branches, all_branches, floor[1])):
                if part < percent / 100 * whole:
                    bad.append(f'{room}: {part} of {whole} {what}, less than {percent} %')
    for key in sorted(used):
        print(f'  exempt: {key[0]}: {key[1]}  -- {exempt[key]}')
    bad += [f'exempt, but reached or gone: {path}: {code}' for path, code in sorted(set(exempt) - used)]
    if len(exempt) > MOST_EXEMPT:
        bad.append(f'{len(exempt)} exemptions, at most {MOST_EXEMPT}')
    print('\n'.join('  ' + line for line in bad[:60]))
    gated = [v for k, v in sums.items() if ':' not in k]
    done = [sum(v[i] for v in gated) for i in range(4)]
    print(f'figure: coverage: lines {done[0]}/{done[1]}, branches {done[2]}/{done[3]}, {len(exempt)} lines exempt')
    print(f'{int(not bad)} passed, {int(bool(bad))} failed')
    sys.exit(bool(bad))


main()
