"""Agents for Nim. They get the result of `Nim.view`: the number of stones."""


class Expert:
    """Leaves a multiple of four."""

    def decide(self, stones: int) -> tuple[str, str]:
        return f"take {stones % 4 or 1}", f"{stones} stones are left"


class Novice:
    """Takes one stone at a time."""

    def decide(self, stones: int) -> str:
        return "take 1"
