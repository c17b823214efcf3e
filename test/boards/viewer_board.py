# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The emulated lm3s6965evb with its display, its five buttons and its card, for viewer_test.py and climate_test.py: photographs each picture, presses
buttons, and pulls out the card."""
import decimal
import os
import re
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import known  # noqa: E402
from labels_test import read_font, written  # noqa: E402
from screen import Monitor, read_png, read_ppm, reduce, write_png  # noqa: E402

SHAPE = (64, 128)
KEYS = {"up": "up", "down": "down", "left": "left", "right": "right", "select": "ctrl"}


class Checks:
    """Counts what passed and failed, and prints each failure."""

    def __init__(self, font):
        self.font, self.passed, self.failed = read_font(font), 0, 0

    def check(self, good, what, seen=""):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print("FAILED:", what, seen)

    def page(self, path, name, figures):
        """The figures of a table in a page, `| NAME | NUMBER |`. Returns the number of skipped ones."""
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for what, number in figures.items():
            print(f"figure: {name}: {what} {number:,}")
            said = re.search(rf"^\| {what} \| ([\d,]+) \|", text, re.M)
            if known.figures_hold():
                self.check(said and abs(int(said[1].replace(",", "")) - number) <= 0.01 * number, f"{path}: {what}", number)
        if known.figures_hold():
            return 0
        print(f"skipped: {len(figures)} figures of {path}, which are those of another compiler than arm-none-eabi-gcc {known.version()}")
        return len(figures)

    def photograph(self, seen, made, kept):
        """The page's picture is this one, four times as large."""
        write_png(made, *seen.grey, 4)
        self.check(os.path.exists(kept) and read_png(made) == read_png(kept), f"{kept} is the picture {made}")

    def picture(self, what, seen, texts, greys):
        """One photograph, with the texts [(left, top, text)] and elsewhere the greys of an array."""
        covered = np.zeros(SHAPE, bool)
        self.check(seen.name == "view" and seen.texts == texts, f"{what}: the texts", (seen.lines, texts))
        if seen.name is None:
            return
        for left, top, text in texts:
            self.check(written(seen.grey, self.font, left, top, text), f"{what}: '{text}' does not stand at {left},{top}")
            covered[top:top + 6, left:left + 4 * len(text)] = True
        other = (np.frombuffer(seen.grey[2], np.uint8).reshape(SHAPE) // 17 != greys) & ~covered
        self.check(not other.any(), f"{what}: {other.sum()} pixels have another grey")

    def notice(self, what, seen, title, words, offset=None):
        """A message instead of a picture: title, words, and if there is a range, an offset in it; in letters that stand there."""
        texts = [text for _, _, text in seen.texts]
        rest = re.fullmatch(r"(.*?)(?: offset (\d+))?", " ".join(texts[1:]))
        self.check(seen.name == "notice" and texts[:1] == [title], f"{what}: the title", seen.lines)
        self.check(words in rest[1], f"{what}: '{words}'", texts)
        self.check(rest[2] is None if offset is None else rest[2] and int(rest[2]) in offset, f"{what}: an offset in {offset}", texts)
        self.check(seen.name and all(written(seen.grey, self.font, *text) for text in seen.texts), f"{what}: the letters")


class Seen:
    """What the firmware logged up to a picture, the name of the picture, its texts, and its pixels; no name: the firmware ended."""

    def __init__(self, lines, name, grey):
        self.lines, self.name, self.grey = lines, name, grey
        found = [re.match(r"label (\d+),(\d+) (.*)$", line) for line in lines]
        self.texts = [(int(m[1]), int(m[2]), m[3]) for m in found if m]


class Board:
    """A firmware that runs with a card. Ends with the `with` statement."""

    def __init__(self, firmware, image, folder):
        path = os.path.join(folder, "monitor")
        self.reads, self.prefix, self.counted = os.path.join(folder, "reads"), os.path.join(folder, ""), 0
        for name in ("view", "notice"):
            if os.path.exists(self.prefix + name + ".seen"):
                os.remove(self.prefix + name + ".seen")
        names = subprocess.run(["arm-none-eabi-nm", firmware], check=True, capture_output=True, text=True).stdout
        self.down = re.search(r"^([0-9a-f]+) \w buttons_down$", names, re.M)[1]
        self.qemu = subprocess.Popen(
            ["timeout", "300", "qemu-system-arm", "-M", "lm3s6965evb", "-display", "none", "-monitor", "none", "-serial", "none",
             "-drive", f"if=sd,format=raw,file={image},snapshot=on", "-trace", "sdcard_read_block", "-D", self.reads,
             "-qmp", f"unix:{path},server=on,wait=off", "-semihosting-config",
             f"enable=on,target=native,arg=fw,arg=screen={self.prefix}", "-kernel", firmware],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.monitor = Monitor(path, 20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.qemu.terminate()  # timeout passes it to QEMU
        self.qemu.wait()

    def see(self):
        lines = []
        for line in self.qemu.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("screen "):
                name = line.split()[1]
                self.monitor.command("screendump", filename=self.prefix + "view.ppm")
                with open(self.prefix + name + ".seen", "w", encoding="ascii"):
                    pass
                return Seen(lines, name, reduce(*read_ppm(self.prefix + "view.ppm")))
        return Seen(lines, None, None)

    def hold(self, button, down):
        event = {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": KEYS[button]}}}
        self.monitor.command("input-send-event", events=[event])

    def release(self, *buttons):
        """Returns when the firmware has seen that all buttons are up: it keeps that in a variable."""
        for button in buttons:
            self.hold(button, False)
        while True:
            answer = self.monitor.command("human-monitor-command", **{"command-line": f"xp/1wx 0x{self.down}"})
            if int(answer.split(":")[1], 16) == 0:
                return
            time.sleep(0.01)

    def first(self):
        """The first picture. QEMU's pins are low, as if all buttons were down, until each has been pressed and released."""
        seen = self.see()
        for button in KEYS:
            self.hold(button, True)
        self.release(*KEYS)
        return seen

    def press(self, button):
        self.hold(button, True)
        seen = self.see()
        self.release(button)
        return seen

    def pull_card(self):
        self.monitor.command("eject", device="sd0", force=True)

    def insert_card(self, image):
        self.monitor.command("blockdev-change-medium", device="sd0", filename=image, format="raw")

    def sectors(self):
        """Sectors that were read since the last call."""
        with open(self.reads, encoding="ascii") as f:
            count = f.read().count("sdcard_read_block")
        new, self.counted = count - self.counted, count
        return new


def hundredths(exact):
    """A fraction with two decimals, halves away from zero."""
    quotient = decimal.Decimal(exact.numerator) / decimal.Decimal(exact.denominator)
    return str(quotient.quantize(decimal.Decimal("0.01"), decimal.ROUND_HALF_UP))


def memory(seen):
    """Bytes of flash, static RAM and stack, as the firmware prints them."""
    line = [line for line in seen.lines if line.startswith("bytes: ")][0]
    numbers = re.search(r"flash (\d+), static RAM (\d+), .* stack (\d+) of", line).groups()
    return dict(zip(("flash", "static RAM", "stack"), map(int, numbers)))


def card(maker, image, path):
    subprocess.run([maker, "fat32", image, path], check=True)
    return image
