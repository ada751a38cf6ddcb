"""All uses of Numba's private parts. `fast_path` checks whether the installed version has them.

Functions that only compiled code calls are compiled link-only: to the intermediate code that their callers link in.

Numba makes every function executable, even if only other compiled functions call it: it wraps the function for Python
and C, optimises it with all its callees, and generates machine code that never runs, because callers link in a copy.
That is about half of the compile time. Here a function has two dispatchers: an outer one for calls from Python, which
works as Numba's own, and an inner one for calls from compiled functions.
"""

import importlib
import importlib.util
from functools import cache
from typing import Any

from llvmlite import binding
from numba.core import compiler, sigutils
from numba.core.caching import _Cache as NumbaCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.environment import lookup_environment
from numba.core.event import Listener
from numba.core.event import register as listen
from numba.core.event import unregister as stop_listening
from numba.core.extending import _Intrinsic as Intrinsic
from numba.core.serialize import dumps
from numba.core.typed_passes import NativeLowering
from numba.core.typeinfer import register_dispatcher
from numba.core.typing.templates import builtin_registry

__all__ = [
    "Dispatcher",
    "Intrinsic",
    "Listener",
    "NumbaCache",
    "builtin_registry",
    "dumps",
    "listen",
    "sigutils",
    "stop_listening",
]

result: Any = compiler.CompileResult  # its fields exist only at run time
ENVIRONMENT = "_ZN08NumbaEnv"  # prefix of environments, which hold the Python objects that a function needs


class InnerLibrary(JITCodeLibrary):
    """A library to link into callers: inlined and simplified, without machine code."""

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=self._codegen._opt_level, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        return self.name, self._get_module_for_linking().as_bitcode()


def never_called() -> Any:
    """A unique built-in function, as a placeholder where Numba stores what Python would call."""
    return object().__reduce_ex__


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        flags, context = state.flags, state.targetctx
        state.library = InnerLibrary(context.codegen(), state.func_id.func_qualname)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().run_pass(state)
        state.library._ensure_finalized()
        state.reload_init.extend(getattr(state.library, "_reload_init", ()))  # exists since 0.63
        state.cr = state.cr._replace(cfunc=never_called())
        context.insert_user_function(state.cr.cfunc, state.cr.fndesc, [state.library])
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class OuterLowering(NativeLowering):
    """Pass the linked functions their environments, as Numba does when it makes them executable."""

    _name = "outer_lowering"

    def run_pass(self, state: Any) -> bool:
        super().run_pass(state)
        for variable in state.library._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    state.targetctx.codegen().set_env(variable.name, environment)
        return True


class LoweringCompiler(compiler.CompilerBase):
    """Numba's own compiler with a different lowering pass."""

    lowering: type

    def define_pipelines(self) -> list[Any]:
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(self.lowering if each is NativeLowering else each, text) for each, text in passes.passes]
        passes.finalize()
        return [passes]


class InnerCompiler(LoweringCompiler):
    lowering = InnerLowering


class OuterCompiler(LoweringCompiler):
    lowering = OuterLowering


def call_inner(outer: Any, inner: Any) -> None:
    """Redirect calls from compiled functions from the outer dispatcher to the inner one."""
    outer.inner = inner
    outer.get_call_template, outer.get_overload = inner.get_call_template, inner.get_overload
    outer._compiling_counter = inner._compiling_counter  # shared: a recursive function is compiling in both


def rebuilt(
    context: Any, library: tuple[str, bytes], description: Any, environment: Any, signature: Any, objectmode: bool,
    lifted: Any, annotation: str, reload_init: Any, environments: Any,
) -> Any:  # fmt: skip
    """Rebuild an inner function from its cached parts, as `CompileResult._rebuild` does for others."""
    for function in reload_init:
        function()
    name, bitcode = library
    made = InnerLibrary(context.codegen(), name)
    made._final_module = binding.parse_bitcode(bitcode)
    made._finalize_final_module()
    return result(
        typing_context=context.typing_context, target_context=context, entry_point=never_called(), typing_error=None,
        type_annotation=annotation, signature=signature, objectmode=objectmode, lifted=lifted, fndesc=description,
        library=made, call_helper=None, environment=environment, metadata=None, reload_init=reload_init,
        referenced_envs=environments,
    )  # fmt: skip


def rebuilt_outer(context: Any, *parts: Any) -> Any:
    """Rebuild an outer function from its cached parts."""
    return result._rebuild(context, *parts)


def parts_of(made: Any) -> Any:
    """The parts of a function to cache; None if another process could not use them."""
    return None if made.lifted or made.library.has_dynamic_globals else made._reduce()


def keep_in(kept: Any, dispatcher: Any) -> None:
    """Install a cache, as `njit(cache=True)` installs Numba's own."""
    dispatcher._cache = kept


def compile_for(dispatcher: Any, signature: Any) -> None:
    """Compile for this signature only."""
    with register_dispatcher(dispatcher):  # for recursive functions, whose name is not bound yet
        dispatcher.compile(signature)
    dispatcher.disable_compile()


def address_of(dispatcher: Any) -> int:
    """The address of a function compiled for one signature, to be called in Numba's own way."""
    [made] = dispatcher.overloads.values()
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def replacement_of(template: Any) -> Any:
    """The replacement that `overload` registered."""
    return getattr(template, "_overload_func", None)


def defined_by(intrinsic: Any) -> Any:
    """The code generator behind an intrinsic."""
    return intrinsic._defn


@cache
def import_scipy_when_needed() -> None:
    """Avoid importing scipy early; `kibitz match` starts 10 % sooner. Call it before Numba compiles or loads anything.

    Numba then imports `numba.np.arraymath`, which imports scipy only to check for a BLAS. Here the check is answered
    without the import. Compiled code that multiplies matrices still imports scipy when it is compiled.
    """
    if importlib.util.find_spec("scipy") is None:
        return
    linalg: Any = importlib.import_module("numba.np.linalg")
    ensure_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ensure_blas
