"""The help of commands: plain text that fits the terminal, with examples that can be copied."""

import re
import shutil
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from typer.core import TyperCommand, TyperGroup

WIDEST, NARROWEST = 96, 40
NAMES = 26  # columns for the names of options, if the terminal is wide enough
WORD = re.compile(r'(?:"[^"]*"|\S)+')  # words in quotes stay together


def width() -> int:
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns - 1))


def wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        " ".join(text.split()), width(), initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def example(line: str) -> str:
    """A command, continued with backslashes where it is too long."""
    lines, indent = [""], "    "
    for word in WORD.findall(line):
        if lines[-1] and len(indent) + len(lines[-1]) + len(word) + 3 > width():
            lines[-1] += " \\"
            lines.append("  ")
        lines[-1] += (" " if lines[-1].strip() else "") + word
    return "\n".join(indent + each for each in lines)


def paragraphs(text: str) -> Iterator[str]:
    """A docstring: paragraphs are wrapped to the terminal, and indented lines are commands."""
    examples: list[str] = []
    for paragraph in text.strip().split("\n\n"):
        if paragraph.startswith(("    ", "kibitz ")):  # the indentation is lost if no text follows
            examples += [example(line) for line in paragraph.splitlines()]
            continue
        if examples:
            yield "\n".join(examples)
            examples = []
        yield wrapped(paragraph)
    if examples:
        yield "\n".join(examples)


def columns(rows: Sequence[tuple[str, str]], names: int = NAMES) -> Iterator[str]:
    """Names and what they mean: side by side, or below each other on a narrow terminal."""
    beside = width() >= 72
    indent = " " * (names + 2 if beside else 6)
    for name, text in rows:
        lines = wrapped(text, indent).splitlines()
        if beside and lines and len(name) + 4 <= len(indent):
            yield f"  {name}".ljust(len(indent)) + lines.pop(0).strip()
        else:
            yield f"  {name}"
        yield from lines


def spelling(option: Any) -> str:
    """How an option is typed: `--seed N`, `--json`, `--open / --no-open`."""
    names = ", ".join(sorted(option.opts, key=len))
    if option.secondary_opts:
        return f"{names} / {', '.join(option.secondary_opts)}"
    return names if option.is_flag else f"{names} {option.metavar}"


def default(option: Any) -> str:
    """The default of an option, as shown."""
    if option.required:
        return "required"
    if isinstance(option.show_default, str):
        return f"default: {option.show_default}"
    value = option.default
    if value is None or value is False or value == "" or callable(value) or option.param_type_name == "argument":
        return ""
    if option.is_flag:
        return f"default: {option.opts[0] if value else option.secondary_opts[0]}"
    return f"default: {value:,g}" if isinstance(value, float) else f"default: {value}"


def described(option: Any) -> str:
    extra = "" if option.param_type_name == "argument" else default(option)
    return f"{option.help or ''} [{extra}]" if extra else option.help or ""


def usage(command: Any) -> list[str]:
    """The words after the name of a command."""
    arguments = [each.metavar for each in command.params if each.param_type_name == "argument"]
    return [*arguments, *(["COMMAND"] if isinstance(command, TyperGroup) else []), "[OPTIONS]"]


def page(command: Any, ctx: Any) -> str:
    """The help of a command, without the commands below it."""
    shown = [each for each in command.get_params(ctx) if not getattr(each, "hidden", False)]
    arguments = [(each.metavar, described(each)) for each in shown if each.param_type_name == "argument"]
    options = [(spelling(each), described(each)) for each in shown if each.param_type_name != "argument"]
    parts = [wrapped(" ".join(["Usage:", ctx.command_path, *usage(command)])), *paragraphs(command.help or "")]
    for title, rows in (("Arguments", arguments), ("Options", options)):
        if rows:
            parts.append("\n".join([f"{title}:", *columns(rows)]))
    return "\n\n".join(parts) + "\n"


class Command(TyperCommand):
    """A command. Rules that a game declares as options are allowed if it has --rule."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        from kibitz.cli.rule_options import spelled_out

        known = {name for param in self.params for name in (*param.opts, *param.secondary_opts)}
        return super().parse_args(ctx, spelled_out(args, known | {"--help"}) if "--rule" in known else args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return usage(self)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(page(self, ctx))


class LongHelp(Command):
    """A command whose help ends with text that is looked up only then."""

    ending: Callable[[], Iterator[str]]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        formatter.write("\n".join(type(self).ending()) + "\n")


class Group(TyperGroup):
    """Commands, listed by what they are for."""

    sections: ClassVar[Mapping[str, Sequence[str]]] = {}

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return usage(self)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(page(self, ctx))
        for title, names in (self.sections or {"Commands": self.list_commands(ctx)}).items():
            rows = [(name, in_short(str(self.get_command(ctx, name).help))) for name in names]  # type: ignore[union-attr]
            formatter.write("\n" + "\n".join([f"{title}:", *columns(rows, names=12)]) + "\n")


def first_sentence(text: str) -> str:
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z])", paragraph)[0]


def in_short(text: str) -> str:
    """The first sentence up to a colon."""
    return first_sentence(text).partition(":")[0].rstrip(".") + "."
