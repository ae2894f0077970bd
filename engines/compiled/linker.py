"""Compiles each function once, to a piece of LLVM code, and links the pieces that a kernel needs into one program.

numba by itself makes a program of its own of every function: optimised, with two wrappers for calls from Python and C,
turned into machine code, and copied into each of its callers, which are optimised again with all that was copied into them.
Hardly any of these programs is ever run. Here only what Python calls becomes a program, and only then anything is
optimised, once.

This module imports numba: it is imported by `engines.compiled.kernel.start` alone.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core import compiler, event, sigutils, types, typing
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.typed_passes import NativeLowering, NopythonTypeInference
from numba.core.typeinfer import TypeInferer
from numba.core.typing.templates import infer_global, make_intrinsic_template
from numba.extending import intrinsic, models, register_model

from engines.compiled.cache_files import CodeFiles

Name = tuple[str, str, int, bool]
"""What finds a function again in another process: its module, its name and line there, and whether it may take memory."""
OWN = "_ZN7engines"
"""What the names of the functions of this project begin with."""

_pieces: dict[Name, PieceDispatcher] = {}


class Piece(JITCodeLibrary):  # type: ignore[misc]  # mypy does not look into numba
    """The LLVM code of one function, as it was generated, and the pieces that it calls."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.callees: dict[Piece, tuple[Name, Any]] = {}
        """The pieces that are called; each with its name and the types of its arguments."""
        self.found_at: tuple[Name, Any] | None = None

    def add_linking_library(self, library: Any) -> None:
        """Remember a piece that is called; what numba has compiled itself is copied, without its run time, which every
        program has."""
        if isinstance(library, Piece):
            self.callees[library] = library.found_at  # type: ignore[assignment]
        elif library is not rtsys.library and library not in self._linking_libraries:
            library._ensure_finalized()
            self._linking_libraries.append(library)

    def add_llvm_module(self, module: Any) -> None:
        """Take code as it is."""
        self._final_module.link_in(module)

    def finalize(self) -> None:
        """Let programs have their own copies of everything, and drop what they do not need."""
        for library in self._linking_libraries:
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for group in (self._final_module.functions, self._final_module.global_variables):
            for value in group:
                if not value.is_declaration and value.linkage in (llvm.Linkage.external, llvm.Linkage.common):
                    value.linkage = "linkonce_odr"
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        return self._final_module

    def with_callees(self) -> list[Piece]:
        """This piece and all that it needs, each once, callers first."""
        found: dict[Piece, None] = {}

        def visit(piece: Piece) -> None:
            if piece not in found:
                for callee in piece.callees:
                    visit(callee)
                found[piece] = None

        visit(self)
        return list(found)[::-1]

    def packed(self) -> Any:
        """What is kept of it on disk."""
        return self.name, self._get_module_for_linking().as_bitcode(), list(self.callees.values())

    @classmethod
    def unpacked(cls, codegen: Any, state: Any) -> Piece:
        """A piece that was kept on disk, and its callees with it."""
        name, bitcode, callees = state
        piece = cls(codegen, name)
        piece._final_module = llvm.parse_bitcode(bitcode)
        piece._finalized = True
        for where, args in callees:
            dispatcher = _found(where)
            dispatcher.compile(args)
            piece.callees[dispatcher.overloads[args].library] = (where, args)
        return piece


class KernelProgram(JITCodeLibrary):  # type: ignore[misc]
    """Machine code of a kernel with all that it calls."""

    def link(self, main: Piece) -> None:
        """Put everything that is needed together, as functions that nobody else calls: that makes them faster."""
        for piece in main.with_callees():
            self._final_module.link_in(piece._get_module_for_linking(), preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "internal"
        for function in self._final_module.functions:
            if function.is_declaration and function.name.startswith(OWN):  # a call of it would end the process
                raise RuntimeError(f"{self.name} calls {function.name}, which is not compiled")
        self.add_linking_library(rtsys.library)

    def packed(self) -> Any:
        """What is kept of it on disk: the machine code, and the names that it defines."""
        self._ensure_finalized()
        return self.name, self._get_compiled_object(), [function.name for function in self.get_defined_functions()]

    @classmethod
    def unpacked(cls, codegen: Any, state: Any) -> KernelProgram:
        """A program that was kept on disk."""
        name, code, names = state
        program = cls(codegen, name)
        program.enable_object_caching()
        program._set_compiled_object(code)
        program._finalize_final_module()
        codegen._engine._defined_symbols.update(names)
        return program


@register_pass(mutates_CFG=True, analysis_only=False)
class _Inference(NopythonTypeInference):  # type: ignore[misc]
    """Type inference that asks once what a recursive call returns, not again for every call."""

    _name = "plybench_type_inference"

    def run_pass(self, state: Any) -> bool:
        changed = super().run_pass(state)
        assumed = _assumed.pop(state.func_id, None)
        if assumed is not None and assumed != state.return_type:
            raise TypingError(f"{state.func_id.func_name} returns {state.return_type}, but calls itself for {assumed}")
        return bool(changed)


_assumed: dict[Any, Any] = {}
"""What a function that is being compiled and calls itself returns."""
_ask = TypeInferer.return_types_from_partial


def _return_type(inferer: Any) -> Any:
    """What the function returns as far as is known by now. numba asks this of all its code anew for each recursive call."""
    found = _assumed.get(inferer.func_id)
    if found is None:
        found = _ask(inferer)
        if found is not None:
            _assumed[inferer.func_id] = found
    return found


TypeInferer.return_types_from_partial = _return_type


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):  # type: ignore[misc]
    """Lowering to a piece instead of a program."""

    _name = "plybench_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = piece = Piece(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        state.targetctx.insert_user_function(piece, state.cr.fndesc, [piece])
        state.cr = state.cr._replace(cfunc=piece)
        return True


