"""Which room may import which, for whatever games are registered: no list of games is kept here or anywhere else."""

from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import grimp
import pytest

from kibitz.core import registry

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kibitz"
GAMES = {entry.name: entry.module.rpartition(".")[0] for entry in entry_points(group="kibitz.games")}
OURS = {name: package for name, package in GAMES.items() if package.startswith("kibitz.")}
BELOW = (
    "kibitz.errors",
    "kibitz.extras",
    "kibitz.text",
    "kibitz.engine",
    "kibitz.core",
    "kibitz.search",
    "kibitz.client",
    "kibitz.games.chess",
)  # what a game may import, besides itself
ABOVE = (
    "kibitz.bots",
    "kibitz.arena",
    "kibitz.learn",
    "kibitz.server.live",
    "kibitz.testing",
    "kibitz.server.host",
    "kibitz.server.web",
    "kibitz.api",
    "kibitz.cli",
)


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("kibitz")


def imports(of: str) -> set[tuple[str, str]]:
    """The imports of a package from kibitz outside of it."""
    modules = {of, *graph().find_descendants(of)}
    return {
        (module, other)
        for module in modules
        for other in graph().find_modules_directly_imported_by(module)
        if other not in modules
    }


def lies_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@pytest.mark.parametrize("room", [*BELOW, *ABOVE])
def test_a_room_knows_games_only_through_the_registry(room: str) -> None:
    assert [pair for pair in imports(room) if any(lies_in(pair[1], package) for package in OURS.values())] == []


@pytest.mark.parametrize("name", OURS)
def test_a_game_imports_the_core_search_and_what_it_builds_on(name: str) -> None:
    allowed = (*BELOW, *(OURS[other] for other in registry.game(name).builds_on))
    assert [pair for pair in imports(OURS[name]) if not any(lies_in(pair[1], room) for room in allowed)] == []


@pytest.mark.parametrize("name", OURS)
def test_the_modules_of_a_game_do_not_import_each_other_in_circles(name: str) -> None:
    modules = {OURS[name], *graph().find_descendants(OURS[name])} - {OURS[name]}
    inside = {module: graph().find_modules_directly_imported_by(module) & modules for module in modules}
    packages = {module for module in modules if graph().find_children(module)}
    while free := {module for module, others in inside.items() if not others}:
        inside = {module: others - free for module, others in inside.items() if module not in free}
    assert set(inside) - packages == set()


@pytest.mark.parametrize("name", OURS)
def test_the_agents_of_a_game_play_by_its_rules_and_do_not_import_the_game(name: str) -> None:
    game, agents = f"{OURS[name]}.game", f"{OURS[name]}.agents"
    assert game in graph().modules
    assert graph().find_downstream_modules(game).isdisjoint({agents, *graph().find_descendants(agents)})


def test_the_architecture_page_lists_every_package() -> None:
    page = (ROOT / "docs/explanation/architecture.md").read_text()
    listing = page.split("```")[1].strip("\n").splitlines()
    names, listed = list[str](), set[str]()
    for line in listing:
        name, depth = line.split()[0], int(line.startswith("  "))
        names = [*names[:depth], name]
        listed.add(".".join(names))
    top = {path for path in SOURCE.iterdir() if path.name not in ("__init__.py", "__main__.py", "py.typed")}
    inner = {path for name in ("games", "server") for path in (SOURCE / name).iterdir() if path.is_dir()}
    found = {path for path in top | inner if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert listed == {".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in found}
