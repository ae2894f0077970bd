"""Functions with one implementation for each type of their first argument, in Python and in numba alike.

    @generic
    def play(game: Rules, state: State, move: int) -> State:
        "The position after `move`."

    @play.register(ConnectFour)
    def drop(game, state, move): ...

Every game has a NamedTuple class of its own, so that numba compiles a search once for each game with the game's functions
inlined, as C++ would a template. Called from Python, the same name runs the implementation as plain Python.

The docstring of the generic function asks a question or gives a task. The docstring of an implementation answers it for its
game, often without repeating it: read both together.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from engines.compiled.kernel import Helper

F = TypeVar("F", bound=Callable[..., Any])


class Generic:
    """A function that picks its implementation by the type of its first argument."""

    def __init__(self, stub: Callable[..., Any]) -> None:
        self.__name__ = stub.__name__
        self.__doc__ = stub.__doc__
        self.__module__ = stub.__module__
        self.parameters = tuple(inspect.signature(stub).parameters)
        self.implementations: dict[type, Helper[..., Any]] = {}
        self.fallback: Helper[..., Any] | None = None

    def __call__(self, *args: Any) -> Any:
        return self.implementation(type(args[0]))(*args)

    def implementation(self, kind: type) -> Helper[..., Any]:
        """The implementation for a type, or a TypeError that names what is missing."""
        found = self.implementations.get(kind, self.fallback)
        if found is None:
            raise TypeError(f"{self.__name__} is not defined for {kind.__name__}")
        return found

    def default(self, function: F) -> F:
        """Make the decorated function the implementation for every type that registers none of its own."""
        self.fallback = function if isinstance(function, Helper) else Helper(function)
        return function

    def register(self, kind: type) -> Callable[[F], F]:
        """Make the decorated function the implementation for `kind`, which must be a NamedTuple class."""

        def decorate(function: F) -> F:
            given = tuple(inspect.signature(function).parameters)
            if len(given) != len(self.parameters):
                raise TypeError(f"{function} takes {given}, but {self.__name__} takes {self.parameters}")
            self.implementations[kind] = function if isinstance(function, Helper) else Helper(function)
            return function

        return decorate

    @property
    def _numba_type_(self) -> Any:  # numba asks for this when a kernel calls this function
        from engines.compiled.linker import GenericType

        return GenericType(self)


def generic(stub: Callable[..., Any]) -> Generic:
    """Declare a generic function; the stub gives its name, arguments and meaning."""
    return Generic(stub)
