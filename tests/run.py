#!/usr/bin/python3
"""Runs stages of tests side by side: quiet when right, loud when wrong.

    tests/run.py [-j N] stage ...

A stage is a target of the Makefile, or MODE/target. Its output goes to build/log/<stage>.log; a
line here tells when a stage begins and how it ends; what failed is shown at the end. All stages run,
but those of a mode that could not be built: MODE/target waits for MODE/built, where that is a stage.

Of the stages that may run, the first in the list begins. The last line counts tests where a log tells
how many there were, otherwise stages: «N passed, N failed».
"""

import argparse
import ctypes
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

LOGS = Path("build/log")
PATIENCE = 2400  # seconds of one stage
TAIL = 60  # lines of a log that are shown

CHECK = re.compile(r"\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)")
PYTEST = re.compile(r"(\d+ \w+, )*\d+ \w+ in [\d.]+s")
NODE = re.compile(r"[#ℹ] (pass|fail) (\d+)$")


def count(line):
    """Tests that passed and that failed, where it is the line in which a runner tells how many."""
    if found := CHECK.match(line):
        checks, failures, errors = map(int, found.groups())
        return checks - failures - errors, failures + errors
    if PYTEST.match(line):
        words = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|error)", line)}
        return words.get("passed", 0), words.get("failed", 0) + words.get("error", 0)
    if found := NODE.match(line):
        n = int(found[2])
        return (n, 0) if found[1] == "pass" else (0, n)
    return 0, 0


class Stage:
    def __init__(self, name):
        self.name = name
        self.mode, _, self.target = name.rpartition("/")
        self.log = LOGS / (name.replace("/", "-") + ".log")
        self.code = None
        self.work = 0  # seconds of processors

    def begin(self):
        self.start = time.monotonic()
        command = os.environ.get("MAKE", "make").split() + ["--no-print-directory", self.target]
        command += [f"MODE={self.mode}"] if self.mode else []
        with self.log.open("wb") as log:
            # In a group of its own, so that a stage that hangs ends with all that it began.
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            close_fds=False, start_new_session=True)

    def ended(self):
        pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if pid:
            self.code = self.process.returncode = os.waitstatus_to_exitcode(status)
            self.work = usage.ru_utime + usage.ru_stime
        if self.code is None and time.monotonic() - self.start > PATIENCE:
            self.end("it took too long")
        return self.code is not None

    def end(self, why):
        """What it left running, too, ends here."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.skip(why)

    def skip(self, why):
        with self.log.open("a") as log:
            log.write(f"{why}\n")
        self.code = 1

    def count(self):
        counts = [count(line) for line in self.read()]
        passed, failed = sum(n for n, _ in counts), sum(n for _, n in counts)
        if self.code and not failed:
            failed = 1
        return (passed, failed) if passed + failed else (1, 0)

    def read(self):
        return self.log.read_text(errors="replace").splitlines()


def say(*words):
    print(*words, flush=True)


def tell(stage):
    passed, failed = stage.count()
    how = f"FAILED ({failed})" if stage.code else f"ok ({passed})" if passed > 1 else "ok"
    seconds = time.monotonic() - stage.start
    say(f"  {stage.name:26} {how:14} {seconds:5.0f} s, {stage.work:5.0f} s of work")


def adopt_orphans():
    """Processes whose parent has ended, as a browser's, become children of this one: their work counts."""
    subreaper = 36  # PR_SET_CHILD_SUBREAPER
    ctypes.CDLL(None).prctl(subreaper, 1, 0, 0, 0)


def work_of_all():
    """Seconds of processors, of all that has ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def next_of(waiting, stages):
    """The first that need not wait, if any."""
    building = {s.mode for s in stages if s.target == "built" and s.code is None}
    return next((s for s in waiting if s.target == "built" or s.mode not in building), None)


def run(stages, jobs):
    waiting, running = list(stages), []
    try:
        while waiting or running:
            while len(running) < jobs and (stage := next_of(waiting, stages)):
                waiting.remove(stage)
                broken = [s for s in stages if s.target == "built" and s.mode == stage.mode and s.code]
                stage.start = time.monotonic()
                if broken:
                    stage.skip(f"{broken[0].name} failed")
                    tell(stage)
                    continue
                say(f"  {stage.name:26} ...")
                stage.begin()
                running.append(stage)
            for stage in [s for s in running if s.ended()]:
                running.remove(stage)
                tell(stage)
            time.sleep(0.05)
    finally:
        for stage in running:
            stage.end("interrupted")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-j", type=int, default=os.cpu_count(), dest="jobs")
    parser.add_argument("stages", nargs="+")
    options = parser.parse_args()
    LOGS.mkdir(parents=True, exist_ok=True)
    stages = [Stage(name) for name in options.stages]
    for stage in stages:
        stage.log.unlink(missing_ok=True)
    start = time.monotonic()
    adopt_orphans()
    run(stages, options.jobs)

    for stage in stages:
        if stage.code:
            lines = stage.read()
            say(f"\n---- {stage.name}: the end of {stage.log}, {len(lines)} lines ----")
            say("\n".join(lines[-TAIL:]))
    passed, failed = (sum(counts) for counts in zip(*(stage.count() for stage in stages)))
    broken = [stage.name for stage in stages if stage.code]
    say(f"\n{len(stages)} stages in {time.monotonic() - start:.0f} s, {work_of_all():.0f} s of work"
        + (f"; wrong: {', '.join(broken)}" if broken else ""))
    say(f"{passed} passed, {failed} failed")
    return bool(failed or broken)


if __name__ == "__main__":
    sys.exit(main())
