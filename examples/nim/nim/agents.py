"""Players of Nim. What they are handed is what `Nim.view` makes of a view: the number of stones."""


class Expert:
    """Leaves a multiple of four."""

    def decide(self, stones: int) -> tuple[str, str]:
        return f"take {stones % 4 or 1}", f"{stones} are left"


class Novice:
    """Takes one stone at a time."""

    def decide(self, stones: int) -> str:
        return "take 1"
