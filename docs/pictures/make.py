"""Draw the pictures of the README, and photograph the pages: `make pictures`."""

import io
import json
import re
from pathlib import Path

from rich.console import Console

from kibitz.arena import charts
from kibitz.core import registry
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.games.hanabi.agents.reinforced import agents as learners
from kibitz.learn.curve import learning_curve
from kibitz.learn.training import Point

HERE = Path(__file__).parent


def watched_game(seed: int, moves: int, shown: int) -> None:
    """The last of a few moves of a game, with the table after each, as `kibitz watch` shows them."""
    console = Console(record=True, width=92, file=io.StringIO(), highlight=False)
    game = registry.game("hanabi")
    agent = registry.agent(game, "simple_distrustful")
    start = game.deal(keys(seed), 0, 3, game.check_rules({}))
    table = Table(game, [agent.take_seat(game) for _ in range(3)], start)
    for number in range(1, moves + 1):
        turn = table.step()
        if number > moves - shown:
            console.print(f"[bold]{turn.number:>3}. {table.text(turn)}[/]  [dim]{turn.decision.reason}[/]")
            console.print(game.board(table.state))
            console.print()
    title = f"kibitz watch hanabi simple_distrustful --players 3 --seed {seed}"
    picture = console.export_svg(title=title, unique_id="watch")
    # The picture fetches nothing: every viewer has a monospaced font.
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    (HERE / "watch.svg").write_text(picture.replace("Fira Code", "DejaVu Sans Mono"))


def learning_curves() -> None:
    """How the learners that are shipped learned, by the curves that were kept with them."""
    for name in ("reinforced2", "reinforced4"):
        about = json.loads((Path(learners.__file__).with_name(f"{name}.json")).read_text("utf-8"))
        curve = [Point(**point) for point in about["curve"]]
        figure = learning_curve(curve, f"Hanabi: {name} learns", about)
        charts.save(figure, HERE / name)
        (HERE / f"{name}.png").unlink()  # the page shows the other


if __name__ == "__main__":
    import pages

    watched_game(seed=7, moves=26, shown=3)
    learning_curves()
    pages.main()
