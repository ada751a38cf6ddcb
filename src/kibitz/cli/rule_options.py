"""Rules that a game declares as options: `--NAME CHOICE` means `--rule NAME=CHOICE`."""

from collections.abc import Sequence


def spelled_out(words: Sequence[str], known: set[str]) -> list[str]:
    """The words of a command, with `--rule` for the options of games. Games are loaded only for an unknown option."""
    options: set[str] | None = None
    spelled: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "--":
            return [*spelled, word, *rest]
        if not name.startswith("--") or name in known:
            spelled.append(word)
            continue
        options = rule_options() if options is None else options
        choice = value if equals else next(rest, None) if name in options else None
        spelled += [word] if name not in options or choice is None else ["--rule", f"{name[2:]}={choice}"]
    return spelled


def rule_options() -> set[str]:
    from kibitz.core import registry
    from kibitz.errors import KibitzError

    found = set()
    for name in registry.game_entries():
        try:
            found |= {f"--{rule.name}" for rule in registry.game(name).rules if rule.option}
        except KibitzError:
            continue  # `kibitz games` reports a game that cannot be loaded
    return found
