"""A digest of everything that the machine code of a function depends on, the same in every process.

It follows the function as the compiler does: its bytecode, the constants and structs it reads from its module, the
functions it calls, the replacements registered with Numba (`overload`), and, for generic functions, the implementations
that the argument types select. Docstrings, comments, line numbers and other code in the files do not count.
"""

import dis
import enum
import functools
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import __version__ as llvmlite_version

from kibitz.engine.fast_path import WHY_PLAIN

if not WHY_PLAIN:
    from kibitz.engine.numba_internals import (
        Dispatcher,
        Intrinsic,
        builtin_registry,
        defined_by,
        dumps,
        replacement_of,
    )

Function = Callable[..., Any]
Chooses = Callable[[str], Iterable[Function]]

# Functions of these packages are identified by the package version; their code is not followed.
KNOWN_BY_VERSION = frozenset(sys.stdlib_module_names | {"llvmlite", "numba", "numpy"})
VERSIONS = f"{sys.version} numba {numba.__version__} numpy {np.__version__} llvmlite {llvmlite_version}"

CHOSEN_BY_TYPES: dict[Any, Chooses] = {}


def choose_by_types(stub: Function, chooses: Chooses) -> None:
    """Register a function as a stub for others; `chooses` selects them by the text of the argument types."""
    CHOSEN_BY_TYPES[stub] = chooses


def digest(function: Function, argument_types: str) -> str:
    """The digest of everything that the function, compiled for these types, is made from."""
    if WHY_PLAIN:  # Numba's registry cannot be read, so all sources count
        from kibitz.engine.plain_numba import sources_digest

        return hexdigest([sources_digest(), identity(function), argument_types])
    known_types = ""
    while True:
        stamps, structs = reached(function, f"{argument_types} {known_types}")
        if structs == known_types:
            return hexdigest([VERSIONS, identity(function), argument_types, *stamps])
        known_types = structs


def reached(function: Function, known_types: str) -> tuple[list[str], str]:
    """The digests of the function and of all functions it reaches, and the types of the structs they create."""
    waiting: list[Any] = [function, *overloads().of_others]
    seen, stamps, structs = set(waiting), set(), set()
    while waiting:
        this = waiting.pop()
        if isinstance(this, np.dtype):
            structs.add(str(numba.from_dtype(this)))
            continue
        stamp, refers = direct(this)
        stamps.add(stamp)
        if this in CHOSEN_BY_TYPES:
            refers = (*refers, *(function_of(chosen) for chosen in CHOSEN_BY_TYPES[this](known_types)))
        waiting += [each for each in refers if each not in seen]
        seen.update(refers)
    return sorted(stamps), " ".join(sorted(structs))


def function_of(value: Any) -> Any:
    """The Python function behind a dispatcher or an intrinsic."""
    if WHY_PLAIN:
        return getattr(value, "py_func", value)
    return (
        value.py_func if isinstance(value, Dispatcher) else defined_by(value) if isinstance(value, Intrinsic) else value
    )


def hexdigest(parts: Iterable[str]) -> str:
    text = blake2b(digest_size=16)
    for part in parts:
        text.update(f"{len(part)}:{part}".encode(errors="surrogatepass"))
    return text.hexdigest()


@functools.cache
def direct(function: Function) -> tuple[str, tuple[Any, ...]]:
    """The digest of a function and the constants it reads, and the functions and struct types it refers to."""
    refers: list[Any] = []
    replacements = overloads().of_functions.get(function, [])
    if function in CHOSEN_BY_TYPES:  # a stub: the functions it selects are added for each signature
        return hexdigest(
            [identity(function), function.__name__, *(code.__code__.co_code.hex() for code in replacements)]
        ), ()
    texts = [identity(function), place(function), *code_texts(function.__code__, function.__doc__)]
    texts += value_texts((function.__defaults__, function.__kwdefaults__), refers)
    for name, value in names_read(function):
        texts += [name, *value_texts(value, refers)]
    texts += value_texts(replacements, refers)
    return hexdigest(texts), tuple(refers)


def identity(thing: Any) -> str:
    code = getattr(thing, "__code__", None)
    return f"{thing.__module__}.{code.co_qualname if code else thing.__qualname__}"


def place(function: Function) -> str:
    """The place of a function outside kibitz: machine code holds it, and exceptions of agents report it."""
    code = function.__code__
    return "" if function.__module__.startswith("kibitz.") else f"{code.co_filename}:{code.co_firstlineno}"


def known_by_version(thing: Any) -> bool:
    return str(getattr(thing, "__module__", None) or "builtins").partition(".")[0] in KNOWN_BY_VERSION


def code_texts(code: types.CodeType, docstring: str | None) -> Iterator[str]:
    """Bytecode and its constants, without the docstring, which is the first constant."""
    yield code.co_code.hex()
    yield repr((code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_exceptiontable))
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
    for place, constant in enumerate(code.co_consts):
        if isinstance(constant, types.CodeType):
            yield from code_texts(constant, None)
        elif isinstance(constant, frozenset):
            yield repr(sorted(map(repr, constant)))
        elif place > 0 or docstring is None or constant != docstring:
            yield repr(constant)


