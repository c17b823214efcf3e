#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Mutation testing of src/: changes one comparison, constant, operator, condition or statement at a time and runs
suites against it.

    mutate.py --lib build/lib/mutant --tests build/test/host --zstd build/test/zstd --adapter FLAGS [--libs LIBRARIES]
              [--count N] [--seed S] [--only TEXT] [--rooms NAMES]

A mutant counts as killed if a program of its component fails, crashes or exceeds a multiple of its usual processor time.
One that does not compile, or whose object is byte for byte the original's or another mutant's, does not count. The
sample is the same for the same sources and seed: the folders of src/ take turns, each in an order of its own, until
there are N mutants. Results are kept in build/test/mutation/results.tsv: a run that was stopped continues, and survivors
are tried again when a test program has changed. survivors.txt lists the survivors. Those whose line
mutate_equivalent.txt (next to this file) lists are explained: its reason states why nothing can distinguish them from
the original. The others are open. Three numbers are printed for each component and for all: killed, explained, open.
Exit status 1 when less than 95 % of
those that are not explained were killed, or more than 7 % had to be explained.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import threading

LEAST = 95.0     # % killed, of those that are not explained
EXPLAINED = 7.0  # maximum % of explained ones
ZSTD = 'src/zstd/zstd_'
HEADERS = {ZSTD + header + '.h': ZSTD + source + '.c' for header, source in (  # code in headers: a source that contains it
    ('build', 'tables'), ('sequences', 'tables'), ('layout_tables', 'tables'), ('unaligned_literals', 'tables'),
    ('layout_packed', 'packed'), ('unaligned_tree', 'tables'), ('unaligned', 'tables'))}
TOKEN = re.compile(r'(?P<space>\s+|/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)'
                   r'''|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')'''
                   r'|(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)|(?P<word>[A-Za-z_]\w*)'
                   r'|(?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)', re.S | re.M)
BINARY = {'<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'], '==': ['!='], '!=': ['=='],
          '+': ['-'], '-': ['+'], '*': ['+'], '/': ['*'], '%': ['/'], '<<': ['>>'], '>>': ['<<'], '&': ['|'],
          '|': ['&'], '^': ['&'], '&&': ['||'], '||': ['&&'], '+=': ['-='], '-=': ['+='], '|=': ['&='], '&=': ['|='], '^=': ['|='],
          '<<=': ['>>='], '>>=': ['<<='], '++': ['--'], '--': ['++']}
NO_STATEMENT = {'if', 'while', 'for', 'do', 'switch', 'case', 'default', 'else', 'static', 'const', 'typedef', 'struct',
                'enum', 'return', '{', '}', ';', 'goto', 'extern'}
JUMPS = {'return', 'break', 'continue'}  # dropped if a condition comes before them
TYPES = re.compile(r'(\w+_t|const|void|char|unsigned|int|long|utet_\w+|struct)$')

