"""The decorators for compiled functions, and where their compiled code is kept.

`@kernel` marks a plain top-level function that numba compiles, with the GIL released and a copy kept on disk; `@helper`
one that is compiled only as a part of kernels. numba itself is imported when the first kernel is really called, so that
importing a game or an algorithm costs nothing and a screen can be drawn first. With `NUMBA_DISABLE_JIT=1` every kernel is
the plain Python function it was written as.

numba does not notice that a function *called* from a cached one has changed. So the cache directory is named by a hash of
every source file in `engines/`: after any edit the next process starts a fresh directory, and old ones are removed.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar, cast

import numpy as np

from engines.compiled.cache_files import PRIVATE, is_private, make_private
from engines.contract import InputError, shown

if sys.platform != "win32":
    import fcntl

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T", bound=type)

int64 = cast(Callable[[int], int], np.int64)
"""A machine integer. A kernel that returns a bare constant would be compiled a second time for that constant's own type."""

SOURCES = Path(__file__).parents[1]
KEPT_CACHES = 4
"""The number of cache directories that stay (checkouts and branches take turns); older ones are removed."""
UNUSED_AFTER = 3600.0
"""Seconds after which nobody is taken to be using an old cache directory any more."""

_starting = threading.RLock()
_when_started: list[Callable[[], None]] = []
_started = False


@functools.cache
def jit_enabled() -> bool:
    """False if the environment asks for plain Python: every kernel then runs as it is written."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


class _Asking(threading.local):
    """Whether this thread runs or compiles code that allocates memory. Hardly any does: then numba need not count references
    to arrays, which took half of the time of some kernels. Only the states of some games hold arrays, which `play` makes
    anew: see `states_hold_arrays`.
    """

    memory = False


_asking = _Asking()
_with_arrays: set[type] = set()


def states_hold_arrays(rules: T) -> T:
    """Mark the class of a game's rules: its states hold arrays, and kernels for it may take memory."""
    _with_arrays.add(rules)
    return rules


def holds_arrays(rules: object) -> bool:
    """Whether the states of this game hold arrays."""
    return type(rules) in _with_arrays


def takes_memory() -> bool:
    """Whether code that is compiled now, in this thread, may allocate memory."""
    return _asking.memory


@contextlib.contextmanager
def _memory() -> Iterator[None]:
    """A context in which code that is run or compiled may allocate memory."""
    before, _asking.memory = _asking.memory, True
    try:
        yield
    finally:
        _asking.memory = before


_kernels: dict[tuple[str, str, int], Kernel[..., Any]] = {}


def known_kernel(module: str, name: str, line: int) -> Kernel[..., Any]:
    """The kernel that was written there, once its module has been imported."""
    return _kernels[module, name, line]