class _Compiler(compiler.Compiler):  # type: ignore[misc]
    """numba's compiler with the two passes above."""

    def _compile_bytecode(self) -> Any:
        """Give the function a name that it has in every process. numba counts: then the piece of a caller that one process
        has kept would look for a piece that another process has replaced by one of another name."""
        about, flags = self.state.func_id, self.state.flags
        about.unique_id = f"{about.func.__code__.co_firstlineno}{'m' if flags.nrt else ''}"
        about.unique_name = f"{about.func_qualname}${about.unique_id}"
        return super()._compile_bytecode()

    def define_pipelines(self) -> Any:
        (manager,) = super().define_pipelines()
        own = {NopythonTypeInference: _Inference, NativeLowering: _Lowering}
        manager.passes = [(own.get(kind, kind), what) for kind, what in manager.passes]
        manager._finalized = False
        manager.finalize()
        return [manager]


class PieceDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function that kernels call, compiled for each combination of argument types."""

    def __init__(self, function: Callable[..., Any], cache: Any, memory: bool, **flags: bool) -> None:
        options = {"nopython": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions={**options, "_nrt": memory, **flags}, pipeline_class=_Compiler)
        self.place: Name = (function.__module__, function.__qualname__, function.__code__.co_firstlineno, memory)
        self._cache = cache
        _pieces[self.place] = self

    @property
    def _numba_type_(self) -> PieceType:
        return PieceType(self)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The one signature of a call: that a constant is passed makes no other code."""
        pysig, args = self._compiler.fold_argument_types(args, kws)
        args = tuple(types.unliteral(kind) for kind in args)  # type: ignore[attr-defined]
        self.compile(args)
        found = self.overloads[args].signature
        return typing.make_concrete_template(self.__name__, key=self.__name__, signatures=[found]), pysig, args, {}

    def add_overload(self, result: Any) -> None:
        """Keep what was compiled. It cannot be called from Python."""
        self.overloads[tuple(result.signature.args)] = result

    def compile(self, sig: Any) -> Any:
        """Compile the function for these types, or load what was compiled."""
        with global_compiler_lock, self._compiling_counter:
            args, return_type = sigutils.normalize_signature(sig)
            if (known := self.overloads.get(args)) is not None:
                return known.entry_point
            result = self._cache.load_overload(sig, self.targetctx)
            if result is not None:
                self._cache_hits[sig] += 1
                self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
            else:
                self._cache_misses[sig] += 1
                about = {"dispatcher": self, "args": args, "return_type": return_type}
                with event.trigger_event("numba:compile", data=about):
                    result = self._compiler.compile(args, return_type)
            result.library.found_at = (self.place, args)
            self.add_overload(result)
            if not self._cache_hits[sig]:
                self._cache.save_overload(sig, result)
            return result.entry_point


class ProgramDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A kernel that Python calls."""

    def __init__(self, pieces: PieceDispatcher, cache: Any, memory: bool) -> None:
        super().__init__(pieces.py_func, targetoptions={"nopython": True, "nogil": True, "_nrt": memory})
        self._cache = cache
        self._pieces = pieces

    def compile(self, sig: Any) -> Any:
        """Link the pieces of the kernel for these types, or load the program."""
        with global_compiler_lock:
            args, _ = sigutils.normalize_signature(sig)
            if (known := self.overloads.get(args)) is not None:
                return known.entry_point
            result = self._cache.load_overload(sig, self.targetctx)
            if result is not None:
                self._cache_hits[sig] += 1
                self.add_overload(result)
                return result.entry_point
            self._cache_misses[sig] += 1
            self._pieces.compile(args)
            result = self._linked(self._pieces.overloads[args])
            self.add_overload(result)
            self._cache.save_overload(sig, result)
            return result.entry_point

    def _linked(self, piece: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        context = compiler._make_subtarget(self.targetctx, flags)
        program = KernelProgram(context.codegen(), piece.fndesc.qualname)
        program.enable_object_caching()
        context.create_cpython_wrapper(program, piece.fndesc, piece.environment, None, release_gil=True)
        program.link(piece.library)
        entry = context.get_executable(program, piece.fndesc, piece.environment)
        return piece._replace(library=program, entry_point=entry, target_context=context)


class _Packing(CompileResultCacheImpl):  # type: ignore[misc]
    """How pieces and programs are kept on disk."""

    kind: type = Piece

    def reduce(self, result: Any) -> Any:
        """What is written."""
        description = result.fndesc
        description.typemap = description.calltypes = None
        return result.library.packed(), description, result.environment, result.signature

    def rebuild(self, context: Any, kept: Any) -> Any:
        """What was written, ready to be used."""
        packed, description, environment, signature = kept
        library: Any = self.kind.unpacked(context.codegen(), packed)  # type: ignore[attr-defined]
        entry = library if self.kind is Piece else context.get_executable(library, description, environment)
        return compiler.compile_result(
            typing_context=context.typing_context,
            target_context=context,
            entry_point=entry,
            library=library,
            environment=environment,
            signature=signature,
            fndesc=description,
            objectmode=False,
            lifted=(),
        )


class _ProgramPacking(_Packing):
    kind = KernelProgram


class CodeCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of a function, one writer at a time.

    Without the lock two processes that compile the same function for two games pick the same file name for both, and a third
    process then runs one game's code for the other.
    """

    _impl_class = _Packing

    def __init__(self, function: Callable[..., Any], kind: str, lock: Callable[[], Any]) -> None:
        super().__init__(function)
        self._lock = lock
        name, stamp = f"{self._impl.filename_base}.{kind}", self._impl.locator.get_source_stamp()
        self._cache_file = CodeFiles(Path(self.cache_path), name, stamp, dumps)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write it down, if that is possible: a full disk costs the next process time, not us the search."""
        with contextlib.suppress(OSError), self._lock():
            super().save_overload(sig, data)


class ProgramCache(CodeCache):
    """The same for programs."""

    _impl_class = _ProgramPacking


def pieces(function: Callable[..., Any], memory: bool, lock: Callable[[], Any], **flags: bool) -> PieceDispatcher:
    """The dispatcher of a function that kernels call."""
    return PieceDispatcher(function, CodeCache(function, "piece", lock), memory, **flags)


def programs(called: PieceDispatcher, memory: bool, lock: Callable[[], Any]) -> ProgramDispatcher:
    """The dispatcher of a kernel that Python calls."""
    return ProgramDispatcher(called, ProgramCache(called.py_func, "program", lock), memory)


def _found(place: Name) -> PieceDispatcher:
    """The dispatcher of a function, by its name."""
    from engines.compiled.kernel import known_kernel

    if place not in _pieces:
        module, name, line, memory = place
        importlib.import_module(module)
        known_kernel(module, name, line).pieces(memory)
    return _pieces[place]


class PieceType(types.Dispatcher):
    """The type of a function that kernels call."""


class GenericType(types.Callable, types.Opaque):
    """The type of a generic function: a call is a call of the implementation for the type of its first argument."""

    def __init__(self, function: Any) -> None:
        super().__init__(f"generic({function.__name__} {id(function)})")
        self.implementation: Callable[[type], Any] = function.implementation

    def _of(self, args: Any) -> Any:
        return self.implementation(args[0].instance_class)._numba_type_

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        return self._of(args).get_call_type(context, args, kws)

    def get_impl_key(self, sig: Any) -> Any:
        """What finds the code that is called."""
        return self._of(sig.args).get_impl_key(sig)

    def get_call_signatures(self) -> Any:
        """None is known beforehand."""
        return [], True


def _of_record(record: types.Record) -> tuple[str, tuple[int]]:
    """What names of functions say of an argument that is a record: a number made of its fields. numba takes one that it has
    counted in this process, so that the pieces of two processes would not find each other."""
    return "Record", (int.from_bytes(blake2b(record.name.encode(), digest_size=7).digest()),)


types.Record.mangling_args = property(_of_record)  # type: ignore[assignment, method-assign]


register_model(PieceType)(models.OpaqueModel)
register_model(GenericType)(models.OpaqueModel)


@lower_constant(PieceType)
@lower_constant(GenericType)
def _nothing(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """In compiled code a function is no value. (numba would write its address in this process into the code.)"""
    return context.get_dummy_value()


def instruction(function: Callable[..., Any], signature: Any, emit: Callable[[Any, Any], Any]) -> None:
    """Let a call of a Python function be one instruction in compiled code, or a few: `emit` takes numba's builder and the
    arguments, which have the types of the signature."""

    def define(*kinds: Any) -> Any:
        def generate(context: Any, builder: Any, found: Any, args: Any) -> Any:
            value = emit(builder, args)
            return context.get_dummy_value() if signature.return_type == types.void else value

        return signature, generate

    names = ", ".join(inspect.signature(function).parameters)
    scope = {"define": define}
    exec(f"def {function.__name__}(typing_context, {names}): return define({names})", scope)
    done = intrinsic(scope[function.__name__])
    template = make_intrinsic_template(done, done._defn, function.__name__)
    infer_global(function, types.Function(template))