# Programs by folder of src/, the quickest and most sensitive ones first; SUITE:TEXT = only the cases with TEXT in their
# names.
QUICK = ['objects', 'frames', 'reads', 'damage', 'geometry', 'status', 'filestatus', 'payloadstatus', 'sweep', 'calls', 'lookups']
PROGRAMS = {
    'base': QUICK + ['show', 'footer', 'golden'],
    'container': QUICK + ['conditions', 'check:bad_records', 'footer', 'golden'],
    'stream': QUICK + ['codec', 'upstream', 'upstreamfaults'],
    'slab': ['geometry', 'turns', 'turnsstatus', 'objects', 'reads', 'status', 'filestatus', 'payloadstatus', 'sweep', 'calls', 'lookups', 'damage'],
    'check': ['check:random_damage', 'check:bad_records', 'checkcost:protocol', 'check', 'checkcost', 'objects', 'status', 'filestatus'],
    'show': ['show'],
    'codec': ['frames', 'geometry', 'status', 'filestatus', 'payloadstatus', 'damage', 'sweep', 'reads', 'calls', 'lookups', 'upstream',
              'upstreamfaults'],
    'zstd': ['zstd', 'zstdcalls', 'zstdsource', 'zstdstatus', 'zstd-damage', 'zstd-golden', 'zstd-levels', 'zstd-flips', 'frames', 'damage'],
    'json': ['json', 'metadata', 'metalimits', 'metaanswers', 'metazones', 'metastatus', 'footer', 'meta', 'metazonedata', 'meta-vectors'],
    'inflate': ['inflate'],
    'tiledb': ['arraycalls', 'arrayfields', 'oldarrays', 'tiles', 'arrays', 'arrayitems', 'tilefaults', 'tiledb'],
    'meta': ['metadata', 'metalimits', 'metaanswers', 'metazones', 'metastatus', 'metatexts', 'footer', 'meta', 'metazonedata', 'meta-vectors'],
    'fold': ['foldedges', 'foldrounding', 'foldturns', 'transform', 'foldmodel', 'foldby:windows', 'fold', 'foldelements', 'foldby', 'foldvalues',
             'foldmerge', 'foldjoins', 'foldpasses', 'foldstatus', 'foldpiecestatus', 'foldloops'],
    'query': ['modelfaults', 'modelskipfaults', 'modeldocument', 'modelanswer', 'queryanswer', 'modelskip'],
    'cbor': ['messages', 'descriptors', 'entries', 'cbor', 'tensogramstatus', 'tensogram', 'tensogramcalls'],
    'tensogram': ['messages', 'descriptors', 'entries', 'cbor', 'tensogramstatus', 'tensordata', 'tensorslab', 'tensorstatus', 'tensorcodecs', 'tensogram',
                  'tensogramcalls', 'tensordamage'],
}
# Those of fold and query that `make test` runs under UBSan as well.
UNDER_UBSAN = {'foldedges', 'foldrounding', 'foldturns', 'transform', 'foldmodel', 'fold', 'foldelements', 'foldby', 'foldmerge',
               'foldjoins', 'foldpasses', 'foldstatus', 'foldpiecestatus', 'foldloops', 'modelfaults', 'modelskipfaults', 'modeldocument', 'modelanswer',
               'queryanswer'}
UBSAN = ('-fsanitize=undefined', '-fno-sanitize-recover=all')
TENSORS = 'test/tensogram/tensors/list.txt test/tensogram/tensors/vectors test/tensogram/tensors/golden.txt test/golden/tensogram/good'


class Program:
    """A test program, linked with libutet.so, and its arguments."""

    def __init__(self, name, argv):
        self.name, self.argv, self.seconds = name, argv, 0.0

    def limit(self):
        """Seconds of processor time; for a script that starts many processes, of each of them."""
        return 4 if self.argv[0] in (sys.executable, 'python3') else 2 + int(5 * self.seconds)

    def run(self, library, limit, only=()):
        env = dict(os.environ, LD_LIBRARY_PATH=library, SUITE_LIGHT='1')
        for text in only:
            env['SUITE_ONLY'] = text

        def limits():
            if limit:
                resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        try:
            return subprocess.run(self.argv, env=env, preexec_fn=limits, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  timeout=60 + 60 * limit if limit else None).returncode
        except subprocess.TimeoutExpired:
            return -1


# ---- mutants ----