class Kernel(Generic[P, R]):
    """A function compiled by numba on its first call, for each combination of argument types anew."""

    flags: ClassVar[dict[str, bool]] = {"forceinline": False}
    """Said either way: numba lets a function inherit what is not said from the one that it is compiled for."""

    def __init__(self, function: Callable[P, R]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._pieces: dict[bool, Any] = {}
        self._programs: dict[bool, Any] = {}
        _kernels[function.__module__, function.__qualname__, function.__code__.co_firstlineno] = self

    def pieces(self, memory: bool) -> Any:
        """The numba function that other kernels call: the variant that may take memory, or the one that must not."""
        if memory not in self._pieces:
            start()
            from engines.compiled import linker

            with _starting:  # two threads with a dispatcher each would compile the same kernel into each other
                if memory not in self._pieces:
                    self._pieces[memory] = linker.pieces(self.py_func, memory, _one_writer, **self.flags)
        return self._pieces[memory]

    @property
    def dispatcher(self) -> Any:
        """The numba function that Python calls."""
        memory = takes_memory()
        if memory not in self._programs:
            called = self.pieces(memory)
            from engines.compiled import linker

            with _starting:
                if memory not in self._programs:
                    self._programs[memory] = linker.programs(called, memory, _one_writer)
        return self._programs[memory]

    @property
    def dispatchers(self) -> list[Any]:
        """The functions that Python has called so far."""
        return list(self._programs.values())

    @property
    def _numba_type_(self) -> Any:  # numba asks for this when another kernel calls this one
        return self.pieces(takes_memory())._numba_type_

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if not jit_enabled():
            return self.py_func(*args, **kwargs)
        if any(type(argument) in _with_arrays for argument in args):
            with _memory():
                return cast(R, self.dispatcher(*args, **kwargs))
        return cast(R, self.dispatcher(*args, **kwargs))


class Helper(Kernel[P, R]):
    """A function that kernels call: compiled into them, and plain Python where Python calls it."""

    flags: ClassVar[dict[str, bool]] = {"forceinline": True}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.py_func(*args, **kwargs)


class Routine(Helper[P, R]):
    """A helper too large to be copied into every kernel: compiled as a function of its own, which kernels call."""

    flags: ClassVar[dict[str, bool]] = {"forceinline": False}


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a top-level function as compiled. It may call itself, helpers and generic functions, nothing else."""
    return Kernel(function)


def helper(function: Callable[P, R]) -> Helper[P, R]:
    """Mark a small function as compiled into the kernels that call it. Python itself calls it uncompiled."""
    return Helper(function)


def routine(function: Callable[P, R]) -> Routine[P, R]:
    """Mark a large function that kernels call, not copied into them. Python itself calls it uncompiled."""
    return Routine(function)


def when_started(hook: Callable[[], None]) -> None:
    """Run `hook` once numba is imported: at once if it is already."""
    with _starting:
        if _started:
            hook()
        else:
            _when_started.append(hook)


def start() -> None:
    """Import numba with the cache directory in place, and make the generic functions known to it."""
    global _started
    with _starting:
        if _started:
            return
        directory = cache_directory()
        make_private(directory)
        os.utime(directory)
        _remove_old_caches(directory)
        os.environ["NUMBA_CACHE_DIR"] = str(directory)
        import numba

        numba.config.CACHE_DIR = str(directory)  # in case somebody imported numba before us
        _started = True
        for hook in _when_started:
            hook()


@functools.cache
def cache_root() -> Path:
    """Where all cache directories are: `$PLYBENCH_CACHE`, or below the user's cache directory. If that cannot be written, or
    belongs to somebody else, a new temporary one for this process alone: compiled code from a place that others may write
    to is never run."""
    if given := os.environ.get("PLYBENCH_CACHE"):
        root = Path(given).expanduser().absolute()
        if not _is_writable(root):
            raise InputError(f"The directory of PLYBENCH_CACHE, {shown(given)}, cannot be written.")
        if not is_private(root):
            raise InputError(
                f"The directory of PLYBENCH_CACHE, {shown(given)}, holds code that is run, but others can write to it, or "
                "it is somebody else's: chmod go-w makes your own safe."
            )
        return root
    root = _user_cache() / "plybench" / "kernels"
    if _is_writable(root):
        with contextlib.suppress(OSError):  # it is somebody else's
            root.chmod(PRIVATE)
        if is_private(root):
            return root
    root = Path(tempfile.mkdtemp(prefix="plybench-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return root


def _is_writable(directory: Path) -> bool:
    with contextlib.suppress(OSError):  # whatever is wrong with it: it is of no use to us
        directory.parent.mkdir(parents=True, exist_ok=True)
        directory.mkdir(mode=PRIVATE, exist_ok=True)
        return os.access(directory, os.W_OK | os.X_OK)
    return False


def _user_cache() -> Path:
    """The user's cache directory, by the customs of the system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def cache_directory() -> Path:
    """The cache directory of exactly these sources, this numba and this machine."""
    return cache_root() / source_hash()


@functools.cache
def source_hash() -> str:
    """A name that changes when a file of `engines/`, its place (numba goes by it), numba, Python or the processor does."""
    digest = hashlib.sha256()
    machine = (metadata.version("numba"), metadata.version("llvmlite"), sys.version, platform.machine(), _processor())
    digest.update("\n".join([str(SOURCES.resolve()), *machine]).encode())
    for path in sorted(SOURCES.rglob("*.py")):
        digest.update(path.relative_to(SOURCES).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def note_compiled(name: str) -> None:
    """Write down that the code called `name` is in the cache, for those who ask `is_compiled`."""
    if jit_enabled() and _started:
        with contextlib.suppress(OSError):  # a full disk: then it is not in the cache
            (cache_directory() / f"{name}.compiled").touch()


def is_compiled(name: str) -> bool:
    """The code called `name` has been compiled before: it starts in a moment."""
    return not jit_enabled() or (cache_directory() / f"{name}.compiled").exists()


def _processor() -> str:
    """The processor's model, where the system tells: code compiled for one may not run on another."""
    with contextlib.suppress(OSError):  # no such file outside Linux: platform.processor() must do
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line
    return platform.processor()


def _remove_old_caches(current: Path) -> None:
    """Delete all but the most recently used cache directories; never one that was used within the hour."""
    used: list[tuple[float, Path]] = []
    for path in current.parent.iterdir():
        with contextlib.suppress(OSError):  # another process is removing it at this moment
            if path.is_dir() and path != current:
                used.append((path.stat().st_mtime, path))
    for last_use, path in sorted(used, reverse=True)[KEPT_CACHES - 1 :]:
        if time.time() - last_use > UNUSED_AFTER:
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _one_writer() -> Iterator[None]:
    """Hold the cache directory's lock. Where files cannot be locked (Windows), go on without."""
    with (cache_directory() / "lock").open("w") as lock:
        if sys.platform != "win32":
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