def names_in(code: types.CodeType) -> tuple[set[str], set[str]]:
    """The global names that a function looks up, and the attribute names it reads."""
    named = [(step.opname, step.argval) for step in dis.get_instructions(code) if step.opcode in dis.hasname]
    names = {name for operation, name in named if operation == "LOAD_GLOBAL"}
    attributes = {name for operation, name in named if operation != "LOAD_GLOBAL"}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            inner_names, inner_attributes = names_in(constant)
            names |= inner_names
            attributes |= inner_attributes
    return names, attributes


def names_read(function: Function) -> Iterator[tuple[str, Any]]:
    """The values that names in a function refer to: globals, members of modules, and closure variables."""
    names, attributes = map(sorted, names_in(function.__code__))
    for name in names:
        if name in function.__globals__:
            yield from with_members(name, function.__globals__[name], attributes)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield from with_members(name, cell.cell_contents, attributes)


def with_members(name: str, value: Any, attributes: list[str]) -> Iterator[tuple[str, Any]]:
    """A value; for a module, its members that match an attribute name which the function reads."""
    if not isinstance(value, types.ModuleType):
        yield name, value
    elif value.__name__.partition(".")[0] in KNOWN_BY_VERSION:
        yield name, value.__name__
    else:
        for member in attributes:
            inner = vars(value).get(member, value)
            if inner is not value:
                yield from with_members(f"{name}.{member}", inner, attributes)


def value_texts(value: Any, refers: list[Any]) -> Iterator[str]:
    """A value as text. Functions in it are only named, and added to `refers`."""
    if isinstance(value, Dispatcher):
        yield f"compiled with {sorted(value.targetoptions.items())}"
    value = function_of(value)
    if isinstance(value, types.FunctionType):
        yield identity(value)
        if not known_by_version(value):
            refers.append(value)
    elif isinstance(value, tuple | list):
        yield f"{identity(type(value))} of {len(value)}"
        for item in value:
            yield from value_texts(item, refers)
    elif isinstance(value, np.ndarray):
        yield from dtype_texts(value.dtype)
        yield f"{value.shape} {value.strides} {value.tobytes().hex()}"
    elif isinstance(value, np.dtype):
        yield from dtype_texts(value)
        if value.names:
            refers.append(value)
    elif isinstance(value, type):
        yield from class_texts(value, refers)
    elif value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic | numba.types.Type):
        yield f"{identity(type(value))} {value!r}"
    elif isinstance(value, types.BuiltinFunctionType | np.ufunc) or known_by_version(type(value)):
        yield repr(getattr(value, "__name__", None)) if callable(value) else dumps(value).hex()
    else:
        yield dumps(value).hex()


def dtype_texts(dtype: np.dtype[Any]) -> Iterator[str]:
    yield f"{dtype.str} {dtype.itemsize} {dtype.alignment} {dtype.shape}"
    if dtype.subdtype:
        yield from dtype_texts(dtype.subdtype[0])
    for name, field in (dtype.fields or {}).items():
        yield f"{name} at {field[1]}"
        yield from dtype_texts(field[0])


def class_texts(value: type, refers: list[Any]) -> Iterator[str]:
    """Machine code depends on the field order of named tuples and on the members of enumerations."""
    yield identity(value)
    if issubclass(value, enum.Enum):
        yield repr([(name, member.value) for name, member in value.__members__.items()])
    elif issubclass(value, tuple) and hasattr(value, "_fields"):
        yield repr(value._fields)
        yield from value_texts(tuple(value._field_defaults.items()), refers)  # type: ignore[attr-defined]
    elif not known_by_version(value):
        yield dumps(value).hex()


class Overloads(NamedTuple):
    """Replacements that were registered with Numba by other code than Numba itself."""

    of_functions: dict[Any, list[Function]]
    of_others: tuple[Function, ...]  # for NumPy's functions and for methods, which cannot be followed by name


def overloads() -> Overloads:
    return overloads_among(len(builtin_registry.globals), len(builtin_registry.attributes))


@functools.lru_cache(maxsize=1)
def overloads_among(functions: int, attributes: int) -> Overloads:
    found = Overloads({}, ())
    others = list(builtin_registry.attributes[:attributes])
    for function, kind in builtin_registry.globals[:functions]:
        for template in getattr(kind, "templates", ()):
            if isinstance(function, types.FunctionType) and not known_by_version(function):
                found.of_functions.setdefault(function, []).extend(implementations([template]))
            else:
                others.append(template)
    return found._replace(of_others=tuple(implementations(others)))


def implementations(templates: Iterable[Any]) -> Iterator[Function]:
    for template in templates:
        implementation = replacement_of(template)
        if implementation is not None and not known_by_version(implementation):
            yield implementation