def tokens(source):
    return [(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(source) if m.lastgroup != 'space']


def closing(found, i):
    """Index of the token that closes the bracket at i."""
    depth = 0
    for k in range(i, len(found)):
        depth += {'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}.get(found[k][1], 0) if found[k][0] == 'op' else 0
        if depth == 0:
            return k
    return len(found) - 1


def literal(text):
    digits = text.rstrip('uUlL')
    value, suffix = int(digits, 0) if not re.fullmatch(r'0\d+', digits) else int(digits, 8), text[len(digits):]
    show = (lambda n: hex(n)) if digits[:2].lower() == '0x' else str
    return [show(n) + suffix for n in ([value + 1, value - 1] if value else [1])]


def mutants(source):
    """Yields (from, to, replacement) for the source."""
    found = tokens(source)
    statement = True  # a statement may begin here
    for i, (kind, text, at) in enumerate(found):
        before, after = found[i - 1] if i else ('op', ';', 0), found[i + 1] if i + 1 < len(found) else ('op', ';', 0)
        value_before = before[0] in ('number', 'word', 'text') or before[1] in (')', ']')
        if before[1] in ('return', 'case', 'sizeof'):
            value_before = False
        if kind == 'number':
            for new in literal(text):
                yield at, at + len(text), new
        elif kind == 'op' and text in BINARY:
            unary = text in '+-*&' and not value_before
            pointer = text in '*&' and (after[1] in (')', '*', ',', ';') or TYPES.match(before[1]) is not None)
            if text == '-' and unary:
                yield at, at + 1, ''
            elif not unary and not pointer:
                for new in BINARY[text]:
                    yield at, at + len(text), new
        elif kind == 'op' and text in '!~':
            yield at, at + 1, ''
        elif text in ('if', 'while') and after[1] == '(':
            end = closing(found, i + 1)
            yield found[i + 1][2], found[end][2] + 1, '(!' + source[found[i + 1][2]:found[end][2] + 1] + ')'
        if (statement and kind in ('word', 'op') and text not in NO_STATEMENT) or \
                (text in JUMPS and before[1] in (')', 'else')):
            end = i
            while end < len(found) and found[end][1] not in (';', '{', '}'):
                end = closing(found, end) + 1 if found[end][1] in ('(', '[') else end + 1
            if end < len(found) and found[end][1] == ';':
                yield at, found[end][2] + 1, ';'
        statement = text in (';', '{', '}', 'else') or (text == ')' and opens_body(found, i))


def opens_body(found, i):
    """Does this bracket close the head of an if, for or while?"""
    depth = 0
    for k in range(i, -1, -1):
        depth += {')': 1, '(': -1}.get(found[k][1], 0)
        if depth == 0:
            return k > 0 and found[k - 1][1] in ('if', 'for', 'while')
    return False


class Mutant:
    def __init__(self, path, source, start, end, new):
        self.path, self.source, self.start, self.end, self.new = path, source, start, end, new
        self.line = source.count('\n', 0, start) + 1
        self.key = hashlib.sha256(f'{path}\0{source}\0{start}\0{end}\0{new}'.encode()).hexdigest()[:24]

    def text(self):
        return self.source[:self.start] + self.new + self.source[self.end:]

    def lines(self):
        """The old line and the new line, with blanks collapsed: mutate_equivalent.txt is searched for this."""
        first = self.source.rfind('\n', 0, self.start) + 1
        last = self.source.find('\n', self.end)
        was, now = self.source[first:last], self.source[first:self.start] + self.new + self.source[self.end:last]
        return ' '.join(was.split()), ' '.join(now.split())

    def describe(self):
        return f'{self.path}:{self.line}: {self.lines()[0]}  =>  {self.lines()[1]}'


def sample(paths, seed, only, wanted):
    rooms = {}
    for path in paths:
        if wanted and component(path) not in wanted:
            continue
        source = open(path, encoding='utf-8').read()
        room = rooms.setdefault(component(path), [])
        room += [Mutant(path, source, *m) for m in mutants(source)]
    for name in sorted(rooms):
        random.Random(f'{seed} {name}').shuffle(rooms[name])
    total = sum(map(len, rooms.values()))
    chosen = []
    if only:
        return total, [m for name in sorted(rooms) for m in rooms[name] if only in m.describe()]
    for turn in range(max(map(len, rooms.values()))):
        chosen += [rooms[name][turn] for name in sorted(rooms) if turn < len(rooms[name])]
    return total, chosen  # as many as requested are taken from it, because some do not count


def component(path):
    return path.split('/')[-2]


# ---- building ----

class Builder:
    def __init__(self, args, room, paths):
        self.lib, self.room, self.adapter = args.lib, room, shlex.split(args.adapter)
        flags = open(f'{args.lib}/flags', encoding='utf-8').read().split()
        self.command = [f for f in flags[:-1] if f not in ('-MMD', '-MP', '-Werror', '-g')] + ['-w']
        parts = {f'{d}/{f}' for d, _, names in os.walk(f'{args.lib}/zstd') for f in names if f.endswith('.o')}
        self.objects = sorted({self.object_of(p) for p in paths} | parts)
        os.makedirs(room, exist_ok=True)
        with open(f'{room}/map', 'w', encoding='utf-8') as out:
            out.write('{ global: utet_*; zs_*; local: *; };\n')
        self.originals = {}

    def object_of(self, path):
        if path.endswith('zstd_upstream.c'):
            return f'{self.lib}/zstd/zstd_adapter.o'
        return f'{self.lib}/obj/{HEADERS.get(path, path)[4:-2]}.o'

    def compile(self, path, text, more=()):
        """The object's bytes, or None."""
        source, out = f'{self.room}/source.c', f'{self.room}/mutant.o'
        texts = {source: text}
        if path in HEADERS:
            texts = {f'{self.room}/{os.path.basename(path)}': text, source: open(HEADERS[path], encoding='utf-8').read()}
        for name, content in texts.items():
            with open(name, 'w', encoding='utf-8') as f:
                f.write(content)
        extra = self.adapter if path.endswith('zstd_upstream.c') else []
        done = subprocess.run(self.command + extra + [*more, f'-I{os.path.dirname(path)}', '-c', source, '-o', out],
                              stderr=subprocess.DEVNULL)
        for name in texts:  # the next source would find a header
            os.remove(name)
        return open(out, 'rb').read() if done.returncode == 0 else None

    def original(self, mutant):
        if mutant.path not in self.originals:
            self.originals[mutant.path] = self.compile(mutant.path, mutant.source)
            if self.originals[mutant.path] is None:
                raise RuntimeError(f'{mutant.path} does not compile')
        return self.originals[mutant.path]

    def link(self, path=None, more=()):
        objects = [f'{self.room}/mutant.o' if path and o == self.object_of(path) else o for o in self.objects]
        subprocess.run(self.command[:1] + ['-shared', f'-Wl,--version-script={self.room}/map', '-o',
                                           f'{self.room}/libutet.so', *objects, *more], check=True)


def link_programs(args, room, wanted):
    """The requested programs, linked with the library as a shared one, so that a mutant replaces only that."""
    harness = sorted(glob.glob(f'{args.tests}/harness/*.o')) + [f'{args.tests}/zstd.o']
    programs = {}

    def link(name, objects, argv=None):
        if name not in wanted:
            return
        out = f'{room}/{name}'
        subprocess.run(['gcc', *objects, f'-L{room}/w0', '-lutet', '-lcmocka', '-lpthread', '-o', out], check=True)
        programs[name] = Program(name, [a.replace('@', out) for a in argv or ['@']])

    for suite in sorted(glob.glob(f'{args.tests}/*/suite_*.o')):
        link(os.path.basename(suite)[6:-2], [suite, f'{args.tests}/common/tiledb_walk.o'] + harness)
    link('json', [f'{args.tests}/tet/json_run.o'] + harness, [sys.executable, 'test/tet/json_test.py', '@', '300'])
    link('meta-vectors', [f'{args.tests}/tet/meta_dump.o'] + harness,
         [sys.executable, 'test/tet/meta_test.py', '@', os.environ.get('TEST_SHARED', '../shared') + '/vectors/tet'])
    tensors = ['-w', '-O2', '-D_GNU_SOURCE', '-DHAVE_ZSTD_SMALL', '-DHAVE_ZSTD_UPSTREAM', '-Iinclude', '-Isrc', '-Itest/harness', '-Itest/tensogram', 'test/tensogram/tensor_world.c',
               *(f'test/harness/{n}.c' for n in ('suite', 'guard', 'faultport', 'rig', 'hash', 'statuses'))]
    os.environ.setdefault('TENSOR_LISTS', TENSORS)
    for name in ('tensordata', 'tensordamage', 'tensorslab', 'tensorstatus', 'tensorcodecs'):
        link(name, tensors + [f'test/tensogram/suite_{name}.c', '-llz4', '-lm'])
    for name, argv in (('modelfaults', ['@', 'test/golden/tet/R6_station_log.tet']),
                       ('modelskipfaults', ['@', 'test/golden/tet/R6_station_log.tet', 'test/tool/indexed.tet']),
                       ('modeldocument', ['python3', 'test/query/document_test.py', '@', '--cases', '240']),
                       ('modelanswer', ['python3', 'test/query/answer_test.py', '@', '--cases', '360'])):
        link(name, ['-w', '-O2', '-Iinclude', f'test/query/{name[5:]}.c'], argv)
    build = os.path.dirname(os.path.dirname(args.tests))
    link('modelskip', sorted(glob.glob(f'{build}/tool/**/*.o', recursive=True)) + args.libs.split(),
         ['python3', 'test/query/skip_test.py', '@', '--cases', '20'])
    model = [sys.executable, 'test/fold/fold_test.py', '@']
    for name, more in (('foldmodel', ['--utet', build + '/utet', '--cases', '16']),
                       ('foldvalues', ['--shared', os.environ.get('TEST_SHARED', '../shared'), '--most', '70000'])):
        link(name, ['-w', '-O2', '-Iinclude', 'test/fold/answer.c'], model + more)
    link('inflate', [f'{os.path.dirname(args.tests)}/inflate/host/test/{n}.o'
                     for n in ('inflate/suite_inflate', 'inflate/inf_run', 'inflate/inf_made', 'harness/guard', 'harness/suite')] + ['-lz'])
    zstd = [f'{args.zstd}/host/{n}.o' for n in ('zs_run', 'zs_oracle', 'zs_data', 'zs_made', 'zs_struct', 'guard')] + [f'{args.zstd}/judge.o']
    for name in ('zstd', 'zstdcalls', 'zstdsource'):
        link(name, [f'{args.zstd}/host/suite_{name}.o', f'{args.zstd}/host/suite.o'] + zstd)
    frames = sorted(glob.glob(f'{args.zstd}/corpus/*.zst'))
    for name, what in (('zstd-golden', ['files', '2', *frames]), ('zstd-levels', ['levels', '40']),
                       ('zstd-damage', ['mutants', '6000', '1', *frames]), ('zstd-flips', ['flips', '4', *frames])):
        link(name, [f'{args.zstd}/host/zs_diff.o'] + zstd, ['@'] + what)
    return programs


# ---- trying ----

class Trial:
    def __init__(self, args, paths, wanted):
        self.top = os.path.dirname(args.tests) + '/mutation'
        self.builders = [Builder(args, f'{self.top}/w{i}', paths) for i in range(args.jobs)]
        for b in self.builders:
            b.link()
        self.programs = link_programs(args, self.top, wanted)
        self.free, self.lock, self.seen = list(self.builders), threading.Lock(), {}

    def measure(self):
        """Measures the processor time that each program takes with the unchanged library."""
        for p in self.programs.values():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            code = p.run(self.builders[0].room, 0)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if code != 0:
                sys.exit(f'mutate: {p.name} fails with the unchanged library')
            p.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f'  {p.name}: {p.seconds:.1f} s', flush=True)

    def verdict(self, builder, mutant):
        original = builder.original(mutant)
        code = builder.compile(mutant.path, mutant.text())
        if code is None or code == original:
            return 'none'
        digest = hashlib.sha256(code).hexdigest()
        with self.lock:
            if self.seen.setdefault((mutant.path, digest), mutant.key) != mutant.key:
                return 'none'
        builder.link(mutant.path)
        for name in PROGRAMS[component(mutant.path)]:
            p = self.programs[name.split(':')[0]]
            if p.run(builder.room, p.limit(), name.split(':')[1:]) != 0:
                return 'killed by ' + name
        return self.verdict_ubsan(builder, mutant)

    def verdict_ubsan(self, builder, mutant):
        """`make test` also runs suites under UBSan: the same suites, once more, with the mutant's object instrumented."""
        suites = [name for name in PROGRAMS[component(mutant.path)] if name in UNDER_UBSAN]
        if not suites or builder.compile(mutant.path, mutant.text(), UBSAN) is None:
            return 'alive'
        builder.link(mutant.path, ['-lubsan'])
        for name in suites:
            if self.programs[name].run(builder.room, 3 * self.programs[name].limit()) != 0:
                return f'killed by {name} under UBSan'
        return 'alive'

    def one(self, mutant):
        with self.lock:
            builder = self.free.pop()
        try:
            return mutant, self.verdict(builder, mutant)
        finally:
            with self.lock:
                self.free.append(builder)


def equivalents(path):
    """{(file, line, changed line): reason}, written as `file: line => changed line -- reason`; names the entries whose
    line the source does not have any more."""
    known = {}
    for text in open(path, encoding='utf-8'):
        m = re.fullmatch(r'(\S+?): (.*?)  =>  (.*?)  -- (.*)\n', text)
        if m:
            known[m.group(1), m.group(2), m.group(3)] = m.group(4)
            source = '\n'.join(' '.join(line.split()) for line in open(m.group(1), encoding='utf-8'))
            if not re.search('^' + r'\s+'.join(map(re.escape, m.group(2).split())) + '$', source, re.M):
                print(f'  explained, but not there any more: {m.group(1)}: {m.group(2)}')
    return known


def main():
    p = argparse.ArgumentParser()
    for name in ('--lib', '--tests', '--zstd', '--adapter'):
        p.add_argument(name, required=True)
    p.add_argument('--libs', default='', help='of the tool')
    p.add_argument('--count', type=int, default=700)
    p.add_argument('--seed', default='1')
    p.add_argument('--jobs', type=int, default=2)
    p.add_argument('--only', default='', help='all mutants whose description contains this, instead of a sample')
    p.add_argument('--rooms', default='', help='of these components only, a list with blanks')
    args = p.parse_args()
    paths = sorted([f'{d}/{f}' for d, _, names in os.walk('src') for f in names if f.endswith('.c')] + list(HEADERS))
    total, chosen = sample(paths, args.seed, args.only, args.rooms.split())
    trial = Trial(args, paths, {name.split(':')[0] for m in chosen for name in PROGRAMS[component(m.path)]})
    stamp = str(int(max(os.path.getmtime(f) for d in (args.tests, args.zstd) for r, _, names in os.walk(d) for f in
                        (f'{r}/{n}' for n in names if n.endswith('.o')))))  # of the test programs
    results, path = {}, f'{trial.top}/results.tsv'
    if os.path.exists(path):
        for line in open(path, encoding='utf-8'):
            key, verdict, then = line.rstrip('\n').split('\t')[:3]
            if verdict != 'alive' or then == stamp:
                results[key] = verdict
    trial.measure()
    want = len(chosen) if args.only else args.count
    verdicts = {}
    with open(path, 'a', encoding='utf-8') as log, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        queue, done, wait = iter(chosen), 0, set()
        while done < want:
            while len(wait) < args.jobs:
                m = next(queue, None)
                if m is None:
                    break
                if m.key in results:
                    verdicts[m] = results[m.key]
                    done += results[m.key] != 'none'
                    if done >= want:
                        break
                else:
                    wait.add(pool.submit(trial.one, m))
            if not wait:
                break
            ready, wait = concurrent.futures.wait(wait, return_when=concurrent.futures.FIRST_COMPLETED)
            for f in ready:
                m, verdict = f.result()
                verdicts[m] = verdict
                done += verdict != 'none'
                log.write(f'{m.key}\t{verdict}\t{stamp}\t{m.describe()}\n')
                log.flush()
                if verdict == 'alive':
                    print('  alive: ' + m.describe(), flush=True)
    report(trial.top, verdicts, f'{args.only or "seed " + args.seed} of {total}')


def report(top, verdicts, chosen):
    known = equivalents(os.path.splitext(__file__)[0] + '_equivalent.txt')
    tried = [m for m in verdicts if verdicts[m] != 'none']
    alive = sorted((m for m in tried if verdicts[m] == 'alive'), key=lambda m: (m.path, m.start))
    reasons = {m: known.get((m.path, *m.lines())) for m in alive}
    with open(f'{top}/survivors.txt', 'w', encoding='utf-8') as out:
        for m in alive:
            out.write(m.describe() + (f'  -- {reasons[m]}' if reasons[m] else '') + '\n')

    def numbers(of):
        explained = sum(bool(reasons.get(m)) for m in of)
        killed = sum(verdicts[m] != 'alive' for m in of)
        return killed, explained, len(of) - killed - explained, len(of)

    for room in sorted({component(m.path) for m in tried}):
        print('  figure: mutation, %s: %d killed, %d explained, %d open, %d in all'
              % (room, *numbers([m for m in tried if component(m.path) == room])))
    killed, explained, still_open, every = numbers(tried)
    share, told = 100.0 * killed / max(1, every - explained), 100.0 * explained / max(1, every)
    print(f'  figure: mutation: {killed} killed, {explained} explained, {still_open} open, {every} in all ({chosen}): '
          f'{100.0 * killed / max(1, every):.1f} % killed, {share:.1f} % of those not explained')
    good = share >= LEAST and told <= EXPLAINED
    print('mutation: 1 passed, 0 failed' if good else 'mutation: 0 passed, 1 failed')
    sys.exit(not good)


main()
