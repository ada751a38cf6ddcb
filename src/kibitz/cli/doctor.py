"""`kibitz doctor`: what is installed, and what is missing for which feature."""

from typing import Any

from kibitz.cli import options
from kibitz.cli.terminal import out, plain, print_json


def doctor(json: options.AsJson = False) -> None:
    """Show versions, the cache, whether compiling is fast, and which optional libraries are missing.

    kibitz doctor

    kibitz doctor --json
    """
    from kibitz.core.installation import installation

    found = installation()
    if json:
        print_json(found)
    else:
        show(found)


def show(found: dict[str, Any]) -> None:
    lines = rows(found)
    width = max(len(name) for name, _ in lines)
    for name, text in lines:
        out.print(f"[cyan]{name:{width}}[/]  {plain(text)}", soft_wrap=True, highlight=False)


def rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    cache, compiling = found["cache"], found["compiling"]
    kept = f"{cache['folder']}, {cache['files']:,} files, {cache['bytes'] / 1e6:,.1f} MB"
    lines = [
        ("kibitz", found["version"]),
        ("Python", f"{found['python']} on {found['system']}"),
        *((name, version or "not installed") for name, version in found["libraries"].items()),
        ("cache", f"{kept}; not used: {cache['problem']}" if cache["problem"] else kept),
        ("tables", found["data"]),
        ("fast path", "on" if compiling["fast"] else f"off: {compiling['why_not']}"),
    ]
    for name, extra in found["extras"].items():
        missing = ", ".join(extra["missing"])
        status = f"{missing} missing; pip install 'kibitz[{name}]'" if missing else "installed"
        lines.append((f"extra {name}", f"{status} (for {extra['for']})"))
    return [*lines, ("browser", found["browser"] or "none found; open the address that kibitz serve prints yourself")]
