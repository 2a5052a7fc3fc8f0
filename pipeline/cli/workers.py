"""Evaluates spec files in one process or several; the outcomes come in the files' order either way."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from pipeline.capture.outcome import Outcome, Record

T = TypeVar("T")
_MANY = 8  # specs; below, starting processes costs more than it saves


def job_count(asked: int | None, files: int) -> int:
    """How many processes to use for `files` specs: as asked, else one for few specs and one a core for many."""
    if asked is not None:
        return min(asked, max(1, files))
    if files <= _MANY:
        return 1
    affinity = getattr(os, "sched_getaffinity", None)  # the cores we may use, which can be fewer than there are
    return min(len(affinity(0)) if affinity is not None else os.cpu_count() or 1, files)


def evaluate_all(files: Sequence[str], targets: tuple[str, ...], jobs: int) -> Iterator[Outcome]:
    """The outcome of each file, in order. A worker process that dies is a bug record of its file; the others go on."""
    if jobs <= 1:
        from pipeline.capture.evaluate import evaluate

        for file in files:
            yield evaluate(file, targets)
        return
    remaining = list(files)
    while remaining:
        for outcome in _in_processes(remaining, targets, jobs):
            remaining.pop(0)
            yield outcome
        if remaining:  # a process died and took all that was under way with it: find out whose fault it was
            alone = list(_in_processes(remaining[:1], targets, 1))
            yield alone[0] if alone else _died(remaining[0])
            remaining.pop(0)


def _in_processes(files: Sequence[str], targets: tuple[str, ...], jobs: int) -> Iterator[Outcome]:
    """Outcomes in order, until a process dies."""
    from concurrent.futures.process import BrokenProcessPool

    from pipeline.capture.evaluate import evaluate

    with suppress(BrokenProcessPool):
        yield from in_processes(evaluate, [(file, targets) for file in files], jobs)


def in_processes(function: Callable[..., T], calls: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[T]:
    """What `function` returns for the arguments of each call, in order. New interpreters rather than forks: the same on
    every system. Errors: those of the function; BrokenProcessPool when a process dies."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_start_worker)
    done = False
    try:
        with _interrupts_held():
            futures = [pool.submit(function, *call) for call in calls]
        for position, future in enumerate(futures):
            result = future.result()
            if position == len(futures) - 1:  # before the last one leaves: nobody may ask for more
                pool.shutdown()
                done = True
            yield result
    finally:
        if not done:  # interrupted, or broken: what still runs is of no use
            for process in active_children():
                process.terminate()
            pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold back Ctrl-C while workers start: they inherit this, so that it is the parent's alone to handle."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    """One thread a process, since the processes fill the cores; and no life beyond that of the parent."""
    import threading

    threading.Thread(target=_leave_with_parent, daemon=True).start()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def _leave_with_parent() -> None:
    """End this process when the parent has ended. One that is killed tells nobody, and a worker would wait for work
    for ever: it holds both ends of the queue itself."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _died(file: str) -> Outcome:
    record = Record(None, None, "spec", None, "bug", bug="the worker process died: killed, or out of memory")
    return Outcome(file, [record], loaded=False)
