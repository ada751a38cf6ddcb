"""Compile errors in a sentence: the line of the author's file, what is wrong there, and what to write instead.

Numba reports an error in a hundred lines, mostly about its own calls. The line and the cause are in there; other
sentences quote Numba's first line.
"""

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import TracebackType
from typing import Any

from kibitz.text import fit

Structs = Mapping[str, tuple[str, ...]]  # the fields of structs, by what to call them
KIBITZ = Path(__file__).resolve().parents[1]
PLACES = re.compile(
    r'File "(?P<quoted>[^"\n]+)", line (?P<line>\d+)|(?:at|from|At) (?P<plain>[^\n]+?\.py) \((?P<number>\d+)\)'
)
RECORD = re.compile(r"(?:unaligned )?Record\(.*?, (?:True|False)\)", re.DOTALL)
FIELD = re.compile(r"\('(\w+)', \{'type'")
NOISE = ("Failed in ", "During: ", "File ")
PLAIN_TYPES = {
    "unicode_type": "str", "none": "None", "boolean": "bool", "bool": "bool", "int64": "int", "float64": "float"
}  # fmt: skip


def compile_error(error: BaseException, function: Callable[..., Any], structs: Structs) -> str:
    """What is wrong with a function, as FILE, line N: SENTENCE."""
    text = str(error)
    file = Path(function.__code__.co_filename)
    sentence, name = sentence_for(error, text, function, structs)
    found = place_in(file, places(error, text)) or (file, line_of_name(file, name, function))
    return f"{fit(shown(found[0]))}, line {found[1]}: {fit(sentence)}"


def shown(file: Path) -> str:
    """A path as people write it: relative if it is in the working folder."""
    try:
        return str(file.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(file)


# Where


def places(error: BaseException, text: str) -> Iterator[tuple[Path, int]]:
    """The places that an error names, innermost first."""
    for found in PLACES.finditer(text):
        yield Path(found["quoted"] or found["plain"]), int(found["line"] or found["number"])
    yield from reversed(list(locations(error.__traceback__)))


def locations(raised: TracebackType | None) -> Iterator[tuple[Path, int]]:
    """The locations in the author's code that Numba's frames work on, outermost first.

    Some of its errors, such as an unknown field's KeyError, name no location.
    """
    while raised is not None:
        owner = raised.tb_frame.f_locals.get("self")
        for holder in (owner, getattr(owner, "inst", None)):
            location: Any = getattr(holder, "loc", None)
            if isinstance(getattr(location, "line", None), int) and isinstance(location.filename, str):
                yield Path(location.filename), location.line
        raised = raised.tb_next


def place_in(file: Path, found: Iterable[tuple[Path, int]]) -> tuple[Path, int] | None:
    """The innermost place in a file, or in another file that is not ours and not Numba's."""
    everywhere = [(where, line) for where, line in found if not str(where).startswith("<")]
    own = [(file, line) for where, line in everywhere if where.name == file.name and where.resolve() == file.resolve()]
    others = [
        (where, line)
        for where, line in everywhere
        if where.suffix == ".py" and where.is_file() and "numba" not in where.parts
        and KIBITZ not in where.resolve().parents
    ]  # fmt: skip
    return next(iter(own + others), None)


def line_of_name(file: Path, name: str, function: Callable[..., Any]) -> int:
    """The first line that uses a name; failing that, the function's."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return function.__code__.co_firstlineno
    lines = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    return min(lines) if lines else function.__code__.co_firstlineno


# What


def sentence_for(
    error: BaseException, text: str, function: Callable[..., Any], structs: Structs
) -> tuple[str, str]:  # fmt: skip
    """What is wrong, and the name that it is about, if any."""
    if isinstance(error, KeyError) and (fields := record_fields(error.__traceback__)):
        return no_field(str(error.args[0]), fields, structs), ""
    if found := re.search(r"Unknown attribute '(\w+)' of type (.*)", text):
        fields = tuple(FIELD.findall(found[2]))
        if fields:
            return no_field(found[1], fields, structs), ""
        return f"compiled code knows no attribute `{found[1]}` of {plain_type(found[2])}.", found[1]
    if found := re.search(r"NameError: (?:global )?name '(\w+)' is not defined", text):
        known = [*function.__globals__, *vars(builtins)]
        return f"there is no name `{found[1]}`.{guess(found[1], known)} Define or import it.", found[1]
    if found := re.search(r"Untyped global name '(\w+)':?.*?type of <class '([\w.]+)'>", text, re.DOTALL):
        if found[2] == "function":
            return f"`{found[1]}` is a function that is not compiled. Decorate it with @compiled.", found[1]
        return (
            f"`{found[1]}` is of the type {found[2]}, which compiled code cannot use. Use a NumPy array, a tuple or a "
            f"number."
        ), found[1]
    if found := re.search(r"to signature '\((.*?)\)[^']*' due to \"TypeError: (.*?)\"", text):
        callee = re.search(r"<function (\w+) at", text[found.end() :])
        names = ", ".join(each.partition(":")[0].strip() for each in found[1].split(", "))
        return f"{callee[1] if callee else 'a function'}({names}) is called wrongly: {found[2]}.", ""
    if found := re.search(r"No conversion from (.*) to (\w+) for '[^']*return_value", text):
        if found[1] == "none":
            return f"`{function.__name__}` never returns anything. Return a decision on every path.", ""
        return f"`{function.__name__}` returns {plain_type(found[1])} instead of {plain_type(found[2])}.", ""
    if found := re.search(r"Cannot unify (.*) and (.*) for '([^'.$]+)[^']*'", text):
        one, other = plain_type(found[1]), plain_type(found[2])
        return f"the variable `{found[3]}` is {one} in one place and {other} in another. Use two variables.", found[3]
    if found := re.search(
        r"No implementation of function Function\(<.*?(\w+)>?.*?\) found.*?>>> (.*?)\n", text, re.DOTALL
    ):
        return f"compiled code has no {plain_type(found[2])}.", ""
    if found := re.search(r"unsupported opcode \((\w+)\)", text):
        return f"compiled code does not support this Python feature ({found[1]}). Write it in another way.", ""
    return f"this cannot be compiled: {first_line(text) or type(error).__name__}", ""


def record_fields(raised: TracebackType | None) -> tuple[str, ...]:
    """The fields of the struct that the innermost frame looks into, if it does."""
    fields: Any = ()
    while raised is not None:
        fields = getattr(raised.tb_frame.f_locals.get("self"), "fields", ())
        raised = raised.tb_next
    return tuple(fields) if isinstance(fields, Mapping) else ()


def no_field(name: str, fields: tuple[str, ...], structs: Structs) -> str:
    what = next((what for what, known in structs.items() if set(known) == set(fields)), "this struct")
    return f"{what} has no field `{name}`.{guess(name, fields) or ' Its fields are ' + ', '.join(sorted(fields)) + '.'}"


def guess(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=2, cutoff=0.6)
    return f" Did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""


def plain_type(text: str) -> str:
    """Numba's types as Python's: int for Literal[int](0)."""
    text = re.sub(r"Literal\[(\w+)\]\([^)]*\)", r"\1", RECORD.sub("struct", text))
    for numba, plain in PLAIN_TYPES.items():
        text = re.sub(rf"\b{numba}\b", plain, text)
    return text.strip()[:200]


def first_line(text: str) -> str:
    """The first line with content, without the place, which is said before."""
    for line in RECORD.sub("struct", text).splitlines():
        line = re.sub(r"\.? Raised from .*", "", line).strip()
        if line and not line.startswith(NOISE):
            return plain_type(line).rstrip(".") + "."
    return ""
